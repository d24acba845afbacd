"""Small dense linear systems for kernels: Gaussian elimination with partial pivoting, unrolled for its size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quatviz.core.kernel import inline

Kernel = Callable[..., Any]


def pivoted_solve(size: int) -> Kernel:
    """`solve(matrix, right) -> x` for a row-major matrix of size^2 floats and a right side of `size` floats.

    All of it is scalars in registers: no array, no call. Rows are exchanged whenever a later one has the larger
    element in the column at hand, which leaves the largest on the diagonal. A singular matrix gives inf or NaN.
    """
    lines = _unpacked(size)
    for column in range(size):
        for row in range(column + 1, size):
            lines += _exchange(column, row, size)
        lines += _eliminate(column, size)
    lines += _substitute(size)
    names: dict[str, Any] = {}
    source = "def solve(matrix, right):\n" + "".join(f"    {line}\n" for line in lines)
    exec(source, names)  # text made here from indices
    return inline(names["solve"])


def _unpacked(size: int) -> list[str]:
    rows = [
        f"a{row}{column} = matrix[{row * size + column}]" for row in range(size) for column in range(size)
    ]
    return rows + [f"a{row}{size} = right[{row}]" for row in range(size)]


def _exchange(column: int, row: int, size: int) -> list[str]:
    upper = [f"a{column}{k}" for k in range(column, size + 1)]
    lower = [f"a{row}{k}" for k in range(column, size + 1)]
    return [
        f"if abs(a{row}{column}) > abs(a{column}{column}):",
        f"    {', '.join(upper + lower)} = {', '.join(lower + upper)}",
    ]


def _eliminate(column: int, size: int) -> list[str]:
    lines = [f"d{column} = 1.0 / a{column}{column}"]
    for row in range(column + 1, size):
        lines.append(f"f = a{row}{column} * d{column}")
        lines += [f"a{row}{k} -= f * a{column}{k}" for k in range(column + 1, size + 1)]
    return lines


def _substitute(size: int) -> list[str]:
    lines = []
    for row in reversed(range(size)):
        known = "".join(f" - a{row}{k} * x{k}" for k in range(row + 1, size))
        lines.append(f"x{row} = (a{row}{size}{known}) * d{row}")
    return [*lines, f"return ({', '.join(f'x{row}' for row in range(size))},)"]


solve3 = pivoted_solve(3)
solve4 = pivoted_solve(4)
solve5 = pivoted_solve(5)

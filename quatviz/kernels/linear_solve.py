"""Small dense linear systems for kernels: Gaussian elimination with partial pivoting, unrolled for its size."""

from quatviz.kernels.binder import Kernel, inline, written


def pivoted_solve(size: int) -> Kernel:
    """`solve(matrix, right) -> x` for a row-major matrix of size^2 floats and a right side of `size` floats.

    All of it is scalars in registers: no array, no call. Rows are exchanged whenever a later one has the larger
    element in the column at hand, which leaves the largest on the diagonal. A singular matrix gives inf or NaN. (Loops over
    an array, which make one text for all sizes, take 108 ns for five unknowns, not 48.)
    """
    lines = _rows(size)
    for column in range(size):
        for row in range(column + 1, size):
            lines += _exchange(f"r{column}_{column}", f"r{row}_{column}")
        lines += _eliminate(column, size)
    return inline(written("solve", "matrix, right", [*lines, *_substitute(size)]))


def _rows(size: int) -> list[str]:
    """`ri_k` is the row i, with the right side at its end, from the column k on: here from the first."""
    rows = (", ".join(f"matrix[{row * size + column}]" for column in range(size)) for row in range(size))
    return [f"r{row}_0 = ({elements}, right[{row}])" for row, elements in enumerate(rows)]


def _exchange(upper: str, lower: str) -> list[str]:
    return [f"if abs({lower}[0]) > abs({upper}[0]):", f"    {upper}, {lower} = {lower}, {upper}"]


def _eliminate(column: int, size: int) -> list[str]:
    pivot = f"r{column}_{column}"
    lines = [f"d{column} = 1.0 / {pivot}[0]"]
    for row in range(column + 1, size):
        old = f"r{row}_{column}"
        new = ", ".join(f"{old}[{k}] - f * {pivot}[{k}]" for k in range(1, size + 1 - column))
        lines += [f"f = {old}[0] * d{column}", f"r{row}_{column + 1} = ({new})"]
    return lines


def _substitute(size: int) -> list[str]:
    lines = []
    for row in reversed(range(size)):
        known = "".join(f" - r{row}_{row}[{k - row}] * x{k}" for k in range(row + 1, size))
        lines.append(f"x{row} = (r{row}_{row}[{size - row}]{known}) * d{row}")
    return [*lines, f"return ({', '.join(f'x{row}' for row in range(size))},)"]


solve3 = pivoted_solve(3)
solve4 = pivoted_solve(4)
solve5 = pivoted_solve(5)

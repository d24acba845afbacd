"""Small dense linear systems for kernels: Gaussian elimination with partial pivoting, unrolled for each size."""

from quatviz.physics.kernels.binder import Kernel, compile_source, inline


def pivoted_solve(size: int) -> Kernel:
    """Return a kernel `solve(matrix, right) -> x` for a row-major matrix of size^2 floats and a right-hand side of
    `size` floats.

    All values are scalars in registers, without arrays and calls. Two rows are exchanged whenever the later one has
    the larger element in the current column, so that the largest element ends on the diagonal. A singular matrix
    gives inf or NaN. For five unknowns this takes 48 ns; loops over an array would take 108 ns.
    """
    rows = [f"{row}, right[{number}]" for number, row in enumerate(_rows(size))]
    return inline(compile_source("solve", "matrix, right", [*_triangularize(rows), *_back_substitute(size)]))


def pivoted_determinant(size: int) -> Kernel:
    """Return a kernel `determinant(matrix) -> float` for a row-major matrix of size^2 floats.

    It uses the same elimination as `pivoted_solve`.
    """
    lines = ["sign = 1.0", *_triangularize([f"{row}, 0.0" for row in _rows(size)], "sign = -sign")]
    product = " * ".join(f"r{row}_{row}[0]" for row in range(size))
    return inline(compile_source("determinant", "matrix", [*lines, f"return sign * {product}"]))


def _rows(size: int) -> list[str]:
    """Return the source text of each matrix row: its elements, separated by commas."""
    return [", ".join(f"matrix[{row * size + column}]" for column in range(size)) for row in range(size)]


def _triangularize(rows: list[str], after_exchange: str = "") -> list[str]:
    """Return source lines that reduce a linear system to upper triangular form.

    `rows` are the source texts of the rows of the system, each with its right-hand side at the end. In the returned
    lines, the variable `ri_k` holds row i without its first k columns. `after_exchange` is a statement that is executed
    after each exchange of rows.
    """
    size = len(rows)
    lines = [f"r{number}_0 = ({row})" for number, row in enumerate(rows)]
    for column in range(size):
        for row in range(column + 1, size):
            lines += _exchange_rows(f"r{column}_{column}", f"r{row}_{column}")
            lines += [f"    {after_exchange}"] if after_exchange else []
        lines += _eliminate(column, size)
    return lines


def _exchange_rows(upper: str, lower: str) -> list[str]:
    return [f"if abs({lower}[0]) > abs({upper}[0]):", f"    {upper}, {lower} = {lower}, {upper}"]


def _eliminate(column: int, size: int) -> list[str]:
    pivot = f"r{column}_{column}"
    lines = [f"d{column} = 1.0 / {pivot}[0]"]
    for row in range(column + 1, size):
        old = f"r{row}_{column}"
        new = ", ".join(f"{old}[{k}] - f * {pivot}[{k}]" for k in range(1, size + 1 - column))
        lines += [f"f = {old}[0] * d{column}", f"r{row}_{column + 1} = ({new})"]
    return lines


def _back_substitute(size: int) -> list[str]:
    lines = []
    for row in reversed(range(size)):
        known = "".join(f" - r{row}_{row}[{k - row}] * x{k}" for k in range(row + 1, size))
        lines.append(f"x{row} = (r{row}_{row}[{size - row}]{known}) * d{row}")
    return [*lines, f"return ({', '.join(f'x{row}' for row in range(size))},)"]


solve3 = pivoted_solve(3)
solve4 = pivoted_solve(4)
solve5 = pivoted_solve(5)

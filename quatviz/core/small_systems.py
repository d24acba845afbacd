"""A small dense linear system in an array, for kernels that know its size only when they run."""

from __future__ import annotations

from quatviz.core.kernel import OPTIONS, njit


@njit(**OPTIONS)
def eliminate(system):
    """Solve in place. `system` (k + 1, k) holds the k columns of the matrix, then the right side, which becomes x.

    Gaussian elimination with partial pivoting; a singular matrix gives inf or NaN. `core.linear_solve` is faster
    where the size is known and small.
    """
    length = system.shape[1]
    for column in range(length):
        pivot = column
        for row in range(column + 1, length):
            if abs(system[column, row]) > abs(system[column, pivot]):
                pivot = row
        for other in range(column, length + 1):
            system[other, column], system[other, pivot] = system[other, pivot], system[other, column]
        for row in range(column + 1, length):
            factor = system[column, row] / system[column, column]
            for other in range(column, length + 1):
                system[other, row] -= factor * system[other, column]
    for row in range(length - 1, -1, -1):
        for other in range(row + 1, length):
            system[length, row] -= system[other, row] * system[length, other]
        system[length, row] /= system[row, row]

"""The rows of numbers by which the sum over loads that are not constant is told of them."""

from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads.base import MAX_KERNEL_NUMBERS

CONSTANT_ROW = 0
"""The kind of a row that is a multiple of what is constant; others have the number of their class from 1 on."""
INSTRUCTION_ROW = -1
"""The kind of a row that is an instruction of an expression's program: they stand behind all loads. Loads that bring kernels of
their own, which only a script has, count on from there downwards."""
CLASS_COLUMN, PROGRAM_START, PROGRAM_STOP, FIRST_NUMBER = range(4)
"""Columns of a row: its kind, the rows of the program that it is multiplied by (0 without one), and its numbers."""
CONSTANT_NUMBERS = 3 + 3 + 10 + 10
ROW_WIDTH = FIRST_NUMBER + max(MAX_KERNEL_NUMBERS, CONSTANT_NUMBERS)


@inline
def symmetric_times(S, p):
    """S p (4) for the upper triangle of S (10), row by row."""
    s00, s01, s02, s03, s11, s12, s13, s22, s23, s33 = S
    e0, e1, e2, e3 = p
    return (
        s00 * e0 + s01 * e1 + s02 * e2 + s03 * e3,
        s01 * e0 + s11 * e1 + s12 * e2 + s13 * e3,
        s02 * e0 + s12 * e1 + s22 * e2 + s23 * e3,
        s03 * e0 + s13 * e1 + s23 * e2 + s33 * e3,
    )

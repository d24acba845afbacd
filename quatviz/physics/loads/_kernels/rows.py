"""The rows of numbers by which the sum over loads that are not constant is told of them."""

MAX_KERNEL_NUMBERS = 16
"""Numbers that one load may pack for its kernels."""
CONSTANT_ROW = 0
"""The kind of a row that is a multiple of what is constant; others have the number of their class from 1 on."""
INSTRUCTION_ROW = -1
"""The kind of a row that is an instruction of an expression's program: they stand behind all loads. Loads that bring kernels of
their own, which only a script has, count on from there downwards."""
CLASS_COLUMN, PROGRAM_START, PROGRAM_STOP, FIRST_NUMBER = range(4)
"""Columns of a row: its kind, the rows of the program that it is multiplied by (0 without one), and its numbers."""
CONSTANT_NUMBERS = 3 + 3 + 10 + 10
ROW_WIDTH = FIRST_NUMBER + max(MAX_KERNEL_NUMBERS, CONSTANT_NUMBERS)

"""Layout of the rows of numbers that describe loads to the sum over loads, and the set of kernels of a load."""

from collections.abc import Callable
from typing import Any, NamedTuple

MAX_KERNEL_NUMBERS = 16
"""Largest number of values that a load packs into its row for its kernels."""
CONSTANT_ROW = 0
"""Type code of a row that holds a constant load multiplied by a function of time.

The rows of other loads have codes from 1, one for each load class.
"""
INSTRUCTION_ROW = -1
"""Type code of a row that holds an instruction of an expression's program. These rows follow those of all loads.

Loads with kernels of their own, which only scripts have, have the type codes -2, -3, ...
"""
CLASS_COLUMN, PROGRAM_START, PROGRAM_STOP, FIRST_NUMBER = range(4)
"""Columns of a load's row: its type code; the first row of the program of its time factor, and the row after
the last (both 0 without a program); and the first of the load's numbers."""
SPACE_FORCE, BODY_FORCE = 26, 29
"""Indices, among the numbers of a constant load, of the first component of its force in space and in the
body."""
CONSTANT_NUMBERS = 3 + 3 + 10 + 10 + 3 + 3
ROW_WIDTH = FIRST_NUMBER + max(MAX_KERNEL_NUMBERS, CONSTANT_NUMBERS)

Kernel = Callable[..., Any]


class LoadKernels(NamedTuple):
    """Kernels of one load, as defined in `physics.loads.base.Load`; None for kernels that the load does not
    have.
    """

    torque: Kernel | None
    gradient: Kernel | None
    application: Kernel | None
    force: Kernel | None
    center_column: int | None

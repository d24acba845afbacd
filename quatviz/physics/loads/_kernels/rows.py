"""Layout of the rows of numbers that describe loads to the sum over loads, and the kernels that read them."""

from collections.abc import Callable
from typing import Any, NamedTuple

MAX_KERNEL_NUMBERS = 16
"""Largest number of numbers that a load packs for its kernels."""
CONSTANT_ROW = 0
"""Class of a row that is a constant load times a function of time. Other loads have the number of their class, from 1."""
INSTRUCTION_ROW = -1
"""Class of a row that is an instruction of an expression's program. These rows follow all loads. Loads with kernels of their own,
which only scripts have, are numbered downwards from here."""
CLASS_COLUMN, PROGRAM_START, PROGRAM_STOP, FIRST_NUMBER = range(4)
"""Columns of a row: its class, the rows where the program of its factor begins and ends (0 without one), its first number."""
CONSTANT_NUMBERS = 3 + 3 + 10 + 10
ROW_WIDTH = FIRST_NUMBER + max(MAX_KERNEL_NUMBERS, CONSTANT_NUMBERS)

Kernel = Callable[..., Any]


class LoadKernels(NamedTuple):
    """Kernels of a load, as `physics.loads.base.Load` has them; None where it has none."""

    torque: Kernel | None
    gradient: Kernel | None
    application: Kernel | None

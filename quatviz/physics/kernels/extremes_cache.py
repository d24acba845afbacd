"""Where the kernels of `extremes` are kept, and loading them."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from quatviz.physics.kernels import cache
from quatviz.physics.kernels.binder import is_cached, kernel_path
from quatviz.physics.kernels.extremes import BLOCK, STORED_DTYPE, block_extremes, curve_points, is_ready

_EXAMPLE_ARGUMENTS = (
    np.zeros((1, BLOCK)),
    False,
    np.zeros((1, 1), STORED_DTYPE),
    np.zeros((1, 1), STORED_DTYPE),
    np.zeros((3, 1)),
)


def compile_kernels() -> None:
    """Load the kernels, compiling them where they are not kept; last the one that says that they are."""
    curve_points(np.zeros((2, 1)), 2)
    block_extremes(*_EXAMPLE_ARGUMENTS)


def kernel_file() -> Path | None:
    """The file that the kernel is kept in, if it is; None where it can not be kept."""
    return _kernel_file_in(cache.folder())


@lru_cache(maxsize=4)
def _kernel_file_in(_folder: Path) -> Path | None:
    """The same, which takes long to find and is asked for with every run."""
    return kernel_path(block_extremes, *_EXAMPLE_ARGUMENTS)


def load_if_cached() -> None:
    """Load the kernel if it is kept: a window compiles nothing for its curves."""
    if not is_ready() and is_cached(block_extremes, *_EXAMPLE_ARGUMENTS):
        compile_kernels()

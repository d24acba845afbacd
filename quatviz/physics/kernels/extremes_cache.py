"""Loading of the kernels of `extremes` from the cache."""

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
    """Load the kernels of `extremes`, or compile them if they are not cached.

    `block_extremes` comes last, since `is_ready` tests for it.
    """
    curve_points(np.zeros((2, 1)), 2)
    block_extremes(*_EXAMPLE_ARGUMENTS)


def kernel_file() -> Path | None:
    """Return the cache file of the kernel `block_extremes`, or None if it cannot be cached."""
    return _kernel_file_in(cache.folder())


@lru_cache(maxsize=4)
def _kernel_file_in(_folder: Path) -> Path | None:
    """Return the cache file of `block_extremes` in a cache folder.

    The result is remembered, since it takes long to determine and every run requests it.
    """
    return kernel_path(block_extremes, *_EXAMPLE_ARGUMENTS)


def load_if_cached() -> None:
    """Load the kernels of `extremes` if they are cached. Never compile them, because curves must not wait for this."""
    if not is_ready() and is_cached(block_extremes, *_EXAMPLE_ARGUMENTS):
        compile_kernels()

"""The compiled sum over loads that are not constant, for given classes of loads. It imports numba, so it is imported
only when such a load exists.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from quatviz.base.registry import is_third_party
from quatviz.physics.kernels.binder import OPTIONS, compiled, compiler
from quatviz.physics.loads._kernels.load_sum import make_sum, make_sum_with_unregistered
from quatviz.physics.loads._kernels.rows import LoadKernels
from quatviz.physics.loads._kernels.sum_call import SUM_SIGNATURE
from quatviz.physics.loads.base import KERNEL_NAMES, Load, kernel_modules


def address_of(
    load_form: str, load_classes: tuple[type[Load], ...], own_kernels: tuple[LoadKernels, ...]
) -> int:
    """Return the address of the compiled sum for a load form, classes of loads, and kernels of single loads."""
    kernel = (
        _sum_with_unregistered(load_form, load_classes, own_kernels)
        if own_kernels
        else variable_load_sum(load_form, load_classes).dispatcher
    )
    kernel.compile(SUM_SIGNATURE)
    compilation = kernel.overloads[SUM_SIGNATURE.args]
    address: int = compilation.library.get_pointer_to_function(compilation.fndesc.llvm_cfunc_wrapper_name)
    return address


@cache
def variable_load_sum(load_form: str, load_classes: tuple[type[Load], ...]) -> Any:
    """Return the sum over rows of these classes, which is compiled at its first use."""
    kernels = [
        LoadKernels(*(getattr(load_class, name) for name in KERNEL_NAMES)) for load_class in load_classes
    ]
    sum_rows = make_sum(load_form, kernels)
    # Cached kernels are linked by the names of the functions that they call, so each sum needs a name of its own.
    sum_rows.__qualname__ = sum_rows.__name__ = "_".join(
        ["sum_by", load_form, *(load_class.name for load_class in load_classes if is_third_party(load_class))]
    )
    return compiled(sum_rows, kernel_modules(load_classes), by_address=True, names=_kernel_names(kernels))


def _kernel_names(kernels: Sequence[LoadKernels]) -> list[str]:
    """Return the names of the kernels of each load, since a class may choose another kernel of the same module."""
    return [
        f"{kernel.__module__}.{kernel.__qualname__}" if kernel else ""
        for load_kernels in kernels
        for kernel in load_kernels
    ]


@lru_cache(maxsize=64)
def _sum_with_unregistered(
    load_form: str, load_classes: tuple[type[Load], ...], own_kernels: tuple[LoadKernels, ...]
) -> Any:
    """Return the sum over registered loads and loads with kernels of their own. It is compiled in this process and not
    cached."""
    registered_sum = variable_load_sum(load_form, load_classes) if load_classes else None
    return compiler().njit(**OPTIONS)(make_sum_with_unregistered(registered_sum, load_form, own_kernels))

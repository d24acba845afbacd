"""The compiled sum over loads that are not constant, for given classes of loads. It imports numba, so it is imported
only when such a load exists.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from quatviz.base.registry import is_third_party
from quatviz.physics.kernels.binder import OPTIONS, Kernel, compiled, compiler
from quatviz.physics.loads._kernels.load_sum import make_sum, make_sum_at_center, make_sum_with_unregistered
from quatviz.physics.loads._kernels.rows import INSTRUCTION_ROW, LoadKernels
from quatviz.physics.loads._kernels.sum_call import CENTER_SIGNATURE, SUM_SIGNATURE
from quatviz.physics.loads.base import Load, kernel_modules, kernels_of


def address_of(
    load_form: str,
    load_classes: tuple[type[Load], ...],
    own_kernels: tuple[LoadKernels, ...],
    at_center: bool = False,
) -> int:
    """Return the address of the compiled sum for a load form, classes of loads, and kernels of single loads.

    `at_center` selects the sum that receives the center of mass.
    """
    if own_kernels:
        make = _center_sum_with_unregistered if at_center else _sum_with_unregistered
        kernel = make(load_form, load_classes, own_kernels)
    else:
        find = load_sum_at_center if at_center else variable_load_sum
        kernel = find(load_form, load_classes).dispatcher
    sum_signature = CENTER_SIGNATURE if at_center else SUM_SIGNATURE
    kernel.compile(sum_signature)
    compilation = kernel.overloads[sum_signature.args]
    address: int = compilation.library.get_pointer_to_function(compilation.fndesc.llvm_cfunc_wrapper_name)
    return address


@cache
def variable_load_sum(load_form: str, load_classes: tuple[type[Load], ...]) -> Any:
    """Return the sum over the rows of the given load classes, which is compiled at its first use."""
    kernels = [kernels_of(load_class) for load_class in load_classes]
    return _cached(make_sum(load_form, kernels), "sum_by", load_form, load_classes, kernels)


@cache
def load_sum_at_center(load_form: str, load_classes: tuple[type[Load], ...]) -> Any:
    """Return the sum over rows for a body whose center of mass is a variable.

    The sum receives the center of mass and also returns the force on it.
    """
    kernels = [kernels_of(load_class) for load_class in load_classes]
    sum_rows = make_sum_at_center(load_form, list(enumerate(kernels, start=1)))
    return _cached(sum_rows, "sum_at_center_by", load_form, load_classes, kernels)


def _cached(
    sum_rows: Kernel,
    stem: str,
    load_form: str,
    load_classes: Sequence[type[Load]],
    kernels: Sequence[LoadKernels],
) -> Any:
    """Return the compiled and cached function `sum_rows`.

    Cached kernels are linked by the names of the functions that they call, so each sum gets a name of its own.
    """
    sum_rows.__qualname__ = sum_rows.__name__ = "_".join(
        [stem, load_form, *(load_class.name for load_class in load_classes if is_third_party(load_class))]
    )
    return compiled(sum_rows, kernel_modules(load_classes), by_address=True, names=_kernel_names(kernels))


def _kernel_names(kernels: Sequence[LoadKernels]) -> list[str]:
    """Return the names of the kernels of loads, and the center columns, as part of the cache key. Loads of the same
    module may differ in them."""
    return [
        f"{part.__module__}.{part.__qualname__}" if callable(part) else "" if part is None else str(part)
        for load_kernels in kernels
        for part in load_kernels
    ]


@lru_cache(maxsize=64)
def _sum_with_unregistered(
    load_form: str, load_classes: tuple[type[Load], ...], own_kernels: tuple[LoadKernels, ...]
) -> Any:
    """Return the sum over registered loads and loads with kernels of their own. It is compiled in this process and not
    cached."""
    registered_sum = variable_load_sum(load_form, load_classes) if load_classes else None
    return compiler().njit(**OPTIONS)(make_sum_with_unregistered(registered_sum, load_form, own_kernels))


@lru_cache(maxsize=64)
def _center_sum_with_unregistered(
    load_form: str, load_classes: tuple[type[Load], ...], own_kernels: tuple[LoadKernels, ...]
) -> Any:
    """Return the sum over registered loads and loads with kernels of their own, for a body whose center of mass is a
    variable."""
    numbered = list(enumerate(map(kernels_of, load_classes), start=1))
    numbered += [(INSTRUCTION_ROW - 1 - index, kernels) for index, kernels in enumerate(own_kernels)]
    return compiler().njit(**OPTIONS)(make_sum_at_center(load_form, numbered))

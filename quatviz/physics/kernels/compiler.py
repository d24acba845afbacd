"""The parts of numba that kernels need. `physics.kernels.binder.compiler` imports this module when it first needs numba."""

from collections.abc import Hashable
from functools import cache
from typing import Any

from numba import njit, types
from numba.extending import NativeValue, models, overload, register_jitable, register_model, unbox

__all__ = ["ConstantType", "constant_type", "njit", "overload", "register_jitable"]


class ConstantType(types.Type):
    """numba's type of a compile-time constant. Constants of the same class with the same `str` have the same
    type."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.instance_class = type(value)
        super().__init__(name=f"{type(value).__name__}({value})")


register_model(ConstantType)(models.OpaqueModel)


@unbox(ConstantType)
def _unbox(numba_type, value, context):
    return NativeValue(context.context.get_dummy_value())


@cache
def constant_type(value: Hashable) -> ConstantType:
    """Return the numba type of a constant. The result is cached, since every call of a kernel requests it."""
    return ConstantType(value)

"""numba, and what of it kernels are made with: imported when the first is called, by `physics.kernels.binder.compiler`."""

from collections.abc import Hashable
from functools import cache
from typing import Any

from numba import njit, types
from numba.extending import NativeValue, models, overload, register_jitable, register_model, unbox

__all__ = ["ConstantType", "constant_type", "njit", "overload", "register_jitable"]


class ConstantType(types.Type):
    """numba's type of a value that is a constant of the kernels that are compiled for it: each has its own, by its text."""

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
    """Remembered, for every call of a kernel asks for it."""
    return ConstantType(value)

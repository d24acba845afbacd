"""Access of kernels to the numbers of rotors: rows of an array, given by its address. Imported when a kernel is first
compiled or loaded."""

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from quatviz.physics.formulations._kernels.rotor_rows import ROW_WIDTH


class RotorTableType(types.Type):
    """numba's type of `rotors.RotorTable`. Its value in a kernel is the address of the numbers."""


TYPE = RotorTableType("table of rotors")
register_model(RotorTableType)(models.OpaqueModel)


@unbox(RotorTableType)
def _unbox(numba_type: Any, value: Any, native: Any) -> NativeValue:
    builder, python = native.builder, native.pyapi
    address_object = python.object_getattr_string(value, "address")
    is_missing = cgutils.is_null(builder, address_object)
    address = cgutils.alloca_once_value(builder, native.context.get_dummy_value())
    with builder.if_then(builder.not_(is_missing)):
        builder.store(python.long_as_voidptr(address_object), address)
        python.decref(address_object)
    return NativeValue(builder.load(address), is_error=is_missing)


@intrinsic
def _pointer_to(typing_context: Any, table: Any) -> Any:
    """Convert a table to a pointer to its numbers, for `carray`."""
    pointer = types.CPointer(types.float64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType().as_pointer())

    return pointer(table), generate


pointer_to: Any = _pointer_to


def numbers_of(table, rows):
    return carray(pointer_to(table), (rows, ROW_WIDTH))

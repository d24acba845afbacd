"""Access of kernels to the numbers of rotors: rows of an array, given by its address. Imported when a kernel is first
compiled or loaded."""

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, models, register_model, unbox

from quatviz.physics.formulations._kernels.rotor_rows import ROW_WIDTH
from quatviz.physics.loads._kernels.sum_call import unbox_address


class RotorTableType(types.Type):
    """numba's type of `rotors.RotorTable`. Its value in a kernel is the address of the numbers."""


TYPE = RotorTableType("table of rotors")
register_model(RotorTableType)(models.OpaqueModel)


unbox(RotorTableType)(unbox_address("address"))


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

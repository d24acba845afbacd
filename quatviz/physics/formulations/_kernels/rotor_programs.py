"""The numba type through which kernels read the programs of motors: the rows of an array, given by its address.

This module is imported when a kernel with rotors is first compiled or loaded.
"""

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, models, register_model, unbox

from quatviz.physics.kernels.expression_kernel import INSTRUCTION_WIDTH
from quatviz.physics.loads._kernels.sum_call import unbox_address


class RotorProgramsType(types.Type):
    """numba's type of `rotors.RotorPrograms`. Its value in a kernel is the address of the rows."""


TYPE = RotorProgramsType("programs of motors")
register_model(RotorProgramsType)(models.OpaqueModel)


unbox(RotorProgramsType)(unbox_address("address"))


@intrinsic
def _pointer_to(typing_context: Any, programs: Any) -> Any:
    """Convert the address of `programs` to a pointer to float64, as `carray` requires."""
    pointer = types.CPointer(types.float64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType().as_pointer())

    return pointer(programs), generate


pointer_to: Any = _pointer_to


def rows_of(programs, count):
    return carray(pointer_to(programs), (count, INSTRUCTION_WIDTH))

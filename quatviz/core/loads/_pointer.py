"""Calling a function that a script has compiled, by its address, from kernels that were compiled without it. Not a load."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

GIVEN, FOUND = 7, 7
"""Numbers that such a function reads, c (3) and p (4), and those that it writes, dV/dc (3) and dV/dp (4)."""

SIGNATURE = types.void(types.CPointer(types.float64), types.CPointer(types.float64))


@intrinsic
def _called_at(typing_context: Any, address: Any, given: Any) -> Any:
    """`called_at(address, given) -> found`: the address as a float, which holds all that processors use."""
    result = types.UniTuple(types.float64, FOUND)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        double, pointer = ir.DoubleType(), ir.DoubleType().as_pointer()
        number, numbers = arguments
        with builder.goto_entry_block():
            rooms = [builder.alloca(double, size=ir.Constant(ir.IntType(64), GIVEN)) for _ in range(2)]
        for index in range(GIVEN):
            place = builder.gep(rooms[0], [ir.Constant(ir.IntType(64), index)])
            builder.store(builder.extract_value(numbers, index), place)
        kind = ir.FunctionType(ir.VoidType(), [pointer, pointer])
        function = builder.inttoptr(builder.fptosi(number, ir.IntType(64)), kind.as_pointer())
        builder.call(function, rooms)
        found = context.get_constant_undef(signature.return_type)
        for index in range(FOUND):
            place = builder.gep(rooms[1], [ir.Constant(ir.IntType(64), index)])
            found = builder.insert_value(found, builder.load(place), index)
        return found

    return result(types.float64, types.UniTuple(types.float64, GIVEN)), generate


called_at: Any = _called_at

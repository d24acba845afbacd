"""Calls of a sum over loads by its address, from compiled code. Imported when a kernel is first compiled or loaded."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from quatviz.physics.kernels.packs import WIDTH as PACKED
from quatviz.physics.kernels.packs import PackType

_SUM_RESULT = types.UniTuple(types.float64, 7)
_P, _OMEGA = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
SUM_SIGNATURE = signature(_SUM_RESULT, types.intp, types.intp, types.float64, _P, _OMEGA)
"""Signature of the sum: `f(address, row_count, t, p, omega)` returns torque (3) [N m, body] and generalized force
(4) [J]."""


CENTER_SIGNATURE = signature(
    types.UniTuple(types.float64, 10), *SUM_SIGNATURE.args, types.UniTuple(types.float64, 3)
)
"""Signature of the sum at a center of mass: `f(address, row_count, t, p, omega, c)` returns torque (3), generalized
force (4) and force (3) [N, space].
"""


class SumType(types.Type):
    """numba's type of `VariableLoadSum`. Its value in a kernel is the address of the compiled function.

    numba's own function type runs Python for each call of a kernel, during which Ctrl-C is lost or crashes the process.
    """


TYPE, CENTER_TYPE = SumType("sum over loads"), SumType("sum over loads at a center of mass")
register_model(SumType)(models.OpaqueModel)


def unbox_address(attribute: str) -> Any:
    """Return a function for numba's `unbox` that converts a Python object to the address in its attribute
    `attribute`.
    """

    def read_address(numba_type: Any, value: Any, native: Any) -> NativeValue:
        builder, python = native.builder, native.pyapi
        address_object = python.object_getattr_string(value, attribute)
        is_missing = cgutils.is_null(builder, address_object)
        address = cgutils.alloca_once_value(builder, native.context.get_dummy_value())
        with builder.if_then(builder.not_(is_missing)):
            builder.store(python.long_as_voidptr(address_object), address)
            python.decref(address_object)
        return NativeValue(builder.load(address), is_error=is_missing)

    return read_address


unbox(SumType)(unbox_address("function"))


def _pointer_to(context: Any, builder: Any, function: Any, declared: Any) -> Any:
    """Return the value of a `SumType` as a pointer to a function of the `declared` signature."""
    result, *given = map(context.get_value_type, (declared.return_type, *declared.args))
    return builder.bitcast(function, ir.FunctionType(result, given).as_pointer())


@intrinsic
def _call(typing_context: Any, function: Any, address: Any, rows: Any, t: Any, p: Any, omega: Any) -> Any:
    """Call the function whose address is the value of a `SumType`.

    If the arguments are packs (`physics.kernels.packs`), call the function once for each body of the pack, with the
    body's own `address`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(_pointer_to(context, builder, arguments[0], SUM_SIGNATURE), arguments[1:])

    def generate_per_body(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function, address, rows, t, *vectors = arguments
        pointer = _pointer_to(context, builder, function, SUM_SIGNATURE)
        result = signature.return_type
        total = cgutils.alloca_once(builder, context.get_value_type(result))
        with cgutils.for_range(builder, ir.Constant(ir.IntType(64), PACKED)) as body:

            def body_vector(vector: Any, size: int) -> Any:
                parts = [
                    builder.extract_element(builder.extract_value(vector, k), body.index) for k in range(size)
                ]
                return cgutils.pack_array(builder, parts)

            body_address = builder.fptosi(
                builder.extract_element(address, body.index), context.get_value_type(types.intp)
            )
            body_values = builder.call(
                pointer, [body_address, rows, t, body_vector(vectors[0], 4), body_vector(vectors[1], 3)]
            )
            for k in range(len(result)):
                part = cgutils.gep_inbounds(builder, total, 0, k)
                addend = builder.extract_value(body_values, k)
                builder.store(builder.insert_element(builder.load(part), addend, body.index), part)
        return builder.load(total)

    if isinstance(address, PackType):
        packs = [types.UniTuple(address, count) for count in (7, 4, 3)]
        return packs[0](function, address, types.intp, types.float64, packs[1], packs[2]), generate_per_body
    return SUM_SIGNATURE.return_type(function, *SUM_SIGNATURE.args), generate


call: Any = _call


@intrinsic
def _call_at_center(
    typing_context: Any, function: Any, address: Any, rows: Any, t: Any, p: Any, omega: Any, c: Any
) -> Any:
    """Call the function whose address is the value of a `CENTER_TYPE`, for a center of mass at c (3) [m,
    space].
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(_pointer_to(context, builder, arguments[0], CENTER_SIGNATURE), arguments[1:])

    return CENTER_SIGNATURE.return_type(function, *CENTER_SIGNATURE.args), generate


call_at_center: Any = _call_at_center


def called_at_center(function, address, rows, t, p, omega, c):
    return call_at_center(function, address, rows, t, p, omega, c)


def called(function, address, rows, t, p, omega):
    return call(function, address, rows, t, p, omega)

"""Packs: the numbers of several bodies in one SIMD register. Kernels that were written for single numbers can compute
with packs.

Kernels treat a pack as a number: they can add, multiply and divide packs, take roots, minima and maxima, and pass
tuples of packs to functions for tuples of numbers. A pack has no truth value: the compiler refuses a kernel that
branches on its elements.

This module imports numba, so it is imported only when the first kernel with packs is compiled.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

WIDTH = 8
"""Number of values in a pack: one register with AVX-512, two with AVX2."""
_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, WIDTH)


class PackType(types.Type):
    """numba's type of a pack."""

    def __init__(self) -> None:
        super().__init__(name=f"pack of {WIDTH}")


PACK = PackType()


@register_model(PackType)
class _PackModel(models.PrimitiveModel):
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _broadcast(builder: Any, value: Any) -> Any:
    """Return a pack with the same number in all elements."""
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    lane_indices = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), None)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), lane_indices)


def _as_pack(context: Any, builder: Any, value: Any, numba_type: Any) -> Any:
    if isinstance(numba_type, PackType):
        return value
    return _broadcast(builder, context.cast(builder, value, numba_type, types.float64))


def _call_intrinsic(builder: Any, name: str, *values: Any) -> Any:
    function_type = ir.FunctionType(_VECTOR, [_VECTOR] * len(values))
    function = cgutils.get_or_insert_function(builder.module, function_type, f"llvm.{name}.v{WIDTH}f64")
    return builder.call(function, values)


def _register_binary(function: Callable[..., Any], emit: Callable[[Any, Any, Any], Any]) -> None:
    """Register a binary operation with numba for two packs, and for a pack and a number."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            packs = [isinstance(argument_type, PackType) for argument_type in args]
            others = [
                isinstance(argument_type, PackType | types.Float | types.Integer) for argument_type in args
            ]
            return signature(PACK, *args) if any(packs) and all(others) and len(args) == 2 else None

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        operands = [_as_pack(context, builder, *operand) for operand in zip(args, sig.args, strict=True)]
        return emit(builder, *operands)

    for type_pair in ((PackType, PackType), (PackType, types.Number), (types.Number, PackType)):
        lower_builtin(function, *type_pair)(lower)


_register_binary(operator.add, lambda builder, a, b: builder.fadd(a, b))
_register_binary(operator.sub, lambda builder, a, b: builder.fsub(a, b))
_register_binary(operator.mul, lambda builder, a, b: builder.fmul(a, b))
_register_binary(operator.truediv, lambda builder, a, b: builder.fdiv(a, b))
_register_binary(math.copysign, lambda builder, a, b: _call_intrinsic(builder, "copysign", a, b))
_register_binary(min, lambda builder, a, b: builder.select(builder.fcmp_ordered("<", a, b), a, b))
_register_binary(max, lambda builder, a, b: builder.select(builder.fcmp_ordered(">", a, b), a, b))


def _register_unary(function: Callable[..., Any], emit: Callable[[Any, Any], Any]) -> None:
    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(PACK, PACK) if args == (PACK,) else None

    infer_global(function)(Template)
    lower_builtin(function, PackType)(lambda context, builder, sig, args: emit(builder, args[0]))


_register_unary(operator.neg, lambda builder, value: builder.fneg(value))
_register_unary(operator.pos, lambda builder, value: value)
_register_unary(math.sqrt, lambda builder, value: _call_intrinsic(builder, "sqrt", value))
_register_unary(abs, lambda builder, value: _call_intrinsic(builder, "fabs", value))


@intrinsic
def _load_pack(typing_context: Any, array: Any, row: Any, column: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pack_address(context, builder, sig, args[:3]), align=8)

    return PACK(array, types.intp, types.intp), generate


@intrinsic
def _store_pack(typing_context: Any, array: Any, row: Any, column: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[3], _pack_address(context, builder, sig, args[:3]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, value), generate


def _pack_address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Return the address of an element of a two-dimensional array in C order, as a pointer to the pack that
    begins there.
    """
    array = context.make_array(sig.args[0])(context, builder, args[0])
    shape = cgutils.unpack_tuple(builder, array.shape, 2)
    offset = builder.add(builder.mul(args[1], shape[1]), args[2])
    return builder.bitcast(builder.gep(array.data, [offset]), _VECTOR.as_pointer())


@intrinsic
def _align_stack(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        attributes = builder.function.attributes
        attributes.alignstack = 8 * WIDTH
        attributes.add("nounwind")  # as for every kernel; llvmlite writes attributes only if one has a name
        return context.get_dummy_value()

    return types.void(), generate


align_stack: Any = _align_stack
"""`align_stack()` aligns the packs on the stack of the calling function to cache lines, which saves a sixth of the time of
a step. It is meant for compiled functions that Python calls.
"""
load_pack: Any = _load_pack
"""`load_pack(array, row, column)`: return the pack that begins at an element of a row.

Callable only from kernels.
"""
store_pack: Any = _store_pack
"""`store_pack(array, row, column, value)`: write a pack to consecutive elements of a row, beginning at `column`.

Callable only from kernels.
"""

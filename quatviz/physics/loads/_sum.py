"""The sum over loads that are not constant: one function, compiled once for all formulations. It is numba's from the first line:
imported when there is such a load."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.typing import signature
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from quatviz.base.registry import is_third_party
from quatviz.physics.kernels.algebra import add3, combined3, combined4, dot3, dot4, to_body
from quatviz.physics.kernels.binder import OPTIONS, compiled, compiler, inline
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.kernels.forces import half_generalized_force, scaled4
from quatviz.physics.kernels.packs import WIDTH as PACKED
from quatviz.physics.kernels.packs import PackType
from quatviz.physics.loads._rows import (
    CLASS_COLUMN,
    INSTRUCTION_ROW,
    PROGRAM_START,
    PROGRAM_STOP,
    ROW_WIDTH,
    symmetric_times,
)
from quatviz.physics.loads.base import Load, find_kernel

Kernel = Callable[..., Any]

_SUM_RESULT = types.UniTuple(types.float64, 7)
_P, _OMEGA = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
SUM_SIGNATURE = signature(_SUM_RESULT, types.intp, types.intp, types.float64, _P, _OMEGA)
"""Of the sum over all rows: `f(address, rows, t, p, omega)` to the torque (3) [N m, body] and the generalized force (4) [J]."""


class SumType(types.Type):
    """numba's type of `VariableLoadSum`, to kernels the address of its function.

    numba's own type of functions runs Python for each call of a kernel, and Ctrl-C in the midst of that is lost or crashes.
    """


TYPE = SumType("sum over loads")
register_model(SumType)(models.OpaqueModel)


@unbox(SumType)
def _unbox(numba_type: Any, value: Any, native: Any) -> NativeValue:
    builder, python = native.builder, native.pyapi
    address_object = python.object_getattr_string(value, "function")
    is_missing = cgutils.is_null(builder, address_object)
    address = cgutils.alloca_once_value(builder, native.context.get_dummy_value())
    with builder.if_then(builder.not_(is_missing)):
        builder.store(python.long_as_voidptr(address_object), address)
        python.decref(address_object)
    return NativeValue(builder.load(address), is_error=is_missing)


@intrinsic
def _call(typing_context: Any, function: Any, address: Any, rows: Any, t: Any, p: Any, omega: Any) -> Any:
    """The function of a `SumType`, called; of packs, whose bodies have an `address` each, once for every body."""

    def pointer_to(context: Any, builder: Any, function: Any) -> Any:
        result, *given = map(context.get_value_type, (SUM_SIGNATURE.return_type, *SUM_SIGNATURE.args))
        return builder.bitcast(function, ir.FunctionType(result, given).as_pointer())

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(pointer_to(context, builder, arguments[0]), arguments[1:])

    def generate_per_body(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function, address, rows, t, *vectors = arguments
        pointer = pointer_to(context, builder, function)
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


def called(function, address, rows, t, p, omega):
    return call(function, address, rows, t, p, omega)


@intrinsic
def _numbers_at(typing_context: Any, address: Any) -> Any:
    """`numbers_at(address)`: the address of doubles as a pointer, for `carray`."""
    pointer = types.CPointer(types.float64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    return pointer(types.intp), generate


numbers_at: Any = _numbers_at


@inline
def evaluate_constant_row(row, t, p, omega):
    """What is constant, of a row of its own because it is multiplied by a function of time; see `_steady`."""
    s, b = row[6:16], row[16:26]
    Q = combined4(1.0, symmetric_times(s, p), dot4(p, symmetric_times(b, p)), p)
    return add3((row[0], row[1], row[2]), to_body(p, (row[3], row[4], row[5]))), Q


def address_of(load_form: str, load_classes: tuple[type[Load], ...], unregistered: tuple[Load, ...]) -> int:
    """Where the compiled sum is, for an entry, kinds and the loads that bring kernels of their own."""
    kernel = (
        _sum_with_unregistered(load_form, load_classes, unregistered)
        if unregistered
        else variable_load_sum(load_form, load_classes).dispatcher
    )
    kernel.compile(SUM_SIGNATURE)
    compilation = kernel.overloads[SUM_SIGNATURE.args]
    address: int = compilation.library.get_pointer_to_function(compilation.fndesc.llvm_cfunc_wrapper_name)
    return address


@cache
def variable_load_sum(load_form: str, load_classes: tuple[type[Load], ...]) -> Any:
    """The sum over rows of these kinds: a new kind of load is one new file."""
    dispatch = _make_dispatcher(
        [
            (1 + number, _make_evaluator(load_form, *_kernels_of(load_class)))
            for number, load_class in enumerate(load_classes)
        ]
    )

    def sum_rows(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, ROW_WIDTH))
        n, Q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        for index in range(rows):
            row_class = int(table[index, CLASS_COLUMN])
            if row_class == INSTRUCTION_ROW:
                break
            if row_class < INSTRUCTION_ROW:
                continue
            m, R = dispatch(row_class, _row_numbers(table, index), t, p, omega)
            factor = _time_factor(table, index, t)
            n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return (*n, *Q)

    # Kernels from the cache are linked by the names of what they call: each has its own.
    sum_rows.__qualname__ = sum_rows.__name__ = "_".join(
        ["sum_by", load_form, *(load_class.name for load_class in load_classes if is_third_party(load_class))]
    )
    return compiled(sum_rows, [load_class.__module__ for load_class in load_classes], by_address=True)


@lru_cache(maxsize=64)
def _sum_with_unregistered(
    load_form: str, load_classes: tuple[type[Load], ...], unregistered: tuple[Load, ...]
) -> Any:
    """The same and the rows of loads that are not registered: compiled in this process alone, for a cache knows no script."""
    registered_sum = variable_load_sum(load_form, load_classes)
    kernels = ([find_kernel(load, name) for name in _KERNEL_NAMES] for load in unregistered)
    dispatch = _make_dispatcher(
        [
            (INSTRUCTION_ROW - 1 - k, _make_evaluator(load_form, *load_kernels))
            for k, load_kernels in enumerate(kernels)
        ]
    )

    def sum_all_rows(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, ROW_WIDTH))
        total = registered_sum(address, rows, t, p, omega)
        n, Q = total[:3], total[3:]
        for index in range(rows):
            row_class = int(table[index, CLASS_COLUMN])
            if row_class == INSTRUCTION_ROW:
                break
            if row_class < INSTRUCTION_ROW:
                m, R = dispatch(row_class, _row_numbers(table, index), t, p, omega)
                factor = _time_factor(table, index, t)
                n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return (*n, *Q)

    return compiler().njit(**OPTIONS)(sum_all_rows)


@inline
def _time_factor(table, index, t):
    """What a row is multiplied by at t [s]."""
    if table[index, PROGRAM_STOP] > 0.0:
        return value_at(table, int(table[index, PROGRAM_START]), int(table[index, PROGRAM_STOP]), t)
    return 1.0


@inline
def _row_numbers(table, index):
    """The numbers of a row as a tuple."""
    row = table[index]
    return (
        row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12], row[13], row[14], row[15],
        row[16], row[17], row[18], row[19], row[20], row[21], row[22], row[23], row[24], row[25], row[26], row[27], row[28],
    )  # fmt: skip


def _make_dispatcher(kernels: list[tuple[int, Kernel]]) -> Kernel:
    """`dispatch(kind, row, t, p, omega) -> (n, Q)` by the first of these kernels whose number is the kind; else what is steady."""
    if not kernels:

        @inline
        def dispatch_constant(row_class, row, t, p, omega):
            return evaluate_constant_row(row, t, p, omega)

        return dispatch_constant
    (number, kernel), others = kernels[0], _make_dispatcher(kernels[1:])

    @inline
    def dispatch(row_class, row, t, p, omega):
        if row_class == number:
            return kernel(row, t, p, omega)
        return others(row_class, row, t, p, omega)

    return dispatch


_KERNEL_NAMES = ("torque_kernel", "gradient_kernel", "application_kernel")


def _kernels_of(load_class: type[Load]) -> list[Kernel | None]:
    return [getattr(load_class, name) for name in _KERNEL_NAMES]


def _make_evaluator(
    load_form: str,
    torque_kernel: Kernel | None,
    gradient_kernel: Kernel | None,
    application_kernel: Kernel | None,
) -> Kernel:
    """`f(row, t, p, omega) -> (n, Q)` of a load with these kernels by an entry."""
    if load_form == "potential" and gradient_kernel is not None:

        @inline
        def by_potential(row, t, p, omega):
            return (0.0, 0.0, 0.0), scaled4(-1.0, gradient_kernel(row, t, p))

        return by_potential
    if load_form in ("split", "gradient") and application_kernel is not None:
        radial_factor = 2.0 if load_form == "gradient" else 0.0

        @inline
        def by_force(row, t, p, omega):
            f, u = application_kernel(row, t, p)
            return (0.0, 0.0, 0.0), combined4(
                2.0, half_generalized_force(p, u, f), radial_factor * dot3(u, f), p
            )

        return by_force
    assert torque_kernel is not None

    @inline
    def by_torque(row, t, p, omega):
        return torque_kernel(row, t, p, omega), (0.0, 0.0, 0.0, 0.0)

    return by_torque

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

from quatviz.base.registry import is_outside
from quatviz.physics.kernels.algebra import add3, combined3, combined4, dot3, dot4, to_body
from quatviz.physics.kernels.binder import OPTIONS, compiled, compiler, inline
from quatviz.physics.kernels.expression_kernel import value_at
from quatviz.physics.kernels.forces import half_generalized_force, scaled4
from quatviz.physics.kernels.packs import WIDTH as PACKED
from quatviz.physics.kernels.packs import PackType
from quatviz.physics.loads._rows import FIRST, KIND, NO_LOAD, STOP, WIDTH, symmetric
from quatviz.physics.loads.base import Load, kernel_of

Kernel = Callable[..., Any]

_FORCE = types.UniTuple(types.float64, 7)
_P, _OMEGA = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
SUM = signature(_FORCE, types.intp, types.intp, types.float64, _P, _OMEGA)
"""Of the sum over all rows: `f(address, rows, t, p, omega)` to the torque (3) [N m, body] and the generalized force (4) [J]."""


class SumType(types.Type):
    """numba's type of `MovingLoads`, to kernels the address of its function.

    numba's own type of functions runs Python for each call of a kernel, and Ctrl-C in the midst of that is lost or crashes.
    """


TYPE = SumType("sum over loads")
register_model(SumType)(models.OpaqueModel)


@unbox(SumType)
def _unbox(kind: Any, value: Any, native: Any) -> NativeValue:
    builder, python = native.builder, native.pyapi
    found = python.object_getattr_string(value, "function")
    lacks = cgutils.is_null(builder, found)
    address = cgutils.alloca_once_value(builder, native.context.get_dummy_value())
    with builder.if_then(builder.not_(lacks)):
        builder.store(python.long_as_voidptr(found), address)
        python.decref(found)
    return NativeValue(builder.load(address), is_error=lacks)


@intrinsic
def _call(typing_context: Any, function: Any, address: Any, rows: Any, t: Any, p: Any, omega: Any) -> Any:
    """The function of a `SumType`, called; of packs, whose bodies have an `address` each, once for every body."""

    def pointer_to(context: Any, builder: Any, function: Any) -> Any:
        result, *given = map(context.get_value_type, (SUM.return_type, *SUM.args))
        return builder.bitcast(function, ir.FunctionType(result, given).as_pointer())

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.call(pointer_to(context, builder, arguments[0]), arguments[1:])

    def generate_each(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function, address, rows, t, *vectors = arguments
        pointer = pointer_to(context, builder, function)
        result = signature.return_type
        total = cgutils.alloca_once(builder, context.get_value_type(result))
        with cgutils.for_range(builder, ir.Constant(ir.IntType(64), PACKED)) as body:

            def own(vector: Any, size: int) -> Any:
                parts = [
                    builder.extract_element(builder.extract_value(vector, k), body.index) for k in range(size)
                ]
                return cgutils.pack_array(builder, parts)

            place = builder.fptosi(
                builder.extract_element(address, body.index), context.get_value_type(types.intp)
            )
            found = builder.call(pointer, [place, rows, t, own(vectors[0], 4), own(vectors[1], 3)])
            for k in range(len(result)):
                part = cgutils.gep_inbounds(builder, total, 0, k)
                more = builder.extract_value(found, k)
                builder.store(builder.insert_element(builder.load(part), more, body.index), part)
        return builder.load(total)

    if isinstance(address, PackType):
        packs = [types.UniTuple(address, count) for count in (7, 4, 3)]
        return packs[0](function, address, types.intp, types.float64, packs[1], packs[2]), generate_each
    return SUM.return_type(function, *SUM.args), generate


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
def steady_row(row, t, p, omega):
    """What is constant, of a row of its own because it is multiplied by a function of time; see `_steady`."""
    s, b = row[6:16], row[16:26]
    Q = combined4(1.0, symmetric(s, p), dot4(p, symmetric(b, p)), p)
    return add3((row[0], row[1], row[2]), to_body(p, (row[3], row[4], row[5]))), Q


def address_of(entry: str, kinds: tuple[type[Load], ...], own: tuple[Load, ...]) -> int:
    """Where the compiled sum is, for an entry, kinds and the loads that bring kernels of their own."""
    kernel = _sum_with_own(entry, kinds, own) if own else moving_sum(entry, kinds).dispatcher
    kernel.compile(SUM)
    found = kernel.overloads[SUM.args]
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name)
    return address


@cache
def moving_sum(entry: str, kinds: tuple[type[Load], ...]) -> Any:
    """The sum over rows of these kinds: a new kind of load is one new file."""
    pick = _picked([(1 + number, _acting_of(entry, *_kernels_of(kind))) for number, kind in enumerate(kinds)])

    def summed(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, WIDTH))
        n, Q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
        for index in range(rows):
            kind = int(table[index, KIND])
            if kind == NO_LOAD:
                break
            if kind < NO_LOAD:
                continue
            m, R = pick(kind, _numbers_of(table, index), t, p, omega)
            factor = _factor_of(table, index, t)
            n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return (*n, *Q)

    # Kernels from the cache are linked by the names of what they call: each has its own.
    summed.__qualname__ = summed.__name__ = "_".join(
        ["sum_by", entry, *(kind.name for kind in kinds if is_outside(kind))]
    )
    return compiled(summed, [kind.__module__ for kind in kinds], by_address=True)


@lru_cache(maxsize=64)
def _sum_with_own(entry: str, kinds: tuple[type[Load], ...], own: tuple[Load, ...]) -> Any:
    """The same and the rows of loads that are not registered: compiled in this process alone, for a cache knows no script."""
    others = moving_sum(entry, kinds)
    kernels = ([kernel_of(load, name) for name in _NAMES] for load in own)
    pick = _picked([(NO_LOAD - 1 - k, _acting_of(entry, *each)) for k, each in enumerate(kernels)])

    def summed_with_own(address, rows, t, p, omega):
        table = carray(numbers_at(address), (rows, WIDTH))
        total = others(address, rows, t, p, omega)
        n, Q = total[:3], total[3:]
        for index in range(rows):
            kind = int(table[index, KIND])
            if kind == NO_LOAD:
                break
            if kind < NO_LOAD:
                m, R = pick(kind, _numbers_of(table, index), t, p, omega)
                factor = _factor_of(table, index, t)
                n, Q = combined3(1.0, n, factor, m), combined4(1.0, Q, factor, R)
        return (*n, *Q)

    return compiler().njit(**OPTIONS)(summed_with_own)


@inline
def _factor_of(table, index, t):
    """What a row is multiplied by at t [s]."""
    if table[index, STOP] > 0.0:
        return value_at(table, int(table[index, FIRST]), int(table[index, STOP]), t)
    return 1.0


@inline
def _numbers_of(table, index):
    """The numbers of a row as a tuple."""
    row = table[index]
    return (
        row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12], row[13], row[14], row[15],
        row[16], row[17], row[18], row[19], row[20], row[21], row[22], row[23], row[24], row[25], row[26], row[27], row[28],
    )  # fmt: skip


def _picked(kernels: list[tuple[int, Kernel]]) -> Kernel:
    """`pick(kind, row, t, p, omega) -> (n, Q)` by the first of these kernels whose number is the kind; else what is steady."""
    if not kernels:

        @inline
        def steady(kind, row, t, p, omega):
            return steady_row(row, t, p, omega)

        return steady
    (number, kernel), others = kernels[0], _picked(kernels[1:])

    @inline
    def pick(kind, row, t, p, omega):
        if kind == number:
            return kernel(row, t, p, omega)
        return others(kind, row, t, p, omega)

    return pick


_NAMES = ("torque_kernel", "gradient_kernel", "application_kernel")


def _kernels_of(kind: type[Load]) -> list[Kernel | None]:
    return [getattr(kind, name) for name in _NAMES]


def _acting_of(entry: str, moment: Kernel | None, slope: Kernel | None, application: Kernel | None) -> Kernel:
    """`f(row, t, p, omega) -> (n, Q)` of a load with these kernels by an entry."""
    if entry == "potential" and slope is not None:

        @inline
        def by_potential(row, t, p, omega):
            return (0.0, 0.0, 0.0), scaled4(-1.0, slope(row, t, p))

        return by_potential
    if entry in ("split", "gradient") and application is not None:
        with_idle = 2.0 if entry == "gradient" else 0.0

        @inline
        def by_force(row, t, p, omega):
            f, u = application(row, t, p)
            return (0.0, 0.0, 0.0), combined4(2.0, half_generalized_force(p, u, f), with_idle * dot3(u, f), p)

        return by_force
    assert moment is not None

    @inline
    def by_torque(row, t, p, omega):
        return moment(row, t, p, omega), (0.0, 0.0, 0.0, 0.0)

    return by_torque

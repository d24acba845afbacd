"""How loads reach the kernels: the one binder.

However many they are, constant forces and torques are a few numbers, added up before a run. With A = G L^T a force f in space at
the body point u does the work f^T A u = p^T W p for a symmetric W (4, 4), which is linear in f and in u; its generalized force
is 2 W p. All else (what depends on omega, on time, on p in another way) is a row of numbers in an array, and its sum is one
function, compiled once for all formulations and called by its address: a run without such loads pays nothing for it.

An array among the parameters of a formulation would cost each step a third more and each step under gravity two thirds (55 for 34
and 105 for 63 ns): numba counts references to it wherever it is passed on. So the array travels as an address, and
`MovingLoads` keeps it alive.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.core.typing import signature
from numba.experimental import function_type  # noqa: F401  (numba knows types of functions from then on)
from numba.extending import intrinsic

from quatviz.base.expression import Expression
from quatviz.base.registry import is_outside
from quatviz.kernels.algebra import L_times, LT_times, add3, combined3, combined4, dot3, dot4, to_body
from quatviz.kernels.binder import OPTIONS, compiled, inline
from quatviz.kernels.expression_kernel import value_at
from quatviz.kernels.forces import half_generalized_force, scaled4
from quatviz.loads.base import LOADS, ROW, BoundLoad, Constant, Load, kernel_of

ENTRIES = ("torque", "potential", "split", "gradient")
"""How loads enter a form: all as torques; those that have a potential by its gradient; forces at body points by the
generalized force of the Lagrangian load forms `split` and `gradient`, section 4 of S0. What is none of that is a torque."""

STEADY = 0
"""The kind of a row that is a multiple of what is constant; others have the number of their class from 1 on."""
NO_LOAD = -1
"""The kind of a row that is an instruction of an expression's program: they stand behind all loads. Loads that bring kernels of
their own, which only a script has, count on from there downwards."""
KIND, FIRST, STOP, NUMBERS = range(4)
"""Columns of a row: its kind, the rows of the program that it is multiplied by (0 without one), and its numbers."""
_STEADY_NUMBERS = 3 + 3 + 10 + 10
WIDTH = NUMBERS + max(ROW, _STEADY_NUMBERS)

_UPPER = np.triu_indices(4)
_FORCE = types.UniTuple(types.float64, 7)
_P, _OMEGA = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
SUM = signature(_FORCE, types.intp, types.intp, types.float64, _P, _OMEGA)
"""Of the sum over all rows: `f(address, rows, t, p, omega)` to the torque (3) [N m, body] and the generalized force (4) [J]."""

Kernel = Callable[..., Any]


class Loads(NamedTuple):
    """The loads of a lane, as its kernels read them; `acting` says what each is.

    `torque` and `turned` (3) [N m] are constant in the body and in space, `form` (10) [J] is the upper triangle of 2 W, row by
    row. `tangent` says that all enter as torques, whose generalized force has no part along p. `moving` is the sum over the
    `rows` at `address`, to be called only where `moves`; `further` says that it, or `turned`, is to be looked at: the step of
    a lane with neither has one branch to pass, not two.
    """

    present: bool
    tangent: bool
    torque: tuple[float, ...]
    further: bool
    turned: tuple[float, ...]
    form: tuple[float, ...]
    moves: bool
    moving: "MovingLoads"
    address: int
    rows: int


class MovingLoads(types.WrapperAddressProtocol):
    """The sum over loads that are not constant, which numba calls by its address, and the rows that it reads. It is loaded, or
    compiled, when it is first asked for, by whoever is about to call a kernel: a preset is bound in the window's thread. It is made
    from loads of these `kinds`."""

    def __init__(self, rows: np.ndarray, kinds: Sequence[type[Load]], find: Callable[[], int]) -> None:
        self.rows = rows
        self.kinds = kinds
        self._find = find
        self._address = 0

    def prepare(self) -> None:
        """Load it, or compile it where the cache has none."""
        self._address = self._address or self._find()

    def __wrapper_address__(self) -> int:
        self.prepare()
        return self._address

    def signature(self) -> Any:
        return SUM


@inline
def symmetric(S, p):
    """S p (4) for the upper triangle of S (10), row by row."""
    s00, s01, s02, s03, s11, s12, s13, s22, s23, s33 = S
    e0, e1, e2, e3 = p
    return (
        s00 * e0 + s01 * e1 + s02 * e2 + s03 * e3,
        s01 * e0 + s11 * e1 + s12 * e2 + s13 * e3,
        s02 * e0 + s12 * e1 + s22 * e2 + s23 * e3,
        s03 * e0 + s13 * e1 + s23 * e2 + s33 * e3,
    )


@inline
def acting(loads, t, p, omega):
    """`(n, Q)`: the body torque n (3) [N m] and the generalized force Q (4) [J] that act together, by the entry with which
    the loads were packed (kernels only). To be asked where `loads.present`: adding zeros is not free."""
    n, Q = loads.torque, symmetric(loads.form, p)
    if loads.further:
        n = add3(n, to_body(p, loads.turned))
        if loads.moves:
            more = loads.moving(loads.address, loads.rows, t, p, omega)
            n = add3(n, more[:3])
            Q = (Q[0] + more[3], Q[1] + more[4], Q[2] + more[5], Q[3] + more[6])
    return n, Q


@inline
def body_torque(loads, t, p, omega):
    """Body torque (3) [N m] of all loads, n + 1/2 L Q (kernels only)."""
    n, Q = acting(loads, t, p, omega)
    m = L_times(p, Q)
    return (n[0] + 0.5 * m[0], n[1] + 0.5 * m[1], n[2] + 0.5 * m[2])


@inline
def generalized_force(loads, t, p, omega):
    """Generalised force (4) [J] of all loads, Q + 2 L^T n (kernels only)."""
    n, Q = acting(loads, t, p, omega)
    if loads.tangent:
        m = L_times(p, Q)
        n = (n[0] + 0.5 * m[0], n[1] + 0.5 * m[1], n[2] + 0.5 * m[2])
        Q = (0.0, 0.0, 0.0, 0.0)
    return combined4(1.0, Q, 2.0, LT_times(p, n))


# --- before a run


def pack(loads: Iterable[BoundLoad], entry: str) -> Loads:
    """The loads of a body as the kernels of one lane read them, by one of the `ENTRIES`."""
    steady, rows, programs = np.zeros(_STEADY_NUMBERS), [], []
    loads, own = list(loads), list[Load]()
    kinds = kinds_with(part for load in loads for part, _ in load.parts)
    for load in loads:
        for part, factor in load.parts:
            constant = part.constant
            numbers = np.array(part.row(load.body)) if constant is None else _steady(constant, entry)
            if constant is not None and factor is None and not numbers[-10:].any():
                steady += numbers
                continue
            row = np.zeros(WIDTH)
            row[KIND] = STEADY if constant is not None else _kind_of(part, kinds, own)
            row[NUMBERS : NUMBERS + len(numbers)] = numbers
            rows.append(row)
            programs.append(factor)
    table = np.array([*rows, *_with_programs(rows, programs)]).reshape(-1, WIDTH)
    find = partial(_address_of, entry, kinds, tuple(own)) if rows else lambda: _NOWHERE
    return Loads(
        present=bool(steady.any() or rows),
        tangent=entry == "torque",
        torque=tuple(steady[:3].tolist()),
        further=bool(steady[3:6].any() or rows),
        turned=tuple(steady[3:6].tolist()),
        form=tuple(steady[6:16].tolist()),
        moves=bool(rows),
        moving=MovingLoads(table, kinds, find),
        address=table.ctypes.data,
        rows=len(table),
    )


def sums(parameters: Iterable[Any]) -> list[MovingLoads]:
    """The sums over loads that are not constant, which kernels with these parameters of a formulation call."""
    return [field.moving for field in parameters if isinstance(field, Loads) and field.moves]


def kinds_with(loads: Iterable[Load]) -> tuple[type[Load], ...]:
    """Every kind of load of the program that has kernels, and those of packages that are among these, in the order of their
    numbers: a package that is installed is compiled where it takes part."""
    there = set(map(type, loads))
    return tuple(
        kind
        for kind in LOADS.values()
        if kind.torque_kernel is not None and (kind in there or not is_outside(kind))
    )


def _kind_of(load: Load, kinds: Sequence[type[Load]], own: list[Load]) -> int:
    """The number of a load's class; one that is not registered is added to `own`."""
    if type(load) in kinds:
        return 1 + kinds.index(type(load))
    own.append(load)
    return NO_LOAD - len(own)


def work_form(force: np.ndarray, point: np.ndarray) -> np.ndarray:
    """W (4, 4) [J] with f^T A u = p^T W p, for a force f (3,) [N, space] at u (3,) [m, body]: Davenport's matrix."""
    W = np.empty((4, 4))
    W[0, 0] = along = point @ force
    W[0, 1:] = W[1:, 0] = np.cross(point, force)
    W[1:, 1:] = np.outer(force, point) + np.outer(point, force) - along * np.eye(3)
    return W


_NOWHERE = 1
"""An address that is never called; numba asks for one that is not zero."""


def _steady(constant: Constant, entry: str) -> np.ndarray:
    """Torques (3) in the body and (3) in space, 2 W (10), and B (10) of a generalized force (p^T B p) p, which only a force that
    turns with the body has, in the load form `gradient`."""
    numbers = np.zeros(_STEADY_NUMBERS)
    v, u = np.asarray(constant.vector, float), constant.point
    if u is None:
        numbers[slice(0, 3) if constant.frame == "body" else slice(3, 6)] = v
        return numbers
    idle = 2.0 * float(u @ v)
    if constant.frame == "space":
        form = 2.0 * work_form(v, u) + (idle if entry == "gradient" else 0.0) * np.eye(4)
    else:
        numbers[:3] = np.cross(u, v)
        form = (idle if entry in ("split", "gradient") else 0.0) * np.eye(4)
        numbers[16:] = 2.0 * work_form(u, v)[_UPPER] if entry == "gradient" else 0.0
    numbers[6:16] = form[_UPPER]
    return numbers


def _with_programs(rows: Sequence[np.ndarray], programs: Sequence[Expression | None]) -> Iterator[np.ndarray]:
    """The instructions of all programs as rows; each load's row is told where its own will stand."""
    stop = len(rows)
    for row, expression in zip(rows, programs, strict=True):
        if expression is not None:
            row[FIRST], stop = stop, stop + len(expression.program)
            row[STOP] = stop
            for code, value in expression.program:
                yield np.array([NO_LOAD, code, value, *np.zeros(WIDTH - 3)])


# --- the sum over loads that are not constant


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


def _address_of(entry: str, kinds: tuple[type[Load], ...], own: tuple[Load, ...]) -> int:
    """Where the compiled sum is, for an entry, kinds and the loads that bring kernels of their own."""
    kernel = _sum_with_own(entry, kinds, own) if own else moving_sum(entry, kinds)
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

    return njit(**OPTIONS)(summed_with_own)


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

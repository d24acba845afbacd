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
from functools import cached_property, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.expression import Expression
from quatviz.base.registry import is_outside
from quatviz.physics.kernels.algebra import L_times, LT_times, add3, combined4, to_body
from quatviz.physics.kernels.binder import compiler, inline, overloaded
from quatviz.physics.loads._rows import (
    FIRST,
    KIND,
    NO_LOAD,
    NUMBERS,
    STEADY,
    STEADY_NUMBERS,
    STOP,
    WIDTH,
    symmetric,
)  # fmt: skip
from quatviz.physics.loads.base import LOADS, BoundLoad, Constant, Load

ENTRIES = ("torque", "potential", "split", "gradient")
"""How loads enter a form: all as torques; those that have a potential by its gradient; forces at body points by the
generalized force of the Lagrangian load forms `split` and `gradient`, section 4 of S0. What is none of that is a torque."""

_UPPER = np.triu_indices(4)


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


class MovingLoads:
    """The sum over loads that are not constant, which numba calls by its address, and the rows that it reads. It is loaded, or
    compiled, when it is first asked for, by whoever is about to call a kernel: a preset is bound in the window's thread. It is made
    from loads of these `kinds`."""

    def __init__(self, rows: np.ndarray, kinds: Sequence[type[Load]], find: Callable[[], int]) -> None:
        self.rows = rows
        self.kinds = kinds
        self._find = find

    @cached_property
    def function(self) -> int:
        """Its address; it is loaded for that, or compiled where the cache has none."""
        return self._find()

    @property
    def _numba_type_(self) -> Any:
        return _sum().TYPE


def _sum() -> ModuleType:
    """What compiles it: numba, which a list of loads has no need of."""
    compiler()
    from quatviz.physics.loads import _sum

    return _sum


def called(function, address, rows, t, p, omega):
    """What the function of a `MovingLoads` makes of its rows (kernels only)."""


overloaded(called, strict=False)(lambda *_: _sum().called)


@inline
def acting(loads, t, p, omega):
    """`(n, Q)`: the body torque n (3) [N m] and the generalized force Q (4) [J] that act together, by the entry with which
    the loads were packed (kernels only). To be asked where `loads.present`: adding zeros is not free."""
    n, Q = loads.torque, symmetric(loads.form, p)
    if loads.further:
        n = add3(n, to_body(p, loads.turned))
        if loads.moves:
            more = called(loads.moving, loads.address, loads.rows, t, p, omega)
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
    steady, rows, programs = np.zeros(STEADY_NUMBERS), [], []
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
    find = partial(_address_of, entry, kinds, tuple(own)) if rows else lambda: 0
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


def _steady(constant: Constant, entry: str) -> np.ndarray:
    """Torques (3) in the body and (3) in space, 2 W (10), and B (10) of a generalized force (p^T B p) p, which only a force that
    turns with the body has, in the load form `gradient`."""
    numbers = np.zeros(STEADY_NUMBERS)
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


def _address_of(entry: str, kinds: tuple[type[Load], ...], own: tuple[Load, ...]) -> int:
    address: int = _sum().address_of(entry, kinds, own)
    return address

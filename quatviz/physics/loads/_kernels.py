"""How loads reach the kernels: the one binder.

However many they are, constant forces and torques are a few numbers, added up before a run. With A = G L^T a force f in space at
the body point u does the work f^T A u = p^T W p for a symmetric W (4, 4), which is linear in f and in u; its generalized force
is 2 W p. All else (what depends on omega, on time, on p in another way) is a row of numbers in an array, and its sum is one
function, compiled once for all formulations and called by its address: a run without such loads pays nothing for it.

An array among the parameters of a formulation would cost each step a third more and each step under gravity two thirds (55 for 34
and 105 for 63 ns): numba counts references to it wherever it is passed on. So the array travels as an address, and
`VariableLoadSum` keeps it alive.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.expression import Expression
from quatviz.base.registry import is_third_party
from quatviz.physics.kernels.algebra import L_times, LT_times, add3, combined4, to_body
from quatviz.physics.kernels.binder import compiler, inline, overload
from quatviz.physics.loads._rows import (
    CLASS_COLUMN,
    CONSTANT_NUMBERS,
    CONSTANT_ROW,
    FIRST_NUMBER,
    INSTRUCTION_ROW,
    PROGRAM_START,
    PROGRAM_STOP,
    ROW_WIDTH,
    symmetric_times,
)  # fmt: skip
from quatviz.physics.loads.base import LOADS, BoundLoad, ConstantLoad, Load

LOAD_FORMS = ("torque", "potential", "split", "gradient")
"""How loads enter a form: all as torques; those that have a potential by its gradient; forces at body points by the
generalized force of the Lagrangian load forms `split` and `gradient`, section 4 of S0. What is none of that is a torque."""

_UPPER_TRIANGLE = np.triu_indices(4)


class PackedLoads(NamedTuple):
    """The loads of a lane, as its kernels read them; `evaluate_loads` says what each is.

    `torque` and `space_torque` (3) [N m] are constant in the body and in space, `work_matrix` (10) [J] is the upper triangle of
    2 W, row by row. `is_tangent` says that all enter as torques, whose generalized force has no part along p. `variable_sum` is
    the sum over the `row_count` at `address`, to be called only where `has_variable`; `has_extra` says that it, or
    `space_torque`, is to be looked at: the step of a lane with neither has one branch to pass, not two.
    """

    present: bool
    is_tangent: bool
    torque: tuple[float, ...]
    has_extra: bool
    space_torque: tuple[float, ...]
    work_matrix: tuple[float, ...]
    has_variable: bool
    variable_sum: "VariableLoadSum"
    address: int
    row_count: int


class VariableLoadSum:
    """The sum over loads that are not constant, which numba calls by its address, and the rows that it reads. It is loaded, or
    compiled, when it is first asked for, by whoever is about to call a kernel: a preset is bound in the window's thread. It is made
    from loads of these `kinds`."""

    def __init__(
        self, rows: np.ndarray, load_classes: Sequence[type[Load]], find_address: Callable[[], int]
    ) -> None:
        self.rows = rows
        self.kinds = load_classes
        self._find_address = find_address

    @cached_property
    def function(self) -> int:
        """Its address; it is loaded for that, or compiled where the cache has none."""
        return self._find_address()

    @property
    def _numba_type_(self) -> Any:
        return _sum_module().TYPE


def _sum_module() -> ModuleType:
    """What compiles it: numba, which a list of loads has no need of."""
    compiler()
    from quatviz.physics.loads import _sum

    return _sum


def called(function, address, rows, t, p, omega):
    """What the function of a `VariableLoadSum` makes of its rows (kernels only)."""


overload(called, strict=False)(lambda *_: _sum_module().called)


@inline
def evaluate_loads(loads, t, p, omega):
    """`(n, Q)`: the body torque n (3) [N m] and the generalized force Q (4) [J] that act together, by the entry with which
    the loads were packed (kernels only). To be asked where `PackedLoads.present`: adding zeros is not free."""
    n, Q = loads.torque, symmetric_times(loads.work_matrix, p)
    if loads.has_extra:
        n = add3(n, to_body(p, loads.space_torque))
        if loads.has_variable:
            extra = called(loads.variable_sum, loads.address, loads.row_count, t, p, omega)
            n = add3(n, extra[:3])
            Q = (Q[0] + extra[3], Q[1] + extra[4], Q[2] + extra[5], Q[3] + extra[6])
    return n, Q


@inline
def body_torque(loads, t, p, omega):
    """Body torque (3) [N m] of all loads, n + 1/2 L Q (kernels only)."""
    n, Q = evaluate_loads(loads, t, p, omega)
    m = L_times(p, Q)
    return (n[0] + 0.5 * m[0], n[1] + 0.5 * m[1], n[2] + 0.5 * m[2])


@inline
def generalized_force(loads, t, p, omega):
    """Generalised force (4) [J] of all loads, Q + 2 L^T n (kernels only)."""
    n, Q = evaluate_loads(loads, t, p, omega)
    if loads.is_tangent:
        m = L_times(p, Q)
        n = (n[0] + 0.5 * m[0], n[1] + 0.5 * m[1], n[2] + 0.5 * m[2])
        Q = (0.0, 0.0, 0.0, 0.0)
    return combined4(1.0, Q, 2.0, LT_times(p, n))


# --- before a run


def pack_loads(loads: Iterable[BoundLoad], load_form: str) -> PackedLoads:
    """The loads of a body as the kernels of one lane read them, by one of the `LOAD_FORMS`."""
    constant_numbers, rows, expressions = np.zeros(CONSTANT_NUMBERS), [], []
    loads, unregistered = list(loads), list[Load]()
    load_classes = load_classes_with_kernels(part for load in loads for part, _ in load.parts)
    for load in loads:
        for part, factor in load.parts:
            constant = part.constant
            numbers = (
                np.array(part.row(load.body)) if constant is None else _pack_constant(constant, load_form)
            )
            if constant is not None and factor is None and not numbers[-10:].any():
                constant_numbers += numbers
                continue
            row = np.zeros(ROW_WIDTH)
            row[CLASS_COLUMN] = (
                CONSTANT_ROW if constant is not None else _row_class(part, load_classes, unregistered)
            )
            row[FIRST_NUMBER : FIRST_NUMBER + len(numbers)] = numbers
            rows.append(row)
            expressions.append(factor)
    table = np.array([*rows, *_program_rows(rows, expressions)]).reshape(-1, ROW_WIDTH)
    find_address = partial(_sum_address, load_form, load_classes, tuple(unregistered)) if rows else lambda: 0
    return PackedLoads(
        present=bool(constant_numbers.any() or rows),
        is_tangent=load_form == "torque",
        torque=tuple(constant_numbers[:3].tolist()),
        has_extra=bool(constant_numbers[3:6].any() or rows),
        space_torque=tuple(constant_numbers[3:6].tolist()),
        work_matrix=tuple(constant_numbers[6:16].tolist()),
        has_variable=bool(rows),
        variable_sum=VariableLoadSum(table, load_classes, find_address),
        address=table.ctypes.data,
        row_count=len(table),
    )


def variable_sums(parameters: Iterable[Any]) -> list[VariableLoadSum]:
    """The sums over loads that are not constant, which kernels with these parameters of a formulation call."""
    return [
        field.variable_sum for field in parameters if isinstance(field, PackedLoads) and field.has_variable
    ]


def load_classes_with_kernels(loads: Iterable[Load]) -> tuple[type[Load], ...]:
    """Every kind of load of the program that has kernels, and those of packages that are among these, in the order of their
    numbers: a package that is installed is compiled where it takes part."""
    given_classes = set(map(type, loads))
    return tuple(
        load_class
        for load_class in LOADS.values()
        if load_class.torque_kernel is not None
        and (load_class in given_classes or not is_third_party(load_class))
    )


def _row_class(load: Load, load_classes: Sequence[type[Load]], unregistered: list[Load]) -> int:
    """The number of a load's class; one that is not registered is added to `unregistered`."""
    if type(load) in load_classes:
        return 1 + load_classes.index(type(load))
    unregistered.append(load)
    return INSTRUCTION_ROW - len(unregistered)


def work_matrix(force: np.ndarray, point: np.ndarray) -> np.ndarray:
    """W (4, 4) [J] with f^T A u = p^T W p, for a force f (3,) [N, space] at u (3,) [m, body]: Davenport's matrix."""
    W = np.empty((4, 4))
    W[0, 0] = along = point @ force
    W[0, 1:] = W[1:, 0] = np.cross(point, force)
    W[1:, 1:] = np.outer(force, point) + np.outer(point, force) - along * np.eye(3)
    return W


def _pack_constant(constant: ConstantLoad, load_form: str) -> np.ndarray:
    """Torques (3) in the body and (3) in space, 2 W (10), and B (10) of a generalized force (p^T B p) p, which only a force that
    turns with the body has, in the load form `gradient`."""
    numbers = np.zeros(CONSTANT_NUMBERS)
    v, u = np.asarray(constant.vector, float), constant.point
    if u is None:
        numbers[slice(0, 3) if constant.frame == "body" else slice(3, 6)] = v
        return numbers
    radial_work = 2.0 * float(u @ v)
    if constant.frame == "space":
        work_matrix_ = 2.0 * work_matrix(v, u) + (radial_work if load_form == "gradient" else 0.0) * np.eye(4)
    else:
        numbers[:3] = np.cross(u, v)
        work_matrix_ = (radial_work if load_form in ("split", "gradient") else 0.0) * np.eye(4)
        numbers[16:] = 2.0 * work_matrix(u, v)[_UPPER_TRIANGLE] if load_form == "gradient" else 0.0
    numbers[6:16] = work_matrix_[_UPPER_TRIANGLE]
    return numbers


def _program_rows(
    rows: Sequence[np.ndarray], expressions: Sequence[Expression | None]
) -> Iterator[np.ndarray]:
    """The instructions of all programs as rows; each load's row is told where its own will stand."""
    next_row = len(rows)
    for row, expression in zip(rows, expressions, strict=True):
        if expression is not None:
            row[PROGRAM_START], next_row = next_row, next_row + len(expression.program)
            row[PROGRAM_STOP] = next_row
            for code, value in expression.program:
                yield np.array([INSTRUCTION_ROW, code, value, *np.zeros(ROW_WIDTH - 3)])


def _sum_address(load_form: str, load_classes: tuple[type[Load], ...], unregistered: tuple[Load, ...]) -> int:
    address: int = _sum_module().address_of(load_form, load_classes, unregistered)
    return address

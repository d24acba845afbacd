"""The packed form in which kernels read loads.

Constant forces and torques are summed before a run, so that any number of them costs the same. A force f that is
constant in space and acts at the body point u has the potential -f^T A u = -p^T W p, with A = G L^T. The symmetric
W (4, 4) is linear in f and in u, and the generalized force is 2 W p.

Every other load, whether it depends on omega, on time, or on p in another way, is a row of numbers in an array. One
function sums these rows. It is compiled once for all formulations and called by its address, so that a run without
such loads has no overhead.

The array is passed as an address, and `VariableLoadSum` keeps it alive. If the array itself were among the
parameters of a formulation, numba would count references whenever the array is passed on: each step would take a
third longer, and two thirds longer under gravity (55 instead of 34 ns, 105 instead of 63 ns).
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import L_times, LT_times, add3, combined4, to_body
from quatviz.physics.kernels.binder import compiler, inline, overload


class PackedLoads(NamedTuple):
    """The loads of a lane as its kernels read them. `evaluate_loads` combines the fields.

    Attributes
    ----------
    present
        True if there is any load.
    is_tangent
        True if all loads enter as torques, whose generalized force has no component along p.
    torque, space_torque
        Sums of the torques (3) [N m] that are constant in the body and in space.
    has_extra
        True if `space_torque` is not zero or `has_variable` is True. A step of a lane with neither tests this one flag
        instead of two.
    work_matrix
        Upper triangle (10) [J] of 2 W, row by row.
    has_variable
        True if there are loads that are not constant.
    variable_sum
        The sum over these loads, to be called only if `has_variable`.
    address, row_count
        Address and number of the rows of these loads.
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
    """The sum over loads that are not constant, which kernels call by its address, and the rows that it reads.

    `kinds` are the classes of loads that it can sum. The function is compiled, or loaded from the cache, when
    `function` is first read, which happens just before a kernel is called. It must not happen earlier, since loads
    are packed in the thread of the window, which must not wait for a compiler.
    """

    def __init__(
        self, rows: np.ndarray, load_classes: Sequence[type[Any]], find_address: Callable[[], int]
    ) -> None:
        self.rows = rows
        self.kinds = load_classes
        self._find_address = find_address

    @cached_property
    def function(self) -> int:
        """Address of the compiled sum.

        The sum is compiled, or loaded from the cache, when this property is first read.
        """
        return self._find_address()

    @property
    def _numba_type_(self) -> Any:
        """numba's type of the sum.

        It is imported in this method because lists of loads otherwise need no numba.
        """
        compiler()
        from quatviz.physics.loads._kernels.sum_call import TYPE

        return TYPE


class LoadSumAtCenter(VariableLoadSum):
    """The sum over loads for a body with coupled rotation and translation, with the force on its center of mass.

    `space_force` and `body_force` are the sums of the forces (3) [N] that are constant in space and in the body.
    """

    def __init__(
        self,
        rows: np.ndarray,
        load_classes: Sequence[type[Any]],
        find_address: Callable[[], int],
        constant_forces: Sequence[float],
    ) -> None:
        super().__init__(rows, load_classes, find_address)
        self.space_force, self.body_force = tuple(constant_forces[:3]), tuple(constant_forces[3:])

    @property
    def _numba_type_(self) -> Any:
        compiler()
        from quatviz.physics.loads._kernels.sum_call import CENTER_TYPE

        return CENTER_TYPE


def called(function, address, rows, t, p, omega):
    """Call the function of a `VariableLoadSum` and return torque (3) and generalized force (4) as one tuple.

    Callable only from kernels.
    """


@overload(called, strict=False)
def _called(function, address, rows, t, p, omega):
    from quatviz.physics.loads._kernels.sum_call import called as implementation

    return implementation


def called_at_center(function, address, rows, t, p, omega, c):
    """Call the function of a `LoadSumAtCenter` for a center of mass at c (3) [m, space]. Callable only from kernels.

    The function returns torque (3), generalized force (4) and force (3) [N, space] as one tuple.
    """


@overload(called_at_center, strict=False)
def _called_at_center(function, address, rows, t, p, omega, c):
    from quatviz.physics.loads._kernels.sum_call import called_at_center as implementation

    return implementation


@inline
def symmetric_times(S, p):
    """Return S p (4) for the upper triangle of a symmetric S (10), row by row."""
    s00, s01, s02, s03, s11, s12, s13, s22, s23, s33 = S
    e0, e1, e2, e3 = p
    return (
        s00 * e0 + s01 * e1 + s02 * e2 + s03 * e3,
        s01 * e0 + s11 * e1 + s12 * e2 + s13 * e3,
        s02 * e0 + s12 * e1 + s22 * e2 + s23 * e3,
        s03 * e0 + s13 * e1 + s23 * e2 + s33 * e3,
    )


@inline
def evaluate_loads(loads, t, p, omega):
    """Return a body torque n (3) [N m] and a generalized force Q (4) [J] that together represent all loads. Callable
    only from kernels.

    The load form with which the loads were packed determines which loads enter n and which enter Q. Call this
    function only if `PackedLoads.present`, since adding zeros takes time too.
    """
    n, Q = loads.torque, symmetric_times(loads.work_matrix, p)
    if loads.has_extra:
        n = add3(n, to_body(p, loads.space_torque))
        if loads.has_variable:
            extra = called(loads.variable_sum, loads.address, loads.row_count, t, p, omega)
            n = add3(n, extra[:3])
            Q = (Q[0] + extra[3], Q[1] + extra[4], Q[2] + extra[5], Q[3] + extra[6])
    return n, Q


class LoadsWithTorque(NamedTuple):
    """Loads, and an additional torque that kernels compute at each evaluation. `body_torque` and `generalized_force`
    accept this in place of the loads.

    Attributes
    ----------
    present
        Always True.
    loads
        The packed loads.
    torque
        The additional torque (3) [N m, body].
    """

    present: bool
    loads: PackedLoads
    torque: tuple[float, ...]


class EvaluatedLoads(NamedTuple):
    """Values of the loads at one state. `body_torque` and `generalized_force` accept this in place of the loads.

    Attributes
    ----------
    present
        Always True.
    is_tangent
        As in `PackedLoads`.
    torque, force
        Body torque n (3) [N m] and generalized force Q (4) [J], which together represent all loads.
    """

    present: bool
    is_tangent: bool
    torque: tuple[float, ...]
    force: tuple[float, ...]


@inline
def total_torque(n, Q, p):
    """Return n + 1/2 L Q (3) [N m, body], the torque that has the effect of the torque n and the generalized
    force Q together.
    """
    m = L_times(p, Q)
    return (n[0] + 0.5 * m[0], n[1] + 0.5 * m[1], n[2] + 0.5 * m[2])


@inline
def total_force(is_tangent, n, Q, p):
    """Return Q + 2 L^T n (4) [J], the generalized force that has the effect of the torque n and the
    generalized force Q together. If all loads are torques (`is_tangent`), it has no rounding error along
    p.
    """
    if is_tangent:
        n, Q = total_torque(n, Q, p), (0.0, 0.0, 0.0, 0.0)
    return combined4(1.0, Q, 2.0, LT_times(p, n))


def body_torque(loads, t, p, omega):
    """Return the body torque (3) [N m] of all loads, n + 1/2 L Q. Callable only from kernels."""
    n, Q = evaluate_loads(loads, t, p, omega)
    return total_torque(n, Q, p)


def evaluated_body_torque(loads, t, p, omega):
    return total_torque(loads.torque, loads.force, p)


def body_torque_and_more(loads, t, p, omega):
    if loads.loads.present:
        return add3(loads.torque, body_torque(loads.loads, t, p, omega))
    return loads.torque


def generalized_force(loads, t, p, omega):
    """Return the generalized force (4) [J] of all loads, Q + 2 L^T n. Callable only from kernels."""
    n, Q = evaluate_loads(loads, t, p, omega)
    return total_force(loads.is_tangent, n, Q, p)


def evaluated_generalized_force(loads, t, p, omega):
    return total_force(loads.is_tangent, loads.torque, loads.force, p)


def generalized_force_and_more(loads, t, p, omega):
    Q = LT_times(p, loads.torque)
    if loads.loads.present:
        return combined4(2.0, Q, 1.0, generalized_force(loads.loads, t, p, omega))
    return (2.0 * Q[0], 2.0 * Q[1], 2.0 * Q[2], 2.0 * Q[3])


@overload(body_torque)
def _body_torque(loads, t, p, omega):
    by_type: dict[Any, Any] = {LoadsWithTorque: body_torque_and_more, EvaluatedLoads: evaluated_body_torque}
    return by_type.get(getattr(loads, "instance_class", None), body_torque)


@overload(generalized_force)
def _generalized_force(loads, t, p, omega):
    by_type: dict[Any, Any] = {
        LoadsWithTorque: generalized_force_and_more,
        EvaluatedLoads: evaluated_generalized_force,
    }
    return by_type.get(getattr(loads, "instance_class", None), generalized_force)

"""How kernels read loads.

However many they are, constant forces and torques are a few numbers, added up before a run. With A = G L^T a force f in space at
the body point u does the work f^T A u = p^T W p for a symmetric W (4, 4), which is linear in f and in u; its generalized force
is 2 W p. All else (what depends on omega, on time, on p in another way) is a row of numbers in an array, and its sum is one
function, compiled once for all formulations and called by its address: a run without such loads pays nothing for it.

An array among the parameters of a formulation would cost each step a third more and each step under gravity two thirds (55 for 34
and 105 for 63 ns): numba counts references to it wherever it is passed on. So the array travels as an address, and
`VariableLoadSum` keeps it alive.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import L_times, LT_times, add3, combined4, to_body
from quatviz.physics.kernels.binder import compiler, inline, overload


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
        self, rows: np.ndarray, load_classes: Sequence[type[Any]], find_address: Callable[[], int]
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
        """numba's type of it, imported here: a list of loads has no need of numba."""
        compiler()
        from quatviz.physics.loads._kernels.sum_call import TYPE

        return TYPE


def called(function, address, rows, t, p, omega):
    """What the function of a `VariableLoadSum` makes of its rows (kernels only)."""


@overload(called, strict=False)
def _called(function, address, rows, t, p, omega):
    from quatviz.physics.loads._kernels.sum_call import called as implementation

    return implementation


@inline
def symmetric_times(S, p):
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

"""What the d'Alembert-Lagrange forms share: how the system of equations is built and solved, and how states are read.

Not a formulation: each family states its own gyroscopic term and makes its kernels with `make_solver`.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.physics.formulations._rates import RateForm, constraint_acceleration
from quatviz.physics.kernels.algebra import L_times, LT_times, dot3, dot4, times_inertia, twice_L_times
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.linear_solve import solve5
from quatviz.physics.loads import PackedLoads, generalized_force
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L

LAGRANGE_LOAD_FORMS = ("torque", "split", "gradient")
LOAD_MULTIPLIER_TERMS = {"torque": (), "split": ("2uᵀAᵀf",), "gradient": ("2uᵀAᵀf", "2uᵀf")}

Kernel = Callable[..., Any]


class LagrangeParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, the packed loads,
    whether the closed inverse is used, Baumgarte's alpha and beta [1/s]. Each family extends it by a class of its own."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    closed: bool
    alpha: float
    beta: float


@inline
def mass_matrix(par, p):
    """The upper triangle, row by row (10), of 4 L^T J L [kg m^2]."""
    e0, e1, e2, e3 = p
    # the four columns of L, and those of J L
    l0, l1, l2, l3 = (-e1, -e2, -e3), (e0, -e3, e2), (e3, e0, -e1), (-e2, e1, e0)
    c0 = times_inertia(par.principal, par.inertia, l0)
    c1 = times_inertia(par.principal, par.inertia, l1)
    c2 = times_inertia(par.principal, par.inertia, l2)
    c3 = times_inertia(par.principal, par.inertia, l3)
    m00, m01, m02, m03 = 4.0 * dot3(l0, c0), 4.0 * dot3(l0, c1), 4.0 * dot3(l0, c2), 4.0 * dot3(l0, c3)
    m11, m12, m13 = 4.0 * dot3(l1, c1), 4.0 * dot3(l1, c2), 4.0 * dot3(l1, c3)
    m22, m23, m33 = 4.0 * dot3(l2, c2), 4.0 * dot3(l2, c3), 4.0 * dot3(l3, c3)
    return m00, m01, m02, m03, m11, m12, m13, m22, m23, m33


@inline
def solve_augmented(par, p, along, rhs):
    """p'' (4) and lambda from [[4 L^T J L, p], [p^T, 0]] [p''; lambda] = [right; along]; S0(34, 39, 83)."""
    m00, m01, m02, m03, m11, m12, m13, m22, m23, m33 = mass_matrix(par, p)
    x = solve5(
        (
            *(m00, m01, m02, m03, p[0]),
            *(m01, m11, m12, m13, p[1]),
            *(m02, m12, m22, m23, p[2]),
            *(m03, m13, m23, m33, p[3]),
            *(p[0], p[1], p[2], p[3], 0.0),
        ),
        (rhs[0], rhs[1], rhs[2], rhs[3], along),
    )
    return (x[0], x[1], x[2], x[3]), x[4]


@inline
def solve_closed(par, p, along, rhs):
    """p'' = 1/4 L^T J^-1 L right + p along, lambda = p^T right: the inverse S0(35), exact on the sphere."""
    v = times_inertia(par.principal, par.inverse_inertia, L_times(p, rhs))
    q = LT_times(p, v)
    return (
        0.25 * q[0] + p[0] * along,
        0.25 * q[1] + p[1] * along,
        0.25 * q[2] + p[2] * along,
        0.25 * q[3] + p[3] * along,
    ), dot4(p, rhs)


def make_solver(gyroscopic: Kernel) -> Kernel:
    """The kernel `(par, t, y) -> (p'', lambda)` of the form with this gyroscopic term `(par, p, p') -> 4`."""

    @inline
    def solve(par, t, y):
        p, p_rate = y[:4], y[4:]
        g = gyroscopic(par, p, p_rate)
        rhs = (-g[0], -g[1], -g[2], -g[3])
        if par.loads.present:
            omega = twice_L_times(p, p_rate)
            force = generalized_force(par.loads, t, p, omega)
            rhs = (force[0] - g[0], force[1] - g[1], force[2] - g[2], force[3] - g[3])
        along = constraint_acceleration(par, p, p_rate)
        if par.closed:
            return solve_closed(par, p, along, rhs)
        return solve_augmented(par, p, along, rhs)

    return solve


def mass_matrices(p: np.ndarray, parameters: Any) -> np.ndarray:
    """4 L^T J L (n, 4, 4) [kg m^2] of p (n, 4), in NumPy."""
    L = matrix_L(p)
    return 4.0 * np.swapaxes(L, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ L


class LagrangeForm(RateForm):
    """A subclass says which type of parameters its kernels read and what its gyroscopic term adds to lambda."""

    variants = (*LAGRANGE_LOAD_FORMS, *(f"{form}_closed" for form in LAGRANGE_LOAD_FORMS))
    gyroscopic_terms: ClassVar[tuple[str, ...]]

    @property
    def supports_index3(self) -> bool:
        """Not for the closed inverse, which is one of the system for p''."""
        return super().supports_index3 and not self.variant.endswith("_closed")

    @property
    def load_form(self) -> str:  # type: ignore[override]
        return self.variant.removesuffix("_closed")

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return self.gyroscopic_terms + LOAD_MULTIPLIER_TERMS[self.load_form]

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if parameters.closed:
            return super().system_matrix(states, parameters)
        p = states[:, :4]
        matrix = np.zeros((len(p), 5, 5))
        matrix[:, :4, :4] = mass_matrices(p, parameters)
        matrix[:, :4, 4] = matrix[:, 4, :4] = p
        return matrix

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return {**super().extra_parameters(body), "closed": self.variant.endswith("_closed")}

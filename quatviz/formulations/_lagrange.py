"""What the d'Alembert-Lagrange forms share: how the system of equations is built and solved, and how states are read.

Not a formulation: each family states its own gyroscopic term and makes its kernels with `solution`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.core.forces import scaled4
from quatviz.core.kernel import L_times, LT_times, dot4, inline, times_inertia
from quatviz.core.linear_solve import solve5
from quatviz.core.load_sums import forces_at_points, torque, torque_without_application
from quatviz.core.rotations import matrix_L
from quatviz.formulations._rates import RateForm, wanted

LOAD_FORMS = ("torque", "split", "gradient")
TORQUE, SPLIT, GRADIENT = range(3)
IDLE_TERMS = {TORQUE: (), SPLIT: ("2uᵀAᵀf",), GRADIENT: ("2uᵀAᵀf", "2uᵀf")}

Kernel = Callable[..., Any]


class LagrangeParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, the packed loads, the load
    form (0 torque, 1 split, 2 gradient), whether the closed inverse is used, Baumgarte's alpha and beta [1/s]. Each
    family extends it by a class of its own."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: np.ndarray
    load_form: int
    closed: bool
    alpha: float
    beta: float


@inline
def generalised_force(par, t, p, omega):
    """Q (4) [J] by the load form; loads that are no force at a point enter every form as 2 L^T n; section 3."""
    if par.load_form == TORQUE:
        return scaled4(2.0, LT_times(p, torque(par.loads, t, p, omega)))
    n = torque_without_application(par.loads, t, p, omega)
    q = LT_times(p, n)
    w = forces_at_points(par.loads, t, p)
    idle = 2.0 * w[4] if par.load_form == GRADIENT else 0.0
    return (
        2.0 * (q[0] + w[0]) + idle * p[0],
        2.0 * (q[1] + w[1]) + idle * p[1],
        2.0 * (q[2] + w[2]) + idle * p[2],
        2.0 * (q[3] + w[3]) + idle * p[3],
    )


@inline
def mass_matrix(par, p):
    """The upper triangle, row by row (10), of 4 L^T J L [kg m^2]."""
    L = (-p[1], p[0], p[3], -p[2], -p[2], -p[3], p[0], p[1], -p[3], p[2], -p[1], p[0])
    J = par.inertia
    # the four columns of J L
    c0 = times_inertia(par.principal, J, (L[0], L[4], L[8]))
    c1 = times_inertia(par.principal, J, (L[1], L[5], L[9]))
    c2 = times_inertia(par.principal, J, (L[2], L[6], L[10]))
    c3 = times_inertia(par.principal, J, (L[3], L[7], L[11]))
    m00 = 4.0 * (L[0] * c0[0] + L[4] * c0[1] + L[8] * c0[2])
    m01 = 4.0 * (L[0] * c1[0] + L[4] * c1[1] + L[8] * c1[2])
    m02 = 4.0 * (L[0] * c2[0] + L[4] * c2[1] + L[8] * c2[2])
    m03 = 4.0 * (L[0] * c3[0] + L[4] * c3[1] + L[8] * c3[2])
    m11 = 4.0 * (L[1] * c1[0] + L[5] * c1[1] + L[9] * c1[2])
    m12 = 4.0 * (L[1] * c2[0] + L[5] * c2[1] + L[9] * c2[2])
    m13 = 4.0 * (L[1] * c3[0] + L[5] * c3[1] + L[9] * c3[2])
    m22 = 4.0 * (L[2] * c2[0] + L[6] * c2[1] + L[10] * c2[2])
    m23 = 4.0 * (L[2] * c3[0] + L[6] * c3[1] + L[10] * c3[2])
    m33 = 4.0 * (L[3] * c3[0] + L[7] * c3[1] + L[11] * c3[2])
    return m00, m01, m02, m03, m11, m12, m13, m22, m23, m33


@inline
def augmented(par, p, along, right):
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
        (right[0], right[1], right[2], right[3], along),
    )
    return (x[0], x[1], x[2], x[3]), x[4]


@inline
def closed(par, p, along, right):
    """p'' = 1/4 L^T J^-1 L right + p along, lambda = p^T right: the inverse S0(35), exact on the sphere."""
    v = times_inertia(par.principal, par.inverse_inertia, L_times(p, right))
    q = LT_times(p, v)
    return (
        0.25 * q[0] + p[0] * along,
        0.25 * q[1] + p[1] * along,
        0.25 * q[2] + p[2] * along,
        0.25 * q[3] + p[3] * along,
    ), dot4(p, right)


def solution(gyroscopic: Kernel) -> Kernel:
    """The kernel `(par, t, y) -> (p'', lambda)` of the form with this gyroscopic term `(par, p, p') -> 4`."""

    @inline
    def solved(par, t, y):
        p, p_rate = y[:4], y[4:]
        g = gyroscopic(par, p, p_rate)
        right = (-g[0], -g[1], -g[2], -g[3])
        if par.loads.shape[0] > 0:
            half = L_times(p, p_rate)
            omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
            force = generalised_force(par, t, p, omega)
            right = (force[0] - g[0], force[1] - g[1], force[2] - g[2], force[3] - g[3])
        along = wanted(par, p, p_rate)
        if par.closed:
            return closed(par, p, along, right)
        return augmented(par, p, along, right)

    return solved


def mass_matrices(p: np.ndarray, parameters: Any) -> np.ndarray:
    """4 L^T J L (n, 4, 4) [kg m^2] of p (n, 4), in NumPy."""
    L = matrix_L(p)
    return 4.0 * np.swapaxes(L, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ L


class LagrangeForm(RateForm):
    """A subclass says which type of parameters its kernels read and what its gyroscopic term adds to lambda."""

    variants = (*LOAD_FORMS, *(f"{form}_closed" for form in LOAD_FORMS))
    has_multiplier = True
    gyroscopic_terms: ClassVar[tuple[str, ...]]

    @property
    def index3(self) -> bool:  # type: ignore[override]
        """Not for the closed inverse, which is one of the system for p''."""
        return not self.variant.endswith("_closed")

    @property
    def load_form(self) -> int:
        return LOAD_FORMS.index(self.variant.removesuffix("_closed"))

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return self.gyroscopic_terms + IDLE_TERMS[self.load_form]

    def system(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if parameters.closed:
            return super().system(states, parameters)
        p = states[:, :4]
        matrix = np.zeros((len(p), 5, 5))
        matrix[:, :4, :4] = mass_matrices(p, parameters)
        matrix[:, :4, 4] = matrix[:, 4, :4] = p
        return matrix

    def further_parameters(self) -> dict[str, Any]:
        return {
            **super().further_parameters(),
            "load_form": self.load_form,
            "closed": self.variant.endswith("_closed"),
        }

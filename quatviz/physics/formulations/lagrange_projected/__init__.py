"""d'Alembert and Lagrange projected on the tangent space: three equations and the constraint, no multiplier."""

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._rates import RateForm, RateParameters, constraint_acceleration, project
from quatviz.physics.kernels.algebra import L_times, LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.kernels.linear_solve import solve4
from quatviz.physics.loads import body_torque
from quatviz.physics.mechanics.rotations import matrix_L


class LagrangeProjectedParameters(RateParameters):
    """As `RateParameters`, for this form's kernels."""


def lagrange_projected(par, t, y):
    """4 J L p'' + 8 L L'^T J L p' = 2 n with p^T p'' = -p'^T p'; S0(25, 33)."""
    p, p_rate = y[:4], y[4:]
    half = L_times(p, p_rate)
    g = L_times(p, LT_times(p_rate, times_inertia(par.principal, par.inertia, half)))
    right = (-2.0 * g[0], -2.0 * g[1], -2.0 * g[2])
    if par.loads.present:
        omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
        n = body_torque(par.loads, t, p, omega)
        right = (right[0] + 0.5 * n[0], right[1] + 0.5 * n[1], right[2] + 0.5 * n[2])
    c0 = times_inertia(par.principal, par.inertia, (-p[1], -p[2], -p[3]))
    c1 = times_inertia(par.principal, par.inertia, (p[0], -p[3], p[2]))
    c2 = times_inertia(par.principal, par.inertia, (p[3], p[0], -p[1]))
    c3 = times_inertia(par.principal, par.inertia, (-p[2], p[1], p[0]))
    acceleration = solve4(
        (
            *(c0[0], c1[0], c2[0], c3[0]),
            *(c0[1], c1[1], c2[1], c3[1]),
            *(c0[2], c1[2], c2[2], c3[2]),
            *p,
        ),
        (right[0], right[1], right[2], constraint_acceleration(par, p, p_rate)),
    )
    return y[4:] + acceleration


class LagrangeProjected(RateForm):
    """L times the Lagrange equations: lambda is gone because L p = 0, and the constraint closes the system. An error
    of |p| grows linearly, as in the augmented forms. State (p, p'), 8; no singularity; 5 times the cost of
    `newton_euler`."""

    name = "lagrange_projected"
    title = "Lagrange, projected"
    summary = "λ eliminated"
    source = "S0(25, 33)"
    sort_order = 60
    measured = (Performance(274, 255, ("5.5e-11", "3.1e-10", "2.0e-09")),)
    mutations = (
        Mutation("-2.0 * g[1]", "2.0 * g[1]"),
        Mutation("(p[3], p[0], -p[1])", "(p[3], p[0], p[1])"),
        Mutation(
            "return -dot4(p_rate, p_rate)",
            "return dot4(p_rate, p_rate)",
            file="physics/formulations/_rates.py",
        ),
    )
    parameter_type = LagrangeProjectedParameters
    kernels = Kernels(rhs=lagrange_projected, projection=project)

    def system_matrix(self, states: np.ndarray, parameters: LagrangeProjectedParameters) -> np.ndarray:
        p = states[:, :4]
        upper = np.reshape(parameters.inertia, (3, 3)) @ matrix_L(p)
        return np.concatenate((upper, p[:, None, :]), axis=1)

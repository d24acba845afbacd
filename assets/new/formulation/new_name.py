"""New name: a formulation in one file, with kernels, state, equation card and help.

The template is Newton and Euler with the Gibbs vector g = e/e0 as the attitude. See
`quatviz.physics.formulations.base.Formulation` for everything that a formulation must define.
"""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.equations import Equation, Term
from quatviz.physics.equations.equation import BODY
from quatviz.physics.equations.shared_terms import MOMENTUM
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.kernels.algebra import add3, combined3, cross, dot3, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.loads import body_torque
from quatviz.physics.mechanics.state import BODY_RATE, StateVariable, numbered_block


class NewNameParameters(BodyParameters):
    """Parameters of the kernels. Each formulation needs its own type, which selects its kernels."""


@inline
def attitude(g):
    """Return p (4) of the Gibbs vector g (3) = e / e0."""
    scale = 1.0 / np.sqrt(1.0 + dot3(g, g))
    return (scale, scale * g[0], scale * g[1], scale * g[2])


def new_name(par, t, y):
    """J omega' = n - omega x J omega, g' = 1/2 (omega + g x omega + (g.omega) g)."""
    omega, g = y[:3], y[3:]
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, attitude(g), omega))
    rate = combined3(0.5, combined3(1.0, omega, 1.0, cross(g, omega)), 0.5 * dot3(g, omega), g)
    return times_inertia(par.principal, par.inverse_inertia, moment) + rate


def distance(par, t, y):
    return attitude(y[3:])[0]


def gibbs(p: np.ndarray) -> np.ndarray:
    """Return the Gibbs vector g = e / e0 (..., 3)."""
    return p[..., 1:] / p[..., :1]


class NewName(Formulation):
    """Tangent of half the angle times the axis. State (omega, g), 6; singular where e0 = 0, at half a turn; about
    the cost of `newton_euler`."""

    name = "new_name"
    title = "New name"
    source = "Schaub and Junkins, Analytical Mechanics of Space Systems, 3.4"
    blocks = (BODY_RATE, numbered_block(StateVariable.COORDINATES, "gibbs", (1, 2, 3)))
    parameter_type = NewNameParameters
    kernels = Kernels(rhs=new_name, singularity=distance)
    singularity_title = "e₀"
    threshold = 5e-3
    measured = (Performance(60, 110, ("-", "-", "-")),)
    help = r"""
    $$J\dot\omega = n - \omega \times J\omega$$

    $$\dot g = \tfrac12 \left(\omega + g \times \omega + (g \cdot \omega) g\right) \qquad g = \frac{e}{e_0}$$

    - **Source**: Schaub and Junkins, *Analytical Mechanics of Space Systems*, 3.4.
    - **State**: `omega1, omega2, omega3, gibbs1, gibbs2, gibbs3` (6).
    - **Singularity**: $e_0 = 0$, half a turn.
    - **Lambda**: none.
    - **Errata**: none.
    - **Cost**: <!-- cost -->.
    - **Accuracy**: as `newton_euler` away from half a turn.
    """

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        rate = Term(r"\dot g", "rate of the Gibbs vector", lambda at: _rate(at.p, at.p_rate))
        terms = (
            Term(r"\tfrac12\,\omega", "half the angular velocity", lambda at: 0.5 * at.omega, "omega"),
            Term(r"\tfrac12\,g\times\omega", "ω turns g", lambda at: 0.5 * np.cross(gibbs(at.p), at.omega)),
            Term(
                r"\tfrac12\,(g\cdot\omega)\,g",
                "the rest",
                lambda at: 0.5 * (gibbs(at.p) @ at.omega) * gibbs(at.p),
            ),
        )
        return MOMENTUM, Equation((rate,), terms, "1/s", BODY, "the attitude")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, gibbs(p)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        g = states[:, 3:]
        p = np.concatenate((np.ones((len(g), 1)), g), axis=1)
        return p / np.linalg.norm(p, axis=1, keepdims=True), states[:, :3]


def _rate(p: np.ndarray, rate: np.ndarray) -> np.ndarray:
    return rate[1:] / p[0] - p[1:] * rate[0] / p[0] ** 2

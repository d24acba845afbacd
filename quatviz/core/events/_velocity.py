"""Changing the velocity in a state, whatever the state says of it."""

from __future__ import annotations

import re

import numpy as np

from quatviz.core.events.base import EULER_PARAMETERS, MOMENTA, RATES, Layout
from quatviz.core.rotations import matrix_L

_OMEGA = ("omega1", "omega2", "omega3")
_H = ("h1", "h2", "h3")
_INSIDE = re.compile(r"omega_m\d")


def struck(state: np.ndarray, layout: Layout, impulse: np.ndarray) -> np.ndarray:
    """The state (k,) after an angular impulse (3,) [N m s, body]: p stays, h grows by it.

    Errors of the constraint stay as they are: L p = 0, so that what p' = 1/2 L^T omega and g = 2 L^T h/|p|^2 gain is
    tangent to the sphere.
    """
    after = state.copy()
    p, rates, momenta = (layout.places(names) for names in (EULER_PARAMETERS, RATES, MOMENTA))
    if places := layout.places(_H):
        after[places] += impulse
        return after
    if momenta:
        after[momenta] += 2.0 / np.sum(after[p] ** 2) * (matrix_L(after[p]).T @ impulse)
        return after
    inside = [place for place, name in enumerate(layout.names) if _INSIDE.fullmatch(name)]
    change = np.linalg.solve(layout.inertia(state), np.concatenate((impulse, np.zeros(len(inside)))))
    after[inside] += change[3:]
    if places := layout.places(_OMEGA):
        after[places] += change[:3]
    elif rates:
        after[rates] += 0.5 * (matrix_L(after[p]).T @ change[:3])
    else:
        q, omega = layout.observe(state)
        after = layout.restart(after, q, omega + change[:3])
    return after

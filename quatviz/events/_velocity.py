"""Changing the velocity in a state, of whatever kind it is there."""

from __future__ import annotations

import numpy as np

from quatviz.events.base import Layout
from quatviz.mechanics.rotations import matrix_L, rotate
from quatviz.mechanics.state import Kind


def struck(state: np.ndarray, layout: Layout, impulse: np.ndarray) -> np.ndarray:
    """The state (k,) after an angular impulse (3,) [N m s, body]: p stays, h grows by it.

    Errors of the constraint stay as they are: L p = 0, so that what p' = 1/2 L^T omega and g = 2 L^T h/|p|^2 gain is
    tangent to the sphere.
    """
    after = state.copy()
    p = after[layout.places(Kind.EULER_PARAMETERS)]
    if places := layout.places(Kind.BODY_MOMENTUM):
        after[places] += impulse
        return after
    if places := layout.places(Kind.SPACE_MOMENTUM):
        after[places] += _in_space(layout, state, impulse)
        return after
    if places := layout.places(Kind.EULER_MOMENTA):
        after[places] += 2.0 / np.sum(p**2) * (matrix_L(p).T @ impulse)
        return after
    inside = layout.places(Kind.INNER_RATES)
    change = np.linalg.solve(layout.inertia(state), np.concatenate((impulse, np.zeros(len(inside)))))
    after[inside] += change[3:]
    if places := layout.places(Kind.BODY_RATE):
        after[places] += change[:3]
    elif places := layout.places(Kind.SPACE_RATE):
        after[places] += _in_space(layout, state, change[:3])
    elif places := layout.places(Kind.EULER_RATES):
        after[places] += 0.5 * (matrix_L(p).T @ change[:3])
    else:
        q, omega = layout.observe(state)
        after = layout.restart(after, q, omega + change[:3])
    return after


def _in_space(layout: Layout, state: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """A vector (3,) of the body in space components, A v."""
    turned: np.ndarray = rotate(layout.observe(state)[0][None], vector[None])[0]
    return turned

"""Base class of both formulations of the ring damper. It is not a formulation itself.

It defines the state (omega, p, beta, omega_m3), with 9 components, the motion of the ring, and the energy and angular momentum
of body and ring together; eqs. S3(63-68). beta is the angle of the ring and omega_m3 its rate. The axes u, v, w of the ring are
those in `physics.mechanics.ring`.
"""

from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.physics.formulations.base import Formulation, SystemTotals
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotate_back, rotation_matrix
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS, StateBlock, StateVariable


class RingForm(Formulation):
    """Base class of formulations for a body with a ring, whose state is that of rotor and ring.

    A subclass defines the type of its parameters.
    """

    blocks = (
        BODY_RATE,
        EULER_PARAMETERS,
        StateBlock(StateVariable.INNER_COORDINATES, ("beta",)),
        StateBlock(StateVariable.INNER_RATES, ("omega_m3",)),
    )
    carries_ring = True
    stabilisations = ("none", "renormalise", "project")

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        ring = body.ring
        if ring is None:
            raise InputError(
                expected=phrase("a body with a ring, which {name} requires", name=self.titled_id),
                found="none",
                remedy="add [body.ring] in the file of the preset, or choose another formulation",
                key="body.ring",
            )
        inertia, center = ring.inertia, ring.centre
        return {
            "ring_inertia": tuple(map(float, (inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 2]))),
            "centre": (float(center[0]), float(center[2])),
            "weight": tuple(map(float, ring.mass * np.asarray(ring.gravity))),
            "drag": float(ring.damping * ring.mean_radius**2),
            "beta": float(ring.beta),
            "spin": float(ring.spin),
        }

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, p, [parameters.beta, parameters.spin]))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:7], states[:, :3]

    def totals(self, states: np.ndarray, parameters: Any) -> SystemTotals:
        omega, p, beta, spin = states[:, :3], states[:, 3:7], states[:, 7], states[:, 8]
        turn = _ring_rotations(beta)
        omega_m = (turn @ omega[:, :, None])[:, :, 0]
        omega_m[:, 2] = spin
        m11, m22, m33, m13 = parameters.ring_inertia
        ring_inertia = np.array([[m11, 0.0, m13], [0.0, m22, 0.0], [m13, 0.0, m33]])
        h_m = omega_m @ ring_inertia
        h = omega @ np.reshape(parameters.inertia, (3, 3))
        back = np.swapaxes(turn, 1, 2)
        center = (back @ np.array([parameters.centre[0], 0.0, parameters.centre[1]]))[:, :, None]
        height = (rotation_matrix(p) @ center)[:, :, 0]
        return SystemTotals(
            kinetic=0.5 * np.einsum("ni,ni->n", omega, h) + 0.5 * np.einsum("ni,ni->n", omega_m, h_m),
            potential=-height @ np.asarray(parameters.weight),
            h=h + (back @ h_m[:, :, None])[:, :, 0],
        )

    def extras(self, states: np.ndarray, parameters: Any) -> dict[str, np.ndarray]:
        p, beta, ring_rate = states[:, 3:7], states[:, 7], states[:, 8] - states[:, 2]
        weight = rotate_back(p, np.broadcast_to(parameters.weight, (len(p), 3)))
        weight_v = -np.sin(beta) * weight[:, 0] + np.cos(beta) * weight[:, 1]
        # S3(61): mu = C_d R^2 beta' + dV/dbeta
        multiplier = parameters.drag * ring_rate - parameters.centre[0] * weight_v
        return {"ring_angle": np.degrees(beta), "ring_rate": ring_rate, "ring_multiplier": multiplier}


def _ring_rotations(beta: np.ndarray) -> np.ndarray:
    """Return the rotation matrices B (n, 3, 3), body to ring components, for ring angles beta (n,) [rad]."""
    c, s, zero, ones = np.cos(beta), np.sin(beta), np.zeros_like(beta), np.ones_like(beta)
    rows = [[c, s, zero], [-s, c, zero], [zero, zero, ones]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

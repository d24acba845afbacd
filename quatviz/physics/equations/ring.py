"""Terms of the equations of the ring damper at an evaluation point."""

import math
from functools import cached_property

import numpy as np

from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.mechanics.rotations import rotate_back


class RingEvaluationPoint:
    """Quantities of a body with a ring damper at a point whose `extras` contain `ring_angle` [deg] and `ring_rate` [rad/s].

    The symbols are those of the equations of the formulation `ring_damper`.
    """

    def __init__(self, at: EvaluationPoint) -> None:
        assert at.body.ring is not None
        self.at, self.ring = at, at.body.ring
        beta = math.radians(at.extras["ring_angle"])
        c, s = math.cos(beta), math.sin(beta)
        self.B = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        self.beta_rate = at.extras["ring_rate"]
        self.Jm = self.ring.inertia
        self.omega_m = self.B @ at.omega
        self.omega_m[2] = at.omega[2] + self.beta_rate

    @property
    def drag(self) -> float:
        """Torque C_d R^2 beta' [N m] of the viscous friction between body and ring, which turns at beta'
        [rad/s] in the body."""
        return self.ring.damping * self.ring.mean_radius**2 * self.beta_rate

    @cached_property
    def weight(self) -> np.ndarray:
        """Torque n_g = m r_c x (B A^T g_c) (3,) [N m, ring] of the ring's weight."""
        gravity_force = self.ring.mass * np.asarray(self.ring.gravity, dtype=float)
        return np.cross(self.ring.centre, self.B @ rotate_back(self.at.p, gravity_force))

    @cached_property
    def gyroscopic(self) -> np.ndarray:
        """Gyroscopic term omega_m x Jm omega_m (3,) [N m, ring]."""
        return np.cross(self.omega_m, self.Jm @ self.omega_m)

    @property
    def carried_torque(self) -> np.ndarray:
        """Inertia term Jm P B' omega (3,) [N m, ring] due to the rotation of the ring axes, with P = diag(1,
        1, 0)."""
        return self.Jm @ (self.beta_rate * np.array([self.omega_m[1], -self.omega_m[0], 0.0]))

    @property
    def transverse_inertia(self) -> np.ndarray:
        """Matrix Jm P B (3, 3) [kg m^2] with P = diag(1, 1, 0), the factor of omega' in the equation of the
        ring."""
        return self.Jm @ np.diag([1.0, 1.0, 0.0]) @ self.B

    @cached_property
    def rates(self) -> np.ndarray:
        """Accelerations (4,) [rad/s^2] by the equations of the formulation `ring_damper`: omega' (3), then
        omega_m3'."""
        at, back = self.at, self.B.T
        matrix = np.block(
            [
                [at.J + back @ self.transverse_inertia, (back @ self.Jm[:, 2])[:, None]],
                [self.transverse_inertia[2:], self.Jm[2:, 2:]],
            ]
        )
        ring = self.carried_torque + self.gyroscopic - self.weight
        rhs = np.append(at.torque - at.gyroscopic - back @ ring, -self.drag - ring[2])
        return np.linalg.solve(matrix, rhs)

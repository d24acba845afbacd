"""State of a lane at one instant: an `EvaluationPoint`, from which the terms of all equations are computed."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from quatviz.physics.loads import bind, total_potential
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_G, matrix_L, normalize, skew
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.observables.multiplier_theory import TERMS

STEP = 1e-3
"""Default step of numerical derivatives, for arguments of order 1."""
_STENCIL = ((-2, 1.0 / 12.0), (-1, -2.0 / 3.0), (1, 2.0 / 3.0), (2, -1.0 / 12.0))
"""Pairs (offset in steps, weight) of the five-point central difference, exact for polynomials up to degree
four."""


@dataclass(frozen=True, eq=False)
class EvaluationPoint:
    """A lane at time t [s].

    Attributes
    ----------
    body, loads
        The body and its loads. Loads that are not bound to the body yet are bound to it.
    t
        Time [s].
    u
        Euler parameters (4,) as integrated, not normalized.
    omega
        Angular velocity (3,) [rad/s, body] of the attitude u/|u|.
    lam
        Multiplier [J] of the lane; NaN for a lane without multiplier.
    constraint_rate
        Product u.u' [1/s], the rate at which u leaves the sphere.
    J0
        Arbitrary inertia J0 > 0 [kg m^2] in Udwadia and Schutte's mass matrix, which acts against changes of |u|; None for
        the mean moment of the body.
    extras
        Quantities that only some formulations define, by name, such as `ring_rate` [rad/s].
    rotor_momenta
        Axial momenta (m,) [kg m^2/s] of the body's rotors. For a body with rotors, the property `J` is J*, see
        `physics.mechanics.rotor_system`, and the torque of the rotors is part of `torque_without_potential` and
        `torque_without_force`.
    center
        Center of mass (3,) [m, space], if rotation and translation depend on each other.
    """

    body: Body
    loads: Sequence[Load | BoundLoad]
    t: float
    u: np.ndarray
    omega: np.ndarray
    lam: float = math.nan
    constraint_rate: float = 0.0
    J0: float | None = None
    extras: Mapping[str, float] = field(default_factory=dict)
    rotor_momenta: np.ndarray | None = None
    center: np.ndarray | None = None

    def __post_init__(self) -> None:
        loads = bind(self.loads, self.body)
        if self.center is not None:
            loads = tuple(load.at_center(self.center[None]) for load in loads)
        object.__setattr__(self, "loads", loads)

    @property
    def bound_loads(self) -> Sequence[BoundLoad]:
        """The loads after they were bound to the body, so that they have force, torque and potential."""
        return self.loads  # type: ignore[return-value]

    @cached_property
    def p(self) -> np.ndarray:
        """Unit Euler parameters (4,) of the lane's attitude."""
        return normalize(self.u)

    @property
    def _time_row(self) -> np.ndarray:
        return np.array([self.t])

    @property
    def J(self) -> np.ndarray:
        """Inertia (3, 3) [kg m^2, body]; J* of a body with rotors."""
        return self._rotor_system.effective_inertia if self.body.rotors else self.body.inertia

    @cached_property
    def _rotor_system(self) -> RotorSystem:
        return RotorSystem(self.body)

    @cached_property
    def rotor_torque(self) -> np.ndarray:
        """Torque of the rotors (3,) [N m, body]; NaN if their momenta are unknown."""
        if not self.body.rotors:
            return np.zeros(3)
        return self._rotor_system.torque_on_body(*self._rotor_rows)[0]

    @cached_property
    def without_rotor_torque(self) -> "EvaluationPoint":
        """Copy of this point in which the rotors exert no torque. `J` is still J*."""
        point = copy(self)
        for name in ("torque", "torque_without_potential", "torque_without_force", "omega_rate"):
            point.__dict__.pop(name, None)
        object.__setattr__(point, "rotor_torque", np.zeros(3))
        return point

    @property
    def _rotor_rows(self) -> tuple[np.ndarray, ...]:
        """Time, attitude, angular velocity and rotor momenta as arrays with one row each. Unknown momenta are NaN."""
        momenta = self.rotor_momenta
        if momenta is None:
            momenta = np.full(len(self.body.rotors), np.nan)
        return self._time_row, self.p[None], self.omega[None], momenta[None]

    @property
    def rotor_gyroscopic(self) -> np.ndarray:
        """Torque omega x (H - J* omega) (3,) [N m, body], with the momentum H of body and rotors."""
        _, _, omega, momenta = self._rotor_rows
        total = self._rotor_system.angular_momentum(omega, momenta)[0]
        return np.cross(self.omega, total - self.J @ self.omega)

    @property
    def motor_torque(self) -> np.ndarray:
        """Sum (3,) [N m, body] of the motor torques tau_k a_k on the rotors whose momentum is integrated,
        where a_k are their unit axes.
        """
        return self._rotor_system.motor_torques(*self._rotor_rows)[0] @ self._rotor_system.axes

    @property
    def bearing_friction(self) -> np.ndarray:
        """Torque (3,) [N m, body] of the bearing friction on the body: the sum over the rotors of c_k W_k
        a_k, with the friction coefficient c_k [N m s], the speed W_k [rad/s] relative to the body and the
        unit axis a_k."""
        _, _, omega, momenta = self._rotor_rows
        return self._rotor_system.friction_torques(omega, momenta)[0] @ self._rotor_system.axes

    @cached_property
    def L(self) -> np.ndarray:
        """Matrix L (3, 4) of p, with which omega = 2 L p' [rad/s, body]; eq. S0(17)."""
        return matrix_L(self.p)

    @cached_property
    def p_rate(self) -> np.ndarray:
        """Rate p' = 1/2 L^T omega (4,) [1/s]."""
        return 0.5 * self.L.T @ self.omega

    @cached_property
    def L_rate(self) -> np.ndarray:
        """Matrix L' (3, 4) [1/s], computed like L with p' in place of p."""
        return matrix_L(self.p_rate)

    @cached_property
    def h(self) -> np.ndarray:
        """Angular momentum J omega (3,) [kg m^2/s, body]."""
        return self.J @ self.omega

    @cached_property
    def gyroscopic(self) -> np.ndarray:
        """Gyroscopic term omega x J omega (3,) [N m, body]."""
        return np.cross(self.omega, self.h)

    @cached_property
    def T(self) -> float:
        """Kinetic energy [J] of the body."""
        return 0.5 * float(self.omega @ self.h)

    @cached_property
    def torque(self) -> np.ndarray:
        """Torque n (3,) [N m, body] of all loads and rotors."""
        return self.torque_of(self.bound_loads) + self.rotor_torque

    def torque_of(self, loads: Sequence[BoundLoad]) -> np.ndarray:
        """Return the torque (3,) [N m, body] of the given loads."""
        row = self._time_row, self.p[None], self.omega[None]
        return np.sum([np.zeros(3), *(load.torque(*row)[0] for load in loads)], axis=0)

    @cached_property
    def omega_rate(self) -> np.ndarray:
        """Angular acceleration omega' (3,) [rad/s^2, body]."""
        return np.linalg.solve(self.J, self.torque - self.gyroscopic)

    @cached_property
    def p_acceleration(self) -> np.ndarray:
        """Second derivative p'' (4,) [1/s^2] of the motion on the sphere |p| = 1."""
        return 0.5 * (self.L.T @ self.omega_rate + self.L_rate.T @ self.omega)

    # --- loads

    @cached_property
    def conservative(self) -> tuple[BoundLoad, ...]:
        """Loads that enter Hamilton's equations by the gradient of their potential, not as torques."""
        return tuple(load for load in self.bound_loads if load.has_potential)

    @cached_property
    def potential_gradient(self) -> np.ndarray:
        """Gradient dV/dp (4,) [J] of the total potential, in which the rotation matrix is computed as A = G L^T."""
        return directional_derivative(
            lambda p: total_potential(self.conservative, self._time_row, p[None])[0], self.p, np.eye(4)
        )

    @cached_property
    def torque_without_potential(self) -> np.ndarray:
        """Torque n_nc (3,) [N m, body] of the rotors and of all loads without a potential."""
        torque = self.torque_of([load for load in self.bound_loads if not load.has_potential])
        return torque + self.rotor_torque

    @cached_property
    def torque_without_force(self) -> np.ndarray:
        """Torque (3,) [N m, body] of the rotors, and of all loads that the load forms `split` and `gradient` treat as
        torques."""
        torque = self.torque_of([load for load in self.bound_loads if not load.is_point_force])
        return torque + self.rotor_torque

    @cached_property
    def forces(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Force (3,) [N, space] and body point (3,) [m] of each point force."""
        applied = (
            load.force(self._time_row, self.p[None]) for load in self.bound_loads if load.is_point_force
        )
        return [
            (force_and_point[0][0], force_and_point[1])
            for force_and_point in applied
            if force_and_point is not None
        ]

    @cached_property
    def center_acceleration(self) -> np.ndarray:
        """Acceleration c'' (3,) [m/s^2, space] of the center of mass by all loads; eqs. S3(41, 43)."""
        return self._center_force_of(self.bound_loads) / self._mass

    @property
    def _mass(self) -> float:
        assert self.body.mass is not None
        return self.body.mass

    @property
    def mass_times_center_acceleration(self) -> np.ndarray:
        """Product m c'' (3,) [N, space]."""
        return self._mass * self.center_acceleration

    @property
    def total_point_force(self) -> np.ndarray:
        """Sum (3,) [N, space] of the point forces."""
        return np.sum([np.zeros(3), *(force for force, _ in self.forces)], axis=0)

    @property
    def center_force_without_point(self) -> np.ndarray:
        """Force (3,) [N, space] on the center of mass by loads that are not point forces, such as a potential
        V(c, p).
        """
        return self._center_force_of([load for load in self.bound_loads if not load.is_point_force])

    def _center_force_of(self, loads: Sequence[BoundLoad]) -> np.ndarray:
        forces = (load.center_force(self._time_row, self.p[None])[0] for load in loads)
        return np.sum([np.zeros(3), *forces], axis=0)

    @cached_property
    def split(self) -> np.ndarray:
        """Generalized force (4,) [J] of the load form `split`: the sum of 2 H^T G^T f over the point forces f, with H
        = [[0, -u^T], [u, -u~]] for the body point u; S0, section 4.2."""
        G = matrix_G(self.p)
        force = np.zeros(4)
        for f, u in self.forces:
            H = np.block([[np.zeros((1, 1)), -u[None]], [u[:, None], -skew(u)]])
            force += 2.0 * H.T @ (G.T @ f)
        return force

    @cached_property
    def radial_work(self) -> float:
        """Sum of u^T f [J] over the point forces, with f in space components and its body point u in body components.
        Twice this sum is the difference between the multipliers of the load forms `gradient` and `split`."""
        return float(sum(u @ f for f, u in self.forces))

    # --- lambda

    def theoretical_terms(self, terms: Sequence[str]) -> dict[str, float]:
        """Return the values [J] of terms of lambda by name; the names are the keys of
        `physics.observables.multiplier_theory.TERMS`."""
        row = self._time_row, self.p[None], self.omega[None], self.body, self.bound_loads
        return {name: float(TERMS[name](*row)[0]) for name in terms}

    def with_lambda(self, lam: float) -> "EvaluationPoint":
        """Return a copy of this point with the multiplier `lam` [J]. The copy keeps cached values."""
        copied = copy(self)
        object.__setattr__(copied, "lam", lam)
        return copied

    # --- as integrated, also off the sphere

    @cached_property
    def u_rate(self) -> np.ndarray:
        """Rate u' (4,) [1/s] of the integrated Euler parameters."""
        along = self.constraint_rate / float(self.u @ self.u)
        return 0.5 * matrix_L(self.u).T @ self.omega + along * self.u

    @property
    def effective_J0(self) -> float:
        """Inertia J0 [kg m^2] that is in effect in Udwadia and Schutte's mass matrix: the given one, or by
        default the mean of the body's principal moments.
        """
        return float(np.trace(self.J)) / 3.0 if self.J0 is None else self.J0


def directional_derivative(
    f: Callable[[np.ndarray], np.ndarray | float], x: np.ndarray, directions: np.ndarray, step: float = STEP
) -> np.ndarray:
    """Return the derivatives of `f` at `x` (k,) along each row of `directions` (m, k), as an array (m, ...).

    A single direction (k,) gives an array (...) of the shape of `f`. The derivative is a five-point central difference,
    whose points are `step` times the direction apart.
    """
    rows = np.atleast_2d(directions)
    slopes = [sum(w * np.asarray(f(x + k * step * row)) for k, w in _STENCIL) / step for row in rows]
    return np.asarray(slopes if directions.ndim == 2 else slopes[0])

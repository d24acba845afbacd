"""All quantities that follow from attitude and angular velocity, each defined once.

A `Motion` is a segment of a lane, given by times, Euler parameters and angular velocities. It computes every other
quantity when that is first requested and caches it. `QUANTITIES` holds title, unit and frame of each quantity for
panels, tables and read-outs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase
from quatviz.base.formatting import humanize
from quatviz.base.registry import Registry
from quatviz.physics.loads import bind, orbiting_load, target_attitude, total_potential
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, angle_symbols, angles_from_p, det_S
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_matrix,
    multiply,
    normalize,
    rate_from_omega,
    relative_angle,
    rotate,
    rotate_back,
)
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.observables.multiplier_theory import TERMS


@dataclass(frozen=True)
class DriftReference:
    """Values from which drifts are measured: those at t = 0, or those after the last event that resets
    drifts, such as a kick.
    """

    energy: float
    """T + V [J], without the work of motors that hold the speed of a rotor."""
    kinetic: float
    momentum: float
    """|h| [kg m^2/s] about the reference point."""
    h_space: tuple[float, float, float]
    """h [kg m^2/s] in space components."""
    energy_scale: float
    """Energy [J] by which the energy drift is divided: max(|E|, T), or 1 J if both are zero."""

    @classmethod
    def from_motion(cls, start: "Motion") -> "DriftReference":
        """Return the reference values at the first row of the motion `start`."""
        energy, kinetic = float(start.supplied_energy[0]), float(start.kinetic[0])
        momentum = float(np.linalg.norm(start.h[0]))
        x, y, z = start.h_space[0].tolist()
        return cls(energy, kinetic, momentum, (x, y, z), max(abs(energy), kinetic) or 1.0)


def has_pivot_force(body: Body) -> bool:
    """Return True if the body has a pivot, a mass and a center of mass, from which the force of the pivot can be
    computed."""
    is_known = body.mass is not None and body.centre_of_mass is not None
    return body.about == "pivot" and is_known and body.ring is None


class Motion:
    """A segment of a lane.

    Parameters
    ----------
    t
        Times (n,) [s].
    p
        Euler parameters (n, 4) as integrated, scalar first, not normalized.
    omega
        Angular velocity (n, 3) [rad/s, body] of the attitude p/|p|.
    body, loads
        The body and the loads that act on it.
    constraint_rate
        p.p' (n,) [1/s].
    measures
        Function that returns (lambda [J], singularity measure) (n, 2). It is called when one of them is requested.
    terms
        Names of the terms in `multiplier_theory.TERMS` whose sum must equal lambda; None if the lane has no multiplier.
    totals
        Kinetic energy (n,), additional potential energy (n,) and h (n, 3) of a body with a ring inside.
    rotor_momenta
        Axial momenta (n, m) [kg m^2/s] of the rotors of the body.
    extras
        Quantities (n,) by name that only few formulations have.
    system
        Function that returns the matrices of the linear systems that the steps solve, for the condition number.
    reference
        Values from which drifts are measured; the first row if None.
    later_references
        Values from which the drifts of later rows are measured, by the index of the first of these rows, in order.
    center_motion
        Function that returns position and velocity (n, 6) [m, m/s, space] of the center of mass of a free body.
    center_states
        The same values (n, 6) if they are part of the lane's state, because rotation and translation are coupled. Kinetic
        and potential energy then include the translation.
    """

    def __init__(
        self,
        t: np.ndarray,
        p: np.ndarray,
        omega: np.ndarray,
        *,
        body: Body,
        loads: Sequence[Load | BoundLoad],
        constraint_rate: np.ndarray,
        measures: Callable[[], np.ndarray],
        terms: Sequence[str] | None = None,
        totals: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
        rotor_momenta: np.ndarray | None = None,
        extras: Mapping[str, np.ndarray] | None = None,
        system: Callable[[], np.ndarray] | None = None,
        reference: DriftReference | None = None,
        later_references: Mapping[int, DriftReference] | None = None,
        center_motion: Callable[[], np.ndarray] | None = None,
        center_states: np.ndarray | None = None,
    ) -> None:
        self.t = t
        self.p = p
        self.omega = omega
        self.constraint_rate = constraint_rate
        self._measures = measures
        self.terms = terms
        self._totals = totals
        self._rotor_momenta = rotor_momenta
        self._extras = extras or {}
        self._system = system
        self._body = body
        self._loads = bind(loads, body)
        if center_states is not None:
            self._loads = tuple(load.at_center(center_states[:, :3]) for load in self._loads)
        self._reference, self._later_references = reference, later_references or {}
        self._center_motion = center_motion
        self.coupled_center = center_states

    @cached_property
    def unit_p(self) -> np.ndarray:
        """Euler parameters p/|p| (n, 4) of the lane's attitude."""
        return normalize(self.p)

    @cached_property
    def measures(self) -> np.ndarray:
        """Multiplier and singularity measure (n, 2).

        Compiled kernels of the lane compute them at the first request.
        """
        return self._measures()

    @property
    def lam(self) -> np.ndarray:
        """Multiplier lambda (n,) [J] from the linear system that yields p''; NaN for a formulation without a
        multiplier."""
        return self.measures[:, 0]

    @property
    def singularity(self) -> np.ndarray:
        """Singularity measure (n,) of the lane's coordinates, which tends to 0 at their singularity; 1 if they
        have none."""
        return self.measures[:, 1]

    @cached_property
    def omega_space(self) -> np.ndarray:
        """Angular velocity (n, 3) [rad/s, space]."""
        return rotate(self.p, self.omega)

    @cached_property
    def _rotors(self) -> tuple[RotorSystem, np.ndarray] | None:
        """Body with rotors and their axial momenta (n, m) [kg m^2/s], NaN if unknown; None without rotors."""
        if not self._body.rotors:
            return None
        system, momenta = RotorSystem(self._body), self._rotor_momenta
        if momenta is None:
            momenta = system.momenta(self.omega, np.full((len(self.t), len(system.state_indices)), np.nan))
        return system, momenta

    @cached_property
    def h(self) -> np.ndarray:
        """Angular momentum (n, 3) [kg m^2/s, body]: J omega plus that of a ring or of rotors."""
        if self._totals is not None:
            return self._totals[2]
        if self._rotors is not None:
            system, momenta = self._rotors
            return system.angular_momentum(self.omega, momenta)
        return (self._body.inertia @ self.omega.T).T

    @cached_property
    def h_space(self) -> np.ndarray:
        """Angular momentum (n, 3) [kg m^2/s, space]."""
        return rotate(self.p, self.h)

    @cached_property
    def kinetic(self) -> np.ndarray:
        """Kinetic energy T = 1/2 omega^T J omega (n,) [J] plus that of a ring or of rotors, and 1/2 m c'^2 if rotation and
        translation are coupled."""
        if self._totals is not None:
            energy = self._totals[0]
        elif self._rotors is not None:
            system, momenta = self._rotors
            energy = system.kinetic_energy(self.omega, momenta)
        else:
            energy = 0.5 * np.einsum("ni,ni->n", self.omega, self.h)
        if self.coupled_center is None:
            return energy
        assert self._body.mass is not None
        return energy + 0.5 * self._body.mass * (self.coupled_center[:, 3:] ** 2).sum(axis=1)

    @cached_property
    def potential(self) -> np.ndarray:
        """Potential energy V (n,) [J] of all loads that have one, at p as integrated, and of a ring."""
        load_potential = total_potential(self._loads, self.t, self.p)
        return load_potential if self._totals is None else load_potential + self._totals[1]

    @cached_property
    def energy(self) -> np.ndarray:
        """Total energy T + V (n,) [J]."""
        return self.kinetic + self.potential

    @cached_property
    def supplied_energy(self) -> np.ndarray:
        """T + V (n,) [J] without the work of motors that hold the speed of a rotor.

        The value is constant if there are no other motors, no friction and no load without a potential.
        """
        return (
            self.energy
            if self._rotors is None
            else self.energy - self._rotors[0].speed_motor_work(self.omega)
        )

    @cached_property
    def rotor_speed(self) -> np.ndarray:
        """Speeds of the rotors relative to the body (n, `MAX_SHOWN_ROTORS`) [rad/s]; NaN in columns without a rotor."""
        return _in_columns(
            self.t, None if self._rotors is None else self._rotors[0].speeds(self.omega, self._rotors[1])
        )

    @cached_property
    def rotor_torque(self) -> np.ndarray:
        """Torques of the motors on the rotors (n, `MAX_SHOWN_ROTORS`) [N m]; NaN in columns without a rotor."""
        if self._rotors is None:
            return _in_columns(self.t, None)
        system, momenta = self._rotors
        return _in_columns(self.t, system.torques(self.t, self.unit_p, self.omega, momenta, self.torque))

    @cached_property
    def rotor_momentum(self) -> np.ndarray:
        """Momenta of the rotors about their axes (n, `MAX_SHOWN_ROTORS`) [kg m^2/s]; NaN in columns without a rotor."""
        return _in_columns(self.t, None if self._rotors is None else self._rotors[1])

    @cached_property
    def torque(self) -> np.ndarray:
        """Torque of all loads (n, 3) [N m, body]."""
        parts = (load.torque(self.t, self.unit_p, self.omega) for load in self._loads)
        return sum(parts, np.zeros((len(self.t), 3)))

    @cached_property
    def torque_space(self) -> np.ndarray:
        """Torque of all loads (n, 3) [N m, space]."""
        return rotate(self.p, self.torque)

    @cached_property
    def largest_force(self) -> np.ndarray:
        """Magnitude (n,) [N] of the largest force that a load exerts at a body point; 0 if there is no such
        load.
        """
        forces = (load.force(self.t, self.unit_p) for load in self._loads)
        sizes = [np.linalg.norm(force[0], axis=1) for force in forces if force is not None]
        return np.max(sizes, axis=0) if sizes else np.zeros(len(self.t))

    @cached_property
    def centre(self) -> np.ndarray:
        """Center of mass (n, 3) [m, space].

        The center is A u for a body on a pivot. For a free body that has a mass and only loads that do not depend on
        the position, it is the integral of the forces; otherwise NaN.
        """
        if self._arm is not None:
            return rotate(self.p, np.broadcast_to(self._arm, (len(self.t), 3)))
        return self._center_states[:, :3]

    @cached_property
    def centre_velocity(self) -> np.ndarray:
        """Velocity (n, 3) [m/s, space] of the center of mass."""
        if self._arm is not None:
            return rotate(self.p, np.cross(self.omega, self._arm))
        return self._center_states[:, 3:]

    @cached_property
    def pivot_force_space(self) -> np.ndarray:
        """Force of the pivot on the body (n, 3) [N, space]: m c'' minus the forces of the loads.

        The acceleration of the center of mass is c'' = A (omega' x u + omega x (omega x u)), with omega' from
        Euler's equation S0(26) and the center of mass u in the body. Pure torques contribute no force. The force
        follows from the motion and the loads, not from the lane's own equations. It is NaN for a body without a
        pivot, a mass or a center of mass.
        """
        return rotate(self.p, self.pivot_force)

    @cached_property
    def pivot_force(self) -> np.ndarray:
        """Force of the pivot on the body (n, 3) [N, body]; see `pivot_force_space`."""
        if not has_pivot_force(self._body):
            return np.full((len(self.t), 3), np.nan)
        u, mass = self._body.centre_of_mass, self._body.mass
        assert mass is not None
        acceleration = np.cross(self.omega_rate, u) + np.cross(self.omega, np.cross(self.omega, u))
        forces = (load.force(self.t, self.unit_p) for load in self._loads)
        applied = sum((force[0] for force in forces if force is not None), np.zeros((len(self.t), 3)))
        return mass * acceleration - rotate_back(self.p, applied)

    @property
    def omega_rate(self) -> np.ndarray:
        """omega' (n, 3) [rad/s^2, body] by Euler's equation S0(26), including momenta and torques of rotors."""
        if self._rotors is not None:
            system, momenta = self._rotors
            return system.omega_rate(self.t, self.unit_p, self.omega, momenta, self.torque)
        gyroscopic = np.cross(self.omega, self.omega @ self._body.inertia)
        omega_rate: np.ndarray = (self.torque - gyroscopic) @ self._body.inverse_inertia
        return omega_rate

    @cached_property
    def cone_angles(self) -> np.ndarray:
        """Angles (n, 3) [deg] between h and the three body axes, from 0 to 180; NaN for a zero h.

        In a body with internal dissipation h finally points along the axis of the largest moment.
        """
        across = np.stack([np.hypot(self.h[:, i - 2], self.h[:, i - 1]) for i in range(3)], axis=1)
        angles = np.degrees(np.arctan2(across, self.h))
        return np.where((self.h != 0.0).any(axis=1, keepdims=True), angles, np.nan)

    @cached_property
    def orbital_angles(self) -> np.ndarray:
        """Pitch, roll and yaw (n, 3) [deg] of the body relative to its orbital frame; NaN without an orbit.

        They satisfy A = O R_2(pitch) R_1(roll) R_3(yaw), where the columns of O point forward, along the normal of
        the orbit, and up. Pitch is the libration in the plane of the orbit. If several loads have an orbit, the
        first one counts.
        """
        load = orbiting_load(self._loads)
        frame = None if load is None else load.orbital_frame(self.t)
        if frame is None:
            return np.full((len(self.t), 3), np.nan)
        relative = multiply(conjugate(from_matrix(frame)), self.unit_p)
        return np.degrees(angles_from_p(relative, "213"))

    @cached_property
    def target_angle(self) -> np.ndarray:
        """Angle (n,) [deg] of the rotation from the target of a controller to the attitude, from 0 to 180; NaN without a
        target. The target is that of the first load that has one."""
        target = target_attitude(self._loads)
        if target is None:
            return np.full(len(self.t), np.nan)
        return np.degrees(relative_angle(target, self.p))

    @cached_property
    def momentum(self) -> np.ndarray:
        """Linear momentum m c' (n, 3) [kg m/s, space], eq. S3(35); NaN if mass or velocity of the center of
        mass is unknown."""
        mass = self._body.mass
        return self.centre_velocity * (np.nan if mass is None else mass)

    @cached_property
    def canonical_momentum(self) -> np.ndarray:
        """Momenta conjugate to the Euler parameters, g = 2 L^T h (n, 4) [kg m^2/s], eqs. S3(17, 18), at
        p/|p|."""
        return 4.0 * rate_from_omega(self.unit_p, self.h)

    @property
    def _arm(self) -> np.ndarray | None:
        """Vector (3,) [m, body] from the pivot to the center of mass."""
        return self._body.centre_of_mass if self._body.about == "pivot" else None

    @cached_property
    def _center_states(self) -> np.ndarray:
        if self.coupled_center is not None:
            return self.coupled_center
        return np.full((len(self.t), 6), np.nan) if self._center_motion is None else self._center_motion()

    @cached_property
    def constraint(self) -> np.ndarray:
        """Violation of the constraint, p^T p - 1 (n,)."""
        return np.einsum("ni,ni->n", self.p, self.p) - 1.0

    @cached_property
    def energy_drift(self) -> np.ndarray:
        """Relative energy drift (E - E(0)) / max(|E(0)|, T(0)) (n,), without the work of motors that hold the speed of
        a rotor."""
        energy, scale = self._reference_rows("energy"), self._reference_rows("energy_scale")
        return (self.supplied_energy - energy) / scale

    @cached_property
    def momentum_drift(self) -> np.ndarray:
        """Relative drift (|h| - |h(0)|) / |h(0)| (n,). h is constant only without loads."""
        momentum = self._reference_rows("momentum")
        return (np.linalg.norm(self.h, axis=1) - momentum) / np.where(momentum == 0.0, 1.0, momentum)

    @cached_property
    def h_space_drift(self) -> np.ndarray:
        """Relative drift |h - h(0)| / |h(0)| (n,) of length and direction in space components. h is constant only
        without loads."""
        momentum, deviation = self._reference_rows("momentum"), self.h_space - self._reference_rows("h_space")
        return np.linalg.norm(deviation, axis=1) / np.where(momentum == 0.0, 1.0, momentum)

    @cached_property
    def condition(self) -> np.ndarray:
        """Condition number (n,), in the 1-norm, of the linear system that a step solves; NaN if there is none."""
        if self._system is None:
            return np.full(len(self.t), np.nan)
        matrices = self._system()
        with np.errstate(all="ignore"):
            try:
                inverses = np.linalg.inv(matrices)
            except np.linalg.LinAlgError:  # one matrix is exactly singular
                inverses = np.linalg.pinv(matrices)
            norms = [np.abs(matrix).sum(axis=-2).max(axis=-1) for matrix in (matrices, inverses)]
        return np.broadcast_to(norms[0] * norms[1], (len(self.t),))

    def extra(self, name: str) -> np.ndarray:
        """Return the quantity `name` (n,) that only some formulations define; NaN for a lane of another
        formulation."""
        return self._extras.get(name, np.full(len(self.t), np.nan))

    @cached_property
    def lam_parts(self) -> dict[str, np.ndarray]:
        """Theoretical terms (n,) [J] of lambda by name, from attitude, angular velocity and loads alone."""
        return {
            name: TERMS[name](self.t, self.unit_p, self.omega, self._body, self._loads)
            for name in self.terms or ()
        }

    @cached_property
    def lam_terms(self) -> np.ndarray:
        """The `lam_parts` as columns (n, k) [J] in the order of `TERMS`; 0 for terms that the formulation does not
        have, and NaN without a multiplier."""
        if self.terms is None:
            return np.full((len(self.t), len(TERMS)), np.nan)
        nothing = np.zeros(len(self.t))
        return np.stack([self.lam_parts.get(name, nothing) for name in TERMS], axis=1)

    @cached_property
    def lam_theory(self) -> np.ndarray:
        """Theoretical lambda (n,) [J], the sum of `lam_parts`; NaN without a multiplier."""
        if self.terms is None:
            return np.full(len(self.t), np.nan)
        return sum(self.lam_parts.values(), np.zeros(len(self.t)))

    def angles(self, sequence: str) -> np.ndarray:
        """Return the Euler angles (n, 3) [rad] of a sequence such as "313", in the order of the rotations.

        t1 and t3 are within half a turn and t2 within its range, so that they jump as `angles_from_p` describes.
        """
        if sequence not in self._angles:
            self._angles[sequence] = angles_from_p(self.p, sequence)
        return self._angles[sequence]

    def det_S(self, sequence: str) -> np.ndarray:
        """Return det S (n,) of an Euler sequence, with the sign of S2.

        It is 0 where the angles of the sequence are singular.
        """
        return det_S(self.angles(sequence), sequence)

    @cached_property
    def _angles(self) -> dict[str, np.ndarray]:
        return {}

    @property
    def scales(self) -> dict[str, float]:
        """Maps each unit to the typical magnitude of quantities with this unit at the start of the motion.

        The rounding errors of a quantity are proportional to this magnitude.
        """
        reference, spin = self.reference, float(np.nan_to_num(np.linalg.norm(self.omega[0])))
        return {"J": reference.energy_scale, "kg m²/s": reference.momentum, "rad/s": spin}

    @cached_property
    def reference(self) -> DriftReference:
        """Values from which drifts are measured: the given ones, or those of the first row."""
        return self._reference or DriftReference.from_motion(self)

    def _reference_rows(self, name: str) -> np.ndarray:
        """Return one field of the drift reference of each row, (n,) or (n, 3)."""
        references = [self.reference, *self._later_references.values()]
        counts = np.diff([0, *self._later_references, len(self.t)])
        return np.repeat([getattr(reference, name) for reference in references], counts, axis=0)


MAX_SHOWN_ROTORS = 8
"""Number of columns of rotor quantities.

Each of a body's first rotors has a column; further rotors are not shown.
"""


def _in_columns(t: np.ndarray, values: np.ndarray | None) -> np.ndarray:
    """Return values (n, m) of m rotors in `MAX_SHOWN_ROTORS` columns. Columns without a rotor are NaN."""
    columns = np.full((len(t), MAX_SHOWN_ROTORS), np.nan)
    if values is not None:
        count = min(values.shape[1], MAX_SHOWN_ROTORS)
        columns[:, :count] = values[:, :count]
    return columns


ROUNDING_LEVEL = 1e-9
"""Fraction of the typical magnitude of a quantity (`Motion.scales`) below which values count as rounding errors. For
example, a multiplier of zero has errors of 1e-15 of the energy, and a thousand times more in long runs."""


@dataclass(frozen=True)
class Quantity:
    """A quantity of a motion: its name, title, symbols, unit and frame.

    `name` is the attribute of `Motion` that holds the values. A package adds a quantity by an entry point of the
    group `quatviz.quantities`: a module that makes one `Quantity`, whose `of_motion` computes its values from a
    `Motion`, (n,) or (n, k) with as many columns as `symbols`. The quantity then appears in tables, figures and
    scripts, and panels refer to it by its name.
    """

    name: str
    title: str
    symbols: tuple[str, ...]
    unit: str = ""
    frame: str = ""
    """Frame of the components: "body", "space", or "" if the quantity has no frame."""
    sequence: str = ""
    """Euler sequence of a quantity that exists for every sequence. Tables omit it unless it is requested."""
    rare: bool = False
    """True if only some lanes have the quantity, such as those with a ring. The values of other lanes are
    NaN."""
    note: str = ""
    """Remark that is appended to the description of the quantity, as a clause."""
    counted: bool = False
    """True if the components belong to numbered objects such as rotors. A motion may have fewer objects than the
    quantity has components."""
    of_motion: Callable[[Motion], np.ndarray] | None = field(default=None, compare=False, repr=False)
    """Function that computes the values of the quantity from a motion.

    It is None for the name of an attribute of `Motion`.
    """

    @property
    def shape(self) -> str:
        """Shape of the values as text: `(n,)`, or `(n, k)` with the number of components."""
        return "(n,)" if len(self.symbols) == 1 else f"(n, {len(self.symbols)})"

    @property
    def summary(self) -> str:
        """Title, frame and note as a sentence without a period at its end."""
        frame = f", {self.frame} components" if self.frame else ""
        return f"{self.title}{frame}{f': {self.note}' if self.note else ''}"

    @property
    def description(self) -> str:
        """Title, shape, unit, frame and note of the quantity, as one text."""
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{self.title} {self.shape}{unit}{self.summary.removeprefix(self.title)}."

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the components in tables, such as `omega_1`; the name itself for a scalar."""
        if self.counted:
            return tuple(f"{self.name}_{number}" for number in range(1, len(self.symbols) + 1))
        if len(self.symbols) == 1:
            return (self.name,)
        first = 0 if len(self.symbols) == 4 else 1
        axes = "xyz" if self.frame == "space" else "".join(str(first + i) for i in range(len(self.symbols)))
        return tuple(f"{self.name}_{axis}" for axis in axes)

    def values(self, motion: Motion) -> np.ndarray:
        """Return the values for a motion: (n,) for a scalar, (n, k) for a vector."""
        if self.of_motion is None:
            return motion.extra(self.name) if self.rare else getattr(motion, self.name)
        try:
            values = np.asarray(self.of_motion(motion), dtype=np.float64)
        except PLUGIN_EXCEPTIONS as fault:
            if self.sequence:
                raise
            raise self._refusal(describe_exception(fault, [self.of_motion.__module__])) from fault
        if self.counted:  # may be restricted to fewer components, see `present_in`
            values = values[:, : len(self.symbols)]
        expected = (len(motion.t), len(self.symbols))
        if values.shape not in (expected, expected[:1] if expected[1] == 1 else expected):
            raise self._refusal(phrase("an array of the shape {shape}", shape=values.shape))
        return values

    def _refusal(self, found: str) -> InputError:
        """Return the error for a quantity of a plug-in package whose function returns an invalid result."""
        return InputError(
            phrase("the quantity {name} of a plug-in", name=self.name),
            expected=phrase("numbers of the shape {shape}, where n is the number of times", shape=self.shape),
            found=found,
            remedy="report this to its author, or remove the quantity",
            topic="extending#what-a-kind-brings",
        )

    def present_in(self, motion: Motion) -> "Quantity":
        """Return the quantity restricted to the components that exist in a motion. At least one is kept."""
        if not self.counted:
            return self
        known = np.flatnonzero(~np.isnan(self.column_values(motion)).all(axis=0))
        return self.with_count(known[-1] + 1 if len(known) else 1)

    def with_count(self, count: int) -> "Quantity":
        """Return the quantity restricted to its first `count` components, or the quantity itself if its components are
        not counted."""
        return replace(self, symbols=self.symbols[:count]) if self.counted else self

    def column_values(self, motion: Motion) -> np.ndarray:
        """Return the values for a motion as columns (n, k), also for a scalar."""
        values = self.values(motion)
        return values if values.ndim == 2 else values[:, None]


def _euler_quantities(sequence: str) -> tuple[Quantity, Quantity]:
    axes = humanize(sequence)
    return (
        Quantity(
            f"angles_{sequence}",
            f"Euler angles {axes}",
            angle_symbols(sequence),
            "deg",
            sequence=sequence,
            of_motion=partial(_angles_in_degrees, sequence=sequence),
        ),
        Quantity(
            f"det_S_{sequence}",
            f"det S of {axes}",
            ("det S",),
            sequence=sequence,
            of_motion=partial(Motion.det_S, sequence=sequence),
        ),
    )


def _numbered(symbol: str) -> tuple[str, ...]:
    """Return numbered symbols of a quantity, one for each rotor."""
    return tuple(f"{symbol} {number}" for number in range(1, MAX_SHOWN_ROTORS + 1))


def _angles_in_degrees(motion: Motion, sequence: str) -> np.ndarray:
    return np.degrees(motion.angles(sequence))


_BUILT_IN = (
    Quantity(
        "p",
        "Euler parameters",
        ("e₀", "e₁", "e₂", "e₃"),
        note="as integrated, not normalized; scalar first, body to space",
    ),
    Quantity("omega", "Angular velocity", ("ω₁", "ω₂", "ω₃"), "rad/s", "body"),
    Quantity("omega_space", "Angular velocity", ("ω x", "ω y", "ω z"), "rad/s", "space"),
    Quantity("h", "Angular momentum", ("h₁", "h₂", "h₃"), "kg m²/s", "body"),
    Quantity("h_space", "Angular momentum", ("h x", "h y", "h z"), "kg m²/s", "space"),
    Quantity(
        "canonical_momentum",
        "Canonical momenta",
        ("g₀", "g₁", "g₂", "g₃"),
        "kg m²/s",
        note="conjugate to the Euler parameters, g = 2 Lᵀh",
    ),
    Quantity("torque", "Torque of the loads", ("n₁", "n₂", "n₃"), "N m", "body"),
    Quantity("torque_space", "Torque of the loads", ("n x", "n y", "n z"), "N m", "space"),
    Quantity("kinetic", "Kinetic energy", ("T",), "J"),
    Quantity("potential", "Potential energy", ("V",), "J"),
    Quantity("energy", "Energy", ("E",), "J"),
    Quantity("constraint", "Constraint", ("|p|² − 1",), note="|p|² − 1"),
    Quantity("constraint_rate", "Constraint rate", ("p·p′",), "1/s", note="p·p′"),
    Quantity(
        "energy_drift",
        "Energy drift",
        ("ΔE/E₀",),
        note="change of the energy, relative to the start",
    ),
    Quantity(
        "momentum_drift",
        "Momentum drift",
        ("Δ|h|/|h₀|",),
        note="change of |h|, relative to the start; h is constant only without loads",
    ),
    Quantity(
        "h_space_drift",
        "Momentum drift in space",
        ("|Δh|/|h₀|",),
        note="|h − h(0)| in space components over |h(0)|",
    ),
    Quantity("lam", "Lagrange multiplier", ("λ",), "J", note="NaN for formulations without it"),
    Quantity(
        "lam_theory",
        "Lagrange multiplier in theory",
        ("λ theory",),
        "J",
        note="NaN for formulations without it",
    ),
    Quantity(
        "lam_terms",
        "Parts of the multiplier in theory",
        tuple(TERMS),
        "J",
        note="one column per term, 0 for terms that the formulation does not have",
    ),
    Quantity(
        "singularity", "Distance from singularity", ("s",), note="1 for formulations without a singularity"
    ),
    Quantity(
        "condition",
        "Condition number",
        ("κ",),
        note="of the linear system that a step solves; NaN for formulations without it",
    ),
    Quantity(
        "centre",
        "Center of mass",
        ("c x", "c y", "c z"),
        "m",
        "space",
        note="for a body on a pivot or a free body with a mass; else NaN",
    ),
    Quantity(
        "centre_velocity",
        "Velocity of the center of mass",
        ("v x", "v y", "v z"),
        "m/s",
        "space",
        note="for a body on a pivot or a free body with a mass; else NaN",
    ),
    Quantity(
        "pivot_force",
        "Force of the pivot",
        ("F₁", "F₂", "F₃"),
        "N",
        "body",
        note="on a body about a pivot whose mass and center of mass are given; else NaN",
    ),
    Quantity(
        "pivot_force_space",
        "Force of the pivot",
        ("F x", "F y", "F z"),
        "N",
        "space",
        note="on a body about a pivot whose mass and center of mass are given; else NaN",
    ),
    Quantity(
        "cone_angles",
        "Cone angles",
        ("h, e₁", "h, e₂", "h, e₃"),
        "deg",
        note="between h and each body axis",
    ),
    Quantity(
        "orbital_angles",
        "Attitude in the orbit",
        ("pitch", "roll", "yaw"),
        "deg",
        note="2-1-3 angles from the orbital frame (forward, normal, up); NaN without an orbit",
    ),
    Quantity(
        "target_angle",
        "Angle to the target",
        ("θ",),
        "deg",
        note="of the rotation from the target of a controller; NaN without a target",
    ),
    Quantity(
        "momentum",
        "Linear momentum",
        ("mv x", "mv y", "mv z"),
        "kg m/s",
        "space",
        note="mass times the velocity of the center of mass; NaN where one of them is not known",
    ),
    Quantity(
        "ring_angle",
        "Ring angle in the body",
        ("β",),
        "deg",
        rare=True,
        note="NaN for lanes without a ring",
    ),
    Quantity(
        "ring_rate",
        "Ring rate in the body",
        ("β′",),
        "rad/s",
        rare=True,
        note="NaN for lanes without a ring",
    ),
    Quantity(
        "ring_multiplier",
        "Multiplier of the ring",
        ("μ",),
        "N m",
        rare=True,
        note="the torque about the rotor’s z axis between rotor and ring; NaN for lanes without a ring",
    ),
    Quantity(
        "rotor_speed",
        "Rotor speed in the body",
        _numbered("Ω"),
        "rad/s",
        rare=True,
        note="NaN without a rotor",
        counted=True,
        of_motion=attrgetter("rotor_speed"),
    ),
    Quantity(
        "rotor_torque",
        "Motor torque on the rotor",
        _numbered("τ"),
        "N m",
        rare=True,
        note="NaN without a rotor",
        counted=True,
        of_motion=attrgetter("rotor_torque"),
    ),
    Quantity(
        "rotor_momentum",
        "Momentum of the rotor about its axis",
        _numbered("h"),
        "kg m²/s",
        rare=True,
        note="NaN without a rotor",
        counted=True,
        of_motion=attrgetter("rotor_momentum"),
    ),
    *(quantity for sequence in SEQUENCES for quantity in _euler_quantities(sequence)),
)

QUANTITIES: Registry[Quantity] = Registry(__name__, Quantity, _BUILT_IN, "quantities")
"""All quantities by name: first those of quatviz, then those of plug-in packages."""

INTEGRATION_ERROR_QUANTITIES = frozenset(
    ("constraint", "constraint_rate", "energy_drift", "momentum_drift", "h_space_drift")
)
"""Quantities whose deviation from a constant is the error of the lane's own steps.

These quantities are interpolated between samples. Other quantities are computed there by shorter steps, which do not
reproduce the error of the lane's steps.
"""

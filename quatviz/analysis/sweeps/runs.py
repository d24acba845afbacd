"""Data that measures read: groups of runs that are computed together, and blocks of their samples.

Components are the first axis and runs the last, so that code written for one run works for many: `p` is (4, s, b) for
s samples of b runs. For properties shared by all runs, b is 1.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.observables.quantities import Motion

Array = np.ndarray

STATUSES = (
    *("ok", "singular", "not_finite", "step_failed", "no_closed_form", "failed", "refused"),
    *("no_recording", "recording_ended"),
)
"""Statuses at the end of a run. Results store the index, which equals the status of kernels; -1 means not computed."""

LoadFunction = Callable[[BoundLoad, Array, Array, Array], Array]


class RunGroup:
    """Runs of one lane that are computed together.

    Parameters
    ----------
    sweep_preset
        Preset of the sweep, with the numbers that no axis changes.
    formulation_id
        Id of the formulation.
    p, omega
        Initial Euler parameters (4, b) and angular velocity (3, b) [rad/s, body].
    preset_of
        Function that returns the preset of run k.
    has_shared_body
        True if all runs share the body and loads of the first.
    """

    def __init__(
        self,
        sweep_preset: Preset,
        formulation_id: str,
        p: Array,
        omega: Array,
        preset_of: Callable[[int], Preset],
        has_shared_body: bool,
    ) -> None:
        self.sweep_preset = sweep_preset
        self.formulation_id = formulation_id
        """Id of the formulation that computes the runs, such as `euler_angles/313`."""
        self.p = p
        """Initial Euler parameters (4, b), normalized."""
        self.omega = omega
        """Initial angular velocity (3, b) [rad/s, body]."""
        self.preset_of = preset_of
        self.has_shared_body = has_shared_body
        self.count = p.shape[1]
        self.interval = preset_of(0).run.sample_interval
        self.duration = preset_of(0).run.duration
        self._rate_components: dict[bytes, int | None] = {}
        """Cached results of `rate_component`, by the bytes of the axis."""

    @cached_property
    def inertia(self) -> Array:
        """Inertia J (3, 3, b) [kg m^2]."""
        count = 1 if self.has_shared_body else self.count
        return np.stack([self.preset_of(number).body.inertia for number in range(count)], axis=-1)

    @cached_property
    def inverse_inertia(self) -> Array:
        """Inverse inertia (3, 3, b) [1/(kg m^2)]."""
        count = 1 if self.has_shared_body else self.count
        return np.stack([self.preset_of(number).body.inverse_inertia for number in range(count)], axis=-1)

    @cached_property
    def h(self) -> Array:
        """Initial angular momentum (3, b) [kg m^2/s, body] of body and rotors."""
        if not self.has_rotors:
            return transform(self.inertia, self.omega)
        bodies = (self.preset_of(number).body for number in range(self.count))
        return np.stack([body.initial_momentum(self.omega[:, k]) for k, body in enumerate(bodies)], axis=1)

    @property
    def has_rotors(self) -> bool:
        """True if the bodies have rotors."""
        return bool(self.preset_of(0).body.rotors)

    def rotor_system(self, number: int) -> RotorSystem:
        """Return body and rotors of a run."""
        return self._rotor_systems[0 if self.has_shared_body else number]

    @cached_property
    def _rotor_systems(self) -> list[RotorSystem]:
        count = 1 if self.has_shared_body else self.count
        return [RotorSystem(self.preset_of(number).body) for number in range(count)]

    def rate_component(self, axis: Array) -> int | None:
        """Return the index of the component of omega that has the same sign as h along an axis (3,) in all runs.

        Return None if the sign of h depends on several components of omega.
        """
        key = axis.tobytes()
        if key not in self._rate_components:
            (indices,) = np.nonzero(axis)
            weights = np.einsum("i,ijb->jb", axis, self.inertia)
            is_single = len(indices) == 1 and not np.delete(weights, indices[0], axis=0).any()
            self._rate_components[key] = int(indices[0]) if is_single and axis[indices[0]] > 0.0 else None
        return self._rate_components[key]

    @property
    def is_loaded(self) -> bool:
        """True if any load acts."""
        return any(not load.is_zero or load.timed for load in self.preset_of(0).loads)

    def bound_loads(self, number: int) -> Sequence[BoundLoad]:
        """Return the loads that act in a run, each bound to the body of that run."""
        preset = self.preset_of(number)
        return bind(preset.loads, preset.body)

    @cached_property
    def _shared_loads(self) -> Sequence[BoundLoad]:
        return self.bound_loads(0)

    def sum_over_loads(self, width: int, value: LoadFunction, t: Array, p: Array, omega: Array) -> Array:
        """Return the sum (width, s, b) of a quantity over all loads.

        `value` is called with a load, t (n,) [s], p (n, 4) and omega (n, 3), and returns the quantity (n, width).
        """
        samples = p.shape[1]
        total = np.zeros((width, samples, self.count))
        if not self.is_loaded:
            return total
        if self.has_shared_body:
            rows = [np.moveaxis(vectors, 0, -1).reshape(samples * self.count, -1) for vectors in (p, omega)]
            times = np.repeat(t, self.count)
            for load in self._shared_loads:
                total += np.moveaxis(value(load, times, *rows).reshape(samples, self.count, width), -1, 0)
            return total
        for number in range(self.count):
            for load in self.bound_loads(number):
                total[..., number] += (
                    value(load, t, p[..., number].T, omega[..., number].T).reshape(samples, width).T
                )
        return total


class SampleBlock:
    """Samples of runs that are computed together, and quantities derived from them.

    The first row of every block except the initial one repeats the last row of the previous block, so that both
    samples adjacent to any event are in one block. Rows after an early end of a run are NaN.
    """

    def __init__(self, runs: RunGroup, first: int, p: Array, omega: Array) -> None:
        self.runs = runs
        self.first_sample = first
        """Number of the sample in the first row of the block, counted from the start of the run."""
        self.p = p
        """Euler parameters (4, s, b) as integrated."""
        self.omega = omega
        """Angular velocity (3, s, b) [rad/s, body]."""

    @cached_property
    def t(self) -> Array:
        """Times (s,) [s]."""
        return (self.first_sample + np.arange(self.p.shape[1])) * self.runs.interval

    @cached_property
    def unit_p(self) -> Array:
        """Normalized Euler parameters p/|p| (4, s, b)."""
        return self.p / np.sqrt(np.einsum("isb,isb->sb", self.p, self.p))

    @cached_property
    def h(self) -> Array:
        """Angular momentum (3, s, b) [kg m^2/s, body]."""
        return transform(self.runs.inertia[:, :, None], self.omega)

    def h_along(self, axis: Array) -> Array:
        """Return the component (s, b) of h along a body axis (3,). For a principal axis, the other components
        of h are not computed."""
        weights = np.einsum("i,ijb->jb", axis, self.runs.inertia)
        parts = [weights[index] * self.omega[index] for index in range(3) if weights[index].any()]
        return sum(parts[1:], parts[0])

    def h_sign(self, axis: Array) -> Array:
        """Return a quantity (s, b) with the sign of `h_along`, which may be cheaper to compute. For a principal
        axis it is a component of omega."""
        index = self.runs.rate_component(axis)
        return self.h_along(axis) if index is None else self.omega[index]

    @cached_property
    def h_space(self) -> Array:
        """Angular momentum (3, s, b) [kg m^2/s, space]."""
        return rotate(self.unit_p, self.h)

    @cached_property
    def kinetic(self) -> Array:
        """Kinetic energy (s, b) [J]."""
        return 0.5 * np.einsum("isb,isb->sb", self.omega, self.h)

    @cached_property
    def potential(self) -> Array:
        """Potential energy (s, b) [J]."""
        return self.runs.sum_over_loads(
            1, lambda load, t, p, omega: load.potential(t, p), self.t, self.p, self.omega
        )[0]

    @cached_property
    def energy(self) -> Array:
        """Total energy (s, b) [J]."""
        return self.kinetic + self.potential if self.runs.is_loaded else self.kinetic

    @cached_property
    def torque(self) -> Array:
        """Torque of all loads (3, s, b) [N m, body]."""
        return self.runs.sum_over_loads(
            3, lambda load, t, p, omega: load.torque(t, p, omega), self.t, self.unit_p, self.omega
        )

    @cached_property
    def h_rate(self) -> Array:
        """Rate of h in the body frame, h' = n - omega x h (3, s, b) [N m]."""
        return cross(self.h, self.omega) + self.torque if self.runs.is_loaded else cross(self.h, self.omega)

    @cached_property
    def omega_rate(self) -> Array:
        """Angular acceleration omega' (3, s, b) [rad/s^2, body]."""
        return transform(self.runs.inverse_inertia[:, :, None], self.h_rate)


class SystemSampleBlock(SampleBlock):
    """Samples of runs whose angular momentum is not J omega. Derived classes compute `h`, the momentum of the whole
    system."""

    def h_along(self, axis: Array) -> Array:
        return component_along(axis, self.h)

    def h_sign(self, axis: Array) -> Array:
        return self.h_along(axis)


class RotorSampleBlock(SystemSampleBlock):
    """Samples of runs of bodies with rotors. Every quantity is computed run by run, as in `Motion`.

    `rotor_states` (k, s, b) [kg m^2/s] are the integrated momenta of the rotors.
    """

    def __init__(self, runs: RunGroup, first: int, p: Array, omega: Array, rotor_states: Array) -> None:
        super().__init__(runs, first, p, omega)
        self._rotor_states = rotor_states

    @cached_property
    def _rotors(self) -> list[tuple[RotorSystem, Array, Array]]:
        """For each run: the rotors, the angular velocity (s, 3), and the momenta (s, m) of all m rotors."""
        rotors = []
        for number in range(self.runs.count):
            system, omega = self.runs.rotor_system(number), self.omega[..., number].T
            rotors.append((system, omega, system.momenta(omega, self._rotor_states[..., number].T)))
        return rotors

    @cached_property
    def h(self) -> Array:
        return np.stack([system.angular_momentum(*motion).T for system, *motion in self._rotors], axis=-1)

    @cached_property
    def kinetic(self) -> Array:
        return np.stack([system.kinetic_energy(*motion) for system, *motion in self._rotors], axis=-1)

    @cached_property
    def omega_rate(self) -> Array:
        rates = [
            system.omega_rate(self.t, self.unit_p[..., run].T, omega, momenta, self.torque[..., run].T).T
            for run, (system, omega, momenta) in enumerate(self._rotors)
        ]
        return np.stack(rates, axis=-1)


class MotionSampleBlock(SystemSampleBlock):
    """Samples of one run, taken from the motion of its lane, which includes the effect of events and inner motion of
    the body."""

    def __init__(self, runs: RunGroup, first: int, motion: Motion) -> None:
        super().__init__(runs, first, motion.p.T[..., None], motion.omega.T[..., None])
        self._motion = motion

    @cached_property
    def h(self) -> Array:
        return np.asarray(self._motion.h).T[..., None]

    @cached_property
    def kinetic(self) -> Array:
        return np.asarray(self._motion.kinetic)[:, None]

    @cached_property
    def energy(self) -> Array:
        return np.asarray(self._motion.energy)[:, None]

    @cached_property
    def torque(self) -> Array:
        return np.asarray(self._motion.torque).T[..., None]

    @cached_property
    def omega_rate(self) -> Array:
        return self._motion.omega_rate.T[..., None] if self.runs.has_rotors else super().omega_rate


def transform(matrix: Array, v: Array) -> Array:
    """Return M v (3, ...) for M (3, 3, ...) and v (3, ...), using only the diagonal if M is diagonal."""
    if not any(matrix[i, j].any() for i in range(3) for j in range(3) if i != j):
        return np.stack([matrix[i, i] * v[i] for i in range(3)])
    return np.stack([matrix[i, 0] * v[0] + matrix[i, 1] * v[1] + matrix[i, 2] * v[2] for i in range(3)])


def component_along(axis: Array, v: Array) -> Array:
    """Return the component (...) of v (3, ...) along an axis (3,)."""
    parts = [axis[index] * v[index] for index in np.flatnonzero(axis)]
    return sum(parts[1:], parts[0])


def cross(a: Array, b: Array) -> Array:
    """Return a x b (3, ...)."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotate(p: Array, v: Array) -> Array:
    """Return A v (3, ...) for unit p (4, ...), as v + 2 e0 (e x v) + 2 e x (e x v)."""
    e_cross_v = cross(p[1:], v)
    return v + 2.0 * (p[0] * e_cross_v + cross(p[1:], e_cross_v))


def rotate_back(p: Array, v: Array) -> Array:
    """Return A^T v (3, ...) for unit p (4, ...)."""
    e_cross_v = cross(p[1:], v)
    return v - 2.0 * (p[0] * e_cross_v - cross(p[1:], e_cross_v))

"""What measures read: runs that are computed side by side, and blocks of their samples.

Components come first and runs last, so that a measure written for one run holds for a thousand: `p` is (4, s, b) for s
samples of b runs. What stays the same for all of them has 1 in the place of b."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.observables.quantities import Motion

Array = np.ndarray

STATUSES = (
    *("ok", "singular", "not_finite", "step_failed", "no_closed_form", "failed", "refused"),
    *("no_recording", "recording_ended"),
)
"""How a run ended, by its number in what is found, which is that of kernels where they end it; -1 is one not computed yet."""

Value = Callable[[BoundLoad, Array, Array, Array], Array]


class Runs:
    """Runs of one lane that are computed side by side: `count` of them, with samples each `interval` [s] up to `duration` [s].

    `own` is the preset of the sweep, with the numbers that no axis changes; `presets(k)` that of the run k.
    `same_body` says that body and loads are those of the first run in all of them.
    """

    def __init__(
        self,
        own: Preset,
        lane: str,
        p: Array,
        omega: Array,
        presets: Callable[[int], Preset],
        same_body: bool,
    ) -> None:
        self.own = own
        self.lane = lane
        """The formulation's id."""
        self.p = p
        """At the start (4, b), unit."""
        self.omega = omega
        """At the start (3, b) [rad/s, body]."""
        self.presets = presets
        self.same_body = same_body
        self.count = p.shape[1]
        self.interval = presets(0).run.sample_interval
        self.duration = presets(0).run.duration
        self._rates: dict[bytes, int | None] = {}
        """What `rate_along` has found."""

    @cached_property
    def inertia(self) -> Array:
        """J (3, 3, b) [kg m^2]."""
        count = 1 if self.same_body else self.count
        return np.stack([self.presets(number).body.inertia for number in range(count)], axis=-1)

    @cached_property
    def inverse_inertia(self) -> Array:
        """1/J (3, 3, b)."""
        count = 1 if self.same_body else self.count
        return np.stack([self.presets(number).body.inverse_inertia for number in range(count)], axis=-1)

    @cached_property
    def h(self) -> Array:
        """Angular momentum at the start (3, b) [kg m^2/s, body]."""
        return transformed(self.inertia, self.omega)

    def rate_along(self, axis: Array) -> int | None:
        """Which component of omega has the sign of h along an axis (3,) in all runs; None where that takes more than one."""
        key = axis.tobytes()
        if key not in self._rates:
            (places,) = np.nonzero(axis)
            weights = np.einsum("i,ijb->jb", axis, self.inertia)
            alone = len(places) == 1 and not np.delete(weights, places[0], axis=0).any()
            self._rates[key] = int(places[0]) if alone and axis[places[0]] > 0.0 else None
        return self._rates[key]

    @property
    def loaded(self) -> bool:
        """Whether anything acts."""
        return any(not load.idle or load.timed for load in self.presets(0).loads)

    def loads(self, number: int) -> Sequence[BoundLoad]:
        """The loads of a run, bound to its body."""
        preset = self.presets(number)
        return bind(preset.loads, preset.body)

    @cached_property
    def _shared_loads(self) -> Sequence[BoundLoad]:
        return self.loads(0)

    def of_loads(self, width: int, value: Value, t: Array, p: Array, omega: Array) -> Array:
        """The sum over loads of `value(load, t (n,), p (n, 4), omega (n, 3))`, (n, width) each, as (width, s, b)."""
        samples = p.shape[1]
        total = np.zeros((width, samples, self.count))
        if not self.loaded:
            return total
        if self.same_body:
            rows = [np.moveaxis(each, 0, -1).reshape(samples * self.count, -1) for each in (p, omega)]
            times = np.repeat(t, self.count)
            for load in self._shared_loads:
                total += np.moveaxis(value(load, times, *rows).reshape(samples, self.count, width), -1, 0)
            return total
        for number in range(self.count):
            for load in self.loads(number):
                total[..., number] += (
                    value(load, t, p[..., number].T, omega[..., number].T).reshape(samples, width).T
                )
        return total


class Block:
    """Samples of runs that are computed side by side, and what follows from them. The first row of every block but that of
    the start is the last of the block before, so that whatever happens between two samples is between two rows of one block.
    Behind the end of a run that ends early its rows are NaN."""

    def __init__(self, runs: Runs, first: int, p: Array, omega: Array) -> None:
        self.runs = runs
        self.first = first
        """The sample of the first row."""
        self.p = p
        """(4, s, b), as integrated."""
        self.omega = omega
        """(3, s, b) [rad/s, body]."""

    @cached_property
    def t(self) -> Array:
        """(s,) [s]."""
        return (self.first + np.arange(self.p.shape[1])) * self.runs.interval

    @cached_property
    def unit_p(self) -> Array:
        """p/|p| (4, s, b)."""
        return self.p / np.sqrt(np.einsum("isb,isb->sb", self.p, self.p))

    @cached_property
    def h(self) -> Array:
        """Angular momentum (3, s, b) [kg m^2/s, body]."""
        return transformed(self.runs.inertia[:, :, None], self.omega)

    def h_along(self, axis: Array) -> Array:
        """The component (s, b) of h along an axis (3,) of the body: alone, where that is a principal axis, without the others."""
        weights = np.einsum("i,ijb->jb", axis, self.runs.inertia)
        parts = [weights[place] * self.omega[place] for place in range(3) if weights[place].any()]
        return sum(parts[1:], parts[0])

    def h_side(self, axis: Array) -> Array:
        """The same but for a positive factor: where only its sign is asked for, the rate about a principal axis tells it."""
        place = self.runs.rate_along(axis)
        return self.h_along(axis) if place is None else self.omega[place]

    @cached_property
    def h_space(self) -> Array:
        """Angular momentum (3, s, b) [kg m^2/s, space]."""
        return rotated(self.unit_p, self.h)

    @cached_property
    def kinetic(self) -> Array:
        """(s, b) [J]."""
        return 0.5 * np.einsum("isb,isb->sb", self.omega, self.h)

    @cached_property
    def potential(self) -> Array:
        """(s, b) [J]."""
        return self.runs.of_loads(
            1, lambda load, t, p, omega: load.potential(t, p), self.t, self.p, self.omega
        )[0]

    @cached_property
    def energy(self) -> Array:
        """(s, b) [J]."""
        return self.kinetic + self.potential if self.runs.loaded else self.kinetic

    @cached_property
    def torque(self) -> Array:
        """(3, s, b) [N m, body]."""
        return self.runs.of_loads(
            3, lambda load, t, p, omega: load.torque(t, p, omega), self.t, self.unit_p, self.omega
        )

    @cached_property
    def h_rate(self) -> Array:
        """h' in the body (3, s, b) [N m]: n - omega x h."""
        return crossed(self.h, self.omega) + self.torque if self.runs.loaded else crossed(self.h, self.omega)

    @cached_property
    def omega_rate(self) -> Array:
        """omega' (3, s, b) [rad/s^2, body]."""
        return transformed(self.runs.inverse_inertia[:, :, None], self.h_rate)


class MotionBlock(Block):
    """The same of one run, by a lane's own motion: with whatever moves inside the body, and after events."""

    def __init__(self, runs: Runs, first: int, motion: Motion) -> None:
        super().__init__(runs, first, motion.p.T[..., None], motion.omega.T[..., None])
        self._motion = motion

    @cached_property
    def h(self) -> Array:
        return np.asarray(self._motion.h).T[..., None]

    def h_along(self, axis: Array) -> Array:
        return along(axis, self.h)

    def h_side(self, axis: Array) -> Array:
        return self.h_along(axis)

    @cached_property
    def kinetic(self) -> Array:
        return np.asarray(self._motion.kinetic)[:, None]

    @cached_property
    def energy(self) -> Array:
        return np.asarray(self._motion.energy)[:, None]

    @cached_property
    def torque(self) -> Array:
        return np.asarray(self._motion.torque).T[..., None]


def transformed(matrix: Array, v: Array) -> Array:
    """M v (3, ...) of M (3, 3, ...) and v (3, ...); diagonal ones by their diagonal alone."""
    if not any(matrix[i, j].any() for i in range(3) for j in range(3) if i != j):
        return np.stack([matrix[i, i] * v[i] for i in range(3)])
    return np.stack([matrix[i, 0] * v[0] + matrix[i, 1] * v[1] + matrix[i, 2] * v[2] for i in range(3)])


def along(axis: Array, v: Array) -> Array:
    """The component (...) of v (3, ...) along an axis (3,)."""
    parts = [axis[place] * v[place] for place in np.flatnonzero(axis)]
    return sum(parts[1:], parts[0])


def crossed(a: Array, b: Array) -> Array:
    """a x b (3, ...)."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotated(p: Array, v: Array) -> Array:
    """A v (3, ...), for unit p (4, ...): v + 2 e0 (e x v) + 2 e x (e x v)."""
    turn = crossed(p[1:], v)
    return v + 2.0 * (p[0] * turn + crossed(p[1:], turn))


def rotated_back(p: Array, v: Array) -> Array:
    """A^T v (3, ...), for unit p (4, ...)."""
    turn = crossed(p[1:], v)
    return v - 2.0 * (p[0] * turn - crossed(p[1:], turn))

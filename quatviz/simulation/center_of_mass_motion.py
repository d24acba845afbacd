"""Motion of the center of mass of a free body, computed on request if it does not affect the rotation.

If rotation and translation depend on each other, the lane integrates both: see `physics.formulations._translation`.

Otherwise every force on the body depends on time and attitude, or on the position alone. m c'' = F is then
integrated over the recorded samples and not in the stepping loop, by Simpson's rule over each interval. The
attitude in the middle of an interval comes from a cubic through p and p' at its ends. With position-dependent
forces, the rule is Nystrom's method. The error is of fourth order in the interval. If the body rotates too far
between samples, rows between samples are used too.
"""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import Preset
from quatviz.physics.formulations._translation import is_coupled
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalize, rate_from_omega
from quatviz.physics.observables.quantities import Motion

BLOCK = 8192
"""Number of samples whose center of mass is computed at once."""

MAX_TURN = 0.2
"""Largest rotation [rad] of the body between two rows from which the path is integrated. If the body rotates
more between two samples, additional rows between them are computed. The relative error of the path is then
about 1e-6."""
ROW_FACTOR, MAX_ROWS_PER_SAMPLE = 4, 10_000
"""Factor by which the number of rows per sample is multiplied, repeatedly if necessary, until the body rotates by less
than `MAX_TURN` between rows; and the largest number of rows per sample."""

MotionReader = Callable[[int, int, int], Motion]
"""Type of a function (first, stop, rows per sample) that returns the motion of the body at the equidistant
rows numbered `first` to `stop` - 1. Row 0 is at t = 0."""


def is_free(body: Body, loads: Sequence[Load | BoundLoad]) -> bool:
    """Return True if the body is free to translate. The program then computes the motion of its center of mass, after
    the rotation or, if the two are coupled, together with it."""
    return moves_beside_rotation(body, loads) or is_coupled(body, loads)


def moves_beside_rotation(body: Body, loads: Sequence[Load | BoundLoad]) -> bool:
    """Return True if the body translates and its translation does not affect the rotation, so that the
    translation can be computed after the rotation."""
    depends_on_position = any(load.position_matters for load in loads)
    return (
        body.about == "centre_of_mass"
        and body.mass is not None
        and body.ring is None
        and not depends_on_position
    )


def translation_remark(preset: Preset) -> str:
    """Return a sentence that explains why the center of mass does not move although the body has a mass, or why its
    initial position or velocity has no effect; "" if neither applies.

    Raises
    ------
    InputError
        If the preset gives an initial position or velocity although a load depends on the position.
    """
    body, initial = preset.body, preset.initial
    start_keys = [name for name in ("position", "velocity") if np.any(getattr(initial, name))]
    if body.about != "centre_of_mass" or body.mass is None or body.ring is not None:
        return _unused_start_remark(body, start_keys[0]) if start_keys else ""
    loads = [load for load in preset.all_loads if load.position_matters]
    names = [phrase(load.name.replace("_", " ")) for load in loads if load.center_column is None]
    if not names:
        return ""
    if start_keys:
        raise InputError(
            expected=phrase(
                "no key {key}: the center of mass is held fixed, because it is unknown how the load {load} depends on its "
                "position",
                key=start_keys[0],
                load=names[0],
            ),
            found="an initial state of the translation",
            remedy="remove the key, so that the center of mass stays where it is, or remove that load",
            key=f"initial.{start_keys[0]}",
            topic="loads#the-center-of-mass",
        )
    return phrase(
        "The center of mass is held fixed, because it is unknown how the load {load} depends on its position",
        load=names[0],
    )


def _unused_start_remark(body: Body, key: str) -> str:
    """Return why the initial position or velocity, as named by `key`, has no effect for a body that does not
    translate."""
    if body.about == "pivot":
        return phrase("{key} has no effect: the body rotates about a pivot", key=key)
    if body.ring is not None:
        return phrase("{key} has no effect: the translation of a body with a ring is not integrated", key=key)
    return phrase("{key} has no effect: the translation of a body without a mass is not integrated", key=key)


def center_of_mass_reader(
    preset: Preset, read_motion: MotionReader, rows_per_sample: int
) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that maps sample numbers (n,) to rows (n, 6): position [m] and velocity [m/s] of the center of
    mass in space.

    The values are NaN for a held body, and for a preset with events, because the effect of events on the center of mass
    does not follow from the forces alone. If the body rotates by more than `MAX_TURN` between two samples, the rotation
    is also read between them, with `rows_per_sample` rows per sample or, if necessary, a multiple of this number. If
    `rows_per_sample` is 1, only samples are read.
    """
    if not moves_beside_rotation(preset.body, preset.all_loads) or preset.events:
        return lambda samples: np.full((len(samples), 6), np.nan)
    interval = preset.run.sample_interval
    motion = CenterOfMassMotion(
        preset.body, preset.loads, preset.initial, interval, read_motion, rows_per_sample
    )
    return lambda samples: motion.rows_until(int(samples.max()) + 1 if len(samples) else 0)[samples]


def interpolate_center(
    start: np.ndarray, end: np.ndarray, duration: np.ndarray | float, fraction: np.ndarray
) -> np.ndarray:
    """Return position and velocity (n, 6) of the center of mass by a cubic that has the given positions and
    velocities at both ends.

    Parameters
    ----------
    start, end
        Position [m] and velocity [m/s] (n, 6) at both ends.
    duration
        Time between both ends [s], a number or (n, 1).
    fraction
        Elapsed fraction of the duration (n, 1), 0 to 1.

    Examples
    --------
    >>> rest, passed = np.zeros((1, 6)), np.array([[1.0, 0, 0, 2.0, 0, 0]])
    >>> interpolate_center(rest, passed, 1.0, np.array([[0.5]])).tolist()  # c = t^2
    [[0.25, 0.0, 0.0, 1.0, 0.0, 0.0]]
    """
    rise = end[:, :3] - start[:, :3]
    start_slope, end_slope = duration * start[:, 3:] - rise, duration * end[:, 3:] - rise
    blend = fraction * (1.0 - fraction)
    position = (
        start[:, :3] + fraction * rise + blend * ((1.0 - fraction) * start_slope - fraction * end_slope)
    )
    slope = (
        rise
        + (1.0 - 2.0 * fraction) * ((1.0 - fraction) * start_slope - fraction * end_slope)
        - blend * (start_slope + end_slope)
    )
    return np.concatenate((position, slope / duration), axis=1)


class CenterOfMassMotion:
    """Translation of a body, integrated on request: position [m] and velocity [m/s] of the center of mass in space, as
    rows (n, 6), one per sample."""

    def __init__(
        self,
        body: Body,
        loads: Sequence[Load],
        initial: Initial,
        interval: float,
        read_motion: MotionReader,
        rows_per_sample: int,
    ) -> None:
        assert body.mass is not None
        self._mass, self._loads, self._interval = body.mass, bind(loads, body), interval
        self._position_loads = [
            load for load in self._loads if load.translational_force(np.zeros(3)) is not None
        ]
        self._read_motion, self._rows_per_sample = read_motion, rows_per_sample
        self._lock = threading.Lock()
        start = [initial.position, initial.velocity]
        self._rows = np.concatenate([np.zeros(3) if component is None else component for component in start])[
            None
        ]
        self._count = 1

    def rows_until(self, stop: int) -> np.ndarray:
        """Return the rows (stop, 6) of position and velocity at the samples before `stop`."""
        with self._lock:
            while self._count < stop:
                last = min(stop, self._count + BLOCK)
                self._extend(last)
            return self._rows[:stop]

    def _extend(self, stop: int) -> None:
        first = self._count - 1
        counts = self._rows_per_interval(first, stop)
        changes = (np.flatnonzero(np.diff(counts)) + 1).tolist()
        for low, high in pairwise([0, *changes, len(counts)]):
            self._extend_by_rows(first + high + 1, int(counts[low]))

    def _rows_per_interval(self, first: int, stop: int) -> np.ndarray:
        """Return the number of rows to read in each interval (n,) between consecutive samples from `first` to `stop` -
        1. It depends only on the motion at the two samples, so that every call returns the same number for an interval."""
        rates = np.linalg.norm(self._read_motion(first, stop, 1).omega, axis=1)
        with np.errstate(all="ignore"):
            excess = np.nan_to_num(self._interval * np.maximum(rates[1:], rates[:-1]) / MAX_TURN, posinf=0.0)
            powers = np.ceil(np.log(excess / self._rows_per_sample) / np.log(ROW_FACTOR))
        counts = self._rows_per_sample * ROW_FACTOR ** np.maximum(np.nan_to_num(powers, neginf=0.0), 0.0)
        is_sparse = (excess > 1.0) & (self._rows_per_sample > 1)
        return np.where(is_sparse, np.minimum(counts, MAX_ROWS_PER_SAMPLE), 1).astype(int)

    def _extend_by_rows(self, stop: int, rows_per_sample: int) -> None:
        first, h = (self._count - 1) * rows_per_sample, self._interval / rows_per_sample
        last = (stop - 1) * rows_per_sample
        states = self._read_motion(first, last + 1, rows_per_sample)
        p, omega = states.p, states.omega
        t = np.arange(first, last + 1) * h
        unit = normalize(p)
        signs = np.cumprod(
            np.concatenate(([1.0], np.where((unit[1:] * unit[:-1]).sum(axis=1) < 0, -1.0, 1.0)))
        )
        unit = unit * signs[:, None]  # the cubic requires continuous signs of p
        rate = rate_from_omega(unit, omega)
        middle = normalize(0.5 * (unit[1:] + unit[:-1]) + 0.125 * h * (rate[:-1] - rate[1:]))
        end_accelerations, middle_accelerations = (
            self._force(t, unit) / self._mass,
            self._force(t[:-1] + 0.5 * h, middle) / self._mass,
        )
        start = self._rows[self._count - 1]
        position, velocity = self._integrate(start, end_accelerations, middle_accelerations, h)
        capacity = len(self._rows)
        if stop > capacity:
            buffer = np.empty((max(stop, 2 * capacity), 6))
            buffer[: self._count] = self._rows[: self._count]
            self._rows = buffer
        rows = np.concatenate((position, velocity), axis=1)
        self._rows[self._count : stop] = rows[rows_per_sample - 1 :: rows_per_sample]
        self._count = stop

    def _integrate(
        self, start: np.ndarray, ends: np.ndarray, between: np.ndarray, h: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return positions [m] and velocities [m/s] (n, 3) at the end of each of n intervals of `h` [s]. The
        accelerations are given at the ends of the intervals, (n + 1, 3), and in the middle of each, (n, 3)."""
        if self._position_loads:
            return self._integrate_with_position(start, ends, between, h)
        velocity_changes = h / 6.0 * (ends[:-1] + 4.0 * between + ends[1:])
        velocity = start[3:] + np.concatenate((np.zeros((1, 3)), np.cumsum(velocity_changes, axis=0)))
        displacements = h * velocity[:-1] + h * h / 6.0 * (ends[:-1] + 2.0 * between)
        return start[:3] + np.cumsum(displacements, axis=0), velocity[1:]

    def _integrate_with_position(
        self, start: np.ndarray, ends: np.ndarray, between: np.ndarray, h: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Integrate as `_integrate` does, by Nystrom's method, for an acceleration that also depends on the
        position."""
        c, v = start[:3], start[3:]
        rows = np.empty((len(between), 6))
        for row, first, middle, last in zip(rows, ends[:-1], between, ends[1:], strict=True):
            first_acceleration = first + self._position_acceleration(c)
            middle_acceleration = middle + self._position_acceleration(
                c + 0.5 * h * v + 0.125 * h * h * first_acceleration
            )
            last_acceleration = last + self._position_acceleration(
                c + h * v + 0.5 * h * h * middle_acceleration
            )
            c, v = (
                c + h * v + h * h / 6.0 * (first_acceleration + 2.0 * middle_acceleration),
                v + h / 6.0 * (first_acceleration + 4.0 * middle_acceleration + last_acceleration),
            )
            row[:3], row[3:] = c, v
        return rows[:, :3], rows[:, 3:]

    def _position_acceleration(self, center: np.ndarray) -> np.ndarray:
        """Return the acceleration (3,) [m/s^2, space] due to loads that depend only on the position of the
        center of mass, at `center` (3,) [m, space]."""
        forces = (load.translational_force(center) for load in self._position_loads)
        return np.asarray(sum((force for force in forces if force is not None), np.zeros(3)) / self._mass)

    def _force(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the sum (n, 3) [N, space] of all forces at times (n,) [s] and attitudes p (n, 4)."""
        forces = (load.force(t, p) for load in self._loads)
        return np.asarray(sum((force[0] for force in forces if force is not None), np.zeros((len(t), 3))))

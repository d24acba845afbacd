"""Running a motion in every lane there is, and how far a lane can be held to its word."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from quatviz.base.errors import InputError
from quatviz.files.preset import Preset, steps_per_sample
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.verification.check import Check, check_zero

NEAR_SINGULARITY = 0.25
"""A lane whose singularity measure has fallen below this loses digits fast; it is not compared from there on."""
TARGET_ERROR = 2e-6
"""A lane that is farther [rad] from its own limit, by two steps, takes half the step, as often as `_MAX_HALVINGS`."""
_MAX_HALVINGS = 6
_SAFETY_FACTOR = 3.0
MAX_TOLERANCE_FACTOR = 1e3
"""How many times its tolerance a lane may be allowed for the error of its step."""
_MAX_ROWS = 30_000
"""Of a lane that can be singular: recorded as finely as these rows allow, because det S dips between samples."""

Quantity = Callable[[Motion], np.ndarray]


def attitude(motion: Motion) -> np.ndarray:
    """A (n, 3, 3): unlike p it does not depend on a sign."""
    return rotation_matrix(motion.unit_p)


def normalized_momentum(motion: Motion) -> np.ndarray:
    """h (n, 3) [body] over its magnitude at t = 0, or over 1 where that is zero."""
    return motion.h / (motion.reference.momentum or 1.0)


@dataclass(frozen=True)
class StepHalvingPair:
    """A lane that was run, and the same lane with twice its step, which tells how far from its limit it is."""

    preset: Preset
    lane: LaneRun
    coarse: LaneRun
    samples: int
    """Samples to compare of a lane that reaches the end."""
    stride: int = 1
    """Recorded samples for each of those."""

    @cached_property
    def regular_samples(self) -> int:
        """How many samples to compare the lane made before it came near a singularity of its own."""
        return -(-_regular_sample_count(self.lane) // self.stride)

    @property
    def is_complete(self) -> bool:
        """Whether it can be compared to the end."""
        return self.regular_samples == self.samples

    @property
    def description(self) -> str:
        """What a check's `run_lanes` says."""
        return f"{self.preset.name}, {self.lane.name}, {self.lane.integrator.name}, dt = {self.lane.dt:g} s"

    @cached_property
    def motion(self) -> Motion:
        """The stretch that can be compared."""
        return self._motion_of(self.lane, self.regular_samples)

    def estimated_error(self, quantity: Quantity) -> float:
        """How far the lane is from its own limit: two steps lie apart by (2^order - 1) times the error of the finer one."""
        fine, coarse = map(quantity, self._common_motions)
        gap = float(np.abs(fine - coarse).max(initial=0.0))
        return _SAFETY_FACTOR * gap / (2**self.lane.integrator.order - 1)

    @cached_property
    def _common_motions(self) -> tuple[Motion, Motion]:
        """The lane and the coarse one, as far as both can be compared."""
        common = min(self.regular_samples, -(-_regular_sample_count(self.coarse) // self.stride))
        fine = self.motion if common == self.regular_samples else self._motion_of(self.lane, common)
        return fine, self._motion_of(self.coarse, common)

    def allowed_error(self, tolerance: float, quantity: Quantity) -> float:
        """The `tolerance` of a lane, or the error of its own step where that is larger, within reason.

        So a form that loses digits, by its nature or near its singularity, is held to what it can do, while one that
        converges to something wrong is caught: its two steps agree.
        """
        return min(max(tolerance, self.estimated_error(quantity)), MAX_TOLERANCE_FACTOR * tolerance)

    def check_zero(self, name: str, quantity: Quantity, tolerance: float, kind: str = "") -> Check:
        """The check that all of a quantity is zero. What the lane is allowed takes as long as a run, and is asked for where the
        `tolerance` does not do."""
        error = np.abs(quantity(self.motion)).max()
        allowed = tolerance if error <= tolerance else self.allowed_error(tolerance, quantity)
        return check_zero(name, error, allowed, self.description, kind)

    def _motion_of(self, lane: LaneRun, samples: int) -> Motion:
        if self.stride == 1:
            return lane.motion(stop=samples)
        return lane.motion_at(np.arange(samples) * self.stride)


def lane_ids(with_rotors: bool = False) -> list[str]:
    """Every lane id of a single body that is integrated, all variants, but for forms that say that they do not follow it; of a body
    with rotors only of forms that move these."""
    return [
        f"{name}/{variant}" if variant else name
        for name, family in FORMULATIONS.items()
        for variant in family.variants or ("",)
        if family(variant).yields_motion and not family.carries_ring and not family.has_closed_form
        if not with_rotors or family.rotor_parameter_type is not None
    ]


def run_lanes(
    preset: Preset,
    lanes: Sequence[str] | None = None,
    *,
    dt: float,
    duration: float,
    sample_interval: float,
    integrator: str = "rk4",
    target_error: float = TARGET_ERROR,
) -> list[StepHalvingPair]:
    """`preset` in the lanes named, each a text as `Lane.from_string` reads it, or in all; those that refuse its body
    and loads, or the integrator, are left out. With a method of fixed step a lane's step is `dt`, or what part of it
    brings its attitude `target_error` [rad] of its own limit."""
    run_preset = preset.with_run(
        integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval
    )
    chosen = lane_ids(bool(preset.body.rotors)) if lanes is None else lanes
    with ThreadPoolExecutor(2) as pool:  # compiled kernels let go of the interpreter
        pairs = pool.map(lambda lane: _run_pair(run_preset, lane, target_error), chosen)
    return [pair for pair in pairs if pair is not None]


def check_endings(pairs: Sequence[StepHalvingPair]) -> Iterator[Check]:
    """Lanes that are not compared to the end of the run must have a singularity, and be near it."""
    for pair in pairs:
        if not pair.is_complete:
            lane = pair.lane
            title = lane.formulation.singularity_title
            time = _regular_sample_count(lane) * lane.interval
            name = f"{pair.preset.name}: {title or lane.status} of {lane.name} near 0 at t = {time:.6g} s"
            kind = "lanes that are compared to near their singularity only"
            yield check_zero(name, _singularity_at_end(pair), NEAR_SINGULARITY, pair.description, kind)


def _run_pair(run_preset: Preset, lane: str, target_error: float) -> StepHalvingPair | None:
    """`lane` at the step of the run, or at what part of it brings it `target_error` of its limit; None where it refuses the run."""
    samples = round(run_preset.run.duration / run_preset.run.sample_interval) + 1
    dt = run_preset.run.dt
    stride = _sample_stride(run_preset, lane, samples)
    interval = run_preset.run.sample_interval / stride
    try:
        coarse_simulation = _make_simulation(run_preset, lane, 2 * dt, interval)
    except InputError:
        return None
    coarse, fine = (
        _run_simulation(coarse_simulation),
        _run_simulation(_make_simulation(run_preset, lane, dt, interval)),
    )
    pair = StepHalvingPair(run_preset, fine, coarse, samples, stride)
    if not fine.integrator.fixed_step or target_error == np.inf:
        return pair
    error = pair.estimated_error(attitude)
    for _ in range(_MAX_HALVINGS):
        if error <= target_error:
            break
        dt /= 2
        finer_pair = StepHalvingPair(
            run_preset,
            _run_simulation(_make_simulation(run_preset, lane, dt, interval)),
            pair.lane,
            samples,
            stride,
        )
        previous_error, error = error, finer_pair.estimated_error(attitude)
        if error > 0.5 * previous_error:  # rounding, which shorter steps make worse
            break
        pair = finer_pair
    return pair


def _sample_stride(run_preset: Preset, lane: str, samples: int) -> int:
    """Recorded samples for each that is compared: twice the step divides them, and `_MAX_ROWS` holds them."""
    if not FORMULATIONS[lane.partition(",")[0].partition("/")[0]].singularity_title:
        return 1
    steps = steps_per_sample(2 * run_preset.run.dt, run_preset.run.sample_interval)
    return max(n for n in range(1, steps + 1) if steps % n == 0 and (n * samples <= _MAX_ROWS or n == 1))


def _make_simulation(run_preset: Preset, lane: str, dt: float, interval: float) -> Simulation:
    return Simulation(run_preset.with_run(lanes=[lane], dt=dt, sample_interval=interval))


def _run_simulation(simulation: Simulation) -> LaneRun:
    simulation.complete()
    return simulation.lanes[0]


def _regular_sample_count(lane: LaneRun) -> int:
    """Recorded samples before the singularity is near."""
    near = _near_singular_samples(lane)
    return int(near[0]) if near.size else lane.samples


@lru_cache(maxsize=8)  # asked for by each pair that the lane is in, and by its ending
def _near_singular_samples(lane: LaneRun) -> np.ndarray:
    return np.flatnonzero(~(np.abs(lane.singularity) > NEAR_SINGULARITY))


def _singularity_at_end(pair: StepHalvingPair) -> float:
    """The singularity measure where the comparison ends, 0 where the lane itself says that it is singular, NaN where
    nothing excuses the end."""
    lane = pair.lane
    if not lane.formulation.singularity_title:
        return np.nan
    near = _near_singular_samples(lane)
    if near.size:
        return float(abs(lane.singularity[near[0]]))
    return 0.0 if lane.status == "singular" else np.nan

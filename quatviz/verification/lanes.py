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
from quatviz.verification.check import Check, vanishing

NEAR = 0.25
"""A lane whose singularity measure has fallen below this loses digits fast; it is not compared from there on."""
WITHIN = 2e-6
"""A lane that is farther [rad] from its own limit, by two steps, takes half the step, as often as `_HALVINGS`."""
_HALVINGS = 6
_SAFETY = 3.0
MOST = 1e3
"""How many times its tolerance a lane may be allowed for the error of its step."""
_MOST_ROWS = 30_000
"""Of a lane that can be singular: recorded as finely as these rows allow, because det S dips between samples."""

Quantity = Callable[[Motion], np.ndarray]


def attitude(motion: Motion) -> np.ndarray:
    """A (n, 3, 3): unlike p it does not depend on a sign."""
    return rotation_matrix(motion.unit_p)


def direction_of_h(motion: Motion) -> np.ndarray:
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
    every: int = 1
    """Recorded samples for each of those."""

    @cached_property
    def regular(self) -> int:
        """How many samples to compare the lane made before it came near a singularity of its own."""
        return -(-_regular(self.lane) // self.every)

    @property
    def complete(self) -> bool:
        """Whether it can be compared to the end."""
        return self.regular == self.samples

    @property
    def described(self) -> str:
        """What a check's `run` says."""
        return f"{self.preset.name}, {self.lane.name}, {self.lane.integrator.name}, dt = {self.lane.dt:g} s"

    @cached_property
    def motion(self) -> Motion:
        """The stretch that can be compared."""
        return self._stretch(self.lane, self.regular)

    def error(self, quantity: Quantity) -> float:
        """How far the lane is from its own limit: two steps lie apart by (2^order - 1) times the error of the finer one."""
        fine, coarse = map(quantity, self._both)
        gap = float(np.abs(fine - coarse).max(initial=0.0))
        return _SAFETY * gap / (2**self.lane.integrator.order - 1)

    @cached_property
    def _both(self) -> tuple[Motion, Motion]:
        """The lane and the coarse one, as far as both can be compared."""
        common = min(self.regular, -(-_regular(self.coarse) // self.every))
        fine = self.motion if common == self.regular else self._stretch(self.lane, common)
        return fine, self._stretch(self.coarse, common)

    def allowed(self, tolerance: float, quantity: Quantity) -> float:
        """The `tolerance` of a lane, or the error of its own step where that is larger, within reason.

        So a form that loses digits, by its nature or near its singularity, is held to what it can do, while one that
        converges to something wrong is caught: its two steps agree.
        """
        return min(max(tolerance, self.error(quantity)), MOST * tolerance)

    def vanishing(self, name: str, quantity: Quantity, tolerance: float, kind: str = "") -> Check:
        """The check that all of a quantity is zero. What the lane is allowed takes as long as a run, and is asked for where the
        `tolerance` does not do."""
        error = np.abs(quantity(self.motion)).max()
        allowed = tolerance if error <= tolerance else self.allowed(tolerance, quantity)
        return vanishing(name, error, allowed, self.described, kind)

    def _stretch(self, lane: LaneRun, samples: int) -> Motion:
        if self.every == 1:
            return lane.motion(stop=samples)
        return lane.motion_at(np.arange(samples) * self.every)


def lane_ids() -> list[str]:
    """Every lane id of a single body that is integrated, all variants, but for forms that say that they do not follow it."""
    return [
        f"{name}/{variant}" if variant else name
        for name, family in FORMULATIONS.items()
        for variant in family.variants or ("",)
        if family(variant).yields_motion and not family.carries_ring and not family.closed_form
    ]


def run(
    preset: Preset,
    lanes: Sequence[str] | None = None,
    *,
    dt: float,
    duration: float,
    sample_interval: float,
    integrator: str = "rk4",
    within: float = WITHIN,
) -> list[StepHalvingPair]:
    """`preset` in the lanes named, each a text as `Lane.from_string` reads it, or in all; those that refuse its body
    and loads, or the integrator, are left out. With a method of fixed step a lane's step is `dt`, or what part of it
    brings its attitude `within` [rad] of its own limit."""
    whole = preset.with_run(integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval)
    chosen = lane_ids() if lanes is None else lanes
    with ThreadPoolExecutor(2) as pool:  # compiled kernels let go of the interpreter
        tries = pool.map(lambda lane: _tried(whole, lane, within), chosen)
    return [tried for tried in tries if tried is not None]


def endings(tries: Sequence[StepHalvingPair]) -> Iterator[Check]:
    """Lanes that are not compared to the end of the run must have a singularity, and be near it."""
    for tried in tries:
        if not tried.complete:
            lane = tried.lane
            title = lane.formulation.singularity_title
            at = _regular(lane) * lane.interval
            name = f"{tried.preset.name}: {title or lane.status} of {lane.name} near 0 at t = {at:.6g} s"
            kind = "lanes that are compared to near their singularity only"
            yield vanishing(name, _excuse(tried), NEAR, tried.described, kind)


def _tried(whole: Preset, lane: str, within: float) -> StepHalvingPair | None:
    """`lane` at the step of the run, or at what part of it brings it `within` of its limit; None where it refuses the run."""
    samples = round(whole.run.duration / whole.run.sample_interval) + 1
    dt = whole.run.dt
    every = _every(whole, lane, samples)
    interval = whole.run.sample_interval / every
    try:
        first = _begun(whole, lane, 2 * dt, interval)
    except InputError:
        return None
    coarse, fine = _completed(first), _completed(_begun(whole, lane, dt, interval))
    tried = StepHalvingPair(whole, fine, coarse, samples, every)
    if not fine.integrator.fixed_step or within == np.inf:
        return tried
    error = tried.error(attitude)
    for _ in range(_HALVINGS):
        if error <= within:
            break
        dt /= 2
        finer = StepHalvingPair(
            whole, _completed(_begun(whole, lane, dt, interval)), tried.lane, samples, every
        )
        before, error = error, finer.error(attitude)
        if error > 0.5 * before:  # rounding, which shorter steps make worse
            break
        tried = finer
    return tried


def _every(whole: Preset, lane: str, samples: int) -> int:
    """Recorded samples for each that is compared: twice the step divides them, and `_MOST_ROWS` holds them."""
    if not FORMULATIONS[lane.partition(",")[0].partition("/")[0]].singularity_title:
        return 1
    steps = steps_per_sample(2 * whole.run.dt, whole.run.sample_interval)
    return max(n for n in range(1, steps + 1) if steps % n == 0 and (n * samples <= _MOST_ROWS or n == 1))


def _begun(whole: Preset, lane: str, dt: float, interval: float) -> Simulation:
    return Simulation(whole.with_run(lanes=[lane], dt=dt, sample_interval=interval))


def _completed(run: Simulation) -> LaneRun:
    run.complete()
    return run.lanes[0]


def _regular(lane: LaneRun) -> int:
    """Recorded samples before the singularity is near."""
    near = _near(lane)
    return int(near[0]) if near.size else lane.samples


@lru_cache(maxsize=8)  # asked for by each pair that the lane is in, and by its ending
def _near(lane: LaneRun) -> np.ndarray:
    return np.flatnonzero(~(np.abs(lane.singularity) > NEAR))


def _excuse(tried: StepHalvingPair) -> float:
    """The singularity measure where the comparison ends, 0 where the lane itself says that it is singular, NaN where
    nothing excuses the end."""
    lane = tried.lane
    if not lane.formulation.singularity_title:
        return np.nan
    near = _near(lane)
    if near.size:
        return float(abs(lane.singularity[near[0]]))
    return 0.0 if lane.status == "singular" else np.nan

"""Runs of a motion in every lane, and the accuracy that each lane can achieve."""

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
"""Singularity measure below which a lane is no longer compared, because it loses digits rapidly."""
TARGET_ERROR = 2e-6
"""Estimated error [rad] above which the step of a lane is halved, at most `_MAX_HALVINGS` times."""
_MAX_HALVINGS = 6
"""Largest number of halvings of a lane's step."""
_SAFETY_FACTOR = 3.0
"""Factor by which the error estimate of a lane is multiplied."""
MAX_TOLERANCE_FACTOR = 1e3
"""Largest factor by which a tolerance is raised to allow for the discretization error of a lane."""
_MAX_ROWS = 30_000
"""Approximate largest number of recorded samples of a lane with a singularity.

The lane is recorded finely, because det S may have a minimum between samples.
"""

Quantity = Callable[[Motion], np.ndarray]


def attitude(motion: Motion) -> np.ndarray:
    """Return the rotation matrix A (n, 3, 3), which unlike p has no sign ambiguity."""
    return rotation_matrix(motion.unit_p)


def normalized_momentum(motion: Motion) -> np.ndarray:
    """Return h (n, 3) [body] divided by its initial magnitude, or unchanged if that is zero."""
    return motion.h / (motion.reference.momentum or 1.0)


@dataclass(frozen=True)
class StepHalvingPair:
    """A lane and the same lane with twice the step, whose difference estimates the error of the lane."""

    preset: Preset
    lane: LaneRun
    coarse: LaneRun
    samples: int
    """Number of compared samples if the lane reaches the end of the run."""
    stride: int = 1
    """Number of recorded samples per compared sample."""

    @cached_property
    def regular_samples(self) -> int:
        """Number of samples to compare, which end before the lane comes close to its singularity."""
        return -(-_regular_sample_count(self.lane) // self.stride)

    @property
    def is_complete(self) -> bool:
        """True if the lane can be compared to the end of the run."""
        return self.regular_samples == self.samples

    @property
    def description(self) -> str:
        """Text on preset, lane, integrator and step, for `Check.run`."""
        segment = self.lane.solver.segment
        return f"{self.preset.name}, {self.lane.name}, {segment.integrator.name}, dt = {segment.dt:g} s"

    @cached_property
    def motion(self) -> Motion:
        """Motion of the lane at the compared samples, before the lane comes close to its singularity."""
        return self._motion_of(self.lane, self.regular_samples)

    def estimated_error(self, quantity: Quantity) -> float:
        """Return the estimated error of a quantity, from the difference between the lane and the coarse lane.

        For a method of order k, the difference is (2^k - 1) times the error of the finer step.
        """
        fine, coarse = map(quantity, self._common_motions)
        gap = float(np.abs(fine - coarse).max(initial=0.0))
        return _SAFETY_FACTOR * gap / (2**self.lane.solver.segment.integrator.order - 1)

    @cached_property
    def _common_motions(self) -> tuple[Motion, Motion]:
        """The motions of the lane and of the coarse lane, over the samples at which both can be compared."""
        common = min(self.regular_samples, -(-_regular_sample_count(self.coarse) // self.stride))
        fine = self.motion if common == self.regular_samples else self._motion_of(self.lane, common)
        return fine, self._motion_of(self.coarse, common)

    def allowed_error(self, tolerance: float, quantity: Quantity) -> float:
        """Return the tolerance for comparing this lane: the larger of `tolerance` and the discretization error, but
        at most `MAX_TOLERANCE_FACTOR` times `tolerance`.

        A formulation that loses digits, generally or near its singularity, is thus compared with what it can achieve.
        A formulation that converges to a wrong motion is still detected, because its runs with different steps agree.
        """
        return min(max(tolerance, self.estimated_error(quantity)), MAX_TOLERANCE_FACTOR * tolerance)

    def check_zero(self, name: str, quantity: Quantity, tolerance: float, group: str = "") -> Check:
        """Return a check that a quantity is zero everywhere.

        The discretization error is estimated only if the `tolerance` is exceeded, because it takes another run.
        """
        error = np.abs(quantity(self.motion)).max()
        allowed = tolerance if error <= tolerance else self.allowed_error(tolerance, quantity)
        return check_zero(name, error, allowed, self.description, group)

    def _motion_of(self, lane: LaneRun, samples: int) -> Motion:
        if self.stride == 1:
            return lane.motion(stop=samples)
        return lane.motion_at(np.arange(samples) * self.stride)


def lane_ids(with_rotors: bool = False) -> list[str]:
    """Return all lane ids, including variants, that integrate the motion of a single body.

    With rotors, only formulations that support them are included.
    """
    return [
        f"{name}/{variant}" if variant else name
        for name, family in FORMULATIONS.items()
        for variant in family.variants or ("",)
        if family(variant).yields_motion and not family.carries_ring and not family.has_closed_form
        if not with_rotors or family.supports_rotors
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
    """Run a preset in several lanes, each with two steps.

    Parameters
    ----------
    preset
        Motion to compute.
    lanes
        Lanes as texts that `Lane.from_string` reads; by default all. Lanes that refuse the body, its loads or the
        integrator are omitted.
    dt, duration, sample_interval
        Step, duration and sample interval [s].
    integrator
        Name of the integrator.
    target_error
        With a fixed-step method, the step of a lane is halved until the estimated error of its attitude [rad] is
        below this.

    Returns
    -------
    list of StepHalvingPair
        The lanes.
    """
    run_preset = preset.with_run(
        integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval
    )
    chosen = lane_ids(bool(preset.body.rotors)) if lanes is None else lanes
    with ThreadPoolExecutor(2) as pool:  # Compiled kernels release the GIL.
        pairs = pool.map(lambda lane: _run_pair(run_preset, lane, target_error), chosen)
    return [pair for pair in pairs if pair is not None]


def check_endings(pairs: Sequence[StepHalvingPair]) -> Iterator[Check]:
    """Check the lanes that cannot be compared to the end of the run: each must have a singularity and end
    close to it. Yield the checks."""
    for pair in pairs:
        if not pair.is_complete:
            lane = pair.lane
            title = lane.formulation.singularity_title
            time = _regular_sample_count(lane) * lane.interval
            name = f"{pair.preset.name}: {title or lane.status} of {lane.name} near 0 at t = {time:.6g} s"
            group = "lanes that are compared to near their singularity only"
            yield check_zero(name, _singularity_at_end(pair), NEAR_SINGULARITY, pair.description, group)


def _run_pair(run_preset: Preset, lane: str, target_error: float) -> StepHalvingPair | None:
    """Run a lane with steps halved until its error is below `target_error`, or return None if it refuses the run."""
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
    if not fine.solver.segment.integrator.fixed_step or target_error == np.inf:
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
        if error > 0.5 * previous_error:  # Rounding dominates, and shorter steps would increase it.
            break
        pair = finer_pair
    return pair


def _sample_stride(run_preset: Preset, lane: str, samples: int) -> int:
    """Return the number of recorded samples per compared sample, which is 1 for a lane without a singularity.
    Recorded samples are at least two steps apart, and number about `_MAX_ROWS` at most."""
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
    """Return the number of recorded samples before the lane comes close to its singularity."""
    near = _near_singular_samples(lane)
    return int(near[0]) if near.size else lane.samples


@lru_cache(maxsize=8)  # called for each pair of the lane and for its ending
def _near_singular_samples(lane: LaneRun) -> np.ndarray:
    return np.flatnonzero(~(np.abs(lane.singularity) > NEAR_SINGULARITY))


def _singularity_at_end(pair: StepHalvingPair) -> float:
    """Return the singularity measure of the lane at the end of the comparison.

    The result is 0 if the lane reports that it is singular, and NaN if it has no singularity and ended for
    another reason.
    """
    lane = pair.lane
    if not lane.formulation.singularity_title:
        return np.nan
    near = _near_singular_samples(lane)
    if near.size:
        return float(abs(lane.singularity[near[0]]))
    return 0.0 if lane.status == "singular" else np.nan

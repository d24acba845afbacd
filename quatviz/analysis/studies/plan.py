"""Plan of a study: lanes x integrators x steps or tolerances, for one motion."""

import math
import numbers
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.formatting import as_list
from quatviz.base.parameters import parameters_of
from quatviz.files.preset import Lane, LaneLike, Preset, RunSettings
from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import is_adaptive
from quatviz.simulation.simulation import Simulation

T = TypeVar("T")

DEFAULT_STEP_COUNT = 6
"""Number of different step sizes in a study by default."""
LOOSEST_TOLERANCE, DEFAULT_TOLERANCE_COUNT = 1e-4, 6
"""Largest of the default tolerances, and number of default tolerances. Each is a tenth of the previous one."""
_COARSEST_STEP_FACTOR = 100
"""Ratio of the default coarsest step to the step of the preset. The steps of presets are small enough for
eleven correct digits or more, so that much coarser steps are of interest."""
_MAX_SAMPLES = 1000
"""Largest number of samples at which two motions are compared."""
_MAX_STEPS = 1e13
"""Largest number of steps of one run. With 60 ns per step, such a run takes a week."""
_MAX_STEP_RATIO = 10_000_000
"""Largest numerator or denominator of a ratio of two steps."""


@dataclass(frozen=True)
class StudyCase:
    """One run of a study: lane, integrator, and step or tolerance."""

    lane: Lane
    """Lane under the name that the study gives it. The lane has no step of its own."""
    integrator: str
    dt: float
    """Step [s]; for an adaptive integrator the first trial step."""
    tolerance: float | None = None
    """Relative and absolute tolerance of an adaptive integrator, or None."""

    @property
    def name(self) -> str:
        """Name of the lane."""
        return self.lane.name or self.lane.formulation

    @property
    def curve(self) -> tuple[str, str]:
        """Names of lane and integrator, which identify the curve of the case."""
        return self.name, self.integrator

    @property
    def sort_key(self) -> tuple[float, float]:
        """Key that sorts the cases of a curve from coarse to fine."""
        return -self.dt, -(self.tolerance or 0.0)


@dataclass(frozen=True)
class RefusedCombination:
    """A lane and an integrator that cannot be combined, and the reason."""

    lane: str
    integrator: str
    reason: str


@dataclass(frozen=True, eq=False)
class StudyPlan:
    """All runs of a study, in the order in which they are computed: coarse before fine."""

    preset: Preset
    lanes: tuple[Lane, ...]
    integrators: tuple[str, ...]
    steps: tuple[float, ...]
    """Steps [s] from coarse to fine. Each divides `interval`."""
    duration: float
    """Duration of the runs [s], a multiple of `interval`."""
    interval: float
    """Interval between the samples at which motions are compared [s]."""
    cases: tuple[StudyCase, ...]
    refused: tuple[RefusedCombination, ...]
    tolerances: tuple[float, ...] = ()
    """Tolerances of the adaptive integrators. If there are none, these integrators run once with the preset's tolerances."""

    @classmethod
    def create(
        cls,
        preset: Preset,
        *,
        lanes: Sequence[LaneLike] | LaneLike | None = None,
        integrators: str | Sequence[str] | None = None,
        steps: Sequence[float] | int | None = None,
        tolerances: Sequence[float] | int | None = None,
        duration: float | None = None,
    ) -> "StudyPlan":
        """Return a plan for a preset. Combinations that cannot be run are listed as refused.

        Parameters
        ----------
        preset
            Preset of the motion to study. It also provides all settings that are not given.
        lanes
            Lanes or formulation names. A lane that names an integrator keeps it.
        integrators
            Names of integrators.
        steps
            Steps [s], or their number; each is then half the previous one.
        tolerances
            Tolerances of the adaptive integrators, or their number; each is then a tenth of the previous one.
        duration
            Duration [s].

        Raises
        ------
        InputError
            If a name is unknown, the steps have no common multiple within the run, or nothing uses the tolerances.
        """
        chosen = preset.with_run(lanes=lanes).lanes
        preset, chosen = _with_common_loads(preset, chosen)
        integrator_names = tuple(dict.fromkeys(as_list(integrators or preset.run.integrator)))
        for name in integrator_names:
            INTEGRATORS.find(name, "integrators")
        tolerance_values = _checked_tolerances(tolerances)
        study_lanes = _distinct_lanes(chosen, bool(tolerance_values))
        step_values = _checked_steps(preset, steps)
        event_times = [event.at for event in preset.events]
        # `RunSettings` checks the duration; the study chooses interval and step itself.
        run_settings = preset.run if duration is None else RunSettings(duration, duration, duration)
        interval, end = _sample_interval(step_values, run_settings.duration, event_times)
        curves = _combine(study_lanes, integrator_names)
        if tolerance_values and not any(is_adaptive(name) for _, name in curves):
            raise _no_adaptive_error([name for _, name in curves])
        settings = RunSettings(end, step_values[0], interval, integrator_names[0])
        runs, refused = _separate_refused(replace(preset, run=settings, lanes=()), curves)
        return cls(
            preset=preset,
            lanes=tuple(dict.fromkeys(lane for lane, _ in curves)),
            integrators=tuple(dict.fromkeys(name for _, name in curves)),
            steps=step_values,
            duration=end,
            interval=interval,
            cases=tuple(_make_cases(runs, step_values, tolerance_values)),
            refused=refused,
            tolerances=tolerance_values,
        )

    def case_preset(self, lane: Lane, integrator: str, dt: float, tolerance: float | None = None) -> Preset:
        """Return the preset that computes one lane as a case of this study."""
        settings = RunSettings(self.duration, dt, self.interval, integrator)
        if tolerance is not None:
            settings = replace(settings, rtol=tolerance, atol=tolerance)
        elif is_adaptive(integrator):
            settings = replace(settings, rtol=self.preset.run.rtol, atol=self.preset.run.atol)
        return replace(self.preset, run=settings, lanes=(replace(lane, integrator=None, dt=None),))

    @property
    def samples(self) -> int:
        """Number of samples at which motions are compared, including the initial one."""
        return round(self.duration / self.interval) + 1


def _combine(lanes: Sequence[Lane], integrators: Sequence[str]) -> list[tuple[Lane, str]]:
    """Return the distinct pairs of lane and integrator. A lane that names an integrator is combined only with that
    integrator."""
    pairs = (
        (replace(lane, integrator=None), lane.integrator or name) for name in integrators for lane in lanes
    )
    return list(dict.fromkeys(pairs))


def _separate_refused(
    preset: Preset, curves: Sequence[tuple[Lane, str]]
) -> tuple[list[tuple[Lane, str]], tuple[RefusedCombination, ...]]:
    """Return the pairs of lane and integrator that can be run, and those that cannot, with the reasons."""
    reasons = [_refusal_reason(preset, lane, integrator) for lane, integrator in curves]
    runs = [curve for curve, reason in zip(curves, reasons, strict=True) if reason is None]
    refused = (
        RefusedCombination(str(lane.name), integrator, reason)
        for (lane, integrator), reason in zip(curves, reasons, strict=True)
        if reason is not None
    )
    return runs, tuple(refused)


def _with_common_loads(preset: Preset, lanes: Sequence[Lane]) -> tuple[Preset, tuple[Lane, ...]]:
    """Return an equivalent preset and lanes, in which the loads belong to the preset and not to single lanes.

    Raises `InputError` if the lanes have different loads.
    """
    if any(lane.loads != lanes[0].loads for lane in lanes):
        raise InputError(
            "lanes", expected="lanes with equal loads, which share one reference",
            found="lanes with different loads", remedy="study the lanes separately", key="lanes",
        )  # fmt: skip
    own_loads = lanes[0].loads if lanes else ()
    return replace(preset, loads=(*preset.loads, *own_loads)), tuple(
        replace(lane, loads=()) for lane in lanes
    )


def step_ladder(coarsest: float, count: int) -> tuple[float, ...]:
    """Return `count` steps [s], each half the previous one."""
    return tuple(coarsest / 2**n for n in range(count))


def tolerance_ladder(loosest: float, count: int) -> tuple[float, ...]:
    """Return `count` tolerances, each a tenth of the previous one.

    >>> tolerance_ladder(1e-6, 3)
    (1e-06, 1e-07, 1e-08)
    """
    return tuple(float(f"{loosest / 10**n:.12g}") for n in range(count))


def _make_cases(
    runs: Sequence[tuple[Lane, str]], steps: Sequence[float], tolerances: Sequence[float]
) -> Iterator[StudyCase]:
    """Yield the cases, coarse first: all steps of fixed-step integrators, then all tolerances of adaptive ones."""
    for dt in steps:
        for lane, integrator in runs:
            adaptive = not INTEGRATORS[integrator].fixed_step
            if not adaptive or (dt == steps[-1] and not (tolerances and is_adaptive(integrator))):
                yield StudyCase(lane, integrator, dt)
    for tolerance in tolerances:
        for lane, integrator in runs:
            if is_adaptive(integrator):
                yield StudyCase(lane, integrator, steps[-1], tolerance)


def _checked_tolerances(tolerances: Sequence[float] | int | None) -> tuple[float, ...]:
    """Return the tolerances without duplicates, from loose to tight."""
    if tolerances is None:
        return ()
    limits = parameters_of(RunSettings)["rtol"]
    minimum, maximum = float(limits.minimum or 0.0), float(limits.maximum or math.inf)
    if isinstance(tolerances, (int, np.integer)) and not isinstance(tolerances, bool):
        values: list[Any] = list(tolerance_ladder(LOOSEST_TOLERANCE, min(max(int(tolerances), 0), 30)))
    else:
        values = [tolerances] if isinstance(tolerances, (str, float, bool)) else list(tolerances)
    invalid = [value for value in values if not (_is_number(value) and minimum <= value <= maximum)]
    if invalid or not values:
        raise InputError(
            expected=phrase(
                "a list of tolerances from {least:g} to {most:g}, or the number of tolerances, from 1 to 11",
                least=minimum,
                most=maximum,
            ),
            found=(f"{invalid[0]:g}" if _is_number(invalid[0]) else repr(invalid[0])) if invalid else "none",
            remedy="write for example 6, or 1e-4,1e-6,1e-8",
            key="tolerances",
        )
    return tuple(sorted(set(map(float, values)), reverse=True))


def _no_adaptive_error(names: Sequence[str]) -> InputError:
    adaptive_names = [name for name in INTEGRATORS if is_adaptive(name)]
    return InputError(
        expected=phrase(
            "at least one adaptive integrator in the study ({names})",
            names=join_phrases(adaptive_names, "or"),
        ),
        found=", ".join(dict.fromkeys(names)),
        remedy="add one, or vary the steps instead",
        key="tolerances",
    )


def default_coarsest_step(preset: Preset) -> float:
    """Return the default coarsest step [s] for a preset."""
    return min(_COARSEST_STEP_FACTOR * preset.run.dt, preset.run.duration)


def common_multiple(steps: Sequence[float]) -> float | None:
    """Return the smallest time [s] that is a whole multiple of every step, or None if there is none."""
    factors = []
    for step in steps:
        ratio = Fraction(step / steps[0]).limit_denominator(_MAX_STEP_RATIO)
        if ratio == 0 or abs(float(ratio) * steps[0] / step - 1) > 1e-9:
            return None
        factors.append(ratio.numerator)
    return steps[0] * math.lcm(*factors)


def _checked_steps(preset: Preset, steps: Sequence[float] | int | None) -> tuple[float, ...]:
    if steps is None or isinstance(steps, (int, np.integer)):
        count = DEFAULT_STEP_COUNT if steps is None else int(steps)
        if not 1 <= count <= 30:
            raise InputError(
                expected="a list of time steps [s], or the number of time steps, from 1 to 30",
                found=str(count),
                remedy="write for example 6, or 1e-2,5e-3,2.5e-3",
                key="steps",
            )
        return step_ladder(default_coarsest_step(preset), count)
    values = [steps] if isinstance(steps, (str, float)) else list(steps)
    invalid = [step for step in values if not (_is_number(step) and math.isfinite(step) and step > 0)]
    if invalid or not values:
        raise InputError(
            expected="time steps above 0 s",
            found=(f"{invalid[0]:g} s" if _is_number(invalid[0]) else repr(invalid[0]))
            if invalid
            else "none",
            remedy="write for example 1e-2,5e-3,2.5e-3",
            key="steps",
        )
    return tuple(sorted(set(map(float, values)), reverse=True))


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _sample_interval(
    steps: Sequence[float], duration: float, event_times: Sequence[float]
) -> tuple[float, float]:
    """Return the sample interval and the end of the runs [s].

    The interval is a multiple of all steps and limits the number of samples. The end is the duration, or the last
    multiple of the interval before it. Times of events [s] are samples if possible.
    """
    common = common_multiple(steps)
    if common is None or not 0 < common <= duration * (1 + 1e-9):
        raise InputError(
            expected=phrase(
                "steps whose least common multiple is at most the duration, {duration:g} s", duration=duration
            ),
            found=", ".join(f"{step:g}" for step in steps) + " s",
            remedy="halve the coarsest step repeatedly, or use steps with few digits",
            key="steps",
        )
    if duration / min(steps) > _MAX_STEPS:
        raise InputError(
            expected=phrase("at most {most:g} steps in a run, about a week of computing", most=_MAX_STEPS),
            found=f"{duration / min(steps):.3g}",
            remedy="shorten the run, or make the finest step longer",
            key="duration",
        )
    count = math.floor(duration / common * (1 + 1e-9))
    least = math.ceil(count / _MAX_SAMPLES)
    event_indices = [round(event_time / common) for event_time in event_times]
    coarse = range(least, min(count, 4 * least) + 1)
    divisors = (n for n in coarse if not any(event_index % n for event_index in (count, *event_indices)))
    multiple = next(divisors, 1 if event_indices else least)
    return common * multiple, common * multiple * (count // multiple)


def _distinct_lanes(lanes: Sequence[Lane], without_tolerances: bool) -> list[Lane]:
    """Return the distinct lanes without their steps, named by their remaining settings.

    Their tolerances are removed too if the study sets tolerances.
    """
    if not lanes:
        raise InputError(
            expected="at least one lane",
            found="none",
            remedy="add one, such as hamilton",
            key="lanes",
        )
    for lane in lanes:
        make_formulation(lane.formulation, "lanes")
    if without_tolerances:
        lanes = [replace(lane, rtol=None, atol=None) for lane in lanes]
    return list(dict.fromkeys(replace(lane, dt=None, name=lane_label(lane)) for lane in lanes))


def is_integrated(lane: Lane) -> bool:
    """Return True if the lane is integrated, and False if it has a closed form."""
    return not make_formulation(lane.formulation).has_closed_form


def motion_key(preset: Preset) -> tuple[object, ...]:
    """Return a key that is equal for presets with the same motion: everything that determines the motion apart from the
    method of computation."""
    return (preset.body, preset.initial, preset.loads, preset.events)


def lane_label(lane: Lane) -> str:
    """Return the formulation of a lane and its settings other than integrator and step, as text."""
    numbers = {"rtol": lane.rtol, "atol": lane.atol, "alpha": lane.alpha, "beta": lane.beta, "J0": lane.J0}
    settings = [f"{key} = {value:g}" for key, value in numbers.items() if value is not None]
    names = [text for text in (lane.stabilisation, lane.file) if text]
    return ", ".join([lane.formulation, *names, *settings])


def values_by_label(lanes: Iterable[Lane], values: Iterable[T]) -> dict[str, T]:
    """Return a map from lane label to value. `values` has one value for each lane. If several lanes have the same
    label, the value of the first one is used."""
    values_by_name: dict[str, T] = {}
    for lane, value in zip(lanes, values, strict=True):
        values_by_name.setdefault(lane_label(lane), value)
    return values_by_name


def _refusal_reason(preset: Preset, lane: Lane, integrator: str) -> str | None:
    """Return the reason why lane and integrator cannot be combined, in one sentence, or None."""
    if not is_integrated(lane):
        return phrase("this lane is a closed form without steps; it serves as the reference")
    run = replace(preset.run, integrator=integrator)
    try:
        Simulation(replace(preset, run=run, lanes=(lane,)))
    except InputError as refusal:
        return refusal.sentence
    return None

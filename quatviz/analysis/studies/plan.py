"""What a study runs: lanes x integrators x steps, or tolerances, over one motion."""

import math
import numbers
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.formatting import several
from quatviz.base.parameters import declared
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.physics.formulations import make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import takes_tolerances
from quatviz.simulation.simulation import Simulation

T = TypeVar("T")

STEPS = 6
"""Steps of a ladder that nobody has chosen."""
LOOSEST, TOLERANCES = 1e-4, 6
"""The first of a ladder of tolerances, of which each is a tenth of the one before, and how many it has."""
_COARSE = 100
"""The coarsest step of that ladder, in steps of the preset: presets are computed to eleven digits or more."""
_SAMPLES = 1000
"""Samples at which two motions are compared, at most."""
_MOST_STEPS = 1e13
"""Of one run: at 60 ns each, a week."""
_TERMS = 10_000_000
"""Largest number in a ratio of two steps."""


@dataclass(frozen=True)
class Case:
    """One run of a study: a lane without a step of its own, named as the study names it, a method, a step [s]; for an adaptive
    method of a study over tolerances that too, relative and absolute, the step being its first try."""

    lane: Lane
    integrator: str
    dt: float
    tolerance: float | None = None

    @property
    def name(self) -> str:
        """The lane's name."""
        return self.lane.name or self.lane.formulation

    @property
    def curve(self) -> tuple[str, str]:
        """Lane and integrator: what the cases of one curve share."""
        return self.name, self.integrator

    @property
    def fineness(self) -> tuple[float, float]:
        """What cases of one curve differ in, for sorting: coarse ones first."""
        return -self.dt, -(self.tolerance or 0.0)


@dataclass(frozen=True)
class Refused:
    """A lane and an integrator that cannot be combined, and why."""

    lane: str
    integrator: str
    reason: str


@dataclass(frozen=True, eq=False)
class Plan:
    """`steps` [s] run from coarse to fine; every one divides `interval` [s], at whose multiples motions are compared
    up to `duration` [s], itself a multiple. `tolerances`, if there are any, are those of adaptive methods, which else run once,
    with their own. `cases` are in the order in which they are best run: coarse ones first."""

    preset: Preset
    lanes: tuple[Lane, ...]
    integrators: tuple[str, ...]
    steps: tuple[float, ...]
    duration: float
    interval: float
    cases: tuple[Case, ...]
    refused: tuple[Refused, ...]
    tolerances: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        preset: Preset,
        *,
        lanes: Sequence[Lane | str] | Lane | str | None = None,
        integrators: str | Sequence[str] | None = None,
        steps: Sequence[float] | int | None = None,
        tolerances: Sequence[float] | int | None = None,
        duration: float | None = None,
    ) -> "Plan":
        """A plan for `preset`. What is not given is the preset's own; a lane that names an integrator keeps it.

        `steps` are steps [s], or how many halvings of the coarsest make the ladder; `tolerances` those of adaptive integrators,
        or how many, each a tenth of the one before. `InputError` for what no study can use: unknown names, steps that have no
        common multiple within the run, tolerances that nothing takes.
        """
        chosen = preset.with_run(lanes=lanes).lanes
        named = tuple(dict.fromkeys(several(integrators or preset.run.integrator)))
        for name in named:
            INTEGRATORS.find(name, "integrators")
        tight = _tolerances(tolerances)
        wanted = _distinct(chosen, bool(tight))
        ladder = _ladder(preset, steps)
        moments = [event.at for event in preset.events]
        # `RunSettings` says what a duration is; the interval and the step of the study are its own.
        asked = preset.run if duration is None else RunSettings(duration, duration, duration)
        interval, end = _samples(ladder, asked.duration, moments)
        curves = list(
            dict.fromkeys(
                (replace(lane, integrator=None), lane.integrator or name) for name in named for lane in wanted
            )
        )
        whole = replace(preset, run=RunSettings(end, ladder[0], interval, named[0]), lanes=())
        refused, runs = [], []
        for lane, integrator in curves:
            reason = _refusal(whole, lane, integrator)
            if reason is None:
                runs.append((lane, integrator))
            else:
                refused.append(Refused(str(lane.name), integrator, reason))
        if tight and not any(takes_tolerances(name) for _, name in curves):
            raise _nothing_adaptive([name for _, name in curves])
        return cls(
            preset=preset,
            lanes=tuple(dict.fromkeys(lane for lane, _ in curves)),
            integrators=tuple(dict.fromkeys(name for _, name in curves)),
            steps=ladder,
            duration=end,
            interval=interval,
            cases=tuple(_cases(runs, ladder, tight)),
            refused=tuple(refused),
            tolerances=tight,
        )

    def run_of(self, lane: Lane, integrator: str, dt: float, tolerance: float | None = None) -> Preset:
        """The preset that computes one lane as a case of this study does."""
        settings = RunSettings(self.duration, dt, self.interval, integrator)
        if tolerance is not None:
            settings = replace(settings, rtol=tolerance, atol=tolerance)
        elif takes_tolerances(integrator):
            settings = replace(settings, rtol=self.preset.run.rtol, atol=self.preset.run.atol)
        return replace(self.preset, run=settings, lanes=(replace(lane, integrator=None, dt=None),))

    @property
    def samples(self) -> int:
        """Samples that are compared, the start included."""
        return round(self.duration / self.interval) + 1


def ladder(coarsest: float, count: int) -> tuple[float, ...]:
    """`count` steps [s], each half the one before."""
    return tuple(coarsest / 2**n for n in range(count))


def tolerance_ladder(loosest: float, count: int) -> tuple[float, ...]:
    """`count` tolerances, each a tenth of the one before.

    >>> tolerance_ladder(1e-6, 3)
    (1e-06, 1e-07, 1e-08)
    """
    return tuple(float(f"{loosest / 10**n:.12g}") for n in range(count))


def _cases(
    runs: Sequence[tuple[Lane, str]], steps: Sequence[float], tolerances: Sequence[float]
) -> Iterator[Case]:
    """Coarse ones first: each step of the methods that take it, then each tolerance of those that take that."""
    for dt in steps:
        for lane, integrator in runs:
            adaptive = not INTEGRATORS[integrator].fixed_step
            if not adaptive or (dt == steps[-1] and not (tolerances and takes_tolerances(integrator))):
                yield Case(lane, integrator, dt)
    for tolerance in tolerances:
        for lane, integrator in runs:
            if takes_tolerances(integrator):
                yield Case(lane, integrator, steps[-1], tolerance)


def _tolerances(given: Sequence[float] | int | None) -> tuple[float, ...]:
    """From loose to tight, each once."""
    if given is None:
        return ()
    limits = declared(RunSettings)["rtol"]
    least, most = float(limits.minimum or 0.0), float(limits.maximum or math.inf)
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        values: list[Any] = list(tolerance_ladder(LOOSEST, min(max(int(given), 0), 30)))
    else:
        values = [given] if isinstance(given, (str, float, bool)) else list(given)
    wrong = [each for each in values if not (_is_number(each) and least <= each <= most)]
    if wrong or not values:
        raise InputError(
            expected=phrase(
                "tolerances from {least:g} to {most:g}, or how many, 1 to 11", least=least, most=most
            ),
            found=(f"{wrong[0]:g}" if _is_number(wrong[0]) else repr(wrong[0])) if wrong else "none",
            remedy="write for example 6, or 1e-4,1e-6,1e-8",
            key="tolerances",
        )
    return tuple(sorted(set(map(float, values)), reverse=True))


def _nothing_adaptive(names: Sequence[str]) -> InputError:
    having = [name for name in INTEGRATORS if takes_tolerances(name)]
    return InputError(
        expected=phrase(
            "an adaptive integrator among those of the study: {names}", names=listed(having, "or")
        ),
        found=", ".join(dict.fromkeys(names)),
        remedy="add one, or study steps",
        key="tolerances",
    )


def default_coarsest(preset: Preset) -> float:
    """The coarsest step [s] of a ladder that nobody has chosen."""
    return min(_COARSE * preset.run.dt, preset.run.duration)


def common_multiple(steps: Sequence[float]) -> float | None:
    """The least time [s] into which every one of the steps fits a whole number of times; None if there is none."""
    factors = []
    for step in steps:
        ratio = Fraction(step / steps[0]).limit_denominator(_TERMS)
        if ratio == 0 or abs(float(ratio) * steps[0] / step - 1) > 1e-9:
            return None
        factors.append(ratio.numerator)
    return steps[0] * math.lcm(*factors)


def _ladder(preset: Preset, steps: Sequence[float] | int | None) -> tuple[float, ...]:
    if steps is None or isinstance(steps, (int, np.integer)):
        count = STEPS if steps is None else int(steps)
        if not 1 <= count <= 30:
            raise InputError(
                expected="how many steps, 1 to 30, or the steps themselves [s]",
                found=str(count),
                remedy="write for example 6, or 1e-2,5e-3,2.5e-3",
                key="steps",
            )
        return ladder(default_coarsest(preset), count)
    given = [steps] if isinstance(steps, (str, float)) else list(steps)
    wrong = [step for step in given if not (_is_number(step) and math.isfinite(step) and step > 0)]
    if wrong or not given:
        raise InputError(
            expected="time steps above 0 s",
            found=(f"{wrong[0]:g} s" if _is_number(wrong[0]) else repr(wrong[0])) if wrong else "none",
            remedy="write for example 1e-2,5e-3,2.5e-3",
            key="steps",
        )
    return tuple(sorted(set(map(float, given)), reverse=True))


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _samples(steps: Sequence[float], duration: float, moments: Sequence[float]) -> tuple[float, float]:
    """The interval between samples and the end [s]: a multiple of all steps, few enough, up to the duration or,
    where it does not fit, to just before it. The moments [s] at which something happens are samples, if they can be."""
    common = common_multiple(steps)
    if common is None or not 0 < common <= duration * (1 + 1e-9):
        raise InputError(
            expected=phrase(
                "steps with a common multiple within the {duration:g} s of the run", duration=duration
            ),
            found=", ".join(f"{step:g}" for step in steps) + " s",
            remedy="halve the coarsest again and again, or write steps of few digits",
            key="steps",
        )
    if duration / min(steps) > _MOST_STEPS:
        raise InputError(
            expected=phrase("at most {most:g} steps in a run, which take a week", most=_MOST_STEPS),
            found=f"{duration / min(steps):.3g}",
            remedy="make the run shorter, or the finest step coarser",
            key="duration",
        )
    count = math.floor(duration / common * (1 + 1e-9))
    least = math.ceil(count / _SAMPLES)
    marks = [round(moment / common) for moment in moments]
    coarse = range(least, min(count, 4 * least) + 1)
    fitting = (n for n in coarse if not any(mark % n for mark in (count, *marks)))
    every = next(fitting, 1 if marks else least)
    return common * every, common * every * (count // every)


def _distinct(lanes: Sequence[Lane], without_tolerances: bool) -> list[Lane]:
    """The lanes without their steps, and without tolerances where the study sets these, each once, named by what is left."""
    if not lanes:
        raise InputError(
            expected="at least one lane",
            found="none",
            remedy="name one, such as hamilton",
            key="lanes",
        )
    for lane in lanes:
        make_formulation(lane.formulation, "lanes")
    if without_tolerances:
        lanes = [replace(lane, rtol=None, atol=None) for lane in lanes]
    return list(dict.fromkeys(replace(lane, dt=None, name=label(lane)) for lane in lanes))


def takes_steps(lane: Lane) -> bool:
    """Whether the lane is integrated, and not known in closed form."""
    return not make_formulation(lane.formulation).closed_form


def motion_of(preset: Preset) -> tuple[object, ...]:
    """What decides about the motion of a preset, apart from how it is computed."""
    return (preset.body, preset.initial, preset.loads, preset.events)


def label(lane: Lane) -> str:
    """The lane's formulation, and what it sets beside integrator and step."""
    numbers = {"rtol": lane.rtol, "atol": lane.atol, "alpha": lane.alpha, "beta": lane.beta, "J0": lane.J0}
    said = [f"{key} = {value:g}" for key, value in numbers.items() if value is not None]
    named = [text for text in (lane.stabilisation, lane.file) if text]
    return ", ".join([lane.formulation, *named, *said])


def by_label(lanes: Iterable[Lane], values: Iterable[T]) -> dict[str, T]:
    """What belongs to lanes, by their labels; of twins the first one's."""
    found: dict[str, T] = {}
    for lane, value in zip(lanes, values, strict=True):
        found.setdefault(label(lane), value)
    return found


def _refusal(preset: Preset, lane: Lane, integrator: str) -> str | None:
    """Why this combination cannot be run, in one sentence."""
    if not takes_steps(lane):
        return phrase("it is known in closed form and takes no steps: where it is known, it is the reference")
    run = replace(preset.run, integrator=integrator)
    try:
        Simulation(replace(preset, run=run, lanes=(lane,)))
    except InputError as refusal:
        return refusal.sentence
    return None

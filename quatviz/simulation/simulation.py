"""A run: all lanes of a preset, with one body, one set of loads and one initial state."""

import math
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event
from typing import Self

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase, third_party_modules
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.files.preset import Lane, Preset, steps_per_sample, time_of_sample
from quatviz.physics.events import sample_index
from quatviz.physics.loads import bind, refuse_wrong_gradient
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.center_of_mass_motion import translation_remark
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.lane_settings import refuse_unused_tolerances
from quatviz.simulation.schedule import physical_configs

Progress = Callable[[float], None]
"""Function that is called with the completed fraction, 0 to 1. If it raises an exception, the computation ends."""


def ignore_progress(fraction: float) -> None:
    """Do nothing: the default of `progress` arguments."""


MAX_SAMPLES = 50_000_000
"""Largest number of samples of a lane, about 4 GB of states."""

_BLOCKS_PER_CALL = 25
"""Number of blocks that a script computes per call, about 0.1 s of processor time."""


_PROGRESS_INTERVAL = 0.1
"""Time between two progress reports [s]."""


DRAG_TIME_BUDGET = 0.005
"""Processor time [s] available for the computation of a run while the user drags, when a new run is computed thirty
times per second."""
_MIN_SPEEDUP = 1.5
"""Smallest speedup that justifies longer steps. If the speedup is smaller, the original steps are kept."""
_MAX_COARSENING = 20.0
"""Largest ratio of the lengths of coarsened and original steps."""
_MAX_PHASE_ERROR = 0.01
"""Largest predicted attitude error at the end due to coarsening [rad]."""
_RATE_SAMPLES = 64
"""Number of samples of a lane that are searched for the largest angular rate."""


@dataclass(frozen=True)
class CostEstimate:
    """Measured cost of a run, used to predict the cost of the next run with the same lanes."""

    methods: tuple[tuple[str, str], ...]
    """Formulation and integrator of each lane."""
    costs: tuple[float, ...]
    """Processor time per step of each lane [s]; NaN for lanes without steps."""
    can_be_coarsened: tuple[bool, ...]
    """For each lane, True if its steps may be made longer."""
    fastest_rate: float
    """Largest angular rate of any lane [rad/s]."""

    @classmethod
    def from_run(cls, run: "Simulation") -> Self:
        """Return the estimate from the computed part of a run."""
        integrators = [lane.solver.segment.integrator for lane in run]
        return cls(
            _lane_methods(run.preset),
            tuple(lane.solver.cost for lane in run),
            tuple(method.order >= 4 and method.usual_tolerances is None for method in integrators),
            max(map(_fastest_rate, run)),
        )

    def applies_to(self, preset: Preset) -> bool:
        """Return True if a run of this preset has the same lanes."""
        return self.methods == _lane_methods(preset)


def _lane_methods(preset: Preset) -> tuple[tuple[str, str], ...]:
    return tuple((lane.formulation, lane.integrator or preset.run.integrator) for lane in preset.lanes)


def coarsened(preset: Preset, estimate: CostEstimate) -> Preset:
    """Return a preset with longer steps for the runs during a drag, if a run would take more than `DRAG_TIME_BUDGET`.

    The cost per step is taken from a previous run; the preset is returned unchanged if that run had other lanes.
    Only lanes with methods of at least fourth order are coarsened, since their error remains invisible in curves: a
    rotation by an angle x in one step has a phase error of x^5 / 120, from the series of exp(ix).

    >>> import quatviz as qv
    >>> run = Simulation(qv.load_preset("torque_free"))
    >>> coarsened(run.preset, CostEstimate.from_run(run)) is run.preset  # its cost is unknown
    True
    """
    if not estimate.applies_to(preset):
        return preset
    interval, samples = preset.run.sample_interval, preset.run.duration / preset.run.sample_interval
    steps = [steps_per_sample(lane.dt or preset.run.dt, interval) for lane in preset.lanes]
    total_cost = sum(
        cost * lane_steps * samples
        for cost, lane_steps in zip(estimate.costs, steps, strict=True)
        if cost > 0.0
    )
    if total_cost <= _MIN_SPEEDUP * DRAG_TIME_BUDGET:
        return preset
    lanes = list(preset.lanes)
    longest = _longest_step(preset, estimate.fastest_rate)
    for number, (cost, is_coarsenable) in enumerate(
        zip(estimate.costs, estimate.can_be_coarsened, strict=True)
    ):
        if is_coarsenable and cost > 0.0:
            step_count = max(
                steps[number] / min(_MAX_COARSENING, total_cost / DRAG_TIME_BUDGET),
                min(interval / longest, steps[number]),
            )
            lanes[number] = replace(lanes[number], dt=interval / math.ceil(step_count))
    return replace(preset, lanes=tuple(lanes))


def _longest_step(preset: Preset, rate: float) -> float:
    """Return the longest step [s] of a fourth-order method with an attitude error of at most `_MAX_PHASE_ERROR` at
    the end. The angular rate is assumed to be `rate` [rad/s], or the initial rate if that is larger.

    With N steps of angle x the phase error is N x^5 / 120. In addition, the amplitude of oscillations changes by a
    fraction N x^6 / 144. An event that occurs at a given amplitude is shifted by at most this fraction of the run,
    in which the body rotates by N x. If energy is dissipated, this second error exceeds the phase error.
    """
    rate = max(float(np.linalg.norm(preset.initial.omega(preset.body))), rate)
    total_angle = max(rate * preset.run.duration, 1e-9)
    angle = min(
        (120.0 * _MAX_PHASE_ERROR / total_angle) ** (1 / 4),
        (144.0 * _MAX_PHASE_ERROR / total_angle**2) ** (1 / 5),
    )
    return angle / max(rate, 1e-9)


def _fastest_rate(lane: LaneRun) -> float:
    """Return the largest angular rate [rad/s] of a lane at `_RATE_SAMPLES` samples, as an estimate of its
    maximum."""
    rows = np.linspace(0, lane.samples - 1, min(lane.samples, _RATE_SAMPLES)).astype(int)
    with np.errstate(over="ignore"):  # the rates of a diverged lane overflow and are ignored
        rates = np.linalg.norm(lane.motion_at(rows).omega, axis=1)
    return float(np.max(rates, where=np.isfinite(rates), initial=0.0))


class Simulation:
    """All lanes of a preset, advanced together. `simulation["name"]` returns a lane; names are unique.

    >>> import quatviz as qv
    >>> run = Simulation(qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=0.02))
    >>> [lane.name for lane in run], run.samples
    (['newton_euler'], 3)
    """

    def __init__(self, preset: Preset) -> None:
        self.preset = preset
        self.interval = preset.run.sample_interval
        self.duration = preset.run.duration
        """Time of the last sample of a complete lane [s]."""
        if self.duration / self.interval > MAX_SAMPLES:
            raise InputError(
                expected=phrase(
                    "at most {most} samples, to fit into memory",
                    most=f"{MAX_SAMPLES:,}".replace(",", " "),
                ),
                found=f"{self.duration / self.interval:.3g}",
                remedy=phrase("make the run shorter, or {name} longer", name=SAMPLE_INTERVAL),
                key="run.duration",
            )
        self.duration = time_of_sample(self.samples - 1, self.interval)
        for n, load in enumerate(preset.loads):
            _validate_load(load, preset, f"loads[{n}]")
        for number, lane in enumerate(preset.lanes):
            for n, load in enumerate(lane.loads):
                _validate_load(load, preset, f"lanes[{number}].loads[{n}]")
        self._remarks = run_remarks(preset)
        specs = preset.lanes
        self.lanes = [
            LaneRun(name, spec, preset, index)
            for index, (name, spec) in enumerate(zip(lane_names(specs), specs, strict=True))
        ]
        refuse_unused_tolerances(preset.run, (lane.solver.segment.integrator for lane in self.lanes))
        self.lanes[0].diagnostics.remarks += self._remarks

    @classmethod
    def restored(cls, preset: Preset, lanes: Sequence[LaneRun]) -> Self:
        """Return a run of `preset` that continues the given lanes."""
        run = cls(preset)
        run.lanes = list(lanes)
        run._update_remarks(run._remarks)
        return run

    def __getitem__(self, name: str) -> LaneRun:
        for lane in self.lanes:
            if lane.name == name:
                return lane
        raise KeyError(f"no lane is called {name!r}; there are {', '.join(lane.name for lane in self.lanes)}")

    def __iter__(self) -> Iterator[LaneRun]:
        return iter(self.lanes)

    @property
    def samples(self) -> int:
        """Number of samples of a complete lane, including the start."""
        return round(self.duration / self.interval) + 1

    def extend(self, duration: float) -> None:
        """Extend the run to `duration` [s] if that is later than its current end."""
        if duration > self.duration:
            self.duration = time_of_sample(round(duration / self.interval), self.interval)
            for lane in self.lanes:
                lane.resume(self.duration)
            self._update_remarks(run_remarks(self.preset, self.duration))

    def _update_remarks(self, remarks: tuple[str, ...]) -> None:
        """Replace the remarks on the run, which are stored with the first lane."""
        lane = self.lanes[0]
        lane.diagnostics.remarks = (
            *(remark for remark in lane.diagnostics.remarks if remark not in self._remarks),
            *remarks,
        )
        self._remarks = remarks

    def set_speed(self, speed: float) -> None:
        """Set the playback speed of the preset. No computed value depends on it."""
        if speed != self.preset.speed:
            self.preset = replace(self.preset, speed=speed)

    def missing(self, lane: LaneRun) -> int:
        """Return the number of samples that `lane` still has to compute; 0 if it ended early."""
        return max(self.samples - lane.samples, 0) if lane.alive else 0

    @property
    def hashes(self) -> str:
        """Text with hash, name and end time of each lane, one lane per line. Equal runs have equal texts."""
        entries = ((lane.digest or "(not begun)", lane.name, lane.computed_to) for lane in self)
        return "\n".join(f"{digest}  {name}  to {reach:.6g} s" for digest, name, reach in entries)

    def complete(self, progress: Progress = ignore_progress, jobs: int | None = None) -> None:
        """Compute every lane to the end of the run: see the function `complete`."""
        complete([self], progress, jobs)

    def orientation_error(self, lane: str, reference: str) -> np.ndarray:
        """Return the angle (n,) [rad] between the attitudes of two lanes at their common samples."""
        p, reference_p = self[lane].p, self[reference].p
        common = min(len(p), len(reference_p))
        return relative_angle(p[:common], reference_p[:common])


def run_remarks(preset: Preset, duration: float | None = None) -> tuple[str, ...]:
    """Return sentences about settings of a preset that have no effect or contradict each other.

    Parameters
    ----------
    preset
        Preset of the run.
    duration
        Duration of the run [s], by default that of the preset.

    Returns
    -------
    tuple of str
        Remarks on the whole run. `Simulation` stores them with its first lane.
    """
    interval = preset.run.sample_interval
    duration = preset.run.duration if duration is None else duration
    end = time_of_sample(round(duration / interval), interval)
    names = lane_names(preset.lanes) if preset.events else []
    remarks: list[str] = []
    for event in preset.events:
        title, summary = phrase(event.title), event.summary
        if not any(event.applies_to(name) for name in names):
            remarks.append(
                phrase(
                    "{event} at t = {time:g} s ({summary}) has no effect: the run has no lane of this name",
                    event=title,
                    time=event.at,
                    summary=summary,
                )
            )
        elif sample_index(event.at, interval) * interval > end * (1.0 + 1e-9):
            remarks.append(
                phrase(
                    "{event} at t = {time:g} s ({summary}) has no effect: the run ends at t = {end:g} s; extend the run, or move "
                    "the event",
                    event=title,
                    time=event.at,
                    summary=summary,
                    end=end,
                )
            )
    configs = [config for _, config in physical_configs(preset)]
    remarks += [load.body_remark(config.body) for config in configs for load in config.loads]
    remarks += [load.body_remark(preset.body) for lane in preset.lanes for load in lane.loads]
    remarks.append(translation_remark(preset))
    if not math.isclose(end, duration, rel_tol=1e-9):
        remarks.append(
            phrase(
                "The run ends at its last sample, t = {end:g} s, because {duration:g} s is not a multiple of {name} = "
                "{interval:g} s",
                name=SAMPLE_INTERVAL,
                end=end,
                duration=duration,
                interval=interval,
            )
        )
    return tuple(dict.fromkeys(filter(None, remarks)))


def _validate_load(load: Load, preset: Preset, key: str) -> None:
    """Raise an `InputError` for a load with contradictory kernels, or a third-party load that cannot be evaluated."""
    try:
        for bound in bind([load], preset.body):
            refuse_wrong_gradient(bound, key)
    except InputError:
        raise
    except PLUGIN_EXCEPTIONS as fault:
        if not (outside := third_party_modules([type(load)])):
            raise
        raise InputError(
            key, expected="a load that can be evaluated", found=describe_exception(fault, outside),
            remedy="remove it, or correct the plug-in", key=key, topic="extending#all-kinds",
        ) from fault  # fmt: skip


def complete(
    runs: Sequence[Simulation], progress: Progress = ignore_progress, jobs: int | None = None
) -> None:
    """Compute every lane of several runs to the end of its run, for scripts.

    Parameters
    ----------
    runs
        Runs to complete.
    progress
        Function that is called with the completed fraction, 0 to 1, a few times per second. An exception that it
        raises ends the computation, as Ctrl-C does.
    jobs
        Number of lanes computed in parallel, by default one per processor. Threads suffice, since steps do not hold
        Python's global lock.
    """
    tasks = [(run, lane) for run in runs for lane in run.lanes]
    for _, lane in tasks:
        lane.prepare()
    stopping = Event()

    def compute_lane(run: Simulation, lane: LaneRun) -> None:
        while (missing := run.missing(lane)) and not stopping.is_set():
            lane.advance_briefly(missing, _BLOCKS_PER_CALL)
            if threading.current_thread() is threading.main_thread():
                progress(_completed_fraction(tasks))
        if not stopping.is_set():
            lane.finish()

    count = min(jobs or os.cpu_count() or 1, len(tasks))
    if count < 2:
        for task in tasks:
            compute_lane(*task)
        return
    with ThreadPoolExecutor(count) as pool:
        try:
            pending = {pool.submit(compute_lane, *task) for task in tasks}
            while pending:
                done, pending = wait(pending, _PROGRESS_INTERVAL, FIRST_COMPLETED)
                for future in done:
                    future.result()
                progress(_completed_fraction(tasks))
        finally:
            stopping.set()


def _completed_fraction(tasks: Sequence[tuple[Simulation, LaneRun]]) -> float:
    """Return the fraction of samples that are computed, 0 to 1. A lane that ended early counts as complete."""
    return 1.0 - sum(run.missing(lane) for run, lane in tasks) / sum(run.samples for run, _ in tasks)


def lane_names(lanes: Sequence[Lane]) -> list[str]:
    """Return a unique name for each lane: its own name, or the id of its formulation, numbered if necessary."""
    if not lanes:
        raise InputError(
            expected="at least one lane",
            found="none",
            remedy="add [[lanes]] with a formulation to a preset, or pass lanes= to a call in Python",
            key="lanes",
        )
    names: list[str] = []
    for lane in lanes:
        names.append(unique_name(lane.name or lane.formulation, names))
    return names


def unique_name(name: str, taken: Collection[str | None]) -> str:
    """Return `name`, numbered if it is taken."""
    return name if name not in taken else number_name(name, taken)


def number_name(name: str, taken: Collection[str | None]) -> str:
    """Return `name` with the first number that makes it unique."""
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"

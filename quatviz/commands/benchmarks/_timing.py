"""The time of a step: by turns with what it is compared with, so that a machine whose speed wanders slows all alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.files.preset import Lane, Preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

ROUNDS = 15

TimedRun = Callable[[], float]
"""Runs once, and gives the processor time that one unit of the work took."""


def single_lane_preset(preset: Preset, lane: str, samples: int, steps_per_sample: int) -> Preset:
    """The preset in that lane alone, for so many samples, each `steps_per_sample` steps after the one before."""
    interval = steps_per_sample * preset.run.dt
    run = replace(preset.run, sample_interval=interval, duration=samples * interval)
    return replace(preset, run=run, lanes=(Lane.from_string(lane),), events=())


def time_per_step(preset: Preset) -> TimedRun:
    """The time of a step [ns] of the only lane of this preset, whose kernels are loaded before."""
    return _timed_run(preset, lambda lane: lane.steps * 1e-9)


def time_per_simulated_second(preset: Preset) -> TimedRun:
    """The time of a second of its motion [us]."""
    return _timed_run(preset, lambda lane: lane.computed_to * 1e-6)


def _timed_run(preset: Preset, units: Callable[[LaneRun], float]) -> TimedRun:
    Simulation(preset).lanes[0].prepare()

    def run() -> float:
        lane = Simulation(preset).lanes[0]
        started = time.thread_time()
        lane.advance(round(preset.run.duration / preset.run.sample_interval))
        return (time.thread_time() - started) / units(lane)

    return run


def run_alternating(runs: Mapping[str, TimedRun], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """What each of them took, in every round."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            times[name].append(run())
    return times


def summarize(
    name: str, times: list[float], unit: str, reference: BenchmarkResult | None = None
) -> BenchmarkResult:
    """The median, and half the middle half of what was taken."""
    if len(times) < 2:
        return BenchmarkResult(name, times[0], unit, reference)
    low, middle, high = statistics.quantiles(times, n=4)
    return BenchmarkResult(name, middle, unit, reference, spread=(high - low) / 2)

"""Measurement of the time per step. Compared programs run in turn, so that changes of the machine's speed affect all of
them."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.files.preset import Lane, Preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

ROUNDS = 15
"""Number of rounds in which each run is measured once."""

TimedRun = Callable[[], float]
"""Function that runs once and returns its processor time per step or per simulated second."""


def single_lane_preset(preset: Preset, lane: str, samples: int, steps_per_sample: int) -> Preset:
    """Return the preset with this lane only and with `steps_per_sample` steps between samples."""
    interval = steps_per_sample * preset.run.dt
    run = replace(preset.run, sample_interval=interval, duration=samples * interval)
    return replace(preset, run=run, lanes=(Lane.from_string(lane),), events=())


def time_per_step(preset: Preset) -> TimedRun:
    """Return a function that runs the only lane of a preset once and returns its time per step [ns]. The kernels are loaded
    in advance."""
    return _timed_run(preset, lambda lane: lane.solver.steps * 1e-9)


def time_per_simulated_second(preset: Preset) -> TimedRun:
    """Return a function that runs the only lane of a preset once and returns its time per simulated second
    [us]."""
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
    """Run all functions in turn, `rounds` times. Return the times of each function by its name."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            times[name].append(run())
    return times


def summarize(
    name: str, times: list[float], unit: str, reference: BenchmarkResult | None = None
) -> BenchmarkResult:
    """Return the median of the times as a result, with half the interquartile range as its spread."""
    if len(times) < 2:
        return BenchmarkResult(name, times[0], unit, reference)
    low, middle, high = statistics.quantiles(times, n=4)
    return BenchmarkResult(name, middle, unit, reference, spread=(high - low) / 2)

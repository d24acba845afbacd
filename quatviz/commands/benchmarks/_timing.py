"""The time of a step: by turns with what it is compared with, so that a machine whose speed wanders slows all alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from quatviz.commands.benchmarks._results import Figure
from quatviz.files.preset import Lane, Preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

ROUNDS = 15

Timed = Callable[[], float]
"""Runs once, and gives the processor time that one unit of the work took."""


def in_one_lane(preset: Preset, lane: str, samples: int, every: int) -> Preset:
    """The preset in that lane alone, for so many samples, each `every` steps after the one before."""
    interval = every * preset.run.dt
    run = replace(preset.run, sample_interval=interval, duration=samples * interval)
    return replace(preset, run=run, lanes=(Lane.from_string(lane),), events=())


def step_of(preset: Preset) -> Timed:
    """The time of a step [ns] of the only lane of this preset, whose kernels are loaded before."""
    return _timed(preset, lambda lane: lane.steps * 1e-9)


def second_of(preset: Preset) -> Timed:
    """The time of a second of its motion [us]."""
    return _timed(preset, lambda lane: lane.computed_to * 1e-6)


def _timed(preset: Preset, units: Callable[[LaneRun], float]) -> Timed:
    Simulation(preset).lanes[0].prepare()

    def run() -> float:
        lane = Simulation(preset).lanes[0]
        started = time.thread_time()
        lane.advance(round(preset.run.duration / preset.run.sample_interval))
        return (time.thread_time() - started) / units(lane)

    return run


def by_turns(runs: Mapping[str, Timed], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """What each of them took, in every round."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            taken[name].append(run())
    return taken


def figure(name: str, taken: list[float], unit: str, reference: Figure | None = None) -> Figure:
    """The median, and half the middle half of what was taken."""
    if len(taken) < 2:
        return Figure(name, taken[0], unit, reference)
    low, middle, high = statistics.quantiles(taken, n=4)
    return Figure(name, middle, unit, reference, spread=(high - low) / 2)

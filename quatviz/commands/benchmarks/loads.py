"""`quatviz bench loads`: time per step by type and number of loads.

Loads that are constant in the body or in space are summed before a run, so that a step costs the same for any number of
them. Loads that depend on time, on omega, or on p in any other way are measured separately.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import quatviz
from quatviz.commands.benchmarks._results import BenchmarkOutput, ScalingResult
from quatviz.commands.benchmarks._timing import (
    ROUNDS,
    TimedRun,
    run_alternating,
    single_lane_preset,
    summarize,
    time_per_step,
)
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.loads.torque import Torque

PLACE = 30

FORMS = ("newton_euler", "hamilton")
NUMBERS = (1, 2, 4, 8, 16, 32)
SAMPLES, STEPS_PER_SAMPLE = 200, 100
CONSTANT = "constant point forces"
MAX_CONSTANT_RATIO = 1.1
"""Largest accepted ratio of the cost of many constant loads to the cost of one."""

REPEATED_LOADS: dict[str, Callable[[int], Load]] = {
    CONSTANT: lambda n: PointForce(force=[1.0, 2.0, -1.5 + 0.1 * n], point=[0.3, -0.2, 0.7]),
    "torques of time": lambda n: Torque(torque=[f"0.4*sin({n}*t)", 0.1, 0.2], frame="body"),
    "springs": lambda n: Spring(stiffness=4.0 + n, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0]),
    "dampings": lambda n: Damping(coefficient=0.1 + 0.01 * n),
}
"""Types of loads whose number is varied. Each value is a function that makes the load with the index n."""


def measure(rounds: int = ROUNDS) -> Iterator[BenchmarkOutput]:
    """Yield, for each formulation, the time per step [ns] under each type of load, and its scaling with the number of loads."""
    for form in FORMS:
        loads_by_name: dict[str, Sequence[Load]] = {"no load": ()}
        loads_by_name |= {
            load_class.name: load_class.samples()[:1] for load_class in LOADS.values() if load_class.samples()
        }
        taken = run_alternating(
            {name: _time_under_loads(form, loads) for name, loads in loads_by_name.items()}, rounds
        )
        baseline = summarize("no load", taken.pop("no load"), "ns/step")
        yield from (summarize(f"{form}, {name}", times, "ns/step", baseline) for name, times in taken.items())
        for load_name, make_load in REPEATED_LOADS.items():
            yield from _load_growth(form, load_name, make_load, rounds)


def _time_under_loads(form: str, loads: Sequence[Load]) -> TimedRun:
    preset = replace(quatviz.load_preset("torque_free"), loads=tuple(loads))
    return time_per_step(single_lane_preset(preset, form, SAMPLES, STEPS_PER_SAMPLE))


def _load_growth(
    form: str, load_name: str, make_load: Callable[[int], Load], rounds: int
) -> Iterator[BenchmarkOutput]:
    runs = {
        str(count): _time_under_loads(form, [make_load(number) for number in range(count)])
        for count in NUMBERS
    }
    times_by_count = run_alternating(runs, rounds)
    if load_name == CONSTANT:
        single = summarize("one of them", times_by_count[str(NUMBERS[0])], "ns/step")
        last = str(NUMBERS[-1])
        combined = summarize(f"{form}, {last} {load_name}", times_by_count[last], "ns/step", single)
        yield replace(combined, reach=MAX_CONSTANT_RATIO * single.value)
    values = [statistics.median(times) for times in times_by_count.values()]
    yield ScalingResult(f"{form}, {load_name}", "number of loads", NUMBERS, values, "ns/step")

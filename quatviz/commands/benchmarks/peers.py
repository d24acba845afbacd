"""`quatviz bench peers`: the same motion by other programs, where they are installed, with the error of each.

Everyone integrates the same body from the same state over the same samples, by turns; those with a fixed step make the same
steps. The error is the largest angle from the exact motion at any sample. What is not installed is left out, with a word
on how to get it.
"""

import statistics
from collections.abc import Iterator, Sequence

import numpy as np

import quatviz
from quatviz.commands.benchmarks._results import Figure, Finding, Remark
from quatviz.commands.benchmarks._timing import Timed, by_turns, in_one_lane, second_of, step_of
from quatviz.commands.benchmarks.programs import PROGRAMS
from quatviz.commands.benchmarks.programs.base import Problem, Program
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation

PLACE = 50

ROUNDS = 7
PRESETS = ("torque_free", "heavy_top")
"""About principal axes, with a known motion; free, and under gravity."""
SAMPLES, EVERY = 400, 100
DENSE_SAMPLES, INTERVAL = 8000, 0.01
"""Samples, and the time between two [s], for those who choose their steps: several to a step, and so many that what a run
takes to begin is nothing."""
ADAPTIVE = "newton_euler,integrator=dop853"
WHY = (
    "their step takes more algebra than newton_euler's, as the column of values says, and programs know no form but one; "
    "`quatviz bench engine` sets C beside them that does the same algebra"
)


def measure(rounds: int = ROUNDS) -> Iterator[Finding]:
    """Each of our lanes beside each program that solves the same problem."""
    there = [kind() for kind in PROGRAMS.values() if kind.is_there()]
    for name in PRESETS:
        preset = quatviz.load_preset(name)
        stepwise = Problem(preset, SAMPLES, EVERY)
        dense = Problem(preset, DENSE_SAMPLES, round(INTERVAL / preset.run.dt))
        for problem, adaptive, lanes in ((stepwise, False, fixed_step_lanes()), (dense, True, [ADAPTIVE])):
            programs = [one for one in there if one.takes(problem) and one.adaptive == adaptive]
            if programs:
                yield from _beside(problem, _own(problem, "exact"), programs, lanes, rounds)
    for kind in PROGRAMS.values():
        if not kind.is_there():
            yield Remark(f"{kind.title} is left out, for it is not installed: {kind.install}")


def fixed_step_lanes() -> list[str]:
    """Every formulation of a body alone that follows its motion, as it is where no variant is chosen; `newton_euler` first."""
    names = [
        name
        for name, family in FORMULATIONS.items()
        if family().yields_motion and not family.carries_ring and not family.closed_form
    ]
    return sorted(names, key=lambda name: name != "newton_euler")


def _beside(
    problem: Problem, exact: np.ndarray, programs: Sequence[Program], lanes: Sequence[str], rounds: int
) -> Iterator[Figure]:
    """Our lanes beside programs that are all adaptive or all not; errors are those from the exact motion (n, 4)."""
    adaptive, name = programs[0].adaptive, problem.preset.name
    unit = "µs/s" if adaptive else "ns/step"
    errors = {one.title: _error(one.solve(problem).p, exact) for one in programs}
    errors |= {lane: _error(_own(problem, lane), exact) for lane in lanes}
    runs = {one.title: _timed(one, problem) for one in programs}
    runs |= {lane: _timed_lane(problem, lane, adaptive) for lane in lanes}
    taken = {what: statistics.median(times) for what, times in by_turns(runs, rounds).items()}
    for program in programs:
        reference = Figure(program.title, taken[program.title], unit, error=errors[program.title])
        most = program.at_most.get(name)
        for lane in program.beside or lanes:
            yield Figure(
                f"{name}, {lane}",
                taken[lane],
                unit,
                reference,
                None if most is None else most * reference.value,
                error=errors[lane],
                why="" if lane == lanes[0] else WHY,
            )


def _own(problem: Problem, lane: str) -> np.ndarray:
    """Euler parameters (n, 4) of our lane, fewer than there are samples where it ends early."""
    run = Simulation(in_one_lane(problem.preset, lane, problem.samples, problem.every))
    run.complete()
    return run.lanes[0].motion().p


def _error(p: np.ndarray, exact: np.ndarray) -> float:
    return float(relative_angle(p, exact[: len(p)]).max())


def _timed(program: Program, problem: Problem) -> Timed:
    def run() -> float:
        p, seconds = program.solve(problem)
        steps = (len(p) - 1) * problem.every
        return seconds / (steps * problem.dt * 1e-6 if program.adaptive else steps * 1e-9)

    return run


def _timed_lane(problem: Problem, lane: str, adaptive: bool) -> Timed:
    preset = in_one_lane(problem.preset, lane, problem.samples, problem.every)
    return (second_of if adaptive else step_of)(preset)

"""`quatviz bench peers`: speed and error of other installed programs for the same motion.

All programs integrate the same body from the same state over the same samples, in turn; those with fixed steps make the same
steps. The error is the largest angle from the exact motion at any sample. Programs that are not installed are omitted, with
a note on how to install them.
"""

import statistics
from collections.abc import Iterator, Sequence

import numpy as np

import quatviz
from quatviz.commands.benchmarks._results import BenchmarkOutput, BenchmarkResult, Remark
from quatviz.commands.benchmarks._timing import (
    TimedRun,
    run_alternating,
    single_lane_preset,
    time_per_simulated_second,
    time_per_step,
)
from quatviz.commands.benchmarks.programs import PROGRAMS
from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation

PLACE = 50

ROUNDS = 7
PRESETS = ("torque_free", "heavy_top")
"""Presets with principal axes and an exact solution: free, and under gravity."""
SAMPLES, STEPS_PER_SAMPLE = 400, 100
DENSE_SAMPLES, SAMPLE_INTERVAL = 8000, 0.01
"""Number of samples and their interval [s] for adaptive programs. There are several samples in each step.

With so many samples, the startup of a run hardly affects the measured time.
"""
ADAPTIVE = "newton_euler,integrator=dop853"
SLOWER_REASON = (
    "a step of this lane takes more operations than a step of newton_euler (see the column of values), and the other programs "
    "have only one formulation; `quatviz bench engine` compares with C code for the same equations"
)


def measure(rounds: int = ROUNDS) -> Iterator[BenchmarkOutput]:
    """Yield the results of lanes and programs for each problem that they both solve."""
    installed = [program_class() for program_class in PROGRAMS.values() if program_class.is_installed()]
    for name in PRESETS:
        preset = quatviz.load_preset(name)
        stepwise = BenchmarkProblem(preset, SAMPLES, STEPS_PER_SAMPLE)
        dense = BenchmarkProblem(preset, DENSE_SAMPLES, round(SAMPLE_INTERVAL / preset.run.dt))
        for problem, adaptive, lanes in ((stepwise, False, fixed_step_lanes()), (dense, True, [ADAPTIVE])):
            programs = [
                program for program in installed if program.supports(problem) and program.adaptive == adaptive
            ]
            if programs:
                yield from _compare(problem, _lane_attitude(problem, "exact"), programs, lanes, rounds)
    for program_class in PROGRAMS.values():
        if not program_class.is_installed():
            yield Remark(
                f"{program_class.title} is omitted, because it is not installed: {program_class.install}"
            )


def fixed_step_lanes() -> list[str]:
    """Return all formulations of a single body without variants and without a multiplier, `newton_euler` first.

    Other programs do not solve for a multiplier; `quatviz bench engine` compares such formulations with C.
    """
    names = [
        name
        for name, family in FORMULATIONS.items()
        if family().yields_motion
        and not (family.carries_ring or family.has_closed_form or family().has_multiplier)
    ]
    return sorted(names, key=lambda name: name != "newton_euler")


def _compare(
    problem: BenchmarkProblem,
    exact: np.ndarray,
    programs: Sequence[PeerProgram],
    lanes: Sequence[str],
    rounds: int,
) -> Iterator[BenchmarkResult]:
    """Yield speed and error of lanes and programs. Either all programs are adaptive or all have fixed steps.

    Errors are angles from the exact motion `exact` (n, 4).
    """
    adaptive, name = programs[0].adaptive, problem.preset.name
    unit = "µs/s" if adaptive else "ns/step"
    errors = {peer.title: _attitude_error(peer.solve(problem).p, exact) for peer in programs}
    errors |= {lane: _attitude_error(_lane_attitude(problem, lane), exact) for lane in lanes}
    runs = {peer.title: _timed_program(peer, problem) for peer in programs}
    runs |= {lane: _timed_lane(problem, lane, adaptive) for lane in lanes}
    medians = {
        run_name: statistics.median(times) for run_name, times in run_alternating(runs, rounds).items()
    }
    for program in programs:
        reference = BenchmarkResult(program.title, medians[program.title], unit, error=errors[program.title])
        max_ratio = program.max_time_ratio.get(name)
        for lane in program.compared_lanes or lanes:
            yield BenchmarkResult(
                f"{name}, {lane}",
                medians[lane],
                unit,
                reference,
                None if max_ratio is None else max_ratio * reference.value,
                error=errors[lane],
                why="" if lane == lanes[0] else SLOWER_REASON,
            )


def _lane_attitude(problem: BenchmarkProblem, lane: str) -> np.ndarray:
    """Return Euler parameters (n, 4) of a lane at the samples of the problem. There are fewer rows if the lane ends early."""
    run = Simulation(single_lane_preset(problem.preset, lane, problem.samples, problem.steps_per_sample))
    run.complete()
    return run.lanes[0].motion().p


def _attitude_error(p: np.ndarray, exact: np.ndarray) -> float:
    return float(relative_angle(p, exact[: len(p)]).max())


def _timed_program(program: PeerProgram, problem: BenchmarkProblem) -> TimedRun:
    def run() -> float:
        p, seconds = program.solve(problem)
        steps = (len(p) - 1) * problem.steps_per_sample
        return seconds / (steps * problem.dt * 1e-6 if program.adaptive else steps * 1e-9)

    return run


def _timed_lane(problem: BenchmarkProblem, lane: str, adaptive: bool) -> TimedRun:
    preset = single_lane_preset(problem.preset, lane, problem.samples, problem.steps_per_sample)
    return (time_per_simulated_second if adaptive else time_per_step)(preset)

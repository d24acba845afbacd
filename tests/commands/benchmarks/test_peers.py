"""The same motion in other programs: installed ones are measured, missing ones are listed with how to install them."""

import time

import pytest

from quatviz.api.calls import load_preset, simulate
from quatviz.commands.benchmarks import peers
from quatviz.commands.benchmarks._results import BenchmarkResult, Remark
from quatviz.commands.benchmarks.programs import PROGRAMS
from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram, TimedSolution
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply


class Stub(PeerProgram):
    """Peer that computes the motion with a small error and takes a millisecond per step."""

    name = "stub"
    title = "Stub"
    package = "quatviz"
    max_time_ratio = {"torque_free": 0.5}

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        lane = simulate(
            problem.preset,
            lanes=["exact"],
            duration=problem.duration,
            sample_interval=problem.steps_per_sample * problem.dt,
        )["exact"]
        return TimedSolution(multiply(lane.p, from_rotation_vector([0.0, 1e-3, 0.0])), 1e-3 * problem.steps)


class Absent(Stub):
    """Peer that is not installed."""

    name = "absent"
    title = "Absent RK4"
    package = "nobody_has_this"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return two lanes of quatviz over a few samples."""
    monkeypatch.setattr(peers, "SAMPLES", 3)
    monkeypatch.setattr(peers, "DENSE_SAMPLES", 3)
    monkeypatch.setattr(peers, "PRESETS", ("torque_free",))
    monkeypatch.setattr(peers, "fixed_step_lanes", lambda: ["newton_euler", "hamilton"])


def test_lanes_are_compared_with_installed_peers(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PROGRAMS", {"absent": Absent, "stub": Stub})
    *figures, remark = peers.measure(rounds=1)
    assert isinstance(remark, Remark)
    assert remark.text.startswith("Absent RK4 is omitted")
    assert "quatviz[bench]" in remark.text
    assert [figure.name for figure in figures if isinstance(figure, BenchmarkResult)] == [
        "torque_free, newton_euler",
        "torque_free, hamilton",
    ]
    for figure in figures:
        assert isinstance(figure, BenchmarkResult)
        assert figure.reference is not None
        assert figure.error is not None
        assert figure.error < 1e-9
        assert (figure.reference.value, figure.reference.error) == (pytest.approx(1e6), pytest.approx(1e-3))
        assert (figure.reach, figure.ok) == (pytest.approx(5e5), True)


def test_adaptive_methods_are_compared_with_adaptive_peers(
    few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stub, "adaptive", True)
    monkeypatch.setattr(peers, "PROGRAMS", {"stub": Stub})
    (result,) = peers.measure(rounds=1)
    assert isinstance(result, BenchmarkResult)
    assert result.reference is not None
    assert (result.name, result.unit) == (f"torque_free, {peers.ADAPTIVE}", "µs/s")
    assert result.reference.value == pytest.approx(1e-3 / 1e-3 * 1e6), (
        "a millisecond for each of its steps of one"
    )


@pytest.mark.parametrize("name", ["c", "numpy", "scipy"])
def test_installed_peers_compute_the_motion(name: str) -> None:
    problem = BenchmarkProblem(load_preset("torque_free"), samples=4, steps_per_sample=100)
    program = PROGRAMS[name]()
    assert program.is_installed(), program.install
    began = time.thread_time()
    solved = program.solve(problem)
    assert 0.0 < solved.seconds <= time.thread_time() - began
    exact = simulate(problem.preset, lanes=["exact"], duration=problem.duration, sample_interval=0.1)["exact"]
    assert peers.relative_angle(solved.p, exact.p[: len(solved.p)]).max() < 1e-10


def test_top_is_compared_with_peers_that_support_gravity() -> None:
    top = BenchmarkProblem(load_preset("heavy_top"), samples=2, steps_per_sample=10)
    assert (top.weight, top.center_height, top.duration) == (20.0, 1.0, pytest.approx(2e-3))
    assert [name for name, program in PROGRAMS.items() if program().supports(top)] == [
        "c",
        "exudyn",
        "heyoka",
        "mujoco",
        "scipy",
    ]
    solved = PROGRAMS["scipy"]().solve(top)
    assert peers.relative_angle(PROGRAMS["c"]().solve(top).p, solved.p).max() < 1e-9
    exact = simulate(top.preset, lanes=["exact"], duration=top.duration, sample_interval=1e-3)["exact"]
    assert peers.relative_angle(solved.p, exact.p).max() < 1e-12


def test_every_single_body_formulation_is_compared() -> None:
    lanes = peers.fixed_step_lanes()
    assert lanes[0] == "newton_euler"
    assert {"hamilton", "lagrange_projected", "udwadia_schutte", "euler_angles"} < {*lanes}
    assert not {"exact", "ring_damper", "udwadia_schutte_unconstrained"} & {*lanes}
    assert not {"lagrange_full", "lagrange_simplified", "hamilton_canonical"} & {*lanes}, (
        "they solve for lambda"
    )

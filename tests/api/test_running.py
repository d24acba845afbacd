"""Computing in scripts: progress, many runs, numeric types, exceptions in user code."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import count, takewhile
from types import FrameType
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.events.kick import Kick
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.newton_euler import NewtonEuler
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.rk4 import RK4
from quatviz.physics.kernels.blocks import fixed_step_block
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FREE = qv.load_preset("torque_free")
LANES = ["newton_euler", "hamilton", "lagrange_full/torque", "exact"]


def test_concurrent_lanes_give_the_same_bits() -> None:
    first, second = (
        qv.simulate(FREE, lanes=[*LANES, "euler_angles/313"], duration=2.0, jobs=jobs) for jobs in (1, 4)
    )
    assert [lane.digest for lane in first.lanes] == [lane.digest for lane in second.lanes]
    assert [lane.status for lane in second.lanes] == [*["ok"] * 4, "singular"]


def test_progress_increases_and_may_cancel_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    before = pools()  # libraries for tables keep their threads
    for jobs in (1, 2):
        shares: list[float] = []
        qv.simulate(FREE, lanes=LANES, duration=20.0, progress=shares.append, jobs=jobs)
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
    qv.simulate(FREE, lanes=["newton_euler"], duration=0.1, progress=True)
    assert capsys.readouterr().err.endswith("█ 100 %\n")
    qv.simulate(FREE, lanes=["newton_euler"], duration=0.1, progress=None)  # type: ignore[arg-type]
    with pytest.raises(qv.InputError, match="called with the completed fraction"):
        qv.simulate(FREE, lanes=["newton_euler"], duration=0.1, progress="yes")  # type: ignore[arg-type]

    def enough(share: float) -> None:
        raise StopIteration(share)

    for jobs in (1, 2):
        with pytest.raises(StopIteration):
            qv.simulate(FREE, lanes=LANES, duration=1e4, sample_interval=1.0, progress=enough, jobs=jobs)
        assert pools() <= before


def pools() -> set[int | None]:
    """Return the threads of thread pools."""
    return {thread.ident for thread in threading.enumerate() if "ThreadPool" in thread.name}


@pytest.mark.parametrize("jobs", [0, -1, True, 1.5, "2"])
def test_jobs_must_be_a_positive_integer(jobs: Any) -> None:
    for call in (
        lambda: qv.simulate(FREE, lanes=LANES, jobs=jobs),
        lambda: qv.simulate_many(FREE, {"run.dt": [1e-3]}, lanes=LANES, jobs=jobs),
        lambda: qv.study(FREE, lanes=LANES, steps=2, jobs=jobs),
    ):
        with pytest.raises(qv.InputError, match="a whole number, at least 1") as refusal:
            call()
        assert refusal.value.key == "jobs"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Enable Ctrl-C, which a background process may ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_interrupts_a_run(jobs: int) -> None:
    begun = threading.Event()

    def begin(share: float) -> None:
        begun.set()

    def interrupt() -> None:
        begun.wait(60.0)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        qv.simulate(FREE, lanes=LANES, duration=1e6, sample_interval=1.0, progress=begin, jobs=jobs)
    thread.join()


def test_ctrl_c_interrupts_every_kernel_call() -> None:
    """numba runs Python code on its arguments and once lost or replaced exceptions raised there."""

    def begun() -> LaneRun:
        return Simulation(FREE.with_run(lanes=["newton_euler"])).lanes[0]

    def step(lane: LaneRun) -> None:
        lane.prepare()
        lane.advance(1)

    step(begun())

    def interrupts(number: int) -> bool:
        """Return True if an interrupt occurs in this Python call of the first step, False if there are fewer calls."""
        remaining, lane = number, begun()

        def called(frame: FrameType, event: str, argument: object) -> None:
            nonlocal remaining
            # Python ignores exceptions raised during object finalization.
            remaining -= event == "call" and frame.f_code.co_name not in ("_on_type_disposal", "<genexpr>")
            if remaining < 0:
                raise KeyboardInterrupt

        sys.setprofile(called)
        try:
            step(lane)
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        assert remaining >= 0, f"lost in call {number}"
        return False

    interrupted = sum(takewhile(bool, map(interrupts, count(step=5))))
    assert interrupted > 15


INTERRUPTED = """
import signal, sys
from quatviz.physics.kernels import binder

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core.typing":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
try:
    binder.compiler()
except KeyboardInterrupt:
    print(binder.compiler().njit(lambda x: x + 1)(1))
"""


def test_ctrl_c_during_the_numba_import_leaves_it_usable() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_initial_states_and_parameters_may_be_arrays() -> None:
    spins = np.linspace(1.0, 3.0, 4)[:, None] * [0.0, 0.1, 1.0]
    preset = qv.load_preset("heavy_top").with_run(lanes=["hamilton"], duration=0.05)
    weights = np.array([10, 20, 30, 40], dtype=np.float32)
    runs = qv.simulate_many(preset, {"initial.angular_velocity": spins, "loads[0].weight": weights})
    assert [run["hamilton"].omega[0].tolist() for run in runs] == spins.tolist()
    assert [run.preset.loads[0].weight for run in runs] == weights.tolist()  # type: ignore[attr-defined]
    alone = qv.simulate(runs[2].preset)
    assert alone["hamilton"].digest == runs[2]["hamilton"].digest
    for wrong in ({"loads[1].weight": [1.0]}, {"body.weight": [1.0]}, {"body.inertia": [[1, 1, -1]]}):
        with pytest.raises(qv.InputError) as refusal:
            qv.simulate_many(preset, wrong)
        assert refusal.value.key == next(iter(wrong))
    with pytest.raises(qv.InputError, match="the same number of values for every key"):
        qv.simulate_many(preset, {"run.dt": [1e-3], "run.duration": [1.0, 2.0]})
    with pytest.raises(qv.InputError, match="one value"):
        qv.simulate_many(preset, {"run.dt": 1e-3})  # type: ignore[dict-item]
    for values in ({}, {"run.dt": "1"}, {"run.dt": {0: 1e-3}}, {3: [1e-3]}, 5, preset):
        with pytest.raises(qv.InputError, match="the same number of values for every key"):
            qv.simulate_many(preset, values)  # type: ignore[arg-type]
    for key in ("", "body..inertia", "loads[0", "run dt", "loads[-1].weight"):
        with pytest.raises(qv.InputError, match="no such key"):
            qv.simulate_many(preset, {key: [1e-3]})
    import pandas

    table = pandas.DataFrame({"run.dt": [1e-3, 2e-3, 5e-3]})[1:]  # rows that do not begin at 0
    assert [run.preset.run.dt for run in qv.simulate_many(preset, table)] == [2e-3, 5e-3]


@pytest.mark.parametrize(
    "number", [np.float32(0.01), np.float64(0.01), Fraction(1, 100), Decimal("0.01"), np.array(0.01)]
)
def test_every_number_type_is_accepted(number: float) -> None:
    run = qv.simulate(
        FREE, lanes=["newton_euler"], dt=number, sample_interval=number, duration=float(np.int64(1))
    )
    assert len(run["newton_euler"]) == 101
    assert qv.simulate(FREE, lanes="newton_euler", dt=number, duration=0.1).preset.run.dt == 0.01
    body = qv.Body(inertia=np.array([1, 2, 2], dtype=np.float32), mass=np.float32(2))  # type: ignore[arg-type]
    assert body.mass == 2.0


def wild(*arguments: object) -> object:
    if wild.calls:  # type: ignore[attr-defined]
        raise ZeroDivisionError("in a package")
    wild.calls += 1  # type: ignore[attr-defined]
    return fixed_step_block(*arguments)


class Foreign(RK4):
    """A plug-in integrator that fails at its step."""

    name = "foreign"
    block = staticmethod(wild)


class Unlicensed(NewtonEuler):
    """A plug-in formulation whose constructor fails."""

    name = "unlicensed"

    def __init__(self, *given: object) -> None:
        raise OSError("no licence")


class Unstarted(NewtonEuler):
    """Executor that fails at its start."""

    name = "unstarted"

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: object) -> np.ndarray:
        return np.zeros(1) / [][0]


class Unbound(RK4):
    """An integrator without a kernel for any formulation."""

    name = "unbound"

    def method(self, formulation: object) -> Any:
        raise SystemExit("no kernel")


def test_failing_formulation_ends_its_lane_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for registry, part in ((FORMULATIONS, Unlicensed), (FORMULATIONS, Unstarted), (INTEGRATORS, Unbound)):
        monkeypatch.setitem(registry.entries(), part.name, part)
    lanes: list[qv.Lane | str] = [
        "unlicensed",
        "unstarted",
        qv.Lane("hamilton", integrator="unbound"),
        "newton_euler",
    ]
    run = qv.simulate(FREE, lanes=lanes, duration=0.1)
    assert [lane.status for lane in run.lanes] == ["failed"] * 3 + ["ok"]
    for lane, message in zip(
        run.lanes, ("OSError: no licence", "IndexError", "SystemExit: no kernel"), strict=False
    ):
        assert re.search(rf"exception in {__name__} \({__file__}, line \d+\): {message}", lane.message)
        assert (lane.omega == run["newton_euler"].omega[:1]).all(), "it stands where the run begins"
    again = pickle.loads(pickle.dumps(run))
    assert again["unstarted"].message == run["unstarted"].message
    assert run.plot("omega").axes


class Falling(Kick):
    """A plug-in event that fails when applied."""

    name = "falling"

    def apply(self, state: np.ndarray, layout: object) -> np.ndarray:
        raise SystemExit("fallen")


class Crooked(qv.Torque):
    """A load that cannot be evaluated."""

    name = "crooked"

    @property
    def constant(self) -> Any:
        raise SystemExit("crooked")


def test_failing_event_ends_lanes_and_failing_load_is_refused() -> None:
    preset = FREE.with_run(lanes=["newton_euler", "hamilton"], duration=0.1)
    run = qv.simulate(replace(preset, events=[Falling(at=0.05, impulse=[0.0, 0.0, 1.0])]))
    assert [(lane.status, lane.ended_at, len(lane)) for lane in run.lanes] == [("failed", 0.04, 5)] * 2
    assert "SystemExit: fallen" in run["hamilton"].message
    with pytest.raises(qv.InputError, match=rf"(?s)loads\[0\].*{__name__} .*SystemExit: crooked"):
        qv.simulate(replace(preset, loads=[Crooked(torque=[1.0, 0.0, 0.0])]))


def test_single_name_equals_a_list_of_one() -> None:
    run = qv.simulate(FREE, lanes="newton_euler", duration=0.02)
    assert run.to_dataframe("kinetic", "newton_euler").columns.tolist() == ["newton_euler:kinetic"]
    assert len(run.plot("kinetic", "newton_euler").axes) == 1


def test_exception_in_a_plugin_ends_its_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    wild.calls = 0  # type: ignore[attr-defined]
    monkeypatch.setitem(INTEGRATORS.entries(), "foreign", Foreign)
    lanes: list[qv.Lane | str] = [qv.Lane("newton_euler", integrator="foreign", name="foreign"), "hamilton"]
    run = qv.simulate(FREE, lanes=lanes, duration=1.0)
    assert [lane.status for lane in run.lanes] == ["failed", "ok"]
    assert "ZeroDivisionError: in a package" in run["foreign"].message
    assert __name__ in run["foreign"].message
    assert len(run["foreign"]) == 1
    monkeypatch.setattr(Foreign, "__module__", "quatviz.physics.integrators.foreign")
    with pytest.raises(ZeroDivisionError):
        qv.simulate(FREE, lanes=lanes, duration=1.0)

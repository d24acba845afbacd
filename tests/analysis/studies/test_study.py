"""Studies in real processes."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.executors.processes import ProcessWorkers
from quatviz.analysis.studies.files import StudyResult
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.study import Study
from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import relative_angle

ROOT = Path(__file__).resolve().parents[3]


def has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_rk4_is_of_order_four_in_every_lane(small: StudyResult) -> None:
    assert [curve.name for curve in small.curves()] == ["newton_euler, rk4", "hamilton, rk4"]
    for measure in ("orientation", "orientation_end", "momentum"):
        for curve in small.curves(measure):
            assert curve.fit is not None
            assert curve.fit.order == pytest.approx(4.0, abs=0.1)
            assert curve.fit.count == 3


def test_study_errors_equal_run_errors(small: StudyResult) -> None:
    fine = qv.simulate(small.plan.preset, lanes=["exact"], duration=4.0, sample_interval=small.plan.interval)
    for point in small.points:
        again = qv.simulate(small.plan.case_preset(point.case.lane, point.case.integrator, point.case.dt))
        lane = again.lanes[0]
        gap = relative_angle(lane.p, fine["exact"].p)
        own = 2 * small.level("orientation")
        assert point.errors["orientation"] == pytest.approx(gap.max(), abs=own)
        assert point.errors["orientation_end"] == pytest.approx(gap[-1], abs=own)
        assert point.errors["constraint"] == pytest.approx(np.abs(lane.constraint).max(), rel=1e-6)
        assert point.errors["energy"] == pytest.approx(np.abs(lane.energy_drift).max(), abs=1e-12)
        assert math.isnan(point.errors["multiplier"])
        assert (point.status, point.steps) == ("ok", round(4.0 / point.case.dt))
        assert 0 < point.seconds < 1
        assert point.runs > 1
        assert point.seconds_per_simulated_second == pytest.approx(point.seconds / 4.0)


def test_reference_error_is_estimated(small: StudyResult) -> None:
    errors = [point.errors["orientation"] for point in small.points]
    assert 0 < small.level("orientation") < 1e-2 * min(errors)
    assert small.level("constraint") == 0
    # Errors below the reference error are marked and excluded from the fit.
    vague = replace(small, levels={**small.levels, "orientation": 1.0})
    assert all(row.is_below_reference for row in vague.rows("orientation"))
    assert all(curve.fit is None for curve in vague.curves("orientation"))


def test_failed_lanes_are_points_with_a_message() -> None:
    preset = qv.load_preset("torque_free")
    lanes = ["newton_euler", "hamilton,J0=2"]
    fast = replace(
        preset, initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[3e5, 4e5, 2e5])
    )
    result = qv.study(fast, lanes=lanes, steps=[0.01, 1e-6], duration=0.1, jobs=1)
    (refused,) = result.refused
    assert (refused.lane, refused.integrator) == ("hamilton, J0 = 2", "rk4")
    assert "no J0" in refused.reason
    coarse, fine = result.points
    assert coarse.status == "not_finite"
    assert "Try a smaller dt" in coarse.message
    assert math.isnan(coarse.errors["orientation"])
    assert fine.status == "ok"
    assert result.failed == (coarse,)
    assert result.curves()[0].fit is None


def test_study_without_reference_gives_a_message() -> None:
    preset = qv.load_preset("torque_free")
    fast = replace(
        preset,
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[3e9, 4e9, 2e9]),
        loads=[qv.Damping(coefficient=1.0)],
    )
    result = qv.study(fast, lanes=["newton_euler"], steps=[0.01], duration=0.1, jobs=1)
    assert result.points == ()
    assert "try: use smaller steps" in result.fault


def long_plan() -> StudyPlan:
    """Return a plan that would take hours."""
    return StudyPlan.create(qv.load_preset("torque_free"), steps=[0.1, 1e-7, 5e-8], duration=10_000.0)


def test_cancelling_leaves_no_process_running() -> None:
    for begun in (False, True):
        study = Study(long_plan(), jobs=2)
        while begun and not study.points:  # the first is short, the others take hours
            study.poll(1.0)
        pids = study.processes
        study.cancel()
        assert pids
        assert all(map(has_ended, pids))
        assert study.done
        assert study.result.cancelled
        assert study.poll() == []
        study.close()


def test_killed_process_loses_only_its_case(small: StudyResult) -> None:
    with Study(small.plan, jobs=1) as study:
        os.kill(study.processes[0], signal.SIGKILL)
        result = study.complete()
        assert len(study.processes) == 2
    assert errors_of(result) == errors_of(small)


def test_every_executor_gives_the_same_errors(small: StudyResult) -> None:
    with Study(small.plan, "threads", jobs=2) as study:
        assert errors_of(study.complete()) == errors_of(small)
    with ThreadPoolExecutor(1) as executor:
        with Study(small.plan, executor) as study:
            assert errors_of(study.complete()) == errors_of(small)
        assert executor.submit(int, "1").result() == 1  # it was not shut down


def errors_of(result: StudyResult) -> set[str]:
    return {f"{point.case} {point.status} {point.steps} {point.errors}" for point in result.points}


def test_cancelled_study_stops_threads() -> None:
    study = Study(long_plan(), "threads", jobs=2)
    while not study.points:
        study.poll(1.0)
    study.cancel()
    assert study.poll() == []


def test_script_without_main_guard_leaves_no_process(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, quatviz as qv\n"
        "from quatviz.analysis.studies.plan import StudyPlan\n"
        "from quatviz.analysis.studies.study import Study\n"
        "preset = qv.load_preset('torque_free')\n"
        "result = qv.study(preset, lanes=['hamilton'], steps=2, duration=1.0, jobs=1)\n"
        "study = Study(StudyPlan.create(preset, steps=[0.1, 1e-7], duration=10_000.0), jobs=1)\n"
        "study.poll(1.0)\n"
        "print(len(result.points), *study.processes, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    # Use a file, because the tested processes would keep a pipe open.
    with (tmp_path / "said.txt").open("w") as output:
        subprocess.run([sys.executable, str(script)], env=own_environment(), stdout=output, check=False)
    count, *pids = map(int, (tmp_path / "said.txt").read_text().split())
    assert count == 2
    assert pids
    deadline = time.monotonic() + 300
    while not all(map(has_ended, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    remaining = [pid for pid in pids if not has_ended(pid)]
    for pid in remaining:
        os.kill(pid, signal.SIGKILL)
    assert remaining == []


def own_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _in_a_pool() -> str:
    try:
        ProcessWorkers(1)
    except InputError as refusal:
        return refusal.found
    return ""


def test_pool_worker_starts_no_processes() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert "a daemonic worker of a pool" in pool.apply(_in_a_pool)

"""Sweeps equal single runs, for every executor and chunk size."""

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.chunk import compile_chunk, compile_marker, run_chunk
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.files.preset_reading import parse_preset

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=16.0, dt=1e-2)
SIDE = np.linspace(-1, 1, 5)
OVER = {"initial.angular_velocity[0]": SIDE, "initial.angular_velocity[2]": np.array([0.0, 0.3])}
MEASURES = ["flips", "first_flip"]


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        yield processes


def test_sweep_point_equals_a_single_run() -> None:
    sweep = qv.sweep(FREE, OVER, measure=MEASURES)
    assert sweep["flips"].dims == ("lane", *OVER)
    assert sweep["first_flip"].attrs["units"] == "s"
    assert sweep[next(iter(OVER))].attrs["units"] == "rad/s"
    for i, x in enumerate(SIDE):
        run = qv.simulate_many(FREE, {"initial.angular_velocity": [[x, 2.0, 0.3]]})[0]
        h2 = run.lanes[0].h[:, 1]
        assert int(sweep["flips"][0, i, 1]) == np.count_nonzero(np.diff(h2 < 0))
    assert sweep.attrs["complete"] == 1
    assert parse_preset(sweep.attrs["preset"]) == FREE


def test_chunks_and_executors_do_not_change_results(elsewhere: Executor) -> None:
    plan = SweepPlan.create(FREE, OVER, measure=MEASURES)
    whole = run_chunk(plan, 0, plan.point_count)
    remote = elsewhere.submit(run_chunk, plan, 3, 8).result()
    for name, array in remote.items():
        np.testing.assert_array_equal(array, whole[name][:, 3:8])
    for executor in (None, elsewhere):
        with Sweep(plan, executor, jobs=1) as sweep:
            completed = sweep.complete()
        numbers = plan.grid_indices(0, plan.point_count)
        for name, array in completed.as_dict().items():
            np.testing.assert_array_equal(array[:, numbers[:, 0], numbers[:, 1]], whole[name])
        assert sweep.points_computed == plan.point_count


def test_failed_runs_are_missing_points_with_a_reason() -> None:
    preset = qv.load_preset("gimbal_lock")
    moments = {"body.inertia[0]": [preset.body.inertia[0, 0], 1e3]}
    sweep = qv.sweep(
        preset, moments, lanes=["newton_euler", "euler_angles/321"], duration=preset.run.duration
    )
    status = sweep["status"].values
    assert [STATUSES[code] for code in status[:, 1]] == ["refused", "refused"]
    assert status[0, 0] == 0
    if status[1, 0]:
        assert sweep["ended"][1, 0] > 0
    assert np.isnan(sweep["flips"].values[:, 1]).all()
    assert "largest principal moment" in sweep["reason"].attrs["reasons"]


def test_missing_recording_is_a_missing_point_with_a_reason() -> None:
    motion = qv.simulate(FREE, duration=1.0).lanes[0]
    short = qv.Lane("recording", recording=qv.Recording(motion.t, p=motion.p, omega=motion.omega))
    missing = qv.Lane("recording", recording=qv.ReadOptions(file="never there.csv"))
    sweep = qv.sweep(FREE, {"body.inertia[0]": [2.0, 2.5]}, lanes=[short, missing], duration=2.0)
    status = [[STATUSES[code] for code in of_lane] for of_lane in sweep["status"].values]
    assert status == [["recording_ended"] * 2, ["no_recording"] * 2]
    assert sweep["ended"][0].values == pytest.approx(1.0)


def test_cancelled_sweep_keeps_its_results() -> None:
    plan = SweepPlan.create(FREE, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 3000)})
    with Sweep(plan, jobs=1) as sweep:
        while not sweep.points_computed:
            sweep.poll(0.1)
        sweep.cancel()
    assert 0 < sweep.points_computed < plan.point_count
    assert (sweep.results.status >= 0).sum() == sweep.points_computed


def test_sweeps_that_exceed_memory_are_refused_before_work() -> None:
    many = {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 1_000_000)}
    with pytest.raises(qv.InputError, match="192 from each of 1000000 runs"):
        SweepPlan.create(FREE, many, measure="section_points")


class Broken(ThreadPoolExecutor):
    """Executor that computes one chunk and then fails."""

    pieces = 0

    def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        self.pieces += 1
        if self.pieces > 1:
            raise BrokenExecutor("it died")
        return super().submit(*arguments, **named)


def test_broken_executor_keeps_results_and_is_reported(tmp_path: Path) -> None:
    over = {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 100)}
    with Broken(1) as executor, pytest.warns(RuntimeWarning, match="incomplete.*it died"):
        sweep = qv.sweep(FREE, over, executor=executor, path=tmp_path / "map.nc")
    assert sweep.attrs["complete"] == 0
    assert "it died" in sweep.attrs["fault"]
    assert 0 < (sweep["status"] >= 0).sum() < 100
    whole = qv.sweep(FREE, over, path=tmp_path / "map.nc")
    assert whole.attrs["complete"] == 1
    assert "fault" not in whole.attrs


def test_map_kernels_are_compiled_once_and_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.analysis.sweeps.chunk.cache.folder", lambda: tmp_path)
    plan = SweepPlan.create(FREE, OVER)
    mark = compile_marker(plan)
    assert mark is not None
    assert not mark.exists()
    compile_chunk(plan)
    assert mark.exists()
    assert compile_marker(SweepPlan.create(FREE, {"body.inertia[0]": [1.0, 1.1]})) != mark
    assert compile_marker(SweepPlan.create(FREE, OVER, lanes="exact")) is None


def test_plan_objects_are_released_with_the_sweep() -> None:
    plan = SweepPlan.create(FREE, {"initial.angular_velocity[0]": np.linspace(-1, 1, 80)}, duration=0.5)
    kept = weakref.ref(plan)
    with Sweep(plan, jobs=2) as sweep:
        sweep.complete()
    del plan, sweep
    gc.collect()
    assert kept() is None

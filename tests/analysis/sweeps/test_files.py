"""Sweeps as files: they are read back, unfinished ones continue, and files of another sweep are never overwritten."""

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from waiting import wait_for

import quatviz as qv
from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.dataset import make_dataset
from quatviz.analysis.sweeps.files import ENDINGS, SweepStore, read_sweep, write_sweep
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.files.preset_reading import parse_preset

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=8.0, dt=1e-2)
OVER = {"initial.angular_velocity[0]": np.linspace(-1, 1, 9), "body.inertia[0]": np.array([1.0, 1.5, 7.0])}
MEASURES = ["flips", "first_flip", "section_points"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_written_sweeps_are_read_back(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"map{ending}"
    made = qv.sweep(FREE, OVER, measure=MEASURES, path=path)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    if ending in (".parquet", ".csv"):
        import pandas

        table = pandas.read_parquet(path) if ending == ".parquet" else pandas.read_csv(path, skiprows=1)
        assert SweepStore(SweepPlan.create(FREE, OVER, measure=MEASURES), path).is_complete, (
            "the same call may write it again"
        )
        with pytest.raises(qv.InputError, match="of another map"):
            SweepStore(SweepPlan.create(FREE, OVER, measure=["flips"]), path)
        assert len(table) == 27
        np.testing.assert_array_equal(table["flips"], made["flips"].values.ravel())
        holes = table[table["status"] == 6]
        assert set(holes["body.inertia[0]"]) == {7.0}
        assert holes["reason"].str.contains("largest principal moment").all()
        return
    again = read_sweep(path)
    assert again.sizes == made.sizes
    for name in (*MEASURES, "status", "reason", "ended", *OVER):
        np.testing.assert_array_equal(again[name].values, made[name].values)
        assert again[name].attrs.get("units") == made[name].attrs.get("units")
    assert again["lane"].values.tolist() == ["newton_euler"]
    assert parse_preset(str(again.attrs["preset"])) == FREE
    assert again.attrs["complete"] == 1


def test_text_table_needs_no_library_and_has_no_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-alone program contains neither pandas nor xarray."""
    for package in ("pandas", "pyarrow", "xarray"):
        monkeypatch.setitem(sys.modules, package, None)
    preset = FREE.with_run(lanes=[qv.Lane("newton_euler", name="=1+1")])
    plan, path = SweepPlan.create(preset, OVER, measure=MEASURES), tmp_path / "map.csv"
    with Sweep(plan, jobs=1, store=SweepStore(plan, path)) as sweep:
        result = sweep.complete()
        SweepStore(plan, path).finish(result)
    assert SweepStore(plan, path).is_complete
    with path.open(encoding="utf-8", newline="") as file:
        file.readline()
        rows = list(csv.DictReader(file))
    assert [row["lane"] for row in rows] == ["'=1+1"] * 27
    assert [row["reason"] for row in rows] == result.reason.ravel().tolist()
    for name, measured in (("first_flip", result.measured["first_flip"]), ("ended", result.ended)):
        written = [float(row[name] or "nan") for row in rows]
        np.testing.assert_array_equal(written, measured.ravel(), err_msg=name)
    assert [float(row["body.inertia[0]"]) for row in rows] == [1.0, 1.5, 7.0] * 9


def test_unfinished_sweep_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "map.nc"
    plan = SweepPlan.create(
        FREE, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 500)}, measure=["flips"]
    )
    with Sweep(plan, jobs=1, store=SweepStore(plan, path)) as sweep:
        while not sweep.points_computed:
            sweep.poll(0.1)
        sweep.cancel()
        half = SweepStore(plan, path).finish(sweep.results)
    assert 0 < sweep.points_computed < 500
    assert half.attributes["complete"] == 0
    kept = sweep.results.status >= 0
    (folder,) = (entry for entry in tmp_path.iterdir() if entry.is_dir())
    again = Sweep(plan, jobs=1, store=SweepStore(plan, path))
    assert again.points_computed == sweep.points_computed
    np.testing.assert_array_equal(again.results.status >= 0, kept)
    again.close()
    whole = qv.sweep(
        FREE, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 500)}, measure=["flips"], path=path
    )
    alone = qv.sweep(FREE, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 500)}, measure=["flips"])
    np.testing.assert_array_equal(whole["flips"].values, alone["flips"].values)
    assert not folder.exists()


def test_unreadable_chunk_is_recomputed(tmp_path: Path) -> None:
    plan = SweepPlan.create(FREE, OVER, measure=["flips"])
    store = SweepStore(plan, tmp_path / "map.nc")
    results = SweepResults.empty(plan, *plan.shape)
    store.resume(results)
    store.save_chunk(0, 9, SweepResults.empty(plan, 9).as_dict())
    store.save_chunk(18, 27, SweepResults.empty(plan, 9).as_dict())
    assert store.resume(results) == [(9, 18)]
    (whole,) = (tmp_path / "map.nc.part").glob("0-9.npz")
    whole.write_bytes(whole.read_bytes()[:-40])
    (tmp_path / "map.nc.part" / "9-18.npz").write_bytes(b"no archive")
    np.savez(tmp_path / "map.nc.part" / "18-27.npz", flips=np.zeros((1, 9)))
    assert store.resume(results) == [(0, 27)]


def test_files_of_another_sweep_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.nc"
    qv.sweep(FREE, OVER, measure=["flips"], path=path)
    before = path.read_bytes()
    with pytest.raises(qv.InputError, match="of another map"):
        qv.sweep(FREE, OVER, measure=["first_flip"], path=path)
    other = tmp_path / "other.nc"
    other.write_text("mine")
    with pytest.raises(qv.InputError, match="of another map"):
        qv.sweep(FREE, OVER, measure=["flips"], path=other)
    (tmp_path / "third.nc.part").mkdir()
    with pytest.raises(qv.InputError, match="of another map"):
        qv.sweep(FREE, OVER, measure=["flips"], path=tmp_path / "third.nc")
    for bad in ("map.xls", "map", "nowhere/map.nc"):
        with pytest.raises(qv.InputError):
            qv.sweep(FREE, OVER, measure=["flips"], path=tmp_path / bad)
    assert path.read_bytes() == before
    with pytest.raises(qv.InputError, match="a data set"):
        read_sweep(other)


def test_killed_process_loses_only_its_current_work(tmp_path: Path) -> None:
    code = """
import sys, quatviz as qv
preset = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=8.0, dt=1e-3)
qv.sweep(preset, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 50_000)}, path=sys.argv[1], jobs=1)
"""
    path = tmp_path / "map.nc"
    child = subprocess.Popen([sys.executable, "-c", code, str(path)])
    part = tmp_path / "map.nc.part"
    wait_for(lambda: len(list(part.glob("[0-9]*.npz"))) > 1)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    preset = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=8.0, dt=1e-3)
    plan = SweepPlan.create(preset, {"initial.angular_velocity[0]": qv.Axis.linear(-1, 1, 50_000)})
    results = SweepResults.empty(plan, *plan.shape)
    missing = SweepStore(plan, path).resume(results)
    assert (results.status >= 0).sum() == 50_000 - sum(stop - start for start, stop in missing) > 16


@pytest.mark.parametrize("line", ["[1]", "[" * 100_000, "{", "3"])
def test_damaged_table_is_not_overwritten(line: str, tmp_path: Path) -> None:
    path = tmp_path / "map.csv"
    path.write_text(f"# quatviz {line}\n")
    with pytest.raises(qv.InputError, match="of another map"):
        SweepStore(SweepPlan.create(FREE, OVER), path)


def test_failed_replacement_keeps_the_old_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old folder was once deleted although the new one could not replace it."""
    pytest.importorskip("zarr")
    path, link = tmp_path / "map.zarr", tmp_path / "link.zarr"
    plan = SweepPlan.create(FREE, OVER, measure=["flips"])
    with Sweep(plan) as sweep:
        dataset = make_dataset(plan, sweep.complete())
    write_sweep(dataset, path)
    before = read_sweep(path)
    link.symlink_to(path)
    replace_file = os.replace

    def fail(source: Path, target: Path) -> None:
        if Path(target) == path and "-map-" in Path(source).name and not path.exists() and refusals:
            raise refusals.pop()
        replace_file(source, target)

    refusals = [OSError(28, "No space left on device")]
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="No space"):
            write_sweep(dataset, path)
    assert not refusals
    assert read_sweep(path).identical(before)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.zarr", "map.zarr"]
    write_sweep(dataset, link)
    assert link.is_symlink()
    assert read_sweep(path).identical(before)

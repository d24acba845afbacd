"""Tables in every format: exact, described, whole or not there, and enough to repeat the run bit for bit."""

import csv
import json
import os
import pickle
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

import quatviz as qv
from quatviz.export.files import read_settings, refuse_target, write_table
from quatviz.export.formats import FORMATS, format_of
from quatviz.simulation.simulation import Simulation

SUFFIXES = [suffix for kind in FORMATS.values() for suffix in kind.suffixes]
COARSE = 'coarse, "h" / λ'
LANES: list[qv.Lane | str] = ["newton_euler", qv.Lane("hamilton", dt=5e-3, name=COARSE)]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    preset = replace(
        qv.load_preset("torque_free"), summary="two lines  \n\nwith\u2028odd # breaks and\ttabs "
    )
    return qv.simulate(preset, lanes=LANES, duration=1.0, dt=1e-2, sample_interval=0.1)


def test_every_number_in_every_format_is_the_one_computed(run: qv.Run, tmp_path: Path) -> None:
    import pandas  # a hundred megabytes, for which the workers that do not come here need not wait

    h = run[COARSE].h
    name = f"{COARSE}:h"
    for kind in SUFFIXES:
        write_table(run.engine, tmp_path / f"run{kind}")
    text = [
        line for line in (tmp_path / "run.csv").read_text("utf-8").split("\n") if not line.startswith("#")
    ]
    read = {
        ".csv": pandas.DataFrame(list(csv.DictReader(text)), dtype=object).replace("", "nan").astype(float),
        ".parquet": pandas.read_parquet(tmp_path / "run.parquet"),
        "frame": run.to_dataframe().reset_index(),
    }
    for frame in read.values():
        assert frame["t"].to_numpy() == pytest.approx(np.arange(11) * 0.1, abs=1e-15)
        assert (frame[[f"{name}_{i}" for i in (1, 2, 3)]].to_numpy() == h).all()
        assert frame[f"{name[:-1]}lam"].isna().all()
    with np.load(tmp_path / "run.npz") as arrays, h5py.File(tmp_path / "run.h5") as file:
        assert (arrays[name] == h).all()
        assert (file[name][:] == h).all()
        assert (arrays["t"] == run["newton_euler"].t).all()
        assert (file["t"][:] == run["newton_euler"].t).all()


def test_every_format_says_unit_frame_and_title(run: qv.Run, tmp_path: Path) -> None:
    from pyarrow import parquet

    for suffix in SUFFIXES:
        write_table(run.engine, tmp_path / f"run{suffix}")
    h = {"title": "Angular momentum", "unit": "kg m²/s", "frame": "body"}
    assert "h_1, h_2, h_3: angular momentum [kg m²/s], body" in (tmp_path / "run.csv").read_text("utf-8")
    field = parquet.read_schema(tmp_path / "run.parquet").field("newton_euler:h_1").metadata
    assert {key.decode(): value.decode() for key, value in field.items()} == {**h, "lane": "newton_euler"}
    with np.load(tmp_path / "run.npz", allow_pickle=False) as arrays:
        assert arrays["settings"].dtype.kind == "U"
        assert json.loads(str(arrays["settings"]))["columns"]["newton_euler:h"] == h
    with h5py.File(tmp_path / "run.h5") as file:
        assert dict(file["newton_euler:h"].attrs) == {**h, "lane": "newton_euler"}
        lanes = json.loads(file.attrs["lanes"])
    assert [lane["status"] for lane in lanes] == ["ok", "ok"]
    assert run.to_dataframe().attrs["units"]["newton_euler:omega_2"] == "rad/s"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_file_alone_repeats_the_run_bit_for_bit(run: qv.Run, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run{suffix}"
    write_table(run.engine, path)
    preset = qv.load_preset(str(path))
    assert preset == run.preset
    assert preset.run.dt == 1e-2
    again = qv.simulate(preset)
    for lane in run.lanes:
        assert again[lane.name].dt == lane.dt
        assert (again[lane.name].engine.history.rows == lane.engine.history.rows).all()


def test_the_end_of_a_lane_is_in_its_table(tmp_path: Path) -> None:
    """Numbers too large to go on: the other lane's rows stay, this one's are empty, and the reason is there."""
    preset = replace(
        qv.load_preset("torque_free"),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[900, 700, 800]),
    )
    lanes = [qv.Lane("newton_euler", dt=0.1, name="lost"), qv.Lane("newton_euler", dt=1e-5, name="fine")]
    run = qv.simulate(preset, lanes=lanes, duration=1.0, sample_interval=0.1)
    assert run["lost"].status == "not_finite"
    frame = run.to_dataframe()
    assert frame["lost:h_1"].notna().sum() == len(run["lost"]) < 11
    assert frame["fine:h_1"].notna().all()
    run.write(tmp_path / "run.csv")
    assert "# lane lost: not_finite lost ended at t = " in (tmp_path / "run.csv").read_text("utf-8")


def test_a_run_that_was_extended_is_repeated_to_its_new_end(run: qv.Run, tmp_path: Path) -> None:
    longer = Simulation(run.preset)
    longer.extend(2.0)
    longer.complete()
    write_table(longer, tmp_path / "run.npz")
    assert qv.simulate(qv.load_preset(tmp_path / "run.npz"))["newton_euler"].t[-1] == 2.0


def test_what_few_lanes_have_is_in_their_tables(run: qv.Run) -> None:
    ring = qv.simulate(qv.load_preset("ring_damper"), lanes=["ring_damper"], duration=0.1).to_dataframe()
    assert ring["ring_damper:ring_angle"].notna().all()
    assert not any("ring" in column for column in run.to_dataframe().columns)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failed_write_leaves_the_old_table_whole(
    run: qv.Run, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"run{suffix}"
    path.write_text("old")
    kind = format_of(path)
    for fault, told, words in (
        (OSError(28, "No space left"), qv.InputError, "no space left on the disk; .* before is whole"),
        (KeyboardInterrupt("Ctrl-C"), KeyboardInterrupt, "Ctrl-C"),
    ):

        def full(self: object, table: object, fresh: Path, fault: BaseException = fault) -> None:
            fresh.write_text("half")
            raise fault

        monkeypatch.setattr(kind, "write", full)
        with pytest.raises(told, match=words):
            write_table(run.engine, path)
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_table_may_be_read_by_whom_any_new_file_may(run: qv.Run, tmp_path: Path) -> None:
    write_table(run.engine, tmp_path / "run.npz")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "run.npz").stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_link_stays_a_link(run: qv.Run, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write_table(run.engine, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert read_settings(tmp_path / "real.csv").preset == run.preset


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "content", [b"", b"t,x\n0,1\n", b"PK\x03\x04 broken", b"\x89HDF\r\n\x1a\n", b"\xff\xfe"]
)
def test_what_is_no_table_is_refused(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"run{suffix}"
    path.write_bytes(content)
    with pytest.raises(qv.InputError, match=f"run{suffix}"):
        qv.load_preset(path)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", settings=np.array([Bomb()], dtype=object))
    with pytest.raises(qv.InputError):
        qv.load_preset(tmp_path / "run.npz")
    (tmp_path / "raw.npz").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(qv.InputError):
        qv.load_preset(tmp_path / "raw.npz")


class Bomb:
    """Something whose unpickling would show."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("unpickled",)


def test_a_wrong_preset_in_a_table_is_refused_at_its_line(run: qv.Run, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    write_table(run.engine, path)
    path.write_text(path.read_text("utf-8").replace("#   duration = 1", "#   durration = 1"), "utf-8")
    with pytest.raises(qv.InputError, match=r"run.csv, the preset in it, line \d+, run.durration"):
        qv.load_preset(path)


def test_a_preset_of_any_length_fits(run: qv.Run, tmp_path: Path) -> None:
    long = qv.simulate(replace(run.preset, watch="long " * 30_000), duration=0.1, sample_interval=0.1)
    for suffix in SUFFIXES:
        write_table(long.engine, tmp_path / f"run{suffix}")
        assert qv.load_preset(tmp_path / f"run{suffix}") == long.preset


def test_targets_are_refused_before_the_run(run: qv.Run, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for wrong, words in (
        ("run.xlsx", ".parquet"),
        ("none/run.csv", "no such folder"),
        ("folder.csv", "a folder"),
    ):
        with pytest.raises(qv.InputError, match=words):
            refuse_target(tmp_path / wrong)
        with pytest.raises(qv.InputError):
            write_table(run.engine, tmp_path / wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]

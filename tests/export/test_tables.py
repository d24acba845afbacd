"""Tables in every format: exact, with units, complete or not written, and sufficient to repeat the run bit for bit."""

import csv
import io
import json
import os
import pickle
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy as np
import pytest

import quatviz as qv
from quatviz.export.formats import FORMATS, format_of
from quatviz.export.table_files import read_session_of_table, refuse_target, write_table
from quatviz.physics.geometry.preset_relative_paths import resolve_inside
from quatviz.simulation import history
from quatviz.simulation.history import DiskBuffer
from quatviz.simulation.simulation import Simulation

SUFFIXES = [suffix for format_class in FORMATS.values() for suffix in format_class.suffixes]
COARSE = 'coarse, "h" / λ'
COARSE_LANE = qv.Lane("hamilton", dt=5e-3, name=COARSE)
LANES: list[qv.Lane | str] = ["newton_euler", COARSE_LANE]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    preset = replace(
        qv.load_preset("torque_free"), summary="two lines  \n\nwith\u2028odd # breaks and\ttabs "
    )
    return qv.simulate(preset, lanes=LANES, duration=1.0, dt=1e-2, sample_interval=0.1)


def test_every_format_stores_the_computed_numbers_exactly(run: qv.Run, tmp_path: Path) -> None:
    import pandas  # a hundred megabytes, which other test processes need not load

    h = run[COARSE].h
    name = f"{COARSE}:h"
    for suffix in SUFFIXES:
        write_table(run.engine, tmp_path / f"run{suffix}")
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


def test_every_format_stores_unit_frame_and_title(run: qv.Run, tmp_path: Path) -> None:
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
def test_long_table_is_buffered_on_disk(
    run: qv.Run, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of ninety minutes with twelve lanes took 1.7 GB, because it was kept in memory until all was written."""
    run.write(tmp_path / f"memory{suffix}", ["h", "energy"], every=3)
    rests = []

    class CountingBuffer(DiskBuffer):
        def release_all(self) -> None:
            rests.append(self)
            super().release_all()

    monkeypatch.setattr(history, "DISK_THRESHOLD", 1)
    monkeypatch.setattr(history, "DiskBuffer", CountingBuffer)
    run.write(tmp_path / f"disk{suffix}", ["h", "energy"], every=3)
    assert len(set(map(id, rests))) == len(run)
    assert len(rests) > 2 * len(run)
    kept, spooled = (qv.load_run(tmp_path / f"{name}{suffix}") for name in ("memory", "disk"))
    for lane, other in zip(kept.values(), spooled.values(), strict=True):
        assert np.array_equal(lane.h, other.h)
        assert np.array_equal(lane.energy, other.energy)
        assert np.isfinite(lane.h).all()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_table_file_repeats_the_run_bit_for_bit(run: qv.Run, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run{suffix}"
    write_table(run.engine, path)
    preset = qv.load_preset(str(path))
    assert preset == run.preset
    assert preset.run.dt == 1e-2
    again = qv.simulate(preset)
    for lane in run.lanes:
        assert again[lane.name].dt == lane.dt
        assert (again[lane.name].engine.history.rows == lane.engine.history.rows).all()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_run_is_read_back_as_recorded(suffix: str, tmp_path: Path) -> None:
    preset = replace(qv.load_preset("torque_free"), events=[qv.Kick(at=0.3, impulse=[50, 0, 0])])
    lanes: list[qv.Lane | str] = ["lagrange_full/torque", "euler_angles/313", COARSE_LANE]
    run = qv.simulate(preset, lanes=lanes, duration=1.0, dt=1e-2, sample_interval=0.1)
    run.write(tmp_path / f"run{suffix}")
    read = qv.load_run(tmp_path / f"run{suffix}")
    assert (list(read), read.preset, read.missing) == (list(run), run.preset, ())
    assert read.versions == run.versions
    assert read.versions["quatviz"] == qv.__version__
    for lane, again in zip(run.lanes, read.lanes, strict=True):
        for attribute in ("status", "message", "digest", "events", "dt", "integrator", "steps", "ended_at"):
            assert getattr(again, attribute) == getattr(lane, attribute)
        for name in ("p", "omega", "h", "energy", "lam", "lam_theory"):
            assert np.array_equal(getattr(again, name), getattr(lane, name), equal_nan=True), name
        assert again.t == pytest.approx(lane.t, abs=1e-15)
        with pytest.raises(qv.InputError, match="not h_space"):
            assert again.h_space is None
        with pytest.raises(qv.InputError, match="run it again"):
            assert again.estimated_error is None
    assert read.orientation_error(*list(read)[::2]).max() < 1e-6
    assert pickle.loads(pickle.dumps(read))[COARSE].h.tolist() == read[COARSE].h.tolist()
    read.write(tmp_path / f"again{suffix}", ["h"], every=2)
    assert (qv.load_run(tmp_path / f"again{suffix}")[COARSE].h == run[COARSE].h[::2]).all()


def test_table_selection_is_equal_in_every_format(run: qv.Run, tmp_path: Path) -> None:
    selection: dict[str, Any] = {"every": 2, "start": 0.2, "stop": 0.9}
    frame = run.to_dataframe(["angles_321", "energy"], [COARSE], **selection)
    assert frame.index.tolist() == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert list(frame) == [
        f"{COARSE}:{name}" for name in ("angles_321_1", "angles_321_2", "angles_321_3", "energy")
    ]
    assert (frame.to_numpy()[:, :3] == run[COARSE].angles_321[2:9:2]).all()
    for suffix in SUFFIXES:
        run.write(tmp_path / f"part{suffix}", ["angles_321", "energy"], [COARSE], **selection)
        read = qv.load_run(tmp_path / f"part{suffix}")
        assert list(read.to_dataframe()) == list(frame)
        assert np.array_equal(read.to_dataframe(), frame)
    wrongs: list[dict[str, Any]] = [{"quantities": ["speed"]}, {"lanes": ["none"]}]
    wrongs += [{"every": every} for every in (0, 1.5, True, "2")]
    for wrong in wrongs:
        with pytest.raises(qv.InputError):
            run.to_dataframe(**wrong)


def test_run_with_a_missing_plugin_is_read_with_a_message(run: qv.Run, tmp_path: Path) -> None:
    run.write(tmp_path / "run.csv")
    text = (tmp_path / "run.csv").read_text("utf-8").replace('"hamilton"', '"foreign/form"')
    (tmp_path / "run.csv").write_text(text, "utf-8")
    read = qv.load_run(tmp_path / "run.csv")
    assert read.missing == ("foreign/form is not among the formulations: install the package that adds it",)
    assert "missing: foreign/form" in repr(read)
    assert (read[COARSE].h == run[COARSE].h).all()


def test_run_with_unknown_load_and_event_is_read_without_them(tmp_path: Path) -> None:
    top = qv.load_preset("heavy_top").with_run(lanes=["newton_euler"], duration=0.1)
    kicked = replace(
        top, events=[qv.Kick(at=0.05, impulse=[0, 0, 1]), qv.ChangeModel(at=0.08, loads=top.loads)]
    )
    run = qv.simulate(kicked)
    run.write(tmp_path / "run.csv", ["h"])
    text = (tmp_path / "run.csv").read_text("utf-8")
    for name in ("gravity", "kick"):
        assert f'kind = "{name}"' in text
        text = text.replace(f'kind = "{name}"', f'kind = "their_{name}"')
    (tmp_path / "run.csv").write_text(text, "utf-8")
    read = qv.load_run(tmp_path / "run.csv")
    assert read.missing == (
        "their_gravity is not among the loads: install the package that adds it",
        "their_kick is not among the events: install the package that adds it",
    )
    assert (read["newton_euler"].h == run["newton_euler"].h).all()
    assert [event.name for event in read.preset.events] == ["change"]
    with pytest.raises(qv.InputError, match="their_gravity"):
        qv.load_preset(tmp_path / "run.csv")


def test_xarray_dataset_contains_all_quantities(run: qv.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the constructor of a dataset is used."""
    made = SimpleNamespace(
        Dataset=lambda *given: SimpleNamespace(given=given, set_coords=lambda names: given)
    )
    monkeypatch.setitem(sys.modules, "xarray", made)
    stands_in: Any = run.to_xarray(["h", "energy"], every=5)
    variables, axes, settings = stands_in
    assert variables["h"][0] == ["lane", "t", "h_component"]
    assert (variables["h"][1][1] == run[COARSE].h[::5]).all()
    assert variables["h"][2]["unit"] == "kg m²/s"
    assert variables["energy"][1].shape == (2, 3)
    assert axes["lane"] == ["newton_euler", COARSE]
    assert "preset" in settings


def test_lane_end_is_stored_in_the_table(tmp_path: Path) -> None:
    """After an overflow the other lane's rows stay, this lane's are empty, and the reason is stored."""
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
    assert '"name": "lost", "status": "not_finite", "message": "lost ended at t = ' in (
        tmp_path / "run.csv"
    ).read_text("utf-8")


def test_extended_run_is_repeated_to_its_new_end(run: qv.Run, tmp_path: Path) -> None:
    longer = Simulation(run.preset)
    longer.extend(2.0)
    longer.complete()
    write_table(longer, tmp_path / "run.npz")
    assert qv.simulate(qv.load_preset(tmp_path / "run.npz"))["newton_euler"].t[-1] == 2.0


def test_quantities_of_few_lanes_are_stored(run: qv.Run) -> None:
    ring = qv.simulate(qv.load_preset("ring_damper"), lanes=["ring_damper"], duration=0.1).to_dataframe()
    assert ring["ring_damper:ring_angle"].notna().all()
    assert not any("ring" in column for column in run.to_dataframe().columns)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_failed_write_leaves_the_old_table(
    run: qv.Run, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"run{suffix}"
    path.write_text("old")
    table_format = format_of(path)
    for fault, message, fragment in (
        (
            OSError(28, "No space left"),
            qv.InputError,
            "no space left on the disk; .* existing file is unchanged",
        ),
        (KeyboardInterrupt("Ctrl-C"), KeyboardInterrupt, "Ctrl-C"),
    ):

        def full(self: object, table: object, fresh: Path, fault: BaseException = fault) -> None:
            fresh.write_text("half")
            raise fault

        monkeypatch.setattr(table_format, "write", full)
        with pytest.raises(message, match=fragment):
            write_table(run.engine, path)
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_table_has_the_default_file_permissions(run: qv.Run, tmp_path: Path) -> None:
    write_table(run.engine, tmp_path / "run.npz")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "run.npz").stat().st_mode & 0o777 == 0o666 & ~mask


def test_circular_links_are_rejected_and_harmless(run: qv.Run, tmp_path: Path) -> None:
    (tmp_path / "round.npz").symlink_to(tmp_path / "round.npz")
    with pytest.raises(qv.InputError, match=r"round\.npz"):
        qv.load_run(tmp_path / "round.npz")
    with pytest.raises(qv.InputError, match="a link that leads back to itself; nothing was written"):
        run.write(tmp_path / "round.npz", "h")
    assert (tmp_path / "round.npz").is_symlink()
    (tmp_path / "again.csv").symlink_to(tmp_path / "again.csv")
    assert resolve_inside(tmp_path, "again.csv") == tmp_path / "again.csv"


def test_symbolic_link_is_preserved(run: qv.Run, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write_table(run.engine, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert read_session_of_table(tmp_path / "real.csv").preset == run.preset


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "content", [b"", b"t,x\n0,1\n", b"PK\x03\x04 broken", b"\x89HDF\r\n\x1a\n", b"\xff\xfe"]
)
def test_files_without_a_table_are_rejected(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"run{suffix}"
    path.write_bytes(content)
    with pytest.raises(qv.InputError, match=f"run{suffix}"):
        qv.load_preset(path)


def test_hdf5_size_check_counts_stored_numbers(run: qv.Run, tmp_path: Path) -> None:
    def made(**given: Any) -> Path:
        path = tmp_path / "other.h5"
        path.unlink(missing_ok=True)
        run.write(path, "h")
        with h5py.File(path, "a") as file:
            del file["t"]
            file.create_dataset("t", **given)
        return path

    assert len(qv.load_run(made(data=run.lanes[0].t))["newton_euler"]) == 11
    claimed = made(shape=(10**10,), dtype="f8", chunks=(10**6,), compression="gzip")
    with pytest.raises(qv.InputError, match="more than the file or this machine"):
        qv.load_run(claimed)
    for given in ({"data": "text"}, {"shape": (11,), "dtype": "f8", "external": [(b"/dev/zero", 0, 88)]}):
        with pytest.raises(qv.InputError, match="does not contain numbers in this file"):
            qv.load_run(made(**given))


def test_claimed_sizes_of_an_archive_are_summed_before_reading(run: qv.Run, tmp_path: Path) -> None:
    """Nothing is unpacked, because the files would be gigabytes."""

    def made(shape: tuple[int, ...], packed: int = zipfile.ZIP_DEFLATED, dtype: str = "<f8") -> Path:
        run.write(tmp_path / "right.npz", "h")
        with (
            zipfile.ZipFile(tmp_path / "right.npz") as right,
            zipfile.ZipFile(tmp_path / "other.npz", "w", packed) as other,
        ):
            for name in right.namelist():
                header = io.BytesIO()
                npy_header = {"descr": dtype, "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(header, npy_header)
                other.writestr(name, header.getvalue() if name == "t.npy" else right.read(name))
        return tmp_path / "other.npz"

    for shape in ((10**15,), (10**5, 10**5), (-(10**15),)):
        with pytest.raises(qv.InputError, match="more than the file or this machine"):
            qv.load_run(made(shape))
    with pytest.raises(qv.InputError, match="unsupported compression"):
        qv.load_run(made((11,), zipfile.ZIP_BZIP2))
    with pytest.raises(qv.InputError, match="not an array of numbers"):
        qv.load_run(made((11,), dtype="<U9999999"))


def test_highly_compressed_columns_are_not_read(run: qv.Run, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    run.write(tmp_path / "run.parquet", "h")
    right = parquet.read_table(tmp_path / "run.parquet")
    rows = 2 * 10**7
    for packed, message in (
        (pa.float64(), "more than the file or this machine"),
        (pa.string(), "no numbers"),
    ):
        values = pa.array(np.zeros(rows if packed == pa.float64() else 1)).cast(packed)
        table = pa.table(dict.fromkeys(right.column_names, values))
        table = table.replace_schema_metadata(right.schema.metadata)
        parquet.write_table(table, tmp_path / "other.parquet", row_group_size=rows)
        with pytest.raises(qv.InputError, match=message):
            qv.load_run(tmp_path / "other.parquet")


def test_table_exceeding_memory_is_rejected(
    run: qv.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for suffix in (".csv", ".npz", ".parquet", ".h5"):
        run.write(tmp_path / f"run{suffix}", "h")
        assert len(qv.load_run(tmp_path / f"run{suffix}")["newton_euler"]) == 11
    monkeypatch.setattr("quatviz.files.limits.free_memory", lambda: 600)
    for suffix in (".csv", ".npz", ".parquet", ".h5"):
        with pytest.raises(qv.InputError, match="more than the file or this machine"):
            qv.load_run(tmp_path / f"run{suffix}")


def test_column_shorter_than_its_times_is_rejected(run: qv.Run, tmp_path: Path) -> None:
    run.write(tmp_path / "run.npz", "h")
    with np.load(tmp_path / "run.npz") as arrays:
        held = dict(arrays)
    held["newton_euler:h"] = held["newton_euler:h"][:5]
    np.savez(tmp_path / "other.npz", **held)
    with pytest.raises(qv.InputError, match="newton_euler:h has"):
        qv.load_run(tmp_path / "other.npz")


def test_pickle_is_never_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", settings=np.array([Bomb()], dtype=object))
    with pytest.raises(qv.InputError):
        qv.load_preset(tmp_path / "run.npz")
    (tmp_path / "raw.npz").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(qv.InputError):
        qv.load_preset(tmp_path / "raw.npz")


class Bomb:
    """Object whose unpickling would be noticed."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("unpickled",)


def test_invalid_preset_in_a_table_is_rejected_with_its_line(run: qv.Run, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    write_table(run.engine, path)
    path.write_text(path.read_text("utf-8").replace("#   duration = 1", "#   durration = 1"), "utf-8")
    with pytest.raises(qv.InputError, match=r"the preset stored in .*run.csv, line \d+, run.durration"):
        qv.load_preset(path)


def test_preset_of_any_length_is_stored(run: qv.Run, tmp_path: Path) -> None:
    long = qv.simulate(replace(run.preset, watch="long " * 30_000), duration=0.1, sample_interval=0.1)
    for suffix in SUFFIXES:
        write_table(long.engine, tmp_path / f"run{suffix}")
        assert qv.load_preset(tmp_path / f"run{suffix}") == long.preset


def test_invalid_targets_are_rejected_before_the_run(run: qv.Run, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for wrong, message in (
        ("run.xlsx", ".parquet"),
        ("none/run.csv", "no such folder"),
        ("folder.csv", "a folder"),
    ):
        with pytest.raises(qv.InputError, match=message):
            refuse_target(tmp_path / wrong)
        with pytest.raises(qv.InputError):
            write_table(run.engine, tmp_path / wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]

"""A data set from an unknown source runs no code and cannot block the program."""

import json
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.files import SweepStore, read_digest, read_sweep
from quatviz.analysis.sweeps.plan import SweepPlan

zarr = pytest.importorskip("zarr")
FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=1.0, dt=1e-2)
LIMIT_SECONDS = 60
OVER = {"initial.angular_velocity[0]": np.array([0.0, 0.5])}


class RunsWhenUnpickled:
    """Object that writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self.path,)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zarr") / "map.zarr"
    qv.sweep(FREE, OVER, measure="flips", path=path)
    return path


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "map.zarr"))


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_complete_folder_is_read(folder: Path) -> None:
    assert read_sweep(folder)["flips"].shape == (1, 2)
    assert read_digest(folder) == SweepPlan.create(FREE, OVER, measure="flips").digest


@pytest.mark.parametrize("filters", [["pickle"], ["vlen-utf8", "pickle"], ["json2"], ["vlen-array"]])
def test_no_filter_is_run(
    folder: Path, filters: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Even if the installed library would unpickle it."""
    monkeypatch.setattr("numcodecs.pickles.ALLOW_UNSAFE_PICKLE_DECODE", True)
    codecs = [{"id": name, "dtype": "<i4"} if name == "vlen-array" else {"id": name} for name in filters]
    change(folder / "lane" / ".zarray", filters=codecs, compressor=None, dtype="|O")
    (folder / "lane" / "0").write_bytes(pickle.dumps(RunsWhenUnpickled(tmp_path / "ran")))
    assert read_digest(folder) != ""
    with pytest.raises(qv.InputError, match="codecs"):
        read_sweep(folder)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"compressor": {"id": "pickle"}}, "codecs"),
        ({"compressor": {"id": "zlib", "level": 1}}, "codecs"),
        ({"compressor": ["blosc"]}, "codecs"),
        ({"dtype": "|O"}, "neither numbers nor texts"),
        ({"dtype": [["a", "<f8"]]}, "neither numbers nor texts"),
        ({"dtype": "|V8"}, "neither numbers nor texts"),
        ({"shape": [10**9, 10**9]}, "memory"),
        ({"chunks": [10**9, 10**9]}, "memory"),
        ({"shape": None}, "shape"),
        ({"shape": [-1]}, "shape"),
    ],
)
def test_unknown_array_is_refused(folder: Path, values: dict[str, Any], message: str) -> None:
    change(folder / "status" / ".zarray", **values)
    with pytest.raises(qv.InputError, match=message):
        read_sweep(folder)


def test_other_format_version_is_refused(folder: Path) -> None:
    (folder / "lane" / "zarr.json").write_text("{}")
    with pytest.raises(qv.InputError, match="version of Zarr"):
        read_sweep(folder)


def test_links_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(qv.InputError, match="link"):
        read_sweep(folder)


@pytest.fixture
def no_block(tmp_path: Path) -> Iterator[None]:
    """Let a test fail that waits for the writer of a pipe. Otherwise all tests would wait."""

    def fail(*_: object) -> None:
        for path in tmp_path.rglob("*"):
            if path.is_fifo():  # its reader may be another thread
                os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        pytest.fail("a pipe was opened")

    previous = signal.signal(signal.SIGALRM, fail)
    signal.alarm(LIMIT_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.mark.usefixtures("no_block")
@pytest.mark.parametrize("name", [".zattrs", ".zgroup", "lane/.zarray", "lane/0", "status/0.0"])
def test_pipe_in_the_folder_does_not_block(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(qv.InputError):
        read_sweep(folder)
    if name == ".zattrs":
        with pytest.raises(qv.InputError, match="of another map"):
            qv.sweep(FREE, OVER, measure="flips", path=folder)
    else:
        assert qv.sweep(FREE, OVER, measure="flips", path=folder).attrs["complete"] == 1


@pytest.mark.usefixtures("no_block")
@pytest.mark.parametrize("ending", [".nc", ".csv", ".parquet", ".zarr"])
def test_pipe_as_data_set_does_not_block(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"map{ending}"
    os.mkfifo(path)
    with pytest.raises(qv.InputError):
        SweepStore(SweepPlan.create(FREE, OVER, measure="flips"), path)
    if ending in (".nc", ".zarr"):
        with pytest.raises(qv.InputError):
            read_sweep(path)


@pytest.mark.usefixtures("no_block")
def test_pipe_as_chunk_does_not_block(tmp_path: Path) -> None:
    plan, path = SweepPlan.create(FREE, OVER, measure="flips"), tmp_path / "map.csv"
    chunks = tmp_path / "map.csv.part"
    chunks.mkdir()
    (chunks / "digest").write_text(plan.digest)
    os.mkfifo(chunks / "0-2.npz")
    assert qv.sweep(FREE, OVER, measure="flips", path=path).attrs["complete"] == 1

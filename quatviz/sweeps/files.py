"""A sweep on disk: what was found so far, chunk by chunk, so that one that was killed goes on; and the data set in the end."""

import importlib.util
import json
import os
import re
import shutil
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quatviz.base.errors import FAULTS, InputError, phrase
from quatviz.sweeps.chunk import Found
from quatviz.sweeps.dataset import dataset
from quatviz.sweeps.measures import MEASURES
from quatviz.sweeps.plan import SweepPlan
from quatviz.text.files import (
    make_folder,
    need_library,
    offered,
    refuse_ending,
    refuse_place,
    replacing,
    write_text,
)

if TYPE_CHECKING:
    import pandas
    import xarray

ENDINGS = (".nc", ".zarr", ".parquet", ".csv")
_MARK = "# quatviz "
"""Begins the first line of a table of text, which has the attributes."""
_MOST_ATTRIBUTES = 10_000_000
"""Bytes of that line that are looked at."""
_PART, _DIGEST = ".part", "digest"
_CHUNK = re.compile(r"(\d+)-(\d+)\.npz")
_LARGEST_REASON = 2000
"""Bytes of a sentence, about: what a file may say of a hole."""
_TOPIC = "sweeps#files"


def written_here() -> list[str]:
    """Those of the `ENDINGS` that this installation can write; none without xarray, which all of them need."""
    return offered(ENDINGS) if ".nc" in offered(ENDINGS) else []


def refuse_sweep_file(path: str | Path) -> Path:
    """The path of a data set that can be written there; `InputError` for another ending, a place where nothing can be
    written, and where a package for it is not installed."""
    path = Path(path)
    need_library("xarray", _TOPIC)  # first, for all of them need it
    ending = refuse_ending(path, ENDINGS, "sweep.nc", topic=_TOPIC)
    if ending == ".zarr" and importlib.util.find_spec("zarr") is None:
        raise InputError(
            phrase("the file {path}", path=path), expected="the package zarr, for files in Zarr", found="no such package",
            remedy='install it: pip install "quatviz[zarr]"; or write .nc, which needs none', topic=_TOPIC,
        )  # fmt: skip
    refuse_place(path.with_name(path.stem + ".x") if ending == ".zarr" else path)
    return path


class Store:
    """Where a sweep keeps what it finds: the folder `NAME.part` beside the file, with an array file for each chunk, whole or
    not at all, until the file itself is written.

    `InputError` where the file or the folder is of another sweep, or no sweep's: nothing is written over.
    """

    def __init__(self, plan: SweepPlan, path: str | Path) -> None:
        self.plan, self.path = plan, refuse_sweep_file(path)
        self._folder = self.path.with_name(self.path.name + _PART)
        if self.path.exists() and digest_of(self.path) != plan.digest:
            raise self._of_another(self.path)
        mark = self._folder / _DIGEST
        if self._folder.exists() and (
            not mark.is_file() or mark.read_bytes()[:100].decode("ascii", "replace") != plan.digest
        ):
            raise self._of_another(self._folder)

    @property
    def is_complete(self) -> bool:
        """Whether the file is there with all that there is to find."""
        return self.path.exists() and bool(_attributes(self.path).get("complete"))

    def read(self) -> "xarray.Dataset":
        """The data set in the file."""
        return read_sweep(self.path)

    def take_up(self, found: Found) -> list[tuple[int, int]]:
        """Put what was kept into `found`, and give the ranges of points that are missing, in their order. A chunk that cannot
        be read is computed again."""
        make_folder(self._folder)
        write_text(self._folder / _DIGEST, self.plan.digest)
        missing, reached = [], 0
        for start, stop, path in sorted(self._chunks()):
            if start < reached or stop > self.plan.points:
                continue
            arrays = self._read(path, stop - start)
            if arrays is None:
                continue
            found.put(self.plan.numbers(start, stop), arrays)
            missing += [(reached, start)] if start > reached else []
            reached = stop
        return [*missing, *([(reached, self.plan.points)] if reached < self.plan.points else [])]

    def keep(self, start: int, stop: int, arrays: dict[str, np.ndarray]) -> None:
        """Keep what was found of some points."""
        plain = {
            name: array.astype(str) if array.dtype == object else array for name, array in arrays.items()
        }
        with (
            replacing(self._folder / f"{start}-{stop}.npz", lasting=False) as fresh,
            fresh.open("wb") as file,
        ):
            np.savez_compressed(file, allow_pickle=False, **plain)

    def finish(self, found: Found, fault: str = "") -> "xarray.Dataset":
        """Write the file, of what there is, and by what `fault` that is not all; once it is, the chunks are let go of."""
        made = dataset(self.plan, found, fault)
        write_sweep(made, self.path)
        if made.attrs["complete"]:
            shutil.rmtree(self._folder, ignore_errors=True)
        return made

    def _chunks(self) -> Iterator[tuple[int, int, Path]]:
        for path in self._folder.iterdir():
            if (named := _CHUNK.fullmatch(path.name)) and int(named[1]) < int(named[2]):
                yield int(named[1]), int(named[2]), path

    def _read(self, path: Path, points: int) -> dict[str, np.ndarray] | None:
        """The arrays of a chunk, if they are what is written of so many points; sizes are looked at before anything is read."""
        like = Found.nothing(self.plan, points).as_dict()
        most = sum(
            array.nbytes + 4 * _LARGEST_REASON * (array.size if array.dtype == object else 0)
            for array in like.values()
        )
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(member.file_size for member in archive.infolist()) > most + 1000 * len(like):
                    return None
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in like}
        except FAULTS:  # what is damaged makes each library complain in its own way
            return None
        for name, array in like.items():
            kind, kept = "U" if array.dtype == object else array.dtype.kind, arrays[name]
            if not isinstance(kept, np.ndarray) or (kept.shape, kept.dtype.kind) != (array.shape, kind):
                return None  # what is no array at all is given as bytes
        try:
            return {**arrays, "reason": arrays["reason"].astype(object)}
        except SystemError:  # letters beyond Unicode
            return None

    def _of_another(self, place: Path) -> InputError:
        return InputError(
            phrase("the file {path}", path=place), expected="what this very sweep has written before, or nothing",
            found="another sweep, or no sweep at all", remedy="choose another name, or delete it", topic=_TOPIC,
        )  # fmt: skip


def write_sweep(made: "xarray.Dataset", path: Path) -> None:
    """Write a data set, whole or not at all: NetCDF (classic, which every reader knows), Zarr, or a table with a row for each
    run, as Parquet or as text (CSV, below a line that begins with #)."""
    path = refuse_sweep_file(path)
    if path.suffix.lower() == ".zarr":
        with _replacing_folder(path) as fresh:
            made.to_zarr(fresh, mode="w", consolidated=False, zarr_format=2)  # which says what texts are
        return
    with replacing(path) as fresh:
        if path.suffix.lower() == ".nc":
            made.to_netcdf(fresh, engine="scipy", format="NETCDF3_64BIT")
        elif path.suffix.lower() == ".csv":
            with fresh.open("w", encoding="utf-8", newline="") as file:
                file.write(f"{_MARK}{_attributes_text(made)}\n")
                as_table(made).to_csv(file, index=False)
        else:
            _write_table(made, fresh)


def read_sweep(path: str | Path) -> "xarray.Dataset":
    """The data set of a NetCDF or Zarr file that a sweep has written, whole in memory."""
    import xarray

    path = Path(path)
    refuse_ending(path, (".nc", ".zarr"), "sweep.nc", topic=_TOPIC)
    try:
        if path.suffix.lower() == ".zarr":
            return xarray.open_zarr(refuse_sweep_file(path), consolidated=False, decode_times=False).load()
        with xarray.open_dataset(path, engine="scipy", decode_times=False) as opened:
            return opened.load()
    except InputError:
        raise
    except FAULTS as fault:  # the file may hold anything
        said = " ".join(str(fault).split())[:200] or type(fault).__name__
        raise InputError(
            phrase("the file {path}", path=path), expected="a data set that a sweep has written",
            found=said, remedy="check the path, and that the file is whole", topic=_TOPIC,
        ) from None  # fmt: skip


def digest_of(path: Path) -> str:
    """By what the sweep of a file is known; empty where it is none."""
    return str(_attributes(path).get("digest", ""))


def _attributes(path: Path) -> dict[str, Any]:
    try:
        if path.suffix.lower() == ".parquet":
            from pyarrow import parquet

            said = (parquet.read_schema(path).metadata or {}).get(b"quatviz", b"{}")
            return dict(json.loads(said))
        if path.suffix.lower() == ".csv":
            with path.open(encoding="utf-8") as file:
                return dict(json.loads(file.readline(_MOST_ATTRIBUTES).removeprefix(_MARK)))
        return dict(read_sweep(path).attrs)
    except FAULTS:
        return {}


def _write_table(made: "xarray.Dataset", path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.Table.from_pandas(as_table(made), preserve_index=False)
    said = _attributes_text(made).encode()
    parquet.write_table(
        table.replace_schema_metadata({**(table.schema.metadata or {}), b"quatviz": said}), path
    )


def _attributes_text(made: "xarray.Dataset") -> str:
    """The attributes in one line."""
    return json.dumps(
        {name: value if isinstance(value, str) else int(value) for name, value in made.attrs.items()}
    )


def as_table(made: "xarray.Dataset") -> "pandas.DataFrame":
    """A row for each run: lane, values of the axes, how it ended, and what was measured, several numbers of a run side by
    side."""
    import pandas

    dimensions, reasons = made["status"].dims, ["", *json.loads(made["reason"].attrs["reasons"])]
    sizes = [made.sizes[name] for name in dimensions]
    columns: dict[str, Any] = {}
    for name, values in made.coords.items():
        if set(values.dims) <= set(dimensions):
            shape = [made.sizes[each] if each in values.dims else 1 for each in dimensions]
            columns[str(name)] = np.broadcast_to(values.values.reshape(shape), sizes).ravel()
    for name, values in made.data_vars.items():
        flat = values.values.reshape(int(np.prod(sizes)), -1)
        if name == "reason":
            columns["reason"] = [reasons[code] for code in flat[:, 0]]
        elif str(name) in MEASURES and MEASURES[str(name)].shape:
            places = np.ndindex(*MEASURES[str(name)].shape)
            columns.update(
                {f"{name}_{'_'.join(map(str, place))}": flat[:, k] for k, place in enumerate(places)}
            )
        else:
            columns[str(name)] = flat[:, 0]
    return pandas.DataFrame(columns)


@contextmanager
def _replacing_folder(path: Path) -> Iterator[Path]:
    """A folder beside `path` that takes its place once it is written."""
    fresh, old = (path.with_name(f".quatviz-{path.stem}-{uuid.uuid4().hex[:8]}") for _ in range(2))
    try:
        yield fresh
        if path.exists():
            os.replace(path, old)
        os.replace(fresh, path)
    finally:
        for left in (fresh, old):
            with suppress(OSError):
                shutil.rmtree(left)

"""A sweep on disk: what was found so far, chunk by chunk, so that one that was killed goes on; and the data set in the end."""

import csv
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

from quatviz.analysis.sweeps.chunk import Found
from quatviz.analysis.sweeps.dataset import Contents, contents
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import FAULTS, InputError, phrase
from quatviz.files.files import (
    make_folder,
    need_library_of,
    no_formula,
    refuse_ending,
    refuse_place,
    replacing,
    write_text,
)

if TYPE_CHECKING:
    import xarray

ENDINGS = (".nc", ".zarr", ".parquet", ".csv")
_MARK = "# quatviz "
"""Begins the first line of a table of text, which has the attributes."""
_MOST_ATTRIBUTES = 10_000_000
"""Bytes of that line that are looked at."""
_ROWS_AT_ONCE = 10_000
"""Rows of a table of text that are made at once."""
_PART, _DIGEST = ".part", "digest"
_CHUNK = re.compile(r"(\d+)-(\d+)\.npz")
_LARGEST_REASON = 2000
"""Bytes of a sentence, about: what a file may say of a hole."""
_TOPIC = "sweeps#files"


def refuse_sweep_file(path: str | Path) -> Path:
    """The path of a data set that can be written there; `InputError` for another ending, a place where nothing can be
    written, and where a package for it is not installed."""
    path = Path(path)
    ending = refuse_ending(path, ENDINGS, "sweep.nc", topic=_TOPIC)
    need_library_of(ending, _TOPIC)
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

    def finish(self, found: Found, fault: str = "") -> Contents:
        """Write the file, of what there is, and by what `fault` that is not all; once it is, the chunks are let go of."""
        made = contents(self.plan, found, fault)
        write_sweep(made, self.path)
        if made.attributes["complete"]:
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


def write_sweep(made: Contents, path: Path) -> None:
    """Write a data set, whole or not at all: NetCDF (classic, which every reader knows), Zarr, or a table with a row for each
    run, as Parquet or as text (CSV, below a line that begins with #), which needs no library."""
    path = refuse_sweep_file(path)
    if path.suffix.lower() == ".zarr":
        with _replacing_folder(path) as fresh:
            made.as_xarray().to_zarr(
                fresh, mode="w", consolidated=False, zarr_format=2
            )  # which says what texts are
        return
    with replacing(path) as fresh:
        if path.suffix.lower() == ".nc":
            made.as_xarray().to_netcdf(fresh, engine="scipy", format="NETCDF3_64BIT")
        elif path.suffix.lower() == ".csv":
            _write_text(made, fresh)
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


def _write_table(made: Contents, path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(columns(made), metadata={b"quatviz": _attributes_text(made).encode()})
    parquet.write_table(table, path)


def _write_text(made: Contents, path: Path) -> None:
    """Empty cells for what was not found; nothing that a spreadsheet takes for a formula."""
    found = columns(made)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{_MARK}{_attributes_text(made)}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(no_formula, found))
        for start in range(0, len(found["status"]), _ROWS_AT_ONCE):
            part = [_cells(values[start : start + _ROWS_AT_ONCE]) for values in found.values()]
            writer.writerows(zip(*part, strict=True))


def _cells(values: np.ndarray) -> list[Any]:
    if values.dtype.kind in "OU":
        return list(map(no_formula, values.tolist()))
    return ["" if value != value else value for value in values.tolist()]  # only nan is not itself


def _attributes_text(made: Contents) -> str:
    """The attributes in one line."""
    return json.dumps(
        {name: value if isinstance(value, str) else int(value) for name, value in made.attributes.items()}
    )


def columns(made: Contents) -> dict[str, np.ndarray]:
    """A table with a row for each run: lane, values of the axes, how it ended, and what was measured, several numbers of a run
    side by side."""
    dimensions, status, _ = made.variables["status"]
    reasons = np.array(["", *json.loads(made.variables["reason"].notes["reasons"])], dtype=object)
    found: dict[str, np.ndarray] = {}
    for name, (own, values, _) in made.coordinates.items():
        if own[0] in dimensions:
            shape = [len(values) if each == own[0] else 1 for each in dimensions]
            found[name] = np.broadcast_to(values.reshape(shape), status.shape).ravel()
    for name, (_, values, _) in made.variables.items():
        flat = values.reshape(status.size, -1)
        if name == "reason":
            found[name] = reasons[flat[:, 0]]
        elif name in MEASURES and MEASURES[name].shape:
            places = np.ndindex(*MEASURES[name].shape)
            found.update(
                {f"{name}_{'_'.join(map(str, place))}": flat[:, k] for k, place in enumerate(places)}
            )
        else:
            found[name] = flat[:, 0]
    return found


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

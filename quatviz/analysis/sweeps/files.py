"""Files of a sweep: chunks that are saved during the computation, so that it can be resumed, and the final data set."""

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

from quatviz.analysis.sweeps.chunk import SweepResults
from quatviz.analysis.sweeps.dataset import SweepDataset, make_dataset
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.zarr_safety import read_zarr_attributes, refuse_unsafe_zarr
from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, phrase
from quatviz.files.files import (
    checked_extension,
    escape_inner_formulas,
    format_csv_row,
    make_folder,
    refuse_unwritable,
    replace_atomically,
    require_library_for,
    write_text,
)
from quatviz.files.limits import refuse_blocking
from quatviz.physics.geometry.preset_relative_paths import real_path

if TYPE_CHECKING:
    import xarray

ENDINGS = (".nc", ".zarr", ".parquet", ".csv")
_READABLE_ENDINGS = (".nc", ".zarr")
"""Endings of the files that `read_sweep` reads."""
_ATTRIBUTES_PREFIX = "# quatviz "
"""Prefix of the first line of a CSV file, which contains the attributes."""
_MAX_ATTRIBUTE_BYTES = 10_000_000
"""Largest number of bytes that are read as the attributes of a CSV file."""
_ROWS_PER_CHUNK = 10_000
"""Number of rows of a CSV file that are formatted at once."""
_FOLDER_SUFFIX, _DIGEST_FILE = ".part", "digest"
_CHUNK_FILE = re.compile(r"(\d+)-(\d+)\.npz")
_MAX_REASON_BYTES = 2000
"""Approximate largest size [bytes] of a sentence in a chunk file."""
_TOPIC = "sweeps#files"


def check_sweep_path(path: str | Path) -> Path:
    """Return the path for a data set, after checking that it can be written.

    Raises `InputError` for an unknown suffix, a location that cannot be written, or a missing package.
    """
    path = Path(path)
    ending = checked_extension(path, ENDINGS, "sweep.nc", topic=_TOPIC)
    require_library_for(ending, _TOPIC)
    refuse_unwritable(path.with_name(path.stem + ".x") if ending == ".zarr" else path)
    return path


class SweepStore:
    """Storage of a sweep in progress.

    Until the final file is written, the folder `NAME.part` beside it contains one array file per chunk. Each is written
    completely or not at all. Raises `InputError` if the file or the folder belongs to another sweep or to no
    sweep, so that nothing is overwritten.
    """

    def __init__(self, plan: SweepPlan, path: str | Path) -> None:
        self.plan, self.path = plan, check_sweep_path(path)
        self._folder = self.path.with_name(self.path.name + _FOLDER_SUFFIX)
        self._is_loaded = False
        """True if `resume` took all results from the finished file, so that nothing needs to be written."""
        if self.path.exists() and read_digest(self.path) != plan.digest:
            raise self._foreign_file_error(self.path)
        digest_file = self._folder / _DIGEST_FILE
        if self._folder.exists() and (
            not digest_file.is_file()
            or digest_file.read_bytes()[:100].decode("ascii", "replace") != plan.digest
        ):
            raise self._foreign_file_error(self._folder)

    @property
    def is_complete(self) -> bool:
        """True if the file exists and contains all points."""
        return self.path.exists() and bool(_read_attributes(self.path).get("complete"))

    def finished_dataset(self) -> "xarray.Dataset | None":
        """Return the data set in the file if it contains all points.

        Return None if points are missing, if the format cannot be read again, or if the file is damaged. The sweep is
        then computed.
        """
        if self.path.suffix.lower() not in _READABLE_ENDINGS:
            return None
        try:
            return read_sweep(self.path) if self.is_complete else None
        except InputError:
            return None

    def resume(self, results: SweepResults) -> list[tuple[int, int]]:
        """Load saved chunks, or a finished file, into `results`, and return the ranges of missing points in order.
        Damaged chunks are computed again.
        """
        finished = self.finished_dataset()
        if finished is not None:
            _load_results(finished, results)
            self._is_loaded = True
            return []
        make_folder(self._folder)
        write_text(self._folder / _DIGEST_FILE, self.plan.digest)
        missing, reached = [], 0
        for start, stop, path in sorted(self._chunks()):
            if start < reached or stop > self.plan.point_count:
                continue
            arrays = self._read_chunk(path, stop - start)
            if arrays is None:
                continue
            results.store(self.plan.grid_indices(start, stop), arrays)
            missing += [(reached, start)] if start > reached else []
            reached = stop
        return [*missing, *([(reached, self.plan.point_count)] if reached < self.plan.point_count else [])]

    def save_chunk(self, start: int, stop: int, arrays: dict[str, np.ndarray]) -> None:
        """Save the results of the points from `start` to `stop`."""
        plain_arrays = {
            name: array.astype(str) if array.dtype == object else array for name, array in arrays.items()
        }
        with (
            replace_atomically(self._folder / f"{start}-{stop}.npz", durable=False) as fresh,
            fresh.open("wb") as file,
        ):
            np.savez_compressed(file, allow_pickle=False, **plain_arrays)

    def finish(self, results: SweepResults, fault: str = "") -> SweepDataset:
        """Write the file with the results so far. The chunks are removed once all points are computed.

        `fault` says why the sweep ended early, or is "".
        """
        dataset = make_dataset(self.plan, results, fault)
        if self._is_loaded:
            return dataset
        write_sweep(dataset, self.path)
        if dataset.attributes["complete"]:
            shutil.rmtree(self._folder, ignore_errors=True)
        return dataset

    def _chunks(self) -> Iterator[tuple[int, int, Path]]:
        for path in self._folder.iterdir():
            if (named := _CHUNK_FILE.fullmatch(path.name)) and int(named[1]) < int(named[2]):
                yield int(named[1]), int(named[2]), path

    def _read_chunk(self, path: Path, points: int) -> dict[str, np.ndarray] | None:
        """Return the arrays of a saved chunk by name, or None if they do not match the plan. Their sizes are
        checked before any data are read."""
        expected = SweepResults.empty(self.plan, points).as_dict()
        size_limit = sum(
            array.nbytes + 4 * _MAX_REASON_BYTES * (array.size if array.dtype == object else 0)
            for array in expected.values()
        )
        try:
            refuse_blocking(path)
            with zipfile.ZipFile(path) as archive:
                if sum(member.file_size for member in archive.infolist()) > size_limit + 1000 * len(expected):
                    return None
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in expected}
        except PLUGIN_EXCEPTIONS:  # Each library reports damaged files by different exceptions.
            return None
        for name, array in expected.items():
            dtype_kind, array_read = "U" if array.dtype == object else array.dtype.kind, arrays[name]
            if not isinstance(array_read, np.ndarray) or (array_read.shape, array_read.dtype.kind) != (
                array.shape,
                dtype_kind,
            ):
                return None  # An entry that is not an array is returned as bytes.
        try:
            return {**arrays, "reason": arrays["reason"].astype(object)}
        except SystemError:  # characters outside Unicode
            return None

    def _foreign_file_error(self, path: Path) -> InputError:
        return InputError(
            phrase("the file {path}", path=path), expected="a file of the same map, or no file",
            found="a file of another map or in another format", remedy="choose another name, or delete it", topic=_TOPIC,
        )  # fmt: skip


def _load_results(dataset: "xarray.Dataset", results: SweepResults) -> None:
    """Copy the measures and outcomes of a data set into `results` of the same sweep."""
    reasons = np.array(["", *json.loads(dataset["reason"].attrs["reasons"])], dtype=object)
    for name, array in results.as_dict().items():
        values = dataset[name].values
        array[...] = reasons[values] if name == "reason" else values


def write_sweep(dataset: SweepDataset, path: Path) -> None:
    """Write a data set, completely or not at all.

    The suffix selects the format: NetCDF (classic, which every reader supports), Zarr, or a table with one row per
    run as Parquet or CSV. CSV, whose first line is a comment with the attributes, needs no additional library.
    """
    path = check_sweep_path(path)
    if path.suffix.lower() == ".zarr":
        with _replacing_folder(path) as fresh:
            # Version 2 specifies how texts are stored.
            dataset.as_xarray().to_zarr(fresh, mode="w", consolidated=False, zarr_format=2)
        return
    with replace_atomically(path) as fresh:
        if path.suffix.lower() == ".nc":
            dataset.as_xarray().to_netcdf(fresh, engine="scipy", format="NETCDF3_64BIT")
        elif path.suffix.lower() == ".csv":
            _write_csv(dataset, fresh)
        else:
            _write_parquet(dataset, fresh)


def read_sweep(path: str | Path) -> "xarray.Dataset":
    """Read the data set of a NetCDF or Zarr file that a sweep has written completely into memory."""
    import xarray

    path = Path(path)
    checked_extension(path, _READABLE_ENDINGS, "sweep.nc", topic=_TOPIC)
    try:
        if path.suffix.lower() == ".zarr":
            refuse_unsafe_zarr(check_sweep_path(path))
            return xarray.open_zarr(path, consolidated=False, decode_times=False, zarr_format=2).load()
        refuse_blocking(path)
        with xarray.open_dataset(path, engine="scipy", decode_times=False) as dataset:
            return dataset.load()
    except InputError:
        raise
    except PLUGIN_EXCEPTIONS as fault:  # The file may contain anything.
        message = " ".join(str(fault).split())[:200] or type(fault).__name__
        raise InputError(
            phrase("the file {path}", path=path), expected="a data set of a parameter map",
            found=message, remedy="check the path, and that the file is complete", topic=_TOPIC,
        ) from None  # fmt: skip


def read_digest(path: Path) -> str:
    """Return the digest that identifies the sweep of a file, or "" if it is not a file of a sweep."""
    return str(_read_attributes(path).get("digest", ""))


def _read_attributes(path: Path) -> dict[str, Any]:
    """Return the attributes of a data set without reading its arrays, or an empty dict if they cannot be read."""
    try:
        if path.suffix.lower() == ".zarr":
            return read_zarr_attributes(path)
        refuse_blocking(path)
        if path.suffix.lower() == ".parquet":
            from pyarrow import parquet

            metadata = (parquet.read_schema(path).metadata or {}).get(b"quatviz", b"{}")
            return dict(json.loads(metadata))
        if path.suffix.lower() == ".csv":
            with path.open(encoding="utf-8") as file:
                return dict(json.loads(file.readline(_MAX_ATTRIBUTE_BYTES).removeprefix(_ATTRIBUTES_PREFIX)))
        import xarray

        with xarray.open_dataset(path, engine="scipy", decode_times=False) as dataset:
            return dict(dataset.attrs)
    except PLUGIN_EXCEPTIONS:
        return {}


def _write_parquet(dataset: SweepDataset, path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(
        make_table_columns(dataset), metadata={b"quatviz": _attributes_text(dataset).encode()}
    )
    parquet.write_table(table, path)


def _write_csv(dataset: SweepDataset, path: Path) -> None:
    """Write a CSV file with empty cells for missing values. Texts that a spreadsheet would read as formulas are escaped."""
    table_columns = make_table_columns(dataset)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{_ATTRIBUTES_PREFIX}{escape_inner_formulas(_attributes_text(dataset))}\n")
        file.write(format_csv_row(table_columns))
        for start in range(0, len(table_columns["status"]), _ROWS_PER_CHUNK):
            rows = [_csv_cells(values[start : start + _ROWS_PER_CHUNK]) for values in table_columns.values()]
            file.writelines(map(format_csv_row, zip(*rows, strict=True)))


def _csv_cells(values: np.ndarray) -> list[Any]:
    if values.dtype.kind in "OU":
        return list(values.tolist())
    return ["" if value != value else value for value in values.tolist()]  # NaN is not equal to itself.


def _attributes_text(dataset: SweepDataset) -> str:
    """Return the attributes as one line of JSON."""
    return json.dumps(
        {name: value if isinstance(value, str) else int(value) for name, value in dataset.attributes.items()}
    )


def make_table_columns(dataset: SweepDataset) -> dict[str, np.ndarray]:
    """Return the columns (rows,) of a table with one row per run: lane, axis values, outcome and measures.

    Measures with several numbers have one column per number.
    """
    dimensions, status, _ = dataset.variables["status"]
    reasons = np.array(["", *json.loads(dataset.variables["reason"].notes["reasons"])], dtype=object)
    table: dict[str, np.ndarray] = {}
    for name, (axis_dimensions, values, _) in dataset.coordinates.items():
        if axis_dimensions[0] in dimensions:
            shape = [len(values) if dimension == axis_dimensions[0] else 1 for dimension in dimensions]
            table[name] = np.broadcast_to(values.reshape(shape), status.shape).ravel()
    for name, (_, values, _) in dataset.variables.items():
        flat = values.reshape(status.size, -1)
        if name == "reason":
            table[name] = reasons[flat[:, 0]]
        elif values.ndim > status.ndim:
            indices = np.ndindex(*values.shape[status.ndim :])
            table.update(
                {f"{name}_{'_'.join(map(str, index))}": flat[:, k] for k, index in enumerate(indices)}
            )
        else:
            table[name] = flat[:, 0]
    return table


@contextmanager
def _replacing_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder that replaces `path` once it is written. If anything fails, the old folder is kept."""
    path = real_path(path)  # Symbolic links are followed, so that a link stays a link.
    fresh, old = (path.with_name(f".quatviz-{path.stem}-{uuid.uuid4().hex[:8]}") for _ in range(2))
    try:
        yield fresh
        if path.exists():
            os.replace(path, old)
        try:
            os.replace(fresh, path)
        except OSError:
            if old.exists():
                os.replace(old, path)
            raise
    finally:
        for folder in (fresh, old):
            with suppress(OSError):
                shutil.rmtree(folder)

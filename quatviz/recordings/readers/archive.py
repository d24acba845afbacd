"""Archives of tables, as exported by phyphox and other phone apps."""

import math
import re
import zipfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, Phrase, phrase, plural_phrase
from quatviz.physics.observables.recording import find_restarts, longest_run
from quatviz.recordings.column_detection import detect_columns
from quatviz.recordings.columns import MAX_FILE_BYTES, Columns, ColumnView, FileColumns
from quatviz.recordings.file_times import read_times
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_format import split_cells
from quatviz.recordings.text_table import read_text_columns

_TOPIC = "recordings#archives"
_SUFFIXES = (".csv", ".tsv", ".txt", ".dat")
_MAX_FILES = 1000
"""Largest number of files in an accepted archive."""
_MAX_COMPRESSION = 200
"""Largest accepted compression ratio of a table. Deflate reaches about 5 for measured numbers, and 1000 for zeros."""
_SMALL_FILE_BYTES = 10_000_000
"""Size below which any compression ratio is accepted [bytes]."""
MAX_SEARCHED_BYTES = 100_000_000
"""Largest total size [bytes] of tables that are searched for attitudes or rates."""
_MAX_EVENT_LOG_BYTES = 100_000
"""Largest size of the event log of phyphox that is read [bytes]."""
_MAX_PAUSE = 1e7
"""Longest accepted pause of an experiment [s]."""
_TIME_RESOLUTION = 1e-6
"""Resolution of experiment times in the file [s]."""
_ATTITUDE = re.compile(r"orient|attitude|quat|rotation ?vec|pose", re.IGNORECASE)
_RATES = re.compile(r"gyro|rotation ?rate|angular|ang_?vel", re.IGNORECASE)
_ACCELEROMETER = re.compile(r"acc|gravity", re.IGNORECASE)
_WITHOUT_GRAVITY = re.compile(r"lin|user|free|uncal", re.IGNORECASE)
_GYROSCOPE = re.compile(r"gyro|rotation|angular|attitude|orientation", re.IGNORECASE)


class Archive(Reader):
    """Reader of one table of a ZIP archive, which is never unpacked to the disk.

    This is the table named `part`, or else the first table with an attitude or rates. Rates or an accelerometer in
    other tables are joined to it. Remarks state the number of files that were not read. Pauses of phyphox, and the
    times between its runs, become gaps of their real duration.
    """

    name = "archive"
    title = "an archive of tables (phyphox)"
    suffixes = (".zip",)

    def read(self, path: Path, part: str | None) -> FileColumns:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            tables = {member.filename: member for member in members if _is_table(member)}
            if len(members) > _MAX_FILES or not tables:
                raise InputError(
                    str(path), expected=phrase("at most {most} files, including a text table", most=_MAX_FILES),
                    found=phrase("{files} files, {tables} tables", files=len(members), tables=len(tables)),
                    remedy="export as CSV", topic=_TOPIC,
                )  # fmt: skip
            if part is not None and part not in tables:
                raise InputError(
                    str(path), expected=phrase("one of the tables {names}", names="; ".join(list(tables)[:20])), found=repr(part),
                    remedy="use the name in the archive", key="part", topic=_TOPIC,
                )  # fmt: skip
            order = (
                [part] if part is not None else sorted(tables, key=lambda name: not _GYROSCOPE.search(name))
            )
            table_name, file_columns = self._first_usable_table(archive, tables, order, str(path))
            log_name, events = _read_event_log(archive)
            event_log = _PhyphoxEventLog(events)
            tables_to_join = _JoinedTables(archive, tables, event_log, str(path))
            if part is None:
                table_name, file_columns = tables_to_join.with_attitude(table_name, file_columns)
            columns, joined_names, join_remarks = tables_to_join.join(table_name, file_columns)
        read_names = {table_name, *joined_names, *([log_name] if events else [])}
        unread_count = len([member for member in members if not member.is_dir()]) - len(read_names)
        remarks = [*file_columns.remarks, *join_remarks]
        if unread_count:
            remarks.append(
                plural_phrase(
                    unread_count,
                    "{count} other file in the archive was not read",
                    "{count} other files in the archive were not read",
                )
            )
        return FileColumns(
            columns, {}, table_name, tuple(tables) if len(tables) > 1 else (), self.title, tuple(remarks),
            file_columns.preamble, PurePosixPath(table_name).name,
        )  # fmt: skip

    def _first_usable_table(
        self, archive: zipfile.ZipFile, tables: dict[str, zipfile.ZipInfo], order: list[str], source: str
    ) -> tuple[str, FileColumns]:
        """Return name and columns of the first table with an attitude or rates, or else of the first readable
        table."""
        readable: tuple[str, FileColumns] | None = None
        refused: InputError | None = None
        remaining_bytes = MAX_SEARCHED_BYTES
        for number, name in enumerate(order):
            remaining_bytes -= tables[name].file_size
            if remaining_bytes < 0 and number:
                break
            try:
                file_columns = _read_table(archive, tables[name], source)
            except InputError as refusal:
                refused = refused or refusal
                continue
            detected = _detect(name, file_columns)
            if detected["attitude"] != "none" or "rate_columns" in detected:
                return name, file_columns
            readable = readable or (name, file_columns)
        if readable is None:
            assert refused is not None
            raise refused
        return readable


class _JoinedTables:
    """The tables of an archive other than the selected one. Their quantities are interpolated at the times of the selected
    table."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        tables: dict[str, zipfile.ZipInfo],
        event_log: "_PhyphoxEventLog",
        source: str,
    ) -> None:
        self._archive, self._tables, self._event_log, self._source = archive, tables, event_log, source
        self._read: dict[str, FileColumns | None] = {}
        self._remaining_bytes = MAX_SEARCHED_BYTES

    def with_attitude(self, chosen: str, file_columns: FileColumns) -> tuple[str, FileColumns]:
        """Return name and columns of the table from which the attitude is read.

        This is the table `chosen` if it has an attitude, otherwise the first other table with an attitude. If no table
        has one, it is also the table `chosen`.
        """
        if _detect(chosen, file_columns)["attitude"] != "none":
            return chosen, file_columns
        for name in self._tables:
            if name != chosen and _ATTITUDE.search(name):
                other = self._columns(name)
                if other is not None and _detect(name, other)["attitude"] != "none":
                    self._read[chosen] = file_columns
                    return name, other
        return chosen, file_columns

    def join(self, chosen: str, file_columns: FileColumns) -> tuple[Columns, list[str], list[Phrase]]:
        """Add rates and accelerations of other tables, interpolated at the times of the table `chosen`, to the columns of
        that table.

        Return the columns, the names of the other tables that were used, and remarks.
        """
        columns = dict(file_columns.columns)
        detected = _detect(chosen, file_columns)
        remarks = self._event_log.correct_times(columns, detected.get("time"))
        result = ColumnView(columns, texts=file_columns.columns)
        joined: list[str] = []
        for key, pattern in (("rate_columns", _RATES), ("gravity_columns", _ACCELEROMETER)):
            # Rates are added to an attitude, an accelerometer to rates without attitude.
            is_wanted = (detected["attitude"] != "none") == (key == "rate_columns")
            if key in detected or detected.get("time") is None or not is_wanted:
                continue
            for name in self._tables:
                if name == chosen or not pattern.search(name) or _WITHOUT_GRAVITY.search(name):
                    continue
                values = self._interpolated(name, key, result, detected)
                if values:
                    columns |= {self._unique_name(column, name, columns): values[column] for column in values}
                    result = ColumnView(columns, texts=file_columns.columns)
                    joined.append(name)
                    if key == "rate_columns":
                        remarks.append(
                            phrase(
                                "the angular velocity of {other} is interpolated at the times of {chosen}",
                                other=name,
                                chosen=chosen,
                            )
                        )
                    break
        return result, joined, remarks

    def _columns(self, name: str) -> FileColumns | None:
        if name not in self._read:
            self._remaining_bytes -= self._tables[name].file_size
            try:
                self._read[name] = (
                    _read_table(self._archive, self._tables[name], self._source)
                    if self._remaining_bytes > 0
                    else None
                )
            except InputError:
                self._read[name] = None
        return self._read[name]

    def _interpolated(
        self, name: str, key: str, chosen: ColumnView, detected: Mapping[str, Any]
    ) -> dict[str, np.ndarray]:
        """Return the three columns of the table `name` that the option `key`, such as "rate_columns", selects, or {} if
        there are none.

        The columns are interpolated at the times of the selected table.
        """
        other = self._columns(name)
        result = {} if other is None else _detect(name, other)
        if other is None or key not in result or result.get("time") is None:
            return {}
        columns = dict(other.columns)
        self._event_log.correct_times(columns, result["time"])
        times = read_times(chosen, detected["time"], detected["time_unit"])
        other_times = read_times(
            ColumnView(columns, texts=other.columns), result["time"], result["time_unit"]
        )
        t = other_times.seconds
        if times.is_date != other_times.is_date:
            return {}
        is_valid = np.isfinite(t) & longest_run(t)[0]
        order = np.argsort(t[is_valid], kind="stable")
        return {
            column: np.interp(
                times.seconds, t[is_valid][order], columns[column][is_valid][order], np.nan, np.nan
            )
            if key == "rate_columns"
            else np.interp(times.seconds, t[is_valid][order], columns[column][is_valid][order])
            for column in result[key]
        }

    def _unique_name(self, column: str, table: str, columns: Mapping[str, np.ndarray]) -> str:
        return f"{PurePosixPath(table).stem} {column}" if column in columns or len(column) < 3 else column


def _detect(name: str, file_columns: FileColumns) -> dict[str, Any]:
    return detect_columns(file_columns.columns, PurePosixPath(name).name).options


def _is_table(member: zipfile.ZipInfo) -> bool:
    """Return True if a file of the archive is a text table of measurements. Hidden files and metadata are excluded."""
    inner_path = PurePosixPath(member.filename)
    is_hidden = inner_path.name.startswith(".") or any(
        piece.lower() in ("__macosx", "meta") for piece in inner_path.parts
    )
    return not member.is_dir() and inner_path.suffix.lower() in _SUFFIXES and not is_hidden


class _PhyphoxEventLog:
    """Starts and pauses of phyphox in experiment time and clock time. Experiment time stops during a pause, and
    restarts from zero in a new run."""

    def __init__(self, events: list[tuple[str, float, float]]) -> None:
        self._clock_delays: list[list[tuple[float, float]]] = [[(-math.inf, 0.0)]]
        """For each run, a list of pairs (experiment time [s], delay [s]). From the experiment time of a pair on, clock
        time minus experiment time equals the delay."""
        delay = 0.0
        for (kind_before, own_before, clock_before), (kind_after, own_after, clock_after) in pairwise(events):
            if (kind_before, kind_after) != (
                "PAUSE",
                "START",
            ) or not 0.0 < clock_after - clock_before < _MAX_PAUSE:
                continue
            delay += clock_after - clock_before + own_before - own_after
            if own_after < own_before - _TIME_RESOLUTION:
                self._clock_delays.append([(-math.inf, delay)])
            else:
                self._clock_delays[-1].append((own_before, delay))

    def correct_times(self, columns: dict[str, np.ndarray], name: str | None) -> list[Phrase]:
        """Convert the time column `name` of a table from experiment time to clock time. Return remarks."""
        runs = len(self._clock_delays)
        if name is None or sum(map(len, self._clock_delays)) == 1:
            return []
        t = columns[name]
        ends = [0, *find_restarts(t).tolist(), len(t)] if runs > 1 else [0, len(t)]
        if len(ends) != runs + 1:
            return [
                phrase(
                    "the event log has {runs} runs, but the column of times begins anew {found} times",
                    runs=runs,
                    found=len(ends) - 1,
                )
            ]
        delays = np.empty(len(t))
        lengths: list[float] = []
        for run, first, stop in zip(self._clock_delays, ends, ends[1:], strict=False):
            own_times, run_delays = np.array(run).T
            delay_indices = np.searchsorted(own_times[1:], t[first:stop], "left")
            delays[first:stop] = run_delays[delay_indices]
            # A pause before the first row or after the last row is not a gap.
            used_indices = np.unique(delay_indices[np.isfinite(t[first:stop])])
            lengths += np.diff(run_delays[used_indices]).tolist()
        columns[name] = np.where(np.isfinite(t), t + delays, np.nan)
        remarks = []
        if runs > 1:
            remarks.append(
                phrase("{count} runs, each beginning at zero, were joined by their clock times", count=runs)
            )
        if lengths:
            remark = plural_phrase(
                len(lengths),
                "{count} pause, of {length:.3g} s, is a gap",
                "{count} pauses, {length:.3g} s in all, are gaps",
                length=sum(lengths),
            )
            remarks.append(remark)
        return remarks


def _read_event_log(archive: zipfile.ZipFile) -> tuple[str, list[tuple[str, float, float]]]:
    """Return the name of the event log `meta/time.csv`, and event, experiment time [s] and clock time [s] of each
    start and pause."""
    for member in archive.infolist():
        if not member.filename.lower().endswith("meta/time.csv") or not _has_safe_compression(member):
            continue
        with archive.open(member) as file:
            head, *lines = file.read(_MAX_EVENT_LOG_BYTES).decode("utf-8", "replace").splitlines() or [""]
        separator = max(",;\t", key=head.count)
        names = [name.lower() for name in split_cells(head, separator)]
        if "experiment time" not in names or "system time" not in names:
            return "", []
        own, clock = names.index("experiment time"), names.index("system time")
        events = [
            row for row in (split_cells(line, separator) for line in lines) if len(row) > max(own, clock)
        ]
        return member.filename, [
            (row[0].upper(), _parse_number(row[own]), _parse_number(row[clock])) for row in events
        ]
    return "", []


def _parse_number(cell: str) -> float:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return math.nan


def _has_safe_compression(member: zipfile.ZipInfo) -> bool:
    """Return True for compression methods that cannot expand a few bytes to gigabytes at once."""
    return member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _read_table(archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: str) -> FileColumns:
    """Return the columns of one table. The size stated in the archive is checked before unpacking, and no more than
    this size is read."""
    location = phrase("{place}, {name}", place=source, name=member.filename)
    is_too_dense = member.file_size > max(_SMALL_FILE_BYTES, _MAX_COMPRESSION * member.compress_size)
    if member.file_size > MAX_FILE_BYTES or is_too_dense or not _has_safe_compression(member):
        raise _compression_error(location, member.file_size, member.compress_size)
    with archive.open(member) as file:
        return read_text_columns(file, location)


def _compression_error(location: str, size: int, packed: int) -> InputError:
    return InputError(
        location,
        expected=phrase(
            "a table of at most {most:g} GB, uncompressed or compressed with the usual ZIP method (Deflate) to no less than "
            "1/{ratio} of its size",
            most=MAX_FILE_BYTES / 1e9,
            ratio=_MAX_COMPRESSION,
        ),
        found=phrase("{size:g} bytes, compressed to {packed:g}", size=size, packed=packed),
        remedy="unpack the archive and check the table",
        topic=_TOPIC,
    )

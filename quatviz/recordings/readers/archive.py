"""An archive of tables, as phyphox and other programs for phones export them."""

import math
import re
import zipfile
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, Phrase, counted, phrase
from quatviz.physics.observables.recording import longest_run, starts_anew
from quatviz.recordings.column_detection import LINEAR, proposed
from quatviz.recordings.columns import LARGEST, Found
from quatviz.recordings.delimiting import text_columns
from quatviz.recordings.delimiting.text_format import cells
from quatviz.recordings.readers.base import Reader

_TOPIC = "recordings#archives"
_SUFFIXES = (".csv", ".tsv", ".txt", ".dat")
_MOST = 1000
"""Files in it."""
_DENSEST = 200
"""Times that a table may be as long as it is packed: deflate packs a thousand zeros into one, numbers into a fifth."""
_SMALL = 10_000_000
"""Bytes that may be packed as densely as they like."""
SEARCHED = 100_000_000
"""Bytes of tables that are read one after the other to find the one that counts."""
_LONGEST_DIARY = 100_000
"""Bytes of what phyphox tells of starts and pauses."""
_LONGEST_PAUSE = 1e7
"""[s]"""
_TICK = 1e-6
"""[s] that own times differ by as they are written."""
_GYROSCOPE = re.compile(r"gyro|rotation|angular|attitude|orientation", re.IGNORECASE)


class Archive(Reader):
    """One of its tables, nothing of which is unpacked to the disk: the one that is named, or else the first that holds an attitude
    or rates, with the accelerometer of another one beside it. What else is in it is counted. Pauses of phyphox are gaps, as long as
    they lasted, and so is what lies between its runs."""

    name = "archive"
    title = "an archive of tables (phyphox)"
    suffixes = (".zip",)

    def read(self, path: Path, part: str | None) -> Found:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            tables = {member.filename: member for member in members if _is_table(member)}
            if len(members) > _MOST or not tables:
                raise InputError(
                    str(path), expected=phrase("at most {most} files, and among them a table of text", most=_MOST),
                    found=phrase("{files} files, {tables} tables", files=len(members), tables=len(tables)),
                    remedy="export as CSV", topic=_TOPIC,
                )  # fmt: skip
            if part is not None and part not in tables:
                raise InputError(
                    str(path), expected=phrase("one of the tables {names}", names="; ".join(list(tables)[:20])), found=repr(part),
                    remedy="name it as it is called in the archive", key="part", topic=_TOPIC,
                )  # fmt: skip
            order = (
                [part] if part is not None else sorted(tables, key=lambda name: not _GYROSCOPE.search(name))
            )
            chosen, found = self._first(archive, tables, order, str(path))
            told_in, events = _events(archive)
            columns, diary = dict(found.columns), _Diary(events)
            said = diary.set_by_clock(columns)
            read = {chosen, told_in} if events else {chosen}
            if not proposed(columns).get("gravity_columns") and proposed(columns)["attitude"] == "none":
                columns |= self._gravity(archive, tables, chosen, columns, read, str(path), diary)
            remarks = [*found.remarks, *said]
        left = len([member for member in members if not member.is_dir()]) - len(read)
        if left:
            remarks.append(
                counted(
                    left,
                    "{count} other file in the archive was not read",
                    "{count} other files in the archive were not read",
                )
            )
        return Found(
            columns, {}, chosen, tuple(tables) if len(tables) > 1 else (), self.title, tuple(remarks)
        )

    def _first(
        self, archive: zipfile.ZipFile, tables: dict[str, zipfile.ZipInfo], order: list[str], place: str
    ) -> tuple[str, Found]:
        """The first table that holds an attitude or rates, or else the first of all that can be read."""
        readable: tuple[str, Found] | None = None
        refused: InputError | None = None
        left = SEARCHED
        for number, name in enumerate(order):
            left -= tables[name].file_size
            if left < 0 and number:
                break
            try:
                found = _columns(archive, tables[name], place)
            except InputError as refusal:
                refused = refused or refusal
                continue
            says = proposed(found.columns)
            if says["attitude"] != "none" or "rate_columns" in says:
                return name, found
            readable = readable or (name, found)
        if readable is None:
            assert refused is not None
            raise refused
        return readable

    def _gravity(
        self,
        archive: zipfile.ZipFile,
        tables: dict[str, zipfile.ZipInfo],
        chosen: str,
        columns: dict[str, np.ndarray],
        read: set[str],
        place: str,
        diary: "_Diary",
    ) -> dict[str, Any]:
        """The accelerometer of another table, at the times of this one."""
        time = proposed(columns).get("time")
        for name, member in tables.items():
            if time is None or name == chosen or LINEAR.search(name):
                continue
            if not re.search(r"acc|gravity", name, re.IGNORECASE):
                continue
            try:
                other = _columns(archive, member, place)
            except InputError:
                continue
            says, felt = proposed(other.columns), dict(other.columns)
            diary.set_by_clock(felt)
            t = felt.get(says.get("time", ""))
            if "gravity_columns" not in says or t is None or set(says["gravity_columns"]) & set(columns):
                continue
            good = np.isfinite(t) & longest_run(t)[0]
            rising = np.argsort(t[good], kind="stable")
            read.add(name)
            return {
                column: np.interp(columns[time], t[good][rising], felt[column][good][rising])
                for column in says["gravity_columns"]
            }
        return {}


def _is_table(member: zipfile.ZipInfo) -> bool:
    """Whether a member is a table of text that holds measurements: not what an archive tells of itself, nor what is hidden."""
    place = PurePosixPath(member.filename)
    hidden = place.name.startswith(".") or any(piece.lower() in ("__macosx", "meta") for piece in place.parts)
    return not member.is_dir() and place.suffix.lower() in _SUFFIXES and not hidden


class _Diary:
    """What phyphox tells of starts and pauses by its own time and by the clock. Its own time stands still in a pause, and the phone
    does not; or it starts anew."""

    def __init__(self, events: list[tuple[str, float, float]]) -> None:
        self._runs: list[list[tuple[float, float]]] = [[(-math.inf, 0.0)]]
        """Of each run from which own time on it is how much later by the clock [s]."""
        late = 0.0
        for (before, at, since), (after, own, until) in pairwise(events):
            if (before, after) != ("PAUSE", "START") or not 0.0 < until - since < _LONGEST_PAUSE:
                continue
            late += until - since + at - own
            if own < at - _TICK:
                self._runs.append([(-math.inf, late)])
            else:
                self._runs[-1].append((at, late))

    def set_by_clock(self, columns: dict[str, np.ndarray]) -> list[Phrase]:
        """Let times of a table go on by the clock. Remarks."""
        name = proposed(columns).get("time")
        runs = len(self._runs)
        if name is None or sum(map(len, self._runs)) == 1:
            return []
        t = columns[name]
        ends = [0, *starts_anew(t).tolist(), len(t)] if runs > 1 else [0, len(t)]
        if len(ends) != runs + 1:
            return [
                phrase("the diary tells of {runs} runs, the times of {found}", runs=runs, found=len(ends) - 1)
            ]
        late = np.empty(len(t))
        lengths: list[float] = []
        for run, first, stop in zip(self._runs, ends, ends[1:], strict=False):
            at, later = np.array(run).T
            behind = np.searchsorted(at[1:], t[first:stop], "left")
            late[first:stop] = later[behind]
            # Phyphox may be paused before the first row, and behind the last: that makes no gap.
            seen = np.unique(behind[np.isfinite(t[first:stop])])
            lengths += np.diff(later[seen]).tolist()
        columns[name] = np.where(np.isfinite(t), t + late, np.nan)
        remarks = []
        if runs > 1:
            remarks.append(
                phrase("{count} runs, whose time starts anew, follow each other by the clock", count=runs)
            )
        if lengths:
            said = counted(
                len(lengths),
                "{count} pause, of {length:.3g} s, is a gap",
                "{count} pauses, {length:.3g} s in all, are gaps",
                length=sum(lengths),
            )
            remarks.append(said)
        return remarks


def _events(archive: zipfile.ZipFile) -> tuple[str, list[tuple[str, float, float]]]:
    """Where it stands, `meta/time.csv`, and what happened: each start and pause, by the time of phyphox and by the clock [s]."""
    for member in archive.infolist():
        if not member.filename.lower().endswith("meta/time.csv") or not _is_packed_well(member):
            continue
        with archive.open(member) as file:
            head, *lines = file.read(_LONGEST_DIARY).decode("utf-8", "replace").splitlines() or [""]
        separator = max(",;\t", key=head.count)
        names = [name.lower() for name in cells(head, separator)]
        if "experiment time" not in names or "system time" not in names:
            return "", []
        own, clock = names.index("experiment time"), names.index("system time")
        events = [row for row in (cells(line, separator) for line in lines) if len(row) > max(own, clock)]
        return member.filename, [(row[0].upper(), _number(row[own]), _number(row[clock])) for row in events]
    return "", []


def _number(cell: str) -> float:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return math.nan


def _is_packed_well(member: zipfile.ZipInfo) -> bool:
    """Of other packings a few bytes are unpacked to gigabytes at once, whatever the archive claims."""
    return member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _columns(archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: str) -> Found:
    """The columns of one table. Its size is looked at before it is unpacked; more than it claims is not."""
    where = phrase("{place}, {name}", place=place, name=member.filename)
    dense = member.file_size > max(_SMALL, _DENSEST * member.compress_size)
    if member.file_size > LARGEST or dense or not _is_packed_well(member):
        raise _packed_wrongly(where, member.file_size, member.compress_size)
    with archive.open(member) as file:
        return text_columns(file, where)


def _packed_wrongly(where: str, size: int, packed: int) -> InputError:
    return InputError(
        where, expected=phrase("a table of at most {most:g} GB, deflated, not denser than numbers can be", most=LARGEST / 1e9),
        found=phrase("{size:g} bytes, packed into {packed:g}", size=size, packed=packed),
        remedy="unpack it, and look at what it is", topic=_TOPIC,
    )  # fmt: skip

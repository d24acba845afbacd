"""From a file to a recording: its columns, what they are, and the conventions of the program."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.physics.geometry.preset_relative_paths import followed
from quatviz.physics.mechanics.rotations import multiply, normalise, rotate_back
from quatviz.physics.observables.read_options import ATTITUDES, TIME_UNITS, Reading
from quatviz.physics.observables.recording import Recording, longest_run
from quatviz.recordings import rotation_kernels
from quatviz.recordings.column_detection import is_lettered, proposed
from quatviz.recordings.columns import Found, Measured
from quatviz.recordings.conventions import Convention
from quatviz.recordings.delimiting import number_parsing
from quatviz.recordings.kinematics import at_rest, attitudes_of
from quatviz.recordings.readers import read_columns
from quatviz.recordings.resampling import Track

TOPIC = "recordings#which-column-is-what"
_ORTHOGONAL = 0.1
"""By which a matrix may fail to be a rotation, and still be read as the nearest one."""
_USUAL = {
    "time_unit": "s", "attitude": "none", "order": "scalar_first", "direction": "body_to_space", "product": "hamilton",
    "sequence": "321", "axes": "intrinsic", "angle_unit": "rad", "rate_axes": "body", "rate_unit": "rad/s",
}  # fmt: skip
"""What holds where nobody says anything: the program's own conventions."""


CONVENTIONS = ("order", "direction", "product", "sequence", "axes", "angle_unit", "rate_axes", "rate_unit")


class Loaded(NamedTuple):
    """A recording, how it was read with nothing left open, and what its file holds."""

    recording: Recording
    reading: Reading
    found: Found
    track: Track


def prepare() -> None:
    """Load the kernels that recordings are read by, compiling those that are not kept."""
    number_parsing.prepare()
    rotation_kernels.prepare()


def load(reading: Reading) -> Loaded:
    """The recording that a reading tells of. `InputError` where its file cannot be read, or columns are not there. What was read is
    kept until the file changes."""
    path = reading.path
    try:
        seen = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(
            str(path), expected="a recording that can be read", found=getattr(error, "strerror", "") or str(error),
            remedy="check the path, and that you may read it", topic="recordings#files",
        ) from None  # fmt: skip
    return _loaded(reading, followed(path), seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=4)
def _loaded(reading: Reading, path: Path, changed: int, size: int) -> Loaded:
    found = _found(path, reading.part, changed, size)
    whole = completed(reading, found)
    recording = recording_of(found, whole, str(path))
    start, levelled = _start_of(found, whole, recording)
    track = Track.of(recording, start)
    return Loaded(recording, whole, found, replace(track, remarks=(*levelled, *track.remarks)))


@lru_cache(maxsize=2)
def _found(path: Path, part: str | None, changed: int, size: int) -> Found:
    found = read_columns(path, part)
    return replace(found, columns=Measured(found.columns))


def completed(reading: Reading, found: Found) -> Reading:
    """The reading with nothing left open: what the format says, what its columns seem to be, what is usual."""
    says = dict(found.says)
    if reading.part is None and found.part:
        says["part"] = found.part
    guesses = proposed(found.columns)
    if reading.attitude == "none" or "attitude" in says:
        guesses = {name: value for name, value in guesses.items() if not name.startswith("attitude")}
    if "rate_columns" in says or (
        says.get("attitude") and "rate_columns" not in says and found.says.get("time")
    ):
        guesses = {name: value for name, value in guesses.items() if not name.startswith("rate")}
    if reading.order not in (None, guesses.get("order")) and "order" not in says and is_lettered(guesses):
        guesses["attitude_columns"] = _other_order(guesses["attitude_columns"], str(reading.order))
    told = reading.filled(says).filled(guesses)
    return told.filled({name: _USUAL[name] for name in mattering(told)})


def _other_order(columns: tuple[str, ...], order: str) -> tuple[str, ...]:
    """Columns whose letters tell the scalar, in the order that a person wants to name them in."""
    return (*columns[1:], columns[0]) if order == "scalar_last" else (columns[-1], *columns[:-1])


def mattering(reading: Reading) -> tuple[str, ...]:
    """Which conventions say anything of such columns: fields of a reading."""
    of_attitude = {
        "quaternion": ("order", "direction", "product"),
        "matrix": ("direction",),
        "angles": ("direction", "sequence", "axes", "angle_unit"),
        "rotation_vector": ("direction", "angle_unit"),
    }.get(reading.attitude or "none", ())
    return (
        "time_unit",
        "attitude",
        *of_attitude,
        *(("rate_axes", "rate_unit") if reading.rate_columns else ()),
    )


def recording_of(found: Found, reading: Reading, source: str = "") -> Recording:
    """The columns by a reading that leaves nothing open, as p, scalar first, body to space, and omega [rad/s, body]; times of the
    run [s], where the reading's start is at its offset."""
    t = _times(found, reading)
    first, last = reading.start, reading.stop
    kept, remarks = longest_run(t)
    if first is not None:
        kept &= ~(t < first - 1e-9)
    if last is not None:
        kept &= ~(t > last + 1e-9)
    if first is None:
        first = _first(t[kept])
    p = _attitudes(found, reading)
    omega = None
    if reading.rate_columns:
        rates = _taken(found, reading.rate_columns, 3, "rate_columns")
        if p is None and reading.rate_axes != "body":
            raise _refusal("rate_axes", "an attitude, by which these rates become those of the body", "none")
        omega = convention_of(reading).rates_of(rates, np.array([1.0, 0.0, 0.0, 0.0]) if p is None else p)
    if p is None and omega is None:
        raise _refusal(
            "rate_columns", "columns of an attitude or an angular velocity",
            phrase("{names}", names=", ".join(list(found.columns)[:12])),
        )  # fmt: skip
    p, omega = _turned(p, omega, reading)
    if not kept.all():
        t, p = t[kept], None if p is None else p[kept]
        omega = None if omega is None else omega[kept]
    t = t - first + (reading.offset or 0.0)
    return Recording(t, p=p, omega=omega, gap=reading.gap, source=source, remarks=(*found.remarks, *remarks))


def _times(found: Found, reading: Reading) -> np.ndarray:
    if reading.time is None:
        raise _refusal("time", "a column of times", ", ".join(list(found.columns)[:12]))
    return _column(found, reading.time, "time") * TIME_UNITS[reading.time_unit or "s"]


def first_time(loaded: Loaded) -> float:
    """The first time in the file [s]."""
    return _first(clock_of(loaded))


def clock_of(loaded: Loaded) -> np.ndarray:
    """Times in the file (n,) [s], NaN where they are of another run than the one that is read."""
    return _of_run(_times(loaded.found, loaded.reading))


def _of_run(t: np.ndarray) -> np.ndarray:
    alone, _ = longest_run(t)
    return t if alone.all() else np.where(alone, t, np.nan)


def _first(t: np.ndarray) -> float:
    """The first time: of most, where a stray one stands before."""
    finite = np.isfinite(t)
    row = int(np.argmax(finite)) if len(t) else 0
    return float(t[row]) if len(t) and finite[row] else 0.0


def _column(found: Found, name: str, key: str) -> np.ndarray:
    if name not in found.columns:
        raise _refusal(
            key, phrase("one of the columns {names}", names=", ".join(list(found.columns)[:40])), repr(name)
        )
    return found.columns[name]


def _taken(found: Found, names: tuple[str, ...], width: int, key: str) -> np.ndarray:
    """Columns side by side (n, k)."""
    if len(names) != width:
        raise _refusal(
            key,
            phrase("{width} columns", width=width),
            phrase("{count}: {names}", count=len(names), names=", ".join(names)),
        )
    return np.stack([_column(found, name, key) for name in names], axis=1)


def _start_of(found: Found, reading: Reading, recording: Recording) -> tuple[np.ndarray | None, list[Phrase]]:
    """p (4,) at the start of a recording of rates alone: as the reading says, or as gravity does where the body lies still
    somewhere, be it before the stretch that counts."""
    if reading.start_attitude is not None:
        return np.array(reading.start_attitude), []
    start, remarks = _levelled(found, reading, recording)
    if recording.p is None and reading.turn_space is not None:
        turn = normalise(reading.turn_space)
        start = turn if start is None else multiply(turn, start)
    return start, remarks


def _levelled(found: Found, reading: Reading, recording: Recording) -> tuple[np.ndarray | None, list[Phrase]]:
    if recording.p is not None or not reading.gravity_columns:
        return None, []
    whole = recording_of(found, reading.whole)
    t = _of_run(_times(found, reading))
    force = _taken(found, reading.gravity_columns, 3, "gravity_columns")
    known = np.isfinite(t) & np.isfinite(force).all(axis=1)
    if not known.any():
        return None, []
    order = np.argsort(t[known], kind="stable")
    at = whole.t + _first(t)
    felt = np.stack([np.interp(at, t[known][order], column[known][order]) for column in force.T], axis=1)
    if reading.turn_body is not None:
        felt = rotate_back(normalise(reading.turn_body), felt)
    rest = at_rest(whole.t, felt, whole.omega)
    if rest is None:
        return None, [phrase("it lies nowhere still: gravity does not tell how it starts")]
    p = attitudes_of(whole.t, whole.omega, rest.p, rest.rows.stop - 1).p
    begins = 0.0 if reading.start is None else reading.start - _first(t)
    begins += float(recording.t[np.argmax(recording.known)]) - (reading.offset or 0.0)
    row = int(np.searchsorted(whole.t, begins - 1e-9))
    if row >= len(p) or not np.isfinite(p[row]).all():
        return None, [
            phrase("between its rest and its start lies a gap: gravity does not tell how it starts")
        ]
    return p[row], [phrase(rest.sentence)]


def convention_of(reading: Reading) -> Convention:
    """The conventions of a reading; what it leaves open is usual."""
    says = {name: getattr(reading, name) for name in CONVENTIONS if getattr(reading, name) is not None}
    return Convention("quaternion" if reading.attitude in (None, "none") else reading.attitude, **says)


def _attitudes(found: Found, reading: Reading) -> np.ndarray | None:
    """p (n, 4) by the reading's conventions; quaternions have the lengths that they have in the file."""
    width = ATTITUDES[reading.attitude or "none"]
    if not width:
        return None
    if not reading.attitude_columns:
        raise _refusal("attitude_columns", phrase("{width} columns", width=width), "none")
    values = _taken(found, reading.attitude_columns, width, "attitude_columns")
    lengths = np.ones(len(values))
    if reading.attitude == "quaternion":
        lengths = np.sqrt(np.einsum("ni,ni->n", values, values))
        values[~(lengths > 0.0)] = [1.0, 0.0, 0.0, 0.0]
    elif reading.attitude == "matrix":
        values = _rotations(values.reshape(-1, 3, 3)).reshape(-1, 9)
    return lengths[:, None] * convention_of(reading).attitude_of(values)


def _rotations(A: np.ndarray) -> np.ndarray:
    """The nearest rotations of matrices (n, 3, 3); NaN where they are none, or reflect."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(A @ np.swapaxes(A, 1, 2) - np.eye(3)).max(axis=(1, 2))
        good = (off < _ORTHOGONAL) & (np.linalg.det(A) > 0.0)
    rough = good & (off > 1e-9)
    if rough.any():
        u, _, v = np.linalg.svd(A[rough])
        A[rough] = u @ v
    A[~good] = np.nan
    return A


def _turned(
    p: np.ndarray | None, omega: np.ndarray | None, reading: Reading
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Both turned as the reading says."""
    if p is not None and reading.turn_space is not None:
        p = multiply(normalise(reading.turn_space), p)
    if reading.turn_body is not None:
        turn = normalise(reading.turn_body)
        p = None if p is None else multiply(p, turn)
        omega = None if omega is None else rotate_back(turn, omega)
    return p, omega


def _refusal(key: str, expected: str, found: str) -> InputError:
    return InputError(
        f"Reading.{key}",
        expected=expected,
        found=found,
        remedy="say which columns they are",
        key=key,
        topic=TOPIC,
    )


def asked(reading: Reading) -> Mapping[str, Any]:
    """What a reading says beside its file, for words about it."""
    return {name: value for name, value in reading.table().items() if name != "file"}


def told(loaded: Loaded) -> list[str]:
    """What was left out or changed, and how what was not measured was found: sentences."""
    return [*loaded.recording.remarks, *loaded.track.remarks]


def reads_so(convention: Convention, reading: Reading) -> bool:
    """Whether a reading has this convention, or the one that means the same always."""
    own = convention_of(reading)
    return own.words == convention.words or (own.twin is not None and own.twin.words == convention.words)

"""Writing of recordings as a text table in a chosen convention, or as an attitude ephemeris message."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import parameters_of
from quatviz.base.spelled_units import unit_factor
from quatviz.files.files import checked_extension, refuse_unwritable, replace_atomically
from quatviz.physics.observables.read_options import UNIT_DIMENSIONS, UNITS, ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.conventions import Convention

EPOCH = "2000-01-01T00:00:00"
"""Default date and time of t = 0 in an attitude ephemeris message (UTC)."""
_ROWS_AT_ONCE = 20_000
_NAMES = {
    "matrix": tuple(f"r{i}{j}" for i in "123" for j in "123"),
    "rotation_vector": ("rotvec_x", "rotvec_y", "rotvec_z"),
    "quaternion_vector": ("rotation_vector_x", "rotation_vector_y", "rotation_vector_z"),
}
_TOPIC = "recordings#write-a-recording"


def write_recording(
    recording: Recording,
    path: Path,
    convention: Convention | None = None,
    *,
    epoch: str = EPOCH,
    name: str = "BODY",
    frame: str = "EME2000",
) -> None:
    """Write a recording to `path` atomically: as .csv, or as .aem (CCSDS 504.0-B-2).

    `convention` applies to tables. A message contains quaternions, scalar last, of the rotation from `frame` to the
    body frame, and rates in deg/s in body axes if they are known. Its t = 0 is at `epoch`, and a new segment begins
    after each gap.

    Raises
    ------
    InputError
        If the file cannot be written, or if a message would have no attitudes.
    """
    writers: dict[str, Callable[[TextIO], None]] = {
        ".csv": lambda file: _write_table(file, recording, convention or Convention()),
        ".aem": lambda file: _write_message(file, recording, _parse_epoch(epoch), name, frame),
    }
    suffix = checked_extension(path, list(writers), "throw.csv", topic=_TOPIC)
    refuse_unwritable(path)
    if suffix == ".aem" and recording.p is None:
        raise InputError(
            str(path), expected="a recording with attitudes", found="rates alone",
            remedy="write a table, or give an initial attitude to integrate the rates", topic=_TOPIC,
        )  # fmt: skip
    with replace_atomically(path) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as file:
        writers[suffix](file)


def convention_from_names(values: Mapping[str, str]) -> Convention:
    """Return the convention in which a table is written. `values` maps names of convention fields, such as
    "order" or "rate_unit", to their values; missing fields have their defaults. Raise an `InputError` for
    unknown names or values."""
    field_names, choices = [name.name for name in fields(Convention)], parameters_of(ReadOptions)
    for key, value in values.items():
        if unit_factor(value, UNIT_DIMENSIONS.get(key, "")) is not None:
            continue
        allowed = (
            [name for name in UNITS.get(key, choices[key].choices or ()) if name != "none"]
            if key in field_names
            else field_names
        )
        if key not in field_names or value not in allowed:
            raise InputError(
                phrase("the convention {key}", key=key), expected=phrase("one of {names}", names=", ".join(allowed)),
                found=repr(value if key in field_names else key), remedy="correct the spelling", topic=_TOPIC,
            )  # fmt: skip
    other_values = {key: value for key, value in values.items() if key != "attitude"}
    return Convention(values.get("attitude", "quaternion"), **other_values)


def column_names(convention: Convention) -> tuple[str, ...]:
    """Return the column headers under which an attitude is written in this convention. The column detection
    recognizes these headers when the file is read."""
    if convention.attitude == "quaternion":
        components = "wxyz" if convention.order == "scalar_first" else "xyzw"
        return tuple(f"q{component}" for component in components)
    if convention.attitude == "angles":
        return tuple(
            f"angles_{convention.sequence}_{number} [{convention.angle_unit}]" for number in (1, 2, 3)
        )
    return _NAMES[convention.attitude]


def _write_table(file: TextIO, recording: Recording, convention: Convention) -> None:
    """Write times, attitudes and rates of a recording as a text table, with empty cells for unknown
    values."""
    names, columns = ["t [s]"], [recording.t[:, None]]
    p = recording.p
    if p is not None:
        names += column_names(convention)
        columns.append(convention.numbers_of(p))
    if recording.omega is not None:
        stem = {"space": "omega_space", "angles": "angle_rate"}.get(convention.rate_axes, "omega")
        names += [f"{stem}_{axis} [{convention.rate_unit}]" for axis in "xyz"]
        attitude = np.tile([1.0, 0.0, 0.0, 0.0], (len(recording), 1)) if p is None else p
        columns.append(convention.rate_numbers_of(recording.omega, attitude))
    file.write(",".join(names) + "\n")
    table = np.hstack(columns)
    for first in range(0, len(table), _ROWS_AT_ONCE):
        for row in table[first : first + _ROWS_AT_ONCE].tolist():
            # Only NaN differs from itself. repr is the shortest text that is read back as the same number.
            file.write(",".join("" if value != value else repr(value) for value in row) + "\n")


def _write_message(file: TextIO, recording: Recording, epoch: np.datetime64, name: str, frame: str) -> None:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    file.write(f"CCSDS_AEM_VERS = 2.0\nCREATION_DATE = {now}\nORIGINATOR = QUATVIZ\n")
    has_rates = recording.omega is not None
    for rows in _segments(recording):
        stamps = _stamps(recording.t[rows], epoch)
        file.write(
            f"\nMETA_START\nOBJECT_NAME = {name}\nOBJECT_ID = {name}\nREF_FRAME_A = {frame}\nREF_FRAME_B = SC_BODY_1\n"
            f"TIME_SYSTEM = UTC\nSTART_TIME = {stamps[0]}\nSTOP_TIME = {stamps[-1]}\n"
            f"ATTITUDE_TYPE = {'QUATERNION/ANGVEL' if has_rates else 'QUATERNION'}\n"
            f"{'ANGVEL_FRAME = REF_FRAME_B' + chr(10) if has_rates else ''}META_STOP\n\nDATA_START\n"
        )
        values = np.roll(recording.p[rows], -1, axis=1)
        if has_rates:
            values = np.hstack([values, np.degrees(recording.omega[rows])])
        for stamp, row in zip(stamps, values.tolist(), strict=True):
            file.write(f"{stamp} {' '.join(map(repr, row))}\n")
        file.write("DATA_STOP\n")


def _segments(recording: Recording) -> Iterator[np.ndarray]:
    """Yield the row numbers (n,) of each range of rows without gaps."""
    known = np.isfinite(recording.p).all(axis=1)
    if recording.omega is not None:
        known &= np.isfinite(recording.omega).all(axis=1)
    rows = np.flatnonzero(known)
    broken = np.concatenate(([0], np.cumsum(~recording.is_connected)))[rows]
    for piece in np.split(rows, np.flatnonzero(np.diff(broken)) + 1):
        if len(piece):
            yield piece


def _stamps(t: np.ndarray, epoch: np.datetime64) -> list[str]:
    """Return the dates and times of `t` (n,) [s] after `epoch`, with a resolution of 1 ns."""
    return [str(stamp) for stamp in epoch + np.round(t * 1e9).astype("timedelta64[ns]")]


def _parse_epoch(epoch: str) -> np.datetime64:
    try:
        return np.datetime64(epoch, "ns")
    except ValueError:
        raise InputError(
            "epoch", expected="a date and time in ISO 8601 format", found=repr(epoch),
            remedy=phrase("write for example {example}", example=EPOCH), topic=_TOPIC,
        ) from None  # fmt: skip

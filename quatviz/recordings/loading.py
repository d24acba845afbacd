"""Loading of recordings: columns of a file, their roles, and conversion to the conventions of quatviz.

An option is a field of `physics.observables.read_options.ReadOptions`, which describes how a file is read.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import InputError, Phrase, join_phrases, phrase
from quatviz.files.preset import Preset
from quatviz.physics.geometry.preset_relative_paths import real_path
from quatviz.physics.mechanics.rotations import multiply, normalize, rotate_back
from quatviz.physics.observables.read_options import (
    ATTITUDES,
    UNIT_DIMENSIONS,
    ReadOptions,
    choice_title,
    usual_unit,
)
from quatviz.physics.observables.recording import NEWEST_FIRST_REMARK, Recording, longest_run, runs_backwards
from quatviz.recordings import rotation_kernels
from quatviz.recordings.column_detection import (
    ROW_NUMBER,
    Detection,
    detect_columns,
    header_unit,
    is_scalar_lettered,
)
from quatviz.recordings.columns import ColumnView, FileColumns
from quatviz.recordings.conventions import Convention
from quatviz.recordings.file_times import DAY, EPOCH_LIMIT, FileTimes, read_times
from quatviz.recordings.headers import stated_units
from quatviz.recordings.kinematics import find_rest, integrate_rates
from quatviz.recordings.readers import read_columns
from quatviz.recordings.resampling import Track

TOPIC = "recordings#column-detection"
SLOW_FILE_BYTES = 5_000_000
"""Size [bytes] above which reading a file may take more than 0.1 s."""
_ORTHOGONALITY_TOLERANCE = 0.1
"""Largest deviation of a matrix from orthogonality for which the nearest rotation is used."""
_DEFAULTS = {
    "time_unit": "s", "attitude": "none", "order": "scalar_first", "direction": "body_to_space", "product": "hamilton",
    "sequence": "321", "axes": "intrinsic", "signs": "+++", "angle_unit": "rad", "rate_axes": "body", "rate_unit": "rad/s",
}  # fmt: skip
"""Values of options that neither the file nor the user states. They are the conventions of quatviz."""


CONVENTIONS = (
    "order",
    "direction",
    "product",
    "sequence",
    "axes",
    "signs",
    "angle_unit",
    "rate_axes",
    "rate_unit",
)
"""Names of the options that describe conventions of attitudes and rates."""
_ASSUMPTIONS = {
    "time_unit": "the times are in {value}", "order": "the quaternion is {value}", "direction": "the attitude is {value}",
    "sequence": "the angles rotate about the axes {value}", "angle_unit": "the angles are in {value}",
    "attitude": "the attitude is a {value} of angle times axis", "signs": "the signs of the angles are {value}",
    "rate_unit": "the angular velocity is in {value}", "rate_axes": "the angular velocity has {value}",
}  # fmt: skip
"""Remarks to the user on options whose value was assumed. Options that hardly ever have another value are left out."""


class LoadedRecording(NamedTuple):
    """A recording, the complete options with which it was read, and the columns of its file.

    `track` gives attitude and angular velocity at any time.
    """

    recording: Recording
    options: ReadOptions
    file_columns: FileColumns
    track: Track
    given: frozenset[str] = frozenset()
    """Names of the options that the file states by its format or headers."""


def compile_kernels() -> None:
    """Load the compiled kernels for recordings. Kernels that are not in the cache are compiled."""
    rotation_kernels.compile_kernels()


def load(options: ReadOptions) -> LoadedRecording:
    """Load the recording that the options describe. The result is cached until the file changes.

    Raises
    ------
    InputError
        If the file cannot be read or columns are missing.
    """
    path, modified_ns, size = _file_key(options)
    return _load_cached(options, path, modified_ns, size)


def slow_recordings(preset: Preset) -> tuple[ReadOptions, ...]:
    """Return the options of the recordings of a preset whose files are so large that they should be read in the
    background before the preset is shown."""

    def is_slow(options: ReadOptions) -> bool:
        try:
            return options.folder is not None and options.path.stat().st_size > SLOW_FILE_BYTES
        except (OSError, ValueError):
            return False

    lanes = (lane.recording for lane in preset.lanes)
    return tuple(options for options in lanes if isinstance(options, ReadOptions) and is_slow(options))


def read_file(options: ReadOptions) -> FileColumns:
    """Return the columns of a file, even if their roles are unknown. Raise an `InputError` if it cannot be read."""
    path, modified_ns, size = _file_key(options)
    return _read_cached(path, options.part, modified_ns, size)


def _file_key(options: ReadOptions) -> tuple[Path, int, int]:
    """Return path, modification time [ns] and size of a file."""
    path = options.path
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(
            str(path), expected="a recording that can be read", found=getattr(error, "strerror", "") or str(error),
            remedy="check the path and your permission to read it", topic="recordings#files",
        ) from None  # fmt: skip
    return real_path(path), status.st_mtime_ns, status.st_size


@lru_cache(maxsize=4)
def _load_cached(options: ReadOptions, path: Path, modified_ns: int, size: int) -> LoadedRecording:
    file_columns = _read_cached(path, options.part, modified_ns, size)
    raise_if_cancelled()
    complete, given, remarks = _complete(options, file_columns)
    file_columns = replace(file_columns, remarks=(*file_columns.remarks, *remarks))
    file_columns = _oldest_first(file_columns, complete)
    raise_if_cancelled()
    recording = build_recording(file_columns, complete, str(path))
    raise_if_cancelled()
    start, start_remarks = _start_attitude(file_columns, complete, recording)
    raise_if_cancelled()
    track = Track.from_recording(recording, start)
    return LoadedRecording(
        recording, complete, file_columns, replace(track, remarks=(*start_remarks, *track.remarks)), given
    )


@lru_cache(maxsize=2)
def _read_cached(path: Path, part: str | None, modified_ns: int, size: int) -> FileColumns:
    file_columns = read_columns(path, part)
    return replace(file_columns, columns=ColumnView(file_columns.columns))


def _oldest_first(file_columns: FileColumns, options: ReadOptions) -> FileColumns:
    """Return the columns with the oldest row first: in reverse order if all times decrease."""
    if options.time is None:
        return file_columns
    t = _times(file_columns, options)
    if not runs_backwards(t[np.isfinite(t)]):
        return file_columns
    columns = ColumnView(file_columns.columns, is_reversed=True)
    return replace(file_columns, columns=columns, remarks=(*file_columns.remarks, NEWEST_FIRST_REMARK))


def complete_options(options: ReadOptions, file_columns: FileColumns) -> ReadOptions:
    """Return complete options. Missing options are taken from the file format, the detected columns, or the
    defaults."""
    return _complete(options, file_columns)[0]


def _complete(
    options: ReadOptions, file_columns: FileColumns
) -> tuple[ReadOptions, frozenset[str], list[Phrase]]:
    """Return complete options, the names of the options that the file states, and remarks on unknown columns and
    assumptions."""
    declared = dict(file_columns.declared)
    if options.part is None and file_columns.part:
        declared["part"] = file_columns.part
    detection = detect_columns(file_columns.columns, file_columns.name)
    guesses, given = dict(detection.options), set(detection.given)
    if options.attitude == "none" or "attitude" in declared:
        guesses = {name: value for name, value in guesses.items() if not _is_of_attitude(name)}
    if "rate_columns" in declared:
        guesses = {name: value for name, value in guesses.items() if not name.startswith("rate")}
    if options.time not in (None, guesses.get("time")) or declared.get(
        "time", guesses.get("time")
    ) != guesses.get("time"):
        guesses.pop("time", None)
        guesses.pop("time_unit", None)
    if (
        options.order not in (None, guesses.get("order"))
        and "order" not in declared
        and is_scalar_lettered(guesses)
    ):
        guesses["attitude_columns"] = _reorder_scalar(guesses["attitude_columns"], str(options.order))
    if options.attitude_columns not in (None, guesses.get("attitude_columns")):
        guesses.pop("direction", None)  # stated by the names of other columns
        given.discard("direction")
    merged = options.with_defaults(declared).with_defaults(guesses)
    for field, names in _columns_with_units(merged).items():
        if getattr(options, field) is not None or field in declared:
            continue
        if unit := header_unit(names, field):
            merged, given = merged.with_fields(**{field: unit}), {*given, field}
        elif names != _columns_with_units(ReadOptions(file="-").with_defaults(guesses)).get(field):
            # The unit of the detected columns does not apply to the columns that the user has chosen.
            merged, given = merged.with_fields(**{field: None}), given - {field}
    relevant = relevant_conventions(merged)
    open_units = [
        name
        for name in relevant
        if name in UNIT_DIMENSIONS and name not in given | declared.keys() and getattr(options, name) is None
    ]
    stated, unit_remarks = _units_of_preamble(file_columns, open_units)
    merged, given = merged.with_fields(**stated), given | stated.keys()
    complete = merged.with_defaults({name: _DEFAULTS[name] for name in relevant})
    given |= {*declared}
    remarks = [*([] if "time" in declared else detection.remarks), *unit_remarks]
    remarks += _remarks_on_alternatives(detection, guesses, merged, options)
    assumed = [name for name in relevant if _is_assumed(name, complete, options, given)]
    if assumed:
        parts = [phrase(_ASSUMPTIONS[name], value=_spoken(name, getattr(complete, name))) for name in assumed]
        remarks.append(
            phrase("assumed, because the file does not state it: {parts}", parts=join_phrases(parts))
        )
    return complete, frozenset(given), remarks


def _remarks_on_alternatives(
    detection: Detection, guesses: Mapping[str, Any], merged: ReadOptions, options: ReadOptions
) -> Iterator[Phrase]:
    """Yield remarks that name other columns of the file that could have been used instead of the detected ones."""
    for field, groups in detection.alternatives.items():
        used = getattr(merged, field)
        if getattr(options, field) is None and used and used == guesses.get(field) and groups:
            text = (
                "the file has several angular velocities: {used} is used, not {others}"
                if field == "rate_columns"
                else "the file has several attitudes: {used} is used, not {others}"
            )
            yield phrase(text, used=used[0], others=join_phrases([group[0] for group in groups][:6]))


def _units_of_preamble(
    file_columns: FileColumns, names: Sequence[str]
) -> tuple[dict[str, str], list[Phrase]]:
    """Return the units that the lines before the columns state, by name of the unit option, and remarks.

    Only the options in `names`, such as "rate_unit", are searched for.
    """
    columns = list(file_columns.columns)
    lines = [
        line for line in file_columns.preamble if 2 * sum(name in line for name in columns) <= len(columns)
    ]
    units: dict[str, str] = {}
    remarks = []
    for name in names:
        match stated_units(lines, UNIT_DIMENSIONS[name]):
            case []:
                pass
            case [unit]:
                units[name] = usual_unit(unit, name)
                remarks.append(phrase("the unit {unit} is stated in the lines before the columns", unit=unit))
            case several:
                remarks.append(
                    phrase(
                        "the lines before the columns state several units ({units}), so none of these units is used",
                        units=join_phrases(several),
                    )
                )
    return units, remarks


def _columns_with_units(options: ReadOptions) -> dict[str, tuple[str, ...]]:
    """Return the columns to which each unit option applies, by the name of the option, such as "rate_unit"."""
    columns = {"time_unit": (options.time,) if options.time else (), "rate_unit": options.rate_columns or ()}
    if options.attitude in ("angles", "rotation_vector"):
        columns["angle_unit"] = options.attitude_columns or ()
    return {field: names for field, names in columns.items() if names}


def _is_assumed(name: str, complete: ReadOptions, options: ReadOptions, given: Set[str]) -> bool:
    """Return True if an option was assumed and the user should be told, because it might have another value."""
    if name not in _ASSUMPTIONS or name in given or getattr(options, name) is not None:
        return False
    if name == "attitude":
        return complete.attitude == "rotation_vector"
    return name != "rate_axes" or complete.attitude != "none"


def _is_of_attitude(name: str) -> bool:
    return name.startswith("attitude") or name in (
        "order",
        "direction",
        "product",
        "sequence",
        "axes",
        "signs",
        "angle_unit",
    )


def _spoken(name: str, value: str) -> Phrase:
    """Return the value of an option in words, for the middle of a sentence."""
    title = choice_title(name, value)
    return phrase(value if name in UNIT_DIMENSIONS or name == "sequence" else title[:1].lower() + title[1:])


def _reorder_scalar(columns: tuple[str, ...], order: str) -> tuple[str, ...]:
    """Return the detected columns of a quaternion in the opposite order, scalar first or last, because the user has chosen
    it."""
    return (*columns[1:], columns[0]) if order == "scalar_last" else (columns[-1], *columns[:-1])


def relevant_conventions(options: ReadOptions) -> tuple[str, ...]:
    """Return the names of the conventions that affect the selected columns."""
    attitude_fields = {
        "quaternion": ("order", "direction", "product"),
        "matrix": ("direction",),
        "angles": ("direction", "sequence", "axes", "signs", "angle_unit"),
        "rotation_vector": ("direction", "angle_unit"),
        "quaternion_vector": ("direction",),
    }.get(options.attitude or "none", ())
    return (
        "time_unit",
        "attitude",
        *attitude_fields,
        *(("rate_axes", "rate_unit") if options.rate_columns else ()),
    )


def build_recording(file_columns: FileColumns, options: ReadOptions, source: str = "") -> Recording:
    """Return the recording in a file for complete options.

    p is scalar first, body to space; omega is in [rad/s, body]. Times [s] are those of the run: the time
    `options.start` in the file becomes `options.offset`.

    Raises
    ------
    InputError
        If columns are missing, or if rates cannot be converted without an attitude.
    """
    t = _times(file_columns, options)
    first, last = (_time_in_file(file_columns, options, time) for time in (options.start, options.stop))
    keep_mask, remarks = longest_run(t)
    if first is not None:
        keep_mask &= ~(t < first - 1e-9)
    if last is not None:
        keep_mask &= ~(t > last + 1e-9)
    if first is None:
        first = _first_finite(t[keep_mask])
    p = _attitudes(file_columns, options)
    omega = None
    if options.rate_columns:
        rates = _stack_columns(file_columns, options.rate_columns, 3, "rate_columns")
        if p is None and options.rate_axes != "body":
            raise _refusal(
                "rate_axes", "an attitude, which is needed to convert these rates to body axes", "none"
            )
        omega = convention_of(options).rates_of(rates, np.array([1.0, 0.0, 0.0, 0.0]) if p is None else p)
    if p is None and omega is None:
        raise _refusal(
            "rate_columns", "columns of an attitude or an angular velocity",
            join_phrases([*list(file_columns.columns)[:12], *_remarks_on_columns(file_columns)]),
        )  # fmt: skip
    p, omega = _apply_rotations(p, omega, options)
    if not keep_mask.all():
        t, p = t[keep_mask], None if p is None else p[keep_mask]
        omega = None if omega is None else omega[keep_mask]
    t = t - first + (options.offset or 0.0)
    return Recording(
        t, p=p, omega=omega, gap=options.gap, source=source, remarks=(*file_columns.remarks, *remarks)
    )


def _times(file_columns: FileColumns, options: ReadOptions) -> np.ndarray:
    return _file_times(file_columns, options).seconds


def _file_times(file_columns: FileColumns, options: ReadOptions) -> FileTimes:
    """Return the times of all rows of a file, with the time column and unit in `options`."""
    if options.time is None:
        raise InputError(
            "Reading.time", expected="a column of times", key="time",
            found=join_phrases([*list(file_columns.columns)[:12], *_remarks_on_columns(file_columns)]),
            remedy=phrase(
                'choose the column; for equidistant rows use time = "{row}" with the time step as unit, such as '
                'time_unit = "0.01 s"', row=ROW_NUMBER,
            ),
            topic=TOPIC,
        )  # fmt: skip
    _require_column(file_columns, options.time, "time")
    return read_times(file_columns.columns, options.time, options.time_unit or "s")


def _remarks_on_columns(file_columns: FileColumns) -> tuple[Phrase, ...]:
    """Return remarks on columns that were not understood."""
    return detect_columns(file_columns.columns, file_columns.name).remarks


def _time_in_file(file_columns: FileColumns, options: ReadOptions, time: float | None) -> float | None:
    """Convert the option `time` [s] to the origin of the times read from the file.

    For dates, the option counts seconds since 1970, and the times read from the file count from midnight.
    """
    if time is None or abs(time) < EPOCH_LIMIT or not _file_times(file_columns, options).is_date:
        return time
    return time % DAY


def first_time(loaded: LoadedRecording) -> float:
    """Return the first time in the file [s]."""
    return _first_finite(file_times(loaded))


def file_times(loaded: LoadedRecording) -> np.ndarray:
    """Return the times (n,) [s] in the file. If the file contains several runs of the recorder, all rows outside the
    longest run are NaN."""
    return _mask_other_runs(_times(loaded.file_columns, loaded.options))


def _mask_other_runs(t: np.ndarray) -> np.ndarray:
    is_in_run, _ = longest_run(t)
    return t if is_in_run.all() else np.where(is_in_run, t, np.nan)


def _first_finite(t: np.ndarray) -> float:
    """Return the first finite time, or 0 if there is none."""
    finite = np.isfinite(t)
    row = int(np.argmax(finite)) if len(t) else 0
    return float(t[row]) if len(t) and finite[row] else 0.0


def _require_column(file_columns: FileColumns, name: str, key: str) -> None:
    if name not in file_columns.columns:
        raise _refusal(
            key,
            phrase("one of the columns {names}", names=", ".join(list(file_columns.columns)[:40])),
            repr(name),
        )


def _column(file_columns: FileColumns, name: str, key: str) -> np.ndarray:
    _require_column(file_columns, name, key)
    return file_columns.columns[name].astype(np.float64, copy=False)


def _stack_columns(file_columns: FileColumns, names: tuple[str, ...], width: int, key: str) -> np.ndarray:
    """Return the columns called `names` as an array (n, k)."""
    if len(names) != width:
        raise _refusal(
            key,
            phrase("{width} columns", width=width),
            phrase("{count} columns: {names}", count=len(names), names=", ".join(names)),
        )
    return np.stack([_column(file_columns, name, key) for name in names], axis=1)


def _start_attitude(
    file_columns: FileColumns, options: ReadOptions, recording: Recording
) -> tuple[np.ndarray | None, list[Phrase]]:
    """Return p (4,) at the start of a recording of rates, or None if it is unknown, and remarks.

    The attitude comes from the options, or from gravity if the body is at rest at any time, even outside the
    selected range.
    """
    if options.start_attitude is not None:
        return np.array(options.start_attitude), []
    start, remarks = _attitude_from_rest(file_columns, options, recording)
    if recording.p is None and options.turn_space is not None:
        rotation = normalize(options.turn_space)
        start = rotation if start is None else multiply(rotation, start)
    return start, remarks


def _attitude_from_rest(
    file_columns: FileColumns, options: ReadOptions, recording: Recording
) -> tuple[np.ndarray | None, list[Phrase]]:
    if recording.p is not None or not options.gravity_columns:
        return None, []
    full = build_recording(file_columns, options.full_range)
    t = _mask_other_runs(_times(file_columns, options))
    force = _stack_columns(file_columns, options.gravity_columns, 3, "gravity_columns")
    known = np.isfinite(t) & np.isfinite(force).all(axis=1)
    if not known.any():
        return None, []
    order = np.argsort(t[known], kind="stable")
    times = full.t + _first_finite(t)
    force_at_times = np.stack(
        [np.interp(times, t[known][order], column[known][order]) for column in force.T], axis=1
    )
    if options.turn_body is not None:
        force_at_times = rotate_back(normalize(options.turn_body), force_at_times)
    rest_period = find_rest(full.t, force_at_times, full.omega)
    if rest_period is None:
        return None, [
            phrase("the body is never at rest, so the initial attitude cannot be computed from gravity")
        ]
    p = integrate_rates(full.t, full.omega, rest_period.p, rest_period.rows.stop - 1).p
    start_time = 0.0 if options.start is None else options.start - _first_finite(t)
    start_time += float(recording.t[np.argmax(recording.is_known)]) - (options.offset or 0.0)
    row = int(np.searchsorted(full.t, start_time - 1e-9))
    if row >= len(p) or not np.isfinite(p[row]).all():
        return None, [
            phrase(
                "the data have a gap between the rest and the start, so the initial attitude cannot be computed from gravity"
            )
        ]
    return p[row], [phrase(rest_period.sentence)]


def convention_of(options: ReadOptions) -> Convention:
    """Return the convention that options describe. Options that are None have their defaults."""
    values = {name: getattr(options, name) for name in CONVENTIONS if getattr(options, name) is not None}
    return Convention("quaternion" if options.attitude in (None, "none") else options.attitude, **values)


def _attitudes(file_columns: FileColumns, options: ReadOptions) -> np.ndarray | None:
    """Return p (n, 4) in the conventions of quatviz, or None. Quaternions keep their norms from the file."""
    width = ATTITUDES[options.attitude or "none"]
    if not width:
        return None
    if not options.attitude_columns:
        raise _refusal("attitude_columns", phrase("{width} columns", width=width), "none")
    values = _stack_columns(file_columns, options.attitude_columns, width, "attitude_columns")
    lengths = np.ones(len(values))
    if options.attitude == "quaternion":
        lengths = np.sqrt(np.einsum("ni,ni->n", values, values))
        values[~(lengths > 0.0)] = [1.0, 0.0, 0.0, 0.0]
    elif options.attitude == "matrix":
        values = _nearest_rotations(values.reshape(-1, 3, 3)).reshape(-1, 9)
    return lengths[:, None] * convention_of(options).attitude_of(values)


def _nearest_rotations(A: np.ndarray) -> np.ndarray:
    """Return the rotation matrices (n, 3, 3) nearest to matrices `A` (n, 3, 3), or NaN for reflections and matrices
    far from a rotation."""
    with np.errstate(invalid="ignore", over="ignore"):
        deviation = np.abs(A @ np.swapaxes(A, 1, 2) - np.eye(3)).max(axis=(1, 2))
        is_rotation = (deviation < _ORTHOGONALITY_TOLERANCE) & (np.linalg.det(A) > 0.0)
    is_inexact = is_rotation & (deviation > 1e-9)
    if is_inexact.any():
        u, _, v = np.linalg.svd(A[is_inexact])
        A[is_inexact] = u @ v
    A[~is_rotation] = np.nan
    return A


def _apply_rotations(
    p: np.ndarray | None, omega: np.ndarray | None, options: ReadOptions
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return p and omega after applying the constant rotations of space and body that the options contain."""
    if p is not None and options.turn_space is not None:
        p = multiply(normalize(options.turn_space), p)
    if options.turn_body is not None:
        rotation = normalize(options.turn_body)
        p = None if p is None else multiply(p, rotation)
        omega = None if omega is None else rotate_back(rotation, omega)
    return p, omega


def _refusal(key: str, expected: str, found: str) -> InputError:
    return InputError(
        f"Reading.{key}",
        expected=expected,
        found=found,
        remedy="choose the columns",
        key=key,
        topic=TOPIC,
    )


def explicit_options(options: ReadOptions) -> Mapping[str, Any]:
    """Return the options that are not None, by name, without the options that identify the file."""
    return {name: value for name, value in options.table().items() if name != "file"}


def loading_remarks(loaded: LoadedRecording) -> list[str]:
    """Return remarks on data that were omitted or changed, and on quantities that were computed because they are missing."""
    return [*loaded.recording.remarks, *loaded.track.remarks]


def has_convention(convention: Convention, options: ReadOptions) -> bool:
    """Return True if the options describe `convention` or its equivalent (`Convention.twin`)."""
    own_convention = convention_of(options)
    return own_convention.words == convention.words or (
        own_convention.twin is not None and own_convention.twin.words == convention.words
    )

"""Import of a recording: proposed options and conventions, detection of free flight, alignment, preview, and a preset for
it.

An option is a field of `physics.observables.read_options.ReadOptions`, which describes how a file is read.
"""

import math
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import InputError, Phrase, join_phrases, phrase, plural_phrase
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.physics.geometry.preset_relative_paths import real_path
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import multiply, normalize
from quatviz.physics.observables.column_roles import ColumnRole, missing_role_error, with_attitude, with_role
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.alignment import (
    AlignmentRotations,
    ClockOffset,
    DetectedFreeFlight,
    align_attitudes,
    free_fall_interval,
    longest_conserved,
    time_offset,
)
from quatviz.recordings.conventions import WIDTHS, Convention, ConventionRanking, conventions_of
from quatviz.recordings.loading import (
    CONVENTIONS,
    LoadedRecording,
    file_times,
    first_time,
    load,
    read_file,
)
from quatviz.recordings.resampling import PlotSeries, attitude_series

_MAX_STEP_ANGLE = 0.02
"""Largest rotation per step of a proposed run [rad]."""
_MAX_SAMPLES = 200_000
"""Largest number of samples of a proposed run."""
_WHOLE_SHARE = 0.95
"""Smallest duration of a free flight, relative to the recording, for which the flight counts as the whole recording.
Nothing is then cut off."""
_COMPARED_ROWS = 20_000
"""Largest number of rows from which an alignment of attitudes is computed."""


class ImportProposal(NamedTuple):
    """A recording that was read with proposed options, and the ranking of its conventions.

    The ranking is None for a recording without attitudes, without rates, or with too few rows.
    """

    loaded: LoadedRecording
    ranking: ConventionRanking | None


_READING_SHARE = 0.3
"""Fraction of the progress bar for reading the file. The rest is for ranking the conventions."""


def propose_import(
    options: ReadOptions, progress: Callable[[float], object] = float, known: ImportProposal | None = None
) -> ImportProposal:
    """Read a recording with the given options, and propose values for the other options.

    If neither the options nor the file format state a convention, the best-fitting one is proposed if the ranking
    is clear.

    Parameters
    ----------
    options
        Given options. A field that is None is proposed.
    progress
        Function of the completed fraction.
    known
        Earlier proposal, or None. Its ranking is reused if it is for the same columns.
    """
    progress(0.0)
    loaded = load(options)
    progress(_READING_SHARE)
    ranked = (
        known.ranking
        if known is not None and ranking_key(known.loaded.options) == ranking_key(loaded.options)
        else rank_conventions(loaded, lambda share: progress(_READING_SHARE + (1.0 - _READING_SHARE) * share))
    )
    if ranked is None:
        return ImportProposal(loaded, None)
    chosen = {name for name in relevant_fields(ranked) if getattr(options, name) is not None}
    proposed_values, remarks = propose_conventions(ranked, loaded, loaded.options, chosen)
    if any(getattr(loaded.options, name) != value for name, value in proposed_values.items()):
        columns = loaded.options.attitude_columns
        loaded = load(options.with_fields(attitude_columns=columns, **proposed_values))
    return ImportProposal(loaded._replace(recording=loaded.recording.with_remarks(remarks)), ranked)


def propose_conventions(
    ranked: ConventionRanking, loaded: LoadedRecording, options: ReadOptions, chosen: Set[str]
) -> tuple[dict[str, Any], list[Phrase]]:
    """Return values for the options that describe conventions and that neither the file nor the user states, and
    remarks. The values are those of the best-fitting convention.

    Parameters
    ----------
    ranked
        Ranking of the conventions.
    loaded
        The recording, with the options that its file states.
    options
        Current options.
    chosen
        Fields that the user has chosen.
    """
    names = relevant_fields(ranked)
    known_values = {name: getattr(options, name) for name in names if name in chosen or name in loaded.given}
    best = ranked.best_matching(known_values)
    candidate = ranked.candidate_of(best)
    if ranked.is_clear and candidate is not None and ranked.is_acceptable(candidate):
        values = {name: getattr(best, name) for name in names if name not in known_values}
        differs = any(getattr(options, name) != value for name, value in values.items())
        remark = phrase(
            "conventions that the file does not state were determined from attitude and rates: {conventions}",
            conventions=join_phrases(best.words),
        )
        return values, [remark] if differs else []
    if ranked.is_clear:
        remark = phrase(
            "attitude and rates contradict the stated conventions and agree with {conventions}",
            conventions=join_phrases(ranked.best.convention.words),
        )
        return {}, [remark]
    return {}, []


def ranking_key(options: ReadOptions) -> tuple[object, ...]:
    """Return the values of the options that select columns. A ranking of conventions stays valid while these
    values do not change."""
    attitude = "rotation_vector" if options.attitude == "quaternion_vector" else options.attitude
    return (
        *(options.path, options.part, options.time, options.time_unit, attitude),
        *(options.attitude_columns, options.rate_columns),
    )


def rank_conventions(
    loaded: LoadedRecording, progress: Callable[[float], object] = float
) -> ConventionRanking | None:
    """Return all conventions, ranked by the residual of p' = 1/2 L^T omega. Return None for a recording without attitudes or
    rates."""
    options, file_columns = loaded.options, loaded.file_columns
    attitude_type = options.attitude or "none"
    if attitude_type not in WIDTHS or not options.rate_columns or not options.attitude_columns:
        return None
    numbers = np.stack([file_columns.columns[name] for name in options.attitude_columns], axis=1)
    rates = np.stack([file_columns.columns[name] for name in options.rate_columns], axis=1)
    t, rising = _rising_times(loaded)
    try:
        return conventions_of(
            t[rising] - t[rising][:1], numbers[rising], rates[rising], attitude_type, progress,
            angle_units=_units_to_try(options.angle_unit, ("rad", "deg"), "angle_unit" in loaded.given),
            rate_units=_units_to_try(options.rate_unit, ("rad/s", "deg/s"), False),
        )  # fmt: skip
    except InputError:
        return None


def _units_to_try(unit: str | None, usual: tuple[str, ...], is_given: bool) -> tuple[str, ...]:
    """Return the candidate units of a column: only `unit` if the file states it (`is_given`), otherwise `unit`, if it is not
    None, followed by the `usual` units."""
    if unit is None:
        return usual
    return (unit,) if is_given else tuple(dict.fromkeys((unit, *usual)))


def _rising_times(loaded: LoadedRecording) -> tuple[np.ndarray, np.ndarray]:
    """Return the times (n,) [s] in the file, and a mask (n,) that is True for rows whose time is later than all previous
    ones."""
    t = file_times(loaded)
    highest = np.fmax.accumulate(np.where(np.isfinite(t), t, -np.inf))
    rising = np.isfinite(t) & (t >= highest)
    rising[1:] &= highest[1:] > highest[:-1]  # a comparison, since a difference of infinities is NaN
    return t, rising


def file_time_shift(loaded: LoadedRecording) -> float:
    """Return the time [s] to be added to times of the recording to obtain times in the file."""
    options = loaded.options
    first = first_time(loaded) if options.start is None else options.start
    return first - (options.offset or 0.0)


def free_flight(loaded: LoadedRecording, inertia: np.ndarray | None = None) -> DetectedFreeFlight | None:
    """Detect the free flight in a whole file. The result has times [s] of the file.

    If the columns of an accelerometer are known, the detection uses the specific force, otherwise the constancy of
    |J omega| with `inertia` (3, 3) in any scale. Return None if no free flight is found, or if it is nearly the
    whole recording.
    """
    full = load(loaded.options.full_range)
    raise_if_cancelled()
    t, rising = _rising_times(full)
    raise_if_cancelled()
    if full.options.gravity_columns:
        force = np.stack([full.file_columns.columns[name] for name in full.options.gravity_columns], axis=1)
        times, interval = t[rising], free_fall_interval(t[rising], force[rising])
    elif inertia is not None:
        times = full.track.t + file_time_shift(full)
        interval = longest_conserved(times, full.track.omega, inertia)
    else:
        return None
    if interval is None or interval.stop - interval.start > _WHOLE_SHARE * (times[-1] - times[0]):
        return None
    return interval


class AlignmentResult(NamedTuple):
    """Options with which an aligned recording is read, and the estimates of clock offset and rotations from which they
    follow.

    An estimate that was not requested is None.
    """

    options: ReadOptions
    offset: ClockOffset | None
    turns: AlignmentRotations | None

    @property
    def sentence(self) -> str:
        """Summary of the alignment in words, for the user."""
        return join_phrases(part.sentence for part in (self.offset, self.turns) if part is not None)


def align_recording(
    loaded: LoadedRecording,
    t: np.ndarray,
    p: np.ndarray,
    omega: np.ndarray,
    align_clock: bool = True,
    side: str = "",
) -> AlignmentResult:
    """Align a recording with a motion.

    Parameters
    ----------
    loaded
        The recording.
    t, p, omega
        Reference motion: times (n,) [s], attitudes (n, 4), rates (n, 3) [rad/s, body].
    align_clock
        True to estimate the clock offset from |omega|.
    side
        Frame whose constant rotation is estimated: "space", "body", "both", or "" for none.

    Raises
    ------
    InputError
        If the motions have no times in common.
    """
    options, track = loaded.options, loaded.track
    offset = time_offset(t, omega, track.t, track.omega) if align_clock else None
    seconds = offset.seconds if offset is not None else 0.0
    turns = None
    raise_if_cancelled()
    if side:
        rows = np.arange(0, len(t), max(1, len(t) // _COMPARED_ROWS))
        rows = rows[(t[rows] >= track.t[0] + seconds) & (t[rows] <= track.t[-1] + seconds)]
        turns = align_attitudes(track.at(t[rows] - seconds)[0], p[rows], side)
        options = _with_rotations(options, loaded, turns)
    if offset is not None:
        new_offset = round((options.offset or 0.0) + seconds, 9)
        options = options.with_fields(offset=new_offset or None)
    return AlignmentResult(options, offset, turns)


def _with_rotations(options: ReadOptions, loaded: LoadedRecording, turns: AlignmentRotations) -> ReadOptions:
    """Return options in which the rotations `turns` are applied in addition to the rotations that the options
    already contain. A recording of rates alone gets an initial attitude instead of a rotation of space."""
    identity: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    values: dict[str, Any] = {}
    if _is_rotation(turns.body):
        values["turn_body"] = _rounded_parameters(
            multiply(normalize(options.turn_body or identity), turns.body)
        )
    if loaded.recording.p is None:
        p = loaded.track.p[np.argmax(loaded.recording.is_known)]
        values |= {"start_attitude": _rounded_parameters(turns.apply(p[None])[0]), "turn_space": None}
    elif _is_rotation(turns.space):
        values["turn_space"] = _rounded_parameters(
            multiply(turns.space, normalize(options.turn_space or identity))
        )
    return options.with_fields(**values)


def _is_rotation(p: np.ndarray) -> bool:
    return bool(np.linalg.norm(p[1:]) > 1e-9)


def _rounded_parameters(p: np.ndarray) -> list[float]:
    """Return the Euler parameters of the same rotation with e0 >= 0, rounded to twelve digits."""
    return [float(f"{value:.12g}") + 0.0 for value in (-p if p[0] < 0.0 else p)]


def relevant_fields(ranked: ConventionRanking) -> tuple[str, ...]:
    """Return the names of the fields of `ReadOptions` that a ranking of conventions can determine."""
    fields_by_attitude = {
        "quaternion": ("order", "direction", "product"), "matrix": ("direction",),
        "angles": ("direction", "sequence", "axes", "signs", "angle_unit"),
        "rotation_vector": ("attitude", "direction", "angle_unit"), "quaternion_vector": ("attitude", "direction"),
    }  # fmt: skip
    return (*fields_by_attitude[ranked.best.convention.attitude], "rate_axes", "rate_unit")


def relative_to_folder(options: ReadOptions, folder: Path) -> ReadOptions:
    """Return options with the path of the file relative to `folder`, the folder of a preset. Raise an `InputError`
    if the recording is outside this folder."""
    path, folder = real_path(options.path), real_path(folder)
    if not path.is_relative_to(folder):
        raise InputError(
            str(folder), expected="the folder of the recording, or one above it", found=str(path),
            remedy="save the preset beside the recording, since a preset reads no other files", topic="recordings#in-a-preset",
        )  # fmt: skip
    return replace(options, file=path.relative_to(folder).as_posix()).in_folder(folder)


def preset_for_recording(loaded: LoadedRecording, folder: Path, body: Body | None = None) -> Preset:
    """Return a preset with two lanes: a recording, and the Newton-Euler equations started from its first known
    state.

    Parameters
    ----------
    loaded
        The recording.
    folder
        Folder of the preset, which must contain the recording or a folder above it.
    body
        Body of the equations. If None, the inertia is unknown, and a brick of the size of a phone is used; the
        summary of the preset states this.

    Raises
    ------
    InputError
        If the recording is outside the folder or has no row with both attitude and rates.
    """
    options = relative_to_folder(loaded.options, folder)
    path = options.path
    track = loaded.track
    known_rows = np.flatnonzero(np.isfinite(track.p).all(axis=1) & np.isfinite(track.omega).all(axis=1))
    if not len(known_rows):
        raise InputError(
            str(path), expected="at least one row with attitude and angular velocity", found="none",
            remedy="check the gaps and the roles of the columns", topic="recordings#gaps-and-ends",
        )  # fmt: skip
    first = known_rows[0]
    start_note = (
        ""
        if first == 0
        else f" The equations begin at its first state, t = {track.t[first]:.4g} s of the recording."
    )
    summary = (
        f"A recording, {len(loaded.recording)} samples of {path.name}, beside the equations of motion from its first state."
        + (
            ""
            if body is not None
            else " The inertia is that of a 0.2 kg brick, not measured: edit or fit it."
        )
        + start_note
    )
    return Preset(
        title=path.stem,
        summary=summary,
        watch="Where the ghost deviates from the recording, the inertia is wrong or a torque is missing.",
        body=body or _phone_sized_body(),
        initial=Initial(
            euler_parameters=track.p[first].tolist(),
            angular_velocity=track.omega[first].tolist(),
        ),
        run=_run(loaded),
        lanes=[Lane("newton_euler"), Lane("recording", recording=options, name=path.stem[:60])],
    )


def _phone_sized_body() -> Body:
    """Return a homogeneous brick with the size and mass of a phone."""
    mass, size = 0.2, np.array([0.075, 0.15, 0.01])
    moments = mass / 12.0 * (np.sum(size**2) - size**2)
    return Body(inertia=[float(f"{moment:.6g}") for moment in moments], mass=mass, shape="box", size=size)


def _run(loaded: LoadedRecording) -> RunSettings:
    """Return run settings for a run that shows the motion of a recording.

    Duration and approximate sample interval are those of the recording. The step is so short that the body
    rotates by at most `_MAX_STEP_ANGLE` in it.
    """
    track = loaded.track
    end = max(track.last_known_time, loaded.recording.interval, 1e-6)
    interval = max(_round_interval(loaded.recording.interval or end), _round_interval(end / _MAX_SAMPLES))
    interval = min(interval, _round_interval(end))
    duration = max(math.floor(end / interval + 1e-6), 1) * interval
    speeds = np.linalg.norm(track.omega[np.isfinite(track.omega).all(axis=1)], axis=1)
    fastest = float(speeds.max(initial=1e-9))
    steps = max(1, math.ceil(interval * fastest / _MAX_STEP_ANGLE))
    return RunSettings(float(f"{duration:.12g}"), interval / steps, interval)


def _round_interval(interval: float) -> float:
    """Return the largest value 1, 2, 2.5 or 5 times a power of ten that is at most `interval`, apart from rounding."""
    power = 10.0 ** math.floor(math.log10(interval))
    factor = max(
        (step for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power <= interval * (1.0 + 1e-3)), default=1.0
    )
    return float(f"{factor * power:.3g}")


def timing_summary(loaded: LoadedRecording) -> str:
    """Return a text with number of samples, duration, sampling rate and gaps of a recording."""
    recording = loaded.recording
    rate = (
        phrase("{rate:.4g} Hz", rate=1.0 / recording.interval) if recording.interval else phrase("one sample")
    )
    gaps = plural_phrase(len(recording.gaps), "{count} gap", "{count} gaps")
    return plural_phrase(
        len(recording), "{count} sample, {length:.6g} s, {rate}, {gaps}", "{count} samples, {length:.6g} s, {rate}, {gaps}",
        length=float(recording.t[-1] - recording.t[0]), rate=rate, gaps=gaps,
    )  # fmt: skip


PREVIEW_ROWS = 3
"""Number of rows at the beginning of a file that are shown as they are in the file."""


class FilePreview(NamedTuple):
    """Content of a whole file for display: attitude and rates for plots, first rows, detected free flight."""

    loaded: LoadedRecording
    attitude: PlotSeries
    rates: PlotSeries
    rows: dict[str, np.ndarray]
    flight: DetectedFreeFlight | None
    timing: str
    """Text that states number of samples, duration, sampling rate and gaps."""


def first_rows(options: ReadOptions) -> dict[str, np.ndarray]:
    """Return the first `PREVIEW_ROWS` rows of all columns of a file by name, even if their roles are unknown."""
    columns = read_file(options).columns
    return {name: np.asarray(columns[name][:PREVIEW_ROWS], dtype=float) for name in columns}


def preview_file(
    options: ReadOptions,
    sequence: str,
    known: ImportProposal | None,
    first: bool,
    progress: Callable[[float], object],
) -> FilePreview:
    """Read a whole file for display.

    Parameters
    ----------
    options
        Options with which the file is read.
    sequence
        Euler sequence in which the attitude is shown.
    known
        Proposal whose ranking is reused, or None to only load the file.
    first
        True for the first preview of a file, for which the free flight is detected.
    progress
        Function of the completed fraction.
    """
    full_options = options.full_range
    progress(0.0)
    loaded = load(full_options) if known is None else propose_import(full_options, known=known).loaded
    progress(0.7)
    shift = file_time_shift(loaded)
    track, columns = loaded.track, loaded.file_columns.columns
    rates = PlotSeries(track.t + shift, track.omega, loaded.recording.is_connected).with_blocks()
    rows = {name: np.asarray(columns[name][:PREVIEW_ROWS], dtype=float) for name in columns}
    start, stop, flight = options.start, options.stop, None
    if first and start is None and stop is None and loaded.options.gravity_columns:
        flight = free_flight(loaded)
        start, stop = (None, None) if flight is None else (flight.start, flight.stop)
    progress(0.9)
    if loaded.recording.p is None and (start, stop) != (None, None):
        # An attitude integrated from rates begins with the selected range.
        clipped = load(replace(loaded.options, start=start, stop=stop).in_folder(options.folder))
        track, shift = clipped.track, file_time_shift(clipped)
    attitude = attitude_series(track, shift, sequence)
    return FilePreview(loaded, attitude, rates, rows, flight, timing_summary(loaded))


class ImportDraft:
    """Options of an import while the user edits them, with the preview and the ranking of conventions.

    A field of `options` that is None has not been decided yet. The ranking never changes conventions that the user has
    chosen.
    """

    def __init__(self, options: ReadOptions, chosen_names: Iterable[str] = ()) -> None:
        self.options = options
        self.preview: FilePreview | None = None
        self.ranking: ConventionRanking | None = None
        self.ranking_remarks: list[Phrase] = []
        self._chosen_names = set(chosen_names)
        self._stated_names = frozenset(options.table())
        self._columns_changed = False
        """True if the user has selected other columns since the last reading. The next reading then proposes again all
        conventions that the user has not chosen.
        """

    @property
    def known_fields(self) -> Set[str]:
        """Names of the options that the user, the preset or the file states."""
        given = frozenset() if self.preview is None else self.preview.loaded.given
        return given | self._chosen_names | self._stated_names

    @property
    def requested(self) -> ReadOptions:
        """Options with which the file is to be read next. After a change of columns, all conventions that the user has
        not chosen are None, so that they are detected again."""
        values: dict[str, Any] = (
            dict.fromkeys({*CONVENTIONS, "time_unit"} - self._chosen_names) if self._columns_changed else {}
        )
        return self.options.with_fields(**values)

    @property
    def known(self) -> ImportProposal | None:
        """Earlier proposal with a ranking that the next reading may reuse, or None."""
        return (
            ImportProposal(self.preview.loaded, self.ranking)
            if self.preview is not None and self.ranking is not None
            else None
        )

    @property
    def missing_role_error(self) -> InputError | None:
        """Error for column roles that are still missing, or None. It is always None while another part of the file is
        selected but not read yet."""
        is_same_part = self.preview is not None and self.options.part in (
            None,
            self.preview.loaded.options.part,
        )
        return missing_role_error(self.options) if is_same_part else None

    def choose(self, name: str, value: Any) -> None:
        """Set an option to the value that the user has chosen."""
        if name == "part":
            self.options = ReadOptions(file=self.options.file, part=value).in_folder(self.options.folder)
            self._chosen_names.clear()
        elif name == "attitude":
            self.options, self._columns_changed = with_attitude(self.options, value), True
        else:
            self.options = self.options.with_fields(**{name: value})
            self._chosen_names.add(name)

    def choose_role(self, column: str, role: ColumnRole | None) -> None:
        """Assign the role that the user has chosen for a column."""
        self.options, self._columns_changed = with_role(self.options, column, role), True

    def choose_convention(self, convention: Convention) -> None:
        """Use the convention of the ranking that the user has chosen."""
        assert self.ranking is not None
        values = {name: getattr(convention, name) for name in relevant_fields(self.ranking)}
        self.options = self.options.with_fields(**values)
        self._chosen_names |= set(values)

    def set_preview(self, preview: FilePreview) -> bool:
        """Store a preview. Return True if the existing ranking applies to it.

        A detected free flight becomes the time range unless the user has chosen one.
        """
        previous, self.preview, self._columns_changed = self.preview, preview, False
        loaded_options, draft_options = preview.loaded.options, self.options
        ends = (draft_options.start, draft_options.stop)
        if preview.flight is not None and ends == (None, None):
            ends = preview.flight.rounded_ends
        self.options = loaded_options.with_fields(start=ends[0], stop=ends[1], offset=draft_options.offset)
        is_ranking_valid = previous is not None and ranking_key(previous.loaded.options) == ranking_key(
            loaded_options
        )
        self.ranking = self.ranking if is_ranking_valid else None
        return is_ranking_valid

    def set_ranking(self, ranking: ConventionRanking | None) -> bool:
        """Store a ranking. Use its best convention if this is unambiguous and the user has not chosen another.
        Return True if options changed."""
        self.ranking = ranking
        if ranking is None or self.preview is None:
            return False
        proposed_values, self.ranking_remarks = propose_conventions(
            ranking, self.preview.loaded, self.options, self._chosen_names
        )
        changed = any(getattr(self.options, name) != value for name, value in proposed_values.items())
        if changed:
            self.options = self.options.with_fields(**proposed_values)
        return changed

    def drawn_interval(self, low: float, high: float) -> tuple[float | None, float | None]:
        """Return the ends [s] of a time range that the user has drawn, rounded to the resolution of the mouse. An end at the
        start or end of the recording is None."""
        assert self.preview is not None
        t = self.preview.rates.t
        tolerance = 2e-3 * float(t[-1] - t[0])
        digits = max(0, 1 - math.floor(math.log10(tolerance))) if tolerance > 0.0 else 15
        start = None if low <= t[0] + tolerance else round(low, digits)
        return start, None if high >= t[-1] - tolerance else round(high, digits)

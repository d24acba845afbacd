"""What an import proposes of a file: how it is read, which conventions hold best, the stretch that counts, how it lies on another
motion, and a preset beside it."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, counted, listed, phrase
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.physics.geometry.preset_relative_paths import followed
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import multiply, normalise
from quatviz.physics.observables.column_roles import Role, lacking, with_attitude, with_role
from quatviz.physics.observables.read_options import Reading
from quatviz.recordings.alignment import Offset, Stretch, Turns, falling, keeping, time_offset, turn_between
from quatviz.recordings.conventions import Convention, ConventionsFound, conventions_of
from quatviz.recordings.loading import CONVENTIONS, Loaded, clock_of, first_time, load
from quatviz.recordings.resampling import Shown, shown_attitude

_TURN = 0.02
"""Radians that a step turns at most."""
_MOST_SAMPLES = 200_000
"""Of a proposed run."""
_WHOLE = 0.95
"""Of all its time: a flight that is longer cuts nothing off."""
_COMPARED = 20_000
"""Rows at which attitudes are laid on each other."""
_NUMBERS = {"quaternion": 4, "matrix": 9, "angles": 3, "rotation_vector": 3}


class Import(NamedTuple):
    """A recording as it is proposed to be read, and the conventions by how well they hold, None where it has attitudes or rates
    alone, or too few rows."""

    loaded: Loaded
    ranked: ConventionsFound | None


_READ = 0.3
"""Of the work, where progress is told: the rest is the trying of conventions."""


def proposed_import(
    reading: Reading, progress: Callable[[float], object] = float, known: Import | None = None
) -> Import:
    """The recording of a reading; of the conventions that neither the reading nor the format says, those that hold best, if they
    are told clearly. `progress` hears of the share that is done; what is `known` from a reading of the same columns is not
    ranked again."""
    progress(0.0)
    loaded = load(reading)
    progress(_READ)
    ranked = (
        known.ranked
        if known is not None and ranked_by(known.loaded.reading) == ranked_by(loaded.reading)
        else ranking(loaded, lambda share: progress(_READ + (1.0 - _READ) * share))
    )
    if ranked is None or not ranked.clear:
        return Import(loaded, ranked)
    told = told_by(ranked.best.convention.attitude)
    says = {
        name: getattr(loaded.reading, name)
        for name in told
        if getattr(reading, name) is not None or name in loaded.found.says
    }
    open_ = left_open(ranked, says)
    if any(getattr(loaded.reading, name) != value for name, value in open_.items()):
        columns = loaded.reading.attitude_columns
        loaded = load(reading.with_fields(attitude_columns=columns, **open_))
    return Import(loaded, ranked)


def left_open(ranked: ConventionsFound, says: Mapping[str, object]) -> dict[str, Any]:
    """What holds best of the conventions that a person or a format leaves open, beside what these say."""
    best = ranked.best_that(says)
    return {name: getattr(best, name) for name in told_by(best.attitude) if name not in says}


def ranked_by(reading: Reading) -> tuple[object, ...]:
    """What conventions are ranked by: numbers, not how they are meant."""
    return (
        *(reading.path, reading.part, reading.time, reading.time_unit, reading.attitude),
        *(reading.attitude_columns, reading.rate_columns),
    )


def ranking(loaded: Loaded, progress: Callable[[float], object] = float) -> ConventionsFound | None:
    """Every convention by how well p' = 1/2 L^T omega holds of the columns."""
    reading, found = loaded.reading, loaded.found
    kind = reading.attitude or "none"
    if kind not in _NUMBERS or not reading.rate_columns or not reading.attitude_columns:
        return None
    numbers = np.stack([found.columns[name] for name in reading.attitude_columns], axis=1)
    rates = np.stack([found.columns[name] for name in reading.rate_columns], axis=1)
    t, rising = _clock(loaded)
    try:
        return conventions_of(t[rising] - t[rising][:1], numbers[rising], rates[rising], kind, progress)
    except InputError:
        return None


def _clock(loaded: Loaded) -> tuple[np.ndarray, np.ndarray]:
    """Times in the file (n,) [s], and which of them (n,) rise: rows that were left out would be steps back."""
    t = clock_of(loaded)
    highest = np.fmax.accumulate(np.where(np.isfinite(t), t, -np.inf))
    rising = np.isfinite(t) & (t >= highest)
    rising[1:] &= highest[1:] > highest[:-1]  # of infinite ones no difference can be taken
    return t, rising


def time_in_file(loaded: Loaded) -> float:
    """What is added to times of the recording so that they are those of its file [s]."""
    reading = loaded.reading
    first = first_time(loaded) if reading.start is None else reading.start
    return first - (reading.offset or 0.0)


def free_flight(loaded: Loaded, inertia: np.ndarray | None = None) -> Stretch | None:
    """The free flight in a file, its times those of the file [s]: by the accelerometer, where its columns are known; else by the
    size of J omega, for an `inertia` (3, 3) of any scale. None where there is none, or where all of it is free."""
    whole = load(loaded.reading.whole)
    t, rising = _clock(whole)
    if whole.reading.gravity_columns:
        force = np.stack([whole.found.columns[name] for name in whole.reading.gravity_columns], axis=1)
        times, found = t[rising], falling(t[rising], force[rising])
    elif inertia is not None:
        times = whole.track.t + time_in_file(whole)
        found = keeping(times, whole.track.omega, inertia)
    else:
        return None
    if found is None or found.stop - found.start > _WHOLE * (times[-1] - times[0]):
        return None
    return found


class Laid(NamedTuple):
    """A recording laid on another motion: how it is read then, and what was found; None where nobody asked for it."""

    reading: Reading
    offset: Offset | None
    turns: Turns | None

    @property
    def sentence(self) -> str:
        """What was found."""
        return listed(each.sentence for each in (self.offset, self.turns) if each is not None)


def laid_on(
    loaded: Loaded, t: np.ndarray, p: np.ndarray, omega: np.ndarray, clock: bool = True, side: str = ""
) -> Laid:
    """A recording laid on a motion t (n,) [s], p (n, 4), omega (n, 3) [rad/s, body]: its `clock` by the likeness of |omega|, then
    the constant turn of a `side`, "space", "body" or "both", that is left between the two. `InputError` where they have nothing in
    common."""
    reading, track = loaded.reading, loaded.track
    offset = time_offset(t, omega, track.t, track.omega) if clock else None
    seconds = offset.seconds if offset is not None else 0.0
    turns = None
    if side:
        rows = np.arange(0, len(t), max(1, len(t) // _COMPARED))
        rows = rows[(t[rows] >= track.t[0] + seconds) & (t[rows] <= track.t[-1] + seconds)]
        turns = turn_between(track.at(t[rows] - seconds)[0], p[rows], side)
        reading = _turned(reading, loaded, turns)
    if offset is not None:
        shifted = round((reading.offset or 0.0) + seconds, 9)
        reading = reading.with_fields(offset=shifted or None)
    return Laid(reading, offset, turns)


def _turned(reading: Reading, loaded: Loaded, turns: Turns) -> Reading:
    """The reading with turns on top of those that it has. What is integrated from rates has its start instead."""
    here: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    says: dict[str, Any] = {}
    if _is_turn(turns.body):
        says["turn_body"] = _written(multiply(normalise(reading.turn_body or here), turns.body))
    if loaded.recording.p is None:
        p = loaded.track.p[np.argmax(loaded.recording.known)]
        says |= {"start_attitude": _written(turns.of(p[None])[0]), "turn_space": None}
    elif _is_turn(turns.space):
        says["turn_space"] = _written(multiply(turns.space, normalise(reading.turn_space or here)))
    return reading.with_fields(**says)


def _is_turn(p: np.ndarray) -> bool:
    return bool(np.linalg.norm(p[1:]) > 1e-9)


def _written(p: np.ndarray) -> list[float]:
    """Euler parameters with e0 >= 0, to twelve digits."""
    return [float(f"{value:.12g}") + 0.0 for value in (-p if p[0] < 0.0 else p)]


def told_by(attitude: str) -> tuple[str, ...]:
    """Which conventions the ranking tells of an attitude: fields of a reading."""
    of_attitude = {
        "quaternion": ("order", "direction", "product"), "matrix": ("direction",),
        "angles": ("direction", "sequence", "axes", "angle_unit"), "rotation_vector": ("direction", "angle_unit"),
    }  # fmt: skip
    return (*of_attitude[attitude], "rate_axes", "rate_unit")


def beside(reading: Reading, folder: Path) -> Reading:
    """The reading as a preset in a folder names it; `InputError` where the recording stands elsewhere."""
    path, folder = followed(reading.path), followed(folder)
    if not path.is_relative_to(folder):
        raise InputError(
            str(folder), expected="the folder of the recording, or one above it", found=str(path),
            remedy="write the preset beside the recording: a preset reads nothing else", topic="recordings#in-a-preset",
        )  # fmt: skip
    return replace(reading, file=path.relative_to(folder).as_posix()).beside(folder)


def preset_beside(loaded: Loaded, folder: Path, body: Body | None = None) -> Preset:
    """A preset for a file in `folder`, at or above that of the recording: the recording beside Newton's and Euler's equations of
    a body from the state at which anything is known first. `InputError` where the recording stands elsewhere.

    Without a `body` it is that of a brick: nobody knows the inertia from the motion's look, and the summary says so.
    """
    reading = beside(loaded.reading, folder)
    path = reading.path
    track = loaded.track
    known = np.flatnonzero(np.isfinite(track.p).all(axis=1) & np.isfinite(track.omega).all(axis=1))
    if not len(known):
        raise InputError(
            str(path), expected="an attitude with an angular velocity at one time at least", found="none",
            remedy="see where it has gaps, and whether the columns are what they are taken for", topic="recordings#gaps-and-ends",
        )  # fmt: skip
    first = known[0]
    begun = (
        ""
        if first == 0
        else f" The equations begin at its first state, t = {track.t[first]:.4g} s of the recording."
    )
    summary = (
        f"A recording, {len(loaded.recording)} samples of {path.name}, beside the equations of motion from its first state."
        + (
            ""
            if body is not None
            else " The inertia is that of a brick of 0.2 kg, not measured: edit it, or fit it."
        )
        + begun
    )
    return Preset(
        title=path.stem,
        summary=summary,
        watch="Where the ghost leaves the recording, the equations lack something: another inertia, or a torque.",
        body=body or _brick(),
        initial=Initial(
            euler_parameters=track.p[first].tolist(),
            angular_velocity=track.omega[first].tolist(),
        ),
        run=_run(loaded),
        lanes=[Lane("newton_euler"), Lane("recording", recording=reading, name=path.stem[:60])],
    )


def _brick() -> Body:
    """Of the size of a phone."""
    mass, size = 0.2, np.array([0.075, 0.15, 0.01])
    moments = mass / 12.0 * (np.sum(size**2) - size**2)
    return Body(inertia=[float(f"{moment:.6g}") for moment in moments], mass=mass, shape="box", size=size)


def _run(loaded: Loaded) -> RunSettings:
    """As long as the recording, with its distance of samples, and steps that turn little."""
    track = loaded.track
    end = max(track.ends, loaded.recording.interval, 1e-6)
    interval = max(_tidy(loaded.recording.interval or end), _tidy(end / _MOST_SAMPLES))
    interval = min(interval, _tidy(end))
    duration = max(math.floor(end / interval + 1e-6), 1) * interval
    speeds = np.linalg.norm(track.omega[np.isfinite(track.omega).all(axis=1)], axis=1)
    fastest = float(speeds.max(initial=1e-9))
    steps = max(1, math.ceil(interval * fastest / _TURN))
    return RunSettings(float(f"{duration:.12g}"), interval / steps, interval)


def _tidy(interval: float) -> float:
    """The largest of 1, 2, 2.5 and 5 times a power of ten that is not above it by more than rounding."""
    power = 10.0 ** math.floor(math.log10(interval))
    least = max(
        (step for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power <= interval * (1.0 + 1e-3)), default=1.0
    )
    return float(f"{least * power:.3g}")


def told_of_times(loaded: Loaded) -> str:
    """How long a recording is, how often it was sampled, and its gaps."""
    recording = loaded.recording
    rate = (
        phrase("{rate:.4g} Hz", rate=1.0 / recording.interval) if recording.interval else phrase("one sample")
    )
    gaps = counted(len(recording.gaps), "{count} gap", "{count} gaps")
    return counted(
        len(recording), "{count} sample, {length:.6g} s, {rate}, {gaps}", "{count} samples, {length:.6g} s, {rate}, {gaps}",
        length=float(recording.t[-1] - recording.t[0]), rate=rate, gaps=gaps,
    )  # fmt: skip


ROWS = 6
"""Of a file, that are shown as they are."""


class Seen(NamedTuple):
    """What is shown of a file: all of it, by a reading that leaves nothing open."""

    loaded: Loaded
    attitude: Shown
    rates: Shown
    rows: dict[str, np.ndarray]
    flight: Stretch | None
    about: str
    """Its length, rate and gaps."""


def seen_of(
    reading: Reading, form: str, known: Import | None, first: bool, progress: Callable[[float], object]
) -> Seen:
    """All of a file by a reading, its attitude in this `form`, for the eyes; what is `known` is not ranked again. The `first`
    time its flight is looked for."""
    whole = reading.whole
    progress(0.0)
    loaded = load(whole) if known is None else proposed_import(whole, known=known).loaded
    progress(0.7)
    shift = time_in_file(loaded)
    track, columns = loaded.track, loaded.found.columns
    rates = Shown(track.t + shift, track.omega, loaded.recording.bridged).digested()
    rows = {name: np.asarray(columns[name][:ROWS], dtype=float) for name in columns}
    start, stop, flight = reading.start, reading.stop, None
    if first and start is None and stop is None and loaded.reading.gravity_columns:
        flight = free_flight(loaded)
        start, stop = (None, None) if flight is None else (flight.start, flight.stop)
    progress(0.9)
    if loaded.recording.p is None and (start, stop) != (None, None):
        # What is integrated begins with the stretch.
        cut = load(replace(loaded.reading, start=start, stop=stop).beside(reading.folder))
        track, shift = cut.track, time_in_file(cut)
    attitude = shown_attitude(track, shift, form)
    return Seen(loaded, attitude, rates, rows, flight, told_of_times(loaded))


class Draft:
    """How a file is to be read while a person says it, and what is seen of it. In the `reading` what is None nobody has said;
    conventions that a person has `said` no ranking changes."""

    def __init__(self, reading: Reading, said: Iterable[str] = ()) -> None:
        self.reading = reading
        self.seen: Seen | None = None
        self.ranked: ConventionsFound | None = None
        self._said = set(said)
        self._open = False
        """Whether columns are others: conventions that nobody has said are left to what holds."""

    @property
    def asked(self) -> Reading:
        """How the file is to be read next."""
        says: dict[str, Any] = dict.fromkeys(set(CONVENTIONS) - self._said) if self._open else {}
        return self.reading.with_fields(**says)

    @property
    def known(self) -> Import | None:
        """What need not be ranked again."""
        return (
            Import(self.seen.loaded, self.ranked)
            if self.seen is not None and self.ranked is not None
            else None
        )

    @property
    def lacks(self) -> InputError | None:
        """What is still to be said of columns; another part of the file has others, which are not seen yet."""
        same = self.seen is not None and self.reading.part in (None, self.seen.loaded.reading.part)
        return lacking(self.reading) if same else None

    def choose(self, name: str, value: Any) -> None:
        """A person says something of how the file is read."""
        if name == "part":
            self.reading = Reading(file=self.reading.file, part=value).beside(self.reading.folder)
            self._said.clear()
        elif name == "attitude":
            self.reading, self._open = with_attitude(self.reading, value), True
        else:
            self.reading = self.reading.with_fields(**{name: value})
            self._said.add(name)

    def choose_role(self, column: str, role: Role | None) -> None:
        """A person says what a column is."""
        self.reading, self._open = with_role(self.reading, column, role), True

    def choose_convention(self, convention: Convention) -> None:
        """A person takes one of those that are ranked."""
        says = {name: getattr(convention, name) for name in told_by(convention.attitude)}
        self.reading = self.reading.with_fields(**says)
        self._said |= set(says)

    def take(self, seen: Seen) -> bool:
        """The file is read; a flight that was found in it is the stretch that counts where nobody has said another. Whether what
        was ranked, or is, holds of it too."""
        before, self.seen, self._open = self.seen, seen, False
        whole, said = seen.loaded.reading, self.reading
        ends = (said.start, said.stop)
        if seen.flight is not None and ends == (None, None):
            ends = seen.flight.written
        self.reading = whole.with_fields(start=ends[0], stop=ends[1], offset=said.offset)
        alike = before is not None and ranked_by(before.loaded.reading) == ranked_by(whole)
        self.ranked = self.ranked if alike else None
        return alike

    def take_ranking(self, ranked: ConventionsFound | None) -> bool:
        """Conventions are ranked: those that nobody has said are those that hold, where that is clear. Whether that changes how
        the file is read."""
        self.ranked = ranked
        if ranked is None or not ranked.clear or self.seen is None:
            return False
        known = {*self._said, *self.seen.loaded.found.says}
        told = (name for name in told_by(ranked.best.convention.attitude) if name in known)
        open_ = left_open(ranked, {name: getattr(self.reading, name) for name in told})
        changed = any(getattr(self.reading, name) != value for name, value in open_.items())
        if changed:
            self.reading = self.reading.with_fields(**open_)
        return changed

    def ends_drawn(self, low: float, high: float) -> tuple[float | None, float | None]:
        """The ends of a stretch that a hand has drawn, with no more digits than it can draw; one at that of the recording is
        None."""
        assert self.seen is not None
        t = self.seen.rates.t
        near = 2e-3 * float(t[-1] - t[0])
        digits = max(0, 1 - math.floor(math.log10(near))) if near > 0.0 else 15
        start = None if low <= t[0] + near else round(low, digits)
        return start, None if high >= t[-1] - near else round(high, digits)

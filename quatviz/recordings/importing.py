"""What an import proposes of a file: how it is read, which conventions hold best, and a preset beside it."""

import math
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.mechanics.body import Body
from quatviz.mechanics.initial import Initial
from quatviz.motion.reading import Reading
from quatviz.recordings.conventions import ConventionsFound, conventions_of
from quatviz.recordings.loading import Loaded, load
from quatviz.text.preset import Lane, Preset, RunSettings

_TURN = 0.02
"""Radians that a step turns at most."""
_MOST_SAMPLES = 200_000
"""Of a proposed run."""
_NUMBERS = {"quaternion": 4, "matrix": 9, "angles": 3, "rotation_vector": 3}


class Import(NamedTuple):
    """A recording as it is proposed to be read, and the conventions by how well they hold, None where it has attitudes or rates
    alone, or too few rows."""

    loaded: Loaded
    ranked: ConventionsFound | None


def proposed_import(reading: Reading) -> Import:
    """The recording of a reading; of the conventions that neither the reading nor the format says, those that hold best, if they
    are told clearly."""
    loaded = load(reading)
    ranked = ranking(loaded)
    if ranked is None or not ranked.clear:
        return Import(loaded, ranked)
    best = ranked.best.convention
    open_ = {
        name: getattr(best, name)
        for name in _told_by(best.attitude)
        if getattr(reading, name) is None and name not in loaded.found.says
    }
    if any(getattr(loaded.reading, name) != value for name, value in open_.items()):
        columns = loaded.reading.attitude_columns
        loaded = load(replace(reading, attitude_columns=columns, **open_).beside(reading.folder))
    return Import(loaded, ranked)


def ranking(loaded: Loaded) -> ConventionsFound | None:
    """Every convention by how well p' = 1/2 L^T omega holds of the columns."""
    reading, found = loaded.reading, loaded.found
    kind = reading.attitude or "none"
    if kind not in _NUMBERS or not reading.rate_columns or not reading.attitude_columns:
        return None
    t = loaded.found.columns[reading.time or ""]
    numbers = np.stack([found.columns[name] for name in reading.attitude_columns], axis=1)
    rates = np.stack([found.columns[name] for name in reading.rate_columns], axis=1)
    # Rows that were left out would be steps back; the recording's own times are those that rise.
    rising = np.isfinite(t) & (t >= np.fmax.accumulate(np.where(np.isfinite(t), t, -np.inf)))
    rising[1:] &= np.diff(np.fmax.accumulate(np.where(np.isfinite(t), t, -np.inf))) > 0.0
    seconds = loaded.recording.interval / max(
        float(np.median(np.diff(t[rising]))) if rising.sum() > 1 else 1.0, 1e-300
    )
    try:
        return conventions_of((t[rising] - t[rising][:1]) * seconds, numbers[rising], rates[rising], kind)
    except InputError:
        return None


def _told_by(attitude: str) -> tuple[str, ...]:
    """The conventions that the ranking tells of an attitude."""
    of_attitude = {
        "quaternion": ("order", "direction", "product"), "matrix": ("direction",),
        "angles": ("direction", "sequence", "axes", "angle_unit"), "rotation_vector": ("direction", "angle_unit"),
    }  # fmt: skip
    return (*of_attitude[attitude], "rate_axes", "rate_unit")


def beside(reading: Reading, folder: Path) -> Reading:
    """The reading as a preset in a folder names it; `InputError` where the recording stands elsewhere."""
    path, folder = reading.path.resolve(), folder.resolve()
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
    return phrase(
        "{count} samples, {length:.6g} s, {rate}, {gaps} gaps",
        count=len(recording), length=float(recording.t[-1] - recording.t[0]), rate=rate, gaps=len(recording.gaps),
    )  # fmt: skip

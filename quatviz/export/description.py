"""The moving picture in words, for who does not see it: the time, how the body stands and turns, and how the lanes fare."""

from collections.abc import Iterator, Sequence

import numpy as np

from quatviz.base.formatting import fixed, four_digits, in_words, power_of_ten, two_digits
from quatviz.base.translation import tr
from quatviz.display.data.frame import ALIVE, Frame, LaneFrame, Pose, RunInfo
from quatviz.display.data.lane_readouts import agreement
from quatviz.display.scene.items.gimbals import LOCKED
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.euler_sequences import angles_from_p, det_S, letters
from quatviz.physics.observables.quantities import QUANTITIES

STATUSES = {
    "preparing": "preparing…",
    "running": "computing",
    "ok": "complete",
    "singular": "ended: singular",
    "not_finite": "ended: not finite",
    "step_failed": "ended: step failed",
    "no_closed_form": "no closed form",
    "no_recording": "no recording",
    "recording_ended": "the recording ends",
    "failed": "ended: fault of a package",
}
"""How a lane fares, by its status."""
_ALIGNED = 5.0
"""Degrees within which a direction is that of an axis."""


def described(frame: Frame, info: RunInfo, sequence: str = "", rings: bool = False) -> str:
    """What is seen now, a paragraph each: the run and the time, the body's axes, its vectors, the angles of the `sequence` that is
    seen, if any, and their gimbal `rings` where they are, and the lanes."""
    pose = frame.pose
    parts = [
        _time(frame, info),
        *(body_in_words(pose) if pose is not None else ()),
        *(angles_in_words(pose.p, sequence, rings) if pose is not None and sequence else ()),
        *_lanes(frame),
    ]
    return "\n".join(parts)


def ended(lane: LaneFrame) -> str:
    """How a lane has ended, and when."""
    return tr(
        "{lane} {state} at {time:.6g} s",
        lane=lane_title(lane.name),
        state=tr(STATUSES.get(lane.status, lane.status)),
        time=lane.died_at,
    )


class Ends:
    """Which lanes have ended, or are not to be trusted, in words: each once, when that is known, which is before the cursor is
    there; and that it has ended once more whenever the cursor passes its end as the run plays."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._passed: set[str] = set()

    def news(self, frame: Frame) -> Iterator[str]:
        """What there is to tell of this frame that was not to be told of those before it."""
        for lane in frame.lanes:
            dead = lane.status not in ALIVE
            known = lane.name in self._known or not (dead or lane.message)
            passes = frame.playing and lane.frozen and lane.name not in self._passed
            if not known or (passes and lane.computed_to > 0.0):
                self._known.add(lane.name)
                yield ended(lane) if dead else lane.message
        self._passed = {lane.name for lane in frame.lanes if lane.frozen}


def _time(frame: Frame, info: RunInfo) -> str:
    going = tr("playing at {speed:g}×", speed=frame.speed) if frame.playing else tr("paused")
    return tr(
        "{title}: t = {time} s of {end:g} s, {going}.",
        title=info.title, time=info.time_text(frame.time, frame.playing), end=frame.duration, going=going,
    )  # fmt: skip


def body_in_words(pose: Pose) -> Iterator[str]:
    """Where its axes point in space, z being up, and how its vectors lie in space and in the body."""
    axes = [
        tr("e{number} {where}", number=number, where=_direction(axis, "xyz"))
        for number, axis in enumerate(pose.rotation.T, 1)
    ]
    yield tr("The body's axes, where z is up: {axes}.", axes="; ".join(axes))
    for name, vector in pose.vectors.items():
        size, kind = float(np.linalg.norm(vector)), QUANTITIES[name]
        if size > 0.0:
            yield tr(
                "{title}: {size} {unit}, in space {space}, in the body {body}.",
                title=tr(kind.title),
                size=four_digits(size),
                unit=kind.unit,
                space=_direction(vector, "xyz"),
                body=_direction(pose.rotation.T @ vector, ("e1", "e2", "e3")),
            )


def angles_in_words(p: np.ndarray, sequence: str, rings: bool) -> Iterator[str]:
    """The Euler angles of `p`, how far they are from gimbal lock, and the `rings` that turn by them where they are seen.

    >>> print(*angles_in_words(np.array([1.0, 1.0, 0.0, 0.0]), "313", rings=True), sep="\\n")
    Euler angles 3-1-3: φ 0°, θ 90°, ψ 0°; det S = 1.00.
    Gimbal rings: the axes of the outer and the inner one are 90° apart.
    """
    angles, symbols = angles_from_p(p, sequence), letters(sequence)
    det = float(det_S(angles, sequence))
    each = zip(symbols, np.degrees(angles), strict=True)
    yield tr(
        "Euler angles {sequence}: {angles}; det S = {det}.",
        sequence=in_words(sequence),
        angles=", ".join(f"{symbol} {fixed(angle, 0)}°" for symbol, angle in each),
        det=two_digits(det),
    )
    if rings:
        apart = float(np.degrees(np.arcsin(min(abs(det), 1.0))))
        yield tr("Gimbal rings: the axes of the outer and the inner one are {apart:.0f}° apart.", apart=apart)
    if abs(det) < LOCKED:
        yield tr("Gimbal lock: {first} and {third} turn about one line.", first=symbols[0], third=symbols[2])


def _direction(vector: np.ndarray, names: Sequence[str]) -> str:
    """The nearest axis, with its sign, and the angle from it."""
    along = vector / np.linalg.norm(vector)
    nearest = int(np.abs(along).argmax())
    name = ("−" if along[nearest] < 0 else "+") + names[nearest]
    apart = float(np.degrees(np.arccos(min(abs(along[nearest]), 1.0))))
    return (
        tr("along {name}", name=name)
        if apart < _ALIGNED
        else tr("{apart:.0f}° from {name}", apart=apart, name=name)
    )


def _lanes(frame: Frame) -> Iterator[str]:
    seen = [lane for lane in frame.lanes if lane.visible]
    names = [lane_title(lane.name) for lane in seen if lane.status in ALIVE]
    if names:
        yield tr("Lanes: {names}.", names="; ".join(names))
    agreed = agreement(seen)
    if agreed is not None:
        count, power = agreed
        yield tr("{count} lanes agree to {angle} rad.", count=count, angle=power_of_ten(power))
    elif len(names) > 1:
        yield tr("The lanes part: the ghosts stand apart from the body.")
    yield from (f"{ended(lane)}." for lane in seen if lane.status not in ALIVE)

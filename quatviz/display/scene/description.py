"""Text description of the 3D view for screen readers: time, attitude, vectors, and statuses of the lanes."""

from collections.abc import Iterator, Sequence

import numpy as np

from quatviz.base.formatting import (
    format_fixed,
    format_four_digits,
    format_two_digits,
    humanize,
)
from quatviz.base.translation import tr
from quatviz.display.data.frame import ACTIVE_STATUSES, Frame, LaneFrame, Pose, RunInfo
from quatviz.display.data.lane_readouts import agreement
from quatviz.display.scene.items.gimbals import LOCK_DET_S
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.euler_sequences import angle_symbols, angles_from_p, det_S
from quatviz.physics.observables.quantities import QUANTITIES

STATUS_TEXTS = {
    "preparing": "preparing…",
    "running": "computing",
    "ok": "complete",
    "singular": "ended: singular",
    "not_finite": "ended: not finite",
    "step_failed": "ended: step failed",
    "no_closed_form": "no closed form",
    "no_recording": "no recording",
    "recording_ended": "the recording ends",
    "failed": "ended: error in a plug-in",
}
"""Status texts of a lane, by status."""
_ALIGNMENT_TOLERANCE = 5.0
"""Largest angle [deg] between a direction and a coordinate axis at which the direction is described as that of
the axis."""


def describe_frame(frame: Frame, info: RunInfo, sequence: str = "", rings: bool = False) -> str:
    """Return a description of the view, a paragraph each: run and time, body axes, vectors, Euler angles, and lanes.

    Euler angles of `sequence` are included unless it is ""; with `rings`, also the gimbal rings.
    """
    pose = frame.pose
    parts = [
        _time_text(frame, info),
        *(describe_pose(pose) if pose is not None else ()),
        *(describe_angles(pose.p, sequence, rings) if pose is not None and sequence else ()),
        *_lane_texts(frame),
    ]
    return "\n".join(parts)


def end_text(lane: LaneFrame) -> str:
    """Return a text about how and when a lane ended."""
    return tr(
        "{lane} {state} at {time:.6g} s",
        lane=lane_title(lane.name),
        state=tr(STATUS_TEXTS.get(lane.status, lane.status)),
        time=lane.termination_time,
    )


class EndAnnouncer:
    """Source of the messages about lanes for the status row and screen readers.

    A lane that has ended early or is inaccurate is announced once, as soon as this is known, possibly before the
    cursor gets there. An ended lane is announced again whenever the cursor passes its end during playback.
    """

    def __init__(self) -> None:
        self._announced: set[str] = set()
        self._passed: set[str] = set()

    def new_messages(self, frame: Frame) -> Iterator[str]:
        """Yield the messages that are new in this frame."""
        for lane in frame.lanes:
            has_ended = lane.status not in ACTIVE_STATUSES
            known = lane.name in self._announced or not (has_ended or lane.message)
            passes_end = frame.playing and lane.frozen and lane.name not in self._passed
            if not known or (passes_end and lane.computed_to > 0.0):
                self._announced.add(lane.name)
                yield end_text(lane) if has_ended else lane.message
        self._passed = {lane.name for lane in frame.lanes if lane.frozen}


def _time_text(frame: Frame, info: RunInfo) -> str:
    playback_text = tr("playing at {speed:g}×", speed=frame.speed) if frame.playing else tr("paused")
    return tr(
        "{title}: t = {time} s of {end:g} s, {playback}.",
        title=info.shown_title, time=info.time_text(frame.time, frame.playing), end=frame.duration, playback=playback_text,
    )  # fmt: skip


def describe_pose(pose: Pose) -> Iterator[str]:
    """Yield sentences about the directions of the body axes in space (z up), and of the vectors in space and in the
    body."""
    axes = [
        tr("e{number} {direction}", number=number, direction=_direction_text(axis, "xyz"))
        for number, axis in enumerate(pose.rotation.T, 1)
    ]
    yield tr("Body axes in space, with z up: {axes}.", axes="; ".join(axes))
    for name, vector in pose.vectors.items():
        magnitude, quantity = float(np.linalg.norm(vector)), QUANTITIES[name]
        if magnitude > 0.0:
            yield tr(
                "{title}: {size} {unit}, in space {space}, in the body {body}.",
                title=tr(quantity.title),
                size=format_four_digits(magnitude),
                unit=quantity.unit,
                space=_direction_text(vector, "xyz"),
                body=_direction_text(pose.rotation.T @ vector, ("e1", "e2", "e3")),
            )


def describe_angles(p: np.ndarray, sequence: str, rings: bool) -> Iterator[str]:
    r"""Yield sentences about the Euler angles of the attitude p (4,), their distance from gimbal lock and, if
    `rings` is True, the gimbal rings.

    Examples
    --------
    >>> print(*describe_angles(np.array([1.0, 1.0, 0.0, 0.0]), "313", rings=True), sep="\n")
    Euler angles 3-1-3: φ 0°, θ 90°, ψ 0°; det S = 1.00.
    Gimbal rings: the axes of the outer and the inner one are 90° apart.
    """
    angles, symbols = angles_from_p(p, sequence), angle_symbols(sequence)
    det = float(det_S(angles, sequence))
    angle_pairs = zip(symbols, np.degrees(angles), strict=True)
    yield tr(
        "Euler angles {sequence}: {angles}; det S = {det}.",
        sequence=humanize(sequence),
        angles=", ".join(f"{symbol} {format_fixed(angle, 0)}°" for symbol, angle in angle_pairs),
        det=format_two_digits(det),
    )
    if rings:
        separation = float(np.degrees(np.arcsin(min(abs(det), 1.0))))
        yield tr(
            "Gimbal rings: the axes of the outer and the inner ring are {angle:.0f}° apart.", angle=separation
        )
    if abs(det) < LOCK_DET_S:
        yield tr(
            "Gimbal lock: {first} and {third} turn about the same line.", first=symbols[0], third=symbols[2]
        )


def _direction_text(vector: np.ndarray, names: Sequence[str]) -> str:
    """Describe the direction of a vector (3,) by the nearest coordinate axis, with its sign, and the angle
    from this axis."""
    unit = vector / np.linalg.norm(vector)
    nearest = int(np.abs(unit).argmax())
    name = ("−" if unit[nearest] < 0 else "+") + names[nearest]
    angle = float(np.degrees(np.arccos(min(abs(unit[nearest]), 1.0))))
    return (
        tr("along {name}", name=name)
        if angle < _ALIGNMENT_TOLERANCE
        else tr("{angle:.0f}° from {name}", angle=angle, name=name)
    )


def _lane_texts(frame: Frame) -> Iterator[str]:
    seen = [lane for lane in frame.lanes if lane.visible]
    names = [lane_title(lane.name) for lane in seen if lane.status in ACTIVE_STATUSES]
    if names:
        yield tr("Lanes: {names}.", names="; ".join(names))
    agreed = agreement(seen)
    if agreed is not None and agreed.agrees:
        yield tr("{count} lanes agree to {angle} rad.", count=agreed.lane_count, angle=agreed.angle_text)
    elif agreed is not None:
        yield tr(
            "{count} lanes differ by up to {angle} rad.", count=agreed.lane_count, angle=agreed.angle_text
        )
    yield from (f"{end_text(lane)}." for lane in seen if lane.status not in ACTIVE_STATUSES)

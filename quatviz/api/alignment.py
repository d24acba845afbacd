"""Alignment of recordings with other motions, and conservation laws along a recording, for scripts."""

from dataclasses import dataclass

import numpy as np

from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.base.parameters import quote_value
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotate_back
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.alignment import AlignmentRotations, ClockOffset, align_attitudes, time_offset
from quatviz.recordings.invariants import Invariants, compute_invariants
from quatviz.recordings.resampling import Track


@dataclass(frozen=True, eq=False)
class AlignedRecording:
    """Result of `align`: a recording that is aligned with a reference motion.

    `recording` has the clock and the frames of the reference motion. `offset` is the estimated clock offset, or
    None if the caller gave the offset. `turns` are the estimated constant rotations, or None if none were
    estimated.
    """

    recording: Recording
    offset: ClockOffset | None
    turns: AlignmentRotations | None

    @property
    def sentence(self) -> Phrase:
        """Sentence on the estimated clock offset and rotations with their uncertainties, or "not aligned"."""
        sentences = [part.sentence for part in (self.offset, self.turns) if part is not None]
        return (
            phrase("{offset}; {rotations}", offset=sentences[0], rotations=sentences[1])
            if len(sentences) == 2
            else (*sentences, phrase("not aligned"))[0]
        )


def align(
    recording: Recording, other: Recording | Solution, *, offset: float | None = None, side: str = "space"
) -> AlignedRecording:
    """Align a recording with another recording or with a lane.

    Parameters
    ----------
    recording
        Recording to align.
    other
        Reference motion. Its gaps are ignored.
    offset
        Clock offset [s] to add to the times of `recording`. If None, the offset is estimated from |omega| of both
        motions.
    side
        Frame whose constant rotation is estimated: "space", "body" (the axes of the sensor), "both", or "" for no
        rotation.

    Returns
    -------
    AlignedRecording
        The recording with the clock and the frames of `other`.

    Raises
    ------
    InputError
        If `recording` and `other` have no common times.

    Examples
    --------
    >>> from quatviz.api.calls import load_preset, simulate
    >>> lane = simulate(load_preset("tumbling_brick"), lanes=["newton_euler"], duration=2.0)["newton_euler"]
    >>> from quatviz.physics.mechanics.rotations import multiply
    >>> turned = multiply(np.array([0.5, 0.5, 0.5, 0.5]), lane.p)
    >>> aligned = align(Recording(lane.t + 3.0, p=turned, omega=lane.omega), lane)
    >>> round(aligned.offset.seconds, 6), aligned.turns.space.round(6).tolist()
    (-3.0, [0.5, -0.5, -0.5, -0.5])
    """
    track, other_track = (
        Track.from_recording(_as_recording(recording)),
        Track.from_recording(_as_recording(other)),
    )
    estimated_offset = None
    if offset is None:
        estimated_offset = time_offset(other_track.t, other_track.omega, track.t, track.omega)
        offset = estimated_offset.seconds
    times = track.t + offset
    turns, p, omega = None, track.p, track.omega
    if side:
        turns = align_attitudes(track.p, other_track.at(times)[0], side)
        p = turns.apply(track.p)
        omega = rotate_back(np.broadcast_to(turns.body, track.p.shape), track.omega)
    aligned = Recording(times, p=p, omega=omega, gap=recording.gap, source=recording.source)
    return AlignedRecording(aligned, estimated_offset, turns)


def invariants(recording: Recording | Solution, body: Body) -> Invariants:
    """Return the quantities that a free body conserves along a recording or a lane, with their scatter and noise.

    Parameters
    ----------
    recording
        Recording or lane.
    body
        Body with the inertia of the recorded object.

    Returns
    -------
    Invariants
        |h|, T and the direction of h in space. Its `sentence` says whether loads acted on the body.

    Examples
    --------
    >>> from quatviz.api.calls import load_preset, simulate
    >>> preset = load_preset("tumbling_brick")
    >>> lane = simulate(preset, lanes=["newton_euler"], duration=2.0)["newton_euler"]
    >>> invariants(lane, preset.body).is_free
    True
    """
    track = Track.from_recording(_as_recording(recording))
    return compute_invariants(track.omega, body.inertia, track.p)


def _as_recording(source: object) -> Recording:
    if isinstance(source, Recording):
        return source
    if isinstance(source, Solution):
        return Recording(source.t, p=source.p, omega=source.omega)
    raise InputError(
        "the recording", expected="a recording, or a lane of a run", found=quote_value(source),
        remedy="write for example quatviz.Recording(t, omega=omega)", topic="recordings#from-a-script",
    )  # fmt: skip

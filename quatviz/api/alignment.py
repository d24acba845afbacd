"""Recordings in scripts: one laid on another motion, and how free a flight was."""

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
    """A recording laid on another motion: `recording` has the other's times and frames. `offset` is how its clock was set, None
    where that was given, `turns` how it was turned, None where it was not."""

    recording: Recording
    offset: ClockOffset | None
    turns: AlignmentRotations | None

    @property
    def sentence(self) -> Phrase:
        """What was done, and how sure it is."""
        sentences = [part.sentence for part in (self.offset, self.turns) if part is not None]
        return (
            phrase("{one}; {other}", one=sentences[0], other=sentences[1])
            if len(sentences) == 2
            else (*sentences, phrase("as it is"))[0]
        )


def align(
    recording: Recording, other: Recording | Solution, *, offset: float | None = None, side: str = "space"
) -> AlignedRecording:
    """`recording` laid on another one, or on a lane: its clock set by the likeness of |omega|, unless `offset` [s] is given, then
    turned by a constant rotation of "space", of the "body" (the axes of the sensor), of "both", or of neither, "". Nothing is
    invented: where the other has a gap it tells nothing. Raises `InputError` where they have no times in common.

    >>> from quatviz.api.calls import load_preset, simulate
    >>> lane = simulate(load_preset("tumbling_brick"), lanes=["newton_euler"], duration=2.0)["newton_euler"]
    >>> from quatviz.physics.mechanics.rotations import multiply
    >>> turned = multiply(np.array([0.5, 0.5, 0.5, 0.5]), lane.p)
    >>> found = align(Recording(lane.t + 3.0, p=turned, omega=lane.omega), lane)
    >>> round(found.offset.seconds, 6), found.turns.space.round(6).tolist()
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
    """What a free `body` keeps, of a recording or a lane: |h|, T and the direction of h in space, with their scatter beside the
    noise from row to row. `sentence` says how free the flight was.

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

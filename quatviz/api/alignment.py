"""Recordings in scripts: one laid on another motion, and how free a flight was."""

from dataclasses import dataclass

import numpy as np

from quatviz.api.solution import Solution
from quatviz.base.errors import InputError, Phrase, phrase
from quatviz.base.parameters import shown
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotate_back
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.alignment import Offset, Turns, time_offset, turn_between
from quatviz.recordings.invariants import Invariants, invariants_of
from quatviz.recordings.resampling import Track


@dataclass(frozen=True, eq=False)
class Aligned:
    """A recording laid on another motion: `recording` has the other's times and frames. `offset` is how its clock was set, None
    where that was given, `turns` how it was turned, None where it was not."""

    recording: Recording
    offset: Offset | None
    turns: Turns | None

    @property
    def sentence(self) -> Phrase:
        """What was done, and how sure it is."""
        said = [each.sentence for each in (self.offset, self.turns) if each is not None]
        return (
            phrase("{one}; {other}", one=said[0], other=said[1])
            if len(said) == 2
            else (*said, phrase("as it is"))[0]
        )


def align(
    recording: Recording, other: Recording | Solution, *, offset: float | None = None, side: str = "space"
) -> Aligned:
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
    own, theirs = Track.of(_recording(recording)), Track.of(_recording(other))
    found = None
    if offset is None:
        found = time_offset(theirs.t, theirs.omega, own.t, own.omega)
        offset = found.seconds
    times = own.t + offset
    turns, p, omega = None, own.p, own.omega
    if side:
        turns = turn_between(own.p, theirs.at(times)[0], side)
        p = turns.of(own.p)
        omega = rotate_back(np.broadcast_to(turns.body, own.p.shape), own.omega)
    made = Recording(times, p=p, omega=omega, gap=recording.gap, source=recording.source)
    return Aligned(made, found, turns)


def invariants(recording: Recording | Solution, body: Body) -> Invariants:
    """What a free `body` keeps, of a recording or a lane: |h|, T and the direction of h in space, with their scatter beside the
    noise from row to row. `sentence` says how free the flight was.

    >>> from quatviz.api.calls import load_preset, simulate
    >>> preset = load_preset("tumbling_brick")
    >>> lane = simulate(preset, lanes=["newton_euler"], duration=2.0)["newton_euler"]
    >>> invariants(lane, preset.body).free
    True
    """
    track = Track.of(_recording(recording))
    return invariants_of(track.omega, body.inertia, track.p)


def _recording(given: object) -> Recording:
    if isinstance(given, Recording):
        return given
    if isinstance(given, Solution):
        return Recording(given.t, p=given.p, omega=given.omega)
    raise InputError(
        "the recording", expected="a recording, or a lane of a run", found=shown(given),
        remedy="write for example quatviz.Recording(t, omega=omega)", topic="recordings#from-a-script",
    )  # fmt: skip

"""What the window asks of a run. Plain values, so that a session can be recorded and replayed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Play:
    """Let the cursor run; from the end it starts over."""


@dataclass(frozen=True)
class Pause:
    """Hold the cursor."""


@dataclass(frozen=True)
class Seek:
    """Put the cursor at `time` [s]; where that is not computed yet it goes along with the computing until it is there."""

    time: float


@dataclass(frozen=True)
class Step:
    """Pause, and move the cursor by whole samples, backwards if negative."""

    samples: int


@dataclass(frozen=True)
class FineStep:
    """Pause, and move the cursor by whole steps `dt` of the preset's run, backwards if negative: between samples, where
    the pose is interpolated."""

    steps: int


@dataclass(frozen=True)
class SetSpeed:
    """Seconds of motion per second; negative runs backwards."""

    factor: float


@dataclass(frozen=True)
class SetLoop:
    """Whether the cursor starts over at the end instead of stopping there."""

    on: bool


@dataclass(frozen=True)
class SetRange:
    """Select the times from `start` to `stop` [s]: a cursor that loops stays among them."""

    start: float
    stop: float


@dataclass(frozen=True)
class ClearRange:
    """Select no times: a cursor that loops runs over the whole run."""


@dataclass(frozen=True)
class Extend:
    """Compute on to `duration` [s]."""

    duration: float


Command = Play | Pause | Seek | Step | FineStep | SetSpeed | SetLoop | SetRange | ClearRange | Extend

"""Commands from the window to a run. They are plain values, so that sequences of them can be recorded and replayed."""

from dataclasses import dataclass


class RunnerCommand:
    """Base class of all commands that the window sends to a run."""


@dataclass(frozen=True)
class Play(RunnerCommand):
    """Start playing, optionally in a given direction. If the cursor is at the end, playing starts over."""

    backward: bool | None = None


@dataclass(frozen=True)
class Pause(RunnerCommand):
    """Stop the cursor where it is."""


@dataclass(frozen=True)
class Toggle(RunnerCommand):
    """Toggle between playing and pausing, in the direction given by `backward`.

    A cursor that plays in this direction pauses; otherwise it starts to play in this direction. The runner decides,
    because the sender only knows the state of the previous frame.
    """

    backward: bool = False


@dataclass(frozen=True)
class Hold(RunnerCommand):
    """Hold a playing cursor, or release it. The start page, for example, holds the run that it hides."""

    on: bool


@dataclass(frozen=True)
class Seek(RunnerCommand):
    """Move the cursor to `time` [s]. Until that time is computed, the cursor follows the computation."""

    time: float


@dataclass(frozen=True)
class StepSamples(RunnerCommand):
    """Pause and move the cursor by a number of samples, backwards if negative."""

    samples: int


@dataclass(frozen=True)
class StepTimeSteps(RunnerCommand):
    """Pause and move the cursor by a number of time steps `dt` of the run, backwards if negative. If the
    cursor then lies between samples, the pose is interpolated."""

    steps: int


@dataclass(frozen=True)
class SetSpeed(RunnerCommand):
    """Set the playback speed [seconds of motion per second]; a negative speed plays backwards."""

    factor: float


@dataclass(frozen=True)
class SetPlaybackRate(RunnerCommand):
    """Set the magnitude of the playback speed, above 0, in the current direction."""

    factor: float


@dataclass(frozen=True)
class SetLoop(RunnerCommand):
    """Set whether playing starts over at the end."""

    on: bool


@dataclass(frozen=True)
class ToggleLoop(RunnerCommand):
    """Toggle whether playing starts over at the end."""


@dataclass(frozen=True)
class SetRange(RunnerCommand):
    """Select the times from `start` to `stop` [s], to which looped playing is restricted."""

    start: float
    stop: float


@dataclass(frozen=True)
class ClearRange(RunnerCommand):
    """Clear the selected range, so that looped playing covers the whole run."""


@dataclass(frozen=True)
class Extend(RunnerCommand):
    """Extend the run to `duration` [s]."""

    duration: float

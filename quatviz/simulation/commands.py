"""What the window asks of a run. Plain values, so that a session can be recorded and replayed."""

from dataclasses import dataclass


class RunnerCommand:
    """What can be asked."""


@dataclass(frozen=True)
class Play(RunnerCommand):
    """Let the cursor run, backward or forward where that is said; from the end it starts over."""

    backward: bool | None = None


@dataclass(frozen=True)
class Pause(RunnerCommand):
    """Stop the cursor where it is."""


@dataclass(frozen=True)
class Toggle(RunnerCommand):
    """Pause a cursor that plays, let any other play forward; `backward`, pause only one that plays backward, and let any
    other do so. The runner decides, for whoever sends it knows only what played a frame ago."""

    backward: bool = False


@dataclass(frozen=True)
class Hold(RunnerCommand):
    """Whether the cursor waits although it plays: something else is shown in the place of the run, or not yet all of it."""

    on: bool


@dataclass(frozen=True)
class Seek(RunnerCommand):
    """Put the cursor at `time` [s]; where that is not computed yet it goes along with the computing until it is there."""

    time: float


@dataclass(frozen=True)
class StepSamples(RunnerCommand):
    """Pause, and move the cursor by whole samples, backwards if negative."""

    samples: int


@dataclass(frozen=True)
class StepTimeSteps(RunnerCommand):
    """Pause, and move the cursor by whole steps `dt` of the preset's run, backwards if negative: between samples, where
    the pose is interpolated."""

    steps: int


@dataclass(frozen=True)
class SetSpeed(RunnerCommand):
    """Seconds of motion per second; negative runs backwards."""

    factor: float


@dataclass(frozen=True)
class SetPlaybackRate(RunnerCommand):
    """Seconds of motion per second, above 0, in the direction of now."""

    factor: float


@dataclass(frozen=True)
class SetLoop(RunnerCommand):
    """Whether the cursor starts over at the end instead of stopping there."""

    on: bool


@dataclass(frozen=True)
class ToggleLoop(RunnerCommand):
    """Start over at the end if it stops there, and the other way round."""


@dataclass(frozen=True)
class SetRange(RunnerCommand):
    """Select the times from `start` to `stop` [s]: a cursor that loops stays among them."""

    start: float
    stop: float


@dataclass(frozen=True)
class ClearRange(RunnerCommand):
    """Select no times: a cursor that loops runs over the whole run."""


@dataclass(frozen=True)
class Extend(RunnerCommand):
    """Compute on to `duration` [s]."""

    duration: float

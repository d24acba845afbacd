"""What a person can do with time, as commands to the run."""

from __future__ import annotations

from collections.abc import Callable

from quatviz.simulation.commands import (
    ClearRange,
    Command,
    FineStep,
    Pause,
    Play,
    Seek,
    SetLoop,
    SetRange,
    SetSpeed,
    Step,
)
from quatviz.ui.frame import Frame


class Playback:
    """Knows from the last frame what plays, and sends what changes that. The speed keeps its size when the direction
    changes, and its direction when the size does."""

    def __init__(self, send: Callable[[Command], None]) -> None:
        self.send = send
        self.playing = self.loop = False
        self.speed = 1.0
        self.duration = 0.0

    def show_frame(self, frame: Frame) -> None:
        """Take in where the run is."""
        self.playing, self.loop = frame.playing, frame.loop
        self.speed, self.duration = frame.speed, frame.duration

    def toggle(self) -> None:
        """Pause, or play forward."""
        self.send(Pause()) if self.playing else self._play(1)

    def toggle_backward(self) -> None:
        """Play backward, or pause if it does."""
        self.send(Pause()) if self.playing and self.speed < 0 else self._play(-1)

    def restart(self) -> None:
        """Play from the start."""
        self.send(Seek(0.0))
        self._play(1)

    def set_speed(self, factor: float) -> None:
        """Seconds of motion per second, in the direction of now."""
        self.send(SetSpeed(-factor if self.speed < 0 else factor))

    def toggle_loop(self) -> None:
        """Start over at the end, or stop there."""
        self.send(SetLoop(not self.loop))

    def loop_range(self) -> None:
        """Play what is selected over and over."""
        self.send(SetLoop(True))
        self.send(Play())

    def select(self, selected: tuple[float, float] | None) -> None:
        """Select these times, or none."""
        self.send(ClearRange() if selected is None else SetRange(*selected))

    def doings(self) -> dict[str, Callable[[], object]]:
        """What the actions of the group Playing do that ask only for a command."""
        return {
            "backward": self.toggle_backward,
            "back": lambda: self.send(Step(-1)),
            "forward": lambda: self.send(Step(1)),
            "far_back": lambda: self.send(Step(-10)),
            "far_forward": lambda: self.send(Step(10)),
            "fine_back": lambda: self.send(FineStep(-1)),
            "fine_forward": lambda: self.send(FineStep(1)),
            "home": lambda: self.send(Seek(0.0)),
            "end": lambda: self.send(Seek(self.duration)),
            "restart": self.restart,
            "loop": self.toggle_loop,
        }

    def _play(self, direction: int) -> None:
        if self.speed * direction < 0:
            self.send(SetSpeed(-self.speed))
        self.send(Play())

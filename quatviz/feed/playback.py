"""What a person can do with time, as commands to the run."""

from __future__ import annotations

from collections.abc import Callable

from quatviz.feed.frame import Frame
from quatviz.simulation.commands import (
    ClearRange,
    Command,
    Play,
    Seek,
    SetLoop,
    SetPace,
    SetRange,
    Toggle,
    ToggleLoop,
)


class Playback:
    """Sends what a person asks for; what depends on what plays, the run decides: between two frames a person may ask twice.
    The speed keeps its size when the direction changes, and its direction when the size does."""

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
        self.send(Toggle())

    def toggle_backward(self) -> None:
        """Play backward, or pause if it does."""
        self.send(Toggle(backward=True))

    def restart(self) -> None:
        """Play from the start."""
        self.send(Seek(0.0))
        self.send(Play(backward=False))

    def set_speed(self, factor: float) -> None:
        """Seconds of motion per second, in the direction of now."""
        self.send(SetPace(factor))

    def toggle_loop(self) -> None:
        """Start over at the end, or stop there."""
        self.send(ToggleLoop())

    def loop_range(self) -> None:
        """Play what is selected over and over."""
        self.send(SetLoop(True))
        self.send(Play())

    def select(self, selected: tuple[float, float] | None) -> None:
        """Select these times, or none."""
        self.send(ClearRange() if selected is None else SetRange(*selected))

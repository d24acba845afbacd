"""What a person has chosen for the whole board: frames, the Euler sequence, and the difference to a lane."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from quatviz.core.euler_sequences import SEQUENCES
from quatviz.ui.frame import RunInfo
from quatviz.ui.old_future import OldFuture
from quatviz.ui.tr import told


@dataclass(frozen=True)
class Choice:
    """One of a few `options`, by name; `title` and `texts` are what people read. Panels may share a choice."""

    name: str
    title: str
    options: tuple[str, ...]
    texts: tuple[str, ...]
    noun: str = ""
    """What stands behind options that are side by side."""
    opens: bool = False
    """Whether the options are in a menu though they are few, because they are long."""

    def text(self, option: str) -> str:
        """What people read for it."""
        return told(self.texts[self.options.index(option)])


SEQUENCE = Choice("sequence", "Sequence", SEQUENCES, tuple("–".join(sequence) for sequence in SEQUENCES))

SIGN = Choice("sign", "Sign", ("raw", "continuous", "canonical"), ("raw", "continuous", "canonical"))
"""How p and -p, which are one orientation, are told apart; see `ui.forms`."""

TURNS = Choice("turns", "Turns", ("wrapped", "unwrapped"), ("wrapped", "unwrapped"))
"""Whether angles stay within their range."""


def frame_choice(name: str) -> Choice:
    """The frame in which a vector's components are shown."""
    return Choice(name, "Frame", ("body", "space"), ("body", "space"), "frame")


class Choices(QObject):
    """The choices of one board. A new run changes only what nobody has chosen, or what it has no lane for."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chosen: dict[str, str] = {}
        self._sequence = "321"
        self.difference = False
        """Whether panels show each lane minus the reference lane."""
        self.reference = ""
        """The lane that is subtracted: an exact one where there is one and nobody has chosen another, else the first."""
        self._wanted = ""
        self.old: OldFuture | None = None
        """What would have come of the run without the last branch, to be drawn faintly."""

    def show_old(self, old: OldFuture | None) -> None:
        """Show this old future, or none."""
        if old is not self.old:
            self.old = old
            self.changed.emit()

    def start(self, info: RunInfo) -> None:
        """A run begins: its panels are told of it by themselves."""
        wanted = self._wanted if self._wanted in info.lanes else ""
        self.reference = wanted or next(iter((*info.exact, *info.lanes)), "")
        own = (name.partition("/") for name in info.formulations)
        sequences = (variant for family, _, variant in own if family == "euler_angles")
        self._sequence = next((sequence for sequence in sequences if sequence in SEQUENCES), "321")

    def option(self, choice: Choice) -> str:
        """What is chosen now."""
        default = self._sequence if choice is SEQUENCE else choice.options[0]
        chosen = self._chosen.get(choice.name, default)
        return chosen if chosen in choice.options else default

    def choose(self, choice: Choice, option: str) -> None:
        if option not in choice.options:
            raise ValueError(f"{choice.name} is one of {', '.join(choice.options)}, not {option!r}")
        if option != self.option(choice):
            self._chosen[choice.name] = option
            self.changed.emit()

    def choose_as(self, other: Choices) -> None:
        """Take over what was chosen for another board."""
        self._chosen = dict(other._chosen)
        self.changed.emit()

    def set_difference(self, on: bool) -> None:
        if on != self.difference:
            self.difference = on
            self.changed.emit()

    def set_reference(self, lane: str) -> None:
        self._wanted = lane
        if lane != self.reference:
            self.reference = lane
            self.changed.emit()

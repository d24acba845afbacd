"""What a person has chosen for the whole board: frames, the Euler sequence, and the difference to a lane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.display.view_state.signal import Signal
from quatviz.physics.mechanics.euler_sequences import SEQUENCES


@dataclass(frozen=True)
class Choice:
    """One of a few `options`, by name; `title` and `texts` are what people read. Panels may share a choice."""

    name: str
    title: str
    options: tuple[str, ...]
    texts: tuple[str, ...]
    noun: str = ""
    """What stands behind options that are side by side."""
    in_menu: bool = False
    """Whether the options are in a menu though they are few, because they are long."""

    def text(self, option: str) -> str:
        """What people read for it."""
        return tr(self.texts[self.options.index(option)])


SEQUENCE_CHOICE = Choice(
    "sequence", "Sequence", SEQUENCES, tuple(humanize(sequence) for sequence in SEQUENCES)
)

SIGN_CHOICE = Choice("sign", "Sign", ("raw", "continuous", "canonical"), ("raw", "continuous", "canonical"))
"""How p and -p, which are one orientation, are told apart; see `display.data.derived_sources`."""

ANGLE_RANGE_CHOICE = Choice("turns", "Turns", ("wrapped", "unwrapped"), ("wrapped", "unwrapped"))
"""Whether angles stay within their range."""

AXES_CHOICE = Choice(
    "axes", "Axes of a vector", ("shared", "own"), ("the same for all components", "each its own")
)
"""Whether the components of a vector are drawn to one scale."""


def frame_choice(name: str) -> Choice:
    """The frame in which a vector's components are shown."""
    return Choice(name, "Frame", ("body", "space"), ("body", "space"), "frame")


FRAME_CHOICES = (frame_choice("omega_frame"), frame_choice("h_frame"))
"""Those in which omega and h are shown."""

COMMON_CHOICES = {
    choice.name: choice
    for choice in (SEQUENCE_CHOICE, SIGN_CHOICE, ANGLE_RANGE_CHOICE, AXES_CHOICE, *FRAME_CHOICES)
}
"""Choices that are the same in every run, by name; panels may have others."""


class RunLanes(Protocol):
    """What the choices ask of a run: names of its lanes, of those that are known exactly, and ids of formulations."""

    @property
    def lanes(self) -> Sequence[str]: ...
    @property
    def exact(self) -> Sequence[str]: ...
    @property
    def formulations(self) -> Sequence[str]: ...


class PreviousRunSource(Protocol):
    """Rows of a run that another has taken the place of."""

    @property
    def lanes(self) -> Sequence[str]:
        """Names of its lanes."""

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) [s] and values (n, k) of a quantity."""


class Choices:
    """The choices of one board. A new run changes only what nobody has chosen, or what it has no lane for."""

    def __init__(self) -> None:
        self.changed = Signal()
        self.chosen: Mapping[str, str] = {}
        """What a person has chosen, by the names of the choices."""
        self._sequence = "321"
        self.difference = False
        """Whether panels show each lane minus the reference lane."""
        self.reference = ""
        """The lane that is subtracted: an exact one where there is one and nobody has chosen another, else the first."""
        self.chosen_reference = ""
        """The reference lane that a person has chosen; empty where nobody has."""
        self._run: RunLanes | None = None
        self.previous_run: PreviousRunSource | None = None
        """What would have come of the run without the last branch, a `display.data.derived_sources.PreviousRun`, to be drawn
        faintly."""

    @classmethod
    def for_run(
        cls, run: RunLanes, chosen: Mapping[str, str], difference: bool, chosen_reference: str
    ) -> "Choices":
        """Those of a run; `set_all` says what is what."""
        choices = cls()
        choices.start(run)
        choices.set_all(chosen, difference, chosen_reference)
        return choices

    def show_previous_run(self, previous_run: PreviousRunSource | None) -> None:
        """Show this old future, or none."""
        if previous_run is not self.previous_run:
            self.previous_run = previous_run
            self.changed.emit()

    def start(self, run: RunLanes) -> None:
        """A run begins: its panels are told of it by themselves."""
        self._run = run
        self.reference = self._effective_reference()
        name_parts = (name.partition("/") for name in run.formulations)
        sequences = (variant for family, _, variant in name_parts if family == "euler_angles")
        self._sequence = next((sequence for sequence in sequences if sequence in SEQUENCES), "321")

    def option(self, choice: Choice) -> str:
        """What is chosen now."""
        default = self._sequence if choice is SEQUENCE_CHOICE else choice.options[0]
        chosen = self.chosen.get(choice.name, default)
        return chosen if chosen in choice.options else default

    def choose(self, choice: Choice, option: str) -> None:
        if option not in choice.options:
            raise ValueError(f"{choice.name} is one of {', '.join(choice.options)}, not {option!r}")
        if option != self.option(choice):
            self.set_all({**self.chosen, choice.name: option}, self.difference, self.chosen_reference)

    def toggle(self, choice: Choice) -> None:
        """Choose the other one of two options."""
        self.choose(choice, next(option for option in choice.options if option != self.option(choice)))

    def set_all(self, chosen: Mapping[str, str], difference: bool, chosen_reference: str) -> None:
        """Show these options, differences or none, and to this lane; what a person has not chosen is as the run has it."""
        before = self.chosen, self.difference, self.reference
        self.chosen, self.difference, self.chosen_reference = dict(chosen), difference, chosen_reference
        self.reference = self._effective_reference()
        if (self.chosen, self.difference, self.reference) != before:
            self.changed.emit()

    def set_difference(self, on: bool) -> None:
        self.set_all(self.chosen, on, self.chosen_reference)

    def toggle_difference_to(self, lane: str) -> None:
        """Show differences to this lane; where they are shown already, none."""
        shown = self.difference and self.reference == lane
        self.set_all(self.chosen, not shown, self.chosen_reference if shown else lane)

    def set_reference(self, lane: str) -> None:
        self.set_all(self.chosen, self.difference, lane)

    def _effective_reference(self) -> str:
        if self._run is None:
            return self.chosen_reference
        valid_reference = self.chosen_reference if self.chosen_reference in self._run.lanes else ""
        return valid_reference or next(iter((*self._run.exact, *self._run.lanes)), "")

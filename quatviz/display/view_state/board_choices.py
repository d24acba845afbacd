"""The choices of one board, as a run makes of them what the view state says."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from quatviz.display.view_state.choices import SEQUENCE_CHOICE, Choice
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.mechanics.euler_sequences import SEQUENCES


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
    """The options, the reference lane and the difference that the view state of `store` says, completed by what a run has.

    A new run changes only what nobody has chosen, or what it has no lane for.
    """

    def __init__(self, store: ViewStore | None = None) -> None:
        self._store = store or ViewStore()
        self._store.changed.connect(self._apply_view_change)
        self.changed = Signal()
        """Emitted when a choice, or what is drawn of the previous run, is another one."""
        self._sequence = "321"
        self.reference = self.chosen_reference
        """The lane that is subtracted: an exact one where there is one and nobody has chosen another, else the first."""
        self._run: RunLanes | None = None
        self.previous_run: PreviousRunSource | None = None
        """What would have come of the run without the last branch, a `display.data.derived_sources.PreviousRun`, to be drawn
        faintly."""

    @classmethod
    def for_run(
        cls, run: RunLanes, chosen: Mapping[str, str], difference: bool, chosen_reference: str
    ) -> "Choices":
        """Return the choices of a run without a window; `set_all` explains the arguments."""
        view_state = ViewState(options=chosen, difference=difference, reference=chosen_reference)
        choices = cls(ViewStore(view_state))
        choices.start(run)
        return choices

    @property
    def chosen(self) -> Mapping[str, str]:
        """The options that a person has chosen, by the names of the choices."""
        return self._store.state.options

    @property
    def difference(self) -> bool:
        """True if panels show each lane minus the reference lane."""
        return self._store.state.difference

    @property
    def chosen_reference(self) -> str:
        """The reference lane that a person has chosen; empty where nobody has."""
        return self._store.state.reference

    def show_previous_run(self, previous_run: PreviousRunSource | None) -> None:
        """Draw this previous run faintly, or none."""
        if previous_run is not self.previous_run:
            self.previous_run = previous_run
            self.changed.emit()

    def start(self, run: RunLanes) -> None:
        """Take in a run that begins; its panels learn of it by themselves."""
        self._run = run
        self.reference = self._effective_reference()
        name_parts = (name.partition("/") for name in run.formulations)
        sequences = (variant for family, _, variant in name_parts if family == "euler_angles")
        self._sequence = next((sequence for sequence in sequences if sequence in SEQUENCES), "321")

    def option(self, choice: Choice) -> str:
        """Return the option of a choice that is shown now."""
        default = self._sequence if choice is SEQUENCE_CHOICE else choice.options[0]
        chosen = self.chosen.get(choice.name, default)
        return chosen if chosen in choice.options else default

    def choose(self, choice: Choice, option: str) -> None:
        """Choose an option. ValueError if the choice does not have it."""
        if option not in choice.options:
            raise ValueError(f"{choice.name} is one of {', '.join(choice.options)}, not {option!r}")
        if option != self.option(choice):
            self._store.update(options={**self.chosen, choice.name: option})

    def toggle(self, choice: Choice) -> None:
        """Choose the other one of two options."""
        self.choose(choice, next(option for option in choice.options if option != self.option(choice)))

    def set_all(self, chosen: Mapping[str, str], difference: bool, chosen_reference: str) -> None:
        """Show these options, differences or none, and to this lane; what a person has not chosen is as the run has it."""
        self._store.update(options=dict(chosen), difference=difference, reference=chosen_reference)

    def toggle_difference_to(self, lane: str) -> None:
        """Show differences to this lane; where they are shown already, none."""
        is_shown = self.difference and self.reference == lane
        self._store.update(difference=not is_shown, reference=self.chosen_reference if is_shown else lane)

    def set_reference(self, lane: str) -> None:
        """Choose the lane that is subtracted."""
        self._store.update(reference=lane)

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if (old.options, old.difference, old.reference) != (new.options, new.difference, new.reference):
            self.reference = self._effective_reference()
            self.changed.emit()

    def _effective_reference(self) -> str:
        if self._run is None:
            return self.chosen_reference
        valid_reference = self.chosen_reference if self.chosen_reference in self._run.lanes else ""
        return valid_reference or next(iter((*self._run.exact, *self._run.lanes)), "")

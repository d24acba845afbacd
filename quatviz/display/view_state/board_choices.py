"""The effective choices of one board of panels: the user's choices, completed from the run."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from quatviz.display.view_state.choices import SEQUENCE_CHOICE, Choice
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.mechanics.euler_sequences import SEQUENCES


class RunLanes(Protocol):
    """The part of a run that determines its choices: lane names, lanes with exact solutions, and formulation ids."""

    @property
    def lanes(self) -> Sequence[str]: ...
    @property
    def exact(self) -> Sequence[str]: ...
    @property
    def formulations(self) -> Sequence[str]: ...


class PreviousRunSource(Protocol):
    """Rows of a run that another run has replaced."""

    @property
    def lanes(self) -> Sequence[str]:
        """Names of the lanes of the previous run."""

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the sample times (n,) [s] and the values (n, k) of a quantity."""


class Choices:
    """Options, reference lane and difference mode in the view state `store`, completed with defaults that
    depend on the run.

    A new run changes only defaults, and the reference lane if the run does not have it.
    """

    def __init__(self, store: ViewStore | None = None) -> None:
        self._store = store or ViewStore()
        self._store.changed.connect(self._apply_view_change)
        self.changed = Signal()
        """Emitted when a choice changes, or when another previous run is shown."""
        self._sequence = "321"
        self.reference = self.chosen_reference
        """Name of the lane that is subtracted: the user's choice; without a choice, an exact lane; without an exact
        lane, the first lane."""
        self._run: RunLanes | None = None
        self.previous_run: PreviousRunSource | None = None
        """Rows of the run before its last edit at the cursor (`display.data.derived_sources.PreviousRun`),
        which are drawn faintly; None if there are none."""

    @classmethod
    def for_run(
        cls, run: RunLanes, chosen: Mapping[str, str], difference: bool, chosen_reference: str
    ) -> "Choices":
        """Return the choices for a run, independent of a window. The arguments are those of `set_all`."""
        view_state = ViewState(options=chosen, difference=difference, reference=chosen_reference)
        choices = cls(ViewStore(view_state))
        choices.start(run)
        return choices

    @property
    def chosen(self) -> Mapping[str, str]:
        """Options chosen by the user, by the names of the choices."""
        return self._store.state.options

    @property
    def difference(self) -> bool:
        """True if panels show each lane minus the reference lane."""
        return self._store.state.difference

    @property
    def chosen_reference(self) -> str:
        """Reference lane chosen by the user; "" if none was chosen."""
        return self._store.state.reference

    def show_previous_run(self, previous_run: PreviousRunSource | None) -> None:
        """Draw `previous_run` faintly; None removes it."""
        if previous_run is not self.previous_run:
            self.previous_run = previous_run
            self.changed.emit()

    def start(self, run: RunLanes) -> None:
        """Adapt the defaults to a run that begins. `changed` is not emitted: panels start with the run anyway."""
        self._run = run
        self.reference = self._effective_reference()
        name_parts = (name.partition("/") for name in run.formulations)
        sequences = (variant for family, _, variant in name_parts if family == "euler_angles")
        self._sequence = next((sequence for sequence in sequences if sequence in SEQUENCES), "321")

    def option(self, choice: Choice) -> str:
        """Return the current option of a choice."""
        default = self._sequence if choice is SEQUENCE_CHOICE else choice.options[0]
        chosen = self.chosen.get(choice.name, default)
        return chosen if chosen in choice.options else default

    def choose(self, choice: Choice, option: str) -> None:
        """Choose an option.

        Raises
        ------
        ValueError
            If the choice does not have this option.
        """
        if option not in choice.options:
            raise ValueError(f"{choice.name} is one of {', '.join(choice.options)}, not {option!r}")
        if option != self.option(choice):
            self._store.update(options={**self.chosen, choice.name: option})

    def toggle(self, choice: Choice) -> None:
        """Switch a choice with two options to the other option."""
        self.choose(choice, next(option for option in choice.options if option != self.option(choice)))

    def set_all(self, chosen: Mapping[str, str], difference: bool, chosen_reference: str) -> None:
        """Set all options, whether differences are shown, and the reference lane ("" for the default of the run)."""
        self._store.update(options=dict(chosen), difference=difference, reference=chosen_reference)

    def toggle_difference_to(self, lane: str) -> None:
        """Show differences from the lane `lane`. If they are already shown, hide them."""
        is_shown = self.difference and self.reference == lane
        self._store.update(difference=not is_shown, reference=self.chosen_reference if is_shown else lane)

    def set_reference(self, lane: str) -> None:
        """Choose the reference lane, which is subtracted from the others to show differences."""
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

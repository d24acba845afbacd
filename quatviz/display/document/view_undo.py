"""Making a step of what changes of how a window shows its run, and showing it as it was at another."""

from collections.abc import Mapping
from typing import Protocol

from quatviz.display.document.document import Document
from quatviz.display.view_state.view_state import Look, chosen_of, is_one_move, with_chosen, words_of


class Dressed(Protocol):
    """What is asked of a window."""

    document: Document

    @property
    def look(self) -> Look: ...
    @property
    def lent(self) -> bool:
        """Whether a lesson has it: what it shows is not a person's wish."""

    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""

    def dress(self, look: Look) -> None: ...


class Looks:
    """Compares, from `begin` to `end`, what the window shows with what the document knows of it. It rests while a lesson has the
    window."""

    def __init__(self, window: Dressed) -> None:
        self._window, self._begun = window, False
        window.document.begins.connect(self.take)

    def begin(self) -> None:
        """From now on a change is a step."""
        self._begun = True

    def end(self) -> None:
        """The window closes."""
        self._begun = False

    def take(self) -> None:
        """Let the document know how the run is shown by now."""
        if not self._begun or self._window.lent:
            return
        document, look = self._window.document, chosen_of(self._window.look)
        before = document.state.look
        if before is None or look != chosen_of(before):
            words = "" if before is None else words_of(before, look, *self._window.titles)
            document.shown_as(look, words, before is not None and is_one_move(before, look))

    def show(self, chosen: Look | None) -> None:
        """Show the run as it was shown at the step that the document has come to."""
        if chosen is not None and self._begun and not self._window.lent:
            look = self._window.look
            if chosen_of(look) != chosen:
                self._window.dress(with_chosen(look, chosen))
                self._window.document.know(
                    chosen_of(self._window.look)
                )  # a screen may have no room for all of it

"""Making a step of what changes of how a window shows its run, and showing it as it was at another."""

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from quatviz.document.document import Document
from quatviz.look.look import Look, chosen_of, is_one_move, with_chosen, words_of
from quatviz.ui.side.column import SideColumn


class Dressed(Protocol):
    """What is asked of a window."""

    document: Document
    side: SideColumn

    @property
    def look(self) -> Look: ...
    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""

    def dress(self, look: Look) -> None: ...


class Keeper(QTimer):
    """Its beat is when whoever keeps something of a window looks for what a hand has changed: the way back at every one, for
    what acts change is seen at once, and files at each fifth."""

    seldom = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=400)
        self._beats = 0
        self.timeout.connect(self._beat)

    def _beat(self) -> None:
        self._beats += 1
        if self._beats % 5 == 0:
            self.seldom.emit()


class Looks:
    """Compares, from `begin` to `end`, what the window shows with what the document knows of it. It rests while a lesson has the
    window: what that shows is not a person's wish."""

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
        if not self._begun or self._window.side.isHidden():
            return
        document, look = self._window.document, chosen_of(self._window.look)
        before = document.state.look
        if look != before:
            words = "" if before is None else words_of(before, look, *self._window.titles)
            document.shown_as(look, words, before is not None and is_one_move(before, look))

    def show(self, chosen: Look | None) -> None:
        """Show the run as it was shown at the step that the document has come to."""
        if chosen is not None and self._begun and not self._window.side.isHidden():
            look = self._window.look
            if chosen_of(look) != chosen:
                self._window.dress(with_chosen(look, chosen))
                self._window.document.know(
                    chosen_of(self._window.look)
                )  # a screen may have no room for all of it

"""The button in the status row that takes an old future away."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from quatviz.ui.old_future import OldFuture
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.tr import tr


class OldNotice(QPushButton):
    """Seen while an old future is drawn."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(tr("Dismiss the old future"))
        self._choices = choices
        self.setToolTip(tr("Faint curves show what would have come without the last branch (X)"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self.dismiss)
        self.hide()

    def take(self, old: OldFuture | None) -> None:
        """Let the run that begins next draw this old future, or none."""
        self._choices.old = old
        self.setVisible(old is not None)

    def dismiss(self) -> None:
        """Draw it no more."""
        self.hide()
        self._choices.show_old(None)

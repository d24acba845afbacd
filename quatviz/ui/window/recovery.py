"""What was done in a window that was killed, offered at the next start."""

from pathlib import Path

from PySide6.QtCore import QDateTime, Signal
from PySide6.QtWidgets import QFrame

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.user_files import delete_session_files, read_saved_session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import row


class RecoveryBar(QFrame):
    """Over the window's parts: what could be restored, and two buttons."""

    restore_requested = Signal(object)
    """The `Path` of a session, which who restores it deletes: where that fails, it is there at the next start."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("popup")
        self.setAccessibleName(tr("Recovery"))
        self._paths: list[Path] = []
        self.text = label()
        self.restore_button = Button(tr("Restore"), lambda: self._handle_choice(restore=True))
        self.discard_button = Button(tr("Discard"), lambda: self._handle_choice(restore=False))
        self.setLayout(
            row(
                (self.text, 1),
                self.restore_button,
                self.discard_button,
                margins=(2 * GRID_UNIT, GRID_UNIT) * 2,
            )
        )
        self.hide()

    def offer(self, paths: list[Path]) -> None:
        """Offer the first of these, then the others, but for those that another window has taken meanwhile."""
        self._paths = paths
        self.setVisible(bool(paths))
        if not paths:
            return
        try:
            session, seconds = read_saved_session(paths[0]), int(paths[0].stat().st_mtime)
        except (OSError, InputError):
            self.offer(paths[1:])
            return
        when = QDateTime.fromSecsSinceEpoch(seconds).toString("d MMM, HH:mm:ss")
        self.text.setText(
            tr(
                "A window was closed before its work was saved. Restore “{title}” as it was on {when}?",
                title=session.preset.title,
                when=when,
            )
        )

    def _handle_choice(self, restore: bool) -> None:
        path, *others = self._paths
        if restore:
            self.restore_requested.emit(path)
        else:
            delete_session_files(path)
        self.offer(others)
        if not self._paths:
            self.window().setFocus()  # or the button beside it would have the keys: Space plays and pauses

"""The bar that offers to restore the work of a window whose process was killed."""

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
    """A bar above the window's parts that offers sessions to restore."""

    restore_requested = Signal(object)
    """Emitted with the `Path` of a session file. The receiver deletes the file only after success, so that the user can try
    again."""

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
        """Offer the first of these sessions, and the next one after the user's answer. Sessions that another window has
        taken are skipped."""
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
                "A window was closed before the work in it was saved. Restore “{title}” as it was on {when}?",
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
            # Otherwise the next button would get the focus, and Space would press it.
            self.window().setFocus()

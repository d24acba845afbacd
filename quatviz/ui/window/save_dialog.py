"""The question about unsaved changes when the window is closed."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.windows import Dialog, set_initial_size

_WIDTH = 420


class UnsavedChangesDialog(Dialog):
    """A dialog that offers to save, to close without saving, or to cancel."""

    def __init__(
        self,
        file_name: str,
        save_and_close: Callable[[], object],
        close_without_saving: Callable[[], object],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Unsaved changes"), parent)
        self._save_and_close, self._close_without_saving = save_and_close, close_without_saving
        text = tr(
            "{file} does not have your last changes. If you close without saving, “Continue” on the start page restores your "
            "changes.",
            file=file_name,
        )
        self.save_button = Button(tr("Save and close"), self._save)
        self.discard_button = Button(tr("Close without saving"), self._discard)
        self.cancel_button = Button(tr("Cancel"), self.reject)
        buttons = row(self.discard_button, None, self.cancel_button, self.save_button)
        self.setLayout(column(label(text=text), buttons, gap=2 * GRID_UNIT, margins=2 * GRID_UNIT))
        set_initial_size(self, _WIDTH, 0)
        self.save_button.setDefault(True)

    def _save(self) -> None:
        self.accept()
        self._save_and_close()

    def _discard(self) -> None:
        self.accept()
        self._close_without_saving()

"""The label above a result that appears when the inputs of the result have changed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from quatviz.base.translation import tr


class OutdatedLabel(QLabel):
    """Label that is visible while the current inputs differ from those of the displayed result, which it stores.

    All tools mark outdated results with this label. Inputs are compared by value and not by a revision number of the
    document. Undo therefore removes the mark, and an edit that does not affect the result does not set it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("outdated")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.hide()
        self._result_inputs: object = None
        self._has_result = False

    def set_result(self, inputs: object) -> None:
        """Store the inputs from which the displayed result was computed."""
        self._result_inputs, self._has_result = inputs, True

    def clear_result(self) -> None:
        """Forget the inputs of the result and hide the label, because no result is shown any more."""
        self._result_inputs, self._has_result = None, False
        self.hide()

    def is_outdated(self, inputs: object) -> bool:
        """Return True if the displayed result was computed from inputs other than `inputs`."""
        return self._has_result and inputs != self._result_inputs

    def show_reason(self, remedy: str, new_title: str = "") -> None:
        """Show that the result is outdated. `remedy` tells the user how to update it.

        If the main window shows another run now, `new_title` is the title of that run.
        """
        reason = (
            tr("Outdated: the main window shows “{title}” now.", title=new_title)
            if new_title
            else tr("Outdated: the run or the choices have changed.")
        )
        self.setText(f"{reason} {remedy}")
        self.show()

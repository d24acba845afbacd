"""Pages of a long list of widgets. Only one page is built at a time, so that the time to show a list does not grow with its
length."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.translation import tr
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.layouts import row


class Pager(QWidget):
    """Row with the range of the displayed items and buttons for the other pages. It is hidden if one page holds all items."""

    page_changed = Signal()
    """Emitted when the user has chosen another page."""

    def __init__(self, page_size: int) -> None:
        super().__init__()
        self._page_size, self._page = page_size, 0
        self._label = QLabel()
        self.previous_button = QuietButton(tr("Previous"), lambda: self._turn(-1))
        self.next_button = QuietButton(tr("Next"), lambda: self._turn(1))
        self.setLayout(row((self._label, 1), self.previous_button, self.next_button))

    def select_page(self, item_count: int, added: int | None) -> range:
        """Show the page that contains the item with the index `added`, or stay on the present page if it is None.
        Return the indices of the items on the page."""
        last_page = max(item_count - 1, 0) // self._page_size
        self._page = min(self._page, last_page) if added is None else added // self._page_size
        first = self._page * self._page_size
        shown = range(first, min(first + self._page_size, item_count))
        self.setVisible(last_page > 0)
        self.previous_button.setEnabled(self._page > 0)
        self.next_button.setEnabled(self._page < last_page)
        last = shown.stop
        if len(shown) > 1:
            text = tr("{first} to {last} of {total}", first=first + 1, last=last, total=item_count)
        else:
            text = tr("{last} of {total}", last=last, total=item_count)
        self._label.setText(text)
        return shown

    def _turn(self, step: int) -> None:
        self._page += step
        self.page_changed.emit()

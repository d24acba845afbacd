"""Lists of names with a search field or check boxes, and tables."""

from collections.abc import Container, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.teaching.help.entry_search import MAX_QUERY_LENGTH
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.style import theme_of, tint


class ListRowDelegate(Guarded, QStyledItemDelegate):
    """A delegate that paints the rows of a list in its theme."""

    def __init__(self, rows: QWidget) -> None:
        super().__init__(rows)
        self._list_widget = rows

    @property
    def theme(self) -> Theme:
        """The current theme of the list."""
        return theme_of(self._list_widget)

    def begin_row(
        self, painter: QPainter, option: QStyleOptionViewItem, background: str, is_enabled: bool = True
    ) -> QRectF:
        """Draw the background of a selected or hovered row and return the row's rectangle. The state of the painter is
        saved; the caller restores it."""
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_enabled and option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            fraction = 0.3 if option.state & QStyle.StateFlag.State_Selected else 0.12
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint(self.theme.accent, background, fraction))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 6, 6)
        return rect


_PAGE_ROWS = 8
"""Number of rows by which Page Up and Page Down move."""


class SearchField(Guarded, QLineEdit):
    """A search field that emits `stepped` for arrow and page keys, which move the selection in a result list."""

    stepped = Signal(int)
    """Emitted with the number of rows to move down, negative for up."""

    def __init__(self, placeholder: str, name: str = "") -> None:
        super().__init__(placeholderText=placeholder, clearButtonEnabled=True)
        self.setAccessibleName(name or placeholder)
        self.setMaxLength(MAX_QUERY_LENGTH)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -_PAGE_ROWS,
            Qt.Key.Key_PageDown: _PAGE_ROWS,
        }
        if event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class NavigableList(QListWidget):
    """A list in which arrow and page keys skip rows that cannot be selected."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def step(self, count: int) -> None:
        """Move the selection by `count` rows. If that row cannot be selected, the selection moves on to the next row
        that can."""
        row = min(max(self.currentRow() + count, 0), self.count() - 1)
        while 0 <= row < self.count() and not self.item(row).flags() & Qt.ItemFlag.ItemIsSelectable:
            row += 1 if count > 0 else -1
        if 0 <= row < self.count():
            self.setCurrentRow(row)


class CheckList(Guarded, QListWidget):
    """A list of names with check boxes."""

    def __init__(self, accessible_name: str) -> None:
        super().__init__()
        self.setAccessibleName(accessible_name)
        self.setObjectName("ticks")
        self._pressed_state = Qt.CheckState.Unchecked
        """Check state of the pressed item before the press toggled its box."""
        self.itemClicked.connect(
            lambda item: self.toggle(item) if item.checkState() == self._pressed_state else None
        )
        self.ensurePolished()  # items added before the first show would lack the padding of the style sheet

    def add_name(self, name: str, text: str, checked: bool, disabled_reason: str = "") -> None:
        """Add a name with a check box. A name with a `disabled_reason` cannot be checked; its tooltip gives
        the reason."""
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setFlags(
            Qt.ItemFlag.NoItemFlags
            if disabled_reason
            else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setCheckState(
            Qt.CheckState.Checked if checked and not disabled_reason else Qt.CheckState.Unchecked
        )
        item.setToolTip(tooltip_text(disabled_reason))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, disabled_reason)
        self.addItem(item)

    def add_heading(self, text: str) -> None:
        """Add a heading above the following names. A heading has no name and cannot be checked."""
        item = QListWidgetItem(text)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
        )  # disabled, it would be as pale as a name that cannot be checked
        font = item.font()
        font.setBold(True)
        item.setFont(font)
        self.addItem(item)

    def item_of(self, name: str) -> QListWidgetItem:
        """Return the list item of a name."""
        return next(item for item in self._items() if item.data(Qt.ItemDataRole.UserRole) == name)

    def show_only(self, names: Container[str]) -> None:
        """Show only the items with these names. A heading is hidden if no name below it is visible.

        `QSortFilterProxyModel` is not used, because it would require a model instead of list items, and a special rule
        for headings.
        """
        heading_item: QListWidgetItem | None = None
        for row in range(self.count()):
            item = self.item(row)
            name = item.data(Qt.ItemDataRole.UserRole)
            if name is None:
                heading_item = item
                heading_item.setHidden(True)
            else:
                item.setHidden(name not in names)
                if heading_item is not None and not item.isHidden():
                    heading_item.setHidden(False)

    def viewportEvent(self, event: QEvent) -> bool:
        """Work around QAbstractItemView, which drops the second of two quick clicks on a check box."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            assert isinstance(event, QMouseEvent)
            item = self.itemAt(event.position().toPoint())
            self._pressed_state = item.checkState() if item is not None else self._pressed_state
        return bool(super().viewportEvent(event))

    def moveCursor(self, action: QListWidget.CursorAction, keys: Qt.KeyboardModifier) -> QModelIndex:
        """Move the current row to a visible item. By default, Home would select the first item even if it is hidden."""
        visible_rows = [self.row(item) for item in self._items() if not item.isHidden()]
        index = super().moveCursor(action, keys)
        nearest = min(visible_rows, key=lambda row: abs(row - index.row()), default=index.row())
        return self.indexFromItem(self.item(nearest)) if index.isValid() and visible_rows else index

    def toggle(self, item: QListWidgetItem) -> None:
        """Toggle the check box of an item unless it is disabled."""
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            is_checked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_checked else Qt.CheckState.Checked)

    @property
    def names(self) -> list[str]:
        """Names of all items."""
        return [item.data(Qt.ItemDataRole.UserRole) for item in self._items()]

    @property
    def checked_names(self) -> list[str]:
        """Names of the checked items."""
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in self._items()
            if item.checkState() == Qt.CheckState.Checked
        ]

    def _items(self) -> list[QListWidgetItem]:
        """Return the list items that have a name. Headings are left out."""
        items = (self.item(row) for row in range(self.count()))
        return [item for item in items if item.data(Qt.ItemDataRole.UserRole) is not None]


_MIN_ROWS = 3
"""Smallest number of visible rows of a table."""


class ReadOnlyTable(Guarded, QTableWidget):
    """A table that cannot be edited. Its rows are as high as its type requires."""

    def __init__(self, name: str, rows: int = 0, columns: int = 0) -> None:
        super().__init__(rows, columns)
        self.setAccessibleName(name)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self._fit_row_heights()
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which the column titles and `_MIN_ROWS` rows are visible."""
        rows_height = _MIN_ROWS * self.verticalHeader().defaultSectionSize()
        chrome_height = (
            self.horizontalHeader().sizeHint().height() + self.horizontalScrollBar().sizeHint().height()
        )
        return QSize(super().minimumSizeHint().width(), rows_height + chrome_height + 2 * self.frameWidth())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_row_heights()
            self.updateGeometry()

    def _fit_row_heights(self) -> None:
        height = self.fontMetrics().height() + GRID_UNIT // 2
        self.verticalHeader().setDefaultSectionSize(max(height, 3 * GRID_UNIT))

    def set_column_titles(self, titles: Sequence[str], numeric_columns: Container[int]) -> None:
        """Set the column titles; columns in `numeric_columns` are right-aligned."""
        self.setColumnCount(len(titles))
        for column, title in enumerate(titles):
            self.setHorizontalHeaderItem(column, _make_cell(title, column in numeric_columns))

    def set_cell(self, row: int, column: int, text: str, is_number: bool) -> QTableWidgetItem:
        """Set the text of a cell and return its item."""
        item = self.item(row, column)
        if item is None:
            item = _make_cell(text, is_number)
            self.setItem(row, column, item)
        elif item.text() != text:
            item.setText(text)
        return item


def _make_cell(text: str, is_number: bool) -> QTableWidgetItem:
    """Return a table item for a value. A number is right-aligned."""
    item = QTableWidgetItem(text)
    alignment = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)
    return item

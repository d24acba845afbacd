"""A popup that searches entries while the user types."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListWidgetItem, QStyleOptionViewItem, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.teaching.help.entry_search import EntryIndex, SearchEntry
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.lists import ListRowDelegate, NavigableList, SearchField
from quatviz.ui.widgets.painting import ALIGN_RIGHT, break_lines, draw_elided_text
from quatviz.ui.widgets.style import tabular_font, theme_of

_ENTRY_ROLE = Qt.ItemDataRole.UserRole
_MIN_ROWS = 2
"""Smallest number of visible result rows."""
_MAX_ENTRIES = 200
"""Largest number of listed entries. With more, typing another letter is faster than scrolling."""


class SearchPopup(Guarded, QFrame):
    """A search field with a list of results below.

    The arrow keys and the mouse select a result, Enter runs it, and Escape closes the popup. Tab moves from the field to the
    list, and from there to the widget `below`. While the list has the focus, Enter works too, and letters go to the field.
    The popup keeps no state between uses.
    """

    def __init__(
        self,
        window: QWidget,
        name: str,
        placeholder: str,
        rows: int,
        lines: int = 0,
        below: QWidget | None = None,
    ) -> None:
        """Create the popup.

        Parameters
        ----------
        window
            Parent window.
        name
            Accessible name.
        placeholder
            Text of the empty search field.
        rows
            Largest number of visible rows.
        lines
            Lines of description in each row.
        below
            Widget below the list.
        """
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.setAccessibleName(name)
        self._visible_rows = self._max_rows = rows
        self._index = EntryIndex(())
        self.field, self.result_list = SearchField(placeholder), NavigableList(tr("Search results"))
        self.field.textChanged.connect(self._update_results)
        self.field.returnPressed.connect(lambda: self._activate_item(self.result_list.currentItem()))
        self.field.stepped.connect(self.result_list.step)
        # A click selects and leaves the focus in the search field.
        self.result_list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.result_list.installEventFilter(self)
        self.result_list.setUniformItemSizes(True)
        self.result_list.itemClicked.connect(self._activate_item)
        self.result_list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.result_list.customContextMenuRequested.connect(self._show_entry_menu)
        self._row_delegate = _EntryDelegate(self.result_list, lines)
        self.result_list.setItemDelegate(self._row_delegate)
        self._column_layout = column(
            self.field, self.result_list, *([below] if below is not None else []), margins=GRID_UNIT
        )
        self.setLayout(self._column_layout)

    def open(
        self, entries: Iterable[SearchEntry], corner: QPoint, width: int, selected_title: str = ""
    ) -> None:
        """Open the popup with these entries, and select the entry `selected_title`.

        `width` is that at an interface scale of 100 % [pixels]. `corner` is the upper left corner in screen coordinates. Near the
        bottom of the screen the popup has fewer rows, so that it does not cover what is above the corner.
        """
        self._index = EntryIndex(entries)
        screen_area = self.screen().availableGeometry()
        self.field.clear()
        self.resize(min(theme_of(self).scaled_pixels(width), screen_area.width()), self.height())
        self._update_results("")
        chrome_height = self.height() - self.result_list.height()
        self._visible_rows = min(
            max(
                (screen_area.bottom() - corner.y() - chrome_height) // self._row_delegate.row_height,
                _MIN_ROWS,
            ),
            self._max_rows,
        )
        self._update_results("")
        for item in (
            self.result_list.findItems(selected_title, Qt.MatchFlag.MatchStartsWith) if selected_title else ()
        ):
            if item.data(_ENTRY_ROLE).title == selected_title:
                self.result_list.setCurrentItem(item)
        x = max(min(corner.x(), screen_area.right() - self.width()), screen_area.left())
        self.move(x, max(min(corner.y(), screen_area.bottom() - self.height()), screen_area.top()))
        self.show()
        self.field.setFocus()

    def open_over(self, window: QWidget, entries: Iterable[SearchEntry], width: int) -> None:
        """Open the popup at the top center of a window. `width` is that at an interface scale of 100 % [pixels]."""
        left = (window.width() - theme_of(self).scaled_pixels(width)) // 2
        self.open(entries, window.mapToGlobal(QPoint(max(left, 0), 6 * GRID_UNIT)), width)

    @property
    def listed_entries(self) -> list[SearchEntry]:
        """Entries that are listed for the typed text."""
        return [self.result_list.item(row).data(_ENTRY_ROLE) for row in range(self.result_list.count())]

    def _update_results(self, query: str) -> None:
        self.result_list.clear()
        for entry in self._index.rank(query)[:_MAX_ENTRIES]:
            self._add_entry(entry)
        if not self.result_list.count():
            self._add_entry(SearchEntry(tr("No results"), "", lambda: None, is_available=False))
        self.result_list.setCurrentRow(-1)
        self.result_list.step(1)
        self.result_list.scrollToTop()
        self.result_list.setFixedHeight(
            min(self.result_list.count(), self._visible_rows) * self._row_delegate.row_height + 2
        )
        self._column_layout.activate()  # without this the popup would keep its earlier height
        self.resize(self.width(), self.sizeHint().height())

    def _add_entry(self, entry: SearchEntry) -> None:
        item = QListWidgetItem(
            ", ".join(part for part in (entry.title, entry.location, entry.shortcut) if part)
        )
        item.setData(_ENTRY_ROLE, entry)
        item.setToolTip(tooltip_text(entry.description))
        if not entry.is_available:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.result_list.addItem(item)

    def _activate_item(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ENTRY_ROLE).is_available:
            entry = item.data(_ENTRY_ROLE)
            self.hide()
            entry.callback()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys of the result list."""
        if (
            watched is not self.result_list
            or not isinstance(event, QKeyEvent)
            or event.type() != QEvent.Type.KeyPress
        ):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate_item(self.result_list.currentItem())
        elif event.text().strip() and event.text().isprintable():
            self.field.setFocus()
            self.field.insert(event.text())
        else:
            return False
        return True

    def _show_entry_menu(self, point: QPoint) -> None:
        item = self.result_list.itemAt(point)
        if item is not None and item.data(_ENTRY_ROLE).open_menu is not None:
            item.data(_ENTRY_ROLE).open_menu(self.result_list.viewport().mapToGlobal(point))


class _EntryDelegate(ListRowDelegate):
    """A delegate that paints title, location, shortcut and description lines of an entry."""

    def __init__(self, rows: QWidget, lines: int) -> None:
        super().__init__(rows)
        self._lines = lines

    @property
    def row_height(self) -> int:
        """Height of a row [pixels]."""
        title, small = (QFontMetricsF(font).height() for font in self._fonts())
        return round(title + self._lines * small + (3 * GRID_UNIT if self._lines else 1.75 * GRID_UNIT))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, entry = self.theme, index.data(_ENTRY_ROLE)
        rect = self.begin_row(painter, option, theme.raised, entry.is_available)
        title, small = self._fonts()
        metrics, small_metrics = QFontMetricsF(title), QFontMetricsF(small)
        top_space = GRID_UNIT if self._lines else (rect.height() - metrics.height()) / 2
        content = rect.adjusted(1.5 * GRID_UNIT, top_space, -1.5 * GRID_UNIT, 0)
        line = content.adjusted(0, 0, 0, content.top() + metrics.height() - content.bottom())
        shortcut_width = draw_elided_text(painter, line, entry.shortcut, small, theme.muted, ALIGN_RIGHT)
        line.setRight(line.right() - (shortcut_width + 2 * GRID_UNIT if shortcut_width else 0))
        title_width = draw_elided_text(
            painter, line, entry.title, title, theme.text if entry.is_available else theme.muted
        )
        line.setLeft(line.left() + title_width + 1.5 * GRID_UNIT)
        draw_elided_text(painter, line, entry.location, small, theme.muted)
        painter.setFont(small)
        painter.setPen(QColor(theme.muted if entry.is_available else theme.danger))
        top = content.top() + metrics.height() + GRID_UNIT / 2
        for line_index, text in enumerate(
            break_lines(entry.description, small_metrics, content.width(), self._lines)[: self._lines]
        ):
            painter.drawText(QPointF(content.left(), top + (line_index + 0.8) * small_metrics.height()), text)
        painter.restore()

    def _fonts(self) -> tuple[QFont, QFont]:
        weight = QFont.Weight.DemiBold if self._lines else QFont.Weight.Medium
        return tabular_font(self.theme, self.theme.normal, weight), tabular_font(self.theme, self.theme.small)

"""A popup in which things are found by typing."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListWidgetItem, QStyleOptionViewItem, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.teaching.help.entry_search import Entry, ranked
from quatviz.ui.widgets.controls import RowPainter, SearchField, SteppedList, column, tip
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.painting import RIGHT, broken, write
from quatviz.ui.widgets.style import tabular

_ENTRY = Qt.ItemDataRole.UserRole
_FEWEST = 2
"""Rows that are seen at least."""
_MOST = 200
"""Entries that are listed at most: typing one more letter is faster than to scroll through more."""


class Finder(Guarded, QFrame):
    """Type, choose with the arrows or the mouse; Enter does it, Escape leaves everything as it is. Tab leads from the field to the
    list, where Enter does the same and letters go to the field, and on to what is below. It remembers nothing."""

    def __init__(
        self, window: QWidget, name: str, asks: str, rows: int, lines: int = 0, below: QWidget | None = None
    ) -> None:
        """`asks` stands in the empty field; so many `rows` are seen at once, each with so many `lines` of what there is to say
        about its entry, and `below` them one widget more."""
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.setAccessibleName(name)
        self._rows = self._most = rows
        self._entries: list[Entry] = []
        self.field, self.list = SearchField(asks), SteppedList(tr("What was found"))
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(lambda: self._choose(self.list.currentItem()))
        self.field.stepped.connect(self.list.step)
        # A click, which chooses, leaves the keys to the field.
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list.installEventFilter(self)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(self._choose)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._ask)
        self._painter = _EntryPainter(self.list, lines)
        self.list.setItemDelegate(self._painter)
        self._column = column(self.field, self.list, *([below] if below is not None else []), margins=UNIT)
        self.setLayout(self._column)

    def open(self, entries: Iterable[Entry], corner: QPoint, width: int, marked: str = "") -> None:
        """Let a person find one of these, the one of the title `marked` chosen at first; its upper left `corner` on the screen.
        Where that is low it has fewer rows: it never stands over what is above the corner."""
        self._entries = list(entries)
        room = self.screen().availableGeometry()
        self.field.clear()
        self.resize(width, self.height())
        self._fill("")
        beside = self.height() - self.list.height()
        self._rows = min(
            max((room.bottom() - corner.y() - beside) // self._painter.high, _FEWEST), self._most
        )
        self._fill("")
        for item in self.list.findItems(marked, Qt.MatchFlag.MatchStartsWith) if marked else ():
            if item.data(_ENTRY).title == marked:
                self.list.setCurrentItem(item)
        x = max(min(corner.x(), room.right() - self.width()), room.left())
        self.move(x, max(min(corner.y(), room.bottom() - self.height()), room.top()))
        self.show()
        self.field.setFocus()

    def open_over(self, window: QWidget, entries: Iterable[Entry], width: int) -> None:
        """The same in the upper middle of a window."""
        width = min(width, window.width() - 4 * UNIT)
        self.open(entries, window.mapToGlobal(QPoint((window.width() - width) // 2, 6 * UNIT)), width)

    @property
    def found(self) -> list[Entry]:
        """What is listed."""
        return [self.list.item(row).data(_ENTRY) for row in range(self.list.count())]

    def _fill(self, typed: str) -> None:
        self.list.clear()
        for entry in ranked(self._entries, typed)[:_MOST]:
            self._add(entry)
        if not self.list.count():
            self._add(Entry(tr("Nothing is called so"), "", lambda: None, possible=False))
        self.list.setCurrentRow(-1)
        self.list.step(1)
        self.list.scrollToTop()
        self.list.setFixedHeight(min(self.list.count(), self._rows) * self._painter.high + 2)
        self._column.activate()  # or the popup would stay as high as it had to be before
        self.resize(self.width(), self.sizeHint().height())

    def _add(self, entry: Entry) -> None:
        item = QListWidgetItem(", ".join(part for part in (entry.title, entry.where, entry.keys) if part))
        item.setData(_ENTRY, entry)
        item.setToolTip(tip(entry.about))
        if not entry.possible:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ENTRY).possible:
            entry = item.data(_ENTRY)
            self.hide()
            entry.do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list."""
        if (
            watched is not self.list
            or not isinstance(event, QKeyEvent)
            or event.type() != QEvent.Type.KeyPress
        ):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentItem())
        elif event.text().strip() and event.text().isprintable():
            self.field.setFocus()
            self.field.insert(event.text())
        else:
            return False
        return True

    def _ask(self, point: QPoint) -> None:
        item = self.list.itemAt(point)
        if item is not None and item.data(_ENTRY).more is not None:
            item.data(_ENTRY).more(self.list.viewport().mapToGlobal(point))


class _EntryPainter(RowPainter):
    """A title, where it stands, its key at the right, and so many lines about it."""

    def __init__(self, rows: QWidget, lines: int) -> None:
        super().__init__(rows)
        self._lines = lines

    @property
    def high(self) -> int:
        """Height of a row."""
        title, small = (QFontMetricsF(font).height() for font in self._fonts())
        return round(title + self._lines * small + (3 * UNIT if self._lines else 1.75 * UNIT))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, self.high)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, entry = self.theme, index.data(_ENTRY)
        rect = self.begin(painter, option, theme.raised, entry.possible)
        title, small = self._fonts()
        metrics, low = QFontMetricsF(title), QFontMetricsF(small)
        above = UNIT if self._lines else (rect.height() - metrics.height()) / 2
        room = rect.adjusted(1.5 * UNIT, above, -1.5 * UNIT, 0)
        line = room.adjusted(0, 0, 0, room.top() + metrics.height() - room.bottom())
        keys = write(painter, line, entry.keys, small, theme.muted, RIGHT)
        line.setRight(line.right() - (keys + 2 * UNIT if keys else 0))
        wide = write(painter, line, entry.title, title, theme.text if entry.possible else theme.muted)
        line.setLeft(line.left() + wide + 1.5 * UNIT)
        write(painter, line, entry.where, small, theme.muted)
        painter.setFont(small)
        painter.setPen(QColor(theme.muted if entry.possible else theme.danger))
        top = room.top() + metrics.height() + UNIT / 2
        for number, words in enumerate(broken(entry.about, low, room.width(), self._lines)[: self._lines]):
            painter.drawText(QPointF(room.left(), top + (number + 0.8) * low.height()), words)
        painter.restore()

    def _fonts(self) -> tuple[QFont, QFont]:
        weight = QFont.Weight.DemiBold if self._lines else QFont.Weight.Medium
        return tabular(self.theme, self.theme.normal, weight), tabular(self.theme, self.theme.small)

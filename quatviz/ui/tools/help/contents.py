"""What the help has: its pages in groups, or the sections that a search finds."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyleOptionViewItem

from quatviz.base.tr import tr
from quatviz.help import Hit, pages
from quatviz.help.pages import grouped
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import tabular
from quatviz.ui.kit.widgets import RowPainter

_TOPIC = Qt.ItemDataRole.UserRole
_BELOW = Qt.ItemDataRole.UserRole + 1


class Contents(QListWidget):
    """Arrows choose, and what is chosen is shown."""

    chosen = Signal(str)
    """A topic."""

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(_Painter(self))
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Pages of the help"))
        self.currentItemChanged.connect(self._choose)
        self.show_pages("")

    def show_pages(self, shown: str) -> None:
        """Every page; `shown` is the one that is open."""
        with QSignalBlocker(self):
            self.clear()
            for group, members in grouped().items():
                self._add(group, "", "")
                for page in members:
                    self._add(page.title.partition(":")[0], page.name, "")
        self.mark(shown)

    def show_hits(self, hits: list[Hit]) -> None:
        """The places that a search found, the first of which is shown."""
        with QSignalBlocker(self):
            self._list(hits)
        if hits:
            self.setCurrentRow(1)

    def _list(self, hits: list[Hit]) -> None:
        self.clear()
        said = {0: tr("Nothing found"), 1: tr("1 section")}
        self._add(said.get(len(hits), tr("{count} sections", count=len(hits))), "", "")
        titles = {name: page.title.partition(":")[0] for name, page in pages().items()}
        for hit in hits:
            section = hit.section
            title = section.title if section.level == 1 else f"{titles[section.page]}: {section.title}"
            self._add(title, section.topic, hit.excerpt)

    def mark(self, topic: str) -> None:
        """This is what is shown."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                if topic and self.item(row).data(_TOPIC) in (topic, topic.partition("#")[0]):
                    self.setCurrentRow(row)
                    break

    def step(self, by: int) -> None:
        """Choose the next one, or the one before, from another widget."""
        row = self.currentRow() + by
        while 0 <= row < self.count() and not self.item(row).data(_TOPIC):
            row += by
        if 0 <= row < self.count():
            self.setCurrentRow(row)

    @property
    def topics(self) -> list[str]:
        """What can be chosen."""
        every = (self.item(row).data(_TOPIC) for row in range(self.count()))
        return [topic for topic in every if topic]

    def _add(self, text: str, topic: str, below: str) -> None:
        item = QListWidgetItem(text)
        item.setData(_TOPIC, topic)
        item.setData(_BELOW, below)
        if not topic:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        elif below:
            item.setToolTip(f"{text}\n{below}")
        self.addItem(item)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_TOPIC):
            self.chosen.emit(item.data(_TOPIC))


class _Painter(RowPainter):
    """A line; for a place that was found a second one with the words around it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        lines = QFontMetricsF(self._font(index)).height()
        if index.data(_BELOW):
            lines += QFontMetricsF(tabular(self.theme, self.theme.small)).height()
        return QSize(0, round(lines) + (2 * UNIT if not index.data(_TOPIC) and index.row() else UNIT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, topic = self.theme, index.data(_TOPIC)
        rect = self.begin(painter, option, theme.window, bool(topic))
        font = self._font(index)
        room = rect.adjusted(UNIT, UNIT / 2, -UNIT, -UNIT / 2)
        painter.setFont(font)
        painter.setPen(QColor(theme.text if topic else theme.muted))
        metrics = QFontMetricsF(font)
        where = Qt.AlignmentFlag.AlignLeft | (
            Qt.AlignmentFlag.AlignTop if topic else Qt.AlignmentFlag.AlignBottom
        )
        painter.drawText(
            room, where, metrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        )
        if index.data(_BELOW):
            small = tabular(theme, theme.small)
            painter.setFont(small)
            painter.setPen(QColor(theme.muted))
            words = QFontMetricsF(small).elidedText(
                index.data(_BELOW), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, words)
        painter.restore()

    def _font(self, index: QModelIndex | QPersistentModelIndex) -> QFont:
        theme = self.theme
        if index.data(_TOPIC):
            weight = QFont.Weight.DemiBold if index.data(_BELOW) else QFont.Weight.Normal
            return tabular(theme, theme.normal, weight)
        return tabular(theme, theme.small, QFont.Weight.DemiBold)

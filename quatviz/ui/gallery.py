"""The gallery: every preset with its title and its first words, found by typing."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.core.preset_files import preset_paths
from quatviz.core.preset_text import read_preset
from quatviz.ui.broken_lines import broken
from quatviz.ui.fonts import tabular
from quatviz.ui.guard import guarded
from quatviz.ui.plotting.style import mixed
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr, translated

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 480, 640
_LINES = 2
_ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Card:
    """One preset as the gallery shows it; without a path it cannot be chosen, and the summary says why."""

    title: str
    summary: str
    path: Path | None
    own: bool = False
    """Whether the person who looks at it has kept it."""
    preset: Preset | None = None

    def matches(self, words: str) -> bool:
        """Whether every one of the words is somewhere in it."""
        text = f"{self.title} {self.summary} {self.path.stem if self.path else ''}".lower()
        return all(word in text for word in words.lower().split())


def read_cards() -> list[Card]:
    """Every preset that is installed. One that cannot be read says so and spoils nothing."""
    cards = []
    folder = resources.own_preset_folder()
    for name, path in preset_paths(resources.preset_folder(), folder).items():
        try:
            preset = read_preset(path)
            cards.append(
                Card(preset.title, " ".join(preset.summary.split()), path, path.parent == folder, preset)
            )
        except Refusal as refusal:
            log.warning("the preset %s cannot be read: %s", path, refusal)
            refusal = translated(refusal)
            cards.append(
                Card(
                    name,
                    tr("Cannot be read. {place}: {found}", place=refusal.place, found=refusal.found),
                    None,
                )
            )
    return sorted(cards, key=lambda card: (not card.own, card.path is None))


class Gallery(QFrame):
    """A popup. Type to search, arrows and Enter to choose, Escape to leave everything as it is."""

    chosen = Signal(object)
    """The `Path` of a preset."""
    open_wanted = Signal()
    own_wanted = Signal(object, QPoint)
    """What can be done with the `Path` of one of the person's own presets is asked for, at this place of the screen."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search the presets"))
        self.search.setAccessibleName(tr("Search the presets"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Presets"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.itemClicked.connect(self._choose)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._ask)
        self._delegate = _CardPainter(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.open = QuietButton(tr("Open a session or a preset…"))
        self.open.clicked.connect(self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, UNIT)
        column.setSpacing(UNIT)
        for widget in (self.search, self.list, self.open):
            column.addWidget(widget)

    def show_below(self, anchor: QWidget, title: str) -> None:
        """Read the presets and show them, the one called `title` marked."""
        self.list.clear()
        for card in read_cards():
            item = QListWidgetItem(card.title)
            item.setData(_ENTRY, card)
            item.setToolTip(card.summary)
            if card.path is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
            if card.title == title:
                self.list.setCurrentItem(item)
        self.search.clear()
        room = anchor.screen().availableGeometry()
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))
        self.list.setMinimumHeight(min(rows + 2, HEIGHT))
        self.resize(QSize(WIDTH, self.sizeHint().height()).boundedTo(room.size()))
        corner = anchor.mapToGlobal(anchor.rect().bottomLeft())
        corner.setX(min(corner.x(), room.right() - self.width()))
        corner.setY(max(min(corner.y() + UNIT // 2, room.bottom() - self.height()), room.top()))
        self.move(corner)
        self.show()
        self.search.setFocus()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._delegate.theme = theme

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The search line keeps the focus; keys that move a choice go to the list."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.list.currentItem())
            return True
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(-1 if event.key() == Qt.Key.Key_Up else 1)
            return True
        return False

    def _filter(self, words: str) -> None:
        shown: QListWidgetItem | None = None
        for item in map(self.list.item, range(self.list.count())):
            item.setHidden(not item.data(_ENTRY).matches(words))
            shown = shown or (item if _choosable(item) else None)
        current = self.list.currentItem()
        if shown is not None and (current is None or not _choosable(current)):
            self.list.setCurrentItem(shown)

    def _move(self, by: int) -> None:
        row = self.list.currentRow() + by
        while 0 <= row < self.list.count():
            if _choosable(self.list.item(row)):
                self.list.setCurrentRow(row)
                return
            row += by

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and _choosable(item):
            self.hide()
            self.chosen.emit(item.data(_ENTRY).path)

    def _ask(self, point: QPoint) -> None:
        item = self.list.itemAt(point)
        if item is not None and item.data(_ENTRY).own:
            self.own_wanted.emit(item.data(_ENTRY).path, self.list.viewport().mapToGlobal(point))

    def _open(self) -> None:
        self.hide()
        self.open_wanted.emit()


def _choosable(item: QListWidgetItem) -> bool:
    return not item.isHidden() and item.data(_ENTRY).path is not None


class _CardPainter(QStyledItemDelegate):
    """A title and two lines of summary."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        title, small = self._fonts()
        lines = QFontMetricsF(title).height() + _LINES * QFontMetricsF(small).height()
        return QSize(0, round(lines) + 3 * UNIT)

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, card = self.theme, index.data(_ENTRY)
        state, rect = option.state, QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            part = 0.3 if state & QStyle.StateFlag.State_Selected else 0.12
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.accent, theme.raised, part))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 6, 6)
        title, small = self._fonts()
        room = rect.adjusted(1.5 * UNIT, UNIT, -1.5 * UNIT, -UNIT)
        painter.setFont(title)
        painter.setPen(QColor(theme.text if card.path else theme.muted))
        if card.own:
            painter.setFont(small)
            painter.setPen(QColor(theme.accent))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, tr("yours"))
            painter.setFont(title)
            painter.setPen(QColor(theme.text))
        name = QFontMetricsF(title).elidedText(card.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, name)
        room.setTop(room.top() + QFontMetricsF(title).height() + UNIT / 2)
        painter.setFont(small)
        painter.setPen(QColor(theme.muted if card.path else theme.danger))
        for number, line in enumerate(broken(card.summary, QFontMetricsF(small), room.width(), _LINES)):
            top = room.top() + (number + 0.8) * QFontMetricsF(small).height()
            painter.drawText(QPointF(room.left(), top), line)
        painter.restore()

    def _fonts(self) -> tuple[QFont, QFont]:
        theme = self.theme
        return tabular(theme, theme.normal, QFont.Weight.DemiBold), tabular(theme, theme.small)

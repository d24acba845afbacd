"""A choice in a panel's title row: few options stand side by side where there is room, others open a menu."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSceneMouseEvent,
    QGraphicsWidget,
    QMenu,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.choices import Choice, Choices
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

SIDE_BY_SIDE = 3
_CUT = "…"
_GAP = 7.0
_CHEVRON = 2.0 * UNIT
FOLDED = _GAP + _CHEVRON + UNIT
"""Width of one that is folded to its mark, with the gap beside it."""


class Chooser(QGraphicsWidget):
    """Words to click, right-aligned at `right` of a row; the chosen one is bright and underlined."""

    def __init__(self, parent: QGraphicsItem, style: PlotStyle, choice: Choice, choices: Choices) -> None:
        super().__init__(parent)
        self.style_, self.choice, self.choices = style, choice, choices
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self.setToolTip(tr(choice.title))
        self.says_noun = False
        self._texts = [choice.text(option) for option in choice.options]
        self._noun = tr(choice.noun) if choice.noun else ""
        self._room = 0.0
        self._folded = False

    @property
    def words(self) -> list[str]:
        """What stands there: every option, or only the chosen one."""
        if self._opens:
            text = self.choice.text(self.choices.option(self.choice))
            where = Qt.TextElideMode.ElideMiddle if self.choice.opens else Qt.TextElideMode.ElideRight
            said = self.style_.small_metrics.elidedText(text, where, self._room)
            return ["" if said == _CUT else said]  # its mark alone says that there is a choice
        return self._texts

    def lay(self, least: float, left: float, right: float, height: float) -> float:
        """Take its place at the right end of a row, folded or without its noun where that would reach beyond `left`, and
        shortened where it would reach beyond `least`; its left end."""
        metrics = self.style_.small_metrics
        self._folded = right - sum(metrics.horizontalAdvance(text) + _GAP for text in self._texts) < left
        self._room = max(right - least - _GAP - _CHEVRON, 0.0)
        wide = sum(metrics.horizontalAdvance(word) + _GAP for word in self.words)
        wide += _CHEVRON if self._opens else 0.0
        noun = metrics.horizontalAdvance(self._noun) + UNIT
        self.says_noun = bool(self._noun) and right - wide - noun >= left
        wide += noun if self.says_noun else 0.0
        self.setGeometry(QRectF(right - wide, 0, wide, height))
        return right - wide

    @property
    def _opens(self) -> bool:
        return self.choice.opens or self._folded or len(self.choice.options) > SIDE_BY_SIDE

    def option_at(self, x: float) -> str:
        """The option whose word is under an item coordinate."""
        at = 0.0
        for option, word in zip(self.choice.options, self.words, strict=False):
            at += self.style_.small_metrics.horizontalAdvance(word) + _GAP
            if x < at:
                return option
        return self.choice.options[-1]

    def menu(self) -> QMenu:
        """All options, the chosen one checked."""
        return add_options(QMenu(), self.choice, self.choices)

    @guarded
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if not self._opens:
            self.choices.choose(self.choice, self.option_at(event.pos().x()))
            return
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.screenPos())
        self._menu = menu  # Python must hold it as long as it is open

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style, metrics = self.style_, self.style_.small_metrics
        chosen = self.choice.text(self.choices.option(self.choice))
        x, baseline = 0.0, round(self.size().height() - UNIT / 2 - style.title_metrics.descent())
        painter.setFont(style.small)
        for word in self.words:
            painter.setPen(style.text if word == chosen else style.muted)
            painter.drawText(QPointF(x, baseline), word)
            wide = metrics.horizontalAdvance(word)
            if word == chosen:
                painter.fillRect(QRectF(x, baseline + 3, wide, 2), style.accent)
            x += wide + _GAP
        if self.says_noun:
            painter.setPen(style.muted)
            painter.drawText(QPointF(x - 2, baseline), self._noun)
        if self._opens:
            chevron = QPainterPath(QPointF(x, baseline - 6))
            chevron.lineTo(x + UNIT / 2, baseline - 2)
            chevron.lineTo(x + UNIT, baseline - 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(style.text, 1.4))
            painter.drawPath(chevron)


def add_options(menu: QMenu, choice: Choice, choices: Choices) -> QMenu:
    """Fill a menu with the options of a choice."""
    for option in choice.options:
        action = menu.addAction(choice.text(option))
        action.setCheckable(True)
        action.setChecked(option == choices.option(choice))
        action.triggered.connect(lambda _=False, option=option: choices.choose(choice, option))
    return menu

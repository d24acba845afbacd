"""Bar above a scrolled column. It has a button for each part of the column, which scrolls to that part."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import PaintedButton
from quatviz.ui.widgets.layouts import row
from quatviz.ui.widgets.style import Themed, tabular_font

_HEIGHT = 36
"""Height of the bar [pixels], before interface scaling."""
_UNDERLINE_WIDTH = 2.0


class AnchorButton(PaintedButton):
    """A button that looks like a tab: underlined if its part is in view."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(text)
        self.setToolTip(tr("Scroll to this section"))
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def nextCheckState(self) -> None:
        """Do nothing, because the bar sets the checked state from the part that is in view."""

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(self._font).horizontalAdvance(self.text())
        return QSize(round(width) + GRID_UNIT, self.theme.scaled_pixels(_HEIGHT))

    @property
    def _font(self) -> QFont:
        return tabular_font(self.theme, self.theme.normal, QFont.Weight.DemiBold)

    def draw(self, painter: QPainter) -> None:
        theme, is_highlighted = self.theme, self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text if is_highlighted else theme.muted))
        painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.isChecked():
            line = QRectF(GRID_UNIT / 2, self.height() - 6, self.width() - GRID_UNIT, _UNDERLINE_WIDTH)
            painter.fillRect(line, QColor(theme.accent))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -1), 4, 4)


class AnchorBar(Themed, QWidget):
    """A bar with one button for each part of the column below it. The bar stays in place while that column scrolls."""

    height_changed = Signal()

    def __init__(
        self, area: QScrollArea, anchors: Mapping[str, QWidget], reveal: Callable[[str], None]
    ) -> None:
        """Build the bar.

        Parameters
        ----------
        area
            The scrolled column.
        anchors
            The widget at the top of each part, by its title.
        reveal
            Function that unfolds the section of a part before the column scrolls to it.
        """
        super().__init__(area)
        self._area, self._anchors, self._reveal = area, anchors, reveal
        self._target = ""
        """Title of the part to which the user has last scrolled with a button; "" as soon as the user scrolls in
        another way."""
        self.buttons = {title: AnchorButton(title) for title in anchors}
        for title, button in self.buttons.items():
            button.clicked.connect(lambda _=False, title=title: self.scroll_to(title))
        self.setLayout(row(*self.buttons.values(), None, gap=GRID_UNIT))
        self.setAccessibleName(tr("Sections of the side column"))
        area.verticalScrollBar().valueChanged.connect(lambda _: self._follow_scrolling())
        area.verticalScrollBar().rangeChanged.connect(lambda *_: self._update_active())
        self._update_active()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.theme.scaled_pixels(_HEIGHT))

    def follow_theme(self) -> None:
        super().follow_theme()
        self.height_changed.emit()

    def scroll_to(self, title: str) -> None:
        """Unfold the part with this title and scroll its top to the top of the view, or as far as the column
        can scroll."""
        self._reveal(title)
        QTimer.singleShot(0, self, lambda: self._scroll_now(title))  # after the layout has run

    def _scroll_now(self, title: str) -> None:
        self._area.verticalScrollBar().setValue(self._top_of(title))
        self._target = title
        self._update_active()

    def _top_of(self, title: str) -> int:
        content = self._area.widget()
        if title == next(iter(self._anchors)):
            return 0  # with what is above the first part
        return self._anchors[title].mapTo(content, QPoint()).y() if content is not None else 0

    def _follow_scrolling(self) -> None:
        self._target = ""
        self._update_active()

    def _update_active(self) -> None:
        bar = self._area.verticalScrollBar()
        position = bar.value() + 2 * GRID_UNIT
        is_at_end = bar.value() == bar.maximum() > 0  # the last part cannot reach the top
        reached = [title for title in self._anchors if is_at_end or self._top_of(title) <= position]
        active = self._target or reached[-1]
        for title, button in self.buttons.items():
            button.setChecked(title == active)

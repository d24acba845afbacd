"""Foldable sections of the side column, and their headings."""

from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.formatting.text_layout import TextMetrics, first_lines
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import PaintedButton
from quatviz.ui.widgets.layouts import column, wrap_layout
from quatviz.ui.widgets.painting import ALIGN_RIGHT, draw_elided_text
from quatviz.ui.widgets.scrolling import preserve_scroll_position, scroll_when_laid_out
from quatviz.ui.widgets.style import tabular_font, text_metrics

HEADING_HEIGHT = 40
INSET = GRID_UNIT // 2
"""Horizontal space between a heading's text and its focus frame [pixels]. The content below the heading is indented by
this width."""
_ARROW_WIDTH = 2 * GRID_UNIT
"""Width reserved for the arrow at the right [pixels]."""
_MAX_SYNOPSIS_LINES = 12
"""Maximum number of lines of the synopsis below a heading. The longest lane message needs six lines in the narrowest column."""
_MAX_SECTION_SYNOPSIS_LINES = 3
"""Maximum number of lines of the synopsis below the heading of a section, which may list the loads of many lanes."""


class FoldableSection(QWidget):
    """Heading with content that can be folded away. While it is folded, the heading shows a short synopsis of the content."""

    toggled = Signal(bool)
    """The section was unfolded or folded by `set_open`, or by a click on its heading. Emitted with True if it is unfolded now."""

    def __init__(self, title: str, content: QWidget, is_open: bool = False) -> None:
        super().__init__()
        self.title = title
        self.content = content
        self.is_open = is_open
        self.heading = FoldableHeading(large=True)
        self.heading.setText(title)
        self.heading.setAccessibleName(title)
        self.heading.clicked.connect(self._toggle)
        self._content_frame = wrap_layout(
            column(content, margins=(INSET, GRID_UNIT // 2, INSET, 2 * GRID_UNIT))
        )
        self.setLayout(column(self.heading, self._content_frame, gap=0))
        self._update_visibility()

    def set_open(self, is_open: bool) -> None:
        """Unfold or fold the section, and emit `toggled`."""
        if is_open != self.is_open:
            self.show_open(is_open)
            self.toggled.emit(is_open)

    def show_open(self, is_open: bool) -> None:
        """Unfold or fold the section without a signal, to follow the view state."""
        if is_open != self.is_open:
            self.is_open = is_open
            self._update_visibility()

    def _toggle(self) -> None:
        """Fold the section, or unfold it and scroll to its content."""
        self.set_open(not self.is_open)
        if self.is_open:
            scroll_when_laid_out(self)

    def _update_visibility(self) -> None:
        self._content_frame.setVisible(self.is_open)
        self.heading.set_open(self.is_open)


class _HeadingLayout(NamedTuple):
    """Layout of a heading: lines of the heading's text, synopsis beside the first line, lines of the synopsis below the
    text, and total height [pixels]."""

    lines: list[str]
    synopsis: str
    lines_below: list[str]
    height: int


_MAX_TITLE_LINES = 4
"""Largest number of lines of a heading. Names of formulations take at most three, names from a file may take dozens."""
_MAX_LAYOUTS = 8
"""Largest number of widths for which a heading caches its layout."""


class FoldableHeading(PaintedButton):
    """Clickable heading with its text at the left and a short synopsis at the right.

    A text that does not fit on one line is wrapped, and the synopsis is then shown below. The heading of a section is
    `large`: its text has a single line, and its synopsis is shown only while the section is folded.
    """

    def __init__(self, large: bool = False) -> None:
        super().__init__()
        self._is_large, self._is_open, self._is_danger, self._is_edited = large, False, False, False
        self.synopsis = ""
        """Short text at the right of the heading."""
        self._layout_key: Hashable = None
        self._layouts: dict[int, _HeadingLayout] = {}
        """Cached layouts, by width of the heading. Qt asks for the heights at several widths before it chooses one."""
        # With a fixed policy the layout would keep the height computed for the previous width.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_synopsis(self, synopsis: str, danger: bool = False) -> None:
        """Show this synopsis, in the theme's danger color if `danger` is true."""
        if (synopsis, danger) != (self.synopsis, self._is_danger):
            before = self.heightForWidth(self.width())
            self.synopsis, self._is_danger = synopsis, danger
            self._follow_height(before)
            self.update()

    def _follow_height(self, before: int) -> None:
        """Request a new layout of the section if the height of the heading is no longer `before` [pixels]."""
        if self.heightForWidth(self.width()) != before:
            preserve_scroll_position(self)
            self.updateGeometry()

    def set_edited(self, edited: bool) -> None:
        """Show or hide the dot that marks edited content."""
        if edited != self._is_edited:
            before = self.heightForWidth(self.width())
            self._is_edited = edited
            self._follow_height(before)
            self.set_open(self._is_open)

    def set_open(self, is_open: bool) -> None:
        """Draw the heading of an unfolded or a folded section."""
        before = self.heightForWidth(self.width())
        self._is_open = is_open
        self._follow_height(before)
        state_text = tr("unfolded") if is_open else tr("folded")
        self.setAccessibleDescription(
            tr("{state}, edited", state=state_text) if self._is_edited else state_text
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.theme.scaled_pixels(HEADING_HEIGHT if self._is_large else 4 * GRID_UNIT))

    def heightForWidth(self, width: int) -> int:
        return self._layout_at(width).height

    @property
    def _fonts(self) -> tuple[QFont, QFont]:
        """Fonts of the heading's text and of its synopsis."""
        theme, (pixels, weight) = self.theme, self._title_type
        return tabular_font(theme, pixels, weight), tabular_font(theme, theme.small)

    @property
    def _title_type(self) -> tuple[int, QFont.Weight]:
        """Size [pixels] and weight of the heading's text."""
        theme = self.theme
        if self._is_large:
            return theme.title, QFont.Weight.DemiBold
        return theme.normal, QFont.Weight.Medium

    def _layout_at(self, width: int) -> "_HeadingLayout":
        theme = self.theme
        type_sizes = (
            theme.font,
            theme.title,
            theme.normal,
            theme.small,
            theme.size,
        )  # equal in the dark and the light theme
        key = (self.text(), self.synopsis, self._is_open, self._is_edited, type_sizes)
        if key != self._layout_key or len(self._layouts) >= _MAX_LAYOUTS:
            self._layout_key = key
            self._layouts.clear()
        if width not in self._layouts:
            self._layouts[width] = self._make_layout(width)
        return self._layouts[width]

    def _make_layout(self, width: int) -> "_HeadingLayout":
        theme, least = self.theme, self.minimumSizeHint().height()
        title, small = text_metrics(theme.font, *self._title_type), text_metrics(theme.font, theme.small)
        lines, words, below = self._break_lines(width, title, small)
        margins = 2 * GRID_UNIT if self._is_large else GRID_UNIT
        height = round(len(lines) * title.line_height + len(below) * small.line_height + margins)
        return _HeadingLayout(lines, words, below, max(least, height))

    def _break_lines(
        self, width: int, title: TextMetrics, small: TextMetrics
    ) -> tuple[list[str], str, list[str]]:
        """Return three items: the lines of the heading's text, the synopsis beside the first line, and the synopsis lines
        below the text."""
        room = width - 2 * INSET - _ARROW_WIDTH
        synopsis = "" if self._is_large and self._is_open else self.synopsis
        mark = GRID_UNIT * (3 if self._is_edited else 1)
        beside = small.advance(synopsis) + mark
        if title.advance(self.text()) + beside <= room:
            return [self.text()], synopsis, []
        most_below = _MAX_SECTION_SYNOPSIS_LINES if self._is_large else _MAX_SYNOPSIS_LINES
        below = first_lines(synopsis, room, most_below, small.advance)
        most_lines = 1 if self._is_large else _MAX_TITLE_LINES
        lines = first_lines(self.text(), room - mark, most_lines, title.advance)
        return lines, "", below

    def draw(self, painter: QPainter) -> None:
        theme, is_highlighted = self.theme, self.hasFocus() or self.underMouse()
        if self._is_large:
            painter.fillRect(QRectF(INSET, 0, self.width() - 2 * INSET, 1), QColor(theme.line))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -1), 4, 4)
        self._draw_arrow(painter, QColor(theme.accent if is_highlighted else theme.muted))
        (title, small), (lines, words, below, _) = self._fonts, self._layout_at(self.width())
        title_height, small_height = QFontMetricsF(title).height(), QFontMetricsF(small).height()
        top = (self.height() - len(lines) * title_height - len(below) * small_height) / 2
        room = QRectF(INSET, top, self.width() - 2 * INSET - _ARROW_WIDTH, title_height)
        synopsis_color, title_color = (
            theme.danger if self._is_danger else theme.muted,
            theme.accent if is_highlighted else theme.text,
        )
        synopsis_width = draw_elided_text(painter, room, words, small, synopsis_color, ALIGN_RIGHT)
        title_width = 0.0
        for number, line in enumerate(lines):
            rect = room.translated(0, number * title_height).adjusted(
                0, 0, 0 if number else -synopsis_width - GRID_UNIT, 0
            )
            title_width = draw_elided_text(painter, rect, line, title, title_color)
        if self._is_edited:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(
                QPointF(INSET + title_width + GRID_UNIT, top + (len(lines) - 0.5) * title_height), 3, 3
            )
        for number, line in enumerate(below):
            rect = QRectF(
                INSET, top + len(lines) * title_height + number * small_height, room.width(), small_height
            )
            draw_elided_text(painter, rect, line, small, synopsis_color)

    def _draw_arrow(self, painter: QPainter, color: QColor) -> None:
        """Draw an arrow. It points at the title while the content is folded, and down while it is unfolded."""
        painter.setPen(QPen(color, 1.5))
        painter.save()
        painter.translate(self.width() - INSET - 4.0, self.height() / 2)
        painter.rotate(90 if self._is_open else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])
        painter.restore()

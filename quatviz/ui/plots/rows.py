"""What stands above and below the plots: titles with their tabs and choices, the times, sentences, the legend."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from quatviz.base.formatting import format_fixed, format_time, nice_step, tick_decimals, tick_values
from quatviz.base.formatting.text_layout import drop_parts_to_fit, max_min_fair
from quatviz.base.translation import tr
from quatviz.display.data.frame import LaneFrame, RunInfo
from quatviz.display.panels.base.legend import Legend, LegendSpace
from quatviz.display.panels.base.time_axis import TimeAxis, time_tick_count
from quatviz.display.view_state.choices import Choice, Choices
from quatviz.display.view_state.line_styles import MAX_PATTERN_LENGTH, marker_of
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.ui.widgets.actions import add_toggle, show_menu
from quatviz.ui.widgets.controls import IconButton, tooltip_text
from quatviz.ui.widgets.painting import ALIGN_RIGHT, draw_line_sample, draw_pixmap, draw_shape, glyph_cache
from quatviz.ui.widgets.style import PlotStyled


class PanelRow(PlotStyled, QWidget):
    """As high as it has to be, and painted: a subclass says how, and fits itself when it is made."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """Its words, its theme or its width have changed."""
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Paint it."""

    def follow_theme(self) -> None:
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self.plot_style.background)
            self.draw(painter)


CLICK_TOLERANCE = 8
"""Pixels that a click may move without being a drag."""


class PanelTitleHandler(Protocol):
    """Who arranges the panels. Places are on the screen."""

    @property
    def maximised(self) -> str | None: ...

    def toggle_size(self, name: str) -> None: ...

    def bring_forward(self, name: str) -> None: ...

    def drag(self, name: str, at: QPoint) -> None: ...

    def drop(self, name: str, at: QPoint) -> None: ...


SIZE_BUTTON_WIDTH = 3 * GRID_UNIT
"""Width of the sign that enlarges a panel,"""
MIN_TITLE_LEFT = SIZE_BUTTON_WIDTH + GRID_UNIT // 4
"""and with the gap behind it, where the title begins at the earliest."""


_NOTE_GAP = 1.5 * GRID_UNIT
"""The least gap between a note and a choice, whose words are of the same type."""


class SizeButton(IconButton):
    """Gives its panel the whole board, or gives that back. It stands before the title, in the room of the plots' numbers, also
    where the title and what is chosen are cut for it: it is how they get room."""

    def __init__(self, title: "TitleRow") -> None:
        self._enlarge_text = tr("Enlarge: {title}", title=title.title)
        super().__init__("enlarge", self._enlarge_text, variant="quiet", parent=title)
        self.clicked.connect(
            lambda: title.handler.toggle_size(title.name) if title.handler is not None else None
        )

    def set_enlarged(self, on: bool) -> None:
        """Whether the panel has the whole board."""
        self.set_icon(*(("reduce", tr("Show all panels")) if on else ("enlarge", self._enlarge_text)))


class TitleRow(PanelRow):
    """Title, the quantity's symbol in the colour of its arrow, then unit and frame; choosers at the right end.

    Panels that share a place have their titles as tabs, the front one bright. A double click enlarges the panel, a drag takes
    it to another's place, a click on a tab brings that one forward.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        choices: Choices | None = None,
        offered: Sequence[Choice] = (),
        emblem: tuple[str, str] = ("", "text"),
    ) -> None:
        super().__init__(parent, title)
        self.title, self.note = title, ""
        self.emblem, self._emblem_color = emblem
        self.tabs: tuple[tuple[str, str], ...] = ()
        """Names and titles of all panels at this place, if there are several."""
        self.name = ""
        self.handler: PanelTitleHandler | None = None
        self._note_key: object = None
        """What was said last, with what its choosers showed then;"""
        self._offered_choices: object = None
        """what they offer."""
        self._has_small_title = False
        """Whether its title is in smaller letters rather than cut."""
        self._tab_rects: list[tuple[QRectF, str]] = []
        self._press_position = QPointF()
        self._was_dragged = False
        self.choosers = (
            [OptionChooser(self, choice, choices) for choice in offered] if choices is not None else []
        )
        self.size_button = SizeButton(self)
        self.fit()

    def set_tabs(self, handler: PanelTitleHandler, name: str, tabs: tuple[tuple[str, str], ...]) -> None:
        """Stand above the panel `name`, and obey."""
        self.handler, self.name = handler, name
        self.size_button.set_enlarged(handler.maximised == name)
        if tabs != self.tabs:
            self.tabs = tabs
            self.fit()

    def set_note(self, note: str, tooltip: str = "") -> None:
        """Put another note beside the title, and a longer one into its tip; choosers may show other options too."""
        note_key = (
            note,
            tooltip,
            [(chooser.choice, chooser.choices.option(chooser.choice)) for chooser in self.choosers],
        )
        if note_key != self._note_key:
            self._note_key, self.note = note_key, note
            self.setToolTip(tooltip_text(tooltip or note))
            self.fit()

    def set_choices(self, offered: Sequence[Choice]) -> None:
        """Offer the options that this run has, of the same choices; nothing to choose, nothing there."""
        if tuple(offered) != self._offered_choices:
            self._offered_choices = tuple(offered)
            for chooser, choice in zip(self.choosers, offered, strict=True):
                chooser.choice = choice
                chooser.setVisible(len(choice.options) > 1)
            self.fit()

    def fit(self) -> None:
        self.setFixedHeight(round(self.plot_style.title_metrics.height()) + GRID_UNIT)
        for self._has_small_title in (False, True):
            self._update_layout()
            if self.title_left + self.titles_width <= self._right:
                break
        self.update()

    def _update_layout(self) -> None:
        self.size_button.setGeometry(
            math.floor(self.title_left) - MIN_TITLE_LEFT, 0, SIZE_BUTTON_WIDTH, self.height()
        )
        self._right = float(self.width() - self.plot_style.margin)
        titles_end = self.title_left + self.titles_width
        note_end = titles_end + self.plot_style.small_metrics.horizontalAdvance(self.note) + _NOTE_GAP
        end, height = float(self.width()), float(self.height())
        choosers = self._visible_choosers
        widths = _chooser_widths(choosers, end - titles_end)
        for index, chooser in reversed(list(enumerate(choosers))):
            end = chooser.set_position(titles_end + sum(widths[:index]), note_end, end, height) - GRID_UNIT
            self._right = end + GRID_UNIT
            chooser.update()

    @property
    def title_left(self) -> float:
        """Where the title begins: with its plots, or behind the sign at once rather than that it, or what is chosen, be cut."""
        gutter = float(self.plot_style.gutter)
        choosers_width = sum(chooser.min_width for chooser in self._visible_choosers) + self.plot_style.margin
        return max(float(MIN_TITLE_LEFT), min(gutter, self.width() - choosers_width - self.titles_width))

    @property
    def _visible_choosers(self) -> list["OptionChooser"]:
        return [chooser for chooser in self.choosers if chooser.isVisibleTo(self)]

    @property
    def titles_width(self) -> float:
        """Of all titles, the emblem, and the gap behind them."""
        return sum(self._title_widths()) + self._title_gaps + self._emblem_width

    @property
    def _emblem_width(self) -> float:
        return (
            self.plot_style.title_metrics.horizontalAdvance(self.emblem) + GRID_UNIT if self.emblem else 0.0
        )

    @property
    def _titles(self) -> tuple[tuple[str, str], ...]:
        return self.tabs or ((self.name, self.title),)

    @property
    def _title_gaps(self) -> float:
        return (2.0 * len(self._titles) - 1.0) * GRID_UNIT

    def _title_font(self, name: str) -> tuple[QFont, QFontMetricsF]:
        """The title in front is as large as any title where it need not be cut for that; those behind it are smaller."""
        style = self.plot_style
        if name != self.name:
            return style.normal_font, style.normal_metrics
        return (
            (style.symbol_font, style.symbol_metrics)
            if self._has_small_title
            else (style.title_font, style.title_metrics)
        )

    def _title_widths(self) -> list[float]:
        return [self._title_font(name)[1].horizontalAdvance(title) for name, title in self._titles]

    def draw(self, painter: QPainter) -> None:
        style = self.plot_style
        y = self.height() - GRID_UNIT / 2 - style.title_metrics.descent()
        x = self._draw_titles(painter, self.title_left, y)
        painter.setPen(QColor(getattr(self.theme, self._emblem_color)))
        painter.drawText(QPointF(x, y), self.emblem)
        x += self._emblem_width
        painter.setFont(style.small_font)
        painter.setPen(style.muted_color)
        available = self._right - x - (_NOTE_GAP if self._visible_choosers else GRID_UNIT / 2)
        painter.drawText(
            QPointF(x, y), drop_parts_to_fit(self.note, available, style.small_metrics.horizontalAdvance)
        )

    def _draw_titles(self, painter: QPainter, x: float, y: float) -> float:
        """Write the titles from `x` on the baseline `y`, shortened to the room there is; where they end."""
        style = self.plot_style
        self._tab_rects = []
        widths = max_min_fair(self._title_widths(), self._right - x - self._emblem_width - self._title_gaps)
        for (name, title), available in zip(self._titles, widths, strict=True):
            font, metrics = self._title_font(name)
            text = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, math.ceil(available))
            width = metrics.horizontalAdvance(text)
            painter.setFont(font)
            painter.setPen(style.text_color if name == self.name else style.muted_color)
            painter.drawText(QPointF(x, y), text)
            if self.tabs:
                self._tab_rects.append((QRectF(x - GRID_UNIT, 0, width + 2 * GRID_UNIT, self.height()), name))
                if name == self.name:
                    painter.fillRect(QRectF(x, y + 3, width, 2), style.accent_color)
            x += width + 2 * GRID_UNIT
        return x - GRID_UNIT

    def tab_at(self, x: float) -> str | None:
        """The panel whose tab is at an item coordinate."""
        return next((name for rect, name in self._tab_rects if rect.left() <= x <= rect.right()), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press_position, self._was_dragged = event.position(), False
        event.setAccepted(event.button() != Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.handler is not None:
            self._was_dragged |= (event.position() - self._press_position).manhattanLength() > CLICK_TOLERANCE
            if self._was_dragged:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.handler.drag(self.name, event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.handler is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.unsetCursor()
        tab = self.tab_at(event.position().x())
        if self._was_dragged:
            self.handler.drop(self.name, event.globalPosition().toPoint())
        elif tab is not None and tab != self.name:
            self.handler.bring_forward(tab)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.handler is not None and event.button() == Qt.MouseButton.LeftButton:
            self.handler.toggle_size(self.name)


def _chooser_widths(choosers: Sequence["OptionChooser"], available: float) -> list[float]:
    """What each of them has [pixels]: those whose words are too short to be cut have theirs whole, the others share the rest."""
    min_widths, is_short = (
        [item.min_width for item in choosers],
        [len(item.chosen_text) < _MIN_ELIDED_LENGTH for item in choosers],
    )
    uncut_widths = [width if item else 0.0 for width, item in zip(min_widths, is_short, strict=True)]
    remaining = available - sum(uncut_widths)
    if remaining < (_OPTION_GAP + _CHEVRON_WIDTH) * (len(is_short) - sum(is_short)):
        return max_min_fair(min_widths, available)
    shared_widths = max_min_fair(
        [0.0 if item else width for width, item in zip(min_widths, is_short, strict=True)], remaining
    )
    return [item + other for item, other in zip(uncut_widths, shared_widths, strict=True)]


MAX_INLINE_OPTIONS = 3
_MIN_ELIDED_LENGTH = 6
"""Letters of a shortened word that still tell something."""
_OPTION_GAP = 7.0
_CHEVRON_WIDTH = 2.0 * GRID_UNIT
FOLDED_WIDTH = _OPTION_GAP + _CHEVRON_WIDTH + GRID_UNIT
"""Width of the mark of one that is folded, with the gaps beside it."""


class OptionChooser(PlotStyled, QAbstractButton):
    """Words to click, right-aligned at `right` of a row; the chosen one is bright and underlined. Keys open a menu of all."""

    def __init__(self, row: PanelRow, choice: Choice, choices: Choices) -> None:
        super().__init__(row)
        self._row, self.choice, self.choices = row, choice, choices
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr(choice.title))
        accessible_name = tr("{choice}, {title}", choice=tr(choice.title), title=row.accessibleName())
        self.setAccessibleName(accessible_name)  # other panels have such a choice too
        self.clicked.connect(lambda: self._show_menu(self.mapToGlobal(self.rect().bottomLeft())))
        self.shows_noun = False
        self._option_texts = [choice.text(option) for option in choice.options]
        self._noun = tr(choice.noun) if choice.noun else ""
        self._text_width = 0.0
        self._is_folded = self._hides_chevron = False
        """Whether only what is chosen is said; and that without the mark, which would take its room."""

    def follow_theme(self) -> None:
        self._row.fit()  # which has changed before, and given it room by the letters of the other theme

    @property
    def visible_texts(self) -> list[str]:
        """What stands there: every option, or only the chosen one."""
        if self.opens_menu:
            text = self.chosen_text
            elide_mode = Qt.TextElideMode.ElideMiddle if self.choice.in_menu else Qt.TextElideMode.ElideRight
            elided = self.plot_style.small_metrics.elidedText(text, elide_mode, self._text_width)
            return [
                "" if elided != text and len(elided) < _MIN_ELIDED_LENGTH else elided
            ]  # its mark alone says that there is a choice
        return self._option_texts

    @property
    def chosen_text(self) -> str:
        """What is chosen, in words."""
        return self.choice.text(self.choices.option(self.choice))

    @property
    def min_width(self) -> float:
        """Width in which it says what is chosen, with the gap before it."""
        return self.plot_style.small_metrics.horizontalAdvance(self.chosen_text) + FOLDED_WIDTH

    def set_position(self, min_left: float, left: float, right: float, height: float) -> float:
        """Take its place at the right end of a row, folded or without its noun where that would reach beyond `left`, and
        shortened where it would reach beyond `min_width`; its left end."""
        metrics = self.plot_style.small_metrics
        self._is_folded = (
            right - sum(metrics.horizontalAdvance(text) + _OPTION_GAP for text in self._option_texts) < left
        )
        self._text_width, self._hides_chevron = (
            max(right - min_left - _OPTION_GAP - _CHEVRON_WIDTH, 0.0),
            False,
        )
        if not all(self.visible_texts):
            self._text_width, self._hides_chevron = self._text_width + _CHEVRON_WIDTH, True
            self._hides_chevron = all(self.visible_texts)
        width = sum(metrics.horizontalAdvance(word) + _OPTION_GAP for word in self.visible_texts)
        width += _CHEVRON_WIDTH if self.opens_menu and not self._hides_chevron else 0.0
        noun_width = metrics.horizontalAdvance(self._noun) + GRID_UNIT
        self.shows_noun = bool(self._noun) and right - width - noun_width >= left
        width += noun_width if self.shows_noun else 0.0
        widget_left = math.floor(right - width)
        self.setGeometry(widget_left, 0, math.ceil(right) - widget_left, math.ceil(height))
        return right - width

    @property
    def opens_menu(self) -> bool:
        """Whether a click opens a menu."""
        return self.choice.in_menu or self._is_folded or len(self.choice.options) > MAX_INLINE_OPTIONS

    def option_at(self, x: float) -> str:
        """The option whose word is under an item coordinate."""
        option_right = 0.0
        for option, word in zip(self.choice.options, self.visible_texts, strict=False):
            option_right += self.plot_style.small_metrics.horizontalAdvance(word) + _OPTION_GAP
            if x < option_right:
                return option
        return self.choice.options[-1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.opens_menu:
            self.choices.choose(self.choice, self.option_at(event.position().x()))
            return
        self._show_menu(event.globalPosition().toPoint())

    def _show_menu(self, at: QPoint) -> None:
        menu = add_option_toggles(QMenu(), self.choice, self.choices)
        show_menu(menu, at)
        self._menu = menu  # Python must hold it as long as it is open

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._draw(painter)
            if self.hasFocus():
                painter.setPen(self.plot_style.accent_color)
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _draw(self, painter: QPainter) -> None:
        style, metrics = self.plot_style, self.plot_style.small_metrics
        chosen = self.chosen_text
        x, baseline = 0.0, round(self.height() - GRID_UNIT / 2 - style.title_metrics.descent())
        painter.setFont(style.small_font)
        for word in self.visible_texts:
            painter.setPen(style.text_color if word == chosen else style.muted_color)
            painter.drawText(QPointF(x, baseline), word)
            width = metrics.horizontalAdvance(word)
            if word == chosen:
                painter.fillRect(QRectF(x, baseline + 3, width, 2), style.accent_color)
            x += width + _OPTION_GAP
        if self.shows_noun:
            painter.setPen(style.muted_color)
            painter.drawText(QPointF(x - 2, baseline), self._noun)
        if self.opens_menu and not self._hides_chevron:
            chevron = QPainterPath(QPointF(x, baseline - 6))
            chevron.lineTo(x + GRID_UNIT / 2, baseline - 2)
            chevron.lineTo(x + GRID_UNIT, baseline - 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(style.text_color, 1.4))
            painter.drawPath(chevron)


def add_option_toggles(menu: QMenu, choice: Choice, choices: Choices) -> QMenu:
    """Fill a menu with the options of a choice."""
    for option in choice.options:
        chosen = option == choices.option(choice)
        add_toggle(menu, choice.text(option), chosen, lambda _, option=option: choices.choose(choice, option))
    return menu


_MAX_WIDGET_HEIGHT = 16777215
_WORD_WRAP = Qt.TextFlag.TextWordWrap


class SentenceRow(PanelRow):
    """A sentence as high as it is at this width, or no row at all. `fills_height` takes all height there is."""

    def __init__(self, parent: QWidget, fills: bool = False) -> None:
        super().__init__(parent, tr("Remark"))
        self.sentence = ""
        self.fills_height = fills
        if fills:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.fit()

    def set_sentence(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence = sentence
            self.setAccessibleName(sentence or tr("Remark"))
            self.fit()

    def fit(self) -> None:
        bounds = QRectF(0, 0, max(self._text_rect.width(), 1.0), _MAX_WIDGET_HEIGHT)
        text_height = (
            self.plot_style.small_metrics.boundingRect(bounds, _WORD_WRAP, self.sentence).height() + GRID_UNIT
        )
        height = math.ceil(text_height) if self.sentence else 0
        self.setMinimumHeight(height)
        self.setMaximumHeight(_MAX_WIDGET_HEIGHT if self.sentence and self.fills_height else height)
        self.setVisible(bool(self.sentence))
        self.update()

    @property
    def _text_rect(self) -> QRectF:
        left = self.plot_style.gutter
        return QRectF(left, GRID_UNIT / 2, self.width() - left - self.plot_style.margin, self.height())

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self.plot_style.small_font)
        painter.setPen(self.plot_style.muted_color)
        painter.drawText(self._text_rect, _WORD_WRAP, self.sentence)


class TimeRow(PanelRow):
    """Ticks of the shared time axis, with the cursor's time where it stands."""

    def __init__(self, parent: QWidget, axis: TimeAxis) -> None:
        super().__init__(parent, tr("Times"))
        self.axis = axis
        self.time = 0.0
        """Where the cursor stands, which is the time of all numbers [s]."""
        self._side_width = 0.0
        """Width kept free beside the plots [pixels]."""
        self._labelled_span = 0.0, 0.0
        """The times in sight as they are numbered [s]."""
        self._label_rects: list[QRectF] = []
        """Where ticks are numbered,"""
        self._labels_pixmap = QPixmap()
        """their picture,"""
        self._labels_key: object = None
        """and of which axis it is."""
        self.fit()

    def fit(self) -> None:
        self.setFixedHeight(round(self.plot_style.small_metrics.height()) + GRID_UNIT)
        self.update()

    def reserve_side_width(self, width: float) -> None:
        """The plots above keep so much free beside them."""
        if width != self._side_width:
            self._side_width = width
            self.update()

    def show_time(self, time: float) -> None:
        """Put the cursor there [s]."""
        self.time = time
        self.update()

    def update_if_moved(self) -> None:
        """Number the times that are in sight now: of a run at rest no cursor moves that would have it drawn."""
        if self._labelled_span != (self.axis.low, self.axis.high):
            self.update()

    def draw(self, painter: QPainter) -> None:
        style, axis, ratio = self.plot_style, self.axis, self.devicePixelRatioF()
        width = self.width() - style.gutter - style.margin - self._side_width
        step = nice_step(axis.span, time_tick_count(width))
        self._labelled_span = axis.low, axis.high
        key = (self._labelled_span, self.size(), width, ratio, style)
        if key != self._labels_key:
            times = {
                time: format_fixed(time, tick_decimals(step))
                for time in tick_values(axis.low, axis.high, step)
            }
            labels = [(self._label_rect(self._x_of(time, width), text), text) for time, text in times.items()]
            self._labels_key, self._label_rects = key, [box for box, _ in labels]
            self._labels_pixmap = draw_pixmap(
                self.size(), ratio, style.background, partial(self._paint_labels, labels)
            )
        painter.drawPixmap(0, 0, self._labels_pixmap)
        if not axis.low <= self.time <= axis.high:
            return
        text = format_time(self.time, max(2, tick_decimals(step) + 1), (event.at for event in axis.events))
        cursor_x = self._x_of(self.time, width)
        cursor_rect = self._label_rect(cursor_x, text)
        for box in self._label_rects:
            if box.intersects(cursor_rect):
                painter.fillRect(box, style.background)
        painter.setPen(style.cursor_pen)
        painter.drawLine(QLineF(round(cursor_x) + 0.5, 0, round(cursor_x) + 0.5, GRID_UNIT / 2))
        glyphs = glyph_cache(
            self.theme, self.theme.small, style.cursor_pen.color().name(), self.theme.surface, ratio
        )
        left, middle = cursor_rect.center().x() - glyphs.width(text) / 2, cursor_rect.center().y()
        glyphs.draw_text(painter, left, middle + style.small_metrics.capHeight() / 2, text)

    def _paint_labels(self, labels: list[tuple[QRectF, str]], painter: QPainter) -> None:
        """Write the numbers of the ticks in their boxes, and the unit."""
        painter.setFont(self.plot_style.small_font)
        painter.setPen(self.plot_style.muted_color)
        for box, text in labels:
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.drawText(
            QRectF(0, 0, self.plot_style.gutter - GRID_UNIT, self.height()), ALIGN_RIGHT, "t [s]"
        )

    def _x_of(self, time: float, width: float) -> float:
        return self.plot_style.gutter + (time - self.axis.low) / self.axis.span * width

    def _label_rect(self, x: float, text: str) -> QRectF:
        half_width = self.plot_style.small_metrics.horizontalAdvance(text) / 2 + GRID_UNIT / 2
        x = max(
            min(x, self.width() - half_width + GRID_UNIT / 2), self.plot_style.gutter - GRID_UNIT + half_width
        )
        return QRectF(x - half_width, GRID_UNIT / 4, 2 * half_width, self.height() - GRID_UNIT / 4)


CORNER_SIZE = 36
"""Width and height kept free at the right for the board's button, where nothing is scaled."""
_SAMPLE_THICKNESS = 4.0
"""Of the piece of a curve before a name: more than that of the curve itself, for its colour."""


def sample_width(theme: Theme) -> int:
    """Of the piece of a curve before a name, as it is in the plots, so long that it shows any pattern [pixels]."""
    return math.ceil(MAX_PATTERN_LENGTH * theme.curve_width)


class LegendRow(PanelRow):
    """Draws the legend."""

    def __init__(self, parent: QWidget, choices: Choices) -> None:
        super().__init__(parent, tr("Legend"))
        self.legend, self.choices = Legend(choices), choices
        choices.changed.connect(self.fit)
        self.fit()

    def shutdown(self) -> None:
        """Follow the choices no more: the window that it stands in goes."""
        self.choices.changed.disconnect(self.fit)

    def start(self, info: RunInfo) -> None:
        if self.legend.start(info):
            self.fit()

    def show_lanes(self, lanes: tuple[LaneFrame, ...], reads: bool = True) -> None:
        """Name those that are shown, and say by how much they agree where the frame `reads` numbers."""
        if self.legend.set_frame(lanes, reads):
            self.fit()

    @property
    def legend_space(self) -> LegendSpace:
        """What it has for its words."""
        style, theme, board = self.plot_style, self.theme, self.parentWidget()
        height, corner = board.height() if board is not None else math.inf, theme.scaled_pixels(CORNER_SIZE)
        sample, types = sample_width(theme), (style.normal_type, style.small_type)
        return LegendSpace(self.width(), height, corner, style.gutter, sample, *types)

    def fit(self) -> None:
        legend, room = self.legend, self.legend_space
        legend.arrange(room)
        self.setToolTip(tooltip_text("\n".join(legend.truncated_names)))
        self.setFixedHeight(round(max(legend.line_height(room) * len(legend.lines), room.corner_size)))
        self.update()

    def draw(self, painter: QPainter) -> None:
        style, legend, room = self.plot_style, self.legend, self.legend_space
        height = legend.line_height(room)
        top = max(room.corner_size - height, 0.0) / 2 if len(legend.lines) == 1 else 0.0
        ascent = (style.small_metrics if legend.uses_small_type else style.normal_metrics).ascent()
        painter.setFont(style.small_font if legend.uses_small_type else style.normal_font)
        for row_index, line in enumerate(legend.lines):
            x, middle = legend.start_x, top + (row_index + 0.5) * height
            for text, colour in line:
                if colour is not None:
                    self._draw_sample(painter, x, round(middle), legend.sample_width(room), colour)
                last = row_index + 1 == len(legend.lines) and (text, colour) == line[-1]
                painter.setPen(style.muted_color if last and not legend.hides_agreement else style.text_color)
                text_x = x + legend.sample_advance(colour, room)
                painter.drawText(QPointF(text_x, middle + ascent / 2 - 1), text)
                x += legend.entry_width(text, colour, room)

    def _draw_sample(
        self, painter: QPainter, x: float, middle: float, width: float, lane_number: int
    ) -> None:
        colour = self.plot_style.lane_color(lane_number)
        rect = QRectF(x, middle - GRID_UNIT, width, 2 * GRID_UNIT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_line_sample(painter, lane_number, rect, colour, _SAMPLE_THICKNESS)
        if marker_of(lane_number):
            draw_shape(painter, marker_of(lane_number), rect.center(), colour, self.plot_style.background)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

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

from quatviz.base.formatting import decimals_for, fixed, moment_text, nice_step, ticks
from quatviz.base.formatting.text_layout import fitted, max_min_fair
from quatviz.base.translation import tr
from quatviz.display.data.frame import LaneFrame, RunInfo
from quatviz.display.panels.base.legend import Legend, Room
from quatviz.display.panels.base.time_axis import TimeAxis, time_intervals
from quatviz.display.view_state.choices import Choice, Choices
from quatviz.display.view_state.line_styles import LONGEST, shape_of
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.ui.widgets.actions import add_toggle, pop_up
from quatviz.ui.widgets.controls import IconButton, tip
from quatviz.ui.widgets.painting import RIGHT, draw_sample, draw_shape, drawn, letters
from quatviz.ui.widgets.style import Styled


class Row(Styled, QWidget):
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
            painter.fillRect(event.rect(), self.style_.ground)
            self.draw(painter)


SLIP = 8
"""Pixels that a click may move without being a drag."""


class Handler(Protocol):
    """Who arranges the panels. Places are on the screen."""

    @property
    def maximised(self) -> str | None: ...

    def toggle(self, name: str) -> None: ...

    def bring_forward(self, name: str) -> None: ...

    def drag(self, name: str, at: QPoint) -> None: ...

    def drop(self, name: str, at: QPoint) -> None: ...


SIGN = 3 * UNIT
"""Width of the sign that enlarges a panel,"""
BEHIND = SIGN + UNIT // 4
"""and with the gap behind it, where the title begins at the earliest."""


_NOTED = 1.5 * UNIT
"""The least gap between a note and a choice, whose words are of the same type."""


class SizeSign(IconButton):
    """Gives its panel the whole board, or gives that back. It stands before the title, in the room of the plots' numbers, also
    where the title and what is chosen are cut for it: it is how they get room."""

    def __init__(self, title: "TitleRow") -> None:
        self._enlarge = tr("Enlarge: {title}", title=title.title)
        super().__init__("enlarge", self._enlarge, look="quiet", parent=title)
        self.clicked.connect(lambda: title.handler.toggle(title.name) if title.handler is not None else None)

    def show_large(self, on: bool) -> None:
        """Whether the panel has the whole board."""
        self.say(*(("reduce", tr("Show all panels")) if on else ("enlarge", self._enlarge)))


class TitleRow(Row):
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
        self.emblem, self._ink = emblem
        self.tabs: tuple[tuple[str, str], ...] = ()
        """Names and titles of all panels at this place, if there are several."""
        self.name = ""
        self.handler: Handler | None = None
        self._said: object = None
        """What was said last, with what its choosers showed then;"""
        self._offered: object = None
        """what they offer."""
        self._lesser = False
        """Whether its title is in smaller letters rather than cut."""
        self._spots: list[tuple[QRectF, str]] = []
        self._pressed = QPointF()
        self._dragged = False
        self.choosers = [Chooser(self, one, choices) for one in offered] if choices is not None else []
        self.larger = SizeSign(self)
        self.fit()

    def dress(self, handler: Handler, name: str, tabs: tuple[tuple[str, str], ...]) -> None:
        """Stand above the panel `name`, and obey."""
        self.handler, self.name = handler, name
        self.larger.show_large(handler.maximised == name)
        if tabs != self.tabs:
            self.tabs = tabs
            self.fit()

    def say(self, note: str, longer: str = "") -> None:
        """Put another note beside the title, and a longer one into its tip; choosers may show other options too."""
        said = (note, longer, [(one.choice, one.choices.option(one.choice)) for one in self.choosers])
        if said != self._said:
            self._said, self.note = said, note
            self.setToolTip(tip(longer or note))
            self.fit()

    def choose_among(self, offered: Sequence[Choice]) -> None:
        """Offer the options that this run has, of the same choices; nothing to choose, nothing there."""
        if tuple(offered) != self._offered:
            self._offered = tuple(offered)
            for chooser, choice in zip(self.choosers, offered, strict=True):
                chooser.choice = choice
                chooser.setVisible(len(choice.options) > 1)
            self.fit()

    def fit(self) -> None:
        self.setFixedHeight(round(self.style_.title_metrics.height()) + UNIT)
        for self._lesser in (False, True):
            self._lay_out()
            if self.begin + self.words_width <= self._right:
                break
        self.update()

    def _lay_out(self) -> None:
        self.larger.setGeometry(math.floor(self.begin) - BEHIND, 0, SIGN, self.height())
        self._right = float(self.width() - self.style_.margin)
        words_end = self.begin + self.words_width
        room = words_end + self.style_.small_metrics.horizontalAdvance(self.note) + _NOTED
        end, height = float(self.width()), float(self.height())
        shown = self._shown
        rooms = _rooms(shown, end - words_end)
        for before, chooser in reversed(list(enumerate(shown))):
            end = chooser.lay(words_end + sum(rooms[:before]), room, end, height) - UNIT
            self._right = end + UNIT
            chooser.update()

    @property
    def begin(self) -> float:
        """Where the title begins: with its plots, or behind the sign at once rather than that it, or what is chosen, be cut."""
        gutter = float(self.style_.gutter)
        least = sum(one.least for one in self._shown) + self.style_.margin
        return max(float(BEHIND), min(gutter, self.width() - least - self.words_width))

    @property
    def _shown(self) -> list["Chooser"]:
        return [one for one in self.choosers if one.isVisibleTo(self)]

    @property
    def words_width(self) -> float:
        """Of all titles, the emblem, and the gap behind them."""
        return sum(self._widths()) + self._gaps + self._emblem_width

    @property
    def _emblem_width(self) -> float:
        return self.style_.title_metrics.horizontalAdvance(self.emblem) + UNIT if self.emblem else 0.0

    @property
    def _titles(self) -> tuple[tuple[str, str], ...]:
        return self.tabs or ((self.name, self.title),)

    @property
    def _gaps(self) -> float:
        return (2.0 * len(self._titles) - 1.0) * UNIT

    def _type(self, name: str) -> tuple[QFont, QFontMetricsF]:
        """The title in front is as large as any title where it need not be cut for that; those behind it are smaller."""
        style = self.style_
        if name != self.name:
            return style.normal, style.normal_metrics
        return (style.symbol, style.symbol_metrics) if self._lesser else (style.title, style.title_metrics)

    def _widths(self) -> list[float]:
        return [self._type(name)[1].horizontalAdvance(title) for name, title in self._titles]

    def draw(self, painter: QPainter) -> None:
        style = self.style_
        y = self.height() - UNIT / 2 - style.title_metrics.descent()
        x = self._draw_titles(painter, self.begin, y)
        painter.setPen(QColor(getattr(self.theme, self._ink)))
        painter.drawText(QPointF(x, y), self.emblem)
        x += self._emblem_width
        painter.setFont(style.small)
        painter.setPen(style.muted)
        room = self._right - x - (_NOTED if self._shown else UNIT / 2)
        painter.drawText(QPointF(x, y), fitted(self.note, room, style.small_metrics.horizontalAdvance))

    def _draw_titles(self, painter: QPainter, x: float, y: float) -> float:
        """Write the titles from `x` on the baseline `y`, shortened to the room there is; where they end."""
        style = self.style_
        self._spots = []
        rooms = max_min_fair(self._widths(), self._right - x - self._emblem_width - self._gaps)
        for (name, title), room in zip(self._titles, rooms, strict=True):
            font, metrics = self._type(name)
            text = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, math.ceil(room))
            wide = metrics.horizontalAdvance(text)
            painter.setFont(font)
            painter.setPen(style.text if name == self.name else style.muted)
            painter.drawText(QPointF(x, y), text)
            if self.tabs:
                self._spots.append((QRectF(x - UNIT, 0, wide + 2 * UNIT, self.height()), name))
                if name == self.name:
                    painter.fillRect(QRectF(x, y + 3, wide, 2), style.accent)
            x += wide + 2 * UNIT
        return x - UNIT

    def tab_at(self, x: float) -> str | None:
        """The panel whose tab is at an item coordinate."""
        return next((name for spot, name in self._spots if spot.left() <= x <= spot.right()), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._dragged = event.position(), False
        event.setAccepted(event.button() != Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.handler is not None:
            self._dragged |= (event.position() - self._pressed).manhattanLength() > SLIP
            if self._dragged:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.handler.drag(self.name, event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.handler is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.unsetCursor()
        tab = self.tab_at(event.position().x())
        if self._dragged:
            self.handler.drop(self.name, event.globalPosition().toPoint())
        elif tab is not None and tab != self.name:
            self.handler.bring_forward(tab)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.handler is not None and event.button() == Qt.MouseButton.LeftButton:
            self.handler.toggle(self.name)


def _rooms(choosers: Sequence["Chooser"], room: float) -> list[float]:
    """What each of them has [pixels]: those whose words are too short to be cut have theirs whole, the others share the rest."""
    least, short = [one.least for one in choosers], [len(one.chosen) < _TOLD for one in choosers]
    whole = [wide if one else 0.0 for wide, one in zip(least, short, strict=True)]
    left = room - sum(whole)
    if left < (_GAP + _CHEVRON) * (len(short) - sum(short)):
        return max_min_fair(least, room)
    rest = max_min_fair([0.0 if one else wide for wide, one in zip(least, short, strict=True)], left)
    return [one + other for one, other in zip(whole, rest, strict=True)]


SIDE_BY_SIDE = 3
_TOLD = 6
"""Letters of a shortened word that still tell something."""
_GAP = 7.0
_CHEVRON = 2.0 * UNIT
FOLDED = _GAP + _CHEVRON + UNIT
"""Width of the mark of one that is folded, with the gaps beside it."""


class Chooser(Styled, QAbstractButton):
    """Words to click, right-aligned at `right` of a row; the chosen one is bright and underlined. Keys open a menu of all."""

    def __init__(self, row: Row, choice: Choice, choices: Choices) -> None:
        super().__init__(row)
        self._row, self.choice, self.choices = row, choice, choices
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr(choice.title))
        said = tr("{choice}, {title}", choice=tr(choice.title), title=row.accessibleName())
        self.setAccessibleName(said)  # other panels have such a choice too
        self.clicked.connect(lambda: self._offer(self.mapToGlobal(self.rect().bottomLeft())))
        self.says_noun = False
        self._texts = [choice.text(option) for option in choice.options]
        self._noun = tr(choice.noun) if choice.noun else ""
        self._room = 0.0
        self._folded = self._bare = False
        """Whether only what is chosen is said; and that without the mark, which would take its room."""

    def follow_theme(self) -> None:
        self._row.fit()  # which has changed before, and given it room by the letters of the other theme

    @property
    def words(self) -> list[str]:
        """What stands there: every option, or only the chosen one."""
        if self.opens:
            text = self.chosen
            where = Qt.TextElideMode.ElideMiddle if self.choice.opens else Qt.TextElideMode.ElideRight
            said = self.style_.small_metrics.elidedText(text, where, self._room)
            return [
                "" if said != text and len(said) < _TOLD else said
            ]  # its mark alone says that there is a choice
        return self._texts

    @property
    def chosen(self) -> str:
        """What is chosen, in words."""
        return self.choice.text(self.choices.option(self.choice))

    @property
    def least(self) -> float:
        """Width in which it says what is chosen, with the gap before it."""
        return self.style_.small_metrics.horizontalAdvance(self.chosen) + FOLDED

    def lay(self, least: float, left: float, right: float, height: float) -> float:
        """Take its place at the right end of a row, folded or without its noun where that would reach beyond `left`, and
        shortened where it would reach beyond `least`; its left end."""
        metrics = self.style_.small_metrics
        self._folded = right - sum(metrics.horizontalAdvance(text) + _GAP for text in self._texts) < left
        self._room, self._bare = max(right - least - _GAP - _CHEVRON, 0.0), False
        if not all(self.words):
            self._room, self._bare = self._room + _CHEVRON, True
            self._bare = all(self.words)
        wide = sum(metrics.horizontalAdvance(word) + _GAP for word in self.words)
        wide += _CHEVRON if self.opens and not self._bare else 0.0
        noun = metrics.horizontalAdvance(self._noun) + UNIT
        self.says_noun = bool(self._noun) and right - wide - noun >= left
        wide += noun if self.says_noun else 0.0
        begin = math.floor(right - wide)
        self.setGeometry(begin, 0, math.ceil(right) - begin, math.ceil(height))
        return right - wide

    @property
    def opens(self) -> bool:
        """Whether a click opens a menu."""
        return self.choice.opens or self._folded or len(self.choice.options) > SIDE_BY_SIDE

    def option_at(self, x: float) -> str:
        """The option whose word is under an item coordinate."""
        at = 0.0
        for option, word in zip(self.choice.options, self.words, strict=False):
            at += self.style_.small_metrics.horizontalAdvance(word) + _GAP
            if x < at:
                return option
        return self.choice.options[-1]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.opens:
            self.choices.choose(self.choice, self.option_at(event.position().x()))
            return
        self._offer(event.globalPosition().toPoint())

    def _offer(self, at: QPoint) -> None:
        menu = add_options(QMenu(), self.choice, self.choices)
        pop_up(menu, at)
        self._menu = menu  # Python must hold it as long as it is open

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._draw(painter)
            if self.hasFocus():
                painter.setPen(self.style_.accent)
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _draw(self, painter: QPainter) -> None:
        style, metrics = self.style_, self.style_.small_metrics
        chosen = self.chosen
        x, baseline = 0.0, round(self.height() - UNIT / 2 - style.title_metrics.descent())
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
        if self.opens and not self._bare:
            chevron = QPainterPath(QPointF(x, baseline - 6))
            chevron.lineTo(x + UNIT / 2, baseline - 2)
            chevron.lineTo(x + UNIT, baseline - 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(style.text, 1.4))
            painter.drawPath(chevron)


def add_options(menu: QMenu, choice: Choice, choices: Choices) -> QMenu:
    """Fill a menu with the options of a choice."""
    for option in choice.options:
        chosen = option == choices.option(choice)
        add_toggle(menu, choice.text(option), chosen, lambda _, option=option: choices.choose(choice, option))
    return menu


_UNBOUNDED = 16777215
_WRAPPED = Qt.TextFlag.TextWordWrap


class SentenceRow(Row):
    """A sentence as high as it is at this width, or no row at all. `fills` takes all height there is."""

    def __init__(self, parent: QWidget, fills: bool = False) -> None:
        super().__init__(parent, tr("Remark"))
        self.sentence = ""
        self.fills = fills
        if fills:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.fit()

    def say(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence = sentence
            self.setAccessibleName(sentence or tr("Remark"))
            self.fit()

    def fit(self) -> None:
        room = QRectF(0, 0, max(self._room.width(), 1.0), _UNBOUNDED)
        needed = self.style_.small_metrics.boundingRect(room, _WRAPPED, self.sentence).height() + UNIT
        height = math.ceil(needed) if self.sentence else 0
        self.setMinimumHeight(height)
        self.setMaximumHeight(_UNBOUNDED if self.sentence and self.fills else height)
        self.setVisible(bool(self.sentence))
        self.update()

    @property
    def _room(self) -> QRectF:
        left = self.style_.gutter
        return QRectF(left, UNIT / 2, self.width() - left - self.style_.margin, self.height())

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self.style_.small)
        painter.setPen(self.style_.muted)
        painter.drawText(self._room, _WRAPPED, self.sentence)


class TimeRow(Row):
    """Ticks of the shared time axis, with the cursor's time where it stands."""

    def __init__(self, parent: QWidget, axis: TimeAxis) -> None:
        super().__init__(parent, tr("Times"))
        self.axis = axis
        self.time = 0.0
        """Where the cursor stands, which is the time of all numbers [s]."""
        self._aside = 0.0
        """Width kept free beside the plots [pixels]."""
        self._span = 0.0, 0.0
        """The times in sight as they are numbered [s]."""
        self._boxes: list[QRectF] = []
        """Where ticks are numbered,"""
        self._numbered = QPixmap()
        """their picture,"""
        self._key: object = None
        """and of which axis it is."""
        self.fit()

    def fit(self) -> None:
        self.setFixedHeight(round(self.style_.small_metrics.height()) + UNIT)
        self.update()

    def keep_aside(self, wide: float) -> None:
        """The plots above keep so much free beside them."""
        if wide != self._aside:
            self._aside = wide
            self.update()

    def show_time(self, time: float) -> None:
        """Put the cursor there [s]."""
        self.time = time
        self.update()

    def follow(self) -> None:
        """Number the times that are in sight now: of a run at rest no cursor moves that would have it drawn."""
        if self._span != (self.axis.low, self.axis.high):
            self.update()

    def draw(self, painter: QPainter) -> None:
        style, axis, ratio = self.style_, self.axis, self.devicePixelRatioF()
        width = self.width() - style.gutter - style.margin - self._aside
        step = nice_step(axis.span, time_intervals(width))
        self._span = axis.low, axis.high
        key = (self._span, self.size(), width, ratio, style)
        if key != self._key:
            times = {time: fixed(time, decimals_for(step)) for time in ticks(axis.low, axis.high, step)}
            words = [(self._box(self._x(time, width), text), text) for time, text in times.items()]
            self._key, self._boxes = key, [box for box, _ in words]
            self._numbered = drawn(self.size(), ratio, style.ground, partial(self._number, words))
        painter.drawPixmap(0, 0, self._numbered)
        if not axis.low <= self.time <= axis.high:
            return
        text = moment_text(self.time, max(2, decimals_for(step) + 1), (event.at for event in axis.events))
        at = self._x(self.time, width)
        tag = self._box(at, text)
        for box in self._boxes:
            if box.intersects(tag):
                painter.fillRect(box, style.ground)
        painter.setPen(style.cursor)
        painter.drawLine(QLineF(round(at) + 0.5, 0, round(at) + 0.5, UNIT / 2))
        pen = letters(self.theme, self.theme.small, style.cursor.color().name(), self.theme.surface, ratio)
        left, middle = tag.center().x() - pen.width(text) / 2, tag.center().y()
        pen.write(painter, left, middle + style.small_metrics.capHeight() / 2, text)

    def _number(self, words: list[tuple[QRectF, str]], painter: QPainter) -> None:
        """Write the numbers of the ticks in their boxes, and the unit."""
        painter.setFont(self.style_.small)
        painter.setPen(self.style_.muted)
        for box, text in words:
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.drawText(QRectF(0, 0, self.style_.gutter - UNIT, self.height()), RIGHT, "t [s]")

    def _x(self, time: float, width: float) -> float:
        return self.style_.gutter + (time - self.axis.low) / self.axis.span * width

    def _box(self, x: float, text: str) -> QRectF:
        half = self.style_.small_metrics.horizontalAdvance(text) / 2 + UNIT / 2
        x = max(min(x, self.width() - half + UNIT / 2), self.style_.gutter - UNIT + half)
        return QRectF(x - half, UNIT / 4, 2 * half, self.height() - UNIT / 4)


CORNER = 36
"""Width and height kept free at the right for the board's button, where nothing is scaled."""
_THICK = 4.0
"""Of the piece of a curve before a name: more than that of the curve itself, for its colour."""


def sample_width(theme: Theme) -> int:
    """Of the piece of a curve before a name, as it is in the plots, so long that it shows any pattern [pixels]."""
    return math.ceil(LONGEST * theme.curve_width)


class LegendRow(Row):
    """Draws the legend."""

    def __init__(self, parent: QWidget, choices: Choices) -> None:
        super().__init__(parent, tr("Legend"))
        self.laid, self.choices = Legend(choices), choices
        choices.changed.connect(self.fit)
        self.fit()

    def shut_down(self) -> None:
        """Follow the choices no more: the window that it stands in goes."""
        self.choices.changed.disconnect(self.fit)

    def start(self, info: RunInfo) -> None:
        if self.laid.start(info):
            self.fit()

    def show_lanes(self, lanes: tuple[LaneFrame, ...], reads: bool = True) -> None:
        """Name those that are shown, and say by how much they agree where the frame `reads` numbers."""
        if self.laid.show(lanes, reads):
            self.fit()

    @property
    def room(self) -> Room:
        """What it has for its words."""
        style, theme, board = self.style_, self.theme, self.parentWidget()
        high, corner = board.height() if board is not None else math.inf, theme.pixels(CORNER)
        sample, types = sample_width(theme), (style.normal_type, style.small_type)
        return Room(self.width(), high, corner, style.gutter, sample, *types)

    def fit(self) -> None:
        laid, room = self.laid, self.room
        laid.fit(room)
        self.setToolTip(tip("\n".join(laid.left_out)))
        self.setFixedHeight(round(max(laid.line(room) * len(laid.lines), room.corner)))
        self.update()

    def draw(self, painter: QPainter) -> None:
        style, laid, room = self.style_, self.laid, self.room
        high = laid.line(room)
        top = max(room.corner - high, 0.0) / 2 if len(laid.lines) == 1 else 0.0
        ascent = (style.small_metrics if laid.dense else style.normal_metrics).ascent()
        painter.setFont(style.small if laid.dense else style.normal)
        for number, line in enumerate(laid.lines):
            x, middle = laid.begin, top + (number + 0.5) * high
            for text, colour in line:
                if colour is not None:
                    self._draw_sample(painter, x, round(middle), laid.sample(room), colour)
                last = number + 1 == len(laid.lines) and (text, colour) == line[-1]
                painter.setPen(style.muted if last and not laid.mute else style.text)
                at = x + laid.before(colour, room)
                painter.drawText(QPointF(at, middle + ascent / 2 - 1), text)
                x += laid.wide(text, colour, room)

    def _draw_sample(self, painter: QPainter, x: float, middle: float, wide: float, number: int) -> None:
        colour = self.style_.lane(number)
        room = QRectF(x, middle - UNIT, wide, 2 * UNIT)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_sample(painter, number, room, colour, _THICK)
        if shape_of(number):
            draw_shape(painter, shape_of(number), room.center(), colour, self.style_.ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

"""The title row of a panel, which also contains the option choosers and the button that enlarges the panel."""

import math
from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from quatviz.base.formatting.text_layout import drop_parts_to_fit, max_min_fair
from quatviz.base.translation import tr
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.choices import Choice
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.plots.panel_row import CLICK_TOLERANCE, PanelRow
from quatviz.ui.widgets.actions import add_toggle, show_menu
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.style import PlotStyled


class PanelTitleHandler(Protocol):
    """Interface of the handler of clicks and drags at panel titles. Points are in screen coordinates."""

    @property
    def maximised(self) -> str | None: ...

    def toggle_size(self, name: str) -> None: ...

    def bring_forward(self, name: str) -> None: ...

    def drag(self, name: str, at: QPoint) -> None: ...

    def drop(self, name: str, at: QPoint) -> None: ...


SIZE_BUTTON_WIDTH = 3 * GRID_UNIT
"""Width of the button that enlarges a panel [pixels]."""


MIN_TITLE_LEFT = SIZE_BUTTON_WIDTH + GRID_UNIT // 4
"""Smallest left position of a title: button width and gap [pixels]."""


_NOTE_GAP = 1.5 * GRID_UNIT
"""Smallest gap between a note and a chooser in the same font [pixels]."""


class SizeButton(IconButton):
    """The button that maximizes or restores a panel, always visible before the title."""

    def __init__(self, title: "TitleRow") -> None:
        self._enlarge_text = tr("Enlarge: {title}", title=title.title)
        super().__init__("enlarge", self._enlarge_text, variant="quiet", parent=title)
        self.clicked.connect(
            lambda: title.handler.toggle_size(title.name) if title.handler is not None else None
        )

    def set_enlarged(self, on: bool) -> None:
        """Set whether the panel is maximized."""
        self.set_icon(*(("reduce", tr("Show all panels")) if on else ("enlarge", self._enlarge_text)))


class TitleRow(PanelRow):
    """A row with the title of a panel.

    It also has the symbol in the color of the panel's 3D arrow, a note (unit and frame), and choosers at the right. Panels
    in a tab group show their titles as tabs, the front one bright. A double click maximizes the panel, a drag swaps it with
    another panel, and a click on a tab brings that panel to the front.
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
        """Names and titles of the panels that share this place as tabs; () if the panel is alone."""
        self.name = ""
        self.handler: PanelTitleHandler | None = None
        self._note_key: object = None
        """Note, tooltip and chosen options of the last update. An update with the same values is skipped."""
        self._offered_choices: object = None
        """Choices of the last call of `set_choices`. A call with the same choices is skipped."""
        self._keeps_note = False
        """True if the title moves to the left when the note needs more space. If False, the note is left out in this
        case."""
        self._has_small_title = False
        """True if the title uses a smaller font to avoid being cut."""
        self._tab_rects: list[tuple[QRectF, str]] = []
        self._press_position = QPointF()
        self._was_dragged = False
        self.choosers = (
            [OptionChooser(self, choice, choices) for choice in offered] if choices is not None else []
        )
        self.size_button = SizeButton(self)
        self.fit()

    def set_tabs(self, handler: PanelTitleHandler, name: str, tabs: tuple[tuple[str, str], ...]) -> None:
        """Set the name of the panel, the tabs of its group, and the `handler` of clicks and drags at the title."""
        self.handler, self.name = handler, name
        self.size_button.set_enlarged(handler.maximised == name)
        if tabs != self.tabs:
            self.tabs = tabs
            self.fit()

    def set_note(self, note: str, tooltip: str = "", keep: bool = False) -> None:
        """Set the note and its tooltip, and update the choosers.

        If there is too little space for the note, the title moves to the left (`keep`) or the note is left out.
        """
        note_key = (
            note,
            tooltip,
            keep,
            [(chooser.choice, chooser.choices.option(chooser.choice)) for chooser in self.choosers],
        )
        if note_key != self._note_key:
            self._note_key, self.note, self._keeps_note = note_key, note, keep
            self.setToolTip(tooltip_text(tooltip or note))
            self.fit()

    def set_choices(self, offered: Sequence[Choice]) -> None:
        """Set the options that this run offers. A chooser with a single option is hidden."""
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
        """Left edge of the title [pixels]. It is aligned with the plots unless title, note or choosers need more space."""
        gutter = float(self.plot_style.gutter)
        choosers_width = sum(chooser.min_width for chooser in self._visible_choosers) + self.plot_style.margin
        note_width = self.plot_style.small_metrics.horizontalAdvance(self.note) if self._keeps_note else 0.0
        if note_width:
            note_width += _NOTE_GAP
        left_part = self.width() - choosers_width - self.titles_width - note_width
        return max(float(MIN_TITLE_LEFT), min(gutter, left_part))

    @property
    def _visible_choosers(self) -> list["OptionChooser"]:
        return [chooser for chooser in self.choosers if chooser.isVisibleTo(self)]

    @property
    def titles_width(self) -> float:
        """Width of all titles, the emblem (symbol of the quantity) and the gap behind them [pixels]."""
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
        """Return the font of a title. The front tab has the large font if it fits, and all others have a smaller one."""
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
        """Draw the titles from `x` on the baseline `y`, elided if necessary, and return the right end."""
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
        """Return the panel whose tab is at `x` in widget coordinates, or None."""
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
    """Return the width of each chooser [pixels]. Choosers with short texts keep their full width, and the others share
    the rest."""
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
"""Smallest number of characters of an elided text. Shorter texts would not be understandable."""


_OPTION_GAP = 7.0


_CHEVRON_WIDTH = 2.0 * GRID_UNIT


CHEVRON_SPACE = _OPTION_GAP + _CHEVRON_WIDTH + GRID_UNIT
"""Width that a folded `OptionChooser` needs in addition to its text: the chevron and the gaps around it [pixels]."""


class OptionChooser(PlotStyled, QAbstractButton):
    """Clickable option texts, right-aligned in a row, with the chosen one underlined. A key press opens a menu of all options."""

    def __init__(self, row: PanelRow, choice: Choice, choices: Choices) -> None:
        super().__init__(row)
        self._row, self.choice, self.choices = row, choice, choices
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr(choice.title))
        accessible_name = tr("{choice}, {title}", choice=tr(choice.title), title=row.accessibleName())
        self.setAccessibleName(accessible_name)  # other panels may have the same choice
        self.clicked.connect(lambda: self._show_menu(self.mapToGlobal(self.rect().bottomLeft())))
        self.shows_noun = False
        self._option_texts = [choice.text(option) for option in choice.options]
        self._noun = tr(choice.noun) if choice.noun else ""
        self._text_width = 0.0
        self._is_folded = self._hides_chevron = False
        """Two flags to save space: True if only the chosen option is shown; True if the chevron of the menu is hidden
        as well."""

    def follow_theme(self) -> None:
        self._row.fit()  # the row was laid out earlier, with fonts of the old theme

    @property
    def visible_texts(self) -> list[str]:
        """The option texts that are displayed: all of them, or only the chosen one if the chooser is folded."""
        if self.opens_menu:
            text = self.chosen_text
            elide_mode = Qt.TextElideMode.ElideMiddle if self.choice.in_menu else Qt.TextElideMode.ElideRight
            elided = self.plot_style.small_metrics.elidedText(text, elide_mode, self._text_width)
            return [
                "" if elided != text and len(elided) < _MIN_ELIDED_LENGTH else elided
            ]  # the chevron alone indicates the choice
        return self._option_texts

    @property
    def chosen_text(self) -> str:
        """Text of the chosen option."""
        return self.choice.text(self.choices.option(self.choice))

    @property
    def min_width(self) -> float:
        """Width needed to show the chosen option, with gaps [pixels]."""
        return self.plot_style.small_metrics.horizontalAdvance(self.chosen_text) + CHEVRON_SPACE

    def set_position(self, min_left: float, left_part: float, right: float, height: float) -> float:
        """Right-align the chooser at `right` and return its left edge [pixels].

        A chooser that would begin to the left of `left_part` is folded, without the noun of the choice. If the folded
        chooser would begin to the left of `min_left`, its text is elided.
        """
        metrics = self.plot_style.small_metrics
        self._is_folded = (
            right - sum(metrics.horizontalAdvance(text) + _OPTION_GAP for text in self._option_texts)
            < left_part
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
        has_room = right - width - noun_width >= left_part
        self.shows_noun = bool(self._noun) and not self.opens_menu and has_room
        width += noun_width if self.shows_noun else 0.0
        widget_left = math.floor(right - width)
        self.setGeometry(widget_left, 0, math.ceil(right) - widget_left, math.ceil(height))
        return right - width

    @property
    def opens_menu(self) -> bool:
        """True if a click on the chooser opens a menu instead of choosing an option directly."""
        return self.choice.in_menu or self._is_folded or len(self.choice.options) > MAX_INLINE_OPTIONS

    def option_at(self, x: float) -> str:
        """Return the option whose text is at `x` in widget coordinates."""
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
        self._menu = menu  # keep a reference while the menu is open

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
    """Add to a menu a toggle for each option of a choice."""
    for option in choice.options:
        chosen = option == choices.option(choice)
        add_toggle(menu, choice.text(option), chosen, lambda _, option=option: choices.choose(choice, option))
    return menu

"""Widgets that every room uses: buttons, labels, fields and dialogs."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import pairwise
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMargins,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    QUrl,
    Signal,
    SignalInstance,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QDesktopServices,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from quatviz.base.errors import InputError
from quatviz.base.formatting import DecimalStepper, format_error, shorten_number
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.ui.widgets.focus import focus_chain, iter_descendants, visible_widget_at
from quatviz.ui.widgets.guard import Guarded, guarded
from quatviz.ui.widgets.painting import ICON_SIZE, icon
from quatviz.ui.widgets.style import PaintedWidget, theme_of, tint

CHEVRON_INSET = 14.0
"""Of a `ChoiceBox`: from its middle to the right [pixels]."""


def draw_chevron(widget: QWidget, inset: float) -> None:
    """The mark of a box that opens downwards, for the style sheet removes the platform's own: draw it on `widget`, in its
    `paintEvent`, its middle `inset` pixels from the right."""
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(widget.palette().color(QPalette.ColorRole.Text), 1.5))
        x, y = widget.width() - inset, widget.height() / 2
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])


def bring_to_front(window: QWidget) -> None:
    """Let a window be seen before all others, with the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


class Dialog(Guarded, QDialog):
    """Qt asks a window's layout how low it may be as if words that wrap stood in one line; this one asks for its width, as soon
    as that is known: one that is not shown yet may be of any. It goes when it is closed, unless it is `kept`."""

    def __init__(self, title: str, parent: QWidget | None, keep_on_close: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("{title} – quatviz", title=title))  # or Qt adds the name behind another dash
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, not keep_on_close)

    def show_in_front(self) -> None:
        """Come to the front."""
        bring_to_front(self)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Resize):
            self._update_minimum_height()
        return handled

    @guarded
    def _update_minimum_height(self) -> None:
        layout = self.layout()
        if self.isVisible() and layout is not None and layout.hasHeightForWidth():
            min_height = layout.totalMinimumHeightForWidth(self.width())
            if min_height != self.minimumHeight():
                self.setMinimumHeight(min_height)


class ElidedLabel(Guarded, QLabel):
    """As wide as it is given; `text` stays whole."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def elided_text(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            (Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft).value,
            option.palette,
            self.isEnabled(),
            self.elided_text,
            self.foregroundRole(),
        )
        painter.end()


ClickHandler = Callable[..., object] | SignalInstance
"""What a button does: something that is called, or a signal that is passed on."""


_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Button(Guarded, QPushButton):
    """Does something, which its tip says at more length; the style sheet knows it by the name `look`. With the focus it is pressed
    by Enter too, which Qt has so in dialogs only."""

    def __init__(
        self, text: str, on_click: ClickHandler | None = None, tip: str = "", object_name: str = ""
    ) -> None:
        super().__init__(text)
        self.setObjectName(object_name)
        self.setToolTip(tip)
        if on_click is not None:
            self.clicked.connect(on_click)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class QuietButton(Button):
    """Adds or removes something, and looks like a link."""

    def __init__(self, text: str, on_click: ClickHandler | None = None, tip: str = "") -> None:
        super().__init__(text, on_click, tip, "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.setCursor(Qt.CursorShape.PointingHandCursor)


LayoutItem = QWidget | QLayout | int | None | tuple[QWidget | QLayout, int]
"""Of a layout: a number is a gap of so many pixels, None takes what room is left, as does a part by the share beside it."""


def column(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QVBoxLayout:
    """Parts below each other, so far apart; `margins` are left, top, right and bottom, or one for all [pixels]."""
    return _fill_layout(QVBoxLayout(), items, gap, margins)


def row(
    *items: LayoutItem, gap: int = GRID_UNIT, margins: int | tuple[int, int, int, int] = 0
) -> QHBoxLayout:
    """Parts beside each other, likewise."""
    return _fill_layout(QHBoxLayout(), items, gap, margins)


_BoxLayout = TypeVar("_BoxLayout", QVBoxLayout, QHBoxLayout)


def _fill_layout(
    box: _BoxLayout, items: Sequence[LayoutItem], gap: int, margins: int | tuple[int, int, int, int]
) -> _BoxLayout:
    box.setSpacing(gap)
    box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    for spec in items:
        item, stretch = spec if isinstance(spec, tuple) else (spec, 0)
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QWidget):
            box.addWidget(item, stretch)
        else:
            box.addLayout(item, stretch)
    return box


def wrap_layout(layout: QLayout) -> QWidget:
    """A widget that is nothing but this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def make_splitter(
    *parts: tuple[QWidget, int], stretch_index: int, orientation: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """Parts with their sizes [pixels], between which a person can draw the line. That of the number `stretch_index` takes what
    room there is more."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for index, (part, _) in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, int(index == stretch_index))
    splitter.setSizes([size for _, size in parts])
    return splitter


def make_form_layout(rows: Mapping[str, QWidget | QLayout]) -> QFormLayout:
    """Fields below each other, each with its name."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * GRID_UNIT)
    form.setVerticalSpacing(GRID_UNIT)
    for text, field in rows.items():
        form.addRow(text, field)
        if isinstance(field, QWidget):
            field.setAccessibleName(text)
    return form


def make_scroll_area(layout: QLayout, area: QScrollArea | None = None) -> QScrollArea:
    """This layout in an area that scrolls it up and down and leaves the keys to what is inside."""
    area = area or QScrollArea()
    area.setWidget(wrap_layout(layout))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class VerticalScrollArea(Guarded, QScrollArea):
    """Scrolls up and down, and is as wide as the words need that cannot wrap, in the type of now."""

    layout_changed = Signal()
    """It may need another width."""

    def minimumSizeHint(self) -> QSize:
        content, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = 0 if content is None else content.minimumSizeHint().width() + bar
        return QSize(width, super().minimumSizeHint().height())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part has other words, or another type
            self.updateGeometry()
            self.layout_changed.emit()
        return bool(super().viewportEvent(event))


class CompactScrollArea(VerticalScrollArea):
    """Words as high as they are, and where there is less room they scroll, two lines in sight."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        width, content = self.viewport().width(), self.widget()
        return QSize(width, 0 if content is None or width <= 0 else content.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(2 * self.fontMetrics().height(), self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


def enclosing_scroll_area(widget: QWidget) -> QScrollArea | None:
    """What scrolls it, if anything does."""
    ancestor = widget.parentWidget()
    while ancestor is not None and not isinstance(ancestor, QScrollArea):
        ancestor = ancestor.parentWidget()
    return ancestor


_MAX_LAYOUT_PASSES = 8
"""So many turns of the event loop it takes at most until what has come or gone is laid out: words that wrap are given too much
height at first, and their own later."""
_PINNED_POSITIONS: WeakKeyDictionary[QWidget, int] = WeakKeyDictionary()
"""The heights in their views at which widgets are kept, while they are."""


def preserve_scroll_position(content: QWidget) -> None:
    """Something in a part of a scrolled area comes or goes in this moment: scroll the area while that is laid out, so that what is
    dragged, or has the focus, stays where it is, under the hand that is at it; or else what is seen in the middle, where it is
    scrolled at all."""
    area, widget = enclosing_scroll_area(content), QWidget.keyboardGrabber() or QApplication.focusWidget()
    if area is None:
        return
    view, bar = area.viewport(), area.verticalScrollBar()
    if widget is None or not view.isAncestorOf(widget):
        widget = visible_widget_at(view, view.rect().center()) if bar.value() else None
    if widget is None:
        return
    # By a call whose turns are not over it is kept already: it has moved, and is not where it was.
    pinned_y = _PINNED_POSITIONS.setdefault(widget, widget.mapTo(view, QPoint()).y())

    def restore_position(passes: int = _MAX_LAYOUT_PASSES) -> None:
        is_inside = isValid(view) and view.isAncestorOf(widget)
        if not (passes and is_inside):
            _PINNED_POSITIONS.pop(widget, None)
        if not is_inside:
            return  # it has been taken elsewhere meanwhile
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bar.setValue(bar.value() + widget.mapTo(view, QPoint()).y() - pinned_y)
        if passes:
            QTimer.singleShot(0, widget, lambda: restore_position(passes - 1))

    QTimer.singleShot(0, widget, restore_position)


def _widgets_in_layout(layout: QLayout) -> Iterator[QWidget]:
    """All widgets in a layout, and in the layouts of these, one after another. None is asked for by `itemAt`: PySide keeps what
    that gives while the layout stands, also where Qt deletes it, and dies of the next thing that Qt makes in its place."""
    items: list[QWidget | QLayout] = [
        child
        for child in (*layout.children(), *layout.parentWidget().children())
        if isinstance(child, QWidget | QLayout) and layout.indexOf(child) >= 0
    ]
    for item in sorted(items, key=layout.indexOf):
        inner_layout = item if isinstance(item, QLayout) else item.layout()
        yield from [item] if isinstance(item, QWidget) else []
        yield from [] if inner_layout is None else _widgets_in_layout(inner_layout)


def set_tab_order_from_layout(layout: QLayout) -> None:
    """Let Tab lead through what stands in a layout from one to the next: Qt has it lead to what was made last in the end. What
    callouts say still follows their fields."""
    container = layout.parentWidget()
    chain = list(focus_chain(container))
    ordered = [
        widget
        for widget in _widgets_in_layout(layout)
        if widget in chain and Qt.FocusPolicy.TabFocus in widget.focusPolicy()
    ]
    if ordered != [widget for widget in chain if widget in ordered]:
        for before, after in pairwise(ordered):
            QWidget.setTabOrder(before, after)
        for callout in container.window().findChildren(Callout):
            callout.update_tab_order()


SELECTABLE_TEXT = Qt.TextInteractionFlag.TextSelectableByMouse
"""What lets a person select the words of a label."""


def label(object_name: str = "", text: str = "", word_wrap: bool = True, selectable: bool = False) -> QLabel:
    """Words that wrap, unless they are told not to, and stand there as they are, whatever marks a file wrote into them; the
    style sheet knows them by the name `object_name`. Those that are to be `selectable` can be selected."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setObjectName(object_name)
    widget.setWordWrap(word_wrap)
    if selectable:
        widget.setTextInteractionFlags(SELECTABLE_TEXT)
    return widget


def subheading(text: str) -> QLabel:
    """Over a few fields."""
    return label("subheading", text, word_wrap=False)


def make_section_layout(sections: Mapping[str, QWidget | QLayout]) -> QVBoxLayout:
    """Fields below each other in groups, each with its subheading, and what room is left at the end."""
    items = (
        item
        for title, content in sections.items()
        for item in (subheading(title), GRID_UNIT // 2, content, 2 * GRID_UNIT)
    )
    return column(*items, None, gap=0, margins=2 * GRID_UNIT)


def tooltip_text(text: str) -> str:
    """A tool tip of words that may come from a file: what Qt would read as HTML, and load pictures for, stands there as it
    is."""
    return f"<p style='white-space: pre'>{escape(text)}</p>" if "<" in text else text


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Give it this size, or what the screen has room for: not every desktop makes a window smaller that is too large. Where
    it needs more, the parts of which it consists are scrolled; what stands below them is not."""
    theme = theme_of(window)
    desired = QSize(theme.scaled_pixels(width), theme.scaled_pixels(height))
    available = window.screen().availableGeometry().size()
    window.resize(fit_size(desired, available))
    layout, max_size = window.layout(), available.shrunkBy(WINDOW_FRAME_MARGINS)
    if layout is None or layout.totalMinimumSize().boundedTo(max_size) == layout.totalMinimumSize():
        return
    first_item = layout.itemAt(0)
    content = (
        window.centralWidget()
        if isinstance(window, QMainWindow)
        else first_item.widget()
        if first_item
        else None
    )
    if not isinstance(content, QSplitter):
        return
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if isinstance(window, QMainWindow):
        window.takeCentralWidget()
        window.setCentralWidget(area)
    else:
        layout.replaceWidget(content, area)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)


def fit_size(desired: QSize, available: QSize) -> QSize:
    """The size within `available`, with its frame where that is too small for it."""
    inner = available.shrunkBy(WINDOW_FRAME_MARGINS)
    width = desired.width() if desired.width() <= available.width() else inner.width()
    height = desired.height() if desired.height() <= available.height() else inner.height()
    return QSize(width, height)


def move_inside(rect: QRect, bounds: QRect) -> QRect:
    """The place, or, where that lies beyond the room, the nearest inside."""
    size = rect.size().boundedTo(bounds.size())
    x = max(min(rect.x(), bounds.right() + 1 - size.width()), bounds.left())
    return QRect(QPoint(x, max(min(rect.y(), bounds.bottom() + 1 - size.height()), bounds.top())), size)


WINDOW_FRAME_MARGINS = QMargins(8, 40, 8, 8)
"""What a desktop puts around a window."""

BUTTON_SIZE = 36


class PaintedButton(PaintedWidget, QAbstractButton):
    """A button that paints itself. A click leaves the keys where they were, for space must go on playing and pausing; with the
    focus it is pressed by Enter and by space, and arrows step through time, not through buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER_KEYS:
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()


class IconButton(PaintedButton):
    """`name` is an icon; `what` it does is its tool tip and accessible name; `keys`, as a person reads them, do the same. One
    whose `look` is "prominent" fills its ground; a "quiet" one has none, and pales until it is pointed at or has the focus."""

    def __init__(
        self,
        icon_name: str,
        description: str,
        on_click: ClickHandler | None = None,
        shortcut: str = "",
        variant: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shortcut, self._variant, self._icon_name = shortcut, variant, ""
        self.set_icon(icon_name, description)
        if on_click is not None:
            self.clicked.connect(on_click)

    def set_icon(self, icon_name: str, description: str) -> None:
        """Show another icon with another meaning."""
        if (icon_name, description) == (self._icon_name, self.accessibleName()):
            return
        self._icon_name = icon_name
        self.setAccessibleName(description)
        self.setToolTip(f"{description} ({self._shortcut})" if self._shortcut else description)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.scaled_pixels(BUTTON_SIZE), self.theme.scaled_pixels(BUTTON_SIZE))

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        frame_rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._background_color())
        painter.drawRoundedRect(frame_rect, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame_rect.adjusted(1, 1, -1, -1), 6, 6)
        width, ratio = theme.scaled_pixels(ICON_SIZE), self.devicePixelRatioF()
        icon_rect = QRectF((self.width() - width) / 2, (self.height() - width) / 2, width, width)
        painter.drawImage(
            icon_rect, icon(self._icon_name, self._icon_color().name(), ratio * width / ICON_SIZE)
        )

    def _background_color(self) -> QColor:
        theme = self.theme
        if self._variant == "prominent":
            fraction = 0.8 if self.isDown() or self.underMouse() else 1.0
            return tint(theme.accent, theme.window, fraction)
        if self.isDown() or self.isChecked():
            return tint(theme.accent, theme.window, 0.22)
        if self._is_highlighted or self._variant != "quiet":
            return QColor(theme.raised if self._is_highlighted else theme.window)
        return QColor(Qt.GlobalColor.transparent)

    def _icon_color(self) -> QColor:
        theme = self.theme
        if not self.isEnabled():
            return tint(theme.muted, theme.window, 0.6)
        if self._variant == "prominent":
            return QColor(theme.window)
        normal_color = theme.text if self._is_highlighted or self._variant != "quiet" else theme.muted
        return QColor(theme.accent if self.isChecked() else normal_color)

    @property
    def _is_highlighted(self) -> bool:
        return self.underMouse() or (self._variant == "quiet" and self.hasFocus())


class ListRowDelegate(Guarded, QStyledItemDelegate):
    """Paints the rows of a list by the theme that the list wears."""

    def __init__(self, rows: QWidget) -> None:
        super().__init__(rows)
        self._list_widget = rows

    @property
    def theme(self) -> Theme:
        """What the list wears now."""
        return theme_of(self._list_widget)

    def begin_row(
        self, painter: QPainter, option: QStyleOptionViewItem, background: str, is_enabled: bool = True
    ) -> QRectF:
        """Save the painter, and lay a tint over the ground of a row that is chosen or pointed at, if it can be; its room."""
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_enabled and option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            fraction = 0.3 if option.state & QStyle.StateFlag.State_Selected else 0.12
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint(self.theme.accent, background, fraction))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 6, 6)
        return rect


HELP_SCHEME = "quatviz-help"


def open_help_topic(topic: str) -> None:
    """Show the section of the help that a topic names; empty for what was read last."""
    QDesktopServices.openUrl(QUrl(f"{HELP_SCHEME}:{topic}"))


class HelpUrlHandler(QObject):
    """Answers these addresses from when it is made until `close`; the last one made answers."""

    topic_requested = Signal(str)
    """The topic that a person wants to read about."""

    def __init__(self) -> None:
        super().__init__()
        QDesktopServices.setUrlHandler(HELP_SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, url: QUrl) -> None:
        """Tell which topic is wanted."""
        self.topic_requested.emit(url.path() + (f"#{url.fragment()}" if url.hasFragment() else ""))

    def close(self) -> None:
        """Answer no longer."""
        QDesktopServices.unsetUrlHandler(HELP_SCHEME)


def make_learn_more_button(on_click: ClickHandler) -> QuietButton:
    """The link behind a sentence that a section of the help explains."""
    return QuietButton(tr("Learn more"), on_click, tr("What it means, and what to try"))


class MessageLabel(QFrame):
    """Hidden, and empty, until it has something to say: there is one for each field. Tab leads to the link. `look` is the
    name by which the style sheet knows the words: "refusal", or "muted" for what is no fault."""

    def __init__(
        self, margins: tuple[int, int, int, int] = (0, 0, 0, 0), text_object_name: str = "refusal"
    ) -> None:
        super().__init__()
        self._text_object_name, self._column_layout = text_object_name, column(gap=0, margins=margins)
        self.setLayout(self._column_layout)
        self.topic = ""
        self.text_label: QLabel | None = None
        self.more_button: QuietButton | None = None
        self.hide()

    def show_message(self, text: str, topic: str = "") -> None:
        """Show these words; none hide it."""
        if text:
            text_label, more_button = self._ensure_widgets()
            self.topic = topic
            text_label.setText(text)
            more_button.setAccessibleName(tr("Learn more: {said}", said=text.partition("\n")[0]))
            more_button.setVisible(bool(topic))
        self.setVisible(bool(text))

    def add_widget(self, widget: QWidget) -> None:
        """Let a way out stand below what is said."""
        self._ensure_widgets()
        self._column_layout.addWidget(widget)

    def show_refusal(self, refusal: InputError | None, with_key: bool = False) -> None:
        """Show why something was refused, with what is `with_key`; hide it where it was not."""
        if refusal is None:
            self.show_message("")
        else:
            self.show_message(format_error(refusal, "" if with_key else refusal.key), refusal.topic)

    def show_refusal_with_place(self, refusal: InputError) -> None:
        """Show a refusal with its place."""
        self.show_message(f"{tr(refusal.place)}\n{format_error(refusal, refusal.key)}", refusal.topic)

    def text(self) -> str:
        """What it says, or has said last."""
        return self.text_label.text() if self.text_label is not None else ""

    def _ensure_widgets(self) -> tuple[QLabel, QuietButton]:
        if self.text_label is None or self.more_button is None:
            self.text_label, self.more_button = (
                label(self._text_object_name),
                make_learn_more_button(lambda: open_help_topic(self.topic)),
            )
            self.more_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self._column_layout.addWidget(self.text_label)
            self._column_layout.addWidget(self.more_button)
        return self.text_label, self.more_button


_CALLOUT_WIDTH = 320
"""Width of one [pixels]."""
_GEOMETRY_EVENTS = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Callout(Guarded, MessageLabel):
    """Stands beside a field, or the area that scrolls it, over what is there, and moves no other field; where the window has no
    room at either side, below the field. It goes where the field goes. A press takes it away until more is said."""

    def __init__(self, field: QWidget) -> None:
        super().__init__((2 * GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT))
        self.setObjectName("popup")
        self.setParent(field)  # until it says something: on its own it would be a window
        self._field, self._has_message = field, False

    def show_message(self, text: str, topic: str = "") -> None:
        window = self._field.window()
        if text and self.parent() is not window:
            if self.parent() is self._field:
                self._field.destroyed.connect(self.deleteLater)  # as it would if it were still in it
            self.setParent(window)
            ancestor: QWidget | None = self._field
            while ancestor is not None and ancestor is not window:
                ancestor.installEventFilter(self)
                ancestor = ancestor.parentWidget()
        self._has_message = bool(text)
        super().show_message(text, topic)
        if text:
            self.update_tab_order()
        self._update_position()

    def update_tab_order(self) -> None:
        """Tab leads from the field to what it says; lists that open over it are windows of their own."""
        if not isValid(self._field):
            return  # this goes too, in the next turn of the event loop
        tab_stops = [
            widget
            for widget in iter_descendants(self._field)
            if Qt.FocusPolicy.TabFocus in widget.focusPolicy() and widget.window() is self.window()
        ]
        for before, after in pairwise((*(tab_stops or [self._field])[-1:], *self.findChildren(QuietButton))):
            QWidget.setTabOrder(before, after)

    def _update_position(self) -> None:
        """Where the field is in sight; else wait until it is."""
        field, window, width = self._field, self._field.window(), theme_of(self).scaled_pixels(_CALLOUT_WIDTH)
        self.setVisible(self._has_message and not field.visibleRegion().isEmpty())
        if not self._has_message:
            return
        popups = (popup for popup in window.findChildren(QFrame, "popup") if popup.isAncestorOf(field))
        area = enclosing_scroll_area(field) or next(popups, window)
        anchor, position = field if area is window else area, field.mapTo(window, QPoint())
        gap = 3 * GRID_UNIT if area is window else GRID_UNIT
        left = anchor.mapTo(window, QPoint()).x()
        x = left + anchor.width() + gap
        if x + width > window.width():
            x = left - gap - width
        if x < 0:
            x, position = position.x(), position + QPoint(0, field.height())
        height = self._column_layout.totalHeightForWidth(width)
        top = area.mapTo(window, QPoint()).y()
        box = QRect(x, min(max(position.y(), top), top + area.height() - height), width, height)
        for other in window.findChildren(Callout):
            if other is not self and other.isVisible() and other.geometry().intersects(box):
                box.moveTop(other.geometry().bottom() + GRID_UNIT)
                if box.bottom() > top + area.height():
                    box.moveBottom(other.geometry().top() - GRID_UNIT)
        self.setGeometry(box)
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.show_message("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _GEOMETRY_EVENTS and isValid(self._field):
            self._update_position()
        return False


class PointBubble(Guarded, QLabel):
    """Lines of words beside a place in a widget, which the pointer passes through; `marked` ones are HTML. They go where the widget
    has another size, for the place is elsewhere, and where the pointer leaves it."""

    def __init__(self, target: QWidget, rich_text: bool = False) -> None:
        super().__init__(target)
        self._target, self._separator = target, "<br>" if rich_text else "\n"
        self.setObjectName("bubble")
        self.setTextFormat(Qt.TextFormat.RichText if rich_text else Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Leave):
            self.hide()
        return False

    def show_at(self, lines: Sequence[str], point: QPoint) -> None:
        """Show these lines beside a place of the widget, inside it."""
        self.setText(self._separator.join(lines))
        self.adjustSize()
        target = self._target
        left = point.x() + 2 * GRID_UNIT
        if left + self.width() > target.width():
            left = point.x() - 2 * GRID_UNIT - self.width()
        top = min(max(point.y() - self.height() // 2, 0), max(target.height() - self.height(), 0))
        self.move(max(left, 0), top)
        self.show()
        self.raise_()


_TEXT_MARGIN = 2
"""Pixels that Qt leaves at both ends of a line of text."""
_UNDO_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class LineEntry(Guarded, QLineEdit):
    """One line of text. `committed` by Enter or by leaving it, if something was typed; Escape takes that back. Arrow keys and, once
    it has the focus, the wheel step a number: ten times as far with Shift, or by page keys, a tenth with Ctrl."""

    committed = Signal()
    reverted = Signal()

    def __init__(self, name: str = "", placeholder: str = "") -> None:
        """`name` is what screen readers call it, `placeholder` stands there while nothing else does."""
        super().__init__(placeholderText=placeholder)
        self.setAccessibleName(name)
        self._run_text = ""
        self._stepping: DecimalStepper | None = None
        """How it was stepped, which goes on as long as its text is what that has made."""
        self.continues_step = False
        """Whether what was committed last is one with what was before, as steps that follow each other are."""
        self.setMinimumWidth(48)
        self.editingFinished.connect(self._commit_if_modified)

    def show_text(self, text: str) -> None:
        """Show what the run has."""
        self._run_text = text
        if text != self.text() or self.isModified():
            self.setText(text)  # which also forgets what was typed
            self.setCursorPosition(0)

    def revert(self) -> None:
        """Show again what the run has."""
        self.show_text(self._run_text)

    @property
    def displayed_text(self) -> str:
        """What stands there: a number that has no room is rounded, not cut, but for who is at it."""
        available, advance = self._text_rect().width(), self.fontMetrics().horizontalAdvance
        return (
            self.text()
            if self.hasFocus()
            else shorten_number(self.text(), lambda text: advance(text) <= available)
        )

    def _text_rect(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        return self.style().subElementRect(part, option, self).adjusted(_TEXT_MARGIN, 0, -_TEXT_MARGIN, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        displayed = self.displayed_text
        if displayed == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawText(self._text_rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, displayed)

    def select_range(self, start: int, stop: int) -> None:
        """Select what is wrong in the text, counted without the blanks before it."""
        blanks = len(self.text()) - len(self.text().lstrip())
        self.setSelection(blanks + start, stop - start)

    def set_refused(self, refused: bool) -> None:
        """Frame it as refused, or no longer."""
        self.setProperty("refused", refused)
        self.style().unpolish(self)  # a style sheet reads a property only when asked to
        self.style().polish(self)

    @property
    def is_pending(self) -> bool:
        """Whether its text is not what the run has."""
        return self.text() != self._run_text

    def _commit_if_modified(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.continues_step = False
            self.committed.emit()

    def event(self, event: QEvent) -> bool:
        # With nothing typed, undo means the last edit of the run, which the window's own keys do.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not self.isModified() and any(event.matches(key) for key in _UNDO_KEYS):
                event.ignore()
                return False
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return bool(super().event(event))

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y() + event.angleDelta().x()
        if not (self.hasFocus() and delta and self._step_number(1 if delta > 0 else -1, event.modifiers())):
            event.ignore()  # the panel that it stands in scrolls

    def _step_number(self, steps: int, modifiers: Qt.KeyboardModifier) -> bool:
        """Step the number, if it is one, and have it taken."""
        stepping, text = self._stepping, self.text()
        if stepping is None or stepping.text != text:
            stepping = DecimalStepper.from_text(text)
        self.continues_step = stepping is self._stepping and not self.is_pending
        if stepping is None or self.isReadOnly():
            return False
        coarse, fine = (
            Qt.KeyboardModifier.ShiftModifier in modifiers,
            Qt.KeyboardModifier.ControlModifier in modifiers,
        )
        self._stepping = stepping.stepped(steps, int(fine) - int(coarse))
        self.setText(self._stepping.text)
        self.setCursorPosition(0)  # or digits before the step would be out of sight where there are many
        self.committed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        count = steps[Qt.Key(event.key())] if event.key() in steps else 0
        if count and (self._step_number(count, event.modifiers()) or abs(count) > 1):
            return  # page keys would scroll the field out of sight
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        else:
            if self.is_pending:
                self.revert()
            else:
                self.window().setFocus()  # keys play and pause again
            self.reverted.emit()


class ParsedEntry(LineEntry):
    """One whose text means something, or is refused by an `InputError`: framed, with the reason beside it, when it is left."""

    def __init__(self, parse: Callable[[str], Any], name: str = "", placeholder: str = "") -> None:
        super().__init__(name, placeholder)
        self._parse, self.callout = parse, Callout(self)
        self.committed.connect(self._validate)

    def read_value(self) -> Any:
        """What its text means; an `InputError`, said here too, where that is nothing."""
        self.show_refusal(None)
        try:
            return self._parse(self.text())
        except InputError as refusal:
            self.show_refusal(refusal)
            raise

    def show_refusal(self, refusal: InputError | None) -> None:
        """Say here why it is refused, or, with None, nothing any more."""
        self.set_refused(refusal is not None)
        self.callout.show_refusal(refusal)

    def show_text(self, text: str) -> None:
        super().show_text(text)
        self.show_refusal(None)

    def _validate(self) -> None:
        with suppress(InputError):
            self.read_value()


class Draggable(Guarded, QWidget):
    """A widget whose parts a hand may hold: all keys are its own meanwhile, and Escape puts back what was."""

    @property
    def is_dragging(self) -> bool:
        """Whether a hand is at it."""
        raise NotImplementedError

    def cancel_drag(self) -> None:
        """Have what is held as it was when it was taken, and let go of it."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.is_dragging:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.cancel_drag()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.is_dragging:
            event.accept()  # no key of the window matters
            return True
        return bool(super().event(event))


_PAGE_ROWS = 8
"""Rows that a page key goes over."""


class SearchField(Guarded, QLineEdit):
    """Where a person types what is sought. Enter is told, and keys that move among what is found."""

    stepped = Signal(int)
    """So many rows down, or up."""

    def __init__(self, placeholder: str, name: str = "") -> None:
        super().__init__(placeholderText=placeholder, clearButtonEnabled=True)
        self.setAccessibleName(name or placeholder)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -_PAGE_ROWS,
            Qt.Key.Key_PageDown: _PAGE_ROWS,
        }
        if event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class NavigableList(QListWidget):
    """Rows, of which those that cannot be chosen are stepped over."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def step(self, count: int) -> None:
        """Choose the row so many further down, or the next one in this direction that can be."""
        row = min(max(self.currentRow() + count, 0), self.count() - 1)
        while 0 <= row < self.count() and not self.item(row).flags() & Qt.ItemFlag.ItemIsSelectable:
            row += 1 if count > 0 else -1
        if 0 <= row < self.count():
            self.setCurrentRow(row)


class CheckList(Guarded, QListWidget):
    """Names with a box each."""

    def __init__(self, accessible_name: str) -> None:
        super().__init__()
        self.setAccessibleName(accessible_name)
        self.setObjectName("ticks")
        self._pressed_state = Qt.CheckState.Unchecked
        """How the one stood that is clicked, before its box took the click if it was that."""
        self.itemClicked.connect(
            lambda item: self.toggle(item) if item.checkState() == self._pressed_state else None
        )
        self.ensurePolished()  # or names that come before it is shown would stand without the room that the style gives them

    def add_name(self, name: str, text: str, checked: bool, disabled_reason: str = "") -> None:
        """One more name; one that is `disabled_reason` cannot be ticked, and says why."""
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setFlags(
            Qt.ItemFlag.NoItemFlags
            if disabled_reason
            else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setCheckState(
            Qt.CheckState.Checked if checked and not disabled_reason else Qt.CheckState.Unchecked
        )
        item.setToolTip(tooltip_text(disabled_reason))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, disabled_reason)
        self.addItem(item)

    def viewportEvent(self, event: QEvent) -> bool:
        """Of two quick presses the list tells neither of the second, nor that it was a double one where that is on a box."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            assert isinstance(event, QMouseEvent)
            item = self.itemAt(event.position().toPoint())
            self._pressed_state = item.checkState() if item is not None else self._pressed_state
        return bool(super().viewportEvent(event))

    def moveCursor(self, action: QListWidget.CursorAction, keys: Qt.KeyboardModifier) -> QModelIndex:
        """As the list does, but among the names that are seen: Home led to the first of all, hidden or not."""
        visible_rows = [row for row in range(self.count()) if not self.isRowHidden(row)]
        index = super().moveCursor(action, keys)
        nearest = min(visible_rows, key=lambda row: abs(row - index.row()), default=index.row())
        return self.indexFromItem(self.item(nearest)) if index.isValid() and visible_rows else index

    def toggle(self, item: QListWidgetItem) -> None:
        """Tick it, or take its tick away, unless it is barred."""
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            is_checked = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if is_checked else Qt.CheckState.Checked)

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [item.data(Qt.ItemDataRole.UserRole) for item in self._items()]

    @property
    def checked_names(self) -> list[str]:
        """Those that are ticked."""
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in self._items()
            if item.checkState() == Qt.CheckState.Checked
        ]

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]


class CollapsibleEntry(QWidget):
    """A line of text that few need, behind a quiet button that opens it; left empty it folds up again."""

    def __init__(self, button_text: str, example: str) -> None:
        super().__init__()
        self.button, self.entry = (
            QuietButton(button_text, self._expand),
            LineEntry(button_text.rstrip("…"), example),
        )
        self.entry.hide()
        self.entry.editingFinished.connect(self._collapse)
        self.setLayout(column(self.button, self.entry, gap=0))

    @property
    def text(self) -> str:
        """What is typed; empty where nothing is."""
        return self.entry.text().strip()

    def _expand(self) -> None:
        self.button.hide()
        self.entry.show()
        self.entry.setFocus()

    def _collapse(self) -> None:
        self.entry.setVisible(bool(self.text))
        self.button.setVisible(not self.text)


_ITEM_FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1
"""Where what stands in a box keeps whether it can be chosen."""


class ChoiceBox(Guarded, QComboBox):
    """A choice of named things. The wheel scrolls the panel that it stands in, never the choice."""

    chosen = Signal(object)

    def __init__(
        self,
        choices: Mapping[Any, str],
        name: str = "",
        min_characters: int = 6,
        parent: QWidget | None = None,
    ) -> None:
        """`name` is what screen readers call it; it has room for so many `min_characters` at least."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(min_characters)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own draws no ground under the chosen row
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.set_choices(choices)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def set_choices(self, choices: Mapping[Any, str], disabled: Mapping[Any, str] | None = None) -> None:
        """Offer these things, and no others; what is chosen stays where it is among them. Those that are `callout`, each for a
        reason, are seen and cannot be chosen."""
        previous = self.value
        self.clear()
        for value, text in choices.items():
            self.addItem(text, value)
        for value, reason in (disabled or {}).items():
            self.setItemData(self.findData(value), Qt.ItemFlag.NoItemFlags.value, _ITEM_FLAGS_ROLE)
            self.setItemData(self.findData(value), tooltip_text(reason), Qt.ItemDataRole.ToolTipRole)
        if previous in choices:
            self.show_value(previous)

    @property
    def value(self) -> object:
        """What is chosen."""
        return self.currentData()

    def show_value(self, value: object) -> None:
        """Show a choice, which need not be among those that were offered."""
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        self.setCurrentIndex(self.findData(value))

    def showPopup(self) -> None:
        """As wide as its words, where the box is not."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * GRID_UNIT)
        super().showPopup()

    def hidePopup(self) -> None:
        """The pointer may be elsewhere now: Qt tells nobody that it left while the list was open."""
        super().hidePopup()
        is_under_mouse = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_under_mouse)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """With an ellipsis where the words have no room: styled boxes cut a letter in two."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        available = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        text = option.currentText
        option.currentText = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, available)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, CHEVRON_INSET)


class ReadOnlyTable(QTableWidget):
    """A table that is read, not written."""

    def __init__(self, name: str, rows: int = 0, columns: int = 0) -> None:
        super().__init__(rows, columns)
        self.setAccessibleName(name)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setDefaultSectionSize(3 * GRID_UNIT)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)

    def set_column_titles(self, titles: Sequence[str], numeric_columns: Container[int]) -> None:
        """Name the columns, of which some have `numeric_columns`."""
        self.setColumnCount(len(titles))
        for column, title in enumerate(titles):
            self.setHorizontalHeaderItem(column, _make_cell(title, column in numeric_columns))

    def set_cell(self, row: int, column: int, text: str, is_number: bool) -> QTableWidgetItem:
        """Let a cell say this; what is there already gets another text where that differs."""
        item = self.item(row, column)
        if item is None:
            item = _make_cell(text, is_number)
            self.setItem(row, column, item)
        elif item.text() != text:
            item.setText(text)
        return item


def _make_cell(text: str, is_number: bool) -> QTableWidgetItem:
    """Numbers end at the right."""
    item = QTableWidgetItem(text)
    alignment = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)
    return item

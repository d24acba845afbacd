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
from quatviz.base.formatting import Stepping, fitted_number, refusal_text
from quatviz.base.translation import told, tr
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.ui.widgets.focus import in_order, seen_at, widgets_in
from quatviz.ui.widgets.guard import Guarded, guarded
from quatviz.ui.widgets.painting import ICON, icon
from quatviz.ui.widgets.style import Painted, theme_of, tint

CHEVRON = 14.0
"""Of a `ChoiceBox`: from its middle to the right [pixels]."""


def draw_chevron(widget: QWidget, inset: float) -> None:
    """The mark of a box that opens downwards, for the style sheet removes the platform's own: draw it on `widget`, in its
    `paintEvent`, its middle `inset` pixels from the right."""
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(widget.palette().color(QPalette.ColorRole.Text), 1.5))
        x, y = widget.width() - inset, widget.height() / 2
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])


def bring_forward(window: QWidget) -> None:
    """Let a window be seen before all others, with the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


class Dialog(Guarded, QDialog):
    """Qt asks a window's layout how low it may be as if words that wrap stood in one line; this one asks for its width, as soon
    as that is known: one that is not shown yet may be of any. It goes when it is closed, unless it is `kept`."""

    def __init__(self, title: str, parent: QWidget | None, kept: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("{title} – quatviz", title=title))  # or Qt adds the name behind another dash
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, not kept)

    def appear(self) -> None:
        """Come to the front."""
        bring_forward(self)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Resize):
            self._hold()
        return done

    @guarded
    def _hold(self) -> None:
        layout = self.layout()
        if self.isVisible() and layout is not None and layout.hasHeightForWidth():
            least = layout.totalMinimumHeightForWidth(self.width())
            if least != self.minimumHeight():
                self.setMinimumHeight(least)


class ElidedLabel(Guarded, QLabel):
    """As wide as it is given; `text` stays whole."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def seen(self) -> str:
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
            self.seen,
            self.foregroundRole(),
        )
        painter.end()


Do = Callable[..., object] | SignalInstance
"""What a button does: something that is called, or a signal that is passed on."""


_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Button(Guarded, QPushButton):
    """Does something, which its tip says at more length; the style sheet knows it by the name `look`. With the focus it is pressed
    by Enter too, which Qt has so in dialogs only."""

    def __init__(self, text: str, do: Do | None = None, tip: str = "", look: str = "") -> None:
        super().__init__(text)
        self.setObjectName(look)
        self.setToolTip(tip)
        if do is not None:
            self.clicked.connect(do)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)


class QuietButton(Button):
    """Adds or removes something, and looks like a link."""

    def __init__(self, text: str, do: Do | None = None, tip: str = "") -> None:
        super().__init__(text, do, tip, "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.setCursor(Qt.CursorShape.PointingHandCursor)


Part = QWidget | QLayout | int | None | tuple[QWidget | QLayout, int]
"""Of a layout: a number is a gap of so many pixels, None takes what room is left, as does a part by the share beside it."""


def column(*parts: Part, gap: int = UNIT, margins: int | tuple[int, int, int, int] = 0) -> QVBoxLayout:
    """Parts below each other, so far apart; `margins` are left, top, right and bottom, or one for all [pixels]."""
    return _filled(QVBoxLayout(), parts, gap, margins)


def row(*parts: Part, gap: int = UNIT, margins: int | tuple[int, int, int, int] = 0) -> QHBoxLayout:
    """Parts beside each other, likewise."""
    return _filled(QHBoxLayout(), parts, gap, margins)


_Box = TypeVar("_Box", QVBoxLayout, QHBoxLayout)


def _filled(box: _Box, parts: Sequence[Part], gap: int, margins: int | tuple[int, int, int, int]) -> _Box:
    box.setSpacing(gap)
    box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    for part in parts:
        one, share = part if isinstance(part, tuple) else (part, 0)
        if one is None:
            box.addStretch(1)
        elif isinstance(one, int):
            box.addSpacing(one)
        elif isinstance(one, QWidget):
            box.addWidget(one, share)
        else:
            box.addLayout(one, share)
    return box


def held(layout: QLayout) -> QWidget:
    """A widget that is nothing but this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def divided(
    *parts: tuple[QWidget, int], grows: int, way: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """Parts with their sizes [pixels], between which a person can draw the line. That of the number `grows` takes what
    room there is more."""
    splitter = QSplitter(way)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for number, (part, _) in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(number, int(number == grows))
    splitter.setSizes([size for _, size in parts])
    return splitter


def form_of(rows: Mapping[str, QWidget | QLayout]) -> QFormLayout:
    """Fields below each other, each with its name."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * UNIT)
    form.setVerticalSpacing(UNIT)
    for text, field in rows.items():
        form.addRow(text, field)
        if isinstance(field, QWidget):
            field.setAccessibleName(text)
    return form


def scrolling(layout: QLayout, area: QScrollArea | None = None) -> QScrollArea:
    """This layout in an area that scrolls it up and down and leaves the keys to what is inside."""
    area = area or QScrollArea()
    area.setWidget(held(layout))
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class Scrolled(Guarded, QScrollArea):
    """Scrolls up and down, and is as wide as the words need that cannot wrap, in the type of now."""

    relaid = Signal()
    """It may need another width."""

    def minimumSizeHint(self) -> QSize:
        part, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        wide = 0 if part is None else part.minimumSizeHint().width() + bar
        return QSize(wide, super().minimumSizeHint().height())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part has other words, or another type
            self.updateGeometry()
            self.relaid.emit()
        return bool(super().viewportEvent(event))


class Remarks(Scrolled):
    """Words as high as they are, and where there is less room they scroll, two lines in sight."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        wide, part = self.viewport().width(), self.widget()
        return QSize(wide, 0 if part is None or wide <= 0 else part.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(2 * self.fontMetrics().height(), self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


def _area_of(widget: QWidget) -> QScrollArea | None:
    """What scrolls it, if anything does."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


_LAID_OUT = 8
"""So many turns of the event loop it takes at most until what has come or gone is laid out: words that wrap are given too much
height at first, and their own later."""
_KEPT: WeakKeyDictionary[QWidget, int] = WeakKeyDictionary()
"""The heights in their views at which widgets are kept, while they are."""


def keep_in_place(part: QWidget) -> None:
    """Something in a part of a scrolled area comes or goes in this moment: scroll the area while that is laid out, so that what is
    dragged, or has the focus, stays where it is, under the hand that is at it; or else what is seen in the middle, where it is
    scrolled at all."""
    area, widget = _area_of(part), QWidget.keyboardGrabber() or QApplication.focusWidget()
    if area is None:
        return
    view, bar = area.viewport(), area.verticalScrollBar()
    if widget is None or not view.isAncestorOf(widget):
        widget = seen_at(view, view.rect().center()) if bar.value() else None
    if widget is None:
        return
    # By a call whose turns are not over it is kept already: it has moved, and is not where it was.
    before = _KEPT.setdefault(widget, widget.mapTo(view, QPoint()).y())

    def scroll(turns: int = _LAID_OUT) -> None:
        inside = isValid(view) and view.isAncestorOf(widget)
        if not (turns and inside):
            _KEPT.pop(widget, None)
        if not inside:
            return  # it has been taken elsewhere meanwhile
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bar.setValue(bar.value() + widget.mapTo(view, QPoint()).y() - before)
        if turns:
            QTimer.singleShot(0, widget, lambda: scroll(turns - 1))

    QTimer.singleShot(0, widget, scroll)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """All widgets in a layout, and in the layouts of these, one after another. None is asked for by `itemAt`: PySide keeps what
    that gives while the layout stands, also where Qt deletes it, and dies of the next thing that Qt makes in its place."""
    parts: list[QWidget | QLayout] = [
        one
        for one in (*layout.children(), *layout.parentWidget().children())
        if isinstance(one, QWidget | QLayout) and layout.indexOf(one) >= 0
    ]
    for part in sorted(parts, key=layout.indexOf):
        inside = part if isinstance(part, QLayout) else part.layout()
        yield from [part] if isinstance(part, QWidget) else []
        yield from [] if inside is None else _laid_out(inside)


def tab_as_laid_out(layout: QLayout) -> None:
    """Let Tab lead through what stands in a layout from one to the next: Qt has it lead to what was made last in the end. What
    callouts say still follows their fields."""
    part = layout.parentWidget()
    chain = list(in_order(part))
    wanted = [
        one for one in _laid_out(layout) if one in chain and Qt.FocusPolicy.TabFocus in one.focusPolicy()
    ]
    if wanted != [one for one in chain if one in wanted]:
        for before, after in pairwise(wanted):
            QWidget.setTabOrder(before, after)
        for callout in part.window().findChildren(Callout):
            callout.follow_in_tabs()


READ = Qt.TextInteractionFlag.TextSelectableByMouse
"""What lets a person select the words of a label."""


def label(look: str = "", words: str = "", wraps: bool = True, read: bool = False) -> QLabel:
    """Words that wrap, unless they are told not to, and stand there as they are, whatever marks a file wrote into them; the
    style sheet knows them by the name `look`. Those that are to be `read` can be selected."""
    made = QLabel(words)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setObjectName(look)
    made.setWordWrap(wraps)
    if read:
        made.setTextInteractionFlags(READ)
    return made


def subheading(words: str) -> QLabel:
    """Over a few fields."""
    return label("subheading", words, wraps=False)


def chapters(parts: Mapping[str, QWidget | QLayout]) -> QVBoxLayout:
    """Fields below each other in groups, each with its subheading, and what room is left at the end."""
    every = (part for words, one in parts.items() for part in (subheading(words), UNIT // 2, one, 2 * UNIT))
    return column(*every, None, gap=0, margins=2 * UNIT)


def tip(words: str) -> str:
    """A tool tip of words that may come from a file: what Qt would read as HTML, and load pictures for, stands there as it
    is."""
    return f"<p style='white-space: pre'>{escape(words)}</p>" if "<" in words else words


def open_at(window: QWidget, width: int, height: int) -> None:
    """Give it this size, or what the screen has room for: not every desktop makes a window smaller that is too large. Where
    it needs more, the parts of which it consists are scrolled; what stands below them is not."""
    theme = theme_of(window)
    wanted = QSize(theme.pixels(width), theme.pixels(height))
    room = window.screen().availableGeometry().size()
    window.resize(fitting(wanted, room))
    layout, most = window.layout(), room.shrunkBy(FRAME)
    if layout is None or layout.totalMinimumSize().boundedTo(most) == layout.totalMinimumSize():
        return
    first = layout.itemAt(0)
    part = window.centralWidget() if isinstance(window, QMainWindow) else first.widget() if first else None
    if not isinstance(part, QSplitter):
        return
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if isinstance(window, QMainWindow):
        window.takeCentralWidget()
        window.setCentralWidget(area)
    else:
        layout.replaceWidget(part, area)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(part)


def fitting(wanted: QSize, room: QSize) -> QSize:
    """The size within `room`, with its frame where that is too small for it."""
    inside = room.shrunkBy(FRAME)
    width = wanted.width() if wanted.width() <= room.width() else inside.width()
    height = wanted.height() if wanted.height() <= room.height() else inside.height()
    return QSize(width, height)


def within(place: QRect, room: QRect) -> QRect:
    """The place, or, where that lies beyond the room, the nearest inside."""
    size = place.size().boundedTo(room.size())
    x = max(min(place.x(), room.right() + 1 - size.width()), room.left())
    return QRect(QPoint(x, max(min(place.y(), room.bottom() + 1 - size.height()), room.top())), size)


FRAME = QMargins(8, 40, 8, 8)
"""What a desktop puts around a window."""

TARGET = 36


class Pressable(Painted, QAbstractButton):
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
        if event.key() in _ENTER:
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()


class IconButton(Pressable):
    """`name` is an icon; `what` it does is its tool tip and accessible name; `keys`, as a person reads them, do the same. One
    whose `look` is "prominent" fills its ground; a "quiet" one has none, and pales until it is pointed at or has the focus."""

    def __init__(
        self,
        name: str,
        what: str,
        do: Do | None = None,
        keys: str = "",
        look: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._keys, self._look, self._icon = keys, look, ""
        self.say(name, what)
        if do is not None:
            self.clicked.connect(do)

    def say(self, name: str, what: str) -> None:
        """Show another icon with another meaning."""
        if (name, what) == (self._icon, self.accessibleName()):
            return
        self._icon = name
        self.setAccessibleName(what)
        self.setToolTip(f"{what} ({self._keys})" if self._keys else what)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.pixels(TARGET), self.theme.pixels(TARGET))

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ground())
        painter.drawRoundedRect(box, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        wide, ratio = theme.pixels(ICON), self.devicePixelRatioF()
        place = QRectF((self.width() - wide) / 2, (self.height() - wide) / 2, wide, wide)
        painter.drawImage(place, icon(self._icon, self._ink().name(), ratio * wide / ICON))

    def _ground(self) -> QColor:
        theme = self.theme
        if self._look == "prominent":
            part = 0.8 if self.isDown() or self.underMouse() else 1.0
            return tint(theme.accent, theme.window, part)
        if self.isDown() or self.isChecked():
            return tint(theme.accent, theme.window, 0.22)
        if self._lit or self._look != "quiet":
            return QColor(theme.raised if self._lit else theme.window)
        return QColor(Qt.GlobalColor.transparent)

    def _ink(self) -> QColor:
        theme = self.theme
        if not self.isEnabled():
            return tint(theme.muted, theme.window, 0.6)
        if self._look == "prominent":
            return QColor(theme.window)
        plain = theme.text if self._lit or self._look != "quiet" else theme.muted
        return QColor(theme.accent if self.isChecked() else plain)

    @property
    def _lit(self) -> bool:
        return self.underMouse() or (self._look == "quiet" and self.hasFocus())


class RowPainter(Guarded, QStyledItemDelegate):
    """Paints the rows of a list by the theme that the list wears."""

    def __init__(self, rows: QWidget) -> None:
        super().__init__(rows)
        self._rows = rows

    @property
    def theme(self) -> Theme:
        """What the list wears now."""
        return theme_of(self._rows)

    def begin(
        self, painter: QPainter, option: QStyleOptionViewItem, ground: str, possible: bool = True
    ) -> QRectF:
        """Save the painter, and lay a tint over the ground of a row that is chosen or pointed at, if it can be; its room."""
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if possible and option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            part = 0.3 if option.state & QStyle.StateFlag.State_Selected else 0.12
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint(self.theme.accent, ground, part))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 6, 6)
        return rect


SCHEME = "quatviz-help"


def open_topic(topic: str) -> None:
    """Show the section of the help that a topic names; empty for what was read last."""
    QDesktopServices.openUrl(QUrl(f"{SCHEME}:{topic}"))


class HelpLinks(QObject):
    """Answers these addresses from when it is made until `close`; the last one made answers."""

    wanted = Signal(str)
    """The topic that a person wants to read about."""

    def __init__(self) -> None:
        super().__init__()
        QDesktopServices.setUrlHandler(SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, url: QUrl) -> None:
        """Tell which topic is wanted."""
        self.wanted.emit(url.path() + (f"#{url.fragment()}" if url.hasFragment() else ""))

    def close(self) -> None:
        """Answer no longer."""
        QDesktopServices.unsetUrlHandler(SCHEME)


def learn_more(do: Do) -> QuietButton:
    """The link behind a sentence that a section of the help explains."""
    return QuietButton(tr("Learn more"), do, tr("What it means, and what to try"))


class RefusalLabel(QFrame):
    """Hidden, and empty, until it has something to say: there is one for each field. Tab leads to the link. `look` is the
    name by which the style sheet knows the words: "refusal", or "muted" for what is no fault."""

    def __init__(self, margins: tuple[int, int, int, int] = (0, 0, 0, 0), look: str = "refusal") -> None:
        super().__init__()
        self._look, self._room = look, column(gap=0, margins=margins)
        self.setLayout(self._room)
        self.topic = ""
        self.words: QLabel | None = None
        self.more: QuietButton | None = None
        self.hide()

    def say(self, words: str, topic: str = "") -> None:
        """Show these words; none hide it."""
        if words:
            said, more = self._made()
            self.topic = topic
            said.setText(words)
            more.setAccessibleName(tr("Learn more: {said}", said=words.partition("\n")[0]))
            more.setVisible(bool(topic))
        self.setVisible(bool(words))

    def add(self, mend: QWidget) -> None:
        """Let a way out stand below what is said."""
        self._made()
        self._room.addWidget(mend)

    def refuse(self, refusal: InputError | None, named: bool = False) -> None:
        """Show why something was refused, with what is `named`; hide it where it was not."""
        if refusal is None:
            self.say("")
        else:
            self.say(refusal_text(refusal, "" if named else refusal.key), refusal.topic)

    def explain(self, refusal: InputError) -> None:
        """Show a refusal with its place."""
        self.say(f"{told(refusal.place)}\n{refusal_text(refusal, refusal.key)}", refusal.topic)

    def text(self) -> str:
        """What it says, or has said last."""
        return self.words.text() if self.words is not None else ""

    def _made(self) -> tuple[QLabel, QuietButton]:
        if self.words is None or self.more is None:
            self.words, self.more = label(self._look), learn_more(lambda: open_topic(self.topic))
            self.more.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self._room.addWidget(self.words)
            self._room.addWidget(self.more)
        return self.words, self.more


_CALLOUT = 320
"""Width of one [pixels]."""
_PLACED = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Callout(Guarded, RefusalLabel):
    """Stands beside a field, or the area that scrolls it, over what is there, and moves no other field; where the window has no
    room at either side, below the field. It goes where the field goes. A press takes it away until more is said."""

    def __init__(self, field: QWidget) -> None:
        super().__init__((2 * UNIT, UNIT, 2 * UNIT, UNIT))
        self.setObjectName("popup")
        self.setParent(field)  # until it says something: on its own it would be a window
        self._field, self._said = field, False

    def say(self, words: str, topic: str = "") -> None:
        window = self._field.window()
        if words and self.parent() is not window:
            if self.parent() is self._field:
                self._field.destroyed.connect(self.deleteLater)  # as it would if it were still in it
            self.setParent(window)
            above: QWidget | None = self._field
            while above is not None and above is not window:
                above.installEventFilter(self)
                above = above.parentWidget()
        self._said = bool(words)
        super().say(words, topic)
        if words:
            self.follow_in_tabs()
        self._stand()

    def follow_in_tabs(self) -> None:
        """Tab leads from the field to what it says; lists that open over it are windows of their own."""
        if not isValid(self._field):
            return  # this goes too, in the next turn of the event loop
        parts = [
            one
            for one in widgets_in(self._field)
            if Qt.FocusPolicy.TabFocus in one.focusPolicy() and one.window() is self.window()
        ]
        for before, after in pairwise((*(parts or [self._field])[-1:], *self.findChildren(QuietButton))):
            QWidget.setTabOrder(before, after)

    def _stand(self) -> None:
        """Where the field is in sight; else wait until it is."""
        field, window, wide = self._field, self._field.window(), theme_of(self).pixels(_CALLOUT)
        self.setVisible(self._said and not field.visibleRegion().isEmpty())
        if not self._said:
            return
        popups = (one for one in window.findChildren(QFrame, "popup") if one.isAncestorOf(field))
        area = _area_of(field) or next(popups, window)
        beside, place = field if area is window else area, field.mapTo(window, QPoint())
        gap = 3 * UNIT if area is window else UNIT
        left = beside.mapTo(window, QPoint()).x()
        x = left + beside.width() + gap
        if x + wide > window.width():
            x = left - gap - wide
        if x < 0:
            x, place = place.x(), place + QPoint(0, field.height())
        high = self._room.totalHeightForWidth(wide)
        top = area.mapTo(window, QPoint()).y()
        box = QRect(x, min(max(place.y(), top), top + area.height() - high), wide, high)
        for other in window.findChildren(Callout):
            if other is not self and other.isVisible() and other.geometry().intersects(box):
                box.moveTop(other.geometry().bottom() + UNIT)
                if box.bottom() > top + area.height():
                    box.moveBottom(other.geometry().top() - UNIT)
        self.setGeometry(box)
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.say("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _PLACED and isValid(self._field):
            self._stand()
        return False


class Bubble(Guarded, QLabel):
    """Lines of words beside a place in a widget, which the pointer passes through; `marked` ones are HTML. They go where the widget
    has another size, for the place is elsewhere, and where the pointer leaves it."""

    def __init__(self, over: QWidget, marked: bool = False) -> None:
        super().__init__(over)
        self._over, self._gap = over, "<br>" if marked else "\n"
        self.setObjectName("bubble")
        self.setTextFormat(Qt.TextFormat.RichText if marked else Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        over.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Leave):
            self.hide()
        return False

    def show_at(self, lines: Sequence[str], at: QPoint) -> None:
        """Show these lines beside a place of the widget, inside it."""
        self.setText(self._gap.join(lines))
        self.adjustSize()
        over = self._over
        left = at.x() + 2 * UNIT
        if left + self.width() > over.width():
            left = at.x() - 2 * UNIT - self.width()
        top = min(max(at.y() - self.height() // 2, 0), max(over.height() - self.height(), 0))
        self.move(max(left, 0), top)
        self.show()
        self.raise_()


_CURSOR = 2
"""Pixels that Qt leaves at both ends of a line of text."""
_UNDO = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class Entry(Guarded, QLineEdit):
    """One line of text. `committed` by Enter or by leaving it, if something was typed; Escape takes that back. Arrow keys and, once
    it has the focus, the wheel step a number: ten times as far with Shift, or by page keys, a tenth with Ctrl."""

    committed = Signal()
    taken_back = Signal()

    def __init__(self, name: str = "", hint: str = "") -> None:
        """`name` is what screen readers call it, `hint` stands there while nothing else does."""
        super().__init__(placeholderText=hint)
        self.setAccessibleName(name)
        self._running = ""
        self._stepping: Stepping | None = None
        """How it was stepped, which goes on as long as its text is what that has made."""
        self.steps_on = False
        """Whether what was committed last is one with what was before, as steps that follow each other are."""
        self.setMinimumWidth(48)
        self.editingFinished.connect(self._finish)

    def show_text(self, text: str) -> None:
        """Show what the run has."""
        self._running = text
        if text != self.text() or self.isModified():
            self.setText(text)  # which also forgets what was typed
            self.setCursorPosition(0)

    def take_back(self) -> None:
        """Show again what the run has."""
        self.show_text(self._running)

    @property
    def seen(self) -> str:
        """What stands there: a number that has no room is rounded, not cut, but for who is at it."""
        room, wide = self._room().width(), self.fontMetrics().horizontalAdvance
        return self.text() if self.hasFocus() else fitted_number(self.text(), lambda text: wide(text) <= room)

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        return self.style().subElementRect(part, option, self).adjusted(_CURSOR, 0, -_CURSOR, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        said = self.seen
        if said == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawText(self._room(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, said)

    def point_at(self, start: int, stop: int) -> None:
        """Select what is wrong in the text, counted without the blanks before it."""
        blanks = len(self.text()) - len(self.text().lstrip())
        self.setSelection(blanks + start, stop - start)

    def mark(self, refused: bool) -> None:
        """Frame it as refused, or no longer."""
        self.setProperty("refused", refused)
        self.style().unpolish(self)  # a style sheet reads a property only when asked to
        self.style().polish(self)

    @property
    def pending(self) -> bool:
        """Whether its text is not what the run has."""
        return self.text() != self._running

    def _finish(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.steps_on = False
            self.committed.emit()

    def event(self, event: QEvent) -> bool:
        # With nothing typed, undo means the last edit of the run, which the window's own keys do.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if not self.isModified() and any(event.matches(key) for key in _UNDO):
                event.ignore()
                return False
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return bool(super().event(event))

    def wheelEvent(self, event: QWheelEvent) -> None:
        by = event.angleDelta().y() + event.angleDelta().x()
        if not (self.hasFocus() and by and self._step(1 if by > 0 else -1, event.modifiers())):
            event.ignore()  # the panel that it stands in scrolls

    def _step(self, by: int, keys: Qt.KeyboardModifier) -> bool:
        """Step the number, if it is one, and have it taken."""
        stepping, text = self._stepping, self.text()
        if stepping is None or stepping.text != text:
            stepping = Stepping.of(text)
        self.steps_on = stepping is self._stepping and not self.pending
        if stepping is None or self.isReadOnly():
            return False
        coarse, fine = Qt.KeyboardModifier.ShiftModifier in keys, Qt.KeyboardModifier.ControlModifier in keys
        self._stepping = stepping.on(by, int(fine) - int(coarse))
        self.setText(self._stepping.text)
        self.setCursorPosition(0)  # or digits before the step would be out of sight where there are many
        self.committed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        by = steps[Qt.Key(event.key())] if event.key() in steps else 0
        if by and (self._step(by, event.modifiers()) or abs(by) > 1):
            return  # page keys would scroll the field out of sight
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        else:
            if self.pending:
                self.take_back()
            else:
                self.window().setFocus()  # keys play and pause again
            self.taken_back.emit()


class ReadEntry(Entry):
    """One whose text means something, or is refused by an `InputError`: framed, with the reason beside it, when it is left."""

    def __init__(self, meant: Callable[[str], Any], name: str = "", hint: str = "") -> None:
        super().__init__(name, hint)
        self._meant, self.refused = meant, Callout(self)
        self.committed.connect(self._check)

    def read(self) -> Any:
        """What its text means; an `InputError`, said here too, where that is nothing."""
        self.refuse(None)
        try:
            return self._meant(self.text())
        except InputError as refusal:
            self.refuse(refusal)
            raise

    def refuse(self, refusal: InputError | None) -> None:
        """Say here why it is refused, or, with None, nothing any more."""
        self.mark(refusal is not None)
        self.refused.refuse(refusal)

    def show_text(self, text: str) -> None:
        super().show_text(text)
        self.refuse(None)

    def _check(self) -> None:
        with suppress(InputError):
            self.read()


class Grasp(Guarded, QWidget):
    """A widget whose parts a hand may hold: all keys are its own meanwhile, and Escape puts back what was."""

    @property
    def held(self) -> bool:
        """Whether a hand is at it."""
        raise NotImplementedError

    def put_back(self) -> None:
        """Have what is held as it was when it was taken, and let go of it."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.held:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.put_back()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.held:
            event.accept()  # no key of the window matters
            return True
        return bool(super().event(event))


_PAGE = 8
"""Rows that a page key goes over."""


class SearchField(Guarded, QLineEdit):
    """Where a person types what is sought. Enter is told, and keys that move among what is found."""

    stepped = Signal(int)
    """So many rows down, or up."""

    def __init__(self, asks: str, name: str = "") -> None:
        super().__init__(placeholderText=asks, clearButtonEnabled=True)
        self.setAccessibleName(name or asks)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_PAGE, Qt.Key.Key_PageDown: _PAGE}
        if event.key() in keys:
            self.stepped.emit(keys[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class SteppedList(QListWidget):
    """Rows, of which those that cannot be chosen are stepped over."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def step(self, by: int) -> None:
        """Choose the row so many further down, or the next one in this direction that can be."""
        row = min(max(self.currentRow() + by, 0), self.count() - 1)
        while 0 <= row < self.count() and not self.item(row).flags() & Qt.ItemFlag.ItemIsSelectable:
            row += 1 if by > 0 else -1
        if 0 <= row < self.count():
            self.setCurrentRow(row)


class Ticks(Guarded, QListWidget):
    """Names with a box each."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.setAccessibleName(what)
        self.setObjectName("ticks")
        self._pressed = Qt.CheckState.Unchecked
        """How the one stood that is clicked, before its box took the click if it was that."""
        self.itemClicked.connect(
            lambda item: self.toggle(item) if item.checkState() == self._pressed else None
        )
        self.ensurePolished()  # or names that come before it is shown would stand without the room that the style gives them

    def add(self, name: str, text: str, on: bool, barred: str = "") -> None:
        """One more name; one that is `barred` cannot be ticked, and says why."""
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setFlags(
            Qt.ItemFlag.NoItemFlags if barred else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setCheckState(Qt.CheckState.Checked if on and not barred else Qt.CheckState.Unchecked)
        item.setToolTip(tip(barred))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, barred)
        self.addItem(item)

    def viewportEvent(self, event: QEvent) -> bool:
        """Of two quick presses the list tells neither of the second, nor that it was a double one where that is on a box."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            assert isinstance(event, QMouseEvent)
            item = self.itemAt(event.position().toPoint())
            self._pressed = item.checkState() if item is not None else self._pressed
        return bool(super().viewportEvent(event))

    def moveCursor(self, action: QListWidget.CursorAction, keys: Qt.KeyboardModifier) -> QModelIndex:
        """As the list does, but among the names that are seen: Home led to the first of all, hidden or not."""
        seen = [row for row in range(self.count()) if not self.isRowHidden(row)]
        place = super().moveCursor(action, keys)
        nearest = min(seen, key=lambda row: abs(row - place.row()), default=place.row())
        return self.indexFromItem(self.item(nearest)) if place.isValid() and seen else place

    def toggle(self, item: QListWidgetItem) -> None:
        """Tick it, or take its tick away, unless it is barred."""
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            on = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [item.data(Qt.ItemDataRole.UserRole) for item in self._items()]

    @property
    def ticked(self) -> list[str]:
        """Those that are ticked."""
        return [
            item.data(Qt.ItemDataRole.UserRole)
            for item in self._items()
            if item.checkState() == Qt.CheckState.Checked
        ]

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]


class FoldedEntry(QWidget):
    """A line of text that few need, behind a quiet button that opens it; left empty it folds up again."""

    def __init__(self, words: str, example: str) -> None:
        super().__init__()
        self.button, self.entry = QuietButton(words, self._open), Entry(words.rstrip("…"), example)
        self.entry.hide()
        self.entry.editingFinished.connect(self._fold)
        self.setLayout(column(self.button, self.entry, gap=0))

    @property
    def text(self) -> str:
        """What is typed; empty where nothing is."""
        return self.entry.text().strip()

    def _open(self) -> None:
        self.button.hide()
        self.entry.show()
        self.entry.setFocus()

    def _fold(self) -> None:
        self.entry.setVisible(bool(self.text))
        self.button.setVisible(not self.text)


_FLAGS = Qt.ItemDataRole.UserRole - 1
"""Where what stands in a box keeps whether it can be chosen."""


class ChoiceBox(Guarded, QComboBox):
    """A choice of named things. The wheel scrolls the panel that it stands in, never the choice."""

    chosen = Signal(object)

    def __init__(
        self, choices: Mapping[Any, str], name: str = "", letters: int = 6, parent: QWidget | None = None
    ) -> None:
        """`name` is what screen readers call it; it has room for so many `letters` at least."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own draws no ground under the chosen row
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.offer(choices)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))

    def offer(self, choices: Mapping[Any, str], refused: Mapping[Any, str] | None = None) -> None:
        """Offer these things, and no others; what is chosen stays where it is among them. Those that are `refused`, each for a
        reason, are seen and cannot be chosen."""
        before = self.value
        self.clear()
        for value, text in choices.items():
            self.addItem(text, value)
        for value, reason in (refused or {}).items():
            self.setItemData(self.findData(value), Qt.ItemFlag.NoItemFlags.value, _FLAGS)
            self.setItemData(self.findData(value), tip(reason), Qt.ItemDataRole.ToolTipRole)
        if before in choices:
            self.show_value(before)

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
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * UNIT)
        super().showPopup()

    def hidePopup(self) -> None:
        """The pointer may be elsewhere now: Qt tells nobody that it left while the list was open."""
        super().hidePopup()
        here = self.rect().contains(self.mapFromGlobal(QCursor.pos()))
        self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, here)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """With an ellipsis where the words have no room: styled boxes cut a letter in two."""
        super().initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        words = option.currentText
        option.currentText = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        draw_chevron(self, CHEVRON)


class ReadTable(QTableWidget):
    """A table that is read, not written."""

    def __init__(self, name: str, rows: int = 0, columns: int = 0) -> None:
        super().__init__(rows, columns)
        self.setAccessibleName(name)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setDefaultSectionSize(3 * UNIT)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setHighlightSections(False)

    def entitle(self, titles: Sequence[str], numbers: Container[int]) -> None:
        """Name the columns, of which some have `numbers`."""
        self.setColumnCount(len(titles))
        for column, title in enumerate(titles):
            self.setHorizontalHeaderItem(column, _cell(title, column in numbers))

    def put(self, row: int, column: int, text: str, number: bool) -> QTableWidgetItem:
        """Let a cell say this; what is there already gets another text where that differs."""
        item = self.item(row, column)
        if item is None:
            item = _cell(text, number)
            self.setItem(row, column, item)
        elif item.text() != text:
            item.setText(text)
        return item


def _cell(text: str, number: bool) -> QTableWidgetItem:
    """Numbers end at the right."""
    item = QTableWidgetItem(text)
    side = Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item

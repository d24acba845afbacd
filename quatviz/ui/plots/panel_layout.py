"""Puts panels where a person wants them: on the board, alone on it, on top of each other, or in windows."""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QRubberBand, QScrollArea, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base import PaintedPanel, Panel, TimePanel, WidgetPanel
from quatviz.display.panels.base.globe import GlobePanel
from quatviz.display.view_state.arrangement import Arrangement, Box, Layout, Stack
from quatviz.display.view_state.choices import Choices
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.plots.globe_view import GlobeView
from quatviz.ui.plots.painted_view import PaintedView
from quatviz.ui.plots.panel_view import Given, PanelView
from quatviz.ui.plots.rows import LegendRow, TitleRow
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.controls import FRAME, column, label, row, within
from quatviz.ui.widgets.style import Styled, clear


class Arranger(QObject):
    """Moves `slots` between the board's `grid` and windows. It knows where panels stand, not which are wanted."""

    said = Signal(str)
    over = Signal(str)
    """What was said holds no longer."""

    def __init__(
        self,
        slots: "Sequence[Slot]",
        grid: "Grid",
        make_window: "Callable[[str], FloatWindow]",
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._slots = {slot.name: slot for slot in slots}
        self._grid = grid
        self._make_window = make_window
        self.arrangement = Arrangement(list(self._slots))
        """What a person asks for; `changed` asks for another `arrange`."""
        self._places: list[Stack] = []
        self._way_back = ""
        self._mark = QRubberBand(QRubberBand.Shape.Rectangle, grid.content)
        """Over the place to which a title is dragged."""
        self.windows: dict[str, FloatWindow] = {}
        grid.resized.connect(self.place)
        for slot in slots:
            slot.problem.connect(self.dress)

    # What a person can ask for

    @property
    def maximised(self) -> str | None:
        """The panel that has the whole board, if it is there."""
        shown = {name for place in self._places for name in place.names}
        return self.arrangement.maximised if self.arrangement.maximised in shown else None

    def toggle(self, name: str) -> None:
        """What a double click on a title does: as large as possible, or as it was."""
        if name in self.windows:
            self.windows[name].toggle_size()
        elif self.maximised == name:
            self.arrangement.maximise(None)
        else:
            self.maximise(name)

    def maximise(self, name: str) -> None:
        """Give a panel the whole board, and say how to give it back."""
        self.arrangement.maximise(name)
        title = tr(self._slots[name].kind.title)
        self._way_back = tr(
            "{title} alone: Escape or a double click on its title shows all panels again", title=title
        )
        self.said.emit(self._way_back)

    def bring_forward(self, name: str) -> None:
        """Show this one of the panels that share its place."""
        self.arrangement.bring_forward(name)

    def neighbours(self, name: str) -> dict[str, str]:
        """What a panel can change places with: words for the direction, and the panel there."""
        fronts = [place.front for place in self._places]
        if name not in fronts or len(fronts) < 2:
            return {}
        at = fronts.index(name)
        columns = self._grid.columns
        ways = {tr("up"): at - columns, tr("down"): at + columns}
        if columns > 1:
            ways[tr("to the other column")] = at + 1 if at % columns == 0 else at - 1
        return {words: fronts[way] for words, way in ways.items() if 0 <= way < len(fronts)}

    @property
    def layout(self) -> Layout:
        """Where panels stand, but for the one that has the whole board."""
        for name, window in self.windows.items():
            self.arrangement.floating[name] = window.box
        return self.arrangement.layout

    # What the board asks for

    @property
    def legends(self) -> list[LegendRow]:
        """The legends of the windows."""
        return [window.legend for window in self.windows.values()]

    @property
    def fronts(self) -> list[str]:
        """The panels that are drawn, in their order: those on the board, then those in windows."""
        return [*(place.front for place in self._places), *self.windows]

    def arrange(self, wanted: Collection[str], info: RunInfo) -> None:
        """Place these panels, in so many windows as it takes."""
        self._places = self.arrangement.places(wanted)
        if self.maximised is None:
            self.over.emit(self._way_back)
        floating = [name for name in self.arrangement.floating if name in wanted]
        for name in [name for name in self.windows if name not in floating]:
            self._close_window(name)
        self.place()
        for name in floating:
            if name not in self.windows:
                self._open_window(name, info)

    def place(self) -> None:
        """Give the panels on the board their height, which may have changed, and the lowest the times; or all, where
        the lowest may be out of sight."""
        slots = [self._slots[place.front] for place in self._places]
        over_time = [isinstance(slot.view, TimeView) for slot in slots]
        crowded = self._grid.crowded([slot.least for slot in slots])
        numbered = set(range(len(slots))) if crowded else self._grid.lowest(over_time)
        for number, slot in enumerate(slots):
            if isinstance(slot.view, TimeView):
                slot.view.number_times(number in numbered)
        self._grid.place(slots)

    def shut_down(self) -> None:
        """Close every window."""
        for name in list(self.windows):
            self._close_window(name)

    def _open_window(self, name: str, info: RunInfo) -> None:
        slot = self._slots[name]
        window = self.windows[name] = self._make_window(tr(slot.kind.title))
        # The window is in the middle of closing: it goes when that is over.
        window.closed.connect(lambda: QTimer.singleShot(0, self, partial(self._give_back, name, window)))
        window.legend.start(info)
        window.take(slot)
        if isinstance(slot.view, TimeView):
            slot.view.number_times(True)
        window.place_at(self.arrangement.floating[name], slot.weight)
        window.show()

    def _give_back(self, name: str, window: "FloatWindow") -> None:
        if self.windows.get(name) is window:
            self.arrangement.dock(name)

    def _close_window(self, name: str) -> None:
        """Take the panel out of its window first, or it would go with it."""
        window, slot = self.windows.pop(name), self._slots[name]
        if name in self.arrangement.floating:
            self.arrangement.floating[name] = window.box
        slot.hide()
        slot.setParent(self._grid.content)
        window.discard()

    # Titles

    def dress(self, *_: object) -> None:
        """Give each title its tabs and what it can be asked for."""
        tabs = {place.front: place.names for place in self._places}
        for name, slot in self._slots.items():
            names = tabs.get(name, ())
            shared = names if len(names) > 1 else ()
            slot.dress(self, tuple((other, tr(self._slots[other].kind.title)) for other in shared))
        self.place()

    def drag(self, name: str, at: QPoint) -> None:
        """A person drags a title over a place of the screen."""
        target = self._under(name, at)
        self._mark.setVisible(target is not None)
        if target is not None:
            slot = self._slots[target]
            self._mark.setGeometry(QRect(slot.mapTo(self._grid.content, QPoint(0, 0)), slot.size()))
            self._mark.raise_()

    def drop(self, name: str, at: QPoint) -> None:
        """The drag ends there."""
        self._mark.hide()
        target = self._under(name, at)
        if target is not None:
            self.arrangement.swap(name, target)

    def _under(self, name: str, at: QPoint) -> str | None:
        if name in self.windows:
            return None
        fronts = (place.front for place in self._places if place.front != name)
        slots = ((one, self._slots[one]) for one in fronts)
        return next((one for one, slot in slots if slot.rect().contains(slot.mapFromGlobal(at))), None)


log = logging.getLogger(__name__)


FADED = 0.25
"""Opacity of the panels beside those that a person points at elsewhere."""


class Slot(Styled, QWidget):
    """Shows a panel of `kind`. An exception costs the panel its place and nobody else anything: a notice stands there instead,
    until the panel is adopted again."""

    problem = Signal(str)
    """The panel has failed; why."""
    menu_wanted = Signal(QPoint)
    """A person asks what can be done with the panel, at a place on the screen."""
    faulted = Signal(object)
    """The panel has raised this while it painted."""

    def __init__(self, kind: type[Panel], given: "Callable[[Slot], Given]", parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self.kind = kind
        self.view: PanelView | None = None
        """What shows the panel; None where it has failed."""
        self.seen = False
        """Whether it is drawn now: not hidden, nor behind another."""
        self.begun = False
        """Whether the view knows the run."""
        self.late = False
        """Whether it shows the run before that one until it has its turn: both are of a number that a hand drags."""
        self.shown: Frame | None = None
        """The frame that it shows."""
        self._given = given
        self._content: PanelView | Failure | None = None
        self._box = column(gap=0)
        self.setLayout(self._box)
        self._veil = Veil(self)
        # A fault in a paint is dealt with after the paint: widgets must not go under it.
        self.faulted.connect(self._fail, Qt.ConnectionType.QueuedConnection)

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def weight(self) -> float:
        return self.view.weight if self.view is not None else 3.0

    @property
    def least(self) -> float:
        """Its least height without the times below it."""
        times = self.view.times_height if isinstance(self.view, TimeView) else 0.0
        return self.minimumSizeHint().height() - times

    def adopt(self) -> None:
        """Make the view of the panel."""
        try:
            self.view = view_of(self.kind(), self._given(self))
        except Exception as error:
            self._give_way(error)
        else:
            self._put(self.view)
            self.follow_theme()

    def call(self, method: str, *arguments: object) -> object:
        """Call a method of the view, if it works; what it returns."""
        if self.view is None:
            return None
        try:
            return getattr(self.view, method)(*arguments)
        except Exception as error:
            self._fail(error)
            return None

    def dress(self, handler: Arranger, tabs: tuple[tuple[str, str], ...]) -> None:
        """Give its title these tabs, names and titles, and tell it whom to obey."""
        if self._content is not None:
            self._content.heading.dress(handler, self.name, tabs)

    def settle(self) -> None:
        """Lay out what stands there now: Qt would do it by one level with each turn of the event loop."""
        if self._content is not None:
            self._content.body.activate()
        self._box.activate()

    def fade(self, on: bool) -> None:
        """Step back behind what a person points at, or stand there as ever."""
        self._veil.setVisible(on)
        self._veil.raise_()

    def follow_theme(self) -> None:
        self.call("recolour", self.theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What stands there leaves it to its place."""
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(event.globalPosition().toPoint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._veil.resize(self.size())

    def end(self) -> None:
        """Close the view; nothing is asked of it afterwards."""
        self.call("end")
        self.view = None

    def _put(self, content: "PanelView | Failure") -> None:
        """Let this stand there, and nothing that was there, or was half made, before."""
        self._content = content
        self._box.addWidget(content)
        for part in self.children():
            if isinstance(part, QWidget) and part not in (content, self._veil):
                part.hide()
                part.deleteLater()

    def _fail(self, error: Exception) -> None:
        if self.view is not None:
            self._give_way(error)

    def _give_way(self, error: Exception) -> None:
        """Let the notice stand there."""
        log.error("the panel %s failed", self.kind.name, exc_info=error)
        broken, self.view = self.view, None
        try:
            if broken is not None:
                broken.end()
        except Exception:
            log.exception("the panel %s failed to close", self.kind.name)
        title, said = tr(self.kind.title), f"{type(error).__name__}: {error}"
        self._put(Failure(self, title, said))
        self.problem.emit(f"{title}: {said}")


class Failure(Styled, QWidget):
    """What stands in the place of a panel that failed."""

    def __init__(self, parent: QWidget, title: str, said: str) -> None:
        super().__init__(parent)
        self.heading = TitleRow(self, title)
        words = self._words = label(
            words=tr("This panel failed and is left out of this run.\n{text}", text=said)
        )
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        words.setContentsMargins(self.style_.gutter, UNIT, self.style_.margin, UNIT)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.body = column(self.heading, (words, 1), gap=0)
        self.setLayout(self.body)
        self.follow_theme()

    def follow_theme(self) -> None:
        self._words.setStyleSheet(f"color: {self.theme.danger}")


def view_of(panel: Panel, given: Given) -> PanelView:
    """The view for a panel of one of the four kinds."""
    if isinstance(panel, TimePanel):
        return TimeView(panel, given)
    if isinstance(panel, PaintedPanel):
        return PaintedView(panel, given)
    if isinstance(panel, GlobePanel):
        return GlobeView(panel, given)
    if isinstance(panel, WidgetPanel):
        view: PanelView = panel.view(given)
        return view
    raise TypeError(f"{panel.name} extends none of TimePanel, PaintedPanel, GlobePanel and WidgetPanel")


COLUMNS = 2
_EASE, _MAIN, _MUCH = 1.7, 2, 0.5
"""How much higher than the least panels stand that are scrolled, for strips as wide and as low as that would look flat; and how
many of a column are in sight first: where there is room for so much of one, all stay low enough for that."""
_NOTCH = 20
"""Pixels for a line of the wheel, of which a notch has three."""


class Ground(Styled, QWidget):
    """Has the colour on which plots stand, whatever the palette of the window."""

    opacity = 1.0

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), clear(self.theme.surface, self.opacity))


class Veil(Ground):
    """Over all of a panel, where that has to step back."""

    opacity = 1.0 - FADED

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Stands back"))
        self.hide()


class _Content(Ground):
    """What is scrolled: `columns` of panels, higher than they need to be if they do not fit."""

    columns: Sequence[Sequence[QWidget]] = ()

    def minimumSizeHint(self) -> QSize:
        hint, room = super().minimumSizeHint(), self.parentWidget()
        if room is None or hint.height() <= room.height():
            return hint
        eased = min(self._ease(parts, room.height()) for parts in self.columns if parts)
        return QSize(hint.width(), round(eased * hint.height()))

    def _ease(self, parts: Sequence[QWidget], room: int) -> float:
        """By how much a column can be higher, so that its first panels stay in the room if they are as low as can be."""
        eased, bottom = _EASE, 0.0
        for least in [part.minimumSizeHint().height() for part in parts[:_MAIN]]:
            if bottom + _MUCH * least > room:
                break
            bottom += least + UNIT
            eased = min(max(room / bottom, 1.0), _EASE)
        return eased


class Grid(Styled, QScrollArea):
    """Columns of panels, as high as there is room, or as they need to be, and then scrolled."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys belong to the window
        self.verticalScrollBar().setAccessibleName(tr("Scroll the plots"))
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setSingleStep(_NOTCH)
        self._placed: tuple[int, list[tuple[Slot, float]]] = (COLUMNS, [])
        self.content = _Content()
        self._columns = [column() for _ in range(COLUMNS)]
        self._row = row(*self._columns)
        self.content.setLayout(self._row)
        self.setWidget(self.content)
        self.content.setAccessibleName(tr("Panels"))
        self.content.setAutoFillBackground(False)  # which an area to scroll wants of what it holds

    @property
    def columns(self) -> int:
        """In how many columns the panels stand: in one where two would be too narrow."""
        return COLUMNS if (self.width() - UNIT) / COLUMNS >= self.style_.least_column else 1

    def place(self, slots: Sequence[Slot]) -> None:
        """Show these panels and no others, by turns left and right, as high as their weights say."""
        columns, weighed = self.columns, [(slot, slot.weight) for slot in slots]
        if (columns, weighed) != self._placed:
            for slot, _ in self._placed[1]:
                if slot not in slots and slot.parentWidget() is self.content:
                    slot.hide()
            for box in self._columns:
                while box.count():
                    box.takeAt(0)
            for number in range(COLUMNS):
                self._row.setStretch(number, 1 if number < min(len(slots), columns) else 0)
            for number, (slot, weight) in enumerate(weighed):
                self._columns[number % columns].addWidget(slot, max(round(10 * weight), 1))
                slot.show()
            self._placed = columns, weighed
        self.content.columns = [slots[number::columns] for number in range(columns)]
        for slot in slots:
            slot.settle()
        self._row.activate()

    def crowded(self, heights: Sequence[float]) -> bool:
        """Whether panels of these least heights stand higher than there is room for."""
        columns = self.columns
        shared = (heights[first::columns] for first in range(columns))
        needed = max(sum(parts) + UNIT * (len(parts) - 1) for parts in shared)
        return needed > self.viewport().height()

    def lowest(self, over_time: Sequence[bool]) -> set[int]:
        """Which panels, of those that are drawn `over_time`, are the lowest of their column."""
        columns = self.columns
        shared = (range(first, len(over_time), columns) for first in range(columns))
        timed = ([number for number in parts if over_time[number]] for parts in shared)
        return {numbers[-1] for numbers in timed if numbers}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


WIDTH, LEAST = 720, 240


class FloatWindow(Ground):
    """A legend above one panel. It stays above its parent's window, whose keys work in it, and closes with it."""

    closed = Signal()
    escaped = Signal()

    def __init__(self, title: str, choices: Choices, parent: QWidget) -> None:
        # A tool window leaves the shortcuts of its parent's window in force.
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self.setWindowTitle(title)
        self.setMinimumSize(320, LEAST)
        self.legend = LegendRow(self, choices)
        self._box = column(self.legend, margins=UNIT)
        self.setLayout(self._box)

    def take(self, slot: Slot) -> None:
        """Show this panel."""
        self._box.addWidget(slot)
        slot.show()

    def place_at(self, box: Box | None, strips: float) -> None:
        """Take the place and size that it had, or stand over the board, high enough for so many strips: where a person reaches its
        title, on a screen."""
        owner, size = self.parentWidget() or self, QSize(WIDTH, max(LEAST, round(16 * UNIT * strips)))
        middle = owner.mapToGlobal(owner.rect().center())
        place = QRect(middle - QRect(QPoint(), size).center(), size) if box is None else QRect(*box)
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        room = next((room for room in screens if room.intersects(place)), screens[0])
        self.setGeometry(within(place, room.marginsRemoved(FRAME)))

    @property
    def box(self) -> Box:
        """Where it is."""
        place = self.normalGeometry() if self.isMaximized() else self.geometry()
        return place.x(), place.y(), place.width(), place.height()

    def toggle_size(self) -> None:
        """As large as the screen, or as it was."""
        self.showNormal() if self.isMaximized() else self.showMaximized()

    def discard(self) -> None:
        """Close for good, and tell nobody."""
        self.blockSignals(True)
        self.legend.shut_down()
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            event.ignore()

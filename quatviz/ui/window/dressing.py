"""Between a look and a window: taking it down, showing it, and making a step of what changes of it. The only place that knows what
holds which choice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollBar, QSplitter

from quatviz.document.document import Document
from quatviz.feed.frame import Frame
from quatviz.look.display import Display
from quatviz.look.look import PLOTS, SIDE, VIEWS, Look, chosen_of, is_one_move, with_chosen, words_of
from quatviz.look.theme import THEMES, Theme
from quatviz.simulation.runner import Snapshot
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.scene.views import Magnifier, Views
from quatviz.ui.side.column import SideColumn
from quatviz.ui.tools.cards.window import CardWindow


class Dressed(Protocol):
    """What is asked of a window."""

    document: Document
    views: Views
    board: PlotBoard
    side: SideColumn
    magnifier: Magnifier
    cards: CardWindow
    splitter: QSplitter

    @property
    def theme(self) -> Theme: ...
    @property
    def look(self) -> Look: ...
    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""

    def show_theme(self, theme: Theme) -> None: ...
    def dress(self, look: Look) -> None: ...


def look_of(window: Dressed, at: Snapshot | Frame | None, display: Display) -> Look:
    """How a window shows its run, which is where `at` says and whose lanes are shown as `display` says. The size of
    everything is not the window's."""
    board, views = window.board, window.views
    choices, axis, arranger = board.choices, board.axis, board.arranger
    look = Look(
        theme=window.theme.name,
        panels=board.wanted,
        layout=arranger.layout,
        maximised=arranger.maximised or "",
        options=choices.chosen,
        difference=choices.difference,
        reference=choices.wanted,
        span=() if axis.whole else (_short(axis.low), _short(axis.high)),
        follow=axis.following,
        items=views.wanted,
        views=views.plan,
        cameras={place: view.stance for place, view in enumerate(views.shown, 1)},
        magnification=views.magnification,
        equations=window.cards.docked,
        lane_numbers=window.side.lane_list.numbered,
        sections=tuple(window.side.open_names()),
        splitter=() if window.side.isHidden() else tuple(window.splitter.sizes()[-3:]),
        lanes=display,
        scrolled=tuple(bar.value() / max(bar.maximum(), 1) for bar in _bars(window)),
    )
    return (
        look
        if at is None
        else replace(
            look,
            cursor=_short(at.heading),
            speed=at.speed,
            loop=at.loop,
            selected=tuple(_short(time) for time in at.selected or ()),
        )
    )


def dress(window: Dressed, look: Look) -> None:
    """Show a look; where the run is, and how its lanes are shown, is the document's: see `document.state`."""
    board, views, side = window.board, window.views, window.side
    if look.theme != window.theme.name:
        window.show_theme(THEMES[look.theme])
    _split(window, look.splitter)
    board.arranger.arrangement.recall(look.layout, look.maximised)
    board.show_panels(look.panels)
    board.choices.show(look.options, look.difference, look.reference)
    board.axis.show_span(look.span)
    board.axis.following = look.follow
    window.magnifier.set_power(look.magnification)
    views.dress(look)
    window.cards.dock(look.equations)
    side.open_sections(look.sections)
    side.lane_list.show_numbers(look.lane_numbers)
    scroll(window, look.scrolled)


def scroll(window: Dressed, shares: Sequence[float]) -> None:
    """Show so much further down, where there is as much: side column and plots."""
    for bar, share in zip(_bars(window), shares, strict=False):
        bar.setValue(round(share * bar.maximum()))


def _bars(window: Dressed) -> tuple[QScrollBar, QScrollBar]:
    return window.side.verticalScrollBar(), window.board.bar


def _short(time: float) -> float:
    """To nine digits, which no eye tells from more."""
    return float(f"{time:.9g}")


def _split(window: Dressed, widths: tuple[int, ...]) -> None:
    """Give the parts these widths, or those of a first start. In a window of another width the side column has its own, and
    views and plots share the rest as they did; while a lesson stands before them all keep what they have."""
    splitter = window.splitter
    if splitter.count() > 3:
        return
    side, *others = widths or (SIDE, VIEWS, PLOTS)
    if splitter.isVisible():
        rest = max(sum(splitter.sizes()) - side, 1)
        others = [round(rest * width / max(sum(others), 1)) for width in others]
    else:  # behind the start page it has no room yet, and would make three of a kind of what it has
        splitter.resize(side + sum(others), splitter.height())
    splitter.setSizes([side, *others])


class Keeper(QTimer):
    """Its beat is when whoever keeps something of a window looks for what a hand has changed: the way back at every one, for
    what acts change is seen at once, and files at each fifth."""

    seldom = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=400)
        self._beats = 0
        self.timeout.connect(self._beat)

    def _beat(self) -> None:
        self._beats += 1
        if self._beats % 5 == 0:
            self.seldom.emit()


class Looks:
    """Compares, from `begin` to `end`, what the window shows with what the document knows of it. It rests while a lesson has the
    window: what that shows is not a person's wish."""

    def __init__(self, window: Dressed) -> None:
        self._window, self._begun = window, False
        window.document.begins.connect(self.take)

    def begin(self) -> None:
        """From now on a change is a step."""
        self._begun = True

    def end(self) -> None:
        """The window closes."""
        self._begun = False

    def take(self) -> None:
        """Let the document know how the run is shown by now."""
        if not self._begun or self._window.side.isHidden():
            return
        document, look = self._window.document, chosen_of(self._window.look)
        before = document.state.look
        if look != before:
            words = "" if before is None else words_of(before, look, *self._window.titles)
            document.shown_as(look, words, before is not None and is_one_move(before, look))

    def show(self, chosen: Look | None) -> None:
        """Show the run as it was shown at the step that the document has come to."""
        if chosen is not None and self._begun and not self._window.side.isHidden():
            look = self._window.look
            if chosen_of(look) != chosen:
                self._window.dress(with_chosen(look, chosen))
                self._window.document.know(
                    chosen_of(self._window.look)
                )  # a screen may have no room for all of it

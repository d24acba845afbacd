"""Everything in the window that does something to the motion: by card, by hand, by branching off."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import within
from quatviz.base.parameters import declared, from_table
from quatviz.base.translation import told, tr, translated
from quatviz.display.data.frame import Frame, RunInfo, Source
from quatviz.display.document.document import Document
from quatviz.display.document.edits import rounded
from quatviz.display.document.preset_items import event_family, remove_part
from quatviz.display.document.state import State
from quatviz.display.document.timeline_markers import Flag
from quatviz.display.view_state.choices import Choices, Old
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import sample_time
from quatviz.physics.events import offers
from quatviz.physics.events.base import Event, Offer
from quatviz.simulation.commands import Command, Pause, Play, Seek
from quatviz.ui.scene.manipulator import ByHand
from quatviz.ui.scene.view_grid import Views
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.actions import Acts, pop_up
from quatviz.ui.widgets.controls import Button, column, label, open_topic, row
from quatviz.ui.widgets.form import Form
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import theme_of

_WIDTH = 336
_KEY = "reading#marks-on-the-timeline"


class EventCard(Guarded, QFrame):
    """Enter does it, Escape leaves it. What is refused stays, with the reason beside it."""

    closed = Signal()
    edited = Signal(object)
    """The numbers that stand in the card now, as a table; None when it goes away."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self.setAccessibleName(tr("Event"))
        self._heading, self._when = label("heading", wraps=False), label("muted")
        self.form: Form | None = None
        self._place = QPoint()
        self._do: Callable[[dict[str, Any]], InputError | None] = lambda table: None
        self.do, self.leave = Button(tr("Apply"), self._submit), Button(tr("Cancel"), self.dismiss)
        self._room = column(margins=(0, UNIT, 0, UNIT))
        parts = self._heading, self._when, self._room, row(None, self.leave, self.do)
        self.setLayout(column(*parts, margins=2 * UNIT))
        self.hide()
        window.installEventFilter(self)

    def ask(
        self,
        kind: type[Event],
        offer: Offer,
        at: str,
        place: QPoint,
        do: Callable[[dict[str, Any]], InputError | None],
    ) -> None:
        """Ask for the fields of `offer`, with `place` in the window below the card's middle; `do` says what is refused."""
        self._do = do
        self._heading.setText(tr(offer.text))
        self._when.setText(tr("At t = {at} s, in every lane. It can be undone.", at=at))
        parameters = {name: declared(kind)[name] for name in offer.values}
        if self.form is not None:
            self._room.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = Form(parameters, "events", self._keep)
        self.form.show_table(offer.values)
        self._room.addWidget(self.form)
        for block in self.form.blocks.values():
            for entry in block.field.entries:
                entry.returnPressed.connect(self._submit)
                entry.installEventFilter(self)
        self._place = place
        self.show()
        self.edited.emit(dict(offer.values))
        self._stand()
        self.raise_()
        first = next(iter(self.form.blocks.values())).field.entries
        for entry in first[:1]:
            entry.setFocus()
            entry.selectAll()

    def dismiss(self) -> None:
        """Go away and leave the motion as it is."""
        if self.isVisible():
            self.hide()
            self.window().setFocus()  # keys play and pause again
            self.closed.emit()
            self.edited.emit(None)

    def put(self, **values: Any) -> None:
        """Show other values, which a hand has found."""
        if self.form is not None:
            self._keep({**(self.form.read() or {}), **values})

    def _keep(self, table: dict[str, Any], edited: str = "", goes_on: bool = False) -> None:
        """A number was typed: nothing happens before the button, or Enter. Qt tells of what was typed before Enter when Enter has
        had its effect: a card that has gone away asks for nothing."""
        if self.form is not None and self.isVisible():
            self.form.show_table(table)
            self.edited.emit(table)

    def _submit(self) -> None:
        assert self.form is not None
        table = self.form.read()
        if table is None:
            return
        refusal = self._do(table)
        if refusal is None:
            self.dismiss()
        else:
            self.form.show_refusal(refusal)

    def _stand(self) -> None:
        """Above its place, within the window, as high as its words need."""
        wide, inside = theme_of(self).pixels(_WIDTH), self.layout()
        self.setFixedWidth(wide)
        self.adjustSize()
        if inside is not None:  # words that wrap need more than they say
            self.resize(wide, max(self.height(), inside.totalHeightForWidth(wide)))
        x = self._place.x() - self.width() // 2
        room = self._window.width() - self.width() - UNIT
        self.move(min(max(x, UNIT), room), max(self._place.y() - self.height() - UNIT, UNIT))

    def event(self, event: QEvent) -> bool:
        done = bool(super().event(event))
        if event.type() == QEvent.Type.LayoutRequest:  # words came or went
            self._stand()
        return done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escaped and event.type() == QEvent.Type.KeyPress and watched is not self._window:
            self.dismiss()
            return True
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.dismiss()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)


class OldNotice(Button):
    """Seen while an old future is drawn."""

    def __init__(self, choices: Choices, acts: Acts[Any]) -> None:
        said = tr("Faint curves show what would have come without the last branch")
        super().__init__(acts.words("dismiss"), acts["dismiss"].trigger, acts.tip("dismiss", said))
        self._choices = choices
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def take(self, old: Old | None) -> None:
        """Let the run that begins next draw this old future, or none."""
        self._choices.old = old
        self.setVisible(old is not None)

    def dismiss(self) -> None:
        """Draw it no more."""
        self.hide()
        self._choices.show_old(None)


class Laboratory(QObject):
    """Applies the events that `quatviz.physics.events.offers` lists, at the cursor or at another time.

    An event with parameters asks for them in a card over the timeline; the cursor does not move meanwhile.
    """

    def __init__(
        self,
        document: Document,
        window: QWidget,
        views: Views,
        choices: Choices,
        scrubber: Scrubber,
        send: Callable[[Command], object],
        acts: Acts[Any],
        add_more: Callable[[QMenu], object],
    ) -> None:
        """`add_more` adds to the menu of a time what has nothing to do with events."""
        super().__init__(window)
        self._document, self._window, self._scrubber, self._views = document, window, scrubber, views
        self._send, self._add_more = send, add_more
        self._family = event_family()
        self.branching = document.branching
        self._playing = self._plays_on = False
        self._info: RunInfo | None = None
        self._left: tuple[float, bool] | None = None
        """Where the cursor was, and whether it played, when a hand began to turn the body at the start."""
        self.by_hand = ByHand(document, views)
        self.card = EventCard(window)
        self.old = OldNotice(choices, acts)
        self.card.closed.connect(self._let_go)
        self.card.edited.connect(self.by_hand.show_kick)
        document.changed.connect(lambda _: self.card.dismiss())  # what it asks about is of another run
        self.by_hand.kick_dragged.connect(self._take_kick)
        self.by_hand.said.connect(document.said.emit)
        scrubber.offered.connect(self.menu)

    def start(self, source: Source) -> None:
        """A run begins."""
        self._info = source.info
        self.by_hand.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Take in where the run is."""
        self._playing = frame.playing
        self.by_hand.show_frame(frame)

    def perform(self, name: str, time: float | None = None) -> None:
        """Do what is offered under `name` at the sample nearest to `time` [s], or to where the cursor is now: what a card asks
        about is where the cursor stands meanwhile."""
        kind, offer = offers()[name]
        preset = self._document.state.preset
        at = sample_time(self._document.clock() if time is None else time, preset)
        if at >= preset.run.duration:
            self._document.said.emit(tr("Nothing follows the end of the run: go to an earlier time"), "")
            return
        if offer.values:
            self._plays_on = self._playing or (self._plays_on and self.card.isVisible())
            self._send(Pause())
        if not offer.values:
            refusal = self._add(name, at, {})
            if refusal is not None:
                refusal = translated(refusal)
                self._document.said.emit(
                    f"{tr(offer.text)}: {refusal.found}; {refusal.remedy}", refusal.topic
                )
            return
        self._send(Seek(at))
        offer = replace(offer, values={**offer.values, **self.by_hand.starting(name)})
        place = self._scrubber.mapTo(self._window, QPoint(round(self._scrubber.x_of(at)), 0))
        said = f"{at:g}" if self._info is None else self._info.time_text(at)
        self.card.ask(kind, offer, said, place, partial(self._add, name, at))

    def show_start(self, sequence: str | None) -> None:
        """Have the cursor at the start while a hand turns the body there, with the rings of the angles that it drags; where it was
        when it has let go."""
        if sequence is not None and self._left is None:
            self._left = self._document.clock(), self._playing
            self._send(Pause())
            self._send(Seek(0.0))
            self._views.turn_rings(sequence)
        elif sequence is None and self._left is not None:
            (time, plays), self._left = self._left, None
            self._send(Seek(time))
            if plays:
                self._send(Play())
            self._views.turn_rings("")

    def menu(self, point: QPoint, time: float, flag: Flag | None) -> QMenu:
        """What can be done with the events of a flag on the timeline, or at `time` [s]; shown at a point of the screen."""
        menu = QMenu(self._scrubber)
        if flag is not None:
            go = partial(self._send, Seek(flag.time))
            menu.addAction(tr("Go to t = {time:g} s", time=flag.time), go)
            for number in flag.numbers:
                words = told(self._document.state.preset.events[number].words)
                remove = partial(remove_part, self._document, self._family, number)
                menu.addAction(tr("Remove: {words}", words=words), remove)
            menu.addSeparator()
        at = sample_time(time, self._document.state.preset)
        for name, (_, offer) in offers().items():
            dots = "…" if offer.values else ""
            words = tr("{offer} at t = {at:g} s{dots}", offer=tr(offer.text), at=at, dots=dots)
            menu.addAction(words, partial(self.perform, name, at))
        menu.addSeparator()
        self._add_more(menu)
        menu.addAction(tr("What the marks mean…"), partial(open_topic, _KEY))
        pop_up(menu, point)
        return menu

    def turn_branching(self) -> None:
        """Let edits hold from the cursor, or from the start."""
        self.branching.set_on(not self.branching.on)
        begin = tr("cursor") if self.branching.on else tr("start")
        self._document.said.emit(
            tr("Edits of body, loads, dt and the settings of lanes hold from the {begin} on", begin=begin), ""
        )

    def _add(self, name: str, at: float, table: Mapping[str, Any]) -> InputError | None:
        kind, offer = offers()[name]

        def make(state: State) -> State:
            event = from_table(kind, {"at": at, **table}, "events")
            return self._family.added(state, event)

        return self._document.propose(tr("{done} at {at:g} s", done=within(offer.text), at=at), make)

    def _take_kick(self, impulse: np.ndarray) -> None:
        """A hand has dragged the kick's arrow: the card shows it, in space."""
        self.card.put(impulse=rounded(impulse), frame="space")

    def _let_go(self) -> None:
        """The card is gone: the cursor goes on if it went before."""
        if self._plays_on:
            self._send(Play())

"""A card over the timeline that asks for the numbers of an event before it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QWidget

from quatviz.base.errors import InputError
from quatviz.base.parameters import declared, from_table
from quatviz.base.tr import told, tr, translated
from quatviz.base.words import within
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.events import offers
from quatviz.events.base import Event, Offer
from quatviz.look.theme import UNIT
from quatviz.ui.kit.form import Form
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.widgets import column, label, row
from quatviz.ui.side.setup.families import event_family
from quatviz.ui.side.setup.panel import sample_time
from quatviz.ui.side.setup.parts_form import remove_part

_WIDTH = 336


class EventCard(Guarded, QFrame):
    """Enter does it, Escape leaves it. What is refused stays, with the reason under it."""

    closed = Signal()
    edited = Signal(object)
    """The numbers that stand in the card now, as a table; None when it goes away."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self.setAccessibleName(tr("Event"))
        self.setFixedWidth(_WIDTH)
        self._heading, self._when = label("heading", wraps=False), label("muted")
        self.form: Form | None = None
        self._place = QPoint()
        self._do: Callable[[dict[str, Any]], InputError | None] = lambda table: None
        self.do, self.leave = QPushButton(tr("Apply")), QPushButton(tr("Cancel"))
        self.do.clicked.connect(self._submit)
        self.leave.clicked.connect(self.dismiss)
        self._room = column(margins=(0, UNIT, 0, UNIT))
        parts = self._heading, self._when, self._room, row(None, self.leave, self.do)
        self.setLayout(column(*parts, margins=2 * UNIT))
        self.hide()
        window.installEventFilter(self)

    def ask(
        self,
        kind: type[Event],
        offer: Offer,
        at: float,
        place: QPoint,
        do: Callable[[dict[str, Any]], InputError | None],
    ) -> None:
        """Ask for the fields of `offer`, with `place` in the window below the card's middle; `do` says what is refused."""
        self._do = do
        self._heading.setText(tr(offer.text))
        self._when.setText(tr("At t = {at:g} s, in every lane. It can be undone.", at=at))
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

    def put(self, name: str, value: Any) -> None:
        """Show another value, which a hand has found."""
        if self.form is not None and name in self.form.blocks:
            self.form.show_table({**(self.form.read() or {}), name: value})

    def _keep(self, table: dict[str, Any], edited: str) -> None:
        """A number was typed: nothing happens before the button, or Enter."""
        if self.form is not None:
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
        self.adjustSize()
        inside = self.layout()
        if inside is not None and inside.hasHeightForWidth():  # words that wrap need more than they say
            inside.activate()
            self.resize(_WIDTH, max(self.height(), inside.totalHeightForWidth(_WIDTH)))
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


class Experiment(QObject):
    """Does what `core.events.offers` names. An offer with numbers asks for them in a card over `window`, at the place
    that `place` gives for a time; `starting` is what the card of an offer begins with where that depends on the run, and
    `add_more` adds to the menu of a time what has nothing to do with events."""

    seek_requested = Signal(float)
    said = Signal(str, str)
    asked = Signal(bool)
    """A card has opened, or closed."""

    def __init__(
        self,
        document: Document,
        window: QWidget,
        place: Callable[[float], QPoint],
        starting: Callable[[str], Mapping[str, Any]],
        add_more: Callable[[QMenu], object],
    ) -> None:
        super().__init__(window)
        self._document = document
        self._place, self._starting, self._add_more = place, starting, add_more
        self._family = event_family()
        self.card = EventCard(window)
        self.card.closed.connect(lambda: self.asked.emit(False))
        document.changed.connect(lambda _: self.card.dismiss())  # what it asks about is of another run

    def perform(self, name: str, time: float) -> None:
        """Do what is offered under `name` at the sample nearest to `time` [s]."""
        kind, offer = offers()[name]
        at = sample_time(time, self._document.state.preset)
        if not offer.values:
            refusal = self._add(name, at, {})
            if refusal is not None:
                refusal = translated(refusal)
                self.said.emit(f"{tr(offer.text)}: {refusal.found}; {refusal.remedy}", refusal.topic)
            return
        self.asked.emit(True)
        offer = replace(offer, values={**offer.values, **self._starting(name)})
        self.card.ask(kind, offer, at, self._place(at), lambda table: self._add(name, at, table))

    def menu(self, point: QPoint, time: float, numbers: Sequence[int], parent: QWidget) -> QMenu:
        """What can be done with the events of these `numbers` in the preset, all of one time, or at `time`; shown at `point`."""
        menu = QMenu(parent)
        if numbers:
            events = self._document.state.preset.events
            when = events[numbers[0]].at
            menu.addAction(tr("Go to t = {time:g} s", time=when), partial(self.seek_requested.emit, when))
            for number in numbers:
                words = told(events[number].words)
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
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
        return menu

    def _add(self, name: str, at: float, table: Mapping[str, Any]) -> InputError | None:
        kind, offer = offers()[name]

        def make(state: State) -> State:
            event = from_table(kind, {"at": at, **table}, "events")
            return self._family.put(state, (*self._family.parts(state), event))

        return self._document.propose(tr("{done} at {at:g} s", done=within(offer.text), at=at), make)

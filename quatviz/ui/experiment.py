"""What a person does to the motion at a time: every event is an edit of the preset, and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.core.errors import Refusal
from quatviz.core.events import offers
from quatviz.core.parameters import from_table
from quatviz.ui.editing import Editor, State
from quatviz.ui.event_card import EventCard
from quatviz.ui.event_marks import Flag
from quatviz.ui.setup.families import event_family
from quatviz.ui.setup.panel import sample_time
from quatviz.ui.setup.parts_form import remove_part
from quatviz.ui.tr import told, tr, translated
from quatviz.ui.words import within


class Experiment(QObject):
    """Does what `core.events.offers` names. An offer with numbers asks for them in a card over `window`, at the place
    that `place` gives for a time."""

    seek_requested = Signal(float)
    said = Signal(str, str)
    asked = Signal(bool)
    """A card has opened, or closed."""

    def __init__(self, editor: Editor, window: QWidget, place: Callable[[float], QPoint]) -> None:
        super().__init__(window)
        self._editor = editor
        self._place = place
        self._family = event_family()
        self.add_more: Callable[[QMenu], None] = lambda menu: None
        """Adds to the menu of a time what has nothing to do with events."""
        self.starting: Callable[[str], Mapping[str, Any]] = lambda name: {}
        """What a card begins with where that depends on the run."""
        self.card = EventCard(window)
        self.card.closed.connect(lambda: self.asked.emit(False))
        editor.changed.connect(lambda _: self.card.dismiss())  # what it asks about is of another run

    def perform(self, name: str, time: float) -> None:
        """Do what is offered under `name` at the sample nearest to `time` [s]."""
        kind, offer = offers()[name]
        at = sample_time(time, self._editor.state.preset)
        if not offer.values:
            refusal = self._add(name, at, {})
            if refusal is not None:
                refusal = translated(refusal)
                self.said.emit(f"{tr(offer.text)}: {refusal.found}; {refusal.remedy}", refusal.topic)
            return
        self.asked.emit(True)
        offer = replace(offer, values={**offer.values, **self.starting(name)})
        self.card.ask(kind, offer, at, self._place(at), lambda table: self._add(name, at, table))

    def menu(self, point: QPoint, time: float, flag: Flag | None, parent: QWidget) -> QMenu:
        """What can be done with the events of `flag`, or at `time`; shown at `point`."""
        menu = QMenu(parent)
        if flag is not None:
            menu.addAction(tr("Go to t = {time:g} s", time=flag.time)).triggered.connect(
                lambda: self.seek_requested.emit(flag.time)
            )
            for number in flag.numbers:
                words = told(self._editor.state.preset.events[number].words)
                menu.addAction(tr("Remove: {words}", words=words)).triggered.connect(
                    partial(self._remove, number)
                )
            menu.addSeparator()
        at = sample_time(time, self._editor.state.preset)
        for name, (_, offer) in offers().items():
            dots = "…" if offer.values else ""
            menu.addAction(
                tr("{offer} at t = {at:g} s{dots}", offer=tr(offer.text), at=at, dots=dots)
            ).triggered.connect(partial(self._chosen, name, at))
        menu.addSeparator()
        self.add_more(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
        return menu

    def _chosen(self, name: str, time: float, _checked: bool = False) -> None:
        self.perform(name, time)

    def _remove(self, number: int, _checked: bool = False) -> None:
        remove_part(self._editor, self._family, number)

    def _add(self, name: str, at: float, table: Mapping[str, Any]) -> Refusal | None:
        kind, offer = offers()[name]

        def make(state: State) -> State:
            event = from_table(kind, {"at": at, **table}, "events")
            return self._family.put(state, (*self._family.parts(state), event))

        return self._editor.propose(tr("{done} at {at:g} s", done=within(offer.text), at=at), make)

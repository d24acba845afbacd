"""Everything in the window that does something to the motion: by card, by hand, by branching off."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from quatviz.core.events import offers
from quatviz.simulation.commands import Pause, Play, Seek
from quatviz.ui.branching import Branching
from quatviz.ui.by_hand import ByHand
from quatviz.ui.editing import Editor
from quatviz.ui.experiment import Experiment
from quatviz.ui.frame import Frame, Source
from quatviz.ui.old_notice import OldNotice
from quatviz.ui.placing import rounded
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.scene.views import Views
from quatviz.ui.scrubber import Scrubber
from quatviz.ui.tr import tr


class Laboratory(QObject):
    """Introduces these parts to each other, and holds the cursor while a card asks about its time."""

    command = Signal(object)
    said = Signal(str, str)
    hashes_wanted = Signal()

    def __init__(
        self, editor: Editor, window: QWidget, views: Views, choices: Choices, branching: Branching,
        scrubber: Scrubber,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window, self._scrubber, self._branching = window, scrubber, branching
        self._playing = self._plays_on = False
        self._time = 0.0
        self.experiment = Experiment(editor, window, self._above_timeline)
        self.by_hand = ByHand(editor, views)
        self.old = OldNotice(choices)
        experiment, by_hand = self.experiment, self.by_hand
        experiment.seek_requested.connect(lambda time: self.command.emit(Seek(time)))
        experiment.asked.connect(self._hold)
        experiment.starting = by_hand.starting
        experiment.card.edited.connect(by_hand.show_kick)
        by_hand.kick_dragged.connect(self._take_kick)
        for part in (experiment, by_hand, branching):
            part.said.connect(self.said)
        scrubber.offered.connect(lambda at, time, flag: experiment.menu(at, time, flag, scrubber))

    def doings(self) -> dict[str, Callable[[], object]]:
        """What the actions of the group Experiment do."""
        return {
            **{name: partial(self._perform, name) for name in offers()},
            "branch": self._turn_branching,
            "dismiss": self.old.dismiss,
            "hashes": self.hashes_wanted.emit,
        }

    def start(self, source: Source) -> None:
        """A run begins."""
        self.by_hand.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Take in where the run is."""
        self._playing, self._time = frame.playing, frame.heading
        self.by_hand.show_frame(frame)

    def _perform(self, offer: str) -> None:
        """Do what is offered at the cursor."""
        self.experiment.perform(offer, self._time)

    def _turn_branching(self) -> None:
        self._branching.set_on(not self._branching.on)
        begin = tr("cursor") if self._branching.on else tr("start")
        self.said.emit(
            tr("Edits of body, loads, dt and the settings of lanes hold from the {begin} on", begin=begin), ""
        )

    def _take_kick(self, impulse: np.ndarray) -> None:
        """A hand has dragged the kick's arrow: the card shows it, in space."""
        self.experiment.card.put("impulse", rounded(impulse))
        self.experiment.card.put("frame", "space")

    def _above_timeline(self, time: float) -> QPoint:
        """Where a card about this time points at, in the window."""
        return self._scrubber.mapTo(self._window, QPoint(round(self._scrubber.x_of(time)), 0))

    def _hold(self, asked: bool) -> None:
        """The cursor stands still while a card asks about the time where it is."""
        if asked:
            self._plays_on = self._playing or (self._plays_on and self.experiment.card.isVisible())
            self.command.emit(Pause())
        elif self._plays_on:
            self.command.emit(Play())

"""Everything in the window that does something to the motion: by card, by hand, by branching off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from quatviz.base.tr import tr
from quatviz.document.document import Document
from quatviz.document.edits import rounded
from quatviz.feed.frame import Frame, Source
from quatviz.look.choices import Choices, Old
from quatviz.simulation.commands import Pause, Play, Seek
from quatviz.ui.kit.acts import Acts
from quatviz.ui.scene.by_hand import ByHand
from quatviz.ui.scene.views import Views
from quatviz.ui.side.experiment import Experiment
from quatviz.ui.transport.scrubber import Scrubber


class OldNotice(QPushButton):
    """Seen while an old future is drawn."""

    def __init__(self, choices: Choices, acts: Acts[Any]) -> None:
        super().__init__(acts["dismiss"].text())
        self._choices = choices
        said = tr("Faint curves show what would have come without the last branch")
        self.setToolTip(acts.tip("dismiss", said))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(acts["dismiss"].trigger)
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
    """Introduces these parts to each other, and holds the cursor while a card asks about its time."""

    command = Signal(object)
    said = Signal(str, str)

    def __init__(
        self,
        document: Document,
        window: QWidget,
        views: Views,
        choices: Choices,
        scrubber: Scrubber,
        acts: Acts[Any],
        add_more: Callable[[QMenu], object],
    ) -> None:
        """`add_more` adds to the menu of a time what has nothing to do with events."""
        super().__init__(window)
        self._window, self._scrubber, self.branching = window, scrubber, document.branching
        self._playing = self._plays_on = False
        self._time = 0.0
        self.by_hand = ByHand(document, views)
        self.experiment = Experiment(document, window, self._above_timeline, self.by_hand.starting, add_more)
        self.old = OldNotice(choices, acts)
        experiment, by_hand = self.experiment, self.by_hand
        experiment.seek_requested.connect(lambda time: self.command.emit(Seek(time)))
        experiment.asked.connect(self._hold)
        experiment.card.edited.connect(by_hand.show_kick)
        by_hand.kick_dragged.connect(self._take_kick)
        for part in (experiment, by_hand):
            part.said.connect(self.said)
        scrubber.offered.connect(
            lambda at, time, flag: experiment.menu(
                at, time, flag.numbers if flag is not None else (), scrubber
            )
        )

    def start(self, source: Source) -> None:
        """A run begins."""
        self.by_hand.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Take in where the run is."""
        self._playing, self._time = frame.playing, frame.heading
        self.by_hand.show_frame(frame)

    def perform(self, offer: str) -> None:
        """Do what is offered at the cursor."""
        self.experiment.perform(offer, self._time)

    def turn_branching(self) -> None:
        """Let edits hold from the cursor, or from the start."""
        self.branching.set_on(not self.branching.on)
        begin = tr("cursor") if self.branching.on else tr("start")
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

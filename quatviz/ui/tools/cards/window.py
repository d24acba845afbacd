"""The window of the cards: which lane, and its card, or those of all; or the six multiplier forms. It follows the run for their
numbers, above it or below it."""

import math
from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSplitter, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.lane_readouts import heading_of, number_at, point_at
from quatviz.display.panels.base import Pointed
from quatviz.display.view_state.theme import UNIT
from quatviz.display.view_state.view_state import OTHERS
from quatviz.physics.equations import Point
from quatviz.physics.formulations import equations, lane_title, make_formulation
from quatviz.physics.formulations._multiplier_forms import SIX
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.teaching.help.generated import formulae_in, notes
from quatviz.ui.tools.cards.card import LaneCard, SixCard
from quatviz.ui.tools.cards.equation_view import TermView
from quatviz.ui.widgets.controls import (
    ChoiceBox,
    QuietButton,
    bring_forward,
    column,
    held,
    label,
    open_at,
    row,
    within,
)
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.typeset import Typesetting

_FLAGS = Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint


class CardWindow(Guarded, QWidget):
    """It stays above the main window, whose keys work in it, or stands below the run, and costs nothing while it is closed."""

    follows_setting = True
    pointed = Signal(object)
    """What the term that is pointed at stands for, as `Pointed`; None for nothing."""

    def __init__(self, parent: QWidget, room: QSplitter) -> None:
        """`room` has the run, and has this below it where a person wants it there."""
        super().__init__(parent, _FLAGS)
        self._owner, self._room = parent, room
        self.cards: list[LaneCard | SixCard] = []
        self.six = False
        """Whether the six forms are shown."""
        self.lane = ""
        """The lane whose card is shown, `OTHERS` for all; one that the run does not have means its first."""
        self._lane_ids: list[str] = []
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._key: object = None
        self._typesetting = Typesetting(self)
        self._typesetting.ended.connect(self._end)
        self.setWindowTitle(tr("Equations – quatviz"))
        self.lanes = ChoiceBox({}, tr("Lane whose equations are shown"))
        self.lanes.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.lanes.chosen.connect(lambda lane: self.choose(str(lane)))
        self.switch = QuietButton(tr("Compare the six multiplier forms"), lambda: self.show_six(not self.six))
        self._area = QScrollArea()
        self._area.setAccessibleName(tr("Equations"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.place = QuietButton("", lambda: self._stand(below=not self._below))
        self.leave = QuietButton(tr("Close"), self.close)
        parts = self.lanes, None, self.switch, self.place, self.leave
        top = row(*parts, margins=(3 * UNIT, UNIT, 3 * UNIT, 0))
        self._box = column(top, (self._area, 1), gap=0)
        self.setLayout(self._box)
        self._stand(below=False)
        open_at(self, 880, 760)

    @property
    def card(self) -> LaneCard | SixCard | None:
        """The first that is shown, if one is."""
        return self.cards[0] if self.cards else None

    @property
    def docked(self) -> str:
        """What is shown below the run: a lane, `OTHERS` for all; empty where that is nothing."""
        return "" if self.isHidden() or not self._below else self.lane or OTHERS

    def dock(self, lane: str) -> None:
        """Show this below the run; what is shown elsewhere stays there where it is empty."""
        if lane:
            self._stand(below=True)
            self.open("" if self.six and lane == (self.lane or OTHERS) else lane)  # the six forms again
        elif self.docked:
            self.close()

    @property
    def _below(self) -> bool:
        return not self.isWindow()

    def _stand(self, below: bool) -> None:
        """Stand below the run, or in a window of its own."""
        if below != self._below:
            seen = not self.isHidden()
            if below:
                self._room.addWidget(self)
                self._room.setSizes([3 * self._room.height(), 2 * self._room.height()])
            else:
                self.setParent(self._owner, _FLAGS)
            self.setVisible(seen)
        self.place.setText(tr("In a window of its own") if below else tr("Below the run"))
        self.leave.setVisible(below)
        self._fit()

    def open(self, lane: str = "") -> None:
        """Show the card of a lane, or of the one that was shown last."""
        if lane:
            self.lane = lane
            self.show_six(False)
        bring_forward(self)
        self._offer()
        self._renew()

    def choose(self, lane: str) -> None:
        """Show the card of this lane."""
        self.lane = lane
        self._offer()
        self._renew()

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._frame, self._key = source, None, None
        self._offer()

    def show_frame(self, frame: Frame) -> None:
        """Show the numbers at the cursor, while it plays where others are read too."""
        self._frame = frame
        if not self.isVisible():
            return
        key = (frame.generation, frame.time, self.lane, tuple(lane.computed_to for lane in frame.lanes))
        if key != self._key and (frame.reads or self._key is None):
            self._key = key
            self._show_point()

    def show_six(self, on: bool) -> None:
        """Show the six multiplier forms, or the lane's own card."""
        if on != self.six:
            self.six = on
            self._put()
            if on and not self._below:
                self._widen()

    def point(self) -> Point | None:
        """The chosen lane at the cursor; None until its first sample is there."""
        if self._source is None or self._frame is None:
            return None
        return point_at(self._source, self._frame, self._index)

    def shut_down(self) -> None:
        """End what runs."""
        self._typesetting.stop()

    @property
    def _index(self) -> int:
        lanes = self._source.info.lanes if self._source is not None else ()
        return lanes.index(self.lane) if self.lane in lanes else 0

    @property
    def _shown(self) -> list[int]:
        """Numbers of the lanes whose cards are shown; the six forms are of one."""
        count = len(self._source.info.lanes) if self._source is not None else 0
        return list(range(count)) if self.lane == OTHERS and not self.six else [self._index]

    def _offer(self) -> None:
        """Let a person choose among the lanes of the run, and show the card of the chosen one, or those of all."""
        if self._source is None or not self.isVisible():
            return
        info, index = self._source.info, self._index
        every = {OTHERS: tr("All lanes")} if len(info.lanes) > 1 else {}
        self.lanes.offer({**every, **{lane: lane_title(lane) for lane in info.lanes}})
        self.lanes.show_value(self.lane if self.lane in every else info.lanes[index])
        lane_ids = [info.formulations[number] for number in self._shown]
        fresh, self._lane_ids = lane_ids != self._lane_ids, lane_ids
        if (self.card is None and not self._typesetting.busy) or (fresh and not self.six):
            self._put()

    def _show_point(self) -> None:
        """Show the numbers of this moment."""
        if self._source is None or self._frame is None:
            return
        for number, lane_id, card in zip(self._shown, self._lane_ids, self.cards, strict=False):
            at, form = point_at(self._source, self._frame, number), make_formulation(lane_id)
            if at is None:
                continue
            if math.isnan(at.lam) and form.has_multiplier:
                self._key = None  # it is still being found: ask again
            with np.errstate(all="ignore"):  # the last numbers of a lane that grew beyond all bounds
                if isinstance(card, LaneCard):
                    info, lane = self._source.info, self._frame.lanes[number]
                    singular = form.singularity_title != ""
                    found = number_at(self._source, lane.name, "singularity", at.t) if singular else math.nan
                    card.show_point(at, found, heading_of(info, lane, lane_id, at.t))
                else:
                    card.show_point(at)

    def _renew(self) -> None:
        self._key = None
        if self._frame is not None:
            self.show_frame(self._frame)

    def _widen(self) -> None:
        """To the size of six cards, or of the screen."""
        room = self.screen().availableGeometry()
        around = self.frameGeometry().size() - self.size()
        wanted = QSize(max(self.width(), 1560), max(self.height(), 860))
        place = within(QRect(self.pos(), wanted + around), room)
        self.resize(place.size() - around)
        self.move(place.topLeft())

    def _put(self) -> None:
        """Show the card that is chosen, as soon as its formulae are typeset."""
        self.pointed.emit(None)
        self.cards = []
        self.switch.setText(
            tr("Equations of the lane") if self.six else tr("Compare the six multiplier forms")
        )
        if self.six:
            wanted = [latex for form in SIX for latex in form.equation.formulae]
        else:
            names = dict.fromkeys(lane_id.partition("/")[0] for lane_id in self._lane_ids)
            wanted = [latex for name in names for latex in formulae_in(notes(name))]
            shown = chain.from_iterable(map(equations, self._lane_ids))
            wanted += [latex for equation in shown for latex in equation.formulae]
        if self._typesetting.begin(wanted):
            self._area.setWidget(_waiting(tr("Typesetting the equations…")))
        else:
            self._fill()

    def _end(self, fault: BaseException | None) -> None:
        if fault is None:
            self._fill()
        else:
            self._area.setWidget(_waiting(tr("The equations cannot be typeset: {outcome}", outcome=fault)))

    def _fill(self) -> None:
        self.cards = [SixCard()] if self.six else [LaneCard(lane_id) for lane_id in self._lane_ids]
        for number, card in zip(self._shown, self.cards, strict=False):
            card.pointed.connect(partial(self._point_by, number))
        shown = held(row(*self.cards, gap=0)) if len(self.cards) > 1 else self.cards[0]
        self._area.setWidget(shown)  # which deletes the one before
        self._fit()
        self._renew()

    def _fit(self) -> None:
        """Below the run there is little room for an equation."""
        self._box.activate()
        room = self._area.height() - self._area.horizontalScrollBar().sizeHint().height()
        cards = [card for card in self.cards if isinstance(card, LaneCard)]
        if cards:
            cards[0].fit(room if self._below else math.inf, *cards[1:])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _point_by(self, number: int, view: TermView | None) -> None:
        """Tell what a term stands for: in the lane of this number, and the component whose number is pointed at."""
        if view is None or not view.term.quantity or self._source is None:
            self.pointed.emit(None)
            return
        count = len(QUANTITIES[view.term.quantity].symbols)
        component = 0 if count == 1 else view.row if count == len(view.numbers) else None
        self.pointed.emit(Pointed(view.term.quantity, component, self._source.info.lanes[number]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            event.ignore()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.cards = []  # those of a run with many lanes are a hundred widgets: they are made anew when they are asked for
        self._area.setWidget(QWidget())
        self.pointed.emit(None)
        self._owner.activateWindow()


def _waiting(words: str) -> QLabel:
    waiting = label("muted", words, wraps=False)
    waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return waiting

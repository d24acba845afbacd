"""The window of the cards: which lane, and its card; or the six multiplier forms. It follows the run for their numbers."""

import math

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from quatviz.base.tr import tr
from quatviz.cards import Point
from quatviz.feed.frame import Frame, Source
from quatviz.feed.numbers import number_at, point_at
from quatviz.formulations import equations, make_formulation
from quatviz.formulations._six import SIX
from quatviz.help.kinds import notes
from quatviz.look.theme import UNIT
from quatviz.motion.observables import QUANTITIES
from quatviz.panels.base import Pointed
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.typeset import Typesetting
from quatviz.ui.kit.widgets import ChoiceBox, QuietButton, column, label, row
from quatviz.ui.tools.cards.card import LaneCard, SixCard, formulae_in
from quatviz.ui.tools.cards.equation_view import TermView, formulae_of


class CardWindow(Guarded, QWidget):
    """It stays above the main window, whose keys work in it, and costs nothing while it is closed."""

    follows_setting = True
    pointed = Signal(object)
    """What the term that is pointed at stands for, as `Pointed`; None for nothing."""

    def __init__(self, parent: QWidget) -> None:
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self._owner = parent
        self.card: LaneCard | SixCard | None = None
        self.six = False
        """Whether the six forms are shown."""
        self.lane = ""
        """The lane whose card is shown; one that the run does not have means its first."""
        self._lane_id = ""
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._key: object = None
        self._typesetting = Typesetting(self)
        self._typesetting.ended.connect(self._end)
        self.setWindowTitle(tr("Equations – quatviz"))
        self.lanes = ChoiceBox({})
        self.lanes.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.lanes.setAccessibleName(tr("Lane whose equations are shown"))
        self.lanes.activated.connect(lambda _: self.choose(self.lanes.currentText()))
        self.switch = QuietButton(tr("Compare the six multiplier forms"))
        self.switch.clicked.connect(lambda: self.show_six(not self.six))
        self._area = QScrollArea()
        self._area.setAccessibleName(tr("Equations"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        top = row(self.lanes, None, self.switch, margins=(3 * UNIT, 2 * UNIT, 3 * UNIT, UNIT))
        self.setLayout(column(top, (self._area, 1), gap=0))
        self.resize(880, 760)

    def open(self, lane: str = "") -> None:
        """Show the card of a lane, or of the one that was shown last."""
        if lane:
            self.lane = lane
            self.show_six(False)
        self.show()
        self.raise_()
        self.activateWindow()
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
            if on:
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

    def _offer(self) -> None:
        """Let a person choose among the lanes of the run, and show the card of the chosen one."""
        if self._source is None or not self.isVisible():
            return
        info, index = self._source.info, self._index
        if info.lanes != tuple(self.lanes.itemText(number) for number in range(self.lanes.count())):
            self.lanes.clear()
            self.lanes.addItems(info.lanes)
        self.lanes.setCurrentText(info.lanes[index])
        fresh, self._lane_id = info.formulations[index] != self._lane_id, info.formulations[index]
        if (self.card is None and not self._typesetting.busy) or (fresh and not self.six):
            self._put()

    def _show_point(self) -> None:
        """Show the numbers of this moment."""
        at = self.point()
        if self.card is None or self._source is None or at is None:
            return
        form = make_formulation(self._lane_id)
        if math.isnan(at.lam) and form.has_multiplier:
            self._key = None  # it is still being found: ask again
        with np.errstate(all="ignore"):  # the last numbers of a lane that grew beyond all bounds
            if isinstance(self.card, SixCard):
                self.card.show_point(at)
            elif form.singularity_title:
                name = self._source.info.lanes[self._index]
                self.card.show_point(at, number_at(self._source, name, "singularity", at.t))
            else:
                self.card.show_point(at)

    def _renew(self) -> None:
        self._key = None
        if self._frame is not None:
            self.show_frame(self._frame)

    def _widen(self) -> None:
        """To the size of six cards, or of the screen."""
        room = self.screen().availableGeometry()
        around = self.frameGeometry().size() - self.size()
        wanted = QSize(max(self.width(), 1560), max(self.height(), 860)).boundedTo(room.size() - around)
        self.resize(wanted)
        outer = wanted + around
        self.move(
            max(min(self.x(), room.right() + 1 - outer.width()), room.left()),
            max(min(self.y(), room.bottom() + 1 - outer.height()), room.top()),
        )

    def _put(self) -> None:
        """Show the card that is chosen, as soon as its formulae are typeset."""
        self.pointed.emit(None)
        self.card = None
        self.switch.setText(
            tr("Equations of the lane") if self.six else tr("Compare the six multiplier forms")
        )
        chosen = [form.equation for form in SIX] if self.six else equations(self._lane_id)
        said = [] if self.six else formulae_in(notes(self._lane_id.partition("/")[0]))
        if self._typesetting.begin([*formulae_of(chosen), *said]):
            self._area.setWidget(_waiting(tr("Typesetting the equations…")))
        else:
            self._fill()

    def _end(self, fault: BaseException | None) -> None:
        if fault is None:
            self._fill()
        else:
            self._area.setWidget(_waiting(tr("The equations cannot be typeset: {outcome}", outcome=fault)))

    def _fill(self) -> None:
        self.card = SixCard() if self.six else LaneCard(self._lane_id)
        self.card.pointed.connect(lambda view: self.pointed.emit(self._pointed_by(view)))
        self._area.setWidget(self.card)  # which deletes the one before
        self._renew()

    def _pointed_by(self, view: TermView | None) -> Pointed | None:
        """What a term stands for: in this lane, and the component whose number is pointed at."""
        if view is None or not view.term.quantity:
            return None
        count = len(QUANTITIES[view.term.quantity].symbols)
        component = 0 if count == 1 else view.row if count == len(view.numbers) else None
        return Pointed(view.term.quantity, component, self.lanes.currentText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            event.ignore()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.pointed.emit(None)
        self._owner.activateWindow()


def _waiting(words: str) -> QLabel:
    waiting = label("muted", words, wraps=False)
    waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return waiting

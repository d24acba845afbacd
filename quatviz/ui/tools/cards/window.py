"""The window of the cards: which lane, and its card; or the six multiplier forms."""

from __future__ import annotations

import logging

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from quatviz.base.tr import tr
from quatviz.cards import Point
from quatviz.formulations import equations
from quatviz.formulations._six import SIX
from quatviz.help.kinds import notes
from quatviz.look.theme import UNIT
from quatviz.motion.observables import QUANTITIES
from quatviz.panels.base import Pointed
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.job import Job
from quatviz.ui.kit.typeset import book
from quatviz.ui.kit.widgets import ChoiceBox, QuietButton, column, label, row
from quatviz.ui.tools.cards.equation_view import formulae_of
from quatviz.ui.tools.cards.lane_card import LaneCard
from quatviz.ui.tools.cards.notes_view import formulae_in
from quatviz.ui.tools.cards.six_card import SixCard
from quatviz.ui.tools.cards.term_view import TermView

log = logging.getLogger(__name__)


class CardWindow(Guarded, QWidget):
    """It stays above the main window, whose keys work in it."""

    pointed = Signal(object)
    """What the term that is pointed at stands for, as `Pointed`; None for nothing."""
    filled = Signal()
    """A card is there, and has no numbers yet."""
    lane_chosen = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self.card: LaneCard | SixCard | None = None
        self._job: Job | None = None
        self.six = False
        """Whether the six forms are shown."""
        self._lane_id = ""
        self.setWindowTitle(tr("Equations – quatviz"))
        self.lanes = ChoiceBox({})
        self.lanes.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.lanes.setAccessibleName(tr("Lane whose equations are shown"))
        self.lanes.activated.connect(lambda _: self.lane_chosen.emit(self.lanes.currentText()))
        self.switch = QuietButton("")
        self.switch.clicked.connect(lambda: self.show_six(not self.six))
        self._area = QScrollArea()
        self._area.setAccessibleName(tr("Equations"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        top = row(self.lanes, None, self.switch, margins=(3 * UNIT, 2 * UNIT, 3 * UNIT, UNIT))
        self.setLayout(column(top, (self._area, 1), gap=0))
        self.resize(880, 760)

    def show_lanes(self, names: tuple[str, ...], chosen: str, lane_id: str) -> None:
        """These lanes are to choose from; the chosen one is of this id."""
        if names != tuple(self.lanes.itemText(row) for row in range(self.lanes.count())):
            self.lanes.clear()
            self.lanes.addItems(names)
        self.lanes.setCurrentText(chosen)
        fresh, self._lane_id = lane_id != self._lane_id, lane_id
        if (self.card is None and self._job is None) or (fresh and not self.six):
            self._put()

    def show_six(self, on: bool) -> None:
        """Show the six multiplier forms, or the lane's own card."""
        if on != self.six:
            self.six = on
            self._put()
            if on:
                self._widen()

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

    def show_point(self, at: Point, singularity: float) -> None:
        """Show the numbers of this moment."""
        if isinstance(self.card, LaneCard):
            self.card.show_point(at, singularity)
        elif self.card is not None:
            self.card.show_point(at)

    def shut_down(self) -> None:
        """End what runs."""
        if self._job is not None:
            self._job.shut_down()
            self._job = None

    def _put(self) -> None:
        """Show the card that is chosen, as soon as its formulae are typeset."""
        self.shut_down()
        self.pointed.emit(None)
        self.card = None
        self.switch.setText(
            tr("Equations of the lane") if self.six else tr("Compare the six multiplier forms")
        )
        chosen = [form.equation for form in SIX] if self.six else equations(self._lane_id)
        said = [] if self.six else formulae_in(notes(self._lane_id.partition("/")[0]))
        lacking = book().lacks([*formulae_of(chosen), *said])
        if not lacking:
            self._fill()
            return
        self._area.setWidget(_waiting())
        self._job = Job(lambda told: book().draw_all(lacking, told), self)
        self._job.ended.connect(self._end)
        self._job.start()

    def _end(self, outcome: object) -> None:
        if self._job is not None:
            self._job.deleteLater()
            self._job = None
        if isinstance(outcome, BaseException):
            log.error("formulae cannot be typeset", exc_info=outcome)
            self._area.setWidget(_waiting(tr("The equations cannot be typeset: {outcome}", outcome=outcome)))
        else:
            self._fill()

    def _fill(self) -> None:
        self.card = SixCard() if self.six else LaneCard(self._lane_id)
        self.card.pointed.connect(lambda view: self.pointed.emit(self._pointed_by(view)))
        self._area.setWidget(self.card)  # which deletes the one before
        self.filled.emit()

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
        self.closed.emit()


def _waiting(words: str = "") -> QLabel:
    waiting = label("muted", words or tr("Typesetting the equations…"), wraps=False)
    waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return waiting

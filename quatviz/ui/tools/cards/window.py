"""Window of the equation cards. It shows the card of one lane, the cards of all lanes, or the six multiplier forms.

It follows the cursor, and can be docked below the run.
"""

import math
from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSplitter, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.lane_readouts import card_point_at, is_lane_coupled, lane_heading, value_at
from quatviz.display.panels.base import HighlightTarget
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_state import ALL_OTHERS, ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import equations, lane_title, make_formulation, symbols
from quatviz.physics.formulations._multiplier_forms import MULTIPLIER_FORMS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.teaching.help.generated import formulation_notes, note_formulae
from quatviz.ui.tools.cards.card import LaneCard, MultiplierFormsCard, multiplier_form_symbols
from quatviz.ui.tools.cards.equation_view import TermView
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.outdated_label import OutdatedLabel
from quatviz.ui.widgets.typeset import Typesetter
from quatviz.ui.widgets.windows import bring_to_front, move_inside, set_initial_size

_OUTDATED_DELAY = 300
"""Time from the start of a new run until numbers of the previous run are marked as outdated [ms]. Most runs are computed
sooner."""
_FLAGS = Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint


class EquationWindow(Guarded, QWidget):
    """Window with the equation cards. It is docked below the run, or stays above the main window and accepts its shortcuts.
    While it is closed, nothing is computed."""

    follows_setting = True
    pointed = Signal(object)
    """The pointed term changed. Emitted with its `HighlightTarget`, or None."""

    def __init__(self, parent: QWidget, splitter: QSplitter, store: ViewStore) -> None:
        """Create the window.

        Parameters
        ----------
        parent
            The main window.
        splitter
            Vertical splitter with the run, to which this window is added when it is docked.
        store
            View state, which says whether the window is docked.
        """
        super().__init__(parent, _FLAGS)
        self._store = store
        self._is_open = False
        """True from `open` until the window is closed."""
        self._owner, self._splitter = parent, splitter
        self.cards: list[LaneCard | MultiplierFormsCard] = []
        self.shows_six_forms = False
        """True if the window shows the six multiplier forms instead of the cards of lanes."""
        self.lane = ""
        """Lane whose card is shown, or `ALL_OTHERS` for all lanes. If the run has no such lane, its first one is shown."""
        self._lane_ids: list[str] = []
        self._are_coupled: list[bool] = []
        """For each displayed lane, True if its rotation and its translation depend on each other."""
        self._have_rotors: list[bool] = []
        """For each displayed lane, True if its body has rotors."""
        self._source: ColumnSource | None = None
        self._run_number = 0
        """Number of runs so far. It identifies the run of the displayed numbers; a reference would keep that run in memory."""
        self._frame: Frame | None = None
        self._key: object = None
        self._typesetting = Typesetter(self)
        self._typesetting.finished.connect(self._finish_typesetting)
        self.setWindowTitle(tr("Equations – quatviz"))
        self.lane_box = ChoiceBox({}, tr("Lane whose equations are shown"))
        self.lane_box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.lane_box.chosen.connect(lambda lane: self.choose_lane(str(lane)))
        self.six_forms_button = QuietButton(
            tr("Compare the six multiplier forms"), lambda: self.show_six_forms(not self.shows_six_forms)
        )
        self._area = QScrollArea()
        self._area.setAccessibleName(tr("Equations"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.dock_button = QuietButton("", self._toggle_docked)
        self.close_button = QuietButton(tr("Close"), self.close)
        parts = self.lane_box, None, self.six_forms_button, self.dock_button, self.close_button
        top = row(*parts, gap=2 * GRID_UNIT, margins=(3 * GRID_UNIT, GRID_UNIT, 3 * GRID_UNIT, 0))
        self.outdated_label = OutdatedLabel()
        mark = column(self.outdated_label, margins=(3 * GRID_UNIT, GRID_UNIT, 3 * GRID_UNIT, 0))
        self._outdated_timer = QTimer(self, singleShot=True, interval=_OUTDATED_DELAY)
        """Timer that delays the mark "outdated". Most runs are computed before a user could read it."""
        self._outdated_timer.timeout.connect(self._show_outdated_mark)
        self._layout = column(top, mark, (self._area, 1), gap=0)
        self.setLayout(self._layout)
        self._set_docked(docked=False)
        set_initial_size(self, 880, 760)
        store.changed.connect(self._apply_view_change)

    @property
    def card(self) -> LaneCard | MultiplierFormsCard | None:
        """First card that is shown, or None."""
        return self.cards[0] if self.cards else None

    @property
    def docked_lane(self) -> str:
        """Lane whose equations are docked below the run, `ALL_OTHERS` for all lanes, "" for none."""
        return (self.lane or ALL_OTHERS) if self._is_open and self._is_docked else ""

    def dock(self, lane: str) -> None:
        """Dock the window below the run, and show the equations of this lane. With "" close the window if it is docked."""
        if lane:
            self._set_docked(docked=True)
            self.open(
                "" if self.shows_six_forms and lane == (self.lane or ALL_OTHERS) else lane
            )  # keeps the six forms
        elif self.docked_lane:
            self.close()

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if new.equations != old.equations and self._store.state.equations != self.docked_lane:
            self.dock(self._store.state.equations)

    def _store_docked_lane(self) -> None:
        self._store.update(equations=self.docked_lane)

    def _toggle_docked(self) -> None:
        self._set_docked(docked=not self._is_docked)
        self._store_docked_lane()

    @property
    def _is_docked(self) -> bool:
        return not self.isWindow()

    def _set_docked(self, docked: bool) -> None:
        """Dock the window below the run, or show it as a separate window."""
        if docked != self._is_docked:
            if docked:
                self._splitter.addWidget(self)
                self._splitter.setSizes([3 * self._splitter.height(), 2 * self._splitter.height()])
            else:
                self.setParent(self._owner, _FLAGS)
            self.setVisible(self._is_open)
        self.dock_button.setText(tr("Open in new window") if docked else tr("Dock below"))
        self.close_button.setVisible(docked)
        self._fit_cards()

    def open(self, lane: str = "") -> None:
        """Show the card of a lane, or of the lane shown last."""
        if lane:
            self.lane = lane
            self.show_six_forms(False)
        self._is_open = True
        bring_to_front(self)
        self._update_lane_box()
        self._refresh()
        self._update_outdated_mark()
        self._store_docked_lane()

    def choose_lane(self, lane: str) -> None:
        """Show the card of this lane."""
        self.lane = lane
        self._update_lane_box()
        self._refresh()
        self._store_docked_lane()

    def start(self, source: ColumnSource) -> None:
        """Clear the numbers of the previous run, and offer the lanes of the new one."""
        self._source, self._frame, self._key = source, None, None
        self._run_number += 1
        if self._store.state.equations != self.docked_lane:
            self.dock(self._store.state.equations)
        self._update_lane_box()
        self._update_outdated_mark()

    def show_frame(self, frame: Frame) -> None:
        """Show the numbers at the cursor. During playback, they change as often as other numbers of the window."""
        self._frame = frame
        if not self.isVisible():
            return
        states = tuple((lane.computed_to, lane.message) for lane in frame.lanes)
        key = (frame.generation, frame.time, self.lane, states)
        if key != self._key and (frame.updates_readouts or self._key is None):
            self._key = key
            self._show_point()

    def show_six_forms(self, on: bool) -> None:
        """Show the six multiplier forms if `on` is True, else the card of the lane."""
        if on != self.shows_six_forms:
            self.shows_six_forms = on
            self._typeset_cards()
            if on and not self._is_docked:
                self._widen()

    def point(self) -> EvaluationPoint | None:
        """Values of the chosen lane at the cursor, None before its first sample."""
        if self._source is None or self._frame is None:
            return None
        return card_point_at(self._source, self._frame, self._lane_index)

    def shutdown(self) -> None:
        """Cancel typesetting."""
        self._typesetting.stop()

    @property
    def _lane_index(self) -> int:
        lanes = self._source.info.lanes if self._source is not None else ()
        return lanes.index(self.lane) if self.lane in lanes else 0

    @property
    def _shown_lanes(self) -> list[int]:
        """Indices of the lanes whose cards are shown. While the six multiplier forms are shown, it is a single lane."""
        count = len(self._source.info.lanes) if self._source is not None else 0
        return (
            list(range(count)) if self.lane == ALL_OTHERS and not self.shows_six_forms else [self._lane_index]
        )

    def _update_lane_box(self) -> None:
        """List the lanes of the run in the choice box. If the displayed lanes have changed, show their cards."""
        if self._source is None or not self.isVisible():
            return
        info, index = self._source.info, self._lane_index
        all_lanes = {ALL_OTHERS: tr("All lanes")} if len(info.lanes) > 1 else {}
        self.lane_box.set_choices({**all_lanes, **{lane: lane_title(lane) for lane in info.lanes}})
        self.lane_box.show_value(self.lane if self.lane in all_lanes else info.lanes[index])
        lane_ids = [info.formulations[number] for number in self._shown_lanes]
        are_coupled = [is_lane_coupled(info, number) for number in self._shown_lanes]
        have_rotors = [bool(info.body.rotors)] * len(lane_ids)
        shown = lane_ids, are_coupled, have_rotors
        has_new_lanes = shown != (self._lane_ids, self._are_coupled, self._have_rotors)
        self._lane_ids, self._are_coupled, self._have_rotors = shown
        if (self.card is None and not self._typesetting.is_busy) or (
            has_new_lanes and not self.shows_six_forms
        ):
            self._typeset_cards()

    def _show_point(self) -> None:
        """Show on each card the numbers at the cursor."""
        if self._source is None or self._frame is None:
            return
        is_complete = bool(self.cards)
        for number, lane_id, card in zip(self._shown_lanes, self._lane_ids, self.cards, strict=False):
            at, form = card_point_at(self._source, self._frame, number), make_formulation(lane_id)
            if at is None:
                is_complete = False
                continue
            if math.isnan(at.lam) and form.has_multiplier:
                self._key = None  # λ is not computed yet: ask again
            with np.errstate(all="ignore"):  # the last values of a diverged lane may overflow
                if isinstance(card, LaneCard):
                    info, lane = self._source.info, self._frame.lanes[number]
                    has_singularity = form.singularity_title != ""
                    singularity = (
                        value_at(self._source, lane.name, "singularity", at.t)
                        if has_singularity
                        else math.nan
                    )
                    card.show_point(at, singularity, lane_heading(info, lane, lane_id, at.t))
                    card.show_message(lane.message)
                else:
                    card.show_point(at)
        if is_complete:
            self.outdated_label.set_result(self._run_number)
            self._update_outdated_mark()

    def _update_outdated_mark(self) -> None:
        """Mark the numbers as outdated if they belong to an earlier run and the new run has no numbers yet
        after `_OUTDATED_DELAY`."""
        if not self.outdated_label.is_outdated(self._run_number):
            self._outdated_timer.stop()
            self.outdated_label.hide()
        elif not self._outdated_timer.isActive():
            self._outdated_timer.start()

    def _show_outdated_mark(self) -> None:
        self.outdated_label.show_reason(tr("The numbers are updated when the lane is computed."))

    def _refresh(self) -> None:
        self._key = None
        if self._frame is not None:
            self.show_frame(self._frame)

    def _widen(self) -> None:
        """Enlarge the window so that six cards fit, as far as the screen allows."""
        screen_rect = self.screen().availableGeometry()
        frame_size = self.frameGeometry().size() - self.size()
        preferred_size = QSize(max(self.width(), 1560), max(self.height(), 860))
        rect = move_inside(QRect(self.pos(), preferred_size + frame_size), screen_rect)
        self.resize(rect.size() - frame_size)
        self.move(rect.topLeft())

    def _typeset_cards(self) -> None:
        """Typeset the formulas of the selected card in the background, and show the card when they are ready."""
        self.pointed.emit(None)
        self.cards = []
        self.outdated_label.clear_result()
        self.six_forms_button.setText(
            tr("Equations of the lane") if self.shows_six_forms else tr("Compare the six multiplier forms")
        )
        if self.shows_six_forms:
            formulas = [latex for form in MULTIPLIER_FORMS for latex in form.equation.formulae]
            formulas += [symbol.latex for symbol in multiplier_form_symbols()]
        else:
            names = dict.fromkeys(lane_id.partition("/")[0] for lane_id in self._lane_ids)
            formulas = [latex for name in names for latex in note_formulae(formulation_notes(name))]
            shown_equations = chain.from_iterable(
                map(equations, self._lane_ids, self._are_coupled, self._have_rotors)
            )
            formulas += [latex for equation in shown_equations for latex in equation.formulae]
            shown_symbols = map(symbols, self._lane_ids, self._are_coupled, self._have_rotors)
            formulas += [symbol.latex for symbol in dict.fromkeys(chain.from_iterable(shown_symbols))]
        if self._typesetting.start(formulas):
            self._area.setWidget(_waiting_label(tr("Typesetting the equations…")))
        else:
            self._make_cards()

    def _finish_typesetting(self, fault: BaseException | None) -> None:
        if fault is None:
            self._make_cards()
        else:
            self._area.setWidget(
                _waiting_label(tr("The equations cannot be typeset: {outcome}", outcome=fault))
            )

    def _make_cards(self) -> None:
        self.cards = (
            [MultiplierFormsCard()]
            if self.shows_six_forms
            else list(map(LaneCard, self._lane_ids, self._are_coupled, self._have_rotors))
        )
        for number, card in zip(self._shown_lanes, self.cards, strict=False):
            card.pointed.connect(partial(self._emit_pointed, number))
        shown = wrap_layout(row(*self.cards, gap=0)) if len(self.cards) > 1 else self.cards[0]
        self._area.setWidget(shown)  # deletes the previous widget
        self._fit_cards()
        self._refresh()

    def _fit_cards(self) -> None:
        """Arrange the equations. The height is limited to the visible area if the window is docked, and unlimited otherwise."""
        self._layout.activate()
        available_height = self._area.height() - self._area.horizontalScrollBar().sizeHint().height()
        cards = [card for card in self.cards if isinstance(card, LaneCard)]
        if cards:
            cards[0].fit(available_height if self._is_docked else math.inf, *cards[1:])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_cards()

    def _emit_pointed(self, number: int, view: TermView | None) -> None:
        """Emit `pointed` with the quantity of the pointed term, its component and the lane with index `number`."""
        if view is None or not view.term.quantity or self._source is None:
            self.pointed.emit(None)
            return
        count = len(QUANTITIES[view.term.quantity].symbols)
        component = 0 if count == 1 else view.pointed_row if count == len(view.numbers) else None
        self.pointed.emit(HighlightTarget(view.term.quantity, component, self._source.info.lanes[number]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            event.ignore()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.cards = []  # frees the widgets, a hundred in a run with many lanes; they are created again on demand
        self._area.setWidget(QWidget())
        self.pointed.emit(None)
        self._is_open = False
        self._store_docked_lane()
        self._owner.activateWindow()


def _waiting_label(words: str) -> QLabel:
    waiting = label("muted", words, word_wrap=False)
    waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return waiting

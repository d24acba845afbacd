"""Dialog in which the user chooses formulations, each of which becomes a new lane."""

from dataclasses import replace
from functools import reduce

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from quatviz.base.translation import tr
from quatviz.display.document.comparison import new_lanes, unsupported_forms
from quatviz.display.document.document import Document
from quatviz.display.document.edits import add_computed_lane, loads_of_new_lane
from quatviz.display.document.lane_laws import new_lane_loads_note
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_state import is_panel_shown, with_panel_shown
from quatviz.files.preset import Lane
from quatviz.physics.formulations import formulation_class, lane_title
from quatviz.ui.tools.base.formulation_picker import UNMATCHED_MESSAGE, FormulationPicker
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.windows import Dialog, set_initial_size


class AddLaneDialog(Dialog):
    """Dialog with a list of formulations, none of them checked at first. A formulation that cannot compute the motion is
    disabled, with the reason."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(tr("Add a lane"), parent)
        self._document = document
        lanes = new_lanes()
        preset, view_state = document.state.preset, document.view.state
        loads = loads_of_new_lane(preset)
        self._loads_note = new_lane_loads_note(preset)
        refusals = unsupported_forms(preset, {name: [Lane(name, loads=loads)] for name in lanes})
        shows_multiplier = is_panel_shown(view_state, "multiplier", any(map(_has_multiplier, preset.lanes)))
        self._offers_multiplier = not shows_multiplier
        self.multiplier_box = QCheckBox(tr("Show the plot of λ, the Lagrange multiplier"))
        self.multiplier_box.setChecked(True)
        self.picker = FormulationPicker(lanes, (), refusals)
        self.search_field, self.check_list = self.picker.search_field, self.picker.check_list
        self.picker.changed.connect(self._update_status)
        self.note = label("muted")
        self.add_button = Button(tr("Add"), self._add, object_name="primary")
        self.add_button.setDefault(True)
        self.problem = InlineMessage(self.add_button)
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing())
        foot = row(None, Button(tr("Cancel"), self.reject), self.add_button)
        self.setLayout(
            column(
                *((self.picker, 1), self.note, self.multiplier_box, column(self.problem.space, foot, gap=0)),
                gap=GRID_UNIT,
                margins=2 * GRID_UNIT,
            )
        )
        set_initial_size(self, 820, 600)
        self.finished.connect(lambda _: self.picker.shutdown())
        self._update_status()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add lanes for the checked formulations on Enter. While a search text is typed, Enter instead checks the best
        match."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        in_list = self.focusWidget() is self.check_list
        if not (enter and not in_list and self.picker.choose_match()):
            super().keyPressEvent(event)

    def _add(self) -> None:
        names = self.check_list.checked_names
        step_text = (
            tr("add lane {lane_id}", lane_id=lane_title(names[0]))
            if len(names) == 1
            else tr("add {count} lanes", count=len(names))
        )
        shows_multiplier = not self.multiplier_box.isHidden() and self.multiplier_box.isChecked()

        def edit(state: State) -> State:
            state = reduce(add_computed_lane, map(Lane, names), state)
            if shows_multiplier and state.view_state is not None:
                fields = with_panel_shown(state.view_state, "multiplier", True)
                state = replace(state, view_state=replace(state.view_state, **fields))
            return state

        refusal = self._document.propose(step_text, edit)
        if refusal is None:
            self.accept()
        else:
            self.problem.show_refusal(refusal, with_key=True)

    def _update_status(self) -> None:
        """Show how many formulations are checked, or that none match the search.

        The option to plot the multiplier λ is shown if a checked formulation has one and no lane of the run has one yet.
        """
        names = self.check_list.checked_names
        count = len(names)
        has_new_multiplier = any(_has_multiplier(Lane(name)) for name in names)
        self.multiplier_box.setVisible(self._offers_multiplier and has_new_multiplier)
        message = (
            tr("Tick one or more formulations.")
            if count == 0
            else tr("Formulations chosen: {count}.", count=count)
        )
        if self._loads_note:
            message += " " + self._loads_note
        if self.picker.unmatched_text:
            message = tr(UNMATCHED_MESSAGE, typed=self.picker.unmatched_text)
        self.note.setText(message)
        self.add_button.setEnabled(count > 0)


def _has_multiplier(lane: Lane) -> bool:
    return formulation_class(lane.formulation).has_multiplier

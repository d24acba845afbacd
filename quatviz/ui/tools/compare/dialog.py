"""Dialog in which the user chooses the formulations that a run compares, one for each lane."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.document.comparison import (
    comparison_lanes,
    comparison_session,
    needs_shared_view,
    unsupported_forms,
)
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import LANE_LAWS_TEXT, new_lane_loads_note
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title
from quatviz.ui.tools.base.formulation_picker import UNMATCHED_MESSAGE, FormulationPicker
from quatviz.ui.widgets.buttons import Button, QuietButton
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.windows import Dialog, set_initial_size

_INTRODUCTION = (
    "Compare formulations of the current motion. The displayed plots and 3D items stay. Plots of the differences between the lanes "
    "and of λ, and the equations, are added. Undo once to return."
)

_NAMED_COUNT = 4
"""Largest number of chosen formulations that are named below the list."""


class CompareDialog(Dialog):
    """Dialog with a list of formulations. Those of the run are checked. A formulation that cannot compute the motion is
    disabled, with the reason."""

    def __init__(
        self,
        document: Document,
        show_session: Callable[[Session, str], object],
        parent: QWidget,
        run_action: Callable[[str], object],
    ) -> None:
        """Create the dialog.

        Parameters
        ----------
        document
            Document with the run.
        show_session
            Function that is called with the new session and the description of the undo step.
        parent
            Main window.
        run_action
            Function that runs an action of the main window by name.
        """
        super().__init__(tr("Compare formulations"), parent)
        self._preset, self._show_session, self._parent = document.state.preset, show_session, parent
        self._view_state = document.view.state
        self._lanes = comparison_lanes(self._preset)
        self._refusals = unsupported_forms(self._preset, self._lanes)
        self._loads_note = new_lane_loads_note(self._preset)
        run_formulations = {lane.formulation for lane in self._preset.lanes}
        ticked = [
            lane_id
            for lane_id, lanes in self._lanes.items()
            if any(lane.formulation in run_formulations for lane in lanes)
        ]
        self.picker = FormulationPicker(self._lanes, ticked, self._refusals)
        self.search_field, self.check_list = self.picker.search_field, self.picker.check_list
        self.picker.changed.connect(self._update_status)
        self.note = label("muted")
        self.cancel_button = Button(tr("Cancel"), self.reject)
        self.compare_button = Button(tr("Compare"), self._compare, object_name="primary")
        self.compare_button.setDefault(True)
        note_height = 3 * self.note.fontMetrics().lineSpacing()
        self.note.setMinimumHeight(note_height)  # otherwise the list would move when the text changes
        self._run_action = run_action
        self.write_button = QuietButton(
            tr("Write your own formulation…"), lambda: self._leave_for("write_formulation")
        )
        self.write_button.setToolTip(tr("Type the equations of a new formulation and compare it"))
        self.laws_button = QuietButton(tr(LANE_LAWS_TEXT), lambda: self._leave_for("lane_laws"))
        self.laws_button.setToolTip(
            tr("Compare torque laws instead of formulations: each lane gets its own law")
        )
        self.file_button = QuietButton(tr("Compare with a file…"), lambda: self._leave_for("import"))
        self.file_button.setToolTip(
            tr("Add a saved run, exported data of a run, or a recording as a lane of this run")
        )
        links = row(self.write_button, self.laws_button, self.file_button, None, gap=2 * GRID_UNIT)
        foot = row(None, self.cancel_button, self.compare_button)
        parts = label("", tr(_INTRODUCTION)), (self.picker, 1), self.note, links, foot
        self.setLayout(column(*parts, gap=GRID_UNIT, margins=2 * GRID_UNIT))
        set_initial_size(self, 820, 640)
        self.finished.connect(lambda _: self.picker.shutdown())
        self._update_status()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Start the comparison on Enter. While a search text is typed, Enter instead checks the best match."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        in_list = self.focusWidget() is self.check_list
        if not (enter and not in_list and self.picker.choose_match()):
            super().keyPressEvent(event)

    def _compare(self) -> None:
        self.accept()
        session = comparison_session(
            self._preset, self._lanes, self.check_list.checked_names, self._parent.width(), self._view_state
        )
        self._show_session(session, tr("compare formulations"))

    def _leave_for(self, action: str) -> None:
        self.reject()
        self._run_action(action)

    def _update_status(self) -> None:
        """Show how many formulations are checked and what is missing, or that none match the search."""
        names = self.check_list.checked_names
        checked_count, available_count = len(names), len(self._lanes) - len(self._refusals)
        message = tr(
            "{chosen} of {available} formulations are chosen", chosen=checked_count, available=available_count
        )
        # Most of the list is out of sight.
        titles = [*map(lane_title, names[:_NAMED_COUNT]), *(["…"] if checked_count > _NAMED_COUNT else [])]
        message += f": {'; '.join(titles)}." if titles else "."
        if needs_shared_view(
            [lane for lane_id in self.check_list.checked_names for lane in self._lanes[lane_id]]
        ):
            message += " " + tr(
                "More than four lanes share one 3D view, where you can magnify their differences."
            )
        if available_count < 2:
            message = tr("Fewer than two formulations support this motion.")
        elif checked_count < 2:
            message += " " + tr("Tick at least two formulations.")
        if self._refusals:
            message += " " + tr(
                "Not available for this motion: {count}; hover over one to see why.",
                count=len(self._refusals),
            )
        has_new_lane = any(lane not in self._preset.lanes for name in names for lane in self._lanes[name])
        if has_new_lane and self._loads_note:
            message += " " + self._loads_note
        if self.picker.unmatched_text:
            message = tr(UNMATCHED_MESSAGE, typed=self.picker.unmatched_text)
        self.note.setText(message)
        self.compare_button.setEnabled(checked_count > 1)

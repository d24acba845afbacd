"""The front door to the comparison: which formulations are to be seen beside each other."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.formatting import format_error
from quatviz.base.translation import tr
from quatviz.display.document.comparison import (
    comparison_lanes,
    comparison_session,
    needs_shared_view,
    search_terms,
    unsupported_forms,
)
from quatviz.display.document.document import Document
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title
from quatviz.teaching.help.entry_search import SearchEntry, filter_entries
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.lists import CheckList, SearchField
from quatviz.ui.widgets.windows import Dialog, set_initial_size

_INTRODUCTION = (
    "Two or more formulations over the motion that is open, in views beside each other where there is room: λ where they have "
    "one, how far they part, and their equations below. One step of Undo leads back."
)


class CompareDialog(Dialog):
    """Those of the run are ticked; those that cannot take its motion stay off, and say why."""

    def __init__(
        self, document: Document, show_session: Callable[[Session, str], object], parent: QWidget
    ) -> None:
        """`show_session` is given the session that is chosen, and what the step is called."""
        super().__init__(tr("Compare formulations"), parent)
        self._preset, self._show_session, self._parent = document.state.preset, show_session, parent
        self._lanes = comparison_lanes(self._preset)
        self._refusals = unsupported_forms(self._preset, self._lanes)
        self._unmatched_text = ""
        """What is typed where nothing has it."""
        run_formulations = {lane.formulation for lane in self._preset.lanes}
        self.search_field = SearchField(tr("Find a formulation"))
        self.check_list, self.note = CheckList(tr("Formulations")), label("muted")
        self.search_field.textChanged.connect(self._filter)
        self.search_field.stepped.connect(lambda _: self.check_list.setFocus())
        for lane_id, lanes in self._lanes.items():
            refusal = self._refusals.get(lane_id)
            is_checked = any(lane.formulation in run_formulations for lane in lanes)
            self.check_list.add_name(
                lane_id, lane_title(lane_id), is_checked, format_error(refusal) if refusal else ""
            )
        self.check_list.itemChanged.connect(lambda _: self._update_status())
        self.cancel_button = Button(tr("Cancel"), self.reject)
        self.compare_button = Button(tr("Compare"), self._compare, object_name="primary")
        self.compare_button.setDefault(True)
        note_height = 3 * self.note.fontMetrics().lineSpacing()
        self.note.setMinimumHeight(note_height)  # or the list would move while it changes
        foot = row(None, self.cancel_button, self.compare_button)
        parts = label("", tr(_INTRODUCTION)), self.search_field, (self.check_list, 1), self.note, foot
        self.setLayout(column(*parts, gap=GRID_UNIT, margins=2 * GRID_UNIT))
        set_initial_size(self, 520, 640)
        self._update_status()

    def _filter(self, typed: str) -> None:
        """List those alone that have what is typed, the best of them for Enter."""
        entries = [
            SearchEntry(lane_title(lane_id), lane_id, lambda: None, keywords=search_terms(lane_id))
            for lane_id in self._lanes
        ]
        matches = [entry.location for entry in filter_entries(entries, typed)]
        for index, lane_id in enumerate(self._lanes):
            self.check_list.item(index).setHidden(lane_id not in matches)
        self.check_list.setCurrentRow(list(self._lanes).index(matches[0]) if matches else -1)
        self._unmatched_text = "" if matches else typed.strip()
        self._update_status()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter compares, but where something is sought: there it ticks what is found."""
        enter, item = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter), self.check_list.currentItem()
        if not (enter and self.search_field.text() and self.focusWidget() is not self.check_list):
            super().keyPressEvent(event)
        elif item is not None:
            self.check_list.toggle(item)

    def _compare(self) -> None:
        self.accept()
        session = comparison_session(
            self._preset, self._lanes, self.check_list.checked_names, self._parent.width()
        )
        self._show_session(session, tr("compare formulations"))

    def _update_status(self) -> None:
        """How many are chosen, and what is missing; or that nothing is found."""
        checked_count, available_count = (
            len(self.check_list.checked_names),
            len(self._lanes) - len(self._refusals),
        )
        message = tr("{chosen} of {able} are chosen.", chosen=checked_count, able=available_count)
        if needs_shared_view(
            [lane for lane_id in self.check_list.checked_names for lane in self._lanes[lane_id]]
        ):
            message += " " + tr(
                "More than four lie over each other in one view, where differences can be magnified."
            )
        if available_count < 2:
            message = tr("No two formulations can take this motion.")
        elif checked_count < 2:
            message += " " + tr("Tick at least two.")
        if self._refusals:
            message += " " + tr(
                "{count} cannot take this motion: the pointer over one shows why.", count=len(self._refusals)
            )
        if self._unmatched_text:
            message = tr(
                "No formulation is known as “{typed}”. Try a name, such as Lagrange, or what one is written in or has, such as "
                "Euler angles, momentum or lambda.",
                typed=self._unmatched_text,
            )
        self.note.setText(message)
        self.compare_button.setEnabled(checked_count > 1)

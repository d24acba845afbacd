"""Form for the choices of a convergence study: lanes, integrators, steps or tolerances, and duration."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout

from quatviz.analysis.studies.plan import (
    DEFAULT_STEP_COUNT,
    DEFAULT_TOLERANCE_COUNT,
    LOOSEST_TOLERANCE,
    StudyPlan,
    default_coarsest_step,
    is_integrated,
    motion_key,
    step_ladder,
    tolerance_ladder,
    values_by_label,
)
from quatviz.base.errors import InputError
from quatviz.base.formatting import format_number, format_short
from quatviz.base.translation import tr
from quatviz.base.units import require_number
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS
from quatviz.ui.tools.study.curve_style import lane_color
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import ParsedEntry
from quatviz.ui.widgets.fields import field_values
from quatviz.ui.widgets.inline_message import with_message
from quatviz.ui.widgets.labels import label, make_section_layout
from quatviz.ui.widgets.layouts import column, make_form_layout
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area
from quatviz.ui.widgets.style import Themed

_COUNTS = range(2, 15)
_TOPIC = "errors#studies"
_STEPS, _TOLERANCES = "steps", "tolerances"


class StudyChoices(Themed, VerticalScrollArea):
    """Form with the choices of a study. Whenever the motion of the preset changes, lanes, duration and steps are reset to those of
    the preset."""

    lanes_changed = Signal()
    """Emitted when a lane was checked or unchecked."""

    def __init__(self) -> None:
        super().__init__()
        self._preset: Preset | None = None
        self._colors: dict[str, int] = {}
        self.lanes: dict[str, QCheckBox] = {}
        self._specs: dict[str, Lane] = {}
        self.integrators: dict[str, QCheckBox] = {}
        self.coarsest, self.duration = (
            _make_seconds_field("the coarsest step"),
            _make_seconds_field("the duration"),
        )
        self.count = ChoiceBox({count: str(count) for count in _COUNTS})
        self.steps_label = label("muted")
        self.over_box = ChoiceBox({_STEPS: tr("Steps"), _TOLERANCES: tr("Tolerances")})
        self.over_box.setToolTip(
            tr(
                "With Tolerances, adaptive integrators vary the tolerance; integrators with fixed steps still vary the step"
            )
        )
        loosest = partial(
            require_number, place="the loosest tolerance", topic=_TOPIC,
            above=0.0, expected="a number above 0", example="1e-4",
        )  # fmt: skip
        self.loosest = ParsedEntry(loosest)
        self.tolerance_count = ChoiceBox({count: str(count) for count in _COUNTS})
        self.tolerances_label = label("muted")
        self._lane_column = column(gap=0)
        self._lay_out()
        self.coarsest.committed.connect(self._update_ladder_labels)
        self.count.chosen.connect(lambda _: self._update_ladder_labels())
        self.loosest.committed.connect(self._update_ladder_labels)
        self.tolerance_count.chosen.connect(lambda _: self._update_ladder_labels())
        self.over_box.chosen.connect(lambda _: self._show_tolerance_rows())
        self._show_tolerance_rows()

    def show_preset(self, preset: Preset, colors: Mapping[str, int]) -> None:
        """Offer the lanes of a preset. If its motion is new, reset the choices; otherwise unchecked lanes stay unchecked."""
        is_new_motion = self._preset is None or motion_key(preset) != motion_key(self._preset)
        unticked = {name for name, box in self.lanes.items() if not box.isChecked()}
        self._preset, self._colors = preset, dict(colors)
        stepped_lanes = [lane for lane in preset.lanes if is_integrated(lane)]
        self._specs = values_by_label(stepped_lanes, stepped_lanes)
        for box in self.lanes.values():
            self._lane_column.removeWidget(box)
            box.hide()
            box.setParent(None)  # until it is deleted it would count as a field of the form
            box.deleteLater()
        self.lanes = {
            name: self._make_lane_box(name, name not in unticked or is_new_motion) for name in self._specs
        }
        if is_new_motion:
            used = {lane.integrator or preset.run.integrator for lane in preset.lanes}
            for name, box in self.integrators.items():
                box.setChecked(name in used)
            self.coarsest.show_text(format_number(default_coarsest_step(preset)))
            self.duration.show_text(format_number(preset.run.duration))
            self.count.show_value(DEFAULT_STEP_COUNT)
            self.loosest.show_text(format_number(LOOSEST_TOLERANCE))
            self.tolerance_count.show_value(DEFAULT_TOLERANCE_COUNT)
        self._update_ladder_labels()

    def inputs(self, plan: StudyPlan) -> object:
        """Return the inputs as one value, which changes if a study computed now would differ from that of `plan`.

        The value contains the motion, the fields, and the checked lanes that are not in the plan. Lanes of the plan are left
        out, because a run loaded from the study has only one of them.
        """
        assert self._preset is not None
        planned = values_by_label(plan.lanes, plan.lanes)
        added = [name for name, box in self.lanes.items() if box.isChecked() and name not in planned]
        return motion_key(self._preset), field_values(self, *self.lanes.values()), added

    def plan(self) -> StudyPlan:
        """Return the study that the user has chosen, ready to be computed.

        Raises
        ------
        InputError
            If no lane or no integrator is checked, or a field is invalid.
        """
        assert self._preset is not None
        lanes = [lane for name, lane in self._specs.items() if self.lanes[name].isChecked()]
        names = [name for name, box in self.integrators.items() if box.isChecked()]
        if not lanes or not names:
            raise InputError(
                "the study",
                expected="at least one lane and one integrator",
                found="no lane" if not lanes else "no integrator",
                remedy="tick one",
                topic=_TOPIC,
            )
        return StudyPlan.create(
            self._preset,
            lanes=[replace(lane, integrator=None, dt=None) for lane in lanes],
            integrators=names,
            steps=self._steps(),
            tolerances=self._tolerances() if self.over_box.value == _TOLERANCES else None,
            duration=self.duration.read_value(),
        )

    def follow_theme(self) -> None:
        for name, box in self.lanes.items():
            self._color_lane_box(name, box)

    def _make_lane_box(self, name: str, is_checked: bool) -> QCheckBox:
        box = QCheckBox(lane_title(name))
        self._color_lane_box(name, box)
        box.setChecked(is_checked)
        box.toggled.connect(self.lanes_changed)
        self._lane_column.addWidget(box)
        return box

    def _color_lane_box(self, name: str, box: QCheckBox) -> None:
        """Give the check box of a lane a frame in the lane's color. A checked box is filled with that color."""
        color = lane_color(self.theme, self._colors, name).name()
        box.setStyleSheet(
            f"QCheckBox::indicator {{ border: 2px solid {color}; }}"
            f"QCheckBox::indicator:checked {{ background: {color}; border-color: {color}; }}"
        )

    def _steps(self) -> tuple[float, ...]:
        return step_ladder(self.coarsest.read_value(), int(str(self.count.value)))

    def _tolerances(self) -> tuple[float, ...]:
        return tolerance_ladder(self.loosest.read_value(), int(str(self.tolerance_count.value)))

    def _update_ladder_labels(self) -> None:
        for ladder_label, values, words in (
            (self.steps_label, self._steps, "Each step is half of the previous one, down to {last} s"),
            (
                self.tolerances_label,
                self._tolerances,
                "Each tolerance is a tenth of the previous one, down to {last}",
            ),
        ):
            try:
                ladder_label.setText(tr(words, last=format_short(values()[-1])))
            except InputError:  # shown at the field
                ladder_label.clear()

    def _show_tolerance_rows(self) -> None:
        """Show the rows for tolerances only if these are varied. The rows for steps are always visible."""
        is_over_tolerances = self.over_box.value == _TOLERANCES
        for row in self._tolerance_rows:
            self._form_layout.setRowVisible(row, is_over_tolerances)

    def _lay_out(self) -> None:
        for name, integrator in INTEGRATORS.items():
            self.integrators[name] = QCheckBox(tr(integrator.title))
            self.integrators[name].setToolTip(integrator.source)
        integrators = column(*self.integrators.values(), gap=0)
        parts = {
            tr("Lanes"): self._lane_column,
            tr("Integrators"): integrators,
            tr("Steps and tolerances"): self._make_form(),
        }
        make_scroll_area(make_section_layout(parts), self)

    def _make_form(self) -> QFormLayout:
        steps = {
            tr("Vary"): self.over_box,
            tr("Coarsest step [s]"): with_message(self.coarsest, self.coarsest.message),
            tr("Number of steps"): self.count,
        }
        tolerances = {
            tr("Loosest tolerance"): with_message(self.loosest, self.loosest.message),
            tr("Number of tolerances"): self.tolerance_count,
        }
        duration = with_message(self.duration, self.duration.message)
        form = make_form_layout({**steps, **tolerances, tr("Duration [s]"): duration})
        form.insertRow(len(steps), self.steps_label)
        form.insertRow(len(steps) + 1 + len(tolerances), self.tolerances_label)
        self._form_layout, self._tolerance_rows = (
            form,
            range(len(steps) + 1, len(steps) + len(tolerances) + 2),
        )
        return form


def _make_seconds_field(name: str) -> ParsedEntry:
    expected = "a number of seconds above 0"
    return ParsedEntry(
        partial(require_number, place=name, topic=_TOPIC, unit="s", above=0.0, expected=expected)
    )

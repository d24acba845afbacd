"""What a person chooses for a study: lanes, integrators, steps or tolerances, duration."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QCheckBox, QFormLayout

from quatviz.analysis.studies.plan import (
    LOOSEST,
    STEPS,
    TOLERANCES,
    Plan,
    by_label,
    default_coarsest,
    ladder,
    motion_of,
    takes_steps,
    tolerance_ladder,
)
from quatviz.base.errors import InputError
from quatviz.base.formatting import number_text, short_number
from quatviz.base.translation import tr
from quatviz.base.units import number_in
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS
from quatviz.ui.tools.study.curve_style import lane_colour
from quatviz.ui.widgets.controls import (
    ChoiceBox,
    ReadEntry,
    Scrolled,
    chapters,
    column,
    form_of,
    label,
    scrolling,
)
from quatviz.ui.widgets.style import Themed

_COUNTS = range(2, 15)
_TOPIC = "errors#studies"
_STEPS, _OVER_TOLERANCES = "steps", "tolerances"


class StudyChoices(Themed, Scrolled):
    """Follows the preset of the main window: its lanes can be chosen, its duration and a ladder of steps stand there
    until a person writes others."""

    def __init__(self) -> None:
        super().__init__()
        self._preset: Preset | None = None
        self._colours: dict[str, int] = {}
        self.lanes: dict[str, QCheckBox] = {}
        self._specs: dict[str, Lane] = {}
        self.integrators: dict[str, QCheckBox] = {}
        self.coarsest, self.duration = _seconds("the coarsest step"), _seconds("the duration")
        self.count = ChoiceBox({count: str(count) for count in _COUNTS})
        self.ladder = label("muted")
        self.over = ChoiceBox({_STEPS: tr("Steps"), _OVER_TOLERANCES: tr("Tolerances")})
        self.over.setToolTip(
            tr(
                "Over tolerances run the adaptive integrators; those of fixed steps run over steps beside them"
            )
        )
        loosest = partial(
            number_in, place="the loosest tolerance", topic=_TOPIC,
            above=0.0, expected="a number above 0", example="1e-4",
        )  # fmt: skip
        self.loosest = ReadEntry(loosest)
        self.tolerance_count = ChoiceBox({count: str(count) for count in _COUNTS})
        self.tolerance_ladder = label("muted")
        self._lane_column = column(gap=0)
        self._lay_out()
        self.coarsest.committed.connect(self._tell_ladder)
        self.count.chosen.connect(lambda _: self._tell_ladder())
        self.loosest.committed.connect(self._tell_ladder)
        self.tolerance_count.chosen.connect(lambda _: self._tell_ladder())
        self.over.chosen.connect(lambda _: self._follow_over())
        self._follow_over()

    def show_preset(self, preset: Preset, colours: Mapping[str, int]) -> None:
        """Offer the lanes of a preset; what was ticked stays ticked."""
        fresh = self._preset is None or motion_of(preset) != motion_of(self._preset)
        unticked = {name for name, box in self.lanes.items() if not box.isChecked()}
        self._preset, self._colours = preset, dict(colours)
        stepped = [lane for lane in preset.lanes if takes_steps(lane)]
        self._specs = by_label(stepped, stepped)
        for box in self.lanes.values():
            self._lane_column.removeWidget(box)
            box.hide()
            box.deleteLater()
        self.lanes = {name: self._lane_box(name, name not in unticked or fresh) for name in self._specs}
        if fresh:
            used = {lane.integrator or preset.run.integrator for lane in preset.lanes}
            for name, box in self.integrators.items():
                box.setChecked(name in used)
            self.coarsest.show_text(number_text(default_coarsest(preset)))
            self.duration.show_text(number_text(preset.run.duration))
            self.count.show_value(STEPS)
            self.loosest.show_text(number_text(LOOSEST))
            self.tolerance_count.show_value(TOLERANCES)
        self._tell_ladder()

    def plan(self) -> Plan:
        """The plan that is chosen; an `InputError` where it cannot be."""
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
        return Plan.of(
            self._preset,
            lanes=[replace(lane, integrator=None, dt=None) for lane in lanes],
            integrators=names,
            steps=self._steps(),
            tolerances=self._tolerances() if self.over.value == _OVER_TOLERANCES else None,
            duration=self.duration.read(),
        )

    def follow_theme(self) -> None:
        for name, box in self.lanes.items():
            self._dye(name, box)

    def _lane_box(self, name: str, ticked: bool) -> QCheckBox:
        box = QCheckBox(lane_title(name))
        self._dye(name, box)
        box.setChecked(ticked)
        self._lane_column.addWidget(box)
        return box

    def _dye(self, name: str, box: QCheckBox) -> None:
        """A lane's box has its colour: empty where it is not ticked."""
        colour = lane_colour(self.theme, self._colours, name).name()
        box.setStyleSheet(
            f"QCheckBox::indicator {{ border: 2px solid {colour}; }}"
            f"QCheckBox::indicator:checked {{ background: {colour}; border-color: {colour}; }}"
        )

    def _steps(self) -> tuple[float, ...]:
        return ladder(self.coarsest.read(), int(str(self.count.value)))

    def _tolerances(self) -> tuple[float, ...]:
        return tolerance_ladder(self.loosest.read(), int(str(self.tolerance_count.value)))

    def _tell_ladder(self) -> None:
        for said, make, words in (
            (self.ladder, self._steps, "Each half the one before, down to {last} s"),
            (self.tolerance_ladder, self._tolerances, "Each a tenth of the one before, down to {last}"),
        ):
            try:
                said.setText(tr(words, last=short_number(make()[-1])))
            except InputError:  # the field says why
                said.clear()

    def _follow_over(self) -> None:
        """Ask for tolerances where the study is over them; its fixed steps are asked for all the same."""
        over = self.over.value == _OVER_TOLERANCES
        for row in self._of_tolerances:
            self._rows.setRowVisible(row, over)

    def _lay_out(self) -> None:
        for name, kind in INTEGRATORS.items():
            self.integrators[name] = QCheckBox(tr(kind.title))
            self.integrators[name].setToolTip(kind.source)
        integrators = column(*self.integrators.values(), gap=0)
        parts = {
            tr("Lanes"): self._lane_column,
            tr("Integrators"): integrators,
            tr("Steps and tolerances"): self._form(),
        }
        scrolling(chapters(parts), self)

    def _form(self) -> QFormLayout:
        steps = {
            tr("Over"): self.over,
            tr("Coarsest [s]"): self.coarsest,
            tr("How many"): self.count,
        }
        tolerances = {tr("Loosest"): self.loosest, tr("Tolerances"): self.tolerance_count}
        form = form_of({**steps, **tolerances, tr("Duration [s]"): self.duration})
        form.insertRow(len(steps), self.ladder)
        form.insertRow(len(steps) + 1 + len(tolerances), self.tolerance_ladder)
        self._rows, self._of_tolerances = form, range(len(steps) + 1, len(steps) + len(tolerances) + 2)
        return form


def _seconds(place: str) -> ReadEntry:
    expected = "a number of seconds above 0"
    return ReadEntry(partial(number_in, place=place, topic=_TOPIC, unit="s", above=0.0, expected=expected))

"""What a person chooses for a sweep: a lane, one number or two with their values, what is measured, for how long."""

from functools import partial

from PySide6.QtWidgets import QCheckBox, QLayout, QWidget

from quatviz.analysis.sweeps.axes import Axis, filled, likely_range
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.plan import SweepPlan, only
from quatviz.base.errors import InputError
from quatviz.base.formatting import number_text, unit_text
from quatviz.base.translation import tr
from quatviz.base.units import number_in
from quatviz.display.view_state.theme import UNIT
from quatviz.files.addresses import number_at, numbers_of, unit_at, words_at
from quatviz.files.preset import MapSettings, Preset
from quatviz.physics.formulations import lane_title
from quatviz.simulation.simulation import lane_names
from quatviz.ui.widgets.controls import (
    ChoiceBox,
    ReadEntry,
    Scrolled,
    column,
    form_of,
    held,
    label,
    row,
    scrolling,
)

_COUNTS = (25, 50, 100, 200, 400, 800)
_FIRST = 100
_NOTHING = ""
"""In place of a second address: a diagram, not a map."""
_DEFAULT = "flips"
_LINEAR, _LOG, _LIST = "linear", "log", "list"
_TOPIC = "sweeps#axes"


class AxisChoice:
    """One number of the preset, and between which values."""

    def __init__(self, title: str, optional: bool) -> None:
        self.title = title
        self.address = ChoiceBox({})
        self.start = ReadEntry(self._number, tr("{axis}, from", axis=title))
        self.stop = ReadEntry(self._number, tr("{axis}, to", axis=title))
        self.listed = ReadEntry(Axis.listed, tr("{axis}, its values", axis=title), "1, 2, 5")
        scales = {_LINEAR: tr("in even steps"), _LOG: tr("in decades"), _LIST: tr("just these values")}
        self.scale = ChoiceBox(scales, tr("{axis}, how its values lie", axis=title))
        self._between = held(row((self.start, 1), label("", "–"), (self.stop, 1)))
        self._optional = optional
        self._preset: Preset | None = None
        self.ends = held(column(self._between, self.listed, self.scale))
        self.scale.chosen.connect(lambda _: self._show_scale())
        self._show_scale()
        self.address.chosen.connect(lambda _: self._show_range())

    def offer(self, preset: Preset, rate: str, place: int) -> None:
        """Offer the numbers of a preset: that component of its start's rate, unless the one that is chosen is there too."""
        before, self._preset = self.address.value, preset
        wished = f"initial.{rate}[{place}]"
        there = {
            name: _said(preset, name) for name in numbers_of(preset) if number_at(preset, name) is not None
        }
        self.address.offer({**({_NOTHING: tr("nothing: a diagram")} if self._optional else {}), **there})
        kept = before in there or (before == _NOTHING and self._optional)
        if not kept:
            self.address.show_value(wished if wished in there else next(iter(there)))
            self._show_range()

    def chosen(self) -> tuple[str, Axis | None]:
        """The address, with a list, or with a range of which the count is still open; no axis where nothing is chosen."""
        address = str(self.address.value)
        if address == _NOTHING:
            return address, None
        try:
            if self.scale.value == _LIST:
                return address, self.listed.read()
            low, high = sorted(end.read() for end in (self.start, self.stop))
            return address, Axis.spaced(low, high, 2, str(self.scale.value))
        except InputError as refusal:
            raise refusal.at(self.title) from None

    def show(self, address: str, axis: Axis) -> None:
        """Show an axis that came from elsewhere."""
        self.address.show_value(address)
        self.start.show_text(number_text(float(f"{axis.values[0]:.6g}")))
        self.stop.show_text(number_text(float(f"{axis.values[-1]:.6g}")))
        self.listed.show_text(", ".join(f"{value:g}" for value in axis.values) if axis.kind == "list" else "")
        self.scale.show_value(_LIST if axis.kind == "list" else axis.scale)
        self._show_scale()
        self.ends.show()

    def leave_out(self) -> None:
        """Choose nothing."""
        self.address.show_value(_NOTHING)
        self.ends.hide()

    @property
    def rows(self) -> dict[str, QWidget | QLayout]:
        """Its fields, each with its name."""
        return {self.title: self.address, " " * len(self.title): self.ends}

    def _number(self, text: str) -> float:
        assert self._preset is not None
        return number_in(text, self.title, _TOPIC, unit=unit_at(self._preset, str(self.address.value)))

    def _show_scale(self) -> None:
        listed = self.scale.value == _LIST
        self.listed.setVisible(listed)
        self._between.setVisible(not listed)

    def _show_range(self) -> None:
        """A range about the preset's own number."""
        address = str(self.address.value)
        self.ends.setVisible(address != _NOTHING)
        if self._preset is None or address == _NOTHING:
            return
        low, high = likely_range(self._preset, address)
        self.show(address, Axis.linear(low, high, 2))


class MapChoices(Scrolled):
    """Follows the preset of the main window."""

    def __init__(self) -> None:
        super().__init__()
        self._preset: Preset | None = None
        self.lane = ChoiceBox({})
        self.across = AxisChoice(tr("Across"), optional=False)
        self.up = AxisChoice(tr("Up"), optional=True)
        self.count = ChoiceBox({count: str(count) for count in _COUNTS}, tr("Values"))
        self.random = QCheckBox(tr("at random, not on a grid"))
        self.random.setToolTip(tr("Points of a Sobol sequence: as many as the grid would have"))
        self.measure = ChoiceBox({name: tr(kind.title) for name, kind in _in_order()})
        self.duration = ReadEntry(
            partial(number_in, place="the duration", topic=_TOPIC, unit="s", expected="a number of seconds")
        )
        self.count.show_value(_FIRST)
        self.measure.show_value(_DEFAULT)
        self._lay_out()

    def show_preset(self, preset: Preset) -> None:
        """Offer its lanes and numbers; what was chosen and is there stays."""
        fresh = self._preset is None or self._preset.title != preset.title
        self._preset = preset
        self.lane.offer({name: lane_title(name) for name in lane_names(preset.lanes)})
        if fresh:
            self.duration.show_text(number_text(preset.run.duration))
        self._offer()
        if fresh and preset.map is not None:
            self._show_map(preset.map)

    def plan(self) -> SweepPlan:
        """The sweep that is chosen; an `InputError` where it cannot be."""
        assert self._preset is not None
        chosen = dict(choice.chosen() for choice in (self.across, self.up))
        ends = {address: axis for address, axis in chosen.items() if axis is not None}
        over = filled(ends, int(str(self.count.value)), self.random.isChecked())
        return SweepPlan.of(
            self._of_lane(),
            over,
            measure=str(self.measure.value),
            duration=self.duration.read(),
        )

    def show_plan(self, plan: SweepPlan) -> None:
        """Show what a plan says of its axes."""
        for choice, place in zip((self.across, self.up), plan.grid or plan.scattered, strict=False):
            choice.show(plan.addresses[place], plan.axes[place])

    def _show_map(self, settings: MapSettings) -> None:
        """What the preset itself says."""
        for choice, axis in zip((self.across, self.up), settings.axes, strict=False):
            choice.show(axis.number, Axis.of_map(axis))
        if settings.up is None:
            self.up.leave_out()
        self.count.show_value(settings.across.count)
        self.measure.show_value(settings.measure)

    def _of_lane(self) -> Preset:
        """The preset with the chosen lane alone, as it stands there."""
        assert self._preset is not None
        names = lane_names(self._preset.lanes)
        return only(self._preset, names.index(str(self.lane.value)))

    def _offer(self) -> None:
        preset = self._of_lane()
        rate = "angular_momentum" if preset.initial.angular_velocity is None else "angular_velocity"
        for choice, place in ((self.across, 0), (self.up, 2)):
            choice.offer(preset, rate, place)

    def _lay_out(self) -> None:
        chosen: dict[str, QWidget | QLayout] = {
            tr("Lane"): self.lane,
            tr("Measure"): self.measure,
            tr("Duration [s]"): self.duration,
            **self.across.rows,
            **self.up.rows,
            tr("Values"): held(column(self.count, self.random)),
        }
        scrolling(column(form_of(chosen), None, gap=0, margins=2 * UNIT), self)


def _in_order() -> list[tuple[str, type[SweepMeasure]]]:
    return sorted(MEASURES.items(), key=lambda pair: (pair[1].place, pair[0]))


def _said(preset: Preset, address: str) -> str:
    unit = unit_text(unit_at(preset, address))
    return words_at(preset, address) + (f" [{unit}]" if unit else "")

"""Form for the choices of a parameter map: lane, one or two parameters with their values, measure and duration."""

from functools import partial

from PySide6.QtWidgets import QCheckBox, QLayout, QWidget

from quatviz.analysis.studies.plan import motion_key
from quatviz.analysis.sweeps.axes import Axis, axes_between_ends, default_range
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.plan import SweepPlan, single_lane_preset
from quatviz.base.errors import InputError
from quatviz.base.formatting import capitalize_first, format_number, format_unit
from quatviz.base.markdown import to_plain_text
from quatviz.base.translation import tr
from quatviz.base.units import require_number
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.addresses import label_at, number_addresses, number_at, unit_at, with_numbers
from quatviz.files.preset import MapSettings, Preset
from quatviz.physics.formulations import lane_title
from quatviz.simulation.simulation import lane_names
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import ParsedEntry
from quatviz.ui.widgets.fields import field_values
from quatviz.ui.widgets.inline_message import with_message
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, make_form_layout, row, wrap_layout
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area

_COUNTS = (25, 50, 100, 200, 400, 800)
_DEFAULT_COUNT = 100
_NO_AXIS = ""
"""Choice that stands for "no parameter" on the vertical axis. The map is then a line plot over the horizontal axis."""
_DEFAULT_MEASURE = "flips"
_LINEAR, _LOG, _LIST = "linear", "log", "list"
_TOPIC = "sweeps#axes"


class AxisChoice:
    """Fields for one axis of a map: a parameter of the preset, and its range or list of values."""

    def __init__(self, title: str, optional: bool) -> None:
        self.title = title
        self.address = ChoiceBox({})
        self.start = ParsedEntry(self._read_number, tr("{axis}, from", axis=title))
        self.stop = ParsedEntry(self._read_number, tr("{axis}, to", axis=title))
        self.list_field = ParsedEntry(Axis.parse_list, tr("{axis}, values", axis=title), "1, 2, 5")
        scales = {_LINEAR: tr("linear"), _LOG: tr("logarithmic"), _LIST: tr("list of values")}
        self.scale = ChoiceBox(scales, tr("{axis}, spacing", axis=title))
        ends = row((self.start, 1), label("", "–"), (self.stop, 1))
        self._range_block = wrap_layout(
            column(ends, self.start.message.space, self.stop.message.space, gap=0)
        )
        self._list_block = with_message(self.list_field, self.list_field.message)
        self._is_optional = optional
        self._preset: Preset | None = None
        self.range_widget = wrap_layout(column(self._range_block, self._list_block, self.scale))
        self.scale.chosen.connect(lambda _: self._show_scale())
        self._show_scale()
        self.address.chosen.connect(lambda _: self._show_range())

    def offer(self, preset: Preset, rate: str, component: int) -> None:
        """Offer the parameters of a preset.

        The previous choice is kept if the preset has that parameter. Otherwise a component of the initial angular velocity is
        chosen. `rate` is the name of the velocity in the preset, and `component` the index of the component.
        """
        previous, self._preset = self.address.value, preset
        preferred = f"initial.{rate}[{component}]"
        titles = {
            name: _number_title(preset, name)
            for name in number_addresses(preset)
            if number_at(preset, name) is not None
        }
        self.address.set_choices(
            {**({_NO_AXIS: tr("none (line plot)")} if self._is_optional else {}), **titles}
        )
        is_still_offered = previous in titles or (previous == _NO_AXIS and self._is_optional)
        if not is_still_offered:
            self.address.show_value(preferred if preferred in titles else next(iter(titles)))
            self._show_range()

    def selection(self) -> tuple[str, Axis | None]:
        """Return the parameter's address and its axis.

        The axis is a list of values, a range with two points (its ends), or None if no parameter is chosen. Raises `InputError`
        if a value is invalid.
        """
        address = str(self.address.value)
        if address == _NO_AXIS:
            return address, None
        try:
            if self.scale.value == _LIST:
                return address, self.list_field.read_value()
            low, high = sorted(end.read_value() for end in (self.start, self.stop))
            return address, Axis.between_ends(low, high, 2, str(self.scale.value))
        except InputError as refusal:
            raise refusal.with_place(self.title) from None

    def show(self, address: str, axis: Axis) -> None:
        """Show the parameter with this address and its range or list of values."""
        self.address.show_value(address)
        self.start.show_text(format_number(float(f"{axis.values[0]:.6g}")))
        self.stop.show_text(format_number(float(f"{axis.values[-1]:.6g}")))
        self.list_field.show_text(
            ", ".join(f"{value:g}" for value in axis.values) if axis.sampling == "list" else ""
        )
        self.scale.show_value(_LIST if axis.sampling == "list" else axis.scale)
        self._show_scale()
        self.range_widget.show()

    def clear(self) -> None:
        """Choose no parameter."""
        self.address.show_value(_NO_AXIS)
        self.range_widget.hide()

    @property
    def form_rows(self) -> dict[str, QWidget | QLayout]:
        """Fields of the axis for a form, by their label."""
        block = wrap_layout(column(self.address, self.range_widget))
        block.setFocusProxy(self.address)
        return {self.title: block}

    def _read_number(self, text: str) -> float:
        assert self._preset is not None
        return require_number(text, self.title, _TOPIC, unit=unit_at(self._preset, str(self.address.value)))

    def _show_scale(self) -> None:
        is_list = self.scale.value == _LIST
        self._list_block.setVisible(is_list)
        self._range_block.setVisible(not is_list)

    def _show_range(self) -> None:
        """Set the range to a default range around the value in the preset."""
        address = str(self.address.value)
        self.range_widget.setVisible(address != _NO_AXIS)
        if self._preset is None or address == _NO_AXIS:
            return
        low, high = default_range(self._preset, address)
        self.show(address, Axis.linear(low, high, 2))


class MapChoices(VerticalScrollArea):
    """Form in which the user chooses a parameter map of the main window's preset."""

    def __init__(self) -> None:
        super().__init__()
        self._preset: Preset | None = None
        self.lane = ChoiceBox({})
        self.across = AxisChoice(tr("Horizontal axis"), optional=False)
        self.up = AxisChoice(tr("Vertical axis"), optional=True)
        self.count = ChoiceBox({count: str(count) for count in _COUNTS}, tr("Points per axis"))
        self.random = QCheckBox(tr("Random sampling"))
        self.random.setToolTip(tr("Replace the grid by as many points of a Sobol sequence"))
        self.measure = ChoiceBox(
            {name: tr(measure.title) for name, measure in _sorted_measures()}, tr("Measure")
        )
        self.measure_summary = label("muted")
        """Label with the explanation of the chosen measure."""
        self.measure.currentIndexChanged.connect(lambda _: self._show_measure_summary())
        self.duration = ParsedEntry(
            partial(
                require_number, place="the duration", topic=_TOPIC, unit="s", expected="a number of seconds"
            )
        )
        self.count.show_value(_DEFAULT_COUNT)
        self.measure.show_value(_DEFAULT_MEASURE)
        self._show_measure_summary()
        self._lay_out()

    def show_preset(self, preset: Preset) -> None:
        """Offer lanes and parameters of the preset. Earlier choices stay if they are still possible."""
        is_new_preset = self._preset is None or self._preset.title != preset.title
        self._preset = preset
        self.lane.set_choices({name: lane_title(name) for name in lane_names(preset.lanes)})
        if is_new_preset:
            self.duration.show_text(format_number(preset.run.duration))
        self._offer_numbers()
        if is_new_preset and preset.map is not None:
            self._show_map(preset.map)

    def plan(self) -> SweepPlan:
        """Return the map that the user has chosen, ready to be computed. Raise `InputError` if it cannot be computed."""
        assert self._preset is not None
        selections = dict(choice.selection() for choice in (self.across, self.up))
        partial_axes = {address: axis for address, axis in selections.items() if axis is not None}
        axes = axes_between_ends(partial_axes, int(str(self.count.value)), self.random.isChecked())
        return SweepPlan.create(
            self._lane_preset(),
            axes,
            measure=str(self.measure.value),
            duration=self.duration.read_value(),
        )

    def inputs(self, plan: SweepPlan) -> object:
        """Return the run and the choices as one value for comparison.

        The value changes if and only if a map computed now would differ from the map of `plan`. The varied parameters are set to
        fixed values of the plan, because a run loaded from a cell of the map differs from the preset of the map only in these.
        """
        try:
            preset = self._lane_preset().with_run(duration=plan.preset.run.duration)
            values = [float(axis.values[0]) for axis in plan.axes]
            preset = with_numbers(preset, dict(zip(plan.addresses, values, strict=True)))
        except (InputError, ValueError):  # the lane or the parameter no longer exists
            return None
        return motion_key(preset), preset.run, preset.lanes, field_values(self)

    def show_plan(self, plan: SweepPlan) -> None:
        """Show in the fields the parameters and values of this plan."""
        for choice, axis_index in zip(
            (self.across, self.up), plan.grid_axes or plan.random_axes, strict=False
        ):
            choice.show(plan.addresses[axis_index], plan.axes[axis_index])

    def _show_map(self, settings: MapSettings) -> None:
        """Show the map that the preset proposes, with its axes, measure and number of points."""
        for choice, axis in zip((self.across, self.up), settings.axes, strict=False):
            choice.show(axis.number, Axis.from_map_axis(axis))
        if settings.up is None:
            self.up.clear()
        self.count.show_value(settings.across.count)
        self.measure.show_value(settings.measure)

    def _show_measure_summary(self) -> None:
        name = self.measure.value
        summary = MEASURES[str(name)].summary if name is not None else ""
        self.measure_summary.setText(capitalize_first(to_plain_text(tr(summary))) + "." if summary else "")
        self.measure_summary.setVisible(bool(summary))

    def _lane_preset(self) -> Preset:
        """Return the preset with only the lane that the user has chosen for the map."""
        assert self._preset is not None
        names = lane_names(self._preset.lanes)
        return single_lane_preset(self._preset, names.index(str(self.lane.value)))

    def _offer_numbers(self) -> None:
        preset = self._lane_preset()
        rate = "angular_momentum" if preset.initial.angular_velocity is None else "angular_velocity"
        for choice, component in ((self.across, 0), (self.up, 2)):
            choice.offer(preset, rate, component)

    def _lay_out(self) -> None:
        form_rows: dict[str, QWidget | QLayout] = {
            tr("Lane"): self.lane,
            tr("Measure"): wrap_layout(column(self.measure, self.measure_summary, gap=GRID_UNIT // 2)),
            tr("Duration [s]"): with_message(self.duration, self.duration.message),
            **self.across.form_rows,
            **self.up.form_rows,
            tr("Points per axis"): wrap_layout(column(self.count, self.random)),
        }
        make_scroll_area(column(make_form_layout(form_rows), None, gap=0, margins=2 * GRID_UNIT), self)


def _sorted_measures() -> list[tuple[str, type[SweepMeasure]]]:
    return sorted(MEASURES.items(), key=lambda pair: (pair[1].sort_order, pair[0]))


def _number_title(preset: Preset, address: str) -> str:
    unit = format_unit(unit_at(preset, address))
    return label_at(preset, address) + (f" [{unit}]" if unit else "")

"""Form of the initial state, in which orientation and spin can be entered in several representations."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import humanize, humanize_title
from quatviz.base.parameters import from_table, parameters_of
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.euler_sequences import angle_symbols, second_angle_range
from quatviz.physics.mechanics.initial import (
    Angles,
    AxisAngle,
    Initial,
    angles_table,
    axis_angle_table,
    convert_initial,
    initial_table,
    round_values,
)
from quatviz.physics.mechanics.rotations import normalize
from quatviz.simulation.center_of_mass_motion import is_free
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.form import ParameterField, ParameterForm
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import LayoutItem, column, row

ORIENTATIONS = ("euler_parameters", "angles", "rotation_vector", "axis_angle")
RATES = ("angular_momentum", "angular_velocity")
FLIGHT = ("position", "velocity")
_REPRESENTATION_TITLES = {"angles": "Euler angles", "axis_angle": "Axis and angle"}
_REPRESENTATION_CHARACTERS = 14
"""Width of the boxes for the representations, in wide characters: enough for the longest title."""


class InitialForm(QWidget):
    """Initial orientation and angular velocity, each with a choice of representation and the fields of that representation.

    Choosing another representation does not change the motion.
    """

    orientation_dragged = Signal(object)
    """Emitted when a slider changes the initial orientation, with the Euler angle sequence ("" for other
    representations). When the slider is released, emitted with None."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._unit: np.ndarray | None = None
        """Unit Euler parameters (4,) at the start of a drag of one of their components; None while nothing is dragged."""
        self._axis: np.ndarray | None = None
        """Axis (3,) as the user typed it, of any length; None unless the initial rotation vector is shown as axis and
        angle."""
        self.forms = {name: self._make_form(name) for name in (*ORIENTATIONS, *RATES)}
        self.representation_boxes: list[ChoiceBox] = []
        self._problems: list[InlineMessage] = []
        """Messages below the representation boxes. Each says why a representation was refused."""
        parts: list[LayoutItem] = []
        for names, title in ((ORIENTATIONS, tr("Enter orientation as")), (RATES, tr("Enter spin as"))):
            box = self._make_choice_box(names, title)
            problem = InlineMessage(box)
            self.representation_boxes.append(box)
            self._problems.append(problem)
            parts += [
                column(row((label(text=title), 1), box), problem.space, gap=0),
                *(self.forms[name] for name in names),
            ]
        self.translation_form = self._make_form(*FLIGHT)
        """Form with initial position and velocity of the center of mass, shown if the body can translate."""
        self.setLayout(column(*parts, self.translation_form))

    def show_state(self, state: State) -> None:
        """Show the initial state of the preset, in the representation that the preset uses."""
        table = initial_table(state.preset.initial)
        for message in self._problems:
            message.show_message("")
        for box, names in zip(self.representation_boxes, (ORIENTATIONS, RATES), strict=True):
            representation = next(name for name in names if name in table)
            if representation == "rotation_vector" and self._axis is not None:
                representation, axis_angle = (
                    "axis_angle",
                    AxisAngle.from_rotation_vector(state.preset.initial.rotation_vector, self._axis),
                )
                self._axis = axis_angle.axis
            box.show_value(representation)
            for name in names:
                self.forms[name].setVisible(name == representation)
            values = table["angles"] if representation == "angles" else table
            self.forms[representation].show_table(
                axis_angle_table(axis_angle) if representation == "axis_angle" else values
            )
            if representation == "angles":
                handles = self.forms[representation].rows["degrees"].field.sliders
                for handle, axis_letter in zip(handles, angle_symbols(values["sequence"]), strict=True):
                    handle.set_name(axis_letter)
                handles[1].set_limits(*second_angle_range(values["sequence"]))
        self.translation_form.show_table(table)
        self.translation_form.setVisible(is_free(state.preset.body, state.preset.loads))

    def compare(self, origin: Preset) -> None:
        """Mark fields that differ from the original preset. The values of that preset are converted to the displayed
        representation."""
        for box in self.representation_boxes:
            representation = str(box.value)
            original = convert_initial(origin.initial, origin.body, representation, self._axis)
            self.forms[representation].compare(
                original.get(representation, original)
                if representation in _REPRESENTATION_TITLES
                else original
            )
        self.translation_form.compare(initial_table(origin.initial))

    def forget_refusals(self) -> None:
        """Hide messages about refused input, because another preset is shown."""
        self._axis = None
        for form in (*self.forms.values(), self.translation_form):
            form.forget_refusals()

    def _make_form(self, *names: str) -> ParameterForm:
        """Return a form for `parameters`. An edit in the form replaces all representations of the same quantity
        in the preset.
        """
        representation, is_nested = names[0], "angles" in names

        def propose(table: dict[str, Any], edited: str, coalesce: bool) -> InputError | None:
            name = "angles" if is_nested else "axis and angle" if representation == "axis_angle" else edited
            step_text = tr("initial state: {name}", name=humanize(name))
            values = {"angles": table} if is_nested else table
            if representation == "axis_angle":
                try:
                    axis_angle = from_table(AxisAngle, table, "initial")
                except InputError as without_axis:
                    return without_axis
                self._axis = axis_angle.axis
                values = {"rotation_vector": round_values(axis_angle.rotation_vector)}
            if is_nested and edited == "sequence":  # the same orientation with other angles
                p = self._document.state.preset.initial.p()
                values = angles_table(p, table["sequence"])
            refusal = self._propose_values(
                _alternatives(representation), step_text, lambda _: values, coalesce
            )
            if refusal is None and representation == "axis_angle":
                self.show_state(
                    self._document.state_at_edit_time
                )  # without rotation, another axis gives the same motion
            if refusal is not None and refusal.key == "initial.euler_parameters":
                self._offer_normalized(np.array(table["euler_parameters"]))
            return refusal

        nested_types = {"angles": Angles, "axis_angle": AxisAngle}
        parameters = (
            parameters_of(nested_types[representation])
            if representation in nested_types
            else {name: parameters_of(Initial)[name] for name in names}
        )
        form = ParameterForm(parameters, "initial.angles" if is_nested else "initial", propose)
        sequence = form.rows["sequence"].field if is_nested else None
        for block in form.rows.values() if representation in ORIENTATIONS else ():
            block.field.moved.connect(
                lambda: self.orientation_dragged.emit(sequence.value() if sequence else "")
            )
            block.field.released.connect(lambda: self.orientation_dragged.emit(None))
        if representation == "euler_parameters":
            field = form.rows[representation].field
            field.moved.connect(lambda: self._keep_unit_length(field))
            field.released.connect(lambda: setattr(self, "_unit", None))
        return form

    def _keep_unit_length(self, field: ParameterField) -> None:
        """Rescale the Euler parameters that the user does not drag, so that all four have unit norm.

        The ratios among the rescaled parameters stay as they were at the start of the drag.
        """
        if self._unit is None:
            self._unit = self._document.state_at_edit_time.preset.initial.p()
        index = [handle.is_dragging for handle in field.sliders].index(True)
        dragged_value = float(field.value()[index])
        others = np.delete(self._unit, index)
        norm = float(np.linalg.norm(others))
        others = others / norm if norm > 0.0 else np.eye(3)[0]
        field.show_numbers(
            round_values(np.insert(np.sqrt(max(1.0 - dragged_value**2, 0.0)) * others, index, dragged_value))
        )

    def _offer_normalized(self, p: np.ndarray) -> None:
        """Offer to replace typed Euler parameters `p` (4,) that lack unit norm by normalized ones."""
        scale = np.abs(p).max()
        normalized = round_values(normalize(p / scale)) if 0.0 < scale < np.inf else None
        self.forms["euler_parameters"].rows["euler_parameters"].offer_fix(tr("Normalize"), normalized)

    def _make_choice_box(self, names: tuple[str, ...], title: str) -> ChoiceBox:
        box = ChoiceBox(
            {
                name: tr(_REPRESENTATION_TITLES[name])
                if name in _REPRESENTATION_TITLES
                else humanize_title(name)
                for name in names
            },
            title,
            _REPRESENTATION_CHARACTERS,
        )
        box.chosen.connect(self._change_representation)
        return box

    def _change_representation(self, name: object) -> None:
        """Show the same initial state in another representation."""
        representation = str(name)
        index = int(representation not in ORIENTATIONS)
        box = self.representation_boxes[index]
        if not box.hasFocus():
            box.setFocus()  # Tab continues from here, since the previous field may be hidden
            self.window().setFocus()  # after a click the window has the keyboard focus
        if representation in ORIENTATIONS:
            self._axis = np.array((0.0, 0.0, 1.0)) if representation == "axis_angle" else None
        stored_name = "rotation_vector" if representation == "axis_angle" else representation
        refusal = self._propose_values(
            _alternatives(representation),
            tr(
                "initial state as {representation}",
                representation=tr(_REPRESENTATION_TITLES[representation])
                if representation in _REPRESENTATION_TITLES
                else humanize(representation),
            ),
            lambda state: convert_initial(state.preset.initial, state.preset.body, stored_name),
        )
        self.show_state(self._document.state_at_edit_time)
        if refusal is not None:
            self._problems[index].show_message(f"{tr(refusal.found)}. {tr(refusal.remedy)}", refusal.topic)

    def _propose_values(
        self,
        replaced_keys: Sequence[str],
        step_text: str,
        values: Callable[[State], dict[str, Any]],
        coalesce: bool = False,
    ) -> InputError | None:
        """Propose to the document to replace the initial values named in `replaced_keys` by `values`. Both describe the
        same quantity."""

        def make(state: State) -> State:
            other_values = {
                key: v for key, v in initial_table(state.preset.initial).items() if key not in replaced_keys
            }
            return state.with_preset(
                initial=from_table(Initial, {**other_values, **values(state)}, "initial")
            )

        return self._document.propose(step_text, make, coalesce)


def _alternatives(representation: str) -> tuple[str, ...]:
    return next(names for names in (ORIENTATIONS, RATES, FLIGHT) if representation in names)

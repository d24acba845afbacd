"""The initial state: an orientation and a rate, each in the way a person likes to give it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import in_words, spoken
from quatviz.base.parameters import declared, from_table
from quatviz.base.translation import told, tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.euler_sequences import letters, second_range
from quatviz.physics.mechanics.initial import (
    Angles,
    AxisAngle,
    Initial,
    converted,
    in_angles,
    shown_turn,
    table_of,
    without_rounding,
)
from quatviz.physics.mechanics.rotations import normalise
from quatviz.simulation.center_of_mass_motion import is_free
from quatviz.ui.widgets.controls import Callout, ChoiceBox, Part, column, row
from quatviz.ui.widgets.form import FIELD_WIDTH, Field, Form
from quatviz.ui.widgets.style import theme_of

ORIENTATIONS = ("euler_parameters", "angles", "rotation_vector", "axis_angle")
RATES = ("angular_momentum", "angular_velocity")
FLIGHT = ("position", "velocity")
_WAYS = {"angles": "Euler angles", "axis_angle": "Axis and angle"}


class InitialForm(QWidget):
    """A choice of the way, and below it the fields of that way. Another way gives the same motion in other numbers."""

    turned = Signal(object)
    """A hand turns the body at the start: the sequence of the angles that it drags, empty for numbers of another kind; None when it
    has let go."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._unit: np.ndarray | None = None
        """The Euler parameters (4,) when a hand took hold of one of them."""
        self._axis: np.ndarray | None = None
        """The axis (3,), of any length, of a rotation vector that is shown as axis and angle."""
        self.forms = {name: self._form(name) for name in (*ORIENTATIONS, *RATES)}
        self.ways: list[ChoiceBox] = []
        parts: list[Part] = []
        for names, title in ((ORIENTATIONS, tr("Orientation as")), (RATES, tr("Rotation as"))):
            self.ways.append(self._choice(names, title))
            parts += [row((QLabel(title), 1), self.ways[-1]), *(self.forms[name] for name in names)]
        self.flight, self._problem = self._form(*FLIGHT), Callout(self)
        """How the centre of mass starts: seen where the body is free to move."""
        self.setLayout(column(*parts, self.flight))

    def show_state(self, state: State) -> None:
        """Show the initial state of the preset in the way it is given."""
        table = table_of(state.preset.initial)
        self._problem.say("")
        for way, names in zip(self.ways, (ORIENTATIONS, RATES), strict=True):
            given = next(name for name in names if name in table)
            if given == "rotation_vector" and self._axis is not None:
                given, turned = "axis_angle", AxisAngle.of(state.preset.initial.rotation_vector, self._axis)
                self._axis = turned.axis
            way.show_value(given)
            for name in names:
                self.forms[name].setVisible(name == given)
            own = table["angles"] if given == "angles" else table
            self.forms[given].show_table(shown_turn(turned) if given == "axis_angle" else own)
            if given == "angles":
                handles = self.forms[given].blocks["degrees"].field.handles
                for handle, letter in zip(handles, letters(own["sequence"]), strict=True):
                    handle.call(letter)
                handles[1].keep_within(*second_range(own["sequence"]))
        self.flight.show_table(table)
        self.flight.setVisible(is_free(state.preset.body, state.preset.loads))

    def compare(self, origin: Preset) -> None:
        """Mark what is not as the preset has it, in whatever way that is given."""
        for way in self.ways:
            given = str(way.value)
            was = converted(origin.initial, origin.body, given, self._axis)
            self.forms[given].compare(was.get(given, was) if given in _WAYS else was)
        self.flight.compare(table_of(origin.initial))

    def forget_refusals(self) -> None:
        """Another preset is shown."""
        self._axis = None
        for form in (*self.forms.values(), self.flight):
            form.forget_refusals()

    def _form(self, *names: str) -> Form:
        """A form of these parameters of the initial state, in place of all that say the same."""
        way, inner = names[0], "angles" in names

        def propose(table: dict[str, Any], edited: str, goes_on: bool) -> InputError | None:
            name = "angles" if inner else "axis and angle" if way == "axis_angle" else edited
            said = tr("initial state: {name}", name=in_words(name))
            values = {"angles": table} if inner else table
            if way == "axis_angle":
                try:
                    turned = from_table(AxisAngle, table, "initial")
                except InputError as without_axis:
                    return without_axis
                self._axis = turned.axis
                values = {"rotation_vector": without_rounding(turned.rotation_vector)}
            if inner and edited == "sequence":  # the same orientation, as another way to say it is
                p = self._document.state.preset.initial.p()
                values = in_angles(p, table["sequence"])
            refusal = self._change(_rivals(way), said, lambda _: values, goes_on)
            if refusal is None and way == "axis_angle":
                self.show_state(self._document.seen)  # another axis of no turn is the same motion
            if refusal is not None and refusal.key == "initial.euler_parameters":
                self._offer_unit(np.array(table["euler_parameters"]))
            return refusal

        kinds = {"angles": Angles, "axis_angle": AxisAngle}
        parameters = (
            declared(kinds[way]) if way in kinds else {name: declared(Initial)[name] for name in names}
        )
        form = Form(parameters, "initial.angles" if inner else "initial", propose)
        sequence = form.blocks["sequence"].field if inner else None
        for block in form.blocks.values() if way in ORIENTATIONS else ():
            block.field.moved.connect(lambda: self.turned.emit(sequence.value() if sequence else ""))
            block.field.let_go.connect(lambda: self.turned.emit(None))
        if way == "euler_parameters":
            field = form.blocks[way].field
            field.moved.connect(lambda: self._keep_unit(field))
            field.let_go.connect(lambda: setattr(self, "_unit", None))
        return form

    def _keep_unit(self, field: Field) -> None:
        """Let the Euler parameters that no hand has make up for the one that it moves, in the proportions that they had when it
        took hold."""
        if self._unit is None:
            self._unit = self._document.seen.preset.initial.p()
        place = [handle.held for handle in field.handles].index(True)
        moved = float(field.value()[place])
        others = np.delete(self._unit, place)
        size = float(np.linalg.norm(others))
        others = others / size if size > 0.0 else np.eye(3)[0]
        field.show_texts(
            without_rounding(np.insert(np.sqrt(max(1.0 - moved**2, 0.0)) * others, place, moved))
        )

    def _offer_unit(self, p: np.ndarray) -> None:
        """Offer Euler parameters of length 1 in the place of such as have another."""
        size = np.abs(p).max()
        unit = without_rounding(normalise(p / size)) if 0.0 < size < np.inf else None
        self.forms["euler_parameters"].blocks["euler_parameters"].offer(tr("Normalise them"), unit)

    def _choice(self, names: tuple[str, ...], title: str) -> ChoiceBox:
        box = ChoiceBox({name: tr(_WAYS[name]) if name in _WAYS else spoken(name) for name in names}, title)
        box.chosen.connect(self._give_as)
        box.setFixedWidth(theme_of(self).pixels(FIELD_WIDTH))
        return box

    def _give_as(self, name: object) -> None:
        """Say the same in another way."""
        way = str(name)
        box = self.ways[way not in ORIENTATIONS]
        if not box.hasFocus():
            box.setFocus()  # Tab goes on from here: the field where it was may be gone
            self.window().setFocus()  # and a click leaves the keys to the window
        if way in ORIENTATIONS:
            self._axis = np.array((0.0, 0.0, 1.0)) if way == "axis_angle" else None
        given = "rotation_vector" if way == "axis_angle" else way
        refusal = self._change(
            _rivals(way),
            tr("initial state as {way}", way=tr(_WAYS[way]) if way in _WAYS else in_words(way)),
            lambda state: converted(state.preset.initial, state.preset.body, given),
        )
        self.show_state(self._document.seen)
        if refusal is not None:
            self._problem.say(f"{told(refusal.found)}. {told(refusal.remedy)}", refusal.topic)

    def _change(
        self,
        rivals: Sequence[str],
        text: str,
        values: Callable[[State], dict[str, Any]],
        goes_on: bool = False,
    ) -> InputError | None:
        """Put `values` in place of what says the same, the `rivals`."""

        def make(state: State) -> State:
            kept = {key: v for key, v in table_of(state.preset.initial).items() if key not in rivals}
            return state.with_preset(initial=from_table(Initial, {**kept, **values(state)}, "initial"))

        return self._document.propose(text, make, goes_on)


def _rivals(way: str) -> tuple[str, ...]:
    return next(names for names in (ORIENTATIONS, RATES, FLIGHT) if way in names)

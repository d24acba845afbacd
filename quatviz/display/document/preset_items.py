"""Items of a preset such as loads, rotors and events: how they are added, rebuilt, removed and described."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any

import numpy as np

from quatviz.base.formatting import format_short, format_unit, humanize, humanize_title, lowercase_first
from quatviz.base.parameters import Parameter, from_table, parameters_of, to_plain, to_table
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.edits import with_target_angle_shown
from quatviz.display.document.state import State
from quatviz.files.preset import Lane
from quatviz.physics.events import event_templates
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads import LOADS, Load, MotionScale
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.physics.mechanics.body import Body, is_diagonal
from quatviz.physics.mechanics.rotor import CONTROLLER_PARAMETERS, Rotor, unused_parameters
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.simulation.simulation import lane_names, unique_name


@dataclass(frozen=True)
class ItemTemplate:
    """An item that can be added: its class, its menu text, and values that differ from the defaults."""

    item_class: type
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ItemFamily:
    """One family of preset items, such as loads: the field of `Preset` that holds the items, the noun for
    one item, and the templates of items that can be added."""

    field: str
    noun: str
    templates: Sequence[ItemTemplate]
    own_template: ItemTemplate | None = None
    """Template of the item whose equations the user types, if the family has one."""

    def items(self, state: State) -> tuple[Any, ...]:
        return tuple(getattr(state.preset, self.field))

    def replace_item(self, state: State, index: int, *items: Any) -> State:
        """Return the state in which the item at `index` is replaced by `items`. Without `items` it is
        removed; with an index behind the last item, `items` are appended."""
        current = self.items(state)
        return state.with_preset(**{self.field: (*current[:index], *items, *current[index + 1 :])})

    def complete(self, state: State, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of the edited table. Subclasses add required values that the form lacks, and drop unused ones."""
        return dict(table)

    def append(self, state: State, item: Any) -> State:
        """Return the state with one item appended. If the item is a controller with a target, the panel of the angle to
        the target is shown."""
        return with_target_angle_shown(self.replace_item(state, len(self.items(state)), item))


@dataclass(frozen=True)
class LaneLoadFamily(ItemFamily):
    """Family of the loads that act on one lane only. The lane is given by its index in the preset. Its automatic name
    follows its torque law."""

    lane: int = 0

    def items(self, state: State) -> tuple[Any, ...]:
        lanes = state.preset.lanes
        return tuple(lanes[self.lane].loads) if self.lane < len(lanes) else ()

    def replace_item(self, state: State, index: int, *items: Any) -> State:
        current, lanes = self.items(state), state.preset.lanes
        lane = replace(lanes[self.lane], loads=(*current[:index], *items, *current[index + 1 :]))
        changed = (*lanes[: self.lane], lane, *lanes[self.lane + 1 :])
        return state.with_preset(lanes=rename_after_laws(lanes, changed, [self.lane]))


def law_name(law: TorqueLaw) -> str:
    """Return the name of a torque law: the title of the example that has the same lines, or "Own law"."""
    return tr(law.example_title or "Own law")


def rename_after_laws(
    before: Sequence[Lane], lanes: Sequence[Lane], indices: Iterable[int]
) -> tuple[Lane, ...]:
    """Return the lanes of a run in which some are named after their laws.

    Parameters
    ----------
    before
        All lanes before their loads were changed.
    lanes
        All lanes after the change, with the names that they had before.
    indices
        Indices of the changed lanes.
    """
    renamed = list(lanes)
    for index in indices:
        others = renamed[:index] + renamed[index + 1 :]
        name = name_after_law(before[index], renamed[index], others)
        renamed[index] = replace(renamed[index], name=name)
    return tuple(renamed)


def name_after_law(before: Lane, lane: Lane, others: Sequence[Lane]) -> str | None:
    """Return the name of a lane whose loads were changed.

    A lane with a single torque law is named after it, unless the user has named the lane, or another unnamed lane has the
    same law. The title of its formulation does not count as such a name.

    Parameters
    ----------
    before
        The lane before the change.
    lane
        The lane after the change, with the name that it had before.
    others
        The other lanes of the run.
    """
    old_law, law = only_law(before), only_law(lane)
    old_name, new_name = ("" if item is None else law_name(item) for item in (old_law, law))
    is_automatic = (
        before.name in (None, lane_title(before.formulation))
        or re.fullmatch(rf"{re.escape(old_name)}( \(\d+\))?", before.name) is not None
    )
    if new_name == old_name or not is_automatic:
        return lane.name
    if law is None or any(other.name is None and only_law(other) == law for other in others):
        return None
    return unique_name(new_name, lane_names(others) if others else ())


def only_law(lane: Lane) -> TorqueLaw | None:
    """Return the torque law of a lane that has exactly one; otherwise None."""
    laws = [load for load in lane.loads if isinstance(load, TorqueLaw)]
    return laws[0] if len(laws) == 1 else None


@dataclass(frozen=True)
class RotorFamily(ItemFamily):
    """Family of preset items for the rotors of the body."""

    def items(self, state: State) -> tuple[Any, ...]:
        return tuple(state.preset.body.rotors)

    def replace_item(self, state: State, index: int, *items: Any) -> State:
        current, body = self.items(state), state.preset.body
        rotors = _with_one_controller([*current[:index], *items, *current[index + 1 :]], index)
        return state.with_preset(body=body.with_rotors(rotors))

    def complete(self, state: State, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the table of a rotor without the parameters that its law ignores, and with required parameters that
        the form lacks."""
        unused = unused_parameters(table["law"])
        completed = {name: value for name, value in table.items() if name not in unused}
        if table["law"] != "constant_momentum" and completed.get("inertia") is None:
            completed["inertia"] = _rotor_inertia(state.preset.body, np.asarray(table["axis"]))
        if table["law"] == "constant_momentum" and completed.get("momentum") is None:
            completed["momentum"] = (table.get("inertia") or 0.0) * (table.get("speed") or 0.0)
        return completed


def _with_one_controller(rotors: Sequence[Rotor], index: int) -> list[Rotor]:
    """Return the rotors with the same attitude controller, because all rotors share one: that of the edited rotor. A
    new rotor takes over the controller of the others."""
    controlled = [number for number, rotor in enumerate(rotors) if rotor.law == "attitude_control"]
    if not controlled:
        return list(rotors)
    is_new = index == len(rotors) - 1 and len(controlled) > 1
    leader = rotors[index if index in controlled and not is_new else controlled[0]]
    shared = {name: getattr(leader, name) for name in CONTROLLER_PARAMETERS}
    return [
        replace(rotor, **shared) if number in controlled else rotor for number, rotor in enumerate(rotors)
    ]


def rotor_family() -> RotorFamily:
    """Return the family of rotors, with a template for each law."""
    offers = {
        "free": (tr("Free wheel"), {"speed": 20.0}),
        "constant_speed": (tr("Constant-speed wheel"), {"speed": 20.0}),
        "constant_momentum": (tr("Momentum wheel (gyrostat)"), {"momentum": 1.0}),
        "motor": (tr("Wheel with a motor torque"), {"torque": 0.1}),
        "attitude_control": (
            tr("Reaction wheel, attitude control about its axis"),
            {"stiffness": 1.0, "damping": 1.0},
        ),
    }
    templates = [ItemTemplate(Rotor, text, {"law": law, **values}) for law, (text, values) in offers.items()]
    return RotorFamily("body.rotors", tr("a rotor"), templates)


def _rotor_inertia(body: Body, axis: np.ndarray) -> float:
    """Return a start value [kg m^2] for the axial inertia of a new rotor about `axis` (3,): 5 % of the
    largest value that the body allows."""
    inertia = RotorSystem(body).carrier_inertia
    unit = axis / np.linalg.norm(axis)
    return float(f"{0.05 / (unit @ np.linalg.solve(inertia, unit)):.2g}")


def load_family() -> ItemFamily:
    """Return the family of loads, with a template for each load class."""
    return ItemFamily("loads", tr("a load"), _load_templates(), own_template=_own_load_template())


def lane_load_family(lane: int) -> LaneLoadFamily:
    """Return the family of the loads of one lane, given by its index."""
    return LaneLoadFamily(f"lanes[{lane}].loads", tr("a load"), _load_templates(), _own_load_template(), lane)


def _load_templates() -> list[ItemTemplate]:
    return [ItemTemplate(load_class, humanize_title(name)) for name, load_class in LOADS.items()]


def _own_load_template() -> ItemTemplate:
    return ItemTemplate(TorqueLaw, tr("Write your own law…"))


NUMBER_PREFIX = "gains."
"""Prefix of keys in form tables. It marks numbers that are no declared parameters of a load, such as the gains in a
user's torque law."""


def form_parameters(item: Any) -> dict[str, Parameter]:
    """Return the parameters for which a form has fields: the declared ones and the gains."""
    declared = dict(parameters_of(type(item)))
    for name in getattr(item, "named_numbers", {}):
        key = f"{NUMBER_PREFIX}{name}"
        declared[key] = Parameter(
            explanation=tr("gain {name} of the law", name=name),
            default=MISSING,
            title=tr("gain {name}", name=name),
            name=key,
        )
    return declared


def form_table(item: Any) -> dict[str, Any]:
    """Return the values of an item's parameters, as the table that its form shows."""
    numbers = getattr(item, "named_numbers", {})
    return {**to_table(item), **{f"{NUMBER_PREFIX}{name}": value for name, value in numbers.items()}}


def rebuild_from_form(item: Any, table: Mapping[str, Any], key: str) -> Any:
    """Rebuild an item of the same class from a form table. Its gains are those in the table, whose names may differ
    from the previous ones."""
    numbers = {
        name.removeprefix(NUMBER_PREFIX): value
        for name, value in table.items()
        if name.startswith(NUMBER_PREFIX)
    }
    declared = {name: value for name, value in table.items() if not name.startswith(NUMBER_PREFIX)}
    if not numbers and not getattr(item, "named_numbers", {}):
        return rebuild(item, declared, key)
    return from_table(type(item), {**declared, "gains": numbers}, key)


def event_family() -> ItemFamily:
    """Return the family of events, with a template for each event class that the window offers."""
    templates = [
        ItemTemplate(event_class, tr(offer.label), offer.values)
        for event_class, offer in event_templates().values()
    ]
    return ItemFamily("events", tr("an event"), templates)


def remove_item(document: Document, family: ItemFamily, index: int) -> None:
    """Remove an item from the preset, as an undo step."""
    text = tr("remove {part}", part=title_in_sentence(type(family.items(document.state)[index])))
    document.propose(text, lambda state: family.replace_item(state, index))


def hidden_parameters(item: Any) -> tuple[str, ...]:
    """Return the names of a rotor's parameters that its present law does not use; () for other items."""
    return unused_parameters(item.law) if isinstance(item, Rotor) else ()


def parameter_notes(item: Any, state: State) -> dict[str, str]:
    """Return remarks on parameters of an item, by name. A rotor has one if the initial state is given by h, because the
    initial angular velocity of the body then depends on the rotor."""
    initial, body = state.preset.initial, state.preset.body
    if not isinstance(item, Rotor) or initial.angular_momentum is None:
        return {}
    name = "momentum" if item.law == "constant_momentum" else "speed"
    omega = ", ".join(map(format_short, initial.omega(body)))
    return {name: tr("The initial h is kept: the body's ω at the start becomes {omega} rad/s", omega=omega)}


def undeclared_values(item: Any) -> dict[str, Any]:
    """Return the values of an item that are not declared parameters, by field name, such as the body of a
    change event."""
    names = (
        field.name for field in fields(item) if field.init and field.name not in parameters_of(type(item))
    )
    if getattr(item, "named_numbers", {}):
        return {}
    return {name: getattr(item, name) for name in names if getattr(item, name) is not None}


def branch_descriptions(values: Mapping[str, Any]) -> list[str]:
    """Return a line of text for each undeclared value of an item, such as a body or a list of loads."""
    return [f"{humanize_title(name)}: {_describe_value(value)}" for name, value in values.items()]


def _describe_value(value: Any) -> str:
    if not isinstance(value, tuple):
        return value.__name__ if callable(value) else describe_parameters(value)
    loads = [f"{humanize(load.name)} ({describe_parameters(load)})" for load in value]
    return "; ".join(loads) or tr("none")


def describe_parameters(item: Any) -> str:
    """Return the declared parameters that differ from their defaults, with units."""
    descriptions = []
    for name, parameter in parameters_of(type(item)).items():
        value = getattr(item, name)
        if value is not None and to_plain(value) != to_plain(parameter.default):
            unit = f" {format_unit(parameter.unit)}" if parameter.unit else ""
            descriptions.append(f"{humanize(name) if len(name) > 2 else name} {_format_value(value)}{unit}")
    return ", ".join(descriptions)


def _format_value(value: Any) -> str:
    """Format a number or an array; a diagonal matrix is given by its diagonal."""
    if isinstance(value, np.ndarray) and value.ndim == 2 and is_diagonal(value):
        value = np.diagonal(value)
    plain_value = to_plain(value)
    if isinstance(plain_value, list):
        return ", ".join(map(_format_value, plain_value))
    return format_short(plain_value) if isinstance(plain_value, float) else str(plain_value)


def rebuild(item: Any, table: Mapping[str, Any], key: str) -> Any:
    """Rebuild an item of the same class from a table of its parameters. Error messages refer to the table as `key`.

    Undeclared values, such as the damper ring of a body, are kept, and so is the folder of a body's mesh.
    """
    rebuilt = from_table(type(item), {**undeclared_values(item), **table}, key)
    return rebuilt.with_folder(item.folder) if isinstance(rebuilt, Body) else rebuilt


def title_of(item_class: Any) -> str:
    """Return the title of an item class, or its name in words."""
    title = str(getattr(item_class, "title", ""))
    return tr(title) if title else humanize_title(item_class.name)


def title_in_sentence(item_class: Any) -> str:
    """Return the title of an item class in the case used inside a sentence."""
    title = str(getattr(item_class, "title", ""))
    return lowercase_first(title) if title else humanize(item_class.name)


def summary_of(item_class: type) -> str:
    """Return the first paragraph of the documentation of a class, for a tooltip."""
    paragraph = (item_class.__doc__ or "").strip().split("\n\n")[0]
    return tr(" ".join(paragraph.split()))


def start_values(item_class: type, state: State) -> dict[str, Any]:
    """Return start values with which a new load or rotor visibly affects the motion; {} for other items."""
    body = state.preset.body
    if issubclass(item_class, Rotor):
        axis = np.eye(3)[(2 + len(body.rotors)) % 3]
        return {"axis": axis.tolist(), "inertia": _rotor_inertia(body, axis)}
    if not issubclass(item_class, Load):
        return {}
    return item_class.start_values(motion_scale(state))


def motion_scale(state: State) -> MotionScale:
    """Return the typical sizes of the body and its motion, from which first values of loads follow."""
    body = state.preset.body
    return MotionScale.from_motion(body, state.preset.initial.omega(body))


def examples_of(item: Any, state: State) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return titles and values of the examples that an item of this class offers."""
    return item.examples(motion_scale(state)) if isinstance(item, Load) else ()


def initial_value(parameter: Parameter) -> Any:
    """Return the start value of a parameter: its default, or the smallest allowed value."""
    if not parameter.is_required:
        return parameter.default
    if parameter.choices is not None:
        return parameter.choices[0]
    if parameter.shape:
        return [0.0] * parameter.shape[0]
    if parameter.value_type is str:
        return ""
    if parameter.above is not None:
        return max(1.0, 2.0 * parameter.above)
    return max(0.0, parameter.minimum or 0.0)

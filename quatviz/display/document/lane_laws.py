"""Edits that compare torque laws: each law acts on a lane of its own, which is named after it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle

from quatviz.base.parameters import from_table
from quatviz.base.translation import tr
from quatviz.display.document.edits import (
    add_lane,
    duplicate_lane,
    loads_of_new_lane,
    remove_lane,
    with_target_angle_shown,
)
from quatviz.display.document.preset_items import (
    ItemFamily,
    LaneLoadFamily,
    law_name,
    motion_scale,
    name_after_law,
    rename_after_laws,
    title_of,
)
from quatviz.display.document.state import State
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import find_origin
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.physics.loads.torque_law.examples import EXAMPLES
from quatviz.simulation.simulation import lane_names, unique_name

LANE_LAWS_TEXT = "Give each lane its own law"
"""Text of the action that gives each lane its own torque law, used in the menu and on all buttons."""


def give_lanes_own_laws(state: State) -> State:
    """Return the state in which every computed lane has a torque law of its own.

    The torque laws of the run, which act together on all lanes, are given to one lane each. Lanes without a law then get
    example laws that no other lane has. Lanes are copied if there are fewer than laws, or only one.
    """
    shared = _laws(state.preset.loads)
    state = state.with_preset(loads=_without_laws(state.preset.loads))
    if not _computed_lanes(state):
        return state
    while len(_computed_lanes(state)) < max(2, len(shared)):
        state = _with_copied_lane(state, _computed_lanes(state)[-1])
    state = _with_laws(state, dict(zip(_computed_lanes(state), shared, strict=False)))
    lane_laws = {index: _laws(state.preset.lanes[index].loads) for index in _computed_lanes(state)}
    used = {law.law for laws in lane_laws.values() for law in laws}
    examples = cycle([example for example in EXAMPLES if example.law not in used] or EXAMPLES)
    scale = motion_scale(state)
    added = {
        index: from_table(TorqueLaw, next(examples).table(scale), "loads")
        for index, laws in lane_laws.items()
        if not laws
    }
    return with_target_angle_shown(_with_laws(state, added))


def compare_law(state: State, family: ItemFamily, index: int, law: TorqueLaw | None) -> State:
    """Return the state with one more lane, on which another law acts in place of a given one.

    A law of the run becomes a law of the first lane. The other lanes are removed, as they would repeat that law.

    Parameters
    ----------
    state
        State to edit.
    family
        Loads of the run or of a lane. Its item `index` is the given torque law.
    index
        Index of the given law in the family.
    law
        Law of the new lane; None for a lane without this law.
    """
    given = family.items(state)[index]
    if isinstance(family, LaneLoadFamily):
        base, position = family.lane, index
        state = _with_name_after_law(state, base)
    else:
        base, *_ = _computed_lanes(state)
        state = family.replace_item(state, index)
        for lane_index in reversed(repeated_lanes(state, family)):
            state = remove_lane(state, lane_index)
        state = _with_laws(state, {base: given})
        position = len(state.preset.lanes[base].loads) - 1
    lane = state.preset.lanes[base]
    loads = (*lane.loads[:position], *((law,) if law is not None else ()), *lane.loads[position + 1 :])
    name = unique_name(tr("No torque law") if law is None else law_name(law), lane_names(state.preset.lanes))
    return with_target_angle_shown(add_lane(state, replace(lane, name=name, loads=loads)))


def repeated_lanes(state: State, family: ItemFamily) -> list[int]:
    """Return the indices of the lanes that `compare_law` removes for a law of this family."""
    return [] if isinstance(family, LaneLoadFamily) else _computed_lanes(state)[1:]


def compared_laws_title(preset: Preset) -> str:
    """Return a title for a run that compares laws, if they differ from those of its preset; "" for other runs."""
    origin = find_origin(preset)
    known = [] if origin is None else [_laws(lane.loads) for lane in origin.lanes]
    lanes = [lane for lane in preset.lanes if _laws(lane.loads)]
    names = list(dict.fromkeys(lane.name or law_name(_laws(lane.loads)[0]) for lane in lanes))
    if len(names) < 2 or all(_laws(lane.loads) in known for lane in lanes):
        return ""
    first, second, *others = names
    if others:
        return tr("{first} and {count} other laws", first=first, count=len(others) + 1)
    return tr("{first} and {second}", first=first, second=second)


def new_lane_loads_note(preset: Preset) -> str:
    """Return a sentence about the own loads of new lanes; "" if no lane has loads of its own, or all have the same."""
    lanes = [lane for lane in preset.lanes if lane.recording is None]
    loads = loads_of_new_lane(preset)
    if all(lane.loads == loads for lane in lanes):
        return ""
    if not loads:
        return tr("The loads of single lanes do not act on new lanes.")
    names = [law_name(load) if isinstance(load, TorqueLaw) else title_of(type(load)) for load in loads]
    return tr(
        "New lanes get the loads of the lane {lane}: {loads}.",
        lane=lane_title(lane_names(preset.lanes)[preset.lanes.index(lanes[0])]),
        loads=", ".join(names),
    )


def _with_laws(state: State, laws: Mapping[int, TorqueLaw]) -> State:
    """Return the state with torque laws added to lanes. `laws` maps indices of lanes to laws."""
    lanes = state.preset.lanes
    changed = [
        replace(lane, loads=(*lane.loads, laws[index])) if index in laws else lane
        for index, lane in enumerate(lanes)
    ]
    return state.with_preset(lanes=rename_after_laws(lanes, changed, laws))


def _with_name_after_law(state: State, index: int) -> State:
    """Return the state in which an unnamed lane is named after its law."""
    lanes = state.preset.lanes
    without_laws = [replace(lane, loads=_without_laws(lane.loads)) for lane in lanes]
    return state.with_preset(lanes=rename_after_laws(without_laws, lanes, [index]))


def _with_copied_lane(state: State, index: int) -> State:
    """Return the state with a copy of a lane inserted after the lane. The copy lacks the torque laws of the
    lane, and the name if that followed from the laws."""
    lane = state.preset.lanes[index]
    state = duplicate_lane(state, index)
    lanes = list(state.preset.lanes)
    copied = replace(lanes[index + 1], loads=_without_laws(lane.loads))
    has_own_name = name_after_law(lane, replace(lane, loads=copied.loads), ()) is not None
    lanes[index + 1] = copied if has_own_name else replace(copied, name=None)
    return state.with_preset(lanes=tuple(lanes))


def _computed_lanes(state: State) -> list[int]:
    """Return the indices of the lanes that show no recording."""
    return [index for index, lane in enumerate(state.preset.lanes) if lane.recording is None]


def _laws(loads: Sequence[Load]) -> list[TorqueLaw]:
    return [load for load in loads if isinstance(load, TorqueLaw)]


def _without_laws(loads: Sequence[Load]) -> tuple[Load, ...]:
    return tuple(load for load in loads if not isinstance(load, TorqueLaw))

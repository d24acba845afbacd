"""Edit that gives each lane its own torque law, so that controllers can be compared."""

from dataclasses import replace
from itertools import cycle

from quatviz.base.parameters import from_table
from quatviz.base.translation import tr
from quatviz.display.document.edits import duplicate_lane
from quatviz.display.document.preset_items import motion_scale
from quatviz.display.document.state import State
from quatviz.files.preset import Lane
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.physics.loads.torque_law.examples import EXAMPLES

LANE_LAWS_TEXT = "Give each lane its own law"
"""Text of the action that gives each lane its own torque law, used in the menu and on all buttons."""


def give_lanes_own_laws(state: State) -> State:
    """Return the state in which every computed lane has its own torque law.

    A torque law of the run becomes a law of every lane, so that the motions stay the same. Lanes without a
    law get different example laws. If there is only one lane, it is copied first, because a comparison needs
    two, and lanes without a name are then named after their laws.
    """
    shared = tuple(load for load in state.preset.loads if isinstance(load, TorqueLaw))
    lanes = [
        replace(lane, loads=(*lane.loads, *shared)) if _is_computed(lane) else lane
        for lane in state.preset.lanes
    ]
    others = tuple(load for load in state.preset.loads if not isinstance(load, TorqueLaw))
    state = state.with_preset(lanes=tuple(lanes), loads=others)
    indices = [index for index, lane in enumerate(lanes) if _is_computed(lane)]
    names_lanes = len(indices) == 1
    if names_lanes:
        state = duplicate_lane(state, indices[0])
        lanes = list(state.preset.lanes)
        twin = lanes[indices[0] + 1]
        lanes[indices[0] + 1] = replace(
            twin, loads=tuple(load for load in twin.loads if not isinstance(load, TorqueLaw))
        )
        indices.append(indices[0] + 1)
    used = {load.law for lane in lanes for load in lane.loads if isinstance(load, TorqueLaw)}
    examples = cycle([example for example in EXAMPLES if example.law not in used] or EXAMPLES)
    scale = motion_scale(state)
    for index in indices:
        lane = lanes[index]
        if not _has_law(lane):
            example = next(examples)
            law = from_table(TorqueLaw, example.table(scale), "loads")
            name = tr(example.title) if names_lanes and lane.name is None else lane.name
            lanes[index] = replace(lane, name=name, loads=(*lane.loads, law))
    return state.with_preset(lanes=tuple(lanes))


def _is_computed(lane: Lane) -> bool:
    return lane.recording is None


def _has_law(lane: Lane) -> bool:
    return any(isinstance(load, TorqueLaw) for load in lane.loads)

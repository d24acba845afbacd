"""Edits of the list of lanes."""

from dataclasses import replace
from functools import partial

from quatviz.display.document import edits as lane_edits
from quatviz.display.document.document import EditFunction, State
from quatviz.files.preset import Lane
from random_user.actions.base import UserAction
from random_user.user import RandomUser

LANES = ("newton_euler", "hamilton", "euler_angles/313", "exact")
"""Lanes whose kernels are compiled before the first action."""
_MAX_LANES = 5


class Lanes(UserAction):
    """Add, duplicate, remove, move or rename a lane. There are at most `_MAX_LANES` lanes."""

    name = "lanes"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        count = len(user.session.document.state.preset.lanes)
        index = user.random.randrange(count)
        edits: dict[str, EditFunction] = {}
        if count < _MAX_LANES:
            lane = user.pick(LANES)
            edits[f"add {lane}"] = lambda state: lane_edits.add_lane(state, Lane(lane))
            edits[f"duplicate lane {index}"] = partial(lane_edits.duplicate_lane, index=index)
        if count > 1:
            edits[f"remove lane {index}"] = partial(lane_edits.remove_lane, index=index)
            first = user.random.randrange(count - 1)
            edits[f"move lane {first}"] = partial(lane_edits.move_lane, index=first, offset=1)
        name = f"lane {user.random.randrange(100)}"
        edits[f"rename lane {index} to “{name}”"] = partial(_rename_lane, index=index, name=name)
        edit_name = user.pick(sorted(edits))
        if count > _MAX_LANES:
            edit_name = f"remove lane {index}"
        user.log(edit_name)
        user.session.document.propose(edit_name, edits[edit_name])


def _rename_lane(state: State, index: int, name: str) -> State:
    lanes = list(state.preset.lanes)
    lanes[index] = replace(lanes[index], name=name)
    return state.with_preset(lanes=tuple(lanes))

"""Lanes come, go, and change their places and names."""

from dataclasses import replace
from functools import partial

from quatviz.display.document import edits as lane_edits
from quatviz.display.document.document import Make, State
from quatviz.files.preset import Lane
from random_user.actions.base import Action
from random_user.user import User

LANES = ("newton_euler", "hamilton", "euler_angles/313", "exact")
"""Lanes whose kernels are compiled before the user begins."""
_MOST = 5


class Lanes(Action):
    """One edit of the list of lanes, of which there are at most a handful."""

    name = "lanes"
    weight = 2.0

    def do(self, user: User) -> None:
        count = len(user.session.document.state.preset.lanes)
        index = user.random.randrange(count)
        makes: dict[str, Make] = {}
        if count < _MOST:
            lane = user.pick(LANES)
            makes[f"add {lane}"] = lambda state: lane_edits.added(state, Lane(lane))
            makes[f"duplicate lane {index}"] = partial(lane_edits.duplicated, index=index)
        if count > 1:
            makes[f"remove lane {index}"] = partial(lane_edits.removed, index=index)
            first = user.random.randrange(count - 1)
            makes[f"move lane {first}"] = partial(lane_edits.moved, index=first, by=1)
        name = f"lane {user.random.randrange(100)}"
        makes[f"rename lane {index} to “{name}”"] = partial(_renamed, index=index, name=name)
        words = user.pick(sorted(makes))
        if count > _MOST:
            words = f"remove lane {index}"
        user.note(words)
        user.session.document.propose(words, makes[words])


def _renamed(state: State, index: int, name: str) -> State:
    lanes = list(state.preset.lanes)
    lanes[index] = replace(lanes[index], name=name)
    return state.with_preset(lanes=tuple(lanes))

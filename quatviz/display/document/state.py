"""What a person edits, as values: the preset, and how its lanes are shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from quatviz.display.view_state.lane_styles import Display
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_state import Look, chosen_of
from quatviz.files.preset import FASTEST, Preset
from quatviz.simulation.runner import Snapshot


@dataclass(frozen=True)
class State:
    """All that edits change: what is computed, and how its lanes are shown."""

    preset: Preset
    display: Display
    look: Look | None = None
    """What somebody has chosen besides of how the run is shown (`look.look.CHOSEN`); None where nothing is known of it."""

    @classmethod
    def of(cls, preset: Preset) -> "State":
        """A preset as it is first shown."""
        return cls(preset, Display.of(len(preset.lanes)))

    def with_preset(self, **fields: Any) -> "State":
        """With fields of the preset replaced; the lanes stay the same ones."""
        return replace(self, preset=replace(self.preset, **fields))

    def reset(self, origin: Preset) -> "State":
        """With another preset; its lanes are shown as they were where they are the same."""
        same = self.preset.lanes == origin.lanes
        return replace(self, preset=origin) if same else replace(State.of(origin), look=self.look)

    def with_display(self, display: Display) -> "State":
        """With the lanes shown in another way."""
        return replace(self, display=display)


Make = Callable[[State], State]
"""An edit."""


def state_of(session: Session) -> State:
    """What a session shows; lanes of which its look says nothing look as at first."""
    count, look = len(session.preset.lanes), session.look
    if look is None:
        return State(session.preset, Display().of_as_many(count))
    return State(session.preset, look.lanes.of_as_many(count), chosen_of(look))


def snapshot_of(session: Session) -> Snapshot | None:
    """Where the run of a session begins: it rests at the cursor. None where it says nothing of it."""
    look = session.look
    if look is None or session.proposed:
        return None
    speed = session.preset.speed if look.speed is None else look.speed
    return Snapshot(
        time=max(look.cursor, 0.0),
        playing=False,
        speed=min(max(speed, -FASTEST), FASTEST) or 1.0,
        loop=look.loop,
        selected=(look.selected[0], look.selected[1]) if look.selected else None,
    )

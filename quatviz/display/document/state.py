"""What a person edits, as values: the preset, and how its lanes are shown."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from quatviz.display.document.document_file import DocumentFile
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_state import ViewState, undoable_part, without_proposal
from quatviz.files.preset import MAX_SPEED, Preset
from quatviz.simulation.runner import Snapshot


@dataclass(frozen=True)
class PresetProposal:
    """How a preset wants to be seen first (`proposed`), and what the user had chosen before (`own`)."""

    own: ViewState
    proposed: ViewState


@dataclass(frozen=True)
class State:
    """All that edits change: what is computed, and how its lanes are shown."""

    preset: Preset
    lane_styles: LaneStyles
    view_state: ViewState | None = None
    """What somebody has chosen besides of how the run is shown (`display.view_state.view_state.UNDOABLE_FIELDS`); None where
    nothing is known of it."""
    proposal: PresetProposal | None = field(default=None, compare=False)
    """What a preset proposed instead of the user's choices; None if what is shown is the user's."""
    file: DocumentFile | None = field(default=None, compare=False)
    """Where it is saved; None for a state that is not yet of a document."""

    @property
    def own_choices(self) -> ViewState | None:
        """What the user has chosen, without what a preset proposed. A run that says nothing of how it is shown is shown so."""
        if self.proposal is None or self.view_state is None:
            return self.view_state
        return without_proposal(self.view_state, self.proposal.proposed, self.proposal.own)

    @classmethod
    def default_for(cls, preset: Preset) -> "State":
        """A preset as it is first shown."""
        return cls(preset, LaneStyles.default_for(len(preset.lanes)))

    def with_preset(self, **fields: Any) -> "State":
        """With fields of the preset replaced; the lanes stay the same ones."""
        return replace(self, preset=replace(self.preset, **fields))

    def reset(self, origin: Preset) -> "State":
        """With another preset; its lanes are shown as they were where they are the same."""
        same = self.preset.lanes == origin.lanes
        return (
            replace(self, preset=origin)
            if same
            else replace(State.default_for(origin), view_state=self.view_state)
        )

    def with_lane_styles(self, lane_styles: LaneStyles) -> "State":
        """With the lanes shown in another way."""
        return replace(self, lane_styles=lane_styles)


EditFunction = Callable[[State], State]
"""An edit."""


def state_of(session: Session) -> State:
    """What a session shows; lanes of which its look says nothing look as at first."""
    count, view_state = len(session.preset.lanes), session.view_state
    if view_state is None:
        return State(session.preset, LaneStyles().matching(count))
    return State(session.preset, view_state.lanes.matching(count), undoable_part(view_state))


def initial_snapshot(session: Session) -> Snapshot | None:
    """Where the run of a session begins: it rests at the cursor. None where it says nothing of it."""
    view_state = session.view_state
    if view_state is None or session.is_proposed:
        return None
    speed = session.preset.speed if view_state.speed is None else view_state.speed
    return Snapshot(
        time=max(view_state.cursor, 0.0),
        playing=False,
        speed=min(max(speed, -MAX_SPEED), MAX_SPEED) or 1.0,
        loop=view_state.loop,
        selected=(view_state.selected[0], view_state.selected[1]) if view_state.selected else None,
    )

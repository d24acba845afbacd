"""The state of a document: the preset, and how its lanes and its run are shown."""

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
    """The view state that a preset proposes, and the user's own view state before that preset was opened."""

    own: ViewState
    proposed: ViewState


@dataclass(frozen=True)
class State:
    """Everything that an edit can change: the preset, the lane styles and the undoable view state."""

    preset: Preset
    lane_styles: LaneStyles
    view_state: ViewState | None = None
    """Undoable part of the view state (`display.view_state.view_state.UNDOABLE_FIELDS`); None if it is not known."""
    proposal: PresetProposal | None = field(default=None, compare=False)
    """Proposal of a preset that replaces the user's choices; None if the user's choices are shown."""
    file: DocumentFile | None = field(default=None, compare=False)
    """File of the document; None for a state that belongs to no document yet."""

    @property
    def own_choices(self) -> ViewState | None:
        """The choices that the user has made, without those proposed by a preset. They apply to a run whose preset
        proposes none."""
        if self.proposal is None or self.view_state is None:
            return self.view_state
        return without_proposal(self.view_state, self.proposal.proposed, self.proposal.own)

    @classmethod
    def default_for(cls, preset: Preset) -> "State":
        """Return the state in which a preset is first shown."""
        return cls(preset, LaneStyles.default_for(len(preset.lanes)))

    def with_preset(self, **fields: Any) -> "State":
        """Return the state with fields of the preset replaced. Unchanged lanes stay the same objects."""
        return replace(self, preset=replace(self.preset, **fields))

    def reset(self, origin: Preset) -> "State":
        """Return the state with the preset `origin` in place of the present one. The lane styles are kept if both
        presets have the same lanes."""
        same = self.preset.lanes == origin.lanes
        return (
            replace(self, preset=origin)
            if same
            else replace(State.default_for(origin), view_state=self.view_state)
        )

    def with_lane_styles(self, lane_styles: LaneStyles) -> "State":
        """Return the state with other lane styles."""
        return replace(self, lane_styles=lane_styles)


EditFunction = Callable[[State], State]
"""An edit: a function from one state to the next."""


def state_of(session: Session) -> State:
    """Return the state of a session. Lanes without a style in the session get the default style."""
    count, view_state = len(session.preset.lanes), session.view_state
    if view_state is None:
        return State(session.preset, LaneStyles().matching(count))
    return State(session.preset, view_state.lanes.matching(count), undoable_part(view_state))


def initial_snapshot(session: Session) -> Snapshot | None:
    """Return the paused playback state with which a session starts, at the time of its cursor. Return None if the
    session has no view state, or only a proposed one."""
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

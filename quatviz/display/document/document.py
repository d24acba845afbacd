"""The open document: its state, its simulation, and undo and redo."""

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.branching import Branching
from quatviz.display.document.document_file import DocumentFile
from quatviz.display.document.state import EditFunction, PresetProposal, State, initial_snapshot, state_of
from quatviz.display.document.timeline_markers import EditMarker
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import (
    ViewState,
    has_same_choices,
    has_same_undoable_part,
    undoable_part,
    with_undoable_part,
)
from quatviz.display.view_state.view_store import ViewChange, ViewStore
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import CostEstimate, Simulation, coarsened

log = logging.getLogger(__name__)

MAX_UNDO_BYTES = 64 * 2**20
"""Largest memory of all undo steps together [bytes]. One step may hold a large mesh or many events; the oldest steps
are dropped first."""
MAX_UNDO_STEPS = 200
"""Largest number of undo steps, even if `MAX_UNDO_BYTES` permits more. When the first step is dropped, a message says
so."""


@dataclass(frozen=True)
class UndoStep:
    """One undo step: a named change from one state to another, made with the cursor at `time` [s]."""

    text: str
    before: State
    after: State
    time: float
    size_bytes: int
    """Memory of this step that is not shared with the other steps [bytes]."""
    replaces_document: bool = False
    """True if the step opens another document instead of editing the current one."""

    def supersedes(self, other: "UndoStep | None") -> bool:
        """Return True if this step has replaced the step `other` during a single drag."""
        return (
            other is not None
            and other is not self
            and other.before is self.before
            and other.text == self.text
        )

    @cached_property
    def changes_motion(self) -> bool:
        """True if the step changes anything but events, lane names or playback speed."""
        before, after = (
            replace(
                state.preset, events=(), lanes=tuple(replace(lane, name=None) for lane in state.preset.lanes)
            )
            for state in (self.before, self.after)
        )
        return not before.has_same_run(after)


@dataclass(frozen=True)
class DocumentChange:
    """A change of the document: the states and runs before and after. If the run is unchanged, both runs are
    the same object."""

    before: State
    after: State
    old: Simulation
    run: Simulation
    is_new_step: bool
    """True for a new step; False for undo and redo."""
    coalesces: bool
    """True if this step replaces the step before it during a drag.

    The run may then be coarser than the preset says, until `Document.finish_drag`.
    """
    cursor: Snapshot | None
    """New time and playback of the cursor; None to leave them as they are."""

    @property
    def is_coarsened(self) -> bool:
        """True if the run uses other step sizes than the preset."""
        run_lanes, preset_lanes = self.run.preset.lanes, self.after.preset.lanes
        return [lane.dt for lane in run_lanes] != [lane.dt for lane in preset_lanes]


@dataclass(frozen=True)
class OwnRun:
    """The user's own run, kept while a lesson shows its scenes. Saving saves this run, and it is shown again after the
    lesson."""

    state: State
    view_state: ViewState
    """View state of the user's own run, including the cursor."""
    is_playing: bool


class Document:
    """The state that the user edits, its simulation, and the undo steps that led to it.

    An edit is a function from one state to the next. If the edit or its run is refused or fails, nothing changes.
    Otherwise `changed` is emitted with the new state, and then `compute` is called, so that all views know the state
    before its run starts. `view` holds the view state. Its undoable fields are part of every state: a change of them
    is an undo step, and undo and redo restore them after the run of the step was set.

    Parameters
    ----------
    state
        The first state.
    compute
        Receives each `DocumentChange` and runs the simulation.
    clock
        Returns the time of the cursor [s]. Undo steps store it; with `branching`, edits apply there. It may wait until
        commands have taken effect.
    shown_clock
        Returns the time of the cursor [s] that the last frames show, without waiting; `clock` if None.
    view
        View state of the window; a new one if None.
    """

    def __init__(
        self,
        state: State,
        compute: Callable[[DocumentChange], None] = lambda change: None,
        clock: Callable[[], float] = lambda: 0.0,
        view: ViewStore | None = None,
        shown_clock: Callable[[], float] | None = None,
    ) -> None:
        self.view = view or ViewStore()
        if state.view_state is not None:
            self.view.assign(with_undoable_part(self.view.state, state.view_state))
        self.state = replace(state, view_state=undoable_part(self.view.state), file=DocumentFile())
        self.file.mark_saved(self.state)
        self.view.committed.connect(self._record_view_change)
        self.simulation = Simulation(state.preset)
        self._cost_estimate: CostEstimate | None = None
        """Cost estimate of the last run that ended, or of an unfinished run if none has ended yet."""
        self.clock = clock
        self._shown_clock = shown_clock or clock
        self.branching = Branching()
        self.own_run: OwnRun | None = None
        """The user's own run while a lesson shows its scenes; otherwise None."""
        self.changed = Signal()
        """Signal emitted with the new `State` after every change of the document."""
        self.saved = Signal()
        """Signal emitted when the document is saved, or gets another file."""
        self.message_emitted = Signal()
        """Signal emitted with a message for the status row and the help topic that explains it. Components
        that edit the document emit their messages here, too."""
        self._compute = compute
        self._all_steps: tuple[UndoStep, ...] = ()
        self._done_count = 0
        self._has_reported_step_limit = False
        self._previous_redo: tuple[UndoStep, ...] = ()
        """Undo steps that could be redone before the last step was made. If a drag returns to its start, they can be
        redone again."""

    @property
    def file(self) -> DocumentFile:
        """The file of the document."""
        assert self.state.file is not None
        return self.state.file

    @property
    def is_modified(self) -> bool:
        """True if the document differs from its saved state, or from its first state if it was never saved."""
        return self.file.is_modified(self.state)

    @property
    def own_state(self) -> State:
        """The state of the user's own run: the one that is shown, except during a lesson."""
        return self.state if self.own_run is None else self.own_run.state

    @property
    def unsaved_path(self) -> Path | None:
        """The file of the user's own run if it has unsaved changes; otherwise None."""
        state = self.own_state
        return state.file.path if state.file is not None and state.file.is_modified(state) else None

    @property
    def has_unsaved_run(self) -> bool:
        """True if the user's own run has changes that are in no file."""
        state = self.own_state
        return state.file is not None and state.file.is_run_modified(state)

    def mark_saved(
        self, path: Path | None = None, state: State | None = None, signature: tuple[int, int] | None = None
    ) -> None:
        """Record that a state (default: the current one) is saved in `path`. Without a path, it counts as the first
        state of the document. `signature` is that of the file when the state was read from it."""
        state = state or self.state
        assert state.file is not None
        state.file.mark_saved(state, path, signature)
        self.saved.emit()

    def mark_unsaved(self) -> None:
        """Record that the state is saved in no file, as after a recovery."""
        self.file.mark_unsaved()
        self.saved.emit()

    @property
    def steps(self) -> tuple[UndoStep, ...]:
        """The undo steps that led to the current state, oldest first."""
        return self._all_steps[: self._done_count]

    @property
    def redo_steps(self) -> tuple[UndoStep, ...]:
        """The undo steps that can be redone, the next one first."""
        return self._all_steps[self._done_count :]

    @property
    def edit_markers(self) -> tuple[EditMarker, ...]:
        """Markers of the edits that led from the last opened document to the current state. Events have markers of
        their own."""
        words: dict[float, tuple[str, ...]] = {}
        preset = self.state.preset
        for step in reversed(self.steps):
            if step.after.preset != preset:
                continue  # a state that is only previewed was reached by none of the steps
            if step.replaces_document:
                break
            if step.changes_motion:
                words[step.time] = (step.text, *words.get(step.time, ()))
            preset = step.before.preset
        return tuple(EditMarker(time, words[time]) for time in sorted(words))

    @property
    def state_at_edit_time(self) -> State:
        """State to which an edit would apply now: at the start of the run, or at the displayed cursor.

        Displays read it in every frame. Unlike an edit, it therefore does not wait for the thread that computes.
        """
        return self.branching.state_at(self.state, self._shown_clock())

    def propose(self, text: str, edit: EditFunction, coalesce: bool = False) -> InputError | None:
        """Apply an edit as an undo step; return the refusal if the edit or its run is not possible.

        Parameters
        ----------
        text
            Name of the step.
        edit
            Returns the new state.
        coalesce
            True to merge the step with the previous one if that has the same name. The merged step starts
            where the previous one started, and is dropped if it leads back to that state.

        Returns
        -------
        InputError or None
            The refusal; None if the edit was applied.
        """
        coalesced_step = self.steps[-1] if coalesce and self.steps and not self.redo_steps else None
        if coalesced_step is not None and (
            coalesced_step.text != text or coalesced_step.after.preset is not self.state.preset
        ):
            coalesced_step = None
        before, time = (
            (coalesced_step.before, coalesced_step.time)
            if coalesced_step is not None
            else (self.state, self.clock())
        )
        try:
            after, added_lane = self.branching.apply_edit(edit, before, time)
            after = replace(after, file=before.file, proposal=before.proposal)
            self._add_step(text, after, coalesced_step=coalesced_step)
        except InputError as refusal:
            return refusal
        if added_lane:
            self.message_emitted.emit(
                tr(
                    "A lane cannot change its formulation or integrator during a run: “{lane}” was "
                    "added and runs from t = 0",
                    lane=added_lane,
                ),
                "",
            )
        return None

    def open_session(self, text: str, session: Session) -> InputError | None:
        """Replace the state by that of a session, as one undo step named `text`. Return the refusal, or None."""
        own_choices = self.state.own_choices

        def show(current: ViewState) -> ViewState:
            """Return the view state in which the session is shown.

            If the session has no view state, the user's own choices apply again instead of those proposed by
            an earlier preset.
            """
            if session.view_state is None and own_choices is not None:
                current = with_undoable_part(current, own_choices)
            return session.applied_to(current)

        new_state = state_of(session)
        if session.is_proposed and new_state.view_state is not None and own_choices is not None:
            new_state = replace(new_state, proposal=PresetProposal(own_choices, new_state.view_state))
        return self.open(text, lambda _: new_state, initial_snapshot(session), show)

    def open(
        self,
        text: str,
        edit: EditFunction,
        cursor: Snapshot | None = None,
        show: Callable[[ViewState], ViewState] | None = None,
        is_new_file: bool = True,
    ) -> InputError | None:
        """Replace the state by another document, as one undo step.

        Parameters
        ----------
        text
            Name of the step.
        edit
            Returns the new state.
        cursor
            New time and playback of the cursor; None to leave them as they are.
        show
            Returns the view state of the new run from the current one; None to keep the current one. It is called
            again once the new run is set.
        is_new_file
            False if the new state is saved in the same file as the old one.

        Returns
        -------
        InputError or None
            The refusal; None if the document was opened.
        """
        try:
            after = edit(self.state)
            if is_new_file:
                after = replace(after, file=DocumentFile())
            else:
                after = replace(after, file=self.file, proposal=self.state.proposal)
            if show is not None:
                after = replace(after, view_state=undoable_part(show(self.view.state)))
            self._add_step(text, after, cursor, replaces_document=True)
        except InputError as refusal:
            return refusal
        if is_new_file:
            self.begin(self.view.state if show is None else show(self.view.state))
        elif show is not None:
            self.view.assign(show(self.view.state))
        return None

    def begin(self, view_state: ViewState, path: Path | None = None) -> None:
        """Assign the view state of a document that was just opened, including its times and cameras.

        Call this for every document that is opened in a window, shown at start or filmed. `path` is the file
        of the document, or None.
        """
        self.view.assign(view_state)
        self.mark_saved(path)

    def preview(self, state: State) -> None:
        """Show a state temporarily, without an undo step. A refusal is reported. A state without a file gets a new
        `DocumentFile` and counts as its first state."""
        if state.file is None:
            file = DocumentFile()
            file.mark_saved(state)
            state = replace(state, file=file)
        run = self._simulate_or_report(state)
        if run is not None:
            self._set_state(state, run, is_new_step=False)

    def _record_view_change(self, change: ViewChange) -> None:
        """Add an undo step for a named change of the view state. Other changes are stored in the state and keep the
        redo steps."""
        if not change.text and has_same_undoable_part(change.old, change.new):
            return  # cameras and times change all the time
        before, steps = self.state, self.steps
        self.state = replace(before, view_state=undoable_part(change.new))
        if not change.text or before.view_state is None or has_same_choices(before.view_state, change.new):
            return
        if (
            change.coalesces
            and steps
            and not self.redo_steps
            and (steps[-1].text, steps[-1].after) == (change.text, before)
        ):
            before, steps = steps[-1].before, steps[:-1]
        step = UndoStep(change.text, before, self.state, self.clock(), added_bytes(self.state, before))
        leads_back = before.view_state is not None and has_same_choices(before.view_state, change.new)
        self._all_steps = steps if leads_back else (*steps, step)
        limit_text = self._drop_oldest_steps()
        self._done_count = len(self._all_steps)
        self.changed.emit(self.state)
        if limit_text:
            self.message_emitted.emit(limit_text, "")

    def undo(self, steps: int = 1) -> None:
        """Undo some steps, at most all. A step that cannot be restored is reported and skipped."""
        steps = min(steps, self._done_count)
        if steps > 0:
            self._go_to(self.steps[-steps].before, self._done_count - steps)

    def redo(self) -> None:
        """Redo the step that was undone last, if there is one."""
        if self.redo_steps:
            self._go_to(self.redo_steps[0].after, self._done_count + 1)

    def finish_drag(self) -> None:
        """Compute the run with the step size of the preset after a drag. During the drag, runs were computed with
        larger steps."""
        run = self._simulate_or_report(self.state)
        if run is not None and run is not self.simulation:
            self._set_state(self.state, run, is_new_step=False, coalesces=True)

    def close(self) -> None:
        """Drop all undo steps and disconnect all signals."""
        self._all_steps, self._done_count, self._previous_redo = (), 0, ()
        for signal in (self.changed, self.saved, self.message_emitted, self.branching.changed):
            signal.clear()

    def _add_step(
        self,
        text: str,
        after: State,
        cursor: Snapshot | None = None,
        coalesced_step: UndoStep | None = None,
        replaces_document: bool = False,
    ) -> None:
        before, time, steps, limit_text = self.state, self.clock(), self.steps, ""
        if coalesced_step is not None:
            before, time, steps = coalesced_step.before, coalesced_step.time, steps[:-1]
        else:
            self._previous_redo = self.redo_steps
        after = after if after.view_state is not None else replace(after, view_state=before.view_state)
        # Opening an equal run is a step too if the document has a file, so that undo leads back to the file.
        is_step = after != before or (replaces_document and self.file.path is not None)
        if coalesced_step is not None or is_step:
            run = self._simulate(after, coalesced_step is not None)
            # Every step of a drag takes about as much memory as the first one.
            size_bytes = added_bytes(after, before) if coalesced_step is None else coalesced_step.size_bytes
            new_steps = (
                [UndoStep(text, before, after, time, size_bytes, replaces_document)] if is_step else []
            )
            self._all_steps = (*steps, *new_steps)
            limit_text = self._drop_oldest_steps()
            self._done_count = len(self._all_steps)
            self._all_steps += () if new_steps else self._previous_redo
            self._set_state(
                after, run, is_new_step=bool(new_steps), cursor=cursor, coalesces=coalesced_step is not None
            )
        else:
            self._replace_current_state(replace(before, file=after.file))
            if cursor is not None:
                self._set_state(self.state, self.simulation, is_new_step=False, cursor=cursor)
        if limit_text:
            self.message_emitted.emit(limit_text, "")

    def _replace_current_state(self, state: State) -> None:
        """Replace the current state, also in the undo step before and the redo step after it, so that undo
        and redo return to the new state."""
        steps, done = list(self._all_steps), self._done_count
        if done > 0:
            steps[done - 1] = replace(steps[done - 1], after=state)
        if done < len(steps):
            steps[done] = replace(steps[done], before=state)
        self.state, self._all_steps = state, tuple(steps)

    def _drop_oldest_steps(self) -> str:
        """Drop the oldest steps beyond the limits; return a message about it, or "".

        The limit on the number of steps is reported only once, because every further step exceeds it again.
        """
        is_first_of_many = len(self._all_steps) > MAX_UNDO_STEPS and not self._has_reported_step_limit
        self._has_reported_step_limit |= is_first_of_many
        self._all_steps = self._all_steps[-MAX_UNDO_STEPS:]
        total, first = sum(step.size_bytes for step in self._all_steps), 0
        while total > MAX_UNDO_BYTES and first < len(self._all_steps) - 1:
            total -= self._all_steps[first].size_bytes
            first += 1
        self._all_steps = self._all_steps[first:]
        if first > 0:
            return tr(
                "The oldest steps can no longer be undone: together they exceeded {size} MB",
                size=MAX_UNDO_BYTES // 2**20,
            )
        if is_first_of_many:
            return tr(
                "The oldest steps can no longer be undone: only the last {count} are kept. To keep an earlier state, "
                "save the session.",
                count=MAX_UNDO_STEPS,
            )
        return ""

    def _go_to(self, state: State, done_count: int) -> None:
        run = self._simulate_or_report(state)
        self._done_count = done_count
        if run is None:
            self.changed.emit(self.state)
        else:
            self._set_state(state, run, is_new_step=False)

    def _simulate_or_report(self, state: State) -> Simulation | None:
        """Return the run of a state. If the state is refused, report the refusal and return None."""
        try:
            return self._simulate(state)
        except InputError as refusal:
            log.warning("a step could not be taken: %s", refusal)
            self.message_emitted.emit(f"{tr(refusal.place)}: {tr(refusal.found)}", refusal.topic)
            return None

    def _simulate(self, state: State, coarsen: bool = False) -> Simulation:
        if state.preset.has_same_run(self.simulation.preset):
            return self.simulation
        run, cost_estimate = self.simulation, self._cost_estimate
        if (
            cost_estimate is None
            or not cost_estimate.applies_to(run.preset)
            or not any(map(run.missing, run))
        ):
            self._cost_estimate = cost_estimate = CostEstimate.from_run(
                run
            )  # Runs that a drag passes through have mostly just begun.
        return Simulation(coarsened(state.preset, cost_estimate) if coarsen else state.preset)

    def _set_state(
        self,
        state: State,
        run: Simulation,
        is_new_step: bool,
        cursor: Snapshot | None = None,
        coalesces: bool = False,
    ) -> None:
        change = DocumentChange(self.state, state, self.simulation, run, is_new_step, coalesces, cursor)
        self.state, self.simulation = state, run
        run.set_speed(state.preset.speed)
        try:
            self.changed.emit(state)
        finally:
            self._compute(change)
        if self.view.is_recording and state.view_state is not None:
            self.view.assign(with_undoable_part(self.view.state, state.view_state))


def added_bytes(state: object, reference: object) -> int:
    """Return the memory [bytes] of the objects in `state` that are not in `reference`. Successive states
    share most objects."""
    known: set[int] = set()
    _size_of(reference, known)
    return _size_of(state, known)


def _size_of(value: object, counted_ids: set[int]) -> int:
    if id(value) in counted_ids or isinstance(value, type) or callable(value):
        return 0
    counted_ids.add(id(value))
    if isinstance(value, np.ndarray):
        return sys.getsizeof(value) + (value.nbytes if value.base is not None else 0)
    return sys.getsizeof(value, 0) + sum(_size_of(part, counted_ids) for part in _children(value))


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return chain(value.keys(), value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return value
    return getattr(value, "__dict__", {}).values()

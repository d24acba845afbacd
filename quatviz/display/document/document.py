"""The run that is open, as it is computed and edited: one state after another, with the way back."""

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
from quatviz.display.document.state import EditFunction, State
from quatviz.display.document.timeline_markers import EditMarker
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
"""What all steps that can be undone may take: a body, its mesh or its many events may be large. Beyond it the oldest are
forgotten."""
MAX_UNDO_STEPS = 200
"""How many steps can be undone, if they fit into `MAX_UNDO_BYTES`. That older ones are forgotten is said with the first."""


@dataclass(frozen=True)
class UndoStep:
    """From one state to another, called `text`, with the cursor at `time` [s]."""

    text: str
    before: State
    after: State
    time: float
    size_bytes: int
    """Bytes that it adds to what the steps keep."""
    replaces_document: bool = False
    """Whether it takes another state altogether, to which no edit before it has led."""

    def supersedes(self, other: "UndoStep | None") -> bool:
        """Whether it has taken the place of that one, while a hand is at it."""
        return (
            other is not None
            and other is not self
            and other.before is self.before
            and other.text == self.text
        )

    @cached_property
    def changes_motion(self) -> bool:
        """Whether more of the preset is another than what happens on the way, what lanes are called, or how fast it plays."""
        before, after = (
            replace(
                state.preset, events=(), lanes=tuple(replace(lane, name=None) for lane in state.preset.lanes)
            )
            for state in (self.before, self.after)
        )
        return not before.has_same_run(after)


@dataclass(frozen=True)
class DocumentChange:
    """What whoever computes the document is told: the states and runs before and after. Where the same is computed, the run
    is the same object."""

    before: State
    after: State
    old: Simulation
    run: Simulation
    is_new_step: bool
    """Whether it is a new step, neither undone nor redone."""
    coalesces: bool
    """Whether it takes the place of the step before it, while a hand is at it: the run may be a sketch of what the preset
    says, until the document settles."""
    cursor: Snapshot | None
    """Where the cursor is to be, and how it moves; None where the change does not say."""

    @property
    def is_coarsened(self) -> bool:
        """Whether the run has other steps than its preset says."""
        run_lanes, preset_lanes = self.run.preset.lanes, self.after.preset.lanes
        return [lane.dt for lane in run_lanes] != [lane.dt for lane in preset_lanes]


@dataclass(frozen=True)
class OwnRun:
    """The user's own run while a lesson shows its scenes: what is saved, and shown again after the lesson."""

    state: State
    view_state: ViewState
    """How it was shown, with the cursor."""
    is_playing: bool


class Document:
    """Holds what is computed: the `state` that a person edits, the `simulation` of it, and every step that led here.

    An edit is a function from one state to the next. What it makes, or the run of that, may be refused, or fail: then
    everything is as it was. Otherwise the new state is told to all that hear `changed`, and then to `compute`: whoever
    shows the document knows of it before its run begins. `clock` is where the cursor is [s]: steps remember it, and while
    `branching` is on, edits begin there.

    `view` holds how the run is shown. Its undoable fields are a part of every state: a change of them is a step like an
    edit, and undo and redo assign them once the run of the step is there.
    """

    def __init__(
        self,
        state: State,
        compute: Callable[[DocumentChange], None] = lambda change: None,
        clock: Callable[[], float] = lambda: 0.0,
        view: ViewStore | None = None,
    ) -> None:
        self.view = view or ViewStore()
        if state.view_state is not None:
            self.view.assign(with_undoable_part(self.view.state, state.view_state))
        self.state = replace(state, view_state=undoable_part(self.view.state), file=DocumentFile())
        self.file.mark_saved(self.state)
        self.view.committed.connect(self._record_view_change)
        self.simulation = Simulation(state.preset)
        self._cost_estimate: CostEstimate | None = None
        """Of the last run that came to its end, or as far as it was known when it was first asked for."""
        self.clock = clock
        self.branching = Branching()
        self.own_run: OwnRun | None = None
        """The user's own run, while a lesson shows its scenes."""
        self.changed = Signal()
        """Of the `State` that is shown now."""
        self.saved = Signal()
        """The document has another file, or is as its file has it."""
        self.message_emitted = Signal()
        """Of a sentence for the status row, and the topic of the help that explains it; parts that edit tell theirs here too."""
        self._compute = compute
        self._all_steps: tuple[UndoStep, ...] = ()
        self._done_count = 0
        self._has_reported_step_limit = False
        self._previous_redo: tuple[UndoStep, ...] = ()
        """What could be done again when the last step was taken, for a hand may lead back there."""

    @property
    def file(self) -> DocumentFile:
        """Where the document is saved."""
        assert self.state.file is not None
        return self.state.file

    @property
    def is_modified(self) -> bool:
        """True if the document differs from what was saved, or from how it began."""
        return self.file.is_modified(self.state)

    @property
    def own_state(self) -> State:
        """The state of the user's own run: the one that is shown, but for a lesson's scenes."""
        return self.state if self.own_run is None else self.own_run.state

    @property
    def unsaved_path(self) -> Path | None:
        """The file of the user's own run if it has not the last changes; None if it has, or if there is no file."""
        state = self.own_state
        return state.file.path if state.file is not None and state.file.is_modified(state) else None

    def mark_saved(self, path: Path | None = None, state: State | None = None) -> None:
        """Note that a state, by default the one that is shown, is saved in this file; without one, that the document begins
        with it."""
        state = state or self.state
        assert state.file is not None
        state.file.mark_saved(state, path)
        self.saved.emit()

    def mark_unsaved(self) -> None:
        """Note that the state is saved in no file, as work that is recovered."""
        self.file.mark_unsaved()
        self.saved.emit()

    @property
    def steps(self) -> tuple[UndoStep, ...]:
        """What led to the state that is shown: every step taken and not undone."""
        return self._all_steps[: self._done_count]

    @property
    def redo_steps(self) -> tuple[UndoStep, ...]:
        """What can be done again, the next one first."""
        return self._all_steps[self._done_count :]

    @property
    def edit_markers(self) -> tuple[EditMarker, ...]:
        """Those that led from what was opened last to what is shown, and are not undone. Events have flags."""
        words: dict[float, tuple[str, ...]] = {}
        preset = self.state.preset
        for step in reversed(self.steps):
            if step.after.preset != preset:
                continue  # it led elsewhere: what is shown for a while, by no step, has come from none of them
            if step.replaces_document:
                break
            if step.changes_motion:
                words[step.time] = (step.text, *words.get(step.time, ()))
            preset = step.before.preset
        return tuple(EditMarker(time, words[time]) for time in sorted(words))

    @property
    def state_at_edit_time(self) -> State:
        """The state as an edit finds it now: at the start of the run, or at the cursor."""
        if not self.branching.is_enabled:
            return self.state  # at once: the clock waits for the thread that computes
        return self.branching.state_at(self.state, self.clock())

    def propose(self, text: str, edit: EditFunction, coalesce: bool = False) -> InputError | None:
        """Take what `edit` makes of the state, as one step called `text`; the refusal where that cannot be. One that `coalesces`
        takes the place of the step before it, if that is called so too, and begins where that began; nothing is left of both where
        it leads back there."""
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
                    "A lane keeps its formulation and its integrator on its way: “{beside}” runs beside "
                    "it, from t = 0",
                    beside=added_lane,
                ),
                "",
            )
        return None

    def open(
        self,
        text: str,
        edit: EditFunction,
        cursor: Snapshot | None = None,
        show: Callable[[ViewState], ViewState] | None = None,
        is_new_file: bool = True,
    ) -> InputError | None:
        """Replace the state altogether, as one undo step; otherwise as `propose`.

        Parameters
        ----------
        text
            Name of the step.
        edit
            Returns the new state.
        cursor
            Where the cursor is to be, and how it moves.
        show
            Returns how the new run is to be shown, from how the run before is shown; as that one if None. It is asked again
            once the new run is there.
        is_new_file
            False if the new state is to be saved where the one before is.
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
        """Show the run that was opened as `view_state` has it, times and cameras too, now that the run is there.

        What is opened in a window, what a window begins with and what is filmed are shown by this alone. `path` is the file in
        which the document is saved, None if it is in none.
        """
        self.view.assign(view_state)
        self.mark_saved(path)

    def preview(self, state: State) -> None:
        """Take a state for a while, as no step; a refusal is said. It is saved nowhere, unless it says where."""
        if state.file is None:
            file = DocumentFile()
            file.mark_saved(state)
            state = replace(state, file=file)
        run = self._simulate_or_report(state)
        if run is not None:
            self._set_state(state, run, is_new_step=False)

    def _record_view_change(self, change: ViewChange) -> None:
        """Make a step of a choice about how the run is shown. Other changes are noted in the state, and redo steps stay."""
        if not change.text and has_same_undoable_part(change.old, change.new):
            return  # as of cameras and times, which change all the time
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
        """Go a step back, or several at once, as far as there are any; past what is refused."""
        steps = min(steps, self._done_count)
        if steps > 0:
            self._go_to(self.steps[-steps].before, self._done_count - steps)

    def redo(self) -> None:
        """Do again what was undone last, if anything was."""
        if self.redo_steps:
            self._go_to(self.redo_steps[0].after, self._done_count + 1)

    def finish_drag(self) -> None:
        """A hand rests: what was only sketched while it moved is computed as the preset says."""
        run = self._simulate_or_report(self.state)
        if run is not None and run is not self.simulation:
            self._set_state(self.state, run, is_new_step=False, coalesces=True)

    def close(self) -> None:
        """Forget all steps, and everybody who hears of them."""
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
        after = (
            after if after.view_state is not None else replace(after, view_state=before.view_state)
        )  # it says nothing of that
        # An equal run from elsewhere is a step, too, where undo has to lead back to a file.
        is_step = after != before or (replaces_document and self.file.path is not None)
        if coalesced_step is not None or is_step:
            run = self._simulate(after, coalesced_step is not None)
            new_steps = (
                [UndoStep(text, before, after, time, added_bytes(after, before), replaces_document)]
                if is_step
                else []
            )
            self._all_steps = (*steps, *new_steps)
            limit_text = self._drop_oldest_steps()
            self._done_count = len(self._all_steps)
            self._all_steps += () if new_steps else self._previous_redo
            self._set_state(
                after, run, is_new_step=bool(new_steps), cursor=cursor, coalesces=coalesced_step is not None
            )
        else:
            self.state = replace(before, file=after.file)
            if cursor is not None:
                self._set_state(self.state, self.simulation, is_new_step=False, cursor=cursor)
        if limit_text:
            self.message_emitted.emit(limit_text, "")

    def _drop_oldest_steps(self) -> str:
        """Keep as many of the newest steps as allowed, and return what there is to say of it.

        That steps are forgotten for their number is said once: from then on each new step forgets another.
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
                "The oldest steps cannot be undone any more: all together took more than {mega} MB",
                mega=MAX_UNDO_BYTES // 2**20,
            )
        if is_first_of_many:
            return tr(
                "The oldest steps cannot be undone any more: {count} are kept. Save the session to keep a state.",
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
        """The run of a state that was shown before; None, and a sentence, where it is refused by now."""
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
            )  # of those that a hand leads past, most have only just begun
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
    """Bytes of what `state` holds and `reference` does not: states that follow each other have most in common."""
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

"""The run that is open, as it is computed and edited: one state after another, with the way back."""

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from quatviz.base.errors import InputError
from quatviz.base.translation import told, tr
from quatviz.display.document.branching import Branching
from quatviz.display.document.state import Make, State
from quatviz.display.document.timeline_markers import Edit
from quatviz.display.view_state.signal import Told
from quatviz.display.view_state.view_state import Look
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Pace, Simulation, sketched

log = logging.getLogger(__name__)

BYTES = 64 * 2**20
"""What all steps that can be undone may take: a body, its mesh or its many events may be large. Beyond it the oldest are
forgotten."""
STEPS = 200
"""How many steps can be undone, if they fit into `BYTES`."""


@dataclass(frozen=True)
class Step:
    """From one state to another, called `text`, with the cursor at `time` [s]."""

    text: str
    before: State
    after: State
    time: float
    weight: int
    """Bytes that it adds to what the steps keep."""
    opens: bool = False
    """Whether it takes another state altogether, to which no edit before it has led."""

    def goes_on_with(self, other: "Step | None") -> bool:
        """Whether it has taken the place of that one, while a hand is at it."""
        return (
            other is not None
            and other is not self
            and other.before is self.before
            and other.text == self.text
        )

    @cached_property
    def computes(self) -> bool:
        """Whether more of the preset is another than what happens on the way, what lanes are called, or how fast it plays."""
        before, after = (
            replace(
                state.preset, events=(), lanes=tuple(replace(lane, name=None) for lane in state.preset.lanes)
            )
            for state in (self.before, self.after)
        )
        return not before.same_run(after)


@dataclass(frozen=True)
class Change:
    """What whoever computes the document is told: the states and runs before and after. Where the same is computed, the run
    is the same object."""

    before: State
    after: State
    old: Simulation
    run: Simulation
    step: bool
    """Whether it is a new step, neither undone nor redone."""
    goes_on: bool
    """Whether it takes the place of the step before it, while a hand is at it: the run may be a sketch of what the preset
    says, until the document settles."""
    at: Snapshot | None
    """Where the cursor is to be, and how it moves; None where the change does not say."""

    @property
    def sketched(self) -> bool:
        """Whether the run has other steps than its preset says."""
        run, said = self.run.preset.lanes, self.after.preset.lanes
        return [lane.dt for lane in run] != [lane.dt for lane in said]


class Document:
    """Holds what is computed: the `state` that a person edits, the `simulation` of it, and every step that led here.

    An edit is a function from one state to the next. What it makes, or the run of that, may be refused, or fail: then
    everything is as it was. Otherwise the new state is told to all that hear `changed`, and at last to `compute`: whoever
    shows the document knows of it before its run begins. `clock` is where the cursor is [s]: steps remember it, and while
    `branching` is on, edits begin there.
    """

    def __init__(
        self,
        state: State,
        compute: Callable[[Change], None] = lambda change: None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.state = state
        self.simulation = Simulation(state.preset)
        self._pace: Pace | None = None
        """Of the last run that came to its end, or as far as it was known when it was first asked for."""
        self.clock = clock
        self.branching = Branching()
        self.begins = Told()
        """A step is about to be taken, undone or redone: what somebody knows that is not told yet is told first."""
        self.changed = Told()
        """Of the `State` that is shown now."""
        self.said = Told()
        """Of a sentence for the status row, and the topic of the help that explains it; parts that edit tell theirs here too."""
        self._compute = compute
        self._all: tuple[Step, ...] = ()
        self._done = 0
        self._led_on: tuple[Step, ...] = ()
        """What could be done again when the last step was taken, for a hand may lead back there."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """What led to the state that is shown: every step taken and not undone."""
        return self._all[: self._done]

    @property
    def undone(self) -> tuple[Step, ...]:
        """What can be done again, the next one first."""
        return self._all[self._done :]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Those that led from what was opened last to what is shown, and are not undone. Events have flags."""
        words: dict[float, tuple[str, ...]] = {}
        shown = self.state.preset
        for step in reversed(self.steps):
            if step.after.preset != shown:
                continue  # it led elsewhere: what is shown for a while, by no step, has come from none of them
            if step.opens:
                break
            if step.computes:
                words[step.time] = (step.text, *words.get(step.time, ()))
            shown = step.before.preset
        return tuple(Edit(time, words[time]) for time in sorted(words))

    @property
    def seen(self) -> State:
        """The state as an edit finds it now: at the start of the run, or at the cursor."""
        return self.branching.seen(self.state, self.clock())

    def propose(self, text: str, make: Make, goes_on: bool = False) -> InputError | None:
        """Take what `make` makes of the state, as one step called `text`; the refusal where that cannot be. One that `goes_on`
        takes the place of the step before it, if that is called so too, and begins where that began; nothing is left of both where
        it leads back there."""
        if not (goes_on and self.steps and self.steps[-1].text == text):
            self.begins.emit()  # a hand that holds a number has chosen nothing else meanwhile
        held = self.steps[-1] if goes_on and self.steps and not self.undone else None
        if held is not None and (held.text != text or held.after.preset is not self.state.preset):
            held = None
        before, time = (held.before, held.time) if held is not None else (self.state, self.clock())
        try:
            after, beside = self.branching.applied(make, before, time)
            self._step(text, after, held=held)
        except InputError as refusal:
            return refusal
        if beside:
            self.said.emit(
                tr(
                    "A lane keeps its formulation and its integrator on its way: “{beside}” runs beside "
                    "it, from t = 0",
                    beside=beside,
                ),
                "",
            )
        return None

    def open(self, text: str, make: Make, at: Snapshot | None = None) -> InputError | None:
        """Take another state altogether, with the cursor where `at` says; otherwise as `propose`."""
        self.begins.emit()
        try:
            self._step(text, make(self.state), at, opens=True)
        except InputError as refusal:
            return refusal
        return None

    def show(self, state: State) -> None:
        """Take a state for a while, as no step; a refusal is said."""
        run = self._run_of(state)
        if run is not None:
            self._take(state, run, step=False)

    def shown_as(self, look: Look, text: str, goes_on: bool) -> None:
        """The window shows the run in another way: a step called `text`, or none where nothing was known of it before. One that
        `goes_on` is one with the step before it, if that is called so too."""
        before, steps = self.state, self.steps
        self.know(look)
        if before.look is None or look == before.look:
            return
        if goes_on and steps and not self.undone and (steps[-1].text, steps[-1].after) == (text, before):
            before, steps = steps[-1].before, steps[:-1]
        self._all = (*steps, Step(text, before, self.state, self.clock(), weight(self.state, before)))
        self._forget_oldest()
        self._done = len(self._all)
        self.changed.emit(self.state)

    def know(self, look: Look) -> None:
        """The run is shown in this way; no step."""
        self.state = replace(self.state, look=look)

    def undo(self, steps: int = 1) -> None:
        """Go a step back, or several at once, as far as there are any; past what is refused."""
        self.begins.emit()
        steps = min(steps, self._done)
        if steps > 0:
            self._go(self.steps[-steps].before, self._done - steps)

    def redo(self) -> None:
        """Do again what was undone last, if anything was."""
        self.begins.emit()
        if self.undone:
            self._go(self.undone[0].after, self._done + 1)

    def settle(self) -> None:
        """A hand rests: what was only sketched while it moved is computed as the preset says."""
        self.begins.emit()
        run = self._run_of(self.state)
        if run is not None and run is not self.simulation:
            self._take(self.state, run, step=False, goes_on=True)

    def close(self) -> None:
        """Forget all steps, and everybody who hears of them."""
        self._all, self._done, self._led_on = (), 0, ()
        for one in (self.begins, self.changed, self.said, self.branching.changed):
            one.clear()

    def _step(
        self,
        text: str,
        after: State,
        at: Snapshot | None = None,
        held: Step | None = None,
        opens: bool = False,
    ) -> None:
        before, time, steps, forgot = self.state, self.clock(), self.steps, False
        if held is not None:
            before, time, steps = held.before, held.time, steps[:-1]
        else:
            self._led_on = self.undone
        after = (
            after if after.look is not None else replace(after, look=before.look)
        )  # it says nothing of that
        if held is not None or after != before:
            run = self._simulate(after, held is not None)
            new = [Step(text, before, after, time, weight(after, before), opens)] if after != before else []
            self._all = (*steps, *new)
            forgot = self._forget_oldest()
            self._done = len(self._all)
            self._all += () if new else self._led_on
            self._take(after, run, step=bool(new), at=at, goes_on=held is not None)
        elif at is not None:
            self._take(before, self.simulation, step=False, at=at)
        if forgot:
            mega = BYTES // 2**20
            self.said.emit(
                tr(
                    "The oldest steps cannot be undone any more: all together took more than {mega} MB",
                    mega=mega,
                ),
                "",
            )

    def _forget_oldest(self) -> bool:
        """Keep as many of the newest steps as there may be; true where memory was too small for more."""
        self._all = self._all[-STEPS:]
        total, first = sum(step.weight for step in self._all), 0
        while total > BYTES and first < len(self._all) - 1:
            total -= self._all[first].weight
            first += 1
        self._all = self._all[first:]
        return first > 0

    def _go(self, state: State, done: int) -> None:
        run = self._run_of(state)
        self._done = done
        if run is None:
            self.changed.emit(self.state)
        else:
            self._take(state, run, step=False)

    def _run_of(self, state: State) -> Simulation | None:
        """The run of a state that was shown before; None, and a sentence, where it is refused by now."""
        try:
            return self._simulate(state)
        except InputError as refusal:
            log.warning("a step could not be taken: %s", refusal)
            self.said.emit(f"{told(refusal.place)}: {told(refusal.found)}", refusal.topic)
            return None

    def _simulate(self, state: State, in_hand: bool = False) -> Simulation:
        if state.preset.same_run(self.simulation.preset):
            return self.simulation
        run, pace = self.simulation, self._pace
        if pace is None or not pace.tells_of(run.preset) or not any(map(run.missing, run)):
            self._pace = pace = Pace.of(run)  # of those that a hand leads past, most have only just begun
        return Simulation(sketched(state.preset, pace) if in_hand else state.preset)

    def _take(
        self, state: State, run: Simulation, step: bool, at: Snapshot | None = None, goes_on: bool = False
    ) -> None:
        change = Change(self.state, state, self.simulation, run, step, goes_on, at)
        self.state, self.simulation = state, run
        run.play_at(state.preset.speed)
        try:
            self.changed.emit(state)
        finally:
            self._compute(change)


def weight(state: object, besides: object) -> int:
    """Bytes of what `state` holds and `besides` does not: states that follow each other have most in common."""
    known: set[int] = set()
    _measure(besides, known)
    return _measure(state, known)


def _measure(value: object, known: set[int]) -> int:
    if id(value) in known or isinstance(value, type) or callable(value):
        return 0
    known.add(id(value))
    if isinstance(value, np.ndarray):
        return sys.getsizeof(value) + (value.nbytes if value.base is not None else 0)
    return sys.getsizeof(value, 0) + sum(_measure(part, known) for part in _parts(value))


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return chain(value.keys(), value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return value
    return getattr(value, "__dict__", {}).values()

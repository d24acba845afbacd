"""A run in progress: the computation, and the playback cursor that follows it. This module reads no clock and never
sleeps."""

import math
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import Protocol

from quatviz.files.preset import time_of_sample
from quatviz.simulation import commands
from quatviz.simulation.commands import RunnerCommand
from quatviz.simulation.diagnostics import advance_checks
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation


class Preparation(Protocol):
    """Interface that makes the kernels of lanes available without blocking."""

    def is_ready(self, lane: LaneRun) -> bool:
        """Return True if the lane can be advanced without compilation in this process."""

    def close(self) -> None:
        """Stop running compilations."""


@dataclass(frozen=True)
class Snapshot:
    """State of a run. It is replaced as a whole, so that readers never see a partial change."""

    time: float = 0.0
    duration: float = 0.0
    playing: bool = True
    speed: float = 1.0
    loop: bool = False
    preparing: tuple[str, ...] = ()
    """Names of lanes that are behind the others, because their kernels are still being compiled or because they are
    still catching up. The other lanes do not wait for them."""
    selected: tuple[float, float] | None = None
    """Selected range [s] to which looped playing is restricted."""
    goal: float | None = None
    """Target time [s] of the cursor while the target is not computed yet, or None."""

    @property
    def target_time(self) -> float:
        """Time [s] that the user requested: the goal of the cursor if there is one, otherwise its current time."""
        return self.time if self.goal is None else self.goal

    def restore_commands(self) -> tuple[RunnerCommand, ...]:
        """Return the commands that give a continued run the time, speed, loop, selected range and play state
        of this snapshot."""
        position_commands = (
            commands.Pause(),
            commands.SetSpeed(self.speed),
            commands.SetLoop(self.loop),
            commands.ClearRange() if self.selected is None else commands.SetRange(*self.selected),
            commands.Seek(self.target_time),
        )
        return (*position_commands, commands.Play()) if self.playing else position_commands


class Runner:
    """Runner of a simulation and its cursor. `tick(elapsed)` advances both; it consists of `obey`, `compute` and
    `move`, which can also be called separately.

    Commands can be submitted from any thread and take effect in order at the next tick. `record` stores each command
    with the time of the cursor. The cursor never leaves the computed part. A lane whose kernels are still being
    compiled does not delay the others: it joins them when it has caught up with the cursor.
    """

    def __init__(self, simulation: Simulation, preparation: Preparation, playing: bool = True) -> None:
        self.simulation = simulation
        self._published_count = 0
        """Number of submitted commands whose effect is visible in the current snapshot."""
        self.record: list[tuple[float, RunnerCommand]] = []
        self.snapshot = Snapshot(duration=simulation.duration, playing=playing, speed=simulation.preset.speed)
        self._preparation = preparation
        self._commands: deque[RunnerCommand] = deque()
        self._lock = threading.RLock()
        """Lock that is held while commands are applied and the cursor moves, but not during a computation."""
        self._ready: set[str] = set()
        self._late: set[str] = set()
        """Lanes that were not ready at first and have not caught up yet."""
        self._time = 0.0
        self._playing = playing
        self._is_on_hold = False
        """True if a playing cursor waits, after the command `Hold`."""
        self._speed = simulation.preset.speed
        self._loop = False
        self._selected: tuple[float, float] | None = None
        self._goal: float | None = None
        """Target time [s] of the cursor while the target is not computed yet, or None."""
        self._is_complete = False
        """True if nothing remained to be computed in the last call of `compute`."""

    def resume(self, previous: Snapshot) -> None:
        """Continue from the cursor, speed, loop, selected range and play state of another run. Call before any tick."""
        self._goal = min(previous.target_time, self.simulation.duration)
        self._playing, self._speed, self._loop = previous.playing, previous.speed, previous.loop
        self._selected = self._within_run(previous.selected)
        self.snapshot = replace(
            previous,
            time=0.0,
            duration=self.simulation.duration,
            preparing=(),
            selected=self._selected,
            goal=self._goal,
        )

    def take_over(self, previous: "Runner") -> None:
        """Continue from the state and the pending commands of another runner, which may not have completed its last tick."""
        with previous._lock:
            previous.move(0.0)  # publishes the effect of the commands of this tick
            self.resume(previous.snapshot)
            self._commands.extend(previous._commands)

    def submit(self, command: RunnerCommand) -> None:
        """Submit a command. Can be called from any thread."""
        self._commands.append(command)

    def tick(self, elapsed: float) -> bool:
        """Apply commands, compute a block of the lane furthest behind, and advance playback by `elapsed` [s] of
        real time.

        Returns
        -------
        bool
            True if more can be computed right now.
        """
        self.obey()
        is_computing = self.compute()
        self.move(elapsed)
        return is_computing

    def obey(self, beside_block: bool = False) -> None:
        """Apply the submitted commands in order. `beside_block` is True if a block of the run is computed in parallel;
        the first command that changes the run, and all commands after it, then stay pending."""
        with self._lock:
            while self._commands and not (beside_block and isinstance(self._commands[0], commands.Extend)):
                self._execute(self._commands[0])
                self._commands.popleft()

    def compute(self, blocks: int = 1) -> bool:
        """Compute the lane that is furthest behind, for about the time of `blocks` blocks of steps. Return
        True if more can be computed right now.

        This method may run in parallel with `move`, and with `obey` for commands that do not change the run.
        """
        missing = {lane: self.simulation.missing(lane) for lane in self.simulation}
        for lane, samples in missing.items():
            if samples == 0:
                lane.finish()
        ready = [lane for lane, samples in missing.items() if samples > 0 and self._is_ready(lane)]
        was_complete, self._is_complete = self._is_complete, not ready
        if not ready:
            # The call in which the last lane ends counts as idle, since the display does not wait for verdicts.
            return was_complete and advance_checks(self.simulation)
        slowest = min(ready, key=lambda lane: lane.samples)
        slowest.advance_briefly(missing[slowest], blocks)
        if self.simulation.missing(slowest) == 0:
            slowest.finish()  # at once, since the next call may be a rest later
        return True

    def move(self, elapsed: float) -> None:
        """Advance playback by `elapsed` [s] of real time, and publish a snapshot."""
        with self._lock:
            self._admit_late_lanes()
            self._move_cursor(elapsed)
            self._publish()

    def settle(self) -> None:
        """Apply the submitted commands up to the first one that changes the run, and publish a snapshot. This method
        can be called from any thread, also while another thread computes."""
        with self._lock:
            self.obey(beside_block=True)
            self.move(0.0)

    @property
    def is_settled(self) -> bool:
        """True if all submitted commands have taken effect in the snapshot. Can be read from any thread."""
        return not self._commands and self._published_count == len(self.record)

    def close(self) -> None:
        """Stop the preparation."""
        self._preparation.close()

    @property
    def computed_to(self) -> float:
        """Time [s] up to which all lanes are computed. Lanes that ended early or are still late are ignored. If all
        lanes have ended, the end of the longest one."""
        lanes = [lane for lane in self.simulation if lane.name not in self._late] or list(self.simulation)
        alive = [lane.computed_to for lane in lanes if lane.alive]
        return min(alive) if alive else max(lane.computed_to for lane in lanes)

    @property
    def playback_reserve(self) -> float:
        """Real time [s] for which playback can continue with the samples computed so far. It is 0 while the run is paused
        and while the cursor or a late lane waits for samples."""
        if not self._playing or self._goal is not None or self._late:
            return 0.0
        if self._speed <= 0.0 or self.computed_to >= self._bounds()[1]:
            return math.inf
        return (self.computed_to - self._time) / self._speed

    def _execute(self, command: RunnerCommand) -> None:
        self.record.append((self._time, command))
        match command:
            case commands.Play(backward):
                self._play(backward)
            case commands.Pause():
                self._pause()
            case commands.Toggle(backward) if self._playing and (self._speed < 0 or not backward):
                self._pause()
            case commands.Toggle(backward):
                self._play(backward)
            case commands.Hold(on):
                self._is_on_hold = on
            case commands.Seek(time):
                self._seek(time)
            case commands.StepSamples(samples):
                self._step_by(self.simulation.interval, samples)
            case commands.StepTimeSteps(steps):
                self._step_by(self.simulation.preset.run.dt, steps)
            case commands.SetSpeed(factor):
                self._speed = factor
            case commands.SetPlaybackRate(factor):
                self._speed = math.copysign(factor, self._speed)
            case commands.SetLoop(on):
                self._loop = on
            case commands.ToggleLoop():
                self._loop = not self._loop
            case commands.SetRange(start, stop):
                self._selected = self._within_run((start, stop))
            case commands.ClearRange():
                self._selected = None
            case commands.Extend(duration):
                self.simulation.extend(duration)
                self._selected = self._within_run(self._selected)
            case _:
                raise TypeError(f"a runner knows no {command!r}")

    def _play(self, backward: bool | None) -> None:
        if backward is not None:
            self._speed = math.copysign(self._speed, -1.0 if backward else 1.0)
        low, high = self._bounds()
        is_seeking = self._goal is not None  # playing continues from the goal
        if not is_seeking and self._speed > 0 and self._time >= high:
            self._time = low
        elif not is_seeking and self._speed < 0 and self._time <= low:
            self._time = min(high, self.computed_to)
        self._playing = True

    def _pause(self) -> None:
        self._playing = False

    def _seek(self, time: float) -> None:
        goal = min(max(time, 0.0), self._end_time())
        self._time = min(goal, self.computed_to)
        self._goal = goal if goal > self._time else None

    def _step_by(self, interval: float, count: int) -> None:
        """Round the cursor to a multiple of `interval` [s], move it by `count` intervals, and pause."""
        self._playing, self._goal = False, None
        number = round(self._time / interval) + count
        self._time = min(max(time_of_sample(number, interval), 0.0), self.computed_to)

    def _within_run(self, selected: tuple[float, float] | None) -> tuple[float, float] | None:
        """Return the part of the range `selected` [s] that is within the run, or None."""
        if selected is None:
            return None
        low, high = (min(max(end, 0.0), self.simulation.duration) for end in sorted(selected))
        return (low, high) if low < high else None

    def _is_ready(self, lane: LaneRun) -> bool:
        if lane.name not in self._ready:
            (self._ready if self._preparation.is_ready(lane) else self._late).add(lane.name)
        return lane.name in self._ready

    def _admit_late_lanes(self) -> None:
        """Remove lanes that have reached the cursor or ended from the late lanes, so that the cursor waits for them
        again."""
        for lane in [self.simulation[name] for name in self._late & self._ready]:
            if not lane.alive or lane.computed_to >= min(self._time, self.simulation.duration):
                self._late.remove(lane.name)

    def _end_time(self) -> float:
        """Return the time at which playing stops [s]: the duration, or the end of the last lane if all have ended."""
        return self.simulation.duration if any(lane.alive for lane in self.simulation) else self.computed_to

    def _bounds(self) -> tuple[float, float]:
        """Return the first and last time [s] that playing may reach: the ends of the selected range if
        playing loops within one, otherwise those of the run."""
        end = self._end_time()
        if self._loop and self._selected is not None and self._selected[0] < end:
            return self._selected[0], min(self._selected[1], end)
        return 0.0, end

    def _move_cursor(self, elapsed: float) -> None:
        if self._goal is not None:
            self._time = min(self._goal, self.computed_to)
            self._goal = self._goal if self.computed_to < min(self._goal, self._end_time()) else None
            return
        if self._playing and not self._is_on_hold:
            self._time = min(max(self._next_time(elapsed), 0.0), self.computed_to)

    def _next_time(self, elapsed: float) -> float:
        """Return the time [s] of the cursor after `elapsed` [s] of playback. At an end of the range, loop or stop."""
        low, high = self._bounds()
        if high <= low:
            return self._stop_at(low)
        if not low <= self._time <= high:
            return low if self._speed > 0 else high  # the cursor was outside the looped range
        time = self._time + elapsed * self._speed
        if self._speed > 0 and time >= high and self.computed_to >= high:
            return low + (time - low) % (high - low) if self._loop else self._stop_at(high)
        if self._speed < 0 and time <= low:
            return high - (high - time) % (high - low) if self._loop else self._stop_at(low)
        return time

    def _stop_at(self, time: float) -> float:
        self._playing = False
        return time

    def _publish(self) -> None:
        preparing = tuple(
            lane.name
            for lane in self.simulation
            if lane.name in self._late or (lane.name not in self._ready and self.simulation.missing(lane) > 0)
        )
        self.snapshot = Snapshot(
            self._time,
            self.simulation.duration,
            self._playing,
            self._speed,
            self._loop,
            preparing,
            self._selected,
            self._goal,
        )
        self._published_count = len(self.record)

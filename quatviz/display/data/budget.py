"""What one frame may draw: the one place that decides what is drawn now, what waits, and how finely, by the time there is."""

import math
from collections import deque
from collections.abc import Hashable
from statistics import median

MAX_ROW_UPDATES = 4.0
"""Plots that take in new rows in one frame while a run plays: no frame waits for all of them."""
MAX_REDRAWN_CURVES = 4.0
"""Curves that one frame draws anew while a run plays: all of them would hold up the 3D view for three frames."""
MAX_GROWTH_REDRAWS = 1.0
"""Curves that a frame draws anew, in the mean, for no more than that the run has been computed further."""
MAX_REDRAWN_CURVES_AT_REST = 24.0
"""The same at rest, where a run may still grow."""
MAX_REDRAWN_CURVES_AFTER_JUMP = 160.0
"""The same where the axis has leapt: coarse curves, and those that have to wait show their ground."""
RUN_START_LIMITS = (2.0, 12.0)
"""Plots that are given the run of a number that a hand drags in one frame, at least and at most: as many as leave
`MIN_DRAG_FRAME_RATE` frames a second, for the curves would hold up the 3D view."""
MIN_DRAG_FRAME_RATE = 30.0
"""Frames a second by which what is dragged follows the hand."""
READOUT_INTERVAL_LIMITS = (0.03, 0.25)
"""Seconds for which what is read of a run that plays stands there, at least and at most,"""
ANNOUNCEMENT_INTERVAL = 2.0
"""from one time to the next that a screen reader is told of while a run plays: each is several events for it,"""
MAX_READOUT_RATE = 240.0
"""and plots a second that it moves in: cursors, dots and digits of all of them in one frame, for a dot that ran ahead of its
number would belie it."""
COARSE_DURATION = 0.2
"""Seconds after a leap of the axis for which curves are drawn coarsely, since the next leap may follow."""


class DrawQuota:
    """One kind of drawing in one frame, for all who ask for it. Who is refused asks again with every frame, and is served in
    the order in which they were first refused: nobody waits for ever."""

    def __init__(self) -> None:
        self._now = 0.0
        self._remaining = math.inf
        self._granted_at: dict[Hashable, float] = {}
        """When each was served last [s]."""
        self._refused_costs: dict[Hashable, float] = {}
        """What each wants that was refused."""
        self._requesters: set[Hashable] = set()

    def begin_frame(self, now: float, amount: float, carry_debt: bool = False) -> None:
        """A frame begins with `amount` to be shared, at the time `now` [s], less what earlier ones have taken beyond theirs where
        it is `carry_debt` that. Who has not come again wants it no more."""
        self._now, self._remaining = now, amount + (min(self._remaining, 0.0) if carry_debt else 0.0)
        self._refused_costs = {
            who: cost for who, cost in self._refused_costs.items() if who in self._requesters
        }
        self._requesters.clear()

    def request(
        self, requester: Hashable, cost: float = 1.0, min_interval: float = 0.0, urgent: bool = False
    ) -> bool:
        """Whether `requester` may draw now what takes `cost` of the room: at most once in `min_interval` seconds, unless that
        is `urgent`. As long as anything is left, that is enough: what takes more than all of the room has its turn too."""
        if not urgent:
            if self._now - self._granted_at.get(requester, -math.inf) < min_interval:
                return False
            self._requesters.add(requester)
            if self._remaining <= self._cost_ahead_of(requester):
                self._refused_costs.setdefault(requester, cost)
                return False
        self._refused_costs.pop(requester, None)
        self._granted_at[requester] = self._now
        self._remaining -= cost
        return True

    def _cost_ahead_of(self, requester: Hashable) -> float:
        """What those want who have waited longer."""
        total = 0.0
        for other, cost in self._refused_costs.items():
            if other == requester:
                break
            total += cost
        return total


class FrameBudget:
    """Of one window, handed on with every frame: what moves and what is a picture have a share each, so that no picture holds
    up a cursor. One that nothing has begun refuses nobody."""

    def __init__(self) -> None:
        self.playing = False
        """Whether time matters: while a run plays."""
        self.now = 0.0
        """When the frame began, by the one reading of the clock that all of the window shares [s]."""
        self.row_updates = DrawQuota()
        """Panels that take in new rows, counted in plots."""
        self.redraws = DrawQuota()
        """Whatever is drawn once and kept, counted in curves."""
        self.growth_redraws = DrawQuota()
        """The same where a picture shows all but what has been computed since."""
        self.run_starts = DrawQuota()
        """Panels that take another run while a hand drags a number, counted in plots."""
        self.readout_plot_count = 0.0
        """In how many plots what is read moves."""
        self.updates_readouts = True
        """Whether this frame is read: by cursors, dots and digits of all of the window at once, so that they are of one time."""
        self.announces = True
        """Whether screen readers are told what is read in it."""
        self._jumped_at = self._read_at = self._announced_at = -math.inf
        self._run_start_limit = sum(RUN_START_LIMITS) / 2.0

    def begin_frame(self, now: float, playing: bool, cursor_jumped: bool = False) -> None:
        """A frame begins at the time `now` of the clock [s]; the cursor has `cursor_jumped` where a person has put it elsewhere."""
        was_late, last_frame_drew = (
            now - self.now > 1.0 / MIN_DRAG_FRAME_RATE,
            not (self.playing and self.updates_readouts),
        )
        self._run_start_limit = min(
            max(self._run_start_limit + (-1.0 if was_late else 1.0), RUN_START_LIMITS[0]), RUN_START_LIMITS[1]
        )
        self.now, self.playing = now, playing
        least, most = READOUT_INTERVAL_LIMITS
        readout_interval = (
            least if cursor_jumped else min(max(self.readout_plot_count / MAX_READOUT_RATE, least), most)
        )
        # After a frame that is read comes one that draws: slow frames would bring nothing but cursors and digits.
        self.updates_readouts = not playing or (last_frame_drew and now - self._read_at >= readout_interval)
        self._read_at = now if self.updates_readouts else self._read_at
        self.announces = not playing or (
            self.updates_readouts and (cursor_jumped or now - self._announced_at >= ANNOUNCEMENT_INTERVAL)
        )
        self._announced_at = now if self.announces else self._announced_at
        self.row_updates.begin_frame(now, MAX_ROW_UPDATES if playing else math.inf)
        self.run_starts.begin_frame(now, self._run_start_limit, carry_debt=True)
        self.redraws.begin_frame(
            now,
            MAX_REDRAWN_CURVES_AFTER_JUMP
            if self.is_coarse
            else MAX_REDRAWN_CURVES
            if playing
            else MAX_REDRAWN_CURVES_AT_REST,
        )
        self.growth_redraws.begin_frame(
            now, MAX_GROWTH_REDRAWS if playing else MAX_REDRAWN_CURVES_AT_REST, carry_debt=playing
        )

    def note_axis_jump(self) -> None:
        """A person has moved the axis: all curves are to be drawn anew, and maybe soon again."""
        self._jumped_at = self.now
        self.redraws.begin_frame(self.now, MAX_REDRAWN_CURVES_AFTER_JUMP)

    @property
    def is_coarse(self) -> bool:
        """Whether curves may be drawn coarsely."""
        return self.now - self._jumped_at < COARSE_DURATION


RESOLUTION_LEVELS = (1.0, 0.8, 0.65)
"""Pixels of a picture per pixel of the screen, each way."""

MEDIAN_FRAMES = 12
"""How many frames tell how fast frames are."""

SLOW_FRAME_INTERVAL, FAST_FRAME_INTERVAL = 0.036, 0.022
"""Seconds between frames beyond which they are drawn more coarsely, and below which they may be finer."""

MIN_FAST_FRAMES = 90
"""Fast frames before the next finer level is tried; twice as many after each time that it was too slow."""


class AdaptiveResolution:
    """While a run plays under software OpenGL, a picture that moves smoothly shows more than one with sharp edges.
    A person sees nothing of it on a machine that is fast enough, nor at rest."""

    def __init__(self) -> None:
        self._level = 0
        self._patience = MIN_FAST_FRAMES
        self._fast_frames = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=MEDIAN_FRAMES)

    @property
    def resolution(self) -> float:
        """One of `RESOLUTION_LEVELS`."""
        return RESOLUTION_LEVELS[self._level]

    def pause(self) -> None:
        """The run does not play: what comes next is not late."""
        self._last = None
        self._intervals.clear()

    def begin_frame(self, now: float) -> float:
        """A frame begins at the time `now` of the clock [s]; how finely it is drawn."""
        if self._last is not None:
            self._intervals.append(now - self._last)
        self._last = now
        if len(self._intervals) == MEDIAN_FRAMES:
            self._adapt(median(self._intervals))
        return self.resolution

    def _adapt(self, interval: float) -> None:
        self._fast_frames = self._fast_frames + 1 if interval < FAST_FRAME_INTERVAL else 0
        if interval > SLOW_FRAME_INTERVAL and self._level + 1 < len(RESOLUTION_LEVELS):
            self._level += 1
            self._patience *= 2
            self._intervals.clear()
        elif self._fast_frames > self._patience and self._level > 0:
            self._level -= 1
            self._fast_frames = 0
            self._intervals.clear()

"""The drawing budget of a frame. It decides what the frame draws, what waits for a later frame, and the resolution of
the 3D views."""

import math
from collections import deque
from collections.abc import Hashable
from statistics import median

MAX_ROW_UPDATES = 4.0
"""Largest number of plots that read newly computed rows of the run in one frame during playback."""
MAX_REDRAWN_CURVES = 4.0
"""Largest number of curves that one frame redraws during playback. Redrawing all curves in one frame would delay the 3D
view by three frames."""
MAX_GROWTH_REDRAWS = 1.0
"""Average number of curves that a frame redraws only because the run has been computed further."""
MAX_REDRAWN_CURVES_AT_REST = 24.0
"""Largest number of curves that one frame redraws while playback is paused, even if the run is still being
computed."""
MAX_REDRAWN_CURVES_AFTER_JUMP = 160.0
"""Largest number of curves redrawn after a jump of the time axis. They are drawn coarsely; curves beyond this
number follow in later frames."""
RUN_START_LIMITS = (2.0, 12.0)
"""Smallest and largest number of plots that get the new run in one frame while the user drags a value.

Drawing curves delays the 3D view. The limit for each frame lies between these values and is adapted to keep the frame
rate above `MIN_DRAG_FRAME_RATE`.
"""
MAX_LANES_AT_ONCE = 50
"""Largest number of lanes with which all panels take a new run at once. Starting 50 lanes takes about 0.15 s.
The lanes of a larger run are started in several turns of the event loop, so that the window responds
meanwhile."""
MIN_DRAG_FRAME_RATE = 30.0
"""Lowest frame rate [1/s] at which a dragged object still follows the pointer smoothly."""
READOUT_INTERVAL_LIMITS = (0.03, 0.25)
"""Shortest and longest time between updates of cursors and numbers during playback [s]."""
ANNOUNCEMENT_INTERVAL = 2.0
"""Shortest time between notifications of screen readers during playback [s], because each notification
causes several events."""
MAX_READOUT_RATE = 240.0
"""Largest number of cursor updates per second, summed over all plots. Cursors, dots and numbers are always
updated together."""
COARSE_DURATION = 0.2
"""Time after a jump of the time axis during which curves are drawn coarsely [s], because another jump may follow."""


class DrawQuota:
    """Quota of one frame for one category of drawing.

    A requester that was refused asks again in the next frame. Refused requesters are served in the order of their first
    refusal, so that none waits forever.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._remaining = math.inf
        self._granted_at: dict[Hashable, float] = {}
        """Time of the last granted request of each requester [s]."""
        self._refused_costs: dict[Hashable, float] = {}
        """Costs of refused requests by requester, oldest first."""
        self._requesters: set[Hashable] = set()

    def begin_frame(self, now: float, amount: float, carry_debt: bool = False) -> None:
        """Begin a frame.

        Parameters
        ----------
        now
            Time [s].
        amount
            Quota of this frame.
        carry_debt
            True to subtract the amount that earlier frames used beyond their quotas.
        """
        self._now, self._remaining = now, amount + (min(self._remaining, 0.0) if carry_debt else 0.0)
        self._refused_costs = {
            who: cost for who, cost in self._refused_costs.items() if who in self._requesters
        }
        self._requesters.clear()

    def request(
        self, requester: Hashable, cost: float = 1.0, min_interval: float = 0.0, urgent: bool = False
    ) -> bool:
        """Return True if `requester` may draw now.

        A request is granted as long as some of the quota remains, even if the request costs more. A request that
        exceeds the whole quota is therefore served too.

        Parameters
        ----------
        requester
            Identifies the part that asks.
        cost
            Amount of the quota that the drawing needs.
        min_interval
            Shortest time between two grants [s].
        urgent
            True to grant the request even if no quota remains.
        """
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
        """Return the total cost of the refused requests made before that of `requester`."""
        total = 0.0
        for other, cost in self._refused_costs.items():
            if other == requester:
                break
            total += cost
        return total


class FrameBudget:
    """The drawing budget of one window, passed with every frame.

    Moving parts (cursors, dots and numbers) and pictures (redrawn curves) have separate quotas, so that redrawn curves
    do not delay a cursor. Before the first `begin_frame`, every request is granted.
    """

    def __init__(self) -> None:
        self.playing = False
        """True during playback, when the time per frame matters."""
        self.now = 0.0
        """Start of the frame [s], the only reading of the clock in a frame."""
        self.row_updates = DrawQuota()
        """Quota for panels that read new rows [plots]."""
        self.redraws = DrawQuota()
        """Quota for redrawing pictures [curves]."""
        self.growth_redraws = DrawQuota()
        """Quota for redrawing pictures that lack only newly computed rows [curves]."""
        self.run_starts = DrawQuota()
        """Quota for panels that take a new run while the user drags a value [plots]."""
        self.readout_plot_count = 0.0
        """Number of plots with a moving cursor."""
        self.updates_readouts = True
        """True if this frame updates cursors, dots and numbers. They are all updated in the same frame, so
        that they show the same time."""
        self.announces = True
        """True if screen readers are notified in this frame."""
        self._jumped_at = self._read_at = self._announced_at = -math.inf
        self._run_start_limit = sum(RUN_START_LIMITS) / 2.0

    def begin_frame(self, now: float, playing: bool, cursor_jumped: bool = False) -> None:
        """Begin a frame at the time `now` [s]. `cursor_jumped` is True if the user has moved the cursor."""
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
        # A frame that updates readouts is followed by one that draws, so that slow machines draw at all.
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
        """Prepare for redrawing all curves, because the user has moved the time axis."""
        self._jumped_at = self.now
        self.redraws.begin_frame(self.now, MAX_REDRAWN_CURVES_AFTER_JUMP)

    @property
    def is_coarse(self) -> bool:
        """True if curves may be drawn coarsely, because the time axis has just jumped."""
        return self.now - self._jumped_at < COARSE_DURATION


RESOLUTION_LEVELS = (1.0, 0.8, 0.65)
"""Resolutions of the picture relative to the screen, in each direction."""

MEDIAN_FRAMES = 12
"""Number of frames whose median interval measures the frame rate."""

SLOW_FRAME_INTERVAL, FAST_FRAME_INTERVAL = 0.036, 0.022
"""Frame intervals [s] that decide about the resolution: above the first one it is lowered, below the second one it may
be raised."""

MIN_FAST_FRAMES = 90
"""Number of consecutive fast frames after which a higher resolution is tried. The number is doubled whenever
the higher resolution turns out to be too slow."""


class AdaptiveResolution:
    """Resolution of the 3D views, adapted to the frame rate. It is lowered during playback if software OpenGL is too slow,
    because smooth motion matters more than fine detail.

    On a fast machine, and when paused, the full resolution is used.
    """

    def __init__(self) -> None:
        self._level = 0
        self._patience = MIN_FAST_FRAMES
        self._fast_frames = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=MEDIAN_FRAMES)

    @property
    def resolution(self) -> float:
        """Current resolution, one of `RESOLUTION_LEVELS`."""
        return RESOLUTION_LEVELS[self._level]

    def pause(self) -> None:
        """Forget the last frame times, because playback has paused."""
        self._last = None
        self._intervals.clear()

    def begin_frame(self, now: float) -> float:
        """Begin a frame at the time `now` [s], and return its resolution, one of `RESOLUTION_LEVELS`."""
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

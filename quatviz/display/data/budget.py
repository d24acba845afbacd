"""What one frame may draw: the one place that decides what is drawn now, what waits, and how finely, by the time there is."""

import math
from collections import deque
from collections.abc import Hashable
from statistics import median

TAKES = 4.0
"""Plots that take in new rows in one frame while a run plays: no frame waits for all of them."""
CURVES = 4.0
"""Curves that one frame draws anew while a run plays: all of them would hold up the 3D view for three frames."""
GROWN = 1.0
"""Curves that a frame draws anew, in the mean, for no more than that the run has been computed further."""
CURVES_AT_REST = 24.0
"""The same at rest, where a run may still grow."""
AT_ONCE = 160.0
"""The same where the axis has leapt: coarse curves, and those that have to wait show their ground."""
STARTS = (2.0, 12.0)
"""Plots that are given the run of a number that a hand drags in one frame, at least and at most: as many as leave `LIVE` frames a
second, for the curves would hold up the 3D view."""
LIVE = 30.0
"""Frames a second by which what is dragged follows the hand."""
READ = (0.03, 0.25)
"""Seconds for which what is read of a run that plays stands there, at least and at most,"""
TOLD = 2.0
"""from one time to the next that a screen reader is told of while a run plays: each is several events for it,"""
PLOTS = 240.0
"""and plots a second that it moves in: cursors, dots and digits of all of them in one frame, for a dot that ran ahead of its
number would belie it."""
LEAPT = 0.2
"""Seconds after a leap of the axis for which curves are drawn coarsely, since the next leap may follow."""


class Share:
    """One kind of drawing in one frame, for all who ask for it. Who is refused asks again with every frame, and is served in
    the order in which they were first refused: nobody waits for ever."""

    def __init__(self) -> None:
        self._now = 0.0
        self._left = math.inf
        self._granted: dict[Hashable, float] = {}
        """When each was served last [s]."""
        self._waiting: dict[Hashable, float] = {}
        """What each wants that was refused."""
        self._asked: set[Hashable] = set()

    def begin(self, now: float, room: float, owing: bool = False) -> None:
        """A frame begins with `room` to be shared, at the time `now` [s], less what earlier ones have taken beyond theirs where
        it is `owing` that. Who has not come again wants it no more."""
        self._now, self._left = now, room + (min(self._left, 0.0) if owing else 0.0)
        self._waiting = {who: cost for who, cost in self._waiting.items() if who in self._asked}
        self._asked.clear()

    def grants(self, who: Hashable, cost: float = 1.0, every: float = 0.0, urgent: bool = False) -> bool:
        """Whether `who` may draw now what takes `cost` of the room: at most once in `every` seconds, unless that is `urgent`.
        As long as anything is left, that is enough: what takes more than all of the room has its turn too."""
        if not urgent:
            if self._now - self._granted.get(who, -math.inf) < every:
                return False
            self._asked.add(who)
            if self._left <= self._ahead_of(who):
                self._waiting.setdefault(who, cost)
                return False
        self._waiting.pop(who, None)
        self._granted[who] = self._now
        self._left -= cost
        return True

    def _ahead_of(self, who: Hashable) -> float:
        """What those want who have waited longer."""
        ahead = 0.0
        for other, cost in self._waiting.items():
            if other == who:
                break
            ahead += cost
        return ahead


class FrameBudget:
    """Of one window, handed on with every frame: what moves and what is a picture have a share each, so that no picture holds
    up a cursor. One that nothing has begun refuses nobody."""

    def __init__(self) -> None:
        self.playing = False
        """Whether time matters: while a run plays."""
        self.now = 0.0
        """When the frame began, by the one reading of the clock that all of the window shares [s]."""
        self.takes = Share()
        """Panels that take in new rows, counted in plots."""
        self.pictures = Share()
        """Whatever is drawn once and kept, counted in curves."""
        self.growth = Share()
        """The same where a picture shows all but what has been computed since."""
        self.starts = Share()
        """Panels that take another run while a hand drags a number, counted in plots."""
        self.plots = 0.0
        """In how many plots what is read moves."""
        self.reads = True
        """Whether this frame is read: by cursors, dots and digits of all of the window at once, so that they are of one time."""
        self.tells = True
        """Whether screen readers are told what is read in it."""
        self._leapt_at = self._read_at = self._told_at = -math.inf
        self._starts = sum(STARTS) / 2.0

    def begin(self, now: float, playing: bool, leapt: bool = False) -> None:
        """A frame begins at the time `now` of the clock [s]; the cursor has `leapt` where a person has put it elsewhere."""
        late, drew = now - self.now > 1.0 / LIVE, not (self.playing and self.reads)
        self._starts = min(max(self._starts + (-1.0 if late else 1.0), STARTS[0]), STARTS[1])
        self.now, self.playing = now, playing
        least, most = READ
        stands = least if leapt else min(max(self.plots / PLOTS, least), most)
        # After a frame that is read comes one that draws: slow frames would bring nothing but cursors and digits.
        self.reads = not playing or (drew and now - self._read_at >= stands)
        self._read_at = now if self.reads else self._read_at
        self.tells = not playing or (self.reads and (leapt or now - self._told_at >= TOLD))
        self._told_at = now if self.tells else self._told_at
        self.takes.begin(now, TAKES if playing else math.inf)
        self.starts.begin(now, self._starts, owing=True)
        self.pictures.begin(now, AT_ONCE if self.coarse else CURVES if playing else CURVES_AT_REST)
        self.growth.begin(now, GROWN if playing else CURVES_AT_REST, owing=playing)

    def leap(self) -> None:
        """A person has moved the axis: all curves are to be drawn anew, and maybe soon again."""
        self._leapt_at = self.now
        self.pictures.begin(self.now, AT_ONCE)

    @property
    def coarse(self) -> bool:
        """Whether curves may be drawn coarsely."""
        return self.now - self._leapt_at < LEAPT


LEVELS = (1.0, 0.8, 0.65)
"""Pixels of a picture per pixel of the screen, each way."""

FRAMES = 12
"""How many frames tell how fast frames are."""

SLOW, FAST = 0.036, 0.022
"""Seconds between frames beyond which they are drawn more coarsely, and below which they may be finer."""

PATIENCE = 90
"""Fast frames before the next finer level is tried; twice as many after each time that it was too slow."""


class Pace:
    """While a run plays under software OpenGL, a picture that moves smoothly shows more than one with sharp edges.
    A person sees nothing of it on a machine that is fast enough, nor at rest."""

    def __init__(self) -> None:
        self._level = 0
        self._patience = PATIENCE
        self._fast = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=FRAMES)

    @property
    def fineness(self) -> float:
        """One of `LEVELS`."""
        return LEVELS[self._level]

    def rest(self) -> None:
        """The run does not play: what comes next is not late."""
        self._last = None
        self._intervals.clear()

    def beat(self, now: float) -> float:
        """A frame begins at the time `now` of the clock [s]; how finely it is drawn."""
        if self._last is not None:
            self._intervals.append(now - self._last)
        self._last = now
        if len(self._intervals) == FRAMES:
            self._judge(median(self._intervals))
        return self.fineness

    def _judge(self, interval: float) -> None:
        self._fast = self._fast + 1 if interval < FAST else 0
        if interval > SLOW and self._level + 1 < len(LEVELS):
            self._level += 1
            self._patience *= 2
            self._intervals.clear()
        elif self._fast > self._patience and self._level > 0:
            self._level -= 1
            self._fast = 0
            self._intervals.clear()

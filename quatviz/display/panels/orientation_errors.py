"""How far the orientations of the lanes are from each other at the cursor."""

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting import MISSING, power_of_ten, true_minus
from quatviz.base.formatting.text_layout import cut, unwrapped
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base import PaintedPanel, Reading
from quatviz.display.panels.base.canvas import Box, Canvas, Size, lightness
from quatviz.display.view_state.line_styles import brief_titles, lane_colour, sample_of, short_titles
from quatviz.display.view_state.theme import UNIT, Theme, mixed
from quatviz.physics.formulations import kind_of, lane_title
from quatviz.physics.mechanics.rotations import relative_angle

LEAST, MOST = -16.0, 0.5
"""Decades at the ends of the colours: round-off, and half a turn."""
APART = "†"
_CELL = 2.6
"""Height of a cell that is less wide at most, in lines of its type."""
_NAME, _LARGER = 1.5, 1.3
"""Height of a name in a list, in lines, and how much larger the cells below a list have to be."""
_NAMES = 0.4
"""Of the width that the names have at most."""
_KEY, _THICK = 16.0, 4.0
"""Of a piece of a lane's curve, which stands for it beside its row; above its column it may be longer."""
_ENOUGH = 4
"""Letters that are left of a line at least, or it is none."""

Errors = tuple[tuple[str, tuple[float, ...]], ...]
"""Names of lanes, each with its angles [rad] to all of them; NaN for a lane that has ended or not begun."""


class OrientationErrors(PaintedPanel):
    """A matrix over the lanes, coloured by decades. Lanes known not to follow the body bear a dagger."""

    name = "orientation_errors"
    title = "Orientation errors"
    told = "the angle between each two lanes"
    unit = "rad"
    order = 75
    interval = 0.0
    note = "rad, at the cursor"

    def paper_note(self, time: str) -> str:
        return tr("rad, at {time} s", time=time)

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """Where a lane goes its own way; elsewhere a person asks."""
        return len(info.lanes) > 1 and bool(apart(info))

    def weight(self, content: Errors) -> float:
        return 1.8 + 0.75 * max(len(content), 2)

    def prompt(self, frame: Frame) -> Hashable:
        return (super().prompt(frame), None if frame.playing else frame.time)

    def content(self, frame: Frame, info: RunInfo) -> Errors:
        lanes = [lane for lane in frame.lanes if lane.visible]
        p = np.full((len(lanes), 4), np.nan)
        for number, lane in enumerate(lanes):
            if lane.pose is not None and not lane.frozen:
                p[number] = lane.pose.p
        errors = relative_angle(p[:, None], p[None, :])
        return tuple((lane.name, tuple(row.tolist())) for lane, row in zip(lanes, errors, strict=True))

    def readings(self, content: Errors) -> list[Reading]:
        return [
            Reading(lane, f"orientation error from {other}", "", error, "rad", "")
            for lane, errors in content
            for (other, _), error in zip(content, errors, strict=True)
            if lane != other
        ]

    def draw(self, canvas: Canvas, content: Errors, info: RunInfo) -> None:
        _Matrix(canvas, content, info).draw()


class _Plan(NamedTuple):
    """Where the matrix stands: its type, what its names take at the left, its cells, and where they begin."""

    size: Size
    names: float
    wide: float
    high: float
    top: float
    listed: float = 0.0
    """Height of a name in the list above the cells; 0 where names stand beside them."""

    def place_of_name(self, number: int, width: float) -> Box:
        if self.listed:
            return Box(UNIT, number * self.listed, width - 2 * UNIT, self.listed)
        return Box(UNIT, self.top + number * self.high, self.names - 2 * UNIT, self.high)


class _Matrix:
    """The drawing of one content."""

    def __init__(self, canvas: Canvas, rows: Errors, info: RunInfo) -> None:
        self.canvas, self.rows, self.theme = canvas, rows, canvas.theme
        self.lanes = [lane for lane, _ in rows]
        self.colours = dict(zip(info.lanes, info.colours, strict=True))
        self.strange = apart(info)
        said = tr("{mark} known not to follow the body: shown to compare", mark=APART)
        self.note = canvas.wrapped(said, canvas.width - 2 * UNIT) if self.strange else []
        self.line = canvas.line("small")

    def draw(self) -> None:
        canvas, count, plan = self.canvas, len(self.rows), self._plan()
        size, names, wide, high, top = plan.size, plan.names, plan.wide, plan.high, plan.top
        written = self._names(plan)
        numbered = any(name[0].removesuffix(APART).isdigit() for name in written)
        for number, (lane, errors) in enumerate(self.rows):
            mark = (str(number + 1) if numbered else "") + (APART if lane in self.strange else "")
            row = top + number * high
            self._write_name(plan.place_of_name(number, canvas.width), number, written[number], size)
            if plan.listed:
                self._draw_sample(lane, UNIT, row + high / 2)
            said = canvas.advance(mark, "small") if numbered else 0.0
            middle, long = names + (number + 0.5) * wide - said / 2, min(2 * _KEY, wide - 2 * UNIT - said)
            self._draw_sample(lane, middle - long / 2, top - UNIT, long)
            if mark:
                ink, kind = self.theme.muted, "small" if numbered else size
                canvas.write(middle + long / 2 + 2, top - UNIT / 2, mark, ink, kind)
            for other, error in enumerate(errors):
                if other != number:
                    self._draw_cell(
                        Box(names + other * wide, row, wide, high).inside(1, 1, 1, 1), error, size
                    )
        key = Box(names, top + count * high + UNIT, count * wide, UNIT + self.line)
        self._draw_key(key)
        for number, words in enumerate(self.note):
            box = Box(UNIT, key.bottom + UNIT / 2 + number * self.line, canvas.width - 2 * UNIT, self.line)
            canvas.write_in(box, words, self.theme.muted, "small")

    def _plan(self) -> "_Plan":
        """Names beside the rows, or in a list above them where that makes larger cells, as in a column that is much higher than
        wide; cells are as high as there is room, and no higher than wide."""
        canvas, count = self.canvas, len(self.rows)
        foot = 2 * UNIT + self.line + (len(self.note) * self.line + UNIT / 2 if self.note else 0.0)
        room = canvas.height - 2 * UNIT - foot
        size = self._size(room / count)
        names = self._width_of_names(size)
        wide = (canvas.width - canvas.margin - names) / count
        beside = _Plan(size, names, wide, min(room / count, max(wide, _CELL * canvas.line(size))), 2.0 * UNIT)
        names, listed = _KEY + 3 * UNIT, _NAME * canvas.line("large")
        wide, tall = (canvas.width - canvas.margin - names) / count, room / count - listed
        above = _Plan("large", names, wide, min(tall, wide), 2.0 * UNIT + count * listed, listed)
        return above if min(wide, tall) > _LARGER * min(beside.wide, beside.high) else beside

    def _need(self, size: Size) -> float:
        """The width of the longest name with its chip."""
        return (
            max(self.canvas.advance(lane_title(lane) + APART, size) for lane in self.lanes) + _KEY + 3 * UNIT
        )

    def _size(self, tall: float) -> Size:
        """The largest type with which names and numbers have room, for a matrix that may be all that is seen."""
        canvas = self.canvas
        sizes: tuple[Size, ...] = ("large", "normal", "small")
        for size in sizes:
            names = self._need(size)
            cell = (canvas.width - canvas.margin - names) / len(self.lanes)
            number = canvas.advance(error_text(1e-10), size) + UNIT
            if names <= _NAMES * canvas.width and cell >= number and tall >= 2.0 * canvas.line(size):
                break
        return size

    def _width_of_names(self, size: Size) -> float:
        """What they need, but not most of the width, nor what the decades of the numbers need: colours name lanes too."""
        canvas = self.canvas
        numbers, decades = (
            canvas.width - canvas.margin - len(self.lanes) * (canvas.advance(text, size) + UNIT)
            for text in (error_text(1e-10), power_of_ten(-10))
        )
        names = max(canvas.gutter + 8.0 * UNIT, min(self._need(size), _NAMES * canvas.width, numbers))
        return max(min(names, decades), _KEY + 3.5 * UNIT + canvas.advance(str(len(self.lanes)), size))

    def _write_name(self, box: Box, number: int, name: list[str], size: Size) -> None:
        """A lane's name in its lines, behind a piece of its curve."""
        canvas, line, lane = self.canvas, self.canvas.line(size), self.lanes[number]
        self._draw_sample(lane, box.x, box.y + box.height / 2)
        room = _behind_key(box)
        top = room.y + (room.height - len(name) * line) / 2
        for place, words in enumerate(name):
            row = Box(room.x, top + place * line, room.width, line)
            canvas.write_in(row, words, self.theme.muted if lane in self.strange else self.theme.text, size)

    def _names(self, plan: "_Plan") -> list[list[str]]:
        """The lines of all names: whole, or as short as tells them from each other, or as brief, all of them alike, on as many
        lines as a row has room for, or fewer; or cut, where they still say enough. Else a number, which is that of its column: the
        legend, in the same order, has the name."""
        canvas, size = self.canvas, plan.size
        rooms = [_behind_key(plan.place_of_name(number, canvas.width)) for number in range(len(self.lanes))]
        marks = [APART if lane in self.strange else "" for lane in self.lanes]

        def lines(titles: Sequence[str]) -> list[list[str]]:
            named = zip(titles, marks, rooms, strict=True)
            return [canvas.wrapped(title + mark, room.width, size) for title, mark, room in named]

        whole, short = lines([lane_title(lane) for lane in self.lanes]), lines(short_titles(self.lanes))
        ways = sorted((whole, short), key=lambda way: max(map(len, way)))
        for way in (*ways, lines(brief_titles(self.lanes))):
            if all(self._has_room(name, room, size) for name, room in zip(way, rooms, strict=True)):
                return way
        tried = ((name, self._cut(name, room, size)) for name, room in zip(short, rooms, strict=True))
        return [
            next((one for one in tries if self._has_room(one, room, size)), [f"{number}{mark}"])
            for number, (tries, room, mark) in enumerate(zip(tried, rooms, marks, strict=True), 1)
        ]

    def _draw_sample(self, lane: str, left: float, middle: float, wide: float = _KEY) -> None:
        """A piece of its curve: print may have no colour."""
        number = self.colours[lane]
        for begin, end in sample_of(number, left, left + wide):
            box = Box(begin, middle - _THICK / 2, end - begin, _THICK)
            self.canvas.fill(box, lane_colour(self.theme, number))

    def _cut(self, lines: list[str], room: Box, size: Size) -> list[str]:
        """As many of these lines as there is room for, the last of them without the end of the rest: behind a whole one that is
        enough to know it by."""
        canvas, last = self.canvas, int(room.height / self.canvas.line(size)) - 1
        rest = cut(unwrapped(lines[last:]), room.width, lambda text: canvas.advance(text, size))
        return [*lines[:last], rest] if last > 0 and len(rest) > _ENOUGH else lines

    def _has_room(self, lines: list[str], room: Box, size: Size) -> bool:
        widest = max(self.canvas.advance(line, size) for line in lines)
        return widest <= room.width and len(lines) * self.canvas.line(size) <= max(
            room.height, self.canvas.line(size)
        )

    def _draw_cell(self, box: Box, error: float, size: Size) -> None:
        text, (ground, ink) = error_text(error), _inks(_shade(error), self.theme)
        self.canvas.fill(box, ground)
        if 0.0 < error < math.inf and self.canvas.advance(text, size) > box.width:
            text = power_of_ten(math.floor(math.log10(error)))  # there is room for the decade
        if self.canvas.advance(text, size) <= box.width:  # else colours tell it alone
            self.canvas.write_in(box, text, ink, size, "centre")

    def _draw_key(self, box: Box) -> None:
        """The colours with their decades, as many as have room beside each other."""
        parts = (0.0, 0.5, 1.0)
        ramp = tuple(colour_of(10.0 ** (LEAST + part * (MOST - LEAST)), self.theme) for part in parts)
        self.canvas.ramp(Box(box.x, box.y, box.width, 4), ramp)
        for decade, x in decades(self.canvas, box.x, box.right):
            self.canvas.write(x, box.y + 4 + self.line, _decade_text(decade), self.theme.muted, "small")


def _behind_key(box: Box) -> Box:
    return box.inside(_KEY + UNIT / 2, 0, 0, 0)


def decades(canvas: Canvas, left: float, right: float) -> list[tuple[int, float]]:
    """Decades that are written under a ramp of colours from `left` to `right`, each with where its text begins."""
    for step in (4, 8, 16):
        placed, end, free = [], -math.inf, True
        for decade in range(round(LEAST), 1, step):
            width = canvas.advance(_decade_text(decade), "small")
            x = left + (decade - LEAST) / (MOST - LEAST) * (right - left)
            x = min(max(x - width / 2, left), right - width)
            free = free and x >= end + UNIT / 2
            placed.append((decade, x))
            end = x + width
        if free:
            return placed
    return []


def _decade_text(decade: int) -> str:
    return power_of_ten(decade) if decade else "1"


def apart(info: RunInfo) -> tuple[str, ...]:
    """Lanes whose form is known not to follow the body."""
    pairs = zip(info.lanes, info.formulations, strict=False)
    return tuple(lane for lane, name in pairs if not kind_of(name).yields_motion)


def error_text(error: float) -> str:
    """One digit and the decade, such as 3e−12."""
    if not math.isfinite(error):
        return MISSING
    if error == 0 or error >= 0.05:
        return f"{error:.1f}" if error else "0"
    return true_minus(f"{error:.0e}".replace("e-0", "e-"))


def colour_of(error: float, theme: Theme) -> str:
    """From hardly seen at round-off to the full accent at half a turn; no colour for what is not known."""
    return _inks(_shade(error), theme)[0]


def _shade(error: float) -> int:
    """How much of the accent it has [%]."""
    if not math.isfinite(error):
        return 0
    decade = math.log10(error) if error > 0 else LEAST
    part = min(max((decade - LEAST) / (MOST - LEAST), 0.0), 1.0)
    return round(8 + 92 * part)


@lru_cache(maxsize=256)
def _inks(shade: int, theme: Theme) -> tuple[str, str]:
    """The ground of a cell, and the one of the theme's text and surface that stands out from it."""
    ground = mixed(theme.accent, theme.surface, 0.01 * shade)
    inks = theme.text, theme.surface
    return ground, max(inks, key=lambda ink: abs(lightness(ink) - lightness(ground)))

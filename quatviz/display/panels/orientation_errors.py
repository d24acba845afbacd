"""Panel of the angles between the attitudes of the lanes at the cursor."""

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting import MISSING_VALUE, format_power_of_ten, use_minus_sign
from quatviz.base.formatting.text_layout import truncate, unwrap
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base import PaintedPanel, ValueReading
from quatviz.display.panels.base.canvas import Canvas, FontSize, Rect, lightness
from quatviz.display.view_state.line_styles import brief_titles, dashes_between, lane_color, short_titles
from quatviz.display.view_state.theme import GRID_UNIT, Theme, mix_colors
from quatviz.physics.formulations import formulation_class, lane_title
from quatviz.physics.mechanics.rotations import relative_angle

MIN_DECADE, MAX_DECADE = -16.0, 0.5
"""Decades at the ends of the color scale: round-off, and about half a turn."""
NOT_FOLLOWING_MARK = "†"
_MAX_CELL_HEIGHT = 2.6
"""Height [lines of text] that a cell may have even if it is then higher than wide. Above this height, a cell is at most
as high as wide."""
_LIST_ROW_HEIGHT, _LIST_GAIN = 1.5, 1.3
"""Two constants for the list of names above the matrix: height of a name [lines of text], and factor by which the cells
must become larger for the list to be used. Otherwise the names are beside the rows."""
_MAX_NAMES_SHARE = 0.4
"""Largest fraction of the panel's width for the lane names."""
_SAMPLE_LENGTH, _SAMPLE_THICKNESS = 16.0, 4.0
"""Length and thickness of the sample of a lane's curve beside its row [pixels]. The sample above a column may be
longer."""
_MIN_LETTERS = 4
"""Smallest number of letters in a truncated line."""

ErrorMatrix = tuple[tuple[str, tuple[float, ...]], ...]
"""Lane names, each with its angles [rad] to all lanes; NaN for lanes that have ended or not begun."""


class OrientationErrors(PaintedPanel):
    """Matrix of the angles between lanes, colored by decade. A dagger marks lanes whose formulation does not
    yield the motion of the body."""

    name = "orientation_errors"
    title = "Orientation differences"
    summary = "angle between the attitudes of each pair of lanes"
    unit = "rad"
    order = 75
    interval = 0.0
    note = "rad, at the cursor"
    empty_text = "To see the angles between lanes, show at least two lanes; Lanes > Add a lane… adds one."

    def paper_note(self, time: str) -> str:
        return tr("rad, at {time} s", time=time)

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if the formulation of a lane does not yield the motion of the body. Otherwise the panel
        is shown only if the user asks for it."""
        return len(info.lanes) > 1 and bool(lanes_not_following(info))

    def weight(self, content: ErrorMatrix) -> float:
        return 1.8 + 0.75 * max(len(content), 2)

    def update_key(self, frame: Frame) -> Hashable:
        return (super().update_key(frame), None if frame.playing else frame.time)

    def content(self, frame: Frame, info: RunInfo) -> ErrorMatrix:
        lanes = [lane for lane in frame.lanes if lane.visible]
        if len(lanes) < 2:
            return ()
        p = np.full((len(lanes), 4), np.nan)
        for number, lane in enumerate(lanes):
            if lane.pose is not None and not lane.frozen:
                p[number] = lane.pose.p
        errors = relative_angle(p[:, None], p[None, :])
        for number, lane in enumerate(lanes):
            is_other = [not info.has_same_loads(lane.name, other.name) for other in lanes]
            errors[number, is_other] = np.nan
        return tuple((lane.name, tuple(row.tolist())) for lane, row in zip(lanes, errors, strict=True))

    def readings(self, content: ErrorMatrix) -> list[ValueReading]:
        return [
            ValueReading(lane, f"orientation difference from {other}", "", error, "rad", "")
            for lane, errors in content
            for (other, _), error in zip(content, errors, strict=True)
            if lane != other
        ]

    def draw(self, canvas: Canvas, content: ErrorMatrix, info: RunInfo) -> None:
        _MatrixDrawing(canvas, content, info).draw()


class _MatrixLayout(NamedTuple):
    """Geometry of the matrix: font size, width of the names, and size and top of the cells [pixels]."""

    size: FontSize
    names_width: float
    cell_width: float
    cell_height: float
    top: float
    list_row_height: float = 0.0
    """Height of a name in the list above the cells; 0 if the names are beside the cells."""

    def name_box(self, number: int, width: float) -> Rect:
        if self.list_row_height:
            return Rect(GRID_UNIT, number * self.list_row_height, width - 2 * GRID_UNIT, self.list_row_height)
        return Rect(
            GRID_UNIT,
            self.top + number * self.cell_height,
            self.names_width - 2 * GRID_UNIT,
            self.cell_height,
        )


class _MatrixDrawing:
    """Drawing of a matrix of the angles between lanes on a canvas."""

    def __init__(self, canvas: Canvas, rows: ErrorMatrix, info: RunInfo) -> None:
        self.canvas, self.rows, self.theme = canvas, rows, canvas.theme
        self.lanes = [lane for lane, _ in rows]
        self.colors = dict(zip(info.lanes, info.colors, strict=True))
        self.not_following = lanes_not_following(info)
        explanations = []
        if self.not_following:
            explanations.append(
                tr(
                    "{mark} equations that do not describe this body, shown for comparison",
                    mark=NOT_FOLLOWING_MARK,
                )
            )
        if not all(info.has_same_loads(lane, self.lanes[0]) for lane in self.lanes):
            explanations.append(
                tr("Lanes with different loads have different motions: no difference between them is shown")
            )
        self.note = [
            line for text in explanations for line in canvas.wrap(text, canvas.width - 2 * GRID_UNIT)
        ]
        self.line = canvas.line_height("small")

    def draw(self) -> None:
        canvas, count, layout = self.canvas, len(self.rows), self._layout()
        size, names, cell_width, cell_height, top = (
            layout.size,
            layout.names_width,
            layout.cell_width,
            layout.cell_height,
            layout.top,
        )
        name_lines = self._name_lines(layout)
        numbered = any(name[0].removesuffix(NOT_FOLLOWING_MARK).isdigit() for name in name_lines)
        for number, (lane, errors) in enumerate(self.rows):
            mark = (str(number + 1) if numbered else "") + (
                NOT_FOLLOWING_MARK if lane in self.not_following else ""
            )
            row = top + number * cell_height
            self._write_name(layout.name_box(number, canvas.width), number, name_lines[number], size)
            if layout.list_row_height:
                self._draw_sample(lane, GRID_UNIT, row + cell_height / 2)
            mark_width = canvas.text_width(mark, "small") if numbered else 0.0
            middle, sample_length = (
                names + (number + 0.5) * cell_width - mark_width / 2,
                min(2 * _SAMPLE_LENGTH, cell_width - 2 * GRID_UNIT - mark_width),
            )
            self._draw_sample(lane, middle - sample_length / 2, top - GRID_UNIT, sample_length)
            if mark:
                ink, mark_size = self.theme.muted, "small" if numbered else size
                canvas.draw_text(middle + sample_length / 2 + 2, top - GRID_UNIT / 2, mark, ink, mark_size)
            for other, error in enumerate(errors):
                if other != number:
                    self._draw_cell(
                        Rect(names + other * cell_width, row, cell_width, cell_height).shrunk(1, 1, 1, 1),
                        error,
                        size,
                    )
        key = Rect(names, top + count * cell_height + GRID_UNIT, count * cell_width, GRID_UNIT + self.line)
        self._draw_color_scale(key)
        for number, words in enumerate(self.note):
            box = Rect(
                GRID_UNIT,
                key.bottom + GRID_UNIT / 2 + number * self.line,
                canvas.width - 2 * GRID_UNIT,
                self.line,
            )
            canvas.draw_text_in(box, words, self.theme.muted, "small")

    def _layout(self) -> "_MatrixLayout":
        """Place the names beside the rows, or in a list above if that makes the cells larger, as in a tall narrow
        column.

        Cells are as high as the room allows, but hardly higher than wide (`_MAX_CELL_HEIGHT`).
        """
        canvas, count = self.canvas, len(self.rows)
        foot = 2 * GRID_UNIT + self.line + (len(self.note) * self.line + GRID_UNIT / 2 if self.note else 0.0)
        room = canvas.height - 2 * GRID_UNIT - foot
        size = self._largest_size(room / count)
        names = self._names_width(size)
        cell_width = (canvas.width - canvas.margin - names) / count
        beside = _MatrixLayout(
            size,
            names,
            cell_width,
            min(room / count, max(cell_width, _MAX_CELL_HEIGHT * canvas.line_height(size))),
            2.0 * GRID_UNIT,
        )
        names, listed = _SAMPLE_LENGTH + 3 * GRID_UNIT, _LIST_ROW_HEIGHT * canvas.line_height("large")
        cell_width, cell_height = (canvas.width - canvas.margin - names) / count, room / count - listed
        above = _MatrixLayout(
            "large", names, cell_width, min(cell_height, cell_width), 2.0 * GRID_UNIT + count * listed, listed
        )
        return (
            above
            if min(cell_width, cell_height) > _LIST_GAIN * min(beside.cell_width, beside.cell_height)
            else beside
        )

    def _max_name_width(self, size: FontSize) -> float:
        """Return the width of the longest name with its curve sample."""
        return (
            max(self.canvas.text_width(lane_title(lane) + NOT_FOLLOWING_MARK, size) for lane in self.lanes)
            + _SAMPLE_LENGTH
            + 3 * GRID_UNIT
        )

    def _largest_size(self, row_height: float) -> FontSize:
        """Return the largest font size in which names and numbers fit."""
        canvas = self.canvas
        sizes: tuple[FontSize, ...] = ("large", "normal", "small")
        for size in sizes:
            names = self._max_name_width(size)
            cell = (canvas.width - canvas.margin - names) / len(self.lanes)
            number = canvas.text_width(error_text(1e-10), size) + GRID_UNIT
            if (
                names <= _MAX_NAMES_SHARE * canvas.width
                and cell >= number
                and row_height >= 2.0 * canvas.line_height(size)
            ):
                break
        return size

    def _names_width(self, size: FontSize) -> float:
        """Return the width [pixels] for the names. It leaves the cells enough room for the numbers, or at least for
        their decades."""
        canvas = self.canvas
        numbers, decades = (
            canvas.width - canvas.margin - len(self.lanes) * (canvas.text_width(text, size) + GRID_UNIT)
            for text in (error_text(1e-10), format_power_of_ten(-10))
        )
        names = max(
            canvas.gutter + 8.0 * GRID_UNIT,
            min(self._max_name_width(size), _MAX_NAMES_SHARE * canvas.width, numbers),
        )
        return max(
            min(names, decades),
            _SAMPLE_LENGTH + 3.5 * GRID_UNIT + canvas.text_width(str(len(self.lanes)), size),
        )

    def _write_name(self, box: Rect, number: int, name: list[str], size: FontSize) -> None:
        """Draw a lane's name on its lines, after a sample of its curve."""
        canvas, line, lane = self.canvas, self.canvas.line_height(size), self.lanes[number]
        self._draw_sample(lane, box.x, box.y + box.height / 2)
        room = _text_box(box)
        top = room.y + (room.height - len(name) * line) / 2
        for line_number, line_text in enumerate(name):
            row = Rect(room.x, top + line_number * line, room.width, line)
            canvas.draw_text_in(
                row, line_text, self.theme.muted if lane in self.not_following else self.theme.text, size
            )

    def _name_lines(self, layout: "_MatrixLayout") -> list[list[str]]:
        """Return the lines of each name.

        The first variant that fits is used for all: full, short or brief titles. Otherwise each short title is
        truncated, or replaced by the number of its column, which the legend explains.
        """
        canvas, size = self.canvas, layout.size
        rooms = [_text_box(layout.name_box(number, canvas.width)) for number in range(len(self.lanes))]
        marks = [NOT_FOLLOWING_MARK if lane in self.not_following else "" for lane in self.lanes]

        def lines(titles: Sequence[str]) -> list[list[str]]:
            named = zip(titles, marks, rooms, strict=True)
            return [canvas.wrap(title + mark, room.width, size) for title, mark, room in named]

        full, short = lines([lane_title(lane) for lane in self.lanes]), lines(short_titles(self.lanes))
        variants = sorted((full, short), key=lambda variant: max(map(len, variant)))
        for variant in (*variants, lines(brief_titles(self.lanes))):
            if all(self._has_room(name, room, size) for name, room in zip(variant, rooms, strict=True)):
                return variant
        tried = ((name, self._truncate(name, room, size)) for name, room in zip(short, rooms, strict=True))
        return [
            next(
                (lines_tried for lines_tried in attempts if self._has_room(lines_tried, room, size)),
                [f"{number}{mark}"],
            )
            for number, (attempts, room, mark) in enumerate(zip(tried, rooms, marks, strict=True), 1)
        ]

    def _draw_sample(self, lane: str, x: float, middle: float, length: float = _SAMPLE_LENGTH) -> None:
        """Draw a sample of the lane's curve, because prints may lack color."""
        number = self.colors[lane]
        for begin, end in dashes_between(number, x, x + length):
            box = Rect(begin, middle - _SAMPLE_THICKNESS / 2, end - begin, _SAMPLE_THICKNESS)
            self.canvas.fill_box(box, lane_color(self.theme, number))

    def _truncate(self, lines: list[str], room: Rect, size: FontSize) -> list[str]:
        """Return the lines that fit, with the last one truncated."""
        canvas, last = self.canvas, int(room.height / self.canvas.line_height(size)) - 1
        last_line = truncate(unwrap(lines[last:]), room.width, lambda text: canvas.text_width(text, size))
        return [*lines[:last], last_line] if last > 0 and len(last_line) > _MIN_LETTERS else lines

    def _has_room(self, lines: list[str], room: Rect, size: FontSize) -> bool:
        widest = max(self.canvas.text_width(line, size) for line in lines)
        return widest <= room.width and len(lines) * self.canvas.line_height(size) <= max(
            room.height, self.canvas.line_height(size)
        )

    def _draw_cell(self, box: Rect, error: float, size: FontSize) -> None:
        text, (ground, ink) = error_text(error), _cell_colors(_accent_percent(error), self.theme)
        self.canvas.fill_box(box, ground)
        if 0.0 < error < math.inf and self.canvas.text_width(text, size) > box.width:
            text = format_power_of_ten(math.floor(math.log10(error)))  # Only the decade fits.
        if self.canvas.text_width(text, size) <= box.width:  # otherwise the color alone shows the value
            self.canvas.draw_text_in(box, text, ink, size, "center")

    def _draw_color_scale(self, box: Rect) -> None:
        """Draw the color scale with as many decade labels as fit."""
        parts = (0.0, 0.5, 1.0)
        ramp = tuple(
            error_color(10.0 ** (MIN_DECADE + part * (MAX_DECADE - MIN_DECADE)), self.theme) for part in parts
        )
        self.canvas.fill_gradient(Rect(box.x, box.y, box.width, 4), ramp)
        for decade, x in decade_labels(self.canvas, box.x, box.right):
            self.canvas.draw_text(x, box.y + 4 + self.line, _decade_text(decade), self.theme.muted, "small")


def _text_box(box: Rect) -> Rect:
    return box.shrunk(_SAMPLE_LENGTH + GRID_UNIT / 2, 0, 0, 0)


def decade_labels(canvas: Canvas, x_start: float, x_end: float) -> list[tuple[int, float]]:
    """Return the decades to write under a color scale from `x_start` to `x_end`, with the x positions of their texts."""
    for step in (4, 8, 16):
        labels, end, has_room = [], -math.inf, True
        for decade in range(round(MIN_DECADE), 1, step):
            width = canvas.text_width(_decade_text(decade), "small")
            x = x_start + (decade - MIN_DECADE) / (MAX_DECADE - MIN_DECADE) * (x_end - x_start)
            x = min(max(x - width / 2, x_start), x_end - width)
            has_room = has_room and x >= end + GRID_UNIT / 2
            labels.append((decade, x))
            end = x + width
        if has_room:
            return labels
    return []


def _decade_text(decade: int) -> str:
    return format_power_of_ten(decade) if decade else "1"


def lanes_not_following(info: RunInfo) -> tuple[str, ...]:
    """Return the names of the lanes whose formulation is known to be wrong and is shown for comparison only
    (`yields_motion` is False)."""
    pairs = zip(info.lanes, info.formulations, strict=False)
    return tuple(lane for lane, name in pairs if not formulation_class(name).yields_motion)


def error_text(error: float) -> str:
    """Format an angle with one digit and its decade, such as 3e−12."""
    if not math.isfinite(error):
        return MISSING_VALUE
    if error == 0 or error >= 0.05:
        return f"{error:.1f}" if error else "0"
    return use_minus_sign(f"{error:.0e}".replace("e-0", "e-"))


def error_color(error: float, theme: Theme) -> str:
    """Return the color of an angle, from nearly invisible at round-off to the accent color at half a turn; no tint if
    NaN."""
    return _cell_colors(_accent_percent(error), theme)[0]


def _accent_percent(error: float) -> int:
    """Return the percentage of the accent color in the background of a cell that shows the angle `error` [rad]."""
    if not math.isfinite(error):
        return 0
    decade = math.log10(error) if error > 0 else MIN_DECADE
    part = min(max((decade - MIN_DECADE) / (MAX_DECADE - MIN_DECADE), 0.0), 1.0)
    return round(8 + 92 * part)


@lru_cache(maxsize=256)
def _cell_colors(shade: int, theme: Theme) -> tuple[str, str]:
    """Return the background color of a cell, and the text color with the better contrast to it."""
    ground = mix_colors(theme.accent, theme.surface, 0.01 * shade)
    inks = theme.text, theme.surface
    return ground, max(inks, key=lambda ink: abs(lightness(ink) - lightness(ground)))

"""How far the orientations of the lanes are from each other at the cursor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter

from quatviz.core.rotations import relative_angle
from quatviz.core.typography import power_of_ten
from quatviz.formulations import FORMULATIONS
from quatviz.ui.frame import Frame, RunInfo
from quatviz.ui.panels.base import Reading
from quatviz.ui.plotting.numbers import MINUS, MISSING
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.style import PlotStyle, mixed
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

LEAST, MOST = -16.0, 0.5
"""Decades at the ends of the colours: round-off, and half a turn."""
APART = "†"
_WRAPPED = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft) | int(Qt.AlignmentFlag.AlignTop)
_CELL = 2.6
"""Height of a cell at most, in lines of its type."""
_NAMES = 0.4
"""Of the width that the names have at most."""
_CHIP = 10.0


@dataclass(frozen=True, eq=False)
class _Letters:
    """The type of the matrix."""

    font: QFont
    metrics: QFontMetricsF
    style: PlotStyle


@dataclass(frozen=True)
class _Look:
    """Of a cell, found once for each text: there are fifty cells and few texts."""

    ground: QColor
    ink: QColor
    width: float


class OrientationErrors(PaintedPanel):
    """A matrix over the lanes, coloured by decades. Lanes known not to follow the body bear a dagger."""

    name = "orientation_errors"
    title = "Orientation errors"
    order = 75
    interval = 0.5
    note = "rad, at the cursor"

    def __init__(self) -> None:
        super().__init__()
        self._looks: dict[str, _Look] = {}
        self._letters: _Letters | None = None

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """Where a lane goes its own way; elsewhere a person asks."""
        return len(info.lanes) > 1 and bool(apart(info))

    @property
    def weight(self) -> float:
        return 1.8 + 0.75 * max(len(self._lanes), 2)

    def prompt(self, frame: Frame) -> object:
        return (super().prompt(frame), None if frame.playing else frame.time)

    def content(self, frame: Frame) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Names, each with its angles [rad] to all of them; NaN for a lane that has ended or not begun."""
        lanes = [lane for lane in frame.lanes if lane.visible]
        p = np.full((len(lanes), 4), np.nan)
        for number, lane in enumerate(lanes):
            if lane.pose is not None and not lane.frozen:
                p[number] = lane.pose.p
        errors = relative_angle(p[:, None], p[None, :])
        return tuple((lane.name, tuple(row.tolist())) for lane, row in zip(lanes, errors, strict=True))

    def readings(self) -> list[Reading]:
        return [
            Reading(lane, f"orientation error from {other}", "", error, "rad", "")
            for lane, errors in self._rows
            for other, error in zip(self._lanes, errors, strict=True)
            if lane != other
        ]

    @property
    def _rows(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        return self.said  # type: ignore[return-value]

    @property
    def _lanes(self) -> list[str]:
        return [lane for lane, _ in self._rows]

    def draw(self, painter: QPainter, style: PlotStyle, room: QRectF) -> None:
        assert self.source is not None
        strange, count = apart(self.source.info), len(self._rows)
        note = QRectF(UNIT, 0.0, room.right() - 2 * UNIT, 1e4)
        said = tr("{mark} known not to follow the body: shown to compare", mark=APART)
        note = style.small_metrics.boundingRect(note, _WRAPPED, said) if strange else QRectF()
        line = style.small_metrics.height()
        foot = 2 * UNIT + line + (note.height() + UNIT / 2 if strange else 0.0)
        rows = (room.height() - 2 * UNIT - foot) / count
        letters = self._choose(style, room, rows)
        names = self._width_of_names(letters, room)
        wide = (room.right() - style.margin - names) / count
        high = min(rows, _CELL * letters.metrics.height())
        top = room.top() + 2 * UNIT
        for number, (lane, errors) in enumerate(self._rows):
            colour, mark = style.lane(self.colour_of(lane)), APART if lane in strange else ""
            cell = QRectF(names + number * wide, top + number * high, wide, high)
            self._write_heads(
                painter, letters, QRectF(UNIT, cell.top(), names - 2 * UNIT, high), lane, mark, colour
            )
            chip = QRectF(cell.center().x() - _CHIP / 2, top - _CHIP - UNIT / 2, _CHIP, _CHIP)
            painter.fillRect(chip, colour)
            if mark:
                painter.drawText(chip.topRight() + QPointF(2, _CHIP), mark)
            for other, error in enumerate(errors):
                if other != number:
                    box = QRectF(names + other * wide, cell.top(), wide, high).adjusted(1, 1, -1, -1)
                    self._draw_cell(painter, letters, box, error)
        painter.setFont(style.small)
        key = QRectF(names, top + count * high + UNIT, count * wide, UNIT + line)
        self._draw_key(painter, style, key)
        if strange:
            painter.drawText(note.translated(0.0, key.bottom() + UNIT / 2 - note.top()), _WRAPPED, said)

    def _choose(self, style: PlotStyle, room: QRectF, rows: float) -> _Letters:
        """The largest type with which names and numbers have room, for a matrix that may be all that is seen."""
        sizes = (
            (style.large, style.large_metrics),
            (style.normal, style.normal_metrics),
            (style.small, style.small_metrics),
        )
        for font, metrics in sizes:
            letters = _Letters(font, metrics, style)
            names = max(metrics.horizontalAdvance(lane + APART) for lane in self._lanes) + _CHIP + 3 * UNIT
            cell = (room.right() - style.margin - names) / len(self._lanes)
            number = metrics.horizontalAdvance(error_text(1e-10)) + UNIT
            if names <= _NAMES * room.width() and cell >= number and rows >= 2.0 * metrics.height():
                break
        if self._letters is None or (self._letters.font, self._letters.style) != (letters.font, style):
            self._letters = letters
            self._looks.clear()
        return self._letters

    def _width_of_names(self, letters: _Letters, room: QRectF) -> float:
        """What they need, but not most of the width, nor what the decades of the numbers need: colours name lanes too."""
        metrics = letters.metrics
        need = max(metrics.horizontalAdvance(lane + APART) for lane in self._lanes) + _CHIP + 3 * UNIT
        least = letters.style.gutter + 9.0 * UNIT
        numbers, decades = (
            room.right() - letters.style.margin - len(self._lanes) * (metrics.horizontalAdvance(text) + UNIT)
            for text in (error_text(1e-10), power_of_ten(-10))
        )
        names = max(least, min(need, _NAMES * room.width(), numbers))
        return max(min(names, decades), _CHIP + 4.0 * UNIT)

    def _write_heads(
        self, painter: QPainter, letters: _Letters, box: QRectF, lane: str, mark: str, colour: QColor
    ) -> None:
        painter.fillRect(QRectF(box.left(), box.center().y() - _CHIP / 2, _CHIP, _CHIP), colour)
        painter.setFont(letters.font)
        painter.setPen(letters.style.muted if mark else letters.style.text)
        box = box.adjusted(_CHIP + UNIT, 0, 0, 0)
        name = letters.metrics.elidedText(lane + mark, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)

    def _draw_cell(self, painter: QPainter, letters: _Letters, box: QRectF, error: float) -> None:
        text = error_text(error)
        look = self._looks.get(text)
        if look is None:
            ground = colour_of(error, letters.style)
            wide = letters.metrics.horizontalAdvance(text)
            look = self._looks[text] = _Look(ground, readable(ground, letters.style), wide)
        painter.fillRect(box, look.ground)
        if look.width > box.width() and 0.0 < error < math.inf:
            text = power_of_ten(math.floor(math.log10(error)))  # there is room for the decade
        painter.setPen(look.ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_key(self, painter: QPainter, style: PlotStyle, box: QRectF) -> None:
        """The colours with their decades, as many as have room beside each other."""
        ramp = QLinearGradient(box.topLeft(), box.topRight())
        for part in (0.0, 0.5, 1.0):
            ramp.setColorAt(part, colour_of(10.0 ** (LEAST + part * (MOST - LEAST)), style))
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), 4), ramp)
        painter.setPen(style.muted)
        for decade, x in decades(style, box.left(), box.right()):
            painter.drawText(QPointF(x, box.top() + 4 + style.small_metrics.height()), _decade_text(decade))


def decades(style: PlotStyle, left: float, right: float) -> list[tuple[int, float]]:
    """Decades that are written under a ramp of colours from `left` to `right`, each with where its text begins."""
    for step in (4, 8, 16):
        placed, end, free = [], -math.inf, True
        for decade in range(round(LEAST), 1, step):
            width = style.small_metrics.horizontalAdvance(_decade_text(decade))
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
    return tuple(lane for lane, name in pairs if not FORMULATIONS[name.partition("/")[0]].yields_motion)


def error_text(error: float) -> str:
    """One digit and the decade, such as 3e−12."""
    if not math.isfinite(error):
        return MISSING
    if error == 0 or error >= 0.05:
        return f"{error:.1f}" if error else "0"
    return f"{error:.0e}".replace("e-0", "e-").replace("-", MINUS)


def colour_of(error: float, style: PlotStyle) -> QColor:
    """From hardly seen at round-off to the full accent at half a turn; no colour for what is not known."""
    if not math.isfinite(error):
        return style.ground
    decade = math.log10(error) if error > 0 else LEAST
    part = min(max((decade - LEAST) / (MOST - LEAST), 0.0), 1.0)
    return mixed(style.theme.accent, style.theme.surface, 0.08 + 0.92 * part)


def readable(ground: QColor, style: PlotStyle) -> QColor:
    """The one of the theme's text and surface that stands out from `ground`."""
    return max((style.text, style.ground), key=lambda ink: abs(ink.lightnessF() - ground.lightnessF()))

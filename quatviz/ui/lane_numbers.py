"""The numbers of every lane at the cursor, in one line each: what tells lanes apart that describe one motion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import monotonic

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.core.rotations import relative_angle
from quatviz.ui.fonts import tabular
from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.plotting.numbers import MINUS, MISSING, fixed
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

INTERVAL = 0.2
"""Seconds between changes of the digits while the run plays: nobody reads faster ones."""

INDENT = 3 * UNIT
_GAP = 6.0


@dataclass(frozen=True)
class Column:
    """A number of each lane: its head, name above unit; the widest text it has room for; and what people are told."""

    head: str
    widest: str
    told: str


COLUMNS = (
    Column("λ\nJ", f"{MINUS}000.0", "λ: Lagrange multiplier"),
    Column("|p|² − 1", f"{MINUS}0e{MINUS}00", "|p|² − 1: drift off the unit sphere"),
    Column("ΔE/E₀", f"{MINUS}0e{MINUS}00", "ΔE/E₀: drift of the energy, where it is constant"),
    Column("error\nrad", f"0e{MINUS}00", "error: angle of the rotation from the reference lane"),
    Column("step\nµs", "0.00", "step: processor time for one step, so far"),
)


class LaneNumbers:
    """What the lines say, made anew when the frame has changed, while it plays at most once per `INTERVAL`."""

    def __init__(self) -> None:
        self._source: Source | None = None
        self._key: object = None
        self._at = -INTERVAL
        self._greatest = 0.0
        """The greatest |λ| so far, which decides on its decimals: lanes line up, and digits keep their places."""

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._greatest = source, 0.0
        self.forget()

    def forget(self) -> None:
        """Say everything once more."""
        self._key, self._at = None, -INTERVAL

    def texts(self, frame: Frame, reference: str) -> list[tuple[str, ...]] | None:
        """The texts of every lane by column; None while those of the last time still stand."""
        key = (
            frame.time, reference, tuple((lane.status, lane.computed_to, lane.cost) for lane in frame.lanes),
        )  # fmt: skip
        now = monotonic()
        if self._source is None or key == self._key or (frame.playing and now - self._at < INTERVAL):
            return None
        self._key, self._at = key, now
        multipliers = [self._multiplier(lane, frame.time) for lane in frame.lanes]
        sizes = [abs(value) for value in multipliers if math.isfinite(value)]
        self._greatest = max([self._greatest, *sizes])
        other = next((lane for lane in frame.lanes if lane.name == reference), None)
        return [
            (
                multiplier_text(value, self._greatest),
                *self._drifts(lane),
                _error(lane, other),
                _cost(lane.cost),
            )
            for lane, value in zip(frame.lanes, multipliers, strict=True)
        ]

    def _multiplier(self, lane: LaneFrame, time: float) -> float:
        """λ [J] at the cursor, from the nearest two rows; NaN where there is none."""
        assert self._source is not None
        info = self._source.info
        if lane.name not in info.multipliers or lane.pose is None:
            return math.nan
        values = self._source.values(lane.name, "lam")[1]
        if len(values) == 0:
            return math.nan
        place = min(max(time / info.sample_interval, 0.0), len(values) - 1)
        row = min(int(place), max(len(values) - 2, 0))
        pair = values[row : row + 2]
        return float(pair[0, 0] + (place - row) * (pair[-1, 0] - pair[0, 0]))

    def _drifts(self, lane: LaneFrame) -> tuple[str, str]:
        assert self._source is not None
        kept = self._source.info.constants
        one, two = (
            brief(float(lane.values[name][0])) if name in lane.values and name in kept else MISSING
            for name in ("constraint", "energy_drift")
        )
        return one, two


def multiplier_text(value: float, greatest: float) -> str:
    """λ with four digits where it is `greatest`; as a power of ten where that is very large or small."""
    if not math.isfinite(value):
        return MISSING
    if value != 0 and not 1e-2 <= greatest < 1e5:
        return brief(value, 1)
    return fixed(value, min(max(3 - math.floor(math.log10(max(greatest, 1.0))), 0), 3))


def brief(value: float, decimals: int = 0) -> str:
    """As few characters as tell the size of a number: 2e−13, or 0.012 where that is short enough."""
    if not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    if 1e-2 <= abs(value) < 100:
        return fixed(value, 3 if abs(value) < 10 else 2)
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)


def _error(lane: LaneFrame, other: LaneFrame | None) -> str:
    """A lane that stands still where it ended has no error any more, and the reference lane none at all."""
    poses = lane.pose, other.pose if other is not None else None
    if other is None or lane.name == other.name or lane.frozen or other.frozen or None in poses:
        return MISSING
    assert lane.pose is not None
    assert other.pose is not None
    return brief(float(relative_angle(lane.pose.p, other.pose.p)))


def _cost(seconds: float) -> str:
    return (
        MISSING
        if math.isnan(seconds)
        else fixed(seconds * 1e6, 2 if seconds < 1e-5 else 1 if seconds < 1e-4 else 0)
    )


class NumbersLine(QWidget):
    """One text per column, each right-aligned in its place: the heads, or a lane's numbers."""

    def __init__(self, theme: Theme, texts: tuple[str, ...] = (MISSING,) * len(COLUMNS)) -> None:
        super().__init__()
        self._theme, self.texts = theme, texts
        self._fitted: tuple[object, int] = (None, 0)
        self.setAccessibleName(tr("Numbers at the cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, texts: tuple[str, ...]) -> None:
        if texts != self.texts:
            self.texts = texts
            self.update()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self._theme.small + UNIT)

    @property
    def pixels(self) -> int:
        """The type size: that of the theme's small type, or less where the column is narrow."""
        key = (self.width(), self._theme)
        if key != self._fitted[0]:
            size = self._theme.small
            while size > 8 and sum(self._widths(size)) > self.width() - INDENT:
                size -= 1
            self._fitted = key, size
        return self._fitted[1]

    def places(self) -> list[QRectF]:
        """Where each text is: what is left of the room is shared out."""
        widths = self._widths(self.pixels)
        spare = (self.width() - INDENT - sum(widths)) / len(widths)
        found, x = [], float(INDENT)
        for wide in widths:
            found.append(QRectF(x + spare, 0, wide, self.height()))
            x += wide + spare
        return found

    def _widths(self, size: int) -> list[float]:
        metrics = QFontMetricsF(tabular(self._theme, size))
        lines = [(column.widest, *tr(column.head).split("\n")) for column in COLUMNS]
        return [max(metrics.horizontalAdvance(text) for text in texts) + _GAP for texts in lines]

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(tabular(self._theme, self.pixels))
        painter.setPen(QColor(self._theme.muted))
        for text, place in zip(self.texts, self.places(), strict=True):
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text)
        painter.end()


class NumbersHead(NumbersLine):
    """What the columns are, with a tip that says it in words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tuple(tr(column.head) for column in COLUMNS))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self.setAccessibleName(tr("Numbers of every lane at the cursor"))

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self._theme.small + UNIT + UNIT // 2)

    def name_reference(self, reference: str) -> None:
        """Say which lane the error is against."""
        tip = "\n".join(tr(column.told) for column in COLUMNS).replace(
            tr("reference lane"), tr("reference lane {reference}", reference=reference)
        )
        if tip != self.toolTip():
            self.setToolTip(tip)
            self.setAccessibleDescription(tip)

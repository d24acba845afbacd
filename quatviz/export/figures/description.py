"""What a figure shows, as plain data: whoever knows a run or a window fills it, and `drawing` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

LANE_COLOURS = ("#0072b2", "#b65f00", "#007a5a", "#a8437f", "#7d7300", "#3448c5", "#c2410c", "#5b6472")
"""Lanes by number, as in the light window."""
COMPONENT_COLOURS = ("#4d5665", "#c62828", "#23802c", "#1f56c4")
"""Scalar, x, y, z, as in the light window."""
INK = "#171b22"


def component_colour(number: int, count: int) -> str:
    """Colour of a component of `count`: four are scalar first, three are x, y, z."""
    return COMPONENT_COLOURS[(number + 1 if count == 3 else number) % len(COMPONENT_COLOURS)]


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve: `times` (n,) [s] and `values` (n,) in the strip's unit, NaN where the line must not go on."""

    times: np.ndarray
    values: np.ndarray
    colour: str
    label: str
    dashed: bool = False
    """Theory, laid over what should equal it."""
    marker: str = ""
    """A matplotlib marker: points without a line."""
    area_from: np.ndarray | None = None
    """Values (n,) from which an area reaches to the curve, for a part of a sum."""
    jumps: Sequence[tuple[float, str]] = ()
    """Times at which it jumps, and why: `wrap` or `singular`."""
    end: tuple[float, float] | None = None
    """Time and value at which its lane died."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One plot over time. `low` and `high` are the ends of its axis, decades where the scale is `log`; from the
    data if None. An exact zero has no place on a log axis: it lies along the lower end."""

    curves: Sequence[Curve]
    symbol: str = ""
    """Empty where several components share it: each curve then has its own label."""
    unit: str = ""
    scale: Literal["linear", "degrees", "log"] = "linear"
    weight: float = 1.0
    low: float | None = None
    high: float | None = None
    band: float | None = None
    """Half the width of the band about zero that means danger."""


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """One panel: its strips one above the other, or an `image` (height, width, 4) of bytes where it is no plot."""

    title: str
    note: str = ""
    strips: Sequence[Strip] = ()
    remark: str = ""
    image: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class FigurePicture:
    """A whole figure over [low, high] s. `footnote` says what computed it: numbers that an author will be asked for."""

    panels: Sequence[PanelPicture]
    low: float
    high: float
    title: str = ""
    events: Sequence[float] = ()
    """Times [s] at which something happens to every lane."""
    legend: Sequence[tuple[str, str]] = field(default_factory=tuple)
    """Names and colours of the lanes, where colour tells the lane."""
    footnote: str = ""

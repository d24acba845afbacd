"""What a figure shows, as plain data: whoever knows a run or a window fills it, and `drawing` draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from quatviz.look.theme import LIGHT
from quatviz.panels.base.canvas import Canvas

INK = LIGHT.text
"""Of print, which has the colours of the light theme."""


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
    lane: int | None = None
    """The number of its lane's colour and shape, where these tell the lane."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One plot over time. `low` and `high` are the ends of its axis, decades where the scale is `log`; from the
    data if None. An exact zero has no place on a log axis: it lies along the lower end."""

    curves: Sequence[Curve]
    symbol: str = ""
    """Empty where several components share it: each curve then has its own label."""
    unit: str = ""
    scale: str = "linear"
    """One of `feed.scales.SCALES`."""
    weight: float = 1.0
    low: float | None = None
    high: float | None = None
    band: float | None = None
    """Half the width of the band about zero that means danger."""


@dataclass(frozen=True, eq=False)
class PaintedPicture:
    """What is drawn on a canvas of any size; its height where a strip with one curve has 1."""

    draw: Callable[[Canvas], None]
    weight: float


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """One panel: its strips one above the other, or what is `painted` where it is no plot."""

    title: str
    note: str = ""
    strips: Sequence[Strip] = ()
    remark: str = ""
    painted: PaintedPicture | None = None


@dataclass(frozen=True, eq=False)
class FigurePicture:
    """A whole figure over [low, high] s. `footnote` says what computed it: numbers that an author will be asked for."""

    panels: Sequence[PanelPicture]
    low: float
    high: float
    title: str = ""
    events: Sequence[float] = ()
    """Times [s] at which something happens to every lane."""
    legend: Sequence[tuple[str, int]] = field(default_factory=tuple)
    """Names of the lanes and the numbers of their colours and shapes, where these tell the lane."""
    footnote: str = ""

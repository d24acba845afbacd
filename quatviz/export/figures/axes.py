"""One strip as matplotlib axes: its range and ticks, and the curves with their gaps, marks and turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator

from quatviz.base.words import decimals_for, fixed, power_of_ten
from quatviz.export.figures.description import Curve, FigurePicture, Strip
from quatviz.export.figures.paper import MUTED
from quatviz.export.figures.reduction import reduce
from quatviz.export.figures.stripes import Turns, bucket_time, shape_times, turns
from quatviz.feed.breaks import CAUSES
from quatviz.look.lanes import SHAPES, shape_of

MARKERS = dict(zip(SHAPES, ("", "o", "s", "^"), strict=True))
"""How matplotlib calls the shapes that tell lanes of one colour."""

DANGER, DANGER_TINT, ACCENT = "#b3261e", "#f4dcda", "#0b63ce"
PIXELS_PER_INCH = 110.0
"""What a pixel is to a reader of print: how near curves touch, and how wide the stripes are that show it."""
_FLOOR = -17
_DEGREES = (180.0, 90.0, 45.0, 30.0, 15.0, 10.0, 5.0, 2.0, 1.0)


def draw_strip(axes: Axes, strip: Strip, picture: FigurePicture, size: float) -> None:
    """Draw a strip in type of `size` points. The axes must have their place: what touches is told by it."""
    low, high = limits(strip)
    axes.set_xlim(picture.low, picture.high)
    axes.set_ylim(low, high)
    axes.grid(True)
    axes.tick_params(length=0.3 * size, labelsize=0.9 * size, pad=0.25 * size)
    factor = _set_ticks(axes, strip, low, high, size)
    axes.set_ylabel(_label(axes, strip, factor, size), labelpad=0.3 * size)
    axes.yaxis.set_label_coords(-4.6 * size / 72 / _inches(axes)[0], 0.5)
    if strip.band is not None:
        axes.axhspan(-strip.band, strip.band, color=DANGER_TINT, linewidth=0, zorder=0.5)
        axes.axhline(0.0, color=MUTED, linewidth=0.06 * size, zorder=0.6)
    for time in picture.events:
        axes.axvline(time, color=ACCENT, linewidth=0.08 * size, linestyle=(0, (5, 3)), zorder=1.5)
    _draw_curves(axes, strip, low, size)
    _draw_marks(axes, strip.curves, picture, size)


def limits(strip: Strip) -> tuple[float, float]:
    """The ends of the value axis; decades of a logarithmic one."""
    if strip.low is not None and strip.high is not None:
        return strip.low, strip.high
    found = [curve.values[np.isfinite(curve.values)] for curve in strip.curves]
    values = np.concatenate(found) if found else np.empty(0)
    if strip.scale == "log":
        positive = np.abs(values[values != 0])
        if len(positive) == 0:
            return -17.0, -14.0
        decade = max(math.floor(math.log10(positive.min())), _FLOOR)
        upper = max(math.ceil(math.log10(positive.max()) + 1e-9), decade + 2)
        return float(decade - bool((values == 0).any())), float(upper)
    if strip.band is not None:
        values = np.append(values, [-strip.band, strip.band])
    if any(curve.area_from is not None for curve in strip.curves):
        values = np.append(values, 0.0)
    if len(values) == 0:
        return 0.0, 1.0
    least, most = float(values.min()), float(values.max())
    # Neither round-off nor the last digits of a constant deserve the height of a whole strip.
    span = max(most - least, 1e-3 * max(abs(least), abs(most))) or 1.0
    middle = 0.5 * (least + most)
    return middle - 0.54 * span, middle + 0.54 * span


def heights(strip: Strip, values: np.ndarray, low: float) -> np.ndarray:
    """Values (n,) in the units of the axis: themselves, or decades (n,), no lower than `low`."""
    if strip.scale != "log":
        return values
    with np.errstate(divide="ignore"):
        decades = np.log10(np.abs(values))
    return np.where(values == 0, low, np.maximum(decades, low))


def _inches(axes: Axes) -> tuple[float, float]:
    """Width and height of the axes."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    box, (width, height) = axes.get_position(), figure.get_size_inches()
    return box.width * width, box.height * height


def _label(axes: Axes, strip: Strip, factor: str, size: float) -> str:
    """Symbol and unit, or as much of them as there is room for beside the axis."""
    unit = " ".join(part for part in (factor, strip.unit) if part)
    room = _inches(axes)[1] * 72 / (0.52 * size)
    if not strip.symbol:
        return unit
    for text in (f"{strip.symbol} [{unit}]" if unit else strip.symbol, strip.symbol):
        if len(text) <= room + 2:
            return text
    return strip.symbol


def _set_ticks(axes: Axes, strip: Strip, low: float, high: float, size: float) -> str:
    """Few round numbers; the power of ten that they are to be multiplied by, or nothing."""
    count = int(min(max(_inches(axes)[1] * 72 / (2.4 * size), 2), 6))
    if strip.scale == "log":
        zero = any((curve.values == 0).any() for curve in strip.curves)
        step = math.ceil((high - low) / count)
        first = round(low) + (1 + step // 2 if zero else 0)
        places = [decade for decade in range(first, round(high) + 1) if decade % step == 0]
        texts = [power_of_ten(decade) if decade else "1" for decade in places]
        if zero:
            places, texts = [round(low), *places], ["0", *texts]
        axes.yaxis.set_major_locator(FixedLocator(places))
        axes.yaxis.set_major_formatter(FixedFormatter(texts))
        return ""
    steps = [step for step in _DEGREES if (high - low) / step <= count + 0.5]
    if strip.scale == "degrees" and steps and (high - low) / steps[-1] >= 1.5:
        turn = steps[-1]
        found = np.arange(math.ceil(low / turn - 1e-9), math.floor(high / turn + 1e-9) + 1) * turn
    else:
        found = np.asarray(MaxNLocator(count, steps=[1, 2, 5, 10]).tick_values(low, high))
    found = found[(found >= low - 1e-9 * (high - low)) & (found <= high + 1e-9 * (high - low))]
    largest = float(np.abs(found).max(initial=0.0))
    power = math.floor(math.log10(largest)) if largest > 0 else 0
    power = power if power >= 5 or power <= -3 else 0
    spacing = float(np.diff(found).min()) / 10.0**power if len(found) > 1 else 1.0
    decimals = decimals_for(spacing)
    axes.yaxis.set_major_locator(FixedLocator(found.tolist()))
    axes.yaxis.set_major_formatter(FixedFormatter([fixed(v / 10.0**power, decimals) for v in found]))
    return power_of_ten(power) if power else ""


def _draw_curves(axes: Axes, strip: Strip, low: float, size: float) -> None:
    width = size / 8.0
    points = []
    for curve in strip.curves:
        times, values = reduce(curve.times, curve.values)
        points.append((times, heights(strip, values, low)))
    solid, taken, pixel = _turns(axes, strip.curves, points)
    for number, (curve, (times, level)) in enumerate(zip(strip.curves, points, strict=True)):
        if curve.area_from is not None:
            below = heights(strip, reduce(curve.times, curve.area_from)[1], low)
            axes.fill_between(
                times, below, level, color=curve.colour, alpha=0.4, linewidth=0, label=curve.label
            )
            continue
        look: dict[str, Any] = {"color": curve.colour, "linewidth": width, "label": curve.label}
        if curve.marker:
            look |= {"linestyle": "none", "marker": curve.marker, **_hollow(size)}
            look |= {"clip_on": False, "zorder": 3}  # a symbol at the edge is drawn whole, and none beyond it
            (first, last), (bottom, top) = axes.get_xlim(), axes.get_ylim()
            seen = (first <= times) & (times <= last) & (bottom <= level) & (level <= top)
            times, level = times[seen], level[seen]
        elif curve.dashed:
            look |= {"linestyle": (0, (4, 4)), "zorder": 3}
        shape = MARKERS[shape_of(curve.lane)] if curve.lane is not None and number in solid else ""
        if shape:
            place = solid.index(number)
            first, last = axes.get_xlim()
            middles = shape_times(taken, place, first, min(last, float(times[-1])), pixel)
            axes.plot(middles, np.interp(middles, times, level), shape, color=curve.colour, **_hollow(size))
        if taken is not None and number in solid:
            level = np.where(taken.mask(solid.index(number), times), level, np.nan)
        axes.plot(times, level, solid_joinstyle="round", dash_capstyle="butt", **look)
        if curve.end is not None:
            at = heights(strip, np.array([curve.end[1]]), low)
            axes.plot(
                [curve.end[0]], at, "x", color=curve.colour, clip_on=False,
                markersize=0.7 * size, markeredgewidth=1.4 * width,
            )  # fmt: skip


def _hollow(size: float) -> dict[str, Any]:
    """How symbols along a curve are drawn in type of this `size`."""
    return {"markersize": 0.55 * size, "markerfacecolor": "none", "markeredgewidth": 0.1 * size}


def _turns(
    axes: Axes, curves: Sequence[Curve], points: Sequence[tuple[np.ndarray, np.ndarray]]
) -> tuple[list[int], Turns | None, float]:
    """The numbers of the curves that are lines, which part of each is drawn where several of them agree and take turns, and
    the width of a pixel [s]."""
    solid = [
        number
        for number, curve in enumerate(curves)
        if not (curve.dashed or curve.marker or curve.area_from is not None) and len(points[number][0]) > 1
    ]
    (low, high), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    wide, high_in = (PIXELS_PER_INCH * inches for inches in _inches(axes))
    pixel = (high - low) / wide
    if len(solid) < 2:
        return solid, None, pixel
    grid = np.linspace(low, high, max(int(wide), 2))
    shown = np.stack(
        [
            np.interp(grid, *points[number], left=np.nan, right=np.nan) * (high_in / (top - bottom))
            for number in solid
        ]
    )
    spacing = max(float(np.diff(points[number][0]).max()) for number in solid)
    return solid, turns(grid, shown, bucket_time(pixel, spacing)), pixel


def _draw_marks(axes: Axes, curves: Sequence[Curve], picture: FigurePicture, size: float) -> None:
    """A dotted line at each jump, with its cause where there is room for the word."""
    jumps = sorted({(time, cause) for curve in curves for time, cause in curve.jumps})
    jumps = [jump for jump in jumps if picture.low <= jump[0] <= picture.high]
    apart = 0.5 * size / 72 / _inches(axes)[0] * (picture.high - picture.low)
    merged: list[tuple[float, str]] = []
    for time, cause in jumps:  # lanes that agree jump together
        if merged and time - merged[-1][0] < apart:
            merged[-1] = (merged[-1][0], max(merged[-1][1], cause, key=CAUSES.index))
        else:
            merged.append((time, cause))
    free = -math.inf
    for number, (time, cause) in enumerate(merged):
        colour = DANGER if cause == "singular" else MUTED
        axes.axvline(time, color=colour, linewidth=0.08 * size, linestyle=(0, (1, 2)), zorder=1.6)
        room = 0.9 * apart * len(cause)
        after = merged[number + 1][0] if number + 1 < len(merged) else picture.high
        if time >= free and after - time > 1.1 * room:
            free = time + room
            axes.annotate(
                cause, (time, 1.0), (0.25 * size, -0.2 * size), xycoords=axes.get_xaxis_transform(),
                textcoords="offset points", size=0.8 * size, color=colour, va="top",
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.6},
            )  # fmt: skip


def dress_time(axes: Axes, named: bool, size: float) -> None:
    """Round times below the strip, if it is the one that names them."""
    count = int(min(max(_inches(axes)[0] * 72 / (5 * size), 2), 10))
    axes.xaxis.set_major_locator(MaxNLocator(count, steps=[1, 2, 5, 10]))
    axes.tick_params(labelbottom=named)
    if named:
        axes.set_xlabel("t [s]", labelpad=0.2 * size)

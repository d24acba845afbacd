"""Names at the ends of curves stand along their own curves, over none, and never over each other."""

import random
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from quatviz.feed.series import Series
from quatviz.panels.base.curves import Trace
from quatviz.ui.plots.marks import Name, Outline, apart, boxes_of

AREA = QRectF(40.0, 20.0, 240.0, 110.0)
HIGH = 15.0
X = np.linspace(AREA.left(), AREA.right(), 481)
Shape = Callable[[np.ndarray], np.ndarray]


def level(height: float) -> Shape:
    return lambda x: np.full_like(x, height)


def boxes(*shapes: Shape, wide: float = 60.0, theory: bool = False) -> dict[int, QRectF]:
    """Where the names of curves go that run so: heights from the places across, in pixels. With `theory` the last one is
    that of the lane before it."""
    traces = [Trace(Series(1), 0, "#ffffff", "", lane=f"lane {number}") for number in range(len(shapes))]
    if theory:
        traces[-1].theory, traces[-1].lane = True, traces[-2].lane
    outlines = [Outline(trace, X, shape(X)) for trace, shape in zip(traces, shapes, strict=True)]
    ends = [QPointF(AREA.right(), float(one.y[-1])) for one in outlines if not one.trace.theory]
    names = [Name(trace, trace.lane, at, wide) for trace, at in zip(traces, ends, strict=False)]
    return dict(boxes_of(names, outlines, HIGH, AREA))


@pytest.mark.parametrize("seed", range(8))
def test_no_name_is_over_a_curve_or_another_name_or_outside_the_plot(seed: int) -> None:
    draw = random.Random(seed)
    amplitudes = [draw.uniform(0.0, 12.0) for _ in range(5)]
    middles = [draw.uniform(AREA.top() + 12.0, AREA.bottom() - 12.0) for _ in range(5)]
    shapes: list[Shape] = [
        lambda x, far=far, at=at: at + far * np.sin(x / 9.0)  # type: ignore[misc]
        for far, at in zip(amplitudes, middles, strict=True)
    ]
    placed = boxes(*shapes, wide=draw.uniform(40.0, 100.0))
    assert all(AREA.contains(box) for box in placed.values())
    assert not any(one.intersects(other) for one, other in combinations(placed.values(), 2))
    for box in placed.values():
        inside = (box.left() <= X) & (box.right() >= X)
        for shape in shapes:
            heights = shape(X)[inside]
            assert not np.any((heights > box.top()) & (heights < box.bottom()))


def test_a_curve_alone_has_its_name_above_it_and_near_the_top_below() -> None:
    assert boxes(level(60.0))[0].bottom() == pytest.approx(57.0)
    assert boxes(level(AREA.top() + 3.0))[0].top() == pytest.approx(AREA.top() + 6.0)


def test_a_name_keeps_off_the_curve_that_it_is_of() -> None:
    """One that rises to its end had its name across it."""
    box = boxes(lambda x: 90.0 - 0.2 * (x - AREA.left()))[0]
    heights = 90.0 - 0.2 * (np.array([box.left(), box.right()]) - AREA.left())
    assert box.bottom() < heights.min() or box.top() > heights.max()


def test_a_name_has_no_other_curve_between_itself_and_its_own() -> None:
    """That of one row stood on the stripes of others, and the other's own curve ran twelve pixels above it."""
    near = boxes(level(60.0), level(68.0))
    assert near[0].bottom() < 60.0
    assert near[1].top() > 68.0
    assert boxes(level(60.0), level(66.0), level(72.0)).keys() == {0, 2}, "no room for the one between"


def test_a_curve_that_swings_too_far_has_no_name() -> None:
    assert not boxes(lambda x: 75.0 + 50.0 * np.sin(x / 5.0))


def test_a_curve_that_crosses_between_two_of_its_rows_is_not_overlooked() -> None:
    trace, other = (Trace(Series(1), 0, "#ffffff", "", lane=name) for name in ("one", "two"))
    steep = Outline(other, np.array([230.0, 250.0]), np.array([20.0, 130.0]))
    names = [Name(trace, "one", QPointF(AREA.right(), 60.0), 60.0)]
    flat = Outline(trace, X, np.full_like(X, 60.0))
    assert not boxes_of(names, [flat, steep], HIGH, AREA)
    assert boxes_of(names, [flat], HIGH, AREA)


def test_what_theory_says_of_a_lane_does_not_push_its_name_away() -> None:
    placed = boxes(level(60.0), level(60.0), theory=True)
    assert placed[0].bottom() < 60.0


def test_curves_that_end_together_have_no_names() -> None:
    ends = [QPointF(AREA.right(), 60.0), QPointF(AREA.right(), 66.0), QPointF(AREA.right(), 100.0)]
    assert apart(ends, HIGH) == [2]

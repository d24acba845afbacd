"""Simplified polylines: the drawn points, and which of them are joined."""

import numpy as np
import pytest
from PySide6.QtGui import QPainterPath

from quatviz.export.figures.stripes import TOUCH_DISTANCE, assign_turns
from quatviz.export.figures.strokes import make_strokes
from quatviz.ui.plots.curve_painting import stroke_paths

X = np.linspace(3.0, 90.0, 30)


def pieces(path: QPainterPath) -> list[list[tuple[float, float]]]:
    """Return the points (x, y) of each piece of a path."""
    runs: list[list[tuple[float, float]]] = []
    for number in range(path.elementCount()):
        element = path.elementAt(number)
        if element.isMoveTo():
            runs.append([])
        runs[-1].append((element.x, element.y))
    return runs


def test_line_breaks_at_missing_points() -> None:
    y = np.stack([np.sin(X), np.cos(X), X])
    drawn = np.ones(y.shape, dtype=bool)
    drawn[0, 12] = drawn[2, :5] = drawn[2, 20:] = False
    y[0, 25] = np.nan
    first, second, third = stroke_paths(make_strokes(X, y, drawn)[0])
    runs = [(0, 12), (13, 25), (26, 30)]
    assert pieces(first) == [[(X[at], y[0, at]) for at in range(*run)] for run in runs]
    assert pieces(second) == [[(X[at], y[1, at]) for at in range(30)]]
    assert pieces(third) == [[(X[at], y[2, at]) for at in range(5, 20)]], "no line joins another"


@pytest.mark.parametrize("count", [0, 1, 3])
def test_hidden_curves_give_empty_paths(count: int) -> None:
    y = np.zeros((count, len(X)))
    assert [
        path.elementCount() for path in stroke_paths(make_strokes(X, y, np.zeros(y.shape, dtype=bool))[0])
    ] == [0] * count


def test_stripes_are_independent_of_other_agreeing_lanes() -> None:
    chance = np.random.default_rng(5)
    times = np.arange(400) * 0.1
    heights = chance.choice([0.0, 0.4 * TOUCH_DISTANCE, 5.0], size=(5, 400), p=[0.5, 0.4999, 0.0001])
    heights[4, 300:] = np.nan
    heights[1, 120:130] = 9.0
    taken = assign_turns(times, heights, 1.0)
    for index, bucket in enumerate(taken.buckets.numbers):
        rows = heights[:, np.floor(times) == bucket]
        for curve in range(5):
            touches = [
                all(
                    abs(a - b) <= TOUCH_DISTANCE or (a != a and b != b)
                    for a, b in zip(rows[curve], other, strict=True)
                )
                for other in rows
            ]
            assert taken.is_shown[curve, index] == (bucket % sum(touches) == sum(touches[:curve]))

"""Names at the ends of curves stand beside each other, never over each other."""

import random
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF

from quatviz.ui.plots.marks import apart, boxes_of

AREA = QRectF(40.0, 20.0, 240.0, 110.0)
HIGH = 15.0


@pytest.mark.parametrize("seed", range(8))
def test_no_name_is_over_another_one_or_outside_the_plot(seed: int) -> None:
    draw = random.Random(seed)
    ends = [QPointF(AREA.right(), draw.uniform(AREA.top(), AREA.bottom())) for _ in range(5)]
    placed = boxes_of(ends, [draw.uniform(40.0, 120.0) for _ in ends], HIGH, AREA)
    assert all(AREA.adjusted(-1, -1, 1, 1).contains(box) for _, box in placed)
    assert not any(one.intersects(other) for (_, one), (_, other) in combinations(placed, 2))


def test_a_name_near_the_top_goes_below_and_the_next_one_makes_way() -> None:
    ends = [QPointF(AREA.right(), AREA.top() + 3.0), QPointF(AREA.right(), AREA.top() + 19.0)]
    (first, upper), (second, lower) = boxes_of(ends, [50.0, 60.0], HIGH, AREA)
    assert (first, second) == (0, 1)
    assert upper.top() > ends[0].y()
    assert lower.top() > upper.bottom()


def test_curves_that_end_together_have_no_names() -> None:
    ends = [QPointF(AREA.right(), 60.0), QPointF(AREA.right(), 66.0), QPointF(AREA.right(), 100.0)]
    assert apart(ends, HIGH) == [2]


def test_of_two_curves_that_end_near_each_other_the_upper_has_its_name_above_and_the_lower_below() -> None:
    for heights in ((60.0, 68.0), (68.0, 60.0)):
        ends = [QPointF(AREA.right(), height) for height in heights]
        boxes = dict(boxes_of(ends, [50.0, 50.0], HIGH, AREA))
        upper, lower = sorted(boxes, key=lambda number: ends[number].y())
        assert boxes[upper].bottom() < 60.0
        assert boxes[lower].top() > 68.0

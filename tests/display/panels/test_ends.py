"""Names beside a plot: ordered by the ends of their curves, wrapped instead of cut, shared where space is short."""

import numpy as np
import pytest

from quatviz.base.formatting.text_layout import TextMetrics
from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import Series
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.end_labels import (
    CurveEnd,
    DrawnCurves,
    EndLabel,
    EndLabelLayout,
    end_names,
    place_cross_labels,
    stack_labels,
)
from quatviz.display.panels.base.time_axis import TimeAxis

ROOM = Rect(300.0, 20.0, 90.0, 100.0)
LETTERS = TextMetrics(lambda text: 6.0 * len(text), 15.0)


def ends_of(**heights: float) -> list[CurveEnd]:
    made = [Trace(Series(1), 0, "#ffffff", "", lane=lane, number=0) for lane in heights]
    return [CurveEnd(trace, ROOM.x, y) for trace, y in zip(made, heights.values(), strict=True)]


def labels_of(ends: list[CurveEnd], room: Rect) -> list[EndLabel]:
    names = end_names([end.trace for end in ends])
    return [label for label, _ in stack_labels(ends, names, LETTERS, room)]


def test_coinciding_ends_have_separate_names_if_space_allows() -> None:
    ends = ends_of(one=30.0, two=30.0, three=30.0, four=90.0)
    assert [label.lines for label in labels_of(ends, ROOM)] == [["one"], ["two"], ["three"], ["four"]]
    low = Rect(ROOM.x, ROOM.y, ROOM.width, 2.5 * LETTERS.line_height)
    assert [label.lines for label in labels_of(ends, low)] == [["one +2"], ["four"]]
    assert [len(label.ends) for label in labels_of(ends, low)] == [3, 1]


def test_name_is_wrapped_and_never_cut() -> None:
    (label,) = labels_of(ends_of(**{"rate in the wrong frame": 50.0}), ROOM)
    assert len(label.lines) == 2
    assert " ".join(label.lines) == "rate in the wrong frame"


def test_order_of_close_names_is_stable() -> None:
    names = EndLabelLayout()

    def order(**heights: float) -> list[str]:
        return [end.trace.lane for end in names.sort_ends(ends_of(**heights), 5.0)]

    assert order(one=30.0, two=40.0, three=80.0) == ["one", "two", "three"]
    assert order(one=42.0, two=40.0, three=80.0) == ["one", "two", "three"]
    assert order(one=50.0, two=40.0, three=80.0) == ["two", "one", "three"]
    assert order(one=38.0, two=40.0, three=80.0) == ["two", "one", "three"]


def test_strip_too_narrow_for_names_keeps_its_curves() -> None:
    """The curves are its purpose, and the legend has the names."""
    traces = [end.trace for end in ends_of(Konjunktionsmultiplikator=1.0, two=2.0)]
    names = EndLabelLayout()
    names.ends_differ = True
    assert names.required_width(LETTERS, traces, 200.0) == names.required_width(LETTERS, traces, 400.0) == 0
    assert 0 < names.required_width(LETTERS, traces, 700.0) < 175


class ConstantCurves(DrawnCurves):
    """A constant curve at the ends of its lanes."""

    def is_crossed(self, box: Rect) -> bool:
        return box.y - 5.0 < 55.0 < box.bottom + 5.0


def named_in(strip: Rect, **crosses: float) -> dict[str, tuple[str, Rect]]:
    """Return the texts in a strip beside the end markers of these lanes, with their positions."""
    died = [
        end._replace(x=x)
        for end, x in zip(ends_of(**dict.fromkeys(crosses, 55.0)), crosses.values(), strict=True)
    ]
    traces = [end.trace for end in died]
    curves = ConstantCurves(traces, SCALE_CLASSES["linear"](), TimeAxis(), strip)
    placed = place_cross_labels(died, end_names(traces), LETTERS, curves)
    return {end.trace.lane: ("\n".join(lines), box) for end, lines, box in placed}


def test_name_is_not_placed_at_the_cross_of_another_lane() -> None:
    """Left of its own end marker, it would start at the other one and be read as that lane's name."""
    strip = Rect(0.0, 20.0, 320.0, 70.0)
    for apart in range(0, 200, 7):
        crosses = {"rotation_vector": 60.0 + apart, "reduced_euler_parameters": 60.0}
        boxes = {lane: box for lane, (_, box) in named_in(strip, **crosses).items()}
        for lane, box in boxes.items():
            assert box.x - 1.5 * LETTERS.line_height <= crosses[lane] <= box.right + 1.5 * LETTERS.line_height
            for other, x in crosses.items():
                assert other == lane or not box.x - 5.0 < x < box.right + 5.0 or apart < 10
        if len(boxes) == 2:
            one, two = sorted(boxes.values())
            assert not one.intersects(two)
            assert one.right + LETTERS.line_height <= two.x or one.bottom <= two.y or two.bottom <= one.y


def test_name_avoids_the_band_about_zero() -> None:
    """The band's color crossed the name out."""
    scale = SCALE_CLASSES["linear"]()
    scale.extend_to(-1.0, 1.0, 0.1, 0.0)
    (end,) = ends_of(one=70.0)  # zero
    curves = DrawnCurves([], scale, TimeAxis(), ROOM._replace(x=0.0, width=320.0), band=0.01)
    ((_, _, box),) = place_cross_labels([end], {"one": "one"}, LETTERS, curves)
    assert box.bottom < 70.0 or box.y > 70.0


@pytest.mark.parametrize(
    ("slope", "high", "type_", "away"), [(65.0, 240.0, 1.0, 10.0), (64.0, 60.0, 1.6, 36.0)]
)
def test_name_beside_a_peak_at_the_edge_is_shifted(
    slope: float, high: float, type_: float, away: float
) -> None:
    """The cross of a pitch of 90 degrees had no name, because every position cut the curves of other lanes. Repeated in large
    type, in a low strip."""
    letters = TextMetrics(lambda text: type_ * LETTERS.advance(text), type_ * LETTERS.line_height)
    series, times = Series(1), np.linspace(0.0, 15.0, 1501)
    series.set_data(times, (90.0 - slope * np.abs(times - 5.0))[:, None])
    trace = Trace(series, 0, "#ffffff", "", lane="one", number=0)
    axis, scale, area = TimeAxis(), SCALE_CLASSES["degrees"](), Rect(50.0, 20.0, 300.0, high)
    axis.start(15.0, 0.01)
    scale.extend_to(-90.0, 90.0, float("nan"), 0.0)
    curves = DrawnCurves([trace], scale, axis, area)
    end = CurveEnd(trace, curves.x_of(5.0), area.y)
    ((_, lines, box),) = place_cross_labels([end], {"one": "3-2-1"}, letters, curves)
    assert lines == ["3-2-1"]
    assert area.contains(box)
    assert not curves.is_crossed(box)
    assert box.y < area.y + letters.line_height
    assert min(abs(box.x - end.x), abs(box.right - end.x)) <= away


def test_long_name_is_shortened_to_its_coordinates() -> None:
    wide, narrow = Rect(0.0, 20.0, 600.0, 70.0), Rect(0.0, 20.0, 190.0, 70.0)
    assert named_in(wide, reduced_euler_parameters=60.0)["reduced_euler_parameters"][0] == (
        "Lagrange in reduced Euler parameters"
    )
    assert named_in(narrow, reduced_euler_parameters=60.0)["reduced_euler_parameters"][0] == (
        "reduced Euler parameters"
    )
    assert named_in(narrow._replace(width=110.0), reduced_euler_parameters=60.0)["reduced_euler_parameters"][
        0
    ] == ("reduced Euler\nparameters")


def test_cross_is_at_the_end_time_not_at_the_last_sample() -> None:
    """The marker was at 4.99 s while the message of the lane said 4.998."""
    times = np.arange(500) * 0.01
    series = Series(1)
    series.set_data(times, times[:, None])
    whole = Trace(series, 0, "#ffffff", "", lane="one", number=0)
    assert whole.end_point is None
    whole.ended = 4.998
    assert whole.end_point == (4.998, 4.99)
    shorter = Series(1)
    shorter.set_data(times[:300], times[:300, None])
    of_a_difference = Trace(shorter, 0, "#ffffff", "", ended=4.998)
    assert of_a_difference.end_point == (times[299], times[299]), "from a lane that ended before"
    axis, scale = TimeAxis(), SCALE_CLASSES["linear"]()
    axis.start(10.0, 0.01)
    scale.extend_to(0.0, 5.0, np.nan, 0.0)
    _, (cross,) = DrawnCurves([whole], scale, axis, Rect(0.0, 0.0, 10000.0, 100.0)).curve_ends()
    assert round(cross.x) == 4998

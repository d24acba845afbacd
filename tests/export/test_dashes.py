"""Dashes along curves: equal lengths on steep and flat parts, small gaps, stable positions."""

import numpy as np
import pytest

from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import Series
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import (
    COLOR_COUNT,
    DASH_PATTERNS,
    MAX_PATTERN_LENGTH,
    dash_pattern,
)
from quatviz.export.figures.stripes import assign_turns
from quatviz.export.figures.strokes import (
    CROWDED_HEIGHT,
    MAX_SIMPLIFY_PASSES,
    Strokes,
    cell_boundaries,
    cell_duration,
    curve_lines,
    is_broad,
    make_strokes,
    visible_points,
    with_dashes,
)

WIDTH = 2.0
PIXEL = 0.05
"""Seconds per pixel."""
LONG, DOTS = ([WIDTH * part for part in DASH_PATTERNS[number]] for number in (1, 2))


def line(times: np.ndarray, heights: np.ndarray, pattern: list[float], low: float = 0.0) -> Strokes:
    """Return a dashed curve in pixels of a plot that starts at `low` [s]."""
    whole = np.ones((1, len(times)), dtype=bool)
    given, points = make_strokes((times - low) / PIXEL, heights[None], whole)
    meets = (cell_boundaries(low, float(times[-1]), cell_duration(PIXEL, WIDTH)) - low) / PIXEL
    return with_dashes(given, whole.ravel()[points], meets, [pattern], WIDTH)


def ends(drawn: Strokes) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the points at which dashes start and end."""
    begins = np.flatnonzero(~drawn.is_joined)
    return begins, np.append(begins[1:], len(drawn.x)) - 1


def lengths(drawn: Strokes) -> np.ndarray:
    way = np.cumsum(np.hypot(np.diff(drawn.x, prepend=0.0), np.diff(drawn.y, prepend=0.0)))
    begins, last = ends(drawn)
    return way[last] - way[begins]


def gaps(drawn: Strokes) -> np.ndarray:
    begins, last = ends(drawn)
    after, before = begins[1:], last[:-1]
    return np.hypot(drawn.x[after] - drawn.x[before], drawn.y[after] - drawn.y[before])


def test_adjacent_lanes_and_lanes_of_one_color_have_different_patterns() -> None:
    assert dash_pattern(0) == ()
    assert len(set(DASH_PATTERNS)) == len(DASH_PATTERNS) == COLOR_COUNT
    for number in range(4 * COLOR_COUNT):
        assert dash_pattern(number) != dash_pattern(number + 1)
        assert dash_pattern(number) != dash_pattern(number + COLOR_COUNT)
    first = [dash_pattern(number) for number in range(COLOR_COUNT)]
    assert sorted(first) == sorted(DASH_PATTERNS)


def test_gaps_are_short_and_dashes_visible() -> None:
    for pattern in DASH_PATTERNS[1:]:
        assert len(pattern) % 2 == 0
        assert min(pattern[0::2]) >= 1.5
        assert 2.0 <= min(pattern[1::2]) <= max(pattern[1::2]) <= 4.0
        assert sum(pattern) <= MAX_PATTERN_LENGTH


@pytest.mark.parametrize("slope", [0.0, 1.0, 12.0])
def test_dashes_have_equal_length_on_steep_and_flat_curves(slope: float) -> None:
    times = np.arange(0.0, 60.0, 0.04)
    drawn = line(times, slope * times / PIXEL, LONG)
    assert np.abs(lengths(drawn)[3:-3] / LONG[0] - 1.0).max() < 0.25
    assert np.abs(gaps(drawn)[3:-3] / LONG[1] - 1.0).max() < 0.25


def test_dashes_are_stable_while_the_view_scrolls() -> None:
    times = np.arange(0.0, 60.0, 0.04)
    heights = 60.0 * np.sin(times)
    cell = cell_duration(PIXEL, WIDTH)
    whole = line(times, heights, LONG)
    later, shorter = times >= 13.0, times <= 41.0
    scrolled = line(times[later], heights[later], LONG, low=13.0)
    growing = line(times[shorter], heights[shorter], LONG)
    begun = [
        part.x[~part.is_joined] * PIXEL + low
        for part, low in ((whole, 0.0), (scrolled, 13.0), (growing, 0.0))
    ]
    for other, low, high in ((begun[1], 13.0 + cell, 60.0 - cell), (begun[2], cell, 41.0 - cell)):
        inside = [part[(part > low) & (part < high)] for part in (begun[0], other)]
        assert len(inside[0]) > 10
        assert inside[1] == pytest.approx(inside[0], abs=1e-6)


def test_no_gap_hides_a_peak() -> None:
    times = np.arange(0.0, 20.0, 0.04)
    for peak in np.arange(6.0, 8.0, 0.1):
        heights = 50.0 * np.maximum(1.0 - np.abs(times - peak) / (2 * PIXEL), 0.0)
        for pattern in DASH_PATTERNS[1:]:
            drawn = line(times, heights, [WIDTH * part for part in pattern])
            assert drawn.y.max() > heights.max() - WIDTH * 4.0


def test_dense_oscillation_is_solid_and_slow_one_dashed() -> None:
    times = np.arange(0.0, 40.0, 0.01)
    fast, slow = (
        40.0 * np.sin(np.pi * times / (part * CROWDED_HEIGHT * WIDTH * PIXEL)) for part in (0.4, 4.0)
    )
    assert len(ends(line(times, fast, DOTS))[0]) == 1
    assert len(ends(line(times, slow, DOTS))[0]) > 100


def test_curve_with_a_dense_part_is_solid_everywhere() -> None:
    """It was solid where it oscillated fast, and dashed after that as if another curve started."""
    times = np.arange(0.0, 40.0, 0.01)
    fast = 40.0 * np.sin(np.pi * times / (0.4 * CROWDED_HEIGHT * WIDTH * PIXEL))
    decaying = np.where(times < 30.0, fast, 0.0)
    assert len(ends(line(times, decaying, DOTS))[0]) == 1
    given, points = make_strokes(
        times / PIXEL, np.stack([decaying, times]), np.ones((2, len(times)), dtype=bool)
    )
    meets = cell_boundaries(0.0, 40.0, cell_duration(PIXEL, WIDTH)) / PIXEL
    drawn = with_dashes(given, np.ones(len(points), dtype=bool), meets, [DOTS, DOTS], WIDTH)
    assert np.count_nonzero(~drawn.is_joined[drawn.points_of(0)]) == 1
    assert np.count_nonzero(~drawn.is_joined[drawn.points_of(1)]) > 50, "each curve is decided separately"


@pytest.mark.parametrize("width", [2, 3])
def test_close_oscillations_are_solid_with_narrow_theory(width: int) -> None:
    """Dotted lines over a wide pale band filled the space between them and looked like a hatched block."""
    times, traces = np.arange(4001) * 0.01, []
    for theory in (False, True):
        series = Series(1)
        series.set_data(times, np.sin(44 * np.pi * times / 40.0)[:, None])
        traces.append(Trace(series, 0, "#000000", "", number=2, pattern=dash_pattern(2), is_theory=theory))
    axis, scale = TimeAxis(), SCALE_CLASSES["linear"]()
    axis.start(40.0, 0.01)
    scale.extend_to(-1.0, 1.0, np.nan, 0.0)
    for apart, crowded in ((4.0 * width, True), (10.0 * width, False)):
        area = Rect(0.0, 0.0, 44 * apart, 400.0)
        assert is_broad(traces[1], scale, axis, area, False, width) is not crowded
        ((_, drawn),) = curve_lines(traces[:1], scale, axis, area, False, width).lines
        assert bool(np.count_nonzero(~drawn.is_joined) == 1) is crowded


def test_curves_are_dashed_independently_of_each_other() -> None:
    times = np.arange(0.0, 60.0, 0.04)
    y = np.stack([20.0 * times, 60.0 * np.sin(times), np.where(times < 30.0, times, np.nan)])
    given, points = make_strokes(times / PIXEL, y, np.ones(y.shape, dtype=bool))
    meets = cell_boundaries(0.0, 60.0, cell_duration(PIXEL, WIDTH)) / PIXEL
    together = with_dashes(given, np.ones(len(points), dtype=bool), meets, [LONG, DOTS, LONG], WIDTH)
    for curve, (heights, pattern) in enumerate(zip(y, (LONG, DOTS, LONG), strict=True)):
        strokes, here = make_strokes(times / PIXEL, heights[None], np.ones((1, len(times)), dtype=bool))
        alone = with_dashes(strokes, np.ones(len(here), dtype=bool), meets, [pattern], WIDTH)
        own = together.points_of(curve)
        assert together.x[own] == pytest.approx(alone.x)
        assert together.y[own] == pytest.approx(alone.y)
        assert together.is_joined[own].tolist() == alone.is_joined.tolist()


def test_striped_curves_are_not_dashed() -> None:
    times = np.linspace(0.0, 40.0, 801)
    heights = np.zeros((3, 801))
    heights[2, 400:] = 30.0
    heights[1, 600:] = 60.0
    taken = assign_turns(times, heights, 1.0)
    assert not taken.touches_none(0, times)[:399].any()
    assert not taken.touches_none(1, times)[400:580].any()
    assert taken.touches_none(2, times)[420:].all()
    assert taken.touches_none(1, times)[620:].all()
    assert not assign_turns(times, np.zeros((3, 801)), 1.0).touches_none(1, times).any()


def test_simplified_points_stay_on_the_line_and_keep_ends() -> None:
    x = np.arange(0.0, 400.0, 0.5)
    y = np.stack([50.0 * np.sin(x / 30.0), np.where(np.abs(x - 200.0) < 1.0, 40.0, 0.0)])
    drawn = np.ones(y.shape, dtype=bool)
    drawn[0, 100:131] = False
    given, _ = make_strokes(x, y, drawn)
    points = visible_points(given)
    kept = given.with_points(points)
    assert len(kept.x) < 0.75 * len(given.x)
    assert (~kept.is_joined).sum() == (~given.is_joined).sum() == 3
    for curve in range(2):
        own, all_own = kept.points_of(curve), given.points_of(curve)
        expected = np.interp(given.x[all_own], kept.x[own], kept.y[own])
        assert np.abs(expected - given.y[all_own]).max() < 0.02 * MAX_SIMPLIFY_PASSES


def test_each_curve_is_drawn_once_dashed_or_solid() -> None:
    """The curve of a dashed lane was also drawn as a solid line."""
    times, traces = np.arange(400) * 0.01, []
    for number in range(4):
        series = Series(1)
        series.set_data(times, np.sin(times + number)[:, None])
        traces.append(Trace(series, 0, "#000000", "", number=number, pattern=dash_pattern(number)))
    axis, scale = TimeAxis(), SCALE_CLASSES["linear"]()
    scale.extend_to(-1.0, 1.0, np.nan, 0.0)
    made = curve_lines(traces, scale, axis, Rect(0.0, 0.0, 400.0, 200.0), False, 2)
    assert sorted(number for numbers, _ in made.lines for number in numbers) == [0, 1, 2, 3]
    assert all(len(lines.starts) == len(numbers) + 1 for numbers, lines in made.lines)

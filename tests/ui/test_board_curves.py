"""Painted curves equal the values of their source."""

import numpy as np
import pytest

from quatviz.display.data.budget import COARSE_DURATION
from quatviz.display.data.lane_readouts import group_equal_texts
from quatviz.display.data.series import MIN_COARSE_BUCKETS, BucketRange, Series, bucket_range
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.physics.kernels.pyramid import LEVEL_FACTOR, bucket_size

ROWS = LEVEL_FACTOR**2 * 7 + 1234


def noisy(rows: int = ROWS, width: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    return np.arange(rows) * 0.01, random.normal(size=(rows, width)) + np.sin(np.arange(rows) * 0.001)[
        :, None
    ]


def grown(times: np.ndarray, values: np.ndarray, magnitude: bool = False) -> Series:
    """A series that was fed in uneven portions, as a running simulation does."""
    series = Series(values.shape[1], magnitude)
    for stop in (1, 2, 31, 32, 33, 500, 4097, 4098, len(times)):
        series.set_data(times[:stop], values[:stop])
    return series


@pytest.mark.parametrize("magnitude", [False, True])
@pytest.mark.parametrize("size", [2, 16, 32, 64, 256, 1024, 2048])
def test_each_bucket_shows_the_least_and_the_greatest_of_its_rows(size: int, magnitude: bool) -> None:
    times, values = noisy()
    drawn_times, drawn = grown(times, values, magnitude).points(BucketRange(0, -(-ROWS // size), size, times))
    truth = np.abs(values) if magnitude else values
    for number, start in enumerate(range(0, ROWS, size)):
        rows = truth[start : start + size]
        pair = drawn[2 * number : 2 * number + 2]
        assert np.allclose(pair.min(axis=0), rows.min(axis=0), rtol=1e-7, atol=0.0)
        assert np.allclose(pair.max(axis=0), rows.max(axis=0), rtol=1e-7, atol=0.0)
        assert (
            times[start]
            == drawn_times[2 * number]
            <= drawn_times[2 * number + 1]
            < start * 0.01 + size * 0.01
        )


def test_a_pair_goes_the_way_of_its_curve() -> None:
    times = np.arange(64) * 1.0
    series = grown(times, np.stack([times, -times], axis=1))
    _, drawn = series.points(BucketRange(0, 4, 16, times))
    assert np.all(np.diff(drawn[:, 0]) > 0)
    assert np.all(np.diff(drawn[:, 1]) < 0)


def test_few_rows_are_drawn_one_by_one() -> None:
    times, values = noisy(300)
    drawn_times, drawn = grown(times, values).points(bucket_range(times, 0.0, 3.0, 400))
    assert np.array_equal(drawn_times, times)
    assert np.array_equal(drawn, values)


def test_about_one_pair_per_pixel_is_drawn_however_long_the_run() -> None:
    for rows in (10_000, 123_456, 1_000_000):
        assert 0.7 <= rows / bucket_size(rows, 312) / 312 <= 1.5


@pytest.mark.parametrize("size", [1, 4, 64])
def test_a_break_stays_a_gap(size: int) -> None:
    times, values = noisy()
    values[5000, 1] = np.nan
    drawn_times, drawn = grown(times, values).points(BucketRange(0, -(-ROWS // size), size, times))
    missing = np.isnan(drawn[:, 1])
    assert 1 <= missing.sum() <= 2
    assert drawn_times[missing].min() <= times[5000] <= drawn_times[missing].max()
    assert np.isfinite(drawn[:, 0]).all()


@pytest.mark.parametrize("rows", [300, 4000, 20_000])
def test_lanes_in_one_window_share_the_times_of_their_points(rows: int) -> None:
    times, values = noisy(rows)
    view = bucket_range(times, 0.0, times[-1], 312)
    one, other = (grown(times, some).points(view) for some in (values, -values))
    assert one[0] is other[0]
    assert len(one[0]) == len(one[1]) == len(other[1])


def test_buckets_do_not_change_while_the_view_scrolls() -> None:
    times, values = noisy()
    series = grown(times, values)
    first, last = bucket_range(times, 10.0, 40.0, 312), bucket_range(times, 10.37, 40.37, 312)
    assert first.size == last.size > 1
    here, there = (
        dict(zip(t.tolist(), v[:, 0].tolist(), strict=True)) for t, v in map(series.points, (first, last))
    )
    shared = here.keys() & there.keys()
    assert len(shared) > 400
    assert all(here[time] == there[time] for time in shared)


def test_new_rows_are_drawn_at_once_to_the_last() -> None:
    times, values = noisy()
    series = Series(3)
    for stop in (40, 41, 700):
        assert series.set_data(times[:stop], values[:stop])
        assert not series.set_data(times[:stop], values[:stop])
        drawn_times, _ = series.points(BucketRange(0, 10**6, 4, times[:stop]))
        assert drawn_times[-1] == times[stop - 1]


def test_the_value_under_the_cursor_lies_on_the_line() -> None:
    times, values = noisy(100)
    series = grown(times, values)
    assert series.values_at(times[7]) == values[7].tolist()
    assert series.values_at(0.075) == pytest.approx(((values[7] + values[8]) / 2).tolist())
    assert np.isnan(series.values_at(-0.1)).all()
    assert np.isnan(series.values_at(99.0)).all()
    assert series.values_at(times[-1]) == values[-1].tolist()


def test_extent_ignores_what_is_not_a_number() -> None:
    times, values = noisy(100, 1)
    values[3], values[4] = np.nan, np.inf
    series = grown(times, values)
    good = values[np.isfinite(values)]
    assert (series.minimum[0], series.maximum[0]) == (good.min(), good.max())


def test_after_a_leap_curves_are_drawn_by_blocks_that_are_reduced_already() -> None:
    times = np.arange(7000) * 1e-3
    fine, coarse = bucket_range(times, 0.0, 7.0, 480.0), bucket_range(times, 0.0, 7.0, 480.0, coarse=True)
    assert fine.size < LEVEL_FACTOR <= coarse.size
    assert MIN_COARSE_BUCKETS <= 7000 / coarse.size < 2 * MIN_COARSE_BUCKETS
    few = bucket_range(times[:3000], 0.0, 3.0, 480.0, coarse=True)
    assert few == bucket_range(times[:3000], 0.0, 3.0, 480.0), "too few blocks would not tell the curve"


@pytest.mark.parametrize("leap", ["follow", "pan", "zoom"])
def test_an_axis_is_coarse_for_a_moment_after_it_leapt_and_not_where_it_rolls(leap: str) -> None:
    axis = TimeAxis()
    axis.start(1000.0, 1e-3)
    axis.zoom(0.007, 0.0)
    axis.redraws.budget.begin_frame(2 * COARSE_DURATION, playing=True)
    axis.follow(6.0)
    axis.follow(6.5)
    assert axis.low > 0.0
    assert not axis.is_coarse
    {"follow": lambda: axis.follow(500.0), "pan": lambda: axis.pan(1.0), "zoom": lambda: axis.zoom(2.0, 6.0)}[
        leap
    ]()
    axis.redraws.budget.begin_frame(2.5 * COARSE_DURATION, playing=True)
    assert axis.is_coarse
    axis.redraws.budget.begin_frame(3.1 * COARSE_DURATION, playing=True)
    assert not axis.is_coarse


def test_a_film_waits_for_its_curves() -> None:
    axis = TimeAxis()
    axis.start(1000.0, 1e-3)
    axis.is_offline = True
    axis.zoom(0.007, 0.0)
    axis.follow(500.0)
    assert axis.low > 400.0
    assert not axis.is_coarse


def test_a_lane_without_a_value_is_no_sign_of_the_next_one() -> None:
    """ "– 0.5" was read as minus one half if the first lane had ended before the cursor."""
    assert group_equal_texts(["–", "0.5", "0.7"]) == [(), (1,), (2,)]
    assert group_equal_texts(["–", "0.5", "0.5"]) == [(), (1, 2), ()]
    assert group_equal_texts(["–", "–"]) == [(0,), (1,)]

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


def make_series(times: np.ndarray, values: np.ndarray, magnitude: bool = False) -> Series:
    """Return a series that is fed in uneven portions, as a running simulation does."""
    series = Series(values.shape[1], magnitude)
    for stop in (1, 2, 31, 32, 33, 500, 4097, 4098, len(times)):
        series.set_data(times[:stop], values[:stop])
    return series


@pytest.mark.parametrize("magnitude", [False, True])
@pytest.mark.parametrize("size", [2, 16, 32, 64, 256, 1024, 2048])
def test_bucket_keeps_minimum_and_maximum_of_rows(size: int, magnitude: bool) -> None:
    times, values = noisy()
    drawn_times, drawn = make_series(times, values, magnitude).points(
        BucketRange(0, -(-ROWS // size), size, times)
    )
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


def test_bucket_pair_follows_curve_direction() -> None:
    times = np.arange(64) * 1.0
    series = make_series(times, np.stack([times, -times], axis=1))
    _, drawn = series.points(BucketRange(0, 4, 16, times))
    assert np.all(np.diff(drawn[:, 0]) > 0)
    assert np.all(np.diff(drawn[:, 1]) < 0)


def test_few_rows_are_drawn_individually() -> None:
    times, values = noisy(300)
    drawn_times, drawn = make_series(times, values).points(bucket_range(times, 0.0, 3.0, 400))
    assert np.array_equal(drawn_times, times)
    assert np.array_equal(drawn, values)


def test_about_one_pair_per_pixel_is_drawn() -> None:
    for rows in (10_000, 123_456, 1_000_000):
        assert 0.7 <= rows / bucket_size(rows, 312) / 312 <= 1.5


@pytest.mark.parametrize("size", [1, 4, 64])
def test_nan_row_leaves_gap(size: int) -> None:
    times, values = noisy()
    values[5000, 1] = np.nan
    drawn_times, drawn = make_series(times, values).points(BucketRange(0, -(-ROWS // size), size, times))
    missing = np.isnan(drawn[:, 1])
    assert 1 <= missing.sum() <= 2
    assert drawn_times[missing].min() <= times[5000] <= drawn_times[missing].max()
    assert np.isfinite(drawn[:, 0]).all()


@pytest.mark.parametrize("rows", [300, 4000, 20_000])
def test_lanes_with_equal_rows_share_point_times(rows: int) -> None:
    times, values = noisy(rows)
    view = bucket_range(times, 0.0, times[-1], 312)
    first, second = (make_series(times, some).points(view) for some in (values, -values))
    assert first[0] is second[0]
    assert len(first[0]) == len(first[1]) == len(second[1])


def test_buckets_are_stable_while_view_scrolls() -> None:
    times, values = noisy()
    series = make_series(times, values)
    first, last = bucket_range(times, 10.0, 40.0, 312), bucket_range(times, 10.37, 40.37, 312)
    assert first.size == last.size > 1
    here, second = (
        dict(zip(t.tolist(), v[:, 0].tolist(), strict=True)) for t, v in map(series.points, (first, last))
    )
    shared = here.keys() & second.keys()
    assert len(shared) > 400
    assert all(here[time] == second[time] for time in shared)


def test_new_rows_are_drawn_to_the_last() -> None:
    times, values = noisy()
    series = Series(3)
    for stop in (40, 41, 700):
        assert series.set_data(times[:stop], values[:stop])
        assert not series.set_data(times[:stop], values[:stop])
        drawn_times, _ = series.points(BucketRange(0, 10**6, 4, times[:stop]))
        assert drawn_times[-1] == times[stop - 1]


def test_value_under_cursor_lies_on_curve() -> None:
    times, values = noisy(100)
    series = make_series(times, values)
    assert series.values_at(times[7]) == values[7].tolist()
    assert series.values_at(0.075) == pytest.approx(((values[7] + values[8]) / 2).tolist())
    assert np.isnan(series.values_at(-0.1)).all()
    assert np.isnan(series.values_at(99.0)).all()
    assert series.values_at(times[-1]) == values[-1].tolist()


def test_extent_ignores_non_finite_values() -> None:
    times, values = noisy(100, 1)
    values[3], values[4] = np.nan, np.inf
    series = make_series(times, values)
    good = values[np.isfinite(values)]
    assert (series.minimum[0], series.maximum[0]) == (good.min(), good.max())


def test_coarse_curves_use_reduced_blocks() -> None:
    times = np.arange(7000) * 1e-3
    fine, coarse = bucket_range(times, 0.0, 7.0, 480.0), bucket_range(times, 0.0, 7.0, 480.0, coarse=True)
    assert fine.size < LEVEL_FACTOR <= coarse.size
    assert MIN_COARSE_BUCKETS <= 7000 / coarse.size < 2 * MIN_COARSE_BUCKETS
    few = bucket_range(times[:3000], 0.0, 3.0, 480.0, coarse=True)
    assert few == bucket_range(times[:3000], 0.0, 3.0, 480.0), (
        "too few blocks would hide the shape of the curve"
    )


@pytest.mark.parametrize("leap", ["follow", "pan", "zoom"])
def test_axis_is_coarse_after_jump_but_not_while_rolling(leap: str) -> None:
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


def test_offline_axis_is_never_coarse() -> None:
    axis = TimeAxis()
    axis.start(1000.0, 1e-3)
    axis.is_offline = True
    axis.zoom(0.007, 0.0)
    axis.follow(500.0)
    assert axis.low > 400.0
    assert not axis.is_coarse


def test_missing_value_is_no_minus_sign_of_next_value() -> None:
    """ "– 0.5" was read as minus one half if the first lane had ended before the cursor."""
    assert group_equal_texts(["–", "0.5", "0.7"]) == [(), (1,), (2,)]
    assert group_equal_texts(["–", "0.5", "0.5"]) == [(), (1, 2), ()]
    assert group_equal_texts(["–", "–"]) == [(0,), (1,)]

"""Points of curves from the kernel equal those without it, bit for bit."""

from weakref import ref

import numpy as np
import pytest

from quatviz.display.data.series import BucketRange, Series, angle_series, bucket_range
from quatviz.physics.kernels import extremes, extremes_cache
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import from_rotation_vector

TIMES = np.arange(3000) * 0.01
ANGLES = np.degrees(
    angles_from_p(from_rotation_vector(np.arange(3000)[:, None] * np.array([[0.031, 0.013, 0.017]])), "321")
)


@pytest.mark.parametrize("size", [2, 4, 16])
@pytest.mark.parametrize("signal_name", ["angles", "numbers", "magnitudes"])
def test_points_are_equal_with_and_without_the_kernel(
    signal_name: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    extremes_cache.compile_kernels()
    chance = np.random.default_rng(size)
    for count in (3, 1000, 3000):
        rows = ANGLES[:count].copy()
        if signal_name != "angles":
            rows[chance.integers(0, count, 3), chance.integers(0, 3, 3)] = (np.nan, np.inf, -np.inf)
        made: Series = (
            angle_series("321") if signal_name == "angles" else Series(3, signal_name == "magnitudes")
        )
        made.set_data(TIMES[:count], rows)
        for first in (0, int(chance.integers(0, count // size + 1))):
            window = BucketRange(first, first + int(chance.integers(1, 200)), size, TIMES[:count])
            by_kernel = [made.curve(window, component) for component in range(3)]
            with monkeypatch.context() as without:
                without.setattr(extremes, "is_ready", lambda: False)
                again: Series = made.new_empty()
                again.set_data(TIMES[:count], rows)
                for component, (times, values) in enumerate(by_kernel):
                    expected = again.curve(window, component)
                    np.testing.assert_array_equal(times, expected[0])
                    np.testing.assert_array_equal(values, expected[1])


def test_curve_is_cut_at_its_jumps_only_once() -> None:
    """The end labels, their layout and the curve itself use the same pieces."""
    angles, view = angle_series("321"), BucketRange(0, 3000, 1, TIMES)
    angles.set_data(TIMES[:2000], ANGLES[:2000])
    component = next(number for number in range(3) if len(angles.jump_index.rows(number)))
    before = angles.curve(view, component)
    assert len(before[0]) > 2000
    assert angles.curve(view, component)[1] is before[1]
    angles.set_data(TIMES, ANGLES)
    assert len(angles.curve(view, component)[0]) > 3000


def test_lanes_share_a_bucket_range_while_their_times_exist() -> None:
    times = np.arange(10_000) * 0.01
    first, second = Series(2), Series(2)
    for series in (first, second):
        series.set_data(times, np.zeros((len(times), 2)))
    seen = bucket_range(first.times, 0.0, 50.0, 700.0)
    assert bucket_range(second.times, 0.0, 50.0, 700.0) is seen
    assert bucket_range(second.times, 0.0, 40.0, 700.0) is not seen
    assert first.points(seen)[0] is second.points(seen)[0], "stripes are computed once for both"
    reference = ref(seen)
    del seen
    assert reference() is not None, "as long as both have points for it"
    del first, second, series
    assert reference() is None, "otherwise it would keep the times of a deleted run"

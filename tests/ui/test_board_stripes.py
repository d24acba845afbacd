"""Equal curves are striped, and different curves are all visible."""

import numpy as np
import pytest

from quatviz.export.figures.stripes import MIN_STRIPE_WIDTH, TOUCH_DISTANCE, stripe_duration
from quatviz.export.figures.stripes import assign_turns as take_turns

TIMES = np.arange(800) * 0.05
PER_PIXEL = 0.1


def visible(times: np.ndarray, heights: np.ndarray, length: float) -> np.ndarray:
    taken = take_turns(times, heights, length)
    return np.stack([taken.mask(curve, times) for curve in range(len(heights))])


def turns(*heights: np.ndarray) -> np.ndarray:
    return visible(TIMES, np.stack(heights), stripe_duration(PER_PIXEL, 0.05))


@pytest.mark.parametrize("count", [2, 3, 8])
def test_equal_curves_share_the_line_in_equal_parts(count: int) -> None:
    mask = turns(*[np.sin(TIMES) for _ in range(count)])
    assert mask.any(axis=0).all()
    shares = mask.mean(axis=1)
    assert shares.min() > 0.4 / count
    # One point is shared where a stripe ends and the next begins, so that no gap is left between them.
    assert mask.sum() > len(TIMES)
    segments = (mask[:, 1:] & mask[:, :-1]).sum(axis=0)
    assert (segments == 1).all()


def test_separate_curves_are_drawn_fully() -> None:
    apart = np.where(TIMES > 20, 5.0, 0.0)
    mask = turns(np.zeros_like(TIMES), apart)
    assert mask[:, TIMES > 22].all()
    assert not mask[:, TIMES < 19].all()


def test_only_coinciding_curves_are_striped() -> None:
    mask = turns(np.zeros_like(TIMES), np.full_like(TIMES, 9.0), np.full_like(TIMES, 0.5))
    assert mask[1].all()
    assert not mask[0].all()
    assert (mask[0] | mask[2]).all()


def test_every_diverging_curve_is_drawn_or_touches_a_drawn_one() -> None:
    heights = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.7, 1.4, 2.1])
    touching = np.abs(heights[:, None] - heights) <= TOUCH_DISTANCE
    shown = take_turns(
        TIMES, np.outer(heights, np.ones(len(TIMES))), stripe_duration(PER_PIXEL, 0.05)
    ).is_shown
    assert (touching @ shown.astype(int) > 0).all(), "there is no hole"
    assert 1 < shown.sum() / shown.shape[1] < 4, "most curves are still striped"


def test_ended_lane_leaves_line_to_others() -> None:
    ended = np.where(TIMES > 20, np.nan, 0.0)
    mask = turns(np.zeros_like(TIMES), ended, np.zeros_like(TIMES))
    late = mask[:, TIMES > 22]
    assert (late[0] | late[2]).all()
    assert late[0].any()
    assert late[2].any()


def test_stripes_are_stable_while_view_moves() -> None:
    length = stripe_duration(PER_PIXEL, 0.05)
    heights = np.zeros((2, len(TIMES)))
    whole, part = visible(TIMES, heights, length), visible(TIMES[137:], heights[:, 137:], length)
    assert np.array_equal(whole[:, 139:], part[:, 2:])


def test_stripe_is_at_least_twelve_pixels_and_one_sample() -> None:
    for per_pixel in (1e-6, 0.003, 0.1, 7.0):
        assert (
            MIN_STRIPE_WIDTH * per_pixel
            <= stripe_duration(per_pixel, 1e-9)
            < 2 * MIN_STRIPE_WIDTH * per_pixel
        )
    assert stripe_duration(1e-6, 0.5) >= 0.5

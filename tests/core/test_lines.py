"""Words and labels in the room that there is, by given widths."""

import random
from itertools import pairwise

import pytest

from quatviz.base.words.lines import fitted, shares, spread


@pytest.mark.parametrize("seed", range(12))
def test_labels_keep_their_order_and_off_each_other_and_move_no_more_than_their_ends(seed: int) -> None:
    draw = random.Random(seed)
    highs = [draw.choice((10.0, 20.0)) for _ in range(5)]
    places = sorted(draw.uniform(0.0, 100.0) for _ in highs)
    middles = spread(places, highs, 0.0, 100.0)
    edges = [(at - high / 2, at + high / 2) for at, high in zip(middles, highs, strict=True)]
    assert edges[0][0] >= -1e-9
    assert edges[-1][1] <= 100.0 + 1e-9
    assert all(below[0] >= above[1] - 1e-9 for above, below in pairwise(edges))
    moved = sorted(place + draw.uniform(-2.0, 2.0) for place in places)
    far = max(abs(one - other) for one, other in zip(places, moved, strict=True))
    again = spread(moved, highs, 0.0, 100.0)
    assert max(abs(one - other) for one, other in zip(middles, again, strict=True)) <= far + 1e-9


def test_labels_with_room_stand_at_their_ends() -> None:
    assert spread([10.0, 40.0, 90.0], [12.0] * 3, 0.0, 100.0) == [10.0, 40.0, 90.0]


def test_a_note_is_shortened_by_whole_parts() -> None:
    room = float(len("2 singular, 5 wraps"))
    assert fitted("2 singular, 5 wraps, deg", room, len) == "2 singular, 5 wraps"
    assert fitted("kg m²/s", room, len) == "kg m²/s"
    assert fitted("kg m²/s", float(len("kg m")), len) == ""


def test_what_wants_more_than_there_is_shares_what_is_left_equally() -> None:
    assert shares([100.0, 20.0, 60.0], 200.0) == [100.0, 20.0, 60.0]
    assert shares([100.0, 20.0, 60.0], 120.0) == [50.0, 20.0, 50.0]
    assert shares([100.0, 20.0], -5.0) == [0.0, 0.0]

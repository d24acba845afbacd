"""Line breaks and shortened labels for a given width."""

import random
import re
from itertools import pairwise

import pytest

from quatviz.base.formatting.text_layout import (
    drop_parts_to_fit,
    elide,
    first_lines,
    max_min_fair,
    shorten,
    spread_labels,
    wrap_measurement,
)


@pytest.mark.parametrize("seed", range(12))
def test_labels_are_ordered_without_overlap_near_their_ends(seed: int) -> None:
    draw = random.Random(seed)
    highs = [draw.choice((10.0, 20.0)) for _ in range(5)]
    places = sorted(draw.uniform(0.0, 100.0) for _ in highs)
    middles = spread_labels(places, highs, 0.0, 100.0)
    edges = [(at - high / 2, at + high / 2) for at, high in zip(middles, highs, strict=True)]
    assert edges[0][0] >= -1e-9
    assert edges[-1][1] <= 100.0 + 1e-9
    assert all(below[0] >= above[1] - 1e-9 for above, below in pairwise(edges))
    moved = sorted(position + draw.uniform(-2.0, 2.0) for position in places)
    far = max(abs(first - second) for first, second in zip(places, moved, strict=True))
    again = spread_labels(moved, highs, 0.0, 100.0)
    assert max(abs(first - second) for first, second in zip(middles, again, strict=True)) <= far + 1e-9


def test_labels_with_space_are_at_their_ends() -> None:
    assert spread_labels([10.0, 40.0, 90.0], [12.0] * 3, 0.0, 100.0) == [10.0, 40.0, 90.0]


def test_note_is_shortened_by_complete_parts() -> None:
    room = float(len("2 singularities, 5 wraps"))
    assert drop_parts_to_fit("2 singularities, 5 wraps, deg", room, len) == "2 singularities, 5 wraps"
    assert drop_parts_to_fit("kg m²/s", room, len) == "kg m²/s"
    assert drop_parts_to_fit("kg m²/s", float(len("kg m")), len) == ""


def test_oversized_items_share_the_remaining_space() -> None:
    assert max_min_fair([100.0, 20.0, 60.0], 200.0) == [100.0, 20.0, 60.0]
    assert max_min_fair([100.0, 20.0, 60.0], 120.0) == [50.0, 20.0, 50.0]
    assert max_min_fair([100.0, 20.0], -5.0) == [0.0, 0.0]


@pytest.mark.parametrize(
    "text",
    [
        "h   body radius = 0.002862 kg m²/s",
        "ω   body radius = 12.23 rad/s",
        "gimbals 3-2-1: det S = −0.42",
        "Differences from Newton–Euler drawn × 10²",
    ],
)
def test_number_is_complete_or_omitted(text: str) -> None:
    numbers = re.findall(r"[\d.²]+", text)
    for room in range(len(text) + 1):
        for way in (shorten, elide):
            short = way(text, float(room), len)
            assert len(short) <= max(room, 1)
            assert set(re.findall(r"[\d.²]+", short)) <= set(numbers)
    assert "…" not in shorten("h   body radius = 0.002862 kg m²/s", 20.0, len)


def test_number_keeps_its_unit() -> None:
    """A projected window showed "h radius = 2.857" without the unit."""
    for text in ("h   body radius = 0.002862 kg m²/s", "n   body radius = 4.585 N m"):
        symbol, value = text.partition(" ")[0], text.rpartition(" = ")[2]
        counts = []
        for room in range(len(text) + 1):
            lines = wrap_measurement(text, float(room), len)
            counts.append(len(lines))
            assert all(len(line) <= room for line in lines)
            assert not lines or (lines[0].startswith(symbol) and lines[-1].endswith(value))
            assert not lines or "radius" in lines[0], "or it would read as what is measured"
        assert {0, 1, 2} == set(counts)
        assert counts.index(2) >= len(value)


def test_shortened_text_ends_with_a_complete_word() -> None:
    """Tiles of the start page ended with "and what happens to the nu..."."""
    text = "Four Euler parameters, each attitude twice: where the half-angle comes from, and what it is."
    for room in range(12, len(text) + 1):
        lines = first_lines(text, float(room), 2, len)
        assert len(lines) <= 2
        assert max(map(len, lines)) <= room
        shortened = " ".join(lines).removesuffix("…")
        assert text.startswith(shortened)
        assert text[len(shortened) :][:1] in (" ", ",", ":", ".", "")
    assert " ".join(lines) == text
    assert first_lines("Trägheitsmomentenmatrix", 10.0, 2, len) == ["Trägheits…"], (
        "a word that is wider is cut"
    )
    assert first_lines("", 10.0, 2, len) == []

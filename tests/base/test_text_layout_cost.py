"""The time to lay out a text depends on the available width, not on the length of the text."""

import pytest

from quatviz.base.formatting.text_layout import elide, first_lines, fold_to_lines, shorten, truncate, wrap

ROOM = 40.0
MAX_MEASUREMENTS = 60
"""Widths that may be asked for, for a room of forty letters."""
LONG_TEXTS = {
    "letters": "W" * 30_000,
    "words": "ab " * 10_000,
    "numbers": "12.5 " * 6_000,
    "dashes": "a–" * 15_000,
}


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
@pytest.mark.parametrize(
    "lay_out",
    [
        elide,
        shorten,
        truncate,
        lambda text, room, advance: first_lines(text, room, 2, advance),
        lambda text, room, advance: fold_to_lines(text, room, 2, advance),
        lambda text, room, advance: fold_to_lines(text, room, 1, advance),
    ],
    ids=["elide", "shorten", "truncate", "first_lines", "fold_to_lines", "fold_to_one_line"],
)
def test_long_text_is_measured_a_few_times(lay_out, text: str) -> None:
    measured: list[int] = []

    def advance(part: str) -> float:
        measured.append(len(part))
        return float(len(part))

    result = lay_out(text, ROOM, advance)
    lines = [result] if isinstance(result, str) else result
    assert all(len(line) <= ROOM for line in lines)
    assert len(measured) <= 10 * MAX_MEASUREMENTS
    assert sum(sorted(measured)[:-2]) <= 20 * MAX_MEASUREMENTS * ROOM, "all but the whole text are short"


def test_folding_to_one_line_measures_no_single_words() -> None:
    """A legend folds the names of 200 lanes, each of up to 300 letters."""
    name, measured = " ".join(f"word{number}" for number in range(40)), list[str]()

    def advance(part: str) -> float:
        measured.append(part)
        return float(len(part))

    (folded,) = fold_to_lines(name, 100.0, 1, advance)
    begin, end = folded.split(" … ")
    assert name.startswith(begin)
    assert name.endswith(end)
    assert 90 < len(folded) <= 100
    assert len(measured) <= 12


def test_wrapping_measures_each_word_alone() -> None:
    """The time to measure a text is proportional to its length, and names of lanes have up to 300 letters."""
    text, measured = " ".join(["word"] * 60), list[str]()

    def advance(part: str) -> float:
        measured.append(part)
        return float(len(part))

    assert wrap(text, 100.0, advance) == [" ".join(["word"] * 20)] * 3
    assert set(measured) == {" ", "word"}

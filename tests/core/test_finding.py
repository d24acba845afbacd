"""What is found by typing, and in which order."""

import pytest

from quatviz.help.finding import Entry, ranked


def entry(title: str, where: str = "View", about: str = "") -> Entry:
    return Entry(title, where, lambda: None, about=about)


ALL = [
    entry("Show the whole run"),
    entry("Zoom out"),
    entry("Zoom in about the cursor"),
    entry("Unzoomed"),
    entry("Time axis", "Help"),
    entry("Gimbal lock", "Preset", "The angles wrap where the middle one is right"),
    entry("ω and h"),
]


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("", [one.title for one in ALL]),
        ("zoom", ["Zoom out", "Zoom in about the cursor", "Unzoomed"]),
        ("ZOOM cur", ["Zoom in about the cursor"]),
        ("out zo", ["Zoom out", "Zoom in about the cursor"]),
        ("omega", ["ω and h"]),
        ("middle", ["Gimbal lock"]),
        ("preset", ["Gimbal lock"]),
        ("the", ["Show the whole run", "Zoom in about the cursor", "Gimbal lock"]),
        ("no such thing", []),
    ],
)
def test_every_typed_word_is_in_what_is_found_and_titles_come_first(typed: str, titles: list[str]) -> None:
    assert [one.title for one in ranked(ALL, typed)] == titles

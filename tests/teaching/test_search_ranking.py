"""Search results and their order."""

import re

import pytest

from quatviz.display.document.user_files import preset_entries
from quatviz.teaching.help.entry_search import (
    HELP_PAGE_WEIGHT,
    MAX_QUERY_LENGTH,
    MAX_WORDS,
    REFERENCE_PAGE_WEIGHT,
    REFERENCE_PAGES,
    SearchEntry,
    alternative_queries,
    filter_entries,
    rank_entries,
    search_words,
    synonym_groups,
)
from quatviz.teaching.help.pages import pages
from quatviz.teaching.help.text_search import search


def test_only_the_first_words_of_a_pasted_text_are_searched() -> None:
    """The help window searched for 5000 words, and was blocked for minutes."""
    assert search_words("energy of a body " * 10_000)[:2] == ["energy", "body"]
    words = [f"word{number}" for number in range(10_000)]
    assert search_words(" ".join(words)) == words[:MAX_WORDS]
    assert search_words("a" * 100_000) == ["a" * MAX_QUERY_LENGTH]


def entry(title: str, where: str = "View", about: str = "") -> SearchEntry:
    return SearchEntry(title, where, lambda: None, description=about)


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
        ("", [entry.title for entry in ALL]),
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
def test_results_contain_every_word_with_titles_first(typed: str, titles: list[str]) -> None:
    assert [entry.title for entry in rank_entries(ALL, typed)] == titles


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("zoo", ["Zoom out", "Zoom in about the cursor"]),
        ("oom", ["Zoom out", "Zoom in about the cursor", "Unzoomed"]),
        ("", [entry.title for entry in ALL]),
        ("omega", ["ω and h"]),
        ("no such thing", []),
    ],
)
def test_filter_prefers_matches_at_word_starts(typed: str, titles: list[str]) -> None:
    assert [entry.title for entry in filter_entries(ALL, typed)] == titles


KNOWN_AS = {
    "Dzhanibekov": "The T-handle that turns over",
    "tennis rack": "The intermediate axis",
    "gyroscope": "Heavy symmetric top",
    "lambda": "One motion, six multipliers",
    "spinning top": "Heavy symmetric top",
    "quaternion": "Half a turn",
    "middle axis": "The intermediate axis",
    "djanibekov": "The T-handle that turns over",
    "tennis racquet": "The intermediate axis",
    "gyroscpe": "Heavy symmetric top",
    "precession": "Heavy symmetric top",
    "stability": "The intermediate axis",
    "conservation": "Five ways to keep |p| = 1",
    "Euler angles": "Gimbal lock",
}


def presets() -> list[SearchEntry]:
    return [
        SearchEntry(
            entry.title, "Preset", lambda: None, description=entry.summary, keywords=entry.search_terms
        )
        for entry in preset_entries()
    ]


@pytest.mark.parametrize(("typed", "title"), KNOWN_AS.items())
def test_presets_are_found_by_synonyms(typed: str, title: str) -> None:
    assert title in [entry.title for entry in rank_entries(presets(), typed)]


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("Dzhanibekov", "The T-handle that turns over"),
        ("tennis racket", "The intermediate axis"),
        ("gyroscope", "Heavy symmetric top"),
        ("lambda", "One motion, six multipliers"),
        ("spinning top", "Heavy symmetric top"),
        ("heavy top", "Heavy symmetric top"),
        ("top", "Heavy symmetric top"),
        ("gimbal", "Gimbal lock"),
        ("flip period", "The intermediate axis"),
        ("sleeping", "Which tops sleep"),
        ("sleeps", "Which tops sleep"),
    ],
)
def test_preset_known_by_a_name_is_first(typed: str, title: str) -> None:
    assert rank_entries(presets(), typed)[0].title == title


def test_words_match_by_stem_but_not_inside_other_words() -> None:
    entries = [entry("Stopping"), entry("Which tops sleep"), entry("A turntable"), entry("The body turned")]
    assert [match.title for match in rank_entries(entries, "sleeping")] == ["Which tops sleep"]
    assert [match.title for match in rank_entries(entries, "stops")] == ["Stopping"]
    assert [match.title for match in rank_entries(entries, "turns")] == ["The body turned"]
    assert [match.title for match in filter_entries(entries, "sleeping")] == ["Which tops sleep"]


@pytest.mark.parametrize("typed", ["multiplier", "period", "singular", "constraint"])
def test_help_pages_rank_before_python_entries(typed: str) -> None:
    generated = [hit.is_generated for hit in search(typed)]
    assert any(generated)
    assert generated == sorted(generated)


def test_python_name_finds_its_entry_first() -> None:
    assert search("energy_drift")[0].is_generated
    assert search("Solution.multiplier")[0].is_generated


def test_titles_rank_before_synonyms_and_mentions() -> None:
    entries = [
        entry("A word", about="much of Dzhanibekov"),
        entry("The intermediate axis"),
        entry("A T-handle", about="seen by Dzhanibekov"),
        entry("Dzhanibekov"),
    ]
    titles = [match.title for match in rank_entries(entries, "dzhanibekov")]
    assert titles == ["Dzhanibekov", "A T-handle", "The intermediate axis", "A word"]


def test_scattered_words_rank_below_synonyms() -> None:
    entries = [
        entry("Gyroscope", about="steady"),
        entry("A heavy top", about="of 15 kg, spinning"),
        entry("A fast top", about="of 2 kg, spinning"),
        entry("Yo-yo", about="no spinning top"),
        entry("A stand", about="for a top, or a spinning disk"),
    ]
    titles = [match.title for match in rank_entries(entries, "spinning top")]
    assert titles == ["Gyroscope", "A heavy top", "Yo-yo", "A fast top", "A stand"]


def test_synonyms_are_whole_phrases_in_one_group_each() -> None:
    assert not list(alternative_queries("stopping"))
    assert "open heavy top" in list(alternative_queries("open  Gyroscope"))
    groups = synonym_groups()
    assert all(phrase == " ".join(phrase.lower().split()) for group in groups for phrase in group)
    assert all(len(set(group)) == len(group) > 1 for group in groups)


def test_help_is_found_by_synonyms() -> None:
    assert any(hit.section.page == "export" for hit in search("movie"))
    plain = [hit.section.topic for hit in search("drift")]
    assert len(plain) == len(set(plain))
    assert search("drift")[0].section.page == "drift"
    assert [hit.section.topic for hit in search("")] == []


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("lambda", "cards#the-six-multiplier-forms"),
        ("how do i save a film", "export#a-film"),
        ("gimbal lock", "errors#singular"),
        ("keyboard shortcuts", "window#keyboard-shortcuts"),
        ("period", "plots#measure-a-curve"),
        ("share", "export#a-web-page"),
        ("settling time", "plots#measure-a-curve"),
    ],
)
def test_explaining_section_is_found_first(typed: str, topic: str) -> None:
    assert search(typed)[0].section.topic == topic


@pytest.mark.parametrize(
    ("typed", "topics"),
    [
        ("settling", {"plots#measure-a-curve", "sweeps#measures", "own#a-torque-law"}),
        ("settling_time", {"sweeps#measures", "own#a-torque-law"}),
        ("lambda", {"cards#the-six-multiplier-forms", "cards#read-a-card"}),
    ],
)
def test_explaining_sections_are_among_the_first(typed: str, topics: set[str]) -> None:
    assert topics <= {hit.section.topic for hit in search(typed)[:5]}


def help_entries() -> list[SearchEntry]:
    return [
        SearchEntry(
            section.title,
            page.title,
            lambda: None,
            description=section.topic,
            text=section.text,
            weight=REFERENCE_PAGE_WEIGHT if page.name in REFERENCE_PAGES else HELP_PAGE_WEIGHT,
        )
        for page in pages().values()
        for section in page.sections
    ]


def test_word_that_occurs_is_not_taken_for_a_misspelling() -> None:
    """Otherwise "settling" finds "settings" and its synonyms."""
    found = [entry.description for entry in rank_entries(help_entries(), "settling")]
    assert {"plots#measure-a-curve", "sweeps#measures", "own#a-torque-law"} <= set(found[:5])
    assert not {"sessions#the-look", "window#look-and-size"} & set(found)
    assert rank_entries(help_entries(), "setings"), "a misspelled word is corrected"
    entries = [entry("Options"), entry("A law", about="settling_time")]
    assert [match.title for match in rank_entries(entries, "settling")] == ["A law"]
    assert [match.title for match in filter_entries(entries, "settling")] == ["A law"]


def test_words_inside_identifiers_are_words() -> None:
    entries = [entry("Retiming"), entry("settling_time"), entry("Timing")]
    assert [match.title for match in rank_entries(entries, "time")] == ["settling_time"]
    assert [match.title for match in rank_entries(entries, "tim")] == ["Timing", "settling_time", "Retiming"]
    entries = [entry("Plots", about="overtime"), entry("Other", about="settling_time")]
    assert [match.title for match in filter_entries(entries, "time")] == ["Other"]


def test_synonyms_match_whole_words_only() -> None:
    """Otherwise "gyroscope", a synonym of top, would find "stop" and "topic"."""
    for hit in search("gyroscope"):
        text = f"{hit.section.title}\n{hit.section.text}".lower()
        assert re.search(r"gyro|kreisel|\btop\b", text), hit.section.topic

"""The command palette: the best result is first, synonyms are understood, and results work."""

import pytest
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.teaching.help.entry_search import EntryIndex
from quatviz.ui.window.command_palette import all_entries


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("share", "Export a web page…"),
        ("reaction wheel", "Reaction wheels turn a satellite"),
        ("own equations", "Write your own formulation…"),
        ("own law", "Write your own law…"),
        ("period", "Measure a curve"),
        ("how do I export a video for my class", "Export a film…"),
        ("sleeping top", "Which tops sleep"),
        ("phone recording", "A thrown phone, fitted"),
        ("gimbal lock", "Gimbal lock"),
        ("kinetic energy", "Kinetic energy"),
    ],
)
def test_best_result_is_first(editing: WindowController, typed: str, title: str) -> None:
    results = EntryIndex(all_entries(editing.window.action_registry)).rank(typed)
    assert results[0].title == title, [(entry.title, entry.location) for entry in results[:5]]


def test_full_text_of_the_help_is_searched(editing: WindowController) -> None:
    """These words occur in one paragraph of the help, and in no title."""
    results = EntryIndex(all_entries(editing.window.action_registry)).rank("not from pixels or samples")
    assert "Measure a curve" in [entry.title for entry in results[:3]]


def test_formulation_result_adds_a_lane(editing: WindowController) -> None:
    index = EntryIndex(all_entries(editing.window.action_registry))
    entry = next(entry for entry in index.rank("modified rodrigues") if "add as a lane" in entry.location)
    before = len(editing.document.state.preset.lanes)
    entry.callback()
    lanes = editing.document.state.preset.lanes
    assert len(lanes) == before + 1
    editing.document.undo()


def test_quantity_result_shows_its_plot(editing: WindowController) -> None:
    window = editing.window
    window.board.show_panel("omega", False)
    index = EntryIndex(all_entries(window.action_registry))
    entry = next(entry for entry in index.rank("angular velocity") if "show its plot" in entry.location)
    entry.callback()
    assert window.board.is_shown("omega")

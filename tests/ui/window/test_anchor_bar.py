"""The bar above the side column: it stays visible, marks the current part, and scrolls to each."""

from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401

from quatviz.app import WindowController


def test_anchor_bar_scrolls_to_each_part(editing: WindowController, qtbot: QtBot) -> None:
    side = editing.window.side
    bar = side.anchor_bar

    def active() -> list[str]:
        return [title for title, button in bar.buttons.items() if button.isChecked()]

    side.open_sections(["Lanes", "Body", "Initial_state", "Loads", "Run"])
    assert active() == ["Lanes"]
    bar.buttons["Settings"].click()
    qtbot.waitUntil(lambda: active() == ["Settings"])
    assert side.setup.mapTo(side.viewport(), QPoint()).y() == 0, "they start at the top"
    bar.buttons["At the cursor"].click()
    qtbot.waitUntil(lambda: active() == ["At the cursor"])
    assert side.sections["At the cursor"].is_open
    assert not side.readouts.visibleRegion().isEmpty()
    side.verticalScrollBar().setValue(0)
    assert active() == ["Lanes"]
    assert bar.geometry().bottom() < side.viewport().geometry().top(), "it covers nothing"


def test_settings_show_a_section_even_if_all_were_folded(editing: WindowController, qtbot: QtBot) -> None:
    side = editing.window.side
    side.open_sections(["Lanes"])
    side.anchor_bar.buttons["Settings"].click()
    qtbot.waitUntil(lambda: side.sections["Body"].is_open)
    assert not side.sections["Loads"].is_open


def test_last_part_is_marked_at_the_end_of_the_column(editing: WindowController, qtbot: QtBot) -> None:
    """It is too short to reach the top."""
    side = editing.window.side
    side.open_sections(["Lanes", "Body", "Initial_state", "Loads", "Run"])
    bar = side.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    assert side.anchor_bar.buttons["At the cursor"].isChecked()


def test_clicked_section_is_scrolled_into_view(editing: WindowController, qtbot: QtBot) -> None:
    """It was unfolded below the lower edge of the column, and the click seemed to do nothing."""
    side = editing.window.side
    section, view = side.sections["Run"], side.viewport()
    side.open_sections(["Lanes", "Body", "Initial_state", "At_the_cursor"])
    bar = side.verticalScrollBar()

    def top() -> int:
        return section.mapTo(view, QPoint()).y()

    def place_at_the_lower_edge() -> bool:
        if section.height() != section.heading.height():
            return False  # not folded yet
        bar.setValue(bar.value() + top() + section.height() - view.height())
        return abs(top() + section.height() - view.height()) <= 1

    qtbot.waitUntil(place_at_the_lower_edge)
    folded_range = bar.maximum()
    section.heading.click()
    qtbot.waitUntil(lambda: bar.maximum() > folded_range)
    qtbot.waitUntil(lambda: top() + min(section.height(), view.height()) <= view.height())
    assert top() >= 0
    position = bar.value()
    section.heading.click()
    qtbot.waitUntil(lambda: not section.is_open)
    assert bar.value() <= position

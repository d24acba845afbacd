"""A typed torque law that is compared with another one in the window, and the proposed name of the saved session."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_computed  # noqa: F401

from quatviz.app import WindowController
from quatviz.ui.sidebar.presets import PresetDialog
from quatviz.ui.widgets.text_block import TextBlockField
from quatviz.ui.window import file_actions


def test_typed_law_is_compared_and_saved_in_few_steps(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, document = editing.window, editing.document
    before = document.state
    window.side.open_sections(["Lanes"])
    window.side.lane_list.write_law_button.click()
    (card,) = window.side.setup.loads.cards
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    qtbot.waitUntil(lambda: window.focusWidget() is field.area and field.area.isVisible())
    field.area.setPlainText("n = -K*p[1:] - D*tanh(omega)")
    card.compare_menu.aboutToShow.emit()
    next(action for action in card.compare_menu.actions() if action.text() == "Sliding mode").trigger()
    wait_computed(editing, qtbot)
    assert [lane.name for lane in editing.simulation] == ["Own law", "Sliding mode"]
    assert [lane.status for lane in editing.simulation] == ["ok", "ok"]
    assert window.board.is_shown("target_angle")
    names: list[str] = []

    def choose_proposed(parent: object, title: str, purpose: str, proposed: str, *_: object) -> Path:
        names.append(proposed)
        return tmp_path / proposed

    monkeypatch.setattr(file_actions, "ask_save_path", choose_proposed)
    window.file_actions.save()
    assert names == ["own_law_and_sliding_mode.toml"]
    assert (tmp_path / names[0]).is_file()
    dialog = PresetDialog(document.state.preset, lambda *_: None, window)
    assert dialog.title.text() == "Own law and Sliding mode"
    dialog.deleteLater()
    document.undo(len(document.steps))
    assert document.state.preset == before.preset
    wait_computed(editing, qtbot)

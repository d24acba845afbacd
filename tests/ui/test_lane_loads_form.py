"""Loads of single lanes in the setup: shown below those of the run, added to a lane, edited and removed."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.physics.formulations import lane_title
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.widgets.text_block import TextBlockField


@pytest.fixture
def document() -> Iterator[Document]:
    preset = qv.load_preset("torque_free").with_run(
        lanes=[
            qv.Lane("newton_euler"),
            qv.Lane("hamilton", name="damped", loads=[qv.Damping(coefficient=0.5)]),
        ]
    )
    document = Document(State.default_for(preset))
    yield document
    document.close()


def test_lane_load_is_added_edited_and_removed(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    form = panel.lane_loads
    assert list(form.forms) == [(1, "damped")]
    assert "damping on damped" in panel.sections["Loads"].heading.synopsis
    form.fill_menu()
    assert list(form.lane_menus) == ["newton_euler", "damped"]
    next(
        action for action in form.lane_menus["newton_euler"].actions() if action.text() == "Attitude control"
    ).trigger()
    lanes = document.state.preset.lanes
    assert [[load.name for load in lane.loads] for lane in lanes] == [["attitude_control"], ["damping"]]
    assert list(form.forms) == [(0, "newton_euler"), (1, "damped")]
    headings = [text.text() for text in form.findChildren(QLabel) if text.text().startswith("Only on")]
    assert sorted(headings[-2:]) == [f"Only on {lane_title('newton_euler')}", "Only on damped"]
    assert lane_title("newton_euler") != "newton_euler"
    (card,) = form.forms[(1, "damped")].cards
    assert card.form.path == "lanes[1].loads[0]"
    card.remove_button.click()
    assert document.state.preset.lanes[1].loads == ()
    assert list(form.forms) == [(0, "newton_euler")]
    assert document.state.preset.loads == ()


def test_own_law_can_be_added_to_run_and_lane(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    assert panel.loads.write_button is not None
    panel.loads.write_button.click()
    assert [load.name for load in document.state.preset.loads] == ["torque_law"]
    assert panel.rotors.write_button is None
    assert panel.events.write_button is None
    panel.lane_loads.fill_menu()
    panel.lane_loads.lane_menus["newton_euler"].actions()[0].trigger()
    lane_form = panel.lane_loads.forms[(0, "newton_euler")]
    assert lane_form.write_button is not None
    lane_form.write_button.click()
    assert document.state.preset.lanes[0].loads[-1].name == "torque_law"


def test_law_is_checked_while_typed_and_gains_become_fields(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    law_action = next(action for action in panel.loads.add_menu.actions() if action.text() == "Torque law")
    law_action.trigger()
    (card,) = panel.loads.cards
    assert list(card.form.rows) == ["law", "frame", "gains.D"]
    assert card.form.rows["gains.D"].field.sliders
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("n = -D*omgea")
    qtbot.waitUntil(lambda: "unknown name 'omgea'" in field.note.text())
    assert "omega" in field.note.text()
    field.area.setPlainText("n = -D*omega*omega")
    qtbot.waitUntil(lambda: "dot(a, b)" in field.note.text())
    field.area.setPlainText("e = sign(p[0])*p[1:]\nn = -K*e - D*omega")
    qtbot.waitUntil(lambda: field.add_button.text() == "Add the gain K")
    field.add_button.click()
    (law,) = document.state.preset.loads
    assert law.gains == (("D", 20.0), ("K", 1.0))  # type: ignore[attr-defined]
    (card,) = panel.loads.cards
    assert list(card.form.rows) == ["law", "frame", "gains.D", "gains.K"]
    entry = card.form.rows["gains.K"].field.entries[0]
    entry.setText("2.5")
    entry.setModified(True)
    entry.editingFinished.emit()
    (law,) = document.state.preset.loads
    assert dict(law.gains)["K"] == 2.5  # type: ignore[attr-defined]
    assert panel.loads.cards == [card]
    document.undo()
    document.undo()
    assert [load.gains for load in document.state.preset.loads] == [(("D", 20.0),)]  # type: ignore[attr-defined]


def test_pending_edit_of_removed_law_changes_nothing(qtbot: QtBot, document: Document) -> None:
    """Hiding the card took the focus from the law, which was committed to a load that the run no longer had."""
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    next(action for action in panel.loads.add_menu.actions() if action.text() == "Torque law").trigger()
    (card,) = panel.loads.cards
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("n = -2*D*omega")
    document.undo()
    before = document.state
    field.area.finished.emit()
    assert document.state is before

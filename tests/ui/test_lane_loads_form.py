"""Loads of single lanes in the setup: shown below those of the run, added to a lane, edited and removed."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.ui.sidebar.setup.panel import SetupPanel


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


def test_a_load_of_a_lane_is_shown_added_edited_and_removed(qtbot: QtBot, document: Document) -> None:
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
    (card,) = form.forms[(1, "damped")].cards
    assert card.form.path == "lanes[1].loads[0]"
    card.remove_button.click()
    assert document.state.preset.lanes[1].loads == ()
    assert list(form.forms) == [(0, "newton_euler")]
    assert document.state.preset.loads == ()

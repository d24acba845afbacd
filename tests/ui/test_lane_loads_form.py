"""Loads of single lanes in the setup: shown below those of the run, added to a lane, edited and removed."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import compare_law, compared_laws_title, give_lanes_own_laws
from quatviz.display.document.preset_items import lane_load_family, load_family
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import DARK, LIGHT, PROJECTOR
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads import MotionScale
from quatviz.physics.loads.torque_law.examples import EXAMPLES, LawExample
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.scrolling import make_scroll_area
from quatviz.ui.widgets.style import apply_theme
from quatviz.ui.widgets.text_block import TextBlockField


@pytest.fixture
def document_preset() -> qv.Preset:
    return qv.load_preset("torque_free").with_run(
        lanes=[
            qv.Lane("newton_euler"),
            qv.Lane("hamilton", name="damped", loads=[qv.Damping(coefficient=0.5)]),
        ]
    )


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
    assert list(card.form.rows) == ["law", "frame", "gains.K", "gains.D"]
    assert card.form.rows["gains.D"].field.sliders
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("n = -D*omgea")
    qtbot.waitUntil(lambda: "unknown name 'omgea'" in field.note.text())
    assert "omega" in field.note.text()
    field.area.setPlainText("n = -D*omega*omega")
    qtbot.waitUntil(lambda: "dot(a, b)" in field.note.text())
    (before,) = document.state.preset.loads
    field.area.setPlainText("e = sign(p[0])*p[1:]\nn = -K*e - D*omega - I*t*e")
    qtbot.waitUntil(lambda: field.add_button.text() == "Add the gain I")
    field.add_button.click()
    (law,) = document.state.preset.loads
    assert law.gains == (*before.gains, ("I", 1.0))  # type: ignore[attr-defined]
    (card,) = panel.loads.cards
    assert list(card.form.rows) == ["law", "frame", "gains.K", "gains.D", "gains.I"]
    entry = card.form.rows["gains.K"].field.entries[0]
    entry.setText("2.5")
    entry.setModified(True)
    entry.editingFinished.emit()
    (law,) = document.state.preset.loads
    assert dict(law.gains)["K"] == 2.5  # type: ignore[attr-defined]
    assert panel.loads.cards == [card]
    document.undo()
    document.undo()
    assert document.state.preset.loads == (before,)


def test_link_that_adds_gains_appears_only_if_the_law_is_valid_with_them(
    qtbot: QtBot, document: Document
) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.loads.write_own()
    (card,) = panel.loads.cards
    law_row = card.form.rows["law"]
    field = law_row.field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("n = -k*e*sign(p0) - c*omega")
    qtbot.waitUntil(lambda: "the unknown names 'k', 'e', 'p0', 'c'" in field.note.text())
    assert field.add_button.isHidden()
    before = document.state
    field.numbers_wanted.emit(["k", "e", "p0", "c"])  # as the link did: the law was refused without a message
    assert document.state is before
    assert law_row.is_refused
    assert "a number - a vector (3)" in law_row.message.text()
    field.area.setPlainText("e = p[1:]\nn = -k*e*sign(p[0]) - c*omega")
    qtbot.waitUntil(
        lambda: field.add_button.text() == "Add the gains k, c" and not field.add_button.isHidden()
    )
    field.add_button.click()
    assert dict(document.state.preset.loads[-1].gains).keys() >= {"k", "c"}  # type: ignore[attr-defined]
    (card,) = panel.loads.cards
    assert not card.form.rows["law"].is_refused


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


def test_new_law_is_a_controller_and_examples_replace_it(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    assert panel.loads.write_button is not None
    panel.loads.write_button.click()
    (load,) = document.state.preset.loads
    assert isinstance(load, qv.TorqueLaw)
    assert load.target_attitude is not None
    assert [name for name, _ in load.gains] == ["K", "D"]
    (card,) = panel.loads.cards
    assert not card.examples_button.isHidden()
    card.fill_examples()
    actions = {action.text(): action for action in card.examples_menu.actions()}
    assert list(actions) == [example.title for example in EXAMPLES]
    actions["Sliding mode"].trigger()
    (law,) = document.state.preset.loads
    assert isinstance(law, qv.TorqueLaw)
    assert [name for name, _ in law.gains] == ["k", "M", "eps"]
    document.undo()
    assert document.state.preset.loads == (load,)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_examples_slow_the_body_down(example: LawExample) -> None:
    preset = qv.load_preset("torque_free")
    scale = MotionScale.from_motion(preset.body, preset.initial.omega(preset.body))
    law = qv.TorqueLaw(**example.table(scale))
    rate = scale.rate * np.eye(3)
    torque = law.bind(preset.body).torque(np.zeros(3), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)), rate)
    assert (np.einsum("ni,ni->n", torque, rate) < 0.0).all()
    assert law.unused_numbers("law", law.law) == []


def test_unused_gain_is_noted_and_removed(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    assert panel.loads.write_button is not None
    panel.loads.write_button.click()
    (card,) = panel.loads.cards
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    assert field.remove_button.isHidden()
    field.area.setPlainText("n = -D*omega")
    qtbot.waitUntil(lambda: field.note.text() == "The text does not use K.")
    field.remove_button.click()
    (law,) = document.state.preset.loads
    assert isinstance(law, qv.TorqueLaw)
    assert [name for name, _ in law.gains] == ["D"]
    assert law.law == "n = -D*omega"


def test_law_error_disappears_when_the_text_is_valid(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    assert panel.loads.write_button is not None
    panel.loads.write_button.click()
    (card,) = panel.loads.cards
    law_row = card.form.rows["law"]
    field = law_row.field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("n = -D*omega*omega")
    field.area.finished.emit()
    assert law_row.is_refused
    field.area.setPlainText("n = -D*omega")
    qtbot.waitUntil(lambda: not law_row.is_refused)


def test_each_lane_gets_its_own_law(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    before = document.state
    panel.lane_loads.laws_button.click()
    first, second = document.state.preset.lanes
    laws = [load for lane in (first, second) for load in lane.loads if isinstance(load, qv.TorqueLaw)]
    assert [law.law for law in laws] == [example.law for example in EXAMPLES[:2]]
    assert [lane.name for lane in (first, second)] == [EXAMPLES[0].title, "damped"]
    assert len(panel.lane_loads.forms) == 2
    document.undo()
    assert document.state.preset == before.preset


def test_law_of_the_run_moves_to_its_only_lane(document: Document) -> None:
    law = qv.TorqueLaw(law="n = -c*omega", gains={"c": 1.0})
    gravity = qv.Torque(torque=[0, 0, 0.1])
    preset = document.state.preset.with_run(lanes=["hamilton"])
    state = give_lanes_own_laws(State.default_for(preset).with_preset(loads=(law, gravity)))
    first, second = state.preset.lanes
    assert state.preset.loads == (gravity,)
    assert first.loads == (law,)
    assert [load.law for load in second.loads if isinstance(load, qv.TorqueLaw)] == [EXAMPLES[0].law]
    assert first.name == "Own law"
    assert second.name == EXAMPLES[0].title
    assert give_lanes_own_laws(state).preset == state.preset


LAW = qv.TorqueLaw(law="n = -c*omega", gains={"c": 1.0})


def state_with(*loads: qv.TorqueLaw, lanes: tuple[str, ...] = ("newton_euler", "hamilton")) -> State:
    preset = qv.load_preset("torque_free").with_run(lanes=list(lanes))
    return State.default_for(preset).with_preset(loads=loads)


def laws_by_lane(state: State) -> dict[str | None, list[qv.TorqueLaw]]:
    return {
        lane.name: [load for load in lane.loads if isinstance(load, qv.TorqueLaw)]
        for lane in state.preset.lanes
    }


def test_laws_that_act_together_are_given_to_one_lane_each(qtbot: QtBot, document: Document) -> None:
    other = qv.TorqueLaw(law="n = -c*omega*norm(omega)", gains={"c": 1.0})
    for lanes in (("newton_euler",), ("newton_euler", "hamilton")):
        state = give_lanes_own_laws(state_with(LAW, other, lanes=lanes))
        assert state.preset.loads == ()
        assert laws_by_lane(state) == {"Own law": [LAW], "Own law (2)": [other]}
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    assert panel.lane_loads.note.isHidden()
    for _ in range(2):
        panel.loads.write_own()
    assert not panel.lane_loads.note.isHidden()


def test_law_is_compared_with_an_example_on_a_new_lane(qtbot: QtBot) -> None:
    document = Document(state_with())
    document.view.update(panels={"*": False, "omega": True})
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.loads.write_own()
    assert document.view.state.panels["target_angle"]
    before = document.state
    (card,) = panel.loads.cards
    card.form.rows["law"].field.area.setPlainText("n = -K*p[1:] - D*tanh(omega)")  # type: ignore[attr-defined]
    card.fill_compared_laws()
    actions = {action.text(): action for action in card.compare_menu.actions()}
    titles = [example.title for example in EXAMPLES]
    assert list(actions) == [*titles, "", "A copy of this law", "No torque law"]
    messages: list[str] = []
    document.message_emitted.connect(lambda message, _: messages.append(message))
    actions["Sliding mode"].trigger()
    own, sliding = document.state.preset.lanes
    assert document.state.preset.loads == ()
    assert (own.name, sliding.name) == ("Own law", "Sliding mode")
    assert own.formulation == sliding.formulation == "newton_euler"
    assert [lane.loads[0].law for lane in (own, sliding)] == [  # type: ignore[attr-defined]
        "n = -K*p[1:] - D*tanh(omega)",
        EXAMPLES[titles.index("Sliding mode")].law,
    ]
    assert "Removed Hamilton" in messages[0]
    assert compared_laws_title(document.state.preset) == "Own law and Sliding mode"
    assert list(panel.lane_loads.forms) == [(0, "Own law"), (1, "Sliding mode")]
    document.undo(2)
    assert document.state == before
    document.close()


def test_law_with_an_error_is_not_compared(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.loads.write_own()
    (card,) = panel.loads.cards
    card.form.rows["law"].field.area.setPlainText("n = -K*omgea")  # type: ignore[attr-defined]
    card.fill_compared_laws()
    (action,) = card.compare_menu.actions()
    assert not action.isEnabled()
    assert card.form.rows["law"].field.value() == "n = -K*omgea"


def test_names_of_lanes_follow_their_laws(document: Document) -> None:
    state = compare_law(state_with(LAW), load_family(), 0, None)
    state = compare_law(state, lane_load_family(0), 0, LAW)
    assert laws_by_lane(state) == {"Own law": [LAW], "No torque law": [], "Own law (2)": [LAW]}
    family = lane_load_family(2)
    sliding = next(example for example in EXAMPLES if example.title == "Sliding mode")
    scale = MotionScale.from_motion(state.preset.body, np.ones(3))
    state = family.replace_item(state, 0, qv.TorqueLaw(**sliding.table(scale)))
    assert state.preset.lanes[2].name == "Sliding mode"
    state = family.replace_item(state, 0, LAW)
    assert state.preset.lanes[2].name == "Own law (2)"
    lanes = (*state.preset.lanes[:2], replace(state.preset.lanes[2], name="brake"))
    state = family.replace_item(state.with_preset(lanes=lanes), 0, qv.TorqueLaw(**sliding.table(scale)))
    assert state.preset.lanes[2].name == "brake", "a name that the user has given stays"
    assert family.replace_item(state, 0).preset.lanes[2].name == "brake"
    assert lane_load_family(0).replace_item(state, 0).preset.lanes[0].name is None


def test_text_keeps_the_focus_if_the_lane_is_renamed(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.loads.write_own()
    panel.loads.cards[0].fill_compared_laws()
    panel.loads.cards[0].compare_menu.actions()[0].trigger()
    form = panel.lane_loads.forms[(0, "Quaternion feedback")]
    field = form.cards[0].form.rows["law"].field
    field.area.setPlainText("n = -K*p[1:] - D*tanh(omega)")  # type: ignore[attr-defined]
    field.area.finished.emit()  # type: ignore[attr-defined]
    assert panel.lane_loads.forms[(0, "Own law")] is form
    assert form.cards[0].form.rows["law"].field is field
    assert any(text.text() == "Only on Own law" for text in panel.findChildren(QLabel))


def test_added_gains_scale_with_the_body_and_errors_have_their_own_color(
    qtbot: QtBot, qapp: QApplication, document: Document
) -> None:
    apply_theme(qapp, DARK)
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.sections["Loads"].set_open(True)
    panel.show()
    qtbot.waitExposed(panel)
    assert panel.loads.write_button is not None
    panel.loads.write_button.click()
    (card,) = panel.loads.cards
    (before,) = document.state.preset.loads
    field = card.form.rows["law"].field
    assert isinstance(field, TextBlockField)
    field.area.setPlainText("e = sign(p[0])*p[1:]\nn = -kp*e - kd*omega")
    qtbot.waitUntil(lambda: field.add_button.text() == "Add the gains kp, kd" and field.note.isVisible())
    assert "add 'kp', 'kd' as gains" in field.note.text()
    error_color = field.note.palette().windowText().color()
    assert error_color != field.hint.palette().windowText().color()
    field.add_button.click()
    (law,) = document.state.preset.loads
    assert isinstance(law, qv.TorqueLaw)
    assert isinstance(before, qv.TorqueLaw)
    gains = dict(law.gains)
    assert (gains["kp"], gains["kd"]) == (gains["K"], gains["D"]) == tuple(dict(before.gains).values())
    (card,) = panel.loads.cards
    low, high = card.form.rows["gains.kp"].field.sliders[0].slider_range
    assert low < gains["kp"] < high < 10 * gains["kp"]
    new_field = card.form.rows["law"].field
    assert isinstance(new_field, TextBlockField)
    assert new_field.note.text() == "The text does not use K, D."
    assert new_field.note.palette().windowText().color() != error_color


def test_text_of_a_law_has_the_type_size_of_the_theme(
    qtbot: QtBot, qapp: QApplication, document: Document
) -> None:
    apply_theme(qapp, LIGHT)
    panel = SetupPanel(document)
    qtbot.addWidget(panel)
    panel.loads.write_own()
    panel.sections["Loads"].set_open(True)
    panel.show()
    qtbot.waitExposed(panel)
    area = panel.loads.cards[0].form.rows["law"].field.area  # type: ignore[attr-defined]
    height = area.height()
    apply_theme(qapp, PROJECTOR)
    assert area.font().pixelSize() == area.theme.normal > LIGHT.normal
    assert area.height() > height
    apply_theme(qapp, DARK)
    assert area.font().pixelSize() == DARK.normal


def test_new_law_is_scrolled_into_view(qtbot: QtBot, document: Document) -> None:
    panel = SetupPanel(document)
    area = make_scroll_area(column(panel))
    qtbot.addWidget(area)
    panel.sections["Loads"].set_open(True)
    area.resize(420, 380)
    area.show()
    qtbot.waitExposed(area)
    assert panel.loads.write_button is not None
    area.ensureWidgetVisible(panel.loads.write_button, 0, 0)
    panel.loads.write_button.click()
    (card,) = panel.loads.cards

    def is_in_view() -> bool:
        top = card.mapTo(area.viewport(), QPoint()).y()
        return card.height() > 100 and top >= 0 and top + card.height() <= area.viewport().height()

    qtbot.waitUntil(is_in_view)

"""Rotors in the setup: adding one, changing its law, dragging its speed, removing it."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.form import ChoiceField


def enter(entry: LineEntry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def add(panel: SetupPanel, text: str) -> None:
    next(action for action in panel.rotors.add_menu.actions() if text in action.text()).trigger()


def test_each_menu_entry_adds_a_computable_rotor(panel: SetupPanel, document: Document) -> None:
    for action in panel.rotors.add_menu.actions():
        action.trigger()
    rotors = document.state.preset.body.rotors
    assert [rotor.law for rotor in rotors] == [
        *("free", "constant_speed", "constant_momentum", "motor", "attitude_control")
    ]
    assert len(panel.rotors.cards) == 5
    assert {tuple(rotor.axis) for rotor in rotors} == set(map(tuple, np.eye(3)))
    assert panel.sections["Body"].heading.synopsis.endswith("5 rotors")


def test_rotor_form_shows_only_effective_numbers(panel: SetupPanel, document: Document) -> None:
    add(panel, "Free")
    rows = panel.rotors.cards[0].form.rows
    assert not rows["friction"].isHidden()
    assert rows["torque"].isHidden()
    enter(rows["speed"].field.entries[0], "35")
    assert document.state.preset.body.rotors[0].speed == 35.0
    enter(rows["inertia"].field.entries[0], "1e9")
    assert "less than" in rows["inertia"].message.text()
    assert document.state.preset.body.rotors[0].inertia < 1e3


def test_changed_law_replaces_its_parameters(panel: SetupPanel, document: Document) -> None:
    add(panel, "motor torque")
    field = panel.rotors.cards[0].form.rows["law"].field
    for law in ("constant_momentum", "free", "attitude_control", "constant_speed", "motor"):
        assert isinstance(field, ChoiceField)
        field.box.show_value(law)
        field.committed.emit()
        assert document.state.preset.body.rotors[0].law == law
    rows = panel.rotors.cards[0].form.rows
    assert not rows["torque"].isHidden()
    assert rows["momentum"].isHidden()


def test_controller_is_edited_for_all_its_wheels(panel: SetupPanel, document: Document) -> None:
    for _ in range(3):
        add(panel, "Reaction wheel")
    enter(panel.rotors.cards[1].form.rows["stiffness"].field.entries[0], "7")
    assert [rotor.stiffness for rotor in document.state.preset.body.rotors] == [7.0, 7.0, 7.0]
    add(panel, "Reaction wheel")
    assert [rotor.stiffness for rotor in document.state.preset.body.rotors] == [7.0] * 4


def test_removed_rotor_returns_with_undo(panel: SetupPanel, document: Document) -> None:
    add(panel, "Free")
    panel.rotors.cards[0].remove_button.click()
    assert not document.state.preset.body.rotors
    document.undo()
    assert len(document.state.preset.body.rotors) == 1


def test_speed_of_a_rotor_states_the_initial_rate_that_follows_from_h(
    panel: SetupPanel, document: Document
) -> None:
    """The preset gives the initial h, so that a faster wheel changes the initial ω of the body."""
    add(panel, "Free")
    (card,) = panel.rotors.cards
    rows = card.form.rows
    enter(rows["speed"].field.entries[0], "35")
    body, h = document.state.preset.body, document.state.preset.initial.angular_momentum
    rotor = body.rotors[0]
    inertia = body.inertia  # the wheel is part of the body's inertia
    omega = np.linalg.solve(inertia, h - rotor.inertia * 35.0 * rotor.axis)
    note = rows["speed"].note
    assert not note.isHidden()
    assert "h is kept" in note.text()
    numbers = note.text().replace("−", "-").split("becomes ")[1].removesuffix(" rad/s").split(", ")
    assert [float(number) for number in numbers] == pytest.approx(omega, rel=1e-3)
    card_law = rows["law"].field
    assert isinstance(card_law, ChoiceField)
    card_law.box.show_value("constant_momentum")
    card_law.committed.emit()
    assert "h is kept" in rows["momentum"].note.text()
    assert rows["speed"].note.isHidden()


def test_rotor_form_has_no_remark_if_the_initial_rate_is_given(panel: SetupPanel, document: Document) -> None:
    add(panel, "Free")
    rows = panel.rotors.cards[0].form.rows
    assert rows["speed"].note.text()
    rates = qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.1, 0.0, 0.2])
    document.propose("give the rate", lambda state: state.with_preset(initial=rates))
    assert rows["speed"].note.isHidden()
    document.undo()
    assert not rows["speed"].note.isHidden()
    document.branching.set_enabled(True)
    assert rows["speed"].note.isHidden(), "an edit at the cursor changes no initial rate"

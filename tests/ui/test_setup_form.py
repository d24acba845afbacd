"""Forms generated from declarations: contents, edits and errors."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.base.parameters import from_table, parameters_of, to_table
from quatviz.display.document.preset_items import initial_value
from quatviz.files.preset import Lane, RunSettings
from quatviz.physics.loads import LOADS, MotionScale
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Angles
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.form import ParameterForm, SymmetricMatrixField

INSTANCES: dict[str, Any] = {
    "body": Body(inertia=[[3.0, 0.1, 0], [0.1, 2.0, 0.25], [0, 0.25, 2.5]], mass=1 / 3),
    "run": RunSettings(12.5, 1e-4, 0.01),
    "lane": Lane("hamilton", dt=0.1 + 0.2),
    "angles": Angles("313", [10.0, -1e-7, 359.5]),
}


class Maker:
    """Stub of the document: makes instances of one class from tables, or raises the error."""

    def __init__(self, cls: type, instance: Any) -> None:
        self.cls = cls
        self.made: list[Any] = []
        self.form = ParameterForm(parameters_of(cls), "table", self.propose)
        self.form.show_table(to_table(instance))

    def propose(self, table: dict[str, Any], edited: str, goes_on: bool) -> InputError | None:
        try:
            self.made.append(from_table(self.cls, table, "table"))
        except InputError as refusal:
            return refusal
        self.form.show_table(to_table(self.made[-1]))
        return None


def make(cls: type, instance: Any, qtbot: QtBot) -> Maker:
    maker = Maker(cls, instance)
    qtbot.addWidget(maker.form)
    maker.form.show()
    maker.form.activateWindow()
    qtbot.waitUntil(maker.form.isActiveWindow)
    return maker


def enter(entry: LineEntry, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, key)


def entries(maker: Maker, name: str) -> list[LineEntry]:
    return maker.form.rows[name].field.entries


@pytest.mark.parametrize("name", INSTANCES)
def test_form_values_equal_the_instance(name: str, qtbot: QtBot) -> None:
    instance = INSTANCES[name]
    maker = make(type(instance), instance, qtbot)
    values = {key: block.field.value() for key, block in maker.form.rows.items()}
    again = from_table(type(instance), {key: v for key, v in values.items() if v is not None}, "")
    assert to_table(again) == to_table(instance), "to the last digit"


def test_fields_accept_units_and_reject_wrong_ones(qtbot: QtBot) -> None:
    """All units were refused as "no number", even the field's own."""
    maker = make(Body, INSTANCES["body"], qtbot)
    enter(entries(maker, "mass")[0], "250 g")
    assert maker.made[-1].mass == 0.25
    assert entries(maker, "mass")[0].text() == "0.25"
    enter(entries(maker, "mass")[0], "3 m")
    assert "Expected a number in kg." in maker.form.rows["mass"].message.text()
    enter(entries(maker, "mass")[0], "0,35 t")
    assert "“t” is the time, not a unit: write a tonne as 1 Mg" in maker.form.rows["mass"].message.text()
    enter(entries(maker, "mass")[0], "0,35 Mg")
    assert maker.made[-1].mass == 350.0
    enter(entries(maker, "mass")[0], "3 lb")
    assert "“lb” is not a known unit: use kg" in maker.form.rows["mass"].message.text()
    angles = make(Angles, INSTANCES["angles"], qtbot)
    enter(entries(angles, "degrees")[0], "pi/4 rad")
    assert angles.made[-1].degrees[0] == 45.0
    enter(entries(angles, "degrees")[0], "pi/4")
    assert angles.made[-1].degrees[0] == 45.0
    assert "pi/4 rad, or 0.785 deg" in angles.form.rows["degrees"].message.text()


SCALE = MotionScale.from_motion(Body(inertia=[1.0, 2.0, 2.5]), np.ones(3))


@pytest.mark.parametrize("load_name", LOADS)
def test_every_load_has_a_form_with_initial_values(load_name: str, qtbot: QtBot) -> None:
    cls = LOADS[load_name]
    table = {name: initial_value(parameter) for name, parameter in parameters_of(cls).items()}
    load = from_table(cls, {**table, **cls.start_values(SCALE)}, "")
    maker = make(cls, load, qtbot)
    assert set(maker.form.rows) == set(parameters_of(cls))
    for name, parameter in parameters_of(cls).items():
        block = maker.form.rows[name]
        assert parameter.explanation.lower()[:12] in block.field.toolTip().lower()
        assert all(entry.accessibleName() for entry in block.field.entries)


def test_optional_matrix_can_be_entered_and_cleared(qtbot: QtBot) -> None:
    maker = make(Damping, Damping(coefficient=0.1), qtbot)
    cells = entries(maker, "matrix")
    assert [cell.text() for cell in cells] == [""] * 9
    enter(cells[0], "0.1, 0.2, 0.3")
    assert np.diag(maker.made[-1].matrix).tolist() == [0.1, 0.2, 0.3]
    for cell in (cells[0], cells[4], cells[8]):
        cell.setText("")
    cells[8].committed.emit()
    assert maker.made[-1].matrix is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("1e-4", 1e-4), (" 5E-3 ", 5e-3), ("0.0025", 0.0025), ("0,002", 0.002), ("2,5e-3", 2.5e-3)],
)
def test_numbers_are_accepted_in_various_notations(typed: str, meant: float, qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    enter(entries(maker, "dt")[0], typed)
    assert maker.made[-1].dt == meant
    assert not maker.form.rows["dt"].field.is_pending, "it shows the number of the run"


def test_rejected_value_stays_with_its_message(qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    dt = maker.form.rows["dt"]
    enter(entries(maker, "dt")[0], "-1")
    assert not maker.made
    assert entries(maker, "dt")[0].text() == "-1"
    assert entries(maker, "dt")[0].property("refused") is True
    assert dt.message.isVisible()
    for part in ("above 0", "-1", "choose a larger value"):
        assert part in dt.message.text()
    for typed in ("abc", "1,000", "-12,500", "1,000,000"):  # one, or a thousand: it is ambiguous
        enter(entries(maker, "dt")[0], typed)
        assert f"“{typed}”" in dt.message.text()
    enter(entries(maker, "dt")[0], "2e-3")
    assert maker.made[-1].dt == 2e-3
    assert not dt.message.isVisible()
    assert not entries(maker, "dt")[0].property("refused")


def test_escape_restores_the_current_value(qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    entry = entries(maker, "dt")[0]
    enter(entry, "nonsense")
    QTest.keyClick(entry, Qt.Key.Key_Escape)
    assert entry.text() == "0.001"
    assert not maker.form.rows["dt"].is_refused
    enter(entry, "5", Qt.Key.Key_Escape)
    assert entry.text() == "0.001"
    assert not maker.made


@pytest.mark.parametrize("way", ["Escape", "another number"])
def test_error_ends_when_its_cause_in_another_field_is_fixed(way: str, qtbot: QtBot) -> None:
    """The error stayed beside the mass, although the moment that it named had changed."""
    top = Body(inertia=[15.234375, 0.46875, 15.234375], about="pivot", mass=15.0, centre_of_mass=[0, 1, 0])
    body = make(Body, top, qtbot)
    mass, moment = body.form.rows["mass"], body.form.rows["inertia"].field.entries[4]
    enter(moment, "5.9")
    assert mass.is_refused
    if way == "Escape":
        moment.setFocus()
        QTest.keyClick(moment, Qt.Key.Key_Escape)
    else:
        enter(moment, "0.46")
    assert not mass.is_refused
    assert not mass.message.isVisible()


def test_leaving_a_field_commits_only_typed_changes(qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    entry = entries(maker, "duration")[0]
    enter(entry, "20", Qt.Key.Key_Tab)
    assert [made.duration for made in maker.made] == [20.0]
    entry.setFocus()
    entries(maker, "dt")[0].setFocus()
    assert len(maker.made) == 1, "passing through changes nothing"


def test_interdependent_values_are_committed_together(qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    enter(entries(maker, "dt")[0], "3e-3")
    assert "divides" in maker.form.rows["dt"].message.text()
    enter(entries(maker, "sample_interval")[0], "0.03")
    assert (maker.made[-1].dt, maker.made[-1].sample_interval) == (3e-3, 0.03)
    assert not any(block.is_refused for block in maker.form.rows.values())


def test_rejected_field_does_not_block_others(qtbot: QtBot) -> None:
    maker = make(RunSettings, RunSettings(10.0, 1e-3, 0.01), qtbot)
    enter(entries(maker, "dt")[0], "abc")
    enter(entries(maker, "duration")[0], "30")
    assert (maker.made[-1].duration, maker.made[-1].dt) == (30.0, 1e-3)
    assert entries(maker, "dt")[0].text() == "abc"
    assert maker.form.rows["dt"].is_refused


def test_empty_optional_field_gives_none(qtbot: QtBot) -> None:
    maker = make(Body, Body(inertia=[1.0, 1.0, 1.0], mass=2.0), qtbot)
    enter(entries(maker, "mass")[0], "")
    entries(maker, "mass")[0].clear()
    entries(maker, "mass")[0].setModified(True)
    QTest.keyClick(entries(maker, "mass")[0], Qt.Key.Key_Return)
    assert maker.made[-1].mass is None


def test_inertia_shows_moments_or_full_matrix(qtbot: QtBot) -> None:
    maker = make(Body, Body(inertia=[3.0, 2.0, 2.5]), qtbot)
    field = maker.form.rows["inertia"].field
    assert isinstance(field, SymmetricMatrixField)
    (full,) = field.findChildren(QCheckBox)
    assert [entry.text() for entry in field.entries if entry.isVisible()] == ["3", "2", "2.5"]
    full.click()
    assert sum(entry.isVisible() for entry in field.entries) == 9
    enter(field.entries[1], "0.5")
    assert maker.made[-1].inertia.tolist() == [[3, 0.5, 0], [0.5, 2, 0], [0, 0, 2.5]]
    full.click()
    assert np.array_equal(maker.made[-1].inertia, np.diag([3.0, 2.0, 2.5]))


def test_pasted_matrix_or_vector_fills_all_entries(qtbot: QtBot) -> None:
    """All nine numbers went into one entry and were refused."""
    maker = make(Body, Body(inertia=[3.0, 2.0, 2.5]), qtbot)
    field = maker.form.rows["inertia"].field
    clipboard = QGuiApplication.clipboard()
    for text, wanted in (
        ("4\t0,1\t0\n0,1\t3\t-0,2\n0\t-0,2\t2", [[4, 0.1, 0], [0.1, 3, -0.2], [0, -0.2, 2]]),
        ("array([[5., 0, 0],\n [0, 4., 0],\n [0, 0, 3.]])", np.diag([5, 4, 3]).tolist()),
        ("[[6,0.1,0],[0.1,3,0],[0,0,4]]", [[6, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]),
        ("5,0,0\n0,3,0\n0,0,4", np.diag([5, 3, 4]).tolist()),
        ("4, 3, 2", np.diag([4, 3, 2]).tolist()),
    ):
        clipboard.setText(text)
        count = len(maker.made)
        field.entries[0].setFocus()
        field.entries[0].selectAll()
        QTest.keySequence(field.entries[0], QKeySequence.StandardKey.Paste)
        QTest.keyClick(field.entries[0], Qt.Key.Key_Return)
        assert maker.made[-1].inertia.tolist() == wanted
        assert len(maker.made) == count + 1
    message_text = maker.form.rows["inertia"].message.text
    enter(entries(maker, "inertia")[0], "1 2")
    assert "enter one number, or 3 or 9 numbers for all fields; you entered 2" in message_text()
    enter(entries(maker, "inertia")[0], "1,000,000")
    assert "without thousands separators" in message_text(), "it is not 1, 0, 0"
    enter(entries(maker, "mass")[0], "1 2 3")
    assert "enter one number; you entered 3" in maker.form.rows["mass"].message.text()


@pytest.mark.parametrize("at", [3, 1, 2], ids=["where it was typed", "its twin", "another"])
def test_escape_restores_the_whole_matrix(at: int, qtbot: QtBot) -> None:
    """The symmetric entry kept the rejected text, so that later edits failed too. At a third entry Escape cleared only the
    marks."""
    maker = make(Body, Body(inertia=[[3.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 2.5]]), qtbot)
    field = maker.form.rows["inertia"].field
    entry, twin = field.entries[3], field.entries[1]
    enter(entry, "wide")
    assert twin.text() == "wide"
    field.entries[at].setFocus()
    QTest.keyClick(field.entries[at], Qt.Key.Key_Escape)
    assert (entry.text(), twin.text()) == ("0.5", "0.5")
    assert not field.is_pending
    assert not maker.form.rows["inertia"].is_refused


def test_edited_fields_stay_marked_while_rejected(qtbot: QtBot) -> None:
    body = Body(inertia=[3.0, 2.0, 2.5])
    maker = make(Body, body, qtbot)
    block = maker.form.rows["inertia"]
    (title,) = [label for label in block.findChildren(QLabel) if label.text().startswith("Inertia")]
    enter(block.field.entries[0], "3.5")
    for typed in ("wide", "900", "1 2", "-1"):
        enter(block.field.entries[0], typed)
        maker.form.show_table(to_table(maker.made[-1]))
        maker.form.compare(to_table(body))
        assert block.is_refused
        assert title.text().endswith("•")


def test_inertia_field_follows_a_new_preset(qtbot: QtBot) -> None:
    turned = Body(inertia=[[3.0, 0.5, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 2.5]])
    maker = make(Body, turned, qtbot)
    field = maker.form.rows["inertia"].field
    for body in (Body(inertia=[3.0, 2.0, 2.5]), turned):
        maker.form.show_table(to_table(body))
        assert sum(entry.isVisible() for entry in field.entries) == 9, "an entry with focus stays visible"
        maker.form.forget_refusals()
        assert sum(entry.isVisible() for entry in field.entries) == (9 if body is turned else 3)


@pytest.mark.parametrize("number", ["346.4101616", "0.17453292519943295", "3e-05", "7", "2.5"])
def test_number_stepped_up_and_down_returns_exactly(number: str, qtbot: QtBot) -> None:
    entry = entries(make(Body, Body(inertia=[1.0, 1.0, 1.0], mass=float(number)), qtbot), "mass")[0]
    steps = [Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down]
    texts = [entry.text()]
    for key in steps:
        QTest.keyClick(entry, key)
        texts.append(entry.text())
    assert texts == [*texts[:3], texts[1], texts[0]]
    assert len(set(texts)) == 3


def test_step_keeps_the_lower_digits(qtbot: QtBot) -> None:
    entry = LineEntry()
    qtbot.addWidget(entry)
    entry.show_text("346.4101616")
    seen = []
    for held in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ShiftModifier,
    ):
        QTest.keyClick(entry, Qt.Key.Key_Up, held)
        seen.append(entry.text())
    assert seen == ["356.4101616", "357.4101616", "457.4101616"]
    assert entry.cursorPosition() == 0, "at the digit that was stepped"
    entry.setText("0.3")  # as its slider shows it
    QTest.keyClick(entry, Qt.Key.Key_Down)
    assert entry.text() == "0.2"


def test_page_keys_step_tenfold_without_scrolling(qtbot: QtBot) -> None:
    above, entry = QWidget(), LineEntry()
    qtbot.addWidget(above)
    entry.setParent(above)
    passed: list[int] = []
    above.keyPressEvent = lambda event: passed.append(event.key())  # type: ignore[method-assign]
    entry.show_text("2.5")
    QTest.keyClick(entry, Qt.Key.Key_PageUp)
    assert entry.text() == "3.5"
    QTest.keyClick(entry, Qt.Key.Key_PageDown)
    assert entry.text() == "2.5"
    entry.show_text("sin(t)")
    QTest.keyClick(entry, Qt.Key.Key_PageDown)
    assert (entry.text(), passed) == ("sin(t)", [])


@pytest.mark.parametrize(
    ("typed", "meant"), [("16/3", 16 / 3), ("5 pi/3", 5 * np.pi / 3), ("5*pi/3", 5 * np.pi / 3)]
)
def test_moment_of_inertia_accepts_a_constant_expression(typed: str, meant: float, qtbot: QtBot) -> None:
    maker = make(Body, Body(inertia=[5.0, 5.0, 5.0]), qtbot)
    field = maker.form.rows["inertia"].field
    enter(field.entries[4], typed)
    assert maker.made[-1].inertia.tolist() == np.diag([5.0, meant, 5.0]).tolist()
    enter(field.entries[4], "5 pie")
    assert [entry.property("refused") for entry in field.entries].count(True) == 1
    assert field.entries[4].property("refused")
    assert "“5 pie”" in maker.form.rows["inertia"].message.text()


def test_undo_key_reaches_window_from_unedited_field(qtbot: QtBot) -> None:
    window = QWidget()
    entry = LineEntry()
    entry.setParent(window)
    qtbot.addWidget(window)
    seen: list[str] = []
    from PySide6.QtGui import QKeySequence, QShortcut

    QShortcut(QKeySequence.StandardKey.Undo, window).activated.connect(lambda: seen.append("undo"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    entry.setFocus()
    entry.show_text("1")
    QTest.keyClick(entry, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert seen == ["undo"]
    QTest.keyClicks(entry, "23")
    QTest.keyClick(entry, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert seen == ["undo"]
    assert entry.text() != "231", "the field undoes its own typing"


def test_load_magnitude_accepts_an_expression_of_time(qtbot: QtBot) -> None:
    maker = make(LOADS["torque"], from_table(LOADS["torque"], {"torque": [1.0, 0.0, 0.5]}, "loads[0]"), qtbot)
    field = maker.form.rows["torque"].field
    enter(field.entries[0], " 2*sin(3*t) ")
    assert to_table(maker.made[-1])["torque"] == ["2*sin(3*t)", 0.0, 0.5]
    assert [entry.text() for entry in field.entries] == ["2*sin(3*t)", "0", "0.5"]
    enter(field.entries[1], "2*pi")
    assert to_table(maker.made[-1])["torque"][1] == pytest.approx(2.0 * np.pi)


def test_invalid_expression_is_marked_at_its_position(qtbot: QtBot) -> None:
    maker = make(
        LOADS["gravity"], from_table(LOADS["gravity"], {"weight": 2.0, "centre": [0, 0, 1]}, ""), qtbot
    )
    block = maker.form.rows["weight"]
    entry = block.field.entries[0]
    enter(entry, "2*foo(t)")
    assert block.is_refused
    assert "the unknown name 'foo' at character 3 of '2*foo(t)'" in block.message.text()
    assert entry.selectedText() == "foo"
    assert not maker.made
    enter(entry, "2*sin(t)")
    assert not block.is_refused
    assert to_table(maker.made[-1])["weight"] == "2*sin(t)"
    # Fields without expressions keep their own messages.
    enter(maker.form.rows["centre"].field.entries[0], "2*t")
    text = maker.form.rows["centre"].message.text
    assert "Expected a number" in text()
    assert "0,25" in text(), "a decimal comma is understood"
    maker.form.rows["centre"].field.entries[0].clear()
    enter(maker.form.rows["centre"].field.entries[0], "")
    assert "Found an empty field" in text()
    enter(maker.form.rows["centre"].field.entries[1], "1e400")
    assert "1e400" in text(), "it is not a location of this computer"
    enter(maker.form.rows["centre"].field.entries[0], "0")
    assert "Expected a number up to 1.8e308" in text()


def test_field_accepts_expressions_in_common_notation(qtbot: QtBot) -> None:
    maker = make(
        LOADS["gravity"], from_table(LOADS["gravity"], {"weight": 2.0, "centre": [0, 0, 1]}, ""), qtbot
    )
    enter(maker.form.rows["weight"].field.entries[0], "3 sin(2pi t)")
    assert to_table(maker.made[-1])["weight"] == "3*sin(2*pi*t)", "as files store it"
    enter(maker.form.rows["centre"].field.entries[0], "2 pi/3")
    assert to_table(maker.made[-1])["centre"][0] == pytest.approx(2.0 * np.pi / 3.0)


def test_labels_of_the_body_have_american_spelling(qtbot: QtBot) -> None:
    """The keys of presets stay British."""
    maker = make(Body, INSTANCES["body"], qtbot)
    texts = {text.text() for text in maker.form.rows["centre_of_mass"].findChildren(QLabel)}
    assert "Center of mass" in texts
    assert not [text.text() for text in maker.form.findChildren(QLabel) if "centre" in text.text().lower()]

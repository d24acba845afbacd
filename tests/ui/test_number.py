"""Dragging numbers by label, slider or text: range, precision, and undo."""

import math
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.base.parameters import from_table, parameters_of, to_table
from quatviz.base.units import require_number
from quatviz.files.preset import Lane
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import second_angle_range
from quatviz.physics.mechanics.initial import Angles
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.form import ParameterForm
from quatviz.ui.widgets.layouts import row, wrap_layout
from quatviz.ui.widgets.scrub_slider import ScrubSlider, number_entry

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class FormProbe:
    """Form of one class that records the proposed values and whether the edit continues."""

    def __init__(self, instance: Any, qtbot: QtBot) -> None:
        self.tried: list[tuple[Any, bool]] = []
        self._kind = type(instance)
        self.form = ParameterForm(parameters_of(self._kind), "table", self._try)
        self.form.show_table(to_table(instance))
        qtbot.addWidget(self.form)
        self.form.resize(320, self.form.sizeHint().height())
        self.form.show()
        self.form.activateWindow()
        qtbot.waitUntil(self.form.isActiveWindow)

    def _try(self, table: dict[str, Any], edited: str, goes_on: bool) -> InputError | None:
        try:
            made = from_table(self._kind, table, "table")
        except InputError as refusal:
            return refusal
        self.tried.append((to_table(made)[edited], goes_on))
        self.form.show_table(to_table(made))
        return None

    def handle(self, name: str, index: int = 0) -> ScrubSlider:
        return self.form.rows[name].field.sliders[index]


def drag(widget: Any, *by: int, keys: Qt.KeyboardModifier = NONE, at: int = 4, let_go: bool = True) -> None:
    """Press, and move by each of the distances in turn, drawing after each."""
    y = widget.height() // 2
    QTest.mousePress(widget, LEFT, keys, QPoint(at, y))
    for x in by:
        move(widget, at + x, keys)
        QApplication.processEvents()
    if let_go:
        QTest.mouseRelease(widget, LEFT, keys, QPoint(at + by[-1], y))


def move(widget: Any, x: int, keys: Qt.KeyboardModifier, away: int = 0) -> None:
    at = QPointF(x, widget.height() // 2 + away)
    moved = QMouseEvent(QEvent.Type.MouseMove, at, widget.mapToGlobal(at), LEFT, LEFT, keys)
    QApplication.sendEvent(widget, moved)


def test_dragging_a_label_edits_live_in_one_step(qtbot: QtBot) -> None:
    probe = FormProbe(Angles("321", [10.0, 20.0, 30.0]), qtbot)
    handle = probe.handle("degrees", 1)
    assert [slider.name for slider in probe.form.rows["degrees"].field.sliders] == ["θ₁", "θ₂", "θ₃"]
    drag(handle, 20, 40, 30)
    assert probe.tried == [
        ([10.0, 38.0, 30.0], False),
        ([10.0, 56.0, 30.0], True),
        ([10.0, 47.0, 30.0], True),
    ]
    drag(handle, 20)
    assert probe.tried[-1] == ([10.0, 65.0, 30.0], False), "another drag is another step"


@pytest.mark.parametrize(("keys", "meant"), [(NONE, 29.0), (SHIFT, 110.0), (CTRL, 20.9)])
def test_modifier_keys_make_drags_coarser_or_finer(
    keys: Qt.KeyboardModifier, meant: float, qtbot: QtBot
) -> None:
    probe = FormProbe(Angles("321", [10.0, 20.0, 30.0]), qtbot)
    drag(probe.handle("degrees", 1), 10, keys=keys)
    assert probe.tried[-1][0][1] == meant


def test_dragging_far_from_the_slider_is_finer(qtbot: QtBot) -> None:
    """An angle slider has five degrees per pixel; finer values need a pointer far above or below it."""
    probe = FormProbe(Angles("321", [10.0, 20.0, 30.0]), qtbot)
    handle = probe.handle("degrees", 1)
    at = handle.width() // 2

    def angle(x: int, away: int) -> float:
        move(handle, x, NONE, away)
        QApplication.processEvents()
        return float(probe.tried[-1][0][1])

    drag(handle, 0, at=at, let_go=False)
    coarse = angle(at + 10, 15) - angle(at, 15)
    assert coarse > 25.0
    for away, share, step in ((120, 0.1, 0.1), (-220, 0.01, 0.01)):
        by = angle(at + 10, away) - angle(at, away)
        assert by == pytest.approx(share * coarse, abs=1.01 * step)
        angle(at, 0)


def test_escape_cancels_a_drag_and_double_click_starts_typing(qtbot: QtBot) -> None:
    probe = FormProbe(Angles("321", [10.0, 20.0, 30.0]), qtbot)
    handle = probe.handle("degrees", 1)
    drag(handle, 20, 40, let_go=False)
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert probe.tried[-1] == ([10.0, 20.0, 30.0], True)
    move(handle, 60, NONE)
    QApplication.processEvents()
    assert probe.tried[-1] == ([10.0, 20.0, 30.0], True), "the drag has ended"
    QTest.mouseDClick(handle, LEFT, NONE, QPoint(4, 8))
    assert handle.entry.hasFocus()
    assert handle.entry.selectedText() == "20"


def test_slider_jumps_to_the_pointer_and_follows_past_its_ends(qtbot: QtBot) -> None:
    probe = FormProbe(Angles("321", [10.0, 20.0, 30.0]), qtbot)
    handle = probe.handle("degrees", 0)
    drag(handle, 0, at=handle.width() - 4)
    assert probe.tried[-1][0][0] == 180.0
    drag(handle, -1000, at=handle.width() - 4)
    assert probe.tried[-1][0][0] < -180.0, "beyond its end, for an angle may be larger"


@pytest.mark.parametrize(("sequence", "low", "high"), [("321", -90.0, 90.0), ("313", 0.0, 180.0)])
def test_second_angle_slider_spans_the_range_of_its_sequence(
    sequence: str, low: float, high: float, qtbot: QtBot
) -> None:
    """It ran from -180 to 180 degrees, although angles beyond its range repeat the same orientations."""
    angles = FormProbe(Angles(sequence, [10.0, 40.0, 30.0]), qtbot)
    handle = angles.handle("degrees", 1)
    handle.set_limits(*second_angle_range(sequence))
    for by, end in ((2000, high), (-2000, low)):
        drag(handle, by, at=handle.width() // 2)
        assert angles.tried[-1][0][1] == end
    drag(angles.handle("degrees", 0), 2000, at=handle.width() // 2)
    assert angles.tried[-1][0][0] > 170.0
    handle.entry.setText("200")
    assert handle.slider_range == (-180.0, 180.0), "a value typed outside the range is kept"


def test_number_field_is_dragged_until_it_has_focus(qtbot: QtBot) -> None:
    probe = FormProbe(Body(inertia=[3.0, 2.0, 2.5], mass=3.0), qtbot)
    mass = probe.handle("mass").entry
    drag(mass, 40, 80, at=20)
    assert probe.tried[-1] == (4.0, True)
    assert not mass.hasFocus(), "keys go to the window again"
    (title,) = [label for label in probe.form.findChildren(QLabel) if label.text() == "Mass"]
    drag(title, -4000)
    assert probe.tried[-1] == (0.01, False), "not below its minimum"
    QTest.mouseClick(mass, LEFT, NONE, QPoint(20, 10))
    assert mass.hasFocus()
    drag(mass, 40, 80, at=20)
    assert len(probe.tried) == 3, "in a focused field a drag selects text"


def test_escape_restores_a_dragged_number_field(qtbot: QtBot) -> None:
    """The next four pixels of the same drag changed it again."""
    probe = FormProbe(Body(inertia=[3.0, 2.0, 2.5], mass=3.0), qtbot)
    mass = probe.handle("mass").entry
    drag(mass, 40, 80, at=20, let_go=False)
    QTest.keyClick(probe.handle("mass"), Qt.Key.Key_Escape)
    assert probe.tried[-1] == (3.0, True)
    move(mass, 120, NONE)
    QApplication.processEvents()
    assert probe.tried[-1] == (3.0, True)


def test_inertia_entries_are_named_and_stay_symmetric(qtbot: QtBot) -> None:
    probe = FormProbe(Body(inertia=[[3.0, 0.1, 0.0], [0.1, 2.0, 0.0], [0.0, 0.0, 2.5]]), qtbot)
    handles = probe.form.rows["inertia"].field.sliders
    assert [handle.name for handle in handles[:4]] == ["J₁", "J₁₂", "J₁₃", "J₂₁"]
    drag(handles[1], 8)
    assert probe.tried[-1][0][0][1] == probe.tried[-1][0][1][0] == pytest.approx(0.3)


def test_invalid_drag_shows_an_explanation(qtbot: QtBot) -> None:
    """Curves and body stopped following without a message, and the message of another number stayed."""
    probe = FormProbe(Body(inertia=[3.0, 2.0, 2.5]), qtbot)
    handle, block = probe.handle("inertia"), probe.form.rows["inertia"]
    drag(handle, 40, 200, let_go=False)
    assert len(probe.tried) == 1, "no moment of inertia exceeds the sum of the others"
    assert block.message.isVisible()
    text = block.message.text()
    assert "moment" in text
    move(handle, 164, NONE)
    QApplication.processEvents()
    assert block.message.text() != text, "the message is about the current number"
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(164, 8))
    assert block.message.isVisible()
    drag(handle, -160, let_go=False)
    assert not block.message.isVisible()
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(-156, 8))


def test_non_numeric_text_cannot_be_dragged(qtbot: QtBot) -> None:
    probe = FormProbe(Lane("hamilton"), qtbot)
    drag(probe.handle("dt"), 40)
    drag(probe.handle("dt").entry, 40, at=20)
    for text in ("1e999", "nan", "2*t"):
        probe.handle("dt").entry.setText(text)
        drag(probe.handle("dt"), 40)
        assert not probe.handle("dt").grab().isNull(), "and is painted without errors"
    assert probe.tried == []


def test_dialog_number_can_be_dragged_and_stepped(qtbot: QtBot) -> None:
    """Even video sizes require a width in whole steps of ten."""
    entry = number_entry("1280", "Width, pixels", 320.0, 3840.0, int)
    values: list[str] = []
    entry.textChanged.connect(values.append)
    dialog = wrap_layout(row(entry))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    (handle,) = entry.findChildren(ScrubSlider)
    assert handle.accessibleName() == "Slider: Width, pixels"
    entry.clearFocus()
    drag(entry, 10, 20, at=20)
    assert values == ["1370", "1460"]
    entry.clearFocus()
    drag(entry, -4000, at=20)
    assert entry.text() == "320"
    entry.setFocus()
    QTest.keyClick(entry, Qt.Key.Key_Up)
    assert entry.text() == "330"


def test_number_without_space_is_rounded_until_focused(qtbot: QtBot) -> None:
    field, other = LineEntry("a"), LineEntry("b")
    window = QWidget()
    qtbot.addWidget(window)
    for index, number_field in enumerate((field, other)):
        number_field.setParent(window)
        number_field.setGeometry(10, 10 + 50 * index, 64, 30)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    field.show_text("0.000267012345")
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    assert field.displayed_text in ("0.0003", "0.00027", "0.000267")
    assert field.displayed_text != field.text()
    rounded = field.grab().toImage()
    field.show_text(field.displayed_text)
    assert field.grab().toImage() == rounded, "painted like any other number"
    field.show_text("0.000267012345")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert field.displayed_text == field.text() == "0.000267012345"
    other.show_text("not a number but long")
    assert other.displayed_text == other.text()


def test_dialog_number_accepts_expressions(qtbot: QtBot) -> None:
    """Fields of the setup accepted expressions, but those of export dialogs did not."""
    entry = number_entry("170", "Width", 40.0, 400.0)
    qtbot.addWidget(entry)
    for typed, value in (("0,5", 0.5), ("2 pi/4", 0.5 * math.pi), ("160 + 10", 170.0)):
        entry.setText(typed)
        assert require_number(entry.text(), "the width", "errors#exports") == pytest.approx(value)
    for wrong in ("2 t", "1e400", "wide", ""):
        entry.setText(wrong)
        with pytest.raises(InputError, match="the width"):
            require_number(entry.text(), "the width", "errors#exports")


def test_tool_number_accepts_a_unit(qtbot: QtBot) -> None:
    entry = number_entry("8", "Duration", 0.0, 20.0)
    qtbot.addWidget(entry)
    for typed, value in (("8", 8.0), ("80 ms", 0.08), ("2 min", 120.0)):
        entry.setText(typed)
        assert require_number(entry.text(), "the duration", "errors", unit="s") == value
    entry.setText("30 deg")
    with pytest.raises(InputError, match="30 deg"):
        require_number(entry.text(), "the duration", "errors", unit="s")

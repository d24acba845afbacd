"""Keyboard and screen readers: Tab reaches every control, nothing traps it, and every control has a name."""

import gc
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QScrollBar,
    QTextEdit,
    QWidget,
    QWidgetItem,
)
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import editing, pause_at, wait_computed  # noqa: F401

from quatviz.app import WindowController
from quatviz.display.data.frame import Pose
from quatviz.display.scene.description import describe_angles, describe_pose
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.mechanics.euler_sequences import p_from_angles
from quatviz.teaching.lessons import read_lesson
from quatviz.ui.sidebar.presets import PresetDialog
from quatviz.ui.tools.export.dialogs import EXPORTS
from quatviz.ui.tools.export.lesson_dialogs import SheetDialog
from quatviz.ui.widgets.windows import Dialog

CONTROLS = (
    QAbstractButton, QComboBox, QAbstractSlider, QAbstractSpinBox, QLineEdit, QAbstractItemView, QTextEdit
)  # fmt: skip
ASKS_ELSEWHERE = "documents"
"""Exports that start with a dialog of the system."""
MOST = 600
"""Maximum number of Tab presses in one window."""


def test_every_control_is_reached_by_tab_and_has_a_name(editing: WindowController, qtbot: QtBot) -> None:
    """All in one window, because creating one takes a second."""
    window = editing.window
    window.side.open_sections([name.replace(" ", "_") for name in window.side.sections])
    for lane in window.side.lane_list.rows:
        lane.heading.click()
    for name in window.board.titles:
        window.board.show_panel(name, True)
    wait_laid_out(window, qtbot)
    assert_reached(window)
    of_panels = [name_of(part) for part in window.board.findChildren(QAbstractButton) if tabbed(part)]
    assert "Frame, Angular momentum" in of_panels
    assert len({*of_panels}) == len(of_panels), "each option names its panel"
    editing.start_page.show()
    wait_laid_out(window, qtbot)
    assert_reached(window)
    assert not (silent := unnamed()), silent
    editing.start_page.leave()
    editing.present(read_lesson("half_turn"))
    assert editing.presenter is not None
    editing.presenter.go_next()
    wait_laid_out(window, qtbot)
    assert_reached(window)
    dialog_names = [*(what for what in EXPORTS if what != ASKS_ELSEWHERE)]
    for what in dialog_names:
        editing.exporter.open_dialog(what)
    sheet = editing.exporter.dialogs["sheet"]
    assert isinstance(sheet, SheetDialog)
    assert sheet.lesson.value == "half_turn", "the presented lesson is marked"
    editing.choose_lesson()
    assert not (silent := unnamed()), silent
    kept = PresetDialog(editing.document.state.preset, lambda *_: None, window)
    editing.open_tool("study")
    editing.open_tool("maps")
    editing.open_tool("fit")
    editing.open_tool("help")
    window.equation_window.open()
    kept.show()
    wait_laid_out(kept, qtbot)
    assert not (silent := unnamed()), silent
    opened = [
        widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget is not window
    ]
    assert len([widget for widget in opened if isinstance(widget, QDialog)]) >= len(dialog_names) + 1
    for other in opened:
        other.activateWindow()
        assert_reached(other)
        other.close()


def test_tab_order_of_side_column_is_top_to_bottom(editing: WindowController, qtbot: QtBot) -> None:
    """Rows of lanes, their forms and loads are created after the widgets below them."""
    window, side = editing.window, editing.window.side
    side.open_sections([name.replace(" ", "_") for name in side.sections])
    for lane in side.lane_list.rows:
        lane.heading.click()
    wait_laid_out(window, qtbot)
    content = side.widget()
    assert content is not None
    seen: list[tuple[int, str]] = []
    side.picker.button.setFocus()
    while (focused := window.focusWidget()) and content.isAncestorOf(focused) and len(seen) < MOST:
        seen.append((focused.mapTo(content, QPoint(0, focused.height())).y(), widget_path(focused)))
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert len(seen) > 30
    for before, after in pairwise(seen):
        assert after[0] > before[0] - 2 * GRID_UNIT, f"Tab moves up from {before} to {after}"
    kept = [obj for obj in gc.get_objects() if isinstance(obj, QWidgetItem)]
    assert not kept, "stale wrappers of deleted widgets crash PySide"


def test_focused_heading_has_a_frame(editing: WindowController, qtbot: QtBot) -> None:
    side = editing.window.side
    side.open_sections(["Lanes"])
    for heading in (side.sections["Lanes"].heading, side.lane_list.rows[0].heading):
        heading.setFocus()
        qtbot.waitUntil(heading.hasFocus)
        picture = heading.grab().toImage()
        ratio = picture.devicePixelRatio()
        line = [picture.pixelColor(round(x * ratio), round(2 * ratio)) for x in (20, heading.width() // 2)]
        heading.clearFocus()
        plain = heading.grab().toImage()
        assert all(plain.pixelColor(round(20 * ratio), round(2 * ratio)) != pixel for pixel in line)


def assert_reached(window: QWidget) -> None:
    """Assert that Tab passes all controls of a window and returns to the first."""
    wanted = {part for part in window.findChildren(QWidget) if part.window() is window and tabbed(part)}
    if not wanted:
        return
    reached: list[QWidget] = []
    next(iter(wanted)).setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(MOST):
        focused = window.focusWidget()
        if focused is None or focused in reached[:-1]:
            break
        if focused not in reached:  # Tab goes through the links of a page before it leaves it
            reached.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    missed = wanted - set(reached)
    assert not missed, (
        f"Tab does not reach {[widget_path(part) for part in missed]} after {widget_path(reached[-1])}"
    )


def tabbed(part: QWidget) -> bool:
    """Return True if Tab should reach the widget."""
    on = part.isVisible() and part.isEnabled() and part.focusProxy() is None
    return on and bool(part.focusPolicy() & Qt.FocusPolicy.TabFocus.value)


def unnamed() -> list[str]:
    """Return controls, and other widgets painted by code or taking keys, without a name. Hidden widgets of other tests are
    ignored."""
    widgets = [
        part
        for part in QApplication.allWidgets()
        if part.window().isVisible() or part.window().parentWidget()
    ]
    return sorted({widget_path(part) for part in widgets if is_spoken(part) and not name_of(part)})


def is_spoken(part: QWidget) -> bool:
    """Return True if a screen reader reaches the widget and Qt does not name it or its parent."""
    if part.isWindow() or isinstance(part, QLabel | QScrollBar | QHeaderView | QMenu | QMenuBar):
        return False
    parent = part.parentWidget()
    if isinstance(parent, QLineEdit | QAbstractSpinBox | QMenuBar | QAbstractItemView) or within_menu(part):
        return False
    if isinstance(parent, QAbstractScrollArea) and parent.viewport() is part:
        return False
    if isinstance(part, QAbstractItemView) and parent is not None:
        box = parent.parentWidget()
        if isinstance(box, QComboBox):
            return False  # the list of a combo box
    painted = any(
        "paintEvent" in vars(cls) for cls in type(part).__mro__ if cls.__module__.startswith("quatviz")
    )
    return isinstance(part, CONTROLS) or painted or part.focusPolicy() != Qt.FocusPolicy.NoFocus


def within_menu(part: QWidget) -> bool:
    """Return True if the widget belongs to pyqtgraph's own menus, which are never shown."""
    while (above := part.parentWidget()) is not None:
        if isinstance(above, QMenu):
            return True
        part = above
    return False


def name_of(part: QWidget) -> str:
    """Return the text that a screen reader speaks."""
    return part.accessibleName() or (part.text() if isinstance(part, QAbstractButton) else "")


def widget_path(part: QWidget) -> str:
    """Return a widget with its parents, for the message of a failure."""
    names = []
    for _ in range(4):
        names.append(f"{type(part).__name__} “{part.accessibleName() or part.objectName()}”")
        above = part.parentWidget()
        if above is None:
            break
        part = above
    return " in ".join(names)


def test_f6_cycles_through_parts_of_the_window(editing: WindowController) -> None:
    window = editing.window
    parts = window.side, window.views, window.board, window.transport
    window.setFocus()

    def reached(modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> QWidget:
        QTest.keyClick(window, Qt.Key.Key_F6, modifier)
        focus = QApplication.focusWidget()
        assert focus is not None
        (part,) = [candidate for candidate in parts if candidate.isAncestorOf(focus)]
        return part

    assert [reached() for _ in range(5)] == [*parts, parts[0]]
    back = [reached(Qt.KeyboardModifier.ShiftModifier) for _ in range(4)]
    assert back == [*parts[:0:-1], parts[0]]
    window.setFocus()
    window.side.hide()
    assert reached() is window.views, "hidden parts are skipped"
    window.side.show()
    window.setFocus()


def test_events_are_announced_and_scene_is_described_on_request(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    narrator = editing.window.narrator
    monkeypatch.setattr(narrator, "announce", messages.append)
    pause_at(editing, qtbot, 2.0)
    first = editing.frame_loop.frame
    assert first is not None
    lane = replace(first.lanes[0], status="singular", computed_to=4.9912)
    for _ in range(2):
        narrator.show_frame(replace(first, lanes=(lane, *first.lanes[1:])))
    assert messages == ["Newton–Euler ended: singular at 4.9912 s"]
    for playing, passed in ((True, False), (True, True), (True, True), (True, False), (False, True)):
        lanes = replace(lane, frozen=passed), *first.lanes[1:]
        narrator.show_frame(replace(first, lanes=lanes, playing=playing))
    assert messages == ["Newton–Euler ended: singular at 4.9912 s"] * 2, "again when its end is passed"
    messages.pop()
    warning = "Hamilton is not to be trusted from t = 3 s on: ..."
    other = replace(first.lanes[1], status="ok", message=warning)
    for _ in range(2):
        narrator.show_frame(replace(first, lanes=(lane, other)))
    assert messages[1:] == [warning]
    row = editing.window.side.lane_list.rows[1]
    row.show_lane(other)
    assert row.message.isVisibleTo(row), "the spoken text is also below the lane"
    messages.pop()
    editing.window.messages.show("Saved")
    assert messages[1:] == ["Saved"]
    editing.window.messages.show("Not saved", "errors#files")
    assert editing.window.status.learn_more_button.accessibleName() == "Learn more: Not saved", "no file name"
    narrator.show_frame(first)
    editing.window.action_registry["describe"].trigger()
    titled = "Text description – quatviz"  # otherwise Qt would add the name behind a longer dash
    shown = next(dialog for dialog in editing.window.findChildren(QDialog) if dialog.windowTitle() == titled)
    lines = "\n".join(label.text() for label in shown.findChildren(QLabel)).split("\n")
    shown.close()
    assert "t = 2.00 s of" in lines[0]
    assert "paused" in lines[0]
    assert lines[1].startswith("Body axes in space, with z up: e1 ")
    assert "Lanes: Newton–Euler; Hamilton, reduced to h." in lines
    assert any(line.startswith("2 lanes agree to 10⁻") for line in lines)


def test_angles_are_described_where_they_are_shown(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 2.0)

    def description() -> str:
        window.action_registry["describe"].trigger()
        dialog = window.findChildren(Dialog)[-1]
        text = "\n".join(label.text() for label in dialog.findChildren(QLabel))
        dialog.close()
        return text

    for name in ("euler_angles", "det_s"):
        window.board.show_panel(name, False)
    assert "Euler angles" not in description()
    window.board.choices.choose(SEQUENCE_CHOICE, "313")
    window.board.show_panel("det_s", True)
    assert "Euler angles 3-1-3: φ " in description()
    assert "Gimbal rings" not in description()
    window.board.show_panel("det_s", False)
    window.views.set_item_visible("gimbals", True)
    assert "Euler angles 3-1-3: φ " in description()
    assert "Gimbal rings: the axes of " in description()


def test_gimbal_lock_is_described() -> None:
    angles, rings, lock = describe_angles(p_from_angles(np.radians([20.0, 88.0, -70.0]), "321"), "321", True)
    assert angles == "Euler angles 3-2-1: ψ 20°, θ 88°, φ −70°; det S = 0.035."
    assert rings == "Gimbal rings: the axes of the outer and the inner ring are 2° apart."
    assert lock == "Gimbal lock: ψ and φ turn about the same line."


def test_directions_are_described_by_the_nearest_axis() -> None:
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    omega = quarter @ np.array([0.0, -2.0, 0.5])
    pose = Pose(np.array([1.0, 0.0, 0.0, 1.0]) / np.sqrt(2.0), quarter, {"omega": omega})
    axes, rate = describe_pose(pose)
    assert axes == "Body axes in space, with z up: e1 along +y; e2 along −x; e3 along +z."
    assert rate.endswith("2.062 rad/s, in space 14° from +x, in the body 14° from −e2.")

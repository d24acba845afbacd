"""The transport bar sends the user's commands and shows the state of the frames."""

import math
from dataclasses import replace

import pytest
from action_stubs import actions_for
from fake_run import FakeRun
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.display.data.budget import ANNOUNCEMENT_INTERVAL, READOUT_INTERVAL_LIMITS, FrameBudget
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.simulation.commands import RunnerCommand, Seek, SetPlaybackRate, StepSamples, Toggle
from quatviz.ui.transport.transport_bar import SPEEDS, TransportBar
from quatviz.ui.widgets.style import apply_theme, make_palette, set_own_theme

Sent = list[RunnerCommand | str]


@pytest.fixture
def run() -> FakeRun:
    return FakeRun()


@pytest.fixture
def bar(qtbot: QtBot, run: FakeRun) -> TransportBar:
    acts, sent = actions_for(), Sent()
    made = TransportBar(acts, sent.append)
    made.acts, made.sent = acts, sent  # type: ignore[attr-defined]
    qtbot.addWidget(made)
    made.resize(1200, made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    made.start(run)
    made.show_frame(run.frame(12.34))
    return made


def sent_by(bar: TransportBar) -> Sent:
    """Return a list of the names of actions and commands that the bar sends from now on."""
    commands: Sent = bar.sent  # type: ignore[attr-defined]
    for action in bar.acts:  # type: ignore[attr-defined]
        action.triggered.connect(lambda _=False, action=action: commands.append(action.objectName()))
    return commands


def test_buttons_send_their_actions(bar: TransportBar, qtbot: QtBot) -> None:
    commands = sent_by(bar)
    for button in (
        bar.restart_button,
        bar.step_back_button,
        bar.play_backward_button,
        bar.play_button,
        bar.step_forward_button,
        bar.end_button,
        bar.loop_button,
    ):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert commands == ["restart", "back", "backward", Toggle(), "forward", "end", "loop"]


def test_timeline_has_its_own_keys(bar: TransportBar, qtbot: QtBot) -> None:
    commands = sent_by(bar)
    qtbot.keyClick(bar.scrubber, Qt.Key.Key_Up)
    qtbot.keyClick(bar.scrubber, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(bar.scrubber, Qt.Key.Key_PageDown)
    qtbot.keyClick(bar.scrubber, Qt.Key.Key_PageUp)
    assert commands[:2] == [StepSamples(1), StepSamples(-10)]
    assert [command.time for command in commands if isinstance(command, Seek)] == pytest.approx([16.34, 8.34])


def test_return_presses_a_focused_button(bar: TransportBar, qtbot: QtBot) -> None:
    commands = sent_by(bar)
    qtbot.keyClick(bar.loop_button, Qt.Key.Key_Return)
    assert commands == ["loop"]


def test_dragging_the_timeline_seeks_continuously(bar: TransportBar, qtbot: QtBot) -> None:
    sent, scrubber = sent_by(bar), bar.scrubber
    pixel = 40.0 / scrubber.width()

    def at(time: float) -> QPoint:
        return QPoint(round(scrubber.x_of(time)), 12)

    qtbot.mousePress(scrubber, Qt.MouseButton.LeftButton, pos=at(10.0))
    for time in (12.0, 15.0, 20.0):
        qtbot.mouseMove(scrubber, at(time))
    qtbot.mouseMove(scrubber, at(20.0) + QPoint(5000, 0))
    qtbot.mouseRelease(scrubber, Qt.MouseButton.LeftButton, pos=at(20.0))
    assert all(isinstance(command, Seek) for command in sent)
    times = [command.time for command in sent if isinstance(command, Seek)]
    assert times[0] == pytest.approx(10.0, abs=pixel)
    assert [any(abs(command - time) <= pixel for command in times) for time in (12.0, 15.0, 20.0)] == [
        True
    ] * 3
    assert times[-1] == 40.0


def test_speeds_range_from_0_01_to_100_and_start_at_1(bar: TransportBar) -> None:
    commands = sent_by(bar)
    assert (SPEEDS[0], SPEEDS[-1]) == (0.01, 100.0)
    assert bar.speed_box.currentText() == "1×"
    bar.speed_box.activated.emit(0)
    assert commands == [SetPlaybackRate(0.01)]


def test_frames_update_the_bar_without_sending_commands(bar: TransportBar, run: FakeRun) -> None:
    commands = sent_by(bar)
    frame = run.frame(3.5)
    bar.show_frame(replace(frame, speed=0.1))
    assert bar.time_field.text() == "t = 3.50 s"
    assert bar.play_button.accessibleName() == "Play"
    assert bar.speed_box.currentText() == "0.1×"
    bar.show_frame(replace(frame, playing=True))
    assert bar.play_button.accessibleName() == "Pause"
    assert commands == []


def test_new_run_shows_the_time_of_the_cursor(bar: TransportBar, run: FakeRun) -> None:
    """During a drag each step starts a new run: the time read 0.00 s while the cursor was at 30."""
    frame = run.frame(30.0)
    bar.show_frame(frame)
    silent = replace(frame)
    object.__setattr__(silent, "updates_readouts", False)
    bar.start(run)
    shown = bar.time_field.text()
    bar.show_frame(silent)
    assert (shown, bar.time_field.text()) == ("t = 30.00 s", "t = 30.00 s")


def test_time_can_be_typed_where_it_is_shown(bar: TransportBar, run: FakeRun, qtbot: QtBot) -> None:
    """The time field used to be read-only."""
    commands, refusals = sent_by(bar), list[InputError | None]()
    bar.time_refused.connect(refusals.append)
    bar.activateWindow()
    qtbot.waitUntil(bar.isActiveWindow)
    bar.edit_time()
    assert bar.time_field.hasFocus()
    assert bar.time_field.accessibleName() == "Time"
    qtbot.keyClicks(bar.time_field, "5 pi/4")
    bar.show_frame(run.frame(12.5))
    assert bar.time_field.text() == "5 pi/4", "frames do not overwrite typed text"
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Return)
    assert commands == [Seek(5 * math.pi / 4)]
    assert not bar.time_field.hasFocus()
    assert bar.time_field.text() == "t = 12.50 s"
    geometry = bar.time_field.geometry(), bar.scrubber.geometry()
    assert refusals.pop() is None, "the previous error is cleared"
    for wrong in ("soon", "41", "-1"):
        bar.edit_time()
        qtbot.keyClicks(bar.time_field, wrong)
        qtbot.keyClick(bar.time_field, Qt.Key.Key_Return)
        assert "from 0 to 40 s" in str(refusals.pop())
        assert (bar.time_field.geometry(), bar.scrubber.geometry()) == geometry
        assert bar.time_field.selectedText() == wrong
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Escape)
    assert bar.time_field.text() == "t = 12.50 s"
    assert not bar.time_field.hasFocus()
    qtbot.mouseClick(bar.time_field, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(bar.time_field, "3 s")
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Return)
    assert commands[1:] == [Seek(3.0)]


def test_displayed_time_changes_at_a_readable_rate_while_playing(bar: TransportBar, run: FakeRun) -> None:
    budget = FrameBudget()

    def shown(time: float, now: float, playing: bool = True) -> str:
        budget.begin_frame(now, playing)
        bar.show_frame(replace(run.frame(time), playing=playing, budget=budget))
        return bar.time_field.displayed_text

    assert shown(3.5, 100.0) == "t = 3.50 s"
    assert shown(3.52, 100.0 + 0.4 * READOUT_INTERVAL_LIMITS[0]) == "t = 3.50 s"
    assert shown(3.58, 100.0 + 1.1 * READOUT_INTERVAL_LIMITS[0]) == "t = 3.58 s"
    assert shown(3.59, 100.0 + 1.2 * READOUT_INTERVAL_LIMITS[0], playing=False) == "t = 3.59 s", (
        "at rest it is exact"
    )


def test_screen_reader_is_not_flooded_with_times(bar: TransportBar, run: FakeRun, qtbot: QtBot) -> None:
    """Each change of a field's text sends three events to a screen reader, thirty times a second."""
    budget, announced = FrameBudget(), list[str]()
    bar.time_field.textChanged.connect(announced.append)

    def show(time: float, playing: bool = True, leapt: bool = False) -> str:
        budget.begin_frame(100.0 + time, playing, leapt)
        bar.show_frame(replace(run.frame(time), playing=playing, budget=budget))
        return bar.time_field.displayed_text

    seen = {show(0.05 * tick) for tick in range(200)}
    assert len(seen) > 90, "the displayed time keeps running"
    assert len(announced) == round(10.0 / ANNOUNCEMENT_INTERVAL)
    assert show(20.0, leapt=True) == show(20.01) == announced[-1] == "t = 20.00 s", "a jump is announced"
    show(20.1)
    bar.activateWindow()
    qtbot.waitUntil(bar.isActiveWindow)
    bar.edit_time()
    assert bar.time_field.selectedText() == "t = 20.10 s", "editing starts from the displayed time"
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Escape)
    assert show(20.5, playing=False) == announced[-1] == bar.time_field.text() == "t = 20.50 s", (
        "a stop is announced"
    )


def test_preset_speed_is_shown_and_offered(bar: TransportBar, run: FakeRun) -> None:
    commands = sent_by(bar)
    frame = run.frame(3.5)
    for speed, text in ((100.0, "100×"), (-30.0, "30×"), (0.3, "0.3×"), (1000.0, "1000×"), (1.0, "1×")):
        bar.show_frame(replace(frame, speed=speed))
        assert bar.speed_box.currentText() == text
    assert bar.speed_box.count() == len(SPEEDS) + 1, "it can be chosen again"
    assert commands == []
    bar.speed_box.activated.emit(len(SPEEDS))
    assert commands == [SetPlaybackRate(1000.0)]


def test_time_field_keeps_its_width(bar: TransportBar, run: FakeRun) -> None:
    QApplication.processEvents()
    places = set()
    for time in (0.0, 1.11, 9.99, 10.0, 38.88):
        bar.show_frame(run.frame(time))
        QApplication.processEvents()
        assert bar.time_field.width() >= bar.time_field.fontMetrics().horizontalAdvance(bar.time_field.text())
        places.add((bar.time_field.x(), bar.time_field.width(), bar.scrubber.x()))
    assert len(places) == 1


def test_timeline_shows_computed_range_and_cursor(bar: TransportBar, run: FakeRun) -> None:
    scrubber = bar.scrubber
    run.rows = dict.fromkeys(run.rows, 2001)
    bar.show_frame(run.frame(10.0))
    image = scrubber.grab().toImage()
    y = scrubber.height() // 2 - 5

    def color(time: float) -> QColor:
        return image.pixelColor(round(scrubber.x_of(time)), y)

    assert color(5.0) == color(10.0) == QColor(DARK.accent)
    assert color(30.0) == QColor(DARK.line)
    assert color(15.0) not in (QColor(DARK.accent), QColor(DARK.line))


def test_every_control_has_name_tooltip_key_and_touch_size(bar: TransportBar) -> None:
    for button in bar.buttons:
        assert button.accessibleName()
        assert button.accessibleName() in button.toolTip()
        assert min(button.width(), button.height()) >= 32
        assert not button.focusPolicy() & Qt.FocusPolicy.ClickFocus & ~Qt.FocusPolicy.TabFocus
    keys = [button.toolTip().rpartition("(")[2].rstrip(")") for button in bar.buttons]
    assert keys == ["R", "←", "Shift Space", "Space", "→", "End", "Ctrl L"]
    assert bar.scrubber.accessibleName()
    assert bar.speed_box.accessibleName()
    assert bar.speed_box.height() >= 32


def test_focus_is_visible(bar: TransportBar, qtbot: QtBot) -> None:
    bar.activateWindow()
    for widget in (bar.loop_button, bar.scrubber):
        before = widget.grab().toImage()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        assert widget.grab().toImage() != before


def test_theme_change_repaints_the_bar(bar: TransportBar) -> None:
    before = bar.grab().toImage()
    set_own_theme(bar, LIGHT)
    assert bar.grab().toImage() != before
    assert bar.play_button.grab().toImage().pixelColor(6, 18) == QColor(LIGHT.accent)


def test_application_uses_theme_colors(qapp: QApplication) -> None:
    before = (qapp.font(), qapp.palette(), qapp.styleSheet(), qapp.style().objectName())
    try:
        for theme in (DARK, LIGHT):
            apply_theme(qapp, theme)
            assert qapp.palette().window() == make_palette(theme).window()
            assert theme.raised in qapp.styleSheet()
            assert "{" + "raised}" not in qapp.styleSheet()
    finally:
        qapp.setStyle(before[3])
        qapp.setFont(before[0])
        qapp.setPalette(before[1])
        qapp.setStyleSheet(before[2])

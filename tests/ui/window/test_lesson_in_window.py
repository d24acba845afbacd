"""A lesson in the window: its keys, hidden parts, scenes, and the restored window afterwards."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QAbstractAnimation, QRect, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import editing, pause_at, wait_computed, wait_export, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.resources import preset_folder, settings_folder
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SEQUENCE_CHOICE, frame_choice
from quatviz.display.view_state.theme import FONT_SIZES, GRID_UNIT, PROJECTOR, nearest_font_size
from quatviz.display.view_state.view_state import ALL_OTHERS
from quatviz.files.preset_reading import format_preset
from quatviz.simulation.commands import Pause, Play
from quatviz.teaching.help.entry_search import rank_entries
from quatviz.teaching.lessons import lesson_paths, parse_lesson, read_lesson
from quatviz.teaching.lessons.questions import questions_of
from quatviz.teaching.lessons.user_lessons import recent_lesson_files
from quatviz.ui.lessons.presenter import Presenter
from quatviz.ui.lessons.question import AnswerButton
from quatviz.ui.tools.export import lesson_dialogs
from quatviz.ui.widgets.typeset import Typesetter
from quatviz.ui.window.actions import undo_target
from quatviz.ui.window.command_palette import all_entries

LESSON = """# Title

```lesson
format = 1
minutes = 5
```

Said in the list.

## One

```scene
preset = "torque_free"
panels = ["h"]
show = ["polhode"]
view = "top"
components = "space"
time = 3
play = false
```

Words with $J\\omega$.

```check
name = "most"
quantity = "|h|"
measure = "max"
value = 400
tolerance = 1e-5
```

## Two

```scene
lanes = ["hamilton"]
```

Before.

```question
ask = "Which?"
choices = ["this one", "that one"]
answer = "that one"
```

```scene
panels = ["omega", "drift"]
difference = true
time = 5
```

Because.

## Three

```question
ask = "How large?"
answer = "least"
```

It is {least}, never above {most}.

```check
name = "least"
quantity = "h_1"
measure = "min"
value = 162.63
tolerance = 0.01
```
"""


@pytest.fixture
def presenting(editing: WindowController, qtbot: QtBot) -> Presenter:
    pause_at(editing, qtbot, 7.0)
    (settings_folder() / "lectures.toml").unlink(missing_ok=True)
    editing.present(parse_lesson(LESSON))
    assert editing.presenter is not None
    return editing.presenter


def shown(session: WindowController) -> set[str]:
    board = session.window.board
    return {name for name in board.titles if board.is_shown(name)}


def test_lesson_buttons_are_not_cut_on_a_small_screen(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    """In the projector theme at 150 % on 1280x720 the longest button said "nswe"."""
    panel, window = presenting.panel, editing.window
    size, theme = window.size(), window.theme
    window.theme_switch.show(PROJECTOR)
    window.resize(853, 440)
    for _ in range(3):
        wait_two_frames(editing, qtbot)
        for button in (panel.leave_button, panel.pointer_button, panel.back_button, panel.next_button):
            assert button.width() >= button.sizeHint().width(), button.text()
        assert window.width() == 853, "a window wider than the screen would not return from full screen"
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    window.theme_switch.show(theme)
    window.resize(size)


def test_keys_go_through_a_lesson_and_restore_the_window(
    presenting: Presenter,
    editing: WindowController,
    qtbot: QtBot,
) -> None:
    window, before = editing.window, editing.document.state
    panel = presenting.panel
    assert panel.isVisible()
    assert not window.side.isVisible()
    assert shown(editing) == {"h"}
    assert window.views.is_visible("polhode")
    assert window.board.choices.option(frame_choice("h_frame")) == "space"
    qtbot.waitUntil(lambda: abs(editing.frame_loop.snapshot.time - 3.0) < 1e-9)
    QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert panel.title.text() == "Two"
    assert [lane.formulation for lane in editing.document.state.preset.lanes] == ["hamilton"]
    assert not panel.answer.isVisible()
    assert [choice.verdict for choice in panel.question.answer_buttons] == [None, None]
    QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert panel.answer.text == "Because."
    assert [choice.verdict for choice in panel.question.answer_buttons] == [False, True]
    assert shown(editing) == {"omega", "drift"}
    assert window.board.choices.difference
    qtbot.waitUntil(lambda: abs(editing.frame_loop.snapshot.time - 5.0) < 1e-9)
    QTest.keyClick(window, Qt.Key.Key_PageUp)
    assert not panel.answer.isVisible()
    assert shown(editing) == {"h"}
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    panel.question.number_field.setText("320/2000 kN m s")
    QTest.keyClick(panel.question.number_field, Qt.Key.Key_Return)
    assert "Your answer is right" in panel.question.verdict.text()
    assert "162.63" in panel.answer.text
    for _ in range(3):  # to the end page, where a further key press changes nothing
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert presenting.is_presenting
    assert panel.next_button.text() == "End"
    panel.next_button.click()
    assert not presenting.is_presenting
    assert window.side.isVisible()
    assert replace(editing.document.state, view_state=before.view_state) == before
    assert not window.board.choices.difference
    assert not window.views.is_visible("polhode")
    assert window.board.choices.option(frame_choice("h_frame")) == "body"
    assert shown(editing) > {"h", "omega"}
    qtbot.waitUntil(lambda: abs(editing.frame_loop.snapshot.time - 7.0) < 1e-9)
    assert not window.action_registry["lesson_next"].isEnabled()
    wait_computed(editing, qtbot)


def test_edited_step_offers_to_repeat_its_scene(presenting: Presenter, editing: WindowController) -> None:
    again = presenting.panel.repeat_button
    assert not again.isVisibleTo(presenting.panel)
    editing.window.experiments.perform("flip", 1.0)
    assert again.isVisibleTo(presenting.panel)
    again.click()
    assert not again.isVisibleTo(presenting.panel)
    assert not editing.document.state.preset.events


def test_sequence_of_a_lesson_is_reset_afterwards(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """By a file that is opened during the lesson, with or without a view state, and by the restored window."""
    window, choices = editing.window, editing.window.board.choices
    plain = replace(qv.load_preset("torque_free"), lanes=(qv.Lane("euler_angles/313"),), title="Plain")
    (tmp_path / "plain.toml").write_text(format_preset(plain), "utf-8")
    lesson = parse_lesson(LESSON.replace('panels = ["h"]', 'sequence = "131"\npanels = ["euler_angles"]', 1))
    editing.present(lesson)
    assert choices.option(SEQUENCE_CHOICE) == "131"
    window.file_actions.open(tmp_path / "plain.toml")
    assert choices.option(SEQUENCE_CHOICE) == "313", "that of its lane"
    editing.present(lesson)
    window.file_actions.open(preset_folder() / "heavy_top.toml")
    assert choices.option(SEQUENCE_CHOICE) == "313", "that of its view state"
    editing.present(lesson)
    assert choices.option(SEQUENCE_CHOICE) == "131"
    assert editing.presenter is not None
    window.file_actions.open(preset_folder() / "torque_free.toml")
    assert choices.option(SEQUENCE_CHOICE) == "321", "the default one"
    editing.present(lesson)
    editing.presenter.leave()
    assert choices.option(SEQUENCE_CHOICE) == "321"
    window.file_actions.open(tmp_path / "plain.toml")
    assert choices.option(SEQUENCE_CHOICE) == "313"
    wait_two_frames(editing, qtbot)


def test_lesson_does_not_depend_on_the_previous_view(editing: WindowController) -> None:
    window, choices = editing.window, editing.window.board.choices
    window.file_actions.open(preset_folder() / "heavy_top.toml")
    choices.set_reference("newton_euler")
    window.board.axis.show_span((1.0, 2.0))
    before = window.view_state
    assert choices.option(ANGLE_RANGE_CHOICE) == "unwrapped"
    editing.present(parse_lesson(LESSON))
    assert choices.option(ANGLE_RANGE_CHOICE) == "wrapped"
    assert (choices.chosen_reference, window.view_state.span, window.view_state.follow) == ("", (), True)
    choices.choose(ANGLE_RANGE_CHOICE, "unwrapped")
    assert editing.presenter is not None
    editing.presenter.go_next()
    assert choices.option(ANGLE_RANGE_CHOICE) == "wrapped", "each scene starts with default options, as in 3D"
    editing.presenter.leave()
    assert (window.view_state.options, window.view_state.reference, window.view_state.span) == (
        before.options,
        before.reference,
        before.span,
    )


def test_docked_equations_are_hidden_during_a_lesson(editing: WindowController, qtbot: QtBot) -> None:
    """They covered the lower half of the lesson's window, where its views and plots are."""
    cards = editing.window.equation_window
    cards.dock(ALL_OTHERS)
    cards.show_six_forms(True)
    editing.present(parse_lesson(LESSON))
    assert editing.presenter is not None
    assert not cards.isVisible()
    editing.presenter.go_next()
    assert not cards.isVisible()
    editing.presenter.leave()
    assert cards.docked_lane == ALL_OTHERS
    assert (cards.isVisible(), cards.shows_six_forms) == (True, True)
    wait_two_frames(editing, qtbot)


def test_arrow_keys_change_the_page_of_a_focused_lesson(
    presenting: Presenter,
    editing: WindowController,
    qtbot: QtBot,
) -> None:
    assert presenting.panel.hasFocus()
    QTest.keyClick(presenting.panel, Qt.Key.Key_Right)
    assert presenting.page_index == 1
    QTest.keyClick(presenting.panel, Qt.Key.Key_Left)
    assert presenting.page_index == 0


def test_tab_reaches_the_question_and_continues(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    panel = presenting.panel
    QTest.keyClick(panel, Qt.Key.Key_Tab)
    assert panel.presentation_button.hasFocus()  # there is no question yet
    QTest.keyClick(panel.presentation_button, Qt.Key.Key_Tab)
    assert panel.next_button.hasFocus()
    presenting.go_next()
    qtbot.waitUntil(lambda: all(choice.isVisible() for choice in panel.question.answer_buttons))
    panel.setFocus()
    first, second = panel.question.answer_buttons
    QTest.keyClick(panel, Qt.Key.Key_Tab)
    assert first.hasFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)  # as in any group of exclusive buttons
    assert second.hasFocus()
    QTest.keyClick(second, Qt.Key.Key_Space)
    assert second.isChecked()
    QTest.keyClick(second, Qt.Key.Key_Tab)
    assert panel.question.count_button.hasFocus()
    QTest.keyClick(panel.question.count_button, Qt.Key.Key_Tab)
    assert panel.next_button.hasFocus()


def test_typed_number_reaches_the_answer_field_from_anywhere(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window, panel = editing.window, presenting.panel
    field = panel.question.number_field

    def typed(keys: str) -> str:
        for key in keys:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClicks(focused, key)
        return field.text()

    def ask() -> None:
        while presenting.page_index < 3:
            presenting.go_next()
        qtbot.waitUntil(field.isVisible)
        wait_laid_out(panel, qtbot)

    panel.next_button.setFocus()
    ask()
    wait_camera(presenting, qtbot)
    time, stance = editing.frame_loop.snapshot.time, window.scene.camera_pose
    assert typed("-0.43") == "-0.43", "with the focus on a button of the lesson"
    assert field.hasFocus()
    assert (typed("\b" * 5), typed(",5")) == ("", ",5")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert panel.next_button.hasFocus()
    assert panel.next_button.text() == "Answer"
    assert typed("3") == ",53", "typing continues where it stopped"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.question.verdict.isVisible()
    assert panel.hasFocus(), "keys advance the lesson"
    assert typed("0.1") == ",53", "it is answered"
    QTest.keyClick(panel, Qt.Key.Key_Tab)
    assert panel.next_button.hasFocus(), "a hidden field cannot have the focus"
    assert typed("0.1") == ",53"
    assert (window.scene.camera_pose, editing.frame_loop.snapshot.time) == (stance, time), (
        "no shortcut of the window"
    )
    panel.setFocus()
    QTest.keyClick(panel, Qt.Key.Key_Left)
    assert typed("7") == ",537", "asked again"
    QTest.keyClick(field, Qt.Key.Key_PageUp)
    assert panel.hasFocus()
    assert panel.answer.isVisible(), "the page before"


def test_votes_are_typed_and_shown_with_the_answer(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window, view = editing.window, presenting.panel.question
    presenting.go_next()
    assert not view.vote_again_button.isVisible()
    QTest.keyClick(
        window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    first, second = view.answer_buttons
    assert first.votes_field.hasFocus()
    for choice, typed in ((first, "5+7"), (second, "8")):  # two rows of a room
        QTest.keyClicks(choice.votes_field, typed)
        QTest.keyClick(choice.votes_field, Qt.Key.Key_Return)
    assert view.count_button.hasFocus(), "its label is: Done"
    wait_camera(presenting, qtbot)
    camera = window.scene.camera_pose
    QTest.keyClicks(view.count_button, "20")
    assert window.scene.camera_pose == camera, "a surplus digit does not change a view"
    QTest.keyClick(view.count_button, Qt.Key.Key_Space)
    assert not first.votes_field.isVisible()
    assert presenting.panel.hasFocus(), "keys advance the lesson"
    assert view.tally_label.text() == "20 votes"
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert view.tally_label.text() == "12 votes"
    QTest.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert view.tally_label.text() == "20 votes"
    view.vote_again_button.click()
    assert second.accessibleName() == "B: that one, 0 votes", "the first vote would influence the second"
    QTest.keyClicks(first.votes_field, "1")
    QTest.keyClick(first.votes_field, Qt.Key.Key_Return)
    QTest.keyClicks(second.votes_field, "19")
    QTest.keyClick(window, Qt.Key.Key_PageDown)  # from within the field
    assert presenting.panel.answer.text == "Because."
    assert view.tally_label.text() == "Right answers: first 8 of 20 (40 %), then 19 of 20 (95 %)"
    assert second.accessibleName() == "B: that one, right, 8 → 19 votes"
    assert not second.votes_field.isVisible()
    presenting.leave()
    editing.present(parse_lesson(LESSON))
    for _ in range(2):
        presenting.go_next()
    assert view.tally_label.text().endswith("19 of 20 (95 %)"), "kept"


@pytest.mark.parametrize("typed", ["2 3", "2 pi/3", "99999", "-1"])
def test_invalid_votes_are_rejected_in_their_field(presenting: Presenter, typed: str) -> None:
    presenting.go_next()
    view = presenting.panel.question
    view.count_button.click()
    first, second = view.answer_buttons
    QTest.keyClicks(first.votes_field, typed)
    QTest.keyClick(first.votes_field, Qt.Key.Key_Return)
    assert first.votes_field.hasFocus(), "the field keeps the focus"
    assert f"“{typed}”" in view.tally_label.text()
    first.votes_field.selectAll()
    QTest.keyClicks(first.votes_field, "23")
    QTest.keyClick(first.votes_field, Qt.Key.Key_Return)
    assert second.votes_field.hasFocus()
    assert view.tally_label.text() == "23 votes"
    first.votes_field.selectAll()
    QTest.keyClicks(first.votes_field, typed)
    QTest.keyClicks(second.votes_field, "5")
    assert view.tally_label.text() == "5 votes", "the votes typed before are counted"


def test_interrupted_lesson_can_be_resumed(presenting: Presenter, editing: WindowController) -> None:
    panel, view = presenting.panel, presenting.panel.question
    assert not panel.resume_button.isVisible()
    assert not panel.restart_votes_button.isVisible()
    presenting.go_next()
    view.count_button.click()
    QTest.keyClicks(view.answer_buttons[0].votes_field, "7")
    presenting.leave()
    another = Presenter(editing.window, editing.document)  # as in a restarted program
    another.begin(parse_lesson(LESSON))
    panel, view = another.panel, another.panel.question
    assert panel.resume_button.toolTip() == "Two"
    assert panel.resume_button.isVisible()
    assert panel.restart_votes_button.isVisible()
    buttons = (panel.presentation_button, panel.resume_button, panel.restart_votes_button)
    assert max(button.sizeHint().width() for button in buttons) < 300, "no text is cut for the buttons"
    panel.resume_button.click()
    assert (another.page_index, view.tally_label.text()) == (1, "7 votes")
    assert not panel.resume_button.isVisible()
    another.go_back()
    panel.restart_votes_button.click()
    another.go_next()
    assert view.tally_label.text() == ""
    another.go_back()
    panel.restart_votes_button.click()
    while another.page_index + 1 < 4:
        another.go_next()
    assert another.votes.all_rounds
    another.leave()
    another.panel.deleteLater()


def test_new_content_of_a_page_is_announced(
    presenting: Presenter, editing: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    announcements: list[str] = []
    monkeypatch.setattr(editing.window.narrator, "announce", announcements.append)
    presenting.go_next()
    presenting.go_next()
    assert announcements == ["Two. Before. Which?", "Right answer: that one. Because"], (
        "which answer is right, and why"
    )


def test_edit_after_a_vote_is_undone_first(presenting: Presenter, editing: WindowController) -> None:
    presenting.go_next()
    presenting.panel.question.count_button.click()
    QTest.keyClicks(presenting.panel.question.answer_buttons[0].votes_field, "5")
    editing.window.experiments.perform("flip", 1.0)
    assert undo_target(editing.window) is editing.document
    editing.document.undo()
    assert undo_target(editing.window) is presenting.votes
    presenting.go_next()
    presenting.go_next()
    assert undo_target(editing.window) is editing.document, "votes that are not shown stay"


def test_pointer_is_a_cursor_and_ends_with_the_lesson(
    presenting: Presenter,
    editing: WindowController,
) -> None:
    presenting.toggle_pointer()
    cursor = QGuiApplication.overrideCursor()
    assert cursor is not None
    assert cursor.pixmap().width() >= 48
    presenting.leave()
    assert QGuiApplication.overrideCursor() is None


def test_window_closed_in_a_lesson_remembers_its_own_state(
    presenting: Presenter,
    editing: WindowController,
) -> None:
    assert editing.window.board.store.state.panels
    presenting.shutdown()
    assert editing.window.board.store.state.panels == {}
    assert editing.window.side.isVisible()


def test_lesson_font_is_large_and_grows_with_the_window(
    presenting: Presenter,
    editing: WindowController,
    qtbot: QtBot,
) -> None:
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1366, 768)
    wait_two_frames(editing, qtbot)
    small = presenting.panel.title.font().pixelSize()
    editing.window.resize(1900, 1040)
    qtbot.waitUntil(lambda: presenting.panel.title.font().pixelSize() > small >= 24)


def test_lesson_font_has_few_sizes(presenting: Presenter, editing: WindowController, qtbot: QtBot) -> None:
    """Qt caches the glyphs of each size until the program ends: a random test of window sizes reached 75 sizes."""
    seen = set()
    for height in range(700, 1040, 34):
        editing.window.resize(1600, height)
        wait_two_frames(editing, qtbot)
        seen.add(presenting.panel.title.font().pixelSize())
    assert seen <= set(FONT_SIZES)


def test_presentation_mode_is_offered_and_restored(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window, panel = editing.window, presenting.panel
    before = window.theme
    assert panel.presentation_button.isVisible()
    panel.presentation_button.click()
    assert window.theme is PROJECTOR
    assert window.isFullScreen()
    qtbot.waitUntil(lambda: not window.menuBar().isVisible())
    assert not panel.presentation_button.isVisible()
    presenting.go_next()
    presenting.go_back()
    assert not panel.presentation_button.isVisible(), "presentation mode is already on"
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert window.theme is before
    assert not window.isFullScreen()
    assert window.menuBar().isVisible()
    presenting.show_page(0)
    assert panel.presentation_button.text().startswith("F5")
    text = window.action_registry["lesson_open"].text
    assert "Presentation mode" in text()
    assert sum("resentation mode" in act.text() for act in window.action_registry) == 1, (
        "the one button beside it"
    )
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert window.theme is PROJECTOR
    assert "Leave presentation mode" in text()
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert window.theme is before
    QTest.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
    assert editing.lesson_chooser is not None
    assert editing.lesson_chooser.isVisible(), "another lesson replaces this one"
    editing.lesson_chooser.hide()
    presenting.toggle_presentation_mode()
    presenting.leave()
    assert window.theme is before
    assert not window.isFullScreen()
    presenting.toggle_presentation_mode()
    assert window.theme is before, "only a lesson is presented"


def test_lesson_column_keeps_its_share_of_a_growing_window(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window = editing.window
    window.resize(1280, 720)
    presenting.show_page(0)
    wait_two_frames(editing, qtbot)
    share = presenting.panel.width() / window.width()
    for size in ((1366, 768), (1900, 1040)):
        window.resize(*size)
        wait_two_frames(editing, qtbot)
        assert presenting.panel.width() == pytest.approx(share * window.width(), rel=0.1)
    presenting.leave()
    side = window.side.width()
    window.resize(1366, 768)
    wait_two_frames(editing, qtbot)
    assert window.side.width() == side


def test_lesson_column_is_no_wider_than_needed(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window, panel = editing.window, presenting.panel
    window.resize(1280, 720)
    presenting.show_page(0)
    wait_two_frames(editing, qtbot)
    assert window.views.width() >= panel.width()
    presenting.begin(parse_lesson(LESSON.replace("Words with", 110 * "Many words. ")))
    wait_two_frames(editing, qtbot)
    assert window.views.width() < panel.width()
    panel_width = panel.width()
    window.splitter.setSizes([panel_width + 60, 0, *window.splitter.sizes()[2:]])
    presenting.show_page(0)
    assert panel.width() > panel_width, "the user has moved the splitter"


def test_text_does_not_move_when_an_answer_is_shown(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    window, panel = editing.window, presenting.panel
    window.resize(1278, 700)
    presenting.begin(parse_lesson(LESSON.replace("Because.", 75 * "Because of it. ")))
    wait_two_frames(editing, qtbot)
    wide = []
    for _ in range(3):
        wide.append(panel.width())
        presenting.go_next()
        wait_two_frames(editing, qtbot)
    assert panel.title.text() == "Three"
    before, asked, answered = wide
    assert before < asked == answered
    assert panel.width() == before


def test_vote_fields_are_all_visible(presenting: Presenter, editing: WindowController, qtbot: QtBot) -> None:
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1280, 720)
    presenting.begin(read_lesson("intermediate_axis"))
    presenting.go_next()
    panel = presenting.panel
    panel.question.count_button.click()
    wait_laid_out(panel, qtbot)
    (area,) = panel.findChildren(QScrollArea)
    assert panel.question.count_button.isVisible()
    assert area.verticalScrollBar().maximum() <= GRID_UNIT


def test_all_answers_are_visible_before_the_solution(presenting: Presenter, qtbot: QtBot) -> None:
    long = "\n\n".join(30 * ["Before."])
    presenting.begin(parse_lesson(LESSON.replace("Before.", long)))
    presenting.go_next()
    panel = presenting.panel
    (area,) = panel.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    number, last = presenting.page_index, panel.question.answer_buttons[-1]
    presses = 0
    while presenting.page_index == number:
        seen = area.viewport().rect().contains(last.mapTo(area.viewport(), last.rect().bottomLeft()))
        presenting.go_next()
        presses += 1
        wait_laid_out(panel, qtbot)
    assert seen
    assert presses > 1


def lesson_with_choices(word_count: int) -> str:
    """Return the lesson whose first question has eight choices of `word_count` times four words."""
    choices = [f"{word_count * 'One of the choices, '}{number}" for number in range(8)]
    return LESSON.replace('["this one", "that one"]', json.dumps(choices)).replace("that one", choices[-1])


def test_whole_page_is_visible_before_the_next_one(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    """Text, an answer, and a question that is higher than the window."""
    editing.window.resize(1280, 720)
    long = lesson_with_choices(40)
    presenting.begin(parse_lesson(long.replace("Words", 300 * "Words ").replace("Because", 300 * "Because ")))
    panel, presses = presenting.panel, 0
    (area,) = panel.findChildren(QScrollArea)
    for last in (panel.words, panel.question, panel.answer):
        qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
        number = presenting.page_index
        while presenting.page_index == number:
            seen = area.viewport().rect().contains(last.mapTo(area.viewport(), last.rect().bottomLeft()))
            presenting.go_next()
            presses += 1
            assert presses < 40, "it stays where it is"
            wait_laid_out(panel, qtbot)
        assert seen
    assert panel.title.text() == "Three"


def test_vote_field_scrolls_into_view_and_nothing_is_cut(
    presenting: Presenter, editing: WindowController, qtbot: QtBot
) -> None:
    editing.window.resize(1280, 720)
    long = lesson_with_choices(12)
    presenting.begin(parse_lesson(long))
    presenting.go_next()
    panel = presenting.panel
    panel.question.count_button.click()
    assert not panel.words.isVisible(), "it has been read before"
    for choice in panel.question.answer_buttons:
        field = choice.votes_field
        qtbot.waitUntil(lambda field=field: not field.visibleRegion().isEmpty())  # type: ignore[misc]
        QTest.keyClicks(field, "9999")
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.question.tally_label.wordWrap(), (
        "otherwise the label would be as wide as its text and the buttons"
    )


def test_headings_and_answers_have_half_a_line_of_space(presenting: Presenter, qtbot: QtBot) -> None:
    panel = presenting.panel
    presenting.go_next()
    presenting.go_next()
    size = panel.title.font().pixelSize() / 1.4
    last = panel.question.answer_buttons[-1]
    qtbot.waitUntil(lambda: panel.answer.y() > panel.question.y())

    def below(widget: QWidget) -> int:
        return widget.mapTo(panel, widget.contentsRect().bottomLeft()).y()

    top = panel.words.mapTo(panel, panel.words.rect().topLeft()).y()
    assert top - below(panel.title) >= 0.6 * size
    assert panel.answer.mapTo(panel, panel.answer.rect().topLeft()).y() - below(last) >= 0.6 * size


def test_answer_letters_align_with_their_text(presenting: Presenter, qtbot: QtBot) -> None:
    presenting.go_next()
    question = presenting.panel.question
    for counting in (False, True):
        if counting:
            question.count_button.click()
        wait_laid_out(question, qtbot)
        for choice in question.answer_buttons:
            mark, text_label = (
                label for label in choice.findChildren(QLabel) if label.text() and not label.isHidden()
            )
            assert (mark.y(), mark.height()) == (text_label.y(), text_label.height())
            levels = [label.alignment() & Qt.AlignmentFlag.AlignVertical_Mask for label in (mark, text_label)]
            assert levels[0] == (levels[1] if counting else Qt.AlignmentFlag.AlignTop)


def test_page_with_much_text_has_a_smaller_font(presenting: Presenter, editing: WindowController) -> None:
    panel = presenting.panel
    usual = panel.title.font().pixelSize()
    presenting.begin(parse_lesson(LESSON.replace("Words with", 110 * "Many words. ")))
    small = panel.title.font().pixelSize()
    assert 0.8 * usual <= small < usual
    presenting.show_page(1)
    assert panel.title.font().pixelSize() == usual
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1280, 720)
    presenting.go_back()
    assert panel.title.font().pixelSize() >= round(1.4 * PROJECTOR.normal), "smaller than the text of plots"


def test_camera_moves_along_a_circle_to_its_goal() -> None:
    start = CameraPose((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 8.0)
    goal = CameraPose((1.0, 1.0, 1.0), (0.0, 0.0, 1.0), 4.0)
    for share in np.linspace(0.0, 1.0, 7):
        pose = start.interpolate(goal, float(share))
        assert np.linalg.norm(pose.back) == pytest.approx(1.0)
        assert 4.0 <= pose.shown <= 8.0
        assert all(0.0 <= coordinate <= 1.0 for coordinate in pose.target)
    assert start.interpolate(goal, 1.0).back == pytest.approx([0.0, 0.0, 1.0], abs=2e-3)


def test_lesson_chooser_lists_all_and_explains_a_bad_file(
    qtbot: QtBot, editing: WindowController, tmp_path
) -> None:
    assert "Present a lesson" in editing.window.action_registry["lesson_open"].text()
    QTest.keyClick(editing.window, Qt.Key.Key_F5)
    chooser = editing.lesson_chooser
    assert chooser is not None
    assert [entry.title for entry in chooser.listed_entries] == [
        read_lesson(name).title for name in lesson_paths()
    ]
    assert all("minutes" in entry.location and entry.description for entry in chooser.listed_entries)
    bad = tmp_path / "bad.md"
    bad.write_text("no title", "utf-8")
    editing.window.file_actions.drop(bad)
    assert "bad.md, line 1" in editing.window.status.message
    assert editing.window.status.topic == "lessons#when-a-lesson-is-refused"
    recent_lesson_files().add(bad)  # which was a lesson when it was presented
    chooser.ask()
    listed = chooser.listed_entries[-1]
    assert (listed.title, listed.location) == ("bad", "your lesson")
    assert "bad.md, line 1" in listed.description
    editing.window.status.clear()
    listed.callback()
    assert "bad.md, line 1" in editing.window.status.message, "choosing it shows the reason too"
    recent_lesson_files().remove(bad)
    first = chooser.listed_entries[0].title
    QTest.keyClick(chooser.field, Qt.Key.Key_Return)
    assert not chooser.isVisible()
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.title == first


def test_lesson_can_be_opened_by_the_open_command(
    editing: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.md"
    path.write_text(LESSON, "utf-8")
    filters: list[str] = []

    def answer(parent: object, title: str, start: str, name_filter: str) -> tuple[str, str]:
        filters.append(name_filter)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    editing.window.file_actions.ask_open()
    shown_first = filters[0].split(";;")[0]
    assert all(pattern in shown_first for pattern in ("*.toml", "*.csv", "*.zip")), (
        "recordings are offered too"
    )
    recent_lesson_files().clear()
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.path == path


def test_user_lesson_is_dropped_listed_and_reloaded_after_saving(
    qtbot: QtBot, editing: WindowController, tmp_path: Path
) -> None:
    path = tmp_path / "mine.md"
    path.write_text(LESSON, "utf-8")
    window = editing.window
    window.file_actions.drop(path)
    presenter = editing.presenter
    assert presenter is not None
    for _ in range(2):
        presenter.go_next()
    panel = presenter.panel
    assert panel.answer.text == "Because."
    # With an added step and other text, saved as editors do: another file replaces the first.
    text = LESSON.replace("Because.", "Therefore.").replace("## Two", "## Between\n\nMore.\n\n## Two")
    (tmp_path / "half").write_text(text, "utf-8")
    (tmp_path / "half").replace(path)
    qtbot.waitUntil(lambda: panel.answer.text == "Therefore.")
    assert panel.title.text() == "Two"
    assert "reloaded" in window.status.message
    path.write_text(text.replace("```check", "```chek"), "utf-8")
    qtbot.waitUntil(lambda: "mine.md, line" in window.status.message)
    assert panel.answer.text == "Therefore.", "the last valid version stays"
    path.write_text(LESSON, "utf-8")
    qtbot.waitUntil(lambda: panel.answer.text == "Because.")
    assert recent_lesson_files().paths == [path]
    assert [entry.title for entry in all_entries(window.action_registry) if entry.location == "Lesson"][
        -1
    ] == "Title"
    editing.choose_lesson()
    assert editing.lesson_chooser is not None
    last = editing.lesson_chooser.listed_entries[-1]
    assert (last.title, last.location) == ("Title", "your lesson, 3 steps, 5 minutes")
    assert last.open_menu is not None
    editing.lesson_chooser.hide()
    editing.start_page.show()
    assert editing.start_page.page is not None
    tile = editing.start_page.page.lessons_section.grid.tiles[-1]
    assert "Title, your lesson, 5 min" in tile.accessibleName()
    presenter.leave()
    tile.click()
    assert presenter.lesson is not None
    assert presenter.lesson.path == path
    dialog = editing.exporter.open_dialog("sheet")
    assert dialog.lesson.value == str(path)


def test_class_can_be_prepared_in_the_window(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def prepare(lesson: str, progress: object) -> list[str]:
        asked.append(lesson)
        return ["ok     Runs: 4, of *all*", "TO DO  Numbers: in “a_b” <i>one</i>"]

    monkeypatch.setattr(lesson_dialogs, "prepare_in_subprocess", prepare)
    editing.window.action_registry["prepare"].trigger()
    dialog = editing.exporter.dialogs["prepare"]
    dialog.lesson.show_value("half_turn")
    room = dialog.screen().availableGeometry()
    dialog.move(0, room.bottom() - dialog.height() - 60)
    editing.window.send(Pause())
    qtbot.waitUntil(lambda: not editing.frame_loop.snapshot.playing)
    dialog.export_button.click()
    wait_export(dialog, qtbot)
    qtbot.waitUntil(lambda: bool(room.contains(dialog.frameGeometry())))
    assert asked == ["half_turn"]
    text = dialog.report.text
    assert "✓ – Runs – 4, of *all*" in text
    assert "✗ – Numbers – in “a_b” <i>one</i>" in text
    assert "Display – 1920 × 1080 pixels" in text
    assert dialog.status_label.text() == "To do before the lecture: 1"
    qtbot.waitUntil(lambda: "frame rate not measured" in dialog.report.text)
    editing.window.send(Play())
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing)
    dialog.export_button.click()
    qtbot.waitUntil(lambda: "frames per second" in dialog.report.text)


def test_preparation_report_fits_a_small_screen(
    editing: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 150 % the buttons were below the edge of a small projector's picture."""
    small = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, 853, 480))
    monkeypatch.setattr(lesson_dialogs.PrepareDialog, "screen", lambda dialog: small)
    dialog = lesson_dialogs.PrepareDialog(editing.exporter, editing.window)
    dialog.report.show()
    areas = dialog.findChildren(QScrollArea)
    assert sum(area.minimumHeight() for area in areas) + dialog.sizeHint().height() <= 450
    dialog.deleteLater()


def test_quiz_is_exported_from_the_window(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *asked: (str(tmp_path / Path(asked[2]).name), "")
    )
    editing.present(read_lesson("half_turn"))
    editing.window.action_registry["export_quiz"].trigger()
    dialog = editing.exporter.dialogs["quiz"]
    assert dialog.lesson.value == "half_turn"
    assert not dialog.open_folder_button.isVisible()
    dialog.format_box.show_value(".gift")
    dialog.export_button.click()
    wait_export(dialog, qtbot)
    path = tmp_path / f"{read_lesson('half_turn').title} - quiz.gift"
    asked = questions_of(read_lesson("half_turn"))
    text = path.read_text("utf-8")
    assert dialog.status_label.text() == f"{len(asked)} questions written to {path}", dialog.problem.text()
    assert text.count("::[html]") == len(asked)
    assert f"#{asked[0].value!r}:{asked[0].tolerance!r}" in text
    dialog.open_folder_button.click()
    assert opened == [str(tmp_path)]
    editing.window.action_registry["export_quiz"].trigger()
    assert dialog.format_box.value == ".gift"
    titles = [entry.title for entry in rank_entries(all_entries(editing.window.action_registry), "gift")]
    assert "Write a quiz for Moodle…" in titles


def test_two_lessons_are_joined_in_the_window(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    editing.window.action_registry["join"].trigger()
    dialog = editing.exporter.dialogs["join"]
    assert dialog.second_lesson.value != dialog.lesson.value, "initially different from the first"
    dialog.lesson.show_value("half_turn")
    dialog.second_lesson.show_value("half_turn")
    dialog.export_button.click()  # no file is asked for
    assert dialog.problem.text_label is not None
    assert "the same lesson twice" in dialog.problem.text_label.text()
    dialog.second_lesson.show_value("double_cover")
    dialog.write(tmp_path / "class.md")
    wait_export(dialog, qtbot)
    steps = sum(len(read_lesson(name).steps) for name in ("half_turn", "double_cover"))
    assert f"class.md written, with {steps} steps" in dialog.status_label.text()
    assert recent_lesson_files().paths[0] == tmp_path / "class.md"
    editing.present_lesson(tmp_path / "class.md")
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.title.count(";") == 1


def test_exported_worksheet_can_be_opened(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(lesson_dialogs, "write_sheet_in_subprocess", lambda name, folder, progress: 3)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog = editing.exporter.open_dialog("sheet")
    dialog.lesson.show_value("half_turn")
    assert not dialog.open_sheet_button.isVisible()
    dialog.write(tmp_path)
    wait_export(dialog, qtbot)
    assert dialog.open_sheet_button.isVisible()
    dialog.open_sheet_button.click()
    assert opened == [str(tmp_path / "half_turn.pdf")]


def wait_camera(presenter: Presenter, qtbot: QtBot) -> None:
    """Wait until the camera has reached the pose of the scene, which takes a second."""
    applier = presenter.scene_applier

    def is_at_rest() -> bool:
        begins = any(timer.isActive() for timer in applier.findChildren(QTimer))
        return not begins and applier.camera_animation.state() == QAbstractAnimation.State.Stopped

    qtbot.waitUntil(is_at_rest)


def wait_typeset(presenter: Presenter, qtbot: QtBot) -> None:
    """Wait until the formulae of the lesson are typeset. Untypeset text has another size."""
    (typesetter,) = presenter.findChildren(Typesetter)
    qtbot.waitUntil(lambda: not typesetter.is_busy)


def page_problems(area: QScrollArea, head: QLabel, page: str) -> None:
    within = area.widget()
    assert within is not None
    assert within.width() <= area.viewport().width(), f"{page}: text is cut"
    assert within.height() <= area.viewport().height(), f"{page}: it scrolls"
    assert head.height() >= head.heightForWidth(head.width()), f"{page}: the lesson's title is cut"


@pytest.mark.parametrize(("height", "scale"), [(692, 100), (720, 150)])
def test_every_lesson_fits_a_small_screen(
    editing: WindowController, qtbot: QtBot, height: int, scale: int
) -> None:
    """Every page is visible without scrolling, and the title of the lesson is never cut."""
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1280, height)
    editing.set_scale(scale)
    messages: list[str] = []
    editing.document.message_emitted.connect(lambda sentence, topic: messages.append(sentence))
    for name in lesson_paths():
        lesson = read_lesson(name)
        editing.present(lesson)
        presenter = editing.presenter
        assert presenter is not None
        wait_typeset(presenter, qtbot)
        places, last = 0, -1
        while presenter.page_index > last:
            places, last = places + 1, presenter.page_index
            (area,) = presenter.panel.findChildren(QScrollArea)
            (head,) = (
                label for label in presenter.panel.findChildren(QLabel) if lesson.title in label.text()
            )
            wait_laid_out(presenter.panel, qtbot)
            page_problems(area, head, f"{name}, place {places}")
            presenter.go_next()
        questions = sum(2 + label.question.predict for step in lesson.steps for label in step.questions)
        # A question and its answer, or a step without a question.
        without = sum(not step.questions for step in lesson.steps)
        assert places == without + questions + 1, "an end page follows the last step"
    assert messages == []


def test_page_font_does_not_depend_on_previous_pages(editing: WindowController, qtbot: QtBot) -> None:
    """A widget still laid out with the previous font would give the page a wrong height."""
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1280, 720)
    editing.set_scale(150)
    editing.present(read_lesson("double_cover"))
    presenter = editing.presenter
    assert presenter is not None
    wait_typeset(presenter, qtbot)
    wait_laid_out(presenter.panel, qtbot)  # the first page is fitted again when its formulae are typeset
    last = -1
    while presenter.page_index > last:
        last = presenter.page_index
        at_once = presenter.panel.title.font().pixelSize()
        wait_laid_out(presenter.panel, qtbot)
        presenter.panel.fit()
        assert presenter.panel.title.font().pixelSize() == at_once, f"page {last}"
        presenter.go_next()


def test_page_is_fitted_again_when_its_column_changes(editing: WindowController, qtbot: QtBot) -> None:
    """Otherwise text that is cut at the bottom could not be scrolled to."""
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1280, 720)
    editing.set_scale(150)
    editing.present(read_lesson("double_cover"))
    presenter = editing.presenter
    assert presenter is not None
    presenter.show_page(4)
    wait_laid_out(presenter.panel, qtbot)
    (area,) = presenter.panel.findChildren(QScrollArea)
    within, splitter = area.widget(), editing.window.splitter
    assert within is not None

    def is_cut() -> bool:
        hidden = area.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        return hidden and within.height() > area.viewport().height()

    text_width, side, views, board = splitter.sizes()
    for narrower in range(0, text_width, 4 * GRID_UNIT):
        splitter.setSizes([text_width - narrower, side, views + narrower, board])
        wait_laid_out(presenter.panel, qtbot)
        assert not is_cut(), f"{presenter.panel.width()} pixels wide"


def test_lesson_font_is_limited_in_an_enlarged_window(editing: WindowController, qtbot: QtBot) -> None:
    editing.window.theme_switch.show(PROJECTOR)
    editing.window.resize(1366, 768)
    editing.set_scale(150)
    editing.present(read_lesson("gimbal_lock"))
    presenter = editing.presenter
    assert presenter is not None
    sizes, last = set(), -1
    (area,) = presenter.panel.findChildren(QScrollArea)
    wait_typeset(presenter, qtbot)
    while presenter.page_index > last:
        last = presenter.page_index
        wait_laid_out(presenter.panel, qtbot)
        assert area.verticalScrollBar().maximum() <= GRID_UNIT, presenter.panel.title.text()
        sizes.add(presenter.panel.title.font().pixelSize())
        leading = presenter.panel.next_button.font().pixelSize()
        assert 1.4 * (leading - 0.5) <= presenter.panel.title.font().pixelSize(), (
            "no larger than readable text"
        )
        presenter.go_next()
    assert max(sizes) == nearest_font_size(1.4 * 26), "as large as everything else where there is room"
    assert min(sizes) < max(sizes)


def test_end_page_keeps_the_last_scene(presenting: Presenter, editing: WindowController) -> None:
    lesson = presenting.lesson
    assert lesson is not None
    while presenting.panel.title.text() != "The lesson ends here":
        state = editing.document.state
        presenting.go_next()
        assert presenting.is_presenting
    assert editing.document.state == state
    assert lesson.steps[0].title in presenting.panel.words.text
    assert presenting.lesson is lesson, "a worksheet has only the steps"
    assert f"End   {lesson.title}" in [label.text() for label in presenting.panel.findChildren(QLabel)]
    presenting.go_back()
    last = f"{len(lesson.steps)} of {len(lesson.steps)}   {lesson.title}"
    assert last in [label.text() for label in presenting.panel.findChildren(QLabel)], (
        "the number given in the lists"
    )
    assert presenting.panel.title.text() == lesson.steps[-1].title


@pytest.mark.parametrize(
    ("written", "read"), [("At $|\\omega|$", "At |ω|"), ("$|p|$", "|p|"), ("- 5", "- 5"), ("3.", "3.")]
)
def test_choice_with_formula_is_accessible_as_text(qapp: QApplication, written: str, read: str) -> None:
    choice = AnswerButton("A", written)
    assert choice.accessibleName() == f"A: {read}"
    assert [label.text() for label in choice.findChildren(QLabel) if label.text() not in ("A", "")] == [read]
    assert choice.text() == written, "the value that an answer is compared with"


def test_hidden_parts_of_a_page_take_no_space(presenting: Presenter, qtbot: QtBot) -> None:
    panel = presenting.panel
    presenting.go_next()
    assert panel.presentation_button.isHidden()
    qtbot.waitUntil(lambda: panel.words.y() - panel.title.geometry().bottom() - 1 == GRID_UNIT)


def test_opened_preset_replaces_the_lesson(editing: WindowController, tmp_path: Path) -> None:
    desk = editing.window.file_actions
    editing.present(read_lesson("half_turn"))
    broken = tmp_path / "broken.toml"
    broken.write_text("format = 1\ntitle = 3\n", "utf-8")
    assert not desk.open(broken)
    assert editing.is_presenting, "a rejected file leaves the lesson open"
    assert desk.open(preset_folder() / "heavy_top.toml")
    assert not editing.is_presenting
    assert editing.simulation.preset.title == "Heavy symmetric top"
    assert editing.window.side.isVisible()


def test_lesson_lists_are_numbered_and_accept_a_file(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recent_lesson_files().clear()
    path, bad = tmp_path / "mine.md", tmp_path / "bad.md"
    path.write_text(LESSON, "utf-8")
    bad.write_text("no title", "utf-8")
    editing.window.action_registry["join"].trigger()
    dialog = editing.exporter.dialogs["join"]
    box = dialog.second_lesson
    titles = [read_lesson(name).title for name in lesson_paths()]
    texts = [box.itemText(row) for row in range(box.count())]
    assert texts == [*(f"{title}  ({number})" for number, title in enumerate(titles, 1)), "Open a file…"]
    first = box.value
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    QTest.keyClicks(box, "gimbal")
    assert box.value == "gimbal_lock", "selected by its name"
    box.show_value(first)
    for given, chosen in (("", first), (str(bad), first), (str(path), str(path))):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, given=given: (given, ""))
        box.setCurrentIndex(box.count() - 1)
        box.activated.emit(box.count() - 1)
        assert box.value == chosen
        assert dialog.problem.isVisible() == (given == str(bad))
    assert box.currentText() == f"Title  ({len(titles) + 1})"
    recent_lesson_files().add(bad)  # which was a lesson when it was presented
    dialog.offer("")
    row = box.findData(str(bad))
    assert box.itemText(row) == f"bad  ({len(titles) + 1})"
    assert not box.model().flags(box.model().index(row, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert "bad.md, line 1" in box.itemData(row, Qt.ItemDataRole.ToolTipRole)
    dialog.close()
    menu = QMenu()
    editing.window.file_actions.fill_recent(menu)
    assert "mine.md" in [action.text() for action in menu.actions()]
    next(action for action in menu.actions() if action.text() == "mine.md").trigger()
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.title == "Title"

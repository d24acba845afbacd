"""The help in the window: pages and search, links of errors, and the tour at the first start."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete
from window_steps import editing, inertia_entry, type_value, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.edits import add_lane
from quatviz.display.view_state.theme import DARK, PROJECTOR, THEMES
from quatviz.files.formula_cache import FormulaCache
from quatviz.teaching.help import pages
from quatviz.teaching.help.pages import parse_page
from quatviz.ui.tools.help.tour import Tour, steps, tour_targets, visible_rect
from quatviz.ui.tools.help.window import HelpWindow, page_document
from quatviz.ui.widgets.richtext import FormulaDocument, heading_blocks
from quatviz.ui.widgets.style import apply_theme, set_own_theme
from quatviz.ui.window.key_overlay import KeyOverlay
from quatviz.ui.window.settings import Settings


@pytest.fixture
def reading(qtbot: QtBot, qapp: QApplication) -> HelpWindow:
    apply_theme(qapp, DARK)
    window = HelpWindow()
    qtbot.addWidget(window)
    return window


def topics_of(reading: HelpWindow) -> list[str]:
    """Return the topics that can be chosen in the contents."""
    rows = range(reading.contents.count())
    every = (reading.contents.item(row).data(Qt.ItemDataRole.UserRole) for row in rows)
    return [topic for topic in every if topic]


@pytest.mark.parametrize("name", pages())
def test_page_headings_match_document_headings(name: str, qapp: QApplication) -> None:
    for theme in THEMES.values():
        document = page_document(pages()[name], theme, 700)
        blocks = heading_blocks(document)
        assert [block.text() for block in blocks] == [section.title for section in pages()[name].sections]


def test_links_scroll_to_sections_and_back_returns(reading: HelpWindow, qtbot: QtBot) -> None:
    reading.open("errors#time-steps")
    qtbot.waitExposed(reading)
    number = [section.slug for section in pages()["errors"].sections].index("time-steps")
    block = heading_blocks(reading.text.document())[number]
    top = reading.text.document().documentLayout().blockBoundingRect(block).top()
    down = reading.text.verticalScrollBar().value()
    assert 0 < top - down < 60
    reading.text.anchorClicked.emit(QUrl("integrators.md"))
    assert reading.topic == "integrators"
    reading.text.anchorClicked.emit(QUrl("drift.md#stabilization"))
    assert reading.topic == "drift#stabilization"
    reading.move_in_history(-1)
    reading.move_in_history(-1)
    assert (reading.topic, reading.text.verticalScrollBar().value()) == ("errors#time-steps", down)
    assert not reading.back_button.isEnabled()
    reading.move_in_history(1)
    assert reading.topic == "integrators"


def test_search_marks_matches_and_escape_clears_them(reading: HelpWindow, qtbot: QtBot) -> None:
    reading.open()
    QTest.keyClicks(reading.search_field, "baumgarte")
    QTest.keyClick(reading.search_field, Qt.Key.Key_Return)
    assert "drift#stabilization" in topics_of(reading)
    assert reading.topic == topics_of(reading)[0]
    marked = [selection.cursor.selectedText().lower() for selection in reading.text.extraSelections()]
    assert marked
    assert set(marked) == {"baumgarte"}
    QTest.keyClick(reading.search_field, Qt.Key.Key_Down)
    assert reading.topic == topics_of(reading)[1]
    QTest.keyClick(reading.search_field, Qt.Key.Key_Escape)
    assert reading.isVisible()
    assert set(topics_of(reading)) == set(pages())
    assert not reading.text.extraSelections()
    QTest.keyClick(reading.search_field, Qt.Key.Key_Escape)
    assert not reading.isVisible()


def test_adjacent_search_words_are_marked_together(reading: HelpWindow) -> None:
    """Otherwise Ctrl would be marked in each row of the list of all keys."""
    reading.open("window#keyboard-shortcuts")
    QTest.keyClicks(reading.search_field, "Ctrl L")
    QTest.keyClick(reading.search_field, Qt.Key.Key_Return)
    reading.show_topic("window#keyboard-shortcuts")
    marked = {selection.cursor.selectedText() for selection in reading.text.extraSelections()}
    assert marked == {"Ctrl L"}


def test_search_marks_whole_words_only(reading: HelpWindow) -> None:
    reading.open()
    QTest.keyClicks(reading.search_field, "a figure for a paper")
    QTest.keyClick(reading.search_field, Qt.Key.Key_Return)
    text = reading.text.document().toRawText()
    marked = [selection.cursor.selectedText().lower() for selection in reading.text.extraSelections()]
    assert set(marked) == {"figure", "paper"}
    assert not any(text[at - 1 : at].isalnum() for at in reading.match_positions)


def test_formulae_are_typeset_in_background_and_searchable(
    reading: HelpWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh = FormulaCache(tmp_path / "formulae.json")
    for module in ("widgets.typeset", "widgets.richtext"):
        monkeypatch.setattr(f"quatviz.ui.{module}.formula_cache", lambda: fresh)
    text = "# A page\n\nWith $\\dot\\kappa$, `$a$` and\n\n$$\\frac{x}{2}$$\n\nand $\\frac{1}$ and $|p|^2$.\n"
    monkeypatch.setitem(pages(), "drift", parse_page("drift", text))
    reading.open("drift")
    assert "κ̇" in reading.text.toPlainText()  # plain letters until it is typeset
    qtbot.waitUntil(lambda: "κ̇" not in reading.text.toPlainText())
    shown = reading.text.toPlainText()
    assert shown.count("\ufffc") == 3
    assert "$a$" in shown
    assert "\\frac{1}" in shown  # an invalid formula stays as written, and the following ones are typeset
    QTest.keyClicks(reading.search_field, "kappa")
    QTest.keyClick(reading.search_field, Qt.Key.Key_Return)
    assert reading.match_positions == [reading.text.document().toRawText().index("\ufffc")]
    sharp = reading.text.document()
    assert isinstance(sharp, FormulaDocument)
    sharp.pixel_ratio = 2.0
    for name in ("formula:0", "formula:1"):
        picture = sharp.loadResource(2, QUrl(name))
        assert picture.devicePixelRatio() == 2.0
        colors = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())
                   if picture.pixelColor(x, y).alpha() == 255}  # fmt: skip
        assert colors == {DARK.text.lower()}


def test_theme_change_keeps_the_scroll_position(reading: HelpWindow, qtbot: QtBot) -> None:
    reading.open("errors#time-steps")
    before = reading.text.document().defaultFont().pixelSize()
    set_own_theme(reading, PROJECTOR)
    assert reading.topic == "errors#time-steps"
    assert reading.text.document().defaultFont().pixelSize() > before


# --- in the window


def test_f1_opens_help_and_question_mark_the_keys(editing: WindowController, qtbot: QtBot) -> None:
    QTest.keyClick(editing.window, Qt.Key.Key_F1)
    assert editing.tool_windows.window("help") is not None
    qtbot.waitUntil(editing.tool_windows.window("help").isVisible)
    editing.tool_windows.window("help").close()
    editing.window.activateWindow()
    qtbot.waitUntil(editing.window.isActiveWindow)
    QTest.keyClick(editing.window, Qt.Key.Key_Question)
    overlay = editing.window.findChild(KeyOverlay)
    assert isinstance(overlay, KeyOverlay)
    assert overlay.isVisible()
    texts = [label.text() for label in overlay.findChildren(QLabel)]
    assert "Export a figure…" in texts
    assert "" not in texts, "actions without a key are not listed"
    assert "Export a web page…" not in texts
    editing.window.resize(1280, 720)
    labels = overlay.findChildren(QLabel)
    (card,) = overlay.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for theme in (PROJECTOR, DARK):
        editing.window.theme_switch.show(theme)
        qtbot.waitUntil(lambda: overlay.width() == editing.window.width())
        assert overlay.rect().contains(card.geometry()), "all keys are visible on a small screen"
        qtbot.waitUntil(lambda: all(word.width() >= word.sizeHint().width() for word in labels))
    editing.window.theme_switch.show(DARK)
    overlay.toggle()


def test_errors_link_to_their_help_section(editing: WindowController, qtbot: QtBot) -> None:
    type_value(inertia_entry(editing), "900")
    block = editing.window.side.setup.body.rows["inertia"]
    assert block.message.more_button is not None
    qtbot.waitUntil(block.message.more_button.isVisible)
    block.message.more_button.click()
    assert editing.tool_windows.window("help") is not None
    assert editing.tool_windows.window("help").topic == "errors#inertia"
    assert editing.tool_windows.window("help").isVisible()
    editing.tool_windows.window("help").close()


def test_status_message_links_to_its_help_section(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    window, more = editing.window, editing.window.status.learn_more_button
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.file_actions.save_as(tmp_path / "no" / "folder.toml")
    assert "could not be written" in window.status.message
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert editing.tool_windows.window("help") is not None
    assert editing.tool_windows.window("help").topic == "errors#files"
    editing.tool_windows.window("help").close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.board.problem_reported.emit("a panel failed")
    window.transport.setFocus()
    for _ in range(200):
        if more.hasFocus():
            break
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
    assert more.hasFocus(), "Tab reaches it"
    QTest.keyClick(more, Qt.Key.Key_Space)
    assert editing.tool_windows.window("help").topic == "errors#faults-of-the-program"
    editing.tool_windows.window("help").close()
    window.messages.show("nothing to explain")
    assert not more.isVisible()
    window.status.clear()


def test_ended_lane_links_to_its_help_section(editing: WindowController, qtbot: QtBot) -> None:
    lane = qv.Lane("euler_angles/313")  # singular at the start of this preset
    editing.document.propose("add a lane", lambda state: add_lane(state, lane))
    rows = editing.window.side.lane_list.rows
    qtbot.waitUntil(lambda: any(row.message.text() for row in rows), timeout=240_000)
    row = next(row for row in rows if row.message.text())
    assert row.message.more_button is not None
    row.message.more_button.click()
    assert editing.tool_windows.window("help") is not None
    assert editing.tool_windows.window("help").topic == "errors#singular"


def test_python_functions_follow_lessons_in_the_results(editing: WindowController) -> None:
    editing.open_tool("help")
    help_ = editing.tool_windows.window("help")
    help_.search_field.setText("multiplier")
    help_.run_search()
    texts = [help_.contents.item(row).text() for row in range(help_.contents.count())]
    library = pages()["library"].title.partition(":")[0]
    is_function = [text.startswith(library) for text in texts[1:]]
    assert any(is_function)
    assert is_function == sorted(is_function)
    assert texts.index("Open the lesson “One motion, six multipliers”") < 1 + is_function.index(True)


def test_help_search_finds_lessons_and_presets(editing: WindowController, qtbot: QtBot) -> None:
    editing.open_tool("help")
    help_ = editing.tool_windows.window("help")
    assert help_ is not None
    help_.search_field.setText("dzhanibekov")
    help_.run_search()
    rows = [help_.contents.item(row) for row in range(help_.contents.count())]
    texts = [result_row.text() for result_row in rows]
    assert texts[1].endswith("The start page"), "pages first"
    opens = "Open the preset “The T-handle that turns over”"
    assert "Open the lesson “The intermediate axis and Poinsot”" in texts
    assert help_.topic == "window#the-start-page", "the first section is shown"
    assert texts[0] == f"{len(texts) - 1} results"
    assert help_.contents.currentRow() == 1, "and is marked"
    QTest.keyClick(help_.search_field, Qt.Key.Key_Return)
    for _ in range(texts.index(opens) - 1):
        QTest.keyClick(help_.search_field, Qt.Key.Key_Down)
    assert editing.document.state.preset.title != "The T-handle that turns over", (
        "selecting it opens nothing yet"
    )
    QTest.keyClick(help_.search_field, Qt.Key.Key_Return)
    assert editing.document.state.preset.title == "The T-handle that turns over"


def test_lesson_opened_from_help_is_in_front(editing: WindowController, qtbot: QtBot) -> None:
    help_window = editing.open_tool("help")
    assert help_window.parentWidget() is None, "a desktop keeps a child window in front of its parent"
    qtbot.waitUntil(help_window.isActiveWindow)
    QTest.keyClicks(help_window.search_field, "dzhanibekov")
    help_window.run_search()
    contents = help_window.contents
    rows = [row for row in range(contents.count()) if "Open the lesson" in contents.item(row).text()]
    contents.setCurrentRow(rows[0])
    QTest.keyClick(help_window.search_field, Qt.Key.Key_Return)
    assert editing.is_presenting
    qtbot.waitUntil(editing.window.isActiveWindow)
    editing.control_lesson("leave")
    help_window.close()


# --- the tour


def test_each_tour_step_points_at_a_visible_target(editing: WindowController, qtbot: QtBot) -> None:
    assert [*tour_targets(editing.window)] == [step.slug for step in steps()], "no step dims everything"
    for size in ((1366, 768), (1600, 900)):
        editing.window.resize(*size)
        wait_two_frames(editing, qtbot)
        editing.start_tour()
        tour = editing.tour
        assert tour is not None
        for number, step in enumerate(steps()):
            assert tour.number == number
            tour.follow()
            target = tour.target
            card = tour.card.geometry()
            assert tour.rect().contains(card), step.slug
            assert target is not None
            seen = visible_rect(target, editing.window)
            assert seen.width() > 24, step.slug
            assert seen.height() > 24, step.slug
            assert not card.intersects(tour.hole), step.slug
            under = editing.window.childAt(seen.center())
            assert isinstance(under, QWidget), step.slug
            assert target is under or target.isAncestorOf(under), f"{step.slug}: the mouse does not reach it"
            QTest.keyClick(tour.card, Qt.Key.Key_Right)
        assert tour.isHidden()
        assert editing.window.side.verticalScrollBar().value() == 0, "it is scrolled back"


def test_tour_card_narrows_to_leave_its_target_visible(qtbot: QtBot) -> None:
    """It covered the upper right of the 3D view, where h and its name are."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1024, 680)
    target = QWidget(window)
    target.setGeometry(340, 20, 350, 600)
    window.show()
    slug = steps()[0].slug
    tour = Tour(window, {slug: target})
    tour.begin()
    most = 28 * tour.theme.normal
    assert tour.card.width() < most
    assert not tour.card.geometry().intersects(tour.hole)
    assert tour.rect().contains(tour.card.geometry())
    target.setGeometry(340, 20, 200, 600)
    tour.follow()
    assert tour.card.width() == most, "no narrower than necessary"
    tour.end()


def test_tour_has_its_own_keys_and_motion_continues(editing: WindowController, qtbot: QtBot) -> None:
    editing.start_tour()
    tour = editing.tour
    assert tour is not None
    assert editing.frame_loop.snapshot.playing
    time = editing.frame_loop.snapshot.time
    QTest.keyClick(tour.card, Qt.Key.Key_Right)
    QTest.keyClick(tour.card, Qt.Key.Key_Right)
    QTest.keyClick(tour.card, Qt.Key.Key_Left)
    assert tour.number == 1
    assert editing.frame_loop.snapshot.playing
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time != time)
    QTest.keyClick(tour.card, Qt.Key.Key_Space)  # a key of the window still
    qtbot.waitUntil(lambda: not editing.frame_loop.snapshot.playing)
    QTest.keyClick(tour.card, Qt.Key.Key_Escape)
    assert tour.isHidden()
    shown = editing.frame_loop.snapshot.time
    QTest.keyClick(editing.window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > shown)


def test_tour_is_offered_once_even_after_a_reset(
    editing: WindowController, monkeypatch: pytest.MonkeyPatch
) -> None:
    editing.settings.path.unlink(missing_ok=True)
    monkeypatch.setattr(editing, "settings", Settings())
    assert not editing.settings.has_toured()
    editing.start_tour()
    assert editing.tour is not None
    editing.tour.card.skip_button.click()
    assert editing.tour.isHidden()
    assert Settings().has_toured()
    editing.settings.reset(editing.window)
    assert Settings().has_toured()


def test_tour_is_not_shown_by_default(editing: WindowController) -> None:
    assert editing.tour is None


def test_tour_follows_its_moving_target(editing: WindowController, qtbot: QtBot) -> None:
    editing.start_tour()
    tour = editing.tour
    assert tour is not None
    tour.show_step(1)
    before = tour.hole
    sizes = editing.window.splitter.sizes()
    editing.window.splitter.setSizes([sizes[0], sizes[1] + 150, sizes[2] - 150])
    qtbot.waitUntil(lambda: tour.hole.width() > before.width() + 100)
    corner = editing.window.views.mapTo(editing.window, QPoint(0, 0))
    assert abs(tour.hole.left() - corner.x()) <= 8
    tour.end()


def test_tour_ends_when_its_scroll_area_is_deleted(qtbot: QtBot, qapp: QApplication) -> None:
    """A lesson replaces the side column, and Escape ends the tour."""
    apply_theme(qapp, DARK)
    window, area, inside = QWidget(), QScrollArea(), QWidget()
    qtbot.addWidget(window)
    area.setParent(window)
    area.setWidget(inside)
    inside.resize(100, 3000)
    target = QWidget(inside)
    target.setGeometry(0, 2500, 50, 50)
    window.resize(600, 400)
    window.show()
    qtbot.waitExposed(window)
    tour = Tour(window, {step.slug: target for step in steps()})
    tour.begin()
    tour.show_step(1)
    delete(area)
    tour.end()
    assert tour.isHidden()

"""Full screen, popups and errors do not cover what the user needs."""

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, type_value, wait_two_frames  # noqa: F401

from quatviz.app import WindowController
from quatviz.base.errors import InputError
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import ALL_OTHERS, SIDE_WIDTH
from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.widgets.entries import LineEntry as TextEntry
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.lists import CheckList
from quatviz.ui.widgets.style import Themed


def controls(session: WindowController) -> list[QWidget]:
    """Return the visible controls of the plots."""
    board = session.window.board
    kinds = (QAbstractButton, QComboBox)
    return [widget for cls in kinds for widget in board.findChildren(cls) if widget.isVisibleTo(board)]


def cut(session: WindowController, widget: QWidget) -> bool:
    """Return True if part of the widget is beyond the sides of the window."""
    window = session.window
    left = widget.mapTo(window, QPoint()).x()
    return left < 0 or left + widget.width() > window.width()


@pytest.mark.parametrize("theme", THEMES)
def test_full_screen_keeps_the_controls_of_the_plots(
    theme: str, editing: WindowController, qtbot: QtBot
) -> None:
    window = editing.window
    window.resize(1280, 692)
    window.theme_switch.show(THEMES[theme])
    wait_two_frames(editing, qtbot)
    before = len(controls(editing))
    assert before > 5
    QTest.keyClick(window, Qt.Key.Key_F11)
    for size in ((1280, 720), (1920, 1080)):  # as a desktop does
        window.resize(*size)
        wait_two_frames(editing, qtbot)
        assert window.size().toTuple() == size
        assert len(controls(editing)) >= before
        assert [control for control in controls(editing) if cut(editing, control)] == []
    QTest.keyClick(window, Qt.Key.Key_F11)
    window.resize(1280, 692)
    wait_two_frames(editing, qtbot)
    assert [control for control in controls(editing) if cut(editing, control)] == []


@pytest.mark.parametrize("theme", THEMES)
def test_curves_keep_a_useful_height_on_a_small_screen(
    theme: str, editing: WindowController, qtbot: QtBot
) -> None:
    window = editing.window
    window.resize(1366, 768)
    window.theme_switch.show(THEMES[theme])
    window.board.set_panel_visibility({ALL_OTHERS: False, "h": True, "drift": True})  # as the preset does
    wait_two_frames(editing, qtbot)
    plots = [plot for panel in window.board.panels if isinstance(panel, TimeView) for plot in panel.plots]
    assert len(plots) == 8
    line = plots[0].plot_style.small_metrics.height()
    qtbot.waitUntil(lambda: min(plot.area.height() for plot in plots) > 2.25 * line)


def test_popup_shrinks_instead_of_covering_the_menus(editing: WindowController) -> None:
    finder = editing.window.command_palette
    entries = [SearchEntry(f"entry {number}", "", lambda: None) for number in range(40)]
    bottom = finder.screen().availableGeometry().bottom()
    heights = []
    for above in (900, 300, 150):
        corner = QPoint(40, bottom - above)
        finder.open(entries, corner, 400)
        assert finder.pos() == corner
        assert finder.geometry().bottom() <= bottom
        heights.append(finder.height())
        finder.hide()
    assert heights[0] > heights[1] > heights[2]
    finder.open(entries, QPoint(40, 100), 400)
    assert finder.height() == heights[0], "all rows again where there is room"
    finder.hide()


def test_preset_gallery_opens_below_its_button_after_scrolling(
    editing: WindowController,
) -> None:
    side = editing.window.side
    side.verticalScrollBar().setValue(side.verticalScrollBar().maximum())
    side.picker.show_gallery()
    assert side.picker.gallery.y() > side.mapToGlobal(QPoint()).y()
    side.picker.gallery.hide()


@pytest.mark.parametrize("way", ["key", "button", "tab"])
def test_space_plays_a_preset_after_choosing_it(way: str, editing: WindowController, qtbot: QtBot) -> None:
    window, gallery = editing.window, editing.window.side.picker.gallery
    button = window.side.picker.button
    if way == "key":
        QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    elif way == "button":
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert gallery.isVisible()
    QTest.keyClick(gallery.field, Qt.Key.Key_Return)
    assert not gallery.isVisible()
    wait_two_frames(editing, qtbot)
    playing = editing.frame_loop.snapshot.playing
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Space)
    assert not gallery.isVisible()
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing != playing)


def test_keys_typed_during_an_error_reach_the_field(editing: WindowController) -> None:
    entry, state = inertia_entry(editing), editing.document.state
    entry.setFocus()
    entry.selectAll()
    origin = entry.mapTo(editing.window, QPoint())
    QTest.keyClicks(entry, "-5")
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert editing.window.side.setup.body.rows["inertia"].is_refused
    QApplication.processEvents()
    assert entry.mapTo(editing.window, QPoint()) == origin
    assert entry.hasFocus()
    for letter in "kd":  # a kick, and differences, with the focus elsewhere
        QTest.keyClicks(QApplication.focusWidget() or editing.window, letter)
    assert entry.text() == "-5kd"
    assert editing.document.state == state
    assert not editing.window.board.choices.difference
    QTest.keyClick(entry, Qt.Key.Key_Escape)


def fields(session: WindowController) -> dict[TextEntry, QPoint]:
    """Return the visible fields of the setup with their positions."""
    window = session.window
    entries = (entry for entry in window.side.findChildren(TextEntry) if entry.isVisible())
    return {entry: entry.mapTo(window, QPoint()) for entry in entries}


def messages_are_at_rest(window: QWidget) -> bool:
    return all(
        message.space.height() == (0 if message.isHidden() else message.heightForWidth(message.width()))
        for message in window.findChildren(InlineMessage)
        if message.space.isVisible()
    )


def test_error_below_a_field_moves_later_fields_smoothly(editing: WindowController, qtbot: QtBot) -> None:
    window, entry, state = editing.window, inertia_entry(editing), editing.document.state
    area, block = window.side, window.side.setup.body.rows["inertia"]
    message = block.message
    area.ensureWidgetVisible(entry, 50, 300)
    entry.setFocus()
    qtbot.waitUntil(lambda: messages_are_at_rest(window))  # the test before may have left one that closes
    wait_two_frames(editing, qtbot)
    before = fields(editing)
    above = [field for field in before if before[field].y() <= before[entry].y()]
    below = max(before, key=lambda field: before[field].y())
    entry.selectAll()
    QTest.keyClicks(entry, "-5")
    below.setFocus(Qt.FocusReason.MouseFocusReason)  # as a click does, before the typed text is checked
    assert message.isVisible()
    steps = set()

    def is_open() -> bool:
        steps.add(below.mapTo(window, QPoint()).y())
        return message.space.height() == message.heightForWidth(message.width())

    qtbot.waitUntil(is_open)
    wait_two_frames(editing, qtbot)
    opened = below.mapTo(window, QPoint()).y()
    assert any(before[below].y() < y < opened for y in steps), "smoothly"
    assert opened == before[below].y() + message.space.height()
    assert [field.mapTo(window, QPoint()) for field in above] == [before[field] for field in above]
    top = message.mapTo(window, QPoint()).y()
    assert top >= entry.mapTo(window, QPoint(0, entry.height())).y()
    shown = QRect(message.mapTo(window, QPoint()), message.size())
    for field in fields(editing):
        assert not shown.intersects(QRect(field.mapTo(window, QPoint()), field.size())), (
            field.accessibleName()
        )
    after: QWidget | None = block.field.entries[-1]
    while after is not None and after is not message.more_button:
        after = after.nextInFocusChain()
        assert not (isinstance(after, TextEntry) and after.isVisible()), "Tab reaches the link first"
    body = area.sections["Body"]
    body.set_open(False)
    assert not message.isVisible()
    body.set_open(True)
    qtbot.waitUntil(message.isVisible)
    entry.setFocus()
    entry.revert()
    entry.reverted.emit()
    assert not message.isVisible()
    qtbot.waitUntil(lambda: message.space.height() == 0)
    assert editing.document.state == state


def test_invalid_pasted_text_is_reported_below_the_presets(editing: WindowController, qtbot: QtBot) -> None:
    window, problem = editing.window, editing.window.side.picker.problem
    window.side.ensureWidgetVisible(window.side.picker)
    wait_two_frames(editing, qtbot)
    QGuiApplication.clipboard().setText("no run")
    window.action_registry["paste_run"].trigger()
    qtbot.waitUntil(problem.isVisible)
    assert "quatviz1:" in problem.text()
    qtbot.waitUntil(lambda: problem.space.height() == problem.heightForWidth(problem.width()))
    button = window.side.picker.button
    assert problem.mapTo(window, QPoint()).y() >= button.mapTo(window, QPoint(0, button.height())).y()
    type_value(inertia_entry(editing), "390")  # the run has changed: the pasted text is outdated
    wait_two_frames(editing, qtbot)
    assert not problem.isVisible()


def test_notes_on_an_edited_preset_move_no_field(editing: WindowController, qtbot: QtBot) -> None:
    """The note appears above the field and is laid out in several turns of the event loop, however long each takes."""
    entry, card = inertia_entry(editing), editing.window.side.preset_card
    editing.window.side.ensureWidgetVisible(entry, 50, 300)
    wait_two_frames(editing, qtbot)
    entry.setFocus()
    before = entry.mapTo(editing.window, QPoint())
    assert not card.edits_label.isVisible()
    type_value(entry, "390")
    for _ in range(12):
        QApplication.processEvents()
    assert card.edits_label.isVisible()
    assert entry.mapTo(editing.window, QPoint()) == before


def test_names_of_preparing_lanes_do_not_widen_the_window(editing: WindowController) -> None:
    status = editing.window.status
    before = editing.window.minimumSizeHint().width()
    status.show_notice("Preparing " + ", ".join(["Lagrange in Euler angles: 3-2-1"] * 12))
    QApplication.processEvents()
    assert editing.window.minimumSizeHint().width() == before
    status.show_notice("")


@pytest.mark.parametrize("theme", THEMES)
def test_window_fits_an_enlarged_small_screen(theme: str, editing: WindowController, qtbot: QtBot) -> None:
    """1280 pixels at 150 % are 853: a form in large letters moved the buttons of the plots off the screen."""
    window = editing.window
    window.theme_switch.show(THEMES[theme])
    window.side.open_sections([name.replace(" ", "_") for name in window.side.sections])
    window.views.set_number(4)
    wait_two_frames(editing, qtbot)
    assert window.minimumSizeHint().width() <= 853
    assert window.minimumSizeHint().height() <= 480


@pytest.mark.parametrize("theme", THEMES)
def test_buttons_below_the_lanes_do_not_widen_the_side_column(
    theme: str, editing: WindowController, qtbot: QtBot
) -> None:
    window, lanes = editing.window, editing.window.side.lane_list
    window.side.open_sections(["Lanes"])  # the fields of the setup need more in large letters
    window.resize(1280, 720)
    window.theme_switch.show(THEMES[theme])
    qtbot.waitUntil(lambda: window.side.width() == SIDE_WIDTH)
    wait_two_frames(editing, qtbot)
    buttons = (lanes.add_button, lanes.write_button, lanes.numbers_button)
    for button in buttons:
        assert button.width() >= button.sizeHint().width()
        assert lanes.rect().contains(button.geometry())
    assert lanes.numbers_button.y() >= lanes.add_button.geometry().bottom()  # the texts need two rows


def test_key_overlay_is_legible_and_uncovered_on_a_small_projector(
    editing: WindowController, qtbot: QtBot
) -> None:
    window, overlay = editing.window, editing.window.key_overlay
    window.resize(1280, 720)
    window.theme_switch.show(THEMES["projector"])
    overlay.toggle()
    wait_two_frames(editing, qtbot)
    labels = overlay.findChildren(QLabel)
    assert min(label.fontInfo().pixelSize() for label in labels) >= 13
    window.status.show_notice("Preparing Lagrange")
    assert window.status.isVisible()
    above = window.children()
    assert above.index(overlay) > above.index(window.status), "later children are drawn above"
    window.status.show_notice("")
    overlay.toggle()


def test_check_list_headings_are_enabled_but_not_checkable(qtbot: QtBot) -> None:
    names = CheckList("Formulations")
    qtbot.addWidget(names)
    names.add_heading("Hamilton")
    names.add_name("hamilton", "Hamilton, reduced to h", checked=False)
    names.add_name("none", "not available", checked=False, disabled_reason="no torque")
    heading, name, refused = (names.item(row) for row in range(3))
    assert heading.flags() == Qt.ItemFlag.ItemIsEnabled
    assert not refused.flags() & Qt.ItemFlag.ItemIsEnabled
    names.toggle(heading)
    assert names.checked_names == []
    names.setCurrentItem(name)
    QTest.keyClick(names, Qt.Key.Key_Up)
    assert names.currentItem() is name, "keys go to names only"


@pytest.mark.parametrize("theme", THEMES)
def test_export_column_lists_need_no_horizontal_scrolling(
    theme: str, editing: WindowController, qtbot: QtBot
) -> None:
    window = editing.window
    window.theme_switch.show(THEMES[theme])
    window.action_registry["export_data"].trigger()
    (dialog,) = (candidate for candidate in window.findChildren(ExportDialog) if candidate.isVisible())
    lists = dialog.findChildren(CheckList)
    qtbot.waitUntil(lambda: all(candidate.isVisible() for candidate in lists))
    wait_two_frames(editing, qtbot)
    assert len(lists) == 2
    assert not any(candidate.horizontalScrollBar().isVisible() for candidate in lists)
    dialog.close()


@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_event_card_with_error_does_not_cover_the_timeline(
    share: float, editing: WindowController, qtbot: QtBot
) -> None:
    window, card = editing.window, editing.window.experiments.event_card
    window.resize(1280, 720)
    window.theme_switch.show(THEMES["projector"])
    wait_two_frames(editing, qtbot)
    window.experiments.perform("kick", share * editing.simulation.duration)
    assert card.form is not None
    before = card.height()
    long = "a frame that is none of those that there are"
    card.form.show_refusal(InputError(expected=long, found=long, remedy=long, key="events.frame"))
    message = card.form.rows["frame"].message
    qtbot.waitUntil(message.isVisible)
    qtbot.waitUntil(lambda: card.height() == before + message.heightForWidth(message.width()))
    qtbot.waitUntil(lambda: message.space.height() == message.heightForWidth(message.width()))
    timeline = window.transport.mapTo(window, QPoint()).y()
    assert card.geometry().bottom() < timeline
    assert window.rect().contains(card.geometry())
    card.dismiss()


@pytest.mark.parametrize("theme", ["dark", "projector"])
@pytest.mark.parametrize("views", [1, 4])
def test_messages_cover_neither_the_legend_nor_a_field(
    views: int, theme: str, editing: WindowController, qtbot: QtBot
) -> None:
    window, status = editing.window, editing.window.status
    window.resize(1366, 768)
    window.theme_switch.show(THEMES[theme])
    window.views.set_number(views)
    wait_two_frames(editing, qtbot)
    for sentence in ("Saved", "This could not be written; remove something and save again " * 2):
        window.messages.show(sentence, "errors#files")
        wait_two_frames(editing, qtbot)
        view = window.views.shown_views[-1]
        corner = view.text_overlay.legend_size
        named = view.text_overlay.labels.is_small(QRectF(view.rect()))
        assert corner.isEmpty() == (views > 1 and not named), (
            "one view has the message in its corner, except above a name at its bottom"
        )
        room = QRect(view.mapTo(window, QPoint()), view.size())
        legend = QRect(room.x(), room.bottom() - corner.height(), corner.width(), corner.height())
        assert room.contains(status.geometry())
        assert not legend.intersects(status.geometry())
        assert status.message == sentence
        assert status.rect().contains(status.learn_more_button.geometry())


def test_time_is_fully_visible_at_every_scale(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever order Qt lists its widgets."""
    readout = editing.window.transport.time_field
    first = sorted(QApplication.allWidgets(), key=lambda widget: not isinstance(widget, Themed))
    monkeypatch.setattr(QApplication, "allWidgets", lambda *_: first)
    wide = readout.width()
    for size in (150, 100):
        editing.set_scale(size)
        wait_two_frames(editing, qtbot)
        assert readout.fontMetrics().horizontalAdvance(readout.text()) <= readout.width()
        assert readout.width() <= 1.6 * wide, "and takes no space from the timeline"

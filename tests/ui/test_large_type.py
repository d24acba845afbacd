"""Widgets that adapt to the type size."""

from functools import partial

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.base.parameters import Parameter
from quatviz.display.view_state.theme import DARK, LIGHT, PROJECTOR, Theme
from quatviz.ui.sidebar.lane_list import LaneChip
from quatviz.ui.sidebar.presets import PresetDialog
from quatviz.ui.tools.exhibits import dialog as exhibits_dialog
from quatviz.ui.tools.exhibits.dialog import ExhibitPictures
from quatviz.ui.tools.help.window import HelpWindow
from quatviz.ui.tools.study.table import StudyTable
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.labels import ElidedLabel, label
from quatviz.ui.widgets.layouts import WrappedRow
from quatviz.ui.widgets.style import apply_scale, apply_theme, set_own_theme
from quatviz.ui.widgets.text_block import TextBlockField, TextReport


def is_idle(dialog: exhibits_dialog.ExhibitDialog) -> bool:
    return not dialog.is_busy


def test_rows_of_a_table_are_as_high_as_the_type(qtbot: QtBot, qapp: QApplication) -> None:
    """Rows kept 24 pixels, so that large lines covered each other."""
    table = StudyTable()
    qtbot.addWidget(table)
    table.setRowCount(2)
    assert table.rowHeight(0) == 24
    font = table.font()
    font.setPixelSize(30)
    table.setFont(font)
    assert table.rowHeight(0) == table.rowHeight(1) >= table.fontMetrics().height() > 30


def test_chip_of_a_lane_grows_with_the_type(qtbot: QtBot) -> None:
    chip = LaneChip()
    qtbot.addWidget(chip)
    set_own_theme(chip, DARK)
    before = chip.sizeHint()
    set_own_theme(chip, PROJECTOR)
    assert chip.sizeHint().height() == pytest.approx(before.height() * PROJECTOR.small / DARK.small, abs=1)


def test_label_shows_its_whole_text_or_none(qtbot: QtBot) -> None:
    title = ElidedLabel(whole_only=True)
    qtbot.addWidget(title)
    title.setText("One rotation of a rigid body")
    title.resize(400, 20)
    assert title.elided_text == title.text()
    title.resize(80, 20)
    assert title.elided_text == ""


def test_wrapped_lines_of_buttons_are_apart(qtbot: QtBot) -> None:
    first, second = Button("Apply to run"), Button("Save as a preset…")
    row = WrappedRow(first, second)
    qtbot.addWidget(row)
    row.resize(second.sizeHint().width() + 10, 200)
    row.show()
    assert second.y() > first.geometry().bottom() + 2


@pytest.mark.parametrize("scale", [100, 150])
def test_focus_leaves_room_for_the_text_of_a_primary_button(
    scale: int, qtbot: QtBot, qapp: QApplication
) -> None:
    """The border of the focus took four pixels from the text, and cut its first and last letter."""
    apply_theme(qapp, PROJECTOR)
    apply_scale(scale)
    button, other = Button("Write again", object_name="primary"), Button("Write again")
    for widget in (button, other):
        qtbot.addWidget(widget)
        widget.ensurePolished()
        widget.resize(widget.sizeHint())
    option = QStyleOptionButton()
    button.initStyleOption(option)
    option.state |= QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver
    room = button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button)
    assert room.width() >= button.fontMetrics().horizontalAdvance(button.text())
    assert button.sizeHint().height() == pytest.approx(other.sizeHint().height(), abs=1)
    apply_scale(100)


def test_texts_of_a_preset_show_four_whole_lines(qtbot: QtBot, qapp: QApplication) -> None:
    """Their height was fixed, so that large lines were cut."""
    apply_theme(qapp, PROJECTOR)
    apply_scale(150)
    try:
        dialog = PresetDialog(qv.load_preset("torque_free"), lambda *_: None, None)
        qtbot.addWidget(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        for area in (dialog.summary, dialog.watch):
            assert area.viewport().height() >= 4 * area.fontMetrics().lineSpacing()
    finally:
        apply_scale(100)


def test_long_line_of_a_law_is_continued_below(qtbot: QtBot, qapp: QApplication) -> None:
    """Lines did not wrap, so that a narrow editor showed only their beginning."""
    apply_theme(qapp, DARK)
    field = TextBlockField(
        Parameter(explanation="A torque law", default="", title="Law"), lambda _: TextReport()
    )
    qtbot.addWidget(field)
    field.resize(240, 400)
    with qtbot.waitExposed(field):
        field.show()
    area, height = field.area, field.area.height()
    area.setPlainText("n = " + " + ".join(f"{number} * omega" for number in range(20)))
    qtbot.waitUntil(lambda: area.line_count > 8)
    assert area.horizontalScrollBar().maximum() == area.verticalScrollBar().maximum() == 0
    assert area.height() > height
    picture, spacing = area.viewport().grab().toImage(), area.fontMetrics().lineSpacing()
    marked = [
        picture.pixelColor(1, round(4 + (line + 0.5) * spacing)) == QColor(DARK.accent) for line in range(4)
    ]
    assert marked == [False, True, True, True]
    field.check_now()  # ends the delay of the check


def test_entry_is_wide_enough_for_its_placeholder(qtbot: QtBot, qapp: QApplication) -> None:
    """Its minimum width was fixed, so that "start of file" was cut at 150 %."""
    apply_theme(qapp, PROJECTOR)
    apply_scale(150)
    try:
        entry = LineEntry("Start", "start of file")
        qtbot.addWidget(entry)
        entry.ensurePolished()
        text_width = entry.fontMetrics().horizontalAdvance("start of file")
        assert text_width < entry.minimumSizeHint().width() < text_width + 60
        assert LineEntry().minimumSizeHint().width() == 1.5 * 48
    finally:
        apply_scale(100)


@pytest.mark.parametrize(("theme", "scale"), [(DARK, 100), (PROJECTOR, 100), (LIGHT, 150)])
def test_list_of_help_pages_is_as_wide_as_its_titles(
    theme: Theme, scale: int, qtbot: QtBot, qapp: QApplication
) -> None:
    """Its width was fixed, so that titles were elided."""
    apply_theme(qapp, theme)
    apply_scale(scale)
    try:
        window = HelpWindow()
        qtbot.addWidget(window)
        with qtbot.waitExposed(window):
            window.show()
        assert window.contents.width() >= window.contents.width_of_titles()
    finally:
        apply_scale(100)


def test_widgets_of_a_row_are_vertically_centered(qtbot: QtBot) -> None:
    first, second = label(text="Speed", word_wrap=False), Button("Apply")
    row = WrappedRow(first, second)
    qtbot.addWidget(row)
    row.resize(400, row.heightForWidth(400))
    row.show()
    assert first.geometry().center().y() == pytest.approx(second.geometry().center().y(), abs=1)


def test_figures_of_the_paper_are_drawn_at_the_scale_of_the_window(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They kept their width, so that their captions were small beside the text of the dialog."""
    widths: list[float] = []

    def render(name: str, pixels: float, progress: object) -> ExhibitPictures:
        widths.append(pixels)
        return ExhibitPictures(name, {name: name}, [])

    monkeypatch.setattr(exhibits_dialog, "render_exhibits", render)
    window = QWidget()
    qtbot.addWidget(window)
    try:
        for scale in (100, 150, 300):
            apply_scale(scale)
            dialog = exhibits_dialog.ExhibitDialog("torque_free", bool, window)
            qtbot.waitUntil(partial(is_idle, dialog))
            assert widths[-1] / dialog.devicePixelRatioF() <= dialog.width()
    finally:
        apply_scale(100)
    assert widths[1] == 1.5 * widths[0]

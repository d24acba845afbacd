"""Text of lessons and labels: repeated layout, formulae, images and elision."""

import os
from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from quatviz.base.latex import MalformedFormula
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.files.formula_cache import formula_cache
from quatviz.ui.lessons.question import AnswerButton
from quatviz.ui.widgets.labels import ElidedLabel
from quatviz.ui.widgets.richtext import FormulaDocument, RichTextLabel
from quatviz.ui.widgets.style import set_own_theme


def test_repeated_layout_releases_previous_formulae(qtbot: QtBot) -> None:
    """A lesson in a resized window kept every formula that it had shown, for each width and theme."""
    formula_cache().render_all([r"J\omega", "p"], lambda _: None)
    label = RichTextLabel()
    qtbot.addWidget(label)
    label.set_markdown(r"The momentum $J\omega$, and $p$.")
    for width in range(300, 500, 10):
        label.resize(width, 400)
        label.heightForWidth(width)
        label.set_font_size(17)
        set_own_theme(label, LIGHT if width % 20 else DARK)
    (document,) = label.findChildren(FormulaDocument)
    assert document.formula_count == 2
    assert document.availableUndoSteps() == 0
    label.set_markdown("No formula.")
    assert document.formula_count == 0


def test_only_pictures_of_the_lesson_folder_are_read(qtbot: QtBot, tmp_path: Path) -> None:
    """Qt itself would read a file of that name if it gets no picture, and would block at a pipe."""
    red = QImage(40, 40, QImage.Format.Format_RGB32)
    red.fill(Qt.GlobalColor.red)
    lesson = tmp_path / "lesson"
    lesson.mkdir()

    def shown(path: Path) -> bool:
        assert red.save(str(path))
        document = FormulaDocument()
        document.set_markdown(f"![picture]({path})", LIGHT, 14, 200.0, folder=lesson)
        page = QImage(200, 200, QImage.Format.Format_RGB32)
        page.fill(Qt.GlobalColor.white)
        painter = QPainter(page)
        document.drawContents(painter)
        painter.end()
        red_ones = [page.pixelColor(x, y).green() == 0 for x in range(0, 200, 5) for y in range(0, 200, 5)]
        return any(red_ones)

    assert shown(lesson / "beside.png")
    assert not shown(tmp_path / "elsewhere.png")


def test_vector_drawings_with_external_files_are_not_read(qtbot: QtBot, tmp_path: Path) -> None:
    """Also if a drawing has the suffix of a photograph: Qt would wait for the pipe that it names."""
    os.mkfifo(tmp_path / "pipe.png")
    link = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
    drawing = f'<image xlink:href="{tmp_path}/pipe.png" width="9" height="9"/>'
    for name in ("drawing.svg", "drawing.png", "loop.png"):
        path = tmp_path / name
        if name == "loop.png":
            path.symlink_to(path)
        else:
            path.write_text(
                f'<svg xmlns="http://www.w3.org/2000/svg" {link} width="9" height="9">{drawing}</svg>'
            )
        document = FormulaDocument()
        document.set_markdown(f"![in words]({name})", LIGHT, 14, 200.0, folder=tmp_path)
        page = QImage(200, 200, QImage.Format.Format_RGB32)
        painter = QPainter(page)
        document.drawContents(painter)
        painter.end()


def test_long_command_wraps_with_indentation(qtbot: QtBot) -> None:
    document = FormulaDocument()
    document.setTextWidth(300)
    document.set_markdown(
        "Type\n\n    quatviz render torque_free -o film.mp4 --fps 30\n      and more", LIGHT, 14, 300.0
    )
    assert document.size().width() == 300.0
    command, more = document.begin().next(), document.begin().next().next()
    assert command.layout().lineCount() > 1
    first, second = (command.layout().lineAt(number) for number in (0, 1))
    assert second.x() > first.x() > 0.0, "indented as a continuation"
    assert more.text().startswith("  and"), "aligned columns stay aligned"


@pytest.mark.parametrize("mark", ["", "*"])
def test_inline_formula_has_space_before_it(mark: str, qtbot: QtBot) -> None:
    """Also after an italic letter that leans towards it."""
    formula_cache().render("h")
    document = FormulaDocument()
    document.pixel_ratio = 4.0
    document.set_markdown(f"{mark}this $h$ that{mark}", LIGHT, 20, 400.0)
    page = QImage(1600, 160, QImage.Format.Format_Grayscale8)
    page.fill(Qt.GlobalColor.white)
    painter = QPainter(page)
    painter.scale(4.0, 4.0)
    document.drawContents(painter)
    painter.end()
    inked = [any(page.pixelColor(x, y).value() < 128 for y in range(160)) for x in range(1600)]
    runs = [(ink, len([*group])) for ink, group in groupby(inked)]
    gaps = sorted((length for ink, length in runs[1:-1] if not ink), reverse=True)
    assert gaps[1] > 0.6 * gaps[0]


def test_oversized_formula_is_rejected(qtbot: QtBot) -> None:
    for latex in (r"\raise1000000em x", r"\kern1000000em x", r"\rule{50em}{50em}"):
        with pytest.raises(MalformedFormula, match=r"^a length of"):
            formula_cache().render(latex)
    with pytest.raises(MalformedFormula, match=r"^a formula larger than a page"):
        formula_cache().render(r"\rule{3em}{25em}\raise30em x")


def test_formulae_are_readable_by_screen_readers(qtbot: QtBot) -> None:
    """A screen reader read "is 4 kg m²/s, is 4 J, and both stay" without the symbols."""
    label = RichTextLabel()
    qtbot.addWidget(label)
    label.set_markdown(
        "The tip of $h$ stays where $|h|$ is *4*.\n\n$$ J\\dot\\omega = -\\omega \\times J\\omega $$\n\nSo it is."
    )
    assert label.text == label.accessibleName() == "The tip of h stays where |h| is 4. Jω̇ = −ω × Jω So it is."


def test_line_break_does_not_split_a_unit(qtbot: QtBot) -> None:
    label = RichTextLabel()
    qtbot.addWidget(label)
    label.set_markdown("It turns at 0.866 rad/s now, and at 0.4 kg m²/s then.")
    assert label.text == "It turns at 0.866 rad/s now, and at 0.4 kg m²/s then."
    (document,) = label.findChildren(FormulaDocument)
    broken = 0
    for width in range(120, 360, 2):
        label.heightForWidth(width)
        block = document.begin()
        layout, text = block.layout(), block.text()
        ends = {layout.lineAt(n).textStart() for n in range(1, layout.lineCount())}
        broken += bool(ends)
        assert not [end for end in ends if text[:end].rstrip("\u2060").endswith("/")]
    assert broken > 50


def test_text_without_space_is_elided(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText("1 of 4   Hamilton's form and the heavy top")
    label.resize(120, 20)
    assert label.elided_text.endswith("…")
    assert label.text().endswith("top")
    drawn = label.grab().toImage()
    label.setText(label.elided_text)
    assert label.grab().toImage() == drawn, "the elided text is drawn"
    label.resize(900, 20)
    assert label.elided_text == label.text()


def test_wrong_answer_looks_different_from_right_answer(qtbot: QtBot) -> None:
    choice = AnswerButton("A", "Yes")
    qtbot.addWidget(choice)
    choice.resize(300, choice.heightForWidth(300))

    def ground(checked: bool, verdict: bool | None) -> str:
        choice.setChecked(checked)
        choice.show_verdict(verdict)
        return choice.grab().toImage().pixelColor(280, choice.height() // 2).name()

    plain, chosen = ground(False, None), ground(True, None)
    assert chosen != plain
    assert ground(True, True) == ground(False, True) == chosen
    assert ground(True, False) == ground(False, False) == plain


def test_repeated_height_request_does_not_lay_out_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    label, count = RichTextLabel(), 0
    qtbot.addWidget(label)
    label.set_markdown("Words that wrap at $\\omega$ once or twice, and end. " * 5)
    set_markdown = FormulaDocument.set_markdown

    def counted(*given: object, **named: object) -> None:
        nonlocal count
        count += 1
        set_markdown(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(FormulaDocument, "set_markdown", counted)
    heights = [label.heightForWidth(width) for width in (200, 500) * 10]
    assert count <= 2
    assert heights[0] > heights[1] == heights[-1]
    label.set_markdown("Short")
    assert label.heightForWidth(200) < heights[0]

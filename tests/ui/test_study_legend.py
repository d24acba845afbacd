"""The legend of a study: grouping of its entries in lines."""

from types import SimpleNamespace
from typing import Any

from PySide6.QtGui import QColor, QPen, QTextDocument
from pytestqt.qtbot import QtBot

from quatviz.base.markdown import WORD_JOINER
from quatviz.ui.tools.study.curve_style import StudyLegend

PICTURE = "\ufffc"


def lines(legend: StudyLegend) -> list[str]:
    """Return the text lines as Qt breaks them."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(legend.text_label.font())
    document.setHtml(legend.text_label.text())
    document.setTextWidth(legend.text_label.contentsRect().width())
    assert document.size().height() > 0
    block, texts = document.begin(), []
    while block.isValid():
        for number in range(block.layout().lineCount()):
            line = block.layout().lineAt(number)
            texts.append(block.text()[line.textStart() : line.textStart() + line.textLength()])
        block = block.next()
    return texts


def test_legend_marker_stays_on_the_line_of_its_name(qtbot: QtBot) -> None:
    legend = StudyLegend()
    qtbot.addWidget(legend)
    looks: list[Any] = [
        SimpleNamespace(
            text=f"Hamilton, reduced to h {number}: order 4.0", color=QColor("red"), symbol="o",
            pen=lambda width: QPen(), size=9.0, filled=True,
        )
        for number in range(6)
    ]  # fmt: skip
    legend.show_styles(looks)
    legend.show()
    counts = set()
    for width in range(400, 1600, 37):
        legend.resize(width, 200)
        expected = lines(legend)
        assert all(line.startswith(PICTURE) for line in expected), expected
        assert sum(line.count(PICTURE) for line in expected) == len(looks)
        counts.add(len(expected))
    assert {6, 3, 2} <= counts, "as many per line as fit"


def test_narrow_legend_keeps_words_with_dashes_together(qtbot: QtBot) -> None:
    """An entry wider than the legend was broken within "Runge–Kutta"."""
    legend = StudyLegend()
    qtbot.addWidget(legend)
    style = SimpleNamespace(
        text="Newton–Euler, Runge–Kutta 4: order 4.0", color=QColor("red"), symbol="o", pen=lambda width: QPen(),
        size=9.0, filled=True,
    )  # fmt: skip
    legend.show_styles([style])  # type: ignore[list-item]
    legend.show()
    for width in range(150, 400, 7):
        legend.resize(width, 200)
        assert not any(line.rstrip(WORD_JOINER).endswith("–") for line in lines(legend)), (
            width,
            lines(legend),
        )

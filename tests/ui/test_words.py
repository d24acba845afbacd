"""Words of a lesson that are laid out again and again."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from quatviz.ui.cards.typeset import book
from quatviz.ui.fonts import load_fonts
from quatviz.ui.theme import DARK, LIGHT
from quatviz.ui.typeset_words import Words


def test_words_that_are_laid_out_again_keep_nothing_of_before(qtbot: QtBot) -> None:
    """At each width and in each theme: a lesson in a window whose size changes kept every formula that it had shown."""
    load_fonts()
    book().draw_all([r"J\omega", "p"], lambda _: None)
    words = Words(DARK)
    qtbot.addWidget(words)
    words.say(r"The momentum $J\omega$, and $p$.")
    for width in range(300, 500, 10):
        words.resize(width, 400)
        words.heightForWidth(width)
        words.restyle(LIGHT if width % 20 else DARK, 17)
    document = words._document
    assert document.count == 2
    assert document.availableUndoSteps() == 0
    words.say("No formula.")
    assert document.count == 0

"""Links that open a menu show their whole text."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from scene_maker import pixels_of

from quatviz.display.view_state.theme import DARK, THEMES, Theme
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.layouts import row, wrap_layout
from quatviz.ui.widgets.style import apply_theme


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_link_with_a_menu_shows_its_whole_text(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    """The style draws the text of a button with a menu in a smaller rectangle, which cut off the last letter."""
    apply_theme(qapp, theme)
    for text in ("Add a rotor", "Add a load to one lane", "Examples"):
        plain, opening = QuietButton(text), QuietButton(text)
        opening.setMenu(QMenu(opening))
        holder = wrap_layout(row(plain, opening, None))
        qtbot.addWidget(holder)
        holder.resize(900, 60)
        holder.show()
        qtbot.waitExposed(holder)
        plain_ink, ink = (_ink(button) for button in (plain, opening))
        assert ink.shape == plain_ink.shape, text
        assert np.array_equal(ink, plain_ink), text
    apply_theme(qapp, DARK)


def _ink(button: QuietButton) -> np.ndarray:
    """Return the pixels of a button inside the bounds of its text."""
    pixels = pixels_of(button.grab().toImage())[..., :3].astype(int)
    is_ink = np.abs(pixels - pixels[0, 0]).sum(axis=2) > 0
    rows, columns = np.flatnonzero(is_ink.any(axis=1)), np.flatnonzero(is_ink.any(axis=0))
    return np.asarray(pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])

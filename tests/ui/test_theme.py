"""Contrast of curves, components and muted text in every theme."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QCheckBox, QMenu
from pytestqt.qtbot import QtBot
from scene_maker import pixels_of

from quatviz.display.view_state.theme import DARK, LIGHT, THEMES, Theme, mix_colors, scaled_theme, style_sheet
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.lists import CheckList
from quatviz.ui.widgets.style import apply_theme, deferred_style_sheet, set_own_theme


def luminance(color: str) -> float:
    """Return the relative luminance by WCAG."""
    parts = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first: str, second: str) -> float:
    """Return the contrast from 1 to 21 by WCAG."""
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


_DYED = "QCheckBox::indicator:checked {{ background: {0}; border-color: {0}; }}"

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


@every_theme
def test_curves_contrast_with_background(theme: Theme) -> None:
    for color in (*theme.lanes, *theme.components):
        assert contrast(color, theme.surface) >= 3.0, color


@every_theme
def test_text_contrasts_with_background(theme: Theme) -> None:
    """Numbers have the color of their lane, and titles that of their arrow: both are text."""
    quiet = (theme.text, theme.muted, theme.accent, theme.danger)
    for color in (*quiet, *theme.lanes, *theme.components, theme.omega, theme.h):
        assert contrast(color, theme.surface) >= 4.5, color
    for color in quiet:
        assert contrast(color, theme.window) >= 4.5, color


def test_projector_theme_has_larger_text_curves_and_contrast() -> None:
    wide, light = THEMES["projector"], THEMES["light"]
    assert wide.small >= 16
    assert wide.curve_width == 3 > light.curve_width == 2
    assert contrast(wide.muted, wide.surface) > contrast(light.muted, light.surface)
    texts = (
        wide.text,
        wide.muted,
        wide.accent,
        wide.danger,
        *wide.components,
        wide.omega,
        wide.h,
        wide.torque,
        wide.pivot_force,
    )
    for color in texts:  # an orange lane as dark as these would be brown
        assert contrast(color, wide.surface) >= 7.0, color


def test_style_sheet_is_set_after_deferred_changes(
    qapp: QApplication,
) -> None:
    apply_theme(qapp, DARK)
    with deferred_style_sheet():
        assert qapp.styleSheet() == ""
        apply_theme(qapp, THEMES["light"])
        assert qapp.styleSheet() == "", "otherwise Qt would polish every widget again when it is moved"
    assert qapp.styleSheet() == style_sheet(THEMES["light"])
    with pytest.raises(ZeroDivisionError), deferred_style_sheet():
        raise ZeroDivisionError
    assert qapp.styleSheet() == style_sheet(THEMES["light"]), "an exception restores the style sheet"


def test_menu_check_mark_scales_with_font(qtbot: QtBot) -> None:
    """Qt's own check mark is 7 pixels wide at any font size."""
    for theme in (DARK, scaled_theme(DARK.name, 1.5), scaled_theme(LIGHT.name, 2.0)):
        menu = QMenu()
        qtbot.addWidget(menu)
        set_own_theme(menu, theme)
        action = menu.addAction("")
        action.setCheckable(True)
        menu.resize(menu.sizeHint())
        bare = pixels_of(menu.grab().toImage())
        action.setChecked(True)
        inked = (pixels_of(menu.grab().toImage()) != bare).any(axis=2).any(axis=0)
        assert np.ptp(np.flatnonzero(inked)) > 0.6 * theme.normal


def test_focused_check_box_of_a_list_is_visible(qtbot: QtBot, qapp: QApplication) -> None:
    """Nothing showed which check box Space would toggle."""
    ticks = CheckList("names")
    qtbot.addWidget(ticks)
    for name in "ab":
        ticks.add_name(name, "▇▇▇▇", checked=False)
    ticks.show()
    ticks.activateWindow()
    ticks.setFocus()
    qtbot.waitUntil(ticks.hasFocus)
    for theme in THEMES.values():
        apply_theme(qapp, theme)
        ticks.setCurrentRow(1)
        picture = ticks.viewport().grab().toImage()
        ratio = picture.devicePixelRatio()
        for row, color in enumerate((theme.text, theme.accent)):
            rect = ticks.visualItemRect(ticks.item(row))
            seen = {
                picture.pixelColor(round(x * ratio), round(rect.center().y() * ratio)).name()
                for x in range(30, rect.right())
            }
            assert color in seen, f"{theme.name}, row {row}"
            assert theme.accent not in seen or row == 1


@every_theme
def test_check_mark_contrasts_with_its_box(theme: Theme, qtbot: QtBot, qapp: QApplication) -> None:
    """It was a square in the accent or lane color, which is not recognizable as a check mark."""
    apply_theme(qapp, theme)
    for ground in (theme.accent, *theme.lanes):
        box = QCheckBox()
        qtbot.addWidget(box)
        box.setStyleSheet(_DYED.format(ground))
        box.setChecked(True)
        picture = box.grab().toImage()
        inside = product(range(4, 12), range(picture.height() // 2 - 4, picture.height() // 2 + 4))
        seen = Counter(picture.pixelColor(*point).name() for point in inside)
        assert seen[ground] > 20
        assert sum(count for color, count in seen.items() if contrast(color, ground) >= 3.0) > 5, ground


def test_combo_box_highlight_ends_when_pointer_leaves_its_list(qtbot: QtBot) -> None:
    """Its frame stayed highlighted, because Qt sends no leave event while a list is open."""
    box = ChoiceBox({"a": "one", "b": "two"})
    qtbot.addWidget(box)
    box.show()
    qtbot.waitExposed(box)
    for away, lit in ((QPoint(5, 5), True), (QPoint(5, 3 * box.height()), False)):
        box.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
        box.showPopup()
        QCursor.setPos(box.mapToGlobal(away))
        box.hidePopup()
        assert box.underMouse() is lit


def test_chosen_row_of_a_list_has_a_background(qtbot: QtBot, qapp: QApplication) -> None:
    box = ChoiceBox({name: f"{name}, which is longer than the box" for name in "abc"})
    qtbot.addWidget(box)
    for theme in THEMES.values():
        apply_theme(qapp, theme)
        box.show()
        qtbot.waitExposed(box)
        box.showPopup()
        view = box.view()
        qtbot.waitUntil(view.isVisible)
        view.setCurrentIndex(box.model().index(1, 0))
        row = view.visualRect(view.currentIndex())
        assert view.sizeHintForColumn(0) <= row.width(), "no word is clipped"
        picture = view.viewport().grab().toImage()
        ratio = picture.devicePixelRatio()
        beside = picture.pixelColor(round((row.right() - 6) * ratio), round(row.center().y() * ratio))
        assert beside.name() == mix_colors(theme.accent, theme.raised, 0.3)
        box.hidePopup()

"""Tour of the appearance: themes, interface scale, and a layout that is remembered and reset."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tour_steps import (
    CTRL,
    Tour,
    board_button,
    free_preset,
    open_menu_actions,
    pick_action,
    popup,
    press,
    show_only_items,
    submenu,
    tour,  # noqa: F401 (a fixture)
    widget_pixels,
)
from window_steps import pause_at, wait_two_frames

from quatviz.app import WindowController
from quatviz.display.view_state.theme import THEMES
from quatviz.ui.window.settings import Settings


def look_menu(session: WindowController) -> QMenu:
    return session.window.menus["View"]


def chosen(session: WindowController, title: str) -> list[str]:
    look_menu(session).aboutToShow.emit()
    return [
        action.text()
        for action in open_menu_actions(submenu(look_menu(session), title))
        if action.isChecked()
    ]


def share_of(picture: np.ndarray, color: str) -> float:
    own = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)])
    return float((np.abs(picture - own).max(axis=2) < 3).mean())


def test_themes_are_chosen_by_menu_and_key(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    pause_at(session, qtbot, 3.0)
    for name in ("light", "projector", "dark"):
        pick_action(look_menu(session), "Theme", name.capitalize())
        wait_two_frames(session, qtbot)
        picture = widget_pixels(session.window.board)
        assert share_of(picture, THEMES[name].surface) > 0.4, name
        assert share_of(picture, THEMES[name].lanes[0]) > 1e-4, name
        assert share_of(widget_pixels(session.window.side), THEMES[name].window) > 0.4, name
        assert chosen(session, "Theme") == [name.capitalize()]
    press(session, Qt.Key.Key_T, CTRL)
    assert session.window.theme.name == "light"
    assert chosen(session, "Theme") == ["Light"]


def test_scales_from_75_to_300_percent_apply_at_once(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    sizes = [action.text() for action in open_menu_actions(submenu(look_menu(session), "Interface scale"))]
    percent = [int(text.removesuffix(" %")) for text in sizes]
    assert (percent[0], percent[-1]) == (75, 300)
    for size in (75, 300, 100):  # reset for the next test, because the scale belongs to the application
        pick_action(look_menu(session), "Interface scale", f"{size} %")
        assert Settings().view_state.scale == size
        assert f"Interface scale: {size}\u00a0%" in session.window.status.message
        assert chosen(session, "Interface scale") == [f"{size} %"]


def test_layout_is_remembered_and_reset(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    window = session.window
    first = (window.splitter.sizes(), [panel.name for panel in window.board.panels])
    pick_action(look_menu(session), "Theme", "Light")
    pick_action(look_menu(session), "Views", "Two 3D views")
    show_only_items(session, "Body", "Body as wireframe")
    board_button(window.board).click()
    pick_action(popup(qtbot), "Angular velocity")
    window.side.sections["Lanes"].set_open(False)
    total = sum(first[0])
    window.splitter.moveSplitter(total // 2, 1)
    kept = window.splitter.sizes()
    panels = [panel.name for panel in window.board.panels]
    window.close()
    again = tour(free_preset(), keep_settings=True)
    window = again.window
    assert "omega" not in panels
    assert [panel.name for panel in window.board.panels] == panels
    assert window.splitter.sizes() == pytest.approx(kept, abs=3)
    assert len(window.views.shown_views) == 2
    assert {name for name in window.views.items if window.views.is_visible(name)} == {"body", "wireframe"}
    assert "Lanes" not in window.side.open_section_names()
    assert Settings().view_state.theme == THEMES["light"].name
    pick_action(look_menu(again), "Layout", "Reset layout and appearance")
    wait_two_frames(again, qtbot)
    assert [panel.name for panel in window.board.panels] == first[1]
    assert window.splitter.sizes() == pytest.approx(first[0], abs=3)
    assert len(window.views.shown_views) == 1
    assert window.views.is_visible("omega")
    assert "Lanes" in window.side.open_section_names()
    assert window.theme is THEMES["dark"]

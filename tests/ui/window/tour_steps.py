"""A window for the tour of all user actions, and the engine results that it should show."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from window_steps import wait_computed, wait_two_frames

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.theme import DARK
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.style import apply_theme
from quatviz.ui.window.settings import Settings

NEWTON, CANONICAL, ANGLES = "newton_euler", "hamilton_canonical", "euler_angles/321"
LANES = (NEWTON, CANONICAL, ANGLES)
FORCE, POINT = np.array([1.0, 2.0, -1.5]), np.array([0.3, -0.2, 0.7])
"""A force [N, space] and the body point [m] where it acts, and where its opposite does."""

ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
_COLOR_THRESHOLD = 24
"""Smallest color difference of a pixel where something is drawn."""

Tour = Callable[..., WindowController]


def free_preset() -> qv.Preset:
    """Return a preset of a body that turns freely: 12 s in which its 3-2-1 angles wrap twice and p flips twice."""
    return _with_duration(qv.load_preset("torque_free"), 12.0)


def driven_preset() -> qv.Preset:
    """Return a preset of a body driven into the singularity of its 3-2-1 angles, where their lane ends, with two balanced
    forces."""
    preset = _with_duration(qv.load_preset("gimbal_lock"), 8.0)
    forces = (qv.PointForce(force=side * FORCE, point=POINT, frame="space") for side in (1.0, -1.0))
    return replace(preset, loads=(*preset.loads, *forces))


def _with_duration(preset: qv.Preset, duration: float) -> qv.Preset:
    lanes = tuple(qv.Lane(name) for name in LANES)
    return replace(preset, lanes=lanes, run=replace(preset.run, duration=duration))


@cache
def reference_run(make: Callable[[], qv.Preset]) -> qv.Run:
    """Return the same run without a window."""
    return qv.simulate(make())


@pytest.fixture
def tour(qtbot: QtBot, qapp: QApplication) -> Iterator[Tour]:
    """Return a function that opens a window with a preset: computed, paused at the start, with default settings."""
    sessions: list[WindowController] = []

    def open_window(preset: qv.Preset, keep_settings: bool = False) -> WindowController:
        """`keep_settings`: with the settings saved by the window before."""
        check_gl()
        apply_theme(qapp, DARK)
        if not keep_settings:
            delete_settings()
        compile_preset(preset)
        session = WindowController(preset, playing=False)
        sessions.append(session)
        if not keep_settings:
            session.window.resize(1600, 900)  # two views above each other have equal heights
        session.open()
        session.window.activateWindow()
        qtbot.waitUntil(session.window.isActiveWindow)
        wait_computed(session, qtbot)
        qtbot.waitUntil(  # rows reach the window in blocks
            lambda: (
                (frame := session.frame_loop.frame) is not None
                and frame.reachable_until >= preset.run.duration
            )
        )
        wait_two_frames(session, qtbot)
        return session

    yield open_window
    for session in sessions:
        session.window.unsaved_changes.discard_and_close()
        session.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    delete_settings()


def delete_settings() -> None:
    """Delete the settings, because the next window would read them."""
    Settings().path.unlink(missing_ok=True)


# User actions


def press(session: WindowController, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    """Press a key while the window has the focus."""
    QTest.keyClick(session.window, key, modifier or Qt.KeyboardModifier.NoModifier)


def click(
    widget: QWidget | QWindow,
    at: QPoint,
    button: Qt.MouseButton = Qt.MouseButton.LeftButton,
    modifier: Qt.KeyboardModifier | None = None,
) -> None:
    """Click with the mouse."""
    QTest.mouseClick(widget, button, modifier or Qt.KeyboardModifier.NoModifier, at)


def drag(
    widget: QWidget | QWindow,
    start: QPoint,
    end: QPoint,
    button: Qt.MouseButton = Qt.MouseButton.LeftButton,
    modifier: Qt.KeyboardModifier | None = None,
) -> None:
    """Drag with the mouse, with a stop half-way."""
    keys = modifier or Qt.KeyboardModifier.NoModifier
    QTest.mousePress(widget, button, keys, start)
    for point in (QPoint((start.x() + end.x()) // 2, (start.y() + end.y()) // 2), end):
        send_mouse_move(widget, point, button, keys)
    QTest.mouseRelease(widget, button, keys, end)


def send_mouse_move(
    widget: QWidget | QWindow, at: QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> None:
    """Send a mouse move with a button held, which QTest cannot do."""
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QMouseEvent

    position, screen = QPointF(at), QPointF(widget.mapToGlobal(at))
    move = QMouseEvent(QEvent.Type.MouseMove, position, screen, Qt.MouseButton.NoButton, button, keys)
    QApplication.sendEvent(widget, move)


def board_button(board: PlotBoard) -> IconButton:
    """Return the button that opens the menu of the plots."""
    buttons = board.findChildren(IconButton)
    return next(button for button in buttons if button.accessibleName() == "Choose and arrange plots")


def popup(qtbot: QtBot) -> QMenu:
    """Return the menu that has opened."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def pick_action(menu: QMenu, *path: str) -> None:
    """Choose an entry by its text, through submenus, and close the menu."""
    root = menu
    for text in path[:-1]:
        open_menu_actions(menu)
        menu = submenu(menu, text)
    action = next(action for action in open_menu_actions(menu) if label_text(action.text()) == path[-1])
    assert action.isEnabled(), path
    root.close()
    action.trigger()


def submenu(menu: QMenu, title: str) -> QMenu:
    """Return a submenu. (`QAction.menu` would let Python delete it.)"""
    return next(child for child in menu.findChildren(QMenu) if child.title() == title)


def action_texts(menu: QMenu) -> list[str]:
    """Return the texts of the entries of a menu."""
    return [label_text(action.text()) for action in open_menu_actions(menu) if action.text()]


def open_menu_actions(menu: QMenu) -> list:
    """Return the entries of a menu when it opens."""
    menu.aboutToShow.emit()
    return menu.actions()


def label_text(text: str) -> str:
    """Return the text of an entry without its key."""
    return text.split("\t")[0]


def show_only_items(session: WindowController, *titles: str) -> None:
    """Show only these items in the 3D views, by the menu."""
    menu = _items_menu(session)
    for action in open_menu_actions(menu):
        if action.isChecked() != (action.text() in titles):
            action.trigger()


def toggle_item(session: WindowController, title: str) -> None:
    """Press the toggle of an item in the menu."""
    next(action for action in open_menu_actions(_items_menu(session)) if action.text() == title).trigger()


def item_titles(session: WindowController) -> list[str]:
    """Return the titles of the item toggles."""
    return action_texts(_items_menu(session))


def _items_menu(session: WindowController) -> QMenu:
    return submenu(session.window.menus["View"], "Show in 3D")


# Pictures


def widget_pixels(widget: QWidget) -> np.ndarray:
    """Return the picture of a widget (height, width, 3)."""
    return _array(widget.grab().toImage())


def view_pixels(view: SceneView) -> np.ndarray:
    """Return the picture drawn by a view (height, width, 3), without the text over it."""
    view.grab()
    assert view.image is not None
    return _array(view.image)


def _array(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def differing_pixels(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return the positions (n, 2) as (x, y) where two pictures differ."""
    return np.argwhere(np.abs(before - after).max(axis=2) > _COLOR_THRESHOLD)[:, ::-1].astype(float)


def pixels_drawn_by(session: WindowController, title: str, view: SceneView | None = None) -> np.ndarray:
    """Return the pixels (n, 2) that an item draws. The item is hidden before and shown after."""
    view = view or session.window.scene
    before = view_pixels(view)
    toggle_item(session, title)
    return differing_pixels(before, view_pixels(view))


def count_differing(before: np.ndarray, after: np.ndarray) -> int:
    """Return how many pixels of two pictures differ."""
    return len(differing_pixels(before, after))


def distance_to_nearest(points: np.ndarray, point: np.ndarray) -> float:
    """Return the distance [pixels] from a point (2,) to the nearest of the positions."""
    return float(np.hypot(*(points - point).T).min(initial=np.inf))


def unit(vector: np.ndarray) -> np.ndarray:
    """Return the unit vector of a vector."""
    return vector / np.linalg.norm(vector)


def parse_number(text: str) -> float:
    """Parse a displayed number: a true minus, possibly a written power of ten."""
    plain = text.replace("−", "-").replace("×10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(plain)

"""Camera directions of the 3D view, and their menu."""

import numpy as np
import pytest
from action_stubs import actions_on, make_host
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from scene_maker import ROTATED, VECTORS, Maker, free_run, make, make_frame, spinning_run  # noqa: F401 (make is a fixture)

from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.view_state.camera import VIEW_DIRECTIONS
from quatviz.display.view_state.theme import DARK, THEMES, Theme
from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.text_overlay import TextImage
from quatviz.ui.scene.view_grid import SceneMenuButton, SceneViewGrid, add_item_toggles
from quatviz.ui.widgets.actions import show_menu
from quatviz.ui.widgets.style import apply_theme, set_own_theme


def test_arrow_of_h_is_a_point_when_seen_along_h(make: Maker) -> None:
    view = make()
    for vector in (VECTORS["h"], np.array([0.0, 0.0, 2.0])):
        view.show_frame(make_frame(ROTATED, vectors={"h": vector}))
        for on in (False, True):
            view.set_from_body(on)
            view.look_from("along_h")
            view.camera.target = np.zeros(3)
            root, tip = view.project(np.array([np.zeros(3), 0.5 * vector]))
            assert np.hypot(*(tip - root)) < 2.0
            assert np.linalg.norm(view.camera.eye - vector) < np.linalg.norm(view.camera.eye)


def test_looking_along_zero_h_changes_nothing(make: Maker) -> None:
    view = make()
    before = view.camera.view_matrix()
    view.show_frame(make_frame(vectors={"h": np.zeros(3)}))
    view.look_from("along_h")
    view.start(free_run())
    view.look_from("along_h")
    assert np.array_equal(view.camera.view_matrix(), before)


def test_body_is_fixed_in_view_from_body(make: Maker) -> None:
    view = make()
    view.set_from_body(True)
    assert view.stage.legend_lines["camera"][0] == "seen from the body"
    places = []
    for p in (np.array([1.0, 0.0, 0.0, 0.0]), ROTATED):
        view.show_frame(make_frame(p))
        places.append(view.project(orientation_matrix(p).T))
    assert places[0] == pytest.approx(places[1])
    moved = np.abs(view.project(np.eye(3)) - places[1]).max()
    assert moved > 20
    view.set_from_body(False)
    assert "camera" not in view.stage.legend_lines
    assert np.array_equal(view.camera.frame, np.eye(3))


def test_menu_toggles_items(make: Maker) -> None:
    view = make()
    menu = QMenu(view)
    add_item_toggles(menu, view)
    actions = {action.text(): action for action in menu.actions()}
    assert set(actions) == {item.title for item in ITEMS.values()}
    for name, item in ITEMS.items():
        assert actions[item.title].isChecked() == item.visible_by_default == view.stage.is_visible(name)
        actions[item.title].trigger()
        assert view.stage.is_visible(name) != item.visible_by_default
    assert len(menu.actions()) == len(ITEMS)


def test_scene_menu_button_stays_in_corner_and_shows_keys(qtbot: QtBot) -> None:
    host = make_host()
    host.views = views = SceneViewGrid(item_classes=[BodyItem], action_registry=actions_on(host))
    host.store = views.store
    qtbot.addWidget(views)
    views.start(spinning_run())
    with qtbot.waitExposed(views):
        views.show()
    view, button = views.first_view, views.findChild(SceneMenuButton)
    assert isinstance(button, SceneMenuButton)
    for width in (640, 500):
        views.resize(width, 400)
        assert button.geometry().right() == width - 9
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.y() == button.mapToGlobal(button.rect().bottomLeft()).y()
    keys = {action.text().split("\t")[0]: action.shortcut().toString() for action in menu.actions()}
    for direction in VIEW_DIRECTIONS.values():
        assert keys[direction.title] == direction.key
    next(action for action in menu.actions() if action.text().startswith("From above")).trigger()
    assert view.camera.back[2] == pytest.approx(1.0, abs=1e-5)
    menu.close()
    views.shutdown()


def _button_at(qtbot: QtBot, x: int, y: int) -> QPushButton:
    """Return a scene menu button at a position on the screen."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, DARK)
    button = QPushButton("what")
    qtbot.addWidget(button)
    button.move(x, y)
    with qtbot.waitExposed(button):
        button.show()
    return button


def test_long_menu_scrolls_below_its_button(qtbot: QtBot) -> None:
    button = _button_at(qtbot, 40, 60)
    menu, room = QMenu(button), button.screen().availableGeometry()
    for number in range(99):
        menu.addAction(f"entry {number}")
    show_menu(menu, button)
    assert menu.y() == button.mapToGlobal(button.rect().bottomLeft()).y()
    assert menu.geometry().bottom() <= room.bottom() + 1
    assert menu.actionGeometry(menu.actions()[-1]).width() > menu.width() / 2, "in one column"
    menu.close()


def test_menu_as_high_as_the_screen_shows_all_rows(qtbot: QtBot) -> None:
    button = _button_at(qtbot, 40, 200)
    menu, room = QMenu(button), button.screen().availableGeometry()
    while menu.sizeHint().height() < room.height() - 100:
        menu.addAction("entry")
    show_menu(menu, button)
    assert room.contains(menu.geometry())
    assert menu.rect().contains(menu.actionGeometry(menu.actions()[-1])), "otherwise it could not be reached"
    menu.close()


def test_menu_opening_upward_stays_below_menu_bar(qtbot: QtBot) -> None:
    """At 150 % on a small screen the twelve sequences of the Euler angles covered the menu bar and the window title."""
    button = _button_at(qtbot, 40, 60)
    window, room = QMainWindow(), button.screen().availableGeometry()
    qtbot.addWidget(window)
    window.menuBar().addMenu("File")
    window.setCentralWidget(QWidget())
    window.setGeometry(room)
    with qtbot.waitExposed(window):
        window.show()
    top = window.centralWidget().mapToGlobal(QPoint()).y()
    assert top > room.top() + 10
    menu = QMenu(button)
    while menu.sizeHint().height() < room.bottom() - top - 60:
        menu.addAction("1-2-3")
    at = QPoint(60, room.height() // 2)
    QTest.mouseMove(window.windowHandle(), window.mapFromGlobal(at))  # Qt looks for space above it
    show_menu(menu, at)
    assert menu.y() >= top
    assert menu.geometry().bottom() <= room.bottom()
    assert menu.rect().contains(menu.actionGeometry(menu.actions()[-1]))
    menu.close()


def drawn_texts(view: SceneView, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the texts that a view draws from now on."""
    drawn: list[str] = []
    text_image = view.text_overlay.labels.text_image

    def drawing(text: str, color: str, ratio: float, pixels: int | None = None) -> TextImage:
        drawn.append(text)
        return text_image(text, color, ratio, pixels)

    monkeypatch.setattr(view.text_overlay.labels, "text_image", drawing)
    return drawn


def test_body_of_a_small_view_is_above_the_legend(make: Maker) -> None:
    """The legend and the name of the lane covered the body or its arrows."""
    view = make([])
    view.fit()
    center = view.camera.target[None]
    assert view.project(center)[0] == pytest.approx([view.width() / 2, view.height() / 2])
    reach = np.ptp(view.project(np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]))[:, 1]) / view.height()
    view.resize(240, 180)
    assert view.project(center)[0, 1] == pytest.approx(90.0), "nothing is written below it"
    for name in ("omega", "h"):
        view.stage.set_legend_line(name, f"{name} = 1 rad/s", "#ff00ff")
    x, y = view.project(center)[0]
    assert x == pytest.approx(120.0)
    assert 65.0 < y < 85.0
    points = view.project(np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]))
    assert 0.7 * reach < np.ptp(points[:, 1]) / view.height() < 0.95 * reach


def test_long_legend_line_wraps_into_a_second(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small screen in a lesson. Where two lines are too short, no word is split."""
    view = make([BodyItem])
    legend_text = "Newton–Euler, rotation vector: stands where it ended"
    view.stage.set_legend_line("ghosts 1", legend_text, "#ff00ff")
    text_image = view.text_overlay.labels.text_image
    drawn = drawn_texts(view, monkeypatch)
    view.resize(640, 480)
    view.grab()
    assert legend_text in drawn
    for wide, whole in ((300, True), (180, False)):
        drawn.clear()
        view.resize(wide, 480)
        view.grab()
        last, first = dict.fromkeys(text for text in drawn if "ended" in text or text.startswith("Newton"))
        assert (f"{first} {last}" == legend_text) == whole
        assert set(f"{first} {last}".split()) - {"…"} <= set(legend_text.split())
        assert max(text_image(text, "#ff00ff", 1.0, DARK.small).width for text in (first, last)) <= wide - 10


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_scales_in_narrow_legend_use_the_same_unit(
    make: Maker, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    """The scale of ω was in body radii, and that of h below it in radii."""
    view = make([BodyItem])
    set_own_theme(view, theme)
    lines = ("ω   1 body radius = 1 rad/s", "h   1 body radius = 0.002862 kg m²/s")
    for key, text in zip(("omega", "h"), lines, strict=True):
        view.stage.set_legend_line(key, text, "#ff00ff")
    drawn, seen = drawn_texts(view, monkeypatch), set()
    for wide in range(180, 480, 10):
        drawn.clear()
        view.resize(wide, 480)
        view.grab()
        labels = {line.partition(" = ")[0].rstrip(" =")[1:].strip() for line in drawn if "radius" in line}
        assert len(labels) == 1, (wide, drawn)
        seen |= labels
    assert seen == {"1 body radius", "radius"}

"""Tour of the 3D views: number, lanes, frames and directions, and linked cameras."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tour_steps import (
    ANGLES,
    CTRL,
    LANES,
    NEWTON,
    Tour,
    count_differing,
    drag,
    driven_preset,
    free_preset,
    pick_action,
    pixels_drawn_by,
    popup,
    press,
    reference_run,
    show_only_items,
    tour,  # noqa: F401 (a fixture)
    unit,
    view_pixels,
)
from window_steps import pause_at, wait_two_frames

from quatviz.app import WindowController
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import SceneMenuButton

LATE = 7.0
"""A time [s] after the end of the lane of the angles."""


def body_of(view: SceneView) -> np.ndarray:
    """Return the rotation of the solid body in a view."""
    mesh = next(mesh for mesh in view.stage.meshes if mesh.material == "painted")
    assert mesh.visible
    return mesh.transform[:3, :3]


def ghosts_in(view: SceneView) -> int:
    """Return how many ghosts are drawn."""
    return sum(mesh.visible for mesh in view.stage.meshes if mesh in view.stage.primitives_of("ghosts"))


def true_rotation(lane: str, time: float) -> np.ndarray:
    row = min(round(time / 0.01), len(reference_run(driven_preset)[lane].t) - 1)
    return rotation_matrix(reference_run(driven_preset)[lane].p[row])


def wheel(view: SceneView, notches: int) -> None:
    at = QPointF(view.rect().center())
    event = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def centre(view: SceneView) -> QPoint:
    return view.rect().center()


def test_one_two_and_four_views_each_show_their_lane(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    views = session.window.views
    pause_at(session, qtbot, LATE)
    for count, key in ((4, Qt.Key.Key_4), (2, Qt.Key.Key_2), (1, Qt.Key.Key_1)):
        press(session, key, CTRL)
        wait_two_frames(session, qtbot)
        seen = [view for view in session.window.findChildren(SceneView) if view.isVisible()]
        assert len(seen) == count
        assert sum(view.width() * view.height() for view in seen) > 0.97 * views.width() * views.height()
        titles = [view.text_overlay.title_lines[0][0] for view in seen] if count > 1 else []
        assert titles == [*map(lane_title, LANES), "All lanes"][: len(titles)]
        for view, lane in zip(seen, LANES, strict=False):
            assert body_of(view) == pytest.approx(true_rotation(lane, LATE), abs=1e-6)
            # one of two ghosts agrees with the body and is therefore hidden
            assert ghosts_in(view) == (0 if count > 1 else 1)
        if count == 4:
            assert np.abs(body_of(seen[2]) - body_of(seen[0])).max() > 0.5, "it is frozen at its end"
            assert count_differing(view_pixels(seen[2]), view_pixels(seen[0])) > 1000, "and is visible"


def test_view_menu_chooses_one_lane_or_all_lanes(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    views = session.window.views
    pause_at(session, qtbot, LATE)
    press(session, Qt.Key.Key_2, CTRL)
    views.first_view.findChildren(SceneMenuButton)[0].click()
    pick_action(popup(qtbot), "Lane of this view", lane_title(ANGLES))
    wait_two_frames(session, qtbot)
    first, second = views.shown_views
    assert body_of(first) == pytest.approx(true_rotation(ANGLES, LATE), abs=1e-6)
    assert body_of(second) == pytest.approx(true_rotation(NEWTON, LATE), abs=1e-6)
    press(session, Qt.Key.Key_O)
    wait_two_frames(session, qtbot)
    for view in views.shown_views:
        assert body_of(view) == pytest.approx(true_rotation(NEWTON, LATE), abs=1e-6)
        ghost = next(
            mesh
            for mesh in view.stage.meshes
            if mesh in view.stage.primitives_of("ghosts") and mesh.visible and mesh.alpha < 0.4
        )
        inflated = ghost.transform[:3, :3]
        rotation = inflated / np.cbrt(np.linalg.det(inflated))
        assert rotation == pytest.approx(true_rotation(ANGLES, LATE), abs=1e-6)


def test_view_from_body_shows_body_at_rest_and_space_rotating(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    view = session.window.scene
    show_only_items(session, "Body axes")
    at = (1.0, 4.0)
    still, turned = [], []
    for time in at:
        pause_at(session, qtbot, time)
        turned.append(view_pixels(view))
    press(session, Qt.Key.Key_B)
    for time in at:
        pause_at(session, qtbot, time)
        still.append(view_pixels(view))
    assert count_differing(turned[0], turned[1]) > 500
    assert count_differing(still[0], still[1]) < 40, "the camera rotates with it: a few edge pixels differ"
    show_only_items(session, "Space axes")
    space = []
    for time in at:
        pause_at(session, qtbot, time)
        space.append(view_pixels(view))
    assert count_differing(space[0], space[1]) > 500


def two_equal_views(session: WindowController, qtbot: QtBot) -> tuple[SceneView, SceneView]:
    """Return two equal views: all lanes, both from space."""
    press(session, Qt.Key.Key_2, CTRL)
    press(session, Qt.Key.Key_O)
    first, second = session.window.views.shown_views
    for view in (first, second):
        if view.from_body:
            session.window.views.activate(view)
            press(session, Qt.Key.Key_B)
    wait_two_frames(session, qtbot)
    return first, second


def test_linked_cameras_show_equal_pictures_and_free_ones_do_not(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    pause_at(session, qtbot, 3.0)
    first, second = two_equal_views(session, qtbot)
    before = view_pixels(first)
    drag(second, centre(second), centre(second) + QPoint(60, 30))
    wait_two_frames(session, qtbot)
    assert count_differing(view_pixels(first), before) > 500, "the other view moved it"
    assert count_differing(view_pixels(first), view_pixels(second)) < 20
    wheel(first, 3)
    assert count_differing(view_pixels(first), view_pixels(second)) < 20
    press(session, Qt.Key.Key_L)
    kept = view_pixels(first)
    drag(second, centre(second), centre(second) + QPoint(-80, 0))
    wait_two_frames(session, qtbot)
    assert count_differing(view_pixels(first), kept) < 20, "it is free"
    assert count_differing(view_pixels(second), kept) > 500
    press(session, Qt.Key.Key_L)
    wait_two_frames(session, qtbot)
    assert count_differing(view_pixels(first), view_pixels(second)) < 20, (
        "linked again, the pictures are equal"
    )


def test_named_directions_set_the_camera(tour: Tour, qtbot: QtBot) -> None:
    """The arrow of h, which is fixed in space, has the direction of the engine's h in the picture."""
    session = tour(free_preset())
    view = session.window.scene
    pause_at(session, qtbot, 3.0)
    h = reference_run(free_preset)[NEWTON].h_space[300]
    for key, right, up in ((Qt.Key.Key_1, h[1], h[2]), (Qt.Key.Key_2, h[0], h[2])):
        press(session, key)
        show_only_items(session)
        pixels = pixels_drawn_by(session, "Angular momentum h") - view.project(np.zeros((1, 3)))[0]
        assert unit(pixels.mean(axis=0)) @ unit(np.array([right, -up])) > 0.999
    press(session, Qt.Key.Key_3)
    axes = view.project(np.vstack((np.zeros(3), np.eye(3))))
    x, y, z = axes[1:] - axes[0]
    assert np.hypot(*z) < 1.0, "space z points at the camera"
    assert np.cross(np.append(x, 0.0), np.append(y, 0.0))[2] < -100.0, "x points right and y up"
    press(session, Qt.Key.Key_4)
    tip = view.project(view.camera.target + np.vstack((np.zeros(3), unit(h))))
    assert np.hypot(*(tip[1] - tip[0])) < 1.0, "h points at the camera"
    press(session, Qt.Key.Key_5)
    assert view.camera.back == pytest.approx(unit(np.array([1.0, -1.0, 1.0])))


def test_fit_shows_everything_again(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    view = session.window.scene
    pause_at(session, qtbot, 3.0)
    press(session, Qt.Key.Key_F)
    fitted = view_pixels(view)
    wheel(view, 8)
    assert count_differing(view_pixels(view), fitted) > 500
    press(session, Qt.Key.Key_F)
    assert count_differing(view_pixels(view), fitted) < 20
    show_only_items(session)
    for title in ("Body", "Angular momentum h", "Angular velocity ω"):
        pixels = pixels_drawn_by(session, title)
        assert pixels.min() > 1.0
        assert (pixels.max(axis=0) < (view.width() - 2, view.height() - 2)).all(), f"{title} is whole"

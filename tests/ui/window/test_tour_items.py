"""Tour of the 3D items: each has a toggle and is drawn where the engine computes it."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tour_steps import (
    ANGLES,
    FORCE,
    NEWTON,
    POINT,
    Tour,
    board_button,
    click,
    count_differing,
    distance_to_nearest,
    driven_preset,
    free_preset,
    item_titles,
    pick_action,
    pixels_drawn_by,
    popup,
    press,
    reference_run,
    show_only_items,
    toggle_item,
    tour,  # noqa: F401 (a fixture)
    unit,
    view_pixels,
)
from window_steps import pause_at, wait_two_frames

from quatviz.app import WindowController
from quatviz.base.formatting import format_two_digits
from quatviz.display.scene.base import MAX_ARROW_LENGTH
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.euler_sequences import det_S
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.ui.scene.scene_view import SceneView

TIME, ROW = 3.0, 300
TIP = 1.3
"""Length of the body axes [body radii]. The trails are drawn at their tips."""


def origin(view: SceneView) -> np.ndarray:
    return view.project(np.zeros((1, 3)))[0]


def direction_of(pixels: np.ndarray, view: SceneView) -> np.ndarray:
    """Return the direction (2,) from the origin to the mean of the pixels, with y up."""
    return unit((pixels - origin(view)).mean(axis=0)) * (1.0, -1.0)


def hue(view: SceneView, pixels: np.ndarray) -> np.ndarray:
    """Return the mean color of some pixels, as a unit vector."""
    columns, rows = pixels.astype(int).T
    return unit(view_pixels(view)[rows, columns].mean(axis=0))


def rgb(color: str) -> np.ndarray:
    return unit(np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]))


def stage(session: WindowController, qtbot: QtBot, time: float = TIME) -> SceneView:
    """Return an empty view from the front."""
    pause_at(session, qtbot, time)
    press(session, Qt.Key.Key_1)
    show_only_items(session)
    return session.window.scene


@pytest.mark.parametrize("make", [free_preset, driven_preset])
def test_every_item_is_shown_and_hidden_by_its_toggle(tour: Tour, qtbot: QtBot, make) -> None:
    session = tour(make())
    view = stage(session, qtbot)
    empty = view_pixels(view)
    stem, vertical = "Pivot, and stem to the center of mass", "Local vertical"
    absent = {"Rotors", "Orbital frame", "Force of the pivot F", "Path of the center of mass"}
    nothing = (
        absent
        | {
            free_preset: {stem, vertical, "Torque of the loads n", "Forces f", "Ring inside the body"},
            driven_preset: {
                stem,
                vertical,
                "Ring inside the body",
                "Poinsot ellipsoid and plane",
                "Momentum ellipsoid and sphere",
            },
        }[make]
    )
    for title in item_titles(session):
        toggle_item(session, title)
        seen = title not in nothing and title != "Planned kick"  # shown only while a kick is proposed
        assert (count_differing(view_pixels(view), empty) > 60) == seen, title
        toggle_item(session, title)
        assert count_differing(view_pixels(view), empty) == 0, title


def test_arrows_have_direction_and_length_of_the_engine_vectors(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    view = stage(session, qtbot)
    lane = reference_run(driven_preset)[NEWTON]
    turn = rotation_matrix(lane.p[ROW])
    for title, vector, color in (
        ("Angular velocity ω", turn @ lane.omega[ROW], DARK.omega),
        ("Angular momentum h", turn @ lane.h[ROW], DARK.h),
        ("Torque of the loads n", turn @ np.array([0.0, 0.25, 0.0]), DARK.torque),
    ):
        show_only_items(session)
        aside = abs(vector[0]) > abs(vector[1])  # a vector towards the camera has no direction in the picture
        press(session, Qt.Key.Key_2 if aside else Qt.Key.Key_1)
        pixels = pixels_drawn_by(session, title)
        assert direction_of(pixels, view) @ unit(vector[[0 if aside else 1, 2]]) > 0.999, title
        assert hue(view, pixels) @ rgb(color) > 0.97, title
    largest = np.linalg.norm(lane.omega, axis=1).max()
    show_only_items(session)
    pixels = pixels_drawn_by(session, "Angular velocity ω")
    tip = view.project((MAX_ARROW_LENGTH / largest * turn @ lane.omega[ROW])[None])[0]
    assert distance_to_nearest(pixels, tip) < 4.0, "and its length is that of its scale"


def test_triads_show_space_and_body_axes(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    view = stage(session, qtbot)
    turn = rotation_matrix(reference_run(driven_preset)[NEWTON].p[ROW])
    for title, axes in (("Body axes", turn), ("Space axes", np.eye(3))):
        show_only_items(session)
        pixels = pixels_drawn_by(session, title)
        for axis in axes.T:
            half = view.project(0.6 * axis[None])[0]
            assert distance_to_nearest(pixels, half) < 4.0, title


def test_each_force_is_an_arrow_at_its_point(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    view = stage(session, qtbot)
    pixels = pixels_drawn_by(session, "Forces f")
    assert view.stage.shape is not None
    at = rotation_matrix(reference_run(driven_preset)[NEWTON].p[ROW]) @ POINT / view.stage.shape.radius
    for side in (1.0, -1.0):
        way = side * unit(FORCE)
        for part in (0.1, 0.5, 0.95):
            assert distance_to_nearest(pixels, view.project((at + part * way)[None])[0]) < 4.0
        assert distance_to_nearest(pixels, view.project((at + 1.3 * way)[None])[0]) > 8.0, "it ends"
    along = unit(
        (view.project(np.vstack((at, at + unit(FORCE)))) @ np.diag([1.0, -1.0]) * [[-1], [1]]).sum(axis=0)
    )
    spread = np.linalg.svd((pixels - pixels.mean(axis=0)) * (1.0, -1.0), full_matrices=False)[2][0]
    assert abs(spread @ along) > 0.999
    scale = re.fullmatch(r"f +1 body radius = (\S+) N", view.stage.legend_lines["forces"][0])
    assert scale is not None
    assert 0.95 < np.linalg.norm(FORCE) / float(scale[1]) < 1.3, "the length of the arrow"


def test_trails_and_omega_curves_follow_the_run(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    view = stage(session, qtbot)
    lane = reference_run(free_preset)[NEWTON]
    scale = MAX_ARROW_LENGTH / np.linalg.norm(lane.omega, axis=1).max()
    now = rotation_matrix(lane.p[ROW])
    past = np.arange(ROW - 120, ROW - 5, 12)
    turns = rotation_matrix(lane.p[past])
    paths = {
        **{f"Trail of e{sub}": TIP * turns[:, :, axis] for axis, sub in enumerate("₁₂₃")},
        "Path of ω in space (herpolhode)": scale * lane.omega_space[past],
        "Path of ω on the body (polhode)": scale * lane.omega[past] @ now.T,
    }
    for title, points in paths.items():
        show_only_items(session)
        pixels = pixels_drawn_by(session, title)
        away = [distance_to_nearest(pixels, point) for point in view.project(points)]
        assert max(away) < 2.5, title


def test_poinsot_and_momentum_ellipsoids_touch_their_surfaces(tour: Tour, qtbot: QtBot) -> None:
    """omega's tip lies on the Poinsot ellipsoid and in its plane, h's tip where ellipsoid and sphere meet."""
    session = tour(free_preset())
    view = stage(session, qtbot)
    lane, inertia = reference_run(free_preset)[NEWTON], np.diag([400, 307.808385, 200])
    now = rotation_matrix(lane.p[ROW])
    show_only_items(session, "Poinsot ellipsoid and plane")
    surface, plane = poinsot_parts(view)
    scale = MAX_ARROW_LENGTH / np.linalg.norm(lane.omega, axis=1).max()
    tip = scale * now @ lane.omega[ROW]
    inside = np.linalg.solve(surface.transform, np.append(tip, 1.0))[:3]
    assert np.linalg.norm(inside) == pytest.approx(1.0, abs=1e-3)
    normal = unit(lane.h_space[ROW])
    assert unit(np.cross(plane.transform[:3, 0], plane.transform[:3, 1])) @ normal == pytest.approx(
        1.0, abs=1e-6
    )
    assert (tip - plane.transform[:3, 3]) @ normal == pytest.approx(0.0, abs=1e-3)
    twice = lane.omega[ROW] @ inertia @ lane.omega[ROW]
    assert tip @ normal == pytest.approx(scale * twice / np.linalg.norm(lane.h[ROW]), abs=1e-3)
    show_only_items(session)
    pixels = pixels_drawn_by(session, "Momentum ellipsoid and sphere")
    tip = MAX_ARROW_LENGTH / np.linalg.norm(lane.h, axis=1).max() * now @ lane.h[ROW]
    assert distance_to_nearest(pixels, view.project(tip[None])[0]) < 3.0


def poinsot_parts(view: SceneView):
    """Return the Poinsot ellipsoid and its plane."""
    own = [mesh for mesh in view.stage.meshes if mesh in view.stage.primitives_of("poinsot") and mesh.visible]
    return next(mesh for mesh in own if mesh.material == "glass"), next(
        mesh for mesh in own if mesh.material != "glass"
    )


def test_body_is_drawn_as_mesh_wireframe_or_both(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    view = stage(session, qtbot)
    mesh = pixels_drawn_by(session, "Body")
    solid = view_pixels(view)
    lines = pixels_drawn_by(session, "Body as wireframe")
    assert 0.01 < len(lines) / len(mesh) < 0.4, "lines over the mesh"
    show_only_items(session)
    alone = pixels_drawn_by(session, "Body as wireframe")
    assert 0.05 < len(alone) / len(mesh) < 0.5, "transparent between the lines"
    assert alone.min(axis=0) == pytest.approx(mesh.min(axis=0), abs=5)
    assert alone.max(axis=0) == pytest.approx(mesh.max(axis=0), abs=5), "it is as large as the body"
    pause_at(session, qtbot, TIME + 1.0)
    assert count_differing(view_pixels(view), solid) > 1000


def test_gimbal_rings_follow_the_sequence_and_show_det_s(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    view = stage(session, qtbot, 4.0)
    toggle_item(session, "Gimbal rings of the Euler angles")
    lane = reference_run(driven_preset)[NEWTON]

    def meter(sequence: str, row: int) -> str:
        return format_two_digits(float(det_S(lane.motion().angles(sequence)[row], sequence)))

    for sequence in ("321", "313"):
        choose_sequence(session, qtbot, sequence)
        assert (
            view.stage.legend_lines["gimbals"][0]
            == f"gimbals {'-'.join(sequence)}: det S = {meter(sequence, 400)}"
        )
    choose_sequence(session, qtbot, "321")
    pause_at(session, qtbot, 4.98)
    text, color = view.stage.legend_lines["gimbals"]
    assert text == f"gimbal lock: det S = {meter('321', 498)}"
    assert color == DARK.danger
    rings = [mesh for mesh in view.stage.meshes if mesh in view.stage.primitives_of("gimbals")][::2]
    outer, inner = rings[0].transform[:3, :3], rings[2].transform[:3, :3]
    assert inner == pytest.approx(rotation_matrix(lane.p[498]), abs=1e-3), (
        "the inner ring is fixed to the body"
    )
    assert abs(outer[2, 2]) == pytest.approx(1.0, abs=1e-6), "the outer ring rotates about space z"


def choose_sequence(session: WindowController, qtbot: QtBot, sequence: str) -> None:
    """Choose a sequence of angles in the title of their panel."""
    board = session.window.board
    title = next(panel for panel in board.panels if panel.name == "euler_angles").title_row
    chooser = next(candidate for candidate in title.choosers if candidate.choice.name == "sequence")
    click(chooser, chooser.rect().center())
    pick_action(popup(qtbot), "-".join(sequence))
    wait_two_frames(session, qtbot)


def test_orientation_ball_shows_p_and_minus_p_at_one_point(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    board = session.window.board
    board_button(board).click()
    pick_action(popup(qtbot), "Orientation ball")
    panel = next(panel for panel in board.panels if panel.name == "orientation_ball")
    p = reference_run(free_preset)[NEWTON].p
    flipped = int(np.argmax(p[:, 0] < 0)) + 50
    for row in (100, flipped):
        pause_at(session, qtbot, row / 100)
        spot = panel.globe.cursor_points[0]  # type: ignore[attr-defined]
        angle = 2.0 * np.arccos(abs(p[row, 0]))
        assert np.linalg.norm(spot.point) == pytest.approx(np.tan(angle / 4), abs=1e-6)
        assert unit(spot.point) @ unit(p[row, 1:] * np.sign(p[row, 0])) > 1.0 - 1e-9
        assert spot.text.startswith(f"{np.degrees(angle):.1f}°")
    board.grab()
    points = panel.globe.picture.paths[0].points  # type: ignore[attr-defined]
    assert np.nanmax(np.linalg.norm(points, axis=1)) <= 1.0 + 1e-9, "no path leaves the ball"
    title = panel.title_row
    click(title.choosers[0], title.choosers[0].rect().center())
    pick_action(popup(qtbot), "two balls for p and −p")
    wait_two_frames(session, qtbot)
    assert panel.globe.cursor_points[0].globe == 1, "p has changed its sign"  # type: ignore[attr-defined]
    assert len(session.simulation[ANGLES].t) == len(p)

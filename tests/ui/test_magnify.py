"""Magnified differences: the drawn rotation, the control, and what stays unchanged."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from scene_maker import pixels_of_body, spinning_run
from test_scene import Maker, grab_pixels, make, make_frame  # noqa: F401 (a fixture)

import quatviz as qv
from quatviz.base.formatting import format_factor
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.base import Mesh
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.view_state.view_state import MAGNIFICATIONS
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import (
    from_rotation_vector,
    magnify_rotation,
    multiply,
    orientation_matrix,
    relative_angle,
    to_rotation_vector,
)
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import MagnificationBox

REFERENCE = from_rotation_vector([0.7, -1.1, 0.4])
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0


@pytest.mark.parametrize("angle", [1e-10, 1e-7, 1e-3, 0.2])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_small_rotation_is_magnified_about_its_own_axis(angle: float, sign: float) -> None:
    p = sign * multiply(REFERENCE, from_rotation_vector(angle * AXIS))
    factor = 0.5 / angle
    drawn, limited = magnify_rotation(REFERENCE, p, factor)
    away = to_rotation_vector(multiply(REFERENCE * [1, -1, -1, -1], drawn))
    assert away == pytest.approx(0.5 * AXIS, rel=1e-5)
    assert not limited
    assert np.linalg.norm(drawn) == pytest.approx(1.0)


def test_magnified_rotation_is_limited_to_half_a_turn() -> None:
    p = multiply(REFERENCE, from_rotation_vector(0.01 * AXIS))
    drawn, limited = magnify_rotation(REFERENCE, p, 1e6)
    assert limited
    assert relative_angle(REFERENCE, drawn) == pytest.approx(math.pi)
    assert not magnify_rotation(REFERENCE, p, 300.0)[1]


def test_zero_rotation_and_factor_one_change_nothing() -> None:
    assert relative_angle(REFERENCE, magnify_rotation(REFERENCE, -REFERENCE, 1e9)[0]) < 1e-6
    p = multiply(REFERENCE, from_rotation_vector(0.3 * AXIS))
    assert relative_angle(p, magnify_rotation(REFERENCE, p, 1.0)[0]) < 1e-15


def test_factors_are_formatted_as_powers_of_ten() -> None:
    assert [format_factor(power) for power in (0, 1, 2, 9)] == ["× 1", "× 10", "× 10²", "× 10⁹"]


def apart(angle: float) -> Frame:
    """Return a frame with the body at the reference and its ghost rotated by `angle`."""
    shown = make_frame()
    attitude = multiply(REFERENCE, from_rotation_vector(angle * AXIS))
    poses = [Pose(p, orientation_matrix(p), {}) for p in (REFERENCE, attitude)]
    lanes = tuple(replace(lane, pose=pose) for lane, pose in zip(shown.lanes, poses, strict=True))
    return replace(shown, lanes=lanes)


def ghost_rotation(view: SceneView) -> np.ndarray:
    ghosts = [primitive for primitive in view.stage.primitives_of("ghosts") if isinstance(primitive, Mesh)]
    inflated = np.array(ghosts[1].transform)[:3, :3]
    return np.asarray(inflated / np.cbrt(np.linalg.det(inflated)))


def test_ghost_with_other_loads_is_not_magnified(make: Maker) -> None:
    run, shown = spinning_run(), apart(2e-4)
    names = [lane.name for lane in shown.lanes]
    law = qv.TorqueLaw(law="n = -D*omega", gains={"D": 1.0})
    run.info = replace(run.info, own_loads=((), (law,)))
    view = make([Ghosts], run)
    view.set_magnification(3)
    view.show_frame(shown)
    assert np.allclose(ghost_rotation(view), shown.lanes[1].pose.rotation, atol=1e-6)  # type: ignore[union-attr]
    (text, _), *rest = view.stage.legend_lines.values()
    assert text == f"Not magnified, because their loads differ: {lane_title(names[1])}"
    assert not rest


def test_ghost_is_magnified_and_noted_in_the_legend(make: Maker) -> None:
    view, shown = make([Ghosts]), apart(2e-4)
    view.show_frame(shown)
    assert np.allclose(ghost_rotation(view), shown.lanes[1].pose.rotation, atol=1e-6)  # type: ignore[union-attr]
    assert not view.stage.legend_lines
    view.set_magnification(3)
    view.show_frame(shown)
    expected = orientation_matrix(multiply(REFERENCE, from_rotation_vector(0.2 * AXIS)))
    assert np.allclose(ghost_rotation(view), expected, atol=1e-6)
    (text, _), *rest = view.stage.legend_lines.values()
    assert text == "Differences from one magnified × 10³"
    assert not rest
    view.set_magnification(5)
    view.show_frame(shown)
    assert "Magnified rotation limited to half a turn: two" in [
        text for text, _ in view.stage.legend_lines.values()
    ]
    assert np.array_equal(shown.lanes[1].pose.rotation, apart(2e-4).lanes[1].pose.rotation)  # type: ignore[union-attr]
    view.set_magnification(0)
    view.show_frame(shown)
    assert np.allclose(ghost_rotation(view), shown.lanes[1].pose.rotation, atol=1e-6)  # type: ignore[union-attr]
    assert not view.stage.legend_lines


def test_coinciding_ghost_leaves_body_colors_unchanged(make: Maker) -> None:
    """The last lane's ghost covered the whole body with its color."""
    alone, both = make([BodyItem]), make([BodyItem, Ghosts])
    for view in (alone, both):
        view.show_frame(apart(2e-4))
    assert np.array_equal(grab_pixels(both), grab_pixels(alone))
    alphas = []
    for angle in (0.01, 0.02, 0.3):
        both.show_frame(apart(angle))
        (ghost,) = (mesh for mesh in both.stage.meshes if mesh.material == "glass" and mesh.visible)
        alphas.append(ghost.alpha)
    assert 0 < alphas[0] < alphas[1] < alphas[2] == 1
    both.set_item_visible("body", False)
    both.show_frame(apart(2e-4))
    assert not np.array_equal(grab_pixels(both), grab_pixels(make([]))), "a ghost alone is visible"


@pytest.mark.parametrize("angle", [0.12, 0.18])
def test_round_body_does_not_intersect_its_ghost(make: Maker, angle: float) -> None:
    """The facets of body and ghost intersected in teeth and ripples."""
    alone, both = make([BodyItem]), make([BodyItem, Ghosts])
    for view in (alone, both):
        view.show_frame(apart(angle))
    plain, glazed = grab_pixels(alone), grab_pixels(both)
    x, y = pixels_of_body(plain).T
    bare = np.abs(glazed - plain)[y, x].max(axis=1) < 2
    assert len(x) > 5000
    assert bare.mean() < 0.01


def test_control_steps_by_powers_of_ten(make: Maker, qtbot: QtBot) -> None:
    view = make([Ghosts])
    control = MagnificationBox(view)
    control.show()
    for power in (1, 2):
        control.step(1)
        assert view.stage.magnification == power == control.value
    for _ in range(20):
        control.step(1)
    assert view.stage.magnification == MAGNIFICATIONS[-1]
    control.step(-100)
    assert (view.stage.magnification, control.currentText()) == (0, "Magnify: off")
    control.setFocus()
    qtbot.keyClick(control, Qt.Key.Key_Down)
    assert view.stage.magnification == 1

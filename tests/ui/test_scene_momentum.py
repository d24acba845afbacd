"""The momentum ellipsoid of the 3D view, in a real run."""

from dataclasses import replace

import numpy as np
import pytest
from scene_maker import LOADS, RING, Maker, free_run, grab_pixels, make, make_frame, without_labels  # noqa: F401 (make is a fixture)

import quatviz as qv
from quatviz.display.data.frame import Frame
from quatviz.display.data.frame_builder import poses_and_values, run_info
from quatviz.display.data.row_cache import RunColumns
from quatviz.display.scene.items.h import MomentumArrow
from quatviz.display.scene.items.momentum_ellipsoid import MomentumEllipsoid
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.ui.scene.scene_view import SceneView

FULL = [[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]]


def shown(make: Maker, inertia: object, h: object, time: float) -> SceneView:
    """Return a view of arrow, ellipsoid and sphere at a time between two samples."""
    preset = qv.load_preset("torque_free")
    body = replace(preset.body, inertia=inertia)
    initial = replace(preset.initial, angular_momentum=h)
    run = qv.simulate(replace(preset, body=body, initial=initial), lanes=["newton_euler"], duration=8.0)
    (lane,) = run.lanes
    view = make([MomentumArrow, MomentumEllipsoid])
    view.set_item_visible("momentum_ellipsoid", True)
    view.start(RunColumns(run.engine, run_info(run.engine, LaneStyles.default_for(1))))
    ((pose, _),) = poses_and_values([lane.engine], time)
    first = make_frame()
    view.show_frame(
        Frame(
            time, 8.0, False, 1.0, (replace(first.lanes[0], name=lane.name, pose=pose),), 2,
            scales={"h": float(np.linalg.norm(pose.vectors["h"])), "omega": 1.0},
        )
    )  # fmt: skip
    return view


@pytest.mark.parametrize("time", [0.0, 1.2345, 7.9])
@pytest.mark.parametrize("inertia", [FULL, [400, 307.808385, 200], [1, 2, 3], [1, 1, 2]])
def test_tip_of_h_lies_on_surfaces_and_curve(make: Maker, inertia: object, time: float) -> None:
    view = shown(make, inertia, [1.4, -0.5, 0.9], time)
    arrow = next(mesh for mesh in view.stage.meshes if mesh.material == "solid" and len(mesh.vertices) and
                 np.isclose(mesh.vertices[:, 2].max(), 0.2))  # fmt: skip
    tip = (arrow.transform @ [0.0, 0.0, 0.2, 1.0])[:3]
    surfaces = [mesh for mesh in view.stage.meshes if mesh.material == "glass"]
    assert len(surfaces) == 2
    assert all(mesh.visible for mesh in surfaces)
    curves = [line.points for line in view.stage.lines if line.visible]
    assert len(curves) == 2
    for mesh in surfaces:
        turn = mesh.transform[:3, :3]
        assert np.linalg.norm(np.linalg.solve(turn, tip)) == pytest.approx(1.0, abs=1e-9)
        for points in curves:
            assert np.linalg.norm(np.linalg.solve(turn, points.T), axis=0) == pytest.approx(1.0, abs=1e-5)
    assert np.linalg.norm(np.concatenate(curves) - tip, axis=1).min() < 0.03


def test_ball_has_no_curve_and_resting_body_no_surface(make: Maker) -> None:
    view = shown(make, [2, 2, 2], [1.4, -0.5, 0.9], 3.0)
    assert sum(mesh.visible and mesh.material == "glass" for mesh in view.stage.meshes) == 2
    assert all(len(line.points) == 0 for line in view.stage.lines)
    at_rest = make_frame(vectors={"h": np.zeros(3), "omega": np.zeros(3)})
    view.show_frame(replace(at_rest, lanes=at_rest.lanes[:1], time=4.0))
    assert not any(mesh.visible for mesh in view.stage.meshes if mesh.material == "glass")
    view.show_frame(replace(at_rest, lanes=at_rest.lanes[:1], time=5.0, scales={}))


@pytest.mark.parametrize(
    ("loads", "ring", "reason"),
    [(LOADS, None, "a load acts"), ((), RING, "a ring turns in the body")],
    ids=["loads", "ring"],
)
def test_momentum_ellipsoid_is_missing_where_h_or_energy_changes(
    make: Maker, loads: tuple, ring: object, reason: str
) -> None:
    empty, run = grab_pixels(make([])), free_run()
    run.info = replace(run.info, body=replace(run.info.body, ring=ring), loads=loads)
    view = make([MomentumEllipsoid], run)
    assert np.array_equal(grab_pixels(view), empty)
    view.set_item_visible("momentum_ellipsoid", True)
    assert view.stage.legend_lines["momentum_ellipsoid"][0] == f"no momentum ellipsoid: {reason}"
    assert np.array_equal(grab_pixels(without_labels(view)), empty)

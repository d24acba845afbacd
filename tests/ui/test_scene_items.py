"""Every item of the 3D view: its toggle, its rotation, and its picture."""

from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun
from scene_maker import (  # noqa: F401 (make is a fixture)
    IDENTITY,
    LOADS,
    RING,
    ROTATED,
    VECTORS,
    Maker,
    X,
    changed_pixels,
    free_run,
    grab_pixels,
    make,
    make_frame,
    spinning_run,
    without_labels,
)

from quatviz.display.data.budget import FrameBudget
from quatviz.display.panels.base.canvas import component_color
from quatviz.display.scene.base import MAX_ARROW_LENGTH, Line, Mesh, refuse_invalid_primitive
from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.center_path import CenterPath
from quatviz.display.scene.items.forces import MAX_FORCE_LENGTH, Forces
from quatviz.display.scene.items.gimbals import Gimbals, ring_rotations
from quatviz.display.scene.items.herpolhode import Herpolhode
from quatviz.display.scene.items.orbital_frame import OrbitalFrame
from quatviz.display.scene.items.poinsot import Poinsot
from quatviz.display.scene.items.polhode import Polhode
from quatviz.display.scene.items.ring import RingItem
from quatviz.display.scene.items.rotors import RotorsItem
from quatviz.display.scene.items.stem import Stem
from quatviz.display.scene.items.torque import TorqueArrow
from quatviz.display.scene.items.trail import Trail
from quatviz.display.scene.items.trail_e1 import FirstAxisTrail
from quatviz.display.scene.items.vertical import Vertical
from quatviz.display.view_state.theme import DARK
from quatviz.physics.loads import bind
from quatviz.physics.loads.gravity_gradient import GravityGradient
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.loads.spring import Spring
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, angles_from_p, p_from_angles
from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.widgets.style import set_own_theme


def rotor_run() -> FakeRun:
    """Return a run with a wheel that makes half a turn per second beside the body."""
    run = spinning_run()
    wheel = Rotor(axis=[0.0, 1.0, 0.0], inertia=0.01, position=[0.0, 0.5, 0.0], radius=0.2)
    run.info = replace(run.info, body=run.info.body.with_rotors([wheel]))
    for lane in run.data:
        speeds = np.full((len(run.data[lane]["p"]), 8), np.nan)
        speeds[:, 0] = 2.0
        run.data[lane]["rotor_speed"] = speeds
    return run


def pivoted_run() -> FakeRun:
    """Return a run of a disk at the end of an arm, free of loads."""
    run = free_run()
    body = replace(
        run.info.body,
        inertia=np.diag([15.234375, 0.46875, 15.234375]),
        about="pivot",
        mass=15.0,
        centre_of_mass=np.array([0.0, 1.0, 0.0]),
    )
    run.info = replace(run.info, body=body)
    return run


def orbit_run() -> FakeRun:
    """Return a run of a body attracted by a center."""
    run = spinning_run()
    run.info = replace(
        run.info, loads=bind([GravityGradient(direction=[0, 1, 0], orbit="circular")], run.info.body)
    )
    return run


def flying_run() -> FakeRun:
    """Return a run of an unsupported body with a mass."""
    run = spinning_run()
    run.info = replace(run.info, body=replace(run.info.body, mass=4.0, ring=None), loads=())
    return run


RUNS = {
    "center_path": flying_run,
    "poinsot": free_run,
    "momentum_ellipsoid": free_run,
    "stem": pivoted_run,
    "vertical": orbit_run,
    "orbital_frame": orbit_run,
    "rotors": rotor_run,
}
"""Runs for items that draw nothing with loads or for a body that turns about its center."""


@pytest.mark.parametrize("name", list(ITEMS))
def test_item_toggle_shows_and_hides_the_whole_item(make: Maker, name: str) -> None:
    empty = grab_pixels(make([]))
    view = make([ITEMS[name]], RUNS.get(name, spinning_run)())
    view.stage.proposed["kick"] = np.array([0.0, 0.5, 1.2])
    view.set_item_visible(name, True)
    shown = grab_pixels(view)
    assert len(changed_pixels(shown, empty)) > 60
    view.set_item_visible(name, False)
    view.show_frame(make_frame())
    assert np.array_equal(grab_pixels(view), empty)
    view.show_frame(make_frame(ROTATED, 9.0))
    assert np.array_equal(grab_pixels(view), empty)
    view.set_item_visible(name, True)
    view.show_frame(make_frame())
    assert np.array_equal(grab_pixels(view), shown)


@pytest.mark.parametrize(
    "name", sorted(set(ITEMS) - {"ground", "space_triad", "kick", "vertical", "orbital_frame"})
)
def test_body_fixed_items_rotate(make: Maker, name: str) -> None:
    empty = grab_pixels(without_labels(make([])))
    view = make([ITEMS[name]], RUNS.get(name, spinning_run)())
    view.set_item_visible(name, True)
    before = grab_pixels(without_labels(view))
    view.show_frame(make_frame(ROTATED, 9.0))
    after = grab_pixels(without_labels(view))
    assert len(changed_pixels(before, after)) > 200
    moved = changed_pixels(before, empty).mean(axis=0) - changed_pixels(after, empty).mean(axis=0)
    assert np.hypot(*moved) > 1.0


@pytest.mark.parametrize("name", list(ITEMS))
def test_changed_primitives_of_items_are_valid_without_rechecking(
    make: Maker, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = make([ITEMS[name]], RUNS.get(name, spinning_run)())
    view.set_item_visible(name, True)
    view.show_frame(make_frame())
    checked: list[object] = []
    monkeypatch.setattr("quatviz.display.scene.base.refuse_invalid_primitive", checked.append)
    for time in (9.0, 9.5):
        view.show_frame(make_frame(ROTATED, time))
        primitives = view.stage.primitives_of(name)
        for primitive in primitives:
            refuse_invalid_primitive(primitive)
    assert len(checked) < max(len(primitives), 1), "only new primitives are checked"


@pytest.mark.parametrize("name", ["ground", "space_triad"])
def test_space_fixed_items_do_not_rotate(make: Maker, name: str) -> None:
    view = make([ITEMS[name]])
    before = grab_pixels(view)
    view.show_frame(make_frame(ROTATED, 9.0))
    assert np.array_equal(grab_pixels(view), before)


def test_without_loads_there_is_no_torque_or_legend_line(make: Maker) -> None:
    empty, view = grab_pixels(make([])), make([TorqueArrow])
    assert view.stage.legend_lines["torque"][0] == "n   1 body radius = 1.429 N m"
    view.start(spinning_run())
    still = replace(make_frame(), scales={"omega": 2.0, "h": 2.0})
    view.show_frame(still)
    assert np.array_equal(grab_pixels(view), empty)
    view.show_frame(replace(still, scales={"omega": 2.0, "h": 2.0, "torque": 0.0}))
    set_own_theme(view, DARK)
    view.set_item_visible("torque", True)
    assert np.array_equal(grab_pixels(view), empty)


def test_lane_without_loads_has_no_torque_arrow(make: Maker, caplog: pytest.LogCaptureFixture) -> None:
    """Another lane has loads of its own, so there is a scale although the drawn lane has no torque."""
    view, frame = make([TorqueArrow]), make_frame()
    lanes = []
    for lane in frame.lanes:
        assert lane.pose is not None
        vectors = {name: vector for name, vector in lane.pose.vectors.items() if name != "torque"}
        lanes.append(replace(lane, pose=replace(lane.pose, vectors=vectors)))
    assert len(meshes(view)) > 0
    view.show_frame(replace(frame, lanes=tuple(lanes)))
    assert len(meshes(view)) == 0
    assert not caplog.records


def test_arrow_too_short_to_see_has_no_label(make: Maker) -> None:
    """Labels floated in the view when a motion came to rest."""
    view, frame = make([TorqueArrow]), make_frame()
    scale = frame.scales["torque"]

    def show_torque(size: float) -> tuple[int, int]:
        lanes = []
        for lane in frame.lanes:
            assert lane.pose is not None
            vectors = {**lane.pose.vectors, "torque": np.array([size * scale, 0.0, 0.0])}
            lanes.append(replace(lane, pose=replace(lane.pose, vectors=vectors)))
        view.show_frame(replace(frame, lanes=tuple(lanes)))
        return len(meshes(view)), sum(label.visible for label in view.stage.labels)

    assert show_torque(0.5) == (2, 1)
    assert show_torque(0.03) == (2, 0)
    assert show_torque(0.0) == (0, 0)


def test_ring_arc_rotates_by_the_ring_angle(make: Maker) -> None:
    view = make([RingItem])
    run = spinning_run()
    run.data["one"]["ring_angle"][:] = 0.0
    view.start(run)
    for angle in (0.0, 90.0):
        run.data["one"]["ring_angle"][:] = angle
        view.show_frame(make_frame(ROTATED, 1.0 + angle))
        solid = next(mesh for mesh in view.stage.meshes if mesh.material == "solid")
        middle = solid.transform[:3, :3] @ np.array([1.0, 0.0, 0.0])
        turned = orientation_matrix(ROTATED) @ [np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0]
        assert middle == pytest.approx(turned)
    # Half a circle about x: none of it lies on the other side.
    assert solid.vertices[:, 0].min() == pytest.approx(0.0, abs=0.06)
    radius = np.hypot(solid.vertices[:, 0], solid.vertices[:, 1])
    assert view.stage.shape is not None
    assert radius.mean() == pytest.approx(3.5 / view.stage.shape.radius, abs=0.02)


def test_rotors_are_positioned_and_rotate_by_summed_speed(make: Maker) -> None:
    view = make([RotorsItem])
    run = rotor_run()
    view.start(run)
    first = {}
    interval = run.info.sample_interval
    for time in (0.0, 2.5 * interval):
        view.show_frame(make_frame(ROTATED, time))
        (mesh,) = view.stage.meshes
        assert view.stage.shape is not None
        radius = view.stage.shape.radius
        assert mesh.transform[:3, 3] == pytest.approx(orientation_matrix(ROTATED) @ [0.0, 0.5 / radius, 0.0])
        assert mesh.transform[:3, 2] == pytest.approx(orientation_matrix(ROTATED) @ [0.0, 1.0, 0.0])
        first[time] = mesh.transform[:3, 0]
    cosine = first[0.0] @ first[2.5 * interval]
    assert cosine == pytest.approx(np.cos(2.0 * 2.5 * interval), abs=1e-9)
    assert np.abs(mesh.vertices[:, :3]).max() == pytest.approx(0.2 * 1.1 / radius, rel=0.05)


def test_ring_inside_the_body_makes_the_body_transparent(make: Maker) -> None:
    view = make([BodyItem, RingItem])
    assert sorted(mesh.material for mesh in view.stage.meshes) == ["glass", "painted", "solid"]
    run = spinning_run()
    run.info = replace(run.info, body=replace(run.info.body, ring=replace(RING, mean_radius=0.5)))
    view.start(run)
    view.show_frame(make_frame())
    assert sorted(mesh.material for mesh in view.stage.meshes) == ["glass", "glass", "solid"]
    view.start(FakeRun())
    view.show_frame(make_frame())
    assert [mesh.material for mesh in view.stage.meshes] == ["painted"]


def test_default_items_form_a_simple_picture() -> None:
    first = {name for name, item in ITEMS.items() if item.visible_by_default}
    assert first == {
        *("body", "body_triad", "space_triad", "ground", "ghosts", "ring", "rotors"),
        *("omega", "h", "torque", "forces", "trail", "stem", "vertical", "orbital_frame"),
        "kick",  # while a card shows one
    }


def lines(view: SceneView) -> list[Line]:
    return [line for line in view.stage.lines if line.visible]


def meshes(view: SceneView) -> list[Mesh]:
    return [mesh for mesh in view.stage.meshes if mesh.visible]


def test_force_starts_at_its_point_and_spring_reaches_its_anchor(make: Maker) -> None:
    view = make([Forces])
    view.show_frame(make_frame(ROTATED))
    assert view.stage.shape is not None
    radius, rotation = view.stage.shape.radius, orientation_matrix(ROTATED)
    shafts = view.stage.meshes[::2]
    assert len(shafts) == len(LOADS)
    for load, shaft, head in zip(LOADS, shafts, view.stage.meshes[1::2], strict=True):
        acting = load.force(np.zeros(1), ROTATED[None])
        assert acting is not None
        start, force = rotation @ acting[1] / radius, MAX_FORCE_LENGTH / 2.0 * acting[0][0]
        assert shaft.transform[:3, 3] == pytest.approx(start)
        tip = head.transform @ [0.0, 0.0, 0.2, 1.0]
        assert tip[:3] == pytest.approx(start + force)
    (thread,) = lines(view)
    spring = LOADS[1].load
    assert isinstance(spring, Spring)
    assert thread.points == pytest.approx(
        np.array([spring.anchor / radius, rotation @ spring.point / radius])
    )
    assert view.stage.legend_lines["forces"][0] == "f   1 body radius = 2 N"
    view.start(free_run())
    view.show_frame(replace(make_frame(), scales={"omega": 2.0, "h": 2.0}))
    assert (view.stage.meshes, lines(view), view.stage.labels, view.stage.legend_lines) == ([], [], [], {})


def test_force_of_one_lane_is_drawn_with_that_lane_only(make: Maker) -> None:
    view = make([Forces])
    run = spinning_run()
    run.info = replace(run.info, loads=(), own_loads=((), (LOADS[1].load,)))
    view.start(run)
    frame = make_frame(ROTATED)
    for solid in ("one", "two", "one"):
        lanes = tuple(replace(lane, solid=lane.name == solid) for lane in frame.lanes)
        view.show_frame(replace(frame, lanes=lanes))
        assert [len(meshes(view)), len(lines(view))] == ([2, 1] if solid == "two" else [0, 0]), solid


def test_view_follows_a_flying_body_on_a_spring(make: Maker) -> None:
    """The spring leads to the anchor relative to the center of mass, and the path ends at the body."""
    view = make([Forces, CenterPath])
    run = spinning_run()
    run.info = replace(run.info, body=replace(run.info.body, mass=4.0, ring=None))
    view.start(run)
    view.set_item_visible("center_path", True)
    view.show_frame(make_frame(ROTATED))
    assert view.stage.shape is not None
    radius, rotation = view.stage.shape.radius, orientation_matrix(ROTATED)
    center = run.data["one"]["centre"][700]
    spring = LOADS[1].load
    assert isinstance(spring, Spring)
    thread, path = lines(view)
    assert thread.points == pytest.approx(
        np.array([(spring.anchor - center) / radius, rotation @ spring.point / radius])
    )
    assert path.points[-1] == pytest.approx(np.zeros(3))
    assert path.points[0] == pytest.approx((run.data["one"]["centre"][201] - center) / radius)
    for load, shaft in zip(LOADS, view.stage.meshes[::2], strict=True):
        acting = load.at_center(center[None]).force(np.zeros(1), ROTATED[None])
        assert acting is not None
        assert shaft.transform[:3, 3] == pytest.approx(rotation @ acting[1] / radius)


def test_poinsot_ellipsoid_touches_the_invariable_plane(make: Maker) -> None:
    view, run = make([Poinsot], free_run()), free_run()
    inertia = np.array([[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]])
    run.info = replace(run.info, body=replace(run.info.body, inertia=inertia))
    view.set_item_visible("poinsot", True)
    view.start(run)
    rotation, omega = orientation_matrix(ROTATED), np.array([0.4, -0.9, 0.6])
    h = rotation @ inertia @ omega
    view.show_frame(make_frame(ROTATED, vectors={"omega": rotation @ omega, "h": h}))
    plane, dot, ellipsoid = view.stage.meshes
    tip = MAX_ARROW_LENGTH / 2.0 * rotation @ omega
    assert all(mesh.visible for mesh in view.stage.meshes)
    assert dot.transform[:3, 3] == pytest.approx(tip)
    turn = ellipsoid.transform[:3, :3]
    on_sphere = np.linalg.solve(turn, tip)
    assert np.linalg.norm(on_sphere) == pytest.approx(1.0)
    normal = np.linalg.solve(turn.T, on_sphere)
    assert np.cross(normal, h) == pytest.approx(np.zeros(3), abs=1e-12)
    assert np.cross(plane.transform[:3, 2], h) == pytest.approx(np.zeros(3), abs=1e-12)
    assert (tip - plane.transform[:3, 3]) @ h == pytest.approx(0.0, abs=1e-12)
    assert (lines(view)[0].points - tip) @ h == pytest.approx(np.zeros(5), abs=1e-6)
    # It is fixed to the body: the same shape, rotated, whatever the motion.
    view.show_frame(make_frame(IDENTITY, vectors={"omega": omega, "h": inertia @ omega}))
    assert rotation @ ellipsoid.transform[:3, :3] == pytest.approx(turn)


@pytest.mark.parametrize(
    ("loads", "ring", "reason"),
    [(LOADS, None, "a load acts"), ((), RING, "a ring turns in the body")],
    ids=["loads", "ring"],
)
def test_poinsot_plane_is_missing_with_loads_or_ring(
    make: Maker, loads: tuple, ring: object, reason: str
) -> None:
    empty, run = grab_pixels(make([])), free_run()
    run.info = replace(run.info, body=replace(run.info.body, ring=ring), loads=loads)
    view = make([Poinsot], run)
    assert np.array_equal(grab_pixels(view), empty)
    view.set_item_visible("poinsot", True)
    assert view.stage.legend_lines["poinsot"][0] == f"no Poinsot plane: {reason}"
    assert np.array_equal(grab_pixels(without_labels(view)), empty)


def test_polhode_and_herpolhode_end_at_tip_of_omega(make: Maker) -> None:
    view = make([Polhode, Herpolhode])
    for name in ("polhode", "herpolhode"):
        view.set_item_visible(name, True)
    curves, tip = [], np.array([0.3, 0.7, -0.2])
    for p in (IDENTITY, ROTATED):
        view.show_frame(make_frame(p, vectors={"omega": tip}))
        on_body, in_space = (line.points for line in lines(view))
        for points in (on_body, in_space):
            assert points[-1] == pytest.approx(MAX_ARROW_LENGTH / 2.0 * tip)
            assert len(points) == 142  # every fifth row of 7.01 s, and the current one
        curves.append((on_body[:-1] @ orientation_matrix(p), in_space[:-1]))
    run = spinning_run()
    for index, quantity in enumerate(("omega", "omega_space")):
        rows = MAX_ARROW_LENGTH / 2.0 * run.data["one"][quantity][:701:5]
        for curve in curves:
            assert curve[index] == pytest.approx(rows, abs=1e-5)


ORIENTATIONS = np.random.default_rng(8).normal(size=(5, 4))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gimbal_rings_compose_to_the_orientation(sequence: str) -> None:
    axes = [int(axis) - 1 for axis in sequence]
    for p in ORIENTATIONS:
        angles = angles_from_p(p, sequence)
        rings = ring_rotations(angles, sequence)
        assert rings[2] == pytest.approx(orientation_matrix(p), abs=1e-12)
        steps = rings[0], rings[0].T @ rings[1], rings[1].T @ rings[2]
        for axis, angle, step in zip(axes, angles, steps, strict=True):
            own = np.eye(3)[axis]
            assert step @ own == pytest.approx(own, abs=1e-12)
            assert np.trace(step) == pytest.approx(1.0 + 2.0 * np.cos(angle))


def test_small_det_s_has_two_digits(make: Maker) -> None:
    """It was shown as 0.00 beside 0.0049 in its plot."""
    view = make([Gimbals], free_run(), "321")
    view.set_item_visible("gimbals", True)
    view.show_frame(make_frame(p_from_angles([0.3, np.arccos(0.0049), 0.0], "321"), 8.0))
    assert view.stage.legend_lines["gimbals"][0].endswith("det S = 0.0049")


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gimbal_rings_are_coplanar_only_at_gimbal_lock(make: Maker, sequence: str) -> None:
    view = make([Gimbals], free_run(), sequence)
    view.set_item_visible("gimbals", True)
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    for t2, locked in ((lock, True), (lock + 0.4, False)):
        view.show_frame(make_frame(p_from_angles([0.3, t2, 0.0], sequence), 8.0 + t2))
        rings, pins = view.stage.meshes[::2], view.stage.meshes[1::2]
        normals = [mesh.transform[:3, :3] @ _normal(mesh.vertices) for mesh in rings]
        for index, (mesh, digit) in enumerate(zip(pins, sequence, strict=True)):
            axis = np.eye(3)[int(digit) - 1]
            assert np.abs(np.cross(mesh.vertices[:, :3], axis)).max() < 0.05
            bearing = mesh.transform[:3, :3] @ axis
            assert bearing @ normals[index] == pytest.approx(0.0, abs=1e-6)
            if index:  # it is mounted in the ring outside it
                assert bearing @ normals[index - 1] == pytest.approx(0.0, abs=1e-6)
                inner, outer = (
                    np.linalg.norm(rings[index - k].vertices[:, :3], axis=1).mean() for k in (0, 1)
                )
                assert (
                    inner
                    < outer
                    == pytest.approx(np.linalg.norm(mesh.vertices[:, :3], axis=1).max(), abs=0.01)
                )
        one_plane = abs(normals[0] @ normals[1]) > 1.0 - 1e-9
        assert one_plane == locked
        text, color = view.stage.legend_lines["gimbals"]
        assert text.startswith("gimbal lock: det S = 0.00") == locked
        assert (pins[0].color == pins[2].color == DARK.text) == (color == DARK.danger) == locked
        assert pins[1].color == DARK.components[2]
        assert [ring.color for ring in rings] == [letter.color for letter in view.stage.labels]
        first, third = (line.points[1] / np.linalg.norm(line.points[1]) for line in view.stage.lines)
        assert (abs(first @ third) > 1.0 - 1e-6) == locked, "drawn through the body, because they coincide"
        assert first == pytest.approx(pins[0].transform[:3, :3] @ np.eye(3)[int(sequence[0]) - 1], abs=1e-6)
        assert third == pytest.approx(pins[2].transform[:3, :3] @ np.eye(3)[int(sequence[2]) - 1], abs=1e-6)
        letters = [label.text for label in view.stage.labels]
        assert tuple(letters) == QUANTITIES[f"angles_{sequence}"].symbols, "with the digits of their curves"
        legend_line = view.stage.legend_lines.get("gimbals axes", ("",))[0]
        assert (legend_line == f"{letters[0]} and {letters[2]} turn about the same line") == locked
        for letter, ring in zip(view.stage.labels, rings, strict=True):
            far = np.linalg.norm(ring.vertices[:, :3], axis=1).max()
            assert np.linalg.norm(letter.position) == pytest.approx(far, abs=0.02)


def test_gimbal_bearings_have_angle_colors_and_flash_at_lock(make: Maker) -> None:
    view = make([Gimbals], free_run(), "313")
    view.set_item_visible("gimbals", True)

    def colors(t2: float, now: float, playing: bool) -> list[str]:
        shown, budget = make_frame(p_from_angles([0.3, t2, 0.2], "313"), now), FrameBudget()
        budget.begin_frame(now, playing)
        view.show_frame(replace(shown, playing=playing, budget=budget))
        assert [label.text for label in view.stage.labels] == ["φ", "θ", "ψ"]
        return [pin.color for pin in view.stage.meshes[1::2]]

    angles = [component_color(DARK, number, 3) for number in range(3)]
    assert colors(1.5, 1.0, True) == angles
    assert [label.color for label in view.stage.labels] == angles
    bright = [DARK.text, angles[1], DARK.text]
    seen = [colors(0.0, 2.0 + 0.25 * beat, True) for beat in range(8)]
    assert [value == angles for value in seen] == 2 * [False, False, True, True], "twice in two seconds"
    assert [value for value in seen if value != angles] == 4 * [bright], "coincident axes have the same color"
    assert all(colors(0.0, 5.0 + 0.25 * beat, False) == bright for beat in range(4)), "no flashing at rest"


def _normal(vertices: np.ndarray) -> np.ndarray:
    """Return the normal of the plane of a ring."""
    points = vertices[:, :3] - vertices[:, :3].mean(axis=0)
    return np.linalg.svd(points, full_matrices=False)[2][2]


def test_kick_preview_is_drawn_while_proposed(make: Maker) -> None:
    empty = grab_pixels(make([]))
    view = make([ITEMS["kick"]])
    assert np.array_equal(grab_pixels(view), empty)
    view.stage.proposed["kick"] = np.array([0.0, 0.0, 1.2])
    view.refresh()
    assert len(changed_pixels(grab_pixels(view), empty)) > 60
    del view.stage.proposed["kick"]
    view.refresh()
    assert np.array_equal(grab_pixels(view), empty)


def rotating_run(rate: float, run: FakeRun) -> FakeRun:
    """Return the run with every lane rotating about the first axis at `rate` [rad/s]."""
    half = 0.5 * rate * run.t[:, None]
    for lane in run.data:
        run.data[lane]["p"] = np.hstack((np.cos(half), np.sin(half) * X))
        run.data[lane]["omega"] = np.broadcast_to(rate * X, (len(run.t), 3))
    return run


def test_trail_of_a_fast_axis_is_short_and_smooth(make: Maker) -> None:
    """A trail of 5 s at 150 rad/s would have points 2.5 rad apart: chords across the body."""
    run = rotating_run(150.0, FakeRun(rows=8001, dt=0.001))
    seen = {}
    for item_class in (Trail, FirstAxisTrail):
        view = make([item_class], run)
        view.set_item_visible(item_class.name, True)
        view.show_frame(make_frame(run.data["one"]["p"][7000]))
        (path,) = lines(view)
        tips = path.points / np.linalg.norm(path.points, axis=1, keepdims=True)
        seen[item_class] = len(tips), np.linalg.norm(np.diff(tips, axis=0), axis=1).max()
    assert seen[Trail][0] > 250
    assert seen[Trail][1] <= 0.21, "from point to point [rad]"
    assert seen[FirstAxisTrail][1] == pytest.approx(0.0, abs=1e-9)
    assert seen[FirstAxisTrail][0] > 250, "a spin about the axis itself does not shorten its trail"


def test_trail_of_a_slow_axis_covers_one_turn(make: Maker) -> None:
    """The axis of the heavy top takes 15 s per turn, and the last 5 s showed only an arc."""
    run = rotating_run(0.25, FakeRun(rows=4001, dt=0.01))
    view = make([Trail], run)
    view.show_frame(replace(make_frame(run.data["one"]["p"][-1]), time=40.0, duration=40.0))
    (path,) = lines(view)
    angles = np.unwrap(np.arctan2(path.points[:, 2], path.points[:, 1]))
    assert abs(angles[-1] - angles[0]) == pytest.approx(2.0 * np.pi, abs=0.1)


def test_pivoted_body_has_a_stem_to_its_pivot(make: Maker) -> None:
    """Without the stem the disk of a top would float in space."""
    view = make([Stem], free_run())
    assert meshes(view) == [], "a body about its own center has no stem"
    view.start(pivoted_run())
    view.show_frame(make_frame(ROTATED))
    rod = meshes(view)[0]
    assert view.stage.shape is not None
    head = orientation_matrix(ROTATED) @ (0.0, 1.0 / view.stage.shape.radius, 0.0)
    assert rod.transform @ (0.0, 0.0, 1.0, 1.0) == pytest.approx((*head, 1.0), abs=1e-6)
    assert rod.transform @ (0.0, 0.0, 0.0, 1.0) == pytest.approx((0.0, 0.0, 0.0, 1.0))
    for turn, count in ((0.25 * np.pi, 2), (-0.25 * np.pi, 1)):
        view.show_frame(make_frame(np.array((np.cos(turn), np.sin(turn), 0.0, 0.0))))
        assert len(meshes(view)) == count, "a standing body has a stand, a hanging one has none"
        for stand in meshes(view)[1:]:
            assert (stand.transform @ (0.0, 0.0, 1.0, 1.0))[2] > 0.05, (
                "a pointed stand would be too thin at the pivot"
            )
    view.set_item_visible("stem", False)
    assert meshes(view) == []
    view.set_item_visible("stem", True)
    assert meshes(view)
    view.start(free_run())
    view.show_frame(make_frame())
    assert meshes(view) == []


def test_vertical_of_gravity_gradient_follows_the_orbit(make: Maker) -> None:
    """The preset's text measures the swing from the vertical, which no item showed."""
    run = orbit_run()
    view = make([Vertical], run)
    (load,) = run.info.loads
    assert isinstance(load.load, GravityGradient)
    quarter = 0.5 * np.pi / load.load.orbital_rate
    for time, up in ((0.0, [0.0, 1.0, 0.0]), (quarter, [-1.0, 0.0, 0.0])):
        view.show_frame(replace(make_frame(), time=time))
        (line,) = lines(view)
        assert line.points[1] / np.linalg.norm(line.points[1]) == pytest.approx(np.array(up), abs=1e-6)
        assert line.points[0] == pytest.approx(-line.points[1])
    bare_view = make([Vertical], spinning_run())
    assert lines(bare_view) == []


def test_orbit_of_one_lane_is_drawn_with_that_lane_only(make: Maker) -> None:
    run = orbit_run()
    (load,) = run.info.loads
    run.info = replace(run.info, loads=(), own_loads=((), (load.load,)))
    view = make([Vertical, OrbitalFrame], run)
    frame = make_frame()
    for solid in ("one", "two", "one"):
        lanes = tuple(replace(lane, solid=lane.name == solid) for lane in frame.lanes)
        view.show_frame(replace(frame, lanes=lanes))
        labels = {label.text for label in view.stage.labels if label.visible}
        assert len(lines(view)) == (4 if solid == "two" else 0), solid
        assert labels == ({"vertical", "forward", "normal", "up"} if solid == "two" else set()), solid


def test_guided_spring_is_a_coil_from_guide_to_point(make: Maker) -> None:
    spring = GuidedSpring(stiffness=10.0, point=[1.0, 0.0, 0.0], direction=[0.0, 2.0, 0.0])
    view = make([Forces])
    run = free_run()
    run.info = replace(run.info, loads=(spring.bind(run.info.body),))
    view.start(run)
    angle = 0.5
    p = np.array([np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle)])
    view.show_frame(replace(make_frame(p), scales={"force": 1.0}))
    assert view.stage.shape is not None
    radius = view.stage.shape.radius
    coil, guide = lines(view)
    lift = coil.points[0, 2]
    point = np.array([np.cos(angle), np.sin(angle), lift * radius]) / radius
    assert coil.points[-1] == pytest.approx(point), "it ends at the point of the body"
    assert coil.points[0] == pytest.approx([point[0], 0.0, lift]), "and starts on the guide"
    assert guide.points[:, 1:] == pytest.approx(np.array([[0.0, lift]] * 2)), (
        "on the line that the force is normal to"
    )
    assert guide.points[0, 0] < coil.points[:, 0].min()
    assert guide.points[1, 0] > coil.points[:, 0].max()

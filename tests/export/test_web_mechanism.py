"""Forces, torque, gimbal rings and the ring of the body on the web page."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chromium import Chromium, chromium

import quatviz as qv
from quatviz import cli
from quatviz.display.scene.items.gimbals import ring_rotations
from quatviz.display.view_state.theme import LIGHT, mix_colors
from quatviz.export.web.mechanism import describe_forces
from quatviz.export.web.packing import pack_run
from quatviz.files.preset_reading import format_preset
from quatviz.physics.geometry.triangles import frame_along
from quatviz.physics.loads import bind
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.mechanics.rotations import rotate
from quatviz.physics.mechanics.solid import make_solid
from quatviz.physics.observables.quantities import QUANTITIES

LOADS = (
    Gravity(weight=9.81, centre=[0.0, 0.0, 0.3]),
    PointForce(force=[0.0, 1.0, -1.0], point=[1.0, 0.2, 0.4], frame="body"),
    Spring(stiffness=5.0, point=[-1.0, 0.0, 0.5], anchor=[-2.0, 1.0, 2.0], rest_length=0.5),
)


@pytest.fixture(scope="module")
def pushed() -> qv.Run:
    preset = qv.Preset(
        body=qv.Body(inertia=[4.0, 3.0, 2.0]),
        initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[1.0, 0.5, 2.0]),
        loads=LOADS,
    )
    return qv.simulate(preset, lanes=["hamilton"], duration=3.0, dt=1e-2)


@pytest.fixture(scope="module")
def ringed() -> qv.Run:
    return qv.simulate(qv.load_preset("ring_damper"), lanes=["ring_damper"], duration=1.0)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as browser:
        yield browser


def test_constant_forces_are_stored_once(pushed: qv.Run) -> None:
    forces, columns = describe_forces(pushed.engine)
    assert [(force["symbol"], force.get("frame"), force.get("column")) for force in forces] == [
        ("f₁", "space", None),
        ("f₂", "body", None),
        ("f₃", None, "force_2"),
    ]
    assert forces[0]["force"] == pytest.approx([0.0, 0.0, -9.81])
    assert forces[1]["force"] == pytest.approx([0.0, 1.0, -1.0])
    assert list(columns) == ["force_2"]
    radius = make_solid(pushed.preset.body).radius
    assert forces[2]["anchor"] == pytest.approx(np.array([-2.0, 1.0, 2.0]) / radius)
    description, _ = pack_run(pushed.engine)
    assert description["scales"]["force"] == pytest.approx(pushed["hamilton"].motion().largest_force.max())
    assert description["scales"]["torque"] > 0


TIMED = (
    Gravity(weight="9.81*(1 + 0.5*sin(3*t))", centre=[0.0, 0.0, 0.3]),
    PointForce(force=["2*max(0, 1 - 400*(t - 1.35)**2)", 0.0, 0.0], point=[1.0, 0.2, 0.4]),
    Spring(stiffness="5 + t", point=[-1.0, 0.0, 0.5], anchor=[-2.0, 1.0, 2.0], rest_length=0.5),
    GuidedSpring(stiffness="5 - t", point=[-1.0, 0.0, 0.5], direction=[0.0, 0.0, 1.0]),
)


def test_time_dependent_forces_are_sampled(pushed: qv.Run, tmp_path: Path) -> None:
    run = qv.simulate(
        replace(pushed.preset, loads=TIMED), lanes=["hamilton"], duration=2.0, dt=1e-2, sample_interval=1e-2
    )
    description, _ = pack_run(run.engine)
    names = [f"force_{number}" for number in range(4)]
    assert [force["column"] for force in description["forces"]] == names
    assert set(names) <= set(description["lanes"][0]["columns"])
    _, columns = describe_forces(run.engine)
    motion = run["hamilton"].motion()
    at = {round(time, 9): row for row, time in enumerate(motion.t)}
    weight = columns["force_0"](motion)
    assert weight[:, 2] == pytest.approx(-9.81 * (1 + 0.5 * np.sin(3 * motion.t)))
    pulse = columns["force_1"](motion)
    assert pulse[at[1.35]] == pytest.approx([2.0, 0.0, 0.0])
    assert not pulse[at[1.25]].any()
    assert not pulse[at[1.45]].any()
    run.view().save(tmp_path / "view.html")
    (tmp_path / "timed.toml").write_text(format_preset(run.preset), "utf-8")
    arguments = ["render", str(tmp_path / "timed.toml"), "-o", str(tmp_path / "timed.html"), "--quiet"]
    assert cli.main(arguments) == 0
    assert (tmp_path / "timed.html").exists()


def picture_at(page: Chromium, time: float, path: Path) -> np.ndarray:
    page.evaluate(f"quatviz.setTime({time})")
    return page.screenshot(path, "#view")


def test_page_draws_forces_at_their_points(pushed: qv.Run, browser: Chromium, tmp_path: Path) -> None:
    pushed.view().save(tmp_path / "page.html")
    browser.faults.clear()
    browser.open(tmp_path / "page.html")
    lane, row = pushed["hamilton"], 200
    p = lane.p[row] / np.linalg.norm(lane.p[row])
    radius, largest = make_solid(pushed.preset.body).radius, lane.motion().largest_force.max()
    picture = picture_at(browser, 2.0, tmp_path / "forces.png")
    forces = browser.evaluate("quatviz.scene.forces(quatviz.lanes[0])")
    for drawn_force, load in zip(forces, bind(LOADS, pushed.preset.body), strict=True):
        acting = load.force(np.array([2.0]), p[None])
        assert acting is not None
        force, point = acting
        assert np.array(drawn_force["vector"]) * largest == pytest.approx(force[0], abs=1e-4)
        assert drawn_force["from"] == pytest.approx(rotate(p, point) / radius, abs=1e-5)
    cyan = np.abs(picture - np.array([0, 0x79, 0x8C]) / 255).max(axis=2) < 0.15
    assert cyan.sum() > 200
    corner = browser.evaluate("document.querySelector('#corner').innerText")
    assert "n 1 body radius = " in corner
    assert "f 1 body radius = " in corner
    assert browser.faults == []


def test_gimbal_rings_follow_the_angles(pushed: qv.Run, browser: Chromium, tmp_path: Path) -> None:
    pushed.view(sequence="313").save(tmp_path / "page.html")
    browser.faults.clear()
    browser.open(tmp_path / "page.html")
    without = picture_at(browser, 1.0, tmp_path / "without.png")
    browser.click("#gimbals")
    rings = picture_at(browser, 1.0, tmp_path / "with.png")
    assert (np.abs(rings - without).max(axis=2) > 0.08).mean() > 0.01
    radians = np.radians(pushed["hamilton"].angles_313[100])
    angles = np.degrees(radians)
    assert browser.evaluate("quatviz.lanes[0].angles(1)") == pytest.approx(angles, abs=1e-3)
    between = browser.evaluate("quatviz.lanes[0].angles(1.01)")
    assert np.abs(np.subtract(between, angles)).max() < 10
    browser.evaluate("quatviz.setTime(1)")
    # The page lists axes, which are the columns of a rotation.
    drawn = np.array(browser.evaluate("quatviz.scene.rings(quatviz.lanes[0])")).transpose(0, 2, 1)
    assert drawn == pytest.approx(ring_rotations(radians, "313")[:2], abs=1e-5)
    text = browser.evaluate("document.querySelector('#corner').innerText")
    assert f"gimbals 3-1-3: |det S| = {abs(np.sin(np.radians(angles[1]))):.2f}" in text
    browser.press_key("g")
    assert browser.evaluate("document.querySelector('#gimbals').ariaPressed") == "false"
    assert browser.faults == []


def test_gimbal_rings_have_angle_colors_and_align_at_lock(
    pushed: qv.Run, browser: Chromium, tmp_path: Path
) -> None:
    """The same colors as in the window, whose test covers its own item."""
    pushed.view(sequence="313", theme="light").save(tmp_path / "page.html")
    browser.faults.clear()
    browser.open(tmp_path / "page.html")
    angles = LIGHT.components[1:]
    for size, dark, alike in ((0.8, False, 0.0), (0.25, False, 0.5), (0.02, False, 0.96), (0.02, True, 0.0)):
        first, third = (mix_colors(LIGHT.text, angles[index], alike) for index in (0, 2))
        expected = [first, angles[1], third]
        drawn = browser.evaluate(f"quatviz.scene.pinColours({size}, {str(dark).lower()})")
        assert [parts(ring) for ring in drawn] == [pytest.approx(parts(ring), abs=1) for ring in expected]
    assert abs(np.sin(np.radians(pushed["hamilton"].angles_313[150, 1]))) > 0.5, "no lock is near"
    without = picture_at(browser, 1.5, tmp_path / "without.png")
    browser.click("#gimbals")
    picture = picture_at(browser, 1.5, tmp_path / "rings.png")
    new = picture[np.abs(picture - without).max(axis=2) > 0.08]
    for number in range(3):  # red, green, blue
        other_components = np.delete(new, number, axis=1).max(axis=1)
        assert (new[:, number] > other_components + 0.1).sum() > 300
    assert browser.faults == []


def parts(color: str) -> list[int]:
    """Return red, green and blue of `#rrggbb`."""
    return [int(color[at : at + 2], 16) for at in (1, 3, 5)]


def test_ring_rotates_in_the_body(ringed: qv.Run, browser: Chromium, tmp_path: Path) -> None:
    ringed.view().save(tmp_path / "page.html")
    browser.faults.clear()
    browser.open(tmp_path / "page.html")
    description, _ = pack_run(ringed.engine)
    ring = ringed.preset.body.ring
    assert ring is not None
    assert description["ring"]["arc"] == ring.arc_angle
    row = round(0.5 / description["interval"])
    beta = QUANTITIES["ring_angle"].column_values(ringed["ring_damper"].motion())
    every = round(description["interval"] / ringed.preset.run.sample_interval)
    time = row * description["interval"]
    assert browser.evaluate(f"quatviz.lanes[0].linear('ring_angle', {time})") == pytest.approx(
        beta[row * every], rel=1e-6
    )
    picture = picture_at(browser, time, tmp_path / "ring.png")
    browser.evaluate("delete quatviz.lanes[0].columns.ring_angle")
    without = picture_at(browser, time, tmp_path / "without.png")
    assert (np.abs(picture - without).max(axis=2) > 0.08).mean() > 0.005
    assert browser.faults == []


def test_guided_spring_is_drawn_as_in_3d(browser: Chromium, tmp_path: Path) -> None:
    run = qv.simulate(qv.load_preset("spring_disk"), lanes=["hamilton"], duration=1.0)
    run.view().save(tmp_path / "disk.html")
    browser.faults.clear()
    browser.open(tmp_path / "disk.html")
    browser.evaluate("quatviz.setTime(0.5)")
    (drawn,) = browser.evaluate("quatviz.scene.forces(quatviz.lanes[0])")
    coil, guide = np.array(drawn["guided"]["coil"]), np.array(drawn["guided"]["guide"])
    assert drawn["anchor"] is None
    lift = guide.mean(axis=0)
    assert coil[-1] - lift == pytest.approx(drawn["from"], abs=1e-9)
    assert coil[0] - lift == pytest.approx(np.array(drawn["from"]) * [1.0, 0.0, 1.0], abs=1e-9)
    assert np.ptp(guide[:, 0]) == pytest.approx(2.7)
    assert np.ptp(guide[:, 1:], axis=0) == pytest.approx(np.zeros(2), abs=1e-9)
    assert browser.faults == []


def test_rotors_rotate_in_the_body(browser: Chromium, tmp_path: Path) -> None:
    run = qv.simulate(qv.load_preset("reaction_wheels"), lanes=["newton_euler"], duration=2.0)
    run.view().save(tmp_path / "wheels.html")
    browser.faults.clear()
    browser.open(tmp_path / "wheels.html")
    time, lane = 1.5, run["newton_euler"]
    row = round(time / run.preset.run.sample_interval)
    for number, rotor in enumerate(run.preset.body.rotors):
        speed = lane.motion().rotor_speed[: row + 1, number]
        angle = np.trapezoid(speed, dx=run.preset.run.sample_interval)
        assert browser.evaluate(f"quatviz.lanes[0].linear('rotor_{number}', {time})[0]") == pytest.approx(
            angle, abs=1e-4
        )
        model = browser.evaluate(
            f"(quatviz.setTime({time}), Array.from(quatviz.scene.wheel(quatviz.lanes[0], {number})))"
        )
        axes = np.reshape(model, (4, 4))[:, :3]
        assert axes[2] == pytest.approx(rotate(lane.p[row], rotor.unit_axis), abs=1e-5)
        across = np.array(frame_along(*rotor.unit_axis.tolist())) @ [np.cos(angle), np.sin(angle), 0.0]
        assert axes[0] == pytest.approx(rotate(lane.p[row], across), abs=1e-3)
        radius = make_solid(run.preset.body).radius
        assert axes[3] == pytest.approx(rotate(lane.p[row], rotor.position) / radius, abs=1e-5)
    assert "h 1 body radius" not in browser.evaluate("document.querySelector('#corner').innerText"), (
        "h is zero"
    )
    picture = picture_at(browser, time, tmp_path / "wheels.png")
    browser.evaluate("delete quatviz.lanes[0].columns.rotor_0")
    without = picture_at(browser, time, tmp_path / "without.png")
    assert (np.abs(picture - without).max(axis=2) > 0.08).mean() > 0.002
    assert browser.faults == []


def test_anchor_and_force_are_relative_to_a_moving_center_of_mass(browser: Chromium, tmp_path: Path) -> None:
    run = qv.simulate(qv.load_preset("body_on_spring"), lanes=["hamilton"], duration=2.0)
    run.view().save(tmp_path / "spring.html")
    browser.open(tmp_path / "spring.html")
    browser.evaluate("quatviz.setTime(1.5)")
    drawn = browser.evaluate("quatviz.scene.forces(quatviz.lanes[0])")[0]
    lane, row = run["hamilton"], 150
    radius = make_solid(run.preset.body).radius
    assert drawn["anchor"] == pytest.approx(([0.0, 0.0, 1.0] - lane.centre[row]) / radius, abs=1e-5)
    (spring, *_) = bind(run.preset.loads, run.preset.body)
    acting = spring.at_center(lane.centre[row : row + 1]).force(np.array([1.5]), lane.p[row : row + 1])
    assert acting is not None
    largest = lane.motion().largest_force.max()
    assert np.array(drawn["vector"]) * largest == pytest.approx(acting[0][0], abs=1e-3)


def test_torque_law_of_a_lane_has_arrow_and_plot(browser: Chromium, tmp_path: Path) -> None:
    """The page had neither, although the window shows both."""
    law = qv.TorqueLaw("n = -K*p[1:] - D*omega", gains={"K": 2.0, "D": 1.0})
    preset = qv.Preset(
        body=qv.Body(inertia=[4.0, 3.0, 2.0]),
        initial=qv.Initial(euler_parameters=[0.8, 0.0, 0.6, 0.0], angular_velocity=[0.5, 0.2, 1.0]),
    )
    run = qv.simulate(preset, lanes=[qv.Lane("hamilton", loads=[law], name="law")], duration=1.0, dt=1e-2)
    run.view().save(tmp_path / "page.html")
    browser.faults.clear()
    browser.open(tmp_path / "page.html")
    assert "n 1 body radius = " in browser.evaluate("document.querySelector('#corner').innerText")
    browser.evaluate(
        "[...document.querySelectorAll('#chooser button')]"
        ".find((chip) => chip.textContent === 'Torque of the loads').click()"
    )
    heads = browser.evaluate("[...document.querySelectorAll('.panel h2')].map((head) => head.textContent)")
    assert "Torque of the loads [N m]" in heads
    motion = run["law"].motion()
    for name, expected in (
        ("torque", motion.torque),
        ("torque_space", QUANTITIES["torque_space"].values(motion)),
    ):
        drawn = browser.evaluate(f"[0, 1, 2].map((i) => quatviz.lanes[0].reading('{name}', i, 0.5))")
        assert drawn == pytest.approx(expected[round(0.5 / run.preset.run.sample_interval)], abs=1e-5)
    assert browser.faults == []


def test_page_shows_the_torque_panel_of_a_preset(tmp_path: Path) -> None:
    arguments = ["render", "unwinding", "--duration", "0.5", "-o", str(tmp_path / "page.html"), "--quiet"]
    assert cli.main(arguments) == 0
    text = (tmp_path / "page.html").read_text("utf-8")
    assert '"first": {"p": "body", "torque": "body"}' in text

"""The page computes in a real browser: its numbers equal those of the program, and Reset restores the stored run."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import Chromium, chromium

import quatviz as qv
from quatviz.export.web import computation
from quatviz.export.web.computation import describe_computation
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.torque import Torque
from quatviz.physics.observables.quantities import QUANTITIES

LANES = ["newton_euler", "hamilton", "euler_angles/321"]
COLUMNS = (
    "p",
    "omega",
    "h",
    "kinetic",
    "potential",
    "torque",
    "angles_321",
    "angles_313",
    "constraint",
)


def preset_of(inertia: list[float], omega: list[float], weight: float) -> qv.Preset:
    loads = (
        Gravity(weight=weight, centre=[0.1, 0.0, 0.3]),
        PointForce(force=[0.0, 0.4, -0.2], point=[0.5, 0.2, 0.4], frame="body"),
        Torque(torque=[0.1, -0.2, 0.3], frame="space"),
    )
    initial = qv.Initial(euler_parameters=[0.8, 0.0, 0.6, 0.0], angular_velocity=omega)
    return qv.Preset(body=qv.Body(inertia=inertia), initial=initial, loads=loads)


def simulate(preset: qv.Preset, duration: float = 3.0) -> qv.Run:
    return qv.simulate(preset, lanes=LANES, duration=duration, dt=5e-3, sample_interval=2e-2)


@pytest.fixture(scope="module")
def stored() -> qv.Run:
    return simulate(preset_of([4.0, 3.0, 2.0], [0.3, 0.2, 2.0], 1.5))


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(stored: qv.Run, browser: Chromium, tmp_path: Path) -> Chromium:
    stored.view().save(tmp_path / "page.html")
    browser.faults.clear()
    browser.requests.clear()
    browser.open(tmp_path / "page.html")
    browser.click("#compute summary")
    return browser


def move_slider(page: Chromium, number: int, value: float) -> None:
    page.evaluate(
        f"(() => {{ const slider = document.querySelector('#control-{number}'); slider.value = {value!r};"
        " slider.dispatchEvent(new Event('input')); })()"
    )


def compute(page: Chromium) -> None:
    page.click("#run-again")
    page.wait(
        "quatviz.lanes[0].computed && document.querySelector('#compute-status').textContent.includes('Reset')"
    )


def computed(page: Chromium, name: str, quantity: str) -> np.ndarray:
    width = len(QUANTITIES[quantity].symbols)
    numbers = page.evaluate(
        f"(() => {{ const lane = quatviz.lanes.find((one) => one.name === {lane_title(name)!r});"
        f" return Array.from({{ length: lane.rows }}, (_, row) => lane.vector({quantity!r}, row)); }})()"
    )
    return np.array(numbers).reshape(-1, width)


def assert_same_numbers(page: Chromium, run: qv.Run, sequence: str) -> None:
    for name in LANES:
        motion = run[name].motion()
        for quantity in COLUMNS:
            if quantity.startswith("angles") and quantity != f"angles_{sequence}":
                continue
            expected = QUANTITIES[quantity].column_values(motion).reshape(len(motion.t), -1)
            scale = max(1.0, float(np.abs(expected).max()))
            difference = computed(page, name, quantity)[: len(expected)] - expected
            if quantity.startswith("angles"):
                difference = (difference + 180.0) % 360.0 - 180.0
            assert np.abs(difference).max() < 1e-12 * scale, (name, quantity)


def test_page_computes_the_numbers_of_the_program(stored: qv.Run, page: Chromium) -> None:
    compute(page)
    assert_same_numbers(page, stored, "321")
    changes = {0: 5.0, 1: 3.5, 2: 2.5, 3: -0.4, 4: 0.25, 5: 1.6, 6: 2.125}
    for number, value in changes.items():
        move_slider(page, number, value)
    page.evaluate("document.querySelector('#compute-status').textContent = ''")
    compute(page)
    changed = simulate(preset_of([5.0, 3.5, 2.5], [-0.4, 0.25, 1.6], 2.125))
    assert_same_numbers(page, changed, "321")
    assert page.faults == []
    assert [address.split(":")[0] for address in page.requests] == ["file"]


def test_page_computes_its_chosen_angle_sequence(stored: qv.Run, browser: Chromium, tmp_path: Path) -> None:
    stored.view(sequence="313").save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    browser.click("#compute summary")
    compute(browser)
    assert_same_numbers(browser, stored, "313")


def test_reset_shows_the_stored_run(stored: qv.Run, page: Chromium) -> None:
    texts = "[document.querySelector('#lanes').textContent, document.querySelector('#foot').textContent]"
    before, numbers = page.evaluate(texts), page.evaluate("Array.from(quatviz.lanes[0].vector('p', 100))")
    assert page.evaluate("document.querySelector('#reset').disabled")
    move_slider(page, 0, 4.5)
    compute(page)
    lanes, foot = page.evaluate(texts)
    assert lanes.count("in browser") == 3
    assert "Computed in this browser" in foot
    assert page.evaluate("Array.from(quatviz.lanes[0].vector('p', 100))") != numbers
    page.click("#reset")
    assert page.evaluate(texts) == before
    assert page.evaluate("Array.from(quatviz.lanes[0].vector('p', 100))") == numbers
    assert float(page.evaluate("document.querySelector('#control-0').value")) == 4.0


def test_impossible_moments_of_inertia_are_rejected(page: Chromium) -> None:
    move_slider(page, 0, 7.0)
    page.click("#run-again")
    assert "J₁ is larger than J₂ + J₃" in page.evaluate(
        "document.querySelector('#compute-status').textContent"
    )
    assert not page.evaluate("quatviz.lanes.some((lane) => lane.computed)")


def test_page_computes_on_a_phone(stored: qv.Run, browser: Chromium, tmp_path: Path) -> None:
    stored.view(theme="dark").save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", width=360, height=640, mobile=True)
    assert not browser.evaluate("document.querySelector('#lead').open"), "the body is visible first"
    browser.evaluate("document.querySelector('#compute summary').click()")
    browser.evaluate("document.querySelector('#run-again').click()")
    browser.wait("quatviz.lanes[0].computed")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 360
    rights = browser.evaluate(
        "[...document.querySelectorAll('#controls *, #compute button')].map((part) => part.getBoundingClientRect().right)"
    )
    assert max(rights) <= 360


def test_keys_move_a_focused_slider_and_not_the_time(page: Chromium) -> None:
    page.evaluate("document.querySelector('#control-5').focus()")
    before = float(page.evaluate("document.querySelector('#control-5').value"))
    page.call(
        "Input.dispatchKeyEvent",
        type="rawKeyDown",
        key="ArrowRight",
        code="ArrowRight",
        windowsVirtualKeyCode=39,
    )
    page.call(
        "Input.dispatchKeyEvent", type="keyUp", key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39
    )
    assert float(page.evaluate("document.querySelector('#control-5').value")) > before
    assert page.evaluate("quatviz.state.time") == 0
    page.wait("quatviz.lanes[0].computed")


def test_singular_angles_end_at_the_time_of_the_program(browser: Chromium, tmp_path: Path) -> None:
    preset = replace(preset_of([4.0, 3.0, 2.0], [0.2, 1.5, 0.1], 1.5), loads=())
    run = simulate(preset)
    run.view().save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    ended = browser.evaluate("quatviz.lanes[2].ended")
    rows = browser.evaluate("quatviz.lanes[2].rows")
    assert browser.evaluate("quatviz.lanes[2].status") == "singular"
    browser.click("#compute summary")
    compute(browser)
    assert browser.evaluate("quatviz.lanes.map((lane) => lane.status)") == ["ok", "ok", "singular"]
    assert browser.evaluate("quatviz.lanes[2].ended") == pytest.approx(ended, abs=1e-12)
    assert browser.evaluate("quatviz.lanes[2].rows") == rows
    assert "3-2-1 angles are singular" in browser.evaluate("document.querySelector('#remarks').textContent")


def test_run_that_the_page_cannot_compute_states_the_reason(browser: Chromium, tmp_path: Path) -> None:
    run = qv.simulate(qv.load_preset("spring_disk"), lanes=["hamilton"], duration=0.5)
    run.view().save(tmp_path / "disk.html")
    browser.open(tmp_path / "disk.html")
    assert browser.evaluate("document.querySelectorAll('#controls, #run-again').length") == 0
    assert "the load guided spring vary" in browser.evaluate("document.querySelector('#board').textContent")


def test_reasons_name_the_unsupported_feature(stored: qv.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def reason(preset: qv.Preset) -> str:
        run = qv.simulate(preset, lanes=["hamilton"], duration=0.02).engine
        return describe_computation(run, run.lanes, 1)["reason"]

    assert describe_computation(stored.engine, stored.engine.lanes, 1)["reason"] == ""
    skew = qv.Body(inertia=[[4.0, 0.1, 0.0], [0.1, 3.0, 0.0], [0.0, 0.0, 2.0]])
    assert "full matrix" in reason(replace(stored.preset, body=skew))
    timed = replace(stored.preset, loads=(Gravity(weight="1 + t", centre=[0.1, 0.0, 0.3]),))
    assert "the load gravity" in reason(timed)
    rotor = qv.Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, speed=3.0)
    assert "wheels" in reason(replace(stored.preset, body=stored.preset.body.with_rotors([rotor])))
    monkeypatch.setattr(computation, "MAX_STEPS", 3)
    assert "steps, but a page computes at most 3" in reason(stored.preset)


def lane_reason(stored: qv.Run, lane: qv.Lane | qv.TypedFormulation | str, **changes: Any) -> str:
    preset = replace(stored.preset, **changes)
    run = qv.simulate(preset, lanes=["hamilton", lane], duration=0.04).engine
    reason: str = describe_computation(run, run.lanes, 1)["reason"]
    reason_text: str = describe_computation(run, run.lanes[:1], 1)["reason"]
    assert changes or reason_text == "", "a lane that the page does not show does not matter"
    return reason


def test_page_does_not_compute_without_the_loads_of_a_lane(stored: qv.Run) -> None:
    """The page dropped them and showed a free motion."""
    law = qv.TorqueLaw("n = -omega")
    for load, name in ((law, "torque law"), (Torque(torque=[0.1, 0.0, 0.0], frame="body"), "torque")):
        lane = qv.Lane("newton_euler", loads=[load], name="With a load")
        reason = lane_reason(stored, lane)
        assert f"the lane “With a load” has its own load, {name}" in reason
    shared = lane_reason(stored, "newton_euler", loads=(law,))
    assert "the components of the load torque law vary" in shared


def test_page_does_not_compute_typed_equations(stored: qv.Run) -> None:
    rates = "omega' = solve(J, n - omega)\np' = product(p, [0, omega])/2"
    assert "has its own equations" in lane_reason(stored, qv.TypedFormulation("damped", rates=rates))


def test_page_computes_neither_events_nor_inner_motion_of_lanes(stored: qv.Run) -> None:
    kick = qv.Kick(0.02, (0.0, 1.0, 0.0), "body")
    assert "events" in lane_reason(stored, "newton_euler", events=(kick,))
    ring = qv.load_preset("ring_damper")
    run = qv.simulate(ring, lanes=["ring_damper"], duration=0.1).engine
    assert "a ring or wheels" in describe_computation(run, run.lanes, 1)["reason"]


def test_other_methods_of_lanes_do_not_change_what_the_page_computes(
    stored: qv.Run, browser: Chromium, tmp_path: Path
) -> None:
    """Method, step and stabilization of a lane change errors, not the motion. The page names its own method."""
    lane = qv.Lane("lagrange_full/split", integrator="euler", dt=1e-2, stabilisation="project", name="rough")
    run = qv.simulate(stored.preset, lanes=[lane], duration=3.0, dt=5e-3, sample_interval=2e-2)
    run.view().save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    browser.click("#compute summary")
    compute(browser)
    assert_same_numbers(browser, stored, "321")
    assert "by Runge–Kutta 4 with dt = 0.005 s" in browser.evaluate(
        "document.querySelector('#compute-status').textContent"
    )

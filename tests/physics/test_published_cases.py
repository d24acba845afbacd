"""Published cases, to the digits of `published.json`, with the exact lane if there is one and with integrated lanes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import relative_angle, rotate

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in json.loads(Path(__file__).with_name("published.json").read_text("utf-8"))["cases"]
}
FORMS = ("newton_euler", "hamilton", "lagrange_projected", "udwadia_schutte")
ELSEWHERE = {"beletsky_forced_libration": "test_elliptic_orbit.py"}
"""Cases with a test in another file."""


def body_of(inputs: dict[str, Any], **options: Any) -> qv.Body:
    moments = inputs.get("inertia", inputs.get("inertia_diag"))
    if "inertia_cm_diag" in inputs:
        r = np.array(inputs["centre"])
        moments = (
            np.diag(inputs["inertia_cm_diag"]) + inputs["mass"] * (r @ r * np.eye(3) - np.outer(r, r))
        ).tolist()
    return qv.Body(inertia=moments, about="pivot", **options)


def make_preset(
    name: str, dt: float, body: qv.Body | None = None, loads: Any = (), interval: float = 0.01
) -> Preset:
    inputs = CASES[name]["inputs"]
    body = body or body_of(inputs)
    omega = (
        inputs["omega0_body"] if "omega0_body" in inputs else np.linalg.solve(body.inertia, inputs["h0_body"])
    )
    return Preset(
        body=body,
        initial=qv.Initial(euler_parameters=inputs["p0"], angular_velocity=np.asarray(omega).tolist()),
        loads=loads,
        run=qv.RunSettings(max(row["t"] for row in CASES[name]["reference"] if "t" in row), dt, interval),
    )


def rows_of(name: str, lane: Any, until: float = np.inf) -> list[tuple[dict[str, Any], int]]:
    """Each reference row with its sample."""
    rows = [row for row in CASES[name]["reference"] if "t" in row and row["t"] <= until]
    return [(row, int(np.abs(lane.t - row["t"]).argmin())) for row in rows]


def top(name: str) -> tuple[qv.Body, list[Any]]:
    inputs = CASES[name]["inputs"]
    weight = inputs.get("weight", inputs["mass"] * inputs.get("g", 0.0))
    return body_of(inputs), [qv.Gravity(weight=weight, centre=inputs["centre"])]


def check_states(name: str, lane: Any, angle: float, rate: float, until: float = np.inf) -> None:
    rows = rows_of(name, lane, until)
    assert rows
    for row, sample in rows:
        assert lane.t[sample] == pytest.approx(row["t"], abs=1e-12)
        assert relative_angle(lane.p[sample : sample + 1], np.array([row["p"]]))[0] < angle
        assert lane.omega[sample] == pytest.approx(row["omega_body"], abs=rate)


def test_every_case_has_a_test() -> None:
    tested = {name for name in CASES if f'"{name}"' in Path(__file__).read_text("utf-8")}
    assert tested == set(CASES)
    for name, file in ELSEWHERE.items():
        digits = str(CASES[name]["reference"][0]["dx_dnu_at_perigee"])[:14]
        assert digits in Path(__file__).with_name(file).read_text("utf-8")


@pytest.mark.parametrize("form", FORMS)
def test_fast_lie_group_top(form: str) -> None:
    """150 rad/s about the axis: 2 s are 48 turns. Exudyn's digits and the references, to the stated tolerance."""
    name = "exudyn_explicit_lie_group_heavy_top_space_rate"
    body, loads = top(name)
    preset = make_preset(name, 1e-4, body, loads)
    lane = qv.simulate(preset, lanes=[qv.Lane(form, integrator="gauss6")]).lanes[0]
    check_states(name, lane, 1e-9, 2e-9)
    space_rate = rotate(lane.p, lane.omega)
    for row, sample in rows_of(name, lane):
        assert space_rate[sample] == pytest.approx(row["omega_space"], abs=2e-9)
    for published in CASES[name]["published"]:
        sample = int(np.abs(lane.t - published["t"]).argmin())
        assert space_rate[sample, 1] == pytest.approx(published["omega_space_y"], abs=2e-9)


def test_separatrix() -> None:
    name = "principia_separatrix_formula"
    preset = make_preset(name, 1e-2, interval=1.0)
    exact, *lanes = qv.simulate(
        preset, lanes=["exact", *(qv.Lane(form, integrator="gauss6") for form in FORMS)]
    ).lanes
    for lane in (exact, *lanes):
        check_states(name, lane, 1e-9, 1e-9, until=30.0)
    A = 1.0 / np.diag(preset.body.inertia)
    h0 = np.array(CASES[name]["inputs"]["h0_body"])
    G = float(np.linalg.norm(h0))
    k = G * np.sqrt((A[0] - A[1]) * (A[1] - A[2]))
    direction = np.sign(exact.h[1, 1] - exact.h[0, 1])
    expected = G * np.tanh(direction * k * exact.t + np.arctanh(h0[1] / G))
    assert exact.h[:, 1] == pytest.approx(expected, abs=1e-12 * G), "Principia's formula"


@pytest.mark.parametrize(
    "form", [*FORMS, "lie_group", "hamilton_canonical", "lagrange_full/split", "lagrange_simplified/torque"]
)
def test_grioli_regular_precession(form: str) -> None:
    name = "grioli_precession"
    body, loads = top(name)
    lane = qv.simulate(make_preset(name, 1e-3, body, loads), lanes=[qv.Lane(form, integrator="rk4")]).lanes[0]
    check_states(name, lane, 1e-8, 1e-8, until=5.0)
    until = lane.t <= 5.0
    speed = CASES[name]["inputs"]["rate_n"]
    # Spin and precession have equal rates about perpendicular axes, so that |omega| is sqrt 2 times this rate.
    assert np.linalg.norm(lane.omega[until], axis=1) == pytest.approx(np.sqrt(2.0) * speed, abs=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_kovalevskaya_integral_is_conserved(form: str) -> None:
    name = "kovalevskaya_top_integral"
    body, loads = top(name)
    lane = qv.simulate(
        make_preset(name, 5e-3, body, loads), lanes=[qv.Lane(form, integrator="gauss6")]
    ).lanes[0]
    check_states(name, lane, 1e-8, 1e-8)
    w1, w2, _ = lane.omega.T
    e0, e1, e2, e3 = lane.p.T
    g1, g2 = 2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1)  # the vertical, in the body
    integral = (w1**2 - w2**2 - g1) ** 2 + (2.0 * w1 * w2 - g2) ** 2
    assert integral == pytest.approx(CASES[name]["reference"][0]["K"], abs=1e-9)


@pytest.mark.parametrize("form", ["exact", *FORMS, "lie_group"])
def test_dual_spin_gyrostat(form: str) -> None:
    name = "dual_spin_axisymmetric_gyrostat"
    inputs = CASES[name]["inputs"]
    rotor = qv.Rotor(axis=[0, 0, 1], law="constant_momentum", momentum=inputs["rotor_momentum_body"][2])
    preset = make_preset(name, 1e-2, body_of(inputs, rotors=[rotor]), interval=1.0)
    lane = qv.simulate(preset, lanes=[form if form == "exact" else qv.Lane(form, integrator="gauss6")]).lanes[
        0
    ]
    check_states(name, lane, 1e-10, 1e-11)
    turned = (0.2 - 0.1j) * np.exp(1j * CASES[name]["published"][0]["lambda"] * lane.t)
    assert lane.omega[:, 0] + 1j * lane.omega[:, 1] == pytest.approx(turned, abs=1e-11)


def test_thruster_pulse() -> None:
    """Fixed steps would need to resolve edges of 1 us; adaptive steps end at them."""
    name = "thruster_pulse_10ms"
    torque = qv.Torque(torque=CASES[name]["inputs"]["torque"], frame="body")
    preset = make_preset(name, 1e-2, loads=[torque], interval=1.0)
    lane = qv.simulate(preset, lanes=[qv.Lane("newton_euler", integrator="dop853")]).lanes[0]
    (reference,) = CASES[name]["reference"]
    assert lane.h[-1] == pytest.approx(reference["h_body"], abs=1e-6)
    assert 2.0 * np.arctan2(lane.p[-1, 1], lane.p[-1, 0]) % (2.0 * np.pi) == pytest.approx(
        reference["angle_about_x_rad"], abs=1e-5
    )

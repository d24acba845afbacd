"""Claims in the texts of the presets on the constraint and on time reversal."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle


def test_preset_claims_about_drift() -> None:
    run = qv.simulate(qv.load_preset("drift"))
    end = {lane.name: abs(lane.constraint[-1]) for lane in run.lanes}
    energy = {lane.name: np.abs(lane.energy_drift).max() for lane in run.lanes}
    rate = {lane.name: np.abs(lane.constraint_rate).max() for lane in run.lanes}
    stray = {lane.name: run.orientation_error(lane.name, "By construction").max() for lane in run.lanes}
    assert end["Not stabilized"] == pytest.approx(1.6e-5, rel=0.05)
    middle = abs(run["Not stabilized"].constraint[len(run["Not stabilized"].t) // 2])
    assert end["Not stabilized"] > 3.0 * middle, "faster than in a straight line"
    assert end["Renormalization"] < 1e-14
    assert rate["Renormalization"] == pytest.approx(rate["Not stabilized"], rel=0.1)
    assert energy["Renormalization"] > 0.5 * energy["Not stabilized"]
    assert energy["Not stabilized"] > 1000 * energy["Projection"]
    assert rate["Projection"] < 1e-14
    pulled = np.abs(run["Baumgarte’s method"].constraint)
    assert pulled.max() == pytest.approx(6e-7, rel=0.1)
    assert pulled[-500:].max() > 0.5 * pulled.max(), "it neither grows nor goes"
    assert end["By construction"] < 1e-13
    assert (
        stray["Not stabilized"]
        > stray["Renormalization"]
        > 10 * stray["Baumgarte’s method"]
        > 10 * stray["Projection"]
    )
    assert 0.5 < 1000 * stray["Not stabilized"] < np.pi, (
        "seen when enlarged a thousand times, and not limited"
    )


def test_preset_claims_about_motion_off_the_sphere() -> None:
    preset = qv.load_preset("off_the_sphere")
    run = qv.simulate(preset)
    at = round(5.0 / preset.run.sample_interval)
    since = run.lanes[0].t[at:] - 5.0
    assert run["Augmented system"].constraint[at:] == pytest.approx(2e-3 * since, abs=1e-7)
    closed = np.abs(run["Closed form"].constraint[at:])
    speed = np.linalg.norm(run["newton_euler"].omega, axis=1).mean()
    assert closed.max() == pytest.approx(2e-3 / (speed / np.sqrt(2.0)), rel=0.05)
    crossings = np.flatnonzero(np.diff(np.sign(run["Closed form"].constraint[at + 1 :])))
    assert np.diff(since[crossings]).mean() == pytest.approx(np.pi / (speed / np.sqrt(2.0)), rel=0.05)
    second, step = at + round(1.0 / preset.run.sample_interval), at + 1
    assert (
        np.abs(run["Baumgarte’s method"].constraint[second:]).max()
        < 1e-2 * np.abs(run["Baumgarte’s method"].constraint).max()
    )
    assert np.abs(run["Projection"].constraint_rate[step:]).max() < 1e-14
    assert run.orientation_error("Augmented system", "newton_euler")[-1] == pytest.approx(0.9, abs=0.05)
    assert "no effect" in run["newton_euler"].warnings[0]
    for lane in run.lanes:
        if lane.name != "unconstrained":
            assert relative_angle(lane.p[at], run["newton_euler"].p[at]) < 1e-7, (
                "the push alone turns nothing"
            )


def test_round_trip_restores_the_input() -> None:
    preset = qv.load_preset("round_trip")
    run = qv.simulate(preset)
    exact = qv.simulate(preset, lanes=["lie_group"], dt=1e-3).lanes[0]
    assert relative_angle(exact.p[-1], exact.p[0]) < 1e-10
    half = len(exact.t) // 2
    hamilton = [run[name] for name in ("0.1 s", "0.05 s", "0.025 s")]
    out = [relative_angle(lane.p[half], exact.p[half]) for lane in hamilton]
    back = [relative_angle(lane.p[-1], lane.p[0]) for lane in hamilton]
    assert [out[0] / out[1], out[1] / out[2]] == pytest.approx([16, 16], rel=0.1)
    assert [back[0] / back[1], back[1] / back[2]] == pytest.approx([32, 32], rel=0.05)
    for lane in hamilton:
        assert lane.energy_drift[-1] == pytest.approx(2.0 * lane.energy_drift[half], rel=0.1)
    wild = run["p and p′, 0.1 s"]
    assert relative_angle(wild.p[half], exact.p[half]) > 2.0
    assert relative_angle(wild.p[-1], wild.p[0]) == pytest.approx(1 / 3, abs=0.05)

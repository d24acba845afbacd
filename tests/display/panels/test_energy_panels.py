"""Panels of energies, momenta and the ring's multiplier, each compared with its definition."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.frame import RunInfo
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.simulation.simulation import Simulation


def panel_and_info(panel_name: str, preset: qv.Preset) -> tuple[TimePanel, RunInfo]:
    run = Simulation(preset)
    panel = PANELS[panel_name]()
    assert isinstance(panel, TimePanel)
    return panel, run_info(run, LaneStyles().matching(len(run.lanes)))


def quantities_of(panel_name: str, preset_name: str, option: str = "") -> list[str]:
    panel, info = panel_and_info(panel_name, qv.load_preset(preset_name))
    return [strip.quantity for strip in panel.strips_of(option, info)]


@cache
def solved(name: str, duration: float) -> qv.Run:
    return qv.simulate(qv.load_preset(name), duration=duration)


def test_energy_panel_shows_kinetic_and_potential_parts() -> None:
    assert quantities_of("energy", "heavy_top") == ["kinetic", "potential", "energy"]
    assert quantities_of("energy", "ring_damper_gravity") == ["kinetic", "potential", "energy"]
    assert quantities_of("energy", "torque_free") == ["energy"]
    assert quantities_of("energy", "ring_damper") == ["energy"], "no gravity, no potential"


def test_potential_of_a_single_lane_is_shown() -> None:
    lanes = [
        qv.Lane("newton_euler"),
        qv.Lane("hamilton", loads=[qv.Gravity(weight=20.0, centre=[0.0, 0.0, 0.1])]),
    ]
    panel, info = panel_and_info("energy", replace(qv.load_preset("torque_free"), lanes=lanes))
    assert [strip.quantity for strip in panel.strips_of("", info)] == ["kinetic", "potential", "energy"]


@pytest.mark.parametrize(
    ("name", "note"), [("tumbling_brick", "of the rotation only"), ("body_on_spring", ""), ("heavy_top", "")]
)
def test_energy_panel_states_if_translation_is_excluded(name: str, note: str) -> None:
    panel, info = panel_and_info("energy", qv.load_preset(name))
    assert panel.note_of("", info) == note


def test_canonical_momenta_are_the_integrated_states() -> None:
    lane = qv.simulate(qv.load_preset("simo_wong_top"), lanes=["hamilton_canonical"], duration=1.0)[
        "hamilton_canonical"
    ]
    names = [lane.state_names.index(name) for name in ("g0", "g1", "g2", "g3")]
    assert lane.canonical_momentum == pytest.approx(lane.states[:, names], abs=1e-7)
    assert (lane.p * lane.canonical_momentum).sum(axis=1) == pytest.approx(0.0, abs=1e-9)


def test_linear_momentum_is_the_integral_of_the_forces() -> None:
    preset = qv.load_preset("tumbling_brick")
    lane = qv.simulate(preset)["newton_euler"]
    mass = preset.body.mass
    assert mass is not None
    assert lane.momentum == pytest.approx(mass * lane.centre_velocity)
    weight = -np.gradient(lane.momentum[:, 2], lane.t)
    assert weight[1:-1] == pytest.approx(mass * 9.81, rel=2e-3)
    assert "momentum" in quantities_of("centre_of_mass", "tumbling_brick", "momentum")


@pytest.mark.parametrize("name", ["ring_damper", "ring_damper_gravity"])
def test_mu_is_friction_plus_slope_of_the_potential(name: str) -> None:
    """S3(61): mu = C_d R^2 beta' + dV/dbeta, with V differenced numerically."""
    assert "ring_multiplier" in quantities_of("ring", name)
    preset = qv.load_preset(name)
    ring = preset.body.ring
    assert ring is not None
    lane = solved(name, 0.2)["ring_damper"]
    beta = np.radians(lane.ring_angle)
    rotations, gravity = rotation_matrix(lane.p), ring.mass * np.asarray(ring.gravity)

    def potential(angle: np.ndarray) -> np.ndarray:
        c, s = np.cos(angle), np.sin(angle)
        x, _, z = ring.centre
        center = np.stack((c * x, s * x, np.full_like(c, z)), axis=1)
        return -np.einsum("nij,nj,i->n", rotations, center, gravity)

    slope = (potential(beta + 1e-6) - potential(beta - 1e-6)) / 2e-6
    friction = ring.damping * ring.mean_radius**2 * lane.ring_rate
    assert lane.ring_multiplier == pytest.approx(friction + slope, abs=1e-9)
    assert np.isnan(
        qv.simulate(qv.load_preset("torque_free"), duration=0.1)["hamilton"]
        .engine.motion()
        .extra("ring_multiplier")
    ).all()


def test_ring_exchanges_energy_by_gravity_and_loses_it_by_friction() -> None:
    """S3(50): the potential of the ring in gravity."""
    run = solved("ring_damper_gravity", 2.0)
    lane = run["ring_damper"]
    assert np.ptp(lane.potential) > 1e-5
    assert (np.diff(lane.energy) < 1e-13).all(), "friction removes energy, gravity does not"
    assert lane.energy[-1] < lane.energy[0]

"""Control by constraint: the torque of the typed law satisfies the demand exactly and changes nothing else."""

import math

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import rotation_matrix


def test_controlled_axis_satisfies_the_demand_exactly() -> None:
    """c = b . k approaches cos 30 deg as a critically damped oscillator from rest does."""
    run = qv.simulate(qv.load_preset("control_by_constraint"))
    held, damping = run["Held"], 0.25
    c = rotation_matrix(held.p)[:, 2, 1]
    target = math.cos(math.radians(30.0))
    exact = target + (c[0] - target) * (1.0 + damping * held.t) * np.exp(-damping * held.t)
    assert held.status == "ok"
    assert np.abs(c - exact).max() < 1e-11
    assert math.degrees(math.acos(c[-1])) == pytest.approx(30.0, abs=1e-3)


def test_control_torque_is_minimal() -> None:
    """Udwadia's torque is along b x k: a component that does not affect the demand is zero."""
    preset = qv.load_preset("control_by_constraint")
    law = preset.lanes[0].loads[0].bind(preset.body)
    rng = np.random.default_rng(3)
    p = rng.normal(size=(20, 4))
    p /= np.linalg.norm(p, axis=1)[:, None]
    n = law.torque(np.zeros(20), p, rng.normal(size=(20, 3)))
    direction = np.cross([0.0, 1.0, 0.0], rotation_matrix(p)[:, 2, :])
    assert np.abs(np.cross(n, direction)).max() < 1e-12 * np.abs(n).max()

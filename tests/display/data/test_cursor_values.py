"""Euler parameters at the cursor, between two samples."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.frame_builder import poses_and_values
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation


def test_euler_parameters_at_the_cursor_have_unit_length() -> None:
    """Linear interpolation between two samples of a fast spin is shorter by one percent."""
    preset = qv.load_preset("heavy_top").with_run(lanes=["newton_euler"], duration=2.0)
    run = Simulation(preset.with_run(sample_interval=0.05))
    run.complete(jobs=1)
    lane = run["newton_euler"]
    ((pose, values),) = poses_and_values([lane], 1.234)
    assert np.linalg.norm(values["p"]) == pytest.approx(1.0, abs=1e-12)
    assert relative_angle(values["p"], pose.p) < 1e-12
    ((_, values),) = poses_and_values([lane], 1.25)
    assert values["p"] == pytest.approx(lane.p[25], abs=1e-15)

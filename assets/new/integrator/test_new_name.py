"""The integrator new_name converges with its order, and has help."""

import math

import quatviz as qv
from quatviz.physics.integrators import INTEGRATORS
from quatviz.teaching.help import find_section


def error(dt: float) -> float:
    """Return the largest error [rad] against the exact motion within a second."""
    preset = qv.load_preset("torque_free")
    lanes = [qv.Lane("newton_euler", integrator="new_name", dt=dt), "exact"]
    run = qv.simulate(preset, lanes=lanes, duration=1.0, sample_interval=0.04)
    return float(run.orientation_error("newton_euler", reference="exact").max())


def test_error_follows_declared_order() -> None:
    order = math.log2(error(0.02) / error(0.01))
    assert abs(order - INTEGRATORS["new_name"].order) < 0.3


def test_help_exists() -> None:
    assert "**Order**" in find_section("integrators#new_name-new-name").text

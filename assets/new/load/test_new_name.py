"""The kernel of the load new_name agrees with its definition, in all formulations."""

import numpy as np

import quatviz as qv
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.teaching.help import find_section


def preset(load) -> qv.Preset:
    return qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[0.5, -0.5, 0.5, 0.5], angular_velocity=[0.3, -0.2, 0.5]),
        loads=[load],
    )


def test_kernel_equals_definition() -> None:
    """The finite-difference rate of the angular momentum equals the torque of the definition."""
    (load,) = LOADS["new_name"].samples()
    lane = qv.simulate(
        preset(load), lanes=["newton_euler"], dt=1e-3, duration=0.01, sample_interval=1e-3
    ).lanes[0]
    rate = (lane.h_space[6] - lane.h_space[4]) / 2e-3
    A = rotation_matrix(lane.p[5])
    n = load.reference_torque(lane.t[5], A, lane.omega[5], np.diag([1.0, 2.0, 3.0]))
    assert np.abs(rate - A @ n).max() < 1e-6 * np.abs(n).max()


def test_formulations_agree_with_load() -> None:
    (load,) = LOADS["new_name"].samples()
    run = qv.simulate(preset(load), lanes=["newton_euler", "lie_group"], dt=1e-3, duration=1.0)
    assert run.orientation_error("lie_group", reference="newton_euler").max() < 1e-9


def test_help_lists_load() -> None:
    assert "| `new_name` |" in find_section("loads").text

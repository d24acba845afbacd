"""The quantity new_name: a property of lanes, and its value for a known motion."""

import numpy as np

import quatviz as qv


def test_quantity_equals_known_value() -> None:
    """J omega is [1, 0, 2] for the principal moments 1, 1, 2 and omega = [1, 0, 1]; the angle stays."""
    start = qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[1.0, 0.0, 1.0])
    preset = qv.Preset(body=qv.Body(inertia=[1.0, 1.0, 2.0]), initial=start)
    run = qv.simulate(preset, lanes=["newton_euler"], duration=1.0)
    assert np.abs(run["newton_euler"].new_name - np.arccos(3.0 / np.sqrt(10.0))).max() < 1e-9
    assert run.to_dataframe(["new_name"]).columns.tolist() == ["newton_euler:new_name"]

"""A newly added load has a visible but moderate effect on every kind of body."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.loads import LOADS, MotionScale
from quatviz.physics.mechanics.rotations import from_rotation_vector

NAMES = ("heavy_top", "torque_free", "explorer", "spring_disk", "intermediate_axis")
FIXED_BY_NATURE = ("gravity_gradient",)
"""Loads whose size is that of the Earth's field, whatever the body."""


@pytest.mark.parametrize("preset_name", NAMES)
@pytest.mark.parametrize("load_name", sorted(LOADS))
def test_new_load_changes_the_motion_within_a_few_turns(load_name: str, preset_name: str) -> None:
    preset = qv.load_preset(preset_name)
    body, omega = preset.body, preset.initial.omega(preset.body)
    scale = MotionScale.from_motion(body, omega)
    load = LOADS[load_name](**LOADS[load_name].start_values(scale))
    assert not load.is_zero or (load_name == "gravity" and body.about == "centre_of_mass")
    if load_name in FIXED_BY_NATURE or load.is_zero:
        return
    p = from_rotation_vector(np.array([[0.3, 0.2, 0.4]]))
    rates = np.array([scale.rate * np.array([0.6, 0.64, 0.48])])
    torque = np.linalg.norm(load.bind(body).torque(np.zeros(1), p, rates))
    is_weight_of_body = load_name == "gravity" and body.mass is not None
    assert torque > 0.0
    assert is_weight_of_body or 1e-3 < torque / scale.torque < 2.0


def test_new_gravity_uses_the_weight_of_the_body() -> None:
    top = qv.load_preset("heavy_top").body
    values = LOADS["gravity"].start_values(MotionScale.from_motion(top, np.zeros(3)))
    assert values == {"weight": 20.0, "centre": [0.0, 0.0, 1.0]}


def test_values_of_a_new_load_have_few_digits() -> None:
    scale = MotionScale.from_motion(qv.Body(inertia=[1.2345, 2.3456, 3.0]), np.array([1.1111, 0.0, 0.0]))
    assert scale.length == 1.0
    assert LOADS["torque"].start_values(scale) == {"torque": [0.0, 0.0, 0.27]}

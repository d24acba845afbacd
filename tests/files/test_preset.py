"""Run settings, lanes, and the preset that holds them."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset, RunSettings, steps_per_sample
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial


def gravity(height):
    return Gravity(20, np.array([0, 0, height]))


def preset(**changes):
    parts = {
        "body": Body([1, 2, 3]),
        "initial": Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 1, 0]),
        "loads": [gravity(1)],
        "lanes": ["hamilton"],
    }
    return Preset(**{**parts, **changes})


@given(st.integers(1, 10_000), st.floats(1e-6, 1.0))
def test_steps_per_sample_tolerates_rounding(steps, dt):
    assert steps_per_sample(dt, steps * dt) == steps
    assert steps_per_sample(steps * dt / steps * (1 + 1e-12), steps * dt) == steps


@pytest.mark.parametrize(("dt", "interval"), [(1e-3, 0.01), (0.1, 0.3), (1e-4, 1.0), (0.01, 0.01)])
def test_dividing_steps_are_accepted(dt, interval):
    assert steps_per_sample(dt, interval) == round(interval / dt)


@pytest.mark.parametrize(("dt", "interval"), [(0.003, 0.01), (0.02, 0.01), (0.0100001, 0.01)])
def test_non_dividing_step_is_refused_with_a_suggestion(dt, interval):
    with pytest.raises(InputError, match="divides sample_interval") as caught:
        steps_per_sample(dt, interval)
    suggested = float(caught.value.remedy.split("dt = ")[1].split(",")[0])
    assert steps_per_sample(suggested, interval) >= 1


WRONG_RUNS = [
    ({"duration": 0}, "duration", "above 0"),
    ({"duration": -1}, "duration", "above 0"),
    ({"dt": 0}, "dt", "above 0"),
    ({"dt": 0.003}, "dt", "write dt = 0.00333333333333"),
    ({"sample_interval": float("inf")}, "sample_interval", "finite"),
    ({"sample_interval": 2}, "sample_interval", "at most the duration"),
    ({"integrator": "rk 4"}, "integrator", "rk4"),
]


@pytest.mark.parametrize(("wrong", "key", "message"), WRONG_RUNS)
def test_invalid_run_settings_are_refused(wrong, key, message):
    with pytest.raises(InputError) as caught:
        RunSettings(**{"duration": 1, "dt": 1e-3, "sample_interval": 0.01, **wrong})
    assert caught.value.key == key
    assert message in str(caught.value)


def test_lanes_are_parsed_from_text():
    assert Lane.from_string("hamilton") == Lane("hamilton")
    text = "lagrange_full/split, dt=1e-2, integrator = rk4,stabilisation=project"
    lane = Lane.from_string(text)
    assert lane == Lane("lagrange_full/split", dt=0.01, integrator="rk4", stabilisation="project", name=text)
    assert Lane.from_string("hamilton,dt=1e-2,name=coarse").name == "coarse"


WRONG_LANES = [
    ("", "formulation", "letters, digits"),
    ("hamil ton", "formulation", "letters, digits"),
    ("hamilton,dt=small", "dt", "'small'"),
    ("hamilton,dt=-1", "dt", "above 0"),
    ("hamilton,dt", "", "key=value"),
    ("hamilton,dt=1,dt=2", "", "each key once"),
    ("hamilton,stabilization=none", "stabilization", "did you mean 'stabilisation'?"),
    ("hamilton,name=", "name", "a name"),
    ("hamilton,name=a\nb", "name", "in one line"),
]


@pytest.mark.parametrize(("text", "key", "message"), WRONG_LANES)
def test_invalid_lanes_are_refused(text, key, message):
    with pytest.raises(InputError) as caught:
        Lane.from_string(text)
    assert caught.value.key == key
    assert message in str(caught.value)
    assert caught.value.place.startswith(f"lane {text!r}")


def test_lane_settings_are_keywords():
    with pytest.raises(TypeError):
        Lane("hamilton", "rk4")  # type: ignore[call-arg]


def test_preset_from_a_script():
    made = preset(lanes=["hamilton", Lane("hamilton", dt=1e-2, name="coarse")])
    assert made.lanes == (Lane("hamilton"), Lane("hamilton", dt=1e-2, name="coarse"))
    assert isinstance(made.loads, tuple)
    assert made.run.integrator == "rk4"


def test_presets_are_equal_by_value():
    assert preset() == preset(name="elsewhere")
    assert hash(preset()) == hash(preset())
    assert preset() != preset(loads=[gravity(2)])
    assert preset() != preset(loads=[])


def test_unnamed_equal_lanes_are_accepted():
    assert len(preset(lanes=["hamilton", "hamilton"]).lanes) == 2


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"lanes": [Lane("hamilton", name="a"), Lane("newton_euler", name="a")]}, "lanes[1].name"),
        ({"lanes": ["hamilton", Lane("hamilton", dt=0.003)]}, "lanes[1].dt"),
        ({"title": 3}, "title"),
        ({"body": 3}, "body"),
        ({"initial": None}, "initial"),
        ({"run": {"duration": 1}}, "run"),
        ({"loads": Gravity(1.0, [0, 0, 1])}, "loads"),
        ({"loads": [None]}, "loads[0]"),
        ({"events": ["kick"]}, "events[0]"),
        ({"lanes": "hamilton"}, "lanes"),
        ({"lanes": [3]}, "lanes[0]"),
        ({"lanes": ["hamilton"] * 201}, "lanes"),
    ],
)
def test_invalid_presets_are_refused(changes, key):
    with pytest.raises(InputError) as caught:
        preset(**changes)
    assert caught.value.key == key


def test_changed_sample_interval_is_checked_for_every_lane():
    made = preset(lanes=[Lane("hamilton", dt=5e-3)])
    with pytest.raises(InputError) as caught:
        dataclasses.replace(made, run=RunSettings(1, 1e-3, 0.008))
    assert caught.value.key == "lanes[0].dt"

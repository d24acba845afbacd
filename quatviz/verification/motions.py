"""Motions that the checks use: motions with reference states, and random motions."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from quatviz.base import resources
from quatviz.files.preset import Preset
from quatviz.physics.loads import GRADIENT_TOLERANCE, LOADS, gradient_errors
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import normalize
from quatviz.verification.arrays import random_inertia


@cache
def reference_cases() -> dict[str, dict[str, Any]]:
    """Return the reference cases by name.

    Each case has `input` (body, initial and loads of a preset), `times` [s], `e` (scalar first) and `h_body` [kg
    m^2/s]. The states were computed by an extrapolation method in 80-bit arithmetic; `max_abs_error` is the difference
    between two step sizes.
    """
    cases = {**read_reference("states"), **read_reference("benchmarks")}
    return {case: case_data for case, case_data in cases.items() if "input" in case_data}


@cache
def read_reference(name: str) -> dict[str, Any]:
    """Return the content of a file in `assets/reference`."""
    data: dict[str, Any] = json.loads(resources.asset_path(f"reference/{name}.json").read_text("utf-8"))
    return data


def reference_preset(case: str) -> Preset:
    """Return the preset of a reference case, without lanes."""
    case_input = reference_cases()[case]["input"]
    loads = [
        LOADS[load["kind"]](**{key: value for key, value in load.items() if key != "kind"})
        for load in case_input["loads"]
    ]
    return Preset(
        name=case, body=Body(**case_input["body"]), initial=Initial(**case_input["initial"]), loads=loads
    )


def sample_loads(only_consistent: bool = True) -> list[Load]:
    """Return sample loads of every type. With `only_consistent`, omit loads whose kernels are not the gradient of
    their potential."""
    loads = [load for load_class in LOADS.values() for load in load_class.samples()]
    return [
        load
        for load in loads
        if not only_consistent or max(potential_errors(load).values(), default=0.0) < GRADIENT_TOLERANCE
    ]


def potential_errors(load: Load) -> dict[str, float]:
    """Return the errors of the kernels of a load with a potential. The keys name the conditions that the
    kernels should satisfy, such as being the gradient of the potential.
    """
    errors: dict[str, float] = {}
    for name, error in gradient_errors(load.bind(random_preset(3).body)):
        errors[name] = max(error, errors.get(name, 0.0))
    return errors


def random_preset(seed: int, loads: Sequence[Load] = ()) -> Preset:
    """Return a preset with a random body, of full inertia matrix, in random motion."""
    random = np.random.default_rng(seed)
    inertia = random_inertia(random, 1)[0]
    return Preset(
        name=f"random {seed}",
        body=Body(inertia=inertia),
        initial=Initial(
            euler_parameters=normalize(random.normal(size=4)), angular_velocity=2.0 * random.normal(size=3)
        ),
        loads=loads,
    )


def ring_preset(damping: float, gravity: float) -> Preset:
    """Return a preset of rotor and ring from the reference `ring_damper`, without lanes.

    `damping` is C_d [kg/s]; `gravity` [m/s^2] acts along space -z.
    """
    case_input = read_reference("ring_damper")["input"]
    initial = case_input["initial"]
    ring = Ring(
        mass=case_input["mercury_mass"],
        mean_radius=case_input["mean_radius"],
        offset=case_input["offset"],
        arc_angle=case_input["arc_angle"],
        damping=damping,
        gravity=[0.0, 0.0, -gravity],
        beta=initial["beta"],
        spin=initial["omega_m3"],
    )
    return Preset(
        body=Body(inertia=case_input["rotor_inertia"], ring=ring),
        initial=Initial(
            euler_parameters=initial["euler_parameters"], angular_velocity=initial["angular_velocity"]
        ),
    )

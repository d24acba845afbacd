"""The motions that everything is checked on: those with reference states, and random ones."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from quatviz.base import resources
from quatviz.files.preset import Preset
from quatviz.physics.loads import LOADS, SLOPE_TOLERANCE, slope_errors
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import normalise
from quatviz.verification.arrays import random_inertia


@cache
def states() -> dict[str, dict[str, Any]]:
    """The reference cases by name: `input` (a preset's body, initial and loads), `times` [s], `e` scalar first, `h_body`
    [kg m^2/s]. From an extrapolation method in 80-bit arithmetic; `max_abs_error` is the difference between two step sizes."""
    whole = {**reference("states"), **reference("benchmarks")}
    return {case: given for case, given in whole.items() if "input" in given}


@cache
def reference(name: str) -> dict[str, Any]:
    """What a file of `assets/reference` says."""
    found: dict[str, Any] = json.loads(resources.asset(f"reference/{name}.json").read_text("utf-8"))
    return found


def preset_of(case: str) -> Preset:
    """The preset that a reference case describes; it has no lanes yet."""
    given = states()[case]["input"]
    loads = [
        LOADS[load["kind"]](**{key: value for key, value in load.items() if key != "kind"})
        for load in given["loads"]
    ]
    return Preset(name=case, body=Body(**given["body"]), initial=Initial(**given["initial"]), loads=loads)


def load_samples(true: bool = True) -> list[Load]:
    """Loads of every kind, with numbers that do something; without those whose potential and kernels disagree, unless asked for."""
    loads = [load for kind in LOADS.values() for load in kind.samples()]
    return [
        load for load in loads if not true or max(slopes_of(load).values(), default=0.0) < SLOPE_TOLERANCE
    ]


def slopes_of(load: Load) -> dict[str, float]:
    """What the kernels of a load with a potential must be, on some body, and how far they are from it."""
    found: dict[str, float] = {}
    for what, error in slope_errors(load.bind(random_preset(3).body)):
        found[what] = max(error, found.get(what, 0.0))
    return found


def random_preset(seed: int, loads: Sequence[Load] = ()) -> Preset:
    """A body with a full inertia matrix in a random motion."""
    random = np.random.default_rng(seed)
    inertia = random_inertia(random, 1)[0]
    return Preset(
        name=f"random {seed}",
        body=Body(inertia=inertia),
        initial=Initial(
            euler_parameters=normalise(random.normal(size=4)), angular_velocity=2.0 * random.normal(size=3)
        ),
        loads=loads,
    )


def ring_preset(damping: float, gravity: float) -> Preset:
    """The rotor and the ring of the reference `ring_damper` with this C_d [kg/s], under gravity [m/s^2] along
    space -z; without lanes."""
    given = reference("ring_damper")["input"]
    initial = given["initial"]
    ring = Ring(
        mass=given["mercury_mass"],
        mean_radius=given["mean_radius"],
        offset=given["offset"],
        arc_angle=given["arc_angle"],
        damping=damping,
        gravity=[0.0, 0.0, -gravity],
        beta=initial["beta"],
        spin=initial["omega_m3"],
    )
    return Preset(
        body=Body(inertia=given["rotor_inertia"], ring=ring),
        initial=Initial(
            euler_parameters=initial["euler_parameters"], angular_velocity=initial["angular_velocity"]
        ),
    )

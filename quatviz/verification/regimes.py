"""Sample motions of every type that has a closed-form solution."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.exact import SOLUTIONS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, normalize
from quatviz.verification.motions import random_preset

_DEFAULT_ATTITUDE = normalize(np.array([0.9, 0.1, -0.3, 0.2]))


def closed_form_presets() -> dict[str, Preset]:
    """Return presets without lanes, by description."""
    presets = {**_free_presets(), **_top_presets(), **_plane_presets(), **_solution_samples()}
    return {name: replace(preset, name=name) for name, preset in presets.items()}


def _solution_samples() -> dict[str, Preset]:
    """Return the sample motions that the solutions define, keyed by solution and name of the sample."""
    return {
        f"{solution}: {name}": Preset(body=body, initial=initial, loads=loads)
        for solution, solution_class in SOLUTIONS.items()
        for name, (body, initial, loads) in solution_class.samples().items()
    }


def _free_presets() -> dict[str, Preset]:
    triangle = [3.0, 4.0, 6.0]  # on the separatrix where |h1| = |h3|
    return {
        "free, h^2/2T > J2": _make_preset(triangle, h=[1.0, -0.4, 2.0]),
        "free, h^2/2T < J2": _make_preset(triangle, h=[-2.0, 0.5, 0.9]),
        "free, separatrix": _make_preset(triangle, h=[-1.0, 0.3, 1.0]),
        "free, 1e-9 beside the separatrix": _make_preset(triangle, h=[1.0, 0.3, 1.0 + 1e-9]),
        "free, full inertia": random_preset(3),
        "free, J1 = J2": _make_preset([2.0, 2.0, 1.0], h=[1.0, -0.4, 2.0]),
        "free, J2 = J3": _make_preset([1.0, 1.7, 1.7], h=[1.0, -0.4, 2.0]),
        "free, J1 = J2 but for 1e-10": _make_preset([2.0, 2.0 + 1e-10, 1.0], h=[1.0, -0.4, 2.0]),
        "free, sphere": _make_preset([2.0, 2.0, 2.0], h=[1.0, -0.4, 2.0]),
        "free, middle axis": _make_preset(triangle, h=[0.0, 5.0, 0.0]),
        "free, beside a stable axis": _make_preset(triangle, h=[1e-9, 0.0, 5.0]),
        "free, at rest": _make_preset(triangle, h=[0.0, 0.0, 0.0]),
    }


def _top_presets() -> dict[str, Preset]:
    def top(tilt: float, omega: Sequence[float], J3: float = 1.0, **options: object) -> Preset:
        p = options.pop("p", from_rotation_vector([tilt, 0.0, 0.0]))
        loads = options.pop("loads", [Gravity(weight=20.0, centre=[0.0, 0.0, 1.0])])
        return _make_preset([5.0, 5.0, J3], omega=omega, p=p, loads=loads)  # type: ignore[arg-type]

    steady = 20.0 / 0.8 + 4.0 * 0.8 * np.cos(1.0)  # W = (J3 omega3 - (J1 - J3) ...) precession, at 0.8 rad/s
    rising = [0.0, 1.0, 0.0, 0.0]
    axis = np.array([0.48, -0.6, 0.64])
    tilted = 5.0 * np.eye(3) - 4.0 * np.outer(axis, axis)
    return {
        "top, cusps": top(0.3, [0.0, 0.0, 20.0]),
        "top, loops": top(0.3, [0.0, -0.4, 20.0]),
        "top, waves": top(0.3, [0.3, 0.6, 20.0]),
        "top, steady": top(1.0, [0.0, 0.8 * np.sin(1.0), steady + 0.8 * np.cos(1.0)]),
        "top, through the vertical": top(0.0, [3.0, 1.0, 5.0]),
        "top, asleep": top(0.0, [0.0, 0.0, 30.0]),
        "top, waking": top(1e-3, [0.0, 0.0, 5.0]),
        "top, rising for ever": top(0.0, [2.4, 3.2, 0.0], p=rising),
        "top, flat": top(1.3, [0.4, -1.0, 4.0], J3=9.0),
        "spherical pendulum": top(2.0, [0.3, 0.5, 0.0]),
        "plane pendulum of a top": top(2.0, [1.3, 0.0, 0.0]),
        "top with a force of any direction": _make_preset(
            (0.5 * (tilted + tilted.T)).tolist(),
            omega=[0.3, -1.0, 2.0],
            loads=[PointForce(force=[1.0, 2.0, -1.5], point=(2.0 * axis).tolist())],
        ),
    }


def _plane_presets() -> dict[str, Preset]:
    spring = [GuidedSpring(stiffness=10.0, point=[1.0, 0.0, 0.0], direction=[0.0, 1.0, 0.0])]

    def disk(angle: float, rate: float) -> Preset:
        return _make_preset(
            [1.0, 1.0, 2.0], omega=[0.0, 0.0, rate], p=from_rotation_vector([0.0, 0.0, angle]), loads=spring
        )

    level = multiply(from_rotation_vector([0.5 * np.pi, 0.0, 0.0]), [1.0, 0.0, 0.0, 0.0])
    weight = [Gravity(weight=5.0, centre=[0.1, 0.3, 0.0])]
    return {
        "spring disk, swinging": disk(0.5, 0.7),
        "spring disk, turning": disk(0.5, -2.6),
        "spring disk, near the top": disk(0.0, 2.2360679),
        "physical pendulum": _make_preset([1.0, 1.3, 2.0], omega=[0.0, 0.0, 1.0], p=level, loads=weight),
        "physical pendulum, turning": _make_preset(
            [1.0, 1.3, 2.0], omega=[0.0, 0.0, -5.0], p=level, loads=weight
        ),
    }


def _make_preset(
    inertia: Sequence[object],
    *,
    h: Sequence[float] | None = None,
    omega: Sequence[float] | None = None,
    p: Sequence[float] | np.ndarray = _DEFAULT_ATTITUDE,
    loads: Sequence[Load] = (),
) -> Preset:
    rate = {"angular_momentum": h} if h is not None else {"angular_velocity": omega}
    return Preset(
        body=Body(inertia=inertia, about="pivot"),
        initial=Initial(euler_parameters=np.asarray(p).tolist(), **rate),
        loads=loads,
    )

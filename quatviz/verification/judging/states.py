"""Random states at which rates are compared: of the preset, of bodies in principal axes, and of bodies with
products of inertia."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import InputError
from quatviz.files.preset import Preset, RunSettings
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalize
from quatviz.verification.arrays import random_inertia

PRESET, PRINCIPAL, GENERAL = "this preset", "bodies with principal axes", "bodies with products of inertia"
"""Names of the groups of states, shown in the result."""
SYMMETRIC = "symmetric bodies"
"""Name of the group of states for a formulation that does not read every moment of inertia."""
OTHER_LOADS = "this body under other loads"
"""Name of the group of states for a formulation that does not read the body because its equations contain the
numbers of one body."""
_SLOWNESS_EXPONENTS = (-2.3, 0.0)
"""Range of the decimal exponent of the factor by which the speed of slow states is scaled. At the lower limit, wrong
terms that are quadratic in the rates are still well above the rounding errors of states of usual speed."""
_LOAD_EXPONENTS = (-1.5, 1.5)
"""Range of the decimal exponent of the factor by which the loads of slow states are scaled, relative to loads of
usual size."""


class StateGroup(NamedTuple):
    """A group of states. `draw(count, seed)` returns `count` random states, whose times cover the whole duration of
    the run."""

    name: str
    draw: Callable[[int, int], Sequence[EvaluationPoint]]


def default_examination_preset() -> Preset:
    """Return the default preset: a body under gravity whose body axes are not principal axes."""
    return Preset(
        name="examination",
        body=Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
        initial=Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6]),
        loads=[Gravity(weight=3.0, centre=[0.1, -0.05, 0.3])],
        run=RunSettings(2.0, 4e-4, 4e-2),
    )


def state_groups(
    preset: Preset,
    is_given: bool,
    *,
    keeps_body: bool,
    keeps_loads: bool,
    has_variable_loads: bool,
    equal_moments: Mapping[int, int] | None = None,
) -> list[StateGroup]:
    """Return the groups of states at which a formulation is judged.

    Parameters
    ----------
    preset
        Preset of the run, whose duration determines the times.
    is_given
        True if the user chose the preset; its own states are then the first group.
    keeps_body, keeps_loads
        True if the formulation does not read the body, or the loads; those of the preset are then used.
    has_variable_loads
        True to include loads that depend on the rate and on time.
    equal_moments
        Principal moments that the formulation does not read, each with the moment used in its place: equations of a
        symmetric top are judged with symmetric bodies.

    Returns
    -------
    list of StateGroup
        The groups.
    """
    ranges = _Ranges(preset.run.duration, _typical_speed(preset), has_variable_loads)
    own_loads = bind(preset.loads, preset.body)
    own_group = StateGroup(PRESET, partial(_draw, ranges, lambda _: preset.body, lambda *_: own_loads))
    groups = [own_group] if is_given else []
    if keeps_body and keeps_loads:
        return groups or [own_group]
    if keeps_body:
        return [
            *groups,
            StateGroup(OTHER_LOADS, partial(_draw, ranges, lambda _: preset.body, _random_loads)),
        ]
    kinds = (
        [(SYMMETRIC, tuple(sorted(equal_moments.items())))]
        if equal_moments
        else [(PRINCIPAL, ()), (GENERAL, ())]
    )
    for name, equal in kinds:
        make_body = partial(_BODY_MAKERS[name], equal_moments=dict(equal))
        draw = (
            partial(_draw, ranges, make_body, lambda *_: preset.loads)
            if keeps_loads
            else partial(_random_states, ranges, name, equal)
        )
        groups.append(StateGroup(name, draw))
    return groups


def _typical_speed(preset: Preset) -> float:
    return max(float(np.linalg.norm(preset.initial.omega(preset.body))), 0.5)


def random_points(preset: Preset, count: int = 48, seed: int = 7) -> list[EvaluationPoint]:
    """Return `count` random states of a preset's body under the preset's loads, at times over the whole
    duration."""
    groups = state_groups(preset, True, keeps_body=True, keeps_loads=True, has_variable_loads=False)
    return list(groups[0].draw(count, seed))


def special_points(preset: Preset) -> list[EvaluationPoint]:
    """Return states at attitudes where coordinates are often singular: the identity, quarter turns and half turns."""
    random = np.random.default_rng(8)
    speed, loads = _typical_speed(preset), bind(preset.loads, preset.body)
    rotations = [
        (scalar, *axis) for scalar, size in ((1.0, 1.0), (1.0, -1.0), (0.0, 1.0)) for axis in size * np.eye(3)
    ]
    return [
        EvaluationPoint(
            preset.body,
            loads,
            float(random.uniform()),
            normalize(np.array(p)),
            speed * random.normal(size=3),
        )
        for p in [(1.0, 0.0, 0.0, 0.0), *rotations]
    ]


def other_body(body: Body) -> Body:
    """Return a body with another inertia, to test whether a formulation reads the body."""
    inertia = np.diag([1.3, 1.7, 0.9]) * float(np.trace(body.inertia))
    return Body(inertia=inertia, about="pivot")


def with_other_moment(body: Body, moment: int) -> Body | None:
    """Return a body with another value of the principal moment with index `moment`, or None if no such body
    is physically possible."""
    moments = np.diagonal(body.inertia).copy()
    for factor in (0.97, 1.03):
        moments[moment] *= factor
        try:
            return Body(inertia=moments, about="pivot")
        except InputError:
            moments[moment] /= factor
    return None


def other_loads() -> Sequence[Load]:
    """Return additional loads, to test whether a formulation reads the loads."""
    return (Torque(torque=[0.31, -0.83, 0.57], frame="body"),)


class _Ranges(NamedTuple):
    """Ranges from which states are drawn."""

    duration: float
    """Duration [s] over which the times are distributed."""
    speed: float
    """Typical angular speed [rad/s]."""
    has_variable_loads: bool
    """True to include loads that depend on omega and t."""


def _draw(
    ranges: _Ranges,
    make_body: Callable[[np.random.Generator], Body],
    make_loads: Callable[[np.random.Generator, bool, float], Sequence[Load | BoundLoad]],
    count: int,
    seed: int,
) -> Sequence[EvaluationPoint]:
    """Return states at random times, one in each of `count` equal parts of the duration.

    Every second state is a slow state of the same body as the state before it: the body rotates down to two hundred
    times more slowly, under smaller or larger loads. Slow states reveal equations that are wrong only for slow
    rotation.
    """
    random = np.random.default_rng(seed)
    times = ranges.duration * (random.permutation(count) + random.uniform(size=count)) / count
    states: list[EvaluationPoint] = []
    for k, t in enumerate(times):
        is_slow = k % 2 == 1
        body = states[-1].body if is_slow else make_body(random)
        loads = make_loads(
            random, ranges.has_variable_loads, 10.0 ** random.uniform(*_LOAD_EXPONENTS) if is_slow else 1.0
        )
        speed = ranges.speed * (10.0 ** random.uniform(*_SLOWNESS_EXPONENTS) if is_slow else 1.0)
        p, omega = normalize(random.normal(size=4)), speed * random.normal(size=3)
        states.append(EvaluationPoint(body, loads, float(t), p, omega))
    return tuple(states)


@lru_cache(maxsize=32)
def _random_states(
    ranges: _Ranges, name: str, equal_moments: tuple[tuple[int, int], ...], count: int, seed: int
) -> Sequence[EvaluationPoint]:
    """Return random states of random bodies of the group `name` under random loads.

    The states do not depend on the judged equations. They are cached with their torques, because equations are
    judged again after every edit.
    """
    return _draw(
        ranges, partial(_BODY_MAKERS[name], equal_moments=dict(equal_moments)), _random_loads, count, seed
    )


def _principal_body(random: np.random.Generator, equal_moments: Mapping[int, int]) -> Body:
    """Return a random body in principal axes. `equal_moments` maps the index of a moment to that of the
    moment it equals; for an asymmetric body it is empty."""
    squares = random.uniform(0.3, 1.5, 3)
    for moment, other in equal_moments.items():
        squares[moment] = squares[other]
    return Body(inertia=squares.sum() - squares, about="pivot")


def _general_body(random: np.random.Generator, equal_moments: Mapping[int, int]) -> Body:
    return Body(inertia=random_inertia(random, 1)[0], about="pivot")


_BODY_MAKERS = {PRINCIPAL: _principal_body, SYMMETRIC: _principal_body, GENERAL: _general_body}
"""Functions that return a random body, by the name of the group of states."""


def _random_loads(random: np.random.Generator, has_variable_loads: bool, size: float) -> Sequence[Load]:
    """Return a weight, a torque in the body and one in space, `size` times as large as usual; with `has_variable_loads`
    also damping, and a torque in the body that depends on t.
    """
    in_body: list[float | str] = [float(value) for value in size * random.normal(size=3)]
    loads: list[Load] = [
        Gravity(weight=size * float(random.uniform(1.0, 4.0)), centre=random.normal(size=3)),
        Torque(torque=size * random.normal(size=3), frame="space"),
    ]
    if has_variable_loads:
        in_body[0] = f"{size:.6g}*(1 + sin({random.uniform(1.0, 4.0):.3f}*t))"
        loads.append(Damping(coefficient=float(random.uniform(0.1, 0.5))))
    return [*loads, Torque(torque=in_body, frame="body")]

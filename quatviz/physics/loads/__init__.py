"""Loads, one file each, and functions on lists of loads.

`quatviz.loads()` returns the parameters of every load, with units and limits, by its name in presets.

>>> import quatviz
>>> quatviz.loads()["internal_dissipation"]
'coefficient: a number [N m s], at least 0, or an expression of t in quotes'
"""

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import parameters_of
from quatviz.base.registry import CallableModule
from quatviz.physics.loads._abrupt_changes import STOP, WIDER, WIDTH, load_changes, short_changes
from quatviz.physics.loads._gradient_check import GRADIENT_TOLERANCE, gradient_errors, refuse_wrong_gradient
from quatviz.physics.loads._kernels.packed import (
    PackedLoads,
    VariableLoadSum,
    body_torque,
    evaluate_loads,
    generalized_force,
)
from quatviz.physics.loads._packing import LOAD_FORMS, pack_loads, variable_sums
from quatviz.physics.loads._start_values import MotionScale
from quatviz.physics.loads.base import LOADS, BoundLoad, Load
from quatviz.physics.mechanics.body import Body

__all__ = [
    "GRADIENT_TOLERANCE",
    "LOADS",
    "LOAD_FORMS",
    "STOP",
    "WIDER",
    "WIDTH",
    "Load",
    "MotionScale",
    "PackedLoads",
    "VariableLoadSum",
    "bind",
    "body_torque",
    "conserves_energy",
    "evaluate_loads",
    "generalized_force",
    "gradient_errors",
    "listed",
    "load_changes",
    "orbiting_load",
    "pack_loads",
    "refuse_wrong_gradient",
    "short_changes",
    "target_attitude",
    "total_potential",
    "undefined_value_message",
    "variable_sums",
]

sys.modules[__name__].__class__ = CallableModule

LoadT = TypeVar("LoadT", Load, BoundLoad)


def listed() -> dict[str, str]:
    """Return the parameters of every load as text, with units and limits, by its name in presets."""
    return {
        name: "; ".join(
            f"{parameter.name}: {parameter.expected}" for parameter in parameters_of(load_class).values()
        )
        for name, load_class in LOADS.items()
    }


def bind(loads: Iterable[Load | BoundLoad], body: Body) -> tuple[BoundLoad, ...]:
    """Return the loads bound to `body`, which have force, torque and potential. Loads that are bound already are
    returned unchanged.

    >>> (weight,) = bind([LOADS["gravity"](weight=5.0, centre=[0.0, 0.0, 0.2])], Body(inertia=[1.0, 1.0, 0.5]))
    >>> upside_down = np.array([[0.0, 1.0, 0.0, 0.0]])
    >>> weight.potential(np.zeros(1), upside_down).tolist()
    [-1.0]
    """
    loads = tuple(loads)
    return tuple(load if isinstance(load, BoundLoad) else load.bind(body) for load in loads) if loads else ()


def orbiting_load(loads: Iterable[LoadT]) -> LoadT | None:
    """Return the first load that defines an orbit of the body, such as a gravity gradient; None if there is none.

    >>> orbiting_load([LOADS["damping"](coefficient=0.2)]) is None
    True
    """
    start = np.zeros(1)
    return next((load for load in loads if load.orbital_frame(start) is not None), None)


def target_attitude(loads: Iterable[Load | BoundLoad]) -> np.ndarray | None:
    """Return the target attitude (4), as unit Euler parameters, of the first controller that has a fixed target; None
    if there is none.

    >>> control = LOADS["attitude_control"](stiffness=1.0, damping=0.5, target=[0.0, 0.0, 0.0, 2.0])
    >>> target_attitude([LOADS["damping"](coefficient=0.2), control]).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    targets = ((load.load if isinstance(load, BoundLoad) else load).target_attitude for load in loads)
    return next((target for target in targets if target is not None), None)


def undefined_value_message(loads: Sequence[BoundLoad], t: Sequence[float]) -> str:
    """Return a message on the first expression without a finite value at one of the times t [s], or "" if all are
    finite."""
    for load in loads:
        for _, factor in load.parts:
            values = np.zeros(len(t)) if factor is None else factor.evaluate(np.asarray(t))
            invalid = np.flatnonzero(~np.isfinite(values))
            if factor is not None and len(invalid):
                load_name = phrase(load.name.replace("_", " "))
                return phrase(
                    "{expression!r} of the load {load} has no finite value at t = {time:.6g} s",
                    expression=factor.text,
                    load=load_name,
                    time=t[invalid[0]],
                )
    return ""


def conserves_energy(load: Load) -> bool:
    """Return True if T + V stays constant under a load. V must then not depend on time.

    >>> conserves_energy(LOADS["damping"](coefficient=0.2))
    False
    """
    return not load.timed and load.conserves_energy


def total_potential(loads: Sequence[BoundLoad], t: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the potential energy V (n,) [J] of all loads at times (n,) [s] and Euler parameters p (n, 4),
    which are used as they are, without normalization."""
    return sum((load.potential(t, p) for load in loads), np.zeros(p.shape[:-1]))

"""Whether the gradient of a load is the slope of its potential, and its torque follows from it."""

from collections.abc import Callable, Iterator

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.registry import is_outside
from quatviz.physics.kernels.forces import torque_of_gradient
from quatviz.physics.loads.base import ROW, BoundLoad, Load, kernel_of
from quatviz.physics.mechanics.rotations import normalise

SLOPE_TOLERANCE = 1e-6
"""Relative, of slopes by differences."""
_SPACING = 1e-5
_PLACES = ((0.9, -0.4, 0.7, 0.2), (0.1, 0.8, -0.3, 0.5))
_T, _OMEGA = 0.3, (0.3, -0.7, 0.5)


def slope_error(value: Callable[[np.ndarray], float], given: np.ndarray, place: np.ndarray) -> float:
    """How far a gradient (m,) is from differences of a value at `place` (m,), relative to either."""
    steps = _SPACING * np.eye(len(place))
    slopes = np.array([(value(place + step) - value(place - step)) / (2.0 * _SPACING) for step in steps])
    scale = max(float(np.abs(slopes).max()), float(np.abs(given).max()), abs(value(place)))
    return float(np.abs(given - slopes).max()) / (scale or 1.0)


def refuse_untrue(load: BoundLoad, key: str = "") -> None:
    """Refuse a load of a package whose gradient is not the slope of its potential, or whose torque is another than that of its
    gradient: forms of the equations would disagree by it. Those of the program are known to be right."""
    if is_outside(type(load.load)):
        for what, error in slope_errors(load):
            if not error < SLOPE_TOLERANCE:
                raise InputError(
                    phrase("the load {name} of a package", name=load.name),
                    expected=what,
                    found=phrase("a difference of {error:.2g}, relative to either", error=error),
                    remedy="correct one of the two; quatviz verify work compares them too",
                    key=key,
                    topic="errors#loads",
                )


def slope_errors(load: BoundLoad) -> Iterator[tuple[str, float]]:
    """What the kernels of a load that has a potential must be, and how far they are from it."""
    for part, _ in load.parts:
        slope, moment = (kernel_of(part, name) for name in ("gradient_kernel", "torque_kernel"))
        if part.constant is not None or slope is None or moment is None:
            continue
        packed = part.row(load.body)
        row = (*packed, *(0.0,) * (ROW - len(packed)))

        def value(p: np.ndarray, part: Load = part) -> float:
            return float(part.potential_on(load.body, np.array([_T]), p[None])[0])

        for place in map(np.array, _PLACES):
            given = np.array(slope(row, _T, tuple(place.tolist())))
            yield "a gradient_kernel that is the slope of potential_on", slope_error(value, given, place)
            p = tuple(normalise(place).tolist())
            pair = np.array([moment(row, _T, p, _OMEGA), torque_of_gradient(p, slope(row, _T, p))])
            apart = float(np.abs(pair[0] - pair[1]).max()) / (float(np.abs(pair).max()) or 1.0)
            yield "a torque_kernel that is -1/2 L dV/dp, from gradient_kernel", apart

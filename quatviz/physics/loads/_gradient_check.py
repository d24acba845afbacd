"""Checks that the gradient of a load is the derivative of its potential, and that its torque follows from the
gradient."""

from collections.abc import Callable, Iterator

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.registry import is_third_party
from quatviz.physics.kernels.forces import torque_of_gradient
from quatviz.physics.loads.base import MAX_KERNEL_NUMBERS, BoundLoad, Load, find_kernel
from quatviz.physics.mechanics.rotations import normalize

GRADIENT_TOLERANCE = 1e-6
"""Largest accepted relative difference between a gradient and finite differences."""
_SPACING = 1e-5
_TEST_POINTS = ((0.9, -0.4, 0.7, 0.2), (0.1, 0.8, -0.3, 0.5))
_TEST_TIME, _TEST_OMEGA = 0.3, (0.3, -0.7, 0.5)


def gradient_error(value: Callable[[np.ndarray], float], gradient: np.ndarray, point: np.ndarray) -> float:
    """Return the largest difference between a gradient (m,) and finite differences of `value` at `point` (m,).

    It is relative to the largest magnitude among the gradient, the differences and the value.
    """
    steps = _SPACING * np.eye(len(point))
    slopes = np.array([(value(point + step) - value(point - step)) / (2.0 * _SPACING) for step in steps])
    scale = max(float(np.abs(slopes).max()), float(np.abs(gradient).max()), abs(value(point)))
    return float(np.abs(gradient - slopes).max()) / (scale or 1.0)


def refuse_wrong_gradient(load: BoundLoad, key: str = "") -> None:
    """Refuse a load from a plug-in package if its gradient is not the derivative of its potential, or if its torque
    does not follow from its gradient.

    Different formulations would otherwise compute different motions. The loads of quatviz itself are checked by
    tests, not here.
    """
    if is_third_party(type(load.load)):
        for expectation, error in gradient_errors(load):
            if not error < GRADIENT_TOLERANCE:
                raise InputError(
                    phrase("the load {name} of a plug-in", name=load.name),
                    expected=expectation,
                    found=phrase("a relative difference of {error:.2g}", error=error),
                    remedy="correct the gradient or the value; the command quatviz verify work compares them too",
                    key=key,
                    topic="errors#loads",
                )


def gradient_errors(load: BoundLoad) -> Iterator[tuple[str, float]]:
    """Yield the relations that the kernels of a load with a potential must satisfy: the relation as text, and
    its relative error.
    """
    for part, _ in load.parts:
        gradient_kernel, torque_kernel = (
            find_kernel(part, name) for name in ("gradient_kernel", "torque_kernel")
        )
        if part.constant is not None or gradient_kernel is None or torque_kernel is None:
            continue
        numbers = part.row(load.body)
        row = (*numbers, *(0.0,) * (MAX_KERNEL_NUMBERS - len(numbers)))

        def value(p: np.ndarray, part: Load = part) -> float:
            return float(part.potential_on(load.body, np.array([_TEST_TIME]), p[None])[0])

        for point in map(np.array, _TEST_POINTS):
            gradient = np.array(gradient_kernel(row, _TEST_TIME, tuple(point.tolist())))
            yield (
                "a gradient_kernel that is the derivative of potential_on",
                gradient_error(value, gradient, point),
            )
            p = tuple(normalize(point).tolist())
            torques = np.array(
                [
                    torque_kernel(row, _TEST_TIME, p, _TEST_OMEGA),
                    torque_of_gradient(p, gradient_kernel(row, _TEST_TIME, p)),
                ]
            )
            error = float(np.abs(torques[0] - torques[1]).max()) / (float(np.abs(torques).max()) or 1.0)
            yield "a torque_kernel that is -1/2 L dV/dp, from gradient_kernel", error

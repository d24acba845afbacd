"""A potential that a script supplies, S3's general V(c, p): compiled when it is made, never read from a preset.

Not in the registry: no text can name it, and the window does not offer it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numba import cfunc
from numba.core.errors import NumbaError
from numba.extending import is_jitted

from quatviz.core.body import Body
from quatviz.core.errors import Refusal, phrase
from quatviz.core.forces import half_split, to_space, torque_of_gradient
from quatviz.core.kernel import OPTIONS, inline, njit
from quatviz.core.loads._pointer import SIGNATURE, called_at
from quatviz.core.loads.base import Load
from quatviz.core.rotations import rotation_matrix

_TRIED = ((0.3, -0.7, 0.5, 0.9, -0.4, 0.7, 0.2), (-1.1, 0.2, 0.6, 0.1, 0.8, -0.3, 0.5))
"""Places (c, p) at which the gradient is compared with the value."""
_SPACING, _TOLERANCE, _ROUNDING = 1e-5, 1e-6, 1e-12


@inline
def slope(row, t, p):
    """dV/dp + (dc/dp)^T dV/dc with c = A u, homogeneous of degree two in p."""
    u = (row[1], row[2], row[3])
    found = called_at(row[0], (*to_space(p, u), p[0], p[1], p[2], p[3]))
    of_arm = half_split(p, u, (found[0], found[1], found[2]))
    return (
        found[3] + 2.0 * of_arm[0],
        found[4] + 2.0 * of_arm[1],
        found[5] + 2.0 * of_arm[2],
        found[6] + 2.0 * of_arm[3],
    )


@inline
def torque(row, t, p, omega):
    """n = -1/2 L dV/dp."""
    return torque_of_gradient(p, slope(row, t, p))


@dataclass(frozen=True, eq=False)
class Potential(Load):
    """V(c, p) [J] of the centre of mass c (3) [m, space] and the Euler parameters p (4); S3(16).

    `value(c, p)` returns V, `gradient(c, p)` the pair of dV/dc (3) and dV/dp (4); both take tuples of floats and are plain
    Python functions that numba can compile, or are compiled already. On a pivot c = A u with the centre of mass u of
    the body; one that turns about its centre of mass is held there, c = 0, where V couples c and p, and flies where it is
    V(c) + V(p). The motion depends on p on the sphere alone, lambda on its continuation off it, which is the function's own:
    write V homogeneous in p, as A = G L^T is, or not.

    Kernels call the gradient by its address, so that nothing but these two functions is compiled for a run. Refused: what
    numba cannot compile, and a gradient that is not the slope of the value.
    """

    name: ClassVar[str] = "potential"
    torque_kernel = torque
    gradient_kernel = slope

    value: Callable[..., float]
    gradient: Callable[..., Any]
    _compiled: Any = field(init=False, default=None, compare=False, repr=False)
    _arm: Any = field(init=False, default=(0.0, 0.0, 0.0), compare=False, repr=False)
    _slope: Any = field(init=False, default=None, compare=False, repr=False)
    position_matters: Any = field(  # type: ignore[misc]
        init=False, default=True, compare=False, repr=False
    )
    """Whether V couples c and p: a sum V(c) + V(p) lets a body fly, and turn as if it did not."""

    def __post_init__(self) -> None:
        def called(given, found):
            of_c, of_p = gradient((given[0], given[1], given[2]), (given[3], given[4], given[5], given[6]))
            found[0], found[1], found[2] = of_c[0], of_c[1], of_c[2]
            found[3], found[4], found[5], found[6] = of_p[0], of_p[1], of_p[2], of_p[3]

        try:
            value, gradient = (_jitted(function) for function in (self.value, self.gradient))
            compiled = cfunc(SIGNATURE, **OPTIONS)(called)
            errors = [_error(value, gradient, np.array(place)) for place in _TRIED]
        except (NumbaError, TypeError, ValueError, IndexError) as error:
            said = str(error).strip().split("\n")[0][:200]
            raise _refusal("two functions that numba compiles", said or type(error).__name__) from None
        if not max(errors) < _TOLERANCE:
            raise _refusal(
                "a gradient that is the slope of the value",
                phrase("a difference of {largest:.2g}", largest=max(errors)),
            )
        object.__setattr__(self, "_compiled", (value, compiled))
        object.__setattr__(self, "position_matters", _couples(gradient))
        object.__setattr__(self, "_slope", gradient)

    def bound(self, body: Body) -> Load:
        pivoted = body.about == "pivot" and body.centre_of_mass is not None
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        object.__setattr__(other, "_arm", tuple(body.centre_of_mass.tolist()) if pivoted else (0.0, 0.0, 0.0))
        return other

    def pulled(self, centre: np.ndarray) -> np.ndarray | None:
        of_c, _ = self._slope(tuple(centre.tolist()), (1.0, 0.0, 0.0, 0.0))
        return -np.array(of_c, dtype=np.float64)

    def row(self) -> tuple[float, ...]:
        return (float(self._compiled[1].address), *self._arm)

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        value = self._compiled[0]
        rows = np.atleast_2d(p)
        centres = rotation_matrix(rows) @ np.array(self._arm)
        found = [value(tuple(c), tuple(q)) for c, q in zip(centres.tolist(), rows.tolist(), strict=True)]
        return np.array(found, dtype=np.float64).reshape(p.shape[:-1])

    def __reduce__(self) -> Any:
        raise _refusal("a load that other processes can be sent", "a potential that this script has compiled")


def _jitted(function: Any) -> Any:
    return function if is_jitted(function) else njit(**OPTIONS)(function)


def _couples(gradient: Any) -> bool:
    """Whether the slope along p changes with c, or that along c with p."""
    (c, p), (other, turned) = ((place[:3], place[3:]) for place in _TRIED)
    here, there, elsewhere = (np.concatenate(gradient(*at)) for at in ((c, p), (other, p), (c, turned)))
    change = max(np.abs(there - here)[3:].max(), np.abs(elsewhere - here)[:3].max())
    return bool(change > _ROUNDING * np.abs((here, there, elsewhere)).max())


def _error(value: Any, gradient: Any, place: np.ndarray) -> float:
    """How far the gradient is from differences of the value, relative to either."""

    def at(x: np.ndarray) -> float:
        return float(value(tuple(x[:3].tolist()), tuple(x[3:].tolist())))

    of_c, of_p = gradient(tuple(place[:3].tolist()), tuple(place[3:].tolist()))
    if (len(of_c), len(of_p)) != (3, 4):
        raise ValueError(f"gradient returned {len(of_c)} and {len(of_p)} numbers, not 3 and 4")
    given = np.array((*of_c, *of_p))
    steps = _SPACING * np.eye(7)
    slopes = np.array([(at(place + step) - at(place - step)) / (2.0 * _SPACING) for step in steps])
    scale = max(1.0, float(np.abs(slopes).max()), abs(at(place)))
    return float(np.abs(given - slopes).max()) / scale


def _refusal(expected: str, found: str) -> Refusal:
    return Refusal(
        "Potential",
        expected=expected,
        found=found,
        remedy="write value(c, p) -> V and gradient(c, p) -> ((3 numbers), (4 numbers)) with floats and math only",
        topic="errors#loads",
    )

"""A potential that a script supplies, S3's general V(c, p): compiled when it is made, never read from a preset.

Not in the registry: no text can name it, and the window does not offer it.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numba import cloudpickle
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import is_jitted

from quatviz.base.errors import InputError, phrase
from quatviz.physics.kernels.binder import OPTIONS, compiler, inline
from quatviz.physics.kernels.forces import half_generalized_force, to_space, torque_of_gradient
from quatviz.physics.loads._gradient_check import SLOPE_TOLERANCE, slope_error
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix

_TRIED = ((0.3, -0.7, 0.5, 0.9, -0.4, 0.7, 0.2), (-1.1, 0.2, 0.6, 0.1, 0.8, -0.3, 0.5))
"""Places (c, p) at which the gradient is compared with the value."""
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Potential(Load):
    """V(c, p) [J] of the centre of mass c (3) [m, space] and the Euler parameters p (4); S3(16).

    `value(c, p)` returns V, `gradient(c, p)` the pair of dV/dc (3) and dV/dp (4); both take tuples of floats and are plain
    Python functions that numba can compile, or are compiled already. On a pivot c = A u with the centre of mass u of
    the body; one that turns about its centre of mass is held there, c = 0, where V couples c and p, and flies where it is
    V(c) + V(p). The motion depends on p on the sphere alone, lambda on its continuation off it, which is the function's own:
    write V homogeneous in p, as A = G L^T is, or not.

    It brings kernels of its own, which the sum over loads calls: nothing else is compiled for a run. Refused: what numba cannot
    compile, and a gradient that is not the slope of the value.

    >>> import quatviz as qv
    >>> def value(c, p):
    ...     return 3.0 * p[1] ** 2
    >>> def gradient(c, p):
    ...     return (0.0, 0.0, 0.0), (0.0, 6.0 * p[1], 0.0, 0.0)
    >>> held = qv.Potential(value, gradient).bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> held.potential(np.zeros(1), np.array([[0.8, 0.6, 0.0, 0.0]])).round(12).tolist()  # [J]
    [1.08]
    """

    name: ClassVar[str] = "potential"

    value: Callable[..., float]
    gradient: Callable[..., Any]
    torque_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]
    gradient_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]
    _compiled: Any = field(init=False, default=None, compare=False, repr=False)
    """Value and gradient, as Python calls them."""
    position_matters: Any = field(  # type: ignore[misc]
        init=False, default=True, compare=False, repr=False
    )
    """Whether V couples c and p: a sum V(c) + V(p) lets a body fly, and turn as if it did not."""

    def __post_init__(self) -> None:
        try:
            value, gradient = (_jitted(function) for function in (self.value, self.gradient))
            errors = [_error(value, gradient, np.array(place)) for place in _TRIED]
        except (NumbaError, UnsupportedBytecodeError, TypeError, ValueError, IndexError) as error:
            said = str(error).strip().split("\n")[0][:200]
            raise _refusal("two functions that numba compiles", said or type(error).__name__) from None
        if not max(errors) < SLOPE_TOLERANCE:
            raise _refusal(
                "a gradient that is the slope of the value",
                phrase("a difference of {largest:.2g}", largest=max(errors)),
            )
        slope, torque = _kernels(gradient)
        object.__setattr__(self, "gradient_kernel", slope)
        object.__setattr__(self, "torque_kernel", torque)
        object.__setattr__(self, "_compiled", (value, gradient))
        object.__setattr__(self, "position_matters", _couples(gradient))

    @property
    def keeps_energy(self) -> bool:
        return True

    def pull(self, centre: np.ndarray) -> np.ndarray | None:
        of_c, _ = self._compiled[1](tuple(centre.tolist()), (1.0, 0.0, 0.0, 0.0))
        return -np.array(of_c, dtype=np.float64)

    def row(self, body: Body) -> tuple[float, ...]:
        """u (3) [m, body] of c = A u."""
        pivoted = body.about == "pivot" and body.centre_of_mass is not None
        return tuple(body.centre_of_mass.tolist()) if pivoted else (0.0, 0.0, 0.0)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        value = self._compiled[0]
        rows = np.atleast_2d(p)
        centres = rotation_matrix(rows) @ np.array(self.row(body))
        found = [value(tuple(c), tuple(q)) for c, q in zip(centres.tolist(), rows.tolist(), strict=True)]
        return np.array(found, dtype=np.float64).reshape(p.shape[:-1])

    def __reduce__(self) -> Any:
        """As its functions, by value: those of a notebook are in no module. Who reads it compiles them anew."""
        plain = (getattr(function, "py_func", function) for function in (self.value, self.gradient))
        return _remade, (cloudpickle.dumps(tuple(plain)),)

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _remade(functions: bytes) -> Potential:
    return Potential(*pickle.loads(functions))


def _jitted(function: Any) -> Any:
    return function if is_jitted(function) else compiler().njit(**OPTIONS)(function)


def _kernels(gradient: Any) -> tuple[Any, Any]:
    """The slope dV/dp + (dc/dp)^T dV/dc with c = A u, homogeneous of degree two in p, and n = -1/2 L of it."""

    @inline
    def slope(row, t, p):
        u = (row[0], row[1], row[2])
        of_c, of_p = gradient(to_space(p, u), (p[0], p[1], p[2], p[3]))
        of_arm = half_generalized_force(p, u, (of_c[0], of_c[1], of_c[2]))
        return (
            of_p[0] + 2.0 * of_arm[0],
            of_p[1] + 2.0 * of_arm[1],
            of_p[2] + 2.0 * of_arm[2],
            of_p[3] + 2.0 * of_arm[3],
        )

    @inline
    def torque(row, t, p, omega):
        return torque_of_gradient(p, slope(row, t, p))

    return slope, torque


def _couples(gradient: Any) -> bool:
    """Whether the slope along p changes with c, or that along c with p."""
    (c, p), (other, turned) = ((place[:3], place[3:]) for place in _TRIED)
    here, there, elsewhere = (np.concatenate(gradient(*at)) for at in ((c, p), (other, p), (c, turned)))
    change = max(np.abs(there - here)[3:].max(), np.abs(elsewhere - here)[:3].max())
    return bool(change > _ROUNDING * np.abs((here, there, elsewhere)).max())


def _error(value: Any, gradient: Any, place: np.ndarray) -> float:
    """How far the gradient is from differences of the value, relative to either."""
    of_c, of_p = gradient(tuple(place[:3].tolist()), tuple(place[3:].tolist()))
    if (len(of_c), len(of_p)) != (3, 4):
        raise ValueError(f"gradient returned {len(of_c)} and {len(of_p)} numbers, not 3 and 4")

    def at(x: np.ndarray) -> float:
        return float(value(tuple(x[:3].tolist()), tuple(x[3:].tolist())))

    return slope_error(at, np.array((*of_c, *of_p)), place)


def _refusal(expected: str, found: str) -> InputError:
    return InputError(
        "Potential",
        expected=expected,
        found=found,
        remedy="write value(c, p) -> V and gradient(c, p) -> ((3 numbers), (4 numbers)) with floats and math only",
        topic="errors#loads",
    )

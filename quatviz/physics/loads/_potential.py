"""The load whose potential is a Python function of a script, S3's general V(c, p).

The function is compiled when the load is made; a preset cannot contain it. The load is not in the registry: no
preset can name it, and the window does not offer it.
"""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numba import cloudpickle
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import is_jitted

from quatviz.base.errors import InputError, phrase
from quatviz.physics.kernels.algebra import add3
from quatviz.physics.kernels.binder import OPTIONS, compiler, inline
from quatviz.physics.kernels.forces import half_generalized_force, to_space, torque_of_gradient
from quatviz.physics.loads._gradient_check import GRADIENT_TOLERANCE, gradient_error
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix

_TEST_POINTS = ((0.3, -0.7, 0.5, 0.9, -0.4, 0.7, 0.2), (-1.1, 0.2, 0.6, 0.1, 0.8, -0.3, 0.5))
"""States (c, p) at which the gradient is compared with finite differences of the value."""
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Potential(Load):
    """A potential V(c, p) [J] of the center of mass c (3) [m, space] and the Euler parameters p (4), given by a script;
    S3(16).

    `value(c, p)` returns V, and `gradient(c, p)` returns the pair of dV/dc (3) and dV/dp (4). Both take tuples of
    floats and are plain Python functions that numba can compile, or are compiled already. For a body on a pivot,
    c = A u with its center of mass u. A body about its center of mass is free if its mass is given, and otherwise its
    center is held at the origin. The motion depends only on V on the sphere. lambda also depends on V off the sphere, as the
    function defines it; V may be homogeneous in p, as A = G L^T is, or not.

    The sum over loads calls the potential's own kernels, so that nothing else is compiled for a run. Functions that
    numba cannot compile and a gradient that is not the derivative of the value are refused.

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
    center_column = 3
    torque_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]
    force_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]
    gradient_kernel: Any = field(init=False, default=None, compare=False, repr=False)  # type: ignore[misc]
    _compiled: Any = field(init=False, default=None, compare=False, repr=False)
    """Compiled functions of the value and the gradient of V, callable from Python."""
    position_matters: Any = field(  # type: ignore[misc]
        init=False, default=True, compare=False, repr=False
    )
    """True if V couples c and p.

    If V is a sum V(c) + V(p), translation and rotation of a free body are independent.
    """

    def __post_init__(self) -> None:
        try:
            value, gradient = (_ensure_jitted(function) for function in (self.value, self.gradient))
            errors = [_gradient_error(value, gradient, np.array(point)) for point in _TEST_POINTS]
        except (NumbaError, UnsupportedBytecodeError, TypeError, ValueError, IndexError) as error:
            message = str(error).strip().split("\n")[0][:200]
            raise _potential_error(
                "two functions that numba compiles", message or type(error).__name__
            ) from None
        if not max(errors) < GRADIENT_TOLERANCE:
            raise _potential_error(
                "a gradient that is the derivative of the value",
                phrase("a relative difference of {largest:.2g}", largest=max(errors)),
            )
        slope, torque, force = _make_kernels(gradient)
        object.__setattr__(self, "gradient_kernel", slope)
        object.__setattr__(self, "torque_kernel", torque)
        object.__setattr__(self, "force_kernel", force)
        object.__setattr__(self, "_compiled", (value, gradient))
        object.__setattr__(self, "position_matters", _couples_position_and_attitude(gradient))

    @property
    def conserves_energy(self) -> bool:
        return True

    def translational_force(self, centre: np.ndarray) -> np.ndarray | None:
        c_gradient, _ = self._compiled[1](tuple(centre.tolist()), (1.0, 0.0, 0.0, 0.0))
        return -np.array(c_gradient, dtype=np.float64)

    def row(self, body: Body) -> tuple[float, ...]:
        """Return the 6 numbers that the kernels read: u (3) [m, body] and c (3) [m, space].

        u is the center of mass of a body on a pivot, and zero for other bodies. c is zero here; the sum over loads
        replaces it.
        """
        is_pivoted = body.about == "pivot" and body.centre_of_mass is not None
        arm = body.centre_of_mass.tolist() if is_pivoted else (0.0, 0.0, 0.0)
        return (*arm, 0.0, 0.0, 0.0)

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        value = self._compiled[0]
        values = [value(c, q) for c, q in self._states(body, np.atleast_2d(p))]
        return np.array(values, dtype=np.float64).reshape(p.shape[:-1])

    def center_force_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        gradient = self._compiled[1]
        forces = [gradient(c, q)[0] for c, q in self._states(body, p)]
        return -np.array(forces, dtype=np.float64).reshape(-1, 3)

    def _states(self, body: Body, p: np.ndarray) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
        """Yield the center of mass c (3) [m, space] and the Euler parameters (4) for each row of p (n, 4), as
        tuples.
        """
        centers = self.body_center + rotation_matrix(p) @ np.array(self.row(body)[:3])
        return zip(map(tuple, centers.tolist()), map(tuple, p.tolist()), strict=True)

    def __reduce__(self) -> Any:
        """Pickle the functions by value, since functions from a notebook are in no module that can be
        imported. They are compiled again when unpickled.
        """
        plain = (getattr(function, "py_func", function) for function in (self.value, self.gradient))
        return _rebuild, (cloudpickle.dumps(tuple(plain)),)

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _rebuild(functions: bytes) -> Potential:
    return Potential(*pickle.loads(functions))


def _ensure_jitted(function: Any) -> Any:
    return function if is_jitted(function) else compiler().njit(**OPTIONS)(function)


def _make_kernels(gradient: Any) -> tuple[Any, Any, Any]:
    """Return the kernels of the gradient g = dV/dp + (dc/dp)^T dV/dc, with c = A u on a pivot; of the torque -1/2 L
    g; and of the force -dV/dc on the center of mass."""

    @inline
    def slope(row, t, p):
        u = (row[0], row[1], row[2])
        c = add3(to_space(p, u), (row[3], row[4], row[5]))
        c_gradient, p_gradient = gradient(c, (p[0], p[1], p[2], p[3]))
        arm_gradient = half_generalized_force(p, u, (c_gradient[0], c_gradient[1], c_gradient[2]))
        return (
            p_gradient[0] + 2.0 * arm_gradient[0],
            p_gradient[1] + 2.0 * arm_gradient[1],
            p_gradient[2] + 2.0 * arm_gradient[2],
            p_gradient[3] + 2.0 * arm_gradient[3],
        )

    @inline
    def torque(row, t, p, omega):
        return torque_of_gradient(p, slope(row, t, p))

    @inline
    def force(row, t, p):
        c = add3(to_space(p, (row[0], row[1], row[2])), (row[3], row[4], row[5]))
        c_gradient, _ = gradient(c, (p[0], p[1], p[2], p[3]))
        return (-c_gradient[0], -c_gradient[1], -c_gradient[2])

    return slope, torque, force


def _couples_position_and_attitude(gradient: Any) -> bool:
    """Return True if dV/dp changes with c, or dV/dc with p."""
    (c, p), (other_c, other_p) = ((point[:3], point[3:]) for point in _TEST_POINTS)
    here, there, elsewhere = (np.concatenate(gradient(*at)) for at in ((c, p), (other_c, p), (c, other_p)))
    change = max(np.abs(there - here)[3:].max(), np.abs(elsewhere - here)[:3].max())
    return bool(change > _ROUNDING * np.abs((here, there, elsewhere)).max())


def _gradient_error(value: Any, gradient: Any, point: np.ndarray) -> float:
    """Return the relative difference between the gradient of a potential and finite differences of its value at
    `point` (7,), which is (c, p); see `gradient_error`.
    """
    c_gradient, p_gradient = gradient(tuple(point[:3].tolist()), tuple(point[3:].tolist()))
    if (len(c_gradient), len(p_gradient)) != (3, 4):
        raise ValueError(f"gradient returned {len(c_gradient)} and {len(p_gradient)} numbers, not 3 and 4")

    def value_at(x: np.ndarray) -> float:
        return float(value(tuple(x[:3].tolist()), tuple(x[3:].tolist())))

    return gradient_error(value_at, np.array((*c_gradient, *p_gradient)), point)


def _potential_error(expected: str, found: str) -> InputError:
    return InputError(
        "Potential",
        expected=expected,
        found=found,
        remedy="write value(c, p) -> V and gradient(c, p) -> ((3 numbers), (4 numbers)) with floats and math only",
        topic="errors#loads",
    )

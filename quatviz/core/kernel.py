"""What compiled code is made of: tuple algebra, the equations of a formulation, the loop over steps.

Kernels see a state as a tuple of floats and the parameters of a formulation as a `NamedTuple` type of its
own. The type picks the formulation while the loop is compiled, so that each pair of formulation and
integrator becomes one specialised machine-code loop that is found in the cache by the next process.

A formulation registers its equations with `@equations(Parameters)`, an integrator its step with
`@stepper(Method)`. What they call is decorated with `@inline`. The options below are the same everywhere:
a division by zero gives inf instead of raising (the lane tests finiteness), and a multiplication may be
fused with an addition as C compilers do; nothing is reordered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from quatviz import kernel_cache

CACHE_FOLDER = kernel_cache.prepare()

from numba import njit, types  # noqa: E402  (numba reads its cache folder when a kernel is decorated)
from numba.extending import overload  # noqa: E402

OPTIONS: Any = {"error_model": "numpy", "fastmath": {"contract"}}
INLINED: Any = {**OPTIONS, "forceinline": True}

inline = njit(**INLINED)
"""For functions that kernels call: compiled into the caller."""

compiled = njit(cache=True, nogil=True, **OPTIONS)
"""For the few functions that Python calls: kept in the cache, run without the GIL."""

RUNNING, SINGULAR, NOT_FINITE, STEP_FAILED = 0, 1, 2, 3
"""How a block of steps ended. `STEP_FAILED` is an integrator's own failure, such as Newton's iteration."""

RESTORE_NOTHING, RESTORE_P, RESTORE_RATES = 0, 1, 2
"""What a lane's stabilisation does after every step."""

Kernel = Callable[..., Any]
_equations: dict[type, Kernel] = {}
_multipliers: dict[type, Kernel] = {}
_singularities: dict[type, Kernel] = {}
_charts: dict[type, Kernel] = {}
_projections: dict[type, Kernel] = {}
_steps: dict[type, Kernel] = {}


def _registrar(table: dict[type, Kernel], parameters: type) -> Callable[[Kernel], Kernel]:
    def register(function: Kernel) -> Kernel:
        table[parameters] = getattr(function, "py_func", function)  # an inline kernel serves several types
        return function

    return register


def equations(parameters: type) -> Callable[[Kernel], Kernel]:
    """Register `function(par, t, y) -> tuple`, the derivative of the state, for this type of parameters."""
    return _registrar(_equations, parameters)


def multiplier_of(parameters: type) -> Callable[[Kernel], Kernel]:
    """Register `function(par, t, y) -> float`, lambda [J] from the very solve that yields the derivative."""
    return _registrar(_multipliers, parameters)


def singularity_of(parameters: type) -> Callable[[Kernel], Kernel]:
    """Register `function(par, t, y) -> float`, which tends to 0 where the formulation is singular."""
    return _registrar(_singularities, parameters)


def chart_of(parameters: type) -> Callable[[Kernel], Kernel]:
    """Register `function(par, y) -> tuple`, the same motion as `y` in the coordinates that suit it best."""
    return _registrar(_charts, parameters)


def projection_of(parameters: type) -> Callable[[Kernel], Kernel]:
    """Register `function(par, rates, y) -> tuple`: `y` with p back on the sphere and, if `rates`, what must be
    tangent to it (p', g) made so."""
    return _registrar(_projections, parameters)


def stepper(method: type) -> Callable[[Kernel], Kernel]:
    """Register `function(method, par, t, dt, y) -> (status, tuple)`, one step of an integrator."""
    return _registrar(_steps, method)


def rhs(par, t, y):
    """Derivative of the state `y` at time `t` [s] by the equations that `par` belongs to (kernels only)."""


def multiplier(par, t, y):
    """Lambda [J] of the state `y`; NaN where a formulation has no multiplier (kernels only)."""


def singularity(par, t, y):
    """Distance of `y` from a singularity, 1 where there is none anywhere (kernels only)."""


def chart(par, y):
    """`y` itself, or the same motion in better coordinates; called after every step (kernels only)."""


def constrained(par, rates, y):
    """`y` with the constraint restored; called after every step of a lane that asks for it (kernels only)."""


def step(method, par, t, dt, y):
    """`(status, y)` one step of `dt` [s] later, by the integrator that `method` belongs to (kernels only)."""


def _picked(table: dict[type, Kernel], kind: types.Type, default: Kernel | None = None) -> Kernel | None:
    return table.get(getattr(kind, "instance_class", None), default)  # type: ignore[arg-type]


@overload(rhs, jit_options=INLINED)
def _rhs(par, t, y):
    return _picked(_equations, par)


@overload(multiplier, jit_options=INLINED)
def _multiplier(par, t, y):
    return _picked(_multipliers, par, lambda par, t, y: np.nan)


@overload(singularity, jit_options=INLINED)
def _singularity(par, t, y):
    return _picked(_singularities, par, lambda par, t, y: 1.0)


@overload(chart, jit_options=INLINED)
def _chart(par, y):
    return _picked(_charts, par, lambda par, y: y)


@overload(constrained, jit_options=INLINED)
def _constrained(par, rates, y):
    return _picked(_projections, par, lambda par, rates, y: y)


@overload(step, jit_options=INLINED)
def _step(method, par, t, dt, y):
    return _picked(_steps, method)


# --- tuples of any length: the source is unrolled for the length at hand


def unrolled(signature: str, element: str) -> Kernel:
    """A kernel that maps tuples element by element: `unrolled("y, a, k", "y[#] + a * k[#]")`.

    The length is that of the argument `y`; `#` stands for the index.
    """
    stub = _function("stub", signature, "    pass")

    def build(y):
        elements = "".join(f"{element.replace('#', str(index))}, " for index in range(len(y)))
        return _function("unrolled", signature, f"    return ({elements})")

    overload(stub, jit_options=INLINED)(_function("typed", signature, "    return build(y)", build=build))
    return stub


def _function(name: str, signature: str, body: str, **scope: Any) -> Kernel:
    exec(f"def {name}({signature}):\n{body}", scope)  # text of this file, never of a person
    return scope[name]


axpy = unrolled("y, a, k", "y[#] + a * k[#]")
"""y + a k"""


def store(rows, row, y):
    """Write the tuple `y` into `rows[row]` (kernels only)."""


@overload(store, jit_options=INLINED)
def _store(rows, row, y):
    lines = [f"    rows[row, {index}] = y[{index}]" for index in range(len(y))]
    return _function("stored", "rows, row, y", "\n".join(lines))


def load(rows, row, y):
    """The tuple in `rows[row]`, of the length of `y` (kernels only)."""


@overload(load, jit_options=INLINED)
def _load(rows, row, y):
    elements = "".join(f"rows[row, {index}], " for index in range(len(y)))
    return _function("loaded", "rows, row, y", f"    return ({elements})")


def total(y):
    """Sum of the elements of `y`, finite only where all of them are (kernels only)."""


@overload(total, jit_options=INLINED)
def _total(y):
    return _function("summed", "y", "    return " + " + ".join(f"y[{index}]" for index in range(len(y))))


# --- three- and four-vectors, row-major 3x3 matrices as nine floats


@inline
def add3(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def dot4(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@inline
def on_sphere(p):
    """p / |p|"""
    scale = 1.0 / math.sqrt(dot4(p, p))
    return (scale * p[0], scale * p[1], scale * p[2], scale * p[3])


@inline
def tangent(p, v):
    """v - p (p.v) for unit p"""
    return combined4(1.0, v, -dot4(p, v), p)


@inline
def combined3(a, u, b, v):
    """a u + b v"""
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2])


@inline
def combined4(a, u, b, v):
    """a u + b v"""
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2], a * u[3] + b * v[3])


@inline
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inline
def times(matrix, v):
    """matrix v, for a row-major 3x3 matrix."""
    return (
        matrix[0] * v[0] + matrix[1] * v[1] + matrix[2] * v[2],
        matrix[3] * v[0] + matrix[4] * v[1] + matrix[5] * v[2],
        matrix[6] * v[0] + matrix[7] * v[1] + matrix[8] * v[2],
    )


@inline
def times_inertia(principal, matrix, v):
    """J v or J^-1 v; where the body axes are principal, by the diagonal alone: a third of the time of a step."""
    if principal:
        return (matrix[0] * v[0], matrix[4] * v[1], matrix[8] * v[2])
    return times(matrix, v)


@inline
def L_times(p, q):
    """L(p) q, with L = [-e, -e~ + e0 I], for a four-vector q; S0(9)."""
    return (
        -p[1] * q[0] + p[0] * q[1] + p[3] * q[2] - p[2] * q[3],
        -p[2] * q[0] - p[3] * q[1] + p[0] * q[2] + p[1] * q[3],
        -p[3] * q[0] + p[2] * q[1] - p[1] * q[2] + p[0] * q[3],
    )


@inline
def LT_times(p, v):
    """L(p)^T v for a three-vector v; S0(9)."""
    return (
        -p[1] * v[0] - p[2] * v[1] - p[3] * v[2],
        p[0] * v[0] - p[3] * v[1] + p[2] * v[2],
        p[3] * v[0] + p[0] * v[1] - p[1] * v[2],
        -p[2] * v[0] + p[1] * v[1] + p[0] * v[2],
    )


@inline
def GT_times(p, v):
    """G(p)^T v for a three-vector v, with G = [-e, e~ + e0 I]; S0(8)."""
    return (
        -p[1] * v[0] - p[2] * v[1] - p[3] * v[2],
        p[0] * v[0] + p[3] * v[1] - p[2] * v[2],
        -p[3] * v[0] + p[0] * v[1] + p[1] * v[2],
        p[2] * v[0] - p[1] * v[1] + p[0] * v[2],
    )


@inline
def half_LT_times(p, omega):
    """p' = 1/2 L^T omega; S0(17), S1(12)."""
    q = LT_times(p, omega)
    return (0.5 * q[0], 0.5 * q[1], 0.5 * q[2], 0.5 * q[3])


@inline
def to_body(p, v):
    """A^T v = L G^T v, with A = G L^T off the sphere as well; S0(7)."""
    return L_times(p, GT_times(p, v))


# --- the loops that Python calls


@compiled
def fixed_step_block(method, par, restore, first, every, dt, threshold, y, rows):
    """Advance by `len(rows)` samples of `every` steps of `dt` [s] each, writing each sample into `rows`.

    `restore` is 0, or says that p (`RESTORE_P`), or p and its rates (`RESTORE_RATES`), are put back on the constraint
    after every step. `first` is the number of the sample that `y` is: times are multiples, never sums. Returns
    `(status, samples written, time reached [s], y)`; a block that ends early says why in the status. A state whose
    `singularity` is within `threshold` of zero, or on the other side of it, ends the lane at that very step.
    """
    time = first * every * dt
    side = singularity(par, time, y)
    for row in range(rows.shape[0]):
        start = (first + row) * every
        for index in range(every):
            status, y = step(method, par, (start + index) * dt, dt, y)
            time = (start + index + 1) * dt
            if status != RUNNING:
                return status, row, time, y
            y = chart(par, y)
            if restore > 0:
                y = constrained(par, restore == RESTORE_RATES, y)
            measure = singularity(par, time, y)
            if not abs(measure) > threshold or measure * side < 0.0:
                return SINGULAR if np.isfinite(total(y)) else NOT_FINITE, row, time, y
        if not np.isfinite(total(y)):
            return NOT_FINITE, row, time, y
        store(rows, row, y)
    return RUNNING, rows.shape[0], time, y


@compiled
def measure_rows(par, first, interval, y, rows, out):
    """For each state in `rows` write `(lambda [J], singularity)` into `out` (n, 2); `y` gives the length."""
    for row in range(rows.shape[0]):
        state = load(rows, row, y)
        time = (first + row) * interval
        out[row, 0] = multiplier(par, time, state)
        out[row, 1] = singularity(par, time, state)


@compiled
def derivative(par, t, y):
    """`(y', lambda)` of the state `y` at `t` [s]: what verification looks at by itself, without an integrator."""
    return rhs(par, t, y), multiplier(par, t, y)

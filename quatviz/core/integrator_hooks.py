"""What an integrator may need of the equations beyond their right-hand side, picked by type as in `core.kernel`.

A formulation registers these only where they make sense for it, and says so: `Formulation.index3` goes with
`index3_of`, `Formulation.on_group` with `group_of`. Everything here is for kernels only.
"""

from __future__ import annotations

from typing import NamedTuple

from numba.extending import overload

from quatviz.core.kernel import INLINED, Kernel, _picked


class Index3(NamedTuple):
    """The index-3 problem p' = v(p, g), g' = f(t, p, g) - p lambda, p.p = 1 in momenta g conjugate to p.

    `v` must be regular in all four components of g, so that lambda follows from the constraint. What a form adds to
    lambda is what f has along p: one motion, another multiplier.
    """

    momenta: Kernel
    """`f(par, y) -> (p, g)`."""
    velocity: Kernel
    """`f(par, p, g) -> p'` (4) for unit p."""
    force: Kernel
    """`f(par, t, p, g) -> g'` (4) for unit p, but for -p lambda."""
    state: Kernel
    """`f(par, p, g) -> y`."""


class Group(NamedTuple):
    """A state made of p and of components that live in a vector space."""

    attitude: Kernel
    """`f(par, y) -> (p, omega)`, omega [rad/s, body]."""
    turned: Kernel
    """`f(par, y, p) -> y`, with p in the place of the state's own."""


_index3: dict[type, Index3] = {}
_groups: dict[type, Group] = {}


def index3_of(parameters: type, problem: Index3) -> None:
    """Register the index-3 problem of this type of parameters."""
    _index3[parameters] = Index3(*(_plain(kernel) for kernel in problem))


def group_of(parameters: type, group: Group) -> None:
    """Register where p stands in the state of this type of parameters."""
    _groups[parameters] = Group(*(_plain(kernel) for kernel in group))


def momenta(par, y):
    """`(p, g)` of the state `y`."""


def velocity(par, p, g):
    """p' (4) for unit p and its momenta g."""


def force(par, t, p, g):
    """g' (4) but for the constraint force, for unit p."""


def state(par, p, g):
    """The state `y` of p and its momenta."""


def attitude(par, y):
    """`(p, omega)` of the state `y`."""


def turned(par, y, p):
    """The state `y` with p in the place of its own."""


@overload(momenta, jit_options=INLINED)
def _momenta(par, y):
    return _part_of(_index3, par, "momenta")


@overload(velocity, jit_options=INLINED)
def _velocity(par, p, g):
    return _part_of(_index3, par, "velocity")


@overload(force, jit_options=INLINED)
def _force(par, t, p, g):
    return _part_of(_index3, par, "force")


@overload(state, jit_options=INLINED)
def _state(par, p, g):
    return _part_of(_index3, par, "state")


@overload(attitude, jit_options=INLINED)
def _attitude(par, y):
    return _part_of(_groups, par, "attitude")


@overload(turned, jit_options=INLINED)
def _turned(par, y, p):
    return _part_of(_groups, par, "turned")


def _part_of(table, par, name):
    return getattr(_picked(table, par), name, None)


def _plain(kernel: Kernel) -> Kernel:
    return getattr(kernel, "py_func", kernel)

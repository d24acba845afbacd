"""Kernels of a formulation that appends components to the state of another, original formulation.

Examples of such components are the momenta of rotors and the center of mass. Each kernel calls the same kernel of the
original formulation, without the appended components of the state. The parameters have the field `base`, with the
parameters of the original formulation, and a static method `extension_width`, which returns the number of appended
components for the numba type of the parameters.
"""

from collections.abc import Callable
from typing import Any

from quatviz.physics.kernels.binder import (
    AttitudeKernels,
    Kernels,
    attitude,
    chart,
    compile_source,
    inline,
    overload,
    projection,
    singularity,
    singularity_limit,
    with_attitude,
    with_first_integrals,
)

Kernel = Callable[..., Any]


def base_state(par, y):
    """Return the part of `y` that is a state of the original formulation. Callable only from kernels."""


def extension(par, y):
    """Return the appended components at the end of `y`. Callable only from kernels."""


def _components(y: Any, start: int, stop: int) -> Any:
    parts = "".join(f"y[{index}], " for index in range(start, stop))
    return compile_source("components", "par, y", [f"return ({parts})"])


@overload(base_state)
def _base_state(par, y):
    return _components(y, 0, len(y) - par.instance_class.extension_width(par))


@overload(extension)
def _extension(par, y):
    return _components(y, len(y) - par.instance_class.extension_width(par), len(y))


def extended_singularity(par, t, y):
    """Return the singularity measure of the original formulation."""
    return singularity(par.base, t, base_state(par, y))


def extended_singularity_limit(par, dt, y):
    """Return the singularity measure of the original formulation at which fixed steps of dt [s] become too
    long.
    """
    return singularity_limit(par.base, dt, base_state(par, y))


def extended_chart(par, y):
    """Return the state `y` after the kernel `chart` of the original formulation, which may change its coordinates."""
    return chart(par.base, base_state(par, y)) + extension(par, y)


def extended_projection(par, rates, y):
    """Return the state `y` after the kernel `projection` of the original formulation."""
    return projection(par.base, rates, base_state(par, y)) + extension(par, y)


def extended_first_integrals(par, h, old, new):
    """Return the state `new` after the kernel `first_integrals` of the original formulation, which restores the first
    integrals of `old`.
    """
    base = with_first_integrals(par.base, h, base_state(par, old), base_state(par, new))
    return base + extension(par, new)


@inline
def extended_attitude(par, y):
    """Return `(p, omega)` of the state `y`, as the original formulation computes them."""
    return attitude(par.base, base_state(par, y))


@inline
def extended_with_attitude(par, y, p):
    """Return the state `y` with its Euler parameters replaced by `p` (4)."""
    return with_attitude(par.base, base_state(par, y), p) + extension(par, y)


def extended_kernels(derivative: Kernel, lam: Kernel, kernels: Kernels | None = None) -> Kernels:
    """Return the kernels of an extended formulation.

    Parameters
    ----------
    derivative, lam
        Kernels `rhs` and `multiplier` of the extended formulation.
    kernels
        Kernels of the original formulation. An optional kernel is extended only if the original formulation has it.
        None extends all optional kernels, for a parameter type that is shared by all formulations.
    """

    def if_present(name: str, extended: Any) -> Any:
        return extended if kernels is None or getattr(kernels, name) is not None else None

    return Kernels(
        rhs=derivative,
        multiplier=if_present("multiplier", lam),
        singularity=if_present("singularity", extended_singularity),
        singularity_limit=if_present("singularity_limit", extended_singularity_limit),
        chart=if_present("chart", extended_chart),
        projection=if_present("projection", extended_projection),
        first_integrals=if_present("first_integrals", extended_first_integrals),
        group=if_present("group", AttitudeKernels(extended_attitude, extended_with_attitude)),
        observed=extended_attitude,
    )

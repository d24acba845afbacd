"""Sums over all loads, for kernels: the code that picks each load's kernel by the kind in its row.

The sums are made for the kinds that are registered when a formulation is compiled, so that a new kind of load is one
new file. A formulation asks for them only where `loads.shape[0] > 0`: adding a zero is not free, skipping it nearly is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from quatviz.core.forces import half_split
from quatviz.core.kernel import OPTIONS, dot3, inline
from quatviz.core.loads import LOADS
from quatviz.core.loads.base import ROW, Load

Kernel = Callable[..., Any]


def torque(loads, t, p, omega):
    """Body torque n (3) [N m] of all loads (kernels only)."""


def potential_gradient(loads, t, p):
    """dV/dp (4) [J] of all loads that have a potential (kernels only)."""


def torque_without_potential(loads, t, p, omega):
    """Body torque n_nc (3) [N m] of the loads that have no potential (kernels only)."""


def torque_without_application(loads, t, p, omega):
    """Body torque (3) [N m] of the loads that are no force at a body point (kernels only)."""


def forces_at_points(loads, t, p):
    """Of all forces at body points: the sum of H^T G^T f (4), then of u^T f (1) [J]; S0 4.2 (kernels only)."""


@overload(torque, jit_options=OPTIONS)
def _torque(loads, t, p, omega):
    return _sum("t, p, omega", 3, lambda load: load.torque_kernel)


@overload(potential_gradient, jit_options=OPTIONS)
def _potential_gradient(loads, t, p):
    return _sum("t, p", 4, lambda load: load.gradient_kernel)


@overload(torque_without_potential, jit_options=OPTIONS)
def _torque_without_potential(loads, t, p, omega):
    return _sum("t, p, omega", 3, lambda load: None if load.gradient_kernel else load.torque_kernel)


@overload(torque_without_application, jit_options=OPTIONS)
def _torque_without_application(loads, t, p, omega):
    return _sum("t, p, omega", 3, lambda load: None if load.application_kernel else load.torque_kernel)


@overload(forces_at_points, jit_options=OPTIONS)
def _forces_at_points(loads, t, p):
    return _sum("t, p", 5, lambda load: _work_of(load.application_kernel))


def _work_of(application: Kernel | None) -> Kernel | None:
    if application is None:
        return None

    @inline
    def work(row, t, p):
        f, u = application(row, t, p)
        return (*half_split(p, u, f), dot3(u, f))

    return work


def _sum(arguments: str, width: int, kernel_of: Callable[[type[Load]], Kernel | None]) -> Kernel:
    """`sum(loads, arguments) -> tuple of width floats` over the rows whose kind has this kernel."""
    kernels = {f"kind_{number}": kernel_of(kind) for number, kind in enumerate(LOADS.values())}
    scope: dict[str, Any] = {name: kernel for name, kernel in kernels.items() if kernel is not None}
    sums = [f"sum_{index}" for index in range(width)]
    numbers = "".join(f"loads[index, {1 + column}], " for column in range(ROW))
    branches = [
        f"        if kind == {name.removeprefix('kind_')}:\n"
        f"            part = {name}(row, {arguments})\n"
        + "".join(f"            {each} += part[{index}]\n" for index, each in enumerate(sums))
        for name in scope
    ]
    body = (
        f"    {' = '.join(sums)} = 0.0\n"
        "    for index in range(loads.shape[0]):\n"
        "        kind = int(loads[index, 0])\n"
        f"        row = ({numbers})\n{''.join(branches)}"
        f"    return ({', '.join(sums)})"
    )
    return _define(f"loads, {arguments}", body, scope)


def _define(signature: str, body: str, scope: dict[str, Any]) -> Kernel:
    local: dict[str, Any] = {}
    exec(f"def summed({signature}):\n{body}", scope, local)  # text made here from names made here
    return local["summed"]

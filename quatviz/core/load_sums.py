"""Sums over all loads, for kernels: the code that picks each load's kernel by the kind in its row.

The sums are made for the kinds that are registered when a formulation is compiled, so that a new kind of load is one
new file. A formulation asks for them only where `loads.shape[0] > 0`: adding a zero is not free, skipping it nearly is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from numba.extending import overload

from quatviz.core.expression_kernel import apart, value_at
from quatviz.core.forces import half_split
from quatviz.core.kernel import OPTIONS, dot3, inline, njit
from quatviz.core.loads import BEHIND, FIRST, STOP, kinds
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
    """`sum(loads, arguments) -> tuple of width floats` over the rows whose kind has this kernel.

    Loads with an expression, and kinds that are not `common`, stand behind all others and are left to a function that
    is not inlined: a run that has none of them pays for none.
    """
    kernels: dict[int, Any] = {number: kernel_of(kind) for number, kind in enumerate(kinds())}
    known = {number: kernel for number, kernel in kernels.items() if kernel is not None}
    common = [number for number, kind in enumerate(kinds()) if kind.common and number in known]
    scope = {f"kind_{number}": kernel for number, kernel in known.items()}
    sums = [f"sum_{index}" for index in range(width)]
    numbers = "".join(f"loads[index, {1 + column}], " for column in range(ROW))
    start = f"    {' = '.join(sums)} = 0.0\n"
    end = f"    return ({', '.join(sums)})"

    def added(factor: str) -> str:
        return "".join(f"            {each} += {factor}part[{index}]\n" for index, each in enumerate(sums))

    def branches(kinds: Iterable[int], factor: str) -> str:
        return f"        row = ({numbers})\n" + "".join(
            f"        if kind == {number}:\n            part = kind_{number}(row, {arguments})\n{added(factor)}"
            for number in kinds
        )

    behind = _define(
        f"loads, first, {arguments}",
        f"    apart()\n{start}"
        "    for index in range(first, loads.shape[0]):\n"
        f"        kind = int({BEHIND} - loads[index, 0])\n"
        "        if kind < 0:\n"
        "            break\n"
        "        factor = 1.0\n"
        f"        if loads[index, {STOP}] > 0.0:\n"
        f"            factor = value_at(loads, int(loads[index, {FIRST}]), int(loads[index, {STOP}]), t)\n"
        + branches(known, "factor * ")
        + end,
        {**scope, "value_at": value_at, "apart": apart},
    )
    return _define(
        f"loads, {arguments}",
        f"{start}    for index in range(loads.shape[0]):\n"
        "        kind = int(loads[index, 0])\n"
        "        if kind < 0:\n"
        f"            part = behind(loads, index, {arguments})\n{added('')}"
        "            break\n" + branches(common, "") + end,
        {**scope, "behind": njit(**OPTIONS)(behind)},
    )


def _define(signature: str, body: str, scope: dict[str, Any]) -> Kernel:
    """The function, with a name that no other text or other kernels give: kernels from the cache are linked by the names of
    what they call, with a number that is counted anew in each process, and the first of a name serves all."""
    called = (getattr(each, "py_func", each) for each in scope.values())
    kernels = "\n".join(f"{each.__module__}.{each.__qualname__}" for each in called)
    mark = hashlib.sha256(f"{signature}\n{body}\n{kernels}".encode()).hexdigest()[:12]
    local: dict[str, Any] = {}
    exec(
        f"def summed_{mark}({signature}):\n{body}", dict(scope), local
    )  # text made here from names made here
    return local[f"summed_{mark}"]

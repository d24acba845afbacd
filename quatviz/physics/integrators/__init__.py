"""Integration methods, one file each. `quatviz.integrators()` returns the title of each method by its name.

An explicit Runge-Kutta method is a subclass of `ExplicitRungeKutta` that defines its `ButcherTableau`. Any other
method has a kernel of its own; see the contract of `Integrator`.

>>> import quatviz
>>> quatviz.integrators()["rk4"]
'Runge–Kutta 4'
"""

import sys

from quatviz.base.registry import CallableModule, Registry
from quatviz.base.translation import tr
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta
from quatviz.physics.integrators.base import Integrator

__all__ = ["INTEGRATORS", "ButcherTableau", "ExplicitRungeKutta", "Integrator", "integrator_title", "listed"]

INTEGRATORS: Registry[type[Integrator]] = Registry(__name__, Integrator)
sys.modules[__name__].__class__ = CallableModule


def listed() -> dict[str, str]:
    """Return the title of every integrator by its name."""
    return {name: integrator.title for name, integrator in INTEGRATORS.items()}


def integrator_title(name: str) -> str:
    """Return the displayed title of an integrator, or the name itself if it is unknown.

    >>> integrator_title("rk4")
    'Runge–Kutta 4'
    """
    return tr(INTEGRATORS[name].title) if name in INTEGRATORS else name

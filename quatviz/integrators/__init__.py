"""Integration methods, one file each. An explicit Runge-Kutta method is its `ButcherTableau`, in a subclass of
`ExplicitRungeKutta`; any other is a kernel of its own, see the contract of `Integrator`."""

from quatviz.base.registry import Registry
from quatviz.integrators._runge_kutta import ButcherTableau, ExplicitRungeKutta
from quatviz.integrators.base import Integrator

__all__ = ["INTEGRATORS", "ButcherTableau", "ExplicitRungeKutta", "Integrator"]

INTEGRATORS: Registry[type[Integrator]] = Registry(__name__, Integrator)

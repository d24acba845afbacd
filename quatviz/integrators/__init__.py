"""Integration methods, one file each."""

from quatviz.core.registry import Registry
from quatviz.integrators.base import Integrator

INTEGRATORS: Registry[Integrator] = Registry(__name__, Integrator)

"""Kernels of `lagrange_projected` for a body with rotors: a module of its own, so that lanes without rotors do not depend on it."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_projected.kernel import KERNELS


class LagrangeProjectedRotorParameters(RotorParameters):
    """As `RotorParameters`, around `LagrangeProjectedParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `lagrange_projected` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_projected.kernel import KERNELS


class LagrangeProjectedRotorParameters(RotorParameters):
    """As `RotorParameters`, around `LagrangeProjectedParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

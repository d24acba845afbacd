"""Kernels of `lagrange_simplified` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_simplified.kernel import KERNELS


class LagrangeSimplifiedRotorParameters(RotorParameters):
    """As `RotorParameters`, around `LagrangeSimplifiedParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

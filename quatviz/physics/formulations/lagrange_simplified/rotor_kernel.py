"""Kernels of `lagrange_simplified` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_simplified.kernel import KERNELS


class LagrangeSimplifiedRotorParameters(RotorParameters):
    """`RotorParameters` with `LagrangeSimplifiedParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

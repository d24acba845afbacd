"""Kernels of `lagrange_projected` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_projected.kernel import KERNELS


class LagrangeProjectedRotorParameters(RotorParameters):
    """`RotorParameters` with `LagrangeProjectedParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

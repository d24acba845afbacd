"""Kernels of `lagrange_full` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_full.kernel import KERNELS


class LagrangeFullRotorParameters(RotorParameters):
    """`RotorParameters` with `LagrangeFullParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `lagrange_full` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lagrange_full.kernel import KERNELS


class LagrangeFullRotorParameters(RotorParameters):
    """As `RotorParameters`, around `LagrangeFullParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

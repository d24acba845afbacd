"""Kernels of `lie_group` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.lie_group.kernel import KERNELS


class LieGroupRotorParameters(RotorParameters):
    """`RotorParameters` with `LieGroupParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

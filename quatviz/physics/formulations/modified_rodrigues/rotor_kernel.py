"""Kernels of `modified_rodrigues` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.modified_rodrigues.kernel import KERNELS


class ModifiedRodriguesRotorParameters(RotorParameters):
    """`RotorParameters` with `ModifiedRodriguesParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

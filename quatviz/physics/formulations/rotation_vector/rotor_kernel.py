"""Kernels of `rotation_vector` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.rotation_vector.kernel import KERNELS


class RotationVectorRotorParameters(RotorParameters):
    """`RotorParameters` with `RotationVectorParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

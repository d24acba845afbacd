"""Kernels of `euler_angles` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.euler_angles.kernel import KERNELS


class EulerAngleRotorParameters(RotorParameters):
    """`RotorParameters` with `EulerAngleParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `euler_angles` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.euler_angles.kernel import KERNELS


class EulerAngleRotorParameters(RotorParameters):
    """As `RotorParameters`, around `EulerAngleParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `newton_euler` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.newton_euler.kernel import KERNELS


class NewtonEulerRotorParameters(RotorParameters):
    """As `RotorParameters`, around `NewtonEulerParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

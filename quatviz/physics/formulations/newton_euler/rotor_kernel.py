"""Kernels of `newton_euler` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.newton_euler.kernel import KERNELS


class NewtonEulerRotorParameters(RotorParameters):
    """`RotorParameters` with `NewtonEulerParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `reduced_euler_parameters` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.reduced_euler_parameters.kernel import KERNELS


class ReducedRotorParameters(RotorParameters):
    """`RotorParameters` with `ReducedParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

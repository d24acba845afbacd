"""Kernels of `hamilton` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.hamilton.kernel import KERNELS


class HamiltonRotorParameters(RotorParameters):
    """`RotorParameters` with `HamiltonParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

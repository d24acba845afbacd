"""Kernels of `hamilton` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.hamilton.kernel import KERNELS


class HamiltonRotorParameters(RotorParameters):
    """As `RotorParameters`, around `HamiltonParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

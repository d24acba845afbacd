"""Kernels of `hamilton_canonical` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.hamilton_canonical.kernel import KERNELS


class HamiltonCanonicalRotorParameters(RotorParameters):
    """As `RotorParameters`, around `HamiltonCanonicalParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `hamilton_canonical` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.hamilton_canonical.kernel import KERNELS


class HamiltonCanonicalRotorParameters(RotorParameters):
    """`RotorParameters` with `HamiltonCanonicalParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

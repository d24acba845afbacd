"""Kernels of `udwadia_schutte` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.udwadia_schutte.kernel import KERNELS


class UdwadiaSchutteRotorParameters(RotorParameters):
    """`RotorParameters` with `UdwadiaSchutteParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

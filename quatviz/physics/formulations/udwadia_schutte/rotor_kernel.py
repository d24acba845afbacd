"""Kernels of `udwadia_schutte` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.udwadia_schutte.kernel import KERNELS


class UdwadiaSchutteRotorParameters(RotorParameters):
    """As `RotorParameters`, around `UdwadiaSchutteParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

"""Kernels of `udwadia_schutte_fundamental` for a body with rotors, of which lanes without rotors know nothing."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.udwadia_schutte_fundamental.kernel import KERNELS


class FundamentalRotorParameters(RotorParameters):
    """As `RotorParameters`, around `FundamentalParameters`."""


ROTOR_KERNELS = add_rotors(KERNELS)

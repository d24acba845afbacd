"""Kernels of `udwadia_schutte_fundamental` for a body with rotors, in a module that lanes without rotors do not import."""

from quatviz.physics.formulations._kernels.rotors import RotorParameters, add_rotors
from quatviz.physics.formulations.udwadia_schutte_fundamental.kernel import KERNELS


class FundamentalRotorParameters(RotorParameters):
    """`RotorParameters` with `FundamentalParameters` as `base`."""


ROTOR_KERNELS = add_rotors(KERNELS)

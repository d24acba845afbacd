"""Formulations with an intended mistake: checks that each contains its own mistake and no other."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.mistaken import Mistaken
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import multiply
from quatviz.verification.check import Check, check_zero
from quatviz.verification.load_torque import total_torque
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import VerificationPart

STATE_COUNT = 4
TOLERANCE = 1e-10


class MistakenFormulationChecks(VerificationPart):
    """Checks that the kernels of mistaken formulations agree with the intended wrong equations for all load cases.
    The wrong equations are evaluated here with quaternion products."""

    name = "mistaken"
    title = "Mistaken forms, relative to their own equations"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from check_kernels()


def check_kernels() -> Iterator[Check]:
    """Yield, for each mistake, a check of the largest error of the kernel with that mistake over random
    states."""
    for variant in Mistaken.variants:
        form = make_formulation(f"{Mistaken.name}/{variant}")
        worst = 0.0
        for load_case in ("free", *LOADS):
            for seed in range(STATE_COUNT):
                preset = random_preset(seed, LOADS.get(load_case, ()))
                p, omega, J = preset.initial.p(), preset.initial.omega(preset.body), preset.body.inertia
                parameters = form.parameters(preset.body, preset.loads)
                computed, _ = blocks.derivative(
                    parameters, 0.3, tuple(form.start(p, omega, parameters).tolist())
                )
                n = total_torque(preset.loads, 0.3, p, omega, J)
                worst = max(
                    worst, float(np.abs(np.array(computed) - _mistaken_rates(variant, p, omega, J, n)).max())
                )
        yield check_zero(f"{variant}: omega' and p'", worst, TOLERANCE, f"{form.id}, random states")


def _mistaken_rates(
    variant: str, p: np.ndarray, omega: np.ndarray, J: np.ndarray, n: np.ndarray
) -> np.ndarray:
    """Return omega' and p' in one array (7,), with the mistake of the given variant."""
    omega_quaternion, gyroscopic = np.append(0.0, omega), np.cross(omega, J @ omega)
    p_rate = 0.5 * multiply(p, omega_quaternion)
    if variant == "no_gyroscopic":
        gyroscopic = np.zeros(3)
    elif variant == "gyroscopic_sign":
        gyroscopic = np.cross(J @ omega, omega)
    elif variant == "rate_in_space":
        p_rate = 0.5 * multiply(omega_quaternion, p)
    elif variant == "no_half":
        p_rate = multiply(p, omega_quaternion)
    return np.concatenate((np.linalg.solve(J, n - gyroscopic), p_rate))

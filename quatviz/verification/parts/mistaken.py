"""The mistaken forms are wrong by their own mistake and by nothing else."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.mistaken import Mistaken
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import multiply
from quatviz.verification.check import Check, vanishing
from quatviz.verification.load_torque import total_moment
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import Part

STATES = 4
TOLERANCE = 1e-10


class MistakenForms(Part):
    """Their kernels against the wrong equations in NumPy, with quaternion products, under each kind of loads."""

    name = "mistaken"
    title = "Mistaken forms, relative to their own equations"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from of_kernels()


def of_kernels() -> Iterator[Check]:
    """For each mistake the largest error over some states."""
    for variant in Mistaken.variants:
        form = make_formulation(f"{Mistaken.name}/{variant}")
        worst = 0.0
        for kind in ("free", *LOADS):
            for seed in range(STATES):
                preset = random_preset(seed, LOADS.get(kind, ()))
                p, omega, J = preset.initial.p(), preset.initial.omega(preset.body), preset.body.inertia
                parameters = form.parameters(preset.body, preset.loads)
                found, _ = blocks.derivative(
                    parameters, 0.3, tuple(form.start(p, omega, parameters).tolist())
                )
                n = total_moment(preset.loads, 0.3, p, omega, J)
                worst = max(worst, float(np.abs(np.array(found) - _rates(variant, p, omega, J, n)).max()))
        yield vanishing(f"{variant}: omega' and p'", worst, TOLERANCE, f"{form.id}, random states")


def _rates(variant: str, p: np.ndarray, omega: np.ndarray, J: np.ndarray, n: np.ndarray) -> np.ndarray:
    """omega' and p' (7,) of a mistake."""
    turn, gyroscopic = np.append(0.0, omega), np.cross(omega, J @ omega)
    p_rate = 0.5 * multiply(p, turn)
    if variant == "no_gyroscopic":
        gyroscopic = np.zeros(3)
    elif variant == "gyroscopic_sign":
        gyroscopic = np.cross(J @ omega, omega)
    elif variant == "rate_in_space":
        p_rate = 0.5 * multiply(turn, p)
    elif variant == "no_half":
        p_rate = multiply(p, turn)
    return np.concatenate((np.linalg.solve(J, n - gyroscopic), p_rate))

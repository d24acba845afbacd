"""Helper functions and constants of the engine tests."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import FormulationOptions
from quatviz.physics.kernels import blocks
from quatviz.verification.motions import reference_cases, reference_preset

__all__ = [
    "LANES",
    "ROOT",
    "ROTORS",
    "STATES",
    "TARGET",
    "derivative",
    "is_regular",
    "random_preset",
    "reference_preset",
    "run_python",
]
LANES = [
    f"{name}/{variant}" if variant else name
    for name, family in FORMULATIONS.items()
    for variant in family.variants or ("",)
    if not family.carries_ring and not family.has_closed_form
]
"""Ids of all lanes that integrate a single body."""
MOTIONS = [lane for lane in LANES if make_formulation(lane).yields_motion]
"""Lanes that yield the motion of the body."""
ERROR_FACTORS = {"hamilton_canonical": 1e4, "rotation_vector": 1e3}
"""Factors of the error of a family on the heavy top relative to other families, at the same step.

For canonical momenta, g rotates with half the spin, and its drift from p.g = 0 rotates h. The rotation vector comes near a full
turn.
"""
ROOT = Path(__file__).resolve().parents[2]
STATES = reference_cases()
TARGET = np.array([0.8, 0.2, -0.3, 0.1])
ROTORS = (
    qv.Rotor(axis=[1.0, 0.2, 0.0], inertia=0.3, speed=20.0, friction=0.02),
    qv.Rotor(axis=[0.0, 1.0, 0.1], inertia=0.2, law="motor", torque="0.3*sin(2*t)", friction=0.01, speed=3.0),
    qv.Rotor(
        axis=[0.0, 0.0, 1.0], inertia=0.25, law="attitude_control", stiffness=1.5, damping=2.0, target=TARGET
    ),
    qv.Rotor(axis=[1.0, 1.0, 1.0], inertia=0.1, law="constant_speed", speed=40.0),
    qv.Rotor(axis=[1.0, 0.0, -1.0], law="constant_momentum", momentum=1.3, inertia=0.05),
)
"""Rotors of all laws. Tests share them, because the laws are part of the compiled kernels."""


def is_regular(lane: qv.Solution, threshold: float = 0.25) -> bool:
    """Return True if the lane stayed away from its singularity, near which a fixed step is inaccurate."""
    return lane.status == "ok" and bool(np.abs(lane.singularity).min() > threshold)


def random_preset(seed: int, gravity: bool) -> Preset:
    """Return a preset of a body with products of inertia and random initial values, on a pivot with gravity or free."""
    random = np.random.default_rng(seed)
    squares = random.uniform(0.2, 1.5, 3)
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    inertia = axes @ np.diag(squares.sum() - squares) @ axes.T
    p = random.normal(size=4)
    loads = [qv.Gravity(weight=9.0, centre=random.normal(size=3) * 0.4)] if gravity else []
    return Preset(
        body=qv.Body(inertia=0.5 * (inertia + inertia.T), about="pivot" if gravity else "centre_of_mass"),
        initial=qv.Initial(
            euler_parameters=p / np.linalg.norm(p), angular_velocity=random.normal(size=3) * 2
        ),
        loads=loads,
    )


def run_python(code: str, folder: Path, *paths: Path, **environment: str) -> str:
    """Return the output of a fresh interpreter; `paths` come first in its module search path."""
    search = os.pathsep.join(map(str, (*paths, ROOT)))
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": search, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def derivative(lane_id: str, preset: Preset, y: np.ndarray, J0: float = 1.0) -> tuple[np.ndarray, float]:
    """Return the derivative of the state `y` at t = 0 and lambda from the compiled equations of a lane."""
    parameters = make_formulation(lane_id, options=FormulationOptions(J0=J0)).parameters(
        preset.body, preset.loads
    )
    rate, lam = blocks.derivative(parameters, 0.0, tuple(y.tolist()))
    return np.array(rate), float(lam)

"""A plug-in formulation whose omega is in space components: events use the kind of a component, not its name."""

from typing import Any

import numpy as np
import pytest
from helpers import random_preset

import quatviz as qv
from quatviz.files.preset import Lane
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.newton_euler.kernel import omega_rate
from quatviz.physics.kernels.algebra import half_LT_times, to_body
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.mechanics.rotations import rotate, rotate_back
from quatviz.physics.mechanics.state import EULER_PARAMETERS, StateBlock, StateVariable


class SpaceParameters(BodyParameters):
    """Parameters like `BodyParameters` for the kernels of this formulation."""


def _space_rates(par, t, y):
    """omega_space' = A omega', for omega x omega = 0; p' = 1/2 L^T omega."""
    p = y[3:]
    omega = to_body(p, y[:3])
    inverse = (p[0], -p[1], -p[2], -p[3])
    return to_body(inverse, omega_rate(par, t, p, omega)) + half_LT_times(p, omega)


class SpaceRates(Formulation):
    """Newton and Euler with omega in space; its names are those of a form with omega in the body."""

    name = "space_rates"
    title = "Space rates"
    source = "made for this test"
    parameter_type = SpaceParameters
    kernels = Kernels(rhs=_space_rates)
    blocks = (StateBlock(StateVariable.SPACE_RATE, ("omega1", "omega2", "omega3")), EULER_PARAMETERS)

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((rotate(p[None], omega[None])[0], p))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], rotate_back(states[:, 3:], states[:, :3])


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMULATIONS.entries(), SpaceRates.name, SpaceRates)


@pytest.mark.usefixtures("plugged_in")
@pytest.mark.parametrize("lane", [SpaceRates.name, "euler_angles/321", "hamilton_canonical"])
def test_events_are_independent_of_the_velocity_kind(lane: str) -> None:
    events = (
        qv.Kick(at=0.2, impulse=[0.3, -0.2, 0.5], frame="body"),
        qv.Kick(at=0.3, impulse=[0.3, -0.2, 0.5], frame="space"),
        qv.FlipSign(at=0.35),
        qv.ChangeModel(at=0.4, body=qv.Body(inertia=[1.5, 2.5, 3.0]), keeps="angular_momentum"),
        qv.SetState(at=0.5, angular_velocity=[0.5, 1.0, -0.2]),
        qv.Reverse(at=0.6),
    )
    preset = random_preset(5, gravity=False)
    preset = type(preset)(body=preset.body, initial=preset.initial, events=events).with_run(
        duration=1.0, dt=1e-3, sample_interval=0.01
    )
    run = qv.simulate(preset, lanes=[Lane("newton_euler"), Lane(lane)])
    assert [lane_result.status for lane_result in run.lanes] == ["ok", "ok"]
    assert run.orientation_error(lane, "newton_euler").max() < 1e-9
    assert np.abs(run[lane].omega - run["newton_euler"].omega).max() < 1e-8
    assert not [remark for remark in run[lane].warnings if "Kick" in remark]


@pytest.mark.usefixtures("plugged_in")
def test_kick_keeps_the_constraint_error() -> None:
    """A state built from p and omega alone would be back on the sphere."""
    events = (qv.Perturb(at=0.1, length=1.001), qv.Kick(at=0.2, impulse=[0.3, -0.2, 0.5]))
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.1, 0.0, 2.0]),
        events=events,
    ).with_run(duration=0.3, dt=1e-3, sample_interval=0.01)
    lane = qv.simulate(preset, lanes=[SpaceRates.name])[SpaceRates.name]
    assert lane.constraint[[15, 20, 25]] == pytest.approx(1.001**2 - 1, rel=1e-4)

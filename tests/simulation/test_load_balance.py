"""A lane that skips a pulse of a Python load is detected by work and angular impulse."""

import math
import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.kernels.binder import inline
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.load_balance import (
    MAX_IMBALANCE,
    energy_balance_error,
    has_unknown_changes,
)
from quatviz.simulation.simulation import Simulation


@inline
def pulse_torque(row, t, p, omega):
    value = 100.0 * math.exp(-(((t - row[0]) / row[1]) ** 2))
    return (value, 0.2 * value, 0.0)


@dataclass(frozen=True, eq=False)
class Pulse(Load):
    """A torque that only Python can evaluate."""

    name: ClassVar[str] = "pulse"
    torque_kernel = pulse_torque
    center: float = 5.0
    width: float = 0.02

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.center, self.width)


class OwnGravity(Gravity):
    """A weight that a run treats as user code."""


def lane_of(integrator: str, load: Load, omega: tuple[float, ...], **settings: float) -> LaneRun:
    preset: Preset = replace(
        qv.load_preset("torque_free"),
        body=qv.Body(inertia=[1.0, 2.0, 2.6]),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=list(omega)),
        loads=[load],
    )
    run = Simulation(
        preset.with_run(
            lanes=["newton_euler"],
            integrator=integrator,
            **{"dt": 1e-3, "duration": 10.0, "sample_interval": 0.01, **settings},
        )
    )
    run.complete(jobs=1)
    assert run.lanes[0].status == "ok"
    return run.lanes[0]


REST, SPIN = (0.0, 0.0, 0.0), (0.7, 0.3, -0.4)


@pytest.mark.parametrize("width", [0.001, 0.02])
def test_skipped_pulse_is_detected(width: float) -> None:
    """Includes a body at rest, where the work balance is unaffected."""
    lane = lane_of("dop853", Pulse(width=width), REST, dt=0.01)
    assert np.abs(lane.omega).max() == 0.0, "it is leapt over"
    imbalance = energy_balance_error(lane)
    assert imbalance.largest == pytest.approx(1.0, abs=0.01)
    assert imbalance.time == pytest.approx(5.0, abs=3.0 * max(width, 0.01))
    verdict = accuracy_verdict(lane)
    assert not verdict.is_accurate
    assert verdict.accurate_until <= imbalance.time
    assert "differs by 100 % from the effect of the loads" in verdict.message
    assert "Try an integrator with fixed steps" in verdict.message


@pytest.mark.parametrize("omega", [REST, SPIN])
@pytest.mark.parametrize("width", [0.001, 0.02, 0.3])
def test_correct_lane_is_in_balance(width: float, omega: tuple[float, ...]) -> None:
    lane = lane_of("rk4", Pulse(width=width), omega, dt=1e-4)
    imbalance = energy_balance_error(lane)
    assert imbalance.largest < 0.3 * MAX_IMBALANCE


@pytest.mark.parametrize(
    "name", ["heavy_top", "attitude_control", "spring_disk", "torque_free", "gravity_gradient"]
)
def test_shipped_presets_are_in_balance(name: str) -> None:
    run = Simulation(qv.load_preset(name).with_run(lanes=["newton_euler"], duration=5.0))
    run.complete(jobs=1)
    assert energy_balance_error(run.lanes[0]).largest < 0.3 * MAX_IMBALANCE


def test_only_loads_of_the_user_have_unknown_changes() -> None:
    assert has_unknown_changes([Pulse()])
    assert not has_unknown_changes([qv.Torque(torque=["sin(t)", 0.0, 0.0]), qv.Damping(coefficient=1.0)])


class DeclaredPulse(Pulse):
    """The same pulse with declared switch times."""

    def switch_times(self, duration: float) -> tuple[float, ...]:
        return tuple(self.center + self.width * part for part in (-6.0, 0.0, 6.0))


@pytest.mark.parametrize("integrator", ["dop853", "lsoda", "radau"])
def test_declared_switch_times_are_not_skipped(integrator: str) -> None:
    lane = lane_of(integrator, DeclaredPulse(width=0.001), REST, dt=0.01)
    assert lane.h_space[-1] - lane.h_space[0] != pytest.approx([0.0, 0.0, 0.0], abs=0.01)
    assert np.linalg.norm(lane.h[-1]) == pytest.approx(0.1 * math.sqrt(math.pi * 1.04), abs=1e-7)
    assert energy_balance_error(lane).largest < 0.3 * MAX_IMBALANCE


@pytest.mark.parametrize("dt", [0.05, 0.02])
def test_fixed_steps_that_skip_a_pulse_are_detected(dt: float) -> None:
    lane = lane_of("rk4", Pulse(center=5.0125, width=1e-3), (0.0, 0.0, 0.0), dt=dt, sample_interval=dt)
    message = accuracy_verdict(lane).message
    assert re.search("differs by (99|100) % from the effect of the loads", message)
    assert message.endswith("Try a dt shorter than the pulse of the load")


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.parametrize("interval", [0.01, 0.05, 0.2, 0.5])
def test_few_samples_of_a_fast_body_are_in_balance(integrator: str, interval: float) -> None:
    """The top turns by up to 25 rad between samples."""
    preset = qv.load_preset("heavy_top")
    (weight,) = preset.loads
    assert isinstance(weight, Gravity)
    own = OwnGravity(weight=weight.weight, centre=weight.centre)
    run = Simulation(
        replace(preset, loads=(own,)).with_run(
            lanes=["newton_euler"], integrator=integrator, dt=1e-3, sample_interval=interval, duration=10.0
        )
    )
    run.complete(jobs=1)
    assert has_unknown_changes(run.lanes[0].problem.loads)
    assert energy_balance_error(run.lanes[0]).largest < MAX_IMBALANCE

"""Effort and peak of a controller, against the closed form of a spin that it brakes."""

import math
from dataclasses import replace

import pytest

import quatviz as qv

J, D, SPIN, DURATION = 2.0, 0.5, 3.0, 4.0
START = qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.0, 0.0, SPIN])
BRAKED = qv.Preset(
    body=qv.Body(inertia=[J, J, J]), initial=START, loads=[qv.TorqueLaw(law="n = -D*omega", gains={"D": D})],
    run=qv.RunSettings(DURATION, 1e-3, 1e-2), lanes=[qv.Lane("newton_euler")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "value"),
    [("control_effort", J * SPIN * (1.0 - math.exp(-D * DURATION / J))), ("peak_torque", D * SPIN)],
)
def test_a_braked_spin_has_the_effort_of_its_momentum(measure: str, value: float) -> None:
    rates = [SPIN, 2.0 * SPIN]
    swept = qv.sweep(BRAKED, over={"initial.angular_velocity[2]": rates}, measure=measure)
    assert swept[measure].values.ravel() == pytest.approx([value, 2.0 * value], rel=1e-5)


def test_only_controllers_count() -> None:
    dragged = replace(BRAKED, loads=[qv.Damping(coefficient=D)])
    with pytest.raises(qv.InputError, match="no load is a controller"):
        qv.sweep(dragged, over={"initial.angular_velocity[2]": [1.0, 2.0]}, measure="control_effort")

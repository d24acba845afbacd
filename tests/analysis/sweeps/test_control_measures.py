"""Effort and peak of a controller, compared with the closed form of a braked spin."""

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
def test_effort_of_a_braked_spin_equals_its_momentum(measure: str, value: float) -> None:
    rates = [SPIN, 2.0 * SPIN]
    swept = qv.sweep(BRAKED, over={"initial.angular_velocity[2]": rates}, measure=measure)
    assert swept[measure].values.ravel() == pytest.approx([value, 2.0 * value], rel=1e-5)


def test_only_controllers_contribute_to_effort() -> None:
    dragged = replace(BRAKED, loads=[qv.Damping(coefficient=D)])
    with pytest.raises(qv.InputError, match="no load of the preset is a controller"):
        qv.sweep(dragged, over={"initial.angular_velocity[2]": [1.0, 2.0]}, measure="control_effort")


def test_torque_law_target_equals_built_in_controller() -> None:
    target = [0.6, 0.0, 0.8, 0.0]
    law = "target = [0.6, 0, 0.8, 0]\nq = product(conjugate(target), p)\nn = -K*sign(q[0])*q[1:] - D*omega"
    loads = (
        qv.AttitudeControl(stiffness=2.0, damping=1.5, target=target),
        qv.TorqueLaw(law=law, gains={"K": 2.0, "D": 1.5}),
        qv.TorqueLaw(law="n = -K*sign(p[0])*p[1:] - D*omega", gains={"K": 2.0, "D": 1.5}),
    )
    start = qv.Initial(euler_parameters=[0.8, 0.0, 0.0, 0.6], angular_velocity=[0.1, -0.2, 0.3])
    times = []
    for load in loads:
        preset = replace(BRAKED, initial=start, loads=[load]).with_run(duration=20.0)
        swept = qv.sweep(preset, over={"run.dt": [1e-2]}, measure="settling_time", sample_interval=0.02)
        times.append(float(swept.settling_time.values.item()))
    assert times[1] == pytest.approx(times[0], abs=1e-6)
    assert math.isfinite(times[2])
    assert abs(times[2] - times[0]) > 0.01, "another target settles at another time"

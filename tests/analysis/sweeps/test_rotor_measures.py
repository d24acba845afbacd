"""Measures of sweeps over bodies with rotors: known values, and a refusal."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError


def gyrostat() -> qv.Preset:
    rotor = qv.Rotor(axis=[0.0, 0.0, 1.0], law="constant_momentum", momentum=3.0)
    return qv.Preset(
        body=qv.Body(inertia=[2.0, 2.0, 3.0], rotors=[rotor]),
        initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.3, -0.2, 0.5]),
    )


@pytest.mark.parametrize("count", [3, 70])
def test_period_of_a_gyrostat_counts_its_rotor(count: int) -> None:
    """omega turns about the axis at the rate ((J3 - J1) w3 + h)/J1; few runs are computed alone, many in a batch."""
    momenta = np.linspace(3.0, 6.0, count)
    result = qv.sweep(
        gyrostat(), over={"body.rotors[0].momentum": momenta.tolist()}, measure="period", lanes="newton_euler",
        dt=5e-3, sample_interval=1e-2, duration=12.0, jobs=1,
    )  # fmt: skip
    assert result["period"].values.ravel() == pytest.approx(2.0 * np.pi * 2.0 / (0.5 + momenta), rel=1e-5)


def test_exponent_of_a_body_with_rotors_is_refused() -> None:
    with pytest.raises(InputError, match="a ring or rotors in the body"):
        qv.sweep(
            gyrostat(),
            over={"body.inertia[0]": [2.0, 2.1]},
            measure="lyapunov_exponent",
            lanes="newton_euler",
        )

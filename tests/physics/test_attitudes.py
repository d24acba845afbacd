"""Formulations with other attitude coordinates, and the canonical momenta."""

import numpy as np
import pytest
from helpers import random_preset, reference_preset

import quatviz as qv

SPINNING = qv.Preset(
    body=qv.Body(inertia=[1.0, 1.0, 1.0]),
    initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.6, 0.0, 0.8]),
)
"""A sphere that turns at 1 rad/s about one axis."""


def test_reduced_euler_parameters_are_singular_at_half_a_turn() -> None:
    run = qv.simulate(
        SPINNING, lanes=["reduced_euler_parameters"], dt=1e-3, duration=5.0, sample_interval=0.01
    )
    lane = run["reduced_euler_parameters"]
    assert lane.status == "singular"
    assert lane.ended_at is not None
    assert np.pi - 0.02 < lane.ended_at < np.pi
    assert "turned by 179." in lane.message
    assert lane.singularity[:-10] == pytest.approx(np.cos(0.5 * lane.t[:-10]), abs=1e-9)


def test_rotation_vector_is_singular_at_a_full_turn() -> None:
    run = qv.simulate(SPINNING, lanes=["rotation_vector"], dt=1e-3, duration=8.0, sample_interval=0.01)
    lane = run["rotation_vector"]
    assert lane.status == "singular"
    assert lane.ended_at == pytest.approx(2.0 * np.pi, abs=0.05)
    assert "a whole turn" in lane.message


def test_modified_rodrigues_switch_to_the_shadow_set() -> None:
    lane = qv.simulate(SPINNING, lanes=["modified_rodrigues"], dt=1e-3, duration=20.0, sample_interval=0.01)[
        "modified_rodrigues"
    ]
    sigma = np.linalg.norm(lane.engine.history.rows[:, 3:6], axis=1)
    assert sigma.max() <= 1.0
    assert (np.diff(lane.engine.history.rows[:, 6]) != 0.0).sum() == 3, "switched at pi, 3 pi, 5 pi"
    assert lane.p[:, 0] == pytest.approx(np.cos(0.5 * lane.t), abs=1e-9)
    assert np.abs(np.diff(lane.p, axis=0)).max() < 0.01


def test_lie_group_conserves_the_length_of_p() -> None:
    preset = random_preset(1, gravity=True)
    run = qv.simulate(
        preset, lanes=["lie_group", "newton_euler"], dt=0.02, duration=20.0, sample_interval=0.02
    )
    assert np.abs(run["lie_group"].constraint).max() < 1e-12
    assert np.abs(run["newton_euler"].constraint).max() > 1e-9
    assert not run["lie_group"].engine.history.rows[:, 3:6].any(), "every step ends with a new base"


@pytest.mark.parametrize("variant", ["direct", "literal"])
def test_canonical_lambda(variant: str) -> None:
    """lambda is 4T - p^T dV/dp, or -p^T dV/dp if -dT/dp is taken literally; the motion is the same."""
    preset = reference_preset("heavy_top")
    lane = qv.simulate(
        preset, lanes=[f"hamilton_canonical/{variant}"], dt=1e-4, duration=1.0, sample_interval=0.01
    ).lanes[0]
    kinetic = 4.0 * lane.kinetic if variant == "direct" else 0.0
    assert lane.lam == pytest.approx(kinetic - 2.0 * lane.potential, abs=1e-4)
    assert lane.lam_theory == pytest.approx(kinetic - 2.0 * lane.potential, abs=1e-9)
    g, p = lane.engine.history.rows[:, :4], lane.engine.history.rows[:, 4:]
    assert np.abs(np.einsum("ni,ni->n", p, g)).max() < 1e-6


def test_canonical_lambda_of_a_torque_is_4T() -> None:
    free = random_preset(2, gravity=False)
    preset = qv.Preset(
        body=free.body,
        initial=free.initial,
        loads=[
            qv.Torque(torque=[0.3, -0.2, 0.1]),
            qv.Spring(stiffness=2.0, point=[1, 0, 0], anchor=[0, 2, 0]),
        ],
    )
    lane = qv.simulate(
        preset, lanes=["hamilton_canonical"], dt=1e-3, duration=3.0, sample_interval=0.1
    ).lanes[0]
    assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-7)

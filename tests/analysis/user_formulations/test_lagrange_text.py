"""Lagrange's equations of typed T and V, derived as lines of a typed formulation."""

from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.user_formulations.lagrange_text import (
    LAGRANGE_EXAMPLE,
    LagrangeTexts,
    contains_energies,
    derive_formulation,
)
from quatviz.base.errors import InputError

WITH_V = replace(
    LAGRANGE_EXAMPLE,
    name="with_v",
    energies=f"{LAGRANGE_EXAMPLE.energies}\nV = weight*s*cos(theta)",
    numbers={"weight": 20.0, "s": 1.0},
)
TAIT_BRYAN = LagrangeTexts(
    "tait_bryan",
    energies="""\
w = [roll' - yaw'*sin(pitch), pitch'*cos(roll) + yaw'*sin(roll)*cos(pitch), yaw'*cos(roll)*cos(pitch) - pitch'*sin(roll)]
omega = w
T = dot(w, J @ w)/2""",
    attitude="""\
a = [cos(yaw/2), 0, 0, sin(yaw/2)]
b = [cos(pitch/2), 0, sin(pitch/2), 0]
c = [cos(roll/2), sin(roll/2), 0, 0]
p = product(product(a, b), c)""",
    start="""\
x = A @ [1, 0, 0]
z = A.T @ [0, 0, 1]
yaw = atan2(x[1], x[0])
pitch = -asin(x[2])
roll = atan2(z[1], z[2])""",
)


def test_heavy_top_agrees_with_euler_angles() -> None:
    lanes: list[qv.TypedFormulation | str] = [
        derive_formulation(LAGRANGE_EXAMPLE),
        derive_formulation(WITH_V),
        "euler_angles/313",
    ]
    run = qv.simulate(qv.load_preset("heavy_top"), lanes=lanes, duration=1.0)
    for name in ("my_lagrange", "with_v"):
        assert run.orientation_error(name, "euler_angles/313").max() < 1e-10
        assert np.abs(run[name].omega - run["euler_angles/313"].omega).max() < 1e-10


def test_any_body_and_loads_follow_the_motion_in_other_coordinates() -> None:
    for texts in (LAGRANGE_EXAMPLE, TAIT_BRYAN):
        judgement = qv.judge(derive_formulation(texts))
        assert judgement.is_correct, judgement.verdict
        assert judgement.difference < 1e-10


def test_wrong_kinetic_energy_is_detected() -> None:
    wrong = replace(TAIT_BRYAN, energies=TAIT_BRYAN.energies.replace("dot(w, J @ w)/2", "dot(w, J @ w)"))
    judgement = qv.judge(derive_formulation(wrong))
    assert not judgement.is_correct
    assert "the torque n times 0.5" in judgement.verdict or "half_torque" in judgement.verdict


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (replace(LAGRANGE_EXAMPLE, energies="omega = [a', b', 0]\nT = a'**2"), "rates of three coordinates"),
        (replace(TAIT_BRYAN, energies=TAIT_BRYAN.energies.replace("omega = w\n", "")), "omega"),
        (replace(TAIT_BRYAN, energies=f"{TAIT_BRYAN.energies}\nV = max(roll, 0)"), "smooth"),
        (replace(TAIT_BRYAN, energies=f"{TAIT_BRYAN.energies}\nV = mg*sin(roll)"), "mg"),
        (replace(TAIT_BRYAN, attitude="q = [1, 0, 0, 0]"), "p"),
    ],
)
def test_texts_that_are_no_lagrangian_are_refused(texts: LagrangeTexts, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        derive_formulation(texts)
    assert message in str(refusal.value)


def test_energies_are_distinguished_from_rates() -> None:
    assert contains_energies(LAGRANGE_EXAMPLE.energies)
    assert not contains_energies("omega' = solve(J, n)\nT = dot(omega, J @ omega)/2")
    assert not contains_energies("Tau = 1")

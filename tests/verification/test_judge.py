"""`judge` detects known mistakes in independent equations and accepts correct formulations."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from student_equations import (
    LEVER_ARM,
    PRINCIPAL,
    SKEWED,
    STUDENT_EQUATIONS,
    WEIGHT,
    dcm,
    euler_equation,
    forgot_to_turn,
    four_by_three,
    no_multiplier,
)
from wrong_equations import (
    CORRECT_EQUATIONS,
    TOP,
    WRONG_EQUATIONS,
    euler_by_components,
    own_body_and_weight,
    symmetric_top,
)

import quatviz as qv
from quatviz.verification.judging.mistakes import MISTAKES


def test_known_mistakes_are_detected_by_name() -> None:
    results = {}
    for case in STUDENT_EQUATIONS:
        judgement = qv.judge(case.function, case.preset)
        results[case.function.__name__] = [mistake.name for mistake in judgement.mistakes]
        assert not judgement.is_correct, case.function.__name__
    assert len(STUDENT_EQUATIONS) == 20
    assert results == {case.function.__name__: [case.mistake] for case in STUDENT_EQUATIONS}


def test_other_mistakes_are_detected() -> None:
    assert qv.judge(no_multiplier).mistakes[0].name == "dropped_4T"
    assert qv.judge(forgot_to_turn, SKEWED).mistakes[0].name == "force_not_turned"


def test_correct_formulations_pass() -> None:
    def weight(t, p, omega, body, loads):
        return euler_equation(body.inertia, omega, np.cross(LEVER_ARM, dcm(p).T @ [0.0, 0.0, -WEIGHT]))

    judgement = qv.judge(weight, SKEWED)
    assert judgement.is_correct
    assert judgement.difference < 1e-11
    assert not judgement.mistakes
    assert judgement.runs is None


def test_two_simultaneous_mistakes_are_detected() -> None:
    def both(t, p, omega, body, loads):
        rate = 0.5 * four_by_three(p) @ omega
        return 2.0 * rate, euler_equation(body.inertia, omega, -loads.torque(t, p, omega))

    judgement = qv.judge(both)
    assert {mistake.name for mistake in judgement.mistakes} == {"no_half", "torque_sign"}
    assert judgement.is_combined
    assert judgement.wrong_rates == ("p'", "ω'")


def test_unknown_mistakes_are_reported_as_unknown() -> None:
    def drag(t, p, omega, body, loads):
        n = loads.torque(t, p, omega) - 0.1 * np.tanh(omega) * np.exp(-p[0] * omega[1])
        return euler_equation(body.inertia, omega, n)

    judgement = qv.judge(drag)
    assert judgement.verdict.endswith(": no known mistake explains this")
    assert judgement.verdict.startswith(judgement.conclusion)
    assert not judgement.explanations


@pytest.mark.parametrize("name", WRONG_EQUATIONS)
def test_mistakes_are_reported_by_component_factor_and_location(name: str) -> None:
    case = WRONG_EQUATIONS[name]
    judgement = qv.judge(case.function, case.preset)
    assert not judgement.is_correct
    assert case.verdict in judgement.verdict
    assert "mistake" in repr(judgement)


def test_correct_equations_are_accepted() -> None:
    verdicts = [qv.judge(function, preset) for function, preset in CORRECT_EQUATIONS]
    assert len(WRONG_EQUATIONS) == 40
    assert len(CORRECT_EQUATIONS) >= 20
    assert [judgement.verdict for judgement in verdicts if not judgement.is_correct] == []
    assert all(judgement.difference < 1e-11 or judgement.is_principal_form for judgement in verdicts)


def test_principal_axes_equations_are_wrong_with_products_of_inertia() -> None:
    judgement = qv.judge(euler_by_components, PRINCIPAL)
    assert judgement.is_correct
    assert judgement.is_principal_form
    assert [mistake.name for mistake in judgement.mistakes] == ["products_dropped"]
    assert [group.difference < 1e-11 for group in judgement.groups] == [True, True, False]
    assert not qv.judge(euler_by_components, SKEWED).is_correct


def test_unused_arguments_are_reported_as_not_verified() -> None:
    judgement = qv.judge(own_body_and_weight, PRINCIPAL)
    assert judgement.unread == ("the body", "the loads")
    assert "does not read the body and the loads" in repr(judgement)
    assert qv.judge(euler_by_components, PRINCIPAL).unread == ()


def test_brief_error_is_detected_in_runs() -> None:
    def burst(t, p, omega, body, loads):
        (x, y, z), (a, b, c) = omega, body.inertia @ omega
        n = loads.torque(t, p, omega)
        if 1.0 < t < 1.02:
            n = n + np.array([5.0, 0.0, 0.0])
        return body.inverse_inertia @ (n - np.array([y * c - z * b, z * a - x * c, x * b - y * a]))

    judgement = qv.judge(qv.formulation(burst))
    assert not judgement.is_correct
    assert judgement.runs is not None
    assert judgement.runs.error > 1e-3
    assert "even with very small steps" in judgement.verdict or "for 1 < t < 1.02 s" in judgement.verdict


def test_mistakes_invisible_on_a_free_body_are_reported() -> None:
    judgement = qv.judge(
        lambda t, p, omega, body, loads: euler_equation(body.inertia, omega, 0.0),
        qv.load_preset("torque_free"),
    )
    assert judgement.is_correct
    assert {"torque_sign", "transposed_attitude"} <= set(judgement.undetectable)
    assert "products_sign" not in judgement.undetectable
    assert judgement.unread == ("the loads",)
    assert "not seen" in repr(judgement)


def test_every_mistake_has_a_description_and_a_distinct_effect() -> None:
    for mistake in MISTAKES.values():
        assert len(mistake.summary) > 10, mistake
        assert len(mistake.source) > 5, mistake
    summaries = [mistake.summary for mistake in MISTAKES.values()]
    assert len(set(summaries)) == len(summaries)


@pytest.mark.parametrize(
    ("lane", "multiplier"),
    [
        ("lagrange_full/torque", "λ = 0"),
        ("lagrange_simplified/gradient", "λ = 4T + 2uᵀAᵀf + 2uᵀf"),
        ("hamilton_canonical/literal", "λ = 2uᵀAᵀf"),
        ("newton_euler", ""),
    ],
)
def test_built_in_lanes_pass_with_their_lambda(lane: str, multiplier: str) -> None:
    judgement = qv.judge(lane, duration=0.4)
    assert judgement.is_correct
    assert judgement.multiplier.partition(", to ")[0] == multiplier
    assert judgement.runs is not None
    assert judgement.runs.order == pytest.approx(4.0, abs=0.3)
    assert judgement.runs.error < 1e-7
    assert set(judgement.runs.drifts) == {"|p|² - 1", "energy", "h along gravity"}
    assert max(judgement.runs.drifts.values()) < 1e-7


def test_singularities_of_coordinates_are_reported() -> None:
    assert "det S = 0: no rates at p = (1, 0, 0, 0)" in qv.judge("euler_angles/313", duration=0.2).singular
    assert "at none" in qv.judge("newton_euler", duration=0.2).singular


def test_lane_is_verified_with_its_body_and_loads() -> None:
    run = qv.simulate(qv.load_preset("torque_free"), lanes=[qv.Lane("hamilton", name="mine")], duration=0.1)
    judgement = qv.judge(run["mine"], duration=1.0)
    assert judgement.runs is not None
    assert "h in space" in judgement.runs.drifts
    assert judgement.runs.reference == "exact solution"
    assert "torque_sign" not in judgement.undetectable  # a generic load acts besides


def test_verification_report_fits_a_screen_and_a_page() -> None:
    judgement = qv.judge("udwadia_schutte_unconstrained", duration=0.2)
    assert not judgement.is_correct
    assert len(repr(judgement).splitlines()) <= 12
    assert (
        "<caption>udwadia_schutte_unconstrained does not follow the motion: dropped_4T"
        in judgement._repr_html_()
    )
    with pytest.raises(AttributeError):
        judgement.name = "other"  # type: ignore[misc]


def test_unverifiable_functions_are_refused() -> None:
    with pytest.raises(qv.InputError, match="that integrates"):
        qv.judge("exact")
    for wrong in (None, 3, qv.load_preset("torque_free")):
        with pytest.raises(qv.InputError, match="a lane, the id of one, or a function"):
            qv.judge(wrong)
    no_functions: list[Any] = [qv.Lane("hamilton"), partial(print), len]
    for function in no_functions:
        with pytest.raises(qv.InputError, match="a function defined with def"):
            qv.formulation(function)
    preset = replace(SKEWED, run=qv.RunSettings(1.0, 1e-3, 1e-2))
    with pytest.raises(qv.InputError, match="which has no multiplier"):
        qv.judge(qv.Lane("newton_euler", integrator="rattle"), preset)


def test_symmetric_top_equations_are_verified_with_symmetric_bodies() -> None:
    judgement = qv.judge(symmetric_top, TOP)
    assert judgement.is_correct
    assert [group.name for group in judgement.groups] == ["this preset", "symmetric bodies"]
    assert judgement.unread == ("J2",)
    assert not qv.judge(symmetric_top, PRINCIPAL).is_correct

"""The formulation new_name agrees with Newton and Euler, runs, and has a card and help."""

import quatviz as qv
from quatviz.physics.formulations import equations
from quatviz.teaching.help import find_section
from quatviz.verification.parts.derivatives import check_formulation


def test_derivatives_equal_newton_euler() -> None:
    """At random states, under every kind of load."""
    checks = list(check_formulation("new_name"))
    assert checks
    assert [check for check in checks if not check.ok] == []


def test_run_agrees_with_exact_solution() -> None:
    preset = qv.load_preset("torque_free")
    run = qv.simulate(preset, lanes=["new_name", "exact"], dt=1e-3, duration=1.0)
    assert run["new_name"].status == "ok"
    assert run.orientation_error("new_name", reference="exact").max() < 1e-9


def test_card_and_help_exist() -> None:
    assert equations("new_name")
    assert "**Source**" in find_section("formulations#new_name-new-name").text

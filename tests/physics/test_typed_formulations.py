"""Typed formulations: they run correctly, are stored in presets, and invalid equations are refused."""

import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset_reading import parse_preset
from quatviz.files.preset_writing import format_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.typed_formulations.programs import make_kernels
from quatviz.physics.typed_formulations.templates import TEMPLATES

PRESET = qv.Preset(
    body=qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
    initial=qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 0.6]),
    loads=[qv.Gravity(weight=1.0, centre=[0.1, -0.05, 0.3])],
    run=qv.RunSettings(duration=0.2, dt=1e-3, sample_interval=0.01),
)
SECOND = 'name = "twin"\nrates = """\nomega\' = n\np\' = p"""\n\n'
"""Another formulation of the same name in a preset."""
EULER = "omega' = solve(J, n - cross(omega, J @ omega))\n"


@pytest.mark.parametrize("number", range(len(TEMPLATES)))
def test_every_template_matches_the_reference(number: int) -> None:
    definition = TEMPLATES[number][1]
    reference = "modified_rodrigues" if "rodrigues" in definition.name else "newton_euler"
    run = qv.simulate(PRESET, lanes=[definition, reference])
    assert run[definition.name].status == "ok"
    bound = 1e-12 if definition.numbers else 1e-14
    assert run.orientation_error(definition.name, reference).max() < bound
    assert np.abs(run[definition.name].omega - run[reference].omega).max() < bound


def test_known_states_need_no_attitude_expression() -> None:
    """h, h_space, omega_space and g beside p: omega follows from each."""
    texts = {
        "h": "h' = n - cross(omega, h)",
        "h_space": "h_space' = A @ n",
        "omega_space": "omega_space' = A @ solve(J, n - cross(omega, J @ omega))",
    }
    definitions = [
        qv.TypedFormulation(f"by_{name}", rates=f"{text}\np' = product(p, [0, omega])/2")
        for name, text in texts.items()
    ]
    run = qv.simulate(PRESET, lanes=[*definitions, "newton_euler"], duration=0.05)
    for definition in definitions:
        assert run[definition.name].status == "ok"
        assert run.orientation_error(definition.name, "newton_euler").max() < 1e-11


def test_typed_lambda_is_reported() -> None:
    definition = qv.TypedFormulation(
        "with_lambda",
        rates="p' = p_rate\nu = solve(J, n - cross(omega, J @ omega))\n"
        "p_rate' = product(p, [0, u])/2 - dot(p_rate, p_rate)*p\nlam = 2*dot(omega, J @ omega)",
    )
    run = qv.simulate(PRESET, lanes=[definition], duration=0.05)
    assert run["with_lambda"].lam == pytest.approx(4.0 * run["with_lambda"].kinetic, rel=1e-9)


def test_typed_lane_ends_before_its_singularity() -> None:
    """Rodrigues parameters end before half a turn."""
    preset = replace(
        PRESET,
        loads=(),
        body=qv.Body(inertia=[1.0, 1.0, 1.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 3.0]),
    )
    run = qv.simulate(preset, lanes=[TEMPLATES[1][1]], duration=2.0)
    lane = run[TEMPLATES[1][1].name]
    assert lane.status == "singular"
    assert lane.t[-1] == pytest.approx(math.pi / 3.0, abs=0.05)


def test_typed_formulation_round_trips_through_preset_text() -> None:
    preset = PRESET.with_run(lanes=[*(definition for _, definition in TEMPLATES), "newton_euler"])
    text = format_preset(preset)
    assert text.count("[[formulations]]") == len(TEMPLATES)
    assert parse_preset(text) == preset
    assert pickle.loads(pickle.dumps(preset)) == preset


def test_equal_names_in_two_presets_are_independent() -> None:
    right = qv.TypedFormulation("twin", rates=f"{EULER}p' = product(p, [0, omega])/2")
    wrong = qv.TypedFormulation("twin", rates="omega' = solve(J, n)\np' = product(p, [0, omega])/2")
    first, second = (
        PRESET.with_run(lanes=[right, "newton_euler"]),
        PRESET.with_run(lanes=[wrong, "newton_euler"]),
    )
    errors = [
        qv.simulate(preset, duration=0.05).orientation_error("twin", "newton_euler").max()
        for preset in (first, second, first)
    ]
    assert errors[0] == errors[2] < 1e-14
    assert errors[1] > 1e-5
    with pytest.raises(qv.InputError, match="the same equations in all lanes of twin"):
        PRESET.with_run(lanes=[qv.Lane("twin", equations=right), qv.Lane("twin", equations=wrong, name="b")])


def test_lane_uses_the_typed_equations_of_its_name() -> None:
    definition = TEMPLATES[0][1]
    definition.register()
    assert qv.Lane(definition.name).equations == definition
    assert qv.Lane("newton_euler").equations is None


def test_changed_number_does_not_recompile() -> None:
    definition = TEMPLATES[4][1]
    other = replace(definition, numbers={"alpha": 1.0, "beta": 2.0})
    assert make_kernels(definition.texts) is make_kernels(other.texts)
    assert definition.register() is not other.register()
    assert FORMULATIONS[definition.name].kernels is make_kernels(definition.texts)[0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rates": "omega = 2"}, "the rates of states"),
        ({"rates": "s' = 2*s"}, "the start value of s"),
        ({"rates": "s' = [0, 0, 1]\nomega' = n\np' = p", "start": "s = 1"}, "s' with 1 components"),
        ({"rates": "s' = s", "start": "s = 1"}, "p as 4 numbers computed from the states"),
        (
            {"rates": "s' = s", "start": "s = 1", "attitude": "p = s"},
            "p as 4 numbers computed from the states",
        ),
        (
            {"rates": "omega' = n\np' = product(p, [0, omega])/2", "start": "h = omega"},
            "initial values of states that have a rate",
        ),
        ({"rates": "omega' = __import__('os')\np' = p"}, "line 1, character"),
        ({"rates": "omega' = n.real\np' = p"}, "an expression"),
        ({"rates": "omega' = m\np' = p"}, "the unknown name 'm'"),
        ({"rates": "omega' = n\np' = p\np_ = p"}, "a name that ends in a letter"),
        ({"rates": "omega' = n\np' = p\nlam = n"}, "a number for lam"),
        ({"rates": "omega' = n\np' = p", "numbers": {"n": 1.0}}, "invalid name 'n'"),
        ({"rates": "omega' = n\np' = p", "numbers": {"k": math.inf}}, "finite numbers by name"),
        (
            {"rates": "omega' = n\np' = p", "name": "hamilton"},
            "a name that no formulation of the program has",
        ),
        ({"rates": "omega' = n\np' = p", "name": "a b"}, "a name of letters"),
    ],
)
def test_invalid_typed_equation_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        qv.TypedFormulation(**{"name": "refused", **fields})
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("fields", "names", "remedies"),
    [
        (
            {"rates": "omega' = n - alpha*omega - beta*omgea\np' = p"},
            "the unknown names 'alpha', 'beta', 'omgea'",
            ["alpha, beta: give a value under Numbers, or use one of", "omgea: did you mean 'omega'?"],
        ),
        (
            {"rates": "s' = s\nomega' = n\np' = p", "start": "r = a*p[1:]\ns = r + b*s"},
            "the unknown names 'a', 'b', 's'",
            ["a, b: give a value under Numbers", "s: use one of"],
        ),
        ({"rates": "omega' = n - s'\np' = p"}, 'the unknown name "s\'"', ["use one of omega, p, t, A"]),
    ],
)
def test_all_unknown_names_are_named_with_remedies(
    fields: dict[str, Any], names: str, remedies: list[str]
) -> None:
    """Only the first one was named, so that a text with many constants was refused again and again."""
    with pytest.raises(qv.InputError) as refusal:
        qv.TypedFormulation(**{"name": "refused", **fields})
    assert refusal.value.found == names
    for remedy in remedies:
        assert remedy in refusal.value.remedy


ATTITUDE_RATE = "p' = product(p, [0, omega])/2"


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("h' = n - omega x h", "write cross(omega, h)"),
        ("omega' = solve(J, n - omega x (J @ omega))", "write cross(omega, J @ omega)"),
        ("h' = n - omega \u00d7 h", "write cross(omega, h)"),
        ("dh/dt = n - cross(omega, h)", "write h' = ..."),
        ("d omega / dt = solve(J, n)", "write omega' = ..."),
    ],
)
def test_notation_of_textbooks_has_a_remedy(line: str, remedy: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        qv.TypedFormulation(
            "refused", rates=f"{ATTITUDE_RATE}\n{line}", start="h = J @ omega" if "dh" in line else ""
        )
    assert refusal.value.remedy == remedy
    assert refusal.value.key == "rates"
    assert "line 2" in refusal.value.place


def test_x_can_be_a_name() -> None:
    rates = f"{ATTITUDE_RATE}\nx = 2*n\nomega' = solve(J, x - cross(omega, J @ omega))"
    assert qv.TypedFormulation("accepted", rates=rates).rates == rates
    with pytest.raises(qv.InputError, match=r"lines such as u"):
        qv.TypedFormulation("refused", rates=rates.replace("2*n", "2 n"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('formulation = "twin"', 'formulation = "hamilton"', "a lane with formulation = 'twin'"),
        ("product", "prodact", "formulations[0].rates"),
        ('formulation = "twin"', 'formulation = "twin"\nequations = "p"', "equations in a table [[formulations]]"),
        ("[[formulations]]", f"[[formulations]]\n{SECOND}[[formulations]]", "each name once"),
    ],
)  # fmt: skip
def test_invalid_preset_is_refused_at_its_line(old: str, new: str, message: str) -> None:
    definition = qv.TypedFormulation("twin", rates=f"{EULER}p' = product(p, [0, omega])/2")
    text = format_preset(PRESET.with_run(lanes=[definition]))
    assert old in text
    with pytest.raises(qv.InputError) as refusal:
        parse_preset(text.replace(old, new, 1))
    assert message in str(refusal.value)
    assert "line" in str(refusal.value)

"""Equation cards: every formulation has one, and its equations hold term by term."""

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from helpers import ROTORS

import quatviz as qv
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.equations.coordinates import GeneralizedCoordinates
from quatviz.physics.equations.number_text import format_lambda
from quatviz.physics.equations.symbols import symbol_names
from quatviz.physics.formulations import FORMULATIONS, equations, make_formulation, symbols
from quatviz.physics.formulations._multiplier_forms import MULTIPLIER_FORMS
from quatviz.physics.formulations.udwadia_schutte_unconstrained.card import acceleration
from quatviz.physics.mechanics.euler_sequences import S, angles_from_p
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.typed_formulations.definition import formulation_of
from quatviz.teaching.help.generated import formulation_notes
from quatviz.verification.motions import random_preset, ring_preset
from quatviz.verification.parts.agreement import LOADS

IDS = [
    f"{name}/{variant}" if variant else name
    for name, family in FORMULATIONS.items()
    for variant in family.variants or ("",)
]
TOLERANCE = 1e-8
"""Of the largest term: the slope of a spring's potential is taken by five points."""


def points(lane_id: str) -> Iterator[EvaluationPoint]:
    """Random states with all loads and the theoretical lambda."""
    form = make_formulation(lane_id)
    for loads in LOADS.values():
        for seed in range(6):
            preset = random_preset(seed, loads)
            start = EvaluationPoint(
                preset.body, preset.loads, 0.3,
                np.asarray(preset.initial.euler_parameters), np.asarray(preset.initial.angular_velocity),
                extras={"ring_angle": 40.0 + seed, "ring_rate": 0.7 * seed - 2.0},
            )  # fmt: skip
            body = ring_preset(0.02, 9.8).body if form.carries_ring else preset.body
            lam = math.nan
            if form.multiplier_terms is not None:
                lam = sum(start.theoretical_terms(form.multiplier_terms).values())
            yield EvaluationPoint(body, start.loads, start.t, start.u, start.omega, lam, extras=start.extras)


def test_every_formulation_has_an_equation_card() -> None:
    assert [lane_id for lane_id in IDS if not equations(lane_id)] == []


@pytest.mark.parametrize("lane_id", IDS)
def test_terms_of_every_equation_sum_to_zero(lane_id: str) -> None:
    for at in points(lane_id):
        for equation in equations(lane_id):
            residual = np.abs(equation.residual(at)).max()
            assert residual <= TOLERANCE * equation.scale(at), equation.words


@pytest.mark.parametrize(
    "lane_id", [identifier for identifier in IDS if make_formulation(identifier).has_multiplier]
)
def test_wrong_lambda_violates_the_equation(lane_id: str) -> None:
    at = next(points(lane_id))
    wrong = EvaluationPoint(at.body, at.loads, at.t, at.u, at.omega, at.lam + 1.0)
    assert np.abs(equations(lane_id)[0].residual(wrong)).max() > 0.1


@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulation_notes_have_every_section(name: str) -> None:
    assert {"Source", "State", "Singularity", "Lambda", "Errata"} <= set(formulation_notes(name))
    assert all("**" not in note and note for note in formulation_notes(name).values())


def test_lagrange_forms_share_one_motion_and_have_theoretical_lambdas() -> None:
    for at in points("lagrange_full"):
        multipliers = {form.id: form.multiplier(at) for form in MULTIPLIER_FORMS}
        for form in MULTIPLIER_FORMS:
            theory = sum(at.theoretical_terms(form.multiplier_terms).values())
            assert multipliers[form.id] == pytest.approx(
                theory, abs=1e-9 * max(1.0, *map(abs, multipliers.values()))
            )
    assert len({round(value, 6) for value in multipliers.values()}) == 6


def test_lagrange_forms_differ_in_gyroscopic_term_and_load() -> None:
    for form in MULTIPLIER_FORMS:
        same = [term.latex for term in form.equation.terms if not form.is_optional(term)]
        assert same == [form.equation.left[0].latex, form.equation.left[2].latex]


@pytest.mark.parametrize("sequence", ["321", "313"])
def test_second_derivatives_of_angles_match_the_motion(sequence: str) -> None:
    own = GeneralizedCoordinates(
        lambda at: np.asarray(angles_from_p(at.p, sequence)), lambda q: np.asarray(S(q, sequence))
    )
    at = next(points("newton_euler"))
    step = 1e-4

    def q(time: float) -> np.ndarray:
        return np.asarray(
            angles_from_p(normalize(at.p + time * at.p_rate + 0.5 * time**2 * at.p_acceleration), sequence)
        )

    assert own.rate(at) == pytest.approx((q(step) - q(-step)) / (2 * step), rel=1e-6)
    assert own.acceleration(at) == pytest.approx((q(step) - 2 * q(0.0) + q(-step)) / step**2, rel=1e-4)


def test_unconstrained_form_leaves_the_sphere_as_predicted() -> None:
    """r r'' + r'^2 = 2T/J0 for r = |u|^2, off the sphere too."""
    for seed, start in enumerate(points("udwadia_schutte_unconstrained")):
        at = EvaluationPoint(
            start.body, start.loads, 0.3, 1.3 * start.u, start.omega, constraint_rate=0.4, J0=0.5 + seed
        )
        r, slope = at.u @ at.u, 2.0 * at.constraint_rate
        bend = 2.0 * (at.u_rate @ at.u_rate + at.u @ acceleration(at))
        assert r * bend + slope**2 == pytest.approx(2.0 * r**2 * at.T / at.effective_J0, rel=1e-9)


@pytest.mark.parametrize("name", ["ring_damper", "ring_damper_as_printed"])
def test_ring_card_rates_equal_those_of_its_lane(name: str) -> None:
    """The equations are solved for the card's own rates: here they are compared with the kernel's motion."""
    preset = ring_preset(0.02, 9.8)
    step = 1e-5
    lane = qv.simulate(preset, lanes=[name], dt=step, duration=2 * step, sample_interval=step)[name]
    at = EvaluationPoint(
        preset.body, preset.loads, step, lane.p[1], lane.omega[1],
        extras={"ring_angle": float(lane.ring_angle[1]), "ring_rate": float(lane.ring_rate[1])},
    )  # fmt: skip
    rotor, ring = equations(name)[:2]
    J = preset.body.inertia
    rate = (lane.omega[2] - lane.omega[0]) / (2 * step)
    spin = lane.ring_rate + lane.omega[:, 2]
    scale = rotor.scale(at)
    assert rotor.left[0].value(at) == pytest.approx(J @ rate, abs=1e-5 * scale)
    share = preset.body.ring.inertia[2, 2] if name == "ring_damper" else 1.0
    spins = (spin[2] - spin[0]) / (2 * step) * share
    assert ring.left[-1].value(at)[0] == pytest.approx(spins, rel=1e-5, abs=1e-6)


def test_lambda_is_shown_with_parts_only_if_a_sum() -> None:
    terms_of_one, terms_of_two = (
        make_formulation(lane_id).multiplier_terms
        for lane_id in ("lagrange_simplified/torque", "lagrange_simplified/split")
    )
    at = next(point for point in points("lagrange_simplified/split") if point.forces)
    assert format_lambda(at, terms_of_one).count("=") == 2
    assert format_lambda(at, terms_of_two).count("=") == 3


@pytest.mark.parametrize("name", ["newton_euler", "hamilton", "lagrange_full/split"])
def test_card_forces_give_the_acceleration_of_the_center_of_mass(name: str) -> None:
    """The equation of the translation is compared with second differences of the lane's own center of mass."""
    loads = [
        qv.Spring(stiffness=8.0, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0], rest_length=0.8),
        qv.Gravity(weight=39.24, centre=[0.0, 0.0, 0.0]),
        qv.Potential(
            value=lambda c, p: 0.4 * c[0] * p[1] + c[2] * c[2] * p[0] * p[3],
            gradient=lambda c, p: (
                (0.4 * p[1], 0.0, 2.0 * c[2] * p[0] * p[3]),
                (c[2] * c[2] * p[3], 0.4 * c[0], 0.0, c[2] * c[2] * p[0]),
            ),
        ),
    ]
    body = qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0)
    initial = qv.Initial(
        euler_parameters=[0.8, 0.6, 0.0, 0.0],
        angular_velocity=[0.4, 1.5, 0.3],
        position=[0.2, 0.0, 0.1],
        velocity=[0.1, 0.2, 0.3],
    )
    step = 1e-3
    preset = qv.Preset(body=body, initial=initial, loads=loads, run=qv.RunSettings(0.1, step, step))
    lane = qv.simulate(preset, lanes=[name]).lanes[0]
    row = 40
    at = EvaluationPoint(body, loads, lane.t[row], lane.p[row], lane.omega[row], center=lane.centre[row])
    (translation,) = equations(name, translates=True)[len(equations(name)) :]
    acceleration = (lane.centre[row + 1] - 2.0 * lane.centre[row] + lane.centre[row - 1]) / step**2
    assert translation.left[0].value(at) == pytest.approx(4.0 * acceleration, abs=1e-4)
    assert np.abs(translation.residual(at)).max() <= 1e-12 * translation.scale(at)
    assert all(np.any(term.value(at)) for term in translation.terms)


WITH_ROTORS = [lane_id for lane_id in IDS if FORMULATIONS[lane_id.partition("/")[0]].supports_rotors]


@pytest.mark.parametrize("lane_id", WITH_ROTORS)
def test_cards_show_the_torque_of_rotors_as_a_term(lane_id: str) -> None:
    """The terms of a computed lane: both sides are equal, and no term is zero."""
    loads = LOADS["gravity"]
    body = random_preset(3).body.with_rotors(ROTORS)
    preset = qv.Preset(
        body=body, initial=random_preset(3).initial, loads=loads, run=qv.RunSettings(0.5, 1e-3, 0.1)
    )
    lane = qv.simulate(preset, lanes=[lane_id]).lanes[0]
    row = 3
    at = EvaluationPoint(
        body,
        loads,
        lane.t[row],
        lane.p[row],
        lane.omega[row],
        lane.lam[row],
        rotor_momenta=lane.rotor_momentum[row, : len(ROTORS)],
    )
    shown, plain = equations(lane_id, has_rotors=True), equations(lane_id)
    for equation in shown:
        assert np.abs(equation.residual(at)).max() <= TOLERANCE * equation.scale(at), equation.words
    (effect,) = [term for term in shown[0].terms if term.latex.endswith("n_r")]
    assert np.abs(effect.value(at)).max() > 1e-3
    assert np.abs(shown[0].residual(at) - plain[0].residual(at)).max() <= TOLERANCE * shown[0].scale(at)
    formulas = [latex for equation in shown for latex in equation.formulae]
    assert not [latex for latex in formulas if re.search(r"J(?!_|\^\{\*)", latex)], "J* for J"
    assert shown[-1].left[0].value(at) == pytest.approx(at.rotor_torque)
    assert all(np.abs(term.value(at)).max() > 1e-6 for term in shown[-1].terms)


def test_closed_form_card_has_no_translation_equation() -> None:
    assert equations("exact", translates=True) == equations("exact")


@pytest.mark.parametrize("lane_id", ["euler_angles/321", "euler_angles/313", "reduced_euler_parameters"])
def test_card_shows_equal_lagrange_and_euler_forms(lane_id: str) -> None:
    """Euler's form is compared with the torque of the loads, which neither of its sides uses."""
    for at in points(lane_id):
        _, lagrange, euler, _ = equations(lane_id)
        assert (lagrange.words, euler.unit, euler.frame) == ("Lagrange's form", "N m", "body")
        (left,) = euler.left
        moment = np.cross(at.omega, at.J @ at.omega) + at.J @ at.omega_rate
        tolerance = TOLERANCE * max(euler.scale(at), lagrange.scale(at))
        assert left.value(at) == pytest.approx(moment, abs=tolerance)
        assert left.value(at) == pytest.approx(at.torque, abs=tolerance)


@pytest.mark.parametrize("lane_id", IDS)
@pytest.mark.parametrize("extended", [False, True], ids=["rotation", "with translation and rotors"])
def test_every_symbol_of_a_card_is_explained(lane_id: str, extended: bool) -> None:
    shown = symbols(lane_id, extended, extended)
    known = {name for symbol in shown for name in symbol_names(symbol.latex)}
    terms = [term.latex for equation in equations(lane_id, extended, extended) for term in equation.terms]
    theory = make_formulation(lane_id).multiplier_terms or ()
    unknown = {name for latex in (*terms, *theory) for name in symbol_names(latex)} - known
    if terms:
        assert not unknown
    for symbol in shown:
        assert not set("|$*") & set(symbol.meaning), "they have a meaning in Markdown"


def test_symbols_of_quantities_have_their_words_unit_and_frame() -> None:
    by_latex = {symbol.latex: symbol for symbol in symbols("hamilton")}
    h = QUANTITIES["h"]
    assert by_latex["h"][1:] == (h.title, h.unit, h.frame)
    assert [
        symbol.meaning for symbol in symbols("rotation_vector", translates=True) if symbol.latex == "c"
    ] == [
        "Coefficient that depends on the length of θ; 1/12 at θ = 0",
        QUANTITIES["centre"].title,
    ]


def test_typed_formulation_has_no_symbols_of_its_own() -> None:
    typed = qv.TypedFormulation("typed_symbols", rates="omega' = n\np' = product(p, [0, omega])/2")
    assert formulation_of(typed).own_symbols() == ()

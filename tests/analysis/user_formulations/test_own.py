"""Formulations of a session, from functions and Lagrangians: they run, pickle and appear like any other."""

import copy
import math
import pickle
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.user_formulations.function_fingerprint import fingerprint
from quatviz.analysis.user_formulations.lagrangian import formulation_from_lagrangian
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import FORMULATIONS, equations, make_formulation
from quatviz.simulation.compilation import is_cacheable
from quatviz.verification.judging.states import random_points
from quatviz.verification.judging.subject import FormulationSubject
from quatviz.verification.lanes import NEAR_SINGULARITY

TOP = qv.load_preset("heavy_top").with_run(dt=1e-3, sample_interval=0.01, duration=0.1)


def rate_of(name: str) -> Any:
    """Correct equations for each velocity that a state can have; p_rate and g also give lambda."""

    def h_space(t, p, h_space, body, loads):
        q, e = p[0], p[1:]
        K = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
        A = np.eye(3) + 2.0 * q * K + 2.0 * K @ K
        w = body.inverse_inertia @ (A.T @ h_space)
        rate = np.array(
            [
                -(e @ w),
                q * w[0] + e[1] * w[2] - e[2] * w[1],
                q * w[1] + e[2] * w[0] - e[0] * w[2],
                q * w[2] + e[0] * w[1] - e[1] * w[0],
            ]
        )
        return 0.5 * rate, A @ loads.torque(t, p, w)

    def p_rate(t, p, p_rate, body, loads):
        a, b, c, d = p
        L = np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])
        omega = 2.0 * L @ p_rate
        h = body.inertia @ omega
        alpha = body.inverse_inertia @ (loads.torque(t, p, omega) - np.cross(omega, h))
        return 0.5 * L.T @ alpha - 0.25 * (omega @ omega) * p, 2.0 * (omega @ h)

    return {"omega": by_components, "h_space": h_space, "p_rate": p_rate}[name]


@pytest.mark.parametrize("velocity", ["omega", "h_space", "p_rate"])
def test_function_of_every_velocity_kind_is_correct(velocity: str) -> None:
    lane = qv.formulation(rate_of(velocity), name=f"own_{velocity}")
    run = qv.simulate(TOP, lanes=[lane, "newton_euler"])
    own = run[lane.formulation]
    assert own.status == "ok"
    assert run.orientation_error(lane.formulation, "newton_euler").max() < 1e-6
    assert own.omega == pytest.approx(run["newton_euler"].omega, abs=1e-4)
    if velocity == "p_rate":
        assert own.lam == pytest.approx(4.0 * own.kinetic)
    else:
        assert np.isnan(own.lam).all()
    judgement = qv.judge(lane, duration=0.2)
    assert judgement.is_correct
    assert judgement.multiplier.startswith("λ = 4T, to") == (velocity == "p_rate")
    at = EvaluationPoint(TOP.body, TOP.loads, 0.0, np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.3, 1.0, 2.0]))
    for equation in equations(lane.formulation):
        assert np.abs(equation.residual(at)).max() < 1e-8 * equation.scale(at)
    units = {"omega": ("rad/s²", "body"), "h_space": ("N m", "space"), "p_rate": ("1/s²", "Euler parameters")}
    assert (equations(lane.formulation)[0].unit, equations(lane.formulation)[0].frame) == units[velocity]


def by_components(t, p, omega, body, loads):
    """Euler's equation without `np.cross`, which takes numba seconds each time."""
    (x, y, z), (a, b, c) = omega, body.inertia @ omega
    gyroscopic = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyroscopic)


@pytest.fixture(scope="module")
def euler() -> qv.Lane:
    made: qv.Lane = qv.formulation(by_components, name="own_omega")
    return made


def test_formulation_name_is_a_lane_and_pickles(euler: qv.Lane) -> None:
    run = qv.simulate(
        TOP,
        lanes=["own_omega,dt=5e-4", "own_omega,stabilisation=project,integrator=lie_rk4,stabilisation=none"][
            :1
        ],
    )
    assert run.lanes[0].dt == 5e-4
    again = pickle.loads(pickle.dumps(euler))
    assert again == euler
    assert copy.deepcopy(euler) == euler
    assert isinstance(qv.Lane("own_omega", dt=1e-4), qv.Lane)
    restored = pickle.loads(pickle.dumps(qv.simulate(TOP, lanes=[euler])))
    assert len(restored["own_omega"].omega) == 11


def test_group_integrator_accepts_user_formulation(euler: qv.Lane) -> None:
    lane = qv.Lane("own_omega", integrator="lie_rk4")
    run = qv.simulate(TOP, lanes=[lane, "newton_euler"])
    assert run.orientation_error("own_omega", "newton_euler").max() < 1e-6


def test_user_formulation_kernels_are_not_cached(euler: qv.Lane) -> None:
    run = qv.simulate(TOP, lanes=[euler, "newton_euler"])
    assert [is_cacheable(lane.engine) for lane in run.lanes] == [False, True]


def test_study_processes_use_user_formulation(euler: qv.Lane) -> None:
    result = qv.study(TOP, lanes=[euler], steps=[2e-3, 1e-3], duration=0.1, jobs=1)
    assert [point.status for point in result.points] == ["ok", "ok"]


def test_rerun_cell_replaces_the_formulation() -> None:
    first = FORMULATIONS[qv.formulation(by_components, name="again").formulation]
    second = FORMULATIONS[qv.formulation(by_components, name="again").formulation]
    assert first is not second
    assert first.kernels is second.kernels  # the function is unchanged: nothing is recompiled
    with pytest.raises(qv.InputError, match="not used by other formulations"):
        qv.formulation(by_components, name="hamilton")


_CELL = """
def cell(t, p, omega, body, loads):
    return {factor} * helper(omega)
"""


def cell(text: str = _CELL, factor: str = "scale", **named: Any) -> Any:
    """The function of a notebook cell, defined again."""
    scope = {"__name__": "__main__", "np": np, "scale": 2.0, "helper": np.abs, **named}
    exec("\n" * len(named) + text.format(factor=factor), scope)
    return scope["cell"]


def test_compiled_functions_are_identified_by_text_and_referenced_names() -> None:
    def helper_of(factor: float) -> Any:
        return lambda omega: factor * omega

    assert fingerprint(cell()) == fingerprint(cell())
    assert fingerprint(cell(unused=[])) == fingerprint(cell())  # at another line, in another context
    for other in (
        cell(factor="scale + scale"),
        cell(factor="2.0"),
        cell(scale=3.0),
        cell(scale=2),
        cell(scale=np.array([2.0, 2.0, 2.0])),
        cell(helper=np.sin),
        cell(helper=helper_of(1.0)),
    ):
        assert fingerprint(other) not in (None, fingerprint(cell()))
    assert fingerprint(cell(helper=helper_of(1.0))) == fingerprint(cell(helper=helper_of(1.0)))
    assert fingerprint(cell(helper=helper_of(1.0))) != fingerprint(cell(helper=helper_of(2.0)))
    numbers = [np.array([1.0, 2.0, first]) for first in (3.0, 3.0, 4.0)]
    first, again, changed = (fingerprint(cell(scale=scale)) for scale in numbers)
    assert first == again != changed
    for unsettled in ([2.0, 2.0, 2.0], ModuleType("mine"), object()):
        assert fingerprint(cell(scale=unsettled)) is None


@pytest.mark.parametrize("name", ["a b", "x/y", "", 3, "\x1b[31m"])
def test_invalid_lane_names_are_refused_before_listing(name: Any) -> None:
    before = set(FORMULATIONS)
    with pytest.raises(qv.InputError, match=r"name of letters|text"):
        qv.formulation(lambda t, p, omega, body, loads: omega, name=name)
    assert set(FORMULATIONS) == before


@pytest.mark.parametrize("module", [None, 3])
def test_function_without_module_is_refused(module: Any) -> None:
    function = cell()
    function.__module__ = module
    with pytest.raises(qv.InputError, match="belongs to a module"):
        qv.formulation(function)


def test_notebook_shows_the_equations(euler: qv.Lane) -> None:
    shown = euler._repr_latex_()  # type: ignore[attr-defined]
    assert r"\frac{d}{dt}\omega &=  \mathrm{own\_omega}(t, p, \omega)" in shown
    assert shown.startswith("$$")


def wrong_arguments(t, p, velocity, body, loads):
    return velocity


def too_few(t, p, omega, body, loads):
    return omega[:2]


def not_compiled(t, p, omega, body, loads):
    return np.fft.fft(omega).real


def imports(t, p, omega, body, loads):
    import cmath

    return cmath.pi * omega


def fails(t, p, omega, body, loads):
    return omega * body.mass


@pytest.mark.parametrize(
    ("function", "location", "message"),
    [
        (wrong_arguments, "wrong_arguments", "one of omega, omega_space"),
        (too_few, "too_few", "the rate of v .3 numbers"),
        (not_compiled, "not_compiled, line", "np.fft.fft.*Unknown attribute 'fft'"),
        (imports, "imports", "numba can compile.*IMPORT_NAME"),
        (fails, "fails, line", "omega . body.mass.*no attribute 'mass'"),
    ],
)
def test_unusable_functions_are_refused_with_their_line(function: Any, location: str, message: str) -> None:
    with pytest.raises(qv.InputError, match=f"(?s){message}") as refusal:
        qv.formulation(function)
    assert refusal.value.place.startswith(location)


def test_nan_rates_are_reported_with_component_and_time() -> None:
    def root(t, p, omega, body, loads):
        return np.array([omega[0], omega[1] * math.sqrt(0.0503 - t), -0.2 * omega[2] ** 3])

    run = qv.simulate(TOP, lanes=[qv.formulation(root), qv.Lane("root", dt=1e-2, name="far")])
    assert [lane.status for lane in run.lanes] == ["not_finite", "not_finite"]
    assert (
        "the time derivative of omega2 computed by root is not a number at t = 0.0505 s"
        in run["root"].message
    )
    assert "became too large to represent" in run["far"].message


# --- Lagrangians


def angles() -> tuple[Any, Any]:
    """The 3-1-3 angles and their kinetic energy, as in textbooks."""
    from sympy import Matrix, cos, diag, sin, symbols
    from sympy.physics.mechanics import dynamicsymbols

    q = _, theta, psi = dynamicsymbols("phi theta psi")
    a, b, c = (coordinate.diff() for coordinate in q)
    omega = Matrix(
        [
            a * sin(theta) * sin(psi) + b * cos(psi),
            a * sin(theta) * cos(psi) - b * sin(psi),
            a * cos(theta) + c,
        ]
    )
    return q, (omega.T * diag(*symbols("J1:4")) * omega)[0] / 2


def parameters(square: float = 0.5) -> tuple[Any, Any, Any]:
    """Return Euler parameters, the kinetic energy for any J, and the constraint multiplied by a factor."""
    from sympy import Matrix, nsimplify, symbols
    from sympy.physics.mechanics import dynamicsymbols

    e = Matrix(dynamicsymbols("e0:4"))
    e0, e1, e2, e3 = e
    omega = 2 * Matrix([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]]) * e.diff()
    J = Matrix(3, 3, symbols("J1:4(1:4)"))
    return e, (omega.T * J * omega)[0] / 2, nsimplify(square) * (e.dot(e) - 1)


@pytest.fixture(scope="module")
def of_angles() -> qv.Lane:
    q, T = angles()
    made: qv.Lane = qv.formulation(T, coordinates=q, attitude="313", name="own_angles")
    return made


@pytest.fixture(scope="module")
def of_parameters() -> qv.Lane:
    e, T, constraint = parameters()
    made: qv.Lane = qv.formulation(T, coordinates=e, constraints=[constraint], name="own_parameters")
    return made


def test_derived_angles_match_built_in_ones(of_angles: qv.Lane) -> None:
    run = qv.simulate(TOP, lanes=[of_angles, "euler_angles/313", "newton_euler"])
    assert run.orientation_error("own_angles", "euler_angles/313").max() < 1e-12
    judgement = qv.judge(of_angles, TOP, duration=0.2)
    assert judgement.is_correct
    assert "det ∂ω/∂(phi', theta', psi') = 0: no rates at p = (1, 0, 0, 0)" in judgement.singular


def test_derived_angles_end_near_the_singularity(of_angles: qv.Lane) -> None:
    """At 22 rad/s the body passes the singularity; with steps of 10 ms the lane would continue with a wrong motion."""
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[0.1, 0.7, 0.1, 0.7], angular_velocity=[1.0, 22.0, 3.0]),
    )
    run = qv.simulate(preset, lanes=[of_angles, "newton_euler"], dt=1e-2, sample_interval=1e-2, duration=3.0)
    assert run["own_angles"].status == "singular"
    assert "for steps of this length" in run["own_angles"].message
    assert run.orientation_error("own_angles", "newton_euler").max() < 0.05


def test_derived_parameters_have_the_theoretical_multiplier(of_parameters: qv.Lane) -> None:
    judgement = qv.judge(of_parameters, duration=0.2)
    assert judgement.is_correct
    assert judgement.multiplier.startswith("λ = 4T, to")
    assert judgement.runs is not None
    assert judgement.runs.order == pytest.approx(4.0, abs=0.3)
    shown = of_parameters._repr_latex_()  # type: ignore[attr-defined]
    assert r"0 &= \frac{e_{0}^{2}}{2}" in shown
    assert r"M(q)\,\ddot q + A^{T}\lambda &=  f(q, \dot q) + S^{T}n" in shown


@pytest.mark.parametrize("lane", ["own_angles", "own_parameters"])
@pytest.mark.usefixtures("of_angles", "of_parameters")
def test_cards_of_derived_formulations_are_consistent(lane: str) -> None:
    omega = np.array([0.3, 1.0, 2.0])
    lam = 2.0 * omega @ TOP.body.inertia @ omega
    at = EvaluationPoint(TOP.body, TOP.loads, 0.0, np.array([0.5, 0.5, -0.5, 0.5]), omega, lam)
    for equation in equations(lane):
        assert np.abs(equation.residual(at)).max() < 1e-8 * equation.scale(at)


def follows(lane: qv.Lane) -> None:
    """Return True if the compiled rates equal those of the body at random states."""
    subject = FormulationSubject(make_formulation(lane.formulation))
    rates_of_states = [(at, subject.rates(at)) for at in random_points(TOP)]
    regular = [(at, rates) for at, rates in rates_of_states if abs(rates.singularity) > NEAR_SINGULARITY]
    assert len(regular) > 10
    for at, rates in regular:
        assert rates.p_rate == pytest.approx(at.p_rate, abs=1e-6 * float(np.linalg.norm(at.omega)))
        assert rates.omega_rate == pytest.approx(at.omega_rate, abs=1e-6 * float(at.omega @ at.omega))


def test_unchanged_lagrangian_is_derived_once(of_angles: qv.Lane) -> None:
    problem = FORMULATIONS[of_angles.formulation].problem  # type: ignore[attr-defined]
    again = formulation_from_lagrangian(replace(problem), "another name")
    assert again.kernels is FORMULATIONS[of_angles.formulation].kernels
    assert again.name == "another name"
    with pytest.raises(qv.InputError, match="four Euler parameters"):
        formulation_from_lagrangian(replace(problem, attitude=5), "none")


def test_potential_in_the_lagrangian_replaces_a_load() -> None:
    from sympy import cos

    q, T = angles()
    weight = TOP.loads[0]
    V = weight.weight * weight.centre[2] * cos(q[1])  # type: ignore[attr-defined]
    own = qv.formulation(T - V, coordinates=q, attitude="313", loads=False, name="own_top")
    follows(own)


def test_initial_state_of_other_coordinates_matches() -> None:
    """Gibbs vector: p is given by four expressions, and the initial state by solving them."""
    from sympy import Matrix, diag, sqrt, symbols
    from sympy.physics.mechanics import dynamicsymbols

    g = Matrix(dynamicsymbols("g1:4"))
    rate = g.diff()
    omega = 2 * (rate - g.cross(rate)) / (1 + g.dot(g))
    T = (omega.T * diag(*symbols("J1:4")) * omega)[0] / 2
    scale = 1 / sqrt(1 + g.dot(g))
    own = qv.formulation(T, coordinates=g, attitude=[scale, *(scale * g)], name="own_gibbs")
    follows(own)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_modified_rodrigues_parameters_start_near_zero(sign: float) -> None:
    """5 degrees about x is s = (0.0218, 0, 0), or 45.8 on the shadow set."""
    from sympy import Matrix, diag, symbols
    from sympy.physics.mechanics import dynamicsymbols

    s = Matrix(dynamicsymbols("s1:4"))
    square = s.dot(s)
    skew = Matrix([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
    inverse = (1 - square) * Matrix.eye(3) - 2 * skew + 2 * s * s.T
    omega = 4 * inverse * s.diff() / (1 + square) ** 2
    T = (omega.T * diag(*symbols("J1:4")) * omega)[0] / 2
    p = [(1 - square) / (1 + square), *(2 * s / (1 + square))]
    own = qv.formulation(T, coordinates=s, attitude=p, name="own_mrp")
    form = make_formulation(own.formulation)
    angle = np.radians(5.0)
    start = sign * np.array([np.cos(angle / 2.0), np.sin(angle / 2.0), 0.0, 0.0])
    coordinates = form.coordinates_at(start, TOP.body.inertia.ravel())  # type: ignore[attr-defined]
    assert coordinates == pytest.approx([np.tan(angle / 4.0), 0.0, 0.0], abs=1e-9)
    assert "s1', s2', s3'" in form.singularity_title


def test_invalid_bodies_are_refused() -> None:
    from sympy import symbols

    q, T = angles()
    with pytest.raises(qv.InputError, match="three more coordinates than constraints"):
        qv.formulation(T, coordinates=q[:2])
    with pytest.raises(qv.InputError, match=r"(?s)J11 to J33.*stiffness"):
        qv.formulation(T + symbols("stiffness") * q[0], coordinates=q, attitude="313")
    with pytest.raises(qv.InputError, match="one of the sequences"):
        qv.formulation(T, coordinates=q, attitude="311")
    own = qv.formulation(T, coordinates=q, attitude="313", name="own_principal")
    tilted = qv.Body(inertia=[[1.0, 0.1, 0.0], [0.1, 1.2, 0.0], [0.0, 0.0, 0.9]])
    with pytest.raises(qv.InputError, match="body with principal axes"):
        qv.simulate(qv.Preset(body=tilted, initial=TOP.initial), lanes=[own])

"""Requirements on every registered integrator: order, results independent of the division of a run, refusals."""

import pickle
from dataclasses import replace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from helpers import LANES, STATES, reference_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS, ButcherTableau, ExplicitRungeKutta
from quatviz.physics.integrators._kernels.runge_kutta import rooted_trees
from quatviz.physics.kernels import algebra, binder, blocks
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FORMS = ("newton_euler", "hamilton", "lagrange_simplified/gradient")
"""Every integrator accepts one of these; other tests need most of their kernels too, which take ten seconds each."""
CASE = "point_force"
TABLEAUX = [name for name, method in INTEGRATORS.items() if issubclass(method, ExplicitRungeKutta)]
OTHERS = [name for name in INTEGRATORS if name not in TABLEAUX or name == "rk4"]
"""Of a form a tableau's step asks the derivative alone: what holds for `rk4` in the other forms holds for all of these."""
FIXED = [name for name, method in INTEGRATORS.items() if method.fixed_step]


def made(integrator: str, lane: str, preset: Preset, **changes: float) -> LaneRun | None:
    """Return the lane before its computation, or None if the integrator refuses the formulation."""
    try:
        changed = preset.with_run(lanes=[Lane(lane, integrator=integrator)], **changes)
        return Simulation(changed).lanes[0]
    except InputError:
        return None


def lanes_of(integrator: str, preset: Preset, **changes: float) -> list[LaneRun]:
    forms = FORMS if integrator in OTHERS else FORMS[:1]
    solutions = [made(integrator, form, preset, **changes) for form in forms]
    return [lane for lane in solutions if lane is not None]


def computed(lane: LaneRun, samples: int, block: int | None = None) -> LaneRun:
    lane.prepare()
    while samples > 0 and lane.alive:
        count = min(block or samples, samples)
        lane.advance(count)
        samples -= count
    return lane


@pytest.mark.parametrize("integrator", FIXED)
def test_order_of_convergence(integrator: str) -> None:
    """The slope of log error over log dt, against states in 80-bit arithmetic, is the order that the method declares."""
    time = 2.0
    e = STATES[CASE]["e"][STATES[CASE]["times"].index(time)]
    order = INTEGRATORS[integrator].order
    first = 0.0025 if order == 1 else 0.04 if order < 6 else 0.2
    steps, interval = first / 2.0 ** np.arange(4), max(first, 0.04)
    for form in {lane.formulation.id for lane in lanes_of(integrator, reference_preset(CASE))}:
        errors = []
        for dt in steps:
            lane = made(
                integrator, form, reference_preset(CASE), dt=dt, duration=time, sample_interval=interval
            )
            assert lane is not None
            errors.append(relative_angle(computed(lane, round(time / interval)).p[-1], e))
        slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
        assert slope == pytest.approx(order, abs=0.1), (form, errors)


def test_rk4_on_the_group_equals_munthe_kaas() -> None:
    """The difference is the first omitted commutator, which is one order higher. The commutator-free method differs."""
    gaps = []
    for dt in (0.04, 0.02, 0.01):
        lanes = [Lane("lie_group", integrator="rk4", name="group")]
        lanes += [Lane("newton_euler", integrator=name, name=name) for name in ("munthe_kaas4", "lie_rk4")]
        run = qv.simulate(reference_preset(CASE), lanes=lanes, dt=dt, duration=2.0, sample_interval=0.04)
        gaps.append(
            [run.orientation_error(name, reference="group").max() for name in ("munthe_kaas4", "lie_rk4")]
        )
    orders = np.log2(np.divide(gaps[:-1], gaps[1:])).mean(axis=0)
    assert orders == pytest.approx([5.0, 4.0], abs=0.15), gaps


@pytest.mark.parametrize("name", TABLEAUX)
def test_tableau_satisfies_its_order_conditions(name: str) -> None:
    """Exactly, in fractions, and not the conditions of the next order."""
    method = INTEGRATORS[name]
    assert issubclass(method, ExplicitRungeKutta)
    assert method.tableau.order == method.order


def test_conditions_of_order() -> None:
    """One condition per rooted tree: HNW II.2, table 2.3. Tested with Kutta's fifth order as corrected by Nystrom, Gill's
    method in floats, and a sign error."""
    assert [len(rooted_trees(nodes)) for nodes in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    fifth = ButcherTableau(
        [["1/3"], ["4/25", "6/25"], ["1/4", -3, "15/4"], ["2/27", "10/9", "-50/81", "8/81"],
         ["2/25", "12/25", "2/15", "8/75", 0]],
        ["23/192", 0, "125/192", 0, "-27/64", "125/192"],
    )  # fmt: skip
    assert fifth.order == 5
    root = np.sqrt(0.5)
    gill = [[0.5], [root - 0.5, 1.0 - root], [0.0, -root, 1.0 + root]]
    weights = [1.0 / 6.0, (1.0 - root) / 3.0, (1.0 + root) / 3.0, 1.0 / 6.0]
    assert ButcherTableau(gill, weights).order == 4
    assert ButcherTableau([["1/2"], [0, "-1/2"], [0, 0, 1]], ["1/6", "1/3", "1/3", "1/6"]).order == 1


def test_nodes_are_sums_of_rows() -> None:
    method = INTEGRATORS["three_eighths"]
    assert issubclass(method, ExplicitRungeKutta)
    assert [float(c) for c in method.tableau.c] == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0], rel=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([["1/2"], ["1/2"]], ["1/2", 0, "1/2"], "have 1, 2, ... entries"),
        ([["1/2"]], [1], "have 1, 2, ... entries"),
        ([["1/2"]], ["1/2", "1/3"], "must sum to 1, not 5/6"),
    ],
)
def test_invalid_tableau_is_refused(a: list, b: list, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ButcherTableau(a, b)


class ByHand(NamedTuple):
    """A user-defined method that implements only `step`."""


@binder.stepper(ByHand)
def _rk4_by_hand(method, par, t, dt, y):
    k1 = binder.rhs(par, t, y)
    k2 = binder.rhs(par, t + 0.5 * dt, algebra.axpy(y, 0.5 * dt, k1))
    k3 = binder.rhs(par, t + 0.5 * dt, algebra.axpy(y, 0.5 * dt, k2))
    k4 = binder.rhs(par, t + dt, algebra.axpy(y, dt, k3))
    return blocks.RUNNING, _combined(y, dt / 6.0, k1, k2, k3, k4)


_combined = algebra.unroll("y, a, k1, k2, k3, k4", "y[#] + a * (k1[#] + 2.0 * (k2[#] + k3[#]) + k4[#])")


def test_tableau_step_equals_handwritten_step() -> None:
    """Bit for bit: the loop contains only the numbers of the tableau."""
    preset = qv.load_preset("heavy_top")
    form = make_formulation("newton_euler")
    parameters = form.parameters(preset.body, preset.loads)
    y = tuple(form.start(preset.initial.p(), preset.initial.omega(preset.body), parameters).tolist())
    states = []
    for method in (ByHand(), INTEGRATORS["rk4"]().method(form)):
        rows = np.empty((100, 7))
        blocks.fixed_step_block(method, parameters, 0, 0, 10, 1000, 1e-3, -1.0, y, rows)
        states.append(rows)
    assert np.array_equal(states[0], states[1])


@pytest.mark.parametrize("name", TABLEAUX)
def test_compiled_step_equals_numpy_step(name: str) -> None:
    """Compared with the same tableau in NumPy, stage by stage, with a load that depends on time."""
    preset = qv.load_preset("heavy_top")
    loads = [*preset.loads, qv.Torque(torque=["2*sin(30*t)", 0.0, 1.0])]
    form = make_formulation("newton_euler")
    parameters = form.parameters(preset.body, loads)
    start = form.start(preset.initial.p(), preset.initial.omega(preset.body), parameters)
    method = INTEGRATORS[name]
    assert issubclass(method, ExplicitRungeKutta)
    rows = np.empty((5, 7))
    blocks.fixed_step_block(
        method.tableau, parameters, 0, 0, 1, 1000, 0.01, -1.0, tuple(start.tolist()), rows
    )
    y = start
    for number, row in enumerate(rows):
        y = method.tableau.step(
            lambda t, y: np.array(blocks.derivative(parameters, t, tuple(y.tolist()))[0]),
            0.01 * number,
            y,
            0.01,
        )
        assert row == pytest.approx(y, rel=1e-12, abs=1e-12)


def test_tableaux_share_a_kernel_only_if_equal() -> None:
    first, same, third = (ButcherTableau([[c]], ["1/2", "1/2"]) for c in (1, 1.0, "1/2"))
    assert numba.typeof(first) == numba.typeof(same) != numba.typeof(third)
    assert pickle.loads(pickle.dumps(numba.typeof(first))) == numba.typeof(first)


@pytest.mark.parametrize("integrator", sorted(INTEGRATORS))
def test_block_size_does_not_change_the_result(integrator: str) -> None:
    """Bit for bit, state and lambda: the window uses other block sizes than a script."""
    preset, times = qv.load_preset("heavy_top"), {"dt": 2e-3, "sample_interval": 0.01, "duration": 1.0}
    whole = [computed(lane, 100) for lane in lanes_of(integrator, preset, **times)]
    assert whole
    for block in (1, 7):
        for expected, lane in zip(whole, lanes_of(integrator, preset, **times), strict=True):
            divided = computed(lane, 100, block)
            assert np.array_equal(expected.history.rows, divided.history.rows)
            assert np.array_equal(expected.lam, divided.lam, equal_nan=True)
            assert expected.solver.steps == divided.solver.steps


@pytest.mark.parametrize("integrator", OTHERS)
def test_integrators_switch_charts(integrator: str) -> None:
    """Beyond half a turn, modified Rodrigues parameters switch to their shadow set with every integrator."""
    preset = qv.load_preset("half_turn")
    lane = made(integrator, "modified_rodrigues", preset, dt=2e-3, duration=12.0, sample_interval=0.01)
    if lane is None:
        return
    computed(lane, 1200)
    fine = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    assert lane.status == "running"
    assert np.linalg.norm(lane.history.rows[:, 3:6], axis=1).max() < 1.1
    assert relative_angle(lane.p, fine.p[: lane.samples]).max() < 1e-4


@pytest.mark.parametrize(
    ("lane", "message"),
    [
        (Lane("newton_euler", integrator="rattle"), "which has no multiplier, because"),
        (Lane("lagrange_full/torque_closed", integrator="rattle"), "from a closed formula"),
        (Lane("lagrange_full", integrator="rattle", stabilisation="project"), "own equations keep"),
        (Lane("lagrange_full", integrator="rattle", stabilisation="baumgarte"), "own equations keep"),
        (Lane("lie_group", integrator="lie_rk4"), "a formulation whose state is p and either omega or h"),
        (Lane("lagrange_full", integrator="lie_rk4"), "whose state is e0, e1"),
        (Lane("lagrange_full", integrator="moser_veselov"), "and nothing else"),
        (Lane("mistaken/no_gyroscopic", integrator="simo_wong"), "choose hamilton, newton_euler, or another"),
        (Lane("hamilton", integrator="axis_splitting", stabilisation="project"), "by construction"),
        (Lane("hamilton", integrator="lie_rk4", stabilisation="renormalise"), "by construction"),
    ],
)
def test_invalid_values_are_refused(lane: Lane, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        qv.simulate(qv.load_preset("torque_free"), lanes=[lane], duration=0.1)
    assert refusal.value.key in ("lanes[0].integrator", "lanes[0].stabilisation")


@pytest.mark.parametrize("lane", LANES)
def test_capabilities_of_a_formulation_follow_from_its_kernels(lane: str) -> None:
    form = make_formulation(lane)
    assert form.kernels is not None
    assert type(form.parameters(reference_preset(CASE).body, ())) is form.parameter_type
    assert binder.kernels_for(numba.typeof(form.parameters(reference_preset(CASE).body, ()))) is form.kernels
    assert form.has_multiplier == (form.kernels.multiplier is not None)
    assert form.on_group == (form.kernels.group is not None)
    if form.supports_index3:
        assert form.kernels.index3 is not None
        assert form.has_multiplier


class OfNobody(NamedTuple):
    """Parameters of no formulation; each test derives its own class."""

    inertia: float


def bare(parameters: type, **claims: Any) -> None:
    """Define a formulation with these parameters, these claims, and only the derivative kernel."""
    attributes = {"name": "bare", "title": "Bare", "source": "-", **claims}
    kernels = binder.Kernels(rhs=lambda par, t, y: y)
    type("Bare", (Formulation,), {**attributes, "parameter_type": parameters, "kernels": kernels})


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"has_multiplier": True}, "has_multiplier follows from its kernels"),
        ({"on_group": True}, "on_group follows from its kernels"),
        ({"multiplier_terms": property(lambda self: ("4T",))}, "no kernel 'multiplier'"),
        ({"singularity_title": "det S"}, "no kernel 'singularity'"),
        ({"stabilisations": ("none", "project")}, "no kernel 'projection'"),
    ],
)
def test_claimed_capability_requires_a_kernel(claims: dict[str, Any], message: str) -> None:
    """A declared multiplier without a kernel was NaN without a message."""
    with pytest.raises(TypeError, match=message):
        bare(type("Own", (OfNobody,), {}), **claims)


def test_parameters_type_belongs_to_one_formulation() -> None:
    parameters = type("Own", (OfNobody,), {})
    bare(parameters)
    with pytest.raises(TypeError, match="has kernels already"):
        bare(parameters)


def test_refusal_of_the_run_integrator_is_reported_at_its_line() -> None:
    with pytest.raises(InputError) as refusal:
        qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton"], integrator="rattle", duration=0.1)
    assert refusal.value.key == "run.integrator"


@pytest.mark.parametrize(
    ("integrator", "form", "dt", "message"),
    [
        ("implicit_midpoint", "modified_rodrigues", 0.1, "found no midpoint: the step is too long"),
        ("moser_veselov", "newton_euler", 0.04, "Try a dt with |omega| dt below 1"),
        ("gauss4", "newton_euler", 0.4, "did not converge in 60 iterations"),
        ("rattle", "hamilton_canonical", 0.04, "Try a dt with |omega| dt below 1"),
        ("dop853", "newton_euler", 0.01, "shorter than dt"),
    ],
)
def test_failed_step_ends_the_lane_with_a_message(
    integrator: str, form: str, dt: float, message: str
) -> None:
    preset = qv.load_preset("heavy_top")
    if integrator == "dop853":  # realistic motions do not fail in regular coordinates
        preset = replace(preset, initial=replace(preset.initial, angular_momentum=[1e59, 0.0, 1e59]))
    lane = made(integrator, form, preset, dt=dt, sample_interval=dt, duration=10 * dt)
    assert lane is not None
    computed(lane, 10)
    assert lane.status == "step_failed"
    assert message in lane.message
    assert np.isfinite(lane.p).all()

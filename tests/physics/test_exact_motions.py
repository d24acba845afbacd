"""The closed forms, compared with references and the equations of motion, for random and difficult initial states."""

import math
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from quatviz.files.preset import Preset
from quatviz.physics.exact import SOLUTIONS, NoClosedForm, solve
from quatviz.physics.exact._multiprecision import DIGITS, context
from quatviz.physics.exact._theta import ThetaValue
from quatviz.physics.exact.base import ExactSolution
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.guided_spring import GuidedSpring
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalize, relative_angle
from quatviz.verification.motions import random_preset, reference_cases, reference_preset
from quatviz.verification.parts.exact import check_equations
from quatviz.verification.regimes import closed_form_presets

REGIMES = closed_form_presets()
KINDS = dict.fromkeys(("top", "spherical", "plane"), "heavy_top") | dict.fromkeys(
    ("spring", "physical"), "pendulum"
)
STEADY = {"free, sphere", "free, middle axis", "free, at rest", "top, asleep"}
WORK = settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
"""Without shrinking: an example takes a tenth of a second, and its numbers say enough."""
TOLERANCE = 1e-13


def solution_of(preset: Preset) -> ExactSolution:
    return solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))


def holds(preset: Preset) -> None:
    missed = [check for check in check_equations("random", preset, solution_of(preset)) if not check.ok]
    assert not missed


def preset(inertia, omega, p=(0.8, 0.1, -0.5, 0.3), loads=()) -> Preset:
    return Preset(
        body=Body(inertia=inertia, about="pivot"),
        initial=Initial(euler_parameters=normalize(np.array(p)), angular_velocity=omega),
        loads=loads,
    )


def test_concurrent_solutions_keep_their_precision() -> None:
    """The window and its worker solve at the same time; raised precision must not affect another thread."""
    motion, digits = preset((4.0, 3.0, 2.0), (0.3, 2.0, 0.4)), set[int]()
    once = solution_of(motion).evaluate(np.array([1.0]))[0]

    def work() -> bool:
        same = all(np.array_equal(solution_of(motion).evaluate(np.array([1.0]))[0], once) for _ in range(10))
        digits.add(context().dps)
        return same

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(future.result() for future in [pool.submit(work) for _ in range(4)])
    finally:
        sys.setswitchinterval(before)
    assert digits == {DIGITS}


@pytest.mark.parametrize("case", [case for case in reference_cases() if case != "point_force"])
def test_reference_states_agree_to_rounding(case: str) -> None:
    given_states, motion = reference_cases()[case], reference_preset(case)
    p, omega = solution_of(motion).evaluate(np.array(given_states["times"]))
    h = np.array(given_states["h_body"])
    assert relative_angle(p, np.array(given_states["e"])).max() < TOLERANCE
    assert np.abs(omega @ motion.body.inertia - h).max() < TOLERANCE * np.abs(h).max()
    assert np.einsum("ni,ni->n", p, np.array(given_states["e"])).min() > 0.99, "p is continuous, sign and all"


@pytest.mark.parametrize("name", REGIMES)
def test_every_regime_satisfies_the_equations_and_is_detected(name: str) -> None:
    solution = solution_of(REGIMES[name])
    assert all(check.ok for check in check_equations(name, REGIMES[name], solution, 40))
    regime = "steady" if name in STEADY else KINDS.get(name.split(" ")[0].rstrip(","), "torque_free")
    assert solution.name == (name.split(":")[0] if ":" in name else regime)


def test_every_solution_has_a_regime() -> None:
    assert {solution_of(motion).name for motion in REGIMES.values()} == set(SOLUTIONS)


@pytest.mark.parametrize("name", REGIMES)
def test_p_is_continuous(name: str) -> None:
    t = np.arange(0.0, 40.0, 0.005)
    p, _ = solution_of(REGIMES[name]).evaluate(t)
    assert np.einsum("ni,ni->n", p[1:], p[:-1]).min() > 0.9


tiny = st.sampled_from([0.0, 1e-3, -1e-6, 1e-9, 1e-13, -1e-16, 1e-20, 1e-40, 1e-100])
rates = st.floats(-3.0, 3.0)
squares = st.floats(0.2, 1.5)


@pytest.mark.slow
@WORK
@given(seed=st.integers(0, 10**6))
def test_random_free_bodies_satisfy_the_equations(seed: int) -> None:
    holds(random_preset(seed))


@WORK
@given(a=squares, b=squares, c=squares, h=st.tuples(rates, rates, rates), near=tiny, turn=st.integers(0, 2))
@example(a=1.0, b=1.0, c=1.0, h=(1.0, 1.0, 1.0), near=1e-20, turn=0)
def test_nearly_symmetric_bodies_satisfy_the_equations(a, b, c, h, near, turn) -> None:
    del b
    x, y, z = a, a * (1.0 + near), c
    moments = np.roll([y + z, x + z, x + y], turn)
    holds(preset(moments.tolist(), (np.array(h) / moments).tolist()))


@pytest.mark.slow
@WORK
@given(h2=rates, near=tiny, first=st.sampled_from([1.0, -1.0]), third=st.sampled_from([1.0, -1.0]))
@example(h2=0.3, near=0.0, first=-1.0, third=1.0)
def test_states_near_the_separatrix_satisfy_the_equations(h2, near, first, third) -> None:
    moments = np.array([3.0, 4.0, 6.0])  # 1/3 - 1/4 = 1/4 - 1/6: it is where |h1| = |h3|
    h = np.array([first, h2, third * (1.0 + near)])
    # 1/3, 1/4 and 1/6 are not exact in binary; h must be exact, so J is scaled instead
    holds(preset((moments / 12.0).tolist(), (h * 12.0 / moments).tolist()))


@pytest.mark.slow
@WORK
@given(size=rates, axis=st.integers(0, 2), off=st.tuples(tiny, tiny, tiny))
def test_states_near_principal_axes_or_rest_satisfy_the_equations(size, axis, off) -> None:
    omega = np.array(off)
    omega[axis] += size
    holds(preset([1.0, 2.0, 2.5], omega.tolist()))


@pytest.mark.slow
@WORK
@given(
    J3=st.floats(0.5, 9.9),
    omega=st.tuples(rates, rates, st.floats(-20.0, 20.0)),
    arm=st.floats(1e-30, 2.0),
    side=st.sampled_from([1, -1]),
    p=st.tuples(rates, rates, rates),
)
def test_random_tops_satisfy_the_equations(J3, omega, arm, side, p) -> None:
    holds(preset([5.0, 5.0, J3], omega, (1.1, *p), [Gravity(weight=4.0, centre=[0.0, 0.0, side * arm])]))


@pytest.mark.slow
@WORK
@given(tilt=tiny, push=tiny, spin=st.sampled_from([0.0, 1e-20, 2.0, 3.0, 4.0, 20.0]), hanging=st.booleans())
@example(tilt=0.0, push=1e-3, spin=2.0, hanging=False)
@example(tilt=1e-9, push=0.0, spin=20.0, hanging=True)
def test_nearly_vertical_tops_satisfy_the_equations(tilt, push, spin, hanging) -> None:
    p = (0.5 * tilt, 1.0, 0.0, 0.0) if hanging else (1.0, 0.5 * tilt, 0.0, 0.0)
    holds(preset([5.0, 5.0, 1.0], [push, 0.0, spin], p, [Gravity(weight=5.0, centre=[0.0, 0.0, 1.0])]))


@WORK
@given(angle=st.floats(-1.5, 1.5), rate=st.one_of(rates, tiny), near=tiny)
@example(angle=0.0, rate=1.0, near=0.0)
@example(angle=math.pi / 4, rate=0.0, near=0.0)
def test_springs_in_all_regimes_satisfy_the_equations(angle, rate, near) -> None:
    spring = GuidedSpring(stiffness=2.0, point=[1.0, 0.0, 0.0], direction=[near, 1.0, 0.0])
    p = (math.cos(angle), 0.0, 0.0, math.sin(angle))
    holds(preset([1.0, 1.3, 2.0], [0.0, 0.0, rate], p, [spring]))


def test_evaluation_cost_is_independent_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = []
    times = ThetaValue.multiply

    def counted(first: ThetaValue, second: ThetaValue) -> ThetaValue:
        factors.append(len(first.value))
        return times(first, second)

    monkeypatch.setattr(ThetaValue, "multiply", counted)
    for motion in REGIMES.values():
        solution = solution_of(motion)
        solution.evaluate(np.zeros(1))  # constants that are computed at first use
        counts = []
        for t in (1.0, 1e6, -1e9):
            factors.clear()
            p, omega = solution.evaluate(np.array([t]))
            counts.append(tuple(factors))
            assert abs(float(p[0] @ p[0]) - 1.0) < 1e-13
            assert np.isfinite(omega).all()
        assert len(set(counts)) == 1


def test_zero_loads_are_ignored() -> None:
    idle = [
        Gravity(weight=0.0, centre=[1.0, 0.0, 0.0]),
        Gravity(weight=1.0, centre=[0.0, 0.0, 0.0]),
        Damping(coefficient=0.0),
        Torque(torque=[0.0, 0.0, 0.0]),
        PointForce(force=[1.0, 0.0, 0.0], point=[0.0, 0.0, 0.0]),
        Spring(stiffness=0.0, point=[1.0, 0.0, 0.0], anchor=[1.0, 0.0, 0.0]),
        GuidedSpring(stiffness=1.0, point=[0.0, 0.0, 0.0], direction=[1.0, 0.0, 0.0]),
    ]
    assert solution_of(preset([1.0, 2.0, 2.5], [1.0, 2.0, 3.0], loads=idle)).name == "torque_free"


@pytest.mark.parametrize(
    ("inertia", "omega", "loads", "message"),
    [
        ([1, 2, 2.5], [1, 2, 3], [Damping(coefficient=0.1)], "these loads act: damping"),
        ([1, 2, 2.5], [1, 2, 3], [Gravity(weight=1.0, centre=[0, 0, 1])], "not symmetric"),
        ([5, 5, 1], [1, 2, 3], [Gravity(weight=1.0, centre=[0.1, 0, 1])], "not symmetric"),
        ([5, 5, 1], [1, 2, 3], [PointForce(force=[1, 0, 0], point=[0, 0, 1], frame="body")], "these loads act: point force"),
        ([5, 5, 1], [1, 2, 3], [Gravity(weight=1.0, centre=[0, 0, 1]), Torque(torque=[0, 0, 1])], "these loads act: torque"),
        ([1, 1, 2], [0, 0, 1], [GuidedSpring(stiffness=1.0, point=[1, 0, 0], direction=[0, 1, 0])], "tilts the axis"),
        ([1, 1.5, 2], [1, 0, 1], [GuidedSpring(stiffness=1.0, point=[1, 0, 0], direction=[0, 1, 0])], "principal"),
    ],
)  # fmt: skip
def test_unsolvable_motion_reports_every_violated_condition(inertia, omega, loads, message: str) -> None:
    with pytest.raises(NoClosedForm) as caught:
        solution_of(preset(inertia, omega, loads=loads))
    for solution_class in SOLUTIONS.values():
        is_asked = not solution_class.carries_rotors  # of a body without rotors
        assert (f"{solution_class.title} needs {solution_class.needs}" in str(caught.value)) is is_asked
    assert message in str(caught.value)


def test_springs_with_weight_have_no_closed_form() -> None:
    level = (1.0, 1.0, 0.0, 0.0)
    loads = [
        Gravity(weight=1.0, centre=[1.0, 0.0, 0.0]),
        GuidedSpring(stiffness=1.0, point=[1.0, 0.0, 0.0], direction=[0.0, 0.0, 1.0]),
    ]
    with pytest.raises(NoClosedForm, match="together"):
        solution_of(preset([1.0, 1.3, 2.0], [0.0, 0.0, 1.0], level, loads))
    assert solution_of(preset([1.0, 1.3, 2.0], [0.0, 0.0, 1.0], level, loads[:1])).name == "pendulum"


def test_compatible_forces_are_combined() -> None:
    parallel = [
        Gravity(weight=2.0, centre=[0.0, 0.0, 0.5]),
        PointForce(force=[0.0, 0.0, -1.0], point=[0.0, 0.0, 1.0]),
    ]
    single = [Gravity(weight=2.0, centre=[0.0, 0.0, 1.0])]
    at_a_point = [
        PointForce(force=[0.0, 1.0, -2.0], point=[0.0, 0.0, 1.0]),
        PointForce(force=[0.0, -2.0, 0.0], point=[0.0, 0.0, 0.5]),
    ]
    t = np.array([0.0, 3.0, 40.0])
    expected, _ = solution_of(preset([5.0, 5.0, 1.0], [1.0, 2.0, 3.0], loads=single)).evaluate(t)
    for loads in (parallel, at_a_point):
        p, _ = solution_of(preset([5.0, 5.0, 1.0], [1.0, 2.0, 3.0], loads=loads)).evaluate(t)
        assert relative_angle(p, expected).max() < 1e-12
    astray = [*parallel, PointForce(force=[1.0, 0.0, 0.0], point=[0.0, 1.0, 1.0])]
    with pytest.raises(NoClosedForm):
        solution_of(preset([5.0, 5.0, 1.0], [1.0, 2.0, 3.0], loads=astray))

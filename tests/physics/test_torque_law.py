"""Typed torque laws: equal to built-in loads in NumPy and kernels, gains as data, stored in presets."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset_reading import parse_preset
from quatviz.files.preset_writing import format_preset
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import conjugate, multiply, normalize, rotation_matrix

BODY = qv.Body(inertia=[[3.0, 0.1, 0.2], [0.1, 2.0, -0.1], [0.2, -0.1, 1.5]])
CONTROL = "e = sign(p[0])*p[1:]\nn = -K*e - D*omega"
GAINS = {"K": 2.0, "D": 0.5}


def states(count: int = 20):
    random = np.random.default_rng(3)
    return (
        random.uniform(0.0, 3.0, count),
        normalize(random.normal(size=(count, 4))),
        random.normal(size=(count, 3)),
    )


def by_kernel(load: qv.TorqueLaw, t, p, omega) -> np.ndarray:
    packed = pack_loads(bind([load], BODY), "torque")
    kernel = load.torque_kernel
    row = tuple(packed.variable_sum.rows[0][3:19].tolist())
    return np.array([kernel(row, *state) for state in zip(t, map(tuple, p), map(tuple, omega), strict=True)])


TARGET = np.array([0.6, 0.0, 0.8, 0.0])


def from_target(p: np.ndarray) -> np.ndarray:
    q = multiply(conjugate(TARGET), p)
    return -2.0 * q[1:] * 2.0 ** q[0]


def without_momentum(w: np.ndarray) -> np.ndarray:
    h = BODY.inertia @ w
    return np.cross(w, h) - 2.0 * h / np.linalg.norm(h)


def limited(w: np.ndarray) -> np.ndarray:
    s = np.clip(w, -0.5, 0.5)
    return -np.tanh(s / 0.1) + np.abs(s)


LAWS = [
    (CONTROL, lambda t, p, w, A: -2.0 * np.sign(p[0]) * p[1:] - 0.5 * w),
    ("n = -K*J @ omega", lambda t, p, w, A: -2.0 * BODY.inertia @ w),
    ("h = J @ omega\nn = cross(omega, h) - K*h/norm(h)", lambda t, p, w, A: without_momentum(w)),
    ("n = A.T @ [0, 0, K*sin(2*t)]", lambda t, p, w, A: A.T @ [0.0, 0.0, 2.0 * np.sin(2.0 * t)]),
    ("s = clip(omega, -D, D)\nn = -tanh(s/0.1) + abs(s)", lambda t, p, w, A: limited(w)),
    (
        "n = where(norm(omega) < 1.5, omega, -omega)*max(t, 1)",
        lambda t, p, w, A: (w if np.linalg.norm(w) < 1.5 else -w) * max(t, 1.0),
    ),
    (
        "q = product(conjugate([0.6, 0, 0.8, 0]), p)\nn = -K*q[1:]*2**q[0]",
        lambda t, p, w, A: from_target(p),
    ),
    (
        "n = [atan2(p[1], p[0]), dot(omega, omega), p @ p]*min(D, t)",
        lambda t, p, w, A: np.array([np.arctan2(p[1], p[0]), w @ w, 1.0]) * min(0.5, t),
    ),
]


@pytest.mark.parametrize(("law", "definition"), LAWS)
def test_torque_law_kernel_matches_numpy_and_definition(law: str, definition) -> None:
    load = qv.TorqueLaw(law=law, gains=GAINS)
    t, p, omega = states()
    expected = np.array(
        [definition(*state, rotation_matrix(state[1])) for state in zip(t, p, omega, strict=True)]
    )
    assert load.bind(BODY).torque(t, p, omega) == pytest.approx(expected, abs=1e-13)
    assert by_kernel(load, t, 2.0 * p, omega) == pytest.approx(expected, abs=1e-12)
    in_space = qv.TorqueLaw(law=law, gains=GAINS, frame="space")
    turned = np.einsum("nji,nj->ni", rotation_matrix(p), expected)
    assert in_space.bind(BODY).torque(t, p, omega) == pytest.approx(turned, abs=1e-13)
    assert by_kernel(in_space, t, p, omega) == pytest.approx(turned, abs=1e-12)


def preset(*loads: Load) -> qv.Preset:
    start = qv.Initial(
        euler_parameters=normalize(np.array([0.3, 0.5, 0.2, -0.6])), angular_velocity=[0.1, 0.2, 0.3]
    )
    return qv.Preset(
        body=BODY,
        initial=start,
        loads=loads,
        run=qv.RunSettings(1.0, 1e-3, 1e-2),
        lanes=[qv.Lane("newton_euler"), qv.Lane("hamilton")],
    )


def test_typed_controller_equals_the_built_in_one() -> None:
    typed = qv.simulate(preset(qv.TorqueLaw(law=CONTROL, gains=GAINS), qv.Damping(coefficient=0.1)))
    built_in = qv.simulate(
        preset(qv.AttitudeControl(stiffness=2.0, damping=0.5), qv.Damping(coefficient=0.1))
    )
    for name in typed:
        assert typed[name].p == pytest.approx(built_in[name].p, abs=1e-13)
        assert typed[name].torque == pytest.approx(built_in[name].torque, abs=1e-12)
    assert typed.orientation_error("newton_euler", "hamilton").max() < 1e-8


def test_changed_gain_does_not_recompile() -> None:
    first, second = (
        pack_loads(bind([qv.TorqueLaw(law=CONTROL, gains={"K": K, "D": 0.5})], BODY), "torque")
        for K in (1.0, 3.0)
    )
    assert first.variable_sum.function == second.variable_sum.function
    assert not np.array_equal(first.variable_sum.rows, second.variable_sum.rows)


def test_torque_law_round_trips_through_text_and_pickle() -> None:
    law = qv.TorqueLaw(law=CONTROL, gains=GAINS)
    run_preset = replace(preset(law), lanes=[qv.Lane("hamilton", loads=[law])])
    assert parse_preset(format_preset(run_preset)) == run_preset
    assert pickle.loads(pickle.dumps(law)) == law
    assert copy.deepcopy(law) == law
    assert law != qv.TorqueLaw(law=CONTROL, gains={**GAINS, "K": 2.5})
    assert replace(law, frame="space").frame == "space"


@pytest.mark.parametrize(
    ("gains", "found"),
    [({"K": float("inf")}, "inf"), ({"omega": 1.0}, "omega"), ({"_x": 1.0}, "_x"), ({"K": "2"}, "2"), (3, "3"),
     ({f"k{n}": 1.0 for n in range(11)}, "11 gains"), ({"sin": 1.0}, "sin")],
)  # fmt: skip
def test_invalid_gains_are_refused(gains, found: str) -> None:
    with pytest.raises(qv.InputError, match=found) as refusal:
        qv.TorqueLaw(law="n = omega", gains=gains)
    assert refusal.value.key == "gains"


def test_invalid_torque_law_is_refused_at_its_line() -> None:
    text = format_preset(preset(qv.TorqueLaw(law=CONTROL, gains=GAINS)))
    with pytest.raises(qv.InputError, match=r"(?s)loads\[0\].law.*unknown name 'Q'"):
        parse_preset(text.replace("-K*e", "-Q*e"))


@pytest.mark.parametrize(
    ("law", "target"),
    [
        (CONTROL, [1.0, 0.0, 0.0, 0.0]),
        ("n = -K*p[1:] - D*omega", [1.0, 0.0, 0.0, 0.0]),
        ("s = sign(p[0])*p[1:]/(1 + abs(p[0]))\nn = -K*s - D*omega", [1.0, 0.0, 0.0, 0.0]),
        ("target = [K, 2*K, 0, 0]\nn = -D*omega", [0.2**0.5, 2.0 * 0.2**0.5, 0.0, 0.0]),
        ("n = -D*omega + 0*K*omega", None),
        ("n = [0, 0, K*D]", None),
        ("target = [1, t, 0, 0]\nn = -D*omega + 0*K*omega", None),
        ("n = -K*cross([0, 0, 1], A.T @ [0, 0, 1]) - D*omega", None),  # any turn about the axis is as good
    ],
)
def test_target_of_a_torque_law_is_known(law: str, target: list[float] | None) -> None:
    attitude = qv.TorqueLaw(law=law, gains=GAINS).target_attitude
    if target is None:
        assert attitude is None
    else:
        assert attitude == pytest.approx(target, abs=1e-12)


def test_jump_half_a_turn_from_the_target_is_declared() -> None:
    steered = "target = [0.6, 0, 0.8, 0]\nq = product(conjugate(target), p)\n"
    either_side = np.array([[0.1, 0.9, 0.2, 0.3], [-0.1, 0.9, 0.2, 0.3]])
    for law, jumps in (
        (CONTROL, True),
        ("s = sign(p[0])*p[1:]/(1 + abs(p[0]))\nn = -K*s - D*omega", True),
        ("n = -K*p[1:] - D*omega", False),
        ("n = -K*p[0]*p[1:] - D*omega", False),
    ):
        branch = qv.TorqueLaw(law=law, gains=GAINS).discontinuity_branch(normalize(either_side))
        assert (branch is not None) is jumps
        assert branch is None or branch.tolist() == [False, True]
    law = qv.TorqueLaw(law=steered + "n = -K*sign(q[0])*q[1:] - D*omega", gains=GAINS)
    branch = law.discontinuity_branch(multiply(TARGET, normalize(either_side)))
    assert branch is not None
    assert branch.tolist() == [False, True]
    built_in = qv.AttitudeControl(stiffness=2.0, damping=0.5, target=TARGET)
    np.testing.assert_array_equal(
        built_in.discontinuity_branch(states()[1]), law.discontinuity_branch(states()[1])
    )


def test_angle_to_the_target_is_that_of_the_relative_rotation() -> None:
    law = qv.TorqueLaw(law="target = [0.6, 0, 0.8, 0]\nn = -K*cross(target[1:], p[1:])", gains={"K": 0.1})
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 0.5, 0.0]),
    )
    controlled_lane = qv.Lane("newton_euler", name="controlled", loads=[law])
    run = qv.simulate(preset, lanes=[controlled_lane, "newton_euler"], duration=1.0)
    controlled, free = run["controlled"], run["newton_euler"]
    start = np.degrees(2.0 * np.arccos(0.6))
    assert controlled.target_angle[0] == pytest.approx(start)
    assert controlled.target_angle[-1] < start
    assert np.isnan(free.target_angle).all()

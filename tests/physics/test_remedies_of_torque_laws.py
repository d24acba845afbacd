"""Remedies for unknown names in a typed torque law."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.vector_program import FUNCTIONS, names_in
from quatviz.physics.loads import MotionScale
from quatviz.physics.loads.torque_law import INPUTS, law_fault, missing_gains, start_gains
from quatviz.physics.loads.torque_law.examples import EXAMPLE_NAMES, EXAMPLES


@pytest.mark.parametrize(
    ("law", "remedy"),
    [
        ("n = -2*e - 3*omega", "e = sign(p[0])*p[1:]"),
        ("n = -p1*omega", "write p[1]"),
        ("n = -p_3*omega", "write p[3]"),
        ("n = [omega0, 0, 0]", "did you mean omega[0]?"),
        ("axis = A.T @ [0, 0, 1]\nn = -axis2*omega", "did you mean axis[2]?"),
        ("n = -p4*omega", "did you mean 'p'?"),
        ("n = -D*omgea", "did you mean 'omega'?"),
        ("n = -zeta*omega", "use one of t, p, omega"),
    ],
)
def test_unknown_name_in_a_torque_law_has_a_remedy(law: str, remedy: str) -> None:
    fault = law_fault(law, ("D",))
    assert fault is not None
    assert remedy in fault.remedy


@pytest.mark.parametrize(
    "name",
    ["p0", "p3", "e", "e1", "q", "q0", "q_3", "w", "w1", "w3", "omega1", "omega_x", "h1", "h_z"],
)
def test_names_of_textbooks_are_no_gains_but_have_a_remedy(name: str) -> None:
    """A gain p0 is a constant: the law with sign(p0) lost its sign without a word."""
    law = f"n = -k*{name}*omega"
    assert missing_gains(law, ()) == []
    fault = law_fault(law, ())
    assert fault is not None
    assert fault.found == f"the unknown names 'k', '{name}'"
    hint = fault.remedy.partition(f"{name}: ")[2].partition("; k: ")[0]
    expression = hint.partition("write ")[2] or hint.partition("e = ")[2].partition(" above")[0]
    assert law_fault(f"a = {expression}\nn = omega", ()) is None, hint
    assert missing_gains("e = 2*p[1:]\nn = -e1*omega", ()) == []
    fault = law_fault("e = 2*p[1:]\nn = -e1*omega", ())
    assert fault is not None
    assert "e[1]" in fault.remedy


def test_all_unknown_names_are_named_together() -> None:
    fault = law_fault("n = -k*e*sign(p0) - c*omega", ())
    assert fault is not None
    assert fault.found == "the unknown names 'k', 'e', 'p0', 'c'"
    for part in ("e = sign(p[0])*p[1:]", "p0: write p[0]", "k, c: add as gains afterwards"):
        assert part in fault.remedy
    fault = law_fault("n = -kp*p[1:] - kd*omega", ())
    assert fault is not None
    assert fault.remedy == "add 'kp', 'kd' as gains"


@pytest.mark.parametrize("law", ["n = -k*err - c*omega", "n = -k*omega*omega", "n = -k*omegaa(1)"])
def test_gains_that_do_not_make_the_law_valid_are_not_offered(law: str) -> None:
    assert missing_gains(law, ()) == []
    fault = law_fault(law, ())
    assert fault is not None
    assert "as gains, line 1, character" in fault.remedy


def test_suggested_error_vector_law_is_accepted() -> None:
    with pytest.raises(qv.InputError, match=r"e = sign\(p\[0\]\)\*p\[1:\]"):
        qv.TorqueLaw(law="n = -2*e - 3*omega")
    assert law_fault("e = sign(p[0])*p[1:]\nn = -2*e - 3*omega", ()) is None


def test_gain_named_e_is_not_the_error_vector() -> None:
    assert law_fault("n = -e*omega", ("e",)) is None


def test_unknown_name_can_be_added_as_a_gain() -> None:
    fault = law_fault("n = -kp*omega", ())
    assert fault is not None
    assert fault.remedy == "add 'kp' as a gain, or did you mean 'p'?"
    fault = law_fault("n = -n*omega", ())
    assert fault is not None
    assert "as a gain" not in fault.remedy


SCALE = MotionScale(qv.Body(inertia=[300.0, 300.0, 300.0]), 300.0, 1.3, 1.0)


@pytest.mark.parametrize(
    ("law", "gains"),
    [
        ("e = sign(p[0])*p[1:]\nn = -kp*e - kd*omega", {"kp": 1000.0, "kd": 550.0}),
        ("n = -J@(kp*p[1:] + kd*omega)", {"kp": 3.4, "kd": 1.8}),
        ("n = -c*norm(omega)*omega", {"c": 300.0}),
        ("n = -K*p[1:] - ki*t*p[1:]", {"ki": 1.0}),
        ("n = -2*zeta*wn*J@omega - wn**2*J@p[1:]", {"zeta": 1.0, "wn": 1.0}),
        ("n = -M*clip(omega/eps, -1, 1)", {"M": 1.0, "eps": 1.0}),
        ("n = -c*omegaa*", {"c": 1.0}),
    ],
)
def test_new_gains_suit_body_and_motion(law: str, gains: dict[str, float]) -> None:
    """The gains of the default law scale with J and omega; those without a clear unit are 1."""
    assert start_gains(law, {"K": 2.0}, list(gains), "body", SCALE) == gains


@pytest.mark.parametrize(
    ("law", "gains", "kept_line"),
    [
        ("target = [0.6, 0, 0.8, 0]\nn = -D*omega", {"D": 1.0}, "target = [0.6, 0, 0.8, 0]"),
        (
            "a = c*2\ntarget = [1, a, 0, 1]\nn = -D*omega",
            {"D": 1.0, "c": 0.3},
            "a = c*2\ntarget = [1, a, 0, 1]",
        ),
        ("e = 0.5\ntarget = [1, e, 0, 1]\nn = -omega", {}, "target = [0.6666"),
    ],
)
def test_examples_keep_the_target(law: str, gains: dict[str, float], kept_line: str) -> None:
    before = qv.TorqueLaw(law=law, gains=gains)
    target = before.target_attitude
    assert target is not None
    for title, values in before.examples(SCALE):
        example = qv.TorqueLaw(**values)
        assert example.law.startswith(kept_line), title
        assert example.target_attitude == pytest.approx(target)
        assert example.unused_numbers("law", example.law) == []
        control = example.bind(SCALE.body)
        at_target = control.torque(np.zeros(1), target[None], np.zeros((1, 3)))
        assert at_target == pytest.approx(0.0, abs=1e-9), title
        if title != "Rate damping":
            turned = control.torque(np.zeros(1), np.array([[1.0, 0.0, 0.0, 0.0]]), np.zeros((1, 3)))
            assert np.abs(turned).max() > 1.0, title


def test_examples_ignore_a_target_that_is_no_quaternion() -> None:
    before = qv.TorqueLaw(law="target = [0, 0, 1]\nn = cross(omega, target)")
    assert [values["law"] for _, values in before.examples(SCALE)] == [example.law for example in EXAMPLES]


def test_examples_use_only_their_reserved_names() -> None:
    for example in EXAMPLES:
        used = names_in(example.law) | set(example.table(SCALE)["gains"])
        assert used - EXAMPLE_NAMES <= {*INPUTS, *FUNCTIONS}, example.title


def test_misspelled_names_are_no_gains() -> None:
    for law, hint in (("n = -Kp*p[1:] - D*omgea", "'omega'"), ("n = -Kp*omega - corss", "'cross'")):
        assert missing_gains(law, ["D"]) == []
        fault = law_fault(law, ["D"])
        assert fault is not None
        assert f"did you mean {hint}? Kp: add as a gain afterwards" in fault.remedy
    assert missing_gains("n = -omega0*omega", []) == ["omega0"], "a name of its own"

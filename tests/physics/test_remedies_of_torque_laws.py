"""Remedies for unknown names in a typed torque law."""

import pytest

import quatviz as qv
from quatviz.physics.loads.torque_law import law_fault, missing_gains


@pytest.mark.parametrize(
    ("law", "remedy"),
    [
        ("n = -2*e - 3*omega", "e = sign(p[0])*p[1:]"),
        ("n = -p1*omega", "did you mean p[1]?"),
        ("n = -p_3*omega", "did you mean p[3]?"),
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


def test_suggested_error_vector_law_is_accepted() -> None:
    assert missing_gains("n = -2*e - 3*omega", ()) == ["e"]
    with pytest.raises(qv.InputError, match=r"e = sign\(p\[0\]\)\*p\[1:\]"):
        qv.TorqueLaw(law="n = -2*e - 3*omega")
    assert law_fault("e = sign(p[0])*p[1:]\nn = -2*e - 3*omega", ()) is None


def test_gain_named_e_is_not_the_error_vector() -> None:
    assert law_fault("n = -e*omega", ("e",)) is None

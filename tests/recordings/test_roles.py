"""Roles of columns, assigned one after another."""

import pytest

import quatviz as qv
from quatviz.physics.observables.column_roles import (
    ColumnRole,
    all_roles,
    missing_role_error,
    role_title,
    roles_by_column,
    with_attitude,
    with_role,
)

READING = qv.ReadOptions(
    file="a.csv", time="t", time_unit="ms", attitude="quaternion", order="scalar_last",
    attitude_columns=["a", "b", "c", "d"], rate_columns=["x", "y", "z"], rate_unit="deg/s",
)  # fmt: skip


def test_columns_swap_roles() -> None:
    swapped = with_role(READING, "a", ColumnRole("rate", 1))
    assert swapped.attitude_columns == ("y", "b", "c", "d")
    assert swapped.rate_columns == ("x", "a", "z")
    assert missing_role_error(swapped) is None
    assert with_role(swapped, "a", ColumnRole("attitude", 0)) == READING
    assert with_role(READING, "t", ColumnRole("rate", 0)).time == "x"


def test_removed_roles_are_reported_until_reassigned() -> None:
    fewer = with_role(READING, "b", None)
    refusal = missing_role_error(fewer)
    assert refusal is not None
    assert (refusal.expected, refusal.found, refusal.key) == (
        "4 columns",
        "no column for e₂",
        "attitude_columns",
    )
    assert missing_role_error(with_role(fewer, "other", ColumnRole("attitude", 1))) is None
    for name in "abcd":
        fewer = with_role(fewer, name, None)
    assert fewer.attitude_columns == ()
    assert missing_role_error(with_attitude(fewer, "none")) is None
    for name in "xyz":
        fewer = with_role(fewer, name, None)
    refusal = missing_role_error(with_attitude(fewer, "none"))
    assert refusal is not None
    assert "attitude or an angular velocity" in refusal.expected
    refusal = missing_role_error(with_role(READING, "t", None))
    assert refusal is not None
    assert refusal.key == "time"


def test_explicitly_removed_columns_are_not_detected(tmp_path: object) -> None:
    none = with_role(with_role(with_role(READING, "x", None), "y", None), "z", None)
    assert none.rate_columns == ()
    assert qv.ReadOptions(**none.table()).rate_columns == (), "and a preset says so"


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        ({}, ["e₁", "e₂", "e₃", "e₀, scalar"]),
        ({"order": "scalar_first"}, ["e₀, scalar", "e₁", "e₂", "e₃"]),
        (
            {"attitude": "angles", "sequence": "213", "angle_unit": "deg"},
            [f"angle {n}, axis {axis} [deg]" for n, axis in enumerate("213", 1)],
        ),
        ({"attitude": "rotation_vector"}, ["φ₁ [rad]", "φ₂ [rad]", "φ₃ [rad]"]),
        ({"attitude": "matrix"}, [f"A{i}{j}" for i in "₁₂₃" for j in "₁₂₃"]),
    ],
)
def test_every_role_has_a_title(options: dict[str, str], titles: list[str]) -> None:
    reading = qv.ReadOptions(**{**READING.table(), **options})
    role_titles = [role_title(role, reading) for role in all_roles(reading)]
    expected = ["t [ms]", *titles, *(f"ω{n} [deg/s]" for n in "₁₂₃"), *(f"a{n} [m/s²]" for n in "₁₂₃")]
    assert role_titles == expected


def test_changed_attitude_kind_keeps_matching_columns() -> None:
    angles = with_attitude(READING, "angles")
    assert angles.attitude_columns == ("a", "b", "c")
    assert missing_role_error(angles) is None
    assert with_attitude(angles, "quaternion").attitude_columns == ("a", "b", "c", "")
    assert roles_by_column(with_attitude(READING, "none")).keys() == {"t", "x", "y", "z"}

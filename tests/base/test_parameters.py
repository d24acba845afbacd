"""Declared parameters: coercion, refusals, and the keys of refusals."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.errors import InputError
from quatviz.base.parameters import Numbers, from_table, parameter, parameters_of, to_table, validate


@dataclass(frozen=True, eq=False)
class Spring(ArrayEquality):
    stiffness: float = parameter(unit="N/m", above=0, explanation="force per length")
    point: Numbers = parameter(unit="m", shape=(3,), explanation="where it pulls", minimum=-2, maximum=2)
    frame: str = parameter(default="space", choices=("body", "space"), explanation="frame of the anchor")
    coils: int = parameter(default=3, minimum=1, explanation="for drawing")
    stiff: bool = parameter(default=False, explanation="whether it resists bending")
    rest_length: float | None = parameter(unit="m", default=None, minimum=0, explanation="unstretched")

    def __post_init__(self) -> None:
        validate(self)


GOOD = {"stiffness": 2, "point": [0, 1, 2]}


def test_declarations_contain_widget_settings():
    parameters = parameters_of(Spring)
    assert list(parameters) == ["stiffness", "point", "frame", "coils", "stiff", "rest_length"]
    assert [p.value_type for p in parameters.values()] == [float, float, str, int, bool, float]
    assert [p.is_required for p in parameters.values()] == [True, True, False, False, False, False]
    rest = parameters["rest_length"]
    assert (rest.name, rest.title, rest.unit, rest.optional) == (
        "rest_length",
        "rest length",
        "m",
        True,
    )
    assert parameters["stiffness"].expected == "a number [N/m], above 0"
    assert parameters["point"].expected == "3 numbers [m], at least -2, at most 2"


def test_values_are_coerced_and_frozen():
    given = np.array([0.0, 1.0, 2.0])
    spring = from_table(Spring, {"stiffness": np.float32(2), "point": given, "coils": np.int64(4)}, "")
    assert type(spring.stiffness) is float
    assert type(spring.coils) is int
    assert spring.point.dtype == np.float64
    assert not spring.point.flags.writeable
    given[0] = 1.0  # the caller's array is neither frozen nor shared
    assert spring.point[0] == 0.0


def test_equality_and_hash_are_by_value():
    first, same = Spring(2, [0, 1, 2]), Spring(2.0, (-0.0, 1, 2))
    assert first == same
    assert hash(first) == hash(same)
    assert first != replace(first, point=[0, 1, 1])
    assert first != "spring"
    assert len({first, same}) == 1


def test_tables_round_trip():
    spring = from_table(Spring, {**GOOD, "frame": "body"}, "loads[0]")
    table = to_table(spring)
    assert table == {
        "stiffness": 2.0, "point": [0.0, 1.0, 2.0], "frame": "body", "coils": 3, "stiff": False
    }  # fmt: skip
    assert from_table(Spring, table, "") == spring


WRONG = [
    ({"stiffness": "2"}, "stiffness", ["a number [N/m], above 0", "'2'", "without quotes"]),
    ({"stiffness": True}, "stiffness", ["a number", "True"]),
    ({"stiffness": [2]}, "stiffness", ["a number", "[2]", "brackets"]),
    ({"stiffness": None}, "stiffness", ["a number", "None"]),
    ({"stiffness": 0}, "stiffness", ["above 0", "larger"]),
    ({"stiffness": float("nan")}, "stiffness", ["finite", "nan"]),
    ({"stiffness": 10**400}, "stiffness", ["a number", "smaller"]),
    ({"point": 3}, "point", ["3 numbers [m]", "a number: 3"]),
    ({"point": [1, 2]}, "point", ["3 numbers", "2 numbers: [1, 2]"]),
    ({"point": [[1, 2], [3]]}, "point", ["unequal length"]),
    ({"point": [1, 2, "3"]}, "point", ["without quotes"]),
    ({"point": [1, 2, True]}, "point", ["True"]),
    ({"point": np.array(["1", "2", "3"])}, "point", ["without quotes"]),
    ({"point": [1, 2, float("-inf")]}, "point", ["finite", "-inf"]),
    ({"point": [1, 2, 2.5]}, "point", ["at most 2", "smaller"]),
    ({"point": [1, 2, 10**400]}, "point", ["smaller"]),
    ({"frame": "spce"}, "frame", ["one of 'body', 'space'", "did you mean 'space'?"]),
    ({"frame": 1}, "frame", ["one of 'body', 'space'", "in quotes"]),
    ({"coils": 2.5}, "coils", ["a whole number", "write 2 or 3"]),
    ({"coils": 0}, "coils", ["at least 1"]),
    ({"stiff": 1}, "stiff", ["true or false"]),
    ({"rest_length": -1}, "rest_length", ["at least 0"]),
    ({"stifness": 1}, "stifness", ["unknown key 'stifness'", "did you mean 'stiffness'?"]),
    ({"colour": 1}, "colour", ["only the keys stiffness, point", "remove the key"]),
]


@pytest.mark.parametrize(("wrong", "name", "message"), WRONG)
def test_refusals_name_key_and_remedy(wrong, name, message):
    with pytest.raises(InputError) as caught:
        from_table(Spring, {**GOOD, **wrong}, "loads[2]")
    assert caught.value.key == f"loads[2].{name}"
    for word in message:
        assert word in str(caught.value)


def test_missing_key_is_described():
    with pytest.raises(InputError, match="where it pulls") as caught:
        from_table(Spring, {"stiffness": 1}, "loads[2]")
    assert caught.value.key == "loads[2].point"


def test_non_table_is_refused():
    with pytest.raises(InputError, match="a table") as caught:
        from_table(Spring, [1, 2], "loads[2]")  # type: ignore[arg-type]
    assert caught.value.key == "loads[2]"


def test_refused_instance_names_class_and_field():
    with pytest.raises(InputError) as caught:
        Spring(-1, [0, 0, 0])
    assert caught.value.place == "Spring.stiffness"
    assert caught.value.key == "stiffness"


def test_long_value_is_abbreviated():
    with pytest.raises(InputError) as caught:
        Spring(1, list(range(1000)))
    assert "1000 numbers" in caught.value.found
    assert len(caught.value.found) < 200


def test_unsupported_scalar_type_raises_type_error():
    @dataclass(frozen=True)
    class Odd:
        what: complex = parameter(explanation="no TOML value is complex")

    with pytest.raises(TypeError, match="bool, int, float or str"):
        parameters_of(Odd)

"""Numbers with units, as typed in the fields of the window."""

import pytest

from quatviz.base.parameters import parameters_of
from quatviz.base.units import convert_to_unit, number_error_text, parse_unit
from quatviz.files.preset import Lane, RunSettings
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Angles, AxisAngle, Initial
from quatviz.physics.mechanics.ring import Ring

READ = [
    ("1 kg m^2", "kg m^2", "1"),
    ("15000kg·cm²", "kg m^2", "1.5"),
    ("30 deg", "rad", "0.5235987755982988"),
    ("0,5 rad", "rad", "0,5"),
    ("45*pi/180 rad", "deg", "45"),
    ("60 rpm", "rad/s", "6.283185307179586"),
    ("30°/s", "rad/s", "0.5235987755982988"),
    ("51/s", "1/s", "51"),
    ("5 1/s", "1/s", "5"),
    ("4/12 m", "m", "4/12"),
    ("2 min", "s", "120"),
    ("min(1, 2) ms", "s", "0.001"),
    ("3*sin(2 t) mN m", "N m", "0.001*(3*sin(2*t))"),
    ("0.1 cm", "m", "0.001"),
    ("1e308 km", "m", "1e999"),
    ("2*t", "N", "2*t"),
    ("0.25", "", "0.25"),
]
REFUSED = [
    ("3 s", "kg m^2"),
    ("3 m", ""),
    ("51/s", "m"),
    ("0.5 rad", "1/s"),
    ("pi/4", "deg"),
    ("2 pi", "deg/s"),
]


@pytest.mark.parametrize(("text", "unit", "expected"), READ)
def test_number_is_converted_between_units(text: str, unit: str, expected: str) -> None:
    assert convert_to_unit(text, unit) == expected


@pytest.mark.parametrize(("text", "unit"), REFUSED)
def test_other_dimension_and_bare_pi_in_degrees_are_refused(text: str, unit: str) -> None:
    assert convert_to_unit(text, unit) is None


def test_every_field_unit_is_parsed() -> None:
    kinds = (Body, Ring, Initial, Angles, AxisAngle, Lane, RunSettings, *(LOADS[cls] for cls in LOADS))
    units = {parameter.unit for cls in kinds for parameter in parameters_of(cls).values()} - {""}
    assert {unit for unit in units if convert_to_unit(f"2 {unit}", unit) != "2"} == set()
    assert len(units) > 8


def test_other_texts_are_not_units() -> None:
    assert [parse_unit(text) for text in ("", "1", "sin", "pi", "/", "m (", "kg x")] == [None] * 7


def test_refusal_names_the_unit_and_alternatives() -> None:
    assert "Expected a number in kg m²." in number_error_text(["3 s"], "kg m^2")
    assert "write pi/4 rad, or 0.785 deg if you mean degrees" in number_error_text(["pi/4"], "deg")
    assert "Expected a number.\nFound an empty field." in number_error_text([""], "")

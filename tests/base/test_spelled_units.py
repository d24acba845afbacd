"""Every spelling of a unit known to another library has the same meaning here, or is refused."""

import math
from collections.abc import Iterator
from functools import cache

import pint
import pytest

from quatviz.base.spelled_units import parse_spelled_unit, unit_factor

PREFIXES = ("", "u", "m", "c", "d", "k", "M", "milli")


@cache
def registry() -> pint.UnitRegistry:
    return pint.UnitRegistry()


def names(dimension: str) -> list[str]:
    """Return names, symbols and aliases of the registry's units of time and angle."""
    units = {"s", "sec", "second", "min", "minute", "h", "hr", "hour", "d", "day", "week", "a", "yr", "wk"}
    angles = {
        "rad",
        "radian",
        "deg",
        "degree",
        "°",
        "arcmin",
        "arcsec",
        "mas",
        "gon",
        "grad",
        "turn",
        "rev",
        "revolution",
        "cycle",
    }
    for name in dir(registry()):
        try:
            quantity = registry().Quantity(1.0, name)
        except Exception:
            continue
        if quantity.check("[time]"):
            units.add(name)
        elif quantity.check("[]") and any(
            part in name for part in ("rad", "deg", "arc", "turn", "rev", "gon", "cycle", "circle")
        ):
            angles.add(name)
    return sorted(units if dimension == "time" else angles)


def spellings() -> Iterator[tuple[str, str]]:
    for dimension in ("time", "angle"):
        yield from ((prefix + name, dimension) for prefix in PREFIXES for name in names(dimension))
    for angle in (
        "rad",
        "deg",
        "°",
        "degree",
        "arcsec",
        "arcmin",
        "mrad",
        "rev",
        "turn",
        "grad",
        "mas",
        "radian",
    ):
        for time in ("s", "second", "min", "h", "day", "ms", "week"):
            for form in ("{}/{}", "{} {}^-1", "{} per {}", "m{}/{}"):
                yield form.format(angle, time), "rate"
    yield from (("rpm", "rate"), ("krpm", "rate"), ("mrpm", "rate"))


def test_units_match_pint_or_are_refused() -> None:
    targets = {"time": "second", "angle": "radian", "rate": "radian/second"}
    compared = used = 0
    for spelling, dimension in spellings():
        try:
            unit = registry().parse_units(spelling.replace(" per ", "/"))
            expected = registry().Quantity(1.0, unit).to(targets[dimension]).magnitude
        except Exception:
            continue
        compared += 1
        factor = unit_factor(spelling, dimension)
        if factor is not None:
            used += 1
            assert math.isclose(factor, expected, rel_tol=1e-9), spelling
    assert compared > 500
    assert used > 300


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("rpm", math.pi / 30), ("krpm", 1000 * math.pi / 30), ("rev/s", 2 * math.pi), ("Hz", 2 * math.pi),
        ("mdps", math.pi / 180e3),
        ("deg/h", math.pi / 648e3), ("deg/min", math.pi / 10800), ("deg/day", math.pi / 180 / 86400), ("rad/min", 1 / 60),
        ("rad/ms", 1e3), ("mrad/s", 1e-3), ("°/s", math.pi / 180), ("rad s^-1", 1.0), ("rad·s⁻¹", 1.0),
        ("degrees per second", math.pi / 180),
        ("0.00122 rad/s", 0.00122), ("Radians/sec", 1.0), ("1/s", 1.0), ("DEG/S", None), ("deg/S", None),
    ],
)  # fmt: skip
def test_units_of_rates_match_pint(text: str, factor: float | None) -> None:
    unit_scale = unit_factor(text, "rate")
    assert unit_scale == (None if factor is None else pytest.approx(factor, rel=1e-12))


@pytest.mark.parametrize(
    "text",
    [
        *("", "LSB", "grad", "Grad", "Grad/s", "Msecs", "counts", "rad/fortnight", "m/s", "MS"),
        *("Ms", "S", "deg/s^2", "rad/s/s", "g", "°C", "mm", "x" * 1000, "1e999 s"),
    ],
)  # fmt: skip
def test_inexact_unit_spellings_are_refused(text: str) -> None:
    for dimension in ("time", "angle", "rate"):
        assert unit_factor(text, dimension) is None


def test_number_before_a_unit_scales_it() -> None:
    unit = parse_spelled_unit("10 ms")
    assert unit is not None
    assert (unit.dimension, unit.factor) == ("time", pytest.approx(0.01))

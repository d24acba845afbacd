"""The map settings of a preset: text form and refusals."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import MapAxis, MapSettings
from quatviz.files.preset_reading import format_preset, parse_preset

PRESET = qv.load_preset("intermediate_axis")
ACROSS = MapAxis("initial.angular_velocity[0]", -1.0, 1.0)
UP = MapAxis("body.inertia[2]", 1.5, 2.5, count=30, scale="log")


@pytest.mark.parametrize("given", [MapSettings(ACROSS), MapSettings(ACROSS, UP, "first_flip")])
def test_map_settings_round_trip(given: MapSettings) -> None:
    preset = replace(PRESET, map=given)
    assert parse_preset(format_preset(preset)) == preset
    assert preset != PRESET
    assert preset.has_same_run(PRESET), "it decides nothing of the run"


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("[map]\nmeasure = 'flips'\n", "map", "the key across"),
        ("[map]\nover = 1\n", "map.over", "only the keys measure, across, up"),
        ("[map]\nacross = 3\n", "map.across", "table"),
        ("[map]\nacross = { number = 'a', start = 1 }\n", "map.across.stop", "number"),
        ("[map]\nacross = { number = 'a', start = 1, stop = 1 }\n", "map.across.stop", "two different ends"),
        (
            "[map]\nacross = { number = 'a', start = -1, stop = 1, scale = 'log' }\n",
            "map.across.stop",
            "above 0",
        ),
        (
            "[map]\nacross = { number = 'a', start = 1, stop = 2, count = 100000 }\n",
            "map.across.count",
            "at most 2000",
        ),
        (
            "[map]\nacross = { number = 'a', start = 1, stop = 2 }\nup = { number = 'a', start = 1, stop = 2 }\n",
            "map.up.number",
            "another number of the preset",
        ),
    ],
)
def test_invalid_maps_are_refused_with_their_line(text: str, key: str, expected: str) -> None:
    whole = format_preset(PRESET) + "\n" + text
    with pytest.raises(InputError) as caught:
        parse_preset(whole)
    assert caught.value.key == key
    assert expected in str(caught.value.expected)
    assert "line" in str(caught.value.place)

"""Presets as text: reading, refusals with lines, and writing."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from core_strategies import inertias, unit_quaternions, vectors
from hypothesis import given
from hypothesis import strategies as st

from quatviz.base.errors import InputError
from quatviz.files import preset_reading
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.files.preset_reading import format_preset, parse_preset, read_preset
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.initial import Initial

ON_DISK = sorted((Path(__file__).parents[2] / "presets").glob("*.toml"))

GOOD = """\
format = 1
title = "A top"

[body]
inertia = [5, 5, 1]
about = "pivot"

[initial]
angles = { sequence = "313", degrees = [0, 20, 0] }
angular_momentum = [0, 0, 50]

[[loads]]
kind = "gravity"
weight = 20
centre = [
    0,
    0,
    1,
]

[run]
duration = 10
dt = 1e-3
sample_interval = 0.01

[[lanes]]
formulation = "hamilton"

[[lanes]]
formulation = "euler_angles/313"
dt = 5e-4
"""


def refusal(text):
    with pytest.raises(InputError) as caught:
        parse_preset(text, "top.toml")
    return caught.value


def refused(read):
    """Return the refusal of `read`, or None for a valid preset; other exceptions propagate."""
    try:
        read()
    except InputError as error:
        return error
    return None


def test_valid_text_is_parsed():
    preset = parse_preset(GOOD)
    assert preset == Preset(
        title="A top",
        body=Body([5, 5, 1], about="pivot"),
        initial=Initial(angles={"sequence": "313", "degrees": [0, 20, 0]}, angular_momentum=[0, 0, 50]),
        loads=[Gravity(20, np.array([0, 0, 1]))],
        run=RunSettings(10, 1e-3, 0.01),
        lanes=[Lane("hamilton"), Lane("euler_angles/313", dt=5e-4)],
    )


def test_text_contains_the_playback_speed():
    plain, fast = parse_preset(GOOD), parse_preset(GOOD.replace("[body]", "speed = 100\n[body]", 1))
    assert (plain.speed, fast.speed) == (1.0, 100.0)
    assert fast != plain
    assert fast.has_same_run(plain)
    assert not fast.has_same_run(replace(plain, title="Another top"))
    assert "speed" not in format_preset(plain), "older programs refuse the key"
    assert "speed = 100\n" in format_preset(fast)


# text replaced in GOOD, its replacement, line of the refusal, text of its message
WRONG = [
    ("format = 1\n", "", 1, ["format = 1", "no such key"]),
    ("format = 1", "format = 2", 1, ["the version", "found     2", "newer"]),
    ("format = 1", 'format = "1"', 1, ["the version", "'1'"]),
    ("format = 1", "format = true", 1, ["the version", "True"]),
    ("[body]", "speed = 0\n[body]", 4, ["above 0", "found     0"]),
    ("[body]", "speed = -1\n[body]", 4, ["above 0", "-1"]),
    ("[body]", "speed = 1001\n[body]", 4, ["at most 1000", "1001"]),
    ("[body]", "speed = nan\n[body]", 4, ["finite", "nan"]),
    ("[body]", 'speed = "fast"\n[body]', 4, ["a number", "'fast'"]),
    ('title = "A top"', "", 1, ["the key title", "no such key"]),
    ('title = "A top"', "title = 7", 2, ["a text", "7"]),
    ('title = "A top"', 'titel = "A top"', 2, ["unknown key 'titel'", "did you mean 'title'?"]),
    ('title = "A top"', 'title = "A top', 2, ["TOML text"]),
    ('title = "A top"', 'title = "a"\ntitle = "b"', 3, ["TOML text", "overwrite"]),
    ("[body]\n", "", 4, ["unknown key 'inertia'"]),
    ("[body]", "[bdy]", 4, ["unknown key 'bdy'", "did you mean 'body'?"]),
    ("inertia = [5, 5, 1]", "", 4, ["the key 'inertia'", "no such key"]),
    ("[5, 5, 1]", "[5, 5]", 5, ["3 rows of 3 numbers [kg m^2]", "2 numbers", "principal moments"]),
    ("[5, 5, 1]", "[5, 1, 1]", 5, ["largest principal moment", "5 > 1 + 1"]),
    ("[5, 5, 1]", "[5, 5, -1]", 5, ["above zero", "-1"]),
    ("[5, 5, 1]", "[[5, 1, 0],\n [0, 5, 0],\n [0, 0, 1]]", 5, ["symmetric"]),
    ("[5, 5, 1]", "[5, 5, nan]", 5, ["finite", "nan"]),
    ("[5, 5, 1]", "[[[], 1, 2], [1, 2, 3], [1, 2, 3]]", 5, ["3 rows of 3 numbers", "unequal length"]),
    (
        '"pivot"',
        '"pivot"\nmass = 1\ncentre_of_mass = [1e154, 0, 0]',
        8,
        ["3 numbers [m]", "at or below 1e+60"],
    ),
    (
        'angles = { sequence = "313", degrees = [0, 20, 0] }',
        "rotation_vector = [1e160, 0, 0]",
        9,
        ["3 numbers [rad]", "at or below 1e+60"],
    ),
    ("dt = 1e-3", "dt = 1e-300", 23, ["above 0", "1e-60 or more"]),
    ("[5, 5, 1]", '"diagonal"', 5, ["3 rows of 3 numbers", "'diagonal'"]),
    ("[5, 5, 1]", "2024-01-01", 5, ["3 rows of 3 numbers", "2024"]),
    ('"pivot"', '"pivto"', 6, ["one of 'centre_of_mass', 'pivot'", "did you mean 'pivot'?"]),
    ('"pivot"', '"pivot"\ncolour = 1', 7, ["unknown key 'colour'"]),
    ('"313"', '"333"', 9, ["one of '121'", "'333'"]),
    ("[0, 20, 0]", "[0, 20]", 9, ["3 numbers [deg]", "2 numbers"]),
    ("degrees", "radians", 9, ["unknown key 'radians'", "sequence, degrees"]),
    ("angular_momentum", "angular_velocity = [1, 2, 3]\nangular_momentum", 10, ["exactly one", "and"]),
    ("angular_momentum = [0, 0, 50]\n", "", 8, ["exactly one of angular_momentum, angular_velocity"]),
    ("angular_momentum", "euler_parameters = [0, 0, 0, 0]\nangular_momentum", 9, ["exactly one"]),
    (
        'angles = { sequence = "313", degrees = [0, 20, 0] }',
        "euler_parameters = [\n0, 0, 0, 0]",
        9,
        ["zero quaternion", "[1, 0, 0, 0]"],
    ),
    (
        'angles = { sequence = "313", degrees = [0, 20, 0] }',
        "euler_parameters = [1, 1, 0, 0]",
        9,
        ["unit quaternion", "1.41421356", "0.7071"],
    ),
    ("[[loads]]", "[loads]", 12, ["any number of tables [[loads]]", "two brackets"]),
    ('kind = "gravity"', "", 12, ["kind", "no such key", "gravity"]),
    ('kind = "gravity"', "kind = 3", 13, ["kind", "found     3"]),
    ('kind = "gravity"', 'kind = "gravty"', 13, ["one of the loads", "'gravty'"]),
    ("weight = 20", "weight = -20", 14, ["a number [N], at least 0", "-20"]),
    ("weight = 20", "weight = inf", 14, ["finite", "inf"]),
    ("weight = 20", "mass = 20", 14, ["unknown key 'mass'"]),
    ("weight = 20", "", 12, ["the key 'weight'", "no such key"]),
    ("    1,\n]", "]", 15, ["3 numbers [m]", "2 numbers"]),
    ("    1,\n]", "    true,\n]", 15, ["3 numbers [m]", "True"]),
    ("duration = 10\n", "", 21, ["the key 'duration'"]),
    ("duration = 10", "duration = 0", 22, ["above 0"]),
    ("dt = 1e-3", "dt = 3e-3", 23, ["divides sample_interval", "0.00333333333333"]),
    ("dt = 1e-3", "dt = 0x1p3", 23, ["TOML text"]),
    ("sample_interval = 0.01", "sample_interval = 20", 24, ["at most the duration"]),
    ('formulation = "hamilton"', "", 26, ["the key 'formulation'"]),
    ('formulation = "hamilton"', 'formulation = "a b"', 27, ["letters, digits", "'a b'"]),
    ('formulation = "hamilton"', 'formulation = "a"\nintegratr = "rk4"', 28, ["did you mean 'integrator'?"]),
    ("dt = 5e-4", "dt = 7e-4", 31, ["divides sample_interval"]),
    ("dt = 5e-4", 'name = "a"\n[[lanes]]\nname = "a"\nformulation = "b"', 33, ["a different name"]),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), WRONG)
def test_invalid_text_is_refused_at_its_line(old, new, line, message):
    assert GOOD.count(old) >= 1
    error = refusal(GOOD.replace(old, new, 1))
    assert error.place.split(", ")[:2] == ["top.toml", f"line {line}"]
    for word in message:
        assert word in str(error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format = 1"),
        ("format = 1", "the key title"),
        ("format = " + "9" * 5000, "TOML text"),
        ("format = 1\nx = " + "[" * 5000 + "]" * 5000, "nested"),
        ("format = 1\nbody = 3\ntitle='a'\ninitial=1\nrun=1", "a table"),
        ("format = 1\nloads = [1]\ntitle='a'\n[body]\n[initial]\n[run]", "the key 'inertia'"),
        (GOOD.replace("format = 1", "format = 1\nlanes = [1]").split("[[lanes]]")[0], "a table"),
        ("\x00", "TOML text"),
    ],
)
def test_nearly_empty_texts_are_refused(text, message):
    assert message in str(refusal(text))


def test_error_line_is_independent_of_line_endings():
    assert refusal(GOOD.replace("weight = 20", "weight = -20").replace("\n", "\r\n")).place.startswith(
        "top.toml, line 14,"
    )


@given(st.data())
def test_damaged_text_is_refused(data):
    """Cut, doubled or scrambled text gives a preset or a refusal, never another exception."""
    start = data.draw(st.integers(0, len(GOOD)))
    stop = data.draw(st.integers(start, min(len(GOOD), start + 40)))
    inserted = data.draw(
        st.sampled_from(["", "[", "]", "{", '"', "'''", "=", ".", "\n", "-", "nan", "1e999", "{}", "[[]]"])
    )
    error = refused(lambda: parse_preset(GOOD[:start] + inserted + GOOD[stop:], "top.toml"))
    assert error is None or error.place.startswith("top.toml")


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
junk = st.recursive(
    leaves, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=3), v, max_size=2)
)


@pytest.mark.slow
@given(st.sampled_from(["title", "body", "initial", "loads", "run", "lanes"]), junk, st.data())
def test_wrong_value_type_is_refused_with_its_key(table, value, data):
    document = tomllib.loads(GOOD)
    target = document[table][0] if isinstance(document[table], list) else document[table]
    if isinstance(target, dict):
        target[data.draw(st.sampled_from(sorted(target)))] = value
    else:
        document[table] = value
    error = refused(lambda: preset_reading.preset_from_tables(document))
    assert error is None or error.key.startswith(table)


letters = st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n")
names = st.text(letters, min_size=1, max_size=60).filter(str.strip)
words = st.text(letters, max_size=300)
lanes = st.builds(
    Lane,
    st.sampled_from(["hamilton", "lagrange_full/split", "euler_angles/313"]),
    dt=st.none() | st.sampled_from([1e-3, 2.5e-4]),
    integrator=st.none() | st.just("rk4"),
    stabilisation=st.none() | st.just("project"),
    name=st.none() | names.filter(lambda name: name.splitlines() == [name]),
)
orientations = st.one_of(
    unit_quaternions.map(lambda p: {"euler_parameters": p}),
    vectors(3).map(lambda v: {"rotation_vector": v}),
    st.tuples(st.sampled_from(SEQUENCES), vectors(3, 360.0)).map(
        lambda a: {"angles": {"sequence": a[0], "degrees": a[1]}}
    ),
)
rates = st.sampled_from(["angular_momentum", "angular_velocity"])
bodies = st.one_of(
    inertias.map(Body),
    inertias.map(lambda J: Body(np.linalg.eigvalsh(J), about="pivot")),
    st.floats(0.01, 0.5).map(lambda m: Body([5, 5, 1], about="pivot", mass=m, centre_of_mass=[0, 0, 1])),
)
presets = st.builds(
    Preset,
    title=words,
    source=words,
    summary=words,
    watch=words,
    speed=st.just(1.0) | st.floats(1e-60, 1000.0),
    body=bodies,
    initial=st.builds(
        lambda orientation, rate, v: Initial(**orientation, **{rate: v}), orientations, rates, vectors(3, 1e6)
    ),
    loads=st.lists(st.builds(Gravity, st.floats(0, 1e9), vectors(3)), max_size=3),
    run=st.floats(0.5, 1e4).map(lambda duration: RunSettings(duration, 1e-3, 0.01)),
    lanes=st.lists(lanes, max_size=4, unique_by=lambda lane: lane.name or object()),
)


@pytest.mark.slow
@given(presets)
def test_random_presets_round_trip(preset):
    text = format_preset(preset)
    assert parse_preset(text) == preset
    assert format_preset(parse_preset(text)) == text


@pytest.mark.parametrize("path", ON_DISK, ids=lambda path: path.stem)
def test_shipped_presets_round_trip_and_have_texts(path):
    preset = read_preset(path)
    assert parse_preset(format_preset(preset)) == preset
    assert preset.name == path.stem
    assert preset.path == path
    assert preset.title != "Untitled"
    assert preset.source
    assert preset.summary
    assert preset.watch
    assert preset.lanes


def test_presets_are_shipped():
    assert "torque_free" in [path.stem for path in ON_DISK]


def test_torque_free_preset_is_example_2():
    preset = read_preset(next(path for path in ON_DISK if path.stem == "torque_free"))
    assert preset.body == Body([400, 307.808385, 200])
    assert preset.initial == Initial(euler_parameters=[1, 0, 0, 0], angular_momentum=[346.4101616, 0, -200])
    assert preset.run == RunSettings(40, 1e-3, 0.01, "rk4")
    assert [lane.formulation for lane in preset.lanes] == ["newton_euler", "hamilton"]


def test_byte_order_mark_is_accepted(tmp_path):
    path = tmp_path / "top.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_preset(path).name == "top"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (GOOD.replace("A top", "Körper").encode("latin-1"), "line 2", "0xf6, which is not UTF-8"),
        (b"\x89PNG\r\n", "line 1", "check that it is a preset"),
    ],
)
def test_non_utf8_files_are_refused(tmp_path, data, line, message):
    path = tmp_path / "top.toml"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_preset(path)
    assert caught.value.place == f"{path}, {line}"
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.toml", "", "nul\0.toml"])
def test_unreadable_files_are_refused(tmp_path, name):
    with pytest.raises(InputError, match="a preset file that can be read") as caught:
        read_preset(f"{tmp_path}/{name}")
    assert str(tmp_path) in caught.value.place


@pytest.mark.parametrize("text", ["Notes of a lecture, 3 May.\n", "t,x,y\n0,1,2\n1,2,3\n", "\x89PNG"])
def test_non_preset_file_is_reported(text: str) -> None:
    """ "Expected '=' after a key" only helps the author of a preset."""
    with pytest.raises(InputError) as refused:
        parse_preset(text, "notes.txt")
    assert "a preset or a session" in str(refused.value.expected)
    assert "after a key" not in str(refused.value)

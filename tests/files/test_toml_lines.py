"""The line of every key, for a known text and for random texts."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatviz.files.toml_lines import KeyLines
from quatviz.files.toml_text import toml_pairs

TEXT = """\
# comment with [brackets] and = signs
format = 1
title = "a ] } # \\" quote"   # comment
watch = \"\"\"
[not.a.table]
key = 3 \\\\ \\\"\"\" \"\"\"
source = '''
[[loads]]'''

[body]
inertia = [ # comment, with a comma ]
    [1, 0, 0],
    [0, 2, 0], # another [

    [0, 0, 3],
]
"quoted key" = 'a\\'
dotted . deep.key = { x = 1, "y" = [1, { z = 2 }], empty = {}, none = [] }

[[loads]]
kind = "gravity"
when = 1979-05-27 07:32:00
[[loads]]
    kind = 'spring'
[loads.settings]
a = true

[[lanes]]
[[lanes.steps]]
b = 1
[[lanes.steps]]
b = 2
[[lanes]]
[[lanes.steps]]
b = 3"""

LINES = {
    "format": 2,
    "title": 3,
    "watch": 4,
    "source": 7,
    "body": 10,
    "body.inertia": 11,
    "body.inertia[0]": 12,
    "body.inertia[1]": 13,
    "body.inertia[2]": 15,
    "body.inertia[2][1]": 15,
    "body.quoted key": 17,
    "body.dotted": 18,
    "body.dotted.deep.key": 18,
    "body.dotted.deep.key.y[1].z": 18,
    "loads": 20,
    "loads[0]": 20,
    "loads[0].kind": 21,
    "loads[0].when": 22,
    "loads[1]": 23,
    "loads[1].kind": 24,
    "loads[1].settings": 25,
    "loads[1].settings.a": 26,
    "lanes[0].steps[0].b": 30,
    "lanes[0].steps[1].b": 32,
    "lanes[1].steps[0].b": 35,
}
MISSING = {"": 1, "colour": 1, "body.colour": 10, "loads[0].weight": 20, "loads[1].settings.b.c": 25}


def test_test_text_is_valid_toml():
    tomllib.loads(TEXT)


@pytest.mark.parametrize(("path", "line"), {**LINES, **MISSING}.items())
def test_line_of_a_path(path, line):
    assert KeyLines(TEXT).line(path) == line


@pytest.mark.parametrize(("path", "line"), LINES.items())
def test_windows_line_ends(path, line):
    assert KeyLines(TEXT.replace("\n", "\r\n")).line(path) == line


def test_only_existing_keys_are_found():
    """Strings, comments and values contain no keys."""
    assert set(LINES) <= set(KeyLines(TEXT).lines)
    assert {path.split(".")[0].split("[")[0] for path in KeyLines(TEXT).lines} == set(tomllib.loads(TEXT))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
scalars = texts | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
keys = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(keys, v, max_size=4))


@pytest.mark.slow
@given(st.dictionaries(keys, values, max_size=8))
def test_written_values_are_found(table):
    text = toml_pairs(table)
    assert tomllib.loads(text) == table
    lines = text.split("\n")
    key_lines = KeyLines(text)
    at = 0
    for key in table:
        at = next(n for n in range(at, len(lines)) if n + 1 == key_lines.line(key))
        assert lines[at].startswith(f"{key} = ")
    assert {path.split(".")[0].split("[")[0] for path in key_lines.lines} == set(table)


@given(texts, texts)
def test_texts_are_written_exactly(text, other):
    joined = f'{text} \\ {other}\n  """{text}' + " word" * 60
    for written in (text, joined, joined + "\n", joined + '"', "\r\n" + joined):
        assert tomllib.loads(toml_pairs({"key": written})) == {"key": written}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_exactly(number):
    (read,) = tomllib.loads(toml_pairs({"key": [number]}))["key"]
    assert float(read).hex() == number.hex()


def test_numbers_are_written_short():
    assert toml_pairs({"a": [400.0, 1e-3, -200.0, -0.0, 1e300]}) == "a = [400, 0.001, -200, -0.0, 1e+300]\n"

"""Texts of a preset that a window shows have a limit, and are refused beyond it."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.files.preset import MAX_NAME_LENGTH, MAX_PROSE_LENGTH
from quatviz.files.preset_reading import format_preset, parse_preset


def test_a_name_of_a_lane_has_a_limit() -> None:
    assert qv.Lane("hamilton", name="a" * MAX_NAME_LENGTH).name
    with pytest.raises(qv.InputError, match=f"at most {MAX_NAME_LENGTH} characters") as caught:
        qv.Lane("hamilton", name="a" * (MAX_NAME_LENGTH + 1))
    assert f"{MAX_NAME_LENGTH + 1} characters" in caught.value.found


@pytest.mark.parametrize(
    ("key", "limit"),
    [("title", MAX_NAME_LENGTH), *((key, MAX_PROSE_LENGTH) for key in ("source", "summary", "watch"))],
)
def test_a_text_of_a_preset_has_a_limit(key: str, limit: int) -> None:
    preset = qv.load_preset("torque_free")
    longest = replace(preset, **{key: "a" * limit})
    assert getattr(parse_preset(format_preset(longest)), key) == "a" * limit
    text = format_preset(longest).replace("a" * limit, "a" * (limit + 1))
    with pytest.raises(qv.InputError, match=f"at most {limit} characters"):
        parse_preset(text)


def test_the_name_of_any_file_is_short_enough() -> None:
    assert 255 + len(" (200)") <= MAX_NAME_LENGTH

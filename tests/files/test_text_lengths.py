"""Texts of a preset that a window shows have a maximum length."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.files.preset import MAX_NAME_LENGTH, MAX_TITLE_LENGTH
from quatviz.files.preset_reading import format_preset, parse_preset


def test_lane_name_length_is_limited() -> None:
    assert qv.Lane("hamilton", name="a" * MAX_NAME_LENGTH).name
    with pytest.raises(qv.InputError, match=f"at most {MAX_NAME_LENGTH} characters") as caught:
        qv.Lane("hamilton", name="a" * (MAX_NAME_LENGTH + 1))
    assert f"{MAX_NAME_LENGTH + 1} characters" in caught.value.found


def test_title_length_is_limited() -> None:
    preset = qv.load_preset("torque_free")
    longest = replace(preset, title="a" * MAX_TITLE_LENGTH)
    text = format_preset(longest)
    assert parse_preset(text).title == longest.title
    with pytest.raises(qv.InputError, match=f"at most {MAX_TITLE_LENGTH} characters"):
        parse_preset(text.replace(longest.title, longest.title + "a"))


def test_file_name_length_is_limited() -> None:
    assert 255 + len(" (200)") <= MAX_NAME_LENGTH

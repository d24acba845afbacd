"""Display modes of lanes, and their undo steps: values only, without a window."""

import pytest

from quatviz.display.view_state.lane_styles import COLOR_NAMES, MODES, LaneStyles
from quatviz.display.view_state.theme import THEMES


def modes(display: LaneStyles) -> list[str]:
    return [display.mode(lane) for lane in range(len(display.colours))]


def test_first_lane_is_the_body() -> None:
    assert modes(LaneStyles.default_for(3)) == ["body", "ghost", "ghost"]


def test_exactly_one_lane_is_the_body() -> None:
    display = LaneStyles.default_for(3)
    assert modes(display.with_mode(2, "body")) == ["ghost", "ghost", "body"]
    assert modes(display.with_mode(0, "ghost")) == ["ghost", "body", "ghost"]
    assert modes(display.with_mode(0, "plots")) == ["plots", "body", "ghost"]
    assert modes(display.with_mode(1, "hidden").with_mode(0, "hidden")) == ["hidden", "hidden", "body"]


def test_only_drawn_lane_can_be_hidden_and_shown_again() -> None:
    hidden = LaneStyles.default_for(1).with_mode(0, "hidden")
    assert modes(hidden) == ["hidden"]
    assert modes(hidden.with_mode(0, "ghost")) == ["body"], "a lane alone is the body"


@pytest.mark.parametrize("mode", MODES)
def test_mode_is_applied_if_another_lane_can_be_the_body(mode: str) -> None:
    for lane in range(3):
        assert LaneStyles.default_for(3).with_mode(lane, mode).mode(lane) == mode


def test_added_lanes_take_free_colors_and_others_keep_theirs() -> None:
    display = LaneStyles.default_for(3).with_lane_removed(1)
    assert list(display.colours) == [0, 2]
    assert list(display.with_lane_added().colours) == [0, 2, 1]
    assert modes(LaneStyles.default_for(3).with_mode(2, "body").with_lane_removed(0)) == ["ghost", "body"]
    assert modes(LaneStyles.default_for(3).with_lane_removed(0)) == ["body", "ghost"]


def test_every_lane_color_has_a_name() -> None:
    assert all(len(theme.lanes) == len(COLOR_NAMES) for theme in THEMES.values())

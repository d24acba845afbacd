"""The legend of a small board: long names, then brief ones, and none only if plots would have no space."""

from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun

from quatviz.base.formatting.text_layout import TextMetrics
from quatviz.display.data.frame import Pose
from quatviz.display.panels.base.legend import Legend, LegendSpace
from quatviz.display.view_state.board_choices import Choices
from quatviz.physics.formulations import lane_title

SIX = tuple(
    f"lagrange_{form}/{load}" for form in ("full", "simplified") for load in ("torque", "split", "gradient")
)
EIGHT = (
    "exact", "No gyroscopic term", "Wrong sign", "Rate in the wrong frame", "Euler", "Semi-implicit Euler",
    "Euler, normalized", "Frozen rate",
)  # fmt: skip
TURN = ("newton_euler", "reduced_euler_parameters", "rotation_vector", "modified_rodrigues")


def letters(wide: float) -> TextMetrics:
    return TextMetrics(lambda text: wide * len(text), 2.4 * wide)


def make_legend(lanes: tuple[str, ...], wide: float, high: float) -> Legend:
    """Return the legend with letters of the projector theme, in a window of 1280 times 720 at 150 %."""
    legend = Legend(Choices())
    legend.start(FakeRun(lanes).info)
    legend.arrange(LegendSpace(wide, high, 36.0, 76.0, 48.0, letters(9.5), letters(7.7)))
    return legend


def names(legend: Legend) -> list[str]:
    return [text for line in legend.lines for text, color in line if color is not None]


@pytest.mark.parametrize(
    ("lanes", "expected"),
    [
        (("hamilton", "newton_euler", "lagrange_full/gradient"), ["Hamilton", "Newton–Euler", "Lagrange"]),
        (SIX, [lane.removeprefix("lagrange_").replace("/", ": ") for lane in SIX]),
        (EIGHT, ["Exact solution", *EIGHT[1:]]),
        (TURN, ["Newton–Euler", "reduced … parameters", "rotation vector", "modified Rodrigues"]),
    ],
)
def test_lanes_are_named_in_a_narrow_window(lanes: tuple[str, ...], expected: list[str]) -> None:
    """The legend showed six dashes and "6 lanes", or names like "Hamilton,…uced to h", from which the distinguishing part was
    missing."""
    legend = make_legend(lanes, 264.0, 308.0)
    assert names(legend) == expected
    assert legend.truncated_names == list(map(lane_title, lanes)), "whole in the tooltip"


def test_stripe_legend_is_dropped_before_names_if_space_is_short() -> None:
    assert make_legend(EIGHT, 264.0, 330.0).lines[-1][-1] == ("striped: lanes agree", None)
    low = make_legend(EIGHT, 264.0, 300.0)
    assert (low.hides_agreement, low.hides_names, len(names(low))) == (True, False, 8)
    lower = make_legend(EIGHT, 264.0, 240.0)
    assert (lower.hides_agreement, lower.hides_names, set(names(lower))) == (False, True, {""})
    assert lower.lines[-2][-1][0] == "8 lanes"


def test_names_are_whole_where_possible_and_cut_between_words() -> None:
    assert names(make_legend(SIX, 784.0, 925.0))[0] == "Lagrange, full: torque"
    lanes = ("newton_euler", "hamilton", "reduced_euler_parameters", "Newton–Euler at large")
    for wide in range(200, 420, 10):
        for name in names(make_legend(lanes, wide, 400.0)):
            head, cut, tail = name.partition("…")
            assert not cut or (head.endswith(" ") and tail[:1] in ("", " ")), name


def test_brief_names_stand_close_to_their_line_samples() -> None:
    room = LegendSpace(264.0, 308.0, 36.0, 76.0, 48.0, letters(9.5), letters(7.7))
    behind = []
    for high in (925.0, 308.0):
        legend = make_legend(SIX, 264.0, high)
        before = legend.sample_advance(0, room)
        behind.append(legend.entry_width("torque", 0, room) - before - 6 * 7.7)
        assert behind[-1] > 1.5 * (before - legend.sample_width(room))
    assert behind[1] < behind[0]


def test_text_below_the_corner_buttons_uses_the_whole_width() -> None:
    """It was shortened to the width beside the buttons, and lost its number."""
    lanes = "newton_euler", "euler_angles/321", "euler_angles/313"
    legend, run = Legend(Choices()), FakeRun(lanes)
    legend.start(run.info)
    pose = Pose(np.array([1.0, 0.0, 0.0, 0.0]), np.eye(3), {})
    frames = tuple(replace(lane, pose=pose) for lane in run.frame(1.0).lanes)
    legend.set_frame(frames, updates_readouts=True)
    space = LegendSpace(424.0, 400.0, 36.0, 76.0, 48.0, letters(8.0), letters(7.9), 3)
    legend.arrange(space)
    assert legend.lines[-1] == [("striped: 3 lanes agree to 10⁻¹⁵ rad at the cursor", None)]


@pytest.mark.parametrize("width", range(400, 1000, 40))
def test_number_in_the_text_about_agreement_does_not_move_the_plots(width: int) -> None:
    """When the second lane was computed, the legend gained a line, and all plots were redrawn a line lower."""
    lanes = "newton_euler", "hamilton"
    legend, run = Legend(Choices()), FakeRun(lanes)
    legend.start(run.info)
    layouts = []
    for angle in (None, 0.0, 1e-7, 0.02, 0.3):
        poses = [
            Pose(np.array([np.cos(half), np.sin(half), 0.0, 0.0]), np.eye(3), {})
            for half in (0.0, (angle or 0.0) / 2)
        ]
        lane_frames = run.frame(0.0 if angle is None else 1.0).lanes
        frames = tuple(replace(lane, pose=pose) for lane, pose in zip(lane_frames, poses, strict=True))
        legend.set_frame(frames[: 1 if angle is None else 2], updates_readouts=True)
        legend.set_frame(frames, updates_readouts=False)
        legend.arrange(LegendSpace(width, 400.0, 36.0, 76.0, 48.0, letters(8.0), letters(7.0)))
        layouts.append((len(legend.lines), legend.start_x, legend.uses_small_type))
    assert len(set(layouts)) == 1, layouts

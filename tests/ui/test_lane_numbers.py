"""Numbers of every lane at the cursor, below its name in the list of lanes."""

from dataclasses import replace

import numpy as np
import pytest
from action_stubs import actions_on, make_host
from board_maker import Maker, make  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.base.formatting import format_brief
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.lane_readouts import (
    AGREEMENT_ANGLE,
    READOUT_COLUMNS,
    READOUT_GROUPS,
    LaneReadouts,
    agreement,
    multiplier_text,
)
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.theme import THEMES, Theme
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotation_matrix
from quatviz.ui.sidebar.lane_list import LaneList, NumbersHead, NumbersLine
from quatviz.ui.widgets.style import set_own_theme, tabular_font

FORMS = ("newton_euler", "lagrange_full/split", "lagrange_simplified/torque")


def run_of_three() -> FakeRun:
    run = FakeRun(("one", "two", "three"), formulations=FORMS)
    run.data["two"]["lam"][:, 0] = run.t
    run.data["three"]["lam"][:, 0] = -2.5
    return run


def frame(run: FakeRun, time: float, playing: bool = False) -> Frame:
    """Return a frame in which each lane is rotated by a microradian more than the one before."""
    whole = run.frame(time)
    lanes = []
    for number, lane in enumerate(whole.lanes):
        p = from_rotation_vector(np.array([0.3, 0.2, 1.0]) + 1e-6 * number * np.array([0.0, 0.0, 1.0]))
        values = {"constraint": np.array([-2e-13]), "energy_drift": np.array([number * 3.4e-9])}
        lanes.append(replace(lane, pose=Pose(p, rotation_matrix(p), {}), values=values, cost=6.2e-8))
    return replace(whole, lanes=tuple(lanes), playing=playing)


def test_readouts_are_lane_values_at_cursor() -> None:
    run, numbers = run_of_three(), LaneReadouts()
    numbers.start(run)
    one, two, three = numbers.texts(frame(run, 12.346), "one")  # type: ignore[misc]
    assert one == ("–", "−2e−13", "0", "ref.", "0.06")
    assert two[:4] == ("12.35", "−2e−13", "3e−9", "1e−6")
    assert three[0] == "−2.50", "with as many decimals as λ of the other lane"
    assert three[2:4] == ("7e−9", "2e−6")
    (first, *_) = numbers.texts(frame(run, 12.346), "three")  # type: ignore[misc]
    assert first[3] == "2e−6"


def test_distance_without_exact_lane_is_called_difference() -> None:
    """Without an exact lane, the first lane may be the wrong one."""
    run, numbers = run_of_three(), LaneReadouts()
    numbers.start(run)
    assert [column.title for column in numbers.columns("one")][3] == "diff.\nrad"
    run.info = replace(run.info, exact=("one",))
    numbers.start(run)
    assert numbers.columns("one") == READOUT_COLUMNS
    assert [line[3] for line in numbers.texts(frame(run, 1.0), "one") or []] == ["–", "1e−6", "2e−6"]
    assert [column.title for column in numbers.columns("two")][3] == "diff.\nrad"


def test_lambda_is_explained_with_its_constraint_and_unit() -> None:
    (description,) = [column.description for column in READOUT_COLUMNS if column.title.startswith("λ")]
    for part in ("constraint p·p = 1 [J]", "depends on how the equations are written", "press E"):
        assert part in description


def test_agreement_counts_lanes_and_power_of_ten() -> None:
    lanes = frame(run_of_three(), 1.0).lanes
    assert agreement(lanes) == (3, "10⁻⁵", True), "the outer two are 2e-6 rad apart"
    assert agreement((lanes[0], replace(lanes[1], frozen=True), lanes[2])) == (2, "10⁻⁵", True), (
        "one lane has ended"
    )
    assert agreement((lanes[0], lanes[0], replace(lanes[2], visible=False))) == (2, "10⁻¹⁵", True), (
        "round-off is no difference"
    )
    away = from_rotation_vector(np.array([0.3, 0.2, 1.0 + 2.0 * AGREEMENT_ANGLE]))
    other = replace(lanes[2], pose=Pose(away, rotation_matrix(away), {}))
    assert agreement((*lanes[:2], other)) == (3, "0.002", False)
    lost = replace(other, pose=Pose(np.full(4, np.nan), np.full((3, 3), np.nan), {}))
    assert agreement((*lanes[:2], lost)) is None
    assert agreement(lanes[:1]) is None
    begun = [replace(lane, computed_to=0.0) for lane in lanes]
    assert agreement(begun) is None, "initial states are equal for every lane"


@pytest.mark.parametrize(("value", "expected"), [(-3e-29, "0"), (-(2.0**-54), "0"), (-(2.0**-53), "−1e−16")])
def test_drift_below_round_off_is_zero(value: float, expected: str) -> None:
    """A cursor beside a sample mixes the last digit of one sample with the zero of the next."""
    run, numbers = run_of_three(), LaneReadouts()
    numbers.start(run)
    whole = frame(run, 1.0)
    values = {"constraint": np.array([value]), "energy_drift": np.array([value])}
    lanes = tuple(replace(lane, values=values) for lane in whole.lanes)
    (first_text, *_) = numbers.texts(replace(whole, lanes=lanes), "one")  # type: ignore[misc]
    assert first_text[1:3] == (expected, expected)
    drifts = [group for group in READOUT_GROUPS if group.quantity in values]
    assert {group.text(value) == "0" for group in drifts} == {expected == "0"}


@pytest.mark.parametrize(("value", "expected"), [(2.6e-16, "0"), (-1e-10, "0"), (2e-8, "2.0e−8")])
def test_multiplier_below_round_off_is_zero(value: float, expected: str) -> None:
    """The axis never spans less: the last 10^-9 of 10 J are round-off."""
    run, numbers = run_of_three(), LaneReadouts()
    run.info = replace(run.info, sizes={"J": 10.0}, multipliers=run.info.lanes)
    for lane in run.info.lanes:
        run.data[lane]["lam"] = np.full((len(run.t), 1), value)
    numbers.start(run)
    (first_text, *_) = numbers.texts(frame(run, 1.0), "one")  # type: ignore[misc]
    assert first_text[0] == expected


def test_legend_states_agreement_where_readouts_are_shown(make: Maker) -> None:
    run = run_of_three()
    legend = make(run, [Omega]).legend

    def legend_text() -> str:
        return legend.legend.lines[-1][-1][0]

    legend.show_lanes(frame(run, 1.0).lanes)
    assert legend_text() == "striped: 3 lanes agree to 10⁻⁵ rad at the cursor"
    two = frame(run, 1.0).lanes[:2]
    legend.show_lanes(two, reads=False)
    assert legend_text() == "striped: 3 lanes agree to 10⁻⁵ rad at the cursor"
    legend.show_lanes(two)
    assert legend_text() == "striped: 2 lanes agree to 10⁻⁶ rad at the cursor"
    away = from_rotation_vector(np.array([0.3, 0.2, 1.5]))
    apart = replace(two[1], pose=Pose(away, rotation_matrix(away), {}))
    legend.show_lanes((two[0], apart))
    assert legend_text() == "2 lanes differ by up to 0.5 rad at the cursor", "they were said to agree"
    legend.show_lanes(two)
    legend.resize(250, legend.height())
    assert legend_text() == "2 lanes agree to 10⁻⁶ rad", "the number is the message, and is not elided"
    legend.show_lanes((two[0], apart))
    assert legend_text() == "2 lanes up to 0.5 rad apart"


def test_quantities_not_conserved_exactly_have_no_drift() -> None:
    run, numbers = run_of_three(), LaneReadouts()
    run.info = replace(run.info, constants=("constraint",))
    numbers.start(run)
    (first_text, *_) = numbers.texts(frame(run, 1.0), "one")  # type: ignore[misc]
    assert first_text[1:3] == ("−2e−13", "–")


def test_ended_lane_has_no_error() -> None:
    run, numbers = run_of_three(), LaneReadouts()
    numbers.start(run)
    whole = frame(run, 1.0)
    lanes = (whole.lanes[0], replace(whole.lanes[1], frozen=True), whole.lanes[2])
    texts = numbers.texts(replace(whole, lanes=lanes), "one") or []
    assert [line[3] for line in texts] == ["ref.", "–", "2e−6"]


def test_readouts_update_with_the_whole_window_during_playback() -> None:
    run, numbers = run_of_three(), LaneReadouts()
    numbers.start(run)
    changes, reads, budget = 0, 0, FrameBudget()
    budget.readout_plot_count = 60.0
    for tick in range(60):
        budget.begin_frame(100.0 + tick / 60, playing=True)
        ticked = replace(frame(run, tick / 60, playing=True), budget=budget)
        changes += numbers.texts(ticked, "one") is not None
        reads += budget.updates_readouts
    assert changes == reads == 4
    assert numbers.texts(frame(run, 3.0), "one") is not None, "the readouts follow a dragged cursor at once"
    assert numbers.texts(frame(run, 3.0), "one") is None, "nothing has changed"


def test_readouts_are_short_without_negative_zero() -> None:
    cases = {
        2.4e-13: "2e−13",
        -2.4e-13: "−2e−13",
        0.0: "0",
        0.0123: "0.012",
        3.14159: "3.142",
        12.5: "12.50",
        2e5: "2e5",
    }
    assert {value: format_brief(value) for value in cases} == cases
    assert format_brief(float("nan")) == "–"
    shown = {
        greatest: multiplier_text(-greatest, greatest) for greatest in (0.5, 12.3, 173.2, 4321.0, 2e5, 1e-5)
    }
    assert list(shown.values()) == ["−0.500", "−12.30", "−173.2", "−4321", "−2.0e5", "−1.0e−5"]


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_readouts_fit_and_columns_line_up(theme: Theme, qtbot: QtBot) -> None:
    line, head = NumbersLine(("−173.2", "−2e−13", "−1e−10", "2e−13", "123")), NumbersHead()
    for row in (line, head):
        qtbot.addWidget(row)
        set_own_theme(row, theme)
        row.resize(312, row.sizeHint().height())
        metrics = QFontMetricsF(tabular_font(theme, row.font_size))
        assert row.font_size >= theme.small - 2
        for text, rect in zip(row.texts, row.cell_rects(), strict=True):
            assert all(
                metrics.horizontalAdvance(part) + 0.6 * row.font_size < rect.width()
                for part in text.split("\n")
            ), f"{text} touches the text before it"
    assert line.cell_rects()[-1].right() <= 312
    assert [rect.right() for rect in line.cell_rects()] == [rect.right() for rect in head.cell_rects()]


@pytest.fixture
def lane_list(qtbot: QtBot) -> LaneList:
    lanes = tuple(qv.Lane(name.partition("/")[0]) for name in FORMS)
    preset = qv.load_preset("torque_free").with_run(lanes=lanes)
    host, document = make_host(), Document(State.default_for(preset))
    host.store = document.view
    made = host.side.lane_list = LaneList(document, actions_on(host), lambda: "two")
    qtbot.addWidget(made)
    made.resize(312, 400)
    made.start(run_of_three())
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_lane_list_shows_and_hides_readouts(lane_list: LaneList) -> None:
    run = run_of_three()
    lane_list.show_frame(frame(run, 12.346))
    assert lane_list.rows[1].numbers.texts[0] == "12.35"
    (line,) = [line for line in lane_list.head.toolTip().splitlines() if line.startswith("diff.")]
    assert line.endswith("from the reference lane two")
    assert len(lane_list.head.texts) == len(READOUT_COLUMNS)
    assert lane_list.head.texts[3] == "diff.\nrad"
    metrics = QFontMetricsF(tabular_font(lane_list.head.theme, lane_list.head.font_size))
    rect = lane_list.head.cell_rects()[3]
    assert max(metrics.horizontalAdvance(text) for text in ("apart", "ref.")) < rect.width() - 5.0
    tall = lane_list.sizeHint().height()
    lane_list.numbers_button.click()
    assert not lane_list.shows_numbers
    assert lane_list.sizeHint().height() < tall
    asked = run.reads
    lane_list.start(run)
    lane_list.show_frame(frame(run, 20.0))
    assert run.reads == asked, "hidden readouts are not computed"
    lane_list.numbers_button.click()
    lane_list.show_frame(frame(run, 20.0))
    assert lane_list.rows[1].numbers.texts[0] == "20.00"

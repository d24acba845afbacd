"""Display forms of an orientation: signs of Euler parameters, unwrapped angles, and counts of jumps."""

import math

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtWidgets import QMenu
from test_board_window import shown

from quatviz.display.data.derived_sources import FormSource
from quatviz.display.data.jump_index import JumpIndex
from quatviz.display.data.lazy_columns import LazyColumn
from quatviz.display.data.scales import DegreeScale
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.euler_parameters import EulerParameters
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SIGN_CHOICE
from quatviz.display.view_state.theme import scaled_theme
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import continuous_sign, from_rotation_vector
from quatviz.physics.observables.jumps import (
    FLIP,
    SINGULAR,
    WRAP,
    find_angle_jumps,
    find_sign_flips,
    format_jump_counts,
)
from quatviz.ui.plots.board import panel_menu
from quatviz.ui.plots.title_row import MIN_TITLE_LEFT, add_option_toggles
from quatviz.ui.widgets.style import set_own_theme

AXIS = np.array([0.36, 0.48, 0.8])
RATE = 1.1
"""Turns of 2 pi / RATE: over 40 s the scalar part passes zero seven times."""
FLIPS = 7


def spinning_run(rows: int = 4001) -> FakeRun:
    """Lane `one` has a continuous p, `two` the opposite sign, and `three` signs that jump."""
    run = FakeRun(("one", "two", "three"), rows=rows)
    p = from_rotation_vector(run.t[:, None] * RATE * AXIS)
    signs = np.where(np.arange(rows) // 500 % 2 == 0, 1.0, -1.0)
    for lane, own in (("one", p), ("two", -p), ("three", p * signs[:, None])):
        run.data[lane]["p"] = own
    return run


@pytest.mark.parametrize("portion", [1, 7, 400, 4001])
def test_lanes_coincide_with_continuous_and_canonical_signs(portion: int) -> None:
    run = spinning_run()
    for form in ("continuous", "canonical"):
        formed = FormSource(run, form, "two")
        for stop in (*range(portion, 4001, max(portion, 300)), 4001):
            run.rows = dict.fromkeys(run.info.lanes, stop)
            for lane in run.info.lanes:
                times, values = formed.values(lane, "p")
                assert len(times) == len(values) == stop
        first, *other_values = (
            np.asarray(formed.values(lane, "p")[1][:]) for lane in ("two", "one", "three")
        )
        assert all(np.array_equal(first, other) for other in other_values)
        if form == "continuous":
            assert np.array_equal(first, continuous_sign(run.data["two"]["p"])), (
                "the sign is that of the reference"
            )
            assert len(find_sign_flips(first)[0]) == 0
        else:
            assert np.all(first[:, 0] >= 0)
            assert find_sign_flips(first)[1].tolist() == [[FLIP] * 4] * FLIPS


def test_rows_of_form_are_read_in_any_order() -> None:
    run = spinning_run()
    formed = FormSource(run, "continuous", "two")
    _, column = formed.values("three", "p")
    assert isinstance(column, LazyColumn)
    truth = run.data["two"]["p"]
    for index in (
        3999,
        slice(2400, 2600),
        slice(7, 4000, 501),
        np.array([3000, 4, 499, 500, 501]),
        (slice(0, 9), 2),
    ):
        assert np.array_equal(column[index], truth[index])
    assert np.array_equal(column.truncated(600)[590:], truth[590:600])


def test_nan_rows_do_not_affect_unwrapping() -> None:
    run = wrapping_run()
    run.data["one"]["angles_321"][2000:2010] = np.nan
    _, column = FormSource(run, "unwrapped", "one").values("one", "angles_321")
    truth = 179.0 + 50.0 * run.t
    assert column[:2000, 2] == pytest.approx(truth[:2000])
    assert np.isnan(column[2000:2010]).all()
    assert column[2010:, 2] == pytest.approx(truth[2010:])


def test_break_count_ignores_incomplete_lanes(make: Maker) -> None:
    run = spinning_run()
    run.rows["three"] = 700
    (panel,) = shown(make(run, [EulerParameters]))
    assert panel.title_row.note == "scalar first"
    assert panel.title_row.toolTip().splitlines()[3] == "three: 1 flip"


def test_late_reference_keeps_signs_already_drawn() -> None:
    run = spinning_run()
    run.rows["one"] = 0
    formed = FormSource(run, "continuous", "one")
    before = np.array(formed.values("two", "p")[1])
    run.rows["one"] = 4001
    assert np.array_equal(formed.values("one", "p")[1], before)
    assert np.array_equal(formed.values("two", "p")[1], before)


def test_sign_flips_break_curves_and_are_counted(make: Maker) -> None:
    board = make(spinning_run(), [EulerParameters])
    (panel,) = shown(board)
    assert panel.title_row.choosers[0].visible_texts == ["raw", "continuous", "canonical"]
    assert panel.title_row.note == "0 to 8 flips, scalar first"
    assert panel.title_row.toolTip().splitlines()[1:] == [
        "one: no jumps",
        "two: no jumps",
        "three: 8 flips",
    ]
    board.choices.choose(SIGN_CHOICE, "canonical")
    process_events()
    assert panel.title_row.note == f"{FLIPS} flips, scalar first"
    at_zero = (2 * np.arange(FLIPS) + 1) * np.pi / RATE
    for trace in panel.plots[1].traces:
        assert trace.series.jumps(1).times == pytest.approx(at_zero, abs=0.01)
        assert set(trace.series.jumps(1).causes) == {FLIP}
    assert panel.plots[1].jump_clusters[0].text == "flip"
    assert len(panel.plots[0].labelled_clusters) >= 3
    assert panel.plots[1].labelled_clusters == [], "one strip marks the flips of all components"
    assert {reading.quantity for reading in panel.readings()} == {"p, canonical"}
    board.choices.choose(SIGN_CHOICE, "continuous")
    process_events()
    assert panel.title_row.note == "scalar first"
    assert all(len(trace.series.jumps(1).times) == 0 for plot in panel.plots for trace in plot.traces)
    assert panel.readings()[4].value == pytest.approx(panel.readings()[5].value)


def wrapping_run() -> FakeRun:
    """Angles that wrap six times. The third one of lane `two` starts a whole turn away."""
    run = FakeRun(("one", "two"))
    ramp = 179.0 + 50.0 * run.t
    for lane, start in (("one", 0.0), ("two", 2.0)):
        third = (ramp + start + 180.0) % 360.0 - 180.0
        run.data[lane]["angles_321"] = np.stack([0 * ramp, 10 * np.sin(run.t), third], axis=1)
    return run


def test_unwrapped_angles_have_no_wraps_and_start_close(make: Maker) -> None:
    run = wrapping_run()
    board = make(run, [EulerAnglesPanel])
    (panel,) = shown(board)
    assert panel.title_row.note == "5 to 6 wraps, deg"
    assert len(panel.plots[2].jump_clusters) == 6
    board.choices.choose(ANGLE_RANGE_CHOICE, "unwrapped")
    process_events()
    assert panel.title_row.note == "deg"
    plot = panel.plots[2]
    assert plot.jump_clusters == []
    first, second = (trace.series.values[:, 2] for trace in plot.traces)
    assert first == pytest.approx(179.0 + 50.0 * run.t)
    assert second == pytest.approx(181.0 + 50.0 * run.t)
    assert plot.y_scale.high >= 2179.0


def test_singular_breaks_stay_in_unwrapped_angles(make: Maker) -> None:
    run = FakeRun(("one",))
    p = from_rotation_vector(run.t[:, None] * np.array([1e-4, 1.0, 1e-4]))
    run.data["one"]["angles_321"] = np.degrees(angles_from_p(p, "321"))
    board = make(run, [EulerAnglesPanel])
    (panel,) = shown(board)
    passes = 13  # at every half turn, the last one at 12.5 of them
    for option in ("unwrapped", "wrapped"):
        board.choices.choose(ANGLE_RANGE_CHOICE, option)
        process_events()
        assert f"{passes} singularities" in panel.title_row.note
        assert np.sum(panel.plots[0].traces[0].series.jumps(0).causes == SINGULAR) == passes
        steps = np.diff(panel.plots[0].traces[0].series.values[:, 0])
        assert option == "wrapped" or np.abs(steps).max() <= 180.0


def test_two_choices_are_offered_in_title_and_menu(make: Maker) -> None:
    board = make(wrapping_run(), [EulerAnglesPanel])
    (panel,) = shown(board)
    wrapped, sequence = panel.title_row.choosers
    assert (wrapped.visible_texts, sequence.visible_texts) == (["wrapped", "unwrapped"], ["3-2-1"])
    menu = add_option_toggles(QMenu(), wrapped.choice, board.choices)
    assert [action.text() for action in menu.actions()] == ["wrapped", "unwrapped"]
    assert wrapped.geometry().right() < sequence.geometry().left()
    menu = panel_menu(board, panel)
    texts = [action.text() for action in menu.actions()]
    assert "Turns" in texts
    assert "Sequence" in texts


def test_choice_without_short_text_stays_whole_in_narrow_row(make: Maker) -> None:
    """A panel in gimbal lock showed "wrapp…" instead of the sequence of its angles."""
    board = make(wrapping_run(), [EulerAnglesPanel])
    set_own_theme(board, scaled_theme("projector", 150))
    process_events()
    title = shown(board)[0].title_row
    wrapped, sequence = title.choosers
    title.resize(math.ceil(MIN_TITLE_LEFT + title.titles_width + sequence.min_width + 23), title.height())
    assert sequence.visible_texts == ["3-2-1"]
    assert wrapped.visible_texts != ["wrapped"]


def test_choosers_fold_in_narrow_row(make: Maker) -> None:
    board = make(spinning_run(), [EulerParameters])
    chooser = shown(board)[0].title_row.choosers[0]
    board.resize(320, 600)
    process_events()
    assert chooser.visible_texts == ["raw"]
    assert not chooser.shows_noun, "the chevron stands there"
    board.choices.choose(SIGN_CHOICE, "continuous")
    process_events()
    metrics = chooser.plot_style.small_metrics
    assert chooser.size().width() > metrics.horizontalAdvance(chooser.visible_texts[0])
    assert chooser.visible_texts[0].startswith("cont")
    board.choices.choose(SIGN_CHOICE, "raw")
    board.resize(780, 600)
    process_events()
    assert len(chooser.visible_texts) == 3
    assert chooser.shows_noun


def test_breaks_do_not_depend_on_portions() -> None:
    angles = wrapping_run().data["one"]["angles_321"]
    whole = JumpIndex(3, lambda rows: find_angle_jumps(rows, "321"))
    whole.grow(angles)
    for portion in (1, 3, 500):
        parts = JumpIndex(3, lambda rows: find_angle_jumps(rows, "321"))
        for start in range(0, len(angles), portion):
            parts.grow(angles[: start + portion])
        assert np.array_equal(parts.rows(2), whole.rows(2))
        assert parts.counts_by_cause() == whole.counts_by_cause() == {WRAP: 6, FLIP: 0, SINGULAR: 0}
    assert format_jump_counts([whole.counts_by_cause()]) == "6 wraps"
    several = [{WRAP: 1, FLIP: 2, SINGULAR: 3}, {WRAP: 1, FLIP: 0, SINGULAR: 4}]
    assert format_jump_counts(several) == "3 to 4 singularities, 0 to 2 flips, 1 wrap", (
        "the most severe cause comes first"
    )
    assert format_jump_counts([{WRAP: 0, FLIP: 0, SINGULAR: 1}]) == "1 singularity"
    assert format_jump_counts([]) == ""


@pytest.mark.parametrize("turns", [1, 7, 100, 5000])
def test_scale_of_many_turns_has_few_ticks(turns: int) -> None:
    scale = DegreeScale()
    scale.extend_to(0.0, 360.0 * turns, 1.0, 360.0 * turns)
    assert 3 <= len(scale.ticks(3)) <= 12

"""Redraws of plots are spread over several frames while a run plays."""

import math
from dataclasses import replace

import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun
from test_board_window import strips

from quatviz.display.data import budget as budgets
from quatviz.display.data.budget import (
    MAX_GROWTH_REDRAWS,
    MAX_READOUT_RATE,
    MAX_REDRAWN_CURVES,
    MAX_ROW_UPDATES,
    READOUT_INTERVAL_LIMITS,
    FrameBudget,
)
from quatviz.ui.plots.strip_plot import MIN_GROWTH, StripPlot
from quatviz.ui.plots.time_view import TimeView


def draw_counts(plots: list[StripPlot]) -> list[int]:
    """Return how often each picture was drawn."""
    return [plot.picture.draw_count for plot in plots]


def test_one_frame_redraws_few_pictures_during_playback(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    plots = strips(board)
    few = MAX_REDRAWN_CURVES / len(plots[0].traces)
    assert len(plots) > 2 * few
    before = draw_counts(plots)
    for plot in plots:
        board.redraws.mark(plot, "picture")
    for tick in range(len(plots)):
        budget.begin_frame(100.0 + tick / 60, playing=True)
        board.show_frame(replace(run.frame(9.0), playing=True, budget=budget))
        process_events()
        # The first frame updates numbers and has no time for curves.
        assert sum(draw_counts(plots)) - sum(before) <= few * tick
    assert draw_counts(plots) == [count + 1 for count in before], "each picture is drawn once"
    for plot in plots:
        board.redraws.mark(plot, "picture")
    board.show_frame(run.frame(9.0))
    process_events()
    assert draw_counts(plots) == [count + 2 for count in before], "a board at rest draws all pictures"


def test_growing_curves_are_drawn_in_turns(
    make: Maker,
) -> None:
    run, budget = FakeRun(), FrameBudget()
    rows, run.rows = run.rows, dict.fromkeys(run.rows, 2001)
    board = make(run)
    board.show_frame(run.frame(1.0))
    process_events()
    plots, run.rows = strips(board), rows
    before, few = draw_counts(plots), MAX_GROWTH_REDRAWS / len(plots[0].traces)
    pointed = plots[-1]
    taking = math.ceil(
        len(plots) / MAX_ROW_UPDATES
    )  # of the rows, also in turns: the first frame has no time for them
    for tick in range(2 * len(plots) + taking):
        budget.begin_frame(100.0 + tick / 60, playing=True)
        board.show_frame(replace(run.frame(1.0), playing=True, budget=budget))
        if tick == 1:
            board.redraws.mark(pointed, "picture")
        process_events()
        grown = [now - then for now, then in zip(draw_counts(plots), before, strict=True)]
        assert sum(grown) <= few * (tick + 1) + 2
        assert (grown[-1] > 0) == (tick > 1), "the next frame draws it"
    assert grown[:-1] == [1] * (len(plots) - 1), "each picture is drawn once"


def test_new_rows_wait_when_frame_updates_numbers(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    rows, run.rows = run.rows, dict.fromkeys(run.rows, 2001)
    board = make(run)
    board.show_frame(run.frame(1.0))
    panels = [view for view in board.panels if isinstance(view, TimeView) and view.plots]
    run.rows = rows

    def complete_panels() -> int:
        """Return the number of panels that have all rows."""
        return sum(all(trace.series.drawn_until > 25.0 for trace in view.plots[0].traces) for view in panels)

    updates = []
    for tick in range(2 + math.ceil(sum(view.cursor_count for view in panels) / MAX_ROW_UPDATES)):
        budget.begin_frame(100.0 + tick / 60, playing=True)
        board.show_frame(replace(run.frame(1.0), playing=True, budget=budget))
        updates.append(complete_panels())
    assert updates[0] == 0, "its numbers are updated, and rows wait"
    assert 0 < updates[1] < len(panels)
    assert updates[-1] == len(panels)


def test_cursors_dots_and_numbers_share_one_time(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    plots, rows = strips(board), [view.time_row for view in board.panels if isinstance(view, TimeView)]
    assert len(plots) > 8

    def shown_after(wait: float, time: float) -> set[float]:
        """Return the times of cursors and digits after `wait` seconds."""
        budget.begin_frame(budget.now + wait, playing=True)
        board.show_frame(replace(run.frame(time), playing=True, budget=budget))
        return {time for plot in plots for time in (plot.time, plot.header.time)} | {row.time for row in rows}

    interval = sum(view.cursor_count for view in board.panels) / MAX_READOUT_RATE
    assert READOUT_INTERVAL_LIMITS[0] < interval < READOUT_INTERVAL_LIMITS[1], (
        "the more plots, the longer the interval"
    )
    assert shown_after(1.0, 9.0) == {9.0}
    assert shown_after(0.6 * interval, 9.2) == {9.0}, "none moves alone"
    assert shown_after(0.6 * interval, 9.3) == {9.3}
    budget.begin_frame(budget.now + 0.01, playing=True)
    budget.begin_frame(budget.now + READOUT_INTERVAL_LIMITS[0], playing=True, cursor_jumped=True)
    board.show_frame(replace(run.frame(3.0), playing=True, budget=budget))
    assert {plot.time for plot in plots} == {3.0}, "soon after a seek"


def test_dots_lie_on_drawn_curves_until_axis_widens(make: Maker) -> None:
    run, budget = FakeRun(lanes=("one",)), FrameBudget()
    board = make(run)
    board.show_frame(run.frame(9.0))
    process_events()
    plot = strips(board)[0]
    before = plot.grab().toImage()
    plot.y_scale.extend_to(-50.0, 50.0, 0.1, 0.0)
    for _ in range(2):  # the first frame may update numbers and draws nothing
        budget.begin_frame(budget.now + 1.0, playing=True)
        budget.redraws.begin_frame(budget.now, 0.0)
    board.redraws.budget = budget
    plot.update()
    assert plot.grab().toImage() == before
    plot.invalidate()
    assert plot.grab().toImage() != before


def test_next_repaint_completes_curves_after_axis_jump(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    board.show_frame(replace(run.frame(1.0), budget=budget))
    process_events()
    plots = strips(board)
    monkeypatch.setattr(budgets, "MAX_REDRAWN_CURVES_AFTER_JUMP", 4.0)
    board.axis.zoom(0.1, 1.0)
    process_events()
    assert [board.redraws.is_due(plot, "curves") for plot in plots].count(False) == 2, (
        "as many as there is time for"
    )
    assert all(plot.picture.pixel_shift(100.0) == 0 for plot in plots), (
        "all backgrounds are drawn with the new times"
    )
    monkeypatch.setattr(budgets, "MAX_REDRAWN_CURVES_AT_REST", 100.0)
    budget.begin_frame(100.0, playing=False)
    board.show_frame(replace(run.frame(1.0), budget=budget))
    process_events()
    assert not any(board.redraws.is_due(plot, "curves") for plot in plots)


def test_numbers_drawn_alone_erase_previous_numbers(make: Maker) -> None:
    run = FakeRun()
    board = make(run)
    for time in (1.0, 9.0, 4.321, 8.0):
        board.show_frame(run.frame(time))
        process_events()
    for plot in strips(board):
        draw_count = plot.picture.draw_count
        alone = plot.grab().toImage()
        assert plot.picture.draw_count == draw_count
        plot.invalidate()
        assert plot.grab().toImage() == alone, plot.header.symbol


def test_barely_visible_growth_waits_until_cursor_reaches_it(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    names, interval = list(run.rows), run.info.sample_interval
    run.rows = dict.fromkeys(names, round(10.0 / interval) + 1)
    board = make(run)
    board.show_frame(run.frame(1.0))
    process_events()
    plots = strips(board)

    def computed_to(time: float, cursor: float, playing: bool) -> list[int]:
        """Return how often each picture is drawn until no redraw is due, for samples up to `time`."""
        run.rows = dict.fromkeys(names, round(time / interval) + 1)
        before = draw_counts(plots)
        for _ in range(5 * len(plots)):
            budget.begin_frame(budget.now + 1 / 60, playing)
            board.show_frame(replace(run.frame(cursor), playing=playing, budget=budget))
            process_events()
        return [now - then for now, then in zip(draw_counts(plots), before, strict=True)]

    pixel = board.axis.span / plots[0].area.width()
    none, once = [0] * len(plots), [1] * len(plots)
    assert computed_to(10.0 + (MIN_GROWTH - 2) * pixel, 1.0, True) == none
    assert computed_to(10.0 + (MIN_GROWTH + 2) * pixel, 1.0, True) == once
    assert computed_to(10.0 + (MIN_GROWTH + 4) * pixel, 1.0, False) == once, "at rest everything is drawn"
    assert computed_to(10.0 + (MIN_GROWTH + 6) * pixel, 10.0 + (MIN_GROWTH + 6) * pixel, True) == once

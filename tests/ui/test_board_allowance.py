"""While a run plays, no frame waits for all plots to be drawn anew."""

from dataclasses import replace

import pytest
from board_maker import Maker, make, settle, slot_of  # noqa: F401 (a fixture)
from fake_run import FakeRun
from test_board_window import strips

from quatviz.feed import budget as budgets
from quatviz.feed.budget import CURVES, FrameBudget
from quatviz.ui.plots.board import DIGITS
from quatviz.ui.plots.strip_plot import StripPlot


def drawings(plots: list[StripPlot]) -> list[int]:
    """How often the picture of each was drawn."""
    return [plot.picture.drawings for plot in plots]


def test_while_it_plays_one_frame_draws_few_pictures_and_the_next_ones_the_rest(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    plots = strips(board)
    few = CURVES / len(plots[0].traces)
    assert len(plots) > 2 * few
    before = drawings(plots)
    for plot in plots:
        plot.due = True
    for tick in range(len(plots)):
        budget.begin(100.0 + tick / 60, playing=True)
        board.show_frame(replace(run.frame(9.0), playing=True, budget=budget))
        settle()
        assert sum(drawings(plots)) - sum(before) <= few * (tick + 1)
    assert drawings(plots) == [count + 1 for count in before], "each of them once"
    for plot in plots:
        plot.due = True
    board.show_frame(run.frame(9.0))
    settle()
    assert drawings(plots) == [count + 2 for count in before], "a board at rest has time for all of them"


def test_a_long_run_shows_what_is_new_though_its_cursor_has_not_moved_by_a_pixel(make: Maker) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    slots = [slot_of(board, panel.name) for panel in board.panels]

    def shown_after(wait: float) -> set[float]:
        """Times that the panels show some frames later, `wait` seconds after those before."""
        for tick in range(len(slots)):
            budget.begin(budget.now + (wait if tick == 0 else 1e-3), playing=True)
            board.show_frame(replace(run.frame(9.0 + 1e-5 * budget.now), playing=True, budget=budget))
        return {slot.shown.time for slot in slots if slot.shown is not None}

    budget.begin(100.0, playing=True)
    first = shown_after(1.0)
    assert shown_after(0.4 * DIGITS) == first, "panels that nobody could see a change in wait"
    assert first.isdisjoint(shown_after(1.1 * DIGITS)), "each had its turn"


def test_after_a_leap_the_first_repaint_is_not_waited_for_and_the_next_one_brings_the_rest(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, budget = FakeRun(), FrameBudget()
    board = make(run)
    board.show_frame(replace(run.frame(1.0), budget=budget))
    settle()
    plots = strips(board)
    monkeypatch.setattr(budgets, "AT_ONCE", 4.0)
    board.axis.zoom(0.1, 1.0)
    settle()
    assert [plot.bare for plot in plots].count(False) == 2, "as many as there is time for"
    assert all(plot.picture.shift(100.0) == 0 for plot in plots), (
        "of all the ground is there, with the new times"
    )
    monkeypatch.setattr(budgets, "AT_ONCE", 100.0)
    budget.begin(100.0, playing=False)
    board.show_frame(replace(run.frame(1.0), budget=budget))
    settle()
    assert not any(plot.bare for plot in plots)

"""While a run plays, no frame waits for all plots to be drawn anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from board_maker import Maker, make, settle  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtGui import QPainter

from quatviz.ui.plotting import board_view
from quatviz.ui.plotting.board_view import PICTURES_PER_REPAINT
from quatviz.ui.plotting.strip_plot import StripPlot
from quatviz.ui.plotting.time_panel import TimePanel


def test_while_it_plays_one_repaint_draws_few_pictures_and_the_next_ones_the_rest(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = FakeRun()
    board = make(run)
    drawn: list[StripPlot] = []
    draw = StripPlot._draw_static

    def note(plot: StripPlot, painter: QPainter, ratio: float) -> None:
        drawn.append(plot)
        draw(plot, painter, ratio)

    monkeypatch.setattr(StripPlot, "_draw_static", note)
    plots = [plot for panel in board.panels if isinstance(panel, TimePanel) for plot in panel.plots]
    assert len(plots) > 2 * PICTURES_PER_REPAINT
    for plot in plots:
        plot.renew()
    board.show_frame(replace(run.frame(9.0), playing=True))
    board.repaint_soon()
    settle()
    assert len(drawn) == PICTURES_PER_REPAINT
    for _ in range(len(plots)):
        board.show_frame(replace(run.frame(9.0), playing=True))
        settle()
    assert sorted(map(id, drawn)) == sorted(map(id, plots)), "each of them once"
    drawn.clear()
    for plot in plots:
        plot.renew()
    board.show_frame(replace(run.frame(9.0), playing=False))
    board.repaint_soon()
    settle()
    assert len(drawn) == len(plots), "a board at rest has time for all of them"


def test_after_a_leap_the_first_repaint_is_not_waited_for_and_the_next_one_brings_the_rest(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = FakeRun()
    board = make(run)
    board.show_frame(run.frame(1.0))
    settle()
    plots = [plot for panel in board.panels if isinstance(panel, TimePanel) for plot in panel.plots]
    monkeypatch.setattr(board_view, "HASTE", -1.0)
    board.axis.zoom(0.1, 1.0)
    settle()
    assert all(plot.bare for plot in plots), "their ground is there, with the new times"
    assert all(plot._picture.shift(100.0) == 0 and not plot.dirty() for plot in plots)
    board.show_frame(run.frame(1.0))
    settle()
    assert not any(plot.bare for plot in plots)

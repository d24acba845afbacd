"""Panels that take turns while a run plays, with a clock of our own."""

from __future__ import annotations

from typing import Any, cast

import pytest

from quatviz.ui.plotting import panel_turns
from quatviz.ui.plotting.digit_turns import DIGITS_INTERVAL
from quatviz.ui.plotting.panel_turns import CURVES_PER_FRAME, LEAP, PANELS_PER_FRAME, PanelTurns, renew_some

SLOTS = cast("Any", list("abcde"))
PIXELS = 10.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(panel_turns, "monotonic", lambda: now[0])
    return now


def test_at_rest_all_panels_show_a_frame(clock: list[float]) -> None:
    turns = PanelTurns()
    assert turns.whose(SLOTS, 0.0, PIXELS, whole=True) == SLOTS
    assert not turns.waiting


def test_while_it_plays_each_has_its_turn_once_for_each_change_that_can_be_seen(clock: list[float]) -> None:
    turns = PanelTurns()
    turns.whose(SLOTS, 0.0, PIXELS, whole=True)
    assert turns.whose(SLOTS, 0.09, PIXELS, whole=False) == [], "less than a pixel"
    shown: list[str] = []
    for _ in range(3):
        turn = turns.whose(SLOTS, 0.11, PIXELS, whole=False)
        assert 0 < len(turn) <= PANELS_PER_FRAME
        shown += cast("Any", turn)
    assert shown == SLOTS
    assert turns.whose(SLOTS, 0.11, PIXELS, whole=False) == []
    clock[0] += DIGITS_INTERVAL
    assert turns.whose(SLOTS, 0.11, PIXELS, whole=False) == SLOTS[:PANELS_PER_FRAME], "digits may change"


def test_nobody_waits_for_a_cursor_that_leaps(clock: list[float]) -> None:
    turns = PanelTurns()
    turns.whose(SLOTS, 0.2, PIXELS, whole=False)
    assert turns.waiting
    assert turns.whose(SLOTS, 0.2 + LEAP / PIXELS, PIXELS, whole=False) == SLOTS
    assert not turns.waiting


class Plot:
    def __init__(self, waiting: int) -> None:
        self.waiting, self.traces = waiting, [None] * (CURVES_PER_FRAME // 2)

    def renew(self) -> None:
        self.waiting = 0


def test_plots_that_have_waited_longest_draw_their_rows_first() -> None:
    plots = [Plot(waiting) for waiting in (1, 0, 3, 2)]
    assert renew_some(cast("Any", plots)), "one has to wait on"
    assert [plot.waiting for plot in plots] == [1, 0, 0, 0]
    assert not renew_some(cast("Any", plots))
    assert not any(plot.waiting for plot in plots)

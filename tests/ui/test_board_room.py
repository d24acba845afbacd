"""What a panel leaves on the board when it goes, and what its title says where room is short."""

from __future__ import annotations

from board_maker import Maker, make, settle  # noqa: F401 (a fixture)
from fake_run import FakeRun
from test_board_window import picture

from quatviz.ui.panels.drift import Drift
from quatviz.ui.panels.h import AngularMomentum
from quatviz.ui.panels.omega import Omega
from quatviz.ui.plotting.rows import fitted
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import DARK


def test_a_panel_that_is_hidden_leaves_no_trace(make: Maker) -> None:
    board = make(FakeRun(), [Omega, AngularMomentum, Drift])
    board.show_panel("drift", False)
    settle()
    alone = picture(board)
    board.show_panel("drift", True)
    settle()
    assert picture(board) != alone
    board.show_panel("drift", False)
    settle()
    assert picture(board) == alone


def test_a_note_is_shortened_by_whole_parts() -> None:
    metrics = PlotStyle(DARK).small_metrics
    room = metrics.horizontalAdvance("5 wraps, 2 singular")
    assert fitted("5 wraps, 2 singular, deg", metrics, room) == "5 wraps, 2 singular"
    assert fitted("kg m²/s", metrics, room) == "kg m²/s"
    assert fitted("kg m²/s", metrics, metrics.horizontalAdvance("kg m")) == ""

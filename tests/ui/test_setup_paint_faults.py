"""A strip whose painting fails disables only its panel, even if the traceback is released later."""

import gc

import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from fake_run import FakeRun


def test_painting_error_does_not_end_the_process(
    make: Maker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = FakeRun()
    board = make(run)

    def fail(*_: object) -> None:
        raise ValueError("cannot draw this")

    monkeypatch.setattr("quatviz.ui.plots.strip_plot.trace_paths", fail)
    for plot in board.panels[0].plots:  # type: ignore[attr-defined]
        plot.invalidate()
    process_events()
    assert "cannot draw this" in caplog.text
    caplog.clear()
    gc.collect()
    process_events()
    assert board.isVisible()

"""The exact lane on the board: reference of differences, and row of the cost panel."""

from dataclasses import replace

import numpy as np
from board_maker import Maker, make, process_events  # noqa: F401
from fake_run import FakeRun

from quatviz.display.panels.cost import Cost
from quatviz.display.panels.omega import Omega


def run_with(exact: tuple[str, ...]) -> FakeRun:
    run = FakeRun(("one", "two", "three"))
    run.info = replace(run.info, exact=exact)
    return run


def test_exact_lane_is_default_reference(make: Maker) -> None:
    run = run_with(("three",))
    run.data["one"]["omega"] = run.data["three"]["omega"] + 1e-9
    board = make(run, [Omega])
    assert board.choices.reference == "three"
    board.start(run_with(()))
    assert board.choices.reference == "one"
    board.choices.set_reference("two")
    board.start(run_with(("three",)))
    assert board.choices.reference == "two"


def test_exact_lane_is_labelled_not_stepped(make: Maker, monkeypatch) -> None:
    from PySide6.QtGui import QPainter

    texts: list[str] = []
    monkeypatch.setattr(QPainter, "drawText", lambda self, *args: texts.append(args[-1]))
    run = run_with(("three",))
    board = make(run, [Cost])
    board.show_panel("cost", True)
    board.start(run)
    frame = run.frame(1.0)
    lanes = tuple(
        replace(lane, cost=cost) for lane, cost in zip(frame.lanes, (5e-8, np.nan, np.nan), strict=True)
    )
    board.show_frame(replace(frame, lanes=lanes))
    process_events()
    board.grab()
    assert "50 ns" in texts
    assert texts.count("no steps") == 1
    assert "three" in texts

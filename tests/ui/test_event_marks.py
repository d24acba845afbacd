"""Flags on the timeline and lines in the plots: where something happens to the motion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from board_maker import Maker, make  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from test_board_window import picture, strips

from quatviz import Perturb, Reverse
from quatviz.ui.event_marks import flags
from quatviz.ui.panels.omega import Omega
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.scrubber import Scrubber
from quatviz.ui.theme import DARK

EVENTS = (Reverse(at=20.0), Perturb(at=10.0, length=1.001), Perturb(at=20.0, rate=1e-3), Reverse(at=50.0))


def run_with_events() -> FakeRun:
    run = FakeRun()
    run.info = replace(run.info, events=EVENTS)
    return run


@pytest.fixture
def scrubber(qtbot: QtBot) -> Scrubber:
    made = Scrubber(DARK)
    qtbot.addWidget(made)
    made.resize(800, made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    run = run_with_events()
    made.start(run)
    made.show_frame(run.frame(5.0))
    return made


def test_events_at_one_time_share_a_flag() -> None:
    assert [(flag.time, flag.numbers) for flag in flags(EVENTS)] == [
        (10.0, (1,)),
        (20.0, (0, 2)),
        (50.0, (3,)),
    ]
    assert flags(EVENTS)[1].said == "t = 20 s: time reversed; p·p′ + 0.001 /s"


def test_a_flag_is_drawn_where_it_happens_and_not_beyond_the_end(scrubber: Scrubber) -> None:
    image = scrubber.grab().toImage()
    accent = QColor(DARK.accent)
    for time, there in ((10.0, True), (20.0, True), (30.0, False)):
        assert (image.pixelColor(round(scrubber.x_of(time)), 5) == accent) == there, time
    assert scrubber.flag_at(scrubber.x_of(50.0)) is None


def test_pointing_at_a_flag_says_what_happens(scrubber: Scrubber, qtbot: QtBot) -> None:
    place = QPoint(round(scrubber.x_of(10.0)) + 3, 8)
    QApplication.sendEvent(scrubber, QHelpEvent(QHelpEvent.Type.ToolTip, place, scrubber.mapToGlobal(place)))
    qtbot.waitUntil(lambda: QToolTip.text() == "t = 10 s: |p| × 1.001")
    QToolTip.hideText()
    assert "t = 10 s: |p| × 1.001." in scrubber.accessibleDescription()


@pytest.mark.parametrize(("at", "flagged"), [(10.0, True), (13.0, False)])
def test_a_right_click_offers_the_time_or_the_flag_there(
    scrubber: Scrubber, at: float, flagged: bool
) -> None:
    heard: list[tuple[float, object]] = []
    scrubber.offered.connect(lambda point, time, flag: heard.append((time, flag)))
    place = QPoint(round(scrubber.x_of(at)), 15)
    QApplication.sendEvent(
        scrubber,
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, scrubber.mapToGlobal(place)),
    )
    ((time, flag),) = heard
    assert time == pytest.approx(at, abs=0.05)
    assert (flag is not None) == flagged


def test_plots_have_a_dashed_line_at_each_event(make: Maker) -> None:
    run = run_with_events()
    board = make(run, [Omega])
    plot, pixels = strips(board)[0], picture(board)
    line = PlotStyle(DARK).event.color().rgb()
    box = board.view.mapFromScene(plot.mapRectToScene(plot.area)).boundingRect()
    for time, there in ((10.0, True), (20.0, True), (15.0, False)):
        x = round(plot.mapToScene(plot.x_of(time), 0).x())
        found = [
            row
            for row in range(box.top(), box.bottom())
            if any(pixels.pixelColor(x + aside, row).rgb() == line for aside in (-1, 0, 1))
        ]
        assert (len(found) > box.height() / 3) == there, time

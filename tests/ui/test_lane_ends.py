"""Lanes that end early leave a mark on the timeline, which can be jumped to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fake_run import FakeRun
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from quatviz import Reverse
from quatviz.ui.frame import Frame
from quatviz.ui.lane_ends import ends
from quatviz.ui.scrubber import Scrubber
from quatviz.ui.theme import DARK


def frame(time: float = 5.0) -> Frame:
    """The second lane has ended at 15 s."""
    whole = FakeRun().frame(time)
    first, second = whole.lanes
    dead = replace(second, status="singular", computed_to=15.0, message="it ended: det S = 0.01")
    return replace(whole, lanes=(first, dead))


@pytest.fixture
def scrubber(qtbot: QtBot) -> Scrubber:
    made = Scrubber(DARK)
    qtbot.addWidget(made)
    made.resize(800, made.sizeHint().height())
    with qtbot.waitExposed(made):
        made.show()
    run = FakeRun()
    run.info = replace(run.info, events=(Reverse(at=20.0),))
    made.start(run)
    made.show_frame(frame())
    return made


def test_a_lane_that_ended_is_marked_in_its_colour(scrubber: Scrubber) -> None:
    (end,) = scrubber.ends
    assert (end.time, end.said) == (15.0, "it ended: det S = 0.01")
    image, x = scrubber.grab().toImage(), round(scrubber.x_of(15.0))
    lane = QColor(DARK.lanes[end.colour])
    colours = {image.pixelColor(x + aside, row).name() for aside in range(-4, 5) for row in range(8, 24)}
    assert lane.name() in colours


def test_a_hidden_lane_has_no_mark() -> None:
    first, dead = frame().lanes
    assert ends(replace(frame(), lanes=(first, replace(dead, visible=False)))) == ()


def test_pointing_at_it_tells_its_last_words(scrubber: Scrubber, qtbot: QtBot) -> None:
    place = QPoint(round(scrubber.x_of(15.0)) - 2, 12)
    QApplication.sendEvent(scrubber, QHelpEvent(QHelpEvent.Type.ToolTip, place, scrubber.mapToGlobal(place)))
    qtbot.waitUntil(lambda: QToolTip.text() == "it ended: det S = 0.01")
    QToolTip.hideText()


@pytest.mark.parametrize(
    ("at", "before", "behind"),
    [(5.0, None, 15.0), (15.0, None, 20.0), (17.0, 15.0, 20.0), (25.0, 20.0, None)],
)
def test_marks_beside_the_cursor(
    scrubber: Scrubber, at: float, before: float | None, behind: float | None
) -> None:
    scrubber.show_frame(frame(at))
    assert scrubber.mark_beside(-1) == before
    assert scrubber.mark_beside(1) == behind

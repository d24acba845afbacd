"""Equation cards in the window: keys and menus that open them, their numbers at the cursor, what pointing does."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, two_frames  # noqa: F401

from quatviz.app import Session
from quatviz.ui.board import FADED
from quatviz.ui.cards.lane_card import LaneCard
from quatviz.ui.cards.window import CardWindow
from quatviz.ui.panels.base import Pointed
from quatviz.ui.plotting.numbers import MINUS
from quatviz.ui.scene.vector_item import STANDING_OUT


def opened(session: Session, qtbot: QtBot) -> CardWindow:
    QTest.keyClick(session.window, Qt.Key.Key_E)
    window = session.window.cards.window
    assert window is not None
    qtbot.waitUntil(window.isVisible)
    filled(session, window, qtbot)
    return window


def filled(session: Session, window: CardWindow, qtbot: QtBot) -> None:
    """The card is there, though its formulae had to be typeset."""
    qtbot.waitUntil(lambda: window.card is not None, timeout=30_000)
    two_frames(session, qtbot)


def chosen(session: Session, window: CardWindow, qtbot: QtBot, lane: str) -> LaneCard:
    session.window.cards.choose(lane)
    filled(session, window, qtbot)
    assert isinstance(window.card, LaneCard)
    return window.card


def omega_rates(window: CardWindow) -> list[float]:
    """The numbers of J omega', the first term of the Newton-Euler card."""
    assert isinstance(window.card, LaneCard)
    return [float(text.replace(MINUS, "-")) for text in window.card.views[0].views[0].numbers]


def test_numbers_follow_the_cursor(editing: Session, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    names = [lane.name for lane in editing.simulation]
    lane = next(one for one in editing.simulation if one.formulation.name in ("newton_euler", "hamilton"))
    chosen(editing, window, qtbot, lane.name)
    assert [window.lanes.itemText(row) for row in range(window.lanes.count())] == names
    seen = []
    for time in (2.0, 3.0):
        pause_at(editing, qtbot, time)
        row = round(time / editing.simulation.interval)
        motion = lane.motion(row, row + 1)
        expected = np.cross(motion.h[0], motion.omega[0])
        assert omega_rates(window) == pytest.approx(expected, abs=0.06)
        seen.append(omega_rates(window))
    assert seen[0] != seen[1]


def test_pointing_lets_arrow_and_panel_stand_out(editing: Session, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    lane = next(one for one in editing.simulation if one.formulation.name in ("newton_euler", "hamilton"))
    card = chosen(editing, window, qtbot, lane.name)
    term = next(view for view in card.views[0].views if view.term.quantity == "h")
    board, scene = editing.window.board, editing.window.scene
    slots = {slot.name: slot for slot in board._slots if slot.seen}
    term.pointed.emit(term)
    arrows = {name: scene.items[name]._arrow.thickness for name in ("h", "omega")}  # type: ignore[attr-defined]
    assert arrows == {"h": STANDING_OUT, "omega": 1.0}
    assert slots["h"].layout.opacity() == 1.0
    assert slots["omega"].layout.opacity() == FADED
    assert card.explained.text().startswith(term.term.words[:1].upper())
    term.pointed.emit(None)
    assert scene.items["h"]._arrow.thickness == 1.0  # type: ignore[attr-defined]
    assert {slot.layout.opacity() for slot in slots.values()} == {1.0}


def test_closing_forgets_what_was_pointed_at(editing: Session, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    window.pointed.emit(Pointed("h"))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert editing.window.scene.highlight == ""


def test_a_lanes_menu_opens_its_card_and_the_six_stand_behind_a_switch(
    editing: Session, qtbot: QtBot
) -> None:
    last = len(editing.simulation.lanes) - 1
    editing.window.side.lane_list.rows[last].equations_wanted.emit(last)
    window = editing.window.cards.window
    assert window is not None
    assert window.lanes.currentText() == editing.simulation.lanes[last].name
    filled(editing, window, qtbot)
    window.switch.click()
    assert window.six
    filled(editing, window, qtbot)
    window.switch.click()
    filled(editing, window, qtbot)
    assert isinstance(window.card, LaneCard)
    assert window.card.lane_id == editing.simulation.lanes[last].formulation.id

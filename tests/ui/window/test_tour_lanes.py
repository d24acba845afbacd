"""Tour of the lanes: names, order, settings, colors and numbers."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from tour_steps import (
    CANONICAL,
    NEWTON,
    Tour,
    board_button,
    click,
    driven_preset,
    free_preset,
    parse_number,
    pick_action,
    popup,
    reference_run,
    tour,  # noqa: F401 (a fixture)
    widget_pixels,
)
from window_steps import add_lanes, pause_at, type_value, wait_computed, wait_two_frames

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.line_styles import lane_color, marker_of
from quatviz.display.view_state.theme import DARK
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.sidebar.lane_list import LaneRow
from quatviz.ui.widgets.choice_box import ChoiceBox


def rows(session: WindowController) -> list[LaneRow]:
    return session.window.side.lane_list.rows


def names(session: WindowController) -> list[str]:
    return [lane.name for lane in session.simulation]


def menu_of(session: WindowController, qtbot: QtBot, lane: int) -> QMenu:
    """Return the menu of a lane's color button."""
    click(rows(session)[lane].chip, QPoint(8, 16))
    return popup(qtbot)


def choose(box: ChoiceBox, value: object) -> None:
    """Choose a value of a combo box by the arrow keys."""
    goal, now = box.findData(value), box.currentIndex()
    for _ in range(abs(goal - now)):
        box.setCurrentIndex(box.currentIndex() + (1 if goal > now else -1))
    box.activated.emit(box.currentIndex())


def test_lane_is_renamed_duplicated_and_moved(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    row = rows(session)[1]
    QTest.mouseDClick(row.heading, Qt.MouseButton.LeftButton, pos=QPoint(40, 16))
    QTest.keyClicks(row.name_field, "momenta")
    QTest.keyClick(row.name_field, Qt.Key.Key_Return)
    assert names(session)[1] == "momenta"
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    assert row.heading.text() == "momenta"
    assert [name for name, _ in session.window.board.legend.legend.lines[0]][1] == "momenta"
    pick_action(menu_of(session, qtbot, 1), "Duplicate")
    assert names(session)[:3] == [NEWTON, "momenta", "momenta (2)"]
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    pick_action(menu_of(session, qtbot, 2), "Move up")
    pick_action(menu_of(session, qtbot, 1), "Move up")
    assert names(session)[:3] == ["momenta (2)", NEWTON, "momenta"]
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    assert rows(session)[0].heading.text() == "momenta (2)"
    panel = next(panel for panel in session.window.board.panels if panel.name == "omega")
    assert [trace.lane for trace in panel.plots[0].traces][:3] == names(session)[:3]  # type: ignore[attr-defined]


def test_lane_settings_reach_the_engine(tour: Tour, qtbot: QtBot) -> None:
    lane = qv.Lane(NEWTON, integrator="implicit_midpoint", dt=5e-3, stabilisation="renormalise")
    compile_preset(replace(free_preset(), lanes=(lane, qv.Lane("udwadia_schutte_unconstrained"))))
    session = tour(free_preset())
    row = rows(session)[0]
    row.heading.click()
    blocks = row.form.rows
    choose(blocks["integrator"].field.box, "implicit_midpoint")  # type: ignore[attr-defined]
    type_value(blocks["dt"].field.entries[0], "5e-3")
    choose(blocks["stabilisation"].field.box, "renormalise")  # type: ignore[attr-defined]
    wait_computed(session, qtbot)
    run = qv.simulate(replace(free_preset(), lanes=(lane,)))
    shown = session.simulation[NEWTON]
    assert np.array_equal(shown.p, run[NEWTON].p)
    assert not np.array_equal(shown.p, reference_run(free_preset)[NEWTON].p)
    add_lanes(session, "udwadia_schutte_unconstrained")
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    last = rows(session)[-1]
    last.heading.click()
    type_value(last.form.rows["J0"].field.entries[0], "100")
    wait_computed(session, qtbot)
    pause_at(session, qtbot, 0.1)
    kinetic = float(reference_run(free_preset)[NEWTON].kinetic[0])
    drift = parse_number(last.numbers.texts[1].replace("e−", "e-"))
    assert drift == pytest.approx(kinetic * 0.1**2 / 100.0, rel=0.08), "|u|^2 - 1 = T t^2 / J0 + O(t^3)"


def test_lane_readouts_equal_engine_values(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    run, at = reference_run(free_preset), 730
    board = session.window.board
    board_button(board).click()
    pick_action(popup(qtbot), "Reference lane", lane_title(CANONICAL))
    pause_at(session, qtbot, at / 100)
    for index, name in enumerate(names(session)):
        lane, row = run[name], rows(session)[index]
        texts = row.numbers.texts
        lam = float(lane.lam[at])
        assert texts[0] == "–" if np.isnan(lam) else parse_number(texts[0]) == pytest.approx(lam, rel=2e-3)
        for text, value in (
            (texts[1], lane.constraint[at]),
            (texts[2], lane.energy[at] / lane.energy[0] - 1.0),
            (texts[3], relative_angle(lane.p[at], run[CANONICAL].p[at])),
        ):
            if name == CANONICAL and text == texts[3]:
                assert text == "ref."
            else:
                assert parse_number(text) == pytest.approx(float(value), rel=0.5, abs=3e-16), (name, texts)
        cost = session.simulation[name].solver.cost * 1e6
        assert parse_number(texts[4]) == pytest.approx(cost, rel=0.02, abs=0.006)
        assert "complete" in row.heading.accessibleName()


def test_multiplier_readout_follows_the_cursor(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    lam = reference_run(driven_preset)[CANONICAL].lam
    assert abs(lam[600] / lam[300] - 1.0) > 0.1
    pause_at(session, qtbot, 6.0)
    texts = rows(session)[names(session).index(CANONICAL)].numbers.texts
    assert parse_number(texts[0]) == pytest.approx(float(lam[600]), rel=2e-3)


def test_twelve_lanes_have_distinct_styles(tour: Tour, qtbot: QtBot) -> None:
    session = tour(replace(free_preset(), lanes=(qv.Lane(NEWTON),)))
    for _ in range(11):
        wait_computed(session, qtbot)
        wait_two_frames(session, qtbot)
        pick_action(menu_of(session, qtbot, 0), "Duplicate")
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    looks = list(session.document.state.lane_styles.colours)
    assert len(looks) == 12
    dressed = {(lane_color(DARK, look), marker_of(look)) for look in looks}
    assert len(dressed) == 12, "by color, and where colors repeat by markers on the curve"
    texts = [
        color for line in session.window.board.legend.legend.lines for _, color in line if color is not None
    ]
    assert len(texts) == 12
    picture = widget_pixels(session.window.board)
    for color in {lane_color(DARK, look) for look in looks}:
        assert (
            np.abs(picture - np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)])).max(axis=2) < 3
        ).sum() > 40, color

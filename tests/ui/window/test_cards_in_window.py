"""Equation cards in the window: keys and menus, numbers at the cursor, and highlighting."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QScrollArea
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.formatting import MINUS_SIGN
from quatviz.display.data.series import Series
from quatviz.display.document.edits import remove_lane
from quatviz.display.document.state import State
from quatviz.display.panels.base import HighlightTarget
from quatviz.display.panels.base.curves import Trace, emphasize
from quatviz.display.scene.arrows import HIGHLIGHT_THICKNESS
from quatviz.display.scene.base import Mesh
from quatviz.files.formula_cache import FormulaCache
from quatviz.files.preset import Lane
from quatviz.physics.formulations import lane_title
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.plots.panel_layout import FadeOverlay, PanelHost
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.tools.cards.card import LaneCard
from quatviz.ui.tools.cards.window import EquationWindow


def opened(session: WindowController, qtbot: QtBot) -> EquationWindow:
    QTest.keyClick(session.window, Qt.Key.Key_E)
    window = session.window.equation_window
    qtbot.waitUntil(window.isVisible)
    filled(session, window, qtbot)
    return window


def filled(session: WindowController, window: EquationWindow, qtbot: QtBot) -> None:
    """Wait for the card and its formulae."""
    qtbot.waitUntil(lambda: window.card is not None)
    wait_two_frames(session, qtbot)


def chosen(session: WindowController, window: EquationWindow, qtbot: QtBot, lane: str) -> LaneCard:
    session.window.equation_window.choose_lane(lane)
    filled(session, window, qtbot)
    assert isinstance(window.card, LaneCard)
    return window.card


def omega_rates(window: EquationWindow) -> list[float]:
    """Return the numbers of J omega', the first term of the Newton-Euler card."""
    assert isinstance(window.card, LaneCard)
    return [float(text.replace(MINUS_SIGN, "-")) for text in window.card.views[0].views[0].numbers]


def test_card_numbers_follow_the_cursor(editing: WindowController, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    names = [lane_title(lane.name) for lane in editing.simulation]
    lane = next(
        candidate
        for candidate in editing.simulation
        if candidate.formulation.name in ("newton_euler", "hamilton")
    )
    chosen(editing, window, qtbot, lane.name)
    assert [window.lane_box.itemText(row) for row in range(window.lane_box.count())] == ["All lanes", *names]
    seen = []
    for time in (2.0, 3.0):
        pause_at(editing, qtbot, time)
        row = round(time / editing.simulation.interval)
        motion = lane.motion(row, row + 1)
        expected = np.cross(motion.h[0], motion.omega[0])
        assert omega_rates(window) == pytest.approx(expected, abs=0.06)
        seen.append(omega_rates(window))
    assert seen[0] != seen[1]


def test_numbers_of_an_earlier_run_are_marked_as_outdated(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(editing, qtbot)
    qtbot.waitUntil(lambda: not window.outdated_label.isVisible())
    with monkeypatch.context() as slow:
        slow.setattr(
            "quatviz.ui.tools.cards.window.card_point_at", lambda *_: None
        )  # nothing is computed yet
        editing.document.propose(
            "another inertia", lambda state: state.with_preset(body=qv.Body(inertia=[390.0, 300.0, 200.0]))
        )
        qtbot.waitUntil(window.outdated_label.isVisible)
        assert window.outdated_label.text().startswith("Outdated: the run or the choices have changed.")
    qtbot.waitUntil(lambda: not window.outdated_label.isVisible())
    editing.document.undo()
    wait_computed(editing, qtbot)
    window.close()


def thickness(view: SceneView, name: str) -> float:
    """Return the thickness of an arrow's shaft relative to others."""
    shaft = view.stage.primitives_of(name)[0]
    assert isinstance(shaft, Mesh)
    return float(np.linalg.norm(shaft.transform[:3, 0]))


def test_hover_highlights_arrow_and_panel(editing: WindowController, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    lane = next(
        candidate
        for candidate in editing.simulation
        if candidate.formulation.name in ("newton_euler", "hamilton")
    )
    card = chosen(editing, window, qtbot, lane.name)
    term = next(view for view in card.views[0].views if view.term.quantity == "h")
    board, scene = editing.window.board, editing.window.scene
    slots = {slot.name: slot for slot in board.findChildren(PanelHost) if slot.is_drawn}
    term.pointed.emit(term)
    assert {name: thickness(scene, name) for name in ("h", "omega")} == pytest.approx(
        {"h": HIGHLIGHT_THICKNESS, "omega": 1.0}
    )
    assert not faded(slots["h"])
    assert faded(slots["omega"])
    assert card.explanation_label.text().startswith(term.term.words[:1].upper())
    term.pointed.emit(None)
    assert thickness(scene, "h") == pytest.approx(1.0)
    assert not any(map(faded, slots.values()))


def test_closing_clears_the_highlight(editing: WindowController, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    window.pointed.emit(HighlightTarget("h"))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert editing.window.scene.stage.highlight == ""


def test_closed_window_releases_its_cards(editing: WindowController, qtbot: QtBot) -> None:
    cards = editing.window.equation_window
    cards.open()
    qtbot.waitUntil(lambda: bool(cards.cards))
    cards.close()
    assert cards.cards == []
    qtbot.waitUntil(lambda: not cards.findChildren(LaneCard))
    cards.open()
    qtbot.waitUntil(lambda: bool(cards.cards))


def test_lane_menu_opens_its_card_and_a_switch_shows_six_forms(
    editing: WindowController, qtbot: QtBot
) -> None:
    last = len(editing.simulation.lanes) - 1
    window, menu = editing.window.equation_window, QMenu(editing.window)
    editing.window.side.lane_list.rows[last].fill_menu(menu)
    next(action for action in menu.actions() if action.text().startswith("Equations")).trigger()
    assert window.lane_box.value == editing.simulation.lanes[last].name
    filled(editing, window, qtbot)
    window.six_forms_button.click()
    assert window.shows_six_forms
    assert window.screen().availableGeometry().contains(window.frameGeometry())
    filled(editing, window, qtbot)
    window.six_forms_button.click()
    filled(editing, window, qtbot)
    assert isinstance(window.card, LaneCard)
    assert window.card.lane_id == editing.simulation.lanes[last].formulation.id


def faded(slot: PanelHost) -> bool:
    """Return True if the panel is faded behind the highlighted ones."""
    return not slot.findChildren(FadeOverlay)[0].isHidden()


def contrast(session: WindowController, slot: PanelHost) -> float:
    """Return how much the pixels of a panel differ from its background."""
    board = session.window.board
    image = board.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    rect = QRect(slot.mapTo(board, QPoint(0, 0)), slot.size())
    ratio = image.devicePixelRatio()
    part = pixels[
        round(rect.top() * ratio) : round(rect.bottom() * ratio),
        round(rect.left() * ratio) : round(rect.right() * ratio),
    ]
    return float(part.astype(float).std())


def test_unrelated_panels_fade_during_highlight(editing: WindowController, qtbot: QtBot) -> None:
    board = editing.window.board
    pause_at(editing, qtbot, 7.0)
    slots = {slot.name: slot for slot in board.findChildren(PanelHost) if slot.is_drawn}
    before = {name: contrast(editing, slots[name]) for name in ("omega", "h")}
    board.set_highlight(HighlightTarget("omega"))
    wait_two_frames(editing, qtbot)
    assert contrast(editing, slots["h"]) < 0.5 * before["h"]
    assert contrast(editing, slots["omega"]) > 0.8 * before["omega"]
    board.set_highlight(None)
    wait_two_frames(editing, qtbot)
    assert contrast(editing, slots["h"]) > 0.9 * before["h"]


def emphases(session: WindowController, quantity: str) -> dict[tuple[str, int], int]:
    panel = next(candidate for candidate in session.window.board.panels if candidate.name == quantity)
    assert isinstance(panel, TimeView)
    return {(trace.lane, trace.component): trace.emphasis for plot in panel.plots for trace in plot.traces}


def test_hovered_number_highlights_one_curve_of_its_lane(editing: WindowController, qtbot: QtBot) -> None:
    window = opened(editing, qtbot)
    names = [lane.name for lane in editing.simulation]
    lane = next(candidate for candidate in editing.simulation if candidate.formulation.name == "newton_euler")
    card = chosen(editing, window, qtbot, lane.name)
    term = card.views[0].views[0]
    assert term.term.quantity == "omega"
    term.setFocus()
    QTest.keyClick(term, Qt.Key.Key_Down)
    QTest.keyClick(term, Qt.Key.Key_Down)
    assert term.pointed_row == 1
    assert {key for key, candidate in emphases(editing, "omega").items() if candidate == 1} == {
        (lane.name, 1)
    }
    assert set(emphases(editing, "omega").values()) == {1, -1}
    assert set(emphases(editing, "h").values()) == {0}
    QTest.keyClick(term, Qt.Key.Key_Up)
    QTest.keyClick(term, Qt.Key.Key_Up)
    assert term.pointed_row is None
    assert {key for key, candidate in emphases(editing, "omega").items() if candidate == 1} == {
        (lane.name, number) for number in range(3)
    }
    board = editing.window.board
    board.set_highlight(HighlightTarget("omega", 2))
    assert {key for key, candidate in emphases(editing, "omega").items() if candidate == 1} == {
        (name, 2) for name in names
    }
    board.store.update(difference=True)
    assert 1 in emphases(editing, "omega").values()  # recreated curves are highlighted too
    board.store.update(difference=False)
    board.set_highlight(None)
    assert set(emphases(editing, "omega").values()) == {0}
    term.clearFocus()


def test_space_components_are_not_highlighted_as_body_components() -> None:
    series = Series(3)
    traces = [Trace(series, number, "", "", "a", "h_space") for number in range(3)]
    assert emphasize(traces, HighlightTarget("h", 1), differs=False)
    assert [trace.emphasis for trace in traces] == [1, 1, 1]


def test_window_of_cards_opens_before_typesetting_ends(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = FormulaCache(tmp_path / "formulae.json")
    monkeypatch.setattr("quatviz.ui.widgets.typeset.formula_cache", lambda: fresh)
    editing.window.equation_window.open()
    window = editing.window.equation_window
    assert window.isVisible()
    assert window.card is None
    (area,) = window.findChildren(QScrollArea)
    waiting = area.widget()
    assert isinstance(waiting, QLabel)
    assert "Typesetting" in waiting.text()
    filled(editing, window, qtbot)
    assert isinstance(window.card, LaneCard)
    assert all(term.numbers for view in window.card.views for term in view.views)
    assert (tmp_path / "formulae.json").is_file()


def test_closing_the_window_stops_typesetting(
    editing: WindowController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = FormulaCache(tmp_path / "formulae.json")
    monkeypatch.setattr("quatviz.ui.widgets.typeset.formula_cache", lambda: fresh)
    editing.window.equation_window.open()
    editing.window.equation_window.shutdown()  # the check for leaked threads would fail otherwise


def test_formula_cache_is_saved_and_a_damaged_one_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "formulae.json"
    first = FormulaCache(path)
    assert first.missing_formulae(["n", "n", "h"]) == ["n", "h"]
    drawn = first.render("n")
    first.save()
    again = FormulaCache(path)
    assert again.missing_formulae(["n", "h"]) == ["h"]
    assert again.render("n") == drawn
    whole = path.read_text("utf-8")
    for damaged in (whole.replace("viewBox", "viewbox"), whole[:-1], "", "{", "[" * 100_000):
        path.write_text(damaged, "utf-8")
        assert FormulaCache(path).missing_formulae(["n"]) == ["n"]


def test_restored_lane_is_shown_on_its_card(editing: WindowController, qtbot: QtBot) -> None:
    """The run is shown before the edit that leads to it is committed."""
    pause_at(editing, qtbot, 0.0)
    editing.window.equation_window.open(editing.simulation.lanes[1].name)
    lane = editing.window.equation_window.lane
    assert editing.document.propose("remove", lambda state: remove_lane(state, 1)) is None
    editing.document.undo()
    wait_two_frames(editing, qtbot)
    point = editing.window.equation_window.point()
    assert point is not None
    assert editing.simulation[lane].motion(0, 1).omega[0] == pytest.approx(point.omega)


def test_parameter_j0_is_the_one_at_the_cursor(editing: WindowController, qtbot: QtBot) -> None:
    lane = replace(Lane.from_string("udwadia_schutte_fundamental/torque,J0=100"), name="free")
    change = qv.LaneChange(at=5.0, lane="free", J0=250.0)
    changed = replace(editing.simulation.preset, lanes=(lane,), events=(change,))
    compile_preset(changed)
    assert editing.document.propose("free", lambda state: State.default_for(changed)) is None
    wait_computed(editing, qtbot)
    for time, J0 in ((4.0, 100.0), (6.0, 250.0)):
        pause_at(editing, qtbot, time)
        point = editing.window.equation_window.point()
        assert point is not None
        assert point.J0 == J0

"""The start page in the real window: what it offers, its keys, what it leaves of the run behind it."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import editing, pause_at  # noqa: F401

import quatviz as qv
from quatviz import app, cli
from quatviz.app import Session
from quatviz.base import resources
from quatviz.document.store import keep_last, last, preset_entries
from quatviz.geometry.polyhedron import cut
from quatviz.help import search
from quatviz.help.finding import ranked
from quatviz.lessons import lesson_paths
from quatviz.lessons.own import own_files
from quatviz.look.look import SIDE
from quatviz.look.session import Session as Saved
from quatviz.look.theme import DARK, THEMES
from quatviz.mechanics.rotations import from_matrix, multiply, relative_angle, to_rotation_vector
from quatviz.simulation.preview import Turning
from quatviz.ui.start.page import StartPage
from quatviz.ui.start.picture import BodyPicture
from quatviz.ui.start.tiles import TURN, BodyTile, Turns
from quatviz.ui.window.palette import entries_of, runs_of


def test_the_page_in_the_window(
    editing: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one window, for to make one costs a second."""
    pause_at(editing, qtbot, 3.0)
    QTest.keyClick(editing.window, Qt.Key.Key_F4)
    page = editing.front.page
    assert page is not None
    every_list_finds_by_other_names(page, editing)
    keys_search_it_and_leave_it(page, editing)
    the_run_rests_behind_it_and_goes_on(editing, qtbot)
    editing.front.show()
    wait_laid_out(page, qtbot)
    arrows_and_tab_reach_every_tile(page, editing)
    what_is_chosen_is_shown(page, editing, tmp_path)
    editing.front.show()
    wait_laid_out(page, qtbot)
    one_body_turns_that_is_looked_at(page, monkeypatch)


OTHER_NAMES = {
    "Dzhanibekov": "intermediate axis",
    "tennis racket": "intermediate axis",
    "gyroscope": "heavy",
    "lambda": "multipliers",
    "spinning top": "top",
}
"""What a person may type, and a word of what is meant."""


def every_list_finds_by_other_names(page: StartPage, editing: Session) -> None:
    window = editing.window
    window.side.picker.show_gallery()
    editing.choose_lesson()
    assert editing.chooser is not None
    lists = window.side.picker.gallery, editing.chooser
    everything = list(entries_of(window.acts))
    for typed, meant in OTHER_NAMES.items():
        page.search.setText(typed)
        titles = [tile.title for tile in page.tiles if not tile.isHidden()]
        assert any(meant in title.lower() for title in titles), (typed, titles)
        presets = [tile.title for tile in page.presets.grid.tiles if not tile.isHidden()]
        window.side.picker.gallery.field.setText(typed)
        assert presets == [entry.title for entry in window.side.picker.gallery.found], "in one order"
        for finder in lists:
            finder.field.setText(typed)
            about = [f"{entry.title} {entry.about}" for entry in finder.found]
            assert any(meant in one.lower() for one in about), (typed, about)
        found = ranked(everything, typed)
        assert not found[0].where.startswith("Help"), "what can be seen stands before what explains it"
        kinds = {entry.where for entry in found}
        assert kinds >= {"Preset", "Lesson"}, typed
        assert search(typed), typed
    for finder in lists:
        finder.hide()
    page.search.clear()


def keys_search_it_and_leave_it(page: StartPage, editing: Session) -> None:
    assert page.isVisible()
    assert not editing.window.board.isVisible()
    assert [tile.title for tile in page.going.grid.tiles] == ["Torque-free body"]
    assert page.going.grid.tiles[0].hasFocus()
    assert len(page.lessons.grid.tiles) == len(lesson_paths())
    assert len(page.presets.grid.tiles) == len(preset_entries())
    before = editing.document.state
    QTest.keyClick(page.going.grid.tiles[0], Qt.Key.Key_K)  # would be a kick of the run
    assert page.search.hasFocus()
    assert page.search.text() == "k"
    assert editing.document.state == before
    page.search.setText("GIMBAL motor")
    shown = [tile for tile in page.tiles if tile.isVisible()]
    assert [tile.title for tile in shown] == ["Gimbal lock"]
    page.search.setText("no such thing")
    assert page.nothing.isVisible()
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert page.search.text() == ""
    assert page.isVisible()
    QTest.keyClick(page.going.grid.tiles[0], Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert editing.window.board.isVisible()
    assert abs(editing.bridge.snapshot.time - 3.0) < 1e-9


def arrows_and_tab_reach_every_tile(page: StartPage, editing: Session) -> None:
    def focused() -> QWidget:
        return editing.window.focusWidget() or editing.window

    first = page.lessons.grid.tiles[0]
    QTest.keyClick(page.going.grid.tiles[0], Qt.Key.Key_Right)
    assert focused() is first
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert focused() is page.lessons.grid.tiles[1]
    QTest.keyClick(page.lessons.grid.tiles[1], Qt.Key.Key_Left)
    assert focused() is page.going.grid.tiles[0]
    page.search.setFocus()
    reached = []
    for _ in range(len(page.tiles) + 3):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        reached.append(focused())
    assert reached == [page.open, page.compare, page.back, *page.tiles]
    last_tile = page.tiles[-1]
    assert not last_tile.visibleRegion().isEmpty(), "the page scrolls to what has the focus"


def what_is_chosen_is_shown(page: StartPage, editing: Session, tmp_path: Path) -> None:
    page.search.setText("handle unscrews")
    tile = next(tile for tile in page.presets.grid.tiles if tile.isVisible())
    QTest.keyClick(tile, Qt.Key.Key_Return)
    assert not page.isVisible()
    assert editing.simulation.preset.name == "t_handle"
    editing.front.show()
    bad = tmp_path / "bad.toml"
    bad.write_text("title = 3", "utf-8")
    page.file_chosen.emit(bad)
    assert page.isVisible()
    assert str(bad) in page.problem.text()
    editing.window.acts["theme"].trigger()
    assert page.isVisible(), "some actions have nothing to do with the run"
    editing.window.acts["fit"].trigger()
    assert not page.isVisible(), "others show it first"
    editing.front.show()
    lesson = next(tile for tile in page.lessons.grid.tiles if tile.title.startswith("Double cover"))
    lesson.click()
    assert not page.isVisible()
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.title == lesson.title
    editing.front.show()
    assert page.going.grid.tiles[0].accessibleDescription() == "Back to the lesson"
    next(tile for tile in page.presets.grid.tiles if tile.title == "Torque-free body").click()
    assert not editing.presenter.presenting, "a preset from the page ends the lesson"


def the_run_rests_behind_it_and_goes_on(editing: Session, qtbot: QtBot) -> None:
    editing.window.acts["restart"].trigger()
    qtbot.waitUntil(lambda: editing.bridge.snapshot.playing and editing.bridge.snapshot.time > 0.1)
    editing.front.show()

    def rests() -> bool:
        """From when its thread has heard of it, which gives way to all others."""
        before = editing.bridge.snapshot.time
        qtbot.wait(120)
        return editing.bridge.snapshot.time == before

    qtbot.waitUntil(rests)
    time = editing.bridge.snapshot.time
    editing.front.leave()
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time > time)


def test_a_start_without_a_preset_begins_with_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        "quatviz.app.run_window",
        lambda preset, present, tour, view, start_page, *made: begun.append((preset.name, start_page)),
    )
    cli.main([])
    cli.main(["heavy_top"])
    assert begun == [("torque_free", True), ("heavy_top", False)]
    monkeypatch.setattr(app, "SETTLING", 0.0)
    monkeypatch.setattr(app, "LOADING", 0.0)
    mesh = tmp_path / "meshes" / "brick.stl"
    mesh.parent.mkdir()
    trimesh.creation.box((1.0, 2.0, 3.0)).export(mesh)
    half_turn = qv.load_preset("half_turn")
    body = replace(half_turn.body, shape="meshes/brick.stl", size=None)
    kept = replace(half_turn, body=body.beside(tmp_path))
    shutil.rmtree(resources.settings_folder() / "last", ignore_errors=True)
    for going in ([], [kept.title]):
        session = Session(qv.load_preset("torque_free"), start_page=True)
        session.open()
        page = session.front.page
        assert page is not None
        assert page.isVisible()
        assert [tile.title for tile in page.going.grid.tiles] == going
        assert page.going.empty.isVisible() == (not going)
        if going:
            page.going_on.emit()
            body = session.document.state.preset.body
            assert session.document.state.preset == replace(kept, name="", path=None)
            assert body.folder is not None
            assert (body.folder / body.shape).is_file(), "its mesh goes with it"
            qtbot.waitUntil(session.window.side.isVisible)
            assert session.window.side.width() == SIDE, "the column behind the page, remembered twice"
        session.window.close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        remembered = last()
        assert (remembered is not None) == bool(going), "what nobody has chosen is not remembered"
        if remembered is not None:
            body = remembered.session.preset.body
            assert body.folder is not None
            assert (body.folder / body.shape).is_file(), "and with what is remembered of it again"
        keep_last(Saved(kept))


def one_body_turns_that_is_looked_at(page: StartPage, monkeypatch: pytest.MonkeyPatch) -> None:
    turns, tiles = page.turns, [tile for tile in page.tiles if isinstance(tile, BodyTile)]
    turns.stop()
    turned: list[BodyTile] = []
    monkeypatch.setattr(BodyTile, "turn", lambda tile, elapsed: turned.append(tile))
    monkeypatch.setattr(BodyTile, "hasFocus", lambda tile: False)
    turns.take(tiles)
    for tile in tiles:
        tile.cost = 0.0  # however long they have taken so far
    watched = tiles[1]
    with monkeypatch.context() as pointed:
        pointed.setattr(BodyTile, "underMouse", lambda tile: tile is watched)
        turns.beat()
    monkeypatch.setattr(BodyTile, "underMouse", lambda tile: False)
    for _ in range(TURN + 1):
        turns.beat()
    assert turned[0] is watched
    assert len(set(turned[1:])) == 2, "then those that are seen, one after the other"
    for tile in tiles:
        tile.cost = 0.1
    for _ in range(8):
        turns.beat()
    turned.clear()
    turns.beat()
    assert turned == [], "a slow machine keeps the page still"
    page.hide()
    turns.beat()
    assert turned == []
    assert isinstance(turns, Turns)


def test_a_card_shows_the_presets_own_motion() -> None:
    preset = qv.load_preset("torque_free")
    turning = Turning(preset)
    for _ in range(20):
        turning.advance(0.1)
    run = qv.simulate(preset, lanes=["newton_euler"], duration=2.0)
    lane = run["newton_euler"]
    row = int(turning.time / 0.01)
    p = from_matrix(turning.rotation)
    step = float(
        np.linalg.norm(to_rotation_vector(multiply(lane.p[row + 1], [lane.p[row][0], *-lane.p[row][1:]])))
    )
    assert relative_angle(p, lane.p[row]) <= step
    top = qv.load_preset("heavy_top")
    falling = Turning(top)
    high = falling.rotation[2, 2]
    for _ in range(30):
        falling.advance(0.1)
    assert falling.rotation[2, 2] < high - 1e-4, "its weight pulls at it"


@pytest.mark.parametrize("name", ["torque_free", "t_handle", "half_turn"])
def test_a_picture_shows_the_body_in_both_tones(qapp: object, name: str) -> None:
    preset = qv.load_preset(name)
    turning = Turning(preset)
    picture = BodyPicture(preset.body)
    upright = turning.rotation

    def drawn(theme: str) -> np.ndarray:
        image = picture.draw(turning.rotation, upright, QSize(160, 90), THEMES[theme])
        image = image.convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(90, image.bytesPerLine())
        return rows[:, :480].reshape(90, 160, 3).astype(int)

    first = drawn("dark")
    body = first[:, :, 0] - first[:, :, 2] > 3  # warm, on a ground that is cold
    assert 0.03 < np.mean(body) < 0.5
    assert np.mean(body & (first[:, :, 0] > 150)) > 0.01
    assert np.mean(body & (first[:, :, 0] < 130)) > 0.01
    assert not np.any(body[[0, -1]]), "it is seen whole"
    for _ in range(10):
        turning.advance(0.1)
    assert np.any(drawn("dark") != first)
    assert drawn("light")[0, 0].mean() > first[0, 0].mean() + 100
    assert DARK.body[0] != DARK.body[1]


def test_triangles_are_cut_between_octants() -> None:
    corners = np.random.default_rng(1).normal(size=(40, 3, 3))
    pieces = cut(corners)
    assert np.all((pieces.min(axis=1) > -1e-6) | (pieces.max(axis=1) < 1e-6))

    def area(triangles: np.ndarray) -> float:
        return float(
            np.linalg.norm(
                np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1
            ).sum()
        )

    assert area(pieces) == pytest.approx(area(corners))


def test_a_lesson_that_cannot_be_read_stands_there_with_its_reason(
    editing: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    """It was in the list of F5 alone; here and in the palette it was left out without a word."""
    own_files().clear()
    bad = tmp_path / "bad.md"
    bad.write_text("no title", "utf-8")
    own_files().add(bad)
    editing.front.show()
    assert editing.front.page is not None
    tile = editing.front.page.lessons.grid.tiles[-1]
    assert tile.title == "bad"
    said = tile.entry.about
    assert said.startswith("Cannot be read: something before it (bad.md, line 1)"), "why, and then where"
    for whole in (tile.toolTip(), tile.accessibleDescription()):
        assert str(bad) in whole
        assert "begin the file with" in whole
    found = [entry for entry in runs_of(editing.window) if entry.title == "bad"]
    assert [entry.where for entry in found] == [said], "not grey without a reason"
    assert editing.front.page.problem.isHidden()
    tile.click()
    assert not editing.front.page.problem.isHidden(), "and pressed it says all of it, with what to do"
    words = editing.front.page.problem.words
    assert words is not None
    assert "begin the file with" in words.text()
    own_files().clear()
    with qtbot.waitSignal(editing.front.held):
        editing.front.leave()


def test_presets_stand_as_a_newcomer_meets_them_and_those_of_the_literature_last() -> None:
    titles = [entry.title for entry in preset_entries() if not entry.own]
    met = (
        *("Torque-free body", "The intermediate axis", "Heavy symmetric top", "Gimbal lock"),
        *("One motion, six multipliers", "Which starts flip", "Heavy top of the Lie-group literature"),
    )
    places = [titles.index(title) for title in met]
    assert places == sorted(places)
    assert places[0] == 0
    assert len(titles) == len(set(titles)) == len(preset_entries())


def test_the_page_and_the_menu_have_the_same_files(editing: Session, qtbot: QtBot, tmp_path: Path) -> None:
    """A lesson of one's own stood in the menu, and the page said that there was nothing yet."""
    own_files().clear()
    editing.window.desk.recent.clear()
    mine = tmp_path / "mine.md"
    mine.write_text(lesson_paths()["gimbal_lock"].read_text("utf-8"), "utf-8")
    own_files().add(mine)
    menu = QMenu(editing.window)
    editing.window.desk.fill_recent(menu)
    editing.front.show()
    page = editing.front.page
    assert page is not None
    assert [tile.title for tile in page.files.grid.tiles] == ["mine"]
    assert menu.actions()[0].text() == "mine.md"
    assert not page.files.empty.isVisible()
    page.files.grid.tiles[0].click()
    assert editing.presenting
    assert not editing.front.shown
    editing.follow_lesson("leave")
    own_files().clear()


@pytest.mark.parametrize("empty", [True, False])
def test_the_key_that_finds_anything_does_so_on_the_page(editing: Session, qtbot: QtBot, empty: bool) -> None:
    """From its search line, and from a tile, from which letters go there."""
    editing.front.show()
    page = editing.front.page
    assert page is not None
    start = page.search if empty else page.presets.grid.tiles[0]
    start.setFocus()
    QTest.keyClicks(start, "/")
    qtbot.waitUntil(editing.window.palette_.isVisible)
    assert page.search.text() == ""
    editing.window.palette_.hide()
    QTest.keyClicks(page.search, "1/2")
    assert page.search.text() == "1/2"
    with qtbot.waitSignal(editing.front.held):
        editing.front.leave()

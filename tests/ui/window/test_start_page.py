"""The start page in the real window: its entries, its keys, and the run behind it."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import editing, open_session, pause_at, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz import app, cli
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.document.user_files import (
    ADVANCED,
    INTERMEDIATE,
    INTRODUCTORY,
    PRESET_GROUPS,
    load_last_session,
    preset_entries,
    save_last_session,
)
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.session import Session as Saved
from quatviz.display.view_state.session import format_session
from quatviz.display.view_state.theme import DARK, THEMES
from quatviz.display.view_state.view_state import SIDE_WIDTH, ViewState
from quatviz.physics.geometry.polyhedron import cut_at_octants
from quatviz.physics.mechanics.rotations import from_matrix, multiply, relative_angle, to_rotation_vector
from quatviz.simulation.preview import PreviewMotion
from quatviz.teaching.help import search
from quatviz.teaching.help.entry_search import rank_entries
from quatviz.teaching.lessons import lesson_paths
from quatviz.teaching.lessons.user_lessons import recent_lesson_files
from quatviz.ui.start.body_renderer import BodyRenderer
from quatviz.ui.start.page import StartPage
from quatviz.ui.start.tiles import FRAMES_PER_TILE, BodyTile, TileAnimator
from quatviz.ui.window.command_palette import all_entries, preset_and_lesson_entries


def test_start_page_in_the_window(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one window, because creating one takes a second."""
    pause_at(editing, qtbot, 3.0)
    QTest.keyClick(editing.window, Qt.Key.Key_F4)
    page = editing.start_page.page
    assert page is not None
    check_search_synonyms(page, editing)
    check_search_and_escape_keys(page, editing)
    check_run_pauses_behind_page(editing, qtbot)
    editing.start_page.show()
    wait_laid_out(page, qtbot)
    check_arrow_and_tab_order(page, editing)
    check_chosen_entry_is_shown(page, editing, tmp_path)
    editing.start_page.show()
    wait_laid_out(page, qtbot)
    check_one_preview_turns(page, monkeypatch)


OTHER_NAMES = {
    "Dzhanibekov": "intermediate axis",
    "tennis racket": "intermediate axis",
    "gyroscope": "heavy",
    "lambda": "multipliers",
    "spinning top": "top",
}
"""Search texts, and a word of the expected result."""


def check_search_synonyms(page: StartPage, editing: WindowController) -> None:
    window = editing.window
    window.side.picker.show_gallery()
    editing.choose_lesson()
    assert editing.lesson_chooser is not None
    lists = window.side.picker.gallery, editing.lesson_chooser
    everything = list(all_entries(window.action_registry))
    for typed, meant in OTHER_NAMES.items():
        page.search.setText(typed)
        titles = [tile.title for tile in page.tiles if not tile.isHidden()]
        assert any(meant in title.lower() for title in titles), (typed, titles)
        presets = [tile.title for tile in page.preset_tiles if not tile.isHidden()]
        window.side.picker.gallery.field.setText(typed)
        listed = [entry.title for entry in window.side.picker.gallery.listed_entries]
        assert sorted(presets) == sorted(listed), "the page keeps its groups"
        for finder in lists:
            finder.field.setText(typed)
            about = [f"{entry.title} {entry.description}" for entry in finder.listed_entries]
            assert any(meant in text.lower() for text in about), (typed, about)
        entries = rank_entries(everything, typed)
        assert not entries[0].location.startswith("Help"), "visible items stand before explanations"
        kinds = {entry.location for entry in entries}
        assert kinds >= {"Preset", "Lesson"}, typed
        assert search(typed), typed
    for finder in lists:
        finder.hide()
    page.search.clear()


def check_search_and_escape_keys(page: StartPage, editing: WindowController) -> None:
    assert page.isVisible()
    assert not editing.window.board.isVisible()
    assert [tile.title for tile in page.continue_section.grid.tiles] == ["Torque-free body"]
    assert page.continue_section.grid.tiles[0].hasFocus()
    assert len(page.lessons_section.grid.tiles) == len(lesson_paths())
    assert len(page.preset_tiles) == len(preset_entries())
    assert [section.isHidden() for section in page.preset_sections.values()] == [True, *[False] * 6, True]
    before = editing.document.state
    QTest.keyClick(page.continue_section.grid.tiles[0], Qt.Key.Key_K)  # would be a kick of the run
    assert page.search.hasFocus()
    assert page.search.text() == "k"
    assert editing.document.state == before
    page.search.setText("GIMBAL motor")
    shown = [tile for tile in page.tiles if tile.isVisible()]
    assert {tile.title for tile in shown} == {"Gimbal lock", "Gimbal lock in 3-2-1 and 3-1-3"}, (
        "its text contains both words"
    )
    page.search.setText("gimbal lock")
    assert next(tile.title for tile in page.preset_tiles if not tile.isHidden()) == "Gimbal lock"
    page.grab()  # lays out the page
    tops = {tile.title: tile.mapTo(page, QPoint()).y() for tile in page.preset_tiles if tile.isVisible()}
    assert tops["Gimbal lock"] == min(tops.values()), "the section with the title is first"
    page.search.setText("no-such-thing")
    assert page.no_matches_label.isVisible()
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert page.search.text() == ""
    assert page.isVisible()
    assert page.sections[-len(page.preset_sections) :] == tuple(page.preset_sections.values())
    QTest.keyClick(page.continue_section.grid.tiles[0], Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert editing.window.board.isVisible()
    assert abs(editing.frame_loop.snapshot.time - 3.0) < 1e-9


def check_arrow_and_tab_order(page: StartPage, editing: WindowController) -> None:
    def focused() -> QWidget:
        return editing.window.focusWidget() or editing.window

    first = page.lessons_section.grid.tiles[0]
    QTest.keyClick(page.continue_section.grid.tiles[0], Qt.Key.Key_Right)
    assert focused() is first
    second = page.lessons_section.grid.tiles[1]
    assert (second.y() == first.y()) == (second.x() > first.x()), "numbers go along rows"
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert focused() is next(
        tile for tile in page.lessons_section.grid.tiles if tile.x() == first.x() and tile.y() > first.y()
    )
    QTest.keyClick(focused(), Qt.Key.Key_Left)
    assert focused() is page.continue_section.grid.tiles[0]
    page.search.setFocus()
    reached = []
    for _ in range(len(page.tiles) + 3):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        reached.append(focused())
    assert reached == [page.open_button, page.compare_button, page.back_button, *page.tiles]
    last_tile = page.tiles[-1]
    assert not last_tile.visibleRegion().isEmpty(), "the page scrolls to the focused tile"


def check_chosen_entry_is_shown(page: StartPage, editing: WindowController, tmp_path: Path) -> None:
    page.search.setText("handle unscrews")
    tile = next(tile for tile in page.preset_tiles if tile.isVisible())
    QTest.keyClick(tile, Qt.Key.Key_Return)
    assert not page.isVisible()
    assert editing.simulation.preset.name == "t_handle"
    editing.start_page.show()
    bad = tmp_path / "bad.toml"
    bad.write_text("title = 3", "utf-8")
    page.file_chosen.emit(bad)
    assert page.isVisible()
    assert str(bad) in page.problem.text()
    editing.window.action_registry["theme"].trigger()
    assert page.isVisible(), "some actions have nothing to do with the run"
    editing.window.action_registry["fit"].trigger()
    assert not page.isVisible(), "others show it first"
    editing.start_page.show()
    lesson = next(tile for tile in page.lessons_section.grid.tiles if tile.title.startswith("Double cover"))
    lesson.click()
    assert not page.isVisible()
    assert editing.presenter is not None
    assert editing.presenter.lesson is not None
    assert editing.presenter.lesson.title == lesson.title
    editing.start_page.show()
    assert page.continue_section.grid.tiles[0].accessibleDescription() == "Back to the lesson"
    next(tile for tile in page.preset_tiles if tile.title == "Torque-free body").click()
    assert not editing.presenter.is_presenting, "a preset from the page ends the lesson"


def check_run_pauses_behind_page(editing: WindowController, qtbot: QtBot) -> None:
    editing.window.action_registry["restart"].trigger()
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.time > 0.1)
    editing.start_page.show()

    def rests() -> bool:
        """Return True once the low-priority worker thread has paused."""
        before = editing.frame_loop.snapshot.time
        qtbot.wait(120)
        return editing.frame_loop.snapshot.time == before

    qtbot.waitUntil(rests)
    time = editing.frame_loop.snapshot.time
    editing.start_page.leave()
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > time)


def test_start_without_a_preset_shows_the_page(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        "quatviz.app.run_window",
        lambda preset, present, tour, view, start_page, *made: begun.append((preset.name, start_page)),
    )
    cli.main([])
    cli.main(["heavy_top"])
    assert begun == [("tumbling_top", True), ("heavy_top", False)]
    monkeypatch.setattr(app, "LAYOUT_SECONDS", 0.0)
    monkeypatch.setattr(app, "MAX_LOADING_SECONDS", 0.0)
    mesh = tmp_path / "meshes" / "brick.stl"
    mesh.parent.mkdir()
    trimesh.creation.box((1.0, 2.0, 3.0)).export(mesh)
    half_turn = qv.load_preset("half_turn")
    body = replace(half_turn.body, shape="meshes/brick.stl", size=None)
    kept = replace(half_turn, body=body.with_folder(tmp_path))
    shutil.rmtree(resources.settings_folder() / "last", ignore_errors=True)
    for going in ([], [kept.title]):
        session = WindowController(qv.load_preset("torque_free"), start_page=True)
        session.open()
        page = session.start_page.page
        assert page is not None
        assert page.isVisible()
        assert [tile.title for tile in page.continue_section.grid.tiles] == going
        assert page.continue_section.empty_label.isVisible() == (not going)
        if going:
            page.continue_requested.emit()
            body = session.document.state.preset.body
            assert session.document.state.preset == replace(kept, name="", path=None)
            assert body.folder is not None
            assert (body.folder / body.shape).is_file(), "its mesh is stored with it"
            qtbot.waitUntil(session.window.side.isVisible)
            assert session.window.side.width() == SIDE_WIDTH, "the column behind the page, remembered twice"
        session.window.close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        remembered = load_last_session()
        assert (remembered is not None) == bool(going), "a run that was not chosen is not remembered"
        if remembered is not None:
            body = remembered.session.preset.body
            assert body.folder is not None
            assert (body.folder / body.shape).is_file(), "and restores it again"
        save_last_session(Saved(kept))


def test_session_opened_behind_the_page_has_its_saved_camera(qtbot: QtBot, tmp_path: Path) -> None:
    """The views have another size behind the page of a new window than on the screen."""
    pose = CameraPose((0.1, 0.0, 0.0), (0.6, 0.0, 0.8), 2.75)
    path = tmp_path / "seen.toml"
    path.write_text(
        format_session(Saved(qv.load_preset("torque_free"), ViewState(cameras={1: pose}))), "utf-8"
    )
    with open_session(WindowController(qv.load_preset("heavy_top"), start_page=True)) as session:
        page = session.start_page.page
        assert page is not None
        session.window.resize(900, 1000)  # the 3D view is higher than wide
        page.file_chosen.emit(path)
        qtbot.waitUntil(session.window.views.first_view.isVisible)
        wait_two_frames(session, qtbot)
        view = session.window.views.first_view
        assert view.aspect < 1.0
        assert view.camera.pose(view.aspect).shown == pytest.approx(pose.shown, rel=1e-6)
        assert session.window.store.state.cameras[1].shown == pytest.approx(pose.shown, rel=1e-6)


def check_one_preview_turns(page: StartPage, monkeypatch: pytest.MonkeyPatch) -> None:
    turns, tiles = page.animator, [tile for tile in page.tiles if isinstance(tile, BodyTile)]
    turns.stop()
    turned: list[BodyTile] = []
    monkeypatch.setattr(BodyTile, "advance", lambda tile, elapsed: turned.append(tile))
    monkeypatch.setattr(BodyTile, "hasFocus", lambda tile: False)
    turns.set_tiles(tiles)
    for tile in tiles:
        tile.render_seconds = 0.0  # however long they have taken so far
    watched = tiles[1]
    with monkeypatch.context() as pointed:
        pointed.setattr(BodyTile, "underMouse", lambda tile: tile is watched)
        turns.advance_frame()
    monkeypatch.setattr(BodyTile, "underMouse", lambda tile: False)
    for _ in range(FRAMES_PER_TILE + 1):
        turns.advance_frame()
    assert turned[0] is watched
    assert len(set(turned[1:])) == 2, "then the visible tiles in turn"
    for tile in tiles:
        tile.render_seconds = 0.1
    for _ in range(8):
        turns.advance_frame()
    turned.clear()
    turns.advance_frame()
    assert turned == [], "a slow machine shows still pictures"
    page.hide()
    turns.advance_frame()
    assert turned == []
    assert isinstance(turns, TileAnimator)


def test_tile_shows_the_motion_of_its_preset() -> None:
    preset = qv.load_preset("torque_free")
    turning = PreviewMotion(preset)
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
    falling = PreviewMotion(top)
    high = falling.rotation[2, 2]
    for _ in range(30):
        falling.advance(0.1)
    assert falling.rotation[2, 2] < high - 1e-4, "its weight accelerates it"


@pytest.mark.parametrize("name", ["torque_free", "t_handle", "half_turn"])
def test_picture_shows_the_body_in_both_tones(qapp: object, name: str) -> None:
    preset = qv.load_preset(name)
    turning = PreviewMotion(preset)
    picture = BodyRenderer(preset.body)
    upright = turning.rotation

    def rendered(theme: str) -> np.ndarray:
        image = picture.render(turning.rotation, upright, QSize(160, 90), THEMES[theme])
        image = image.convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(90, image.bytesPerLine())
        return rows[:, :480].reshape(90, 160, 3).astype(int)

    first = rendered("dark")
    body = first[:, :, 0] - first[:, :, 2] > 3  # warm, on a cold background
    assert 0.03 < np.mean(body) < 0.5
    assert np.mean(body & (first[:, :, 0] > 150)) > 0.01
    assert np.mean(body & (first[:, :, 0] < 130)) > 0.01
    assert not np.any(body[[0, -1]]), "it is fully visible"
    for _ in range(10):
        turning.advance(0.1)
    assert np.any(rendered("dark") != first)
    assert rendered("light")[0, 0].mean() > first[0, 0].mean() + 100
    assert DARK.body[0] != DARK.body[1]


def test_picture_of_a_round_body_has_no_visible_facets(qapp: object) -> None:
    """Every facet had one shade, so that round bodies looked like cut stones."""
    preset = qv.load_preset("ring_damper")
    rotation = PreviewMotion(preset).rotation
    image = BodyRenderer(preset.body).render(rotation, rotation, QSize(400, 260), THEMES["dark"])
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(260, image.bytesPerLine())
    pixels = rows[:, :1200].reshape(260, 400, 3).astype(int)
    body = pixels[:, :, 0] - pixels[:, :, 2] > 3
    inside = body[:, 9:] & body[:, 4:-5] & body[:, :-9]  # away from the outline
    steps = np.abs(np.diff(pixels[:, :, 0], axis=1))[:, 4:-4][inside]
    assert len(steps) > 10_000
    assert np.mean(steps > 10) > 0.01, "the two tones"
    assert np.mean((steps > 3) & (steps < 10)) < 0.002, "facets of one shade each"


def test_triangles_are_cut_between_octants() -> None:
    corners = np.random.default_rng(1).normal(size=(40, 3, 3))
    pieces = cut_at_octants(corners)
    assert np.all((pieces.min(axis=1) > -1e-6) | (pieces.max(axis=1) < 1e-6))

    def area(triangles: np.ndarray) -> float:
        return float(
            np.linalg.norm(
                np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1
            ).sum()
        )

    assert area(pieces) == pytest.approx(area(corners))


def test_unreadable_lesson_is_listed_with_its_error(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """It was only in the list of F5; the start page and the palette omitted it silently."""
    recent_lesson_files().clear()
    bad = tmp_path / "bad.md"
    bad.write_text("no title", "utf-8")
    recent_lesson_files().add(bad)
    editing.start_page.show()
    assert editing.start_page.page is not None
    tile = editing.start_page.page.lessons_section.grid.tiles[-1]
    assert tile.title == "bad"
    text = tile.entry.description
    assert text.startswith("Cannot be read: something before it (bad.md, line 1)"), (
        "the reason, then the file"
    )
    for whole in (tile.toolTip(), tile.accessibleDescription()):
        assert str(bad) in whole
        assert "begin the file with" in whole
    entries = [entry for entry in preset_and_lesson_entries(editing.window) if entry.title == "bad"]
    assert [entry.location for entry in entries] == [text], "a gray tile states its reason"
    assert editing.start_page.page.problem.isHidden()
    tile.click()
    assert not editing.start_page.page.problem.isHidden(), "a click shows the whole message with its remedy"
    label = editing.start_page.page.problem.text_label
    assert label is not None
    assert "begin the file with" in label.text()
    recent_lesson_files().clear()
    with qtbot.waitSignal(editing.start_page.pause_requested):
        editing.start_page.leave()


def test_presets_are_grouped_from_easy_to_hard() -> None:
    entries = [entry for entry in preset_entries() if not entry.is_own]
    assert entries[0].title == "Torque-free body"
    groups = list(dict.fromkeys(entry.group for entry in entries))
    assert groups == list(PRESET_GROUPS), "each group is contiguous, and there are no others"
    for group in groups:
        levels = [entry.level for entry in entries if entry.group == group]
        assert levels == sorted(levels, key=(INTRODUCTORY, INTERMEDIATE, ADVANCED).index), group
    titles = [entry.title for entry in entries]
    assert len(titles) == len(set(titles)) == len(preset_entries())


def test_start_page_and_menu_list_the_same_files(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    """A user's lesson was in the menu, but the page said that there were no files."""
    recent_lesson_files().clear()
    editing.window.file_actions.recent_files.clear()
    mine = tmp_path / "mine.md"
    mine.write_text(lesson_paths()["gimbal_lock"].read_text("utf-8"), "utf-8")
    recent_lesson_files().add(mine)
    menu = QMenu(editing.window)
    editing.window.file_actions.fill_recent(menu)
    editing.start_page.show()
    page = editing.start_page.page
    assert page is not None
    assert [tile.title for tile in page.files_section.grid.tiles] == ["mine"]
    assert menu.actions()[0].text() == "mine.md"
    assert not page.files_section.empty_label.isVisible()
    page.files_section.grid.tiles[0].click()
    assert editing.is_presenting
    assert not editing.start_page.is_shown
    editing.control_lesson("leave")
    recent_lesson_files().clear()


@pytest.mark.parametrize("empty", [True, False])
def test_palette_key_searches_on_the_start_page(editing: WindowController, qtbot: QtBot, empty: bool) -> None:
    """From its search field, and from a tile, from which letters go to the search field."""
    editing.start_page.show()
    page = editing.start_page.page
    assert page is not None
    start = page.search if empty else page.preset_tiles[0]
    start.setFocus()
    QTest.keyClicks(start, "/")
    qtbot.waitUntil(editing.window.command_palette.isVisible)
    assert page.search.text() == ""
    editing.window.command_palette.hide()
    QTest.keyClicks(page.search, "1/2")
    assert page.search.text() == "1/2"
    with qtbot.waitSignal(editing.start_page.pause_requested):
        editing.start_page.leave()

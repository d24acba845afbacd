"""Every choice about how a run is shown, through every way of storing it; future fields are covered too."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from view_state_samples import all_fields_changed
from window_steps import (
    make_session,
    open_session,
    pause_at,
    restore_settings,
    wait_computed,
    wait_two_frames,
)

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.theme import DARK
from quatviz.display.view_state.view_state import LESSON_SCOPES, SESSION_SCOPES, SETTINGS_SCOPES, ViewState
from quatviz.export.film.plan import FilmPlan
from quatviz.teaching.lessons import read_lesson
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import OffscreenSceneViews
from quatviz.ui.tools.export import frame_sources
from quatviz.ui.window.offscreen import OffscreenWindow
from quatviz.ui.window.settings import Settings

NOT_OF_THE_WINDOW = {"scale"}
"""It holds from the next start on; the settings have it."""


@pytest.fixture
def dressed(qtbot: QtBot, qapp: QApplication) -> Iterator[WindowController]:
    """A window that was opened with a look in which all_fields_changed is another choice than at first."""
    session = make_session(qv.load_preset("torque_free"), all_fields_changed())
    session.window.resize(1500, 700)  # where the side column has to scroll
    with open_session(session):
        wait_computed(session, qtbot)
        session.window.store.assign(all_fields_changed())
        wait_two_frames(session, qtbot)
        yield session


def differing(one: ViewState, other: ViewState) -> set[str]:
    """The fields in which two looks differ."""
    return {
        field.name for field in fields(ViewState) if getattr(one, field.name) != getattr(other, field.name)
    }


def forget(session: WindowController, qtbot: QtBot) -> ViewState:
    """Show the window as at first; how that looks."""
    session.window.store.assign(ViewState())
    wait_two_frames(session, qtbot)
    return session.window.view_state


def test_a_window_opens_with_a_look(dressed: WindowController, qtbot: QtBot) -> None:
    seen, wanted = dressed.window.view_state, all_fields_changed()
    plain = {
        "layout",
        "cameras",
        "scrolled",
        "splitter",
        "sections",
    }  # of which a window has more, or less, to say
    assert differing(seen, wanted) <= plain | NOT_OF_THE_WINDOW
    assert {"h", "omega"} <= {name for block in seen.layout.blocks if len(block) > 1 for name in block}
    assert seen.cameras[1] == wanted.cameras[1]
    assert seen.scrolled[0] == pytest.approx(0.25, abs=0.01)
    first = forget(dressed, qtbot)
    of_run = {"cursor", "speed", "loop", "selected", "lanes"}  # which the document has
    unmoved = {"cameras"}  # that stay where they are
    everywhere = {field.name for field in fields(ViewState)}
    assert differing(seen, first) | of_run | unmoved | NOT_OF_THE_WINDOW == everywhere


def test_settings_bring_it_to_the_next_start(dressed: WindowController, qtbot: QtBot) -> None:
    seen = dressed.window.view_state
    dressed.settings.set_scale(125)
    dressed.settings.save(dressed.window)
    kept = Settings()  # at once: the window goes on to write every few seconds
    forget(dressed, qtbot)
    restore_settings(kept, dressed.window)
    wait_two_frames(dressed, qtbot)
    given = {"theme", "views", "splitter", *NOT_OF_THE_WINDOW}
    assert (
        not differing(dressed.window.view_state, seen) & set(ViewState.field_names(SETTINGS_SCOPES)) - given
    )
    assert kept.view_state.splitter == seen.splitter
    assert (seen.division, dressed.window.view_state.division) == (all_fields_changed().division, ()), (
        "that was of the run"
    )
    assert dressed.window.view_state.maximised == "", "that was of the moment"
    assert dressed.window.view_state.views == replace(seen.views, lanes={}), "lanes belong to a run"
    assert (kept.view_state.theme, kept.view_state.scale) == ("light", 125)


def test_a_session_brings_it_to_another_window(
    dressed: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    seen = dressed.window.view_state
    dressed.window.file_actions.save_as(tmp_path / "mine.toml")
    dressed.window.file_actions.new()
    forget(dressed, qtbot)
    dressed.window.theme_switch.show(DARK)
    dressed.window.file_actions.open(tmp_path / "mine.toml")
    wait_computed(dressed, qtbot)
    assert not differing(dressed.window.view_state, seen) & set(ViewState.field_names(SESSION_SCOPES))
    assert dressed.window.theme is DARK, "the room has its own"


def test_a_lesson_gives_it_back(dressed: WindowController, qtbot: QtBot) -> None:
    pause_at(dressed, qtbot, 2.5)
    seen = dressed.window.view_state
    dressed.present(read_lesson("half_turn"))
    wait_computed(dressed, qtbot)
    assert dressed.presenter is not None
    for _ in range(2):
        dressed.presenter.go_next()
        wait_two_frames(dressed, qtbot)
    assert len(differing(dressed.window.view_state, seen)) > 10
    dressed.presenter.leave()
    wait_computed(dressed, qtbot)
    given_back = set(ViewState.field_names(LESSON_SCOPES)) - {"scrolled"}
    # Cursor, speed and range come with a frame of the worker, which may be later than the samples.
    qtbot.waitUntil(lambda: not differing(dressed.window.view_state, seen) & given_back)


def test_leaving_a_lesson_gives_back_times_zoom_cameras_and_lanes_of_views(
    dressed: WindowController, qtbot: QtBot
) -> None:
    window = dressed.window
    window.views.set_number(4)
    window.views.set_linked(False)
    for view, name in zip(window.views.shown_views, ("top", "side", "front", "along_h"), strict=True):
        view.look_from(name)
    window.views.choose_lane(window.views.shown_views[2], "hamilton")
    window.board.axis.show_span((1.0, 3.0))
    pause_at(dressed, qtbot, 2.5)
    before = window.view_state
    dressed.present(read_lesson("half_turn"))
    wait_computed(dressed, qtbot)
    assert dressed.presenter is not None
    dressed.presenter.leave()
    wait_computed(dressed, qtbot)
    # The range comes with a frame of the worker, which may be later than the samples.
    qtbot.waitUntil(lambda: window.view_state.selected == before.selected)
    after = window.view_state
    assert (after.selected, after.span) == (before.selected, before.span) == ((1.5, 3.5), (1.0, 3.0))
    assert after.cameras == before.cameras
    assert len(before.cameras) == 4
    assert after.views.lanes == before.views.lanes


def test_a_film_of_the_window_shows_it(dressed: WindowController, qtbot: QtBot) -> None:
    pause_at(dressed, qtbot, 2.5)
    window, seen = dressed.window, dressed.window.view_state
    plan = FilmPlan(window.width(), max(window.height(), 900))
    take = OffscreenWindow(dressed.simulation, plan, seen)
    try:
        take.render(2.5)
        free = {"splitter", "scrolled", "layout"}  # of another size; and where windows stand
        assert differing(take.window.view_state, seen) <= free
        assert take.window.view_state.layout.blocks == seen.layout.blocks
    finally:
        take.close()


def test_a_reset_takes_all_of_it_back(dressed: WindowController, qtbot: QtBot) -> None:
    first = forget(dressed, qtbot)
    dressed.window.store.assign(all_fields_changed())
    dressed.settings.reset(dressed.window)
    wait_two_frames(dressed, qtbot)
    stay = {"cameras", "scrolled"}  # where they are
    assert not differing(dressed.window.view_state, first) - stay


def test_the_exported_3d_view_is_what_is_seen(
    dressed: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both views, one lane each and so no ghosts, from where their cameras stand."""
    window = dressed.window
    window.store.assign(
        replace(window.view_state, views=replace(window.view_state.views, each=True, lanes={}, from_body={}))
    )
    pause_at(dressed, qtbot, 2.5)
    painted: list[tuple[list[SceneView], list[int]]] = []

    class Watched(OffscreenSceneViews):
        def render_image(self, width: int, height: int):
            painted.append(([*self.shown_views], [solid(view) for view in self.shown_views]))
            stances = [view.camera_pose for view in self.shown_views]
            assert stances == [view.camera_pose for view in window.views.shown_views]
            return super().render_image(width, height)

    def solid(view: SceneView) -> int:
        return sum(mesh.visible for mesh in view.stage.meshes if mesh.material in ("painted", "glass"))

    monkeypatch.setattr(frame_sources, "OffscreenSceneViews", Watched)
    image = dressed.exporter.view_image(800)
    views, lanes = painted[0]
    assert len(views) == 2
    assert lanes == [solid(view) for view in window.views.shown_views]
    assert image.width() == 800
    assert image.height() == pytest.approx(800 * window.views.height() / window.views.width(), abs=1)
    assert np.ptp([image.pixelColor(x, image.height() // 2).lightness() for x in range(0, 800, 5)]) > 40

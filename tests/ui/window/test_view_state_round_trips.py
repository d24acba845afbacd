"""Every field of the view state, through every way of storing it; future fields are covered too."""

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
"""Fields stored in the settings only, which apply at the next start."""


@pytest.fixture
def changed_window(qtbot: QtBot, qapp: QApplication) -> Iterator[WindowController]:
    """Return a window opened with a view state in which every field differs from the default."""
    session = make_session(qv.load_preset("torque_free"), all_fields_changed())
    session.window.resize(1500, 700)  # where the side column has to scroll
    with open_session(session):
        wait_computed(session, qtbot)
        session.window.store.assign(all_fields_changed())
        wait_two_frames(session, qtbot)
        yield session


def different_fields(first: ViewState, second: ViewState) -> set[str]:
    """Return the names of the fields in which two view states differ."""
    return {
        field.name for field in fields(ViewState) if getattr(first, field.name) != getattr(second, field.name)
    }


def reset_view(session: WindowController, qtbot: QtBot) -> ViewState:
    """Reset the view state to the defaults and return the resulting state."""
    session.window.store.assign(ViewState())
    wait_two_frames(session, qtbot)
    return session.window.view_state


def test_window_opens_with_a_view_state(changed_window: WindowController, qtbot: QtBot) -> None:
    seen, wanted = changed_window.window.view_state, all_fields_changed()
    plain = {
        "layout",
        "cameras",
        "scrolled",
        "splitter",
        "sections",
    }  # the window adds or removes entries of these
    assert different_fields(seen, wanted) <= plain | NOT_OF_THE_WINDOW
    assert {"h", "omega"} <= {name for block in seen.layout.blocks if len(block) > 1 for name in block}
    assert seen.cameras[1] == wanted.cameras[1]
    assert seen.scrolled[0] == pytest.approx(0.25, abs=0.01)
    first = reset_view(changed_window, qtbot)
    of_run = {"cursor", "speed", "loop", "selected", "lanes"}  # stored in the document
    unmoved = {"cameras"}  # these keep their positions
    everywhere = {field.name for field in fields(ViewState)}
    assert different_fields(seen, first) | of_run | unmoved | NOT_OF_THE_WINDOW == everywhere


def test_settings_restore_the_view_state_at_the_next_start(
    changed_window: WindowController, qtbot: QtBot
) -> None:
    seen = changed_window.window.view_state
    changed_window.settings.set_scale(125)
    changed_window.settings.save(changed_window.window)
    kept = Settings()  # stopped, because the window saves every few seconds
    reset_view(changed_window, qtbot)
    restore_settings(kept, changed_window.window)
    wait_two_frames(changed_window, qtbot)
    given = {"theme", "views", "splitter", *NOT_OF_THE_WINDOW}
    assert (
        not different_fields(changed_window.window.view_state, seen)
        & set(ViewState.field_names(SETTINGS_SCOPES)) - given
    )
    assert kept.view_state.splitter == seen.splitter
    assert (seen.division, changed_window.window.view_state.division) == (
        all_fields_changed().division,
        (),
    ), "it belonged to the run"
    assert changed_window.window.view_state.maximised == "", "it belonged to the moment"
    assert changed_window.window.view_state.views == replace(seen.views, lanes={}), "lanes belong to a run"
    assert (kept.view_state.theme, kept.view_state.scale) == ("light", 125)


def test_session_carries_the_view_state_to_another_window(
    changed_window: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    seen = changed_window.window.view_state
    changed_window.window.file_actions.save_as(tmp_path / "mine.toml")
    changed_window.window.file_actions.new()
    reset_view(changed_window, qtbot)
    changed_window.window.theme_switch.show(DARK)
    changed_window.window.file_actions.open(tmp_path / "mine.toml")
    wait_computed(changed_window, qtbot)
    assert not different_fields(changed_window.window.view_state, seen) & set(
        ViewState.field_names(SESSION_SCOPES)
    )
    assert changed_window.window.theme is DARK, "the theme belongs to the room"


def test_leaving_a_lesson_restores_the_view_state(changed_window: WindowController, qtbot: QtBot) -> None:
    pause_at(changed_window, qtbot, 2.5)
    seen = changed_window.window.view_state
    changed_window.present(read_lesson("half_turn"))
    wait_computed(changed_window, qtbot)
    assert changed_window.presenter is not None
    for _ in range(2):
        changed_window.presenter.go_next()
        wait_two_frames(changed_window, qtbot)
    assert len(different_fields(changed_window.window.view_state, seen)) > 10
    changed_window.presenter.leave()
    wait_computed(changed_window, qtbot)
    given_back = set(ViewState.field_names(LESSON_SCOPES)) - {"scrolled"}
    # Cursor, speed and range come with a frame of the worker, which may arrive after the samples.
    qtbot.waitUntil(lambda: not different_fields(changed_window.window.view_state, seen) & given_back)


def test_leaving_a_lesson_restores_times_zoom_cameras_and_lanes(
    changed_window: WindowController, qtbot: QtBot
) -> None:
    window = changed_window.window
    window.views.set_number(4)
    window.views.set_linked(False)
    for view, name in zip(window.views.shown_views, ("top", "side", "front", "along_h"), strict=True):
        view.look_from(name)
    window.views.choose_lane(window.views.shown_views[2], "hamilton")
    window.board.axis.show_span((1.0, 3.0))
    pause_at(changed_window, qtbot, 2.5)
    before = window.view_state
    changed_window.present(read_lesson("half_turn"))
    wait_computed(changed_window, qtbot)
    assert changed_window.presenter is not None
    changed_window.presenter.leave()
    wait_computed(changed_window, qtbot)
    # The range comes with a frame of the worker, which may arrive after the samples.
    qtbot.waitUntil(lambda: window.view_state.selected == before.selected)
    after = window.view_state
    assert (after.selected, after.span) == (before.selected, before.span) == ((1.5, 3.5), (1.0, 3.0))
    assert after.cameras == before.cameras
    assert len(before.cameras) == 4
    assert after.views.lanes == before.views.lanes


def test_film_of_the_window_shows_the_view_state(changed_window: WindowController, qtbot: QtBot) -> None:
    pause_at(changed_window, qtbot, 2.5)
    window, seen = changed_window.window, changed_window.window.view_state
    plan = FilmPlan(window.width(), max(window.height(), 900))
    take = OffscreenWindow(changed_window.simulation, plan, seen)
    try:
        take.render(2.5)
        free = {"splitter", "scrolled", "layout"}  # of another size; and window positions
        assert different_fields(take.window.view_state, seen) <= free
        assert take.window.view_state.layout.blocks == seen.layout.blocks
    finally:
        take.close()


def test_reset_restores_the_defaults(changed_window: WindowController, qtbot: QtBot) -> None:
    first = reset_view(changed_window, qtbot)
    changed_window.window.store.assign(all_fields_changed())
    changed_window.settings.reset(changed_window.window)
    wait_two_frames(changed_window, qtbot)
    stay = {"cameras", "scrolled"}  # where they are
    assert not different_fields(changed_window.window.view_state, first) - stay


def test_exported_3d_view_equals_the_screen(
    changed_window: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both views, with one lane each and therefore no ghosts, from their camera poses."""
    window = changed_window.window
    window.store.assign(
        replace(window.view_state, views=replace(window.view_state.views, each=True, lanes={}, from_body={}))
    )
    pause_at(changed_window, qtbot, 2.5)
    painted: list[tuple[list[SceneView], list[int]]] = []

    class RecordingGrid(OffscreenSceneViews):
        def render_image(self, width: int, height: int):
            painted.append(([*self.shown_views], [solid(view) for view in self.shown_views]))
            stances = [view.camera_pose for view in self.shown_views]
            assert stances == [view.camera_pose for view in window.views.shown_views]
            return super().render_image(width, height)

    def solid(view: SceneView) -> int:
        return sum(mesh.visible for mesh in view.stage.meshes if mesh.material in ("painted", "glass"))

    monkeypatch.setattr(frame_sources, "OffscreenSceneViews", RecordingGrid)
    image = changed_window.exporter.view_image(800)
    views, lanes = painted[0]
    assert len(views) == 2
    assert lanes == [solid(view) for view in window.views.shown_views]
    assert image.width() == 800
    assert image.height() == pytest.approx(800 * window.views.height() / window.views.width(), abs=1)
    assert np.ptp([image.pixelColor(x, image.height() // 2).lightness() for x in range(0, 800, 5)]) > 40

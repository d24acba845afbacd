"""Every choice about how a run is shown, through every way that carries it: a field added tomorrow is followed too."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from view_state_samples import everything
from window_steps import opened, pause_at, session_of, two_frames, wait_computed

import quatviz as qv
from quatviz.app import Session
from quatviz.display.view_state.theme import DARK
from quatviz.display.view_state.view_state import IN_LESSON, IN_SESSION, IN_SETTINGS, Look
from quatviz.export.film.plan import FilmPlan
from quatviz.teaching.lessons import read_lesson
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import PaintedViews
from quatviz.ui.tools.export import frame_sources
from quatviz.ui.window.offscreen import StagedWindow
from quatviz.ui.window.settings import Settings

NOT_OF_THE_WINDOW = {"scale"}
"""It holds from the next start on; the settings have it."""


@pytest.fixture
def dressed(qtbot: QtBot, qapp: QApplication) -> Iterator[Session]:
    """A window that was opened with a look in which everything is another choice than at first."""
    session = session_of(qv.load_preset("torque_free"), everything())
    session.window.resize(1500, 700)  # where the side column has to scroll
    with opened(session):
        wait_computed(session, qtbot)
        session.window.dress(everything())
        two_frames(session, qtbot)
        yield session


def differing(one: Look, other: Look) -> set[str]:
    """The fields in which two looks differ."""
    return {field.name for field in fields(Look) if getattr(one, field.name) != getattr(other, field.name)}


def forget(session: Session, qtbot: QtBot) -> Look:
    """Show the window as at first; how that looks."""
    session.window.dress(Look())
    two_frames(session, qtbot)
    return session.window.look


def test_a_window_opens_with_a_look(dressed: Session, qtbot: QtBot) -> None:
    seen, wanted = dressed.window.look, everything()
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
    everywhere = {field.name for field in fields(Look)}
    assert differing(seen, first) | of_run | unmoved | NOT_OF_THE_WINDOW == everywhere


def test_settings_bring_it_to_the_next_start(dressed: Session, qtbot: QtBot) -> None:
    seen = dressed.window.look
    dressed.settings.set_scale(125)
    dressed.settings.save(dressed.window)
    kept = Settings()  # at once: the window goes on to write every few seconds
    forget(dressed, qtbot)
    kept.restore(dressed.window)
    two_frames(dressed, qtbot)
    given = {"theme", "views", "splitter"}
    assert not differing(dressed.window.look, seen) & set(Look.names(IN_SETTINGS)) - given
    assert kept.look.splitter == seen.splitter
    assert (seen.division, dressed.window.look.division) == (everything().division, ()), "that was of the run"
    assert dressed.window.look.maximised == "", "that was of the moment"
    assert dressed.window.look.views == replace(seen.views, lanes={}), "lanes belong to a run"
    assert (kept.look.theme, kept.look.scale) == ("light", 125)


def test_a_session_brings_it_to_another_window(dressed: Session, qtbot: QtBot, tmp_path: Path) -> None:
    seen = dressed.window.look
    dressed.window.desk.save_as(tmp_path / "mine.toml")
    dressed.window.desk.new()
    forget(dressed, qtbot)
    dressed.window.show_theme(DARK)
    dressed.window.desk.open(tmp_path / "mine.toml")
    wait_computed(dressed, qtbot)
    assert not differing(dressed.window.look, seen) & set(Look.names(IN_SESSION))
    assert dressed.window.theme is DARK, "the room has its own"


def test_a_lesson_gives_it_back(dressed: Session, qtbot: QtBot) -> None:
    pause_at(dressed, qtbot, 2.5)
    seen = dressed.window.look
    dressed.present(read_lesson("half_turn"))
    wait_computed(dressed, qtbot)
    assert dressed.presenter is not None
    for _ in range(2):
        dressed.presenter.next()
        two_frames(dressed, qtbot)
    assert len(differing(dressed.window.look, seen)) > 10
    dressed.presenter.leave()
    wait_computed(dressed, qtbot)
    assert not differing(dressed.window.look, seen) & set(Look.names(IN_LESSON)) - {"scrolled"}


def test_leaving_a_lesson_gives_back_times_zoom_cameras_and_lanes_of_views(
    dressed: Session, qtbot: QtBot
) -> None:
    window = dressed.window
    window.views.set_number(4)
    window.views.set_linked(False)
    for view, name in zip(window.views.shown, ("top", "side", "front", "along_h"), strict=True):
        view.look(name)
    window.views.choose_lane(window.views.shown[2], "hamilton")
    window.board.axis.show_span((1.0, 3.0))
    pause_at(dressed, qtbot, 2.5)
    before = window.look
    dressed.present(read_lesson("half_turn"))
    wait_computed(dressed, qtbot)
    assert dressed.presenter is not None
    dressed.presenter.leave()
    wait_computed(dressed, qtbot)
    after = window.look
    assert (after.selected, after.span) == (before.selected, before.span) == ((1.5, 3.5), (1.0, 3.0))
    assert after.cameras == before.cameras
    assert len(before.cameras) == 4
    assert after.views.lanes == before.views.lanes


def test_a_film_of_the_window_shows_it(dressed: Session, qtbot: QtBot) -> None:
    pause_at(dressed, qtbot, 2.5)
    window, seen = dressed.window, dressed.window.look
    plan = FilmPlan(window.width(), max(window.height(), 900))
    take = StagedWindow(dressed.simulation, plan, seen)
    try:
        take.picture(2.5)
        free = {"splitter", "scrolled", "layout"}  # of another size; and where windows stand
        assert differing(take.window.look, seen) <= free
        assert take.window.look.layout.blocks == seen.layout.blocks
    finally:
        take.close()


def test_a_reset_takes_all_of_it_back(dressed: Session, qtbot: QtBot) -> None:
    first = forget(dressed, qtbot)
    dressed.window.dress(everything())
    dressed.settings.reset(dressed.window)
    two_frames(dressed, qtbot)
    stay = {"cameras", "scrolled"}  # where they are
    assert not differing(dressed.window.look, first) - stay


def test_the_exported_3d_view_is_what_is_seen(
    dressed: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both views, one lane each and so no ghosts, from where their cameras stand."""
    window = dressed.window
    window.dress(replace(window.look, views=replace(window.look.views, each=True, lanes={}, from_body={})))
    pause_at(dressed, qtbot, 2.5)
    painted: list[tuple[list[SceneView], list[int]]] = []

    class Watched(PaintedViews):
        def picture(self, width: int, height: int):
            painted.append(([*self.shown], [solid(view) for view in self.shown]))
            stances = [view.stance for view in self.shown]
            assert stances == [view.stance for view in window.views.shown]
            return super().picture(width, height)

    def solid(view: SceneView) -> int:
        return sum(mesh.visible for mesh in view.stage.meshes if mesh.look in ("painted", "glass"))

    monkeypatch.setattr(frame_sources, "PaintedViews", Watched)
    image = dressed.exporter.view_image(800)
    views, lanes = painted[0]
    assert len(views) == 2
    assert lanes == [solid(view) for view in window.views.shown]
    assert image.width() == 800
    assert image.height() == pytest.approx(800 * window.views.height() / window.views.width(), abs=1)
    assert np.ptp([image.pixelColor(x, image.height() // 2).lightness() for x in range(0, 800, 5)]) > 40

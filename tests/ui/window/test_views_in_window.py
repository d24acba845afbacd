"""The 3D views in the real window: keys, menus, stored settings, and cleanup."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, restore_settings, wait_two_frames  # noqa: F401 (a fixture)

import quatviz as qv
from quatviz import app
from quatviz.app import WindowController
from quatviz.base.errors import InputError
from quatviz.display.document.state import State
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.simulation.commands import Play
from quatviz.ui.scene import scene_image
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.window.settings import Settings

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def default_views() -> Iterator[None]:
    """Remove the settings, because the next test would read them."""
    yield
    Settings().path.unlink(missing_ok=True)


def test_keys_arrange_the_views(editing: WindowController, qtbot: QtBot) -> None:
    window, views = editing.window, editing.window.views
    pause_at(editing, qtbot, 2.0)
    QTest.keyClick(window, Qt.Key.Key_4, CTRL)
    assert len(views.shown_views) == 4
    QTest.keyClick(window, Qt.Key.Key_2, CTRL)
    assert len(views.shown_views) == 2
    assert [view.text_overlay.title_lines[0][0] for view in views.shown_views] == [
        "Newton–Euler",
        "Hamilton, reduced to h",
    ]
    QTest.keyClick(window, Qt.Key.Key_O)
    assert not views.view_layout.each
    QTest.keyClick(window, Qt.Key.Key_L)
    assert not views.view_layout.linked
    QTest.keyClick(window, Qt.Key.Key_V)
    assert views.active_view is views.shown_views[1]
    assert views.active_view.from_body
    QTest.keyClick(window, Qt.Key.Key_B)
    assert not views.active_view.from_body
    QTest.keyClick(window, Qt.Key.Key_1)
    assert views.active_view.camera.back.tolist() == [1.0, 0.0, 0.0]
    assert window.scene.camera.back.tolist() != [1.0, 0.0, 0.0]
    assert window.scene is views.first_view
    QTest.keyClick(window, Qt.Key.Key_1, CTRL)
    assert len(views.shown_views) == 1


def test_menu_shows_the_state_of_the_views(editing: WindowController) -> None:
    views, actions = editing.window.views, editing.window.action_registry
    assert actions["views_1"].isChecked()
    assert not actions["link"].isEnabled(), "one camera has no other to follow"
    actions["views_2"].trigger()
    actions["each"].trigger()
    checked = {
        name for name in ("views_1", "views_2", "views_4", "each", "link") if actions[name].isChecked()
    }
    assert checked == {"views_2", "link"}
    assert not views.view_layout.each
    actions["views_2"].trigger()
    assert actions["views_2"].isChecked()
    assert len(views.shown_views) == 2


def test_every_view_plays(editing: WindowController, qtbot: QtBot) -> None:
    views = editing.window.views
    pause_at(editing, qtbot, 1.0)
    views.set_number(4)
    bodies = [
        next(mesh for mesh in view.stage.meshes if mesh.material == "painted") for view in views.shown_views
    ]
    before = [body.transform.copy() for body in bodies]
    editing.frame_loop.send(Play())
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > 1.5)
    wait_two_frames(editing, qtbot)
    assert not any(np.allclose(body.transform, old) for body, old in zip(bodies, before, strict=True))
    pause_at(editing, qtbot, 2.0)
    assert all(np.allclose(body.transform, bodies[0].transform, atol=1e-3) for body in bodies)


def test_views_are_remembered_and_reset(editing: WindowController) -> None:
    window, views = editing.window, editing.window.views
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_linked(False)
    views.set_number(2)
    views.set_from_body(True)
    kept = views.view_layout
    editing.settings.save(window)
    views.set_view_layout(ViewLayout())
    restore_settings(Settings(), window)
    assert views.view_layout == kept
    assert len(views.shown_views) == 2
    assert window.scene.from_body
    editing.window.action_registry["reset_look"].trigger()
    assert views.view_layout == ViewLayout()
    assert not window.scene.from_body
    restore_settings(Settings(), window)
    assert views.view_layout == ViewLayout()


def test_edit_reaches_every_view(editing: WindowController, qtbot: QtBot) -> None:
    views = editing.window.views
    views.set_number(2)
    before = [
        next(mesh for mesh in view.stage.meshes if mesh.material == "painted").vertices
        for view in views.shown_views
    ]
    views.set_number(4)
    views.set_number(2)

    def slimmer(state: State) -> State:
        return State.default_for(replace(state.preset, body=qv.Body(inertia=[400, 390, 60])))

    assert editing.document.propose("the body", slimmer) is None
    wait_two_frames(editing, qtbot)
    after = [
        next(mesh for mesh in view.stage.meshes if mesh.material == "painted").vertices
        for view in views.shown_views
    ]
    assert not any(np.allclose(old, new) for old, new in zip(before, after, strict=True))


def test_four_views_close_cleanly(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    check_gl()
    monkeypatch.setattr(app, "LAYOUT_SECONDS", 0.05)
    monkeypatch.setattr(app, "MAX_LOADING_SECONDS", 0.0)
    threads = threading.active_count()
    for turn in range(3):
        session = WindowController(qv.load_preset("torque_free"))
        session.open()
        session.window.views.set_number(4)
        assert session.window.grab().width() > 0
        assert len(session.window.views.shared_graphics.users) == 4
        for _ in range(turn):
            qtbot.wait(13)
        views = session.window.views
        session.window.close()
        assert views.shared_graphics.graphics is None
        assert not views.shared_graphics.users
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert session.worker.error is None
        assert threading.active_count() <= threads


def test_missing_opengl_is_reported_once_and_all_views_draw_lines(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise InputError(
            "this machine's OpenGL", expected="OpenGL", found="no OpenGL context", remedy="install it"
        )

    monkeypatch.setattr(scene_image, "check_gl", refused)
    session = WindowController(qv.load_preset("torque_free"))
    messages: list[str] = []
    session.window.views.problem_reported.connect(messages.append)
    session.open()
    session.window.views.set_number(4)
    qtbot.waitUntil(lambda: all(view.is_wireframe for view in session.window.views.shown_views))
    qtbot.wait(30)
    assert len(messages) == 1
    assert "drawn as lines: no OpenGL context" in messages[0]
    legends = [view.legend for view in session.window.views.shown_views]
    assert sum("drawn as lines" in text for lines in legends for text, _ in lines) == 1
    session.window.close()
    session.window.deleteLater()

"""The window that is shared by tests is reset between tests, or replaced."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shared_window import SHARED_WINDOW
from window_steps import editing, inertia_entry, pause_at, type_value  # noqa: F401

from quatviz.app import WindowController
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.teaching.lessons import parse_lesson
from quatviz.ui.tools.help.window import HelpWindow
from quatviz.ui.tools.study.window import StudyWindow

LESSON = """# Title

```lesson
format = 1
```

Words.

## One

```scene
preset = "torque_free"
panels = ["h"]
```

More.
"""


def test_edits_and_view_state_are_restored(editing: WindowController, qtbot: QtBot) -> None:
    state, camera = editing.document.state, editing.window.scene.camera.view_matrix()
    shown, size = inertia_entry(editing).text(), editing.window.size()
    pause_at(editing, qtbot, 3.0)
    type_value(inertia_entry(editing), "450")
    type_value(inertia_entry(editing), "900")  # which is rejected
    editing.window.resize(1366, 768)
    editing.window.scene.move_camera(lambda camera: camera.orbit(0.4, 0.2))
    editing.window.theme_switch.show(LIGHT)
    editing.set_scale(150)
    editing.document.branching.set_enabled(True)
    SHARED_WINDOW.reset()
    assert SHARED_WINDOW.session is editing
    assert editing.document.state == state
    assert editing.document.steps == ()
    assert (inertia_entry(editing).text(), editing.window.size()) == (shown, size)
    assert editing.window.scene.camera.view_matrix() == pytest.approx(camera, abs=1e-6)
    assert editing.window.theme is DARK, "in its first scale, too"
    assert editing.frame_loop.snapshot.playing
    assert not editing.document.branching.is_enabled


def test_tool_windows_and_lessons_are_deleted(editing: WindowController) -> None:
    editing.present(parse_lesson(LESSON))
    editing.open_tool("help")
    editing.open_tool("study")
    SHARED_WINDOW.reset()
    assert SHARED_WINDOW.session is editing
    assert editing.presenter is None
    assert editing.tool_windows.window("help") is None
    assert editing.tool_windows.window("study") is None
    assert [
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, HelpWindow | StudyWindow)
    ] == []


def test_windows_that_keep_more_objects_are_closed(editing: WindowController) -> None:
    editing.start_tour()
    SHARED_WINDOW.reset()
    assert SHARED_WINDOW.session is None


def test_changed_windows_are_closed(editing: WindowController) -> None:
    editing.window.setMinimumWidth(editing.window.width() + 200)
    SHARED_WINDOW.reset()
    assert SHARED_WINDOW.session is None

"""Work of the window for each run of a dragged number: at thirty runs per second nothing may be done twice."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.data.frame import ColumnSource
from quatviz.display.document.state import EditFunction
from quatviz.files import preset_edits
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.scene import gl_resources


class EventCounter(QObject):
    """Event filter that counts events by their type and widget."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: Counter[tuple[QEvent.Type, QObject]] = Counter()
        app = QCoreApplication.instance()
        assert app is not None
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.counted[event.type(), watched] += 1
        return False

    def of(self, event_type: QEvent.Type, part: QWidget) -> int:
        """Return the number of events for a widget and its descendants."""
        return sum(
            count
            for (counted_type, widget), count in self.counted.items()
            if counted_type == event_type
            and isinstance(widget, QWidget)
            and (widget is part or part.isAncestorOf(widget))
        )


def with_moment(J: float) -> EditFunction:
    """Return an edit of the first moment of inertia."""
    return lambda state: state.with_preset(body=qv.Body(inertia=[J, 300.0, 200.0]))


def drag(session: WindowController, qtbot: QtBot, *moments: float, goes_on: bool = True) -> None:
    """Show a run for each of these first moments of inertia, as a drag does."""
    for J in moments:
        assert session.document.propose("body: inertia", with_moment(J), goes_on) is None
        qtbot.waitUntil(lambda: not session.frame_loop.has_upcoming_run)
        wait_two_frames(session, qtbot)


@pytest.fixture
def dragging(editing: WindowController, qtbot: QtBot) -> WindowController:
    """Return a window in which a drag has started."""
    wait_computed(editing, qtbot)
    pause_at(editing, qtbot, 7.25)
    editing.window.side.open_sections(["Lanes", "Body", "At_the_cursor"])
    drag(editing, qtbot, 390.0, goes_on=False)
    drag(editing, qtbot, 389.0)
    return editing


def test_side_column_is_not_laid_out_during_a_drag(dragging: WindowController, qtbot: QtBot) -> None:
    """For a table of numbers, the whole column was laid out and its text painted again for every run."""
    counter, side = EventCounter(), dragging.window.side
    drag(dragging, qtbot, 388.0, 387.0, 386.0)
    assert counter.of(QEvent.Type.LayoutRequest, side) == 0
    assert counter.of(QEvent.Type.Paint, side.preset_card) == 0


def test_continued_drag_updates_texts_once(dragging: WindowController, qtbot: QtBot) -> None:
    """The undo text and the notes beside the titles are those of the start of the drag."""
    counter, window, messages = EventCounter(), dragging.window, list[str]()
    window.action_registry.refreshed.connect(lambda: messages.append("acts"))
    (omega,) = (panel for panel in window.board.panels if panel.name == "omega")
    drag(dragging, qtbot, 388.0, 387.0)
    assert not messages
    assert counter.of(QEvent.Type.Paint, omega) > 0
    assert counter.of(QEvent.Type.Paint, omega.title_row) == 0
    drag(dragging, qtbot, 380.0, goes_on=False)
    assert messages, "another step updates them"


def test_each_run_is_painted_before_the_next_starts(
    dragging: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every second run was started before the last one was painted, and during painting nothing was computed."""
    events, moments = list[str](), iter(np.linspace(388.0, 370.0, 20).tolist())
    start = PlotBoard.start

    def begin(board: PlotBoard, source: ColumnSource) -> None:
        events.append("begun")
        start(board, source)

    def move() -> None:
        J = next(moments, None)
        if J is None:
            timer.stop()
        else:
            assert dragging.document.propose("body: inertia", with_moment(J), coalesce=True) is None

    monkeypatch.setattr(PlotBoard, "start", begin)
    painted = dragging.window.scene.painted.connect(lambda: events.append("painted"))
    timer = QTimer(interval=2)  # a drag faster than the window
    timer.timeout.connect(move)
    timer.start()
    qtbot.waitUntil(lambda: not timer.isActive() and not dragging.frame_loop.has_upcoming_run)
    wait_two_frames(dragging, qtbot)
    dragging.window.scene.painted.disconnect(painted)
    assert events.count("begun") == 20
    assert ("begun", "begun") not in pairwise(events)


def test_unchanged_meshes_are_reused(
    dragging: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run has its own meshes, and those of the last one were released before."""
    indexed: list[int] = []
    real = gl_resources.index_rows

    def counted(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        indexed.append(len(rows))
        return real(rows)

    monkeypatch.setattr(gl_resources, "index_rows", counted)
    drag(dragging, qtbot, 388.0, 387.0)
    shapes = {len(mesh.vertices) for mesh in dragging.window.scene.stage.meshes if mesh.material == "solid"}
    assert indexed, "the body has changed"
    assert not shapes & set(indexed), "shafts and heads of arrows have not"


def test_edits_are_compared_once_for_each_run(
    dragging: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The title, the preset card, the headings and the description of the run all ask which values are edited."""
    compared: list[object] = []
    real = preset_edits.is_initial_edited

    def counted(initial: qv.Initial, origin: qv.Initial, preset: qv.Preset) -> bool:
        compared.append(preset)
        return real(initial, origin, preset)

    monkeypatch.setattr(preset_edits, "is_initial_edited", counted)
    drag(dragging, qtbot, 388.0, 387.0)
    assert len(compared) == 2


def test_window_title_is_not_set_again_during_a_drag(
    dragging: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt passes each title to the window system, even an equal one."""
    calls: list[str] = []
    window = dragging.window
    monkeypatch.setattr(window, "setWindowTitle", lambda title: calls.append(title))
    monkeypatch.setattr(window, "setWindowModified", lambda modified: calls.append(str(modified)))
    drag(dragging, qtbot, 388.0, 387.0)
    assert not calls
    assert window.isWindowModified()
    assert "(edited)" in window.windowTitle()

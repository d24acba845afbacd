"""A scene in the window: the run, what is seen of it, from where, and when. And the window as it was before."""

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QVariantAnimation

from quatviz.display.document.document import Document
from quatviz.display.document.state import State, snapshot_of
from quatviz.display.view_state.camera import Stance
from quatviz.display.view_state.scope import ROOM
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.view_state import Look
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Pause, Play, Seek, SetSpeed
from quatviz.teaching.lessons import Lesson, Scene
from quatviz.teaching.lessons.scene_runs import display_of, lanes_of, look_of, preset_of
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.window.main_window import MainWindow

_CAMERA_MS = 120
"""How long the camera waits for the first picture of a run, which says where h points."""
_MOVE_MS = 800


def goal_of(view: SceneView, direction: str | None, zoom: float) -> Stance:
    """Where the camera would be if it looked from there and showed everything, or `1/zoom` of it."""
    before = view.stance
    view.fit()
    if direction is not None:
        view.look(direction)
    goal = view.stance
    view.move_camera(lambda camera: camera.stand(before, view.aspect))
    return replace(goal, shown=goal.shown / zoom)


class CameraMove(QVariantAnimation):
    """Moves one view's camera at a time, in a little less than a second."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._view: SceneView | None = None
        self._start, self._goal = Stance(), Stance()
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(_MOVE_MS)
        self.valueChanged.connect(self._show)

    def go(self, view: SceneView, goal: Stance) -> None:
        """Begin."""
        self.stop()
        self._view, self._start, self._goal = view, view.stance, goal
        self.start()

    def _show(self, share: float) -> None:
        view = self._view
        if view is not None:
            view.move_camera(lambda camera: camera.stand(self._start.towards(self._goal, share), view.aspect))


@dataclass(frozen=True)
class Before:
    """The window before a lesson began."""

    state: State
    look: Look
    playing: bool


class Staging(QObject):
    """Puts one scene after another into the window, and at last what was there before."""

    def __init__(self, window: MainWindow, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._document = window, document
        self.move = CameraMove(self)
        self._later = QTimer(self, singleShot=True, interval=_CAMERA_MS)
        self._later.timeout.connect(self._move_camera)
        self._scene: Scene | None = None
        self.staged: Preset | None = None
        """What the scene runs."""
        self._presets: dict[tuple[object, ...], Preset] = {}
        self._numbers: dict[str, int] = {}

    def take(self, lesson: Lesson) -> None:
        """Show scenes of this lesson from now on: a lane keeps its colour from one to the next."""
        self._numbers = lanes_of(lesson)

    def remember(self) -> Before:
        """All that scenes change."""
        window = self._window
        return Before(self._document.state, window.look, window.frame is not None and window.frame.playing)

    def show(self, scene: Scene, folder: Path | None) -> None:
        """Show this scene. `InputError` where its run cannot be made."""
        if scene.run not in self._presets:
            self._presets[scene.run] = preset_of(scene, folder)
        preset = self.staged = self._presets[scene.run]
        if self._document.state.preset != preset:
            self._document.show(State(preset, display_of(preset, self._numbers)))
        self._window.dress(look_of(scene, self._window.look))
        self._window.send(SetSpeed(scene.speed or preset.speed))
        self._go_to(scene.time, scene.play)
        self._scene = scene
        self.move.stop()
        self._later.start()

    def forget(self) -> None:
        """Read presets again that are files beside the lesson."""
        self._presets.clear()

    def give_back(self, before: Before, run: bool = True) -> None:
        """The window as it was; without its run where it is about to close."""
        self._later.stop()
        self.move.stop()
        self.forget()
        window, look = self._window, before.look
        if run:
            self._document.show(before.state)
        window.dress(look.taking(window.look, (ROOM,)))
        if not run:
            return
        place = snapshot_of(Session(before.state.preset, look))
        assert place is not None
        window.send(*replace(place, playing=before.playing).commands())

    def _go_to(self, time: float | None, play: bool | None) -> None:
        """Put the cursor there and play, or not; None leaves it."""
        if time is not None:
            self._window.send(Pause(), Seek(time))
        if play is not None:
            self._window.send(Play() if play else Pause())

    def _move_camera(self) -> None:
        scene = self._scene
        if scene is not None and (scene.view is not None or scene.zoom is not None):
            view = self._window.scene
            self.move.go(view, goal_of(view, scene.view, scene.zoom or 1.0))

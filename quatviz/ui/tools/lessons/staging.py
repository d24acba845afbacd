"""A scene in the window: the run, what is seen of it, from where, and when. And the window as it was before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QSplitter, QWidget

from quatviz.base.errors import InputError
from quatviz.document.document import Document
from quatviz.document.state import State, snapshot_of
from quatviz.feed.frame import Frame
from quatviz.lessons import Scene
from quatviz.lessons.runs import look_of, preset_of
from quatviz.look.look import Look
from quatviz.look.plain import ROOM
from quatviz.look.session import Session
from quatviz.simulation.commands import Pause, Play, Seek, SetSpeed
from quatviz.text.preset import Preset
from quatviz.ui.kit.acts import Acts
from quatviz.ui.scene.view import SceneView
from quatviz.ui.tools.lessons.camera_move import CameraMove, goal_of

_CAMERA_MS = 120
"""How long the camera waits for the first picture of a run, which says where h points."""


class Stage(Protocol):
    """What a lesson asks of the window in which it is presented."""

    splitter: QSplitter
    acts: Acts[Any]
    frame: Frame | None

    @property
    def side(self) -> QWidget:
        """The column in whose place the words stand."""
        ...

    @property
    def scene(self) -> SceneView:
        """The view whose camera scenes move."""
        ...

    @property
    def look(self) -> Look:
        """How the run is shown now."""
        ...

    @property
    def command(self) -> SignalInstance:
        """Takes a `simulation.commands.Command`."""
        ...

    def dress(self, look: Look) -> None:
        """Show the run in another way."""
        ...

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence in the status row."""
        ...

    def explain(self, refusal: InputError) -> None:
        """Say there why something cannot be."""
        ...

    def width(self) -> int: ...
    def setFocus(self) -> None: ...


@dataclass(frozen=True)
class Before:
    """The window before a lesson began."""

    state: State
    look: Look
    playing: bool


class Staging(QObject):
    """Puts one scene after another into the window, and at last what was there before."""

    def __init__(self, window: Stage, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._document = window, document
        self.move = CameraMove(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_CAMERA_MS)
        self._later.timeout.connect(self._move_camera)
        self._scene: Scene | None = None
        self._presets: dict[tuple[object, ...], Preset] = {}

    def remember(self) -> Before:
        """All that scenes change."""
        window = self._window
        return Before(self._document.state, window.look, window.frame is not None and window.frame.playing)

    def show(self, scene: Scene, folder: Path | None) -> None:
        """Show this scene. `InputError` where its run cannot be made."""
        if scene.run not in self._presets:
            self._presets[scene.run] = preset_of(scene, folder)
        preset = self._presets[scene.run]
        if self._document.state.preset != preset:
            self._document.show(State.of(preset))
        self._window.dress(look_of(scene, self._window.look))
        self._window.command.emit(SetSpeed(scene.speed or preset.speed))
        self._go_to(scene.time, scene.play)
        self._scene = scene
        self.move.stop()
        self._later.start()

    def give_back(self, before: Before, run: bool = True) -> None:
        """The window as it was; without its run where it is about to close."""
        self._later.stop()
        self.move.stop()
        self._presets.clear()
        window, look = self._window, before.look
        if run:
            self._document.show(before.state)
        window.dress(look.taking(window.look, (ROOM,)))
        if not run:
            return
        place = snapshot_of(Session(before.state.preset, look))
        assert place is not None
        for command in replace(place, playing=before.playing).commands():
            window.command.emit(command)

    def _go_to(self, time: float | None, play: bool | None) -> None:
        """Put the cursor there and play, or not; None leaves it."""
        send = self._window.command.emit
        if time is not None:
            send(Pause())
            send(Seek(time))
        if play is not None:
            send(Play() if play else Pause())

    def _move_camera(self) -> None:
        scene = self._scene
        if scene is not None and (scene.view is not None or scene.zoom is not None):
            view = self._window.scene
            self.move.go(view, goal_of(view, scene.view, scene.zoom or 1.0))

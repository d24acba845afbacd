"""A scene in the window: the run, what is seen of it, from where, and when. And the window as it was before."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from quatviz.core.preset import Preset
from quatviz.lessons import Scene
from quatviz.lessons.runs import preset_of
from quatviz.simulation.commands import Pause, Play, Seek, SetLoop, SetSpeed
from quatviz.ui.editing import Editor, State
from quatviz.ui.lessons.camera_move import CameraMove, Place, goal_of, place_of, put
from quatviz.ui.main_window import MainWindow
from quatviz.ui.plotting.choices import SEQUENCE, frame_choice
from quatviz.ui.scene.plan import Plan

_FRAMES = (frame_choice("omega_frame"), frame_choice("h_frame"))
_CAMERA_MS = 120
"""How long the camera waits for the first picture of a run, which says where h points."""


@dataclass
class Before:
    """The window before a lesson began."""

    state: State
    panels: dict[str, bool]
    arrangement: str
    items: dict[str, bool]
    plan: dict[str, str]
    camera: Place
    magnification: int
    difference: bool
    sequence: str
    components: tuple[str, ...]
    """Of omega and of h."""
    time: float
    speed: float
    playing: bool
    loop: bool
    sizes: list[int] = field(default_factory=list)


class Staging(QObject):
    """Puts one scene after another into the window, and at last what was there before."""

    def __init__(self, window: MainWindow, editor: Editor) -> None:
        super().__init__(window)
        self._window, self._editor = window, editor
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
        playback = window.playback
        return Before(
            self._editor.state,
            window.board.wishes,
            window.board.arranger.text(),
            window.views.wishes,
            window.views.plan.to_texts(),
            place_of(window.scene),
            window.views.magnification,
            window.board.difference,
            window.board.choices.option(SEQUENCE),
            tuple(window.board.choices.option(choice) for choice in _FRAMES),
            self._editor.clock(),
            playback.speed,
            playback.playing,
            playback.loop,
            window.splitter.sizes(),
        )

    def show(self, scene: Scene, folder: Path | None) -> None:
        """Show this scene. `Refusal` where its run cannot be made."""
        if scene.run not in self._presets:
            self._presets[scene.run] = preset_of(scene, folder)
        preset = self._presets[scene.run]
        if self._editor.state.preset != preset:
            self._editor.go(State.of(preset))
        self._dress(scene)
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
        window = self._window
        if run:
            self._editor.go(before.state)
        window.board.arranger.recall(before.arrangement)
        window.board.wish(before.panels)
        window.board.set_difference(before.difference)
        window.views.forget_wishes()
        window.views.wish(before.items)
        window.views.arrange(Plan.from_texts(before.plan))
        window.magnifier.set_power(before.magnification)
        if window.board.choices.option(SEQUENCE) != before.sequence:
            window.board.choices.choose(SEQUENCE, before.sequence)
        for choice, option in zip(_FRAMES, before.components, strict=True):
            window.board.choices.choose(choice, option)
        put(window.scene, before.camera)
        if not run:
            return
        send = window.command.emit
        send(SetSpeed(before.speed))
        send(SetLoop(before.loop))
        self._go_to(before.time, before.playing)

    def _go_to(self, time: float | None, play: bool | None) -> None:
        """Put the cursor there and play, or not; None leaves it."""
        send = self._window.command.emit
        if time is not None:
            send(Pause())
            send(Seek(time))
        if play is not None:
            send(Play() if play else Pause())

    def _dress(self, scene: Scene) -> None:
        """What is seen of the run."""
        window = self._window
        board, views = window.board, window.views
        board.wish({name: name in scene.panels for name in board.titles} if scene.panels else {})
        board.set_difference(bool(scene.difference))
        if scene.components is not None:
            for choice in _FRAMES:
                board.choices.choose(choice, scene.components)
        if scene.sequence is not None:
            board.choices.choose(SEQUENCE, scene.sequence)
        for name, item in views.items.items():
            wanted = item.shown_at_first or name in (scene.show or ())
            wanted = wanted and name not in (scene.hide or ())
            if views.shows(name) != wanted:
                views.set_item_visible(name, wanted)
        plan = Plan(number=scene.views or 1)
        if scene.frame is not None:
            plan.from_body = [scene.frame == "body"] * len(plan.from_body)
        if plan != views.plan:
            views.arrange(plan)
        window.magnifier.set_power(scene.magnify or 0)

    def _move_camera(self) -> None:
        scene = self._scene
        if scene is not None and (scene.view is not None or scene.zoom is not None):
            view = self._window.scene
            self.move.go(view, goal_of(view, scene.view, scene.zoom or 1.0))

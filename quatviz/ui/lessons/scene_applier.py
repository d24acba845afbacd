"""Application of a lesson's scenes to the window: run, view, camera and time. The user's own run is restored afterwards."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QVariantAnimation

from quatviz.display.document.document import Document, OwnRun
from quatviz.display.document.state import State, initial_snapshot
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.session import Session
from quatviz.files.preset import Preset
from quatviz.files.schema import SCREEN
from quatviz.simulation.commands import Pause, Play, Seek, SetSpeed
from quatviz.teaching.lessons import Lesson, Scene
from quatviz.teaching.lessons.scene_runs import lane_numbers, lane_styles_of, preset_of, scene_view_state
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.window.main_window import MainWindow

_CAMERA_DELAY_MS = 120
"""Delay before the camera moves [ms]. It lets the first frame of the run arrive, which gives the direction of
h."""
_CAMERA_MOVE_MS = 800


def target_pose(view: SceneView, direction: str | None, zoom: float) -> CameraPose:
    """Return the pose of a camera that looks from `direction` and shows the whole scene, or `1/zoom` of it.

    The current direction is kept if `direction` is None.
    """
    before = view.camera_pose
    view.fit()
    if direction is not None:
        view.look_from(direction)
    target = view.camera_pose
    view.move_camera(lambda camera: camera.set_pose(before, view.aspect))
    return replace(target, shown=target.shown / zoom)


class CameraAnimation(QVariantAnimation):
    """Animation that moves the camera of one view within 0.8 s."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._view: SceneView | None = None
        self._start, self._target = CameraPose(), CameraPose()
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(_CAMERA_MOVE_MS)
        self.valueChanged.connect(self._apply_share)

    def animate(self, view: SceneView, target: CameraPose) -> None:
        """Start to move the camera of `view` to the pose `target`."""
        self.stop()
        self._view, self._start, self._target = view, view.camera_pose, target
        self.start()

    def _apply_share(self, share: float) -> None:
        view = self._view
        if view is not None:
            view.move_camera(
                lambda camera: camera.set_pose(self._start.interpolate(self._target, share), view.aspect)
            )


class SceneApplier(QObject):
    """Object that applies the scenes of a lesson to the window, and restores the user's run at the end."""

    def __init__(self, window: MainWindow, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._document = window, document
        self.camera_animation = CameraAnimation(self)
        self._camera_timer = QTimer(self, singleShot=True, interval=_CAMERA_DELAY_MS)
        self._camera_timer.timeout.connect(self._move_camera)
        self._scene: Scene | None = None
        self.applied_preset: Preset | None = None
        """Preset of the scene that was applied last, or None."""
        self._presets: dict[tuple[object, ...], Preset] = {}
        self._lane_numbers: dict[str, int] = {}

    def set_lesson(self, lesson: Lesson) -> None:
        """Assign a color number to each lane name of this lesson, so that a lane has the same color in all scenes."""
        self._lane_numbers = lane_numbers(lesson)

    def own_run(self) -> OwnRun:
        """Return everything that a scene changes: the current run, its view state, and whether it plays."""
        window, frame = self._window, self._window.shown_run.frame
        return OwnRun(self._document.state, window.view_state, frame is not None and frame.playing)

    def apply(self, scene: Scene, folder: Path | None) -> None:
        """Apply a scene to the window.

        Parameters
        ----------
        scene
            The scene to be shown.
        folder
            Folder of the lesson, in which its presets are found.

        Raises
        ------
        InputError
            If the run of the scene cannot be made.
        """
        if scene.run_key not in self._presets:
            self._presets[scene.run_key] = preset_of(scene, folder)
        preset = self.applied_preset = self._presets[scene.run_key]
        if self._document.state.preset != preset:
            self._document.preview(State(preset, lane_styles_of(preset, self._lane_numbers)))
        self._window.store.assign(scene_view_state(scene, self._window.view_state))
        self._window.send(SetSpeed(scene.speed or preset.speed))
        self._set_time(scene.time, scene.play)
        self._scene = scene
        self.camera_animation.stop()
        self._camera_timer.start()

    def clear_presets(self) -> None:
        """Discard cached presets, so that files beside the lesson are read again."""
        self._presets.clear()

    def restore(self, before: OwnRun, restore_run: bool = True) -> None:
        """Restore the view state from before the lesson and, if `restore_run` is True, the run. It is False when the window
        closes."""
        self._camera_timer.stop()
        self.camera_animation.stop()
        self.clear_presets()
        window, view_state = self._window, before.view_state
        if restore_run:
            self._document.preview(before.state)
        window.store.assign(view_state.merged_with(window.view_state, (SCREEN,)))
        window.part_widths.restore()
        if not restore_run:
            return
        snapshot = initial_snapshot(Session(before.state.preset, view_state))
        assert snapshot is not None
        window.send(*replace(snapshot, playing=before.is_playing).restore_commands())

    def _set_time(self, time: float | None, play: bool | None) -> None:
        """Move the cursor to `time` [s], and start or stop the playback. An argument that is None changes nothing."""
        if time is not None:
            self._window.send(Pause(), Seek(time))
        if play is not None:
            self._window.send(Play() if play else Pause())

    def _move_camera(self) -> None:
        scene = self._scene
        if scene is not None and (scene.view is not None or scene.zoom is not None):
            view = self._window.scene
            self.camera_animation.animate(view, target_pose(view, scene.view, scene.zoom or 1.0))

"""Fixtures and helpers for the tests of several 3D views."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from action_stubs import actions_on, make_host
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from scene_maker import NEVER_MS, ROTATED, VECTORS, free_run
from scene_maker import make_frame as frame_of_two

from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.scene.items.gimbals import Gimbals
from quatviz.display.scene.items.h import MomentumArrow
from quatviz.physics.mechanics.rotations import from_rotation_vector, orientation_matrix
from quatviz.ui.scene import scene_view
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import SceneViewGrid

THREE_LANES = ("one", "two", "three")


@pytest.fixture
def views(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[SceneViewGrid]:
    """Create views on the screen with bodies, ghosts and two lanes."""
    monkeypatch.setattr(scene_view, "REST_DELAY_MS", NEVER_MS)
    host = make_host()
    item_types = [BodyItem, Ghosts, MomentumArrow, Gimbals]
    views = host.views = SceneViewGrid(item_classes=item_types, action_registry=actions_on(host))
    host.store = views.store
    qtbot.addWidget(views)
    views.resize(800, 700)
    with qtbot.waitExposed(views):
        views.show()
    views.start(free_run())
    views.show_frame(frame_of_two(ROTATED))
    yield views
    views.shutdown()


def make_run(*names: str) -> FakeRun:
    return FakeRun(names)


def make_lanes_frame(*names: str, time: float = 7.0, playing: bool = False) -> Frame:
    """Return a frame in which each lane is rotated further than the one before."""
    frame = make_run(*names).frame(time)
    lanes = []
    for number, lane in enumerate(frame.lanes):
        p = from_rotation_vector([0.0, 0.3, 0.5 * (number + 1)])
        lanes.append(replace(lane, pose=Pose(p, orientation_matrix(p), VECTORS)))
    return replace(frame, lanes=tuple(lanes), playing=playing, scales=dict.fromkeys(VECTORS, 2.0))


def body_rotation(view: SceneView) -> np.ndarray:
    """Return the rotation matrix of the drawn solid body."""
    (mesh,) = (mesh for mesh in view.stage.meshes if mesh.material == "painted" and mesh.visible)
    return np.array(mesh.transform[:3, :3])


def count_ghosts(view: SceneView) -> int:
    return sum(mesh.visible for mesh in view.stage.meshes if mesh.material == "glass")


def drag(view: SceneView, x: int, y: int, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Drag by `x` and `y` pixels from the middle of the view."""
    start = view.rect().center()
    QTest.mousePress(view, button, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view, start + QPoint(x, y))
    QApplication.processEvents()
    QTest.mouseRelease(view, button, Qt.KeyboardModifier.NoModifier, start + QPoint(x, y))


def zoom_in(view: SceneView) -> float:
    """Turn the wheel by two notches and return the ratio of the distances."""
    before, at = view.camera.distance, QPointF(view.rect().center())
    event = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)
    return before / view.camera.distance


def heading_texts(view: SceneView) -> list[str]:
    return [text for text, _ in view.text_overlay.title_lines]


def legend_texts(view: SceneView) -> list[str]:
    return [text for text, _ in view.legend]

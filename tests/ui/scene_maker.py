"""Fixtures and helpers for the tests of the 3D view."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun
from PySide6.QtGui import QColor, QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.base import SceneItem
from quatviz.physics.loads import bind
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.ui.scene import scene_view
from quatviz.ui.scene.scene_view import SceneView

Maker = Callable[..., SceneView]
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
ROTATED = np.array([np.cos(0.5), *(np.sin(0.5) * np.array([0.6, 0.0, 0.8]))])
X, Y, Z = np.eye(3)
RING = Ring(mass=1.0, mean_radius=3.5, arc_angle=np.pi, spin=1.0)
LOADS = bind(
    (
        PointForce(force=[0.0, 1.0, -1.0], point=[1.0, 0.2, 0.4]),
        Spring(stiffness=0.5, point=[-1.0, 0.0, 0.5], anchor=[-2.0, 1.0, 2.0]),
    ),
    Body(inertia=[1.0, 1.0, 1.0]),
)
VECTORS = {
    "omega": np.array([1.0, -0.5, 0.6]),
    "h": np.array([0.2, 0.9, 1.4]),
    "torque": np.array([-1.2, 0.4, 0.3]),
    "pivot_force": np.array([0.6, -0.5, 1.1]),
}


def paint_log(view: SceneView, qtbot: QtBot) -> list[None]:
    """Return a list that gains one entry for each completed paint of the view from now on."""
    paints: list[None] = []
    view.painted.connect(lambda: paints.append(None))
    wait_until_stable(lambda: len(paints), qtbot)
    paints.clear()
    return paints


def wait_until_stable(count: Callable[[], int], qtbot: QtBot) -> None:
    """Wait until the count is stable and the display server has no pending events."""

    def is_stable() -> bool:
        before = count()
        QGuiApplication.sync()
        qtbot.wait(50)
        return count() == before

    qtbot.waitUntil(is_stable)


NEVER_MS = 10**8
"""Delay [ms] longer than any test."""


@pytest.fixture
def without_rest_redraw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the smooth redraw at rest, so that pictures can be compared."""
    monkeypatch.setattr(scene_view, "REST_DELAY_MS", NEVER_MS)


@pytest.fixture
def make(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    """Create views of 640 by 480 pixels on the screen, never redrawn at rest, and shut them down
    afterwards."""
    monkeypatch.setattr(scene_view, "REST_DELAY_MS", NEVER_MS)
    views = []

    def make_view(
        item_types: list[type[SceneItem]] | None = None, run: FakeRun | None = None, sequence: str = "321"
    ) -> SceneView:
        view = SceneView(item_classes=item_types, sequence=lambda: sequence)
        qtbot.addWidget(view)
        view.resize(640, 480)
        with qtbot.waitExposed(view):
            view.show()
        views.append(view)
        view.start(run or spinning_run())
        view.show_frame(make_frame())
        return view

    yield make_view
    for view in views:
        view.shutdown()


def spinning_run() -> FakeRun:
    """Return a run with two lanes that turn about an axis of their own, a ring, a force and a spring."""
    run = FakeRun()
    run.info = replace(run.info, body=replace(run.info.body, ring=RING), loads=LOADS)
    half = 0.4 * run.t[:, None]
    for lane in run.data:
        run.data[lane]["p"] = np.hstack((np.cos(half), np.sin(half) * np.array([0.6, 0.8, 0.0])))
    return run


def free_run() -> FakeRun:
    """Return the same run without ring and loads."""
    run = spinning_run()
    run.info = replace(run.info, body=replace(run.info.body, ring=None), loads=())
    return run


def make_frame(
    p: np.ndarray = IDENTITY, time: float = 7.0, vectors: dict[str, np.ndarray] | None = None
) -> Frame:
    """Return a frame with every lane at orientation `p`, the second rotated further. A vector of magnitude
    2 has full length."""
    run = FakeRun()
    lanes = []
    for number, lane in enumerate(run.frame(time).lanes):
        rotation = np.linalg.matrix_power(orientation_matrix(p), number + 1)
        rotated = {name: rotation @ vector for name, vector in VECTORS.items()}
        lanes.append(replace(lane, pose=Pose(p, rotation, rotated | (vectors or {}))))
    return replace(run.frame(time), lanes=tuple(lanes), scales=dict.fromkeys((*VECTORS, "force"), 2.0))


def grab_pixels(view: SceneView) -> np.ndarray:
    """Return the current picture (rows, columns, RGB)."""
    return pixels_of(view.grab().toImage())


def pixels_of(picture: QImage) -> np.ndarray:
    """Return the pixels of a picture (rows, columns, RGB)."""
    image = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return pixels[:, :, 2::-1].astype(int)


def changed_pixels(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return the pixels that differ (n, 2), as x and y."""
    return np.argwhere(np.abs(before - after).max(axis=2) > 8)[:, ::-1]


def pixels_of_hue(pixels: np.ndarray, color: str) -> np.ndarray:
    """Return pixels (n, 2), as x and y, in a bright or shaded tone of `color`."""
    hue, is_saturated = QColor(color).hueF(), pixels.max(axis=2) - pixels.min(axis=2) > 60
    indices = np.argwhere(is_saturated)
    hues = np.array([QColor(*pixels[y, x].tolist()).hueF() for y, x in indices])
    return indices[np.abs((hues - hue + 0.5) % 1.0 - 0.5) < 0.04][:, ::-1]


def pixels_of_body(pixels: np.ndarray) -> np.ndarray:
    """Return pixels (n, 2), as x and y, of the body's warm gray, which no background has."""
    red, blue = pixels[..., 0].astype(int), pixels[..., 2].astype(int)
    return np.argwhere((red > 60) & (red - blue > 4) & (red - blue < 60))[:, ::-1]


def without_labels(view: SceneView) -> SceneView:
    """Hide the labels, whose colors are those of the items they name."""
    for label in list(view.stage.labels):
        view.stage.remove(label)
    for key in list(view.stage.legend_lines):
        view.stage.set_legend_line(key, "", "")
    view.redraw()
    return view

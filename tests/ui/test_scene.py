"""The 3D view with a real OpenGL context: what is drawn, where, and what is omitted."""

import math
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from scene_maker import (  # noqa: F401 (make is a fixture)
    IDENTITY,
    ROTATED,
    VECTORS,
    Maker,
    X,
    Y,
    Z,
    changed_pixels,
    grab_pixels,
    make,
    make_frame,
    paint_log,
    pixels_of_hue,
    spinning_run,
    without_labels,
)

from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.scene import items
from quatviz.display.scene.base import MAX_ARROW_LENGTH, Mesh, SceneItem, Stage
from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.scene.items.body_triad import BodyTriad
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.scene.items.h import MomentumArrow
from quatviz.display.scene.items.omega import OmegaArrow
from quatviz.display.scene.items.torque import TorqueArrow
from quatviz.display.view_state.theme import DARK, LIGHT, Theme
from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.widgets.style import set_own_theme


def test_every_item_module_is_registered() -> None:
    modules = {path.stem for path in Path(items.__path__[0]).glob("*.py")} - {"__init__"}
    assert modules
    assert set(ITEMS) == modules


@pytest.mark.parametrize("item", [OmegaArrow, MomentumArrow, TorqueArrow])
@pytest.mark.parametrize("length", [2.0, 1.0])
@pytest.mark.parametrize("direction", [X, -X, Y, -Y, Z, -Z, np.array([-0.6, -0.48, 0.64])], ids=str)
def test_arrow_points_along_its_vector(
    make: Maker, item: type[SceneItem], length: float, direction: np.ndarray
) -> None:
    view = make([item])
    view.show_frame(make_frame(ROTATED, vectors={item.name: length * direction}))
    pixels = pixels_of_hue(grab_pixels(without_labels(view)), getattr(DARK, item.name))
    tip = MAX_ARROW_LENGTH * length / 2 * direction
    base, along, end = view.project(np.array([np.zeros(3), 0.6 * tip, 0.97 * tip]))
    for point in (base, along, end):
        assert np.linalg.norm(pixels + 0.5 - point, axis=1).min() < 1.5
    axis = (end - base) / np.linalg.norm(end - base)
    reach = (pixels + 0.5 - base) @ axis
    assert reach.max() == pytest.approx(np.linalg.norm(end - base), abs=8.0)
    assert reach.min() > -8.0


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("length", [1e39, 1e300, math.inf, math.nan])
def test_arrow_that_exceeds_single_precision_is_hidden(make: Maker, length: float) -> None:
    """The vector of a diverging lane may be drawn before the scale follows it."""
    view = make([OmegaArrow])
    view.show_frame(make_frame(ROTATED, vectors={"omega": np.array([length, 0.0, 0.0])}))
    assert len(pixels_of_hue(grab_pixels(without_labels(view)), DARK.omega)) == 0


def test_arrows_starting_inside_the_body_are_visible(make: Maker) -> None:
    view = make([BodyItem, OmegaArrow])
    view.show_frame(make_frame(IDENTITY, vectors={"omega": 2.0 * Z}))
    x, y = np.floor(view.project(0.3 * Z[None])[0]).astype(int)
    with_arrow = grab_pixels(without_labels(view))[y, x]
    view.set_item_visible("omega", False)
    body = grab_pixels(view)[y, x]
    assert np.abs(with_arrow - body).max() > 25
    ink = np.array([int(DARK.omega[at : at + 2], 16) for at in (1, 3, 5)])
    assert np.abs(with_arrow - ink).max() > 25, "faintly, because it lies behind"


def test_body_axes_follow_the_rotation(make: Maker) -> None:
    view = make([BodyTriad])
    view.show_frame(make_frame(ROTATED))
    pixels, tips = grab_pixels(without_labels(view)), 1.2 * orientation_matrix(ROTATED).T
    for color, position in zip(DARK.components[1:], view.project(tips), strict=True):
        assert np.linalg.norm(pixels_of_hue(pixels, color) + 0.5 - position, axis=1).min() < 2.0


def test_hidden_lane_has_no_ghost(make: Maker) -> None:
    empty, view, now = grab_pixels(make([])), make([Ghosts]), make_frame()
    view.show_frame(replace(now, lanes=(now.lanes[0], replace(now.lanes[1], visible=False))))
    assert np.array_equal(grab_pixels(view), empty)


def test_theme_change_recolors_the_scene(make: Maker) -> None:
    view = make([OmegaArrow, BodyItem])
    set_own_theme(view, LIGHT)
    view.show_frame(make_frame())
    pixels = grab_pixels(view)
    assert pixels[2, 2].tolist() == pytest.approx(
        [int(LIGHT.sky_top[i : i + 2], 16) for i in (1, 3, 5)], abs=2
    )
    assert len(pixels_of_hue(pixels, LIGHT.omega)) > 100


class _Breaks(SceneItem):
    """Item that draws a large triangle and fails in a chosen method."""

    name, title, order = "breaks", "Broken thing", 15
    failing = "show"

    def _may_fail(self, method: str) -> None:
        if method == self.failing:
            raise ValueError("no such thing")

    def __init__(self, stage: Stage, theme: Theme, source: ColumnSource) -> None:
        super().__init__(stage, theme, source)
        corners = [(-2, 0, -2), (2, 0, -2), (0, 0, 2)]
        rows = np.hstack((corners, np.tile((0, -1, 0), (3, 1)))).astype(np.float32)
        stage.add(Mesh(rows, "#ffffff"))
        self._may_fail("make")

    def show(self, frame: Frame) -> None:
        self._may_fail("show")


def test_failed_item_is_not_visible(make: Maker) -> None:
    view = make([_Breaks])
    view.show_frame(make_frame())
    assert view.stage.items == {}
    assert not view.stage.is_visible("breaks")
    view.stage.forced_items = ("breaks",)
    assert not view.stage.is_visible("breaks")


class _RecordingItem(_Breaks):
    """Item that records its frames and is hidden at first."""

    name, visible_by_default, failing = "counted", False, ""
    shown: ClassVar[list[Frame]] = []

    def show(self, frame: Frame) -> None:
        self.shown.append(frame)


def test_hidden_item_gets_no_frames_until_enabled(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Frame] = []
    monkeypatch.setattr(_RecordingItem, "shown", shown)
    view = make([_RecordingItem, BodyItem])
    view.show_frame(make_frame(ROTATED, 8.0))
    assert (shown, view.stage.is_visible("counted"), view.stage.is_visible("body")) == ([], False, True)
    assert view.stage.primitives_of("counted") == (), "a hidden item creates no primitives"
    last = make_frame(ROTATED, 9.0)
    view.show_frame(last)
    view.apply_visibility({"counted": True, "unheard_of": True})
    assert (shown, view.stage.item_visibility) == ([last], {"counted": True})
    (drawn,) = view.stage.primitives_of("counted")
    assert drawn in view.stage.meshes
    view.show_frame(make_frame(IDENTITY, 10.0))
    view.set_item_visible("counted", False)
    view.show_frame(make_frame(ROTATED, 11.0))
    assert len(shown) == 2
    assert drawn not in view.stage.meshes


@pytest.mark.parametrize("failing", ["make", "show"])
def test_failing_item_is_removed_and_reported_once(
    qtbot: QtBot, make: Maker, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    monkeypatch.setattr(_Breaks, "failing", failing)
    whole = grab_pixels(make([BodyItem, OmegaArrow]))
    problems: list[str] = []
    view = SceneView(item_classes=[BodyItem, _Breaks, OmegaArrow])
    view.problem_reported.connect(problems.append)
    qtbot.addWidget(view)
    view.resize(640, 480)
    with qtbot.waitExposed(view):
        view.show()
    view.start(spinning_run())
    for _ in range(3):
        view.show_frame(make_frame())
        set_own_theme(view, LIGHT)
        set_own_theme(view, DARK)
        view.set_item_visible("breaks", True)
    handle_events()
    assert problems == ["Broken thing is not drawn: ValueError: no such thing"]
    assert set(view.stage.items) == {"body", "omega"}
    assert np.array_equal(grab_pixels(view), whole)
    view.shutdown()


@pytest.mark.parametrize("direction", [X, Y, Z, -Z, VECTORS["omega"]], ids=str)
def test_labels_of_parallel_arrows_do_not_overlap(make: Maker, direction: np.ndarray) -> None:
    view = make()
    vector = 2.0 * direction / np.linalg.norm(direction)
    for p in (IDENTITY, ROTATED):
        view.show_frame(make_frame(p, vectors=dict.fromkeys(VECTORS, vector)))
        grab_pixels(view)
        boxes = view.text_overlay.labels.boxes
        assert set(boxes) == {"x", "y", "z", "e₁", "e₂", "e₃", "ω", "h", "n", "f₁", "f₂"}
        for text, box in boxes.items():
            assert view.rect().contains(box.toAlignedRect()), text
            assert not [other for other, its in boxes.items() if other != text and its.intersects(box)]


def test_each_frame_is_painted_once(qtbot: QtBot, make: Maker) -> None:
    view = make()
    paints = paint_log(view, qtbot)
    for number in range(1, 9):
        with qtbot.waitSignal(view.painted):
            view.show_frame(make_frame(ROTATED, 7.0 + 0.1 * number))
        qtbot.wait(20)  # a second repaint would come now
        assert len(paints) == number


def test_rapid_frames_show_the_last_one(make: Maker) -> None:
    view, other = without_labels(make()), without_labels(make())
    view.show_frame(make_frame(IDENTITY))
    for time in (7.1, 7.2, 7.3):
        view.show_frame(make_frame(ROTATED, time))
    other.show_frame(make_frame(ROTATED, 7.3))
    assert np.array_equal(grab_pixels(without_labels(view)), grab_pixels(without_labels(other)))


def test_resized_view_is_drawn_at_its_new_size(make: Maker) -> None:
    view, other = without_labels(make()), without_labels(make())
    grab_pixels(view)
    for scene_view in (view, other):
        scene_view.resize(500, 400)
        scene_view.fit()
    shown = grab_pixels(without_labels(view))
    assert shown.shape == (400, 500, 3)
    assert np.array_equal(shown, grab_pixels(without_labels(other)))


def test_unchanged_frame_is_not_drawn(qtbot: QtBot, make: Maker) -> None:
    view = make()
    view.show_frame(make_frame(ROTATED))
    paints = paint_log(view, qtbot)
    for _ in range(5):
        view.show_frame(make_frame(ROTATED))
        qtbot.wait(20)
    assert paints == []


def test_scene_follows_the_mouse(make: Maker) -> None:
    view = make([])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    shift = Qt.KeyboardModifier.ShiftModifier
    front = 0.9 * view.camera.back[None]
    for modifier in (none, shift):
        for step in (QPoint(40, 0), QPoint(0, 40), QPoint(-40, 0), QPoint(0, -40)):
            before, start = view.project(front)[0], QPoint(300, 200)
            QTest.mousePress(view, left, modifier, start)
            end = QPointF(start + step)
            view.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, end, end, left, left, modifier))
            QTest.mouseRelease(view, left, modifier, start + step)
            moved = view.project(front)[0] - before
            wanted = np.array(step.toTuple()) / 40
            assert moved @ wanted > 15
            assert abs(moved[0] * wanted[1] - moved[1] * wanted[0]) < 8

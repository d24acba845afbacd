"""Several 3D views: the active one, shared settings, and stored settings."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from scene_maker import ROTATED, free_run, grab_pixels, pixels_of_body, pixels_of_hue
from scene_maker import make_frame as frame_of_two
from views_maker import (  # noqa: F401 (views is a fixture)
    THREE_LANES,
    body_rotation,
    count_ghosts,
    drag,
    heading_texts,
    legend_texts,
    make_lanes_frame,
    make_run,
    views,
)

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, SceneItem
from quatviz.display.view_state.theme import DARK, GRID_UNIT, PROJECTOR
from quatviz.display.view_state.view_layout import ALL_LANES, ViewLayout
from quatviz.display.view_state.view_state import ViewState
from quatviz.physics.mechanics.rotations import from_rotation_vector
from quatviz.ui.scene.renderer import OffscreenCanvas
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.text_overlay import LabelPlacer, PlacedText, TextImage, TextOverlay
from quatviz.ui.scene.view_grid import SceneMenuButton, SceneViewGrid
from quatviz.ui.widgets.buttons import BUTTON_SIZE

# --- one of them is active


def test_pressed_view_becomes_active_and_is_marked(views: SceneViewGrid) -> None:
    views.set_number(2)
    assert [view.text_overlay.is_active for view in views.shown_views] == [True, False]
    drag(views.shown_views[1], 5, 0)
    assert views.active_view is views.shown_views[1]
    tops = [grab_pixels(view)[:2].reshape(-1, 3) for view in views.shown_views]
    accent = np.array([int(DARK.accent[i : i + 2], 16) for i in (1, 3, 5)])
    assert np.abs(tops[1] - accent).max() <= 1
    assert np.abs(tops[0] - accent).max() > 50
    views.activate_next()
    assert views.active_view is views.first_view
    views.activate_next()
    views.set_number(1)
    assert views.active_view is views.first_view
    assert not views.first_view.text_overlay.is_active


def test_all_views_show_one_time_while_playing(views: SceneViewGrid) -> None:
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_number(4)
    for number in range(1, 4):
        shown = frame_of_two(from_rotation_vector([0.0, 0.2 * number, 0.1]), 8.0 + number)
        views.show_frame(replace(shown, playing=True))
        for view in views.shown_views:
            assert np.allclose(body_rotation(view), shown.lanes[0].pose.rotation)  # type: ignore[union-attr]


# --- what they share


def test_item_visibility_is_shared_by_all_views(views: SceneViewGrid) -> None:
    views.set_number(2)
    views.set_item_visible("h", False)
    views.set_number(4)
    assert not any(view.stage.is_visible("h") for view in views.findChildren(SceneView))
    assert views.item_visibility["h"] is False
    views.store.assign(ViewState())
    assert all(view.stage.is_visible("h") for view in views.findChildren(SceneView))
    assert views.view_layout == ViewLayout()


def test_legend_lines_are_not_repeated_across_views(views: SceneViewGrid) -> None:
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_number(2)
    views.set_magnification(2)
    lines = [line for view in views.shown_views for line in legend_texts(view)]
    assert [line for line in lines if line.startswith("Differences from")] == [
        "Differences from one magnified × 10²"
    ]
    assert len(lines) == len(set(lines))
    assert legend_texts(views.shown_views[1]) == []
    views.set_view_layout(replace(views.view_layout, each=True))
    lines = [line for view in views.shown_views for line in legend_texts(view)]
    assert not [line for line in lines if line.startswith("Differences")], "a lane alone differs from nothing"


def test_small_view_has_a_small_legend(views: SceneViewGrid) -> None:
    for number in range(12):
        views.first_view.stage.set_legend_line(str(number), f"line {number}", "#ff00ff")
    views.set_item_visible("h", False)
    pixels = pixels_of_hue(grab_pixels(views.first_view), "#ff00ff")
    views.resize(400, 240)
    small = pixels_of_hue(grab_pixels(views.first_view), "#ff00ff")
    assert pixels[:, 1].min() > 0.7 * 700
    assert small[:, 1].min() > 0.7 * 240, "the body is in the middle"
    assert len(small) > 100


def test_low_view_shows_two_scales_and_a_compact_legend(
    qapp: QApplication,
) -> None:
    """One of the scales of ω, h, n and f was missing in large type, and one of ω and h in a view of half the height."""
    lines = {str(number): (f"line {number}", "#ff00ff") for number in range(4)}
    overlay, texts = overlay_and_texts()
    assert len(overlay.visible_legend(lines, False, 60.0)) == 2
    line = overlay.labels.line_height
    overlay.update_layout(QRectF(0, 0, 300, 16.5 * line), [], np.empty((0, 2)), lines, False, 1.0)
    assert texts == ["line 3", "line 2", "line 1", "line 0"]
    assert overlay.legend_size.height() < 4.5 * line, "no halo between two"


def overlay_and_texts() -> tuple[TextOverlay, list[str]]:
    """Return a text overlay and a list of the texts that it draws from now on."""
    overlay, texts = TextOverlay(lambda: PROJECTOR), list[str]()
    text_image = overlay.labels.text_image

    def record_text(text: str, color: str, ratio: float, pixels: int | None = None) -> TextImage:
        texts.append(text)
        return text_image(text, color, ratio, pixels)

    overlay.labels.text_image = record_text  # type: ignore[method-assign]
    return overlay, texts


def test_long_name_continues_on_a_second_line(qapp: QApplication) -> None:
    """ "Newt…uler" is not readable."""
    overlay, texts = overlay_and_texts()
    overlay.title_lines = ("Newton–Euler, rotation vector", "#ff00ff"), ("seen from space", "#808080")
    for wide, lines in (
        (400, ["Newton–Euler, rotation vector"]),
        (280, ["Newton–Euler,", "rotation vector"]),
    ):
        texts.clear()
        overlay.update_layout(QRectF(0, 0, wide, 300), [], np.zeros((0, 2)), {}, False, 1.0)
        assert texts[-len(lines) - 1 : -1] == lines


_SMALL = QRectF(0, 0, 186, 186)
"""A view of four in Compare on 1280x720."""


def test_name_over_a_small_view_is_complete(qapp: QApplication) -> None:
    overlay, texts = overlay_and_texts()
    for name in (
        "Lagrange in Euler angles: 3-2-1",
        "Newton–Euler, rotation vector",
        "Hamilton, reduced to h",
    ):
        texts.clear()
        overlay.title_lines = ((name, "#ff00ff"),)
        overlay.update_layout(_SMALL, [], np.empty((0, 2)), {}, False, 1.0)
        lines = list(dict.fromkeys(reversed(texts)))  # they are placed from the bottom up
        assert name in (" ".join(lines), " ".join(lines[1:])), (
            "the last lines, or the name before was measured"
        )


def test_two_line_name_is_replaced_by_its_brief_form(qapp: QApplication) -> None:
    overlay, texts = overlay_and_texts()
    overlay.title_lines = (("Lagrange in Euler angles: 3-2-1", "#ff00ff"),)
    overlay.brief_title = "3-2-1"
    for area, title in (
        (_SMALL, "3-2-1"),
        (QRectF(0, 0, 600, 186), "Lagrange in Euler angles: 3-2-1"),
        (QRectF(0, 0, 310, 310), "3-2-1"),
        (QRectF(0, 0, 700, 700), "Lagrange in Euler angles: 3-2-1"),
    ):
        texts.clear()
        overlay.update_layout(area, [], np.empty((0, 2)), {}, False, 1.0)
        assert texts[-1] == title


def test_wrapped_legend_leaves_the_body_free(qapp: QApplication) -> None:
    """Four rows and a name of two covered the body in the first of four views at 150 %."""
    overlay, texts = overlay_and_texts()
    lines = {
        "omega": ("ω   1 body radius = 0.9449 rad/s", "#ff00ff"),
        "h": ("h   1 body radius = 285.7 kg m²/s", "#ff00ff"),
    }
    overlay.update_layout(_SMALL, [], np.empty((0, 2)), lines, False, 1.0)
    assert texts == ["285.7 kg m²/s", "h   radius ="]
    texts.clear()
    overlay.update_layout(QRectF(0, 0, 300, 186), [], np.empty((0, 2)), lines, False, 1.0)
    assert len(texts) == 2


def test_name_of_a_small_view_stands_at_its_bottom(qapp: QApplication) -> None:
    for side, low in ((186.0, True), (300.0, False)):
        overlay = TextOverlay(lambda: DARK)
        overlay.title_lines = (("Hamilton, reduced to h", "#ff00ff"),)
        name = overlay.update_layout(QRectF(0, 0, side, side), [], np.empty((0, 2)), {}, False, 1.0)
        assert name.height() < 0.2 * side
        assert (name.top() > 0.8 * side) is low
        assert (name.bottom() < 0.25 * side) is not low
        lines = {str(number): (f"line {number}", "#ff00ff") for number in range(9)}
        alone = TextOverlay(lambda: DARK).visible_legend(lines, False, side)
        assert len(overlay.visible_legend(lines, False, side)) == len(alone) - low, (
            "it takes a line of the legend"
        )


def test_labels_do_not_overlap_names_or_labels_in_a_small_view(qapp: QApplication) -> None:
    overlay = TextOverlay(lambda: PROJECTOR)
    overlay.title_lines = (("Newton–Euler, rotation vector", "#ff00ff"),)
    over = overlay.update_layout(_SMALL, [], np.empty((0, 2)), {}, False, 1.0)
    labels = [Label(text, "#0000ff") for text in ("x", "y", "z", "e₁", "e₂", "e₃", "ω", "h", "n", "f")]
    points = np.array([[93.0 + 3.0 * index, 50.0 + 5.0 * index] for index in range(len(labels))])
    overlay.update_layout(_SMALL, labels, points, {}, False, 1.0)
    boxes = list(overlay.labels.boxes.values())
    assert not [first for first, second in combinations([over, *boxes], 2) if first.intersects(second)]


def test_label_returns_to_its_point_when_space_is_free(qapp: QApplication) -> None:
    """ "z" stood 45 pixels beside its axis, because other labels had been there once. A barely sufficient space moves no label."""
    labels, axis, point = LabelPlacer(lambda: PROJECTOR), [Label("z", "#0000ff")], np.array([[93.0, 93.0]])

    def away(half: float) -> float:
        """Return the distance of the label from its point with a box of half size `half` around the point."""
        label_image = TextImage(QImage(), 2 * half, 2 * half)
        taken = [PlacedText.at(93.0 - half, 93.0 - half, label_image)] if half else []
        labels.place_labels(axis, point, _SMALL, 1.0, taken)
        return float(np.hypot(*(np.array(labels.boxes["z"].center().toTuple()) - point[0])))

    near = away(0.0)
    clear = next(half for half in range(1, 60) if away(float(half)) > near)
    far = away(float(clear))
    assert far > near
    assert away(clear - 1.0) == far
    assert away(clear - 8.0) == near


def test_legend_lines_without_space_move_to_the_next_view(views: SceneViewGrid) -> None:
    views.set_number(2)
    views.resize(800, 180)
    for number in range(6):
        for view in views.shown_views:
            view.stage.set_legend_line(str(number), f"line {number}", "#ff00ff")
    first, second = (legend_texts(view) for view in views.shown_views)
    assert first
    assert second
    assert [line for line in (*second, *first) if line.startswith("line")] == [
        f"line {number}" for number in range(6)
    ][-len(first + second) :]


def test_legend_follows_the_order_of_items(views: SceneViewGrid) -> None:
    """The order of drawing decided, so its lines were reordered at each resize."""
    stage = views.first_view.stage
    for name in ("gimbals", "h", "ghosts factor", "missing"):
        views.set_item_visible(name.partition(" ")[0], True)
        stage.set_legend_line(name, "said", "#ff00ff")
    assert list(stage.legend_lines) == ["h", "gimbals", "ghosts factor", "missing"]


def test_long_name_over_a_view_ends_before_the_button(views: SceneViewGrid) -> None:
    overlay = TextOverlay(lambda: DARK)
    overlay.title_lines = (
        ("Lagrange with a name of many words: torque", "#ff00ff"),
        ("seen from space", "#888888"),
    )
    written = overlay.update_layout(QRectF(0, 0, 240, 160), [], np.empty((0, 2)), {}, False, 1.0)
    assert 100 < written.right() <= 240 - BUTTON_SIZE


def test_label_at_the_edge_is_whole_and_hidden_outside(
    views: SceneViewGrid,
) -> None:
    labels, area = LabelPlacer(lambda: DARK), QRectF(0, 0, 240, 160)
    for at, seen in ((-6.0, True), (-200.0, False)):
        (word,) = labels.place_labels([Label("z", "#0000ff")], np.array([[120.0, at]]), area, 1.0)
        assert area.contains(word.box) == seen


def test_magnification_control_is_in_the_first_view_with_several_lanes(views: SceneViewGrid) -> None:
    control = QLabel("differences", views)
    control.adjustSize()
    views.host_control(control)
    assert control.pos() == QPoint(GRID_UNIT, GRID_UNIT)
    views.set_number(2)
    assert control.isHidden()
    views.choose_lane(views.shown_views[1], ALL_LANES)
    assert control.pos() == views.shown_views[1].pos() + QPoint(GRID_UNIT, GRID_UNIT)
    assert views.shown_views[1].text_overlay.inset.width() >= control.width()
    assert not views.shown_views[0].text_overlay.inset.width()


def test_magnification_control_is_hidden_where_it_would_be_cut(views: SceneViewGrid) -> None:
    """The box showed one letter in a small view; its actions are in the menu."""
    control = QLabel("differences, many times as large as they are in the run that is shown here", views)
    views.host_control(control)
    needed = control.sizeHint().width()
    for wide, is_shown in ((900, True), (300, False), (900, True)):
        views.resize(wide, 400)
        assert (needed <= wide - BUTTON_SIZE - 3 * GRID_UNIT) is is_shown
        assert control.isHidden() is not is_shown
        assert control.width() == needed
        assert bool(views.first_view.text_overlay.inset.width()) is is_shown


def test_heading_stands_beside_or_below_the_magnification_control(views: SceneViewGrid) -> None:
    control = QLabel("differences", views)
    control.setFixedSize(150, 36)
    views.host_control(control)
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_item_visible("h", False)
    views.set_item_visible("body", False)
    for width, beside in ((800, True), (560, False)):
        views.resize(width, 500)
        views.set_number(4)
        ink = pixels_of_muted_text(views.first_view)
        assert bool(ink[:, 0].min() > 150) is beside
        assert bool(ink[:, 1].min() > 36) is not beside


def pixels_of_muted_text(view: SceneView) -> np.ndarray:
    """Return the pixels of the muted text of a heading."""
    muted = np.array([int(DARK.muted[i : i + 2], 16) for i in (1, 3, 5)])
    return np.argwhere(np.abs(grab_pixels(view)[:90, : view.width() - 48] - muted).max(axis=2) < 12)[:, ::-1]


def users(views: SceneViewGrid) -> list[SceneView]:
    """Return the views with a picture of their own, which draw in the shared context."""
    active = [view for view in views.findChildren(SceneView) if view.image is not None]
    assert len(active) == len(views.shared_graphics.users)
    return active


def test_shared_context_holds_each_mesh_once_until_the_last_view(views: SceneViewGrid, qtbot: QtBot) -> None:
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_number(4)
    for view in views.shown_views:
        view.grab()
    graphics = views.shared_graphics.graphics
    assert graphics is not None
    drawn = [
        mesh.vertices.tobytes() for view in views.shown_views for mesh in view.stage.meshes if mesh.visible
    ]
    assert len(graphics.vertices) == len(set(drawn)) < len(drawn)
    views.set_number(1)
    assert views.shared_graphics.graphics is graphics
    assert users(views) == [views.first_view]
    views.shutdown()
    assert views.shared_graphics.graphics is None
    assert len(graphics.vertices) == 0


def test_lost_opengl_of_one_view_does_not_affect_others(
    views: SceneViewGrid, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    views.set_number(2)
    for view in views.shown_views:
        view.grab()
    canvases: list[OffscreenCanvas] = []
    read_image = OffscreenCanvas.read_image

    def noted(canvas: OffscreenCanvas) -> object:
        canvases.append(canvas)
        return read_image(canvas)

    monkeypatch.setattr(OffscreenCanvas, "read_image", noted)
    views.shown_views[1].redraw()
    views.shown_views[1].grab()
    bad = canvases[-1]

    def lost(canvas: OffscreenCanvas) -> object:
        if canvas is bad:
            raise RuntimeError("context lost")
        return read_image(canvas)

    monkeypatch.setattr(OffscreenCanvas, "read_image", lost)
    messages: list[str] = []
    views.problem_reported.connect(messages.append)
    for time in (8.0, 9.0):
        views.show_frame(frame_of_two(ROTATED, time))
        for view in views.shown_views:
            view.grab()
        handle_events()
    assert [view.is_wireframe for view in views.shown_views] == [False, True]
    assert len(messages) == 1
    assert users(views) == [views.first_view]
    assert "drawn as lines, without OpenGL" in legend_texts(views.shown_views[1])
    views.show_frame(frame_of_two(from_rotation_vector([0.2, 0.1, 0.9]), 9.5))
    body = grab_pixels(views.shown_views[0])
    assert len(pixels_of_body(body)) > 4 * len(pixels_of_body(grab_pixels(views.shown_views[1]))), (
        "still a solid"
    )


def test_failing_item_is_reported_once(qtbot: QtBot) -> None:
    class FailingItem(SceneItem):
        name, title = "broken", "Broken"

        def show(self, frame: Frame) -> None:
            raise ValueError("no")

    views = SceneViewGrid(item_classes=[FailingItem])
    qtbot.addWidget(views)
    messages: list[str] = []
    views.problem_reported.connect(messages.append)
    views.set_number(4)
    views.start(free_run())
    views.show_frame(frame_of_two())
    qtbot.waitUntil(lambda: bool(messages))
    QApplication.processEvents()  # all four views had the error
    assert messages == ["Broken is not drawn: ValueError: no"]
    views.shutdown()


# --- its menu, and what is remembered


def test_view_menu_chooses_its_lane(views: SceneViewGrid) -> None:
    views.set_number(2)
    button = views.shown_views[1].findChild(SceneMenuButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert views.active_view is views.shown_views[1]
    menus = {inner.title(): inner for inner in menu.findChildren(QMenu)}
    lanes = {action.text(): action for action in menus["Lane of this view"].actions()}
    assert [text for text, action in lanes.items() if action.isChecked()] == ["two"]
    lanes["one"].trigger()
    assert [heading_texts(view) for view in views.shown_views] == [["two"], ["one"]]
    several = {action.text().split("\t")[0]: action for action in menus["Views"].actions()}
    several["Linked cameras"].trigger()
    assert not views.view_layout.linked
    several["Four 3D views"].trigger()
    assert views.view_layout.number == 4
    menu.close()


def test_view_layout_is_restored_and_damaged_one_discarded() -> None:
    plan = ViewLayout(number=4, each=False, linked=False, from_body={2: True, 3: False})
    assert ViewLayout.from_table(plan.to_table()) == plan
    assert ViewLayout.from_table({}) == ViewLayout()
    damaged = {"number": 3, "each": "x", "linked": "", "from_body": "body"}
    assert ViewLayout.from_damaged_table(damaged) == (ViewLayout(), ["number", "each", "linked", "from_body"])
    half = {"from_body": {"1": True, "2": "x", "3": False}}
    assert ViewLayout.from_damaged_table(half)[0].from_body == {1: True, 3: False}

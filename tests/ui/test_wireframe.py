"""The 3D view without OpenGL: the same items, drawn as lines."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from test_scene import (
    IDENTITY,
    ROTATED,
    VECTORS,
    changed_pixels,
    grab_pixels,
    make_frame,
    pixels_of_hue,
    spinning_run,
    without_labels,
)
from test_scene_items import RUNS

from quatviz.base.errors import InputError
from quatviz.display.scene.base import MAX_ARROW_LENGTH
from quatviz.display.scene.items import ITEMS
from quatviz.display.scene.items.omega import OmegaArrow
from quatviz.display.view_state.theme import DARK
from quatviz.physics.geometry.polyhedron import Edges
from quatviz.physics.geometry.triangles import box, ellipsoid
from quatviz.ui.scene import scene_image as picture_module
from quatviz.ui.scene.renderer import OffscreenCanvas
from quatviz.ui.scene.scene_view import SceneView


def refused() -> None:
    raise InputError(
        "this machine's OpenGL", expected="OpenGL", found="no OpenGL context", remedy="install it"
    )


@pytest.fixture
def views(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SceneView]]:
    """Return a list to fill with `made` views, drawn without OpenGL."""
    monkeypatch.setattr(picture_module, "check_gl", refused)
    views: list[SceneView] = []
    yield views
    for view in views:
        view.shutdown()


def made(qtbot: QtBot, views: list[SceneView], names: list[str]) -> SceneView:
    view = SceneView(item_classes=[ITEMS[name] for name in names])
    views.append(view)
    qtbot.addWidget(view)
    view.resize(640, 480)
    with qtbot.waitExposed(view):
        view.show()
    view.start(RUNS.get("".join(names), spinning_run)())
    view.show_frame(make_frame())
    return view


@pytest.mark.parametrize("name", list(ITEMS))
def test_every_item_is_drawn(qtbot: QtBot, views: list[SceneView], name: str) -> None:
    empty = grab_pixels(without_labels(made(qtbot, views, [])))
    view = made(qtbot, views, [name])
    view.set_item_visible(name, True)
    view.stage.proposed["kick"] = np.array([0.0, 0.8, 0.6])  # a proposed kick
    view.show_frame(replace(make_frame(), time=8.0))
    assert view.is_wireframe
    shown = grab_pixels(without_labels(view))
    assert len(changed_pixels(shown, empty)) > 60
    view.set_item_visible(name, False)
    view.show_frame(make_frame())
    assert np.array_equal(grab_pixels(without_labels(view)), empty)


def test_wireframe_body_rotates(qtbot: QtBot, views: list[SceneView]) -> None:
    view = made(qtbot, views, ["body"])
    view.show_frame(make_frame(IDENTITY))
    before = grab_pixels(without_labels(view))
    view.show_frame(make_frame(ROTATED, 9.0))
    assert len(changed_pixels(before, grab_pixels(without_labels(view)))) > 200


def test_arrow_points_along_its_vector(qtbot: QtBot, views: list[SceneView]) -> None:
    view = made(qtbot, views, ["omega"])
    view.show_frame(make_frame(ROTATED, vectors={"omega": VECTORS["omega"]}))
    pixels = pixels_of_hue(grab_pixels(without_labels(view)), DARK.omega)
    tip = view.project(MAX_ARROW_LENGTH / 2.0 * VECTORS["omega"][None])[0]
    assert np.linalg.norm(pixels + 0.5 - tip, axis=1).min() < 2.0


def test_missing_opengl_is_reported_once(qtbot: QtBot, views: list[SceneView]) -> None:
    view = SceneView(item_classes=[OmegaArrow])
    views.append(view)
    qtbot.addWidget(view)
    messages: list[str] = []
    view.problem_reported.connect(messages.append)
    for _ in range(3):
        view.grab()
        handle_events()
    assert messages == [
        "The 3D view is drawn as lines: no OpenGL context. Run quatviz doctor to see what to install"
    ]


def test_later_opengl_failure_switches_to_lines(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[SceneView] = []
    view = made(qtbot, views, ["body"])
    assert not view.is_wireframe

    def lost(canvas: OffscreenCanvas) -> None:
        raise RuntimeError("context lost")

    monkeypatch.setattr(OffscreenCanvas, "read_image", lost)
    with qtbot.waitSignal(view.problem_reported) as blocker:
        view.show_frame(make_frame(ROTATED, 9.0))
        shown = grab_pixels(without_labels(view))
    assert "context lost" in blocker.args[0]
    assert view.is_wireframe
    view.show_frame(make_frame(IDENTITY, 9.5))
    assert len(changed_pixels(shown, grab_pixels(without_labels(view)))) > 200
    view.shutdown()


def test_box_has_twelve_edges() -> None:
    edges = Edges.from_vertices(box(np.array([1.0, 0.5, 0.3]), np.eye(3)))
    lengths = np.linalg.norm(edges.ends - edges.starts, axis=1)[edges.sharp]
    assert sorted(lengths) == pytest.approx(sorted([2.0] * 4 + [1.0] * 4 + [0.6] * 4), abs=1e-3)
    assert not edges.between_octants.any()


def test_smooth_body_has_only_an_outline_and_painted_edges() -> None:
    edges = Edges.from_vertices(ellipsoid(np.ones(3), np.eye(3)))
    assert not edges.sharp.any()
    eye = np.array([5.0, 2.0, 1.0])
    facing = np.einsum("nki,ni->nk", edges.normals, eye - edges.starts) > 0.0
    outline = facing[:, 0] != facing[:, 1]
    # The outline of the unit sphere seen from a point `eye` satisfies x . eye = 1.
    assert np.abs(edges.starts[outline] @ eye - 1.0).max() < 0.6
    middle = 0.5 * (edges.starts + edges.ends)[edges.between_octants]
    assert np.abs(middle).min(axis=1).max() < 1e-3
    assert edges.between_octants.sum() > 100

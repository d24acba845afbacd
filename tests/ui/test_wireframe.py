"""The 3D view where OpenGL fails: the same items, drawn as lines."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from test_scene import STILL, TURNED, VECTORS, bare, changed, frame, of_hue, picture, spinning
from test_scene_items import RUNS

from quatviz.base.errors import InputError
from quatviz.geometry.polyhedron import Edges
from quatviz.geometry.triangles import box, ellipsoid
from quatviz.look.theme import DARK
from quatviz.scene.base import ARROW
from quatviz.scene.items import ITEMS
from quatviz.scene.items.omega import OmegaArrow
from quatviz.ui.scene import picture as picture_module
from quatviz.ui.scene.renderer import Canvas
from quatviz.ui.scene.view import SceneView


def refused() -> None:
    raise InputError(
        "this machine's OpenGL", expected="OpenGL", found="no OpenGL context", remedy="install it"
    )


@pytest.fixture
def views(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SceneView]]:
    """Fill it with `made`; without OpenGL."""
    monkeypatch.setattr(picture_module, "check_gl", refused)
    views: list[SceneView] = []
    yield views
    for view in views:
        view.shutdown()


def made(qtbot: QtBot, views: list[SceneView], names: list[str]) -> SceneView:
    view = SceneView(kinds=[ITEMS[name] for name in names])
    views.append(view)
    qtbot.addWidget(view)
    view.resize(640, 480)
    with qtbot.waitExposed(view):
        view.show()
    view.start(RUNS.get("".join(names), spinning)())
    view.show_frame(frame())
    return view


@pytest.mark.parametrize("name", list(ITEMS))
def test_every_item_is_drawn(qtbot: QtBot, views: list[SceneView], name: str) -> None:
    empty = picture(bare(made(qtbot, views, [])))
    view = made(qtbot, views, [name])
    view.set_item_visible(name, True)
    view.stage.proposed["kick"] = np.array([0.0, 0.8, 0.6])  # one that is being chosen
    view.show_frame(replace(frame(), time=8.0))
    assert view.as_lines
    shown = picture(bare(view))
    assert len(changed(shown, empty)) > 60
    view.set_item_visible(name, False)
    view.show_frame(frame())
    assert np.array_equal(picture(bare(view)), empty)


def test_the_body_turns(qtbot: QtBot, views: list[SceneView]) -> None:
    view = made(qtbot, views, ["body"])
    view.show_frame(frame(STILL))
    before = picture(bare(view))
    view.show_frame(frame(TURNED, 9.0))
    assert len(changed(before, picture(bare(view)))) > 200


def test_an_arrow_points_where_its_vector_does(qtbot: QtBot, views: list[SceneView]) -> None:
    view = made(qtbot, views, ["omega"])
    view.show_frame(frame(TURNED, vectors={"omega": VECTORS["omega"]}))
    pixels = of_hue(picture(bare(view)), DARK.omega)
    tip = view.project(ARROW / 2.0 * VECTORS["omega"][None])[0]
    assert np.linalg.norm(pixels + 0.5 - tip, axis=1).min() < 2.0


def test_it_says_so_once(qtbot: QtBot, views: list[SceneView]) -> None:
    view = SceneView(kinds=[OmegaArrow])
    views.append(view)
    qtbot.addWidget(view)
    told: list[str] = []
    view.problem.connect(told.append)
    for _ in range(3):
        view.grab()
        handle_events()
    assert told == ["The 3D view is drawn as lines: no OpenGL context. quatviz doctor says what to install"]


def test_opengl_that_fails_later_is_done_without(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[SceneView] = []
    view = made(qtbot, views, ["body"])
    assert not view.as_lines

    def lost(canvas: Canvas) -> None:
        raise RuntimeError("context lost")

    monkeypatch.setattr(Canvas, "take", lost)
    with qtbot.waitSignal(view.problem) as told:
        view.show_frame(frame(TURNED, 9.0))
        shown = picture(bare(view))
    assert "context lost" in told.args[0]
    assert view.as_lines
    view.show_frame(frame(STILL, 9.5))
    assert len(changed(shown, picture(bare(view)))) > 200
    view.shutdown()


def test_edges_of_a_box_are_its_twelve() -> None:
    edges = Edges.of(box(np.array([1.0, 0.5, 0.3]), np.eye(3)))
    lengths = np.linalg.norm(edges.ends - edges.starts, axis=1)[edges.sharp]
    assert sorted(lengths) == pytest.approx(sorted([2.0] * 4 + [1.0] * 4 + [0.6] * 4), abs=1e-3)
    assert not edges.painted.any()


def test_a_smooth_body_has_an_outline_and_painted_edges_only() -> None:
    edges = Edges.of(ellipsoid(np.ones(3), np.eye(3)))
    assert not edges.sharp.any()
    eye = np.array([5.0, 2.0, 1.0])
    facing = np.einsum("nki,ni->nk", edges.normals, eye - edges.starts) > 0.0
    outline = facing[:, 0] != facing[:, 1]
    # What is seen of the unit sphere from a distance d ends where x . eye = 1.
    assert np.abs(edges.starts[outline] @ eye - 1.0).max() < 0.6
    middle = 0.5 * (edges.starts + edges.ends)[edges.painted]
    assert np.abs(middle).min(axis=1).max() < 1e-3
    assert edges.painted.sum() > 100

"""An extension that fails affects only its own part of the window."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from scene_maker import grab_pixels, make_frame, spinning_run, without_rest_redraw  # noqa: F401 (a fixture)

from quatviz.base.errors import describe_exception, exception_summary
from quatviz.display.data.frame import ColumnSource
from quatviz.display.panels.base import TimePanel, is_panel_relevant
from quatviz.display.scene.base import Label, Line, Mesh, SceneItem, Stage
from quatviz.display.scene.items.body import BodyItem
from quatviz.display.view_state.theme import Theme
from quatviz.ui.scene.scene_view import SceneView

TRIANGLE = np.zeros((3, 6), np.float32)
BAD_PRIMITIVES: dict[str, tuple[Callable[[], Any], str]] = {
    "empty mesh": (lambda: Mesh(np.empty((0, 6), np.float32), "#ff0000"), "three for each triangle"),
    "half a triangle": (lambda: Mesh(np.zeros((2, 6), np.float32), "#ff0000"), "three for each triangle"),
    "positions alone": (lambda: Mesh(np.zeros((3, 3), np.float32), "#ff0000"), "Mesh.vertices"),
    "a list": (lambda: Mesh([[0.0] * 6] * 3, "#ff0000"), "Mesh.vertices is list"),  # type: ignore[arg-type]
    "objects": (lambda: Mesh(np.full((3, 6), None), "#ff0000"), "Mesh.vertices is object"),
    "a color's name": (lambda: Mesh(TRIANGLE, "red"), "not a color"),
    "no color": (lambda: Mesh(TRIANGLE, None), "not a color"),  # type: ignore[arg-type]
    "a short color": (lambda: Line("#fff"), "not a color"),
    "an unknown second color": (lambda: Mesh(TRIANGLE, "#ff0000", second_color="blue"), "second_color"),
    "an unknown material": (lambda: Mesh(TRIANGLE, "#ff0000", material="wood"), "Mesh.material"),
    "a turn alone": (lambda: Mesh(TRIANGLE, "#ff0000", transform=np.eye(3)), "Mesh.transform"),
    "points of a plane": (lambda: Line("#ff0000", points=np.zeros((4, 2), np.float32)), "Line.points"),
    "a word without a place": (lambda: Label("x", "#ff0000", position=np.zeros(2)), "Label.position"),
    "a number for a word": (lambda: Label(3, "#ff0000"), "Label.text"),  # type: ignore[arg-type]
    "no primitive": (lambda: "a line", "neither a Mesh"),
}


def item_of(primitive: Callable[[], Any], changes: dict[str, Any] | None = None) -> type[SceneItem]:
    class FailingItem(SceneItem):
        name, title, order, visible_by_default = "bad", "Bad thing", 99, True

        def __init__(self, stage: Stage, theme: Theme, source: ColumnSource) -> None:
            super().__init__(stage, theme, source)
            self.primitive = stage.add(primitive())

        def show(self, frame: object) -> None:
            for key, value in (changes or {}).items():
                setattr(self.primitive, key, value)

    return FailingItem


def shown_with(qtbot: QtBot, *item_classes: type[SceneItem]) -> tuple[SceneView, list[str]]:
    problems: list[str] = []
    view = SceneView(item_classes=list(item_classes))
    view.problem_reported.connect(problems.append)
    qtbot.addWidget(view)
    view.resize(320, 240)
    with qtbot.waitExposed(view):
        view.show()
    view.start(spinning_run())
    for _ in range(2):
        view.show_frame(make_frame())
    handle_events()
    return view, problems


@pytest.mark.parametrize(("primitive", "message"), BAD_PRIMITIVES.values(), ids=BAD_PRIMITIVES)
def test_invalid_primitive_disables_only_its_item(
    qtbot: QtBot, primitive: Callable[[], Any], message: str
) -> None:
    """OpenGL was blamed, and the whole view was drawn as lines."""
    view, problems = shown_with(qtbot, BodyItem, item_of(primitive))
    assert set(view.stage.items) == {"body"}
    (problem,) = problems
    assert problem.startswith("Bad thing is not drawn: ValueError")
    assert message in problem
    view.shutdown()


def test_invalid_primitive_is_never_on_the_stage(qtbot: QtBot) -> None:
    """The primitives of the program's own items are checked only when they are added."""
    view, _ = shown_with(qtbot, BodyItem)
    drawn = view.stage.drawn
    for primitive, message in BAD_PRIMITIVES.values():
        with pytest.raises(ValueError, match=re.escape(message)):
            view.stage.add(primitive())
    assert view.stage.drawn == drawn
    view.shutdown()


@pytest.mark.usefixtures("without_rest_redraw")
def test_other_items_look_as_without_the_failing_one(qtbot: QtBot) -> None:
    bad, alone = BAD_PRIMITIVES["empty mesh"][0], shown_with(qtbot, BodyItem)[0]
    view, _ = shown_with(qtbot, BodyItem, item_of(bad))
    assert np.array_equal(grab_pixels(view), grab_pixels(alone))
    view.shutdown()
    alone.shutdown()


@pytest.mark.parametrize(
    "changes",
    [{"color": "red"}, {"transform": np.eye(3)}, {"transform": None}, {"vertices": np.empty((0, 6))}],
    ids=str,
)
def test_primitive_that_becomes_invalid_disables_only_its_item(qtbot: QtBot, changes: dict[str, Any]) -> None:
    view, problems = shown_with(qtbot, BodyItem, item_of(lambda: Mesh(TRIANGLE, "#ff0000"), changes))
    assert set(view.stage.items) == {"body"}
    assert len(problems) == 1
    assert "drawn as lines" not in problems[0]
    view.shutdown()


class UnreadableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "error", [UnreadableError(), SystemExit("bye"), ZeroDivisionError()], ids=lambda e: type(e).__name__
)
def test_item_may_raise_any_exception(qtbot: QtBot, error: BaseException) -> None:
    def fail() -> None:
        raise error

    view, problems = shown_with(qtbot, BodyItem, item_of(fail))
    assert set(view.stage.items) == {"body"}
    assert problems[0].startswith(f"Bad thing is not drawn: {type(error).__name__}")
    view.shutdown()


@pytest.mark.parametrize(
    "error", [UnreadableError(), SystemExit("bye"), KeyError("x")], ids=lambda e: type(e).__name__
)
def test_panel_with_failing_relevance_check_is_shown(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    class FailingPanel(TimePanel):
        name, title = "odd", "Odd"

        @classmethod
        def is_relevant(cls, info: object) -> bool:
            raise error

    assert is_panel_relevant(FailingPanel, None)  # type: ignore[arg-type]
    assert is_panel_relevant(FailingPanel, None)  # type: ignore[arg-type]
    assert len(caplog.records) == 1


def test_exception_without_message_is_described() -> None:
    assert exception_summary(UnreadableError()) == "UnreadableError: no readable message"
    assert "UnreadableError" in describe_exception(UnreadableError(), ["os"])

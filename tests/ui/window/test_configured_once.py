"""A new window applies its view state in one call and never overrides the user's choices meanwhile."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from window_steps import make_session, open_session

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.document.document import Document
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.view_state import CHANGING, FIELD_CATEGORIES, ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.simulation import Simulation
from quatviz.ui.window import offscreen
from quatviz.ui.window.offscreen import OffscreenWindow

VIEW_STATE = ViewState(
    cameras={1: CameraPose(shown=3.0)},
    equations="*",
    span=(0.0, 5.0),
    panels={"energy": True, "omega": False},
    items={"polhode": True},
    difference=True,
    cursor=2.0,
)


class Recorder:
    """Recorder of document and view state calls, and of the changed fields of the view state."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[str] = []
        self.changed_fields: set[str] = set()
        for owner, name in ((Document, "begin"), (ViewStore, "assign")):
            monkeypatch.setattr(owner, name, self._counted(name, getattr(owner, name)))

    def _counted(self, name: str, method: object) -> object:
        def call(*arguments: object) -> object:
            self.calls.append(name)
            return method(*arguments)  # type: ignore[operator]

        return call

    def watch(self, store: ViewStore) -> None:
        store.changed.connect(self._note_fields)

    def _note_fields(self, old: ViewState, new: ViewState) -> None:
        self.changed_fields |= {name for name in FIELD_CATEGORIES if getattr(old, name) != getattr(new, name)}

    def assert_configured_once(self) -> None:
        assert self.calls == ["begin", "assign"]
        assert {FIELD_CATEGORIES[name] for name in self.changed_fields} <= {CHANGING}


def make_controller(what: str) -> WindowController:
    if what == "a preset's proposal":
        session = read_session(resources.preset_folder() / "six_lambdas.toml")
        return WindowController(session.preset, view_state=session.view_state, proposed=session.is_proposed)
    return make_session(qv.load_preset("six_lambdas"), VIEW_STATE if what == "a session" else None)


@pytest.mark.parametrize("what", ["a first start", "a preset's proposal", "a session"])
def test_window_is_configured_once_at_startup(
    qapp: object, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_session(qv.load_preset("torque_free")).close()  # in the theme of the tests
    recorder = Recorder(monkeypatch)
    controller = make_controller(what)
    recorder.watch(controller.document.view)
    with open_session(controller):
        recorder.assert_configured_once()
        shown = controller.window.view_state
        if what == "a session":
            assert replace(shown, lanes=VIEW_STATE.lanes, speed=None, scrolled=()) == VIEW_STATE
            assert controller.window.equation_window.docked_lane == "*"


def test_opened_session_is_configured_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_session(make_session(qv.load_preset("torque_free"))) as controller:
        recorder = Recorder(monkeypatch)
        controller.window.file_actions.open(resources.preset_folder() / "six_lambdas.toml")
        assert recorder.calls.count("begin") == 1


def test_film_window_is_configured_once(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(monkeypatch)

    class WatchedStore(ViewStore):
        def __init__(self, state: ViewState | None = None) -> None:
            super().__init__(state)
            recorder.watch(self)

    monkeypatch.setattr(offscreen, "ViewStore", WatchedStore)
    run = Simulation(qv.load_preset("six_lambdas"))
    run.complete()
    source = OffscreenWindow(run, FilmPlan(1600, 900), VIEW_STATE)
    try:
        recorder.assert_configured_once()
        assert source.window.view_state.cameras == VIEW_STATE.cameras
        assert source.window.view_state.span == VIEW_STATE.span
    finally:
        source.close()

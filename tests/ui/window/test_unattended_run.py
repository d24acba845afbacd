"""An unattended run plays and saves a picture and a table, also with a given look."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from window_steps import make_session, open_session

import quatviz as qv
from quatviz.display.view_state.view_state import ViewState
from quatviz.ui.window import unattended_run
from quatviz.ui.window.unattended_run import UnattendedRun

PLAYED = 0.1
START = 0.05


@pytest.mark.parametrize(
    ("look", "start"),
    [(None, 0.0), (ViewState(cursor=START, loop=True, selected=(0.0, 0.1)), START), (ViewState(cursor=0.3), 0.3)],
    ids=["preset", "look", "look at the end"],
)  # fmt: skip
def test_unattended_run_plays_and_saves_the_window(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: ViewState | None, start: float
) -> None:
    monkeypatch.setattr(unattended_run, "PLAYED_SECONDS", PLAYED)
    preset = qv.load_preset("torque_free")
    preset = replace(preset, run=replace(preset.run, duration=0.3), lanes=preset.lanes[:1])
    session, errors = make_session(preset, look), list[str]()
    closed_at: list[float] = []
    session.window.closed.connect(lambda: closed_at.append(session.frame_loop.snapshot.time))
    run = UnattendedRun(
        session.document,
        session.window,
        session.frame_loop,
        lambda: session.worker.wait_settled(),
        tmp_path / "out",
        errors.append,
    )
    with open_session(session):
        shown = session.window.shown_run.frame
        assert shown is not None
        assert look is None or not shown.playing, "a view state starts paused"
        run.start()
        qtbot.waitUntil(lambda: bool(closed_at))
        picture = QImage(str(tmp_path / "out" / "window.png"))
        assert picture.size() == session.window.size() * session.window.devicePixelRatioF()
    assert not errors
    assert start + PLAYED - 1e-9 <= closed_at[0] <= 0.3 if start < 0.3 else closed_at[0] == pytest.approx(0.3)
    assert (tmp_path / "out" / "torque_free.csv").exists()

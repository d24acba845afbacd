"""Displays follow the cursor without waiting for the thread that computes."""

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at  # noqa: F401

from quatviz.app import WindowController


def test_frames_do_not_wait_while_edits_apply_at_the_cursor(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_at(editing, qtbot, 3.0)
    editing.document.branching.set_enabled(True)

    def refuse_to_wait() -> None:
        raise AssertionError("a frame waits for the worker")

    monkeypatch.setattr(editing.worker, "wait_settled", refuse_to_wait)
    editing.window.side.lane_list.show_frame(editing.frame_loop.frame)  # type: ignore[arg-type]
    editing.window.side.setup.show_frame(editing.frame_loop.frame)  # type: ignore[arg-type]
    monkeypatch.undo()

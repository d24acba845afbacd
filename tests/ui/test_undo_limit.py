"""The way back has an end in memory: the oldest steps are forgotten, and it is said."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

import quatviz as qv
from quatviz.ui import undo_limit
from quatviz.ui.editing import Editor, State
from quatviz.ui.undo_limit import weight


@pytest.fixture
def editor(qapp: QApplication) -> Editor:
    return Editor(State.of(qv.load_preset("torque_free")), lambda state: None)


def titled(editor: Editor, number: int) -> None:
    assert (
        editor.propose(f"step {number}", lambda state: state.with_preset(summary=str(number) * 10_000))
        is None
    )


def test_ordinary_steps_are_all_kept(editor: Editor) -> None:
    for number in range(150):
        body = qv.Body(inertia=[400 + 0.1 * number, 300, 200])
        assert editor.propose("body", partial(State.with_preset, body=body)) is None
    assert editor.stack.count() == 150
    assert 0 < sum(step.weight for step in editor.steps) < 150 * 20_000


def test_the_oldest_steps_are_forgotten_and_the_others_lead_back(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    heard: list[int] = []
    editor.forgot.connect(said.append)
    monkeypatch.setattr(undo_limit, "BYTES", 60_000)
    for number in range(1, 6):
        titled(editor, number)
    assert (editor.stack.count(), said) == (5, [])
    editor.stack.indexChanged.connect(heard.append)
    for number in range(6, 10):
        titled(editor, number)
    assert len(said) >= 1
    assert "cannot be undone any more" in said[0]
    assert 0 not in heard, "undo stays possible all the while"
    kept = editor.stack.count()
    assert 3 <= kept < 9
    assert sum(step.weight for step in editor.steps) <= 60_000
    assert [step.text() for step in editor.steps] == [f"step {number}" for number in range(10 - kept, 10)]
    for _ in range(kept):
        editor.stack.undo()
    assert not editor.stack.canUndo()
    assert editor.state.preset.summary[0] == str(9 - kept)
    for _ in range(kept):
        editor.stack.redo()
    assert editor.state.preset.summary[0] == "9"


def test_the_last_step_is_kept_however_large(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_limit, "BYTES", 10)
    titled(editor, 1)
    titled(editor, 2)
    assert editor.stack.count() == 1
    editor.stack.undo()
    assert editor.state.preset.summary[0] == "1"


def test_what_two_states_have_in_common_weighs_nothing() -> None:
    numbers, words = np.zeros(1000), "a" * 5000
    assert weight((numbers, words), None) > 13_000
    assert weight((numbers, words), (numbers,)) < 6000
    assert weight((numbers[:500],), (numbers,)) > 4000

"""The playback speed of a preset; the user's choice persists while the preset is edited."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, pause_at, type_value, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.data.derived_sources import first_differing_sample
from quatviz.display.document.user_files import save_own_preset
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, read_preset
from quatviz.simulation.commands import SetSpeed
from quatviz.teaching.lessons.parsing import parse_lesson

LESSON = """# Twice round

```lesson
format = 1
```

## Seen

As fast as the preset says.

```scene
preset = "gravity_gradient"
lanes = ["newton_euler"]
```

## Slower

```scene
speed = 20
```
"""


def opened(session: WindowController, folder: Path, preset: Preset) -> None:
    """Open a file with this preset, as a user does."""
    path = folder / "mine.toml"
    path.write_text(format_preset(preset))
    assert session.window.file_actions.open(path)


def plays_at(session: WindowController, qtbot: QtBot, speed: float, text: str) -> None:
    box = session.window.transport.speed_box
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.speed == speed and box.currentText() == text)


def test_preset_opens_at_its_speed_and_edits_keep_the_chosen_one(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    other = replace(qv.load_preset("torque_free"), title="Fast", speed=20.0)
    opened(editing, tmp_path, other)
    plays_at(editing, qtbot, 20.0, "20×")
    editing.frame_loop.send(SetSpeed(2.0))
    plays_at(editing, qtbot, 2.0, "2×")
    type_value(inertia_entry(editing), "450")
    plays_at(editing, qtbot, 2.0, "2×")
    editing.document.undo()
    editing.document.undo()
    plays_at(editing, qtbot, 1.0, "1×")


def test_run_at_another_speed_is_not_computed_again(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    pause_at(editing, qtbot, 7.0)
    simulation = editing.simulation
    opened(editing, tmp_path, replace(editing.document.state.preset, speed=30.0))
    plays_at(editing, qtbot, 30.0, "30×")
    assert editing.simulation is simulation
    assert editing.frame_loop.snapshot.time == 7.0
    assert editing.document.state.preset.speed == editing.simulation.preset.speed == 30.0
    assert "speed = 30\n" in format_preset(editing.window.file_actions.session.preset)
    assert editing.window.view_state.speed == 30.0
    editing.document.undo()
    plays_at(editing, qtbot, 1.0, "1×")


def test_lesson_step_uses_the_speed_of_its_preset(editing: WindowController, qtbot: QtBot) -> None:
    editing.present(parse_lesson(LESSON))
    assert editing.presenter is not None
    wait_two_frames(editing, qtbot)  # the commands of the step have arrived by then
    wait_two_frames(editing, qtbot)
    assert editing.frame_loop.snapshot.speed == 100.0
    plays_at(editing, qtbot, 100.0, "100×")
    editing.presenter.execute("next")
    plays_at(editing, qtbot, 20.0, "20×")
    editing.presenter.execute("leave")
    plays_at(editing, qtbot, 1.0, "1×")


def test_user_preset_keeps_its_speed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    path = save_own_preset(qv.load_preset("gravity_gradient"), "Slower orbit", "", "")
    assert read_preset(path).speed == 100.0


def test_speed_does_not_affect_where_runs_differ() -> None:
    before = qv.load_preset("torque_free")
    kick = qv.Kick(at=2.0, impulse=np.array([1.0, 0.0, 0.0]))
    assert first_differing_sample(before, replace(before, events=(kick,), speed=5.0)) == 200

"""Preparing a lesson the day before: the report and the remaining tasks."""

from pathlib import Path

import pytest

from quatviz.cli import main
from quatviz.files.preset import Preset
from quatviz.simulation import compilation
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.preparation import prepare

LESSON = """# Mine

```lesson
format = 1
minutes = 5
```

Said.

## One

```scene
preset = "torque_free"
lanes = ["newton_euler"]
duration = 0.5
```

![seen](seen.png) $J\\omega$ is {size}.

```check
name = "size"
quantity = "|h|"
time = 0
value = 400
tolerance = 1e-5
```
"""


def prepared(folder: Path, text: str) -> dict[str, tuple[bool, str]]:
    (folder / "mine.md").write_text(text, "utf-8")
    return {task.title: (task.ok, task.message) for task in prepare(read_lesson(folder / "mine.md"))}


def test_report_covers_the_whole_lesson(tmp_path: Path) -> None:
    (tmp_path / "seen.png").write_bytes(b"picture")
    progress: list[int] = []
    (tmp_path / "mine.md").write_text(LESSON, "utf-8")
    tasks = list(prepare(read_lesson(tmp_path / "mine.md"), progress.append))
    assert all(task.ok for task in tasks)
    messages = {task.title: task.message for task in tasks}
    assert messages["Lesson"] == "1 steps with 0 questions, 5 minutes"
    assert "1, of “Torque-free body”" in messages["Runs"]
    assert messages["Stated values"] == "all correct; values compared with new runs: 1"
    assert messages["Files"] == "all present: seen.png"
    assert messages["Formulas"] == "all 1 are typeset"
    assert "not needed" in messages["Films"]
    assert progress == sorted(progress)
    assert progress[-1] == 100
    lanes = read_lesson(tmp_path / "mine.md").steps[0].part.scene
    from quatviz.teaching.lessons.scene_runs import preset_of

    assert compilation.missing_mark_paths(preset_of(lanes)) == set()


@pytest.mark.parametrize(
    ("old", "new", "what", "message"),
    [
        ("value = 400", "value = 401", "Stated values", "size is stated as 401 kg m²/s, but measured as 400"),
        ("seen.png", "gone.png", "Files", "missing: gone.png"),
        ("seen.png", "../gone.png", "Files", "outside the lesson’s folder: ../gone.png"),
        ("J\\omega$", "\\nonsense{$", "Formulas", "\\nonsense"),
    ],
)
def test_remaining_tasks_are_listed(old: str, new: str, what: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "seen.png").write_bytes(b"picture")
    tasks = prepared(tmp_path, LESSON.replace(old, new))
    assert [name for name, (ok, _) in tasks.items() if not ok] == [what]
    assert message in tasks[what][1].replace("\u202f", " ").replace("\u00a0", " ")


def test_lane_that_cannot_be_compiled_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(presets: list[Preset], size: int) -> object:
        raise compilation.InputError("there", expected="a place", found="a full disk", remedy="another")

    monkeypatch.setattr("quatviz.teaching.lessons.preparation.compile_presets", none)
    (tmp_path / "seen.png").write_bytes(b"picture")
    assert prepared(tmp_path, LESSON)["Equations"] == (False, "a full disk; another")


def test_prepare_command_lists_remaining_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.md"
    path.write_text(LESSON, "utf-8")
    assert main(["lessons", "--prepare", str(path), "--progress"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "60/100" in lines
    assert "TO DO  Files: missing: seen.png" in lines
    assert main(["lessons", "--prepare", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "Mine: not ready, see above"
    assert any("OpenGL: " in line for line in lines)

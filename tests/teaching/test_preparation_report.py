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
    return {one.title: (one.ok, one.message) for one in prepare(read_lesson(folder / "mine.md"))}


def test_report_covers_the_whole_lesson(tmp_path: Path) -> None:
    (tmp_path / "seen.png").write_bytes(b"picture")
    heard: list[int] = []
    (tmp_path / "mine.md").write_text(LESSON, "utf-8")
    found = list(prepare(read_lesson(tmp_path / "mine.md"), heard.append))
    assert all(one.ok for one in found)
    said = {one.title: one.message for one in found}
    assert said["Lesson"] == "1 steps with 0 questions, 5 minutes"
    assert "1, of “Torque-free body”" in said["Runs"]
    assert said["Stated values"] == "all correct; compared with new runs: 1"
    assert said["Files"] == "all present: seen.png"
    assert said["Formulas"] == "all 1 are typeset"
    assert "not needed" in said["Films"]
    assert heard == sorted(heard)
    assert heard[-1] == 100
    lanes = read_lesson(tmp_path / "mine.md").steps[0].part.scene
    from quatviz.teaching.lessons.scene_runs import preset_of

    assert compilation.missing_mark_paths(preset_of(lanes)) == set()


@pytest.mark.parametrize(
    ("old", "new", "what", "said"),
    [
        ("value = 400", "value = 401", "Stated values", "size is stated as 401 kg m²/s, but measured as 400"),
        ("seen.png", "gone.png", "Files", "gone.png"),
        ("seen.png", "../gone.png", "Files", "../gone.png"),
        ("J\\omega$", "\\nonsense{$", "Formulas", "\\nonsense"),
    ],
)
def test_remaining_tasks_are_listed(old: str, new: str, what: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "seen.png").write_bytes(b"picture")
    found = prepared(tmp_path, LESSON.replace(old, new))
    assert [name for name, (ok, _) in found.items() if not ok] == [what]
    assert said in found[what][1].replace("\u202f", " ").replace("\u00a0", " ")


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
    said = capsys.readouterr().out.splitlines()
    assert "60/100" in said
    assert (
        "TO DO  Files: missing, too large, in an unsupported format (not PNG, JPEG, WebP, GIF or BMP), or outside the "
        "lesson’s folder: seen.png" in said
    )
    assert main(["lessons", "--prepare", str(path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "Mine: not ready, see above"
    assert any("OpenGL: " in line for line in said)

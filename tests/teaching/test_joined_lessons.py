"""Joined lessons keep their scenes and numbers, whatever their names are."""

import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from quatviz.base.errors import InputError
from quatviz.base.resources import asset_path
from quatviz.cli import main
from quatviz.teaching.lessons import Lesson, lesson_paths, parse_lesson, read_lesson
from quatviz.teaching.lessons.check_text import fill_placeholders
from quatviz.teaching.lessons.merging import companion_files, merged_text, write_merged
from quatviz.teaching.lessons.model import Scene
from quatviz.teaching.lessons.questions import questions_of


def words_of(lesson: Lesson) -> list[str]:
    parts = [part.text for step in lesson.steps for part in step.parts]
    parts += [question.question.ask for step in lesson.steps for question in step.questions]
    return [fill_placeholders(source_text, lesson.checks) for source_text in parts]


def scenes_of(lesson: Lesson) -> list[Scene | None]:
    """Return the scenes of a lesson without the names of numbers in their captions, which may change when lessons are joined."""
    scenes = [part.scene for step in lesson.steps for part in step.parts]
    return [
        None if scene is None else replace(scene, caption=re.sub(r"\{\w+\}", "{}", scene.caption or ""))
        for scene in scenes
    ]


def test_joined_lessons_keep_texts_and_scenes(tmp_path: Path) -> None:
    lessons = [read_lesson(name) for name in lesson_paths()]
    pairs = list(permutations(lessons, 2))
    for first, second in pairs[::7]:
        made = parse_lesson(merged_text((first, second)), folder=asset_path("lessons"))
        assert made.minutes == first.minutes + second.minutes
        assert sorted(words_of(made)) == sorted([*words_of(first), *words_of(second)])
        assert scenes_of(made) == [*scenes_of(first), *scenes_of(second)]
    same = [pair for pair in pairs if set(pair[0].checks) & set(pair[1].checks)]
    assert same, "without common names the test would prove nothing"


OWN = """# Own "mine"

```lesson
format = 1
source = 'a "source"'
```

Mine.

## One

```scene
preset = "mine.toml"
caption = "The size is {size}"
```

![a picture](seen.png) It is {size}, not {{size}} nor $x_{size}$.

```question
ask = "How large, {size}?"
answer = 'size'
```

```check
name = "size"
quantity = "|h|"
time = 0
value = VALUE
tolerance = 1e-5
```
"""


@pytest.fixture
def user_lesson(tmp_path: Path) -> Lesson:
    folder = tmp_path / "own"
    folder.mkdir()
    text = (lesson_paths()["half_turn"].parents[2] / "presets" / "torque_free.toml").read_text("utf-8")
    (folder / "mine.toml").write_text(text.replace("duration = 40", "duration = 1"), "utf-8")
    (folder / "seen.png").write_bytes(b"a picture")
    (folder / "mine.md").write_text(OWN.replace("VALUE", "400"), "utf-8")
    (folder / "again.md").write_text(OWN.replace("VALUE", "400.000001"), "utf-8")
    return read_lesson(folder / "mine.md")


def test_common_names_are_renamed_and_files_are_copied(user_lesson: Lesson, tmp_path: Path) -> None:
    again = read_lesson(companion_files(user_lesson)["mine.toml"].with_name("again.md"))
    out = tmp_path / "out"
    out.mkdir()
    write_merged((user_lesson, again), out / "class.md")
    assert sorted(path.name for path in out.iterdir()) == ["class.md", "mine.toml", "seen.png"]
    made = read_lesson(out / "class.md")
    assert list(made.checks) == ["size", "size_2"]
    assert made.source == 'a "source"; a "source"'
    first, second = made.steps
    assert "{size}, not {{size}} nor $x_{size}$" in first.part.text
    assert (first.part.scene.caption, second.part.scene.caption) == (
        "The size is {size}",
        "The size is {size_2}",
    )
    assert "{size_2}, not {{size_2}} nor $x_{size}$" in second.part.text
    assert [question.question.answer for step in made.steps for question in step.questions] == [
        "size",
        "size_2",
    ]
    assert [question.value for question in questions_of(made)] == pytest.approx([400.0, 400.0])


def test_existing_different_file_is_not_overwritten(user_lesson: Lesson, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "seen.png").write_bytes(b"another")
    with pytest.raises(InputError, match="seen"):
        write_merged((user_lesson,), out / "class.md")
    assert [path.name for path in out.iterdir()] == ["seen.png"]


def test_files_outside_the_lesson_folder_are_not_copied(user_lesson: Lesson, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    text = (
        OWN.replace("VALUE", "400")
        .replace("seen.png", "../secret.png")
        .replace("It is", "![x](/etc/hosts) ![y](http://x/y.png) It is")
    )
    path = tmp_path / "own" / "thief.md"
    path.write_text(text, "utf-8")
    assert list(companion_files(read_lesson(path))) == ["mine.toml"]


@pytest.mark.parametrize("name", ["../own/seen.png", "../own/../own/seen.png", "sub/../../own/seen.png"])
def test_files_are_not_written_outside_the_target_folder(
    user_lesson: Lesson, tmp_path: Path, name: str
) -> None:
    """A path may leave the lesson's folder and return to it; relative to another folder it would point outside."""
    (tmp_path / "own" / "sub").mkdir()
    path = tmp_path / "own" / "odd.md"
    path.write_text(OWN.replace("VALUE", "400").replace("seen.png", name), "utf-8")
    out = tmp_path / "deep" / "out"
    (out / "sub").mkdir(parents=True)
    with pytest.raises(InputError, match="in their folders"):
        write_merged((read_lesson(path),), out / "class.md")
    assert sorted(entry.name for entry in (tmp_path / "deep").rglob("*")) == ["out", "sub"]


def test_too_many_lessons_are_rejected(tmp_path: Path) -> None:
    many = [read_lesson(name) for name in lesson_paths()] * 2
    with pytest.raises(InputError, match="at most 50000 bytes"):
        write_merged(many, tmp_path / "class.md")
    assert list(tmp_path.iterdir()) == []


def test_join_command_writes_the_lesson(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "class.md"
    assert main(["lessons", "--join", "half_turn", "double_cover", "-o", str(path)]) == 0
    assert str(path) in capsys.readouterr().out
    assert read_lesson(path).title == "; ".join(
        read_lesson(name).title for name in ("half_turn", "double_cover")
    )
    assert main(["lessons", "--join", "half_turn", "-o", str(path)]) == 2  # it never overwrites a file

"""The text of a lesson: reading, settings that persist from step to step, and errors with lines."""

import re
from pathlib import Path

import pytest

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.formatting import NO_BREAK_SPACE
from quatviz.base.registry import entry_names
from quatviz.base.resources import preset_folder
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.teaching.help import find_section
from quatviz.teaching.lessons import Lesson, Scene, lesson_paths, parse_lesson, read_lesson, user_lessons
from quatviz.teaching.lessons.check_text import COLUMNS, fill_placeholders, format_check_value, format_number
from quatviz.teaching.lessons.parsing import UnreadableLesson
from quatviz.teaching.lessons.user_lessons import is_user_lesson, list_lessons, recent_lesson_files

TEXT = """# Title

```lesson
format = 1
minutes = 5
```

Said in the list.

## One

```scene
preset = "torque_free"
lanes = ["hamilton", "newton_euler,dt=2e-3,name=coarse"]
panels = ["h"]
time = 3
```

Words with $a_{b}$ and {peak}.

```check
name = "peak"
quantity = "h_1"
measure = "max"
value = 346.4101616
tolerance = 1e-6
```

## Two

Before.

```question
ask = "How large is it?"
answer = "again"
```

```scene
panels = []
play = true
```

After {again}.

```check
name = "again"
quantity = "|h|"
lane = "coarse"
time = 0
value = 400
tolerance = 1e-6
```
"""


def test_valid_lessons_are_read() -> None:
    lesson = parse_lesson(TEXT)
    assert (lesson.title, lesson.summary, lesson.minutes) == ("Title", "Said in the list.", 5)
    one, two = lesson.steps
    assert (one.title, one.questions) == ("One", ())
    assert one.part.scene.lanes == ("hamilton", "newton_euler,dt=2e-3,name=coarse")
    assert two.part.text == "Before."
    (asking,) = two.questions
    assert asking.question.ask == "How large is it?"
    assert asking.answer.text == "After {again}."
    assert list(lesson.checks) == ["peak", "again"]


def test_scene_inherits_settings_but_not_the_cursor() -> None:
    _, two = parse_lesson(TEXT).steps
    assert two.part.scene.panels == ("h",)
    assert two.part.scene.time is None
    (asking,) = two.questions
    assert asking.answer.scene.panels == ()
    assert (asking.answer.scene.preset, asking.answer.scene.play) == ("torque_free", True)
    assert two.checks[0][1].run_key == two.part.scene.run_key


def test_preset_named_again_resets_its_lanes() -> None:
    before = Scene(preset="torque_free", lanes=["hamilton"], duration=2.0, panels=["h"])
    after = Scene(preset="drift").resolved_after(before)
    assert (after.lanes, after.duration, after.panels) == (None, None, ("h",))


def test_placeholders_outside_formulae_become_numbers() -> None:
    lesson = parse_lesson(TEXT)
    text = fill_placeholders(lesson.steps[0].part.text, lesson.checks)
    assert text.replace(NO_BREAK_SPACE, " ") == "Words with $a_{b}$ and 346.4101616 kg m²/s."
    assert [format_number(value) for value in (-1.5, 1e-10, 2.5e-7)] == ["−1.5", "10⁻¹⁰", "2.5·10⁻⁷"]
    assert format_check_value(lesson.checks["again"]).split(NO_BREAK_SPACE) == ["400", "kg", "m²/s"]


@pytest.mark.parametrize("more", ["x" * 50_000, "\n" + "|a" * 200 + "\n" + "|-" * 200 + "\n" + "|b\n" * 50])
def test_lesson_with_too_many_words_or_cells_is_rejected(tmp_path: Path, more: str) -> None:
    (tmp_path / "long.md").write_text(f"{TEXT}\n{more}\n", "utf-8")
    with pytest.raises(InputError, match="at most"):
        read_lesson(tmp_path / "long.md")


BAD = {
    "no title": (TEXT.removeprefix("# Title\n"), 2, "title"),
    "no lesson": (TEXT.replace("```lesson", "```text"), 1, "lesson"),
    "another format": (TEXT.replace("format = 1", "format = 2"), 4, "format = 1"),
    "an open block": (TEXT[: TEXT.rindex("```")], 45, "block ends"),
    "bad TOML": (TEXT.replace('preset = "torque_free"', "preset = torque_free"), 13, "invalid|expected"),
    "an unknown key": (TEXT.replace("panels = [\"h\"]", 'panel = ["h"]'), 15, "panels"),
    "an unknown panel": (TEXT.replace('["h"]', '["hh"]'), 15, "one of"),
    "an unknown preset": (TEXT.replace("torque_free", "torque_fre"), 13, "torque_free"),
    "an unknown lane": (TEXT.replace('lane = "coarse"', 'lane = "corse"'), 48, "coarse"),
    "a bad lane": (TEXT.replace("dt=2e-3", "dt=3e-3"), 14, "divides"),
    "an unknown quantity": (TEXT.replace('"h_1"', '"h_4"'), 23, "column"),
    "no tolerance": (TEXT.replace("tolerance = 1e-6", "", 1), 25, "tolerance"),
    "two claims": (TEXT.replace("tolerance = 1e-6", "below = 1", 1), 26, "value, below"),
    "an unknown name": (TEXT.replace("{peak}", "{pek}"), 19, "peak"),
    "a name twice": (TEXT.replace('name = "again"', 'name = "peak"'), 46, "unique"),
    "a lone dollar": (TEXT.replace("$a_{b}$", "$a_{b}"), 10, "unpaired"),
    "an answer that is no check": (TEXT.replace('answer = "again"', 'answer = "agin"'), 35, "check"),
    "a deeper heading": (TEXT.replace("## Two", "### Two"), 29, "##"),
    "a block misspelt": (TEXT.replace("```check", "```chek"), 21, "check"),
    "no preset": (TEXT.replace('preset = "torque_free"\n', "").replace('lanes = ["ham', 'show = []\n#["ham'), 10, "preset"),
    "three views": (TEXT.replace("play = true", "views = 3"), 40, "1, 2 or 4"),
    "a list of numbers": (TEXT.replace('["h"]', "[1]"), 15, "list of texts"),
    "a preset elsewhere": (TEXT.replace("torque_free", "../secret.toml"), 13, "beside"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_invalid_lesson_is_rejected_with_file_line_and_help(case: str, tmp_path: Path) -> None:
    text, line, message = BAD[case]
    assert text != TEXT
    path = tmp_path / "bad.md"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_lesson(path)
    assert f"{path}, " in caught.value.place
    match = re.search(r"line (\d+)", caught.value.place)
    assert match is not None
    assert int(match[1]) == line, caught.value
    assert re.search(message, str(caught.value)), caught.value
    assert find_section(caught.value.topic).page == "lessons"


def test_panel_and_item_names_are_those_of_the_window() -> None:
    assert entry_names("panels") == list(PANELS)
    assert entry_names("items") == list(ITEMS)


def test_help_page_names_every_key() -> None:
    page = (resources.asset_path("help") / "lessons.md").read_text("utf-8")
    from dataclasses import fields

    from quatviz.teaching.lessons import LessonCheck, Question
    from quatviz.teaching.lessons.model import CHECK_MEASURES

    names = [field.name for cls in (Scene, Question, LessonCheck) for field in fields(cls)] + list(
        CHECK_MEASURES
    )
    assert [name for name in names if f"`{name}`" not in page and f"`{name} =" not in page] == []
    assert "h_2" in COLUMNS


def test_lesson_list_rereads_only_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It read all lessons completely at each opening, to find invalid ones."""
    path, preset = tmp_path / "mine.md", tmp_path / "mine.toml"
    path.write_text(lesson_paths()["half_turn"].read_text("utf-8"), "utf-8")
    recent_lesson_files().add(path)
    list_lessons()
    read: list[Path] = []

    def record_path(path: Path) -> Lesson:
        read.append(path)
        return read_lesson(path)

    monkeypatch.setattr(user_lessons, "read_lesson", record_path)
    list_lessons()
    assert read == []
    path.write_text("no title", "utf-8")
    assert [
        lesson for lesson in list_lessons() if lesson.path == path and isinstance(lesson, UnreadableLesson)
    ]
    preset.write_text((preset_folder() / "torque_free.toml").read_text("utf-8"), "utf-8")
    path.write_text(BESIDE, "utf-8")
    assert [lesson for lesson in list_lessons() if lesson.path == path and isinstance(lesson, Lesson)]
    preset.write_text("format = 1", "utf-8")
    assert [
        lesson for lesson in list_lessons() if lesson.path == path and isinstance(lesson, UnreadableLesson)
    ]
    assert set(read) == {path}
    recent_lesson_files().clear()


BESIDE = """# Title

```lesson
format = 1
```

## One

```scene
preset = "mine.toml"
```

Words.
"""


def test_shipped_lesson_is_not_a_user_lesson_by_any_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = lesson_paths()["double_cover"]
    (tmp_path / "link").symlink_to(shipped.parent)
    monkeypatch.chdir(shipped.parent)
    for way in ("double_cover", shipped.name, str(tmp_path / "link" / shipped.name)):
        assert not is_user_lesson(read_lesson(way)), way
    copied = tmp_path / shipped.name
    copied.write_bytes(shipped.read_bytes())
    for picture in shipped.parent.glob("*.png"):
        (tmp_path / picture.name).write_bytes(picture.read_bytes())
    assert is_user_lesson(read_lesson(copied)), "a copy can be changed"

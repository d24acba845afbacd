"""Merging of several lessons into one file, for a class that a lecturer presents without interruption."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from filecmp import cmp
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import image_sources, split_formulae
from quatviz.files.files import write_text
from quatviz.files.limits import MAX_PICTURE_BYTES
from quatviz.files.toml_text import toml_pairs
from quatviz.physics.geometry.preset_relative_paths import real_path
from quatviz.teaching.lessons.blocks import MAX_LESSON_BYTES, LessonBlock, parse_sections
from quatviz.teaching.lessons.check_text import PLACEHOLDER
from quatviz.teaching.lessons.model import Lesson, lesson_error
from quatviz.teaching.lessons.parsing import parse_lesson, read_lesson_text


def companion_files(lesson: Lesson) -> dict[str, Path]:
    """Return the presets and pictures that a lesson uses from its folder, by their names in the lesson.

    Files outside the folder are never read.
    """
    if lesson.path is None:
        return {}
    names: dict[str, None] = {}
    for part in (part for step in lesson.steps for part in step.parts):
        if part.scene.preset is not None and part.scene.preset.endswith(".toml"):
            names[part.scene.preset] = None
        names |= dict.fromkeys(image_sources(part.text))
    folder = real_path(lesson.path.parent)
    paths = {name: real_path(folder / name) for name in names if ":" not in name}
    return {name: path for name, path in paths.items() if path.is_relative_to(folder)}


def write_merged(lessons: Sequence[Lesson], path: Path) -> Lesson:
    """Merge lessons in the given order into one file, and copy the presets and pictures that they use to the same
    folder. Return the merged lesson.

    Raises
    ------
    InputError
        If the lessons cannot be merged. All new files are then removed.
    """
    text = merged_text(lessons)
    if len(text.encode()) > MAX_LESSON_BYTES:
        raise _merge_error(
            path, phrase("at most {most} bytes", most=MAX_LESSON_BYTES), f"{len(text.encode())}"
        )
    copies: list[Path] = []
    try:
        for name, file in (item for lesson in lessons for item in companion_files(lesson).items()):
            if not real_path(path.parent / name).is_relative_to(real_path(path.parent)):
                raise _merge_error(path, "lessons whose files are in their folders", name)
            copies += _copy_file(file, path.parent / name, path)
        merged = parse_lesson(text, str(path), path.parent)
        if _titled_scenes(merged) != [part for lesson in lessons for part in _titled_scenes(lesson)]:
            raise _merge_error(path, "the same scenes", "other scenes when the file is read again")
        write_text(path, text)
    except BaseException as error:
        for target in copies:
            target.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _merge_error(path, "files that can be copied", str(error)) from None
        raise
    return merged


def _copy_file(file: Path, target: Path, path: Path) -> list[Path]:
    """Copy a file to `target` unless an equal file is already there. Return a list with the new file, or []."""
    if not file.is_file():
        raise _merge_error(path, phrase("the file {file}", file=file), "no such file")
    if (size := file.stat().st_size) > MAX_PICTURE_BYTES:
        expected = phrase("the file {file}, of at most {most} bytes", file=file, most=MAX_PICTURE_BYTES)
        raise _merge_error(path, expected, phrase("{size} bytes", size=size))
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        return [target]
    if not cmp(file, target, shallow=False):
        raise _merge_error(
            path, "another folder", phrase("a different file {name} in this folder", name=target.name)
        )
    return []


def merged_text(lessons: Sequence[Lesson]) -> str:
    """Return the text of the merged lesson. Each lesson in it starts from the default scene.

    If checks of two lessons have the same name, the name in the second lesson is changed.
    """
    header = {
        "format": 1,
        "source": "; ".join(lesson.source for lesson in lessons if lesson.source),
        "minutes": sum(lesson.minutes for lesson in lessons),
    }
    title = "; ".join(lesson.title for lesson in lessons)
    parts = [f"# {title}", f"```lesson\n{toml_pairs(header).strip()}\n```"]
    parts += [lesson.summary for lesson in lessons]
    used_names: set[str] = set()
    for number, lesson in enumerate(lessons):
        names = _resolve_name_clashes(lesson, used_names)
        used_names |= {names.get(name, name) for name in lesson.checks}
        parts.append(_steps_text(lesson, names, anew=number > 0))
    return "\n\n".join(parts) + "\n"


def _resolve_name_clashes(lesson: Lesson, used_names: set[str]) -> dict[str, str]:
    check_names, renames = set(lesson.checks), dict[str, str]()
    for name in check_names & used_names:
        number = 2
        while (candidate := f"{name}_{number}") in used_names | check_names | set(renames.values()):
            number += 1
        renames[name] = candidate
    return renames


def _steps_text(lesson: Lesson, names: Mapping[str, str], anew: bool) -> str:
    """Return the text of a lesson from its first step on, with checks renamed according to `names`.

    If `anew` is True, the first scene starts from the default scene instead of continuing the previous lesson.
    """
    assert lesson.path is not None
    text, filename = read_lesson_text(lesson.path), str(lesson.path)
    sections = parse_sections(text, filename)
    lines = text.splitlines()
    blocks = [piece for section in sections for piece in section.pieces if isinstance(piece, LessonBlock)]
    for block in blocks:
        key = {"check": "name", "question": "answer"}.get(block.block_type, "")
        value = block.table.get(key)
        if isinstance(value, str) and value in names and "choices" not in block.table:
            line_index = block.line_of(key) - 1
            lines[line_index] = re.sub(
                rf"(=\s*)(['\"]){value}\2", rf"\g<1>\g<2>{names[value]}\2", lines[line_index]
            )
    if anew:
        first = next(block for block in blocks if block.block_type == "scene")
        lines[first.line - 1] += "\nanew = true"
    return "".join(_rename_checks("\n".join(lines[sections[1].line - 1 :]), names)).strip()


def _rename_checks(text: str, names: Mapping[str, str]) -> Iterator[str]:
    for piece, is_formula in split_formulae(text):
        yield (
            piece if is_formula else PLACEHOLDER.sub(lambda name: f"{{{names.get(name[1], name[1])}}}", piece)
        )


def _titled_scenes(lesson: Lesson) -> list[tuple[str, object]]:
    """Return every scene of a lesson with the title of its step. Captions are removed, because the names of
    checks in them may change."""
    parts = ((step.title, part.scene) for step in lesson.steps for part in step.parts)
    return [(title, replace(scene, caption=None)) for title, scene in parts]


def _merge_error(path: Path, expected: str, found: str) -> InputError:
    return lesson_error(str(path), expected, found, "merge other lessons, or merge these by hand")

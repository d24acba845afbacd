"""Several lessons as one file: a class that a lecturer gives from its beginning to its end."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from filecmp import cmp
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import pictures_in, pieces
from quatviz.files.files import write_text
from quatviz.files.limits import LARGEST_PICTURE
from quatviz.files.toml_text import toml_pairs
from quatviz.physics.geometry.preset_relative_paths import followed
from quatviz.teaching.lessons.blocks import LARGEST, Block, sections_of
from quatviz.teaching.lessons.check_text import NAME
from quatviz.teaching.lessons.model import Lesson, refused
from quatviz.teaching.lessons.parsing import parse_lesson, text_of


def files_of(lesson: Lesson) -> dict[str, Path]:
    """What stands beside a lesson that it needs, presets and pictures, by the names that it has there; nothing from elsewhere is
    ever read."""
    if lesson.path is None:
        return {}
    names: dict[str, None] = {}
    for part in (part for step in lesson.steps for part in step.parts):
        if part.scene.preset is not None and part.scene.preset.endswith(".toml"):
            names[part.scene.preset] = None
        names |= dict.fromkeys(pictures_in(part.words))
    folder = followed(lesson.path.parent)
    found = {name: followed(folder / name) for name in names if ":" not in name}
    return {name: path for name, path in found.items() if path.is_relative_to(folder)}


def write_joined(lessons: Sequence[Lesson], path: Path) -> Lesson:
    """Write these lessons as one, in their order, with the files that they need beside it; what was written. `InputError` where
    that cannot be: then nothing is there that was not before."""
    text = joined(lessons)
    if len(text.encode()) > LARGEST:
        raise _not_joined(path, phrase("at most {most} bytes", most=LARGEST), f"{len(text.encode())}")
    fresh: list[Path] = []
    try:
        for name, file in (one for lesson in lessons for one in files_of(lesson).items()):
            fresh += _brought(file, path.parent / name, path)
        made = parse_lesson(text, str(path), path.parent)
        if _parts(made) != [part for lesson in lessons for part in _parts(lesson)]:
            raise _not_joined(path, "the same scenes", "others, when it is read again")
        write_text(path, text)
    except BaseException as fault:
        for target in fresh:
            target.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise _not_joined(path, "files that can be copied", str(fault)) from None
        raise
    return made


def _brought(file: Path, target: Path, path: Path) -> list[Path]:
    """Have a file there too; the copy, if one was made."""
    if not file.is_file() or file.stat().st_size > LARGEST_PICTURE:
        expected = phrase("the file {file}, of at most {most} bytes", file=file, most=LARGEST_PICTURE)
        raise _not_joined(path, expected, "none, or a larger one")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        return [target]
    if not cmp(file, target, shallow=False):
        raise _not_joined(path, "another folder", phrase("another file {name} there", name=target.name))
    return []


def joined(lessons: Sequence[Lesson]) -> str:
    """Their text as one. Each begins anew; a name of a number that an earlier one has gets another."""
    head = {
        "format": 1,
        "source": "; ".join(lesson.source for lesson in lessons if lesson.source),
        "minutes": sum(lesson.minutes for lesson in lessons),
    }
    title = "; ".join(lesson.title for lesson in lessons)
    parts = [f"# {title}", f"```lesson\n{toml_pairs(head).strip()}\n```"]
    parts += [lesson.summary for lesson in lessons]
    taken: set[str] = set()
    for number, lesson in enumerate(lessons):
        names = _new_names(lesson, taken)
        taken |= {names.get(name, name) for name in lesson.checks}
        parts.append(_steps_of(lesson, names, anew=number > 0))
    return "\n\n".join(parts) + "\n"


def _new_names(lesson: Lesson, taken: set[str]) -> dict[str, str]:
    own, found = set(lesson.checks), dict[str, str]()
    for name in own & taken:
        number = 2
        while (fresh := f"{name}_{number}") in taken | own | set(found.values()):
            number += 1
        found[name] = fresh
    return found


def _steps_of(lesson: Lesson, names: Mapping[str, str], anew: bool) -> str:
    """The text from the first step on."""
    assert lesson.path is not None
    text, place = text_of(lesson.path), str(lesson.path)
    sections = sections_of(text, place)
    lines = text.splitlines()
    blocks = [piece for section in sections for piece in section.pieces if isinstance(piece, Block)]
    for block in blocks:
        key = {"check": "name", "question": "answer"}.get(block.kind, "")
        own = block.table.get(key)
        if isinstance(own, str) and own in names and "choices" not in block.table:
            at = block.line_of(key) - 1
            lines[at] = re.sub(rf"(=\s*)(['\"]){own}\2", rf"\g<1>\g<2>{names[own]}\2", lines[at])
    if anew:
        first = next(block for block in blocks if block.kind == "scene")
        lines[first.line - 1] += "\nanew = true"
    return "".join(_renamed("\n".join(lines[sections[1].line - 1 :]), names)).strip()


def _renamed(text: str, names: Mapping[str, str]) -> Iterator[str]:
    for said, is_formula in pieces(text):
        yield said if is_formula else NAME.sub(lambda name: f"{{{names.get(name[1], name[1])}}}", said)


def _parts(lesson: Lesson) -> list[tuple[str, object]]:
    """Its scenes, each with the title of its step; names in captions may be others."""
    parts = ((step.title, part.scene) for step in lesson.steps for part in step.parts)
    return [(title, replace(scene, caption=None)) for title, scene in parts]


def _not_joined(path: Path, expected: str, found: str) -> InputError:
    return refused(str(path), expected, found, "join other lessons, or by hand")

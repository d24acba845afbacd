"""What a lesson needs, made ready the day before, and told in words that a lecturer reads; the same, and a sheet, in a process of
its own for who waits beside a window."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import formulae_of, pictures_in
from quatviz.base.translation import told as translated
from quatviz.base.translation import tr
from quatviz.files.formula_cache import book
from quatviz.files.limits import LARGEST_PICTURE, PICTURES
from quatviz.simulation.compilation import compile_presets
from quatviz.simulation.simulation import Progress
from quatviz.teaching.lessons.check_text import stated
from quatviz.teaching.lessons.checking import Outcome, outcome
from quatviz.teaching.lessons.merging import files_of
from quatviz.teaching.lessons.model import Check, Lesson, Scene
from quatviz.teaching.lessons.scene_runs import preset_of, simulation_of

_LOOK = 0.1
"""Between two looks at what is compiled [s]."""
_COMPILED, _RUN = 60, 95
"""How much of all is done when kernels are there, and when runs are [%]."""


@dataclass(frozen=True)
class Found:
    """One thing that was seen to. Where it is not `ok`, there is something to do before the lecture."""

    what: str
    said: str
    ok: bool = True


def prepare(lesson: Lesson, told: Callable[[int], object] = lambda percent: None) -> Iterator[Found]:
    """See to everything; `told` hears how much is done [%]."""
    questions = sum(len(step.asked) for step in lesson.steps)
    steps, minutes = len(lesson.steps), lesson.minutes
    said = tr("{steps} steps with {questions} questions", steps=steps, questions=questions)
    yield Found(tr("Lesson"), f"{said}, {tr('{minutes} minutes', minutes=minutes)}" if minutes else said)
    yield _kernels(lesson, told)
    yield from _runs(lesson, told)
    yield _files(lesson)
    yield _formulae(lesson)
    yield Found(tr("Films"), tr("none is needed, nor a network: all that moves is computed while you speak"))
    told(100)


def _scenes(lesson: Lesson) -> dict[tuple[object, ...], Scene]:
    """One for each run."""
    return {part.scene.run: part.scene for step in lesson.steps for part in step.parts}


def _kernels(lesson: Lesson, told: Callable[[int], object]) -> Found:
    folder = lesson.path.parent if lesson.path is not None else None
    presets = [preset_of(scene, folder) for scene in _scenes(lesson).values()]
    began, total = time.monotonic(), 0
    try:
        for done, total in compile_presets(presets, os.cpu_count() or 1):
            told(_COMPILED * done // max(total, 1))
            time.sleep(_LOOK if done < total else 0.0)
    except InputError as refusal:
        return Found(tr("Equations"), f"{translated(refusal.found)}; {translated(refusal.remedy)}", ok=False)
    told(_COMPILED)
    if not total:
        return Found(tr("Equations"), tr("all were ready"))
    seconds = round(time.monotonic() - began)
    return Found(
        tr("Equations"),
        tr("all are ready; {total} compiled now, in {seconds} s", total=total, seconds=seconds),
    )


def _runs(lesson: Lesson, told: Callable[[int], object]) -> Iterator[Found]:
    """Every run to its end, and in it the numbers that the lesson states."""
    folder = lesson.path.parent if lesson.path is not None else None
    checks = [(step.title, check, scene) for step in lesson.steps for check, scene in step.checks]
    scenes = _scenes(lesson)
    slowest, found, titles = (0.0, 0.0), list[Outcome](), dict[str, None]()
    for number, (key, scene) in enumerate(scenes.items()):
        told(_COMPILED + (_RUN - _COMPILED) * number // len(scenes))
        began = time.monotonic()
        run = simulation_of(scene, folder)
        slowest = max(slowest, (time.monotonic() - began, run.duration))
        titles[run.preset.title] = None
        found += [outcome(lesson, title, check, run) for title, check, at in checks if at.run == key]
    names = ", ".join(f"“{title}”" for title in titles)
    said = tr("{count}, of {names}; the longest takes {seconds:.1f} s for {motion:g} s of motion",
        count=len(scenes), names=names, seconds=slowest[0], motion=slowest[1])  # fmt: skip
    yield Found(tr("Runs"), said, ok=slowest[0] <= slowest[1])
    missed = [one for one in found if not one.ok]
    if not missed:
        yield Found(
            tr("Numbers"), tr("all {count} that it states are what runs made now give", count=len(found))
        )
    for one in missed:
        yield Found(tr("Numbers"), _missed(one.check, one), ok=False)


def _missed(check: Check, one: Outcome) -> str:
    return tr(
        "in “{step}”, {name} is said to be {stated}, and measured as {measured}",
        step=one.step, name=check.name, stated=stated(check), measured=one.said,
    )  # fmt: skip


def _files(lesson: Lesson) -> Found:
    """Pictures and presets beside it."""
    beside = files_of(lesson)
    named = {name for words in lesson.words for name in pictures_in(words)}
    lacking = sorted(named - beside.keys())
    lacking += [
        name
        for name, path in beside.items()
        if not path.is_file()
        or path.stat().st_size > LARGEST_PICTURE
        or (name in named and path.suffix[1:].lower() not in PICTURES)
    ]
    if lacking:
        said = tr(
            "missing, too large, none of PNG, JPEG, WebP, GIF and BMP, or not beside the lesson: {names}",
            names=", ".join(lacking),
        )
        return Found(tr("Files"), said, ok=False)
    if not beside:
        return Found(tr("Files"), tr("it needs none"))
    return Found(tr("Files"), tr("all there: {names}", names=", ".join(beside)))


def _formulae(lesson: Lesson) -> Found:
    """Typeset, and kept for the window."""
    all_ = list(dict.fromkeys(latex for words in lesson.words for latex in formulae_of(words)))
    try:
        book().draw_all(all_, lambda share: None)
    except Exception:  # whatever a typesetter may raise
        names = ", ".join(book().lacks(all_))
        return Found(tr("Formulae"), tr("these cannot be typeset: {names}", names=names), ok=False)
    return Found(tr("Formulae"), tr("all {count} are typeset", count=len(all_)))


def write_sheet_apart(lesson: str, folder: Path, progress: Progress) -> int:
    """Write the sheet in a process of its own; the number of files. They come to `folder` when all of them are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sheet-", dir=folder) as fresh:
            command = ["lessons", "--sheet", lesson, "-o", fresh]
            run_command(command, folder, "a student's sheet", progress)
            made = sorted(Path(fresh).iterdir())
            for path in made:
                path.replace(folder / path.name)
    except OSError as error:
        raise InputError(
            phrase("the folder {folder}", folder=folder),
            expected="a student's sheet",
            found=error.strerror or str(error),
            remedy="another folder",
            topic="errors#exports",
        ) from None
    return len(made)


def prepare_apart(lesson: str, progress: Progress) -> list[str]:
    """Prepare the class in a process of its own; its lines."""
    return run_command(["lessons", "--prepare", lesson], Path(lesson), "a class that can be given", progress)

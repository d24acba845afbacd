"""Preparation of a class: compilation, computation and checks of everything that a lesson needs, with a report.

Preparation and worksheets can also run in a subprocess, so that a window stays responsive.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import find_formulae, image_sources
from quatviz.base.translation import tr
from quatviz.files.formula_cache import formula_cache
from quatviz.files.limits import MAX_PICTURE_BYTES, PICTURE_FORMATS
from quatviz.simulation.compilation import compile_presets
from quatviz.simulation.simulation import Progress
from quatviz.teaching.lessons.check_text import format_check_value
from quatviz.teaching.lessons.checking import CheckResult, evaluate_check
from quatviz.teaching.lessons.merging import companion_files
from quatviz.teaching.lessons.model import Lesson, LessonCheck, Scene
from quatviz.teaching.lessons.scene_runs import preset_of, simulation_of

_POLL_INTERVAL = 0.1
"""Time between two checks of the compilation [s]."""
_COMPILED_PERCENT, _RUN_PERCENT = 60, 95
"""Progress [%] that is shown after the kernels are compiled, and after the runs are computed."""


@dataclass(frozen=True)
class PreparationResult:
    """Result of one task of the preparation. If `ok` is False, the lecturer must do something before the lecture."""

    title: str
    message: str
    ok: bool = True


def prepare(
    lesson: Lesson, progress: Callable[[int], object] = lambda percent: None
) -> Iterator[PreparationResult]:
    """Prepare a lesson, and yield a result for each task. `progress` is a function that is called with the progress [%]."""
    questions = sum(len(step.questions) for step in lesson.steps)
    steps, minutes = len(lesson.steps), lesson.minutes
    summary = tr("{steps} steps with {questions} questions", steps=steps, questions=questions)
    yield PreparationResult(
        tr("Lesson"), f"{summary}, {tr('{minutes} minutes', minutes=minutes)}" if minutes else summary
    )
    yield _compile_kernels(lesson, progress)
    yield from _check_runs(lesson, progress)
    yield _check_files(lesson)
    yield _typeset_formulae(lesson)
    yield PreparationResult(tr("Films"), tr("not needed: all motion is computed live, without a network"))
    progress(100)


def _scenes_by_run(lesson: Lesson) -> dict[tuple[object, ...], Scene]:
    """Return one scene for each different run of a lesson, by `Scene.run_key`."""
    return {part.scene.run_key: part.scene for step in lesson.steps for part in step.parts}


def _compile_kernels(lesson: Lesson, progress: Callable[[int], object]) -> PreparationResult:
    folder = lesson.path.parent if lesson.path is not None else None
    presets = [preset_of(scene, folder) for scene in _scenes_by_run(lesson).values()]
    started, total = time.monotonic(), 0
    try:
        for done, total in compile_presets(presets, os.cpu_count() or 1):
            progress(_COMPILED_PERCENT * done // max(total, 1))
            time.sleep(_POLL_INTERVAL if done < total else 0.0)
    except InputError as refusal:
        return PreparationResult(tr("Equations"), f"{tr(refusal.found)}; {tr(refusal.remedy)}", ok=False)
    progress(_COMPILED_PERCENT)
    if not total:
        return PreparationResult(tr("Equations"), tr("all are compiled"))
    seconds = round(time.monotonic() - started)
    return PreparationResult(
        tr("Equations"),
        tr("all are compiled; this took {seconds} s for {total} kernels", total=total, seconds=seconds),
    )


def _check_runs(lesson: Lesson, progress: Callable[[int], object]) -> Iterator[PreparationResult]:
    """Compute every run, and check the numbers that the lesson states. Yield results for both."""
    folder = lesson.path.parent if lesson.path is not None else None
    checks = [(step.title, check, scene) for step in lesson.steps for check, scene in step.checks]
    scenes = _scenes_by_run(lesson)
    slowest, results, titles = (0.0, 0.0), list[CheckResult](), dict[str, None]()
    for number, (key, scene) in enumerate(scenes.items()):
        progress(_COMPILED_PERCENT + (_RUN_PERCENT - _COMPILED_PERCENT) * number // len(scenes))
        started = time.monotonic()
        run = simulation_of(scene, folder)
        slowest = max(slowest, (time.monotonic() - started, run.duration))
        titles[run.preset.title] = None
        results += [
            evaluate_check(lesson, title, check, run)
            for title, check, check_scene in checks
            if check_scene.run_key == key
        ]
    names = ", ".join(f"“{title}”" for title in titles)
    summary = tr("{count}, of {names}; the longest takes {seconds:.1f} s for {motion:g} s of motion",
        count=len(scenes), names=names, seconds=slowest[0], motion=slowest[1])  # fmt: skip
    yield PreparationResult(tr("Runs"), summary, ok=slowest[0] <= slowest[1])
    failures = [result for result in results if not result.ok]
    if not failures:
        yield PreparationResult(
            tr("Stated values"), tr("all correct; values compared with new runs: {count}", count=len(results))
        )
    for result in failures:
        yield PreparationResult(tr("Stated values"), _failure_message(result.check, result), ok=False)


def _failure_message(check: LessonCheck, result: CheckResult) -> str:
    return tr(
        "“{step}”: {name} is stated as {stated}, but measured as {measured}",
        step=result.step, name=check.name, stated=format_check_value(check), measured=result.measured_text,
    )  # fmt: skip


def _check_files(lesson: Lesson) -> PreparationResult:
    """Check that pictures and presets in the folder of the lesson can be used."""
    companions = companion_files(lesson)
    pictures = {name for words in lesson.all_texts for name in image_sources(words)}
    names_by_fault = {
        tr("outside the lesson’s folder"): sorted(pictures - companions.keys()),
        tr("missing"): [name for name, path in companions.items() if not path.is_file()],
        tr("larger than {most} bytes", most=MAX_PICTURE_BYTES): [
            name
            for name, path in companions.items()
            if path.is_file() and path.stat().st_size > MAX_PICTURE_BYTES
        ],
        tr("not PNG, JPEG, WebP, GIF or BMP"): [
            name
            for name, path in companions.items()
            if path.is_file() and name in pictures and path.suffix[1:].lower() not in PICTURE_FORMATS
        ],
    }
    faults = [f"{fault}: {', '.join(names)}" for fault, names in names_by_fault.items() if names]
    if faults:
        return PreparationResult(tr("Files"), "; ".join(faults), ok=False)
    if not companions:
        return PreparationResult(tr("Files"), tr("none needed"))
    return PreparationResult(tr("Files"), tr("all present: {names}", names=", ".join(companions)))


def _typeset_formulae(lesson: Lesson) -> PreparationResult:
    """Typeset all formulas, and cache them for the window."""
    formulae = list(dict.fromkeys(latex for words in lesson.all_texts for latex in find_formulae(words)))
    try:
        formula_cache().render_all(formulae, lambda share: None)
    except Exception:  # A typesetter may raise any exception.
        names = ", ".join(formula_cache().missing_formulae(formulae))
        return PreparationResult(
            tr("Formulas"), tr("these formulas cannot be typeset: {names}", names=names), ok=False
        )
    return PreparationResult(tr("Formulas"), tr("all {count} are typeset", count=len(formulae)))


def write_sheet_in_subprocess(lesson: str, folder: Path, progress: Progress) -> int:
    """Write the worksheets in a subprocess, and return the number of files. The files appear in `folder` when all are
    complete."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sheet-", dir=folder) as scratch:
            command = ["lessons", "--sheet", lesson, "-o", scratch]
            run_command(command, folder, "a worksheet", progress)
            paths = sorted(Path(scratch).iterdir())
            for path in paths:
                path.replace(folder / path.name)
    except OSError as error:
        raise InputError(
            phrase("the folder {folder}", folder=folder),
            expected="a worksheet",
            found=error.strerror or str(error),
            remedy="another folder",
            topic="errors#exports",
        ) from None
    return len(paths)


def prepare_in_subprocess(lesson: str, progress: Progress) -> list[str]:
    """Prepare the class in a subprocess. Return the lines of its output."""
    return run_command(["lessons", "--prepare", lesson], Path(lesson), "a prepared class", progress)

"""What a lecturer hands out: the words of a lesson, its questions, figures of its runs, and the answers at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from quatviz.export.figures.drawing import draw
from quatviz.export.figures.of_run import picture_of
from quatviz.export.figures.paper import Paper, save
from quatviz.export.files import write_text
from quatviz.lessons.model import Lesson, Scene, Step
from quatviz.lessons.runs import simulation_of
from quatviz.lessons.stating import filled, stated, unit_of
from quatviz.simulation.simulation import Simulation

QUANTITIES = {
    "euler_parameters": ("p",),
    "omega": ("omega",),
    "h": ("h",),
    "energy": ("energy",),
    "drift": ("constraint", "energy_drift"),
    "multiplier": ("lam",),
    "condition": ("condition",),
    "euler_angles": ("angles_{0}",),
    "det_s": ("det_S_{0}",),
    "ring": ("ring_angle", "ring_rate"),
}
"""What a figure shows of the panels of a scene; globes and error panels have no figure of this kind."""

_IN_SPACE = {"omega": "omega_space", "h": "h_space"}


def write_sheet(
    lesson: Lesson, folder: Path, told: Callable[[int], object] = lambda done: None
) -> list[Path]:
    """Write `NAME.md` and its figures into `folder`; the paths, that of the text first. `told` hears how many steps have
    got theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: dict[tuple[object, ...], tuple[str, str]] = {}
    runs: dict[tuple[object, ...], Simulation] = {}
    paths: list[Path] = []
    for number, step in enumerate(lesson.steps):
        told(number)
        scene = scene_of(step)
        names = quantities_of(scene)
        key = (scene.run, names)
        if not names or key in figures:
            continue
        if scene.run not in runs:
            runs = {scene.run: simulation_of(scene, lesson.path.parent if lesson.path is not None else None)}
        run, paper = runs[scene.run], Paper(170.0, None, "Inter", 8.0)
        path = folder / f"{lesson.name}-{len(figures) + 1}.png"
        save(draw(picture_of(run, names), paper), path, paper, step.title)
        figures[key] = (path.name, f"Figure {len(figures) + 1}: {run.preset.title}")
        paths.append(path)
    text = folder / f"{lesson.name}.md"
    write_text(text, sheet_of(lesson, figures))
    return [text, *paths]


def sheet_of(lesson: Lesson, figures: dict[tuple[object, ...], tuple[str, str]]) -> str:
    """The sheet in Markdown; `figures` are the file and the caption of each run with its quantities."""
    lines = [f"# {lesson.title}", "", lesson.summary, ""]
    shown: set[str] = set()
    for number, step in enumerate(lesson.steps, 1):
        lines += [f"## {number}. {step.title}", "", filled(step.part.words, lesson.checks), ""]
        lines += _asked(step, lesson)
        scene = scene_of(step)
        file, caption = figures.get((scene.run, quantities_of(scene)), ("", ""))
        if file and file not in shown:
            shown.add(file)
            lines += [f"![{caption}]({file})", "", f"*{caption}*", ""]
    answers = list(_answers(lesson))
    if answers:
        lines += ["## Answers", "", *answers]
    if lesson.source:
        lines += [f"Source: {lesson.source}", ""]
    return "\n".join(lines)


def scene_of(step: Step) -> Scene:
    """What a step shows at last."""
    return step.answer.scene if step.answer is not None else step.part.scene


def quantities_of(scene: Scene) -> tuple[str, ...]:
    """What a figure of the scene shows."""
    names = [name for panel in scene.panels or () for name in QUANTITIES.get(panel, ())]
    if scene.components == "space":
        names = [_IN_SPACE.get(name, name) for name in names]
    return tuple(name.format(scene.sequence or "321") for name in names)


def _asked(step: Step, lesson: Lesson) -> Iterator[str]:
    question = step.question
    if question is None:
        return
    yield from (f"**Question.** {filled(question.ask, lesson.checks)}", "")
    if question.choices is None:
        unit = unit_of(lesson.checks[question.answer])
        yield from (f"Your guess: ____________ {unit}".rstrip(), "")
    else:
        for number, choice in enumerate(question.choices):
            yield from (f"{chr(ord('A') + number)}: {choice}", "")


def _answers(lesson: Lesson) -> Iterator[str]:
    for number, step in enumerate(lesson.steps, 1):
        if step.question is None or step.answer is None:
            continue
        choices = step.question.choices
        if choices is None:
            right = stated(lesson.checks[step.question.answer])
        else:
            right = f"{chr(ord('A') + choices.index(step.question.answer))}, {step.question.answer}"
        yield from (f"**{number}. {right}.**", "", filled(step.answer.words, lesson.checks), "")

"""What a lecturer hands out: the words of a lesson, its questions, figures of its runs, and the answers at the end."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from quatviz.export.figures.drawing import draw
from quatviz.export.figures.figure import figure_of_run
from quatviz.export.figures.paper import Paper
from quatviz.lessons.model import Lesson, Scene, Step
from quatviz.lessons.runs import look_of, simulation_of
from quatviz.lessons.stating import filled, stated, unit_of
from quatviz.look.look import Look
from quatviz.panels import PANELS
from quatviz.panels.base import PaintedPanel, TimePanel
from quatviz.simulation.simulation import Simulation
from quatviz.text.files import make_folder, write_text

ANSWERS = "Answers"
"""The heading below which nothing is a student's before the lesson."""

Figured = tuple[tuple[object, ...], tuple[str, ...], tuple[str, ...], bool]
"""A run, the panels of it that a figure shows, what is chosen in them, and whether they show differences."""


def write_sheet(
    lesson: Lesson, folder: Path, told: Callable[[int], object] = lambda done: None
) -> list[Path]:
    """Write `NAME.md` and its figures into `folder`; the paths, that of the text first. `told` hears how many steps have
    got theirs."""
    make_folder(folder)
    keys = list(dict.fromkeys(key for key in map(figure_of, _scenes(lesson)) if key is not None))
    figures: dict[Figured, tuple[str, str]] = {}
    runs: dict[tuple[object, ...], Simulation] = {}
    paths: list[Path] = []
    for number, step in enumerate(lesson.steps):
        told(number)
        for scene in (step.part.scene, *([step.answer.scene] if step.answer is not None else [])):
            key = figure_of(scene)
            if key is None or key in figures:
                continue
            if scene.run not in runs:
                place = lesson.path.parent if lesson.path is not None else None
                runs = {scene.run: simulation_of(scene, place)}
            run, paper, one = runs[scene.run], Paper(170.0, None, "Inter", 8.0), keys.index(key) + 1
            picture = figure_of_run(run, (), panels=key[1], look=look_of(scene, Look()))
            if not picture.panels:
                continue
            path = folder / f"{lesson.name}-{one}.png"
            draw(picture, paper, step.title).save(path)
            figures[key] = (path.name, f"Figure {one}: {run.preset.title}")
            paths.append(path)
    text = folder / f"{lesson.name}.md"
    write_text(text, sheet_of(lesson, figures))
    return [text, *paths]


def sheet_of(lesson: Lesson, figures: Mapping[Figured, tuple[str, str]]) -> str:
    """The sheet in Markdown; `figures` are the file and the caption of each run with its quantities. What an answer shows
    stands with the answers."""
    lines = [f"# {lesson.title}", "", lesson.summary, ""]
    shown: set[str] = set()
    for number, step in enumerate(lesson.steps, 1):
        lines += [f"## {number}. {step.title}", "", filled(step.part.words, lesson.checks), ""]
        lines += [*_asked(step, lesson), *_pictured(step.part.scene, figures, shown)]
    answers = [line for number, step in enumerate(lesson.steps, 1)
               for line in _answered(number, step, lesson, figures, shown)]  # fmt: skip
    if answers:
        lines += [f"## {ANSWERS}", "", *answers]
    if lesson.source:
        lines += [f"Source: {lesson.source}", ""]
    return "\n".join(lines)


def figure_of(scene: Scene) -> Figured | None:
    """The run of a scene with what its figure shows; None where there is nothing that paper can show."""
    kinds = [PANELS[name] for name in scene.panels or ()]
    drawn = [kind for kind in kinds if issubclass(kind, (TimePanel, PaintedPanel))]
    if not drawn:
        return None
    options = look_of(scene, Look()).options
    choices = dict.fromkeys(kind.choice.name for kind in drawn if kind.choice is not None)
    chosen = tuple(options.get(name, "") for name in choices)
    return (scene.run, tuple(kind.name for kind in drawn), chosen, bool(scene.difference))


def _scenes(lesson: Lesson) -> Iterator[Scene]:
    """In the order of the sheet: those of the steps, then those of the answers."""
    yield from (step.part.scene for step in lesson.steps)
    yield from (step.answer.scene for step in lesson.steps if step.answer is not None)


def _pictured(scene: Scene, figures: Mapping[Figured, tuple[str, str]], shown: set[str]) -> Iterator[str]:
    """The figure of a scene, where it is not shown yet."""
    key = figure_of(scene)
    file, caption = figures.get(key, ("", "")) if key is not None else ("", "")
    if file and file not in shown:
        shown.add(file)
        yield from (f"![{caption}]({file})", "", f"*{caption}*", "")


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


def _answered(
    number: int, step: Step, lesson: Lesson, figures: Mapping[Figured, tuple[str, str]], shown: set[str]
) -> Iterator[str]:
    if step.question is None or step.answer is None:
        return
    choices = step.question.choices
    if choices is None:
        right = stated(lesson.checks[step.question.answer])
    else:
        right = f"{chr(ord('A') + choices.index(step.question.answer))}, {step.question.answer}"
    yield from (f"**{number}. {right}.**", "", filled(step.answer.words, lesson.checks), "")
    yield from _pictured(step.answer.scene, figures, shown)

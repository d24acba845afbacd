"""What a lecturer hands out: a student's copy with the words of a lesson, its questions and room for answers, figures of its runs
with the body beside them; and a teacher's copy, which has the answers."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import matplotlib.image
import numpy as np

from quatviz.display.panels import PANELS
from quatviz.display.panels.base import PaintedPanel, TimePanel
from quatviz.display.panels.base.globe import GlobePanel
from quatviz.display.view_state.view_state import Look
from quatviz.export.figures.drawing import draw
from quatviz.export.figures.figure import figure_of_run
from quatviz.export.figures.paper import DOTS_PER_INCH, MM, Paper
from quatviz.files.files import make_folder, write_text
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.check_text import filled, stated, unit_of
from quatviz.teaching.lessons.model import Asking, Lesson, Part, Question, Scene
from quatviz.teaching.lessons.scene_runs import display_of, lanes_of, look_of, simulation_of

QUESTION, ANSWER = "Question", "Answer."
"""How these begin."""
ANSWERS = "-answers"
"""What the name of the teacher's copy has more."""
_CURVES = Paper(128.0, None, "Inter", 7.0, strip=2.5)
"""As high as its legend and strips need; three strips are as high as the body beside them, and fewer share that."""
_TABLE = 1.5
"""How much higher strips are where one is a table: its rows are as high as words."""
_BODY = 42.0
"""Width and height of the picture of the body [mm]."""
_LINE = "---\n"
"""One to write on."""
_BREAK = "\\\n"
"""Of a line within a paragraph."""

Painter = Callable[[Simulation, Look, float, int, int], np.ndarray]
"""The body of a run, seen so, at a time [s], so many pixels wide and high: colours (height, width, 3) from 0 to 1."""
Figured = tuple[object, ...]
"""What a figure shows: two scenes with the same one need but one figure."""
Figures = Mapping[Figured, tuple[str, str]]
"""The file of each, and what its caption says."""


def write_sheet(
    lesson: Lesson, folder: Path, paint: Painter, told: Callable[[int], object] = lambda done: None
) -> list[Path]:
    """Write `NAME.md`, `NAME-answers.md` and their figures into `folder`; the paths, those of the texts first. `told` hears how
    many steps have got theirs."""
    make_folder(folder)
    figures: dict[Figured, tuple[str, str]] = {}
    runs: dict[tuple[object, ...], Simulation] = {}
    paths: list[Path] = []
    numbers = lanes_of(lesson)
    for number, step in enumerate(lesson.steps):
        told(number)
        for part in step.parts:
            key = figure_of(part.scene)
            if key in figures:
                continue
            if part.scene.run not in runs:
                place = lesson.path.parent if lesson.path is not None else None
                runs = {part.scene.run: simulation_of(part.scene, place)}
            path = folder / f"{lesson.name}-{len(figures) + 1}.png"
            shown = _draw(part.scene, runs[part.scene.run], numbers, paint, path)
            said = filled(part.scene.caption, lesson.checks) if part.scene.caption else f"{shown}."
            figures[key] = (path.name, said)
            paths.append(path)
    texts = [folder / f"{lesson.name}{ending}.md" for ending in ("", ANSWERS)]
    for text, answered in zip(texts, (False, True), strict=True):
        write_text(text, sheet_of(lesson, figures, answered))
    return [*texts, *paths]


def sheet_of(lesson: Lesson, figures: Figures, answered: bool) -> str:
    """A copy in Markdown, the teacher's if it is `answered`: there the answers stand below their questions."""
    lines = [f"# {lesson.title}", ""]
    lines += ["**With answers**", ""] if answered else [f"Name: {'_' * 44}  Date: {'_' * 18}", ""]
    lines += [lesson.summary, ""]
    shown, numbers = set[str](), _numbers(lesson, figures)
    for number, step in enumerate(lesson.steps, 1):
        lines += [f"## {number}. {step.title}", "", filled(step.part.words, lesson.checks), ""]
        lines += _pictured(step.part, figures, numbers, shown)
        for place, one in enumerate(step.asked, 1):
            head = f"**{QUESTION} {place}.**" if len(step.asked) > 1 else f"**{QUESTION}.**"
            lines += [f"{head} {filled(one.question.ask, lesson.checks)}", ""]
            lines += _answered(one, lesson) if answered else _asked(one.question, lesson, len(step.asked))
            lines += _pictured(one.answer, figures, numbers, shown) if answered else ()
    if lesson.source:
        lines += [f"Source: {lesson.source}", ""]
    return "\n".join(lines)


def figure_of(scene: Scene) -> Figured:
    """What a figure of this scene shows: its run, the panels that paper can show and what is chosen in them, the body and when."""
    kinds = _drawn(scene)
    look = look_of(scene, Look())
    choices = dict.fromkeys(kind.choice.name for kind in kinds if kind.choice is not None)
    chosen = tuple(look.options.get(name, "") for name in choices)
    body = (_moment(scene), _cursor(scene), scene.views, scene.frame, scene.show, scene.hide)
    return (scene.run, tuple(kind.name for kind in kinds), chosen, bool(scene.difference), body)


def _moment(scene: Scene) -> float:
    """When its figure shows it [s]."""
    return scene.time or 0.0 if scene.still is None else scene.still


def _cursor(scene: Scene) -> float:
    """When a matrix of its errors is taken [s]: with the body where it stands still, else at the end, where it plays to. Paths on
    spheres are drawn to the end."""
    still = scene.still is not None or (scene.time is not None and not scene.play)
    painted = any(issubclass(kind, PaintedPanel) for kind in _drawn(scene))
    return _moment(scene) if still and painted else math.inf


def _drawn(scene: Scene) -> list[type[TimePanel | PaintedPanel | GlobePanel]]:
    """Its panels that paper can show."""
    kinds = [PANELS[name] for name in scene.panels or ()]
    return [kind for kind in kinds if issubclass(kind, (TimePanel, PaintedPanel, GlobePanel))]


def _draw(scene: Scene, run: Simulation, numbers: Mapping[str, int], paint: Painter, path: Path) -> str:
    """Write the body at the scene's time, and beside it the curves if there are any, in the colours of the `numbers` of their
    lanes; what is to be seen, in words."""
    kinds = _drawn(scene)
    look = look_of(scene, Look(lanes=display_of(run.preset, numbers)))
    time = min(_moment(scene), run.duration)
    side = round(_BODY * MM * DOTS_PER_INCH)
    body, curves = (
        paint(run, look, time, side, side),
        np.ones((side, int(_CURVES.width * MM * DOTS_PER_INCH), 3)),
    )
    said = f"{run.preset.title}: the body at {time:g} s"
    names = tuple(kind.name for kind in kinds)
    picture = figure_of_run(run, (), panels=names, look=look, cursor=_cursor(scene)) if kinds else None
    if picture is not None and picture.panels:
        strips = sum(
            sum(plot.weight for plot in panel.plots) or (2.0 if panel.globe else 3.0)
            for panel in picture.panels
        )
        # Which run it is stands below it, with what it shows.
        bare = replace(picture, title="", footnote="")
        written = _TABLE if any(panel.painted for panel in picture.panels) else 1.0
        strip = _CURVES.strip * max(1.0, 3.0 / strips, written)
        draw(bare, replace(_CURVES, strip=strip), run.preset.title).save(path)
        curves = matplotlib.image.imread(path)[..., :3]
        said += "; curves: " + ", ".join(kind.title for kind in kinds)
    tall = max(len(body), len(curves))
    filled_up = [
        np.pad(column, ((0, tall - len(column)), (0, 0), (0, 0)), constant_values=1.0)
        for column in (body, curves)
    ]
    matplotlib.image.imsave(path, np.concatenate(filled_up, axis=1).clip(0.0, 1.0), dpi=DOTS_PER_INCH)
    return said


def _numbers(lesson: Lesson, figures: Figures) -> dict[str, str]:
    """What each figure is called, by its file: the same in both copies, so those that students do not have go by letters."""
    asked = [_file(step.part, figures) for step in lesson.steps]
    found, count, told = dict[str, str](), 0, 0
    for step, file in zip(lesson.steps, asked, strict=True):
        if file and file not in found:
            count, told = count + 1, 0
            found[file] = f"{count}"
        for answer in (_file(one.answer, figures) for one in step.asked):
            if answer and answer not in found and answer not in asked:
                found[answer] = f"{count}{chr(ord('a') + told)}"
                told += 1
    return found


def _file(part: Part, figures: Figures) -> str:
    return figures.get(figure_of(part.scene), ("", ""))[0]


def _pictured(part: Part, figures: Figures, numbers: Mapping[str, str], shown: set[str]) -> Iterator[str]:
    """The figure of a scene, where it is not `shown` yet."""
    file, said = figures.get(figure_of(part.scene), ("", ""))
    if file and file not in shown:
        shown.add(file)
        caption = f"Figure {numbers[file]}: {said}"
        yield from (f"![{caption}]({file})", "", f"*{caption}*", "")


def _asked(question: Question, lesson: Lesson, together: int) -> Iterator[str]:
    """Boxes to tick, or a line for a number, and lines for why, fewer where questions stand `together`."""
    if question.choices is None:
        unit = unit_of(lesson.checks[question.answer])
        yield from (f"My guess: {'_' * 18} {unit}".rstrip(), "")
    yield from _boxes(question, lambda choice: False)
    yield from ("Because", "", *(3 if together == 1 else 2) * [_LINE])


def _answered(one: Asking, lesson: Lesson) -> Iterator[str]:
    question = one.question
    yield from _boxes(question, lambda choice: choice == question.answer)
    if question.choices is None:
        yield from (f"**{stated(lesson.checks[question.answer])}**", "")
    yield from (f"**{ANSWER}** {filled(one.answer.words, lesson.checks)}", "")


def _boxes(question: Question, ticked: Callable[[str], bool]) -> Iterator[str]:
    """Its choices, one below the other, each with a box that is filled or to be ticked."""
    if question.choices:
        boxes = ["\u25a0" if ticked(choice) else "\u25a1" for choice in question.choices]
        letters = (chr(ord("A") + number) for number in range(len(boxes)))
        rows = zip(boxes, letters, question.choices, strict=True)
        yield from (_BREAK.join(f"{box}\u2002{letter}: {choice}" for box, letter, choice in rows), "")

"""Worksheets of a lesson: a copy for students with texts, figures, questions and space for answers, and a copy for
teachers with answers."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import matplotlib.image
import numpy as np

from quatviz.display.panels import PANELS
from quatviz.display.panels.base import PaintedPanel, TimePanel
from quatviz.display.panels.base.globe import GlobePanel
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.figure import make_run_figure
from quatviz.export.figures.paper import DOTS_PER_INCH, MILLIMETRE, Paper
from quatviz.files.files import make_folder, write_text
from quatviz.files.preset_edits import shown_title
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.check_text import fill_placeholders, format_check_value, unit_of
from quatviz.teaching.lessons.model import Lesson, LessonPart, Question, QuestionAndAnswer, Scene
from quatviz.teaching.lessons.scene_runs import lane_numbers, lane_styles_of, scene_view_state, simulation_of

QUESTION, ANSWER = "Question", "Answer."
"""Words with which a question and an answer begin on a worksheet."""
ANSWERS_SUFFIX = "-answers"
"""Suffix of the file name of the teacher's copy."""
_CURVE_PAPER = Paper(128.0, None, "Inter", 8.0, strip=2.5)
"""Size and font of the plots of a figure.

The height follows from the legend and the number of plots; three plots are as high as the picture of the body.
"""
_TABLE_STRIP_FACTOR = 1.5
"""Factor on the height of the plots of a figure that contains a table panel. Its rows need the space for their texts."""
_BODY_SIZE = 42.0
"""Width and height of the square picture of the body [mm]."""
_WRITING_LINE = "---\n"
"""Horizontal rule in Markdown. On a worksheet it is a line to write on."""
_LINE_BREAK = "\\\n"
"""Line break within a paragraph, in Markdown."""

Painter = Callable[[Simulation, ViewState, float, int, int], np.ndarray]
"""Function that renders the body. Its arguments are run, view state, time [s], width and height [pixels].

It returns colors (height, width, 3) from 0 to 1.
"""
FigureKey = tuple[object, ...]
"""Values that determine the content of a figure. Scenes with equal keys share a figure."""
Figures = Mapping[FigureKey, tuple[str, str]]
"""File name and caption of each figure, by `FigureKey`."""


def write_sheet(
    lesson: Lesson, folder: Path, paint: Painter, progress: Callable[[int], object] = lambda done: None
) -> list[Path]:
    """Write the two worksheets of a lesson, `NAME.md` and `NAME-answers.md`, and their figures into `folder`.

    Parameters
    ----------
    lesson
        The lesson.
    folder
        Output folder, created if needed.
    paint
        Function that renders the body.
    progress
        Function that is called with the number of completed steps.

    Returns
    -------
    list of Path
        Paths of the two texts, then of the figures.
    """
    make_folder(folder)
    figures: dict[FigureKey, tuple[str, str]] = {}
    runs: dict[tuple[object, ...], Simulation] = {}
    paths: list[Path] = []
    numbers = lane_numbers(lesson)
    for number, step in enumerate(lesson.steps):
        progress(number)
        for part in step.parts:
            key = figure_key(part.scene)
            if key in figures:
                continue
            if part.scene.run_key not in runs:
                lesson_folder = lesson.path.parent if lesson.path is not None else None
                runs = {part.scene.run_key: simulation_of(part.scene, lesson_folder)}
            path = folder / f"{lesson.name}-{len(figures) + 1}.png"
            description = _draw_figure(part.scene, runs[part.scene.run_key], numbers, paint, path)
            caption = (
                fill_placeholders(part.scene.caption, lesson.checks)
                if part.scene.caption
                else f"{description}."
            )
            figures[key] = (path.name, caption)
            paths.append(path)
    texts = [folder / f"{lesson.name}{ending}.md" for ending in ("", ANSWERS_SUFFIX)]
    for text, with_answers in zip(texts, (False, True), strict=True):
        write_text(text, sheet_markdown(lesson, figures, with_answers))
    return [*texts, *paths]


def existing_sheet_files(folder: Path, lesson_name: str) -> list[Path]:
    """Return the files in a folder that the worksheets of a lesson would replace: texts, their PDF versions, and
    figures."""
    file_names = re.compile(rf"{re.escape(lesson_name)}(({ANSWERS_SUFFIX})?\.(md|pdf)|-\d+\.png)")
    paths = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in paths if file_names.fullmatch(path.name))


def sheet_markdown(lesson: Lesson, figures: Figures, with_answers: bool) -> str:
    """Return a worksheet in Markdown: the student's copy, or the teacher's copy with answers below the questions."""
    lines = [f"# {lesson.title}", ""]
    lines += ["**With answers**", ""] if with_answers else [f"Name: {'_' * 44}  Date: {'_' * 18}", ""]
    lines += [lesson.summary, ""]
    used_files, numbers = set[str](), _figure_numbers(lesson, figures)
    for number, step in enumerate(lesson.steps, 1):
        lines += [f"## {number}. {step.title}", "", fill_placeholders(step.part.text, lesson.checks), ""]
        lines += _figure_lines(step.part, figures, numbers, used_files)
        for question_number, item in enumerate(step.questions, 1):
            head = f"**{QUESTION} {question_number}.**" if len(step.questions) > 1 else f"**{QUESTION}.**"
            lines += [f"{head} {fill_placeholders(item.question.ask, lesson.checks)}", ""]
            lines += (
                _answer_lines(item, lesson)
                if with_answers
                else _question_lines(item.question, lesson, len(step.questions))
            )
            lines += _figure_lines(item.answer, figures, numbers, used_files) if with_answers else ()
    if lesson.source:
        lines += [f"Source: {lesson.source}", ""]
    return "\n".join(lines)


def figure_key(scene: Scene) -> FigureKey:
    """Return the values that determine the figure of a scene: run, printable panels with their options, body and time."""
    panel_types = _printable_panels(scene)
    look = scene_view_state(scene, ViewState())
    choices = dict.fromkeys(
        panel_type.choice.name for panel_type in panel_types if panel_type.choice is not None
    )
    chosen = tuple(look.options.get(name, "") for name in choices)
    body = (_figure_time(scene), _figure_cursor(scene), scene.views, scene.frame, scene.show, scene.hide)
    return (
        scene.run_key,
        tuple(panel_type.name for panel_type in panel_types),
        chosen,
        bool(scene.difference),
        body,
    )


def _figure_time(scene: Scene) -> float:
    """Return the time [s] at which the figure of a scene shows the body."""
    return scene.time or 0.0 if scene.still is None else scene.still


def _figure_cursor(scene: Scene) -> float:
    """Return the time [s] at which a figure shows panels without a time axis (`PaintedPanel`), such as a matrix of errors.

    If the scene has such panels and does not play, this is the time at which the figure shows the body. Otherwise, the
    result is infinity, which means the end of the run. Paths on globes then extend to the end of the run.
    """
    is_still = scene.still is not None or (scene.time is not None and not scene.play)
    has_painted = any(issubclass(panel_type, PaintedPanel) for panel_type in _printable_panels(scene))
    return _figure_time(scene) if is_still and has_painted else math.inf


def _printable_panels(scene: Scene) -> list[type[TimePanel | PaintedPanel | GlobePanel]]:
    """Return the classes of the panels of a scene that can be drawn in print."""
    panel_types = [PANELS[name] for name in scene.panels or ()]
    return [
        panel_type
        for panel_type in panel_types
        if issubclass(panel_type, (TimePanel, PaintedPanel, GlobePanel))
    ]


def _draw_figure(
    scene: Scene, run: Simulation, numbers: Mapping[str, int], paint: Painter, path: Path
) -> str:
    """Write the figure of a scene to `path`: a picture of the body, with plots beside it if the scene has any.

    Return the description for the caption. `numbers` are the style numbers of the lanes by name.
    """
    panel_types = _printable_panels(scene)
    look = scene_view_state(scene, ViewState(lanes=lane_styles_of(run.preset, numbers)))
    time = min(_figure_time(scene), run.duration)
    side = round(_BODY_SIZE * MILLIMETRE * DOTS_PER_INCH)
    body, curves = (
        paint(run, look, time, side, side),
        np.ones((side, int(_CURVE_PAPER.width * MILLIMETRE * DOTS_PER_INCH), 3)),
    )
    description = f"{shown_title(run.preset)}: the body at {time:g} s"
    names = tuple(panel_type.name for panel_type in panel_types)
    figure = (
        make_run_figure(run, (), panels=names, view_state=look, cursor=_figure_cursor(scene))
        if panel_types
        else None
    )
    if figure is not None and figure.panels:
        strips = sum(
            sum(plot.weight for plot in panel.plots) or (2.0 if panel.globe else 3.0)
            for panel in figure.panels
        )
        # The caption below the figure names the run.
        untitled = replace(figure, title="", footnote="")
        strip_factor = _TABLE_STRIP_FACTOR if any(panel.painted for panel in figure.panels) else 1.0
        strip = _CURVE_PAPER.strip * max(1.0, 3.0 / strips, strip_factor)
        draw_figure(untitled, replace(_CURVE_PAPER, strip=strip), shown_title(run.preset)).save(path)
        curves = matplotlib.image.imread(path)[..., :3]
        description += "; curves: " + ", ".join(panel_type.title for panel_type in panel_types)
    height = max(len(body), len(curves))
    padded = [
        np.pad(column, ((0, height - len(column)), (0, 0), (0, 0)), constant_values=1.0)
        for column in (body, curves)
    ]
    matplotlib.image.imsave(path, np.concatenate(padded, axis=1).clip(0.0, 1.0), dpi=DOTS_PER_INCH)
    return description


def _figure_numbers(lesson: Lesson, figures: Figures) -> dict[str, str]:
    """Return the number of each figure as text, by file name.

    A figure has the same number in both copies. A figure that only the teacher's copy contains has a letter after the
    number.
    """
    step_files = [_figure_file(step.part, figures) for step in lesson.steps]
    numbers, count, letter_index = dict[str, str](), 0, 0
    for step, file in zip(lesson.steps, step_files, strict=True):
        if file and file not in numbers:
            count, letter_index = count + 1, 0
            numbers[file] = f"{count}"
        for answer in (_figure_file(item.answer, figures) for item in step.questions):
            if answer and answer not in numbers and answer not in step_files:
                numbers[answer] = f"{count}{chr(ord('a') + letter_index)}"
                letter_index += 1
    return numbers


def _figure_file(part: LessonPart, figures: Figures) -> str:
    return figures.get(figure_key(part.scene), ("", ""))[0]


def _figure_lines(
    part: LessonPart, figures: Figures, numbers: Mapping[str, str], used_files: set[str]
) -> Iterator[str]:
    """Yield the Markdown lines with the figure of a scene, unless its file is already in `used_files`."""
    file, description = figures.get(figure_key(part.scene), ("", ""))
    if file and file not in used_files:
        used_files.add(file)
        caption = f"Figure {numbers[file]}: {description}"
        yield from (f"![{caption}]({file})", "", f"*{caption}*", "")


def _question_lines(question: Question, lesson: Lesson, question_count: int) -> Iterator[str]:
    """Yield the Markdown lines of a question: its choices or a line for a number, and lines on which to write the reasons.

    There are fewer lines if the step has several questions.
    """
    if question.choices is None:
        unit = unit_of(lesson.checks[question.answer])
        yield from (f"My guess: {'_' * 18} {unit}".rstrip(), "")
    yield from _choice_boxes(question, lambda choice: False)
    yield from ("Because", "", *(3 if question_count == 1 else 2) * [_WRITING_LINE])


def _answer_lines(item: QuestionAndAnswer, lesson: Lesson) -> Iterator[str]:
    question = item.question
    yield from _choice_boxes(question, lambda choice: choice == question.answer)
    if question.choices is None:
        yield from (f"**{format_check_value(lesson.checks[question.answer])}**", "")
    yield from (f"**{ANSWER}** {fill_placeholders(item.answer.text, lesson.checks)}", "")


def _choice_boxes(question: Question, is_ticked: Callable[[str], bool]) -> Iterator[str]:
    """Yield the choices of a question as one paragraph, one choice per line, each after a box. The box of the right
    answer is filled in the teacher's copy; all others are empty."""
    if question.choices:
        boxes = ["\u25a0" if is_ticked(choice) else "\u25a1" for choice in question.choices]
        letters = (chr(ord("A") + number) for number in range(len(boxes)))
        rows = zip(boxes, letters, question.choices, strict=True)
        yield from (_LINE_BREAK.join(f"{box}\u2002{label}: {choice}" for box, label, choice in rows), "")

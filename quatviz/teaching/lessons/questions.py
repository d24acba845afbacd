"""Export of the questions of lessons to learning platforms, as Moodle XML or GIFT. Right answers are measured in
new runs."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import WORD_JOINER, to_html
from quatviz.files.files import checked_extension, write_text
from quatviz.teaching.lessons.check_text import fill_placeholders, format_number, unit_of
from quatviz.teaching.lessons.checking import CheckResult, evaluate_checks
from quatviz.teaching.lessons.model import Lesson, LessonPart, LessonStep, QuestionAndAnswer

_GIFT_SPECIAL = re.compile(r"[\\~=#{}:]")
"""Characters with a special meaning in GIFT."""


@dataclass(frozen=True)
class ExportedQuestion:
    r"""A question for a platform. Texts are HTML with LaTeX formulas in `\(...\)` and `\[...\]`."""

    name: str
    text: str
    feedback: str
    """Text that the platform shows after the student has answered."""
    choices: tuple[str, ...] = ()
    correct_index: int = -1
    """Index of the right choice."""
    value: float | None = None
    """Right number for a question without choices, or None. It is rounded to a hundredth of `tolerance`, the largest
    accepted error of an answer."""
    tolerance: float = 0.0
    unit: str = ""
    """Unit of `value`."""
    answer_text: str = ""
    """Right text, such as the status of a lane, if the answer is neither a choice nor a number."""


def questions_of(lesson: Lesson, on_measured: Callable[[], None] = lambda: None) -> list[ExportedQuestion]:
    """Return the questions of a lesson in order.

    Parameters
    ----------
    lesson
        The lesson.
    on_measured
        Function that is called after each measured number.

    Raises
    ------
    InputError
        If a number in the lesson differs from its measured value. Right answers would otherwise be graded as wrong.
    """
    results: dict[str, CheckResult] = {}
    for item in evaluate_checks(lesson):
        results[item.check.name] = item
        on_measured()
    failures = [item for item in results.values() if not item.ok]
    if failures:
        raise _failed_check_error(lesson, failures[0])
    return [
        _export_question(
            f"{step_number}{_question_letter(step, question_index)}. {step.title}",
            step.part,
            item,
            lesson,
            results,
        )
        for step_number, step in enumerate(lesson.steps, 1)
        for question_index, item in enumerate(step.questions)
    ]


def write_questions(
    lessons: Sequence[Lesson], path: Path, on_measured: Callable[[], None] = lambda: None
) -> int:
    """Write the questions of lessons to a file, with one category per lesson. Return the number of questions.

    The suffix of `path`, `.xml` or `.gift`, determines the format.
    """
    format_questions = FORMATS[checked_extension(path, FORMATS, "questions.xml")]
    exported = [(lesson, questions_of(lesson, on_measured)) for lesson in lessons]
    write_text(path, format_questions(exported))
    return sum(len(questions) for _, questions in exported)


def _question_letter(step: LessonStep, question_index: int) -> str:
    """Return a letter that distinguishes the questions of a step, or "" if the step has only one."""
    return chr(ord("a") + question_index) if len(step.questions) > 1 else ""


def _export_question(
    name: str, part: LessonPart, item: QuestionAndAnswer, lesson: Lesson, results: dict[str, CheckResult]
) -> ExportedQuestion:
    """Return a question with the introduction of its step. Answers to earlier questions are omitted, since they
    might reveal the answer."""
    question = item.question
    introduction = fill_placeholders(part.text, lesson.checks)
    feedback = fill_placeholders(item.answer.text, lesson.checks)
    ask = fill_placeholders(question.ask, lesson.checks)
    if question.choices is not None:
        correct_index = question.choices.index(question.answer)
        choices = tuple(
            _to_html(choice).removeprefix("<p>").removesuffix("</p>") for choice in question.choices
        )
        return ExportedQuestion(
            name, _to_html(f"{introduction}\n\n**{ask}**"), _to_html(feedback), choices, correct_index
        )
    result = results[question.answer]
    text = _to_html(f"{introduction}\n\n**{ask}**")
    if result.check.stated_value is None:
        return ExportedQuestion(
            name, text, _to_html(feedback), answer_text=result.measured_text.replace("_", " ")
        )
    unit = unit_of(result.check)
    text += f"\n<p>A number in {escape(unit)}.</p>" if unit else ""
    tolerance = float(f"{max(question.near * abs(result.measured), result.check.tolerance or 0.0):.3g}")
    # Platforms show the right answer afterwards.
    value = round(result.measured, 2 - math.floor(math.log10(tolerance))) if tolerance else result.measured
    feedback = f"{format_number(value)} {unit}".rstrip() + f"\n\n{feedback}"
    return ExportedQuestion(name, text, _to_html(feedback), value=value, tolerance=tolerance, unit=unit)


def _to_html(markdown: str) -> str:
    return to_html(markdown, _formula_html, links=False).replace(WORD_JOINER, "").strip()


def _formula_html(latex: str, displayed: bool) -> str:
    opening, closing = ("<p>\\[", "\\]</p>") if displayed else ("\\(", "\\)")
    return f"{opening}{escape(latex, quote=False)}{closing}"


def _failed_check_error(lesson: Lesson, result: CheckResult) -> InputError:
    return InputError(
        str(lesson.path or lesson.name),
        expected="numbers that agree with new runs, because answers are graded by them",
        found=phrase(
            "{check} is {measured} in a new run", check=result.check.name, measured=result.measured_text
        ),
        remedy=phrase("list all differing numbers with: quatviz lessons --check {name}", name=lesson.name),
        topic="lessons#from-the-command-line",
    )


# --- Moodle XML


def _format_moodle(exported: Sequence[tuple[Lesson, Sequence[ExportedQuestion]]]) -> str:
    quiz = Element("quiz")
    for lesson, questions in exported:
        category = SubElement(SubElement(quiz, "question", type="category"), "category")
        SubElement(category, "text").text = f"$course$/quatviz/{lesson.title.replace('/', '//')}"
        for question in questions:
            _add_question(quiz, question)
    indent(quiz, " ")
    return tostring(quiz, "unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _add_question(quiz: Element, question: ExportedQuestion) -> None:
    question_type = (
        "multichoice" if question.choices else "shortanswer" if question.answer_text else "numerical"
    )
    node = SubElement(quiz, "question", type=question_type)
    _add_text(node, "name", question.name)
    _add_text(node, "questiontext", question.text, "html")
    _add_text(node, "generalfeedback", question.feedback, "html")
    SubElement(node, "defaultgrade").text = "1"
    if question.choices:
        for name, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "ABCD")):
            SubElement(node, name).text = value
        for index, choice in enumerate(question.choices):
            _add_answer(node, choice, index == question.correct_index, "html")
    elif question.answer_text:
        SubElement(node, "usecase").text = "0"
        _add_answer(node, question.answer_text, True, "plain_text")
    else:
        answer = _add_answer(node, repr(question.value), True, "plain_text")
        SubElement(answer, "tolerance").text = repr(question.tolerance)
        if question.unit:  # otherwise Moodle would refuse a number followed by its unit
            units = SubElement(node, "units")
            for spelling in _unit_spellings(question.unit):
                unit = SubElement(units, "unit")
                SubElement(unit, "multiplier").text = "1"
                SubElement(unit, "unit_name").text = spelling
            for name in (
                "unitgradingtype",
                "showunits",
                "unitsleft",
            ):  # not graded, optional, after the number
                SubElement(node, name).text = "0"


def _unit_spellings(unit: str) -> list[str]:
    """Return spellings of a unit that a student may type. They contain no spaces, because Moodle removes all spaces from
    answers."""
    short = unit.replace(" ", "")
    if short.startswith("1/"):  # Moodle would read "2 1/s" as 21 with the unit /s.
        return [short[1:], f"{short[2:]}^-1"]
    if short == "deg":
        return [short, "°"]
    return list(dict.fromkeys((short, short.replace("²", "^2"), unit.replace(" ", "*").replace("²", "^2"))))


def _add_answer(node: Element, text: str, is_correct: bool, text_format: str) -> Element:
    answer = SubElement(node, "answer", fraction="100" if is_correct else "0", format=text_format)
    SubElement(answer, "text").text = text
    _add_text(answer, "feedback", "", "html")
    return answer


def _add_text(node: Element, name: str, text: str, text_format: str = "") -> None:
    SubElement(SubElement(node, name, {"format": text_format} if text_format else {}), "text").text = text


# --- GIFT


def _format_gift(exported: Sequence[tuple[Lesson, Sequence[ExportedQuestion]]]) -> str:
    return "\n".join(line for lesson, questions in exported for line in _gift_lines(lesson, questions))


def _gift_lines(lesson: Lesson, questions: Sequence[ExportedQuestion]) -> Iterator[str]:
    yield f"$CATEGORY: quatviz/{lesson.title.replace('/', '//')}\n"
    for question in questions:
        yield f"::{_escape_gift(question.name)}::[html]{_escape_gift(question.text)}{{"
        if question.choices:
            yield from (
                f"{'=' if index == question.correct_index else '~'}{_escape_gift(choice)}"
                for index, choice in enumerate(question.choices)
            )
        elif question.answer_text:
            yield f"={_escape_gift(question.answer_text)}"
        else:
            yield f"#{question.value!r}:{question.tolerance!r}"
        yield f"####{_escape_gift(question.feedback)}\n}}\n"


def _escape_gift(text: str) -> str:
    """Escape GIFT's special characters and join lines."""
    return _GIFT_SPECIAL.sub(lambda match: f"\\{match[0]}", text).replace("\n", " ")


FORMATS: dict[str, Callable[[Sequence[tuple[Lesson, Sequence[ExportedQuestion]]]], str]] = {
    ".xml": _format_moodle,
    ".gift": _format_gift,
}

"""The questions of a lesson for a learning platform, Moodle XML or GIFT, with answers measured in runs made now."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from quatviz.base.errors import InputError, phrase
from quatviz.base.markdown import html_of
from quatviz.files.files import refuse_ending, write_text
from quatviz.teaching.lessons.check_text import filled, number, unit_of
from quatviz.teaching.lessons.checking import Outcome, outcomes
from quatviz.teaching.lessons.model import Asking, Lesson, Part, Step

_SPECIAL = re.compile(r"[\\~=#{}:]")
"""What GIFT reads as its own."""


@dataclass(frozen=True)
class Asked:
    """A question as a platform asks it; texts are HTML, with formulae as LaTeX in `\\(...\\)` and `\\[...\\]`."""

    name: str
    text: str
    after: str
    """What is told when it is answered."""
    choices: tuple[str, ...] = ()
    right: int = -1
    """Which of `choices`."""
    value: float | None = None
    """Without choices: the number, as measured to a hundredth of its tolerance, and by how much an answer may differ."""
    tolerance: float = 0.0
    unit: str = ""
    """Of the number."""
    words: str = ""
    """In place of a number: how a lane ends."""


def questions_of(lesson: Lesson, measured_one: Callable[[], None] = lambda: None) -> list[Asked]:
    """The questions of a lesson, in order; `measured_one` is called after each number. `InputError` where a number that it states
    is not what is measured now, for such a question would mark right answers as wrong."""
    measured: dict[str, Outcome] = {}
    for one in outcomes(lesson):
        measured[one.check.name] = one
        measured_one()
    missed = [one for one in measured.values() if not one.ok]
    if missed:
        raise _missed(lesson, missed[0])
    return [
        _asked(f"{place}{_letter(step, number)}. {step.title}", step.part, one, lesson, measured)
        for place, step in enumerate(lesson.steps, 1)
        for number, one in enumerate(step.asked)
    ]


def write_questions(
    lessons: Sequence[Lesson], path: Path, measured_one: Callable[[], None] = lambda: None
) -> int:
    """Write all their questions as a file whose ending says the kind, `.xml` or `.gift`, each lesson a category of its own;
    how many they are."""
    text_of = KINDS[refuse_ending(path, KINDS, "questions.xml")]
    found = [(lesson, questions_of(lesson, measured_one)) for lesson in lessons]
    write_text(path, text_of(found))
    return sum(len(asked) for _, asked in found)


def _letter(step: Step, number: int) -> str:
    """Which question of its step, if it has several."""
    return chr(ord("a") + number) if len(step.asked) > 1 else ""


def _asked(name: str, part: Part, one: Asking, lesson: Lesson, measured: dict[str, Outcome]) -> Asked:
    """With the words of its step, not with those that answer the question before it: on a page of several they would tell."""
    question = one.question
    before = filled(part.words, lesson.checks)
    after = filled(one.answer.words, lesson.checks)
    ask = filled(question.ask, lesson.checks)
    if question.choices is not None:
        right = question.choices.index(question.answer)
        shown = tuple(_html(choice).removeprefix("<p>").removesuffix("</p>") for choice in question.choices)
        return Asked(name, _html(f"{before}\n\n**{ask}**"), _html(after), shown, right)
    outcome = measured[question.answer]
    text = _html(f"{before}\n\n**{ask}**")
    if outcome.check.number is None:
        return Asked(name, text, _html(after), words=outcome.said.replace("_", " "))
    unit = unit_of(outcome.check)
    text += f"\n<p>A number in {escape(unit)}.</p>" if unit else ""
    near = float(f"{max(question.near * abs(outcome.measured), outcome.check.tolerance or 0.0):.3g}")
    # A platform shows what is right to whoever has answered.
    value = round(outcome.measured, 2 - math.floor(math.log10(near))) if near else outcome.measured
    after = f"{number(value)} {unit}".rstrip() + f"\n\n{after}"
    return Asked(name, text, _html(after), value=value, tolerance=near, unit=unit)


def _html(markdown: str) -> str:
    return html_of(markdown, _formula, links=False).strip()


def _formula(latex: str, displayed: bool) -> str:
    left, right = ("<p>\\[", "\\]</p>") if displayed else ("\\(", "\\)")
    return f"{left}{escape(latex, quote=False)}{right}"


def _missed(lesson: Lesson, one: Outcome) -> InputError:
    return InputError(
        str(lesson.path or lesson.name),
        expected="numbers that hold when they are measured, for answers are marked by them",
        found=phrase("{check} is {measured} in a run made now", check=one.check.name, measured=one.said),
        remedy=phrase("see all of them with: quatviz lessons --check {name}", name=lesson.name),
        topic="lessons#from-the-command-line",
    )


# --- Moodle XML


def _moodle(found: Sequence[tuple[Lesson, Sequence[Asked]]]) -> str:
    quiz = Element("quiz")
    for lesson, asked in found:
        category = SubElement(SubElement(quiz, "question", type="category"), "category")
        SubElement(category, "text").text = f"$course$/quatviz/{lesson.title.replace('/', '//')}"
        for one in asked:
            _add(quiz, one)
    indent(quiz, " ")
    return tostring(quiz, "unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


def _add(quiz: Element, one: Asked) -> None:
    kind = "multichoice" if one.choices else "shortanswer" if one.words else "numerical"
    node = SubElement(quiz, "question", type=kind)
    _text(node, "name", one.name)
    _text(node, "questiontext", one.text, "html")
    _text(node, "generalfeedback", one.after, "html")
    SubElement(node, "defaultgrade").text = "1"
    if one.choices:
        for name, said in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "ABCD")):
            SubElement(node, name).text = said
        for place, choice in enumerate(one.choices):
            _answer(node, choice, place == one.right, "html")
    elif one.words:
        SubElement(node, "usecase").text = "0"
        _answer(node, one.words, True, "plain_text")
    else:
        answer = _answer(node, repr(one.value), True, "plain_text")
        SubElement(answer, "tolerance").text = repr(one.tolerance)
        if one.unit:  # else Moodle would refuse a number with its unit behind it
            units = SubElement(node, "units")
            for spelt in _spelt(one.unit):
                unit = SubElement(units, "unit")
                SubElement(unit, "multiplier").text = "1"
                SubElement(unit, "unit_name").text = spelt
            for name in (
                "unitgradingtype",
                "showunits",
                "unitsleft",
            ):  # no mark for it, may be left out, behind the number
                SubElement(node, name).text = "0"


def _spelt(unit: str) -> list[str]:
    """As a person may type it: Moodle takes all spaces out of an answer before it looks for the unit."""
    short = unit.replace(" ", "")
    if short.startswith("1/"):  # of "2 1/s" it would read 21 of a unit /s
        return [short[1:], f"{short[2:]}^-1"]
    if short == "deg":
        return [short, "°"]
    return list(dict.fromkeys((short, short.replace("²", "^2"), unit.replace(" ", "*").replace("²", "^2"))))


def _answer(node: Element, said: str, right: bool, form: str) -> Element:
    answer = SubElement(node, "answer", fraction="100" if right else "0", format=form)
    SubElement(answer, "text").text = said
    _text(answer, "feedback", "", "html")
    return answer


def _text(node: Element, name: str, said: str, form: str = "") -> None:
    SubElement(SubElement(node, name, {"format": form} if form else {}), "text").text = said


# --- GIFT


def _gift(found: Sequence[tuple[Lesson, Sequence[Asked]]]) -> str:
    return "\n".join(line for lesson, asked in found for line in _gift_of(lesson, asked))


def _gift_of(lesson: Lesson, asked: Sequence[Asked]) -> Iterator[str]:
    yield f"$CATEGORY: quatviz/{lesson.title.replace('/', '//')}\n"
    for one in asked:
        yield f"::{_plain(one.name)}::[html]{_plain(one.text)}{{"
        if one.choices:
            yield from (
                f"{'=' if place == one.right else '~'}{_plain(choice)}"
                for place, choice in enumerate(one.choices)
            )
        elif one.words:
            yield f"={_plain(one.words)}"
        else:
            yield f"#{one.value!r}:{one.tolerance!r}"
        yield f"####{_plain(one.after)}\n}}\n"


def _plain(text: str) -> str:
    """In one line, for an empty one ends a question."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text).replace("\n", " ")


KINDS: dict[str, Callable[[Sequence[tuple[Lesson, Sequence[Asked]]]], str]] = {
    ".xml": _moodle,
    ".gift": _gift,
}

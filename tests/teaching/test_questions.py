"""Questions for learning platforms, read back from their files."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quatviz.base.errors import InputError
from quatviz.base.markdown import WORD_JOINER
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.check_text import unit_of
from quatviz.teaching.lessons.model import Lesson, LessonStep
from quatviz.teaching.lessons.questions import ExportedQuestion, questions_of, write_questions

LESSONS = ["half_turn", "double_cover"]


@pytest.fixture(scope="module")
def lessons() -> list[Lesson]:
    return [read_lesson(name) for name in LESSONS]


@pytest.fixture(scope="module")
def exported_questions(lessons: list[Lesson]) -> list[ExportedQuestion]:
    return [question for lesson in lessons for question in questions_of(lesson)]


def test_answers_are_measured(exported_questions: list[ExportedQuestion]) -> None:
    assert len(exported_questions) == 9
    when, slope, _, place, quarter, turned, which, apart, _ = exported_questions
    assert when.value == pytest.approx(3.47, abs=0.011)
    assert when.value is not None
    assert when.tolerance == pytest.approx(0.1 * when.value)
    assert "<strong>After what time" in when.text
    assert "A number in s." in when.text
    assert (slope.value, slope.unit) == (pytest.approx(-0.45, abs=5e-5), "1/s")
    assert (turned.value, turned.unit) == (120.0, "deg"), "not 120.00051606, which students would read"
    assert (when.name[:2], slope.name[:2], quarter.name[:2], turned.name[:2]) == ("2a", "2b", "2a", "2b")
    assert place.choices[place.correct_index] == "Just before a whole turn"
    assert quarter.choices[quarter.correct_index].startswith("√½")
    assert which.choices[which.correct_index] == "−1"
    assert r"\(e_0\)" in which.text
    assert "half a turn" in which.feedback
    assert not any(WORD_JOINER in question.text + question.feedback for question in exported_questions), (
        "some fonts of learning platforms have no glyph for it"
    )
    assert "<strong>" not in which.feedback
    assert apart.choices[apart.correct_index] == "Not at all"


def test_moodle_file_reads_back_as_the_questions(
    lessons: list[Lesson], exported_questions: list[ExportedQuestion], tmp_path: Path
) -> None:
    path = tmp_path / "class.xml"
    assert write_questions(lessons, path) == len(exported_questions)
    quiz = ElementTree.parse(path).getroot()
    kinds = [node.get("type") for node in quiz]
    choice, number = "multichoice", "numerical"
    first, second = [number, number, choice, choice], [choice, number, *3 * [choice]]
    assert kinds == ["category", *first, "category", *second]
    titles = [node.findtext("category/text") for node in quiz if node.get("type") == "category"]
    assert titles == [f"$course$/quatviz/{lesson.title}" for lesson in lessons]
    read = [_from_moodle(node) for node in quiz if node.get("type") != "category"]
    assert read == exported_questions


FRACTIONS = {"100", "0"}
"""Question types that Moodle's importer accepts and quatviz uses."""
NUMBERINGS = {"abc", "ABCD", "123", "iii", "IIII", "none"}
MOODLES_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?")
"""Pattern that Moodle's numerical questions remove from an answer without spaces; the remainder has to be a unit."""


def test_moodle_file_has_the_required_elements(tmp_path: Path) -> None:
    """According to `question/format/xml/format.php`, `question/format.php` and `question/type/numerical/questiontype.php`."""
    lessons = [read_lesson(name) for name in ("half_turn", "two_frames")]
    lessons[1] = replace(lessons[1], steps=(*lessons[1].steps, _momentum(lessons[1])))
    path = tmp_path / "class.xml"
    write_questions(lessons, path)
    assert path.read_bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    units = []
    for node in ElementTree.parse(path).getroot():
        if node.get("type") == "category":
            assert node.findtext("category/text", "").startswith("$course$/")
            continue
        assert 0 < len(node.findtext("name/text", "")) <= 255
        for tag in ("questiontext", "generalfeedback"):
            assert node.find(tag).get("format") == "html"  # type: ignore[union-attr]
        answers = node.findall("answer")
        assert {choice.get("fraction") for choice in answers} <= FRACTIONS
        assert sum(choice.get("fraction") == "100" for choice in answers) == 1
        assert all(choice.findtext("text") and choice.find("feedback/text") is not None for choice in answers)
        if node.get("type") == "multichoice":
            assert len({choice.findtext("text") for choice in answers}) == len(answers) >= 2
            assert node.findtext("answernumbering") in NUMBERINGS
            assert (node.findtext("single"), node.findtext("shuffleanswers")) == ("true", "true")
            continue
        (answer,) = answers
        for number in (answer.findtext("text", ""), answer.findtext("tolerance", "")):
            assert MOODLES_NUMBER.fullmatch(number)
        assert float(answer.findtext("tolerance", "")) > 0.0
        units.append([choice.findtext("unit_name", "") for choice in node.findall("units/unit")])
        assert {choice.findtext("multiplier") for choice in node.findall("units/unit")} == {"1"}
        assert node.findtext("showunits") == "0", "a missing unit is not penalized"
    assert units == [["s"], ["/s", "s^-1"], ["kgm²/s", "kgm^2/s", "kg*m^2/s"]]


def _momentum(lesson: Lesson) -> LessonStep:
    """Return a step that asks for a number with compound units."""
    step, name = next(
        (step, check.name)
        for step in lesson.steps
        for check, _ in step.checks
        if unit_of(check) == "kg m²/s" and step.questions
    )
    (question,) = step.questions
    return _asking(
        replace(step, questions=(replace(question, question=replace(question.question, choices=None)),)), name
    )


def test_gift_file_reads_back_as_the_questions(
    lessons: list[Lesson], exported_questions: list[ExportedQuestion], tmp_path: Path
) -> None:
    path = tmp_path / "class.gift"
    assert write_questions(lessons, path) == len(exported_questions)
    paragraphs = path.read_text("utf-8").strip().split("\n\n")
    assert [at for at, text in enumerate(paragraphs) if text.startswith("$CATEGORY: ")] == [0, 5]
    assert [_from_gift(text) for text in paragraphs if not text.startswith("$")] == [
        _in_one_line(question) for question in exported_questions
    ]


def test_lane_end_is_asked_as_a_status(lessons: list[Lesson], tmp_path: Path) -> None:
    question = (
        (step, check.name)
        for step in lessons[0].steps
        for check, _ in step.checks
        if check.status is not None
    )
    asking = replace(lessons[0], steps=(_asking(*next(question)),))
    assert [exported.answer_text for exported in questions_of(asking)] == ["singular"]
    write_questions([asking], tmp_path / "words.xml")
    assert "<text>singular</text>" in (tmp_path / "words.xml").read_text("utf-8")
    write_questions([asking], tmp_path / "words.gift")
    assert "\n=singular\n" in (tmp_path / "words.gift").read_text("utf-8")


def test_failing_check_is_not_exported(lessons: list[Lesson], tmp_path: Path) -> None:
    wrong = replace(lessons[0], steps=tuple(map(_wrong, lessons[0].steps)))
    with pytest.raises(InputError, match="in a new run"):
        write_questions([wrong], tmp_path / "class.xml")
    assert not list(tmp_path.iterdir())


def test_unknown_suffix_is_rejected(lessons: list[Lesson], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.xml or \.gift"):
        write_questions(lessons, tmp_path / "class.docx")


def _asking(step: LessonStep, name: str) -> LessonStep:
    question = step.questions[0]
    return replace(step, questions=(replace(question, question=replace(question.question, answer=name)),))


def _wrong(step: LessonStep) -> LessonStep:
    checks = tuple(
        (check if check.value is None else replace(check, value=check.value + 1.0), scene)
        for check, scene in step.checks
    )
    return replace(step, checks=checks)


def _from_moodle(node: ElementTree.Element) -> ExportedQuestion:
    answers = node.findall("answer")
    right = next(index for index, answer in enumerate(answers) if answer.get("fraction") == "100")
    made = ExportedQuestion(
        node.findtext("name/text", ""),
        node.findtext("questiontext/text", ""),
        node.findtext("generalfeedback/text", ""),
    )
    if node.get("type") == "multichoice":
        return replace(
            made, choices=tuple(answer.findtext("text", "") for answer in answers), correct_index=right
        )
    value, tolerance = (float(answers[0].findtext(name, "")) for name in ("text", "tolerance"))
    unit = node.findtext("units/unit/unit_name", "")
    unit = f"1{unit}" if unit.startswith("/") else unit
    return replace(made, value=value, tolerance=tolerance, unit=unit)


_ESCAPED = re.compile(r"\\([\\~=#{}:])")


def _from_gift(text: str) -> ExportedQuestion:
    """Parse a question as Moodle's documentation defines it: `::name::[html]text{answers####feedback}`."""
    match = re.fullmatch(r"::(.*?)::\[html\](.*?)(?<!\\)\{\n(.*)\n####(.*)\n\}", text, re.DOTALL)
    assert match is not None
    answers = match[3].split("\n")
    name, question_text, after = (_ESCAPED.sub(r"\1", part) for part in (match[1], match[2], match[4]))
    made = ExportedQuestion(name, question_text, after)
    if answers[0].startswith("#"):
        value, tolerance = map(float, answers[0][1:].split(":"))
        unit = re.search(r"A number in (\S+)\.</p>", question_text)
        return replace(made, value=value, tolerance=tolerance, unit=unit[1] if unit else "")
    right = next(index for index, answer in enumerate(answers) if answer.startswith("="))
    return replace(
        made, choices=tuple(_ESCAPED.sub(r"\1", answer[1:]) for answer in answers), correct_index=right
    )


def _in_one_line(question: ExportedQuestion) -> ExportedQuestion:
    return replace(
        question, text=question.text.replace("\n", " "), feedback=question.feedback.replace("\n", " ")
    )

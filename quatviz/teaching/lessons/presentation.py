"""How a lesson is led through: its pages one after the other, and the votes of an audience, counted by hand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr
from quatviz.base.units import parse_number_in_unit
from quatviz.display.view_state.signal import Signal
from quatviz.files.settings_file import SettingsFile
from quatviz.teaching.lessons.check_text import format_check_value, unit_of
from quatviz.teaching.lessons.model import Lesson, LessonCheck, LessonPart, LessonStep, Question, Scene
from quatviz.teaching.lessons.user_lessons import lesson_key

MAX_VOTES = 9999
"""For one answer."""
MAX_ROUNDS = 2
"""Before a discussion, and after it."""


QuestionKey = tuple[str, Question]


@dataclass(frozen=True)
class LessonPage:
    """What is shown until somebody goes on."""

    step_index: int
    """Of its step, from 0 on."""
    title: str
    text: str
    """What is said before the question."""
    scene: Scene
    question: Question | None = None
    shows_answer_scene: bool = False
    """Whether the scene is that behind the question."""
    answer: str | None = None
    """What is said behind it; None where that is hidden yet."""

    @property
    def question_key(self) -> QuestionKey | None:
        """What is asked, and where: asked again in another step it is another."""
        return (self.title, self.question) if self.question is not None else None


def pages_of(lesson: Lesson) -> tuple[LessonPage, ...]:
    """All of them, and one behind the last step, which says what was shown: who goes on once too often loses no scene."""
    end = lesson.steps[-1]
    step_list = "\n".join(f"- {step.title}" for step in lesson.steps)
    text = "\n\n".join((tr("We have seen:"), step_list, tr("*End* gives the window back as it was before.")))
    last_step = LessonStep(
        tr("The lesson ends here"), LessonPart(text, _without_playback(end.parts[-1].scene))
    )
    return tuple(
        page for number, step in enumerate((*lesson.steps, last_step)) for page in _step_pages(number, step)
    )


def _step_pages(number: int, step: LessonStep) -> Iterator[LessonPage]:
    """What was said last is said before a question, which is asked, shown by its scene first if it asks for a prediction, and
    answered."""
    previous = step.part
    if not step.questions:
        yield LessonPage(number, step.title, previous.text, previous.scene)
    for item in step.questions:
        answer = item.answer
        page = LessonPage(number, step.title, previous.text, previous.scene, item.question)
        yield page
        page = replace(page, scene=answer.scene, shows_answer_scene=True)
        if item.question.predict:
            yield page
            page = replace(page, scene=_without_playback(answer.scene))
        yield replace(page, answer=answer.text)
        previous = replace(answer, scene=_without_playback(answer.scene))


def answer_to(page: LessonPage, pages: Sequence[LessonPage]) -> str:
    """What answers the question of a page, shown or hidden yet; nothing where there is no question."""
    return next(
        (
            other.answer
            for other in pages
            if other.question_key == page.question_key and other.answer is not None
        ),
        "",
    )


def matching_page_index(page: LessonPage, pages: tuple[LessonPage, ...]) -> int:
    """Which of the pages of a lesson that was changed is this one of before: the most alike, and of those the nearest."""

    def dissimilarity(index: int) -> tuple[bool, int, bool, int]:
        other = pages[index]
        is_same_slot = bool(other.question_key and page.question_key) and other.step_index == page.step_index
        question_distance = 0 if other.question_key == page.question_key else 1 if is_same_slot else 2
        differs_in_state = (other.shows_answer_scene, other.answer is None) != (
            page.shows_answer_scene,
            page.answer is None,
        )
        return (
            other.title != page.title,
            question_distance,
            differs_in_state,
            abs(other.step_index - page.step_index),
        )

    return min(range(len(pages)), key=dissimilarity)


def _without_playback(scene: Scene) -> Scene:
    """The same, with the cursor where it is."""
    return replace(scene, time=None, play=None, still=None, caption=None)


Rounds = tuple[tuple[int, ...], ...]
"""Of votes: a number for each answer, before a discussion and after it."""


@dataclass(frozen=True)
class VoteChange:
    """A step of counting, from some rounds of a question to others."""

    question_key: QuestionKey
    text: str
    before: Rounds
    after: Rounds
    answer: int
    """Whose number it is; -1 where a round began."""
    mark: object
    """What the caller says of the moment: the last step of something else that can be undone."""


MAX_LECTURES = 50
"""Lectures that are remembered."""


class LectureHistory:
    """Page and votes of the lectures that were begun, in a file of the user's settings folder.

    A lecture belongs to the file of its lesson, and a lesson that has none to its title. A damaged file is forgotten, never an
    error: values are checked where they are read.
    """

    def __init__(self) -> None:
        self._file = SettingsFile("lectures.toml")

    def restore(self, lesson: Lesson) -> tuple[int, dict[QuestionKey, Rounds]]:
        """Return the page that was shown last, 0 if that is not known, and the votes of the questions that still exist."""
        pages, rounds = pages_of(lesson), {}
        lectures = _lectures(self._file.read())
        table = next((lecture for lecture in lectures if _is_lecture_of(lecture, lesson)), {})
        page_index, votes = table.get("page"), table.get("votes")
        for key in {page.question_key: None for page in pages if page.question_key is not None}:
            for vote_table in votes if isinstance(votes, list) else []:
                restored = _parse_rounds(vote_table, key)
                if restored:
                    rounds[key] = restored
        return (page_index if type(page_index) is int and 0 < page_index < len(pages) else 0), rounds

    def save(self, lesson: Lesson, page: int, rounds: Mapping[QuestionKey, Rounds]) -> None:
        """Remember page and votes in place of those that were remembered of this lesson; others stay."""
        votes = [
            {"step": step, "ask": question.ask, "rounds": [list(item) for item in counted]}
            for (step, question), counted in rounds.items()
            if counted
        ]
        file = {"file": lesson_key(lesson)} if lesson.path is not None else {}
        lecture = {"lesson": lesson.title, **file, "page": page, "votes": votes}
        saved = [lecture] if page or votes else []

        def replace_lecture(table: dict[str, Any]) -> dict[str, Any]:
            others = [item for item in _lectures(table) if not _is_lecture_of(item, lesson)]
            return {"lectures": [*saved, *others][:MAX_LECTURES]}

        self._file.update(replace_lecture, durable=False)


def _lectures(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    lectures = table.get("lectures")
    return [item for item in lectures if isinstance(item, dict)] if isinstance(lectures, list) else []


def _is_lecture_of(lecture: Mapping[str, Any], lesson: Lesson) -> bool:
    """Return True if a lecture was of this lesson. Before lectures had a file they were known by the title alone."""
    file = lecture.get("file")
    return file == lesson_key(lesson) if file and lesson.path else lecture.get("lesson") == lesson.title


def _parse_rounds(saved_votes: object, key: QuestionKey) -> Rounds:
    """What a table says of this question; nothing where it is of another, or cannot be."""
    step, question = key
    if not isinstance(saved_votes, dict) or (saved_votes.get("step"), saved_votes.get("ask")) != (
        step,
        question.ask,
    ):
        return ()
    rounds, count = saved_votes.get("rounds"), len(question.choices or ())
    if not isinstance(rounds, list) or len(rounds) > MAX_ROUNDS:
        return ()
    for tallies in rounds:
        if not isinstance(tallies, list) or len(tallies) != count:
            return ()
        if not all(type(votes) is int and 0 <= votes <= MAX_VOTES for votes in tallies):
            return ()
    return tuple(map(tuple, rounds))


class Votes:
    """Those of every question, with the way back. They belong to the window, never to the lesson's file."""

    def __init__(self) -> None:
        self._rounds: dict[QuestionKey, Rounds] = {}
        self._dropped: dict[QuestionKey, Rounds] = {}
        """What was counted before they began anew."""
        self.steps: tuple[VoteChange, ...] = ()
        """What was counted and not undone."""
        self.redo_steps: tuple[VoteChange, ...] = ()
        self.changed = Signal()

    def rounds_of(self, key: QuestionKey | None) -> Rounds:
        """The rounds of a question so far."""
        return self._rounds.get(key, ()) if key is not None else ()

    @property
    def all_rounds(self) -> dict[QuestionKey, Rounds]:
        """Of all questions that votes were counted for."""
        return dict(self._rounds)

    def load(self, rounds: Mapping[QuestionKey, Rounds]) -> None:
        """Go on with what was counted in an earlier lecture; nothing of that is taken back."""
        self._rounds, self._dropped, self.steps, self.redo_steps = dict(rounds), {}, (), ()
        self.changed.emit()

    @property
    def is_restarted(self) -> bool:
        """Whether they were begun anew, which can be taken back."""
        return bool(self._dropped)

    def toggle_restart(self) -> None:
        """Forget all votes; or have them back that were forgotten so."""
        self._rounds, self._dropped = self._dropped, ({} if self._dropped else self._rounds)
        self.steps = self.redo_steps = ()
        self.changed.emit()

    def start_round(self, key: QuestionKey, mark: object = None) -> None:
        """Count from 0 on: the first time, or a second time after a discussion. Nothing where that was done, or where there are
        no choices."""
        before, choices = self.rounds_of(key), key[1].choices
        if choices and len(before) < MAX_ROUNDS:
            no_votes = (0,) * len(choices)
            self._push(VoteChange(key, tr("count votes"), before, (*before, no_votes), -1, mark))

    def set_votes(self, key: QuestionKey, answer: int, votes: int, mark: object = None) -> None:
        """So many for one answer, in the last round; corrected at once, it is one step."""
        before = self.rounds_of(key)
        if not before or before[-1][answer] == votes:
            return
        *earlier, last = before
        after = (*earlier, tuple(votes if index == answer else old for index, old in enumerate(last)))
        if (
            self.steps
            and not self.redo_steps
            and (self.steps[-1].question_key, self.steps[-1].answer) == (key, answer)
        ):
            before, self.steps = self.steps[-1].before, self.steps[:-1]
        self._push(VoteChange(key, tr("count votes"), before, after, answer, mark))

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        if self.steps:
            *earlier, step = self.steps
            self.steps, self.redo_steps = tuple(earlier), (step, *self.redo_steps)
            self._set_rounds(step.question_key, step.before)

    def redo(self) -> None:
        """Do again what was undone last."""
        if self.redo_steps:
            step, *later = self.redo_steps
            self.steps, self.redo_steps = (*self.steps, step), tuple(later)
            self._set_rounds(step.question_key, step.after)

    def _push(self, step: VoteChange) -> None:
        self.steps, self.redo_steps = (*self.steps, step), ()
        self._set_rounds(step.question_key, step.after)

    def _set_rounds(self, key: QuestionKey, rounds: Rounds) -> None:
        self._rounds[key] = rounds
        self.changed.emit()


_VOTE_SUM = re.compile(r"[0-9]{1,9}(?: *\+ *[0-9]{1,9})*")


def parse_votes(text: str) -> int:
    """How many votes a person types, those of several rows of a room added; none are 0. `InputError` for anything else.

    >>> parse_votes("12"), parse_votes("5 + 7"), parse_votes("5+"), parse_votes(" ")
    (12, 12, 5, 0)
    """
    rows = text.strip(" +")  # a sum that is not written to its end
    count = sum(map(int, rows.split("+"))) if _VOTE_SUM.fullmatch(rows) else 0 if not rows else -1
    if not 0 <= count <= MAX_VOTES:
        raise InputError(
            "votes",
            expected=phrase("a whole number up to {most}, or a sum of such", most=MAX_VOTES),
            found=f"“{text.strip()}”",
            remedy="write 12, or 5+7",
            topic="lessons#present",
        )
    return count


def vote_summary(question: Question, rounds: Rounds, revealed: bool) -> str:
    """What was counted, in words; how many were right only where that is no secret."""
    if not rounds or not any(map(sum, rounds)):
        return ""
    totals = [sum(counts) for counts in rounds]
    if not revealed or question.choices is None:
        return tr("{count} votes", count=totals[-1])
    answer_index = question.choices.index(question.answer)
    shares = [
        tr(
            "{right} of {total} ({share} %)",
            right=counts[answer_index],
            total=total,
            share=vote_percentage(counts, answer_index),
        )
        for counts, total in zip(rounds, totals, strict=True)
        if total
    ]
    if len(shares) == 1:
        return tr("Voted for it: {first}", first=shares[0])
    return tr("Voted for it: first {first}, then {second}", first=shares[0], second=shares[1])


def vote_percentage(votes: tuple[int, ...], answer: int) -> int:
    """How many in a hundred."""
    return int(100 * votes[answer] / max(sum(votes), 1) + 0.5)  # 66.5 is 67, as 67.5 is 68


def judge_guess(question: Question, check: LessonCheck, typed: str) -> str:
    """What is said to a number that a person types, perhaps with a unit, where `check` measures what is right; for people."""
    correct_text = tr(format_check_value(check))
    guess = parse_number_in_unit(typed, unit_of(check))
    if (
        guess is None
        or check.stated_value is None
        or abs(guess - check.stated_value) > question.near * abs(check.stated_value)
    ):
        return tr("It is {right}.", right=correct_text)
    return tr("Right: it is {right}.", right=correct_text)

"""Presentation of a lesson: its pages in order, and votes of the audience."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import tr
from quatviz.base.units import parse_number_in_unit
from quatviz.display.view_state.signal import Signal
from quatviz.files.limits import refuse_unreadable
from quatviz.files.settings_file import SettingsFile
from quatviz.files.toml_text import toml_pairs
from quatviz.teaching.lessons.check_text import format_check_value, unit_of
from quatviz.teaching.lessons.model import Lesson, LessonCheck, LessonPart, LessonStep, Question, Scene
from quatviz.teaching.lessons.user_lessons import lesson_key

MAX_VOTES = 9999
"""Largest number of votes for one answer."""
MAX_ROUNDS = 2
"""Number of voting rounds: before and after a discussion."""


QuestionKey = tuple[str, Question]


@dataclass(frozen=True)
class LessonPage:
    """One page of a presentation."""

    step_index: int
    """Index of the step that contains the page, from 0."""
    title: str
    text: str
    """Markdown text of the page. The question, if there is one, follows it."""
    scene: Scene
    question: Question | None = None
    shows_answer_scene: bool = False
    """True if `scene` is the scene of the answer."""
    answer: str | None = None
    """Text of the answer; None while it is hidden."""

    @property
    def question_key(self) -> QuestionKey | None:
        """Title of the step and question, or None for a page without a question. The title distinguishes equal questions in
        different steps."""
        return (self.title, self.question) if self.question is not None else None


def pages_of(lesson: Lesson) -> tuple[LessonPage, ...]:
    """Return all pages of a lesson, and a last page with the titles of the steps.

    Because of the last page, an accidental key press at the end does not end the lesson.
    """
    end = lesson.steps[-1]
    step_list = "\n".join(f"- {step.title}" for step in lesson.steps)
    text = "\n\n".join((tr("We have seen:"), step_list, tr("*End* restores the window as it was before.")))
    last_step = LessonStep(
        tr("The lesson ends here"), LessonPart(text, _without_playback(end.parts[-1].scene))
    )
    return tuple(
        page for number, step in enumerate((*lesson.steps, last_step)) for page in _step_pages(number, step)
    )


def _step_pages(number: int, step: LessonStep) -> Iterator[LessonPage]:
    """Yield the pages of a step. A question has two pages: the first with the question and the text before it,
    the second with the answer.

    A question that asks for a prediction has another page between them, which shows the scene of the answer
    without its text.
    """
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
    """Return the answer to the question of a page, even while the answer is hidden. Return "" for a page without a question."""
    return next(
        (
            other.answer
            for other in pages
            if other.question_key == page.question_key and other.answer is not None
        ),
        "",
    )


def matching_page_index(page: LessonPage, pages: tuple[LessonPage, ...]) -> int:
    """Return the index of the page in `pages` that is most similar to `page`. Of equally similar pages, the
    nearest is returned.

    `pages` are those of an edited lesson, and `page` is one of the lesson before the edit.
    """

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
    """Return the scene without its playback fields, so that it does not move the cursor."""
    return replace(scene, time=None, play=None, still=None, caption=None)


Rounds = tuple[tuple[int, ...], ...]
"""Votes on one question: for each round of voting, a tuple with the number of votes for each answer.

The first round is before a discussion and the second one after it.
"""


@dataclass(frozen=True)
class VoteChange:
    """An undoable change of the votes on a question, from `before` to `after`."""

    question_key: QuestionKey
    text: str
    before: Rounds
    after: Rounds
    answer: int
    """Index of the answer whose votes changed; -1 if a round began."""
    mark: object
    """Value that the caller stores with the change, for example to order the change among the undo steps of the
    document."""


MAX_LECTURES = 50
"""Largest number of stored lectures."""


class LectureHistory:
    """Pages and votes of past lectures, in a file in the user's settings folder.

    A lecture is identified by the file of its lesson, or by the title if there is no file. Values are checked when
    they are read, and invalid ones are ignored.
    """

    def __init__(self) -> None:
        self._file = SettingsFile("lectures.toml")

    def restore(self, lesson: Lesson) -> tuple[int, dict[QuestionKey, Rounds]]:
        """Return the index of the page that was shown last in a lecture of this lesson, or 0, and the votes of that lecture.

        Votes on questions that no longer exist are left out.
        """
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
        """Replace the stored page and votes of a lesson."""
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
            return {"lectures": _readable_part([*saved, *others][:MAX_LECTURES])}

        self._file.update(replace_lecture, durable=False)


def _readable_part(lectures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return as many of the first lectures as the size limit for reading the file allows, but at least one."""
    while len(lectures) > 1 and not _is_readable(toml_pairs({"lectures": lectures})):
        lectures = lectures[:-1]
    return lectures


def _is_readable(text: str) -> bool:
    try:
        refuse_unreadable(text, "lectures")
    except InputError:
        return False
    return True


def _lectures(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    lectures = table.get("lectures")
    return [item for item in lectures if isinstance(item, dict)] if isinstance(lectures, list) else []


def _is_lecture_of(lecture: Mapping[str, Any], lesson: Lesson) -> bool:
    """Return True if a stored lecture belongs to `lesson`. Records of older versions contain only the title."""
    file = lecture.get("file")
    return file == lesson_key(lesson) if file and lesson.path else lecture.get("lesson") == lesson.title


def _parse_rounds(saved_votes: object, key: QuestionKey) -> Rounds:
    """Return the stored votes for the question `key`, or () if they are invalid or belong to another question."""
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
    """Votes on all questions, with undo and redo. They are not part of the lesson file."""

    def __init__(self) -> None:
        self._rounds: dict[QuestionKey, Rounds] = {}
        self._dropped: dict[QuestionKey, Rounds] = {}
        """Votes that the last restart has cleared, by question."""
        self.steps: tuple[VoteChange, ...] = ()
        """Changes of votes that can be undone, oldest first."""
        self.redo_steps: tuple[VoteChange, ...] = ()
        self.changed = Signal()

    def rounds_of(self, key: QuestionKey | None) -> Rounds:
        """Return the votes on a question in each round so far."""
        return self._rounds.get(key, ()) if key is not None else ()

    @property
    def all_rounds(self) -> dict[QuestionKey, Rounds]:
        """Votes in each round, by question."""
        return dict(self._rounds)

    def load(self, rounds: Mapping[QuestionKey, Rounds]) -> None:
        """Replace all votes by those of an earlier lecture. This cannot be undone."""
        self._rounds, self._dropped, self.steps, self.redo_steps = dict(rounds), {}, (), ()
        self.changed.emit()

    @property
    def is_restarted(self) -> bool:
        """True if a restart has cleared votes that can still be restored."""
        return bool(self._dropped)

    def toggle_restart(self) -> None:
        """Clear all votes or, if a restart has cleared them, restore them."""
        self._rounds, self._dropped = self._dropped, ({} if self._dropped else self._rounds)
        self.steps = self.redo_steps = ()
        self.changed.emit()

    def start_round(self, key: QuestionKey, mark: object = None) -> None:
        """Start a round of voting. Nothing happens for a question without choices, or after `MAX_ROUNDS` rounds."""
        before, choices = self.rounds_of(key), key[1].choices
        if choices and len(before) < MAX_ROUNDS:
            no_votes = (0,) * len(choices)
            self._push(VoteChange(key, tr("count votes"), before, (*before, no_votes), -1, mark))

    def set_votes(self, key: QuestionKey, answer: int, votes: int, mark: object = None) -> None:
        """Set the number of votes for one answer in the last round. Consecutive corrections of an answer are one
        undo step."""
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
        """Undo the last change of votes, if there is one."""
        if self.steps:
            *earlier, step = self.steps
            self.steps, self.redo_steps = tuple(earlier), (step, *self.redo_steps)
            self._set_rounds(step.question_key, step.before)

    def redo(self) -> None:
        """Redo the change of votes that was undone last, if there is one."""
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
    """Parse a typed number of votes, which may be a sum such as "5+7", for example of rows of the audience. An
    empty text gives 0.

    Raises
    ------
    InputError
        If the text is not a number or a sum, or the number is too large.

    Examples
    --------
    >>> parse_votes("12"), parse_votes("5 + 7"), parse_votes("5+"), parse_votes(" ")
    (12, 12, 5, 0)
    """
    rows = text.strip(" +")  # the sum may be unfinished
    count = sum(map(int, rows.split("+"))) if _VOTE_SUM.fullmatch(rows) else 0 if not rows else -1
    if not 0 <= count <= MAX_VOTES:
        raise InputError(
            "votes",
            expected=phrase("a whole number up to {most}, or a sum of whole numbers", most=MAX_VOTES),
            found=f"“{text.strip()}”",
            remedy="write 12, or 5+7",
            topic="lessons#present",
        )
    return count


def vote_summary(question: Question, rounds: Rounds, revealed: bool) -> str:
    """Return a text about the votes on a question, or "" without votes.

    The number of right answers is stated only if `revealed` is True.
    """
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
        return tr("Right answers: {first}", first=shares[0])
    return tr("Right answers: first {first}, then {second}", first=shares[0], second=shares[1])


def vote_percentage(votes: tuple[int, ...], answer: int) -> int:
    """Return the percentage of votes for an answer."""
    return int(100 * votes[answer] / max(sum(votes), 1) + 0.5)  # halves are always rounded up


def judge_guess(question: Question, check: LessonCheck, typed: str) -> str:
    """Return the response to a number that a user has typed, possibly with a unit. `check` contains the right number."""
    correct_text = tr(format_check_value(check))
    guess = parse_number_in_unit(typed, unit_of(check))
    if (
        guess is None
        or check.stated_value is None
        or abs(guess - check.stated_value) > question.near * abs(check.stated_value)
    ):
        return tr("The right answer is {right}.", right=correct_text)
    return tr("Your answer is right: {right}.", right=correct_text)

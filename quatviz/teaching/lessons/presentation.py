"""How a lesson is led through: its pages one after the other, and the votes of an audience, counted by hand."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.translation import told, tr
from quatviz.base.units import typed_number
from quatviz.display.view_state.signal import Told
from quatviz.files.files import write_text
from quatviz.files.preset_reading import read_document, read_text
from quatviz.files.toml_text import toml_pairs
from quatviz.teaching.lessons.check_text import stated, unit_of
from quatviz.teaching.lessons.model import Check, Lesson, Part, Question, Scene, Step

log = logging.getLogger(__name__)

MOST_VOTES = 9999
"""For one answer."""
MOST_ROUNDS = 2
"""Before a discussion, and after it."""


Asks = tuple[str, Question]


@dataclass(frozen=True)
class Page:
    """What is shown until somebody goes on."""

    number: int
    """Of its step, from 0 on."""
    title: str
    words: str
    """What is said before the question."""
    scene: Scene
    question: Question | None = None
    seen: bool = False
    """Whether the scene is that behind the question."""
    answer: str | None = None
    """What is said behind it; None where that is hidden yet."""

    @property
    def asks(self) -> Asks | None:
        """What is asked, and where: asked again in another step it is another."""
        return (self.title, self.question) if self.question is not None else None


def pages_of(lesson: Lesson) -> tuple[Page, ...]:
    """All of them, and one behind the last step, which says what was shown: who goes on once too often loses no scene."""
    end = lesson.steps[-1]
    shown = "\n".join(f"- {step.title}" for step in lesson.steps)
    words = "\n\n".join((tr("We have seen:"), shown, tr("*End* gives the window back as it was before.")))
    last = Step(tr("The lesson ends here"), Part(words, _resting(end.parts[-1].scene)))
    return tuple(page for number, step in enumerate((*lesson.steps, last)) for page in _pages(number, step))


def _pages(number: int, step: Step) -> Iterator[Page]:
    """What was said last is said before a question, which is asked, shown by its scene first if it asks for a prediction, and
    answered."""
    before = step.part
    if not step.asked:
        yield Page(number, step.title, before.words, before.scene)
    for one in step.asked:
        answer = one.answer
        page = Page(number, step.title, before.words, before.scene, one.question)
        yield page
        page = replace(page, scene=answer.scene, seen=True)
        if one.question.predict:
            yield page
            page = replace(page, scene=_resting(answer.scene))
        yield replace(page, answer=answer.words)
        before = replace(answer, scene=_resting(answer.scene))


def answer_to(page: Page, pages: Sequence[Page]) -> str:
    """What answers the question of a page, shown or hidden yet; nothing where there is no question."""
    return next((one.answer for one in pages if one.asks == page.asks and one.answer is not None), "")


def place_of(page: Page, pages: tuple[Page, ...]) -> int:
    """Which of the pages of a lesson that was changed is this one of before: the most alike, and of those the nearest."""

    def unlike(place: int) -> tuple[bool, int, bool, int]:
        other = pages[place]
        in_its_place = bool(other.asks and page.asks) and other.number == page.number
        asks = 0 if other.asks == page.asks else 1 if in_its_place else 2
        hides = (other.seen, other.answer is None) != (page.seen, page.answer is None)
        return other.title != page.title, asks, hides, abs(other.number - page.number)

    return min(range(len(pages)), key=unlike)


def _resting(scene: Scene) -> Scene:
    """The same, with the cursor where it is."""
    return replace(scene, time=None, play=None, still=None, caption=None)


Rounds = tuple[tuple[int, ...], ...]
"""Of votes: a number for each answer, before a discussion and after it."""


@dataclass(frozen=True)
class Counted:
    """A step of counting, from some rounds of a question to others."""

    asks: Asks
    text: str
    before: Rounds
    after: Rounds
    answer: int
    """Whose number it is; -1 where a round began."""
    mark: object
    """What the caller says of the moment: the last step of something else that can be undone."""


MOST_KEPT = 50
"""Lectures that are remembered."""


class Lectures:
    """What is kept of lectures that were begun, in a text file of the user's settings folder, by the titles of their lessons: which
    page was shown, and the votes. A damaged file is forgotten, never an error: what it claims is checked where it is read."""

    def __init__(self) -> None:
        self._file = resources.settings_folder() / "lectures.toml"

    def of(self, lesson: Lesson) -> tuple[int, dict[Asks, Rounds]]:
        """The page that was shown last, 0 where that is not known, and the votes of the questions that are still asked so."""
        pages, rounds = pages_of(lesson), {}
        table = next((one for one in self._tables if one.get("lesson") == lesson.title), {})
        shown, votes = table.get("page"), table.get("votes")
        for asks in {page.asks: None for page in pages if page.asks is not None}:
            for kept in votes if isinstance(votes, list) else []:
                found = _rounds_in(kept, asks)
                if found:
                    rounds[asks] = found
        return (shown if type(shown) is int and 0 < shown < len(pages) else 0), rounds

    def keep(self, lesson: Lesson, page: int, rounds: Mapping[Asks, Rounds]) -> None:
        """Remember this in place of what was known of the lesson; a place that cannot be written is no reason to stop."""
        votes = [
            {"step": step, "ask": question.ask, "rounds": [list(one) for one in counted]}
            for (step, question), counted in rounds.items()
            if counted
        ]
        others = [one for one in self._tables if one.get("lesson") != lesson.title]
        this = [{"lesson": lesson.title, "page": page, "votes": votes}] if page or votes else []
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            text = toml_pairs({"lectures": [*this, *others][:MOST_KEPT]})
            write_text(self._file, text, lasting=False)
        except (OSError, InputError) as error:
            log.info("the lecture is not remembered: %s", error)

    @property
    def _tables(self) -> list[dict[str, Any]]:
        try:
            kept = read_document(read_text(self._file), str(self._file), lambda held: held.get("lectures"))
        except InputError:
            return []
        return [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []


def _rounds_in(told: object, asks: Asks) -> Rounds:
    """What a table says of this question; nothing where it is of another, or cannot be."""
    step, question = asks
    if not isinstance(told, dict) or (told.get("step"), told.get("ask")) != (step, question.ask):
        return ()
    rounds, count = told.get("rounds"), len(question.choices or ())
    if not isinstance(rounds, list) or len(rounds) > MOST_ROUNDS:
        return ()
    for one in rounds:
        if not isinstance(one, list) or len(one) != count:
            return ()
        if not all(type(votes) is int and 0 <= votes <= MOST_VOTES for votes in one):
            return ()
    return tuple(map(tuple, rounds))


class Votes:
    """Those of every question, with the way back. They belong to the window, never to the lesson's file."""

    def __init__(self) -> None:
        self._rounds: dict[Asks, Rounds] = {}
        self._dropped: dict[Asks, Rounds] = {}
        """What was counted before they began anew."""
        self.steps: tuple[Counted, ...] = ()
        """What was counted and not undone."""
        self.undone: tuple[Counted, ...] = ()
        self.changed = Told()

    def of(self, asks: Asks | None) -> Rounds:
        """The rounds of a question so far."""
        return self._rounds.get(asks, ()) if asks is not None else ()

    @property
    def all(self) -> dict[Asks, Rounds]:
        """Of all questions that votes were counted for."""
        return dict(self._rounds)

    def take(self, rounds: Mapping[Asks, Rounds]) -> None:
        """Go on with what was counted in an earlier lecture; nothing of that is taken back."""
        self._rounds, self._dropped, self.steps, self.undone = dict(rounds), {}, (), ()
        self.changed.emit()

    @property
    def anew(self) -> bool:
        """Whether they were begun anew, which can be taken back."""
        return bool(self._dropped)

    def begin_anew(self) -> None:
        """Forget all votes; or have them back that were forgotten so."""
        self._rounds, self._dropped = self._dropped, ({} if self._dropped else self._rounds)
        self.steps = self.undone = ()
        self.changed.emit()

    def begin(self, asks: Asks, mark: object = None) -> None:
        """Count from 0 on: the first time, or a second time after a discussion. Nothing where that was done, or where there are
        no choices."""
        before, choices = self.of(asks), asks[1].choices
        if choices and len(before) < MOST_ROUNDS:
            none = (0,) * len(choices)
            self._take(Counted(asks, tr("count votes"), before, (*before, none), -1, mark))

    def count(self, asks: Asks, answer: int, votes: int, mark: object = None) -> None:
        """So many for one answer, in the last round; corrected at once, it is one step."""
        before = self.of(asks)
        if not before or before[-1][answer] == votes:
            return
        *earlier, last = before
        after = (*earlier, tuple(votes if one == answer else old for one, old in enumerate(last)))
        if self.steps and not self.undone and (self.steps[-1].asks, self.steps[-1].answer) == (asks, answer):
            before, self.steps = self.steps[-1].before, self.steps[:-1]
        self._take(Counted(asks, tr("count votes"), before, after, answer, mark))

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        if self.steps:
            *rest, step = self.steps
            self.steps, self.undone = tuple(rest), (step, *self.undone)
            self._put(step.asks, step.before)

    def redo(self) -> None:
        """Do again what was undone last."""
        if self.undone:
            step, *rest = self.undone
            self.steps, self.undone = (*self.steps, step), tuple(rest)
            self._put(step.asks, step.after)

    def _take(self, step: Counted) -> None:
        self.steps, self.undone = (*self.steps, step), ()
        self._put(step.asks, step.after)

    def _put(self, asks: Asks, rounds: Rounds) -> None:
        self._rounds[asks] = rounds
        self.changed.emit()


_ROWS = re.compile(r"[0-9]{1,9}(?: *\+ *[0-9]{1,9})*")


def votes_typed(text: str) -> int:
    """How many votes a person types, those of several rows of a room added; none are 0. `InputError` for anything else.

    >>> votes_typed("12"), votes_typed("5 + 7"), votes_typed("5+"), votes_typed(" ")
    (12, 12, 5, 0)
    """
    rows = text.strip(" +")  # a sum that is not written to its end
    count = sum(map(int, rows.split("+"))) if _ROWS.fullmatch(rows) else 0 if not rows else -1
    if not 0 <= count <= MOST_VOTES:
        raise InputError(
            "votes",
            expected=phrase("a whole number up to {most}, or a sum of such", most=MOST_VOTES),
            found=f"“{text.strip()}”",
            remedy="write 12, or 5+7",
            topic="lessons#present",
        )
    return count


def said_of(question: Question, rounds: Rounds, revealed: bool) -> str:
    """What was counted, in words; how many were right only where that is no secret."""
    if not rounds or not any(map(sum, rounds)):
        return ""
    totals = [sum(one) for one in rounds]
    if not revealed or question.choices is None:
        return tr("{count} votes", count=totals[-1])
    place = question.choices.index(question.answer)
    right = [
        tr("{right} of {total} ({share} %)", right=one[place], total=total, share=share_of(one, place))
        for one, total in zip(rounds, totals, strict=True)
        if total
    ]
    if len(right) == 1:
        return tr("Voted for it: {first}", first=right[0])
    return tr("Voted for it: first {first}, then {second}", first=right[0], second=right[1])


def share_of(votes: tuple[int, ...], answer: int) -> int:
    """How many in a hundred."""
    return int(100 * votes[answer] / max(sum(votes), 1) + 0.5)  # 66.5 is 67, as 67.5 is 68


def judged(question: Question, check: Check, typed: str) -> str:
    """What is said to a number that a person types, perhaps with a unit, where `check` measures what is right; for people."""
    right = told(stated(check))
    guess = typed_number(typed, unit_of(check))
    if guess is None or check.number is None or abs(guess - check.number) > question.near * abs(check.number):
        return tr("It is {right}.", right=right)
    return tr("Right: it is {right}.", right=right)

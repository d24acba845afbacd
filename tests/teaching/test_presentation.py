"""Presenting a lesson with several questions, and counting votes by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.base.resources import settings_folder
from quatviz.display.view_state.view_state import ViewState
from quatviz.teaching.lessons import Lesson, parse_lesson
from quatviz.teaching.lessons.check_text import fill_placeholders
from quatviz.teaching.lessons.model import MAX_CHOICES, LessonCheck, Question, Scene
from quatviz.teaching.lessons.presentation import (
    LectureHistory,
    LessonPage,
    Votes,
    judge_guess,
    matching_page_index,
    pages_of,
    vote_summary,
)
from quatviz.teaching.lessons.questions import questions_of
from quatviz.teaching.lessons.scene_runs import scene_view_state
from quatviz.teaching.lessons.sheet import sheet_markdown, write_sheet

LESSON = """# Title

```lesson
format = 1
```

Said.

## One

```scene
preset = "torque_free"
lanes = ["newton_euler"]
duration = 0.1
panels = ["h"]
time = 0.05
play = false
```

Before.

```question
ask = "Which?"
choices = ["this", "that"]
answer = "that"
predict = true
```

```scene
panels = ["omega"]
time = 0
play = true
```

Between.

```question
ask = "How large?"
answer = "size"
```

```scene
panels = ["drift"]
time = 0.02
```

After {size}.

```check
name = "size"
quantity = "|h|"
time = 0
value = 400
tolerance = 1e-5
```

## Two

Words.
"""
QUESTION = LESSON[LESSON.index("```question") : LESSON.index("```scene\npanels")]


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return parse_lesson(LESSON)


def page_summary(page: LessonPage) -> tuple[object, ...]:
    asked = page.question.ask if page.question is not None else ""
    return (page.text, asked, page.answer, page.scene.panels, page.scene.time, page.scene.play)


def test_pages_show_prediction_answer_and_next_question(lesson: Lesson) -> None:
    pages = pages_of(lesson)
    assert [page_summary(page) for page in pages[:-1]] == [
        ("Before.", "Which?", None, ("h",), 0.05, False),
        ("Before.", "Which?", None, ("omega",), 0.0, True),
        ("Before.", "Which?", "Between.", ("omega",), None, None),  # the scene is kept
        ("Between.", "How large?", None, ("omega",), None, None),
        ("Between.", "How large?", "After {size}.", ("drift",), 0.02, None),
        ("Words.", "", None, ("drift",), None, None),
    ]
    assert [page.step_index for page in pages] == [0, 0, 0, 0, 0, 1, 2]
    assert "- One\n- Two" in pages[-1].text


def test_changed_lesson_continues_at_the_shown_page(lesson: Lesson) -> None:
    """With two questions in one step, the first answer was shown while the second was discussed."""
    changed = pages_of(
        parse_lesson(LESSON.replace("Words.", "Other words.").replace("Which?", "Which of them?"))
    )
    assert [matching_page_index(page, changed) for page in pages_of(lesson)] == list(range(len(changed)))


def test_scenes_can_hide_and_show_panels_again() -> None:
    """The rings of the last answer on gimbal lock never appeared, because an earlier question hid them."""
    first = Scene(preset="gimbal_lock", show=("gimbals", "omega"))
    hidden = Scene(hide=("gimbals",)).resolved_after(first)
    shown = Scene(show=("gimbals",)).resolved_after(hidden)
    assert [
        scene_view_state(scene, ViewState()).items.get("gimbals") for scene in (first, hidden, shown)
    ] == [
        True,
        False,
        True,
    ]
    assert scene_view_state(hidden, ViewState()).items["omega"], "items hidden by no scene stay"
    assert (
        scene_view_state(Scene(hide=("gimbals",)).resolved_after(shown), ViewState()).items["gimbals"]
        is False
    )


def test_figure_may_have_its_own_caption(tmp_path: Path) -> None:
    text = LESSON.replace("time = 0.05", 'time = 0.05\ncaption = "It is {size} *long*, $|h|$"')
    lesson = parse_lesson(text)
    first, *other_scenes = (part.scene for step in lesson.steps for part in step.parts)
    assert first.caption
    assert not any(scene.caption for scene in other_scenes), "the caption belongs to one scene only"
    write_sheet(replace(lesson, name="l"), tmp_path, lambda *given: np.zeros((given[-1], given[-2], 3)))
    student = (tmp_path / "l.md").read_text("utf-8")
    size = fill_placeholders("{size}", lesson.checks)
    assert f"*Figure 1: It is {size} *long*, $|h|$*" in student
    assert "The body at 0.05 s" not in student
    with pytest.raises(InputError, match="sise"):
        parse_lesson(text.replace("{size} *long", "{sise} *long"))


def test_sheets_and_quizzes_contain_both_questions(
    lesson: Lesson,
) -> None:
    student, teacher = (sheet_markdown(lesson, {}, answered) for answered in (False, True))
    assert "**Question 1.** Which?" in student
    assert "**Question 2.** How large?" in student
    assert "Between." not in student
    assert teacher.index("Which?") < teacher.index("Between.") < teacher.index("How large?")
    which, how = questions_of(lesson)
    assert (which.name, how.name) == ("1a. One", "1b. One")
    assert "Before." in how.text
    assert "Between." not in how.text
    assert how.value == pytest.approx(400.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LESSON.replace('["this", "that"]', str([f"{n}" for n in range(MAX_CHOICES)] + ["that"]).replace("'", '"')), "at most 8"),
        (LESSON.replace(QUESTION, 13 * QUESTION), "at most 12 questions"),
        (LESSON.replace("Between.", "```scene\ntime = 1\n```\nBetween."), "one scene"),
    ],
)  # fmt: skip
def test_excessive_lesson_is_rejected_with_its_line(text: str, message: str) -> None:
    assert text != LESSON
    with pytest.raises(InputError, match=message) as caught:
        parse_lesson(text)
    assert "line" in caught.value.place


def test_largest_lesson_is_paged_quickly() -> None:
    steps = "\n".join(f"## S{number}\n\n{QUESTION}" for number in range(400))
    lesson = parse_lesson(LESSON + steps)
    assert len(pages_of(lesson)) == 6 + 3 * 400 + 1


def test_votes_are_counted_corrected_undone_and_redone(lesson: Lesson) -> None:
    votes, asks = Votes(), pages_of(lesson)[0].question_key
    assert asks is not None
    counts: list[int] = []
    votes.changed.connect(lambda: counts.append(1))
    votes.set_votes(asks, 0, 3)
    assert votes.rounds_of(asks) == ()  # voting has not started
    votes.start_round(asks)
    for typed in (1, 12):  # as typed by a user
        votes.set_votes(asks, 0, typed)
    votes.set_votes(asks, 1, 8)
    assert votes.rounds_of(asks) == ((12, 8),)
    votes.start_round(asks)
    votes.start_round(asks)
    votes.set_votes(asks, 1, 19)
    assert votes.rounds_of(asks) == ((12, 8), (0, 19))
    assert len(counts) == len([1, 1, 1, 1, 1, 1])
    for remaining in (((12, 8), (0, 0)), ((12, 8),), ((12, 0),), ((0, 0),), (), ()):
        votes.undo()
        assert votes.rounds_of(asks) == remaining
    for _ in range(9):
        votes.redo()
    assert votes.rounds_of(asks) == ((12, 8), (0, 19))


def test_votes_are_shown_only_after_the_answer_is_revealed(lesson: Lesson) -> None:
    question = lesson.steps[0].questions[0].question
    assert vote_summary(question, (), True) == vote_summary(question, ((0, 0),), True) == ""
    assert vote_summary(question, ((12, 8),), False) == "20 votes"
    assert vote_summary(question, ((12, 8),), True) == "Right answers: 8 of 20 (40 %)"
    assert vote_summary(question, ((12, 8), (1, 19)), True).endswith(
        "first 8 of 20 (40 %), then 19 of 20 (95 %)"
    )


def test_guess_may_have_a_unit() -> None:
    question = Question(ask="How much?", answer="it", near=0.01)
    check = LessonCheck(name="it", quantity="lam", measure="max", value=160.0, tolerance=1.0)
    for typed in ("160", "160 J", "0,16 kJ", "16/100 kN m", "159"):
        assert judge_guess(question, check, typed).startswith("Your answer is right"), typed
    for typed in ("158", "0.16", "160 s", "160 kg", "much", ""):
        assert judge_guess(question, check, typed) == "The right answer is 160\xa0J.", typed


def test_number_question_has_no_votes(lesson: Lesson) -> None:
    votes, asks = Votes(), pages_of(lesson)[3].question_key
    assert asks is not None
    votes.start_round(asks)
    assert votes.steps == ()


def test_presentation_is_stored_with_its_lesson_and_invalid_data_dropped(lesson: Lesson) -> None:
    asks, file = pages_of(lesson)[0].question_key, settings_folder() / "lectures.toml"
    assert asks is not None
    other = replace(lesson, title="Another")
    assert LectureHistory().restore(lesson) == (0, {})
    LectureHistory().save(lesson, 2, {asks: ((12, 8), (0, 19))})
    LectureHistory().save(other, 1, {})
    assert LectureHistory().restore(lesson) == (2, {asks: ((12, 8), (0, 19))})
    assert LectureHistory().restore(other) == (1, {})
    LectureHistory().save(other, 0, {})
    assert "Another" not in file.read_text("utf-8")
    kept = file.read_text("utf-8")
    for wrong in ("-8", "99999", '"8"', "8.0", "true", "8, 1"):
        file.write_text(kept.replace("[12, 8]", f"[12, {wrong}]"), "utf-8")
        assert LectureHistory().restore(lesson) == (2, {}), wrong
    file.write_text(kept.replace("page = 2", "page = 2000000"), "utf-8")
    assert LectureHistory().restore(lesson)[0] == 0
    for damage in ("lectures = 3", "lectures = [3, {}]", "[[", "\x00"):
        file.write_text(damage, "utf-8")
        assert LectureHistory().restore(lesson) == (0, {})
    votes = Votes()
    votes.load({asks: ((12, 8),)})
    votes.toggle_restart()
    assert votes.rounds_of(asks) == ()
    votes.toggle_restart()
    assert votes.rounds_of(asks) == ((12, 8),)
    assert not votes.is_restarted
    file.unlink()


def test_scene_chooses_wrapped_or_unwrapped_angles() -> None:
    unwrapped = Scene(preset="heavy_top", sequence="313", turns="unwrapped")
    assert scene_view_state(unwrapped, ViewState()).options == {"sequence": "313", "turns": "unwrapped"}
    assert (
        scene_view_state(Scene(time=1.0).resolved_after(unwrapped), ViewState()).options["turns"]
        == "unwrapped"
    )
    assert "turns" not in scene_view_state(Scene(preset="heavy_top"), ViewState()).options
    assert (
        scene_view_state(
            Scene(preset="heavy_top"), ViewState(options={"turns": "unwrapped", "sign": "raw"})
        ).options
        == {}
    )
    with pytest.raises(InputError, match="wrapped"):
        Scene(turns="round")

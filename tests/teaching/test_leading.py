"""How a lesson with several questions is led through, and votes that are counted by hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.base.resources import settings_folder
from quatviz.display.view_state.view_state import Look
from quatviz.teaching.lessons import Lesson, parse_lesson
from quatviz.teaching.lessons.check_text import filled
from quatviz.teaching.lessons.model import MOST_CHOICES, Check, Question, Scene
from quatviz.teaching.lessons.presentation import Lectures, Page, Votes, judged, pages_of, place_of, said_of
from quatviz.teaching.lessons.questions import questions_of
from quatviz.teaching.lessons.scene_runs import look_of
from quatviz.teaching.lessons.sheet import sheet_of, write_sheet

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


def told(page: Page) -> tuple[object, ...]:
    asked = page.question.ask if page.question is not None else ""
    return (page.words, asked, page.answer, page.scene.panels, page.scene.time, page.scene.play)


def test_a_prediction_is_seen_before_it_is_explained_and_the_next_question_follows(lesson: Lesson) -> None:
    pages = pages_of(lesson)
    assert [told(page) for page in pages[:-1]] == [
        ("Before.", "Which?", None, ("h",), 0.05, False),
        ("Before.", "Which?", None, ("omega",), 0.0, True),
        ("Before.", "Which?", "Between.", ("omega",), None, None),  # what is seen goes on
        ("Between.", "How large?", None, ("omega",), None, None),
        ("Between.", "How large?", "After {size}.", ("drift",), 0.02, None),
        ("Words.", "", None, ("drift",), None, None),
    ]
    assert [page.number for page in pages] == [0, 0, 0, 0, 0, 1, 2]
    assert "- One\n- Two" in pages[-1].words


def test_a_lesson_that_was_changed_goes_on_at_the_page_that_was_shown(lesson: Lesson) -> None:
    """Of two questions of one step the first one's answer was shown while the second's was talked about."""
    changed = pages_of(
        parse_lesson(LESSON.replace("Words.", "Other words.").replace("Which?", "Which of them?"))
    )
    assert [place_of(page, changed) for page in pages_of(lesson)] == list(range(len(changed)))


def test_what_one_scene_hides_another_can_show_and_hide_again() -> None:
    """The rings of the gimbal lock's last answer were never seen: a question before it hid them."""
    first = Scene(preset="gimbal_lock", show=("gimbals", "omega"))
    hidden = Scene(hide=("gimbals",)).after(first)
    shown = Scene(show=("gimbals",)).after(hidden)
    assert [look_of(scene, Look()).items.get("gimbals") for scene in (first, hidden, shown)] == [
        True,
        False,
        True,
    ]
    assert look_of(hidden, Look()).items["omega"], "what nobody hides stays"
    assert look_of(Scene(hide=("gimbals",)).after(shown), Look()).items["gimbals"] is False


def test_a_figure_has_a_caption_of_its_own(tmp_path: Path) -> None:
    text = LESSON.replace("time = 0.05", 'time = 0.05\ncaption = "It is {size} *long*, $|h|$"')
    lesson = parse_lesson(text)
    first, *others = (part.scene for step in lesson.steps for part in step.parts)
    assert first.caption
    assert not any(scene.caption for scene in others), "of one scene, and not of those behind it"
    write_sheet(replace(lesson, name="l"), tmp_path, lambda *given: np.zeros((given[-1], given[-2], 3)))
    student = (tmp_path / "l.md").read_text("utf-8")
    size = filled("{size}", lesson.checks)
    assert f"*Figure 1: It is {size} *long*, $|h|$*" in student
    assert "The body at 0.05 s" not in student
    with pytest.raises(InputError, match="sise"):
        parse_lesson(text.replace("{size} *long", "{sise} *long"))


def test_both_questions_are_on_the_sheets_and_for_platforms_without_the_answer_between(
    lesson: Lesson,
) -> None:
    student, teacher = (sheet_of(lesson, {}, answered) for answered in (False, True))
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
    ("text", "said"),
    [
        (LESSON.replace('["this", "that"]', str([f"{n}" for n in range(MOST_CHOICES)] + ["that"]).replace("'", '"')), "at most 8"),
        (LESSON.replace(QUESTION, 13 * QUESTION), "at most 12 questions"),
        (LESSON.replace("Between.", "```scene\ntime = 1\n```\nBetween."), "one scene"),
    ],
)  # fmt: skip
def test_too_much_is_refused_at_its_line(text: str, said: str) -> None:
    assert text != LESSON
    with pytest.raises(InputError, match=said) as caught:
        parse_lesson(text)
    assert "line" in caught.value.place


def test_a_file_as_large_as_may_be_is_led_through_soon() -> None:
    steps = "\n".join(f"## S{number}\n\n{QUESTION}" for number in range(400))
    lesson = parse_lesson(LESSON + steps)
    assert len(pages_of(lesson)) == 6 + 3 * 400 + 1


def test_votes_are_counted_corrected_taken_back_and_done_again(lesson: Lesson) -> None:
    votes, asks = Votes(), pages_of(lesson)[0].asks
    assert asks is not None
    heard: list[int] = []
    votes.changed.connect(lambda: heard.append(1))
    votes.count(asks, 0, 3)
    assert votes.of(asks) == ()  # nobody has begun
    votes.begin(asks)
    for typed in (1, 12):  # as a person types it
        votes.count(asks, 0, typed)
    votes.count(asks, 1, 8)
    assert votes.of(asks) == ((12, 8),)
    votes.begin(asks)
    votes.begin(asks)
    votes.count(asks, 1, 19)
    assert votes.of(asks) == ((12, 8), (0, 19))
    assert len(heard) == len([1, 1, 1, 1, 1, 1])
    for left in (((12, 8), (0, 0)), ((12, 8),), ((12, 0),), ((0, 0),), (), ()):
        votes.undo()
        assert votes.of(asks) == left
    for _ in range(9):
        votes.redo()
    assert votes.of(asks) == ((12, 8), (0, 19))


def test_what_was_voted_for_is_said_only_when_it_is_revealed(lesson: Lesson) -> None:
    question = lesson.steps[0].asked[0].question
    assert said_of(question, (), True) == said_of(question, ((0, 0),), True) == ""
    assert said_of(question, ((12, 8),), False) == "20 votes"
    assert said_of(question, ((12, 8),), True) == "Voted for it: 8 of 20 (40 %)"
    assert said_of(question, ((12, 8), (1, 19)), True).endswith("first 8 of 20 (40 %), then 19 of 20 (95 %)")


def test_a_guess_may_have_a_unit() -> None:
    question = Question(ask="How much?", answer="it", near=0.01)
    check = Check(name="it", quantity="lam", measure="max", value=160.0, tolerance=1.0)
    for typed in ("160", "160 J", "0,16 kJ", "16/100 kN m", "159"):
        assert judged(question, check, typed).startswith("Right"), typed
    for typed in ("158", "0.16", "160 s", "160 kg", "much", ""):
        assert judged(question, check, typed) == "It is 160\xa0J.", typed


def test_a_number_has_no_votes(lesson: Lesson) -> None:
    votes, asks = Votes(), pages_of(lesson)[3].asks
    assert asks is not None
    votes.begin(asks)
    assert votes.steps == ()


def test_a_lecture_is_kept_by_its_lesson_and_what_cannot_be_is_forgotten(lesson: Lesson) -> None:
    asks, file = pages_of(lesson)[0].asks, settings_folder() / "lectures.toml"
    assert asks is not None
    other = replace(lesson, title="Another")
    assert Lectures().of(lesson) == (0, {})
    Lectures().keep(lesson, 2, {asks: ((12, 8), (0, 19))})
    Lectures().keep(other, 1, {})
    assert Lectures().of(lesson) == (2, {asks: ((12, 8), (0, 19))})
    assert Lectures().of(other) == (1, {})
    Lectures().keep(other, 0, {})
    assert "Another" not in file.read_text("utf-8")
    kept = file.read_text("utf-8")
    for wrong in ("-8", "99999", '"8"', "8.0", "true", "8, 1"):
        file.write_text(kept.replace("[12, 8]", f"[12, {wrong}]"), "utf-8")
        assert Lectures().of(lesson) == (2, {}), wrong
    file.write_text(kept.replace("page = 2", "page = 2000000"), "utf-8")
    assert Lectures().of(lesson)[0] == 0
    for damage in ("lectures = 3", "lectures = [3, {}]", "[[", "\x00"):
        file.write_text(damage, "utf-8")
        assert Lectures().of(lesson) == (0, {})
    votes = Votes()
    votes.take({asks: ((12, 8),)})
    votes.begin_anew()
    assert votes.of(asks) == ()
    votes.begin_anew()
    assert votes.of(asks) == ((12, 8),)
    assert not votes.anew
    file.unlink()


def test_a_scene_says_whether_angles_jump() -> None:
    unwrapped = Scene(preset="heavy_top", sequence="313", turns="unwrapped")
    assert look_of(unwrapped, Look()).options == {"sequence": "313", "turns": "unwrapped"}
    assert look_of(Scene(time=1.0).after(unwrapped), Look()).options["turns"] == "unwrapped"
    assert "turns" not in look_of(Scene(preset="heavy_top"), Look()).options
    assert (
        look_of(Scene(preset="heavy_top"), Look(options={"turns": "unwrapped", "sign": "raw"})).options == {}
    )
    with pytest.raises(InputError, match="wrapped"):
        Scene(turns="round")

"""The shipped lessons: each number is measured, and each formula can be drawn."""

import json
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage, QTextFormat

from quatviz import bootstrap
from quatviz.base import resources
from quatviz.base.markdown import find_formulae
from quatviz.cli import main
from quatviz.commands.support.sheet_pdf import lay_out, write_pdf
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import PrintFigure, draw_figure
from quatviz.export.figures.figure import FigurePicture
from quatviz.export.figures.paper import Paper
from quatviz.files.formula_cache import formula_cache
from quatviz.simulation.simulation import Simulation, lane_names
from quatviz.teaching.lessons import Lesson, LessonCheck, Scene, lesson_paths, read_lesson
from quatviz.teaching.lessons.check_text import fill_placeholders, placeholder_names, unit_of
from quatviz.teaching.lessons.checking import COLUMNS, evaluate_checks
from quatviz.teaching.lessons.model import QuestionAndAnswer
from quatviz.teaching.lessons.scene_runs import lane_numbers, lane_styles_of, preset_of
from quatviz.teaching.lessons.sheet import ANSWERS_SUFFIX, figure_key, sheet_markdown, write_sheet

NAMES = [*lesson_paths(), "_template"]
_DECIMAL = re.compile(r"\d+\.\d+|\d[eE]-?\d|10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")


def lesson_of(name: str) -> Lesson:
    return read_lesson(resources.asset_path("lessons") / f"{name}.md")


def words_of(lesson: Lesson) -> list[str]:
    parts = [part for step in lesson.steps for part in step.parts]
    asked = [question.question for step in lesson.steps for question in step.questions]
    return [
        lesson.summary,
        *(part.text for part in parts),
        *(question.ask for question in asked),
        *(choice for question in asked for choice in question.choices or ()),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_stated_number_is_measured(name: str) -> None:
    made = list(evaluate_checks(lesson_of(name)))
    assert made
    missed = [f"{check.check.name}: {check.measured_text}" for check in made if not check.ok]
    assert missed == []


def claim_of(check: LessonCheck) -> list[object]:
    """Return the claim of a check, without its lane."""
    return [getattr(check, field.name) for field in fields(check) if field.name not in ("name", "lane")]


@pytest.mark.parametrize("name", NAMES)
def test_every_check_is_used_and_no_measured_number_is_typed(name: str) -> None:
    lesson = lesson_of(name)
    text = " ".join(words_of(lesson))
    named = {check for source_text in words_of(lesson) for check in placeholder_names(source_text)} | {
        item.question.answer for step in lesson.steps for item in step.questions
    }
    claims = [claim_of(item) for check, item in lesson.checks.items() if check in named]
    # A claim about one lane may hold for several: the same claim about another lane needs no text of its own.
    unspoken = [
        check for check, item in lesson.checks.items() if check not in named and claim_of(item) not in claims
    ]
    assert unspoken == []
    folder = lesson.path.parent if lesson.path else None
    scenes = [part.scene for step in lesson.steps for part in step.parts]
    given = " ".join(
        Path(preset_of(scene, folder).path or "").read_text("utf-8") + str(scene) for scene in scenes
    )
    given += " ".join(str(check) for check in lesson.checks.values())
    stray = [item for item in _DECIMAL.findall(text) if str(float(item)) not in given and item not in given]
    assert stray == []


@pytest.mark.parametrize("name", NAMES)
def test_no_curve_shows_an_answer_before_it_is_revealed(name: str) -> None:
    """Curves are drawn to the end of a run, so an answer must show another run, or a plot not yet seen."""
    seen: set[tuple[object, ...]] = set()
    for step in lesson_of(name).steps:
        seen |= curves_of(step.part.scene)
        for question in step.questions:
            assert curves_of(question.answer.scene) - seen, step.title
            seen |= curves_of(question.answer.scene)


def curves_of(scene: Scene) -> set[tuple[object, ...]]:
    return {
        (scene.run_key, panel, scene.components or "body", scene.sequence) for panel in scene.panels or ()
    }


_KINDS = {"energy_drift": "energy", "kinetic": "energy", "lam_theory": "lam"}


def kind_of(quantity: str) -> str:
    """Return the base quantity of a drift or quantity, from which an answer could be read."""
    return _KINDS.get(quantity, quantity)


def kinds_shown(scene: Scene, folder: Path | None) -> set[str]:
    """Return the quantities that the plots of a scene show."""
    run = Simulation(preset_of(scene, folder))
    info = run_info(run, LaneStyles.default_for(len(run.lanes)))
    quantities = {"orientation_error" for name in scene.panels or () if name == "orientation_errors"}
    options = {"euler_angles": scene.sequence or "321", "det_s": scene.sequence or "321", "multiplier": ""}
    for name in scene.panels or ():
        panel = PANELS[name]
        if issubclass(panel, TimePanel):
            strips = panel().strips_of(options.get(name, scene.components or "body"), info)
            quantities |= {kind_of(strip.quantity) for strip in strips}
    return quantities


def kinds_stated(question: QuestionAndAnswer, lesson: Lesson) -> set[str]:
    """Return the quantities whose values an answer states; rates and times of curves cannot be read from a plot."""
    named = [lesson.checks[name] for name in placeholder_names(question.answer.text) if name in lesson.checks]
    read = [check.quantity for check in named if check.measure not in ("slope", "period", "crossing", "end")]
    return {kind_of(COLUMNS[name][0].name if name in COLUMNS else name) for name in read if name}


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_hidden_during_a_vote(name: str) -> None:
    """The energy drift was visible below that of |p| while the question was about the energy."""
    lesson = lesson_of(name)
    folder = lesson.path.parent if lesson.path else None
    for step in lesson.steps:
        before = step.part.scene
        for question in step.questions:
            stated = kinds_stated(question, lesson)
            if question.question.choices and stated and question.answer.scene.run_key == before.run_key:
                shown, later = kinds_shown(before, folder), kinds_shown(question.answer.scene, folder)
                assert not stated & shown or (stated & later) - shown, (step.title, stated, shown, later)
            before = question.answer.scene


def test_plots_show_the_vectors_whose_components_are_stated() -> None:
    """The plots showed other quantities, the same value 47.77 was stated twice, and the moment of a force was shown beside the
    angular velocity."""
    (moment,) = (step for step in lesson_of("idle_torque").steps if step.title == "Does the moment stay?")
    assert moment.questions[0].answer.scene.panels == ("torque",)
    (step,) = (step for step in lesson_of("heavy_top").steps if step.title == "What is conserved")
    scene = step.questions[0].answer.scene
    assert "h" in (scene.panels or ())
    assert scene.components == "space"
    values = [check.value for check, _ in step.checks if check.value is not None]
    assert values.count(47.77) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_can_be_typeset_and_every_text_filled(name: str) -> None:
    lesson = lesson_of(name)
    for text in words_of(lesson):
        fill_placeholders(text, lesson.checks)
        for latex in find_formulae(text):
            assert "<svg" in formula_cache().render(latex), latex


def test_lessons_command_lists_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lessons"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in lesson_paths())
    assert "_template" not in listed
    assert main(["lessons", "--json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == list(lesson_paths())


def test_unreadable_lesson_hides_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(lesson_paths()["half_turn"], tmp_path / "lessons_half.md")
    (tmp_path / "broken.md").write_text("no title", "utf-8")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere")
    monkeypatch.setattr("quatviz.teaching.lessons.parsing.resources.asset_path", lambda name: tmp_path)
    assert main(["lessons"]) == 0
    captured = capsys.readouterr()
    assert "lessons_half" in captured.out
    assert "broken.md, line 1" in captured.err
    assert "gone.md" in captured.err
    assert main(["lessons", "--json"]) == 0
    refused = {row["id"]: "refused" in row for row in json.loads(capsys.readouterr().out)}
    assert refused == {"lessons_half": False, "broken": True, "gone": True}
    monkeypatch.setattr("quatviz.commands.lessons.evaluate_checks", lambda lesson: [])
    assert main(["lessons", "--check", "all"]) == 1
    captured = capsys.readouterr()
    assert "lessons_half: " in captured.out
    assert "broken.md, line 1" in captured.err
    assert main(["lessons", "--check", "lessons_half"]) == 0
    monkeypatch.setattr("quatviz.commands.lessons.write_questions", lambda lessons, *more: len(lessons))
    assert main(["lessons", "--questions", "all", "-o", str(tmp_path / "class.xml")]) == 1
    assert "1 questions written" in capsys.readouterr().out


def test_new_lesson_template_passes_its_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.md"
    assert main(["lessons", "--new", str(path)]) == 0
    assert main(["lessons", "--check", str(path)]) == 0
    assert "3 of 3 checks passed" in capsys.readouterr().out
    assert main(["lessons", "--new", str(path)]) == 2  # it never overwrites a file
    path.write_text(path.read_text("utf-8").replace("9.3393", "9.4"), "utf-8")
    capsys.readouterr()
    assert main(["lessons", "--check", str(path), "--json"]) == 1
    missed = [row for row in json.loads(capsys.readouterr().out) if not row["ok"]]
    assert [row["check"] for row in missed] == ["period"]
    assert missed[0]["measured"] == pytest.approx(9.3393, abs=1e-4)


def test_cancelled_worksheet_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel(*given: object) -> None:
        (tmp_path / "out").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr("quatviz.commands.lessons.write_sheet", cancel)
    assert main(["lessons", "--sheet", "half_turn", "-o", str(tmp_path / "out")]) == 130
    assert not (tmp_path / "out").exists()


def test_worksheet_uses_a_virtual_display_if_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its bodies would be drawn as lines."""
    asked: list[list[str]] = []
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(bootstrap, "has_display", lambda *_: False)
    monkeypatch.setattr(bootstrap, "is_installed", lambda need: True)

    def carried_out(arguments: list[str]) -> int:
        asked.append(arguments)
        return 7

    monkeypatch.setattr(bootstrap, "run_on_virtual_display", carried_out)
    assert main(["lessons", "--sheet", "half_turn", "-o", "there"]) == 7
    assert [arguments[arguments.index("quatviz") + 1 :] for arguments in asked] == [
        ["lessons", "--sheet", "half_turn", "-o", "there"]
    ]


def test_worksheet_has_copies_for_students_and_teachers(
    tmp_path: Path, qapp: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lessons", "--sheet", "half_turn", "-o", str(tmp_path)]) == 0
    text, answered = (
        (tmp_path / f"half_turn{ending}.md").read_text("utf-8") for ending in ("", ANSWERS_SUFFIX)
    )
    assert "My guess: __________________ s" in text
    assert "Name: ____" in text
    assert "3.47" in answered
    assert "3.47" not in text
    assert "Name: ____" not in answered
    assert placeholder_names(text) == placeholder_names(answered) == []
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", answered)
    assert pictures == [f"half_turn-{number + 1}.png" for number in range(len(pictures))]
    for picture in pictures:
        image = QImage(str(tmp_path / picture))
        assert image.width() > image.height() > 480
        assert colors(image, 0, 600) > 200, "no body"
    for ending in ("", ANSWERS_SUFFIX):
        pdf = (tmp_path / f"half_turn{ending}.pdf").read_bytes()
        assert pdf.startswith(b"%PDF")
        assert b"/Subtype /Image" in pdf


def colors(image: QImage, left: int, right: int) -> int:
    """Return the number of colors in a part of a picture."""
    rows, columns = range(0, image.height(), 7), range(left, min(right, image.width()), 7)
    return len({image.pixel(x, y) for x in columns for y in rows})


@pytest.mark.parametrize("name", ["heavy_top", "constraint"])
def test_answers_are_only_on_the_teachers_copy(name: str) -> None:
    lesson = lesson_of(name)
    asked, answer_keys = [], []
    for step in lesson.steps:
        asked.append(figure_key(step.part.scene))
        answer_keys += [figure_key(entry.answer.scene) for entry in step.questions]
    figures = {key: (f"{at}.png", "") for at, key in enumerate(dict.fromkeys([*asked, *answer_keys]))}
    only_told = [figures[key][0] for key in answer_keys if key not in asked]
    assert only_told
    student, teacher = (sheet_markdown(lesson, figures, answered) for answered in (False, True))
    for file in only_told:
        assert f"]({file})" not in student
        assert f"]({file})" in teacher
    named = []
    for copy in (student, teacher):
        named.append(dict(re.findall(r"!\[Figure (\w+): .*\]\((.*)\)", copy)))
        assert len(named[-1]) == copy.count("!["), "a figure is missing"
        assert re.findall(r"^\*Figure (\w+): ", copy, re.M) == [*named[-1]]
    assert [*named[0]] == [str(number) for number in range(1, 1 + len(named[0]))]
    assert {number: file for number, file in named[1].items() if number.isdigit()} == named[0], (
        "as on the students' copy"
    )
    for question in (entry.question for step in lesson.steps for entry in step.questions):
        if question.choices is not None:
            assert f"\u25a1\u2002A: {question.choices[0]}" in student
            assert f": {question.answer}" in teacher[teacher.index("\u25a0") :]
            assert "\u25a0" not in student


def test_short_steps_share_a_page_and_none_is_cut(tmp_path: Path, qapp: object) -> None:
    short = "## A step\n\nWords.\n\n"
    long = "## A long step\n\n" + "Words.\n\n" * 24  # three of them fill less than two pages
    for text, pages in ((4 * short, 1), (long + 2 * short, 1), (3 * long, 3)):
        (tmp_path / "l.md").write_text(f"# A lesson\n\n{text}", "utf-8")
        write_pdf(tmp_path / "l.md", tmp_path / "l.pdf")
        assert (tmp_path / "l.pdf").read_bytes().count(b"/Type /Page\n") == pages, text


def pages_of_sheet(lesson: Lesson, answered: bool, high: int, folder: Path) -> int:
    """Return the number of pages if each figure is `high` dots high."""
    scenes = [figure_key(part.scene) for step in lesson.steps for part in step.parts]
    figures = {scene: (f"{at}.png", "Body and curves.") for at, scene in enumerate(dict.fromkeys(scenes))}
    blank = QImage(2008, high, QImage.Format.Format_Grayscale8)
    blank.fill(255)
    for file, _ in figures.values():
        blank.save(str(folder / file))
    (folder / "l.md").write_text(sheet_markdown(lesson, figures, answered), "utf-8")
    write_pdf(folder / "l.md", folder / "l.pdf")
    return (folder / "l.pdf").read_bytes().count(b"/Type /Page\n")


def test_teachers_copy_contains_every_step(tmp_path: Path, qapp: object) -> None:
    """The figures are so high that no page holds more than one."""
    lesson = lesson_of("gimbal_lock")
    scenes = {figure_key(part.scene) for step in lesson.steps for part in step.parts}
    assert pages_of_sheet(lesson, True, 1800, tmp_path) == len(scenes)


@pytest.mark.parametrize("name", ["gimbal_lock", "heavy_top"])
def test_step_does_not_share_the_page_of_a_previous_question(name: str, tmp_path: Path, qapp: object) -> None:
    """Its text and figures follow from the answer. Steps without a question share the next page, and an answer moves to the next
    page of the teachers' copy if there is no room."""
    lesson = lesson_of(name)
    asked = sum(bool(step.questions) for step in lesson.steps)
    assert pages_of_sheet(lesson, False, 560, tmp_path) == asked < len(lesson.steps)
    assert pages_of_sheet(lesson, True, 560, tmp_path) <= len(lesson.steps) - 1


def test_answer_starts_below_its_question_and_may_continue(tmp_path: Path, qapp: object) -> None:
    """The whole answer moved to the next page, although half of the page below the question was empty."""
    blank = QImage(2008, 560, QImage.Format.Format_Grayscale8)
    blank.fill(255)
    blank.save(str(tmp_path / "1.png"))
    text = "**Answer.** This.\n\nAnd that.\n\n$$a = b$$\n\n![Figure 1](1.png)\n\n*Figure 1: it.*\n\n## 2. Next\n\nOn."
    parted = set()
    for count in range(20, 40):
        paragraphs = count * "Words.\n\n"
        document = lay_out(
            f"# A lesson\n\n## 1. A step\n\n{paragraphs}**Question.** Why?\n\n{text}", tmp_path
        )
        high, blocks = document.pageSize().height(), [document.findBlockByNumber(n) for n in range(count + 9)]
        rects = [document.documentLayout().blockBoundingRect(block) for block in blocks]
        pages = [int((rect.bottom() - 1.0) // high) for rect in rects]
        why, this, that, formula, figure, caption = pages[count + 2 : count + 8]
        assert (that, figure) == (formula, caption), "a formula stays with its text"
        room = high * (why + 1) - rects[count + 2].bottom()
        assert this == why or room < 1.5 * rects[count + 3].height()
        told_in = zip(rects[count + 3 : count + 8], pages[count + 3 : count + 8], strict=True)
        assert all(int((rect.top() + 1.0) // high) == page for rect, page in told_in), "none is cut"
        parted.add((this - why, figure - why))
    assert (0, 1) in parted


def test_worksheet_leaves_room_for_handwriting(tmp_path: Path, qapp: object) -> None:
    """Rows for handwriting are at least 8 mm high."""
    lesson = lesson_of("heavy_top")
    document = lay_out(sheet_markdown(lesson, {}, False), tmp_path)
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    rects = [document.documentLayout().blockBoundingRect(block) for block in blocks]
    rule = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
    rows = []
    for block, rect, above in zip(blocks[1:], rects[1:], rects, strict=False):
        ruled = all(neighbor.blockFormat().hasProperty(rule) for neighbor in (block.previous(), block))
        if ruled or "____" in block.text():
            rows.append(rect.bottom() - above.bottom())
    below = sum(2 if len(step.questions) == 1 else len(step.questions) for step in lesson.steps)
    assert len(rows) >= below + len(("name", "guess")), "below the first line of each"
    assert min(rows) >= 8.0 / 25.4 * 96.0


@pytest.mark.parametrize("name", ["gimbal_lock", "double_cover"])
def test_page_with_space_has_more_writing_lines(name: str, tmp_path: Path, qapp: object) -> None:
    """Half of a page after a question was empty."""
    lesson = lesson_of(name)
    document = lay_out(sheet_markdown(lesson, {}, False), tmp_path)
    high, rows = document.pageSize().height(), dict[int, int]()
    lines: dict[int, list[int]] = {}
    rule = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
    block = document.begin()
    while block.isValid():
        foot = document.documentLayout().blockBoundingRect(block).bottom()
        page = int((foot - 1.0) // high)
        rows[page] = round(high * (page + 1) - foot)
        if block.blockFormat().hasProperty(rule):
            begins = not block.previous().blockFormat().hasProperty(rule)
            lines.setdefault(page, []).extend([0] if begins else [])
            lines[page][-1] += 1
        block = block.next()
    pages = sum(bool(step.questions) for step in lesson.steps)
    assert document.pageCount() == pages == len(lines)
    for page, counts in lines.items():
        assert rows[page] > 0
        assert min(counts) == 14 or rows[page] < len(counts) * 12.0 / 25.4 * 96.0, (
            "no room for another line each"
        )


def test_worksheet_figure_fits_six_lane_names_and_a_large_body(
    tmp_path: Path,
) -> None:
    lesson = lesson_of("six_lambdas")
    step = lesson.steps[0]
    alone = replace(step, part=replace(step.part, scene=replace(step.part.scene, panels=())))
    sizes: list[tuple[int, int]] = []

    def blank(run: Simulation, look: ViewState, time: float, width: int, height: int) -> np.ndarray:
        sizes.append((width, height))
        return np.ones((height, width, 3))

    *_, first, second = write_sheet(replace(lesson, steps=(step, alone)), tmp_path, blank)
    drawn, bare = QImage(str(first)), QImage(str(second))
    assert drawn.height() > sizes[0][1]
    assert drawn.width() > 2 * sizes[0][0]
    assert (bare.width(), bare.height()) == (drawn.width(), sizes[0][1])


def test_sphere_stands_beside_the_body_on_a_worksheet(tmp_path: Path) -> None:
    lesson = lesson_of("intermediate_axis")
    step = next(step for step in lesson.steps if step.part.scene.panels == ("momentum_sphere",))
    scene = replace(step.part.scene, duration=5.0, lanes=("newton_euler",), caption=None)
    alone = replace(lesson, steps=(replace(step, part=replace(step.part, scene=scene), questions=()),))
    *_, drawn = write_sheet(alone, tmp_path, lambda *given: np.ones((given[-1], given[-2], 3)))
    image = QImage(str(drawn))
    assert colors(image, 700, image.width()) > 20
    assert "h on the momentum sphere" in (tmp_path / "intermediate_axis.md").read_text("utf-8")


def test_error_matrix_has_the_time_of_the_body_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The body was drawn at 3 s, as in the window, and the matrix at the end. A scene that plays ends at its own time."""
    lesson = lesson_of("constraint")
    step = next(step for step in lesson.steps if step.title == "Is it only the length?")
    scene = replace(
        step.questions[0].answer.scene, panels=("orientation_errors",), duration=4.0, caption=None
    )
    plays, playing_on = replace(scene, play=True), replace(scene, play=True, still=2.0)
    steps = tuple(
        replace(step, part=replace(step.part, scene=variant), questions=())
        for variant in (scene, plays, playing_on)
    )
    notes: list[str] = []

    def record_figure(picture: FigurePicture, paper: Paper, title: str) -> PrintFigure:
        notes.extend(panel.note for panel in picture.panels)
        return draw_figure(picture, paper, title)

    monkeypatch.setattr("quatviz.teaching.lessons.sheet.draw_figure", record_figure)
    bodies: list[float] = []

    def blank(run: Simulation, look: ViewState, time: float, width: int, height: int) -> np.ndarray:
        bodies.append(time)
        return np.ones((height, width, 3))

    write_sheet(replace(lesson, steps=steps), tmp_path, blank)
    assert notes == ["rad, at 3.00 s", "rad, at 4.00 s", "rad, at 2.00 s"]
    assert bodies == [3.0, 3.0, 2.0]


def test_captions_appear_on_the_worksheet() -> None:
    """A figure is drawn once, so that the caption of a later identical scene would never be read."""
    captioned: dict[str, int] = {}
    for name in lesson_paths():
        shown = set()
        for part in (part for step in lesson_of(name).steps for part in step.parts):
            if part.scene.caption:
                captioned[name] = captioned.get(name, 0) + 1
                assert figure_key(part.scene) not in shown, f"{name}: {part.scene.caption}"
            shown.add(figure_key(part.scene))
    figures = {
        name: {figure_key(part.scene) for step in lesson_of(name).steps for part in step.parts}
        for name in captioned
    }
    assert captioned == {name: len(figures[name]) for name in lesson_paths()}, "every figure has its own"


def test_lessons_have_enough_questions_of_each_type() -> None:
    asked = {name: [step.questions for step in lesson_of(name).steps] for name in lesson_paths()}
    few = {name: count for name, steps in asked.items() if (count := sum(map(len, steps))) < 3}
    assert few == {}
    questions = [entry.question for steps in asked.values() for together in steps for entry in together]
    assert sum(question.choices is None for question in questions) >= 8
    assert sum(len(together) > 1 for steps in asked.values() for together in steps) >= 8


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_lane_colors_are_constant_in_a_lesson_and_distinct_in_a_scene(name: str) -> None:
    """Two lanes changed their colors when a question was answered, because the scene omitted the first lane."""
    lesson = lesson_of(name)
    numbers, colors_of_lane = lane_numbers(lesson), dict[str, set[int]]()
    for step in lesson.steps:
        for part in step.parts:
            preset = preset_of(part.scene, lesson.path.parent if lesson.path is not None else None)
            lane_colors = lane_styles_of(preset, numbers).colours
            assert len(set(lane_colors)) == len(lane_colors) == len(preset.lanes)
            assert max(lane_colors) < max(len(numbers), 8)
            for lane, color in zip(lane_names(preset.lanes), lane_colors, strict=True):
                colors_of_lane.setdefault(lane, set()).add(color)
    assert {len(colors) for colors in colors_of_lane.values()} == {1}


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_questions_are_understandable_without_pictures(name: str) -> None:
    """A learning platform shows the text only: references to plots were useless there, and lanes were called "3-2-1"."""
    for step in lesson_of(name).steps:
        for question in step.questions:
            for text in (step.part.text, question.question.ask, question.answer.text):
                match = re.search(r"\b(plots?|panels?|(is|are) shown)\b", text)
                assert match is None, f"{step.title}: {match}"
            assert not [
                choice for choice in question.question.choices or () if re.fullmatch(r"\d-\d-\d", choice)
            ]


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_captions_mention_only_drawn_sequences(name: str) -> None:
    """A panel of det S has one sequence, that of the angles beside it."""
    for step in lesson_of(name).steps:
        for scene in (part.scene for part in step.parts if "det_s" in (part.scene.panels or ())):
            assert not re.search(r"\b(each|both) sequences?", scene.caption or ""), step.title


@pytest.mark.parametrize("name", list(lesson_paths()))
def test_captions_do_not_depend_on_the_panel_layout(name: str) -> None:
    """A wide window shows panels beside each other, a narrow one below each other."""
    for step in lesson_of(name).steps:
        for part in step.parts:
            match = re.search(r"\b(below|beside|left|right)\b", part.scene.caption or "", re.IGNORECASE)
            assert match is None, f"{step.title}: {match}"


def test_pitch_rate_is_hidden_before_its_question() -> None:
    """Its curve beside the question, or before it on the worksheet, is the answer."""
    steps = read_lesson("gimbal_lock").steps[:2]
    assert steps[1].questions
    assert all("euler_angles" not in (step.part.scene.panels or ()) for step in steps)
    assert "euler_angles" in (steps[1].questions[0].answer.scene.panels or ())


@pytest.mark.parametrize("name", lesson_paths())
def test_times_are_stated_with_at_most_four_figures(name: str) -> None:
    """As readable in a lecture: 7.783 s, not 7.78314 s."""
    for check in read_lesson(name).checks.values():
        if check.stated_value is not None and unit_of(check) == "s":
            assert float(f"{check.stated_value:.4g}") == check.stated_value, check.name

"""Window of equation cards: the card of every formulation opens and shows the numbers of its terms."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_run import FakeRun
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QImage, QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out

from quatviz.base.formatting import MINUS_SIGN
from quatviz.display.data.lane_readouts import lane_heading
from quatviz.display.view_state.theme import DARK, GRID_UNIT, PROJECTOR, THEMES
from quatviz.files import formula_cache as formula_cache_module
from quatviz.files.formula_cache import FormulaCache, formula_cache
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import FORMULATIONS, equations
from quatviz.physics.formulations._multiplier_forms import MULTIPLIER_FORMS
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.teaching.help.generated import formulation_notes, note_formulae
from quatviz.ui.tools.cards.card import LaneCard, MultiplierFormsCard
from quatviz.ui.tools.cards.equation_view import EquationView, TermView
from quatviz.ui.widgets.richtext import FormulaDocument, RichTextLabel
from quatviz.ui.widgets.style import (
    apply_scale,
    apply_theme,
    fixed_pitch_font,
    plot_style,
    set_own_theme,
    tabular_font,
)
from quatviz.ui.widgets.typeset import formula_picture
from quatviz.verification.motions import random_preset, ring_preset

IDS = [
    f"{name}/{variant}".rstrip("/")
    for name, family in FORMULATIONS.items()
    for variant in family.variants or ("",)
]


@pytest.fixture(autouse=True)
def look(qapp: QApplication) -> None:
    apply_theme(qapp, DARK)


def point(ring: bool = False) -> EvaluationPoint:
    preset = random_preset(3, [Gravity(weight=9.0, centre=[0.2, -0.3, 0.4])])
    body = ring_preset(0.02, 9.8).body if ring else preset.body
    p, omega = preset.initial.euler_parameters, preset.initial.angular_velocity
    return EvaluationPoint(
        body, preset.loads, 0.0, np.asarray(p), np.asarray(omega), lam=2.5,
        extras={"ring_angle": 20.0, "ring_rate": 0.5},
    )  # fmt: skip


def number(text: str) -> float:
    return float(text.replace(MINUS_SIGN, "-"))


@pytest.mark.parametrize("lane_id", IDS)
def test_every_card_shows_a_number_for_each_component(lane_id: str, qtbot: QtBot) -> None:
    card = LaneCard(lane_id)
    qtbot.addWidget(card)
    at = point(ring="ring" in lane_id)
    card.show_point(at, 0.5)
    card.grab()
    assert card.views
    for view in card.views:
        for term in view.views:
            assert len(term.numbers) == len(np.atleast_1d(term.term.value(at)))
            assert term.accessibleName()
            assert term.accessibleDescription()


def test_card_with_rotors_shows_rotor_torque(qtbot: QtBot) -> None:
    card = LaneCard("newton_euler", has_rotors=True)
    qtbot.addWidget(card)
    rotor = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.1, law="constant_speed", speed=30.0)
    plain = point()
    at = EvaluationPoint(
        plain.body.with_rotors([rotor]), plain.loads, 0.0, plain.u, plain.omega, rotor_momenta=np.array([3.1])
    )
    card.show_point(at, 0.5)
    shown = {term.term.latex: [number(text) for text in term.numbers] for term in card.views[0].views}
    assert shown["n"] == pytest.approx(plain.torque, abs=1e-3)
    assert shown["n_r"] == pytest.approx(at.rotor_torque, abs=1e-3)
    assert card.views[-1].equation.left[0].latex == "n_r"


def test_card_numbers_equal_term_values(qtbot: QtBot) -> None:
    card = LaneCard("lagrange_simplified/gradient")
    qtbot.addWidget(card)
    at = point()
    card.show_point(at)
    for term in card.views[0].views:
        shown = [number(text) for text in term.numbers]
        assert shown == pytest.approx(np.asarray(term.term.value(at)), abs=1e-3)
    assert "λ = 2.5000 J" in card.lam_label.text()
    theory = sum(at.theoretical_terms(("4T", "2uᵀAᵀf", "2uᵀf")).values())
    assert number(card.lam_label.text().split("= ")[-1].removesuffix(" J")) == pytest.approx(theory, abs=1e-3)


def test_unequal_sides_are_reported(qtbot: QtBot) -> None:
    card = LaneCard("lagrange_full")
    qtbot.addWidget(card)
    card.show_point(point())
    assert "sides differ by" in card.views[0].note  # lambda is wrong in `point`
    assert "both sides equal" in card.views[1].note


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_formula_is_rendered_as_picture(name: str, qtbot: QtBot) -> None:
    for equation in equations(name):
        for index, term in enumerate(equation.terms):
            for latex in filter(None, (term.latex, equation.operator(index))):
                picture = formula_picture(latex, "#ff0000")
                image = QImage(400, 80, QImage.Format.Format_RGB32)
                image.fill(Qt.GlobalColor.white)
                painter = QPainter(image)
                picture.paint(painter, 10.0, 45.0, 24.0)
                painter.end()
                colors = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
                assert len(colors) > 2, latex


def test_formula_is_drawn_in_color_on_baseline() -> None:
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    formula_picture("n", "#ff0000").paint(painter, 5.0, 40.0, 40.0)
    painter.end()
    inked = [y for y in range(60) if any(image.pixelColor(x, y) == QColor("#ff0000") for x in range(60))]
    assert inked
    assert 38 <= inked[-1] <= 40


def test_load_term_is_shown_only_where_load_acts(qtbot: QtBot) -> None:
    at = point()
    view = EquationView(equations("hamilton")[0])
    qtbot.addWidget(view)
    view.show_point(at)
    assert view.views[-1].isHidden()
    view.show_point(
        EvaluationPoint(at.body, [*at.loads, Torque(torque=[0.1, 0.0, 0.3])], 0.0, at.u, at.omega)
    )
    assert not view.views[-1].isHidden()
    assert [number(text) for text in view.views[-1].numbers] == pytest.approx([0.1, 0.0, 0.3])


def test_terms_wrap_without_overlap(qtbot: QtBot) -> None:
    view = EquationView(equations("ring_damper")[0])
    qtbot.addWidget(view)
    view.show_point(point(ring=True))
    tall, low = view.heightForWidth(500), view.heightForWidth(2000)
    assert tall > low
    view.resize(500, tall)
    view.show()
    places = [term.geometry() for term in view.views]
    assert all(rect.right() <= 500 for rect in places)
    assert not any(first.intersects(second) for first in places for second in places if first is not second)


def test_card_lists_its_symbols_with_unit_and_frame(qtbot: QtBot) -> None:
    """A reader who did not know the papers could not tell what L or J stands for."""
    card = LaneCard("newton_euler")
    qtbot.addWidget(card)
    text = card.symbol_table.text
    assert "Inertia – kg m² – body" in text
    assert "Angular velocity – rad/s – body" in text
    assert "Matrix (3 × 4) of p: ω = 2 L p′" in text
    six = MultiplierFormsCard()
    qtbot.addWidget(six)
    assert "Body point at which f acts – m – body" in six.symbol_table.text


def test_six_forms_show_lambdas_and_mark_differences(qtbot: QtBot) -> None:
    card = MultiplierFormsCard()
    qtbot.addWidget(card)
    at = point()
    card.show_point(at)
    shown = [number(cell.lam_label.text().split()[2]) for cell in card.cells]
    assert shown == pytest.approx(
        [sum(at.theoretical_terms(cell.form.multiplier_terms).values()) for cell in card.cells], abs=1e-3
    )
    assert len(set(shown)) == 6
    for cell in card.cells:
        marked = [view.is_marked for view in cell.equation.views]
        assert marked[:3] == [False, True, False]
        assert all(marked[3:])
        assert "both sides equal" in cell.equation.note or "sides differ by" in cell.equation.note


def test_card_follows_theme_colors_and_sizes(qtbot: QtBot) -> None:
    card = LaneCard("newton_euler")
    qtbot.addWidget(card)
    heights = {}
    for name, theme in THEMES.items():
        set_own_theme(card, theme)
        term: TermView = card.views[0].views[1]
        assert term.color == theme.torque
        heights[name] = term.sizeHint().height()
    assert heights[PROJECTOR.name] > heights[DARK.name]


def test_coupled_lane_shows_center_of_mass_equation(qtbot: QtBot) -> None:
    held, moving = LaneCard("hamilton"), LaneCard("hamilton", translates=True)
    for card in (held, moving):
        qtbot.addWidget(card)
    assert len(moving.views) == len(held.views) + 1
    assert moving.source_label.text().startswith(
        "7 states and 6 of the center of mass, first-order equations"
    )
    assert held.source_label.text().startswith("7 states, first-order equations")


def test_rich_text_renders_markdown_without_marks(qtbot: QtBot) -> None:
    label = RichTextLabel()
    qtbot.addWidget(label)
    label.set_markdown("`a*b` and *one* of [these](exact.md) < 2")
    assert label.text == "a*b and one of these < 2"
    (document,) = label.findChildren(FormulaDocument)
    cursor = QTextCursor(document)

    def look(at: int) -> QTextCharFormat:
        cursor.setPosition(at + 1)
        return cursor.charFormat()

    text = document.toRawText()
    assert look(text.index("a*b")).font().family() == fixed_pitch_font(12).family()
    assert look(text.index("one")).fontItalic()
    assert not look(text.index("these")).isAnchor(), "a card has no links"


def test_unary_minus_stands_close_to_its_operand(tmp_path: Path) -> None:
    book = FormulaCache(tmp_path / "formulae.json")

    def width(latex: str) -> float:
        return float(book.render(latex).split('viewBox="')[1].split()[2])

    assert width(r"a = -\,b") == width("a = -b") == width("a=-b")
    assert width("a = -b") < width("a = c - b") - width("c")
    assert width(r"[a,\; -\dot p]") < width(r"[a,\; c -\dot p]") - width("c")
    assert width("a = +b") == width("a = {+}b")


def test_formula_cache_is_keyed_by_replacements(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = []
    for changes in (formula_cache_module.LATEX_REPLACEMENTS, formula_cache_module.LATEX_REPLACEMENTS[:-1]):
        monkeypatch.setattr(formula_cache_module, "LATEX_REPLACEMENTS", changes)
        formula_cache.cache_clear()
        paths.append(formula_cache().path)
    monkeypatch.undo()
    formula_cache.cache_clear()
    assert paths[0] != paths[1]


@pytest.mark.parametrize("name", FORMULATIONS)
def test_notes_show_formulae_without_markup(name: str, qtbot: QtBot) -> None:
    formula_cache().render_all(note_formulae(formulation_notes(name)), lambda share: None)
    card = LaneCard(name)
    qtbot.addWidget(card)
    assert card.notes
    for note in card.notes:
        assert not re.search(r"\$|\\|\]\(|`|_\{", note.text), note.text
    pictures = sum(
        document.toRawText().count("\ufffc")
        for note in card.notes
        for document in note.findChildren(FormulaDocument)
    )
    assert pictures == len(note_formulae(formulation_notes(name)))
    set_own_theme(card, PROJECTOR)


def test_hidden_values_are_children_of_card(qtbot: QtBot) -> None:
    card = LaneCard("newton_euler")
    qtbot.addWidget(card)
    assert [value.parentWidget() for value in (card.lam_label, card.singularity_label)] == [card, card], (
        "otherwise it would be a window"
    )
    card.show()
    assert not card.lam_label.isVisible()
    assert not card.singularity_label.isVisible()


def test_building_a_card_opens_no_window(qtbot: QtBot, qapp: QApplication) -> None:
    class Shown(QObject):
        windows = 0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                self.windows += 1
            return False

    shown = Shown()
    qapp.installEventFilter(shown)
    card = LaneCard("hamilton")
    qapp.removeEventFilter(shown)
    qtbot.addWidget(card)
    assert len(card.notes) > 1
    assert all(note.text and not note.isHidden() for note in card.notes)
    assert shown.windows == 0


def test_equation_notes_do_not_overlap_unit_and_frame(qtbot: QtBot) -> None:
    card, metrics = LaneCard("newton_euler"), QFontMetricsF(tabular_font(DARK, DARK.small))
    qtbot.addWidget(card)
    card.show_point(point())
    for width in (260, 320, 900):
        card.resize(width, 2000)
        card.grab()
        for view in card.views:
            above, beside = view.header_rects(view.width())
            together = metrics.horizontalAdvance(view.accessibleName() + view.note)
            assert (above == beside) == (together < view.width() - 2 * GRID_UNIT)
            assert above == beside or beside.top() >= above.bottom()
            assert min(term.y() for term in view.views if not term.isHidden()) >= beside.bottom() - 1
    view = card.views[0]
    assert view.heightForWidth(180) > view.heightForWidth(900)


def test_narrow_card_starts_with_uncut_equation(qtbot: QtBot) -> None:
    """Beside five others in a window of 1366 pixels, an empty area of 100 pixels hid every equation."""
    card = LaneCard("hamilton")
    qtbot.addWidget(card)
    card.resize(card.minimumWidth(), 2400)  # as high as another card beside it
    card.show()
    card.show_point(point())
    QApplication.processEvents()
    first = card.views[0]
    assert first.y() < 8 * GRID_UNIT
    assert first.height() == first.heightForWidth(first.width())
    shown = [view for view in first.views if not view.isHidden()]
    assert len({view.y() for view in shown}) > 1, "the terms do not fit into one line"
    assert max(view.geometry().bottom() for view in shown) < first.height()


@pytest.mark.parametrize("lane", ["newton_euler", "hamilton", "lagrange_full/torque", "euler_angles/321"])
def test_low_card_shows_no_partial_equation(lane: str, qtbot: QtBot, qapp: QApplication) -> None:
    """Without the term in its second line, Newton–Euler's equation would read J omega' = n."""
    card, room = LaneCard(lane), 210
    qtbot.addWidget(card)
    card.show_point(point())
    card.fit(room)
    card.resize(312, 4000)
    card.show()

    def cut() -> list[str]:
        missing = []
        for view in card.views:
            top, bottom = view.y() + view.header_rects(view.width())[0].top(), view.geometry().bottom()
            terms = [term.geometry() for term in view.views if not term.isHidden()]
            whole = all(view.rect().contains(term) for term in terms)
            if not whole or top < room < bottom:
                missing.append(view.accessibleName())
        rect = card.source_label.geometry()
        if rect.bottom() - card.source_label.contentsRect().height() < room < rect.bottom():
            missing.append(card.source_label.text())
        return missing

    for theme in THEMES.values():
        apply_theme(qapp, theme)
        wait_laid_out(card, qtbot)
        qtbot.waitUntil(lambda: not cut())
    assert card.minimumWidth() <= 1264 / 4, "four stand beside each other on a small screen"
    card.fit(math.inf)
    card.resize(700, 4000)
    terms = [term for view in card.views for term in view.views]
    qtbot.waitUntil(lambda: all(term.shows_numbers and term.scale == 1.0 for term in terms))


def test_adjacent_cards_share_formula_size_and_show_numbers_alike(qtbot: QtBot, qapp: QApplication) -> None:
    """The longest of six forms had smaller formulae and no numbers, and second equations were smaller."""
    cards = [LaneCard(form.id) for form in MULTIPLIER_FORMS]
    cards.append(LaneCard("udwadia_schutte"))
    assert {len(card.views) for card in cards} == {1, 2}, "cards of different length"
    for card in cards:
        qtbot.addWidget(card)
        card.show_point(point())
        card.resize(318, 4000)
        card.show()
    cards[0].fit(300, *cards[1:])

    def term_layouts(number: int) -> set[tuple[float, bool]]:
        views = [term for card in cards for view in card.views[number:][:1] for term in view.views]
        return {(term.scale, term.shows_numbers) for term in views}

    apply_theme(qapp, DARK)
    qtbot.waitUntil(lambda: term_layouts(0) == {(0.7, True)})
    apply_theme(qapp, PROJECTOR)
    qtbot.waitUntil(lambda: term_layouts(0) == term_layouts(1) == {(0.6, False)})
    for room in range(240, 460, 20):
        cards[0].fit(room, *cards[1:])
        assert len({part for part, _ in term_layouts(0) | term_layouts(1)}) == 1


@pytest.mark.parametrize("size", range(11, 31))
def test_formula_stands_on_text_baseline(qapp: QApplication, size: int) -> None:
    """Qt aligns the bottom of a picture with the descent of the font, in whole pixels."""
    drawn = formula_picture("\\omega_2", "#000000")
    shape = FormulaDocument().add_formula(drawn, 1.08 * size, tabular_font(DARK, size))
    reach = QFontMetrics(shape.font()).descent()
    assert shape.height() - math.ceil(1.08 * size * drawn.ascent) == reach
    assert reach > 1.08 * size * drawn.descent - 0.6, "nothing is cut off"


def test_card_heading_names_lane_and_time(qtbot: QtBot) -> None:
    """The lane's own name was missing, and numbers of its end were not marked as such."""
    run = FakeRun(("Baumgarte's method",))
    (lane,) = run.frame(2.0).lanes
    form = "lagrange_simplified/torque"
    named = lane_heading(run.info, lane, form, 2.0)
    assert named == "Baumgarte's method (Lagrange, simplified: torque)"
    assert lane_heading(run.info, replace(lane, name=form), form, 2.0) == "Lagrange, simplified: torque"
    ended = lane_heading(run.info, replace(lane, name=form, frozen=True), form, 2.0)
    assert ended == "Lagrange, simplified: torque, at its last sample, 2.00 s"
    card = LaneCard(form)
    qtbot.addWidget(card)
    card.show_point(point(), title=ended)
    assert ended in [label.text() for label in card.findChildren(QLabel)]
    assert ended in card.accessibleName()


def test_card_shows_why_its_lane_is_inaccurate(qtbot: QtBot) -> None:
    card = LaneCard("newton_euler")
    qtbot.addWidget(card)
    card.show()
    assert card.message_label.isHidden()
    card.show_message("Newton–Euler is not accurate after t = 3 s: ...")
    assert card.message_label.isVisibleTo(card)
    assert card.message_label.geometry().width() > 0
    card.show_message("")
    assert card.message_label.isHidden()


def test_component_names_fit_beside_the_numbers(qtbot: QtBot, qapp: QApplication) -> None:
    """At 150 % in the projector theme the names were wider than their column."""
    apply_theme(qapp, PROJECTOR)
    apply_scale(150)
    view = EquationView(
        next(equation for equation in equations("newton_euler") if equation.frame == "Euler parameters")
    )
    qtbot.addWidget(view)
    view.resize(700, 300)
    first_term = next(term for term in view.views if not term.isHidden())
    assert first_term.x() > plot_style(view.theme).small_metrics.horizontalAdvance("e₀") + GRID_UNIT / 2
    apply_scale(100)

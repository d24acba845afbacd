"""Dialog for typed equations of motion. The equations are checked and typeset while the user types, then verified and added
as a lane."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from quatviz.analysis.user_formulations.lagrange_text import (
    LAGRANGE_EXAMPLE,
    LagrangeTexts,
    contains_energies,
    derive_formulation,
    has_sympy,
)
from quatviz.base.errors import InputError
from quatviz.base.latex import MAX_FORMULA_LENGTH
from quatviz.base.program_latex import program_latex
from quatviz.base.translation import tr
from quatviz.base.vector_program import is_valid_name
from quatviz.display.document.document import Document
from quatviz.display.document.edits import add_computed_lane
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Lane
from quatviz.files.preset_writing import typed_formulations
from quatviz.physics.formulations import FORMULATIONS, lane_title
from quatviz.physics.typed_formulations.definition import TypedFormulation
from quatviz.physics.typed_formulations.templates import TEMPLATES
from quatviz.ui.widgets.background_job import BackgroundJob
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import label, make_learn_more_button, open_help_topic, subheading
from quatviz.ui.widgets.layouts import column, make_splitter, row, wrap_layout
from quatviz.ui.widgets.richtext import RichTextLabel
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area
from quatviz.ui.widgets.text_block import CHECK_DELAY, TextArea
from quatviz.ui.widgets.typeset import Typesetter
from quatviz.ui.widgets.windows import Dialog, set_initial_size

HELP_TOPIC = "own#a-formulation-in-a-preset"
_AREA_LINES = {"rates": 8, "start": 3, "attitude": 3, "numbers": 2}
"""Relative heights (stretch factors) of the input fields, by name. The minimum height of a field is half of this number of text
lines, at least two."""


class FormulationDialog(Dialog):
    """Dialog in which the user types equations of motion. It starts with the equations of the run or with a template.

    Equations are compiled only when the lane is added.
    """

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(tr("Write a formulation"), parent)
        self._document = document
        self.definition: TypedFormulation | None = None
        """The typed equations, or None if they contain an error or are given as energies."""
        self._judged: TypedFormulation | None = None
        self._job: BackgroundJob | None = None
        own = {definition.name: definition for definition in typed_formulations(document.state.preset)}
        templates = {tr(title): definition for title, definition in TEMPLATES}
        self._beginnings: dict[str, TypedFormulation | LagrangeTexts] = {**own, **templates}
        if has_sympy():
            self._beginnings[tr("Lagrange's equations from T and V")] = LAGRANGE_EXAMPLE
        self.template_box = ChoiceBox({title: title for title in self._beginnings}, tr("Start from"))
        self.template_box.chosen.connect(lambda title: self.show_definition(self._beginnings[str(title)]))
        self.name_field = LineEntry(tr("Name of the formulation"), tr("name"))
        self.name_field.textChanged.connect(self._schedule_check)
        self.name_note = label("muted")
        self.name_note.setBuddy(self.name_field)
        self.areas = {key: self._make_area(key) for key in _AREA_LINES}
        self.equations = RichTextLabel()
        self.verdict = RichTextLabel()
        self.fault = label("muted", selectable=True)
        self.derive_button = Button(tr("Derive the equations"), self.derive)
        self.derive_button.setToolTip(tr("Replace T and V by Lagrange's equations, derived with SymPy"))
        self._derivation: BackgroundJob | None = None
        self.add_button = Button(tr("Add lane"), self._add, object_name="primary")
        self.problem = InlineMessage(self.add_button)
        self._typesetter = Typesetter(self)
        self._typesetter.finished.connect(lambda _: self.equations.refresh())
        self._timer = QTimer(self, singleShot=True, interval=CHECK_DELAY)
        self._timer.timeout.connect(self.check_now)
        self._lay_out()
        self.finished.connect(lambda _: self.shutdown())
        first = next(iter(self._beginnings))
        self.template_box.show_value(first)
        self.show_definition(self._beginnings[first])

    def show_definition(self, definition: TypedFormulation | LagrangeTexts) -> None:
        """Fill the fields with these equations, or with energies from which Lagrange's equations can be derived."""
        self.name_field.setText(definition.name)
        numbers = "\n".join(f"{name} = {value:.17g}" for name, value in dict(definition.numbers).items())
        texts = {
            "rates": definition.energies if isinstance(definition, LagrangeTexts) else definition.rates,
            "start": definition.start,
            "attitude": definition.attitude,
            "numbers": numbers,
        }
        for key, text in texts.items():
            self.areas[key].setPlainText(text.strip("\n"))
        self.check_now()

    def check_now(self) -> None:
        """Show the first error in the fields. If there is none, typeset the equations and start their verification."""
        self._timer.stop()
        has_energies = contains_energies(self.areas["rates"].toPlainText())
        self.derive_button.setVisible(has_energies)
        self.derive_button.setEnabled(self._derivation is None)
        name_fault = _name_fault(self._name)
        self._show_name_fault(name_fault)
        try:
            self.definition = None if has_energies else self._read_definition()
        except InputError as refusal:
            self.definition = None
            self.fault.setText("" if name_fault and refusal.key == "name" else _refusal_text(refusal))
            self.verdict.set_markdown("")
        else:
            self._show_equations()
            if has_energies:
                self.fault.setText(tr("“Derive the equations” replaces T and V by equations of motion."))
                self.verdict.set_markdown("")
            else:
                self.fault.setText("")
                self._judge()
        self.fault.setVisible(bool(self.fault.text()))
        self.add_button.setEnabled(self.definition is not None)
        is_known = self.definition is not None and any(
            self.definition.name == lane.formulation for lane in self._lanes
        )
        self.add_button.setText(tr("Update lane") if is_known else tr("Add lane"))

    def _show_name_fault(self, name_fault: str) -> None:
        """Show what is wrong with the name or, if nothing is, which names are valid. The note is never empty, so that the fields
        below do not move."""
        self.name_field.set_refused(bool(name_fault))
        self.name_note.setText(name_fault or tr("Name: letters, digits and _"))
        self.name_note.setObjectName("refusal" if name_fault else "muted")
        self.name_note.style().unpolish(self.name_note)  # a style sheet reads names only on polish
        self.name_note.style().polish(self.name_note)

    def derive(self) -> None:
        """Derive Lagrange's equations from the energies T and V that the user has typed, in the background, and show them in
        the fields."""
        if self._derivation is not None:
            return
        texts = {key: area.toPlainText() for key, area in self.areas.items()}
        try:
            energies = LagrangeTexts(
                self._name, texts["rates"], texts["attitude"], texts["start"],
                _read_numbers(texts["numbers"]),
            )  # fmt: skip
        except InputError as refusal:
            self.fault.setText(_refusal_text(refusal))
            return
        self.derive_button.setEnabled(False)
        self._derivation = BackgroundJob(
            lambda _: derive_formulation(energies),
            self,
            lambda outcome: self._show_derived(energies, outcome),
        )

    def _show_derived(self, energies: LagrangeTexts, outcome: Any) -> None:
        self._derivation = None
        self.derive_button.setEnabled(True)
        if isinstance(outcome, InputError):
            self.fault.setText(_refusal_text(outcome))
        elif isinstance(outcome, BaseException):
            self.fault.setText(tr("The equations could not be derived: {reason}", reason=outcome))
        elif self.areas["rates"].toPlainText() == energies.energies:  # not edited in the meantime
            self.show_definition(outcome)

    def shutdown(self) -> None:
        """Cancel background work."""
        self._timer.stop()
        self._typesetter.stop()
        if self._derivation is not None:
            self._derivation.cancel_and_wait()
            self._derivation = None
        if self._job is not None:
            self._job.cancel_and_wait()
            self._job = None

    @property
    def _name(self) -> str:
        """The typed name, with _ in place of blanks."""
        return "_".join(self.name_field.text().split())

    @property
    def _lanes(self) -> tuple[Lane, ...]:
        return tuple(self._document.state.preset.lanes)

    def _make_area(self, key: str) -> TextArea:
        titles = {
            "rates": tr("Rates"), "start": tr("Initial values"), "attitude": tr("Attitude"), "numbers": tr("Numbers")
        }  # fmt: skip
        area = TextArea(titles[key])
        area.textChanged.connect(self._schedule_check)
        area.reverted.connect(self.reject)
        area.setMinimumHeight(area.height_of_lines(max(_AREA_LINES[key] // 2, 2)))
        return area

    def _lay_out(self) -> None:
        explanations = {
            "rates": tr(
                "Rates: s' = … for each state s, from t, states, numbers, p, omega, A (attitude matrix), J (inertia) and n (torque)"
            ),
            "start": tr("Initial values of your own states, from p, omega, A and J"),
            "attitude": tr("Attitude: p and omega from the states, unless p and omega are states"),
            "numbers": tr("Numbers: name = value"),
        }
        typed: list[Any] = [
            row((self.template_box, 2), (self.name_field, 1)),
            self.name_note,
        ]
        for key, area in self.areas.items():
            caption = label("muted", explanations[key])
            caption.setBuddy(area)
            typed += [caption, (area, _AREA_LINES[key])]
        left = make_scroll_area(
            column(*typed, gap=GRID_UNIT // 2, margins=(0, 0, 2 * GRID_UNIT, 0)), VerticalScrollArea()
        )
        scroll = QScrollArea()
        scroll.setAccessibleName(tr("Equations"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(wrap_layout(column(self.equations, None, margins=GRID_UNIT)))
        right = wrap_layout(
            column(
                *(
                    subheading(tr("Equations")),
                    (scroll, 1),
                    subheading(tr("Verification")),
                    self.verdict,
                    self.fault,
                ),
                gap=GRID_UNIT,
                margins=(2 * GRID_UNIT, 0, 0, 0),
            )
        )
        splitter = make_splitter((left, 560), (right, 420), stretch_index=0)
        learn_more = make_learn_more_button(lambda: open_help_topic(HELP_TOPIC))
        foot = row(learn_more, None, self.derive_button, Button(tr("Cancel"), self.reject), self.add_button)
        bottom = column(self.problem.space, foot, gap=0)
        self.setLayout(column((splitter, 1), bottom, gap=GRID_UNIT, margins=2 * GRID_UNIT))
        set_initial_size(self, 1000, 640)

    def _schedule_check(self) -> None:
        self.problem.show_message("")  # a refusal concerns the text before
        self._timer.start()

    def _read_definition(self) -> TypedFormulation:
        texts = {key: area.toPlainText() for key, area in self.areas.items()}
        return TypedFormulation(
            self._name, rates=texts["rates"], start=texts["start"], attitude=texts["attitude"],
            numbers=_read_numbers(texts["numbers"]),
        )  # fmt: skip

    def _show_equations(self) -> None:
        formulae = [
            latex
            for key in ("rates", "attitude", "start")
            for latex in program_latex(self.areas[key].toPlainText())
            if len(latex) <= MAX_FORMULA_LENGTH
        ]
        self.equations.set_markdown("\n\n".join(f"$${latex}$$" for latex in formulae))
        self._typesetter.start(formulae)

    def _judge(self) -> None:
        """Verify the equations at random states. If a verification is running, a new one starts after it."""
        definition, preset = self.definition, self._document.state.preset
        if definition is None or self._job is not None or definition == self._judged:
            return
        self._judged = definition

        def work(_: object) -> Any:
            from quatviz.verification.judging.judge import judge  # SciPy is imported on first use

            return judge(definition, preset)

        self._job = BackgroundJob(work, self, self._show_verdict)

    def _show_verdict(self, outcome: Any) -> None:
        self._job = None
        if self.definition != self._judged:
            self._judge()
            return
        if isinstance(outcome, InputError):
            self.verdict.set_markdown(_refusal_text(outcome))
        elif isinstance(outcome, BaseException):
            self.verdict.set_markdown(tr("The equations could not be verified: {reason}", reason=outcome))
        else:
            self.verdict.set_markdown(verdict_text(outcome))

    def _add(self) -> None:
        definition = self.definition
        if definition is None:
            return
        lane = Lane(definition.name, equations=definition)
        is_known = any(other.formulation == definition.name for other in self._lanes)

        def edit(state: State) -> State:
            if not is_known:
                return add_computed_lane(state, lane)
            lanes = [
                replace(other, equations=definition) if other.formulation == definition.name else other
                for other in state.preset.lanes
            ]
            return state.with_preset(lanes=tuple(lanes))

        step_text = tr("write formulation {name}", name=definition.name)
        refusal = self._document.propose(step_text, edit)
        if refusal is None:
            self.accept()
        else:
            self.problem.show_refusal(refusal, with_key=True)


def _name_fault(name: str) -> str:
    """Return the reason why a formulation cannot be called `name`, or "" if it can."""
    if not is_valid_name(name):
        return tr("Name: use letters, digits and _, and begin with a letter.")
    if name in FORMULATIONS and name not in FORMULATIONS.factories:
        return tr("Name: used by the program. Choose another name.")
    return ""


def _refusal_text(refusal: InputError) -> str:
    return tr(
        "{place}: expected {expected}, found {found}; {remedy}", place=tr(refusal.place), expected=tr(refusal.expected),
        found=tr(refusal.found), remedy=tr(refusal.remedy),
    )  # fmt: skip


def verdict_text(judgement: Any) -> str:
    """Return the result of a verification as a few lines of Markdown. Mistakes are described, not named by identifiers."""
    lines = [f"**{replace(judgement, name=lane_title(judgement.name)).conclusion}**"]
    descriptions = [mistake.description for mistake in judgement.mistakes]
    if len(descriptions) > 1:
        together, alone = (
            tr("These mistakes together explain the difference:"),
            tr("Each of these mistakes alone explains the difference:"),
        )
        lines.append(together if judgement.is_combined else alone)
    lines += [f"- {description}" for description in (*descriptions, *judgement.explanations)]
    if not (judgement.is_correct or judgement.mistakes or judgement.explanations):
        lines.append(tr("No known mistake explains the difference."))
    if judgement.unread:
        lines.append(tr("The equations do not use {names}.", names=", ".join(judgement.unread)))
    lines.append(
        tr(
            "Largest relative difference of the rates at {count} random states: {size:.1e}",
            count=judgement.states,
            size=judgement.difference,
        )
    )
    if judgement.multiplier:
        lines.append(judgement.multiplier)
    return "\n\n".join(lines)


def _read_numbers(text: str) -> dict[str, Any]:
    """Return the numbers that a text defines in lines of the form `name = value`."""
    numbers: dict[str, Any] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, value = (part.strip() for part in line.partition("="))
        try:
            numbers[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(
                "numbers", expected="lines name = value", found=repr(line[:80]), remedy="write for example alpha = 5.0",
                key="numbers", topic=HELP_TOPIC,
            )  # fmt: skip
    return numbers

"""The card of one lane: its equations with live numbers, its lambda, and what there is to know of its form."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from quatviz.cards import Point, equations, notes
from quatviz.formulations import make_formulation
from quatviz.ui.cards.equation_view import EquationView
from quatviz.ui.cards.notes_view import heading, notes_views
from quatviz.ui.plotting.numbers import MINUS, fixed, scientific
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr


class LaneCard(QWidget):
    """Made for one lane id."""

    pointed = Signal(object)

    def __init__(self, theme: Theme, lane_id: str) -> None:
        super().__init__()
        self._form = make_formulation(lane_id)
        self.lane_id = self._form.id
        box = QVBoxLayout(self)
        box.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT)
        box.setSpacing(UNIT)
        title = QLabel(tr(self._form.title))
        title.setObjectName("heading")
        below = QLabel(
            tr(
                "{lane_id}: {count} states, {order}. Source: {source}",
                lane_id=self.lane_id,
                count=len(self._form.state),
                order=self._order,
                source=self._form.source,
            )
        )
        below.setObjectName("muted")
        below.setWordWrap(True)
        box.addWidget(title)
        box.addWidget(below)
        self.views = [EquationView(theme, equation) for equation in equations(self.lane_id)]
        for view in self.views:
            view.pointed.connect(self.pointed)
            box.addSpacing(UNIT)
            box.addWidget(view)
        self.explained = QLabel(" ")
        self.explained.setWordWrap(True)
        self.explained.setObjectName("muted")
        box.addWidget(self.explained)
        self.lam = QLabel()
        self.lam.setWordWrap(True)
        self.measure = QLabel()
        for label, shown, text in (
            (self.lam, self._form.has_multiplier, tr("λ now")),
            (self.measure, bool(self._form.singularity_title), tr("Distance from its singularity now")),
        ):
            title = heading(text)
            for part in (title, label):
                part.setVisible(shown)
                box.addWidget(part)
        self.notes = []
        for title, words in notes_views(notes(self._form.name), theme):
            box.addSpacing(UNIT)
            box.addWidget(title)
            box.addWidget(words)
            self.notes.append(words)
        box.addStretch(1)
        self.pointed.connect(self._explain)
        self.setAccessibleName(tr("Equations of {lane_id}", lane_id=self.lane_id))

    @property
    def _order(self) -> str:
        if self._form.closed_form:
            return tr("evaluated, not integrated")
        return tr("second order in its coordinates") if self._form.second_order else tr("first order")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        for view in self.views:
            view.restyle(theme)
        for words in self.notes:
            words.restyle(theme, theme.normal)

    def show_point(self, at: Point, singularity: float = math.nan) -> None:
        """Show the numbers of this moment."""
        for view in self.views:
            view.show_point(at)
        if self._form.has_multiplier:
            _say(self.lam, self._lambda_text(at))
        if self._form.singularity_title and math.isfinite(singularity):
            _say(self.measure, f"{self._form.singularity_title} = {fixed(singularity, 4)}")

    def _lambda_text(self, at: Point) -> str:
        found = f"λ = {_number(at.lam)} J"
        terms = self._form.multiplier_terms
        if terms is None:
            return found
        parts = at.theory(terms)
        if not parts:
            return tr("{found}; in theory 0", found=found)
        names = " + ".join(name.removeprefix("+") for name in parts).replace("+ −", "− ")
        numbers = " + ".join(_number(value) for value in parts.values()).replace(f"+ {MINUS}", f"{MINUS} ")
        return tr(
            "{found}; in theory {names} = {numbers} = {values} J",
            found=found,
            names=names,
            numbers=numbers,
            values=_number(sum(parts.values())),
        )

    def _explain(self, view: object) -> None:
        words = getattr(view, "words", "")
        self.explained.setText(f"{words[:1].upper()}{words[1:]}." if words else " ")


def _say(label: QLabel, text: str) -> None:
    if text != label.text():
        label.setText(text)


def _number(value: float) -> str:
    if value == 0.0 or not np.isfinite(value) or 1e-3 <= abs(value) < 1e5:
        return fixed(value, 4 if abs(value) < 1e3 else 2)
    return scientific(value, 3)

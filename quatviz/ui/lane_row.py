"""One lane: colour, name and state in a line; what it is made of below, when asked for."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal
from quatviz.core.parameters import declared, from_table, to_table
from quatviz.core.preset import Lane
from quatviz.formulations import FORMULATIONS, make_formulation
from quatviz.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import RESTORES
from quatviz.ui.editing import Editor, State
from quatviz.ui.fonts import tabular
from quatviz.ui.frame import LaneFrame
from quatviz.ui.guard import guarded
from quatviz.ui.lane_edits import removed
from quatviz.ui.lane_look import add_shape, lane_colour, shape_of
from quatviz.ui.lane_menu import lane_menu
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.setup.form import Form
from quatviz.ui.swatch import CUT
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.words import formulation_text, spoken

WORDS = {
    "preparing": "preparing…",
    "running": "computing",
    "ok": "complete",
    "singular": "ended: singular",
    "not_finite": "ended: not finite",
    "step_failed": "ended: step failed",
    "no_closed_form": "no closed form",
}
_ALIVE = ("preparing", "running", "ok")


class LaneRow(QWidget):
    """Lane number `index`. A frame that says nothing new costs one comparison."""

    def __init__(self, theme: Theme, editor: Editor, index: int) -> None:
        super().__init__()
        self._theme, self._editor, self._index = theme, editor, index
        self._shown: tuple[object, ...] = ()
        self._lane: LaneFrame | None = None
        self.chip = _Chip(theme)
        self.chip.clicked.connect(self._open_menu)
        self.heading = _Heading(theme)
        self.heading.clicked.connect(self._unfold)
        self.message = QLabel()
        self.message.setObjectName("refusal")
        self.message.setWordWrap(True)
        self.message.setContentsMargins(4 * UNIT, 0, 0, UNIT)
        self.message.hide()
        self.remarks = QLabel()
        self.remarks.setObjectName("muted")
        self.remarks.setWordWrap(True)
        self.remarks.setContentsMargins(4 * UNIT, 0, 0, UNIT)
        self.remarks.hide()
        self.details = QWidget()
        self.form = self._form()
        self.remove = QuietButton("Remove this lane")
        self.remove.clicked.connect(self._remove)
        self._lay_out()

    def show_lane(self, lane: LaneFrame) -> None:
        """Show how the lane fares."""
        key = (lane.formulation, lane.name, lane.status, lane.message, lane.remarks)
        look = (lane.colour, lane.solid, lane.visible, lane.drawn)
        if (*key, *look) == self._shown:
            return
        self._shown, self._lane = (*key, *look), lane
        self.chip.show_lane(lane)
        self.heading.show_lane(lane)
        self.message.setText(lane.message)
        self.message.setVisible(bool(lane.message))
        self.remarks.setText("\n".join(lane.remarks))
        self.remarks.setVisible(bool(lane.remarks))

    def show_spec(self, lane: Lane, alone: bool, fresh: bool) -> None:
        """Show what the lane is made of; `alone` cannot be removed, `fresh` forgets what was refused."""
        table = to_table(lane)
        table["formulation"] = make_formulation(lane.formulation).id  # with the variant that may be left out
        self.form.show_table(table)
        for name, useful in _uses(lane).items():
            self.form.blocks[name].setVisible(useful or name in table)
        if fresh:
            self.form.forget_refusals()
        self.remove.setEnabled(not alone)
        self.remove.setToolTip("A run has at least one lane" if alone else "")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.chip.restyle(theme)
        self.heading.restyle(theme)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.chip)
        top.addWidget(self.heading, 1)
        inside = QVBoxLayout(self.details)
        inside.setContentsMargins(4 * UNIT, UNIT // 2, 0, UNIT)
        inside.setSpacing(UNIT)
        inside.addWidget(self.form)
        inside.addWidget(self.remove)
        self.details.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.message)
        column.addWidget(self.remarks)
        column.addWidget(self.details)

    def _form(self) -> Form:
        formulations = {
            (f"{name}/{variant}" if variant else name): formulation_text(kind, variant)
            for name, kind in FORMULATIONS.items()
            for variant in (kind.variants or ("",))
        }
        integrators: dict[Any, str] = {None: "As the run"}
        integrators.update({name: kind.title for name, kind in INTEGRATORS.items()})
        stabilisations: dict[Any, str] = {None: "None"}
        stabilisations.update({name: spoken(name) for name in RESTORES if name != "none"})
        choices = {
            "formulation": formulations, "integrator": integrators, "stabilisation": stabilisations,
        }  # fmt: skip
        return Form(declared(Lane), f"lanes[{self._index}]", self._propose, choices)

    def _propose(self, table: dict[str, Any], edited: str) -> Refusal | None:
        def make(state: State) -> State:
            lanes = list(state.preset.lanes)
            lanes[self._index] = from_table(Lane, table, self.form.path)
            return state.with_preset(lanes=tuple(lanes))

        return self._editor.propose(f"lane {self._index + 1}: {spoken(edited).lower()}", make)

    def _remove(self) -> None:
        name = self._lane.name if self._lane else f"{self._index + 1}"
        self._editor.propose(f"remove lane {name}", lambda state: removed(state, self._index))

    def _unfold(self) -> None:
        opened = self.details.isHidden()
        self.details.setVisible(opened)
        self.heading.show_open(opened)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._popup(event.globalPos())

    def _open_menu(self) -> None:
        self._popup(self.chip.mapToGlobal(self.chip.rect().bottomLeft()))

    def _popup(self, place: QPoint) -> None:
        menu = lane_menu(self._theme, self._editor, self._index, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)


def _uses(lane: Lane) -> dict[str, bool]:
    """Which of the settings that few lanes have make sense for this one."""
    kind = FORMULATIONS[lane.formulation.partition("/")[0]]
    damped = lane.stabilisation == "baumgarte"
    stepped = not kind.closed_form
    return {
        "integrator": stepped, "dt": stepped,
        "stabilisation": len(kind.stabilisations) > 1, "alpha": damped, "beta": damped, "J0": kind.free_inertia,
    }  # fmt: skip


class _Part(QAbstractButton):
    """A painted part of the row that can be pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lane: LaneFrame | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_lane(self, lane: LaneFrame) -> None:
        self._lane = lane
        self.update()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _Chip(_Part):
    """The lane's colour: full for the body, a ring for a ghost, a thin ring where 3D leaves it out, a stroke where
    it is shown nowhere."""

    def sizeHint(self) -> QSize:
        return QSize(4 * UNIT, 4 * UNIT)

    def show_lane(self, lane: LaneFrame) -> None:
        super().show_lane(lane)
        self.setAccessibleName(f"How {lane.name} is shown")
        self.setToolTip("Colour, and where this lane is shown")

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lane is None:
            return
        theme, lane, painter = self._theme, self._lane, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, shape = lane_colour(theme, lane.colour), shape_of(lane.colour)
        box = QRectF(2, self.height() / 2 - 6, 12, 12)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1.5))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 5, 5)
        if not lane.visible:
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()))
        else:
            thin = 1.0 if not lane.drawn else 2.0
            painter.setPen(QPen(colour, thin))
            painter.setBrush(colour if lane.solid and lane.drawn else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2), 3, 3)
        if shape:
            path = QPainterPath()
            add_shape(path, shape, box.center().x(), box.center().y(), CUT)
            full = lane.visible and lane.solid and lane.drawn
            painter.fillPath(path, QColor(theme.window) if full else colour)
        painter.end()


class _Heading(_Part):
    """Name on the left, how it fares on the right; pressed, the lane's details unfold."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._opened = False

    def sizeHint(self) -> QSize:
        return QSize(160, 4 * UNIT)

    def show_open(self, opened: bool) -> None:
        self._opened = opened
        self.update()

    def show_lane(self, lane: LaneFrame) -> None:
        super().show_lane(lane)
        self.setText(_called(lane))
        self.setAccessibleName(f"{_called(lane)}, {WORDS.get(lane.status, lane.status)}")
        kind = ("the body" if lane.solid else "a ghost") if lane.drawn else "not in 3D"
        self.setToolTip(f"{lane.name} ({kind})")

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lane is None:
            return
        theme, lane, painter = self._theme, self._lane, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = WORDS.get(lane.status, lane.status)
        small, plain = tabular(theme, theme.small), tabular(theme, theme.normal, QFont.Weight.Medium)
        room = QRectF(0, 0, self.width() - 2 * UNIT, self.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(small)
        painter.setPen(QColor(theme.muted if lane.status in _ALIVE else theme.danger))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, state)
        left = room.width() - QFontMetricsF(small).horizontalAdvance(state) - UNIT
        painter.setFont(plain)
        lit = self.hasFocus() or self.underMouse()
        painter.setPen(QColor(theme.accent if lit else theme.text))
        name = QFontMetricsF(plain).elidedText(self.text(), Qt.TextElideMode.ElideMiddle, left)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, name)
        self._paint_arrow(painter, QColor(theme.accent if lit else theme.muted))
        painter.end()

    def _paint_arrow(self, painter: QPainter, colour: QColor) -> None:
        painter.setPen(QPen(colour, 1.5))
        painter.translate(self.width() - 4.0, self.height() / 2)
        painter.rotate(90 if self._opened else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])


def _called(lane: LaneFrame) -> str:
    """The formulation's title; the lane's own name where a person, or a twin, gave it one."""
    lane_id, number, rest = lane.name.partition(" (")
    return lane.name if lane_id.split("/")[0] not in FORMULATIONS else f"{lane.formulation}{number}{rest}"

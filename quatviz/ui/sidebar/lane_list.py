"""The lanes of the run, a row each: how it is shown and how it fares, its name, its numbers at the cursor, what it is made of."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QIcon,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import MISSING, in_words, spoken, within
from quatviz.base.help_topics import OF_STATUS, REMARKS
from quatviz.base.parameters import declared, to_table
from quatviz.base.translation import told, tr
from quatviz.display.data.frame import ALIVE, Frame, LaneFrame, Source
from quatviz.display.data.lane_readouts import COLUMNS, Column, LaneNumbers
from quatviz.display.document.document import Document
from quatviz.display.document.edits import added, duplicated, moved, removed
from quatviz.display.document.preset_items import remade
from quatviz.display.document.state import State
from quatviz.display.view_state.lane_styles import COLOURS, MODES, Display
from quatviz.display.view_state.line_styles import COUNT, SHAPES, lane_colour, pattern_of, shape_of
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.export.description import STATUSES
from quatviz.files.preset import Lane
from quatviz.files.preset_edits import origin_of
from quatviz.physics.formulations import FORMULATIONS, lane_title, listed, make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.physics.observables.read_options import Reading
from quatviz.simulation.lane_settings import uses
from quatviz.ui.sidebar.setup.section import INSET, Fold
from quatviz.ui.widgets.actions import Acts, add_toggle, pop_up
from quatviz.ui.widgets.controls import (
    Callout,
    Entry,
    Pressable,
    QuietButton,
    RefusalLabel,
    column,
    held,
    keep_in_place,
    row,
    tip,
)  # fmt: skip
from quatviz.ui.widgets.form import Form
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.painting import CUT, add_shape, draw_sample, swatch
from quatviz.ui.widgets.style import Painted, tabular, theme_of

INDENT = UNIT
_GAP = 10.0
"""Between two columns at least [pixels]: with less, numbers of a lecture room's type read as one."""


class NumbersLine(Painted, QWidget):
    """One text per column, each right-aligned in its place: the heads, or a lane's numbers."""

    def __init__(self, texts: tuple[str, ...] = (MISSING,) * len(COLUMNS)) -> None:
        super().__init__()
        self.texts = texts
        self._fitted: tuple[object, int] = (None, 0)
        self._placed: tuple[object, list[QRectF]] = (None, [])
        self.setAccessibleName(tr("Numbers at the cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)  # or all that lies behind it is painted, of every lane

    def say(self, texts: tuple[str, ...]) -> None:
        if texts != self.texts:
            self.texts = texts
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.small + UNIT)

    @property
    def pixels(self) -> int:
        """The type size: that of the theme's small type, or less where the column is narrow."""
        key = (self.width(), self.theme)
        if key != self._fitted[0]:
            size = self.theme.small
            while size > 8 and sum(self._widths(size)) > self.width() - INDENT:
                size -= 1
            self._fitted = key, size
        return self._fitted[1]

    def places(self) -> list[QRectF]:
        """Where each text is: what is left of the room is shared out."""
        key = (self.size(), self.theme)
        if key == self._placed[0]:
            return self._placed[1]
        widths = self._widths(self.pixels)
        spare = (self.width() - INDENT - sum(widths)) / len(widths)
        found, x = [], float(INDENT)
        for wide in widths:
            found.append(QRectF(x + spare, 0, wide, self.height()))
            x += wide + spare
        self._placed = key, found
        return found

    def _widths(self, size: int) -> list[float]:
        metrics = QFontMetricsF(tabular(self.theme, size))
        lines = [(column.widest, *tr(column.head).split("\n")) for column in COLUMNS]
        return [max(metrics.horizontalAdvance(text) for text in texts) + _GAP for texts in lines]

    def draw(self, painter: QPainter) -> None:
        painter.setFont(tabular(self.theme, self.pixels))
        painter.setPen(QColor(self.theme.muted))
        for text, place in zip(self.texts, self.places(), strict=True):
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text)


class NumbersHead(NumbersLine):
    """What the columns are, with a tip that says it in words."""

    def __init__(self) -> None:
        super().__init__(tuple(tr(column.head) for column in COLUMNS))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._named: tuple[str, tuple[Column, ...]] = ("", ())
        self.setAccessibleName(tr("Numbers of every lane at the cursor"))

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self.theme.small + UNIT + UNIT // 2)

    def name_reference(self, reference: str, columns: tuple[Column, ...]) -> None:
        """Say what the numbers are, and against which lane an error is."""
        if (reference, columns) != self._named:
            self._named = reference, columns
            self.say(tuple(tr(column.head) for column in columns))
            said = "\n".join(tr(column.told) for column in columns).replace(
                tr("reference lane"), tr("reference lane {reference}", reference=lane_title(reference))
            )
            self.setToolTip(tip(said))
            self.setAccessibleDescription(said)


_MARGIN = 2.0
"""Pixels around a colour in the menu."""


def fill_lane(menu: QMenu, theme: Theme, document: Document, lane: int) -> None:
    """How the lane is shown, its colour and shape, and its place among the others."""
    display = document.state.display
    modes = QActionGroup(menu)
    for mode, text in MODES.items():
        take = partial(_edit, document, lane, within(text), display.shown_as(lane, mode))
        modes.addAction(add_toggle(menu, tr(text), display.mode(lane) == mode, lambda _, take=take: take()))
    menu.addSeparator()
    number = display.colours[lane]
    colour = number % COUNT
    colours = {number - colour + other: name for other, name in enumerate(COLOURS)}
    shapes = {COUNT * place + colour: shape.capitalize() or "None" for place, shape in enumerate(SHAPES)}
    for title, what, offered in (
        (tr("Colour"), tr("colour"), colours),
        (tr("Shape on the curves"), tr("shape"), shapes),
    ):
        choice = menu.addMenu(_swatch(theme, number), title)
        for other, name in offered.items():
            take = partial(_edit, document, lane, what, display.coloured(lane, other))
            choice.addAction(_swatch(theme, other), tr(name), take)
    menu.addSeparator()
    last = len(display.colours) - 1
    for text, edit, possible in (
        ("Duplicate", partial(duplicated, index=lane), True),
        ("Move up", partial(moved, index=lane, by=-1), lane > 0),
        ("Move down", partial(moved, index=lane, by=1), lane < last),
        ("Remove", partial(removed, index=lane), last > 0),
    ):
        said = tr("lane {lane}: {text}", lane=lane + 1, text=within(text))
        action = menu.addAction(tr(text), lambda said=said, edit=edit: document.propose(said, edit))
        action.setEnabled(possible)


def _swatch(theme: Theme, number: int) -> QIcon:
    return swatch(QColor(lane_colour(theme, number)), _MARGIN, shape_of(number))


def _edit(document: Document, lane: int, what: str, display: Display) -> None:
    document.propose(
        tr("lane {lane}: {what}", lane=lane + 1, what=what), lambda state: state.with_display(display)
    )


BELOW = 11.0
"""Pixels from the middle of a chip down to the dashes below it."""


class Chip(Pressable):
    """The lane's colour: full for the body, a ring for a ghost, a thin ring where 3D leaves it out; below it the dashes of its
    curves, which are alone where it is shown nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self._lane: LaneFrame | None = None

    def sizeHint(self) -> QSize:
        return QSize(4 * UNIT - INSET, 4 * UNIT)

    def show_lane(self, lane: LaneFrame) -> None:
        self._lane = lane
        self.update()
        self.setAccessibleName(tr("How {lane} is shown", lane=lane_title(lane.name)))
        self.setToolTip(tr("Colour, and where this lane is shown"))

    def draw(self, painter: QPainter) -> None:
        if self._lane is None:
            return
        theme, lane = self.theme, self._lane
        colour, shape = QColor(lane_colour(theme, lane.colour)), shape_of(lane.colour)
        box = QRectF(2, self.height() / 2 - 6, 12, 12)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1.5))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 5, 5)
        below = 0.0 if not lane.visible else BELOW
        if pattern_of(lane.colour):
            room = QRectF(0, below, self.width(), self.height())
            draw_sample(painter, lane.colour, room, colour, 2)
        elif not lane.visible:
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()))
        if lane.visible:
            thin = 1.0 if not lane.drawn else 2.0
            painter.setPen(QPen(colour, thin))
            painter.setBrush(colour if lane.solid and lane.drawn else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2), 3, 3)
        if shape:
            path = QPainterPath()
            add_shape(path, shape, box.center().x(), box.center().y(), CUT)
            full = lane.visible and lane.solid and lane.drawn
            painter.fillPath(path, QColor(theme.window) if full else colour)


class Heading(Fold):
    """Name on the left, how it fares on the right; pressed, the lane's details unfold; pressed twice, the name can be typed."""

    renamed = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.click()  # the first click of the two was no wish to unfold
        self.renamed.emit()

    def show_lane(self, lane: LaneFrame, key: str) -> None:
        """Show how it fares; with this key it is renamed."""
        title = lane_title(lane.name)
        self.setText(title)
        state = tr(STATUSES.get(lane.status, lane.status))
        self.say(state, danger=lane.status not in ALIVE or bool(lane.message))
        self.setAccessibleName(f"{title}, {state}")
        kind = (tr("the body") if lane.solid else tr("a ghost")) if lane.drawn else tr("not in 3D")
        said = tr("{lane} ({kind}). {key} or a double click renames it.", lane=title, kind=kind, key=key)
        self.setToolTip(tip(said))


class LaneRow(Guarded, QWidget):
    """Lane number `index`. A frame that says nothing new costs one comparison."""

    def __init__(self, document: Document, acts: Acts[Any], index: int) -> None:
        super().__init__()
        self._document, self._acts, self._index = document, acts, index
        self._place = f"lanes[{index}]"
        self._shown: tuple[object, ...] = ()
        self._lane: LaneFrame | None = None
        self.chip = Chip()
        self.chip.clicked.connect(self._open_menu)
        self.heading = Heading()
        self.heading.clicked.connect(self._unfold)
        self.heading.renamed.connect(self.rename)
        self.name = Entry(tr("Name of the lane"))
        self.name.editingFinished.connect(self._name)
        self.name.taken_back.connect(self._end_naming)
        self.name.hide()
        self.refused = Callout(self)
        self.numbers = NumbersLine()
        self.message = RefusalLabel((4 * UNIT, 0, 0, UNIT))
        self.remarks = RefusalLabel((4 * UNIT, 0, 0, UNIT), look="muted")
        self._form: Form | None = None
        self._back: QWidget = self
        """What has the keys when the name is typed."""
        self.remove = QuietButton(tr("Remove this lane"), self._remove)
        self._inside = column(self.remove, margins=(4 * UNIT, UNIT // 2, 0, UNIT))
        self.details = held(self._inside)
        self.details.hide()
        top = row(self.chip, (self.heading, 1), (self.name, 1), gap=0)
        below = self.numbers, self.message, self.remarks, self.details
        self.setLayout(column(top, *below, gap=0))

    def show_lane(self, lane: LaneFrame) -> None:
        """Show how the lane fares."""
        key = (lane.name, lane.status, lane.message, lane.remarks)
        look = (lane.colour, lane.solid, lane.visible, lane.drawn)
        if (*key, *look) == self._shown:
            return
        lane = replace(lane, pose=None, values={})  # these hold the whole run, and the row may outlive it
        if self._shown[2:4] != key[2:]:  # a field of the set-up, which is at work on it, is below these words
            keep_in_place(self)
        self._shown, self._lane = (*key, *look), lane
        self.chip.show_lane(lane)
        self.heading.show_lane(lane, self._acts.keys("rename_lane"))
        self.message.say(lane.message, OF_STATUS.get(lane.status, ""))
        self.remarks.say("\n".join(map(told, lane.remarks)), REMARKS)

    def show_spec(self, lane: Lane, integrator: str, alone: bool, fresh: bool) -> None:
        """Show what the lane is made of, in a run with this integrator; `alone` cannot be removed, `fresh` forgets what was
        refused."""
        self._spec = lane, integrator
        if self._form is not None:
            self._fill(self._form)
            if fresh:
                self._form.forget_refusals()
        self.remove.setEnabled(not alone)
        self.remove.setToolTip(tr("A run has at least one lane") if alone else "")

    @property
    def form(self) -> Form:
        """What the lane is made of, made when it is first asked for: it takes nine tenths of the time of a row."""
        if self._form is None:
            self._form = self._make_form()
            self._inside.insertWidget(0, self._form)
            self._fill(self._form)
        return self._form

    def _fill(self, form: Form) -> None:
        lane, integrator = self._spec
        table = to_table(lane)
        table["formulation"] = make_formulation(lane.formulation).id  # with the variant that may be left out
        form.show_table(table)
        for name, useful in uses(lane, integrator).items():
            form.blocks[name].setVisible(useful or name in table)

    def _make_form(self) -> Form:
        formulations = {lane_id: lane_title(lane_id) for lane_id in listed()}
        integrators: dict[Any, str] = {None: tr("As the run")}
        integrators.update({name: tr(kind.title) for name, kind in INTEGRATORS.items()})
        stabilisations = {
            None if name == "none" else name: tr(title) for name, title in STABILISATIONS.items()
        }
        choices = {
            "formulation": formulations, "integrator": integrators, "stabilisation": stabilisations,
        }  # fmt: skip
        return Form(declared(Lane), self._place, self._propose, choices)

    def _propose(self, table: dict[str, Any], edited: str, goes_on: bool) -> InputError | None:
        return self._change(in_words(edited), lambda lane: remade(lane, table, self._place), goes_on)

    def _change(self, what: str, make: Callable[[Lane], Lane], goes_on: bool = False) -> InputError | None:
        """Put what `make` makes of the lane in its place."""

        def edit(state: State) -> State:
            lanes = list(state.preset.lanes)
            lanes[self._index] = make(lanes[self._index])
            return state.with_preset(lanes=tuple(lanes))

        said = tr("lane {index}: {edited}", index=self._index + 1, edited=what)
        return self._document.propose(said, edit, goes_on)

    def _remove(self) -> None:
        said = tr("remove lane {name}", name=self.title)
        self._document.propose(said, lambda state: removed(state, self._index))

    @property
    def lane_name(self) -> str:
        """Of the lane that is shown; empty before the first frame."""
        return self._lane.name if self._lane is not None else ""

    @property
    def title(self) -> str:
        """What a person reads for the lane."""
        return lane_title(self.lane_name) if self._lane is not None else f"{self._index + 1}"

    def rename(self) -> None:
        """Let a person type another name in the place of this one."""
        if self._lane is not None:
            self._back = self.heading if self.heading.hasFocus() else self.window()
            self.heading.hide()
            self.name.show_text(self.title)
            self.name.show()
            self.name.setFocus()
            self.name.selectAll()
            self.name.insert(self.title)  # or Qt would not tell when it is left as it is
            self.name.selectAll()

    def _name(self) -> None:
        """Take what was typed; nothing where it went away by itself, and without a name the lane names itself."""
        if not self.name.isVisible():
            return
        if not self.name.pending:
            self._end_naming()
            return
        name = self.name.text().strip() or None
        refusal = self._change(tr("name"), lambda lane: replace(lane, name=name))
        self.refused.refuse(refusal, named=True)
        if refusal is None:
            self._end_naming()

    def _end_naming(self) -> None:
        self.refused.say("")
        left = self.window().focusWidget() in (self.name, self.window())
        self.name.hide()
        self.heading.show()
        if left:  # and has not been taken to another field
            self._back.setFocus()

    def _unfold(self) -> None:
        opened = self.details.isHidden()
        self.form.setVisible(opened)
        self.details.setVisible(opened)
        self.heading.show_open(opened)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._popup(event.globalPos())

    def _open_menu(self) -> None:
        self._popup(self.chip.mapToGlobal(self.chip.rect().bottomLeft()))

    def _popup(self, place: QPoint) -> None:
        menu = QMenu(self)
        self.fill_menu(menu)
        pop_up(menu, place)

    def fill_menu(self, menu: QMenu) -> None:
        """What can be done with the lane."""
        if self._lane is not None:
            self._acts.add_of(menu, "rename_lane", self._lane.name)
            self._acts.add_of(menu, "equations", self._lane.name)
            if isinstance(self._document.state.preset.lanes[self._index].recording, Reading):
                self._acts.add_of(menu, "read_again", self._lane.name)
        menu.addSeparator()
        fill_lane(menu, theme_of(self), self._document, self._index)


class LaneList(QWidget):
    """One row per lane, written only when its words change. Rows are made and removed only as lanes come and go."""

    def __init__(self, document: Document, acts: Acts[Any], reference: Callable[[], str]) -> None:
        """`reference` is the lane that errors are against."""
        super().__init__()
        self._document, self._acts, self._reference = document, acts, reference
        self._title = ""
        self.rows: list[LaneRow] = []
        self._lanes: Sequence[Lane] = ()
        self._pressed = 0
        """The row that was pressed last."""
        self._numbers = LaneNumbers()
        self.head = NumbersHead()
        self.add = QuietButton(tr("Add a lane"))
        self.menu = QMenu(self.add)
        self.fill_formulations(self.menu)
        self.add.setMenu(self.menu)
        self.toggle = QuietButton(tr("Hide numbers"), acts["lane_numbers"].trigger)
        self.problem = Callout(self.add)
        self._column = column(self.head, UNIT // 2, row(self.add, None, self.toggle), gap=0)
        self.setLayout(self._column)
        document.changed.connect(lambda _: self.show_lanes())
        self.show_lanes()

    def start(self, source: Source) -> None:
        """A run begins."""
        self._numbers.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Show how the lanes fare."""
        for one, lane in zip(self.rows, frame.lanes, strict=True):
            one.show_lane(lane)
        if self._document.seen.preset.lanes != self._lanes:
            self.show_lanes()
        if self.numbered and self.isVisible():
            reference = self._reference()
            self.head.name_reference(reference, self._numbers.columns(reference))
            for one, texts in zip(self.rows, self._numbers.texts(frame, reference) or (), strict=False):
                one.numbers.say(texts)

    @property
    def numbered(self) -> bool:
        """Whether the numbers at the cursor stand below the lanes' names."""
        return not self.head.isHidden()

    def show_numbers(self, on: bool) -> None:
        """Show the numbers at the cursor, or hide them."""
        self._numbers.forget()
        self.head.setVisible(on)
        for one in self.rows:
            one.numbers.setVisible(on)
        self.toggle.setText(tr("Hide numbers") if on else tr("Show numbers"))

    def show_lanes(self) -> None:
        """Show what the lanes of the document are made of, one row for each; the run that has them begins next."""
        preset = self._document.seen.preset
        lanes = self._lanes = preset.lanes
        self.problem.say("")
        if len(lanes) != len(self.rows):
            self._make_rows(len(lanes))
        fresh, self._title = preset.title != self._title, preset.title
        known = (origin_of(preset) or preset).lanes
        for one, lane in zip(self.rows, lanes, strict=True):
            one.show_spec(lane, preset.run.integrator, alone=len(lanes) == 1, fresh=fresh)
            one.heading.mark(lane not in known)

    def _make_rows(self, count: int) -> None:
        for one in self.rows:
            one.hide()  # until it is deleted, which waits for the event loop
            one.deleteLater()
        self.rows = [LaneRow(self._document, self._acts, index) for index in range(count)]
        for index, one in enumerate(self.rows):
            self._column.insertWidget(index + 1, one)
            one.heading.pressed.connect(partial(setattr, self, "_pressed", index))
            one.numbers.setVisible(self.numbered)

    def rename(self, name: str) -> LaneRow:
        """Let a person type the name of this lane: where none is given of the one that has the focus, or was pressed last."""
        wanted = (one for one in self.rows if (one.lane_name == name if name else one.heading.hasFocus()))
        found = next(wanted, self.rows[min(self._pressed, len(self.rows) - 1)])
        found.rename()
        return found

    def fill_lanes(self, menu: QMenu) -> None:
        """A menu for each lane."""
        for one in self.rows:
            one.fill_menu(menu.addMenu(one.title))

    def fill_formulations(self, menu: QMenu) -> None:
        """Every formulation; one with variants has a menu of its own."""
        for name, kind in FORMULATIONS.items():
            if kind.recorded:  # it begins with a file
                continue
            if not kind.variants:
                menu.addAction(tr(kind.title), lambda name=name: self._add(name))
                continue
            variants = menu.addMenu(tr(kind.title))
            for variant in kind.variants:
                lane_id = f"{name}/{variant}"
                variants.addAction(spoken(variant), lambda lane_id=lane_id: self._add(lane_id))

    def _add(self, lane_id: str) -> None:
        said = tr("add lane {lane_id}", lane_id=lane_title(lane_id))
        refusal = self._document.propose(said, lambda state: added(state, Lane(lane_id)))
        self.problem.refuse(refusal, named=True)

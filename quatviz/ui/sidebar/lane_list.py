"""List of the lanes of a run. Each row has the lane's style, name, status, numbers at the cursor and settings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
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
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import MISSING_VALUE, humanize, lowercase_first
from quatviz.base.help_topics import EVENT_REMARK_TOPIC, TOPIC_OF_STATUS
from quatviz.base.parameters import parameters_of, to_table
from quatviz.base.translation import tr
from quatviz.display.data.budget import MAX_LANES_AT_ONCE
from quatviz.display.data.frame import ACTIVE_STATUSES, ColumnSource, Frame, LaneFrame
from quatviz.display.data.lane_readouts import READOUT_COLUMNS, LaneReadouts, ReadoutColumn
from quatviz.display.document.document import Document
from quatviz.display.document.edits import duplicate_lane, move_lane, remove_lane
from quatviz.display.document.lane_laws import LANE_LAWS_TEXT
from quatviz.display.document.preset_items import rebuild
from quatviz.display.document.state import State
from quatviz.display.scene.description import STATUS_TEXTS
from quatviz.display.view_state.lane_styles import COLOR_NAMES, MODES, LaneStyles
from quatviz.display.view_state.line_styles import (
    COLOR_COUNT,
    MARKER_NAMES,
    dash_pattern,
    lane_color,
    marker_of,
)
from quatviz.display.view_state.theme import DARK, GRID_UNIT, Theme
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset import Lane
from quatviz.files.preset_edits import find_origin
from quatviz.physics.formulations import lane_title, listed, make_formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.simulation.lane_settings import applicable_settings
from quatviz.ui.sidebar.setup.section import INSET, FoldableHeading
from quatviz.ui.widgets.actions import ActionRegistry, add_toggle, show_menu
from quatviz.ui.widgets.buttons import PaintedButton, QuietButton
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.form import ParameterForm
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import MessageLabel, tooltip_text
from quatviz.ui.widgets.layouts import WrappedRow, column, row, wrap_layout
from quatviz.ui.widgets.painting import CUTOUT_RADIUS, add_shape, draw_line_sample, swatch
from quatviz.ui.widgets.scrolling import preserve_scroll_position
from quatviz.ui.widgets.style import PaintedWidget, tabular_font, theme_of

INDENT = GRID_UNIT
_COLUMN_GAP = 10.0
"""Minimum gap between two columns [pixels]. With a smaller gap, numbers in the large type of the projector theme would
touch."""


class NumbersLine(PaintedWidget, QWidget):
    """Line with a right-aligned text for each column. The texts are the numbers of a lane, or the column headings."""

    def __init__(self, texts: tuple[str, ...] = (MISSING_VALUE,) * len(READOUT_COLUMNS)) -> None:
        super().__init__()
        self.texts = texts
        self._cached_font_size: tuple[object, int] = (None, 0)
        self._cached_rects: tuple[object, list[QRectF]] = (None, [])
        self.setAccessibleName(tr("Numbers at the cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)  # otherwise Qt repaints the background for every lane

    def set_texts(self, texts: tuple[str, ...]) -> None:
        if texts != self.texts:
            self.texts = texts
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.small + GRID_UNIT)

    @property
    def font_size(self) -> int:
        """Font size of the numbers [pixels]: the small size of the theme, or less if the columns would not fit
        otherwise."""
        key = (self.width(), self.theme)
        if key != self._cached_font_size[0]:
            size = self.theme.small
            while size > 8 and sum(self._widths(size)) > self.width() - INDENT:
                size -= 1
            self._cached_font_size = key, size
        return self._cached_font_size[1]

    def cell_rects(self) -> list[QRectF]:
        """Return the rectangle of each column's text. Spare width is shared equally between the columns."""
        key = (self.size(), self.theme)
        if key == self._cached_rects[0]:
            return self._cached_rects[1]
        widths = self._widths(self.font_size)
        spare = (self.width() - INDENT - sum(widths)) / len(widths)
        rects, x = [], float(INDENT)
        for wide in widths:
            rects.append(QRectF(x + spare, 0, wide, self.height()))
            x += wide + spare
        self._cached_rects = key, rects
        return rects

    def _widths(self, size: int) -> list[float]:
        metrics = QFontMetricsF(tabular_font(self.theme, size))
        lines = [(column.widest_text, *tr(column.title).split("\n")) for column in READOUT_COLUMNS]
        return [max(metrics.horizontalAdvance(text) for text in texts) + _COLUMN_GAP for texts in lines]

    def draw(self, painter: QPainter) -> None:
        painter.setFont(tabular_font(self.theme, self.font_size))
        painter.setPen(QColor(self.theme.muted))
        for text, rect in zip(self.texts, self.cell_rects(), strict=True):
            painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text)


class NumbersHead(NumbersLine):
    """Column headings, with a tooltip that explains each column."""

    def __init__(self) -> None:
        super().__init__(tuple(tr(column.title) for column in READOUT_COLUMNS))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._shown_reference: tuple[str, tuple[ReadoutColumn, ...]] = ("", ())
        self.setAccessibleName(tr("Numbers of every lane at the cursor"))

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self.theme.small + GRID_UNIT + GRID_UNIT // 2)

    def show_reference(self, reference: str, columns: tuple[ReadoutColumn, ...]) -> None:
        """Show the headings, and name the reference lane in the tooltip."""
        if (reference, columns) != self._shown_reference:
            self._shown_reference = reference, columns
            self.set_texts(tuple(tr(column.title) for column in columns))
            description = "\n".join(tr(column.description) for column in columns).replace(
                tr("reference lane"), tr("reference lane {reference}", reference=lane_title(reference))
            )
            self.setToolTip(tooltip_text(description))
            self.setAccessibleDescription(description)


_SWATCH_MARGIN = 2.0
"""Margin around the color swatch of a menu entry [pixels]."""


def fill_lane_menu(menu: QMenu, theme: Theme, document: Document, lane: int) -> None:
    """Add to a menu the display options of a lane: body, ghost or hidden, color, marker, and moves up and down in the list."""
    display = document.state.lane_styles
    modes = QActionGroup(menu)
    for mode, text in MODES.items():
        apply = partial(
            _propose_display, document, lane, lowercase_first(text), display.with_mode(lane, mode)
        )
        modes.addAction(
            add_toggle(menu, tr(text), display.mode(lane) == mode, lambda _, apply=apply: apply())
        )
    menu.addSeparator()
    number = display.colours[lane]
    color = number % COLOR_COUNT
    colors = {number - color + other: name for other, name in enumerate(COLOR_NAMES)}
    shapes = {
        COLOR_COUNT * shape_index + color: shape.capitalize() or "None"
        for shape_index, shape in enumerate(MARKER_NAMES)
    }
    for title, property_name, options in (
        (tr("Color"), tr("color"), colors),
        (tr("Marker"), tr("marker"), shapes),
    ):
        choice = menu.addMenu(_swatch(theme, number), title)
        for other, name in options.items():
            apply = partial(_propose_display, document, lane, property_name, display.with_color(lane, other))
            choice.addAction(_swatch(theme, other), tr(name), apply)
    menu.addSeparator()
    last = len(display.colours) - 1
    for text, edit, possible in (
        ("Duplicate", partial(duplicate_lane, index=lane), True),
        ("Move up", partial(move_lane, index=lane, offset=-1), lane > 0),
        ("Move down", partial(move_lane, index=lane, offset=1), lane < last),
        ("Remove", partial(remove_lane, index=lane), last > 0),
    ):
        step_text = tr("lane {lane}: {text}", lane=lane + 1, text=lowercase_first(text))
        action = menu.addAction(
            tr(text), lambda step_text=step_text, edit=edit: document.propose(step_text, edit)
        )
        action.setEnabled(possible)


def _swatch(theme: Theme, number: int) -> QIcon:
    return swatch(QColor(lane_color(theme, number)), _SWATCH_MARGIN, marker_of(number))


def _propose_display(document: Document, lane: int, description: str, display: LaneStyles) -> None:
    document.propose(
        tr("lane {lane}: {description}", lane=lane + 1, description=description),
        lambda state: state.with_lane_styles(display),
    )


DASH_OFFSET = 11.0
"""Distance from the middle of a chip to the dash pattern below it [pixels]."""


class LaneChip(PaintedButton):
    """Button that shows the color of a lane and how the lane is drawn in 3D.

    It has a disk for a body, a ring for a translucent ghost and a thin ring for a hidden lane. The dash pattern
    of the lane's curves is shown below this symbol.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lane: LaneFrame | None = None

    def sizeHint(self) -> QSize:
        return QSize(round((4 * GRID_UNIT - INSET) * self._scale), round(4 * GRID_UNIT * self._scale))

    @property
    def _scale(self) -> float:
        """Ratio of the size of the chip to its size in the type size of the dark theme."""
        return self.theme.small / DARK.small

    def show_lane(self, lane: LaneFrame) -> None:
        self._lane = lane
        self.update()
        self.setAccessibleName(tr("Display of {lane}", lane=lane_title(lane.name)))
        self.setToolTip(tr("Color, marker and display of this lane"))

    def draw(self, painter: QPainter) -> None:
        if self._lane is None:
            return
        theme, lane = self.theme, self._lane
        color, shape = QColor(lane_color(theme, lane.color)), marker_of(lane.color)
        painter.scale(self._scale, self._scale)
        width, height = self.width() / self._scale, self.height() / self._scale
        box = QRectF(2, height / 2 - 6, 12, 12)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1.5))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 5, 5)
        dash_top = 0.0 if not lane.visible else DASH_OFFSET
        if dash_pattern(lane.color):
            draw_line_sample(painter, lane.color, QRectF(0, dash_top, width - 2, height), color, 2)
        elif not lane.visible:
            painter.setPen(QPen(color, 2))
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()))
        if lane.visible:
            thin = 1.0 if not lane.drawn else 2.0
            painter.setPen(QPen(color, thin))
            painter.setBrush(color if lane.solid and lane.drawn else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2), 3, 3)
        if shape:
            path = QPainterPath()
            add_shape(path, shape, box.center().x(), box.center().y(), CUTOUT_RADIUS)
            full = lane.visible and lane.solid and lane.drawn
            painter.fillPath(path, QColor(theme.window) if full else color)


class LaneHeading(FoldableHeading):
    """Heading of a lane: its name at the left and its status at the right. A click unfolds the details; a double click renames."""

    rename_requested = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.click()  # undoes the toggle of the first click
        self.rename_requested.emit()

    def show_lane(self, lane: LaneFrame, key: str) -> None:
        """Show name and status of the lane. The tooltip names `key` as the shortcut for renaming."""
        title = lane_title(lane.name)
        self.setText(title)
        state = tr(STATUS_TEXTS.get(lane.status, lane.status))
        if lane.status == "ok" and lane.message:
            state = tr("not accurate")
        self.set_synopsis(state, danger=lane.status not in ACTIVE_STATUSES or bool(lane.message))
        self.setAccessibleName(f"{title}, {state}")
        role = (
            (tr("drawn as the body") if lane.solid else tr("drawn as a ghost"))
            if lane.drawn
            else tr("not in 3D")
        )
        tooltip = tr(
            "{lane} ({role}). Rename this lane with {key} or a double click.", lane=title, role=role, key=key
        )
        self.setToolTip(tooltip_text(tooltip))


_MESSAGE_MARGINS = (4 * GRID_UNIT, 0, 0, GRID_UNIT)
"""Margins of the messages of a lane [pixels]: left, top, right, bottom."""


class LaneRow(Guarded, QWidget):
    """Row of the lane with the index `index`. If a frame changes nothing in the row, showing it costs a single
    comparison."""

    def __init__(self, document: Document, actions: ActionRegistry[Any], index: int) -> None:
        super().__init__()
        self._document, self._actions, self._index = document, actions, index
        self._path = f"lanes[{index}]"
        self._shown_key: tuple[object, ...] = ()
        self._lane: LaneFrame | None = None
        self.chip = LaneChip()
        self.chip.clicked.connect(self._open_menu)
        self.heading = LaneHeading()
        self.heading.clicked.connect(self._toggle_details)
        self.heading.rename_requested.connect(self.rename)
        self.numbers = NumbersLine()
        self._form: ParameterForm | None = None
        self._focus_after_rename: QWidget = self
        """Widget to which the focus returns after the lane is renamed."""
        self._is_only_lane = False
        self._is_open = False
        """True if the details are unfolded."""
        self._top_layout = row(self.chip, (self.heading, 1), gap=0)
        self._row_layout = column(self._top_layout, self.numbers, gap=0)
        self.setLayout(self._row_layout)

    # Created on first access, because they take half the time to build a row, and a run may have hundreds.

    @cached_property
    def message(self) -> MessageLabel:
        """Message on the end of the lane, below the numbers."""
        message = MessageLabel(_MESSAGE_MARGINS)
        self._row_layout.insertWidget(self._row_layout.indexOf(self.numbers) + 1, message)
        return message

    @cached_property
    def remarks(self) -> MessageLabel:
        """Remarks on the lane, below its message."""
        remarks = MessageLabel(_MESSAGE_MARGINS, text_object_name="muted")
        self._row_layout.insertWidget(self._row_layout.indexOf(self.message) + 1, remarks)
        return remarks

    @cached_property
    def name_field(self) -> LineEntry:
        """Field in which the name of the lane is edited. It is shown in place of the heading."""
        field = LineEntry(tr("Name of the lane"))
        field.editingFinished.connect(self._finish_rename)
        field.reverted.connect(self._hide_name_field)
        field.hide()
        self._top_layout.addWidget(field, 1)
        self.setTabOrder(self.heading, field)
        return field

    @cached_property
    def name_error(self) -> InlineMessage:
        """Message below the name field that says why a name was refused."""
        message = InlineMessage(self.name_field)
        self._row_layout.insertWidget(1, message.space)
        return message

    @cached_property
    def remove_button(self) -> QuietButton:
        """Button below the settings that removes the lane."""
        button = QuietButton(tr("Remove this lane"), self._remove)
        self._update_remove_button(button)
        return button

    @cached_property
    def _details_layout(self) -> QVBoxLayout:
        return column(self.remove_button, margins=(4 * GRID_UNIT, GRID_UNIT // 2, 0, GRID_UNIT))

    @cached_property
    def details(self) -> QWidget:
        """Settings of the lane, visible while the row is unfolded."""
        details = wrap_layout(self._details_layout)
        details.hide()
        self._row_layout.addWidget(details)
        return details

    def show_lane(self, lane: LaneFrame) -> bool:
        """Show the name, status, message and style of the lane. Return True if any of them has changed."""
        key = (lane.name, lane.status, lane.message, lane.warnings)
        style_key = (lane.color, lane.solid, lane.visible, lane.drawn)
        if (*key, *style_key) == self._shown_key:
            return False
        lane = replace(
            lane, pose=None, values={}
        )  # pose and values would keep the whole run alive as long as the row
        if self._shown_key[2:4] != key[2:]:  # keep an edited field below these texts in view
            preserve_scroll_position(self)
        self._shown_key, self._lane = (*key, *style_key), lane
        self.chip.show_lane(lane)
        self.heading.show_lane(lane, self._actions.shortcut_text("rename_lane"))
        if lane.message or "message" in self.__dict__:
            self.message.show_message(lane.message, TOPIC_OF_STATUS.get(lane.status, ""))
        if lane.warnings or "remarks" in self.__dict__:
            self.remarks.show_message("\n".join(map(tr, lane.warnings)), EVENT_REMARK_TOPIC)
        return True

    def show_spec(self, lane: Lane, integrator: str, is_only_lane: bool, is_new_preset: bool) -> None:
        """Show the settings of the lane.

        Parameters
        ----------
        lane
            The lane as the document has it.
        integrator
            Integrator of the run, used if the lane has none of its own.
        is_only_lane
            True disables the remove button.
        is_new_preset
            True hides refusals that belong to the previous preset.
        """
        self._spec = lane, integrator
        if self._form is not None:
            self._fill_form(self._form)
            if is_new_preset:
                self._form.forget_refusals()
        self._is_only_lane = is_only_lane
        if "remove_button" in self.__dict__:
            self._update_remove_button(self.remove_button)

    def _update_remove_button(self, button: QuietButton) -> None:
        button.setEnabled(not self._is_only_lane)
        button.setToolTip(tr("A run needs at least one lane") if self._is_only_lane else "")

    @property
    def form(self) -> ParameterForm:
        """Form with the settings of the lane, created on first access because it takes 90 % of the time to build a row."""
        if self._form is None:
            self._form = self._make_form()
            self._details_layout.insertWidget(0, self._form)
            self._fill_form(self._form)
        return self._form

    def _fill_form(self, form: ParameterForm) -> None:
        lane, integrator = self._spec
        table = to_table(lane)
        table["formulation"] = make_formulation(lane.formulation).id  # with the variant that may be left out
        form.show_table(table)
        for name, is_used in applicable_settings(lane, integrator).items():
            form.rows[name].setVisible(is_used or name in table)

    def _make_form(self) -> ParameterForm:
        formulations = {lane_id: lane_title(lane_id) for lane_id in listed()}
        integrators: dict[Any, str] = {None: tr("Same as run")}
        integrators.update({name: tr(integrator.title) for name, integrator in INTEGRATORS.items()})
        stabilisations = {
            None if name == "none" else name: tr(title) for name, title in STABILISATIONS.items()
        }
        choices = {
            "formulation": formulations, "integrator": integrators, "stabilisation": stabilisations,
        }  # fmt: skip
        return ParameterForm(parameters_of(Lane), self._path, self._propose, choices)

    def _propose(self, table: dict[str, Any], edited: str, coalesce: bool) -> InputError | None:
        return self._propose_lane(humanize(edited), lambda lane: rebuild(lane, table, self._path), coalesce)

    def _propose_lane(
        self, description: str, make: Callable[[Lane], Lane], coalesce: bool = False
    ) -> InputError | None:
        """Propose to the document to replace this lane by the result of `make`. Return the refusal, or None."""

        def edit(state: State) -> State:
            lanes = list(state.preset.lanes)
            lanes[self._index] = make(lanes[self._index])
            return state.with_preset(lanes=tuple(lanes))

        step_text = tr("lane {index}: {description}", index=self._index + 1, description=description)
        return self._document.propose(step_text, edit, coalesce)

    def _remove(self) -> None:
        step_text = tr("remove lane {name}", name=self.title)
        self._document.propose(step_text, lambda state: remove_lane(state, self._index))

    @property
    def lane_name(self) -> str:
        """Name of the lane in the last frame, or "" before the first frame."""
        return self._lane.name if self._lane is not None else ""

    @property
    def title(self) -> str:
        """Name of the lane as the interface shows it."""
        return lane_title(self.lane_name) if self._lane is not None else f"{self._index + 1}"

    def rename(self) -> None:
        """Start to edit the lane's name."""
        if self._lane is not None:
            self._focus_after_rename = self.heading if self.heading.hasFocus() else self.window()
            self.heading.hide()
            self.name_field.show_text(self.title)
            self.name_field.show()
            self.name_field.setFocus()
            self.name_field.selectAll()
            self.name_field.insert(
                self.title
            )  # typing marks the text as edited, else Qt emits no signal if it stays unchanged
            self.name_field.selectAll()

    def _finish_rename(self) -> None:
        """Apply the typed name and show the heading again. An empty name restores the automatic one.

        Nothing happens if the name field is already hidden, because a hidden field also reports the end of editing.
        """
        if not self.name_field.isVisible():
            return
        if not self.name_field.is_pending:
            self._hide_name_field()
            return
        name = self.name_field.text().strip() or None
        refusal = self._propose_lane(tr("lane name"), lambda lane: replace(lane, name=name))
        self.name_error.show_refusal(refusal, with_key=True)
        if refusal is None:
            self._hide_name_field()

    def _hide_name_field(self) -> None:
        self.name_error.show_message("")
        has_focus = self.window().focusWidget() in (self.name_field, self.window())
        self.name_field.hide()
        self.heading.show()
        if has_focus:  # and no other field has taken it
            self._focus_after_rename.setFocus()

    def _toggle_details(self) -> None:
        is_open = self._is_open = not self._is_open
        self.form.setVisible(is_open)
        self.details.setVisible(is_open)
        self.heading.set_open(is_open)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._show_menu(event.globalPos())

    def _open_menu(self) -> None:
        self._show_menu(self.chip.mapToGlobal(self.chip.rect().bottomLeft()))

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        self.fill_menu(menu)
        show_menu(menu, position)

    def fill_menu(self, menu: QMenu) -> None:
        """Add to a menu the actions for this lane."""
        if self._lane is not None:
            self._actions.add_for_item(menu, "rename_lane", self._lane.name)
            self._actions.add_for_item(menu, "equations", self._lane.name)
            if isinstance(self._document.state.preset.lanes[self._index].recording, ReadOptions):
                self._actions.add_for_item(menu, "read_again", self._lane.name)
        menu.addSeparator()
        fill_lane_menu(menu, theme_of(self), self._document, self._index)


class LaneList(QWidget):
    """One row for each lane. A row is repainted only if its content changes, and rebuilt only if lanes are added or removed."""

    def __init__(
        self, document: Document, actions: ActionRegistry[Any], reference: Callable[[], str]
    ) -> None:
        """Build the list; `reference` returns the name of the lane that errors are measured against."""
        super().__init__()
        self._document, self._actions, self._reference = document, actions, reference
        self._title = ""
        self.rows: list[LaneRow] = []
        self._rows_widget: QWidget | None = None
        """Parent of all rows."""
        self._lanes: Sequence[Lane] = ()
        self._pressed = 0
        """Index of the lane row that was pressed last."""
        self._numbers = LaneReadouts()
        self.head = NumbersHead()
        self.add_button = QuietButton(tr("Add a lane…"), actions["add_lane"].trigger)
        self.write_law_button = QuietButton(tr("Write your own law…"), actions["write_law"].trigger)
        self.write_button = QuietButton(
            tr("Write your own formulation…"), actions["write_formulation"].trigger
        )
        self.laws_button = QuietButton(tr(LANE_LAWS_TEXT), actions["lane_laws"].trigger)
        self.numbers_button = QuietButton(tr("Hide numbers"), actions["lane_numbers"].trigger)
        self._parts_layout = column(
            self.head,
            GRID_UNIT // 2,
            WrappedRow(
                self.add_button,
                self.write_law_button,
                self.write_button,
                self.laws_button,
                self.numbers_button,
                gap=2 * GRID_UNIT,
            ),
            gap=0,
        )
        self.setLayout(self._parts_layout)
        self._show_timer = QTimer(self, singleShot=True, interval=0)
        """Timer that delays the creation of many rows to the next turn of the event loop."""
        self._show_timer.timeout.connect(self.show_lanes)
        document.changed.connect(lambda _: self._follow_document())
        self.show_lanes()
        document.view.changed.connect(self._apply_view_change)
        self._update_numbers()

    def start(self, source: ColumnSource) -> None:
        """Discard the numbers of the previous run."""
        self._numbers.start(source)

    def show_frame(self, frame: Frame) -> None:
        """Show status and numbers of all lanes in this frame."""
        if self._show_timer.isActive():
            self.show_lanes()
        changed = 0
        for lane_row, lane in zip(self.rows, frame.lanes, strict=True):
            changed += lane_row.show_lane(lane)
            if changed >= MAX_LANES_AT_ONCE:
                break  # the other rows follow with the next frames
        if self._document.state_at_edit_time.preset.lanes != self._lanes:
            self.show_lanes()
        if self.shows_numbers and self.isVisible():
            reference = self._reference()
            self.head.show_reference(reference, self._numbers.columns(reference))
            for lane_row, texts in zip(self.rows, self._numbers.texts(frame, reference) or (), strict=False):
                lane_row.numbers.set_texts(texts)

    @property
    def shows_numbers(self) -> bool:
        """True if the numbers at the cursor are shown below the lane names."""
        return self._document.view.state.lane_numbers

    def show_numbers(self, on: bool) -> None:
        """Show the numbers at the cursor, or hide them."""
        self._document.view.update(lane_numbers=on)

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if new.lane_numbers != old.lane_numbers:
            self._update_numbers()

    def _update_numbers(self) -> None:
        on = self.shows_numbers
        self._numbers.invalidate()
        self.head.setVisible(on)
        for lane_row in self.rows:
            lane_row.numbers.setVisible(on)
        self.numbers_button.setText(tr("Hide numbers") if on else tr("Show numbers"))

    def _follow_document(self) -> None:
        """Show the lanes of the changed document: at once, or in the next turn of the event loop if many rows must be
        made."""
        count = len(self._document.state_at_edit_time.preset.lanes)
        if count > MAX_LANES_AT_ONCE and count != len(self.rows):
            self._show_timer.start()
        else:
            self.show_lanes()

    def show_lanes(self) -> None:
        """Show the settings of the document's lanes, in one row for each lane. A run with these lanes is about to start."""
        self._show_timer.stop()
        preset = self._document.state_at_edit_time.preset
        lanes = self._lanes = preset.lanes
        if len(lanes) != len(self.rows):
            self._make_rows(len(lanes))
        is_new_preset, self._title = preset.title != self._title, preset.title
        original_lanes = (find_origin(preset) or preset).lanes
        for lane_row, lane in zip(self.rows, lanes, strict=True):
            lane_row.show_spec(
                lane, preset.run.integrator, is_only_lane=len(lanes) == 1, is_new_preset=is_new_preset
            )
            lane_row.heading.set_edited(lane not in original_lanes)

    def _make_rows(self, count: int) -> None:
        """Replace the rows by `count` new ones. They are shown all at once, because showing a widget lays out everything
        around it."""
        if self._rows_widget is not None:
            self._rows_widget.hide()  # deleteLater waits for the event loop
            self._rows_widget.deleteLater()
        self.rows = [LaneRow(self._document, self._actions, index) for index in range(count)]
        self._rows_widget = wrap_layout(column(*self.rows, gap=0))
        self._parts_layout.insertWidget(1, self._rows_widget)
        for index, lane_row in enumerate(self.rows):
            lane_row.heading.pressed.connect(partial(setattr, self, "_pressed", index))
            lane_row.numbers.setVisible(self.shows_numbers)

    def rename_lane(self, name: str) -> LaneRow:
        """Start to edit the name of the lane `name`, and return its row. Without a name, take the lane with the
        focus or else the lane that was pressed last.
        """
        candidates = (
            lane_row
            for lane_row in self.rows
            if (lane_row.lane_name == name if name else lane_row.heading.hasFocus())
        )
        match = next(candidates, self.rows[min(self._pressed, len(self.rows) - 1)])
        match.rename()
        return match

    def fill_lane_menus(self, menu: QMenu) -> None:
        """Add a submenu for each lane to the menu."""
        for lane_row in self.rows:
            lane_row.fill_menu(menu.addMenu(lane_row.title))

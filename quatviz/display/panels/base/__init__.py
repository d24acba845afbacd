"""What a panel of the plots is: a declaration without Qt, drawn by `ui.plots` and put on paper by `export.figures`."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo
from quatviz.display.panels.base.canvas import Canvas
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import Choice

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ValueReading:
    """One number at the cursor, as a person copies it."""

    lane: str
    quantity: str
    component: str
    value: float
    unit: str
    frame: str


@dataclass(frozen=True)
class HighlightTarget:
    """What a person points at elsewhere, such as in an equation: a quantity of `physics.observables.quantities.QUANTITIES`, one
    of its components or None for all, and the name of a lane, empty for every lane."""

    quantity: str
    component: int | None = None
    lane: str = ""


class Panel(ABC):
    """One panel of the plots. The contract, from which a panel can be written:

    1. One module in `quatviz/display/panels/`, or in an outside package behind an entry point of the group `quatviz.panels`,
       defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` is what people read, `order` places
       it on the board (the spine uses 10, 20, ...). Nothing else has to be touched: board, menus, lessons, figures and the
       command line find it.
    2. It is a declaration. It is made without arguments, knows no Qt, starts no thread, timer or process, and keeps nothing
       of a run: a method gets what it needs as arguments. So the window, paper and tests draw the same panel at the same time.
    3. It extends one of four kinds. A panel over time (`TimePanel`) declares its strips. A path on a globe extends
       `display.panels.base.globe.GlobePanel` or `VectorGlobe`. Anything else that is one picture says what it shows and draws that
       on a `Canvas` (`PaintedPanel`). What needs widgets of its own makes them (`WidgetPanel`): it alone has no figure.
    4. Quantities are asked for by name (`physics.observables.quantities.QUANTITIES`); a panel computes no physics and reaches
       for no sibling.
    5. Every number drawn carries its unit; angles that people read are in degrees. All visible strings go through `tr`.
    6. `is_relevant` says whether the panel has something to say for a run: the board shows it then, unless a person has said
       otherwise.
    7. What a method raises is caught by the board, logged, and shown in the panel's place; the rest of the window goes on.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    """What it shows, in the help's table, as Markdown; without it the docstring is told."""
    unit: ClassVar[str] = ""
    """Of the numbers of a panel that has no strips, or chooses them for a run."""
    order: ClassVar[int] = 1000
    note: ClassVar[str] = ""
    """What to say beside the title."""
    emblem: ClassVar[tuple[str, str]] = ("", "text")
    """A symbol, and the field of `Theme` with the colour in which the 3D view draws the same thing."""
    form: ClassVar[Choice | None] = None
    """The form in which people want to see it."""
    choice: ClassVar[Choice | None] = None
    """What people can choose in it; panels may share a choice."""

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Whether it has something to say for this run."""
        return True

    def choice_in(self, info: RunInfo) -> Choice | None:
        """The choice in this run, of a panel that has one; its options may depend on the lanes."""
        return self.choice

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Everything that people can choose in this panel, its form first."""
        return tuple(choice for choice in (self.form, self.choice) if choice is not None)

    def choices_in(self, info: RunInfo) -> tuple[Choice, ...]:
        """The same, as it is in this run."""
        return tuple(choice for choice in (self.form, self.choice_in(info)) if choice is not None)


def is_panel_relevant(panel_class: type[Panel], info: RunInfo) -> bool:
    """Return True if the panel has something to say for this run; also if it fails to say so.

    A panel that fails is shown by what stands in its place, rather than missing without a word.
    """
    try:
        return bool(panel_class.is_relevant(info))
    except PLUGIN_EXCEPTIONS as error:
        if panel_class not in _reported_panels:
            _reported_panels.add(panel_class)
            log.error("the panel %s could not say whether it is relevant", panel_class.name, exc_info=error)
        return True


_reported_panels: set[type[Panel]] = set()
"""Panels whose failure is logged already: they are asked again with every change of the view."""


class TimePanel(Panel):
    """Curves over time. Extend it with `name`, `title`, `order` and `strips`; `emblem` and `note` are for the title row.

    With several lanes each strip is a plot of its own and colour tells the lane. With one lane the strips of
    a quantity share a plot and colour tells the component. In difference mode the strips are those of
    `strip.differences`, unless the panel does not `compare`. A panel with a `choice` says by `strips_of` what
    each option shows; one with a `form` shows the same strips in a form that people choose, the first of which is that
    of the columns, any other one of `display.data.derived_sources.FORMS`. `lanes_of` leaves out lanes that have no such quantity.
    """

    strips: ClassVar[tuple[Strip, ...]] = ()
    supports_difference: ClassVar[bool] = True
    shows_errors: ClassVar[bool] = False
    """Whether it shows errors of the computing, which are not its own where a run is sketched."""
    empty_text: ClassVar[str] = "No lane is shown."
    """What to say where there is nothing to draw."""

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        """The strips for an option of `choice` (empty without one) in a run."""
        return self.strips

    def note_of(self, option: str, info: RunInfo) -> str:
        """What to say beside the title, after the unit of the strips, for an option of `choice`."""
        return tr(self.note)

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        """Those lanes of the shown ones that have something to draw."""
        return shown

    def footnote(self, shown: tuple[str, ...], option: str, info: RunInfo) -> str:
        """What to say of these lanes below the strips."""
        return ""


class PaintedPanel(Panel):
    """One picture that is no curve. Extend it with `content`, what it says in a frame, and `draw`, which draws that.

    The window asks for `content` at most once per `interval`, but at once when `update_key` changes, and draws anew only what
    is said anew. Contents can be compared.
    """

    interval: ClassVar[float] = 0.5
    """Seconds between changes."""

    @abstractmethod
    def content(self, frame: Frame, info: RunInfo) -> tuple[Any, ...]:
        """What there is to say; empty where that is nothing."""

    @abstractmethod
    def draw(self, canvas: Canvas, content: Any, info: RunInfo) -> None:
        """Draw what was said, which is something, onto all of the canvas."""

    def weight(self, content: Any) -> float:
        """Its height with this content, where a strip with one curve has 1 and a title less than half of that."""
        return 3.0

    def update_key(self, frame: Frame) -> Hashable:
        """What a person must not wait for: which lanes are shown, and how they fare."""
        return tuple((lane.name, lane.visible, lane.status) for lane in frame.lanes)

    def paper_note(self, time: str) -> str:
        """Its note on paper, which has no cursor, where it shows this time [s]."""
        return tr(self.note)

    def readings(self, content: Any) -> list[ValueReading]:
        """Its numbers at the cursor, for copying."""
        return []


class WidgetPanel(Panel):
    """What needs widgets of its own. `create_view` is the one place where a panel may import Qt, inside the function."""

    @abstractmethod
    def create_view(self, context: Any) -> Any:
        """A new `ui.plots.panel_view.PanelView`, which shows it in one window; `context` is a
        `ui.plots.panel_view.PanelContext`."""


READING_COLUMNS = ("lane", "quantity", "component", "value", "unit", "frame", "time [s]")


def readings_text(readings: Iterable[ValueReading], time: float) -> str:
    """Headings, then one line per reading, with every digit that a float has."""
    lines = [READING_COLUMNS]
    for reading in readings:
        lines.append(
            (
                reading.lane,
                reading.quantity,
                reading.component,
                repr(reading.value),
                reading.unit,
                reading.frame,
                repr(time),
            )
        )
    return "\n".join("\t".join(line) for line in lines) + "\n"

"""Base classes of the plot panels: declarations without Qt, drawn by `ui.plots` and in figures by `export.figures`.

Terms: the *board* is the area of the window that contains all panels. A panel over time consists of *strips*,
each for one component of a quantity. A *plot* shows one strip or several, and a *trace* is one curve in a
plot. Heights are given in units of a strip. The *header* above a plot shows the values at the cursor.
"""

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
    """One number at the cursor, as it is copied to the clipboard."""

    lane: str
    quantity: str
    component: str
    value: float
    unit: str
    frame: str


@dataclass(frozen=True)
class HighlightTarget:
    """A quantity that the user points at elsewhere, such as in an equation.

    `quantity` is a name in `physics.observables.quantities.QUANTITIES`. `component` is the index of one component, or
    None for all components of the quantity. `lane` is the name of a lane; "" means every lane.
    """

    quantity: str
    component: int | None = None
    lane: str = ""


class Panel(ABC):
    """One panel of the plots. The contract for authors of panels:

    1. One module in `quatviz/display/panels/`, or in an outside package behind an entry point of the group
       `quatviz.panels`, defines one concrete subclass. `name` is the module's name (free for a plug-in),
       `title` is shown to the user, and `order` sets the position on the board (the basic panels use 10, 20,
       ...). Nothing else is needed: board, menus, lessons, figures and the command line find the panel.
    2. A panel is a declaration. It is created without arguments, does not use Qt, starts no thread, timer or
       process, and stores nothing of a run: methods get what they need as arguments. So window, figures and
       tests draw the same panel at the same time.
    3. It extends one of four base classes. A panel over time (`TimePanel`) declares its strips. A path on a
       globe extends `display.panels.base.globe.GlobePanel` or `VectorGlobe`. Any other picture returns its
       content and draws that on a `Canvas` (`PaintedPanel`). A panel with its own widgets creates them
       (`WidgetPanel`); it alone has no figure.
    4. Quantities are requested by name (`physics.observables.quantities.QUANTITIES`). A panel computes no
       physics and does not access other panels.
    5. Every number is drawn with its unit; angles for the user are in degrees. All visible texts go through
       `tr`.
    6. `is_relevant` returns True if the panel applies to a run: the board then shows it unless the user has
       hidden it.
    7. An exception in a method is caught by the board, logged, and shown instead of the panel; the rest of
       the window goes on.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    """Description of the panel for the table in the help, as Markdown. If it is empty, the docstring of
    the class is used."""
    unit: ClassVar[str] = ""
    """Unit of the numbers, for panels that have no strips or choose them for a run."""
    order: ClassVar[int] = 1000
    note: ClassVar[str] = ""
    """Text beside the title of the panel."""
    emblem: ClassVar[tuple[str, str]] = ("", "text")
    """A symbol, and the name of the `Theme` field with its color. The 3D view uses the same color for this
    quantity."""
    form: ClassVar[Choice | None] = None
    """Choice between representations of the same values, such as wrapped and continuous angles; None if there is one
    representation."""
    choice: ClassVar[Choice | None] = None
    """Choice of what the panel shows. Panels may share a choice."""

    empty_text: ClassVar[str] = "No lane is shown."
    """Text shown if the panel has nothing to draw."""

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if the panel applies to this run."""
        return True

    def choice_in(self, info: RunInfo) -> Choice | None:
        """Return `choice`, with options that may depend on the lanes of this run; None if the panel has no choice."""
        return self.choice

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All choices that the panel offers, with `form` first."""
        return tuple(choice for choice in (self.form, self.choice) if choice is not None)

    def choices_in(self, info: RunInfo) -> tuple[Choice, ...]:
        """Return all choices of the panel for this run; `form` comes first."""
        return tuple(choice for choice in (self.form, self.choice_in(info)) if choice is not None)


def is_panel_relevant(panel_class: type[Panel], info: RunInfo) -> bool:
    """Return True if the panel applies to this run, or if its check raises an exception.

    A failing panel is shown with its error message, so that it does not disappear without a word.
    """
    try:
        return bool(panel_class.is_relevant(info))
    except PLUGIN_EXCEPTIONS as error:
        if panel_class not in _reported_panels:
            _reported_panels.add(panel_class)
            log.error("the panel %s could not say whether it is relevant", panel_class.name, exc_info=error)
        return True


_reported_panels: set[type[Panel]] = set()
"""Panel classes for which a failure of `is_relevant` has been logged, so that each is logged only once. The method is
called again at every change of the view."""


class TimePanel(Panel):
    """Curves over time. A subclass defines `name`, `title`, `order` and `strips`; `emblem` and `note` are for the
    title row.

    With several lanes, each strip is a plot of its own and colors distinguish the lanes. With one lane, the strips of a
    quantity share a plot and colors distinguish the components. If `supports_difference` is True, difference mode shows
    the strips of `strip.difference_strips`. With a `choice`, `strips_of` returns the strips of each option. A `form`
    changes the representation of the strips. Its first option is the representation of the columns, and the others are
    keys of `display.data.derived_sources.FORMS`. `lanes_of` leaves out lanes that lack the quantity.
    """

    strips: ClassVar[tuple[Strip, ...]] = ()
    supports_difference: ClassVar[bool] = True
    shows_errors: ClassVar[bool] = False
    """True if the panel shows numerical errors, which are too large while a run is computed with coarser
    steps."""

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        """Return the strips for an option of `choice` ("" without a choice)."""
        return self.strips

    def note_of(self, option: str, info: RunInfo) -> str:
        """Return the text beside the title for an option of `choice`. It follows the unit of the strips."""
        return tr(self.note)

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        """Return those of the visible lanes (`shown`) for which the panel has something to draw."""
        return shown

    def empty_reason(self, info: RunInfo) -> str:
        """Return the translated text shown if `lanes_of` returns no lane."""
        return tr(self.empty_text)

    def footnote(self, shown: tuple[str, ...], option: str, info: RunInfo) -> str:
        """Return a text about the visible lanes (`shown`) to be displayed below the strips; "" for none."""
        return ""


class PaintedPanel(Panel):
    """A panel with a picture other than curves. A subclass defines `content`, which returns the data of the picture in a
    frame, and `draw`, which draws these data.

    The window calls `content` at most once per `interval`, or at once if `update_key` changes, and redraws
    only if the content differs. Contents must be comparable with `==`.
    """

    interval: ClassVar[float] = 0.5
    """Shortest time between two updates of the picture [s]."""

    @abstractmethod
    def content(self, frame: Frame, info: RunInfo) -> tuple[Any, ...]:
        """Return the data of the picture; () if there is nothing to show. The window then shows `empty_text`."""

    @abstractmethod
    def draw(self, canvas: Canvas, content: Any, info: RunInfo) -> None:
        """Draw a content, which is not empty, onto the whole canvas."""

    def weight(self, content: Any) -> float:
        """Return the height that a content needs, in units of a strip with one curve. A title needs less than half a
        unit."""
        return 3.0

    def update_key(self, frame: Frame) -> Hashable:
        """Return a key. The picture is updated at once if the key changes. By default, it contains the visible lanes
        and their statuses."""
        return tuple((lane.name, lane.visible, lane.status) for lane in frame.lanes)

    def paper_note(self, time: str) -> str:
        """Return the note beside the title of the panel in a printed figure. `time` is the text of the
        time that the figure shows in place of the cursor."""
        return tr(self.note)

    def readings(self, content: Any) -> list[ValueReading]:
        """Return the numbers at the cursor, for copying."""
        return []


class WidgetPanel(Panel):
    """A panel with its own widgets. Only `create_view` may import Qt, inside the function."""

    @abstractmethod
    def create_view(self, context: Any) -> Any:
        """Return a new `ui.plots.panel_view.PanelView` for one window.

        `context` is a `ui.plots.panel_view.PanelContext`.
        """


READING_COLUMNS = ("lane", "quantity", "component", "value", "unit", "frame", "time [s]")


def readings_text(readings: Iterable[ValueReading], time: float) -> str:
    """Return a table of readings with headings, separated by tabs, with all digits of each value."""
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

"""The panel protocol: what one plot panel is. Frozen; change it only in a commit of its own that says why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QRectF

from quatviz.ui.frame import Frame, RunInfo, Source
from quatviz.ui.theme import Theme


@dataclass(frozen=True)
class Reading:
    """One number at the cursor, as a person copies it."""

    lane: str
    quantity: str
    component: str
    value: float
    unit: str
    frame: str


@dataclass(frozen=True)
class Pointed:
    """What a person points at elsewhere, such as in an equation: a quantity of `core.observables.QUANTITIES`, one of its
    components or None for all, and the name of a lane, empty for every lane."""

    quantity: str
    component: int | None = None
    lane: str = ""


class Panel(ABC):
    """One panel of the plot board. The contract, from which a panel can be written:

    1. One module in `quatviz/ui/panels/`, or in an outside package behind an entry point of the group
       `quatviz.panels`, defines one concrete subclass. `name` is the module's name (free for a plug-in),
       `title` is what people read, `order` places it on the board (the spine uses 10, 20, ...).
    2. A panel over time extends `TimePanel` (ui/plotting/time_panel.py) and only declares its strips:
       quantity, component, label and scale. The rest is inherited: curves, colours, decimation, cursor.
    3. Any other panel extends this class. The board makes it with no arguments and calls, on the window's thread
       only: `build` once with the layout it fills; `start` when a run begins or is replaced; `show` once per
       frame; `restyle` when the theme changes; `close` once.
    4. `show` is called 25 to 60 times a second and must cost well below a millisecond when nothing but the
       cursor moved. It reads what is new from the source and keeps no copy of a run's data.
    5. A panel asks the source for quantities by name (`core.observables.QUANTITIES`); it computes no physics,
       starts no thread, timer or process, and reaches for no sibling.
    6. A person who points at a time calls `self.seek(time)`, set by the board; the next frame then shows it.
    7. Every number drawn carries its unit; angles that people read are in degrees.
    8. An exception inside a panel is caught by the board, logged, and shown in the panel's place; the rest of
       the window goes on.
    9. `concerns` says whether the panel has something to say for a run: the board shows it then, unless a person
       has hidden it. `weight` is its height beside others of its column, in strips; it may change from
       frame to frame. `readings` are its numbers at the cursor, for copying. `dirty` says which parts `show` has
       changed, and `moved` where a cursor has moved over what has not changed, so that it repaints a line and not the
       board. `point_at` lets what a person points at elsewhere stand out, and says whether the panel shows it: the board
       fades those that do not. All six have defaults.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 1000

    def seek(self, time: float) -> None:
        """Move the one cursor to `time` [s]. Replaced by the board when it adopts the panel."""

    @abstractmethod
    def build(self, layout: pg.GraphicsLayout, theme: Theme) -> None:
        """Make the graphics inside `layout`, which belongs to this panel alone."""

    @abstractmethod
    def start(self, source: Source) -> None:
        """A run begins: forget the last one and show the lanes of this one, still empty."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Show the frame: new rows of the source and the cursor."""

    @abstractmethod
    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """Whether it has something to say for this run."""
        return True

    @property
    def weight(self) -> float:
        """Its height, where a strip with one curve has 1 and a title less than half of that."""
        return 3.0

    def readings(self) -> list[Reading]:
        """Its numbers at the cursor."""
        return []

    def dirty(self) -> list[QRectF] | None:
        """What has changed since it was last painted, in scene coordinates; None for all of it."""
        return None

    def moved(self) -> list[QRectF]:
        """Where something has moved over what has not changed, in scene coordinates: see `board_view.Mover`."""
        return []

    def point_at(self, pointed: Pointed | None) -> bool:
        """Let the curves of this stand out among the panel's own until it is None; whether there are any."""
        return False

    def close(self) -> None:
        """Let go of what would outlive the panel."""

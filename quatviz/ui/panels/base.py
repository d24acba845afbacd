"""The panel protocol: what one plot panel is. Frozen; change it only in a commit of its own that says why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import pyqtgraph as pg

from quatviz.ui.frame import Frame, Source
from quatviz.ui.theme import Theme


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

    def close(self) -> None:
        """Let go of what would outlive the panel."""

"""A panel's place among the plots: the panel, the layout it fills, and what happens when it fails."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.plotting.grid import PanelLayout
from quatviz.ui.plotting.rows import NoticeRow, PlainTitle
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

log = logging.getLogger(__name__)


class Slot(QObject):
    """Makes a panel of `kind` in `layout`. An exception costs the panel its place and nobody else anything: a notice
    stands there instead, until the panel is adopted again."""

    problem = Signal(str)
    """The panel has failed; why."""
    _fault = Signal(object)

    def __init__(
        self,
        kind: type[Panel],
        layout: PanelLayout,
        theme: Theme,
        introduce: Callable[[Slot, Panel], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.kind = kind
        self.layout = layout
        self.panel: Panel | None = None
        self.view: BoardView | None = None
        """Where it is painted."""
        self.seen = False
        """Whether it is drawn now: not hidden, nor behind another."""
        self.begun = False
        """Whether the panel knows the run."""
        self._title: PlainTitle | None = None
        self._notice: NoticeRow | None = None
        self._theme = theme
        self._introduce = introduce
        # A fault in a paint is dealt with after the paint: the scene must not change under it.
        self._fault.connect(self._fail, Qt.ConnectionType.QueuedConnection)

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def weight(self) -> float:
        return self.panel.weight if self.panel is not None else 3.0

    def adopt(self) -> None:
        """Make the panel and build it."""
        self.layout.clear()
        self._notice = self._title = None
        try:
            panel = self.kind()
        except Exception as error:
            self._fail(error)
            return
        self.panel = panel
        self._introduce(self, panel)
        self.call("build", self.layout, self._theme)

    def call(self, method: str, *arguments: object) -> object:
        """Call a method of the panel, if it works; what it returns."""
        if self.panel is None:
            return None
        try:
            return getattr(self.panel, method)(*arguments)
        except Exception as error:
            self._fail(error)
            return None

    def report(self, error: Exception) -> None:
        """The panel has failed while it painted."""
        self._fault.emit(error)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        style = PlotStyle(theme)
        if self._notice is not None:
            self._notice.restyle(style)
        if self._title is not None:
            self._title.restyle(style, style.text)
        self.call("restyle", theme)

    def close(self) -> None:
        """Close the panel; nothing stands there afterwards."""
        self.call("close")
        self.panel = None

    def _fail(self, error: Exception) -> None:
        if self.panel is None and self._notice is not None:
            return
        log.error("the panel %s failed", self.kind.name, exc_info=error)
        broken, self.panel = self.panel, None
        try:
            if broken is not None:
                broken.close()
        except Exception:
            log.exception("the panel %s failed to close", self.kind.name)
        self.layout.clear()
        said, style = f"{type(error).__name__}: {error}", PlotStyle(self._theme)
        self._title = PlainTitle(style, tr(self.kind.title))
        self._notice = NoticeRow(style, said)
        self.layout.layout.setContentsMargins(0, 0, 0, 0)
        self.layout.layout.setSpacing(0)
        self.layout.addItem(self._title, row=0, col=0)
        self.layout.addItem(self._notice, row=1, col=0)
        self.problem.emit(f"{tr(self.kind.title)}: {said}")

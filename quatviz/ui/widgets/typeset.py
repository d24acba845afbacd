"""Formulas as SVG images, typeset once for all themes and sizes and cached between starts."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PySide6.QtCore import QByteArray, QObject, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

from quatviz.files.formula_cache import FONT_SIZE, PLACEHOLDER_COLOR, VIEW_BOX, formula_cache
from quatviz.ui.widgets.background_job import BackgroundJob

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Formula:
    """A typeset formula, with its extent relative to the baseline [em]."""

    svg: str
    width: float
    ascent: float
    descent: float

    @cached_property
    def renderer(self) -> QSvgRenderer:
        """The SVG renderer, created at first use because few formulas of a page are visible."""
        return QSvgRenderer(QByteArray(self.svg.encode()))

    def paint(self, painter: QPainter, x: float, baseline: float, size: float) -> None:
        """Paint the formula at font size `size` [pixels], starting at `x` on the baseline."""
        height = (self.ascent + self.descent) * size
        self.renderer.render(painter, QRectF(x, baseline - self.ascent * size, self.width * size, height))


class Typesetter(QObject):
    """A typesetter that renders missing formulas in a background thread."""

    finished = Signal(object)
    """Emitted when all formulas are cached, with None or with the exception of the last malformed formula."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: BackgroundJob | None = None
        self._requested: list[str] = []
        self._malformed: set[str] = set()

    @property
    def is_busy(self) -> bool:
        """True while formulas are being typeset."""
        return self._job is not None

    def start(self, formulae: Iterable[str]) -> bool:
        """Typeset `formulae` in the background. Formulas of an earlier call that are not typeset yet are dropped.
        Return False if all formulas are cached already."""
        self.stop()
        self._requested = [
            latex for latex in formula_cache().missing_formulae(formulae) if latex not in self._malformed
        ]
        if self._requested:
            self._job = BackgroundJob(
                lambda progress: formula_cache().render_all(self._requested, progress), self, self._finish
            )
        return bool(self._requested)

    def stop(self) -> None:
        """Stop the thread. `finished` is not emitted."""
        if self._job is not None:
            self._job.cancel_and_wait()
            self._job = None

    def _finish(self, outcome: object) -> None:
        self._job = None
        if outcome is not None:
            self._malformed.update(formula_cache().missing_formulae(self._requested))
            log.warning("a formula cannot be typeset: %r", outcome)
        self.finished.emit(outcome)


@lru_cache(maxsize=128)  # 26 kB each; a card has about fifteen
def formula_picture(latex: str, color: str) -> Formula:
    """Return the typeset picture of a LaTeX formula in a color, `#rrggbb`."""
    svg = formula_cache().render(latex)
    match = VIEW_BOX.search(svg)
    assert match is not None, latex
    _, y, width, height = (float(number) / FONT_SIZE for number in match.groups())
    return Formula(svg.replace(PLACEHOLDER_COLOR, color), width, -y, height + y)

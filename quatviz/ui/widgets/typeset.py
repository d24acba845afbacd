"""Formulae as vector pictures, typeset once for all themes, sizes and starts."""

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
    """A picture with its extent about the base line [em]."""

    svg: str
    width: float
    ascent: float
    descent: float

    @cached_property
    def renderer(self) -> QSvgRenderer:
        """Made when the formula is first painted: a page has many, of which few are in sight."""
        return QSvgRenderer(QByteArray(self.svg.encode()))

    def paint(self, painter: QPainter, x: float, baseline: float, size: float) -> None:
        """Draw it in type of `size` pixels, from `x` on the base line at `baseline`."""
        height = (self.ascent + self.descent) * size
        self.renderer.render(painter, QRectF(x, baseline - self.ascent * size, self.width * size, height))


class Typesetter(QObject):
    """Typesets in a thread what the book lacks, one list of formulae after another."""

    finished = Signal(object)
    """All that can be is in the book: None, or the fault of the last formula that is malformed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: BackgroundJob | None = None
        self._requested: list[str] = []
        self._malformed: set[str] = set()

    @property
    def is_busy(self) -> bool:
        """Whether it has not ended yet."""
        return self._job is not None

    def start(self, formulae: Iterable[str]) -> bool:
        """Typeset these, and no others any more; false where all of them that can be are there already."""
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
        """Leave the rest; nobody is told."""
        if self._job is not None:
            self._job.cancel_and_wait()
            self._job = None

    def _finish(self, outcome: object) -> None:
        self._job = None
        if outcome is not None:
            self._malformed.update(formula_cache().missing_formulae(self._requested))
            log.warning("a formula cannot be typeset: %r", outcome)
        self.finished.emit(outcome)


@lru_cache(maxsize=128)  # 26 kB each; a card has some fifteen, and they are in the book
def formula_picture(latex: str, colour: str) -> Formula:
    """The picture of a LaTeX formula in a colour, `#rrggbb`."""
    svg = formula_cache().render(latex)
    match = VIEW_BOX.search(svg)
    assert match is not None, latex
    _, y, width, height = (float(number) / FONT_SIZE for number in match.groups())
    return Formula(svg.replace(PLACEHOLDER_COLOR, colour), width, -y, height + y)

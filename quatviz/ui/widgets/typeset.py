"""Formulae as vector pictures, typeset once for all themes, sizes and starts."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PySide6.QtCore import QByteArray, QObject, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

from quatviz.files.formula_cache import INK, SIZE, VIEW_BOX, book
from quatviz.ui.widgets.background_job import Job

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

    def paint(self, painter: QPainter, x: float, base: float, size: float) -> None:
        """Draw it in type of `size` pixels, from `x` on the base line at `base`."""
        height = (self.ascent + self.descent) * size
        self.renderer.render(painter, QRectF(x, base - self.ascent * size, self.width * size, height))


class Typesetting(QObject):
    """Typesets in a thread what the book lacks, one list of formulae after another."""

    ended = Signal(object)
    """All that can be is in the book: None, or the fault of the last formula that is malformed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._wanted: list[str] = []
        self._malformed: set[str] = set()

    @property
    def busy(self) -> bool:
        """Whether it has not ended yet."""
        return self._job is not None

    def begin(self, formulae: Iterable[str]) -> bool:
        """Typeset these, and no others any more; false where all of them that can be are there already."""
        self.stop()
        self._wanted = [latex for latex in book().lacks(formulae) if latex not in self._malformed]
        if self._wanted:
            self._job = Job(lambda told: book().draw_all(self._wanted, told), self, self._end)
        return bool(self._wanted)

    def stop(self) -> None:
        """Leave the rest; nobody is told."""
        if self._job is not None:
            self._job.shut_down()
            self._job = None

    def _end(self, outcome: object) -> None:
        self._job = None
        if outcome is not None:
            self._malformed.update(book().lacks(self._wanted))
            log.warning("a formula cannot be typeset: %r", outcome)
        self.ended.emit(outcome)


@lru_cache(maxsize=128)  # 26 kB each; a card has some fifteen, and they are in the book
def formula(latex: str, colour: str) -> Formula:
    """The picture of a LaTeX formula in a colour, `#rrggbb`."""
    svg = book().draw(latex)
    found = VIEW_BOX.search(svg)
    assert found is not None, latex
    _, y, width, height = (float(number) / SIZE for number in found.groups())
    return Formula(svg.replace(INK, colour), width, -y, height + y)

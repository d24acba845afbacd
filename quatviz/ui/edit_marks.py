"""Marks on the timeline where the cursor stood when a person changed what is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.core.preset import Preset
from quatviz.ui.editing import Editor
from quatviz.ui.theme import Theme
from quatviz.ui.timeline_marks import Place
from quatviz.ui.tr import tr

_HALF = 4.0


@dataclass(frozen=True)
class Edit:
    """The edits that were made with the cursor at one time [s], in words."""

    time: float
    words: tuple[str, ...]

    @property
    def last(self) -> float:
        return self.time

    @property
    def said(self) -> str:
        return tr("Edited at t = {time:g} s: {words}", time=self.time, words="; ".join(self.words))

    def draw(self, painter: QPainter, theme: Theme, x_of: Place, track: float) -> None:
        """An open diamond above the track."""
        x, y = x_of(self.time), track - _HALF - 5
        painter.setPen(QPen(QColor(theme.text), 1.5))
        painter.setBrush(QColor(theme.window))
        corners = [(0.0, -_HALF), (_HALF, 0.0), (0.0, _HALF), (-_HALF, 0.0)]
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))


def edits(editor: Editor) -> tuple[Edit, ...]:
    """The edits that led from the preset that was opened to what is shown, and are not undone. Events have flags."""
    words: dict[float, tuple[str, ...]] = {}
    for step in editor.steps:
        if step.before.preset.title != step.after.preset.title:
            words = {}
        elif _computed(step.before.preset) != _computed(step.after.preset):
            words[step.time] = (*words.get(step.time, ()), step.text())
    return tuple(Edit(time, words[time]) for time in sorted(words))


def _computed(preset: Preset) -> Preset:
    """What matters of a preset here: not what happens on the way, what lanes are called, or how fast it plays."""
    lanes = tuple(replace(lane, name=None) for lane in preset.lanes)
    return replace(preset, events=(), lanes=lanes, speed=1.0)

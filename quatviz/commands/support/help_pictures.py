"""Pictures of the help: runs of presets, drawn by the program itself, each with the words that it was made of.

`python -m quatviz.commands.support.help_pictures`, in a checkout with a display, draws all of them anew; a test tells
when one shows outdated names.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from quatviz.base import resources
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.display.view_state.theme import DARK
from quatviz.display.view_state.view_state import Look
from quatviz.export.figures.drawing import draw
from quatviz.export.figures.figure import figure_of_run
from quatviz.export.figures.paper import Paper
from quatviz.export.film.plan import FilmPlan
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.physics.formulations import lane_title
from quatviz.simulation.simulation import Simulation
from quatviz.ui.tools.export.frame_sources import take_of_run
from quatviz.ui.widgets.controls import within
from quatviz.ui.widgets.style import tabular
from quatviz.ui.window.offscreen import StagedWindow

FOLDER = "pictures"
MADE_OF = "Description"
"""Under which a picture's file says what it was made of."""
_WIDTH, _HEIGHT = 640, 400
"""Of a body in 3D, or of the window [pixels]."""
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_PAPER = Paper(110.0, None, "Inter", 7.0)
_DOTS = 150
"""To an inch of paper."""


@dataclass(frozen=True)
class Picture:
    """A run in 3D at a time [s], with more items than are seen at first, or, where there are panels, their figure."""

    name: str
    preset: str
    panels: Sequence[str] = ()
    items: Sequence[str] = ()
    time: float = 0.0
    parts: Sequence[str] = ()
    """Of the whole window, which is shown where they are named: side column, 3D view, plots, transport."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return resources.asset("help") / FOLDER / f"{self.name}.png"

    @property
    def words(self) -> str:
        """What it is made of, by the names of today."""
        preset = read_preset(find_preset(self.preset, resources.preset_folder()))
        shown = [PANELS[name].title for name in self.panels] + [ITEMS[name].title for name in self.items]
        lanes = [lane_title(lane.name) for lane in Simulation(preset)]
        return "; ".join((preset.title, *lanes, *shown, *self.parts, f"{self.time:g} s"))


PICTURES = (
    Picture(
        *("window", "gimbal_lock"),
        time=3.6,
        parts=(
            "presets, lanes, set-up,\nnumbers at the cursor",
            "3D view",
            "plots",
            "play, step, speed, loop, time, timeline with its cursor and marks",
        ),
    ),
    Picture("body", "torque_free", items=("polhode", "poinsot"), time=9.0),
    Picture("gimbals", "gimbal_lock", items=("gimbals",), time=4.6),
    Picture("stripes", "torque_free", panels=("euler_parameters",)),
    Picture("breaks", "gimbal_lock", panels=("euler_angles", "det_s")),
    Picture("multipliers", "six_lambdas", panels=("multiplier",)),
)


def make(picture: Picture, path: Path) -> None:
    """Write it there."""
    run = Simulation(read_preset(find_preset(picture.preset, resources.preset_folder())))
    run.complete()
    if picture.parts:
        image = _of_window(picture, run)
    elif picture.panels:
        figure = figure_of_run(run, (), panels=tuple(picture.panels), look=Look())
        image = QImage.fromData(draw(figure, _PAPER).written("png", _DOTS))
    else:
        look = replace(Look(theme=DARK.name), items=dict.fromkeys(picture.items, True))
        take = take_of_run(run, FilmPlan(_WIDTH, _HEIGHT, low=picture.time, high=picture.time), look)
        try:
            image = take.picture(picture.time)
        finally:
            take.close()
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    plain.setText(MADE_OF, picture.words)
    assert plain.save(str(path), quality=0), path


def _of_window(picture: Picture, run: Simulation) -> QImage:
    """The window, with a word on each of its parts."""
    plan = FilmPlan(_WIDTH, _HEIGHT, low=picture.time, high=picture.time)
    take = StagedWindow(run, plan, Look(theme=DARK.name))
    try:
        image, window = take.picture(picture.time), take.window
        parts = window.side, window.views, window.board, window.transport
        places = [QRect(part.mapTo(window, QPoint()), part.size()) for part in parts]
        ratio = image.width() / window.width()
    finally:
        take.close()
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(tabular(DARK, DARK.small, QFont.Weight.DemiBold))
        for words, place in zip(picture.parts, places, strict=True):
            low = place.bottom() - min(place.height() / 2, 90)
            box = (
                painter.fontMetrics()
                .boundingRect(QRect(0, 0, _WIDTH, _HEIGHT), _MIDDLE, words)
                .adjusted(-8, -3, 8, 3)
            )
            box.moveCenter((QPointF(place.center().x(), low) * ratio).toPoint())
            box = within(box, image.rect().adjusted(4, 4, -4, -4))
            painter.setPen(QPen(QColor(DARK.accent), 2))
            painter.setBrush(QColor(DARK.window))
            painter.drawRoundedRect(box, 6, 6)
            painter.setPen(QColor(DARK.text))
            painter.drawText(box, _MIDDLE, words)
    return image


def main() -> int:
    from quatviz.app import make_application

    make_application()
    for picture in PICTURES:
        picture.path.parent.mkdir(exist_ok=True)
        make(picture, picture.path)
        print(f"{picture.path.name}: {picture.path.stat().st_size / 1000:.0f} kB, {picture.words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

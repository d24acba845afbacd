"""Pictures of the help, drawn by the program from runs of presets. Each file contains a description of its content.

`python -m quatviz.commands.support.help_pictures`, in a checkout with a display, draws all of them. A test fails if a
picture shows outdated names.
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
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.figure import make_run_figure
from quatviz.export.figures.paper import Paper
from quatviz.export.film.plan import FilmPlan
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.physics.formulations import lane_title
from quatviz.simulation.simulation import Simulation
from quatviz.ui.tools.export.frame_sources import run_frame_source
from quatviz.ui.widgets.style import tabular_font
from quatviz.ui.widgets.windows import move_inside
from quatviz.ui.window.offscreen import OffscreenWindow

FOLDER = "pictures"
DESCRIPTION_KEY = "Description"
"""Key of the description in the metadata of a picture file."""
_WIDTH, _HEIGHT = 640, 400
"""Size of a picture of the 3D view or of the window [pixels]."""
_ALIGN_CENTER = Qt.AlignmentFlag.AlignCenter
_PAPER = Paper(110.0, None, "Inter", 7.0)
_DPI = 150
"""Resolution of figures [dots per inch]."""


@dataclass(frozen=True)
class HelpPicture:
    """A picture of a run: the 3D view at a time, a figure of panels, or the whole window."""

    name: str
    """Name of the file, without suffix."""
    preset: str
    panels: Sequence[str] = ()
    """Panels of a figure; () for a picture of the 3D view."""
    items: Sequence[str] = ()
    """Items of the 3D view that are shown in addition to the default ones."""
    time: float = 0.0
    """Time of the picture [s]."""
    parts: Sequence[str] = ()
    """Labels of the parts of the window: side column, 3D view, plots and transport. It is () unless the picture shows the
    whole window."""

    @property
    def path(self) -> Path:
        """Path of the picture file in the help folder."""
        return resources.asset_path("help") / FOLDER / f"{self.name}.png"

    @property
    def description(self) -> str:
        """Description of the content in words, with the current names of lanes and panels."""
        preset = read_preset(find_preset(self.preset, resources.preset_folder()))
        titles = [PANELS[name].title for name in self.panels] + [ITEMS[name].title for name in self.items]
        lanes = [lane_title(lane.name) for lane in Simulation(preset)]
        return "; ".join((preset.title, *lanes, *titles, *self.parts, f"{self.time:g} s"))


PICTURES = (
    HelpPicture(
        *("window", "gimbal_lock"),
        time=3.6,
        parts=(
            "presets, lanes, settings,\nnumbers at the cursor",
            "3D view",
            "plots",
            "play, step, speed, loop, time, timeline with its cursor and marks",
        ),
    ),
    HelpPicture("body", "torque_free", items=("polhode", "poinsot"), time=9.0),
    HelpPicture("gimbals", "gimbal_lock", items=("gimbals",), time=4.6),
    HelpPicture("stripes", "torque_free", panels=("euler_parameters",)),
    HelpPicture("breaks", "gimbal_lock", panels=("euler_angles", "det_s")),
    HelpPicture("multipliers", "six_lambdas", panels=("multiplier",)),
)


def draw_picture(picture: HelpPicture, path: Path) -> None:
    """Draw a picture and write it to a file."""
    run = Simulation(read_preset(find_preset(picture.preset, resources.preset_folder())))
    run.complete()
    if picture.parts:
        image = _draw_window(picture, run)
    elif picture.panels:
        figure = make_run_figure(run, (), panels=tuple(picture.panels), view_state=ViewState())
        image = QImage.fromData(draw_figure(figure, _PAPER).to_bytes("png", _DPI))
    else:
        look = replace(ViewState(theme=DARK.name), items=dict.fromkeys(picture.items, True))
        source = run_frame_source(run, FilmPlan(_WIDTH, _HEIGHT, low=picture.time, high=picture.time), look)
        try:
            image = source.render(picture.time)
        finally:
            source.close()
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    plain.setText(DESCRIPTION_KEY, picture.description)
    assert plain.save(str(path), quality=0), path


def _draw_window(picture: HelpPicture, run: Simulation) -> QImage:
    """Return a picture of the window with a label on each part."""
    plan = FilmPlan(_WIDTH, _HEIGHT, low=picture.time, high=picture.time)
    source = OffscreenWindow(run, plan, ViewState(theme=DARK.name))
    try:
        image, window = source.render(picture.time), source.window
        parts = window.side, window.views, window.board, window.transport
        rects = [QRect(part.mapTo(window, QPoint()), part.size()) for part in parts]
        ratio = image.width() / window.width()
    finally:
        source.close()
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(tabular_font(DARK, DARK.small, QFont.Weight.DemiBold))
        for label, rect in zip(picture.parts, rects, strict=True):
            label_y = rect.bottom() - min(rect.height() / 2, 90)
            box = (
                painter.fontMetrics()
                .boundingRect(QRect(0, 0, _WIDTH, _HEIGHT), _ALIGN_CENTER, label)
                .adjusted(-8, -3, 8, 3)
            )
            box.moveCenter((QPointF(rect.center().x(), label_y) * ratio).toPoint())
            box = move_inside(box, image.rect().adjusted(4, 4, -4, -4))
            painter.setPen(QPen(QColor(DARK.accent), 2))
            painter.setBrush(QColor(DARK.window))
            painter.drawRoundedRect(box, 6, 6)
            painter.setPen(QColor(DARK.text))
            painter.drawText(box, _ALIGN_CENTER, label)
    return image


def main() -> int:
    from quatviz.app import make_application

    make_application()
    for picture in PICTURES:
        picture.path.parent.mkdir(exist_ok=True)
        draw_picture(picture, picture.path)
        print(f"{picture.path.name}: {picture.path.stat().st_size / 1000:.0f} kB, {picture.description}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

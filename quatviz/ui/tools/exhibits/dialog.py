"""Dialog with the recomputed figures and tables of one example of a published paper."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from quatviz.base import resources
from quatviz.base.cancellation import Cancelled
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.table import Progress
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.ui.widgets.background_job import BackgroundJob
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import theme_of
from quatviz.ui.widgets.windows import Dialog, set_initial_size

PICTURE_WIDTH = 760
"""Width of the picture of a figure or table [pixels at 100 %]."""
_PICTURE_MARGINS = 64
"""Difference between the width of the dialog and the width of its pictures [pixels]."""
_MM_PER_INCH = 25.4
_INTRODUCTION = (
    "Shivarama and Fahrenthold (2004), Hamilton's equations with Euler parameters. All curves and numbers are computed now; "
    "the paper gives the captions and the printed values."
)


class ExhibitPicture(NamedTuple):
    """Picture of a figure or table of the paper, with its caption."""

    title: str
    caption: str
    image: QImage


class ExhibitPictures(NamedTuple):
    """Pictures of one preset, and the titles of all presets that have pictures, by preset name."""

    preset: str
    preset_titles: dict[str, str]
    pictures: list[ExhibitPicture]


class ExhibitDialog(Dialog):
    """Dialog with all figures and tables of one example of the paper. A choice box selects another example."""

    def __init__(self, preset_name: str, write_files: Callable[[], object], parent: QWidget) -> None:
        super().__init__(tr("Figures and tables of Shivarama and Fahrenthold (2004)"), parent)
        self._job: BackgroundJob | None = None
        self.preset_box = ChoiceBox({})
        self.preset_box.setAccessibleName(tr("Example"))
        self.preset_box.chosen.connect(lambda name: self._start(str(name)))
        self.status = label("muted", word_wrap=False)
        self.pictures = QScrollArea()
        self.pictures.setFrameShape(QFrame.Shape.NoFrame)
        self.pictures.setWidgetResizable(True)
        self.pictures.setAccessibleName(tr("Figures and tables"))
        save = Button(tr("Write files…"), write_files)
        buttons = row((self.status, 1), save, Button(tr("Close"), self.accept))
        choice = row(label("", tr("Example"), word_wrap=False), (self.preset_box, 1))
        self.setLayout(
            column(label("", tr(_INTRODUCTION)), choice, (self.pictures, 1), buttons, margins=2 * GRID_UNIT)
        )
        set_initial_size(self, PICTURE_WIDTH + _PICTURE_MARGINS, 760)
        self._start(preset_name)

    @property
    def is_busy(self) -> bool:
        """True while pictures are computed."""
        return self._job is not None

    def done(self, result: int) -> None:
        self.shutdown()
        super().done(result)

    def shutdown(self) -> None:
        """Cancel the computation."""
        if self._job is not None:
            self._job.cancel_and_wait()
            self._job = None

    def _start(self, preset_name: str) -> None:
        self.shutdown()
        self.status.setText(tr("Computing …"))
        width = min(theme_of(self).scaled_pixels(PICTURE_WIDTH), self.width() - _PICTURE_MARGINS)
        pixels = width * self.devicePixelRatioF()
        self._job = BackgroundJob(partial(render_exhibits, preset_name, pixels), self, self._finish)

    def _finish(self, outcome: object) -> None:
        self._job = None
        if isinstance(outcome, Cancelled):
            return
        if not isinstance(outcome, ExhibitPictures):
            self.status.setText(tr("The figures could not be computed: {reason}", reason=outcome))
            return
        self.preset_box.set_choices({name: tr(title) for name, title in outcome.preset_titles.items()})
        self.preset_box.show_value(outcome.preset)
        self.pictures.setWidget(self._make_page(outcome.pictures))
        self.status.setText("")

    def _make_page(self, pictures: list[ExhibitPicture]) -> QWidget:
        """Return a widget with the pictures one below the other."""
        page, labels = QWidget(), []
        for picture in pictures:
            picture_label = label()
            pixmap = QPixmap.fromImage(picture.image)
            pixmap.setDevicePixelRatio(self.devicePixelRatioF())
            picture_label.setPixmap(pixmap)
            picture_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            picture_label.setAccessibleName(f"{picture.title}: {picture.caption}")
            labels.append(picture_label)
        page.setLayout(column(*labels, gap=2 * GRID_UNIT))
        return page


def render_exhibits(preset_name: str, pixels: float, progress: Progress) -> ExhibitPictures:
    """Compute and draw the figures and tables of a preset, or of the first example if the preset has none.

    Parameters
    ----------
    preset_name
        Name of a shipped preset.
    pixels
        Width of each picture.
    progress
        Called with the finished share. It raises an exception to cancel.
    """
    # Imported here, in the worker thread, because matplotlib takes half a second to import.
    from quatviz.export.documents import EXHIBITS
    from quatviz.export.exhibit_writer import compute_run
    from quatviz.export.figures.paper import Paper

    exhibits = [exhibit_class() for exhibit_class in EXHIBITS.values()]
    names = list(dict.fromkeys(exhibit.run_settings.preset for exhibit in exhibits))
    chosen_name = preset_name if preset_name in names else names[0]
    titles = {name: read_preset(find_preset(name, resources.preset_folder())).title or name for name in names}
    chosen = [exhibit for exhibit in exhibits if exhibit.run_settings.preset == chosen_name]
    paper, runs, pictures = Paper(), {}, []
    for number, exhibit in enumerate(chosen):
        share = partial(_part_of, progress, number / len(chosen), 1.0 / len(chosen))
        share(0.0)
        case = exhibit.run_settings
        if case not in runs:
            runs[case] = compute_run(case, share)
        (lane,) = runs[case]
        data = exhibit.figure(lane, paper).to_bytes("png", pixels / paper.width * _MM_PER_INCH)
        pictures.append(ExhibitPicture(exhibit.title, exhibit.caption, QImage.fromData(data)))
    return ExhibitPictures(chosen_name, titles, pictures)


def _part_of(progress: Progress, start: float, length: float, share: float) -> None:
    """Report the progress of the whole work to `progress`, given the progress of one part.

    The part covers the fractions from `start` to `start + length` of the work, and its fraction `share` is done.
    """
    progress(start + length * share)

"""Dialog that exports a panel, the whole board or the 3D view as a figure."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QMimeData
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.figures.figure import MakeFigurePicture
from quatviz.export.table import Progress
from quatviz.files.files import replace_atomically
from quatviz.ui.tools.export.dialog import ExportDialog, read_number
from quatviz.ui.tools.export.exporter import WHOLE_BOARD, Exporter
from quatviz.ui.tools.export.preview import PREVIEW_SIZE, Preview, SketchFunction
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.layouts import make_form_layout, row
from quatviz.ui.widgets.scrub_slider import number_entry

if TYPE_CHECKING:
    from quatviz.export.figures.paper import Paper

VIEW = "3D view"
DOTS_PER_INCH, _MM_PER_INCH = 300, 25.4
PNG: Any = "PNG"  # the stub of `QImage.fromData` asks for bytes, which the method refuses
"""Explicit format for `QImage.fromData`. Without it, the rendering thread would load every image plugin of Qt under a lock."""
_FORMAT_TITLES: dict[object, str] = {
    "pdf": "PDF, vectors",
    "svg": "SVG, vectors",
    "png": "PNG, 300 dpi",
}
_FONT_TITLES: dict[object, str] = {
    "Inter": "Inter, sans",
    "STIXGeneral": "STIX (like Times)",
    "DejaVu Sans": "DejaVu Sans",
}
_CHOICE_LETTERS = 12
"""Width of the choice boxes of the dialog [characters]."""


class FigureDialog(ExportDialog):
    """Dialog that exports a figure. A preview is shown beside the settings."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a figure"), tr("Export…"))
        self.subject_box = ChoiceBox({WHOLE_BOARD: tr("All panels"), VIEW: tr("3D view")})
        self.width_ = number_entry("180", tr("Width, mm"), 20.0, 400.0)
        self.height_ = number_entry("", tr("Height, mm"), 20.0, 400.0)
        self.size_ = number_entry("8", tr("Type size, pt"), 4.0, 24.0)
        self.font_, self.format = (
            ChoiceBox({value: tr(text) for value, text in titles.items()}, min_characters=_CHOICE_LETTERS)
            for titles in (_FONT_TITLES, _FORMAT_TITLES)
        )
        self.copy_button = Button(tr("Copy as picture"), lambda: self.attempt(self.copy_picture))
        self.height_.setPlaceholderText(tr("automatic"))
        form = make_form_layout(
            {
                tr("Contents"): self.subject_box,
                tr("Width, mm"): self.width_,
                tr("Height, mm"): self.height_,
                tr("Type size, pt"): self.size_,
                tr("Typeface"): self.font_,
                tr("Format"): self.format,
            }
        )
        self.preview = Preview(self._make_sketch)
        self.subject_box.chosen.connect(lambda _: self._enable_fields())
        for choice in (self.subject_box, self.font_):
            choice.chosen.connect(lambda _: self.preview.invalidate())
        for entry in (self.width_, self.height_, self.size_):
            entry.textChanged.connect(lambda _: self.preview.invalidate())
        self.lay_out(row((form, 1), self.preview, gap=2 * GRID_UNIT), extras=[self.copy_button], width=372)

    def offer(self, panel: str) -> None:
        super().offer(panel)
        self.subject_box.set_choices(
            {WHOLE_BOARD: tr("All panels"), **self.exporter.panel_titles, VIEW: tr("3D view")}
        )
        self.subject_box.show_value(panel)
        self._enable_fields()
        self.preview.invalidate()

    def shutdown(self) -> None:
        self.preview.shutdown()
        super().shutdown()

    def changeEvent(self, event: QEvent) -> None:
        """Update the preview when the dialog is activated, because the run or view in the main window may have changed."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.preview.invalidate()

    def choose_path(self) -> Path | None:
        suffix, subject = str(self.format.value), str(self.subject_box.value)
        self.paper()
        titles = {WHOLE_BOARD: tr("plots"), VIEW: tr("3D view"), **self.exporter.panel_titles}
        name = self.exporter.suggested_name(titles[subject])
        return self.ask_file(name, f".{suffix}", suffix.upper())

    def paper(self) -> "Paper":
        """Return the size and font that the user has chosen for the figure. Raise `InputError` if they are invalid."""
        from quatviz.export.figures.paper import Paper

        height = (
            read_number(self.height_, "the figure's height", "mm") if self.height_.text().strip() else None
        )
        return Paper(
            read_number(self.width_, "the figure's width", "mm"),
            height,
            str(self.font_.value),
            read_number(self.size_, "the type's size", "pt"),
        )

    def write(self, path: Path) -> None:
        """Write the figure to `path`; plots are drawn by matplotlib in a thread."""
        paper, subject = self.paper(), str(self.subject_box.value)
        if subject == VIEW:
            image = self.exporter.view_image(_pixels(paper))
            with replace_atomically(path) as fresh:
                if not image.save(str(fresh)):
                    raise OSError("the picture could not be written")
            self.show_status(
                tr(
                    "Written to {path}, {width} by {height} pixels",
                    path=path,
                    width=image.width(),
                    height=image.height(),
                )
            )
        else:
            figure = self.exporter.describe_figure(subject)
            self.start_job(
                lambda progress: (
                    _drawing_module().draw_with_progress(figure, paper, progress).save(path, progress)
                ),
                lambda _: tr("Written to {path}", path=path),
            )

    def copy_picture(self) -> None:
        """Copy the figure to the clipboard as a PNG image. A plot is also copied as SVG."""
        paper, subject = self.paper(), str(self.subject_box.value)
        if subject == VIEW:
            _copy_to_clipboard(self.exporter.view_image(_pixels(paper)), b"")
            self.show_status(tr("Copied the picture"))
        else:
            figure = self.exporter.describe_figure(subject)
            self.start_job(
                lambda progress: _drawing_module().render_png_and_svg(figure, paper, progress), _copy_rendered
            )

    def _make_sketch(self) -> SketchFunction | QImage:
        """Return the preview image of the 3D view, or for plots a function that draws the preview in a thread."""
        paper, subject = self.paper(), str(self.subject_box.value)
        if subject == VIEW:
            return self.exporter.view_image(PREVIEW_SIZE.width())
        return partial(_render_sketch, self.exporter.describe_figure(subject), paper)

    def _enable_fields(self) -> None:
        """Enable the fields that apply to the chosen figure. Format, height, type size and font do not apply
        to the 3D view."""
        is_view = self.subject_box.value == VIEW
        if is_view:
            self.format.show_value("png")
        for field in (self.format, self.height_, self.size_, self.font_):
            field.setEnabled(not is_view)


def _pixels(paper: "Paper") -> int:
    return round(paper.width / _MM_PER_INCH * DOTS_PER_INCH)


def _drawing_module() -> Any:
    """Import and return the module that draws with matplotlib. It is imported when the first figure is drawn."""
    from quatviz.export.figures import drawing

    return drawing


def _render_sketch(described: MakeFigurePicture, paper: "Paper", progress: Progress) -> QImage:
    """Return a preview of a figure at twice the displayed resolution, so that thin lines keep their weight when it is scaled."""
    figure = _drawing_module().draw_with_progress(described, paper, progress)
    return QImage.fromData(figure.to_bytes("png", 2 * PREVIEW_SIZE.width() / paper.width * _MM_PER_INCH), PNG)


def _copy_rendered(rendered: object) -> str:
    """Copy a rendered figure to the clipboard, and return the status text."""
    assert isinstance(rendered, tuple)
    _copy_to_clipboard(QImage.fromData(rendered[0], PNG), rendered[1])
    return tr("Copied the figure as PNG and SVG")


def _copy_to_clipboard(image: QImage, svg: bytes) -> None:
    data = QMimeData()
    data.setImageData(image)
    if svg:
        data.setData("image/svg+xml", svg)
    QGuiApplication.clipboard().setMimeData(data)

"""The dialog that exports a panel, the whole board or the 3D view as a figure."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QMimeData
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.export.figures.figure import Described
from quatviz.export.table import Progress
from quatviz.files.files import replacing
from quatviz.ui.tools.export.dialog import ExportDialog, number
from quatviz.ui.tools.export.exporter import BOARD, Exporter
from quatviz.ui.tools.export.preview import SIZE, Preview, Sketch
from quatviz.ui.widgets.controls import Button, ChoiceBox, form_of, row
from quatviz.ui.widgets.scrub_slider import number_entry

if TYPE_CHECKING:
    from quatviz.export.figures.paper import Paper

VIEW = "3D view"
DOTS_PER_INCH, _MM_PER_INCH = 300, 25.4
_FORMATS: dict[object, str] = {
    "pdf": "PDF, vectors",
    "svg": "SVG, vectors",
    "png": "PNG, 300 dots to the inch",
}
_FONTS: dict[object, str] = {
    "Inter": "Inter, sans",
    "STIXGeneral": "STIX, as Times",
    "DejaVu Sans": "DejaVu Sans",
}


class FigureDialog(ExportDialog):
    """With a picture of what will be written beside what is chosen."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a figure"), tr("Export…"))
        self.what = ChoiceBox({BOARD: tr("Whole board"), VIEW: tr("3D view")})
        self.width_ = number_entry("180", tr("Width, mm"), 20.0, 400.0)
        self.height_ = number_entry("", tr("Height, mm"), 20.0, 400.0)
        self.size_ = number_entry("8", tr("Type size, pt"), 4.0, 24.0)
        self.font_ = ChoiceBox({family: tr(text) for family, text in _FONTS.items()})
        self.format = ChoiceBox({kind: tr(text) for kind, text in _FORMATS.items()})
        self.copy = Button(tr("Copy as picture"), lambda: self.attempt(self.copy_picture))
        self.height_.setPlaceholderText(tr("as needed"))
        form = form_of(
            {
                tr("Figure of"): self.what,
                tr("Width, mm"): self.width_,
                tr("Height, mm"): self.height_,
                tr("Type size, pt"): self.size_,
                tr("Typeface"): self.font_,
                tr("Format"): self.format,
            }
        )
        self.preview = Preview(self._sketch)
        self.what.chosen.connect(lambda _: self._fit_fields())
        for choice in (self.what, self.font_):
            choice.chosen.connect(lambda _: self.preview.renew())
        for entry in (self.width_, self.height_, self.size_):
            entry.textChanged.connect(lambda _: self.preview.renew())
        self.lay_out(row((form, 1), self.preview, gap=2 * UNIT), extras=[self.copy], width=372)

    def offer(self, panel: str) -> None:
        super().offer(panel)
        self.what.offer({BOARD: tr("Whole board"), **self.exporter.panel_titles, VIEW: tr("3D view")})
        self.what.show_value(panel)
        self._fit_fields()
        self.preview.renew()

    def shut_down(self) -> None:
        self.preview.shut_down()
        super().shut_down()

    def changeEvent(self, event: QEvent) -> None:
        """Whoever comes back to the dialog may have changed in the window what it exports."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.preview.renew()

    def place(self) -> Path | None:
        kind = str(self.format.value)
        self.paper()
        return self.ask(self.exporter.file_name(str(self.what.value)), f".{kind}", kind.upper())

    def paper(self) -> "Paper":
        """The size and type that are chosen; an `InputError` where they make no sense."""
        from quatviz.export.figures.paper import Paper

        height = number(self.height_, "the figure's height", "mm") if self.height_.text().strip() else None
        return Paper(
            number(self.width_, "the figure's width", "mm"),
            height,
            str(self.font_.value),
            number(self.size_, "the type's size", "pt"),
        )

    def write(self, path: Path) -> None:
        """Write what is chosen to `path`, in a thread where it is drawn by matplotlib."""
        paper, what = self.paper(), str(self.what.value)
        if what == VIEW:
            image = self.exporter.view_image(_pixels(paper))
            with replacing(path) as fresh:
                if not image.save(str(fresh)):
                    raise OSError("the picture could not be written")
            self.say(
                tr(
                    "Written to {path}, {width} by {height} pixels",
                    path=path,
                    width=image.width(),
                    height=image.height(),
                )
            )
        else:
            figure = self.exporter.figure_of(what)
            self.begin(
                lambda progress: _drawing().drawn(figure, paper, progress).save(path, progress),
                lambda _: tr("Written to {path}", path=path),
            )

    def copy_picture(self) -> None:
        """Put what is chosen on the clipboard, as PNG and, where it is a plot, as SVG."""
        paper, what = self.paper(), str(self.what.value)
        if what == VIEW:
            _to_clipboard(self.exporter.view_image(_pixels(paper)), b"")
            self.say(tr("Copied"))
        else:
            figure = self.exporter.figure_of(what)
            self.begin(lambda progress: _drawing().rendered(figure, paper, progress), _copied)

    def _sketch(self) -> Sketch | QImage:
        """What the preview is to draw."""
        paper, what = self.paper(), str(self.what.value)
        if what == VIEW:
            return self.exporter.view_image(SIZE.width())
        return partial(_sketched, self.exporter.figure_of(what), paper)

    def _fit_fields(self) -> None:
        """The 3D view is a picture in its own proportions."""
        view = self.what.value == VIEW
        if view:
            self.format.show_value("png")
        for field in (self.format, self.height_, self.size_, self.font_):
            field.setEnabled(not view)


def _pixels(paper: "Paper") -> int:
    return round(paper.width / _MM_PER_INCH * DOTS_PER_INCH)


def _drawing() -> Any:
    """What draws with matplotlib, which is loaded when the first figure is."""
    from quatviz.export.figures import drawing

    return drawing


def _sketched(described: Described, paper: "Paper", progress: Progress) -> QImage:
    """A figure, coarsely: twice as fine as it is shown, for thin lines keep their weight when it is scaled."""
    figure = _drawing().drawn(described, paper, progress)
    return QImage.fromData(figure.written("png", 2 * SIZE.width() / paper.width * _MM_PER_INCH))


def _copied(made: object) -> str:
    """Put a rendered figure on the clipboard, and say so."""
    assert isinstance(made, tuple)
    _to_clipboard(QImage.fromData(made[0]), made[1])
    return tr("Copied as PNG and SVG")


def _to_clipboard(image: QImage, svg: bytes) -> None:
    data = QMimeData()
    data.setImageData(image)
    if svg:
        data.setData("image/svg+xml", svg)
    QGuiApplication.clipboard().setMimeData(data)

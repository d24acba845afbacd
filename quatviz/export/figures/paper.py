"""Paper of a figure: its size and font, the print style, and files that are identical for identical figures."""

import io
import logging
import textwrap
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib import font_manager, rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.table import Progress, ignore_progress
from quatviz.files.files import checked_extension, replace_atomically

FORMATS = ("pdf", "svg", "png")
FONT_FAMILIES = {"Inter": "Inter", "Serif (STIX)": "STIXGeneral", "Sans (DejaVu)": "DejaVu Sans"}
"""Names of the fonts in matplotlib by displayed title. Every installation has these fonts."""
TEXT_COLOR = LIGHT.text
"""Color of text in print, as in the light theme."""
MUTED_COLOR, GRID_COLOR = "#5a6474", "#cfd5df"
EDGE_MARGIN = 0.6
"""Margin at the edges of a figure [ems]."""
DOTS_PER_INCH = 300
MILLIMETRE = 1.0 / 25.4
MAX_SIZE = 1200.0
_STYLE_LOCK = threading.RLock()


@dataclass(frozen=True)
class Paper:
    """Size [mm] and font of a figure. If `height` is None, the height follows from the number of plots."""

    width: float = 180.0
    height: float | None = None
    font: str = "Inter"
    size: float = 8.0
    """Font size of normal text [points]. Other font sizes are relative to it."""
    strip: float = 7.5
    """Height [ems] of a plot of normal size if `height` is None."""

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("width", self.width, 40.0, MAX_SIZE),
            ("height", self.height, 20.0, MAX_SIZE),
            ("size", self.size, 4.0, 36.0),
        ):
            if value is not None and not least <= value <= most:
                unit = "pt" if name == "size" else "mm"
                raise InputError(
                    phrase("the figure's {name}", name=phrase(name)),
                    expected=phrase("{least:g} to {most:g} {unit}", least=least, most=most, unit=unit),
                    found=f"{value:g} {unit}",
                    remedy="give it in points" if unit == "pt" else "give it in millimeters",
                    key=name,
                )
        if self.font not in (known := {*FONT_FAMILIES.values(), *font_manager.get_font_names()}):
            raise InputError(
                "the figure's font", expected="a font that is installed", found=repr(self.font),
                remedy=suggest_name(self.font, known, otherwise="leave it out"), key="font", topic="errors#figures",
            )  # fmt: skip


@contextmanager
def print_style(paper: Paper) -> Iterator[None]:
    """Apply the print style: dark on white, thin axes, embedded fonts.

    The settings of matplotlib are global. Therefore, only one thread at a time can be inside the context.
    """
    with _STYLE_LOCK, _apply_style(paper):
        yield


@contextmanager
def _apply_style(paper: Paper) -> Iterator[None]:
    for name in ("Regular", "SemiBold"):
        font_manager.fontManager.addfont(resources.asset_path(f"fonts/Inter-{name}.otf"))
    quiet = logging.getLogger("matplotlib.font_manager")
    before = quiet.level
    quiet.setLevel(logging.ERROR)  # fonts differ in their available weights; the nearest one is used
    try:
        with rc_context(rc_settings(paper)):
            yield
    finally:
        quiet.setLevel(before)


def rc_settings(paper: Paper) -> Any:
    """Return the settings of the print style for matplotlib (rcParams). If a font lacks a glyph, the next font in the
    list is used."""
    hair = 0.07 * paper.size
    return {
        "font.family": [paper.font, *(font for font in ("Inter", "DejaVu Sans") if font != paper.font)],
        "font.size": paper.size,
        "axes.edgecolor": MUTED_COLOR,
        "axes.linewidth": hair,
        "axes.labelcolor": TEXT_COLOR,
        "axes.titlecolor": TEXT_COLOR,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.facecolor": "white",
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
        "text.color": TEXT_COLOR,
        "text.usetex": False,
        "text.parse_math": False,
        "grid.color": GRID_COLOR,
        "grid.linewidth": 0.7 * hair,
        "xtick.color": MUTED_COLOR,
        "ytick.color": MUTED_COLOR,
        "xtick.labelcolor": TEXT_COLOR,
        "ytick.labelcolor": TEXT_COLOR,
        "xtick.major.width": hair,
        "ytick.major.width": hair,
        "lines.linewidth": 1.0,
        "path.simplify": True,
        "path.simplify_threshold": 0.1,
        "pdf.fonttype": 42
        if paper.font != "Inter"
        else 3,  # font type 42 does not support the outlines of Inter
        "svg.fonttype": "path",
        "svg.hashsalt": "quatviz",
        "savefig.dpi": DOTS_PER_INCH,
    }


class PrintFigure(Figure):
    """A matplotlib figure that is always shown and saved in the print style.

    `width_ems` and `height_ems` are its size in ems of the font of the paper. Positions of texts and lines are in
    ems from the top left. Create the figure and draw in it within the context `print_style`.

    Parameters
    ----------
    paper
        Size and font.
    title
        Title in the metadata of the files.
    **settings
        Arguments of `matplotlib.figure.Figure`.
    """

    def __init__(self, paper: Paper, title: str = "", **settings: Any) -> None:
        self.em = paper.size / 72.0
        super().__init__(figsize=(paper.width * MILLIMETRE, self.em), **settings)
        self.paper, self.title = paper, title
        self.width_ems, self.height_ems = paper.width * MILLIMETRE / self.em, 1.0
        self._ruler = FigureCanvasAgg(Figure(dpi=72))

    def set_height_ems(self, ems: float) -> None:
        """Set the height [ems]. Call this before anything is drawn."""
        self.height_ems = ems
        self.set_size_inches(self.width_ems * self.em, ems * self.em)

    def text_width(self, text: str, relative_size: float, bold: bool = False) -> float:
        """Return the width [ems] of a text whose font size is `relative_size` times the normal size."""
        style: Any = {"weight": "semibold"} if bold else {}
        made = self._ruler.figure.text(0.0, 0.0, text, size=relative_size * self.paper.size, **style)
        wide = made.get_window_extent(self._ruler.get_renderer()).width
        made.remove()
        return wide / self.paper.size

    def wrap(self, text: str, part: float, share: float = 1.0) -> list[str]:
        """Wrap a text to the fraction `share` of the width of the figure. `part` is the font size of the text, relative
        to the normal size."""
        letters = max(int((self.width_ems - 2 * EDGE_MARGIN) / self.text_width("n" * 100, part) * 115), 20)
        return textwrap.wrap(text, int(letters * share))

    def add_text(self, x: float, y: float, text: str, relative_size: float = 1.0, **style: Any) -> None:
        """Add a text whose top left corner is at `x`, `y` [ems].

        `relative_size` is the font size relative to the normal size. The keyword `ha` selects another horizontal alignment.
        """
        position = x / self.width_ems, 1.0 - y / self.height_ems
        self.text(*position, text, size=relative_size * self.paper.size, va="top", **{"ha": "left", **style})

    def add_rule(self, x: Sequence[float], y: float, weight: float, **style: Any) -> None:
        """Add a horizontal line through the points `x` [ems] at the height `y` [ems]. Its thickness is `weight` / 8 of
        the font size."""
        level = [1.0 - y / self.height_ems] * len(x)
        width = weight * self.paper.size / 8
        self.add_artist(
            Line2D([x_position / self.width_ems for x_position in x], level, linewidth=width, **style)
        )

    def add_axes_at(self, x: float, y: float, width: float, height: float) -> Axes:
        """Add axes at the position of their top left corner, with this size [ems]."""
        box = (
            x / self.width_ems,
            1.0 - (y + height) / self.height_ems,
            width / self.width_ems,
            height / self.height_ems,
        )
        return self.add_axes(box)

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """Save the figure in the print style. The arguments are those of matplotlib's `Figure.savefig`."""
        with print_style(self.paper):
            super().savefig(fname, **kwargs)

    def to_bytes(self, file_format: str, dots_per_inch: float = DOTS_PER_INCH) -> bytes:
        """Return the content of a file with the figure, in one of `FORMATS`. `dots_per_inch` applies to PNG."""
        with io.BytesIO() as stream:
            self.savefig(
                stream, format=file_format, dpi=dots_per_inch, metadata=file_metadata(file_format, self.title)
            )
            return stream.getvalue()

    def save(self, path: str | Path, progress: Progress = ignore_progress) -> None:
        """Save the figure to `path` atomically, in the format given by the suffix.

        Equal figures give identical files, since files contain no date.

        Raises
        ------
        InputError
            If the suffix is unknown or the file cannot be written.
        """
        file_format = refuse_figure(path)
        with replace_atomically(path) as fresh:
            fresh.write_bytes(self.to_bytes(file_format))
            progress(0.95)  # here `progress` can cancel for the last time, before the old file is replaced

    def _repr_png_(self) -> bytes:
        return self.to_bytes("png", DOTS_PER_INCH / 2)


def refuse_figure(path: str | Path) -> str:
    """Return the file format for the suffix of `path`.

    Raises
    ------
    InputError
        If the suffix is unknown.
    """
    return checked_extension(path, [f".{file_format}" for file_format in FORMATS], "figure.pdf")[1:]


def file_metadata(file_format: str, title: str) -> dict[str, Any]:
    """Return the metadata of a file, with the title and without a date."""
    if file_format == "svg":
        return {"Title": title, "Date": None, "Creator": "quatviz"}
    if file_format == "pdf":
        return {"Title": title, "CreationDate": None, "Creator": "quatviz"}
    return {"Title": title, "Software": "quatviz"}

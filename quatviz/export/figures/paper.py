"""The paper of a figure: size and font, style of print, and reproducible files."""

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
from quatviz.files.files import refuse_ending, replace_atomically

FORMATS = ("pdf", "svg", "png")
FONT_FAMILIES = {"Inter": "Inter", "Serif (STIX)": "STIXGeneral", "Sans (DejaVu)": "DejaVu Sans"}
"""Fonts that every installation has, by their titles."""
TEXT_COLOR = LIGHT.text
"""Color of text in print, from the light theme."""
MUTED_COLOR, GRID_COLOR = "#5a6474", "#cfd5df"
EDGE_MARGIN = 0.6
"""Margin of a figure [ems]."""
DOTS_PER_INCH = 300
MILLIMETRE = 1.0 / 25.4
MAX_SIZE = 1200.0
_STYLE_LOCK = threading.RLock()


@dataclass(frozen=True)
class Paper:
    """Size [mm] and font of a figure. With `height` None, it is as high as its strips need."""

    width: float = 180.0
    height: float | None = None
    font: str = "Inter"
    size: float = 8.0
    """Font size of normal text [points]. Other sizes are relative to it."""
    strip: float = 7.5
    """Height of a normal strip [ems] if `height` is None."""

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
    """Apply the style of print: dark on white, thin axes, embedded fonts.

    Matplotlib's settings are global, so that only one thread can be inside at a time.
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
    """Return matplotlib's settings. Glyphs that a font lacks are taken from the next one."""
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
        "pdf.fonttype": 42 if paper.font != "Inter" else 3,  # font type 42 cannot hold Inter's outlines
        "svg.fonttype": "path",
        "svg.hashsalt": "quatviz",
        "savefig.dpi": DOTS_PER_INCH,
    }


class PrintFigure(Figure):
    """A matplotlib figure that keeps the style of print wherever it is shown and saved.

    `width_ems` and `height_ems` are its size in ems of the paper's font. Positions of texts and lines are in ems from
    the top left. Create it and draw in it inside `print_style`.

    Parameters
    ----------
    paper
        Size and font.
    title
        Title in the metadata of its files.
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
        """Set the height [ems]. Call it before anything is drawn."""
        self.height_ems = ems
        self.set_size_inches(self.width_ems * self.em, ems * self.em)

    def text_width(self, text: str, relative_size: float, bold: bool = False) -> float:
        """Return the width of a text [ems] in a relative font size."""
        style: Any = {"weight": "semibold"} if bold else {}
        made = self._ruler.figure.text(0.0, 0.0, text, size=relative_size * self.paper.size, **style)
        wide = made.get_window_extent(self._ruler.get_renderer()).width
        made.remove()
        return wide / self.paper.size

    def wrap(self, text: str, part: float, share: float = 1.0) -> list[str]:
        """Wrap a text to a fraction of the figure's width."""
        letters = max(int((self.width_ems - 2 * EDGE_MARGIN) / self.text_width("n" * 100, part) * 115), 20)
        return textwrap.wrap(text, int(letters * share))

    def add_text(self, x: float, y: float, text: str, relative_size: float = 1.0, **style: Any) -> None:
        """Add a text in a relative font size, with its top left (or as `ha` says) at this position."""
        position = x / self.width_ems, 1.0 - y / self.height_ems
        self.text(*position, text, size=relative_size * self.paper.size, va="top", **{"ha": "left", **style})

    def add_rule(self, x: Sequence[float], y: float, weight: float, **style: Any) -> None:
        """Add horizontal line segments through the points `x`, `weight` eighths of a font point thick."""
        level = [1.0 - y / self.height_ems] * len(x)
        width = weight * self.paper.size / 8
        self.add_artist(
            Line2D([x_position / self.width_ems for x_position in x], level, linewidth=width, **style)
        )

    def add_axes_at(self, x: float, y: float, width: float, height: float) -> Axes:
        """Add axes with this top left corner and size [ems]."""
        box = (
            x / self.width_ems,
            1.0 - (y + height) / self.height_ems,
            width / self.width_ems,
            height / self.height_ems,
        )
        return self.add_axes(box)

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """Save the figure like matplotlib, in the style of print."""
        with print_style(self.paper):
            super().savefig(fname, **kwargs)

    def to_bytes(self, file_format: str, dots_per_inch: float = DOTS_PER_INCH) -> bytes:
        """Return the figure as a file of one of `FORMATS`. `dots_per_inch` applies to PNG."""
        with io.BytesIO() as stream:
            self.savefig(
                stream, format=file_format, dpi=dots_per_inch, metadata=file_metadata(file_format, self.title)
            )
            return stream.getvalue()

    def save(self, path: str | Path, progress: Progress = ignore_progress) -> None:
        """Save the figure in the format given by the suffix of `path`, complete or not at all.

        Equal figures give equal bytes, since files contain no date.

        Raises
        ------
        InputError
            If the suffix is unknown or the file cannot be written.
        """
        file_format = refuse_figure(path)
        with replace_atomically(path) as fresh:
            fresh.write_bytes(self.to_bytes(file_format))
            progress(0.95)  # last chance for `progress` to cancel and keep the old file

    def _repr_png_(self) -> bytes:
        return self.to_bytes("png", DOTS_PER_INCH / 2)


def refuse_figure(path: str | Path) -> str:
    """Return the format given by the suffix of `path`.

    Raises
    ------
    InputError
        If the suffix is unknown.
    """
    return refuse_ending(path, [f".{file_format}" for file_format in FORMATS], "figure.pdf")[1:]


def file_metadata(file_format: str, title: str) -> dict[str, Any]:
    """Return metadata with the title and without a date."""
    if file_format == "svg":
        return {"Title": title, "Date": None, "Creator": "quatviz"}
    if file_format == "pdf":
        return {"Title": title, "CreationDate": None, "Creator": "quatviz"}
    return {"Title": title, "Software": "quatviz"}

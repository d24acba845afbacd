"""The sheet a figure is drawn on, and how it is written: size, typeface, and files that do not change from run to run."""

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
from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import suggest_name
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.table import Progress, ignore_progress
from quatviz.files.files import refuse_ending, replace_atomically

FORMATS = ("pdf", "svg", "png")
FONT_FAMILIES = {"Inter": "Inter", "Serif (STIX)": "STIXGeneral", "Sans (DejaVu)": "DejaVu Sans"}
"""Typefaces that every installation has, by what people read."""
TEXT_COLOR = LIGHT.text
"""Of print, which has the colours of the light theme."""
MUTED_COLOR, GRID_COLOR = "#5a6474", "#cfd5df"
EDGE_MARGIN = 0.6
"""What is left free around a sheet [ems]."""
DOTS_PER_INCH = 300
MILLIMETRE = 1.0 / 25.4
MAX_SIZE = 1200.0
_STYLE_LOCK = threading.RLock()


@dataclass(frozen=True)
class Paper:
    """A figure's size [mm] and type. `height` None: as high as its strips need."""

    width: float = 180.0
    height: float | None = None
    font: str = "Inter"
    size: float = 8.0
    """Points of the text; what is smaller or larger is so in proportion."""
    strip: float = 7.5
    """How high an ordinary strip is where `height` is None [ems]."""

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
                    remedy="give it in points" if unit == "pt" else "give it in millimetres",
                    key=name,
                )
        if self.font not in (known := {*FONT_FAMILIES.values(), *font_manager.get_font_names()}):
            raise InputError(
                "the figure's font", expected="a font that is installed", found=repr(self.font),
                remedy=suggest_name(self.font, known, otherwise="leave it out"), key="font", topic="errors#figures",
            )  # fmt: skip


@contextmanager
def print_style(paper: Paper) -> Iterator[None]:
    """Draw and write in the look of print: dark on white, hairline axes, embedded fonts. Matplotlib's settings belong to
    the whole process, so one thread at a time."""
    with _STYLE_LOCK, _apply_style(paper):
        yield


@contextmanager
def _apply_style(paper: Paper) -> Iterator[None]:
    for name in ("Regular", "SemiBold"):
        font_manager.fontManager.addfont(resources.asset_path(f"fonts/Inter-{name}.otf"))
    quiet = logging.getLogger("matplotlib.font_manager")
    before = quiet.level
    quiet.setLevel(logging.ERROR)  # typefaces differ in the weights that they have: the nearest will do
    try:
        with rc_context(rc_settings(paper)):
            yield
    finally:
        quiet.setLevel(before)


def rc_settings(paper: Paper) -> Any:
    """Matplotlib's settings. Glyphs that a typeface lacks come from the next."""
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
        else 3,  # Inter's outlines are of a kind that 42 cannot hold
        "svg.fonttype": "path",
        "svg.hashsalt": "quatviz",
        "savefig.dpi": DOTS_PER_INCH,
    }


class PrintFigure(Figure):
    """A sheet: a matplotlib figure that keeps the look of print wherever it is shown and written.

    `width_ems` and `height_ems` are its size in ems of the paper's type; texts and lines have their places in ems from the top
    left. Make it, and write in it, within `print_style`.
    """

    def __init__(self, paper: Paper, title: str = "", **settings: Any) -> None:
        """`title` is told by the files that it is written to, `settings` are matplotlib's."""
        self.em = paper.size / 72.0
        super().__init__(figsize=(paper.width * MILLIMETRE, self.em), **settings)
        self.paper, self.title = paper, title
        self.width_ems, self.height_ems = paper.width * MILLIMETRE / self.em, 1.0
        self._ruler = FigureCanvasAgg(Figure(dpi=72))

    def set_height_ems(self, ems: float) -> None:
        """Give it its height; nothing is written before."""
        self.height_ems = ems
        self.set_size_inches(self.width_ems * self.em, ems * self.em)

    def text_width(self, text: str, relative_size: float, bold: bool = False) -> float:
        """How wide a text is in a part of the paper's type."""
        style: Any = {"weight": "semibold"} if bold else {}
        made = self._ruler.figure.text(0.0, 0.0, text, size=relative_size * self.paper.size, **style)
        wide = made.get_window_extent(self._ruler.get_renderer()).width
        made.remove()
        return wide / self.paper.size

    def wrap(self, text: str, part: float, share: float = 1.0) -> list[str]:
        """The lines of a text across a share of the figure."""
        letters = max(int((self.width_ems - 2 * EDGE_MARGIN) / self.text_width("n" * 100, part) * 115), 20)
        return textwrap.wrap(text, int(letters * share))

    def add_text(self, x: float, y: float, text: str, relative_size: float = 1.0, **style: Any) -> None:
        """A text in a part of the paper's type, its top left there unless `ha` says otherwise."""
        position = x / self.width_ems, 1.0 - y / self.height_ems
        self.text(*position, text, size=relative_size * self.paper.size, va="top", **{"ha": "left", **style})

    def add_rule(self, x: Sequence[float], y: float, weight: float, **style: Any) -> None:
        """A level line through each `x`, `weight` eighths of the type's points thick."""
        level = [1.0 - y / self.height_ems] * len(x)
        width = weight * self.paper.size / 8
        self.add_artist(
            Line2D([x_position / self.width_ems for x_position in x], level, linewidth=width, **style)
        )

    def add_axes_at(self, x: float, y: float, width: float, height: float) -> Axes:
        """New axes, their top left there."""
        box = (
            x / self.width_ems,
            1.0 - (y + height) / self.height_ems,
            width / self.width_ems,
            height / self.height_ems,
        )
        return self.add_axes(box)

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """As matplotlib does, in the look of print."""
        with print_style(self.paper):
            super().savefig(fname, **kwargs)

    def to_bytes(self, file_format: str, dots_per_inch: float = DOTS_PER_INCH) -> bytes:
        """The bytes of a file of this kind, one of `FORMATS`; a picture of pixels has so many `dots_per_inch` to the inch."""
        with io.BytesIO() as stream:
            self.savefig(
                stream, format=file_format, dpi=dots_per_inch, metadata=file_metadata(file_format, self.title)
            )
            return stream.getvalue()

    def save(self, path: str | Path, progress: Progress = ignore_progress) -> None:
        """Write it in the format that the ending of `path` names, whole or not at all.

        The same figure gives the same bytes: no date is in it. `InputError` for another ending or a place that cannot be
        written.
        """
        file_format = refuse_figure(path)
        with replace_atomically(path) as fresh:
            fresh.write_bytes(self.to_bytes(file_format))
            progress(0.95)  # the last chance to leave the old file where it is

    def _repr_png_(self) -> bytes:
        return self.to_bytes("png", DOTS_PER_INCH / 2)


def refuse_figure(path: str | Path) -> str:
    """The format that the ending of `path` names; an `InputError` where there is none."""
    return refuse_ending(path, [f".{file_format}" for file_format in FORMATS], "figure.pdf")[1:]


def file_metadata(file_format: str, title: str) -> dict[str, Any]:
    """A title, and no date."""
    if file_format == "svg":
        return {"Title": title, "Date": None, "Creator": "quatviz"}
    if file_format == "pdf":
        return {"Title": title, "CreationDate": None, "Creator": "quatviz"}
    return {"Title": title, "Software": "quatviz"}

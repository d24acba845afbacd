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
from quatviz.base.parameters import suggestion
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.table import Progress, unheard
from quatviz.files.files import refuse_ending, replacing

FORMATS = ("pdf", "svg", "png")
FONTS = {"Inter": "Inter", "Serif (STIX)": "STIXGeneral", "Sans (DejaVu)": "DejaVu Sans"}
"""Typefaces that every installation has, by what people read."""
INK = LIGHT.text
"""Of print, which has the colours of the light theme."""
MUTED, HAIR = "#5a6474", "#cfd5df"
EDGE = 0.6
"""What is left free around a sheet [ems]."""
DOTS_PER_INCH = 300
MM = 1.0 / 25.4
WIDEST = 1200.0
_STYLING = threading.RLock()


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
            ("width", self.width, 40.0, WIDEST),
            ("height", self.height, 20.0, WIDEST),
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
        if self.font not in (known := {*FONTS.values(), *font_manager.get_font_names()}):
            raise InputError(
                "the figure's font", expected="a font that is installed", found=repr(self.font),
                remedy=suggestion(self.font, known, otherwise="leave it out"), key="font", topic="errors#figures",
            )  # fmt: skip


@contextmanager
def styled(paper: Paper) -> Iterator[None]:
    """Draw and write in the look of print: dark on white, hairline axes, embedded fonts. Matplotlib's settings belong to
    the whole process, so one thread at a time."""
    with _STYLING, _settings(paper):
        yield


@contextmanager
def _settings(paper: Paper) -> Iterator[None]:
    for name in ("Regular", "SemiBold"):
        font_manager.fontManager.addfont(resources.asset(f"fonts/Inter-{name}.otf"))
    quiet = logging.getLogger("matplotlib.font_manager")
    before = quiet.level
    quiet.setLevel(logging.ERROR)  # typefaces differ in the weights that they have: the nearest will do
    try:
        with rc_context(style(paper)):
            yield
    finally:
        quiet.setLevel(before)


def style(paper: Paper) -> Any:
    """Matplotlib's settings. Glyphs that a typeface lacks come from the next."""
    hair = 0.07 * paper.size
    return {
        "font.family": [paper.font, *(font for font in ("Inter", "DejaVu Sans") if font != paper.font)],
        "font.size": paper.size,
        "axes.edgecolor": MUTED,
        "axes.linewidth": hair,
        "axes.labelcolor": INK,
        "axes.titlecolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.facecolor": "white",
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
        "text.color": INK,
        "text.usetex": False,
        "text.parse_math": False,
        "grid.color": HAIR,
        "grid.linewidth": 0.7 * hair,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
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

    `wide` and `high` are its size in ems of the paper's type; texts and lines have their places in ems from the top left.
    Make it, and write in it, within `styled`.
    """

    def __init__(self, paper: Paper, title: str = "", **settings: Any) -> None:
        """`title` is told by the files that it is written to, `settings` are matplotlib's."""
        self.em = paper.size / 72.0
        super().__init__(figsize=(paper.width * MM, self.em), **settings)
        self.paper, self.title = paper, title
        self.wide, self.high = paper.width * MM / self.em, 1.0
        self._ruler = FigureCanvasAgg(Figure(dpi=72))

    def set_high(self, ems: float) -> None:
        """Give it its height; nothing is written before."""
        self.high = ems
        self.set_size_inches(self.wide * self.em, ems * self.em)

    def ems(self, text: str, part: float, bold: bool = False) -> float:
        """How wide a text is in a part of the paper's type."""
        look: Any = {"weight": "semibold"} if bold else {}
        made = self._ruler.figure.text(0.0, 0.0, text, size=part * self.paper.size, **look)
        wide = made.get_window_extent(self._ruler.get_renderer()).width
        made.remove()
        return wide / self.paper.size

    def wrapped(self, text: str, part: float, share: float = 1.0) -> list[str]:
        """The lines of a text across a share of the figure."""
        letters = max(int((self.wide - 2 * EDGE) / self.ems("n" * 100, part) * 115), 20)
        return textwrap.wrap(text, int(letters * share))

    def write(self, x: float, y: float, text: str, part: float = 1.0, **look: Any) -> None:
        """A text in a part of the paper's type, its top left there unless `ha` says otherwise."""
        place = x / self.wide, 1.0 - y / self.high
        self.text(*place, text, size=part * self.paper.size, va="top", **{"ha": "left", **look})

    def rule(self, x: Sequence[float], y: float, weight: float, **look: Any) -> None:
        """A level line through each `x`, `weight` eighths of the type's points thick."""
        level = [1.0 - y / self.high] * len(x)
        width = weight * self.paper.size / 8
        self.add_artist(Line2D([each / self.wide for each in x], level, linewidth=width, **look))

    def plot_at(self, x: float, y: float, width: float, height: float) -> Axes:
        """New axes, their top left there."""
        box = x / self.wide, 1.0 - (y + height) / self.high, width / self.wide, height / self.high
        return self.add_axes(box)

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """As matplotlib does, in the look of print."""
        with styled(self.paper):
            super().savefig(fname, **kwargs)

    def written(self, kind: str, dots: float = DOTS_PER_INCH) -> bytes:
        """The bytes of a file of this kind, one of `FORMATS`; a picture of pixels has so many `dots` to the inch."""
        with io.BytesIO() as stream:
            self.savefig(stream, format=kind, dpi=dots, metadata=metadata(kind, self.title))
            return stream.getvalue()

    def save(self, path: str | Path, progress: Progress = unheard) -> None:
        """Write it in the format that the ending of `path` names, whole or not at all.

        The same figure gives the same bytes: no date is in it. `InputError` for another ending or a place that cannot be
        written.
        """
        kind = refuse_figure(path)
        with replacing(path) as fresh:
            fresh.write_bytes(self.written(kind))
            progress(0.95)  # the last chance to leave the old file where it is

    def _repr_png_(self) -> bytes:
        return self.written("png", DOTS_PER_INCH / 2)


def refuse_figure(path: str | Path) -> str:
    """The format that the ending of `path` names; an `InputError` where there is none."""
    return refuse_ending(path, [f".{kind}" for kind in FORMATS], "figure.pdf")[1:]


def metadata(kind: str, title: str) -> dict[str, Any]:
    """A title, and no date."""
    if kind == "svg":
        return {"Title": title, "Date": None, "Creator": "quatviz"}
    if kind == "pdf":
        return {"Title": title, "CreationDate": None, "Creator": "quatviz"}
    return {"Title": title, "Software": "quatviz"}

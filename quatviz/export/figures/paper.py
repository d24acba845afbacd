"""The sheet a figure is drawn on, and how it is written: size, typeface, and files that do not change from run to run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib import font_manager, rc_context
from matplotlib.figure import Figure

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.export.figures.description import INK
from quatviz.export.table import Progress, unheard
from quatviz.text.files import refuse_ending, replacing

FORMATS = ("pdf", "svg", "png")
FONTS = {"Inter": "Inter", "Serif (STIX)": "STIXGeneral", "Sans (DejaVu)": "DejaVu Sans"}
"""Typefaces that every installation has, by what people read."""
MUTED, HAIR = "#5a6474", "#cfd5df"
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


def save(figure: Figure, path: str | Path, paper: Paper, title: str, progress: Progress = unheard) -> None:
    """Write `figure` in the format that the ending of `path` names, whole or not at all.

    The same figure gives the same bytes: no date is in it. `InputError` for another ending or a place that cannot be written.
    """
    kind = refuse_figure(path)
    with styled(paper), replacing(path) as fresh:
        figure.savefig(fresh, format=kind, metadata=metadata(kind, title))
        progress(0.95)  # the last chance to leave the old file where it is


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

"""Web page of a run: a template filled with style, scripts, the description of the run and its encoded columns."""

import base64
import html
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from quatviz.base import resources
from quatviz.base.errors import refuse_unknown_name
from quatviz.display.data.scales import MIN_DECADES_ABOVE_ROUNDOFF
from quatviz.display.panels.base.curves import RELATIVE_ROUNDOFF, THEORY_OPACITY, THEORY_WIDTH
from quatviz.display.view_state.line_styles import MAX_PATTERN_LENGTH
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.strokes import CROWDED_HEIGHT, PERIODS_PER_CELL
from quatviz.export.table import Progress, ignore_progress
from quatviz.export.web import packing
from quatviz.export.web.packing import MAX_SAMPLE_RATE, pack_run
from quatviz.files.files import checked_extension, refuse_unwritable, write_text
from quatviz.files.preset_edits import shown_title
from quatviz.simulation.simulation import Simulation

SUFFIXES = (".html", ".htm")
_SCRIPTS = ("motion.js", "compute.js", "scene.js", "plots.js", "experiment.js", "page.js")
"""Scripts of the page in the order of loading. A script comes after the scripts that it calls while it is
loaded."""
_THEORY_STYLE = {
    "width": THEORY_WIDTH,
    "opacity": THEORY_OPACITY,
    "crowded": CROWDED_HEIGHT,
    "cell": PERIODS_PER_CELL * MAX_PATTERN_LENGTH,
}
"""Style of theory curves, as in the window: width relative to a curve, opacity, and the constants that define crowded
curves.

A crowded theory curve is drawn as wide as other curves.
"""
_ROUNDOFF_SETTINGS = {"known": RELATIVE_ROUNDOFF, "calm": MIN_DECADES_ABOVE_ROUNDOFF}
"""Settings of log axes for drifts, as in the window: the relative rounding error of drifts, and the smallest number of
decades that an axis shows above it."""
PAGE_THEMES = {theme.name: asdict(theme) for theme in (DARK, LIGHT)}
"""Themes of the page: the dark and light theme of the window."""


def make_page(
    run: Simulation,
    lanes: Sequence[str] | None = None,
    *,
    theme: str = "light",
    sequence: str | None = None,
    rate: float = MAX_SAMPLE_RATE,
    view_state: ViewState | None = None,
    progress: Progress = ignore_progress,
) -> str:
    """Return the page for the computed part of a run as HTML.

    Parameters
    ----------
    run
        The run.
    lanes
        Names of the lanes; None for all.
    theme
        Initial theme: "light" or "dark".
    sequence
        Sequence of the Euler angles. None means the sequence of the first lane in Euler angles, or 321.
    rate
        Largest number of samples per second that are kept.
    view_state
        View state that determines the plots that are visible at first, and the frames of their vectors.
    progress
        Receives the finished fraction.

    Raises
    ------
    InputError
        If a lane, theme or sequence is unknown, or the rate is invalid.
    """
    refuse_theme(theme)
    description, numbers = pack_run(
        run, lanes, sequence=sequence, rate=rate, view_state=view_state or ViewState(), progress=progress
    )
    description |= {
        "theme": theme,
        "looks": PAGE_THEMES,
        "pale": _THEORY_STYLE,
        "rounding": _ROUNDOFF_SETTINGS,
    }
    parts = {
        "TITLE": html.escape(shown_title(run.preset)),
        "LICENCE": _asset("LICENSE-uPlot.txt").replace("--", "- -"),
        "STYLE": _asset("uplot.css") + _asset("page.css"),
        "RUN": _script_json(description),
        "NUMBERS": base64.b64encode(numbers).decode("ascii"),
        "UPLOT": _asset("uplot.min.js"),
        "SCRIPTS": "\n".join(map(_asset, _SCRIPTS)),
    }
    # One pass, because the text of a preset may contain a placeholder.
    return re.sub(r"@@([A-Z]+)@@", lambda match: parts[match[1]], _asset("page.html"))


def write_page(
    run: Simulation,
    path: str | Path,
    lanes: Sequence[str] | None = None,
    *,
    theme: str = "light",
    sequence: str | None = None,
    rate: float = MAX_SAMPLE_RATE,
    view_state: ViewState | None = None,
    progress: Progress = ignore_progress,
) -> None:
    """Write the page of a run to `path` atomically. See `make_page` for the other parameters.

    Raises
    ------
    InputError
        If the suffix is not `.html` or the file cannot be written.
    """
    refuse_page(path)
    text = make_page(
        run, lanes, theme=theme, sequence=sequence, rate=rate, view_state=view_state, progress=progress
    )
    write_text(path, text)


def refuse_page(path: str | Path) -> None:
    """Raise an `InputError` for a `path` that `write_page` would reject. Call this before a long run."""
    checked_extension(path, SUFFIXES, "run.html")
    refuse_unwritable(path)


def refuse_settings(theme: str, sequence: str | None, rate: float) -> None:
    """Raise an `InputError` for settings that `make_page` would reject. Call this before a long run."""
    refuse_theme(theme)
    packing.refuse_settings(sequence, rate)


def refuse_theme(theme: str) -> None:
    """Raise an `InputError` for an unknown theme."""
    refuse_unknown_name(theme, PAGE_THEMES, "the theme of the page", "theme")


class PageView:
    """The page that `run.view()` returns. Notebooks display it, `save` writes it, and `html` is its text."""

    def __init__(self, text: str, height: int = 720) -> None:
        self.html = text
        self.height = height

    def save(self, path: str | Path) -> None:
        """Write the page to an `.html` file atomically."""
        refuse_page(path)
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        """Return an iframe, so that page and notebook do not share styles."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" allowfullscreen></iframe>'
        )


def _asset(name: str) -> str:
    return resources.asset_path(f"web/{name}").read_text("utf-8")


def _script_json(value: Any) -> str:
    """Return JSON that does not contain the end tag of a script."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")

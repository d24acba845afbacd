"""The page: a template, its style and scripts, the description of a run and its numbers, in one text."""

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
from quatviz.display.view_state.choices import FRAME_CHOICES
from quatviz.display.view_state.line_styles import MAX_PATTERN_LENGTH
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.figure import visible_panels
from quatviz.export.figures.strokes import CROWDED_HEIGHT, PERIODS_PER_CELL
from quatviz.export.table import Progress, ignore_progress
from quatviz.export.web import packing
from quatviz.export.web.packing import MAX_SAMPLE_RATE, pack_run
from quatviz.files.files import refuse_ending, refuse_unwritable, write_text
from quatviz.simulation.simulation import Simulation

SUFFIXES = (".html", ".htm")
_PLOT_OF_PANEL = {
    "euler_parameters": "p",
    "euler_angles": "angles",
    "omega": "omega",
    "omega_ellipsoid": "omega",
    "h": "h",
    "momentum_sphere": "h",
    "multiplier": "lam",
    "energy": "energy",
    "drift": "drift",
}
"""Those of the page that have what panels of the window show."""
_THEORY_STYLE = {
    "width": THEORY_WIDTH,
    "opacity": THEORY_OPACITY,
    "crowded": CROWDED_HEIGHT,
    "cell": PERIODS_PER_CELL * MAX_PATTERN_LENGTH,
}
"""How what a curve should be is drawn below it, as in the window: by the width of a curve, and where it is no broader than that."""
_ROUNDOFF_SETTINGS = {"known": RELATIVE_ROUNDOFF, "calm": MIN_DECADES_ABOVE_ROUNDOFF}
"""What of a drift is zero, and how many decades above it an axis has, as in the window."""
PAGE_THEMES = {theme.name: asdict(theme) for theme in (DARK, LIGHT)}
"""What the page draws with: the window's dark and light themes."""


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
    """The page of a run, as far as it is computed: `lanes` are names, None for all; `theme` is "light" or "dark" to begin
    with; `sequence` that of the Euler angles; `rate` how many samples are kept of a second; `view_state` says which plots are seen
    first, and in which frames. `InputError` for what is not there.
    """
    refuse_theme(theme)
    description, numbers = pack_run(run, lanes, sequence=sequence, rate=rate, progress=progress)
    description |= {
        "theme": theme,
        "looks": PAGE_THEMES,
        "first": _initial_plots(run, view_state or ViewState()),
        "pale": _THEORY_STYLE,
        "rounding": _ROUNDOFF_SETTINGS,
    }
    parts = {
        "TITLE": html.escape(run.preset.title),
        "LICENCE": _asset("LICENSE-uPlot.txt").replace("--", "- -"),
        "STYLE": _asset("uplot.css") + _asset("page.css"),
        "RUN": _script_json(description),
        "NUMBERS": base64.b64encode(numbers).decode("ascii"),
        "UPLOT": _asset("uplot.min.js"),
        "SCRIPTS": "\n".join(_asset(name) for name in ("motion.js", "scene.js", "plots.js", "page.js")),
    }
    # In one pass, for a preset's text may hold anything.
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
    """Write the page of a run to `path`, whole or not at all: see `make_page`. `InputError` for another ending than `.html`, and
    for a place that cannot be written."""
    refuse_page(path)
    text = make_page(
        run, lanes, theme=theme, sequence=sequence, rate=rate, view_state=view_state, progress=progress
    )
    write_text(path, text)


def _initial_plots(run: Simulation, view_state: ViewState) -> dict[str, str]:
    """The plots that a look shows of those that a page has, each with the frame of its vector; none where it says nothing of
    them: then the page shows what it shows."""
    if not (view_state.panels or view_state.overview):
        return {}
    names = [_PLOT_OF_PANEL[name] for name in visible_panels(run, view_state) if name in _PLOT_OF_PANEL]
    return {name: view_state.options.get(f"{name}_frame", FRAME_CHOICES[0].options[0]) for name in names}


def refuse_page(path: str | Path) -> None:
    """Refuse, before a long run, the `path` that `write_page` would refuse after it."""
    refuse_ending(path, SUFFIXES, "run.html")
    refuse_unwritable(path)


def refuse_settings(theme: str, sequence: str | None, rate: float) -> None:
    """Refuse, before a long run, the settings that `make_page` would refuse after it."""
    refuse_theme(theme)
    packing.refuse_settings(sequence, rate)


def refuse_theme(theme: str) -> None:
    """Refuse a theme that there is not."""
    refuse_unknown_name(theme, PAGE_THEMES, "the theme of the page", "theme")


class PageView:
    """What `run.view()` returns: a notebook shows it in place, `save` writes it, `html` is its text."""

    def __init__(self, text: str, height: int = 720) -> None:
        self.html = text
        self.height = height

    def save(self, path: str | Path) -> None:
        """Write the page to a file `.html`, whole or not at all."""
        refuse_page(path)
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        """A frame of its own, that neither takes the notebook's style nor reaches into it."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" allowfullscreen></iframe>'
        )


def _asset(name: str) -> str:
    return resources.asset_path(f"web/{name}").read_text("utf-8")


def _script_json(value: Any) -> str:
    """JSON that no browser takes for the end of the script that it stands in."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")

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
from quatviz.display.data.scales import CALM
from quatviz.display.panels.base.curves import KNOWN, THEORY_OPACITY, THEORY_WIDTH
from quatviz.display.view_state.choices import FRAMES
from quatviz.display.view_state.line_styles import LONGEST
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.display.view_state.view_state import Look
from quatviz.export.figures.figure import panels_of
from quatviz.export.figures.strokes import CROWDED, PERIODS
from quatviz.export.table import Progress, unheard
from quatviz.export.web import packing
from quatviz.export.web.packing import RATE, pack
from quatviz.files.files import refuse_ending, refuse_place, write_text
from quatviz.simulation.simulation import Simulation

SUFFIXES = (".html", ".htm")
_PLOTS = {
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
_PALE = {
    "width": THEORY_WIDTH,
    "opacity": THEORY_OPACITY,
    "crowded": CROWDED,
    "cell": PERIODS * LONGEST,
}
"""How what a curve should be is drawn below it, as in the window: by the width of a curve, and where it is no broader than that."""
_ROUNDING = {"known": KNOWN, "calm": CALM}
"""What of a drift is zero, and how many decades above it an axis has, as in the window."""
LOOKS = {theme.name: asdict(theme) for theme in (DARK, LIGHT)}
"""What the page draws with: the window's dark and light themes."""


def page_of(
    run: Simulation,
    lanes: Sequence[str] | None = None,
    *,
    theme: str = "light",
    sequence: str | None = None,
    rate: float = RATE,
    look: Look | None = None,
    progress: Progress = unheard,
) -> str:
    """The page of a run, as far as it is computed: `lanes` are names, None for all; `theme` is "light" or "dark" to begin
    with; `sequence` that of the Euler angles; `rate` how many samples are kept of a second; `look` says which plots are seen
    first, and in which frames. `InputError` for what is not there.
    """
    refuse_look(theme)
    description, numbers = pack(run, lanes, sequence=sequence, rate=rate, progress=progress)
    description |= {
        "theme": theme,
        "looks": LOOKS,
        "first": _first(run, look or Look()),
        "pale": _PALE,
        "rounding": _ROUNDING,
    }
    parts = {
        "TITLE": html.escape(run.preset.title),
        "LICENCE": _asset("LICENSE-uPlot.txt").replace("--", "- -"),
        "STYLE": _asset("uplot.css") + _asset("page.css"),
        "RUN": _embedded(description),
        "NUMBERS": base64.b64encode(numbers).decode("ascii"),
        "UPLOT": _asset("uplot.min.js"),
        "SCRIPTS": "\n".join(_asset(name) for name in ("motion.js", "scene.js", "plots.js", "page.js")),
    }
    # In one pass, for a preset's text may hold anything.
    return re.sub(r"@@([A-Z]+)@@", lambda found: parts[found[1]], _asset("page.html"))


def write_page(
    run: Simulation,
    path: str | Path,
    lanes: Sequence[str] | None = None,
    *,
    theme: str = "light",
    sequence: str | None = None,
    rate: float = RATE,
    look: Look | None = None,
    progress: Progress = unheard,
) -> None:
    """Write the page of a run to `path`, whole or not at all: see `page_of`. `InputError` for another ending than `.html`, and
    for a place that cannot be written."""
    refuse_page(path)
    text = page_of(run, lanes, theme=theme, sequence=sequence, rate=rate, look=look, progress=progress)
    write_text(path, text)


def _first(run: Simulation, look: Look) -> dict[str, str]:
    """The plots that a look shows of those that a page has, each with the frame of its vector; none where it says nothing of
    them: then the page shows what it shows."""
    if not look.panels:
        return {}
    names = [_PLOTS[name] for name in panels_of(run, look) if name in _PLOTS]
    return {name: look.options.get(f"{name}_frame", FRAMES[0].options[0]) for name in names}


def refuse_page(path: str | Path) -> None:
    """Refuse, before a long run, the `path` that `write_page` would refuse after it."""
    refuse_ending(path, SUFFIXES, "run.html")
    refuse_place(path)


def refuse_settings(theme: str, sequence: str | None, rate: float) -> None:
    """Refuse, before a long run, the settings that `page_of` would refuse after it."""
    refuse_look(theme)
    packing.refuse_settings(sequence, rate)


def refuse_look(theme: str) -> None:
    """Refuse a theme that there is not."""
    refuse_unknown_name(theme, LOOKS, "the theme of the page", "theme")


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
    return resources.asset(f"web/{name}").read_text("utf-8")


def _embedded(value: Any) -> str:
    """JSON that no browser takes for the end of the script that it stands in."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")

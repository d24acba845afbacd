"""Plots of the page. `assets/web/plots.js` builds the plots of the basic quantities itself. This module describes all
other plots, from the panels of the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.data.frame_builder import run_info
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import TimePanel, is_panel_relevant
from quatviz.display.panels.base.strip import Strip
from quatviz.display.panels.drift import DRIFT_STRIPS
from quatviz.display.view_state.choices import FRAME_CHOICES, SEQUENCE_CHOICE
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.figure import visible_panels
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.simulation import Simulation

_BASIC_PLOTS = {
    "euler_parameters": "p",
    "euler_angles": "angles",
    "omega": "omega",
    "omega_ellipsoid": "omega",
    "h": "h",
    "momentum_sphere": "h",
    "torque": "torque",
    "multiplier": "lam",
    "energy": "energy",
    "drift": "drift",
}
"""Names of the plots that the script of the page builds itself, by name of the corresponding panel of the window."""
_FRAMES = FRAME_CHOICES[0].options


@dataclass(frozen=True)
class PagePlot:
    """A plot of the page: one quantity of a panel of the window, for one option of the panel."""

    panel: str
    option: str
    title: str
    strips: tuple[Strip, ...]
    frame: str = ""
    """Initial frame of the components, for a vector that the page can show in both frames; "" for others."""
    is_shown: bool = False
    """True if the page shows the plot at first, unless the view state chooses the plots."""

    @property
    def quantity(self) -> str:
        """Quantity of all strips. It also identifies the plot."""
        return self.strips[0].quantity

    @property
    def is_logarithmic(self) -> bool:
        """True if the axis is logarithmic. Small values then need as many digits as large ones."""
        return self.strips[0].scale == "log"

    def describe(self) -> dict[str, Any]:
        """Return the description of the plot for `assets/web/plots.js`."""
        return {
            "id": self.quantity,
            "title": self.title,
            "unit": QUANTITIES[self.quantity].unit,
            "curves": [[strip.component, strip.symbol] for strip in self.strips],
            "log": self.is_logarithmic,
            "together": self.strips[0].is_vector_component,
            "frame": self.frame,
            "on": self.is_shown,
        }


def panel_plots(run: Simulation, sequence: str) -> list[PagePlot]:
    """Return the plots for panels over time that the script of the page does not build itself.

    Panels that have no curve for any lane are left out, such as the panel of the target in a run without a controller.

    Parameters
    ----------
    run
        The run.
    sequence
        Sequence of the Euler angles of the page. Panels that depend on it are shown for this sequence only.
    """
    info = run_info(run, ViewState().lanes.matching(len(run.lanes)))
    plots: dict[str, PagePlot] = {}
    for name, panel_class in PANELS.items():
        if issubclass(panel_class, TimePanel) and name not in _BASIC_PLOTS:
            for plot in _plots_of(panel_class(), info, sequence):
                plots.setdefault(plot.quantity, plot)
    return list(plots.values())


def _plots_of(panel: TimePanel, info: RunInfo, sequence: str) -> Iterator[PagePlot]:
    """Yield a plot for each option of a panel and each quantity."""
    choice = panel.choice_in(info)
    options: Sequence[str] = ("",) if choice is None else choice.options
    is_in_both_frames = options == _FRAMES
    if is_in_both_frames:
        options = _FRAMES[:1]
    elif choice == SEQUENCE_CHOICE:
        options = (sequence,)
    is_relevant = is_panel_relevant(type(panel), info)
    if not is_relevant:
        options = options[:1]  # a run shows nothing special in them
    for option in options:
        if not panel.lanes_of(info.lanes, option, info):
            continue
        groups: dict[str, list[Strip]] = {}
        for strip in panel.strips_of(option, info):
            groups.setdefault(strip.quantity, []).append(strip)
        is_shared = len(options) > 1 or len(groups) > 1
        for quantity, strips in groups.items():
            yield PagePlot(
                panel.name,
                option,
                tr(QUANTITIES[quantity].title if is_shared else panel.title),
                tuple(strips),
                _FRAMES[0] if is_in_both_frames else "",
                is_relevant and option == options[0],
            )


def plot_order(plots: Sequence[PagePlot]) -> list[str]:
    """Return the names of all plots of the page in the order of the panels on the board."""
    panels = sorted(PANELS.values(), key=lambda panel: panel.order)
    names = [
        name
        for panel in panels
        for name in (
            _BASIC_PLOTS.get(panel.name),
            *(plot.quantity for plot in plots if plot.panel == panel.name),
        )
        if name is not None
    ]
    return list(dict.fromkeys(names))


def drift_quantities(constants: Sequence[str]) -> list[str]:
    """Return the quantities that the plot of drifts shows. `constants` are the quantities that are constant in
    the exact motion."""
    return [strip.quantity for strip in DRIFT_STRIPS if strip.quantity in constants]


def initial_plots(run: Simulation, view_state: ViewState, plots: Sequence[PagePlot]) -> dict[str, str]:
    """Return the plots of the page that the view state shows, each with the frame of its vector.

    Return {} for the default plots of the page. `plots` is the result of `panel_plots`.
    """
    if not (view_state.panels or view_state.overview):
        return {}
    names: list[str] = []
    for panel in visible_panels(run, view_state):
        own_plots = [plot for plot in plots if plot.panel == panel]
        chosen = view_state.options.get(_choice_name(panel), "")
        options = {plot.option for plot in own_plots}
        option = chosen if chosen in options else next((plot.option for plot in own_plots), "")
        names += [plot.quantity for plot in own_plots if plot.option == option]
        names += [_BASIC_PLOTS[panel]] if panel in _BASIC_PLOTS else []
    return {name: view_state.options.get(f"{name}_frame", _FRAMES[0]) for name in names}


def _choice_name(panel: str) -> str:
    choice = PANELS[panel].choice
    return "" if choice is None else choice.name

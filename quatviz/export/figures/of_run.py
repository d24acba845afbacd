"""A run as a figure: the quantities that are asked for, each lane in its colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from quatviz.core.errors import Refusal, phrase, refuse_unknown_name
from quatviz.core.observables import QUANTITIES, Quantity
from quatviz.export.figures.breaks import CAUSES, NONE, find
from quatviz.export.figures.description import (
    INK,
    LANE_COLOURS,
    Curve,
    FigurePicture,
    PanelPicture,
    Strip,
    component_colour,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.version import __version__

QUANTITIES_OF_A_FIGURE = ("p", "omega", "h_space", "lam", "constraint", "energy_drift")
_LOGARITHMIC = (
    "constraint",
    "constraint_rate",
    "energy_drift",
    "momentum_drift",
    "h_space_drift",
    "condition",
)


def picture_of(
    run: Simulation,
    quantities: Sequence[str] = QUANTITIES_OF_A_FIGURE,
    lanes: Sequence[str] | None = None,
    low: float = 0.0,
    high: float = math.inf,
) -> FigurePicture:
    """The figure of a run from `low` to `high` [s]. `quantities` are names of `core.observables.QUANTITIES`, `lanes` names,
    None for all. With one lane colour tells the component; with several, the lane. `Refusal` for a name that is not there."""
    for name in quantities:
        if name not in QUANTITIES:
            raise Refusal(
                "the quantities of the figure",
                expected=phrase(
                    "some of {names}",
                    names=", ".join((name for name, kind in QUANTITIES.items() if not kind.sequence)),
                ),
                found=repr(name),
                remedy="correct the spelling",
                key="quantities",
            )
    names = [lane.name for lane in run]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the figure", "lanes", number="some")
    shown = [lane for lane in run if lanes is None or lane.name in lanes]
    high = min(high, run.duration)
    if not low < high:
        raise Refusal(
            "the times of the figure",
            expected=phrase("low below high, within 0 to {end:g} s", end=run.duration),
            found=phrase("low = {low:g} s, high = {high:g} s", low=low, high=high),
            remedy="leave them out for the whole run",
            topic="errors#figures",
        )
    panels = (_panel(QUANTITIES[name], shown, names, low, high) for name in quantities)
    several = len(shown) > 1
    return FigurePicture(
        [panel for panel in panels if panel.strips],
        low,
        high,
        run.preset.title,
        sorted({event.at for event in run.preset.events}),
        [(lane.name, _colour(lane, names)) for lane in shown] if several else (),
        footnote(run, shown),
    )


def footnote(run: Simulation, lanes: Sequence[LaneRun]) -> str:
    """What computed it: preset, lanes with method and step."""
    methods = {(lane.integrator.name, lane.dt) for lane in lanes}
    if len(methods) == 1:
        said = f"{', '.join(lane.name for lane in lanes)}; {method_text(lanes[0])}"
    else:
        said = "; ".join(f"{lane.name}: {method_text(lane)}" for lane in lanes)
    ended = [lane.message for lane in lanes if lane.message]
    return f"Preset {run.preset.name or run.preset.title}; {said}. quatviz {__version__}. {' '.join(ended)}".strip()


def method_text(lane: LaneRun) -> str:
    """Integrator and step of a lane, such as `rk4, dt = 0.001 s`."""
    if lane.formulation.closed_form:
        return "exact solution"
    return f"{lane.integrator.name}, dt = {lane.dt:g} s"


def curve_of(lane: LaneRun, quantity: Quantity, component: int, colour: str, label: str) -> Curve:
    """One component of a quantity of a lane; jumps of Euler angles are gaps with their causes."""
    motion = lane.motion()
    times, values = motion.t, quantity.of(motion)
    own = values[:, component].astype(float)
    jumps: list[tuple[float, str]] = []
    if quantity.name.startswith("angles_") and len(times) > 1:
        causes = find(values, quantity.sequence)[:, component]
        (rows,) = np.nonzero(causes != NONE)
        jumps = [(0.5 * (times[row] + times[row + 1]), CAUSES[causes[row]]) for row in rows.tolist()]
        own = np.insert(own, rows + 1, np.nan)
        times = np.insert(times, rows + 1, times[rows + 1])
    end = None
    if not lane.alive:
        good = np.flatnonzero(np.isfinite(own))
        end = (float(times[good[-1]]), float(own[good[-1]])) if len(good) else None
    return Curve(times, own, colour, label, jumps=jumps, end=end)


def _panel(
    quantity: Quantity, lanes: Sequence[LaneRun], names: Sequence[str], low: float, high: float
) -> PanelPicture:
    lanes = [lane for lane in lanes if np.isfinite(quantity.of(lane.motion(stop=2))).any()]
    note = f"{quantity.frame} frame" if quantity.frame else ""
    return PanelPicture(quantity.title, note, list(_strips(quantity, lanes, names)) if lanes else ())


def _strips(quantity: Quantity, lanes: Sequence[LaneRun], names: Sequence[str]) -> Iterator[Strip]:
    logarithmic = quantity.name in _LOGARITHMIC
    scale = "log" if logarithmic else "degrees" if quantity.unit == "deg" else "linear"
    count = len(quantity.symbols)
    symbols = [f"|{symbol}|" if logarithmic else symbol for symbol in quantity.symbols]
    if len(lanes) == 1 and count > 1:
        curves = [
            curve_of(lanes[0], quantity, number, component_colour(number, count), symbol)
            for number, symbol in enumerate(symbols)
        ]
        yield Strip(curves, "", quantity.unit, scale, 1.0 + 0.4 * (count - 1))  # type: ignore[arg-type]
        return
    for number, symbol in enumerate(symbols):
        curves = [curve_of(lane, quantity, number, _colour(lane, names), lane.name) for lane in lanes]
        if quantity.name == "lam":
            theory = QUANTITIES["lam_theory"]
            for lane in lanes:
                one = curve_of(lane, theory, 0, INK, "theory")
                curves.append(Curve(one.times, one.values, INK, "theory", dashed=True))
        yield Strip(curves, symbol, quantity.unit, scale, 1.4 if count == 1 else 1.0)  # type: ignore[arg-type]


def _colour(lane: LaneRun, names: Sequence[str]) -> str:
    return LANE_COLOURS[names.index(lane.name) % len(LANE_COLOURS)]

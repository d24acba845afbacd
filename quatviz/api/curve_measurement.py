"""Measurements of curves in the plots, and scripts that compute the same numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.api.calls import load_preset
from quatviz.api.curve_features import (
    Evaluate,
    MeasuredPeriod,
    derivative,
    find_crossings,
    find_extrema,
    find_period,
    find_settling_time,
    sample_curve,
)
from quatviz.base.errors import InputError
from quatviz.base.formatting import format_number
from quatviz.files.preset import Preset
from quatviz.physics.geometry.meshes import is_mesh
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.lane import LaneRun

SETTLING_BANDS = {"target_angle": (5.0, 1.0, 0.1)}
"""Limits for settling times [unit of the quantity], by name of the quantity. Each of these quantities is a distance
from a target."""


@dataclass(frozen=True, eq=False)
class CurveFeatures:
    """Zeros, extrema and period of a curve over the whole lane."""

    zeros: np.ndarray
    """Times (n,) [s] at which the curve is zero."""
    extrema: np.ndarray
    """Times (m,) [s] of the local maxima and minima of the curve."""
    extreme_values: np.ndarray
    """Values (m,) of the curve at its extrema."""
    is_maximum: np.ndarray
    """True for each extremum (m,) that is a maximum."""
    period: MeasuredPeriod | None
    """Period of the curve, or None if it does not repeat."""
    settling_times: Mapping[float, float]
    """Time [s] from which the curve stays within each limit of `SETTLING_BANDS`, NaN if it does not settle. It is empty
    for curves of quantities that are not in `SETTLING_BANDS`."""


def curve_evaluator(lane: LaneRun, quantity: str, component: int) -> Evaluate:
    """Return a function of times (n,) [s] whose result is one component (n,) of a quantity of a lane."""

    def evaluate(times: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            values = QUANTITIES[quantity].values(lane.motion_at_times(times))
        return values.reshape(len(times), len(QUANTITIES[quantity].symbols))[:, component]

    return evaluate


def curve_features(lane: LaneRun, quantity: str, component: int) -> CurveFeatures:
    """Return zeros, extrema, period and settling times of one component of a quantity over the whole lane.

    >>> import quatviz as qv
    >>> run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=60.0)
    >>> features = curve_features(run["newton_euler"].engine, "omega", 1)
    >>> len(features.zeros), features.is_maximum.tolist(), round(features.period.period, 3)
    (7, [True, False, True, False, True, False], 18.679)
    """
    evaluate = curve_evaluator(lane, quantity, component)
    curve = sample_curve(lane, evaluate)
    extrema = find_extrema(lane, curve)
    values = evaluate(extrema)
    step = np.diff(values, append=values[-2:-1]) if len(values) > 1 else np.zeros(len(values))
    is_maximum = step < 0.0
    if len(values) == 1:
        is_maximum = values > evaluate(np.zeros(1))
    settling_times = {limit: find_settling_time(curve, limit) for limit in SETTLING_BANDS.get(quantity, ())}
    return CurveFeatures(
        find_crossings(curve), extrema, values, is_maximum, find_period(lane, curve), settling_times
    )


def slope_at(lane: LaneRun, quantity: str, component: int, time: float) -> float:
    """Return the rate of change [unit/s] of one component of a quantity at a time [s] of a lane."""
    return float(derivative(lane, curve_evaluator(lane, quantity, component), np.array([time]))[0])


def rate_unit(unit: str) -> str:
    """Return the unit of the rate of change of a quantity.

    >>> rate_unit("rad"), rate_unit("rad/s"), rate_unit("")
    ('rad/s', 'rad/s²', '1/s')
    """
    return f"{unit}²" if unit.endswith("/s") else f"{unit or '1'}/s"


def measurement_script(
    preset: Preset,
    lane: str,
    quantity: str,
    component: int,
    time: float,
    duration: float,
    selected: Sequence[float] = (),
) -> str:
    """Return a script that computes the measurements of a curve.

    Parameters
    ----------
    preset
        Preset of the run.
    lane, quantity, component
        Name of the lane, name of the quantity and index of the component that the curve shows.
    time
        Time of the cursor [s].
    duration
        Computed length of the run [s].
    selected
        Ends of the selected time range [s], or () if no range is selected.

    Raises
    ------
    InputError
        If the preset contains a load that a script created, since such a preset cannot be written as text.
    """
    info = QUANTITIES[quantity]
    index = f"[..., {component}]" if len(info.symbols) > 1 else ""
    unit = info.unit or "1"
    length = "" if duration == preset.run.duration else f", duration={format_number(duration)}"
    at = format_number(time)
    lines = [
        f'"""{info.symbols[component]} of the lane {lane}, measured."""',
        "import quatviz as qv",
        "",
        *_preset_lines(preset),
        f"lane = qv.simulate(preset{length})[{lane!r}]",
        "",
        "",
        "def curve(at):",
        f"    return at.{quantity}{index}  # {unit}",
        "",
        "",
        f"value = float(curve(lane.at({at})))  # {unit}",
        f"slope = float(lane.derivative(curve, {at}))  # {rate_unit(info.unit)}",
        "zeros = lane.crossings(curve)  # s",
        "extrema = lane.extrema(curve)  # s, of maxima and minima",
        "period = lane.period(curve)  # s, nan if it does not repeat",
    ]
    names = ["value", "slope", "zeros", "extrema", "period"]
    if quantity in SETTLING_BANDS:
        limits = ", ".join(f"{limit:g}" for limit in SETTLING_BANDS[quantity])
        settling_times = f"{{limit: lane.settling_time(curve, limit) for limit in ({limits})}}"
        lines.append(f"settling_times = {settling_times}  # s, by limit [{unit}]; nan if it does not settle")
        names.append("settling_times")
    if selected:
        first, last = (format_number(end) for end in selected)
        lines.append(f"difference = float(curve(lane.at({last})) - curve(lane.at({first})))  # {unit}")
        names.append("difference")
    lines += [f'print("{name}:", {name})' for name in names]
    return "\n".join(lines) + "\n"


def _preset_lines(preset: Preset) -> list[str]:
    """Return the lines of the script that load the preset: by its name or file if these give the same run,
    otherwise from its full text.
    """
    for name in (preset.name, str(preset.path or "")):
        try:
            if name and load_preset(name).has_same_run(preset):
                return [f"preset = qv.load_preset({name!r})"]
        except InputError:
            continue
    folder = ""
    needs_files = is_mesh(preset.body.shape) or any(lane.recording for lane in preset.lanes)
    if preset.path is not None and needs_files:
        folder = f", folder=Path({str(preset.path.parent)!r})"
    quoted_text = preset.to_toml().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first = ["from pathlib import Path", ""] if folder else []
    return [*first, 'preset = qv.parse_preset("""', *quoted_text.splitlines(), f'"""{folder})']

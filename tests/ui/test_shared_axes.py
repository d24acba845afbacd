"""Vector components share one scale by default, and no axis is filled by round-off."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.figure import make_run_figure
from quatviz.export.figures.paper import Paper


def spans(run: qv.Run, quantity: str, look: ViewState) -> list[float]:
    figure = draw_figure(make_run_figure(run.engine, [quantity], view_state=look), Paper())
    return [float(np.ptp(axes.get_ylim())) for axes in figure.axes]


@pytest.mark.parametrize("quantity", ["p", "omega", "h", "h_space"])
def test_vector_components_share_one_scale(quantity: str) -> None:
    run = qv.simulate(qv.load_preset("intermediate_axis"), duration=2.0)
    shared = spans(run, quantity, ViewState())
    own = spans(run, quantity, ViewState(options={"axes": "own"}))
    assert len(shared) == len(own) == getattr(run["exact"], quantity).shape[1]
    assert len(set(shared)) == 1
    values = getattr(run["exact"], quantity)
    assert shared[0] >= np.ptp(values) * (1.0 - 1e-6)
    assert min(own) < 0.7 * shared[0]


def test_angles_have_separate_scales() -> None:
    run = qv.simulate(qv.load_preset("intermediate_axis"), duration=2.0)
    assert len(set(spans(run, "angles_321", ViewState()))) > 1


STEADY = (
    *("p", "omega", "omega_space", "h", "h_space", "torque", "energy", "kinetic", "potential"),
    *("lam", "lam_theory", "lam_terms", "angles_321", "angles_313"),
)


def test_no_axis_is_filled_by_round_off() -> None:
    """For a steady spin, all quantities but p and one angle are constant. The minimum span of an axis follows from the round-off
    of its quantity, or of the energy."""
    start = qv.Initial(euler_parameters=[0.8, 0.6, 0.0, 0.0], angular_velocity=[0.0, 0.0, 2.0])
    preset = qv.Preset(body=qv.Body(inertia=[400.0, 300.0, 200.0]), initial=start)
    run = qv.simulate(preset, lanes=["lagrange_full", "newton_euler"], duration=2.0, dt=1e-3)
    energy = float(np.max(run["newton_euler"].energy))
    flat = 0
    for quantity in STEADY:
        (panel,) = make_run_figure(run.engine, [quantity], view_state=ViewState()).panels
        for plot in panel.plots:
            plot.extend_range()
            span = plot.scale.high - plot.scale.low
            for trace in plot.traces:
                series, number = trace.series, trace.component
                noise = float(series.maximum[number] - series.minimum[number])
                size = max(
                    float(np.abs([series.maximum, series.minimum]).max()), energy if plot.unit == "J" else 0.0
                )
                if noise < 1e-10 * size or size < 1e-10:
                    flat += 1
                    assert span > 1e-10 * size, (quantity, plot.symbol)
                    assert noise < 1e-3 * span, (quantity, plot.symbol)
    assert flat > 30

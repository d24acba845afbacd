"""Components of a vector are drawn to one scale, unless a person asks otherwise."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.export.figures.drawing import draw
from quatviz.export.figures.figure import figure_of_run
from quatviz.export.figures.paper import Paper
from quatviz.look.look import Look


def spans(run: qv.Run, quantity: str, look: Look) -> list[float]:
    figure = draw(figure_of_run(run.engine, [quantity], look=look), Paper())
    return [float(np.ptp(axes.get_ylim())) for axes in figure.axes]


@pytest.mark.parametrize("quantity", ["p", "omega", "h", "h_space"])
def test_a_small_component_of_a_vector_looks_small(quantity: str) -> None:
    run = qv.simulate(qv.load_preset("intermediate_axis"), duration=2.0)
    shared = spans(run, quantity, Look())
    own = spans(run, quantity, Look(options={"axes": "own"}))
    assert len(shared) == len(own) == getattr(run["exact"], quantity).shape[1]
    assert len(set(shared)) == 1
    values = getattr(run["exact"], quantity)
    assert shared[0] >= np.ptp(values) * (1.0 - 1e-6)
    assert min(own) < 0.7 * shared[0]


def test_angles_have_axes_of_their_own() -> None:
    run = qv.simulate(qv.load_preset("intermediate_axis"), duration=2.0)
    assert len(set(spans(run, "angles_321", Look()))) > 1

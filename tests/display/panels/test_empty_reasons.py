"""A panel without lanes says which of its conditions is not met."""

from dataclasses import replace

import pytest
from fake_run import FakeRun

from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.curves import PanelCurves
from quatviz.display.panels.centre_of_mass import CentreOfMass
from quatviz.display.panels.pivot_force import PivotForce
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.body import Body

PIVOT = Body(inertia=[1.0, 2.0, 2.5], about="pivot")


def empty_text(panel: TimePanel, body: Body) -> str:
    run = FakeRun(("one",))
    run.info = replace(run.info, body=body)
    return PanelCurves(
        panel, run, run.info.lanes, Choices.for_run(run.info, {}, False, "one"), DARK
    ).empty_text


@pytest.mark.parametrize(
    ("panel", "body", "reason"),
    [
        (CentreOfMass(), PIVOT, "The preset does not give the center of mass of this body."),
        (CentreOfMass(), Body(inertia=[1.0, 2.0, 2.5]), "The preset does not give the mass of this body"),
        (PivotForce(), Body(inertia=[1.0, 2.0, 2.5]), "This body has no pivot."),
        (PivotForce(), PIVOT, "needs the mass and the center of mass"),
    ],
)
def test_empty_panel_names_the_condition_that_is_not_met(panel: TimePanel, body: Body, reason: str) -> None:
    assert reason in empty_text(panel, body)

"""The panel new_name is registered, and its quantities exist."""

from quatviz.display.panels import PANELS
from quatviz.physics.observables.quantities import QUANTITIES


def test_panel_is_registered() -> None:
    panel = PANELS["new_name"]
    assert panel.title == "New name"
    assert [strip.quantity for strip in panel.strips if strip.quantity not in QUANTITIES] == []

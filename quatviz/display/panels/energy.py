"""Panel of kinetic energy T, potential energy V and total energy E. It shows the work of motors, the losses
by friction, and the exchange between T and V."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.simulation.center_of_mass_motion import moves_beside_rotation


class Energy(TimePanel):
    name = "energy"
    title = "Energy"
    summary = "kinetic, potential, total"
    unit = "J"
    order = 36

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        """Return strips for T, V and E. If neither a load nor a ring has a potential, E = T and only
        E is shown."""
        ring = info.body.ring
        has_ring_potential = ring is not None and bool(np.any(ring.gravity))
        if not has_ring_potential and not any(load.has_potential for load in info.all_loads):
            return (Strip("energy", label="E = T", weight=2.0),)
        return (Strip("kinetic"), Strip("potential"), Strip("energy"))

    def note_of(self, option: str, info: RunInfo) -> str:
        """Return a note if the energies leave out the translation because it does not affect the rotation; otherwise
        ""."""
        return tr("of the rotation only") if moves_beside_rotation(info.body, info.all_loads) else ""

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants

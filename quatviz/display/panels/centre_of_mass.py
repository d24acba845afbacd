"""Panel of the center of mass in space, as in S3 Figure 8. For a body on a pivot it is A u; for a free body
it is integrated from the forces."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import Choice
from quatviz.simulation.center_of_mass_motion import is_free

QUANTITY_CHOICE = Choice(
    "centre_of_mass",
    "Quantity",
    ("centre", "centre_velocity", "momentum"),
    ("position", "velocity", "momentum"),
)


class CentreOfMass(TimePanel):
    name = "centre_of_mass"
    title = "Center of mass"
    summary = "position, velocity or momentum in space"
    unit = "m, m/s, kg m/s"
    order = 57
    choice = QUANTITY_CHOICE

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips(option)

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        body = info.body
        if body.about == "pivot":
            return shown if body.centre_of_mass is not None else ()
        return tuple(lane for lane in shown if is_free(body, info.loads_of_lane(lane)))

    def empty_reason(self, info: RunInfo) -> str:
        body = info.body
        if body.about == "pivot":
            if body.centre_of_mass is None:
                return tr("The preset does not give the center of mass of this body.")
        elif body.mass is None:
            return tr("The preset does not give the mass of this body, so its center of mass is held fixed.")
        elif body.ring is not None:
            return tr("The center of mass of a body with a ring is held fixed.")
        elif not any(is_free(body, info.loads_of_lane(lane)) for lane in info.lanes):
            return tr(
                "The center of mass is held fixed, because a load depends on its position in an unknown way."
            )
        return super().empty_reason(info)

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if the center of mass moves in any lane: off the pivot, or freely under a force."""
        body = info.body
        if body.about == "pivot":
            return body.centre_of_mass is not None and bool(np.any(body.centre_of_mass))
        identity = np.array([[1.0, 0.0, 0.0, 0.0]])
        return any(
            is_free(body, loads) and any(load.force(np.zeros(1), identity) is not None for load in loads)
            for loads in map(info.loads_of, range(max(len(info.lanes), 1)))
        )

"""Panel of the force of the pivot on the body."""

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import frame_choice
from quatviz.physics.observables.quantities import has_pivot_force


class PivotForce(TimePanel):
    """F = m c'' minus the forces of the loads, in body or space components."""

    name = "pivot_force"
    title = "Force of the pivot"
    summary = "force of the pivot on the body, body or space components; hidden by default"
    unit = "N"
    order = 58
    choice = frame_choice("pivot_force_frame")
    emblem = ("F", "pivot_force")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("pivot_force" if option == "body" else "pivot_force_space")

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return shown if has_pivot_force(info.body) else ()

    def empty_reason(self, info: RunInfo) -> str:
        body = info.body
        if body.about != "pivot":
            return tr("This body has no pivot.")
        if body.mass is None or body.centre_of_mass is None:
            return tr(
                "The force of the pivot needs the mass and the center of mass. Enter both in the section Body."
            )
        if body.ring is not None:
            return tr("The force of the pivot is not computed for a body with a ring.")
        return super().empty_reason(info)

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return False: the panel is shown only if the user or a preset asks for it."""
        return False

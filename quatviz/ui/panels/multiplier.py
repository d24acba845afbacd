"""The Lagrange multiplier that each form has to find, and what it must be in theory."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class Multiplier(TimePanel):
    name = "multiplier"
    title = "Lagrange multiplier"
    order = 50
    strips = (Strip("lam", weight=2.0, theory="lam_theory"),)
    note = "dashed: theory"
    nothing = (
        "No lane that is shown has a Lagrange multiplier: their equations hold the constraint without one."
    )

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return bool(info.multipliers)

    def lanes_of(self, shown: tuple[str, ...], info: RunInfo) -> tuple[str, ...]:
        return tuple(lane for lane in shown if lane in info.multipliers)

    def remark(self, shown: tuple[str, ...], info: RunInfo) -> str:
        without = [lane for lane in shown if lane not in info.multipliers]
        return f"no multiplier: {', '.join(without)}" if without else ""

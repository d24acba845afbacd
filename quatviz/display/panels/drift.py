"""Panel of the errors of quantities that are constant in the exact motion. They depend on formulation, integrator and
step."""

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import Choice

DRIFT_STRIPS = (
    Strip("constraint", label="||p|² − 1|", scale="log", weight=1.4),
    Strip("constraint_rate", label="|p·p′|", scale="log", weight=1.4),
    Strip("energy_drift", label="|ΔE| / E₀", scale="log", weight=1.4),
    Strip("momentum_drift", label="|Δ|h|| / |h₀|", scale="log", weight=1.4),
    Strip("h_space_drift", label="|Δh| / |h₀|, space", scale="log", weight=1.4),
)

QUATERNION_QUANTITIES = ("constraint", "constraint_rate")
"""Names of the error quantities that only formulations with Euler parameters p have."""

RESET_NOTE = "change since t = 0, or since the last event or edit at the cursor"


class Drift(TimePanel):
    name = "drift"
    title = "Drift"
    summary = "changes of quantities that are constant in the exact motion, log axes"
    unit = "none; 1/s for p·p′"
    order = 60
    choice = Choice(
        "drift",
        "Show",
        ("all", "p", "motion"),
        ("all errors", "errors of p", "errors of the motion"),
        in_menu=True,
    )
    """Choice between all errors, the errors of p, and the errors of the motion. All five plots together do not fit on a
    small screen."""
    supports_difference = False
    shows_errors = True
    note = "change since t = 0"

    def note_of(self, option: str, info: RunInfo) -> str:
        return tr(RESET_NOTE if any(event.resets_drift for event in info.events) else self.note)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        available = tuple(strip for strip in DRIFT_STRIPS if strip.quantity in info.constants)
        chosen = tuple(
            candidate
            for candidate in available
            if option == "all" or (candidate.quantity in QUATERNION_QUANTITIES) == (option == "p")
        )
        return chosen or available

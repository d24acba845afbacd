"""Panel of the momenta conjugate to the Euler parameters. Hamilton's canonical equations integrate them."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import component_strips


class CanonicalMomentum(TimePanel):
    name = "canonical_momentum"
    title = "Canonical momenta"
    summary = "$g = 2L^T h$, conjugate to the Euler parameters"
    unit = "kg m²/s"
    order = 45
    strips = component_strips("canonical_momentum")

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if a lane integrates the canonical momenta."""
        return any(name.partition("/")[0] == "hamilton_canonical" for name in info.formulations)

"""Where the ring inside the body is, and how fast it turns in it."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class RingMotion(TimePanel):
    name = "ring"
    title = "Ring in the body"
    order = 55
    strips = (Strip("ring_angle"), Strip("ring_rate"))
    nothing = "This body carries no ring."

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return info.body.ring is not None

    def lanes_of(self, shown: tuple[str, ...], info: RunInfo) -> tuple[str, ...]:
        return shown if self.concerns(info) else ()

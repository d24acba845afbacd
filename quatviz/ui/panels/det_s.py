"""How far the chosen Euler angles are from their singularity, whatever the lanes are integrated in."""

from quatviz.formulations.euler_angles import EulerAngles
from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.choices import SEQUENCE
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class DetS(TimePanel):
    name = "det_s"
    title = "Gimbal lock"
    order = 70
    choice = SEQUENCE
    note = f"ends at |det S| = {EulerAngles.threshold:g}"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return any(name.startswith("euler_angles") for name in info.formulations)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return (Strip(f"det_S_{option}", weight=1.5, band=EulerAngles.threshold),)

"""How far the chosen Euler angles are from their singularity, whatever the lanes are integrated in."""

from quatviz.feed.frame import RunInfo
from quatviz.formulations.euler_angles import EulerAngles
from quatviz.look.choices import SEQUENCE
from quatviz.panels.base import TimePanel
from quatviz.panels.base.strip import Strip


class DetS(TimePanel):
    name = "det_s"
    title = "Gimbal lock"
    told = r"$\det S$, the distance from a singularity of the coordinates"
    order = 70
    choice = SEQUENCE
    note = f"ends at |det S| = {EulerAngles.threshold:g}"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return any(name.startswith("euler_angles") for name in info.formulations)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return (Strip(f"det_S_{option}", weight=1.5, band=EulerAngles.threshold),)

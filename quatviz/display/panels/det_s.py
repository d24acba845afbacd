"""Panel of the distance of the chosen Euler angles from their singularity, for lanes in any coordinates."""

from quatviz.base.errors import join_phrases, phrase
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import SEQUENCE_CHOICE


class DetS(TimePanel):
    name = "det_s"
    title = "Gimbal lock"
    summary = r"$\det S$, the distance from a singularity of the coordinates"
    order = 70
    choice = SEQUENCE_CHOICE

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return any(name.startswith("euler_angles") for name in info.formulations)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return (Strip(f"det_S_{option}", weight=1.5, band=max(_end_thresholds(option, info), default=None)),)

    def note_of(self, option: str, info: RunInfo) -> str:
        """Return the values of det S at which lanes end. The text is short because a narrow panel has little room."""
        ends = [f"{end:.2g}" for end in sorted(_end_thresholds(option, info))]
        if not ends:
            return ""
        return tr(phrase("lane ends at |det S| = {ends}", ends=join_phrases(dict.fromkeys(ends), "or")))


def _end_thresholds(sequence: str, info: RunInfo) -> set[float]:
    """Return the values of |det S| at which lanes with the Euler angles `sequence` end. This value increases with the step
    size of the lane."""
    lanes = zip(info.formulations, info.thresholds, strict=True)
    return {threshold for form, threshold in lanes if form == f"euler_angles/{sequence}"}

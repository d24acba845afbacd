"""Panel of the rotors in the body: their speeds, motor torques or momenta."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import Choice
from quatviz.physics.observables.quantities import MAX_SHOWN_ROTORS


class Rotors(TimePanel):
    """One curve per rotor, in the order of the body's rotors."""

    name = "rotors"
    title = "Rotors"
    summary = "speed in the body, motor torque, or momentum about the axis of each [rotor](setup.md#rotors)"
    unit = "rad/s, N m, kg m²/s"
    order = 33
    choice = Choice(
        "rotors", "Show", ("speed", "torque", "momentum"), ("speed", "motor torque", "momentum"), in_menu=True
    )
    empty_text = "This body has no rotors."

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        count = min(len(info.body.rotors), MAX_SHOWN_ROTORS)
        return tuple(Strip(f"rotor_{option}", number) for number in range(count))

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return bool(info.body.rotors)

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return shown if self.is_relevant(info) else ()

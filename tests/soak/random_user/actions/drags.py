"""Drags and wheel events at any position."""

from PySide6.QtCore import Qt

from random_user.actions.base import UserAction
from random_user.user import RandomUser

_KEYS = (
    *(Qt.KeyboardModifier.NoModifier,) * 3,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


class Drags(UserAction):
    """Drag or turn the wheel on the timeline, a plot, a 3D view or any other widget."""

    name = "drags"
    weight = 5.0

    def do(self, user: RandomUser) -> None:
        window, key = user.window, user.pick(_KEYS)
        part = user.pick([window, window.transport.scrubber, window.board, window.views])
        point = part.mapTo(window, user.random_point(part))
        widget, start = user.widget_at(point)
        at = f"at {point.x()}, {point.y()} on {type(widget).__name__}, {key.name}"
        if user.random.random() < 0.4:
            notches = user.pick((-3, -1, 1, 3))
            user.log(f"wheel {notches:+d} {at}")
            user.wheel(widget, start, notches, key)
        else:
            stop = user.random_point(widget)
            user.log(f"drag by {stop.x() - start.x()}, {stop.y() - start.y()} {at}")
            user.drag(widget, start, stop, key)

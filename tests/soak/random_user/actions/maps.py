"""Sweeps of the current preset."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from quatviz.ui.tools.maps.window import MapWindow
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from random_user.actions.base import WindowAction
from random_user.user import RandomUser

_TEXTS = ("2", "3", "0.5", "1", "-1", "nan", "x", "1e999", "")
COARSE_COUNT = 25
"""Number of values along each axis of most maps, small so that they finish soon."""
_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Return),
)


class Maps(WindowAction):
    """Start, cancel or zoom a map, change its axes or its measure, or load one of its runs."""

    name = "maps"
    weight = 2.0
    tool = "maps"
    operations = (
        *("run", "run", "cancel", "type", "choose", "axes", "draw", "zoom", "back", "load", "click", "keys"),
        *("wheel", "close"),
    )

    def perform(self, user: RandomUser, maps: MapWindow, operation: str) -> None:
        if operation == "run":
            maps.choices.count.show_value(COARSE_COUNT if user.random.random() < 0.8 else 4 * COARSE_COUNT)
            maps.run()
        elif operation in ("type", "choose", "axes"):
            self._change(user, maps, operation)
        elif operation in ("click", "draw", "keys", "wheel"):
            self._use_mouse_or_keys(user, maps, operation)
        elif operation == "back":
            maps.go_back()
        elif maps.chart is not None and maps.work is not None:
            self._inspect(user, maps, operation)

    def _use_mouse_or_keys(self, user: RandomUser, maps: MapWindow, operation: str) -> None:
        """Click, drag, scroll or press keys at random positions on the map."""
        picture = maps.map_plot.viewport()
        if not picture.isVisible():
            return
        point = user.random_point(picture)
        if operation == "click":
            user.click(picture, point)
        elif operation == "draw":
            user.drag(picture, point, user.random_point(picture))
        elif operation == "wheel":
            user.wheel(picture, point, user.pick((-3, 3)), Qt.KeyboardModifier.NoModifier)
        else:
            for _ in range(4):
                QTest.keyClick(maps.map_plot, user.pick(_KEYS))

    def _change(self, user: RandomUser, maps: MapWindow, operation: str) -> None:
        if operation == "axes":
            maps.choices.random.setChecked(user.random.random() < 0.2)
            for choice in (maps.choices.across, maps.choices.up):
                choice.address.setFocus()
                for _ in range(user.random.randrange(6)):
                    QTest.keyClick(choice.address, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
        elif operation == "choose":
            boxes = [box for box in maps.findChildren(ChoiceBox) if box.isVisible() and box.isEnabled()]
            if boxes:
                QTest.keyClick(user.pick(boxes), user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
            return
        entries = [entry for entry in maps.findChildren(LineEntry) if entry.isVisible() and entry.isEnabled()]
        if entries:
            user.enter(user.pick(entries), user.pick(_TEXTS))

    def _inspect(self, user: RandomUser, maps: MapWindow, operation: str) -> None:
        assert maps.chart is not None
        assert maps.work is not None
        if operation == "load":
            maps.load(tuple(user.random.randrange(size) for size in maps.chart.computed.shape))
        elif maps.chart.is_map:
            maps.zoom_into(QRectF(0.25, 0.25, 0.5, 0.5))

"""Sweeps over the preset of the window."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from quatviz.ui.tools.maps.window import MapWindow
from quatviz.ui.widgets.controls import ChoiceBox, Entry
from random_user.actions.base import InWindow
from random_user.user import User

_TEXTS = ("2", "3", "0.5", "1", "-1", "nan", "x", "1e999", "")
COARSE = 25
"""Values along an axis: most maps are soon complete."""
_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Return),
)


class Maps(InWindow):
    """A map is begun, ended, looked into by a rectangle that is drawn, left again; other axes or another measure; a run of it
    is loaded; the window closes."""

    name = "maps"
    weight = 2.0
    window = "maps"
    doings = (
        *("run", "run", "cancel", "type", "choose", "axes", "draw", "into", "back", "load", "click", "keys"),
        *("wheel", "close"),
    )

    def act(self, user: User, maps: MapWindow, doing: str) -> None:
        if doing == "run":
            maps.choices.count.show_value(COARSE if user.random.random() < 0.8 else 4 * COARSE)
            maps.run()
        elif doing in ("type", "choose", "axes"):
            self._change(user, maps, doing)
        elif doing in ("click", "draw", "keys", "wheel"):
            self._touch(user, maps, doing)
        elif doing == "back":
            maps.go_back()
        elif maps.chart is not None and maps.work is not None:
            self._look(user, maps, doing)

    def _touch(self, user: User, maps: MapWindow, doing: str) -> None:
        """With mouse and keys, wherever they fall."""
        picture = maps.picture.viewport()
        if not picture.isVisible():
            return
        spot = user.spot(picture)
        if doing == "click":
            user.click(picture, spot)
        elif doing == "draw":
            user.drag(picture, spot, user.spot(picture))
        elif doing == "wheel":
            user.wheel(picture, spot, user.pick((-3, 3)), Qt.KeyboardModifier.NoModifier)
        else:
            for _ in range(4):
                QTest.keyClick(maps.picture, user.pick(_KEYS))

    def _change(self, user: User, maps: MapWindow, doing: str) -> None:
        if doing == "axes":
            maps.choices.random.setChecked(user.random.random() < 0.2)
            for choice in (maps.choices.across, maps.choices.up):
                choice.address.setFocus()
                for _ in range(user.random.randrange(6)):
                    QTest.keyClick(choice.address, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
        elif doing == "choose":
            boxes = [box for box in maps.findChildren(ChoiceBox) if box.isVisible() and box.isEnabled()]
            if boxes:
                QTest.keyClick(user.pick(boxes), user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
            return
        entries = [entry for entry in maps.findChildren(Entry) if entry.isVisible() and entry.isEnabled()]
        if entries:
            user.enter(user.pick(entries), user.pick(_TEXTS))

    def _look(self, user: User, maps: MapWindow, doing: str) -> None:
        assert maps.chart is not None
        assert maps.work is not None
        if doing == "load":
            maps.load(tuple(user.random.randrange(each) for each in maps.chart.known.shape))
        elif maps.chart.is_map:
            maps.look_into(QRectF(0.25, 0.25, 0.5, 0.5))

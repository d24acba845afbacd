"""Edits of the fields in the side column: numbers, expressions and invalid texts."""

from contextlib import suppress

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.scrub_slider import ScrubSlider
from random_user.actions.base import UserAction
from random_user.user import RandomUser

SECTIONS = ("Lanes", "Body", "Initial_state", "Loads", "Run", "Events")
_INVALID_TEXTS = (
    "",
    "abc",
    "1/0",
    "nan",
    "inf",
    "1e999",
    "--3",
    "sin(",
    "2**2**99",
    "t",
    "π/",
    "1,5",
    "0x10",
    "  ",
)
_EXPRESSIONS = ("2*3", "pi/4", "sqrt(2)", "sin(2*t)", "0.1*cos(t)", "1e-3", "0", "-1", "0.5")


class Fields(UserAction):
    """Edit one field, slider or choice of the side column. Most numbers change only a little, so that most runs stay valid."""

    name = "fields"
    weight = 4.0

    def do(self, user: RandomUser) -> None:
        side = user.window.side
        if user.random.random() < 0.25:
            side.open_sections(SECTIONS)
        if user.random.random() < 0.2:
            self._choose(user, [box for box in side.findChildren(ChoiceBox) if box.isVisible()])
            return
        if user.random.random() < 0.2:
            self._drag(user, [handle for handle in side.findChildren(ScrubSlider) if handle.isVisible()])
            return
        entries = [entry for entry in side.findChildren(LineEntry) if entry.isVisible() and entry.isEnabled()]
        if not entries:
            return
        entry = user.pick(entries)
        text = self._text(user, entry.text())
        user.log(f"type “{text}” in place of “{entry.text()}” ({entry.toolTip()[:40]})")
        entry.setFocus()
        entry.selectAll()
        QTest.keyClick(entry, Qt.Key.Key_Delete)
        user.type(entry, text)
        QTest.keyClick(entry, user.pick((Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)))

    def _text(self, user: RandomUser, current: str) -> str:
        draw = user.random.random()
        if draw < 0.25:
            return user.pick(_INVALID_TEXTS)
        if draw < 0.4:
            return user.pick(_EXPRESSIONS)
        with suppress(ValueError):
            return f"{float(current) * user.random.uniform(0.8, 1.25):.4g}"
        return user.pick(_EXPRESSIONS)

    def _drag(self, user: RandomUser, handles: list[ScrubSlider]) -> None:
        """Drag a slider and release it, sometimes after Escape."""
        if not handles:
            return
        handle = user.pick(handles)
        position = QPoint(user.random.randrange(max(handle.width(), 1)), handle.height() // 2)
        keys = user.pick((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier))
        user.log(f"drag “{handle.accessibleName()}” from {handle.entry.text()!r}")
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, keys, position)
        for _ in range(user.random.randrange(1, 6)):
            position += QPoint(user.random.randrange(-30, 30), 0)
            QTest.mouseMove(handle, position)
            QTest.qWait(user.random.randrange(60))
        if user.random.random() < 0.2:
            QTest.keyClick(handle, Qt.Key.Key_Escape)
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, keys, position)

    def _choose(self, user: RandomUser, boxes: list[ChoiceBox]) -> None:
        if boxes:
            box = user.pick(boxes)
            user.log(f"change “{box.accessibleName()}” from “{box.currentText()}”")
            QTest.keyClick(box, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))

"""The control over the 3D view that makes differences of the lanes large enough to see."""

from __future__ import annotations

from PySide6.QtCore import QEvent

from quatviz.ui.guard import guarded
from quatviz.ui.scene.magnify import MOST, factor_text
from quatviz.ui.scene.view import SceneView
from quatviz.ui.scene.views import Views
from quatviz.ui.setup.entry import ChoiceBox
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr


class Magnifier(ChoiceBox):
    """Stands in the upper left corner of the (first) view. What is chosen holds for every run until it is changed."""

    def __init__(self, view: SceneView | Views) -> None:
        super().__init__({power: _text(power) for power in range(MOST + 1)}, view)
        self._view = view
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaxVisibleItems(MOST + 1)
        self.setAccessibleName(tr("Differences in the 3D view"))
        self.setToolTip(
            tr(
                "How much larger the ghosts' rotation away from the body is drawn than it is (M, Shift M). Numbers stay."
            )
        )
        self.chosen.connect(lambda power: self.set_power(int(str(power))))
        self._stand()

    def set_power(self, power: int) -> None:
        """Draw differences 10^power times as large."""
        power = min(max(power, 0), MOST)
        self.show_value(power)
        self._view.set_magnification(power)

    def step(self, by: int) -> None:
        """That many powers of ten more."""
        self.set_power(self._view.magnification + by)

    def _stand(self) -> None:
        self.adjustSize()
        self.move(UNIT, UNIT)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._stand()


def _text(power: int) -> str:
    return tr("Differences {power}", power=factor_text(power))

"""What a person can show, hide and look from in the 3D view: one menu, in the menu bar and behind a button."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMenu

from quatviz.ui.guard import guarded
from quatviz.ui.icon_button import IconButton
from quatviz.ui.scene.directions import BODY_KEY, DIRECTIONS
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import UNIT, Theme


def fill_items(menu: QMenu, view: SceneView) -> None:
    """The toggles of all items that work, instead of what the menu held."""
    menu.clear()
    for name, item in view.items.items():
        action = menu.addAction(item.title)
        action.setCheckable(True)
        action.setChecked(view.shows(name))
        action.triggered.connect(lambda on, name=name: view.set_item_visible(name, on))


def fill_all(menu: QMenu, view: SceneView) -> None:
    """The toggles, and from where to look."""
    fill_items(menu, view)
    menu.addSeparator()
    for name, direction in DIRECTIONS.items():
        action = menu.addAction(f"{direction.title}\t{direction.key}")
        action.triggered.connect(lambda _=False, name=name: view.look(name))
    menu.addAction("Fit\tF").triggered.connect(lambda _=False: view.fit())
    menu.addSeparator()
    action = menu.addAction(f"Seen from the body\t{BODY_KEY}")
    action.setCheckable(True)
    action.setChecked(view.from_body)
    action.triggered.connect(view.set_from_body)


class SceneButton(IconButton):
    """Opens the menu; it keeps to the view's upper right corner."""

    def __init__(self, theme: Theme, view: SceneView) -> None:
        super().__init__(theme, "scene", "What is drawn, and from where", parent=view)
        self._view = view
        view.installEventFilter(self)
        self.clicked.connect(self._open)
        self._place()

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.resize(self.sizeHint())
        self.move(self._view.width() - self.width() - UNIT, UNIT)

    def _open(self) -> None:
        menu = QMenu(self)
        fill_all(menu, self._view)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
        menu.aboutToHide.connect(menu.deleteLater)

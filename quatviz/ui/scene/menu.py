"""What a person can show, hide and look from in the 3D view: one menu, in the menu bar and behind a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMenu

from quatviz.ui.guard import guarded
from quatviz.ui.icon_button import IconButton
from quatviz.ui.scene.directions import BODY_KEY, DIRECTIONS
from quatviz.ui.scene.plan import ALL, NUMBERS
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.scene.views import Views

NUMBER_TEXTS = {1: "One 3D view", 2: "Two 3D views", 4: "Four 3D views"}
NUMBER_KEYS = {number: f"Ctrl+{number}" for number in NUMBERS}
EACH_TEXT, EACH_KEY = "One lane for each view", "O"
LINK_TEXT, LINK_KEY = "Linked cameras", "L"


def fill_items(menu: QMenu, scene: SceneView | Views) -> None:
    """The toggles of all items that work, instead of what the menu held."""
    menu.clear()
    for name, item in scene.items.items():
        _toggle(menu, tr(item.title), scene.shows(name), partial(scene.set_item_visible, name))


def fill_all(menu: QMenu, scene: SceneView | Views) -> None:
    """The toggles, and from where to look."""
    fill_items(menu, scene)
    menu.addSeparator()
    for name, direction in DIRECTIONS.items():
        action = menu.addAction(f"{tr(direction.title)}\t{direction.key}")
        action.triggered.connect(lambda _=False, name=name: scene.look(name))
    menu.addAction(tr("Fit\tF")).triggered.connect(lambda _=False: scene.fit())
    menu.addSeparator()
    view = scene if isinstance(scene, SceneView) else scene.current
    _toggle(
        menu, tr("Seen from the body\t{body_key}", body_key=BODY_KEY), view.from_body, scene.set_from_body
    )


def fill_views(menu: QMenu, views: Views) -> None:
    """How many views there are and what they show, after what the menu holds."""
    plan = views.plan
    if plan.number > 1 and plan.each:
        lanes = menu.addMenu(tr("Lane of this view"))
        view = views.current
        for name in (*views.lanes, ALL):
            chosen = views.lane_of(view) == name
            _toggle(lanes, name or tr("All lanes"), chosen, _without(views.choose_lane, view, name))
    several = menu.addMenu(tr("Views"))
    for number, text in NUMBER_TEXTS.items():
        _toggle(
            several,
            f"{tr(text)}\t{NUMBER_KEYS[number]}",
            plan.number == number,
            _without(views.set_number, number),
        )
    several.addSeparator()
    _toggle(several, f"{tr(EACH_TEXT)}\t{EACH_KEY}", plan.each, views.set_each)
    _toggle(several, f"{tr(LINK_TEXT)}\t{LINK_KEY}", plan.linked, views.set_linked)


def _without(do: Callable[..., object], *arguments: object) -> Callable[[bool], object]:
    """Do it whatever the toggle says."""
    return lambda _: do(*arguments)


def _toggle(menu: QMenu, text: str, on: bool, do: Callable[[bool], object]) -> None:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    action.triggered.connect(lambda now: do(now))  # Qt does not see what a partial takes


class SceneButton(IconButton):
    """Opens the menu; it keeps to the view's upper right corner. With `views` it speaks for all of them."""

    def __init__(self, theme: Theme, view: SceneView, views: Views | None = None) -> None:
        super().__init__(theme, "scene", tr("What is drawn, and from where"), parent=view)
        self._view, self._views = view, views
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
        if self._views is None:
            fill_all(menu, self._view)
        else:
            self._views.activate(self._view)
            fill_all(menu, self._views)
            fill_views(menu, self._views)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
        menu.aboutToHide.connect(menu.deleteLater)

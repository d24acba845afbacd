"""The stage that the items of the 3D view play on: what they draw, and what they may know. Free of Qt and of OpenGL.

A view, a tile, a film or a file draws the primitives that stand here, each in its own way.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from weakref import WeakKeyDictionary

from quatviz.base.tr import tr
from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.geometry import BodyShape
from quatviz.scene.primitives import ARROW, Label, Line, Mesh

log = logging.getLogger(__name__)

Primitive = Mesh | Line | Label


class Scene(Stage):
    """Holds the items of `kinds` and the primitives that they make. One that fails is left out, which `tell` is told."""

    def __init__(self, theme: Theme, kinds: Iterable[type[SceneItem]], tell: Callable[[str], None]) -> None:
        super().__init__()
        self.meshes: list[Mesh] = []
        """Everything solid that is drawn."""
        self.lines: list[Line] = []
        self.labels: list[Label] = []
        self.corner: dict[str, tuple[str, str]] = {}
        """The lines of the legend in the corner: text and colour by key."""
        self._owners: WeakKeyDictionary[Primitive, str] = WeakKeyDictionary()
        self._reaches: dict[str, float] = {}
        self._wanted: dict[str, bool] = {}
        self._items: dict[str, SceneItem] = {}
        self._source: Source | None = None
        self._calling = ""
        self._tell = tell
        for kind in sorted(kinds, key=lambda kind: kind.order):
            self._adopt(kind, theme)

    # --- for whoever draws it

    def start(self, source: Source) -> bool:
        """A run begins: its body sets the unit of length. True where it reaches elsewhere than the one before."""
        before, self._source = self.shape, source
        self.shape = BodyShape(source.info.body)
        self.floor = -(self.shape.reach + 0.7)
        self._each("start", source)
        return before is None or before.reach != self.shape.reach

    def show(self, frame: Frame) -> None:
        """Let the items that are to be seen draw this frame."""
        for name in [name for name in self._items if self.shows(name)]:
            self._call(name, "show", frame)

    def repaint(self, theme: Theme) -> None:
        """Make every item anew, in the colours of another theme."""
        self._each("close")
        for name, item in list(self._items.items()):
            self._clear(name)
            self._adopt(type(item), theme)
            if name in self._items:
                self._call(name, "set_visible", self.shows(name))
            if name in self._items and self._source is not None:
                self._call(name, "start", self._source)

    def close(self) -> None:
        """Close the items."""
        self._each("close")
        self._items.clear()

    @property
    def reach(self) -> float:
        """How far from the origin there is something to see, in body radii."""
        return max(self.shape.reach if self.shape else 1.0, ARROW, *self._reaches.values())

    # --- which items are seen

    @property
    def items(self) -> dict[str, SceneItem]:
        """The items that work, by name."""
        return dict(self._items)

    def shows(self, name: str) -> bool:
        """Whether an item is to be seen."""
        return self._wanted.get(name, self._items[name].shown_at_first)

    def set_item_visible(self, name: str, visible: bool, frame: Frame | None) -> None:
        """Show or hide an item from now on, in what `frame` shows; nothing where it has failed."""
        self._wanted[name] = visible
        if name in self._items:
            self._call(name, "set_visible", visible)
        if name in self._items and visible and frame is not None:
            self._call(name, "show", frame)

    @property
    def wanted(self) -> dict[str, bool]:
        """Which items a person wants to see, or not."""
        return dict(self._wanted)

    def show_items(self, wanted: Mapping[str, bool], frame: Frame | None) -> None:
        """Show and hide items as a person wants them; the others as at a first start."""
        for name, item in list(self._items.items()):
            visible = wanted.get(name, item.shown_at_first)
            if visible != self.shows(name):
                self.set_item_visible(name, visible, frame)
        self._wanted = {name: wanted[name] for name in wanted if name in self._items}

    # --- for the items

    def add_mesh(self, mesh: Mesh) -> Mesh:
        self.meshes.append(mesh)
        self._owners[mesh] = self._calling
        return mesh

    def add_line(self, line: Line) -> Line:
        self.lines.append(line)
        self._owners[line] = self._calling
        return line

    def add_label(self, label: Label) -> Label:
        self.labels.append(label)
        self._owners[label] = self._calling
        return label

    def remove(self, primitive: Primitive) -> None:
        for drawn in (self.meshes, self.lines, self.labels):
            if primitive in drawn:
                drawn.remove(primitive)  # type: ignore[arg-type]

    def owned_by(self, name: str) -> list[Primitive]:
        """What the item of this name has made, whether it is drawn or not."""
        return [primitive for primitive, owner in self._owners.items() if owner == name]

    def set_corner(self, key: str, text: str, colour: str) -> None:
        if text:
            self.corner[key] = (text, colour)
        else:
            self.corner.pop(key, None)

    def set_reach(self, key: str, reach: float) -> None:
        self._reaches[key] = reach

    # --- items that fail

    def _adopt(self, kind: type[SceneItem], theme: Theme) -> None:
        try:
            self._calling = kind.name
            item = kind()
            item.build(self, theme)
            item.set_visible(kind.shown_at_first)
        except Exception as fault:
            self._leave_out(kind, fault)
        else:
            self._items[kind.name] = item

    def _each(self, method: str, *arguments: object) -> None:
        for name in list(self._items):
            self._call(name, method, *arguments)

    def _call(self, name: str, method: str, *arguments: object) -> None:
        item = self._items[name]
        try:
            self._calling = name
            getattr(item, method)(*arguments)
        except Exception as fault:
            self._leave_out(type(item), fault)

    def _leave_out(self, kind: type[SceneItem], fault: Exception) -> None:
        """Draw nothing of it any more, and say so."""
        log.error("the scene item %s failed", kind.name, exc_info=fault)
        self._items.pop(kind.name, None)
        self._clear(kind.name)
        text = tr(
            "{kind} is not drawn: {name}: {fault}",
            kind=tr(kind.title),
            name=type(fault).__name__,
            fault=fault,
        )
        self._tell(text)

    def _clear(self, name: str) -> None:
        """Let nothing of an item be drawn."""
        for primitive in self.owned_by(name):
            self.remove(primitive)
        for key in [key for key in self.corner if key.partition(" ")[0] == name]:
            del self.corner[key]
        self.set_reach(name, 0.0)

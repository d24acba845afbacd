"""The scene-item protocol: what one thing in the 3D view is. Frozen; change it only in a commit of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from quatviz.ui.frame import Frame, Source
from quatviz.ui.theme import Theme

if TYPE_CHECKING:
    from quatviz.ui.scene.view import SceneView


class SceneItem(ABC):
    """One kind of thing in the 3D view: the body, the triads, an arrow, a trail. The contract:

    1. One module in `quatviz/ui/scene/items/`, or in an outside package behind an entry point of the group
       `quatviz.items`, defines one concrete subclass; `name` is the module's name (free for a plug-in), `title`
       is what the toggle says, `order` the drawing order (opaque before transparent), `shown_at_first` whether it
       is seen before a person has said anything: the first picture is simple.
    2. The view makes it with no arguments and calls, on the window's thread and with no current GL context
       assumed: `build` once; `start` when a run begins or is replaced; `show` once per frame while its toggle is
       on, and when it is turned on; `restyle` when the theme changes; `set_visible` from its toggle, which hides
       at once and leaves it to `show` what is seen; `close` once.
    3. What it draws it adds through the view's primitives (`view.add_mesh`, `view.add_line`, `view.add_label`, ...),
       which return handles with `set_transform`, `set_visible`, ... No item calls OpenGL itself: so the same item
       can be drawn without OpenGL later, or written to a file.
    4. Lengths are body radii: the view scales the world so that the body's largest half-extent is 1. Space axes
       are x right-handed with z up; `rotation` of a pose maps body to space.
    5. `show` costs well below a millisecond; it draws the frame's poses, computes no physics, keeps no data of a run.
    6. Whatever is a vector says what it is: a label of its own, its scale from `frame.scales`.
    7. An exception inside an item is caught by the view, logged, shown in the status row once; the item is left out.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 1000
    shown_at_first: ClassVar[bool] = True

    @abstractmethod
    def build(self, view: SceneView, theme: Theme) -> None:
        """Make the primitives that last as long as the view."""

    @abstractmethod
    def start(self, source: Source) -> None:
        """A run begins: take its body and lanes."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Draw this frame."""

    @abstractmethod
    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""

    @abstractmethod
    def set_visible(self, visible: bool) -> None:
        """Show or hide everything of this item."""

    def close(self) -> None:
        """Let go of what would outlive the view."""

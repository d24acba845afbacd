"""The scene-item protocol: what one thing in the 3D view is. Frozen; change it only in a commit of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.geometry import BodyShape
from quatviz.scene.primitives import Label, Line, Mesh


class Stage(ABC):
    """What an item of the 3D view plays on: it draws by primitives that stay with the stage, and knows what stands here."""

    def __init__(self) -> None:
        self.shape: BodyShape | None = None
        """Of the body, in body radii; None before a run begins."""
        self.floor = -1.7
        """Height of the ground in body radii."""
        self.magnification = 0
        """The power of ten by which differences of the lanes are drawn larger than they are."""
        self.highlight = ""
        """The quantity whose arrow stands out."""
        self.proposed: dict[str, np.ndarray] = {}
        """Vectors (3,) [space, body radii] that are being chosen, by the names of their items."""
        self.euler_sequence = "321"
        """The sequence of Euler angles that a person has chosen."""

    @abstractmethod
    def add_mesh(self, mesh: Mesh) -> Mesh:
        """Draw `mesh` from now on."""

    @abstractmethod
    def add_line(self, line: Line) -> Line:
        """Draw `line` from now on."""

    @abstractmethod
    def add_label(self, label: Label) -> Label:
        """Draw `label` from now on."""

    @abstractmethod
    def remove(self, primitive: Mesh | Line | Label) -> None:
        """Draw it no more."""

    @abstractmethod
    def set_corner(self, key: str, text: str, colour: str) -> None:
        """A line of the legend in the corner; an empty text removes it."""

    @abstractmethod
    def set_reach(self, key: str, reach: float) -> None:
        """Something that reaches further from the origin [body radii] than the body, for `fit`; 0 removes it."""


class SceneItem(ABC):
    """One kind of thing in the 3D view: the body, the triads, an arrow, a trail. The contract:

    1. One module in `quatviz/scene/items/`, or in an outside package behind an entry point of the group
       `quatviz.items`, defines one concrete subclass; `name` is the module's name (free for a plug-in), `title`
       is what the toggle says, `order` the drawing order (opaque before transparent), `shown_at_first` whether it
       is seen before a person has said anything: the first picture is simple.
    2. The scene makes it with no arguments and calls, on one thread and with no current GL context
       assumed: `build` once; `start` when a run begins or is replaced; `show` once per frame while its toggle is
       on, and when it is turned on; `set_visible` from its toggle, which hides at once and leaves it to `show` what
       is seen; `close` once. For another theme a new item takes its place.
    3. What it draws it adds through the primitives of its stage (`stage.add_mesh`, `stage.add_line`, `stage.add_label`),
       which return handles with `set_transform`, `set_visible`, ... No item knows Qt or OpenGL: so the same item
       is drawn without OpenGL, or into a film.
    4. Lengths are body radii: the stage scales the world so that the body's largest half-extent is 1. Space axes
       are x right-handed with z up; `rotation` of a pose maps body to space.
    5. `show` costs well below a millisecond; it draws the frame's poses, computes no physics, keeps no data of a run.
    6. Whatever is a vector says what it is: a label of its own, its scale from `frame.scales`.
    7. An exception inside an item is caught by the scene, logged, shown in the status row once; the item is left out.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    title: ClassVar[str]
    told: ClassVar[str] = ""
    """How it looks, in the help's table, as Markdown; without it the docstring is told."""
    order: ClassVar[int] = 1000
    shown_at_first: ClassVar[bool] = True

    @abstractmethod
    def build(self, stage: Stage, theme: Theme) -> None:
        """Make the primitives that last as long as the stage."""

    @abstractmethod
    def start(self, source: Source) -> None:
        """A run begins: take its body and lanes."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Draw this frame."""

    @abstractmethod
    def set_visible(self, visible: bool) -> None:
        """Show or hide everything of this item."""

    def close(self) -> None:
        """Let go of what would outlive the stage."""

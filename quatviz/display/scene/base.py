"""What an item of the 3D view is, what it draws with, and the stage that it plays on. Free of Qt and of OpenGL.

A view, a tile, a film or a file draws the primitives that stand there, each in its own way.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.view_state.theme import Theme
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.solid import Solid, solid_of

log = logging.getLogger(__name__)

Colour = str
"""`#rrggbb`."""

ARROW = 1.4
"""Length in body radii of the largest vector of its kind in a run."""


@dataclass(eq=False)
class Mesh:
    """Triangles: float32 rows of position and normal, in the mesh's own frame.

    `look`: `solid`, `painted` (two tones by octant), `glass` (a rim, else clear), `floor` (a grid that fades away),
    `pane` (clear and even, seen from both sides).
    """

    vertices: np.ndarray
    colour: Colour
    look: str = "solid"
    second: Colour = ""
    alpha: float = 1.0
    shadow: bool = False
    through: bool = False
    """Whether it is seen, faintly, through what is painted: an arrow that begins inside the body."""
    lift: float = 0.0
    """Body radii by which it goes before what hides it, though it is drawn where it is."""
    visible: bool = True
    transform: np.ndarray = field(default_factory=lambda: np.eye(4))
    """4x4, own frame to space."""


@dataclass(eq=False)
class Line:
    """A polyline of constant width on the screen; `fade` lets its beginning vanish."""

    colour: Colour
    width: float = 2.0
    fade: bool = False
    visible: bool = True
    points: np.ndarray = field(default_factory=lambda: np.empty((0, 3), np.float32))

    def set_points(self, points: np.ndarray) -> None:
        """Replace its points (n, 3), space."""
        self.points = np.ascontiguousarray(points, dtype=np.float32)


@dataclass(eq=False)
class Label:
    """A word beside a point of space. Lower `rank` is placed first."""

    text: str
    colour: Colour
    rank: int = 10
    visible: bool = True
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """(3,), space."""


def placed(rotation: np.ndarray | None = None, offset: np.ndarray | None = None) -> np.ndarray:
    """4x4 of a 3x3 and a translation."""
    matrix = _UNMOVED.copy()
    if rotation is not None:
        matrix[:3, :3] = rotation
    if offset is not None:
        matrix[:3, 3] = offset
    return matrix


_UNMOVED = np.eye(4)
Primitive = Mesh | Line | Label
"""What is not `visible` is left out."""
Added = TypeVar("Added", Mesh, Line, Label)


class Stage:
    """What the items of `kinds` draw by primitives, and what stands here that they may know. An item that fails is left out,
    which `tell` is told."""

    def __init__(
        self,
        theme: Theme,
        kinds: "Iterable[type[SceneItem]]",
        tell: Callable[[str], None],
        sequence: Callable[[], str] = lambda: "321",
    ) -> None:
        """`sequence` is that of the Euler angles that a person has chosen."""
        self.items = {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.order)}
        """The items that work, by name."""
        self._drawn: list[Primitive] | None = None
        """What is drawn, in the order of the items; None where that has changed since somebody asked."""
        self.shape: Solid | None = None
        """Of the body, in body radii; None before a run begins."""
        self.floor = -1.7
        """Height of the ground in body radii."""
        self.magnification = 0
        """The power of ten by which differences of the lanes are drawn larger than they are."""
        self.highlight = ""
        """The quantity whose arrow stands out."""
        self.proposed: dict[str, np.ndarray] = {}
        """Vectors (3,) [space, body radii] that are being chosen, by the names of their items."""
        self.lent: tuple[str, ...] = ()
        """Items that are seen for a while, whatever a person wants."""
        self.sequence = sequence
        self._theme, self._tell = theme, tell
        self._source: Source | None = None
        self._body: Body | None = None
        """Whose shape it is."""
        self._wanted: dict[str, bool] = {}
        self._seen: dict[str, SceneItem] = {}
        """Those that have been seen in this run, made."""
        self._made: dict[str, list[Primitive]] = {}
        """What each has made."""
        self._corner: dict[str, tuple[str, str]] = {}
        self._reaches: dict[str, float] = {}
        self._calling = ""

    # --- for whoever draws it

    def start(self, source: Source) -> bool:
        """A run begins: its body sets the unit of length. True where it reaches elsewhere than the one before."""
        before, self._source = self.shape, source
        # Of the body, and not of the source before: a source tells of another body where the cursor passes a change of it.
        if self.shape is None or self._body is not source.info.body:
            self._body = source.info.body
            self.shape = solid_of(self._body)
        self.floor = -(self.shape.reach + 0.7)
        self.clear()
        return before is None or before.reach != self.shape.reach

    def forget(self) -> None:
        """Let go of the run, until another begins."""
        self._source = None
        self.clear()

    def show(self, frame: Frame) -> None:
        """Let the items that are to be seen draw this frame."""
        for name in [name for name in self.items if self.shows(name)]:
            self._show(name, frame)

    def repaint(self, theme: Theme) -> None:
        """Make every item anew, in the colours of another theme."""
        self._theme = theme
        self.clear()

    def clear(self) -> None:
        """Let go of all items: those that are seen are made with the next frame."""
        for made in (self._seen, self._made, self._reaches):
            made.clear()
        self._corner = {key: line for key, line in self._corner.items() if _owner(key) not in self.items}
        self._list()

    @property
    def drawn(self) -> list[Primitive]:
        """What the items that are seen draw, in their order."""
        if self._drawn is None:
            self._drawn = [one for name in self.items if self.shows(name) for one in self.made_by(name)]
        return self._drawn

    @property
    def meshes(self) -> list[Mesh]:
        """Everything solid of them."""
        return [one for one in self.drawn if isinstance(one, Mesh)]

    @property
    def lines(self) -> list[Line]:
        return [one for one in self.drawn if isinstance(one, Line)]

    @property
    def labels(self) -> list[Label]:
        return [one for one in self.drawn if isinstance(one, Label)]

    @property
    def reach(self) -> float:
        """How far from the origin there is something to see, in body radii."""
        reaches = (reach for name, reach in self._reaches.items() if self.shows(name))
        return max(self.shape.reach if self.shape else 1.0, ARROW, *reaches)

    @property
    def corner(self) -> dict[str, tuple[str, str]]:
        """The lines of the legend in the corner: text and colour by key, in the order of the items, whichever was drawn first."""
        places = {name: place for place, name in enumerate(self.items)}
        lines = [
            one for one in self._corner.items() if _owner(one[0]) not in places or self.shows(_owner(one[0]))
        ]
        return dict(sorted(lines, key=lambda one: places.get(_owner(one[0]), len(places))))

    # --- which items are seen

    def shows(self, name: str) -> bool:
        """Whether an item is to be seen."""
        return name in self.lent or self._wanted.get(name, self.items[name].shown_at_first)

    def set_item_visible(self, name: str, visible: bool, frame: Frame | None) -> None:
        """Show or hide an item from now on, in what `frame` shows; nothing where it has failed."""
        self._wanted[name] = visible
        self._list()
        if name in self.items and visible and frame is not None:
            self._show(name, frame)

    @property
    def wanted(self) -> dict[str, bool]:
        """Which items a person wants to see, or not."""
        return dict(self._wanted)

    def show_items(self, wanted: Mapping[str, bool], frame: Frame | None) -> None:
        """Show and hide items as a person wants them; the others as at a first start."""
        for name, kind in list(self.items.items()):
            visible = wanted.get(name, kind.shown_at_first)
            if visible != self.shows(name):
                self.set_item_visible(name, visible, frame)
        self._wanted = {name: wanted[name] for name in wanted if name in self.items}

    # --- for the items

    def add(self, primitive: Added) -> Added:
        """Draw it where its item is seen."""
        self._made.setdefault(self._calling, []).append(primitive)
        self._list()
        return primitive

    def remove(self, primitive: Primitive) -> None:
        """Draw it no more."""
        for made in self._made.values():
            if primitive in made:
                made.remove(primitive)
        self._list()

    def made_by(self, name: str) -> tuple[Primitive, ...]:
        """What the item of this name has made, whether it is seen or not."""
        return tuple(self._made.get(name, ()))

    def set_corner(self, key: str, text: str, colour: str) -> None:
        """A line of the legend in the corner, of the item whose name its key begins with; an empty text removes it."""
        if text:
            self._corner[key] = (text, colour)
        else:
            self._corner.pop(key, None)

    def set_reach(self, key: str, reach: float) -> None:
        """Something that reaches further from the origin [body radii] than the body, for `fit`."""
        self._reaches[key] = reach

    # --- inside

    def _show(self, name: str, frame: Frame) -> None:
        """Draw an item, which is made where it was not seen before; one that fails is left out for good."""
        if self._source is None:
            return
        self._calling = name
        try:
            if name not in self._seen:
                self._seen[name] = self.items[name](self, self._theme, self._source)
            self._seen[name].show(frame)
        except Exception as fault:
            kind = self.items[name]
            log.error("the scene item %s failed", name, exc_info=fault)
            self._leave_out(name)
            text = tr(
                "{kind} is not drawn: {name}: {fault}",
                kind=tr(kind.title),
                name=type(fault).__name__,
                fault=fault,
            )
            self._tell(text)

    def _leave_out(self, name: str) -> None:
        for key in [key for key in self._corner if _owner(key) == name]:
            del self._corner[key]
        for known in (self.items, self._seen, self._made, self._reaches):
            known.pop(name, None)
        self._list()

    def _list(self) -> None:
        self._drawn = None


def _owner(key: str) -> str:
    """The name of the item that a line of the legend belongs to."""
    return key.partition(" ")[0]


class SceneItem:
    """One kind of thing in the 3D view: the body, the triads, an arrow, a trail. The contract:

    1. One module in `quatviz/display/scene/items/`, or in an outside package behind an entry point of the group
       `quatviz.items`, defines one concrete subclass; `name` is the module's name (free for a plug-in), `title`
       is what the toggle says, `order` the drawing order (opaque before transparent), `shown_at_first` whether it
       is seen before a person has said anything: the first picture is simple.
    2. The stage makes it when it is first to be seen, on one thread and with no current GL context assumed, for one run
       and one theme: for others a new item takes its place. It calls `show` once per frame while its toggle is on, and
       when it is turned on. What is turned off is not drawn, whatever it is told: no item has to know.
    3. What it draws it adds to its stage, in `make` or later, as primitives (`stage.add(Mesh(...))`, a `Line`, a `Label`),
       and keeps them to move, colour and hide them. No item knows Qt or OpenGL: so the same item is drawn without OpenGL, or
       into a film.
    4. Lengths are body radii: the stage scales the world so that the body's largest half-extent is 1. Space axes
       are x right-handed with z up; `rotation` of a pose maps body to space.
    5. `show` costs well below a millisecond; it draws the frame's poses, computes no physics, keeps no data of a run.
    6. Whatever is a vector says what it is: a label of its own, its scale from `frame.scales`.
    7. An exception inside an item is caught by the stage, logged, shown in the status row once; the item is left out.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    title: ClassVar[str]
    told: ClassVar[str] = ""
    """How it looks, in the help's table, as Markdown; without it the docstring is told."""
    order: ClassVar[int] = 1000
    shown_at_first: ClassVar[bool] = True

    def __init__(self, stage: Stage, theme: Theme, source: Source) -> None:
        assert stage.shape is not None
        self.stage, self.theme, self.source, self.shape = stage, theme, source, stage.shape
        self.make()

    def make(self) -> None:
        """Add what lasts as long as the run of `source`."""

    def show(self, frame: Frame) -> None:
        """Draw this frame."""


def look_alike(before: Frame, frame: Frame) -> bool:
    """Whether the items read the same from both: so while a run is prepared, or rests."""
    if (before.generation, before.time) != (frame.generation, frame.time) or before.reads < frame.reads:
        return False
    # A trail is as long as the fastest turn lets it, which is found where rows are reduced.
    if before.taken != frame.taken:
        return False
    return _what_is_seen(before) == _what_is_seen(frame)


def _what_is_seen(frame: Frame) -> object:
    lanes = [
        (
            lane.name,
            lane.status,
            lane.colour,
            lane.solid,
            lane.visible,
            lane.drawn,
            lane.frozen,
            lane.computed_to,
        )
        for lane in frame.lanes
    ]
    poses = [None if lane.pose is None else lane.pose.p.tobytes() for lane in frame.lanes]
    # Only the body has arrows: those of the others are never computed.
    pose = frame.pose
    arrows = [vector.tobytes() for vector in pose.vectors.values()] if pose is not None else []
    return lanes, poses, arrows, frame.scales

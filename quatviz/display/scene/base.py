"""Base classes of the 3D scene: items, the primitives that they draw with, and the stage. Without Qt and OpenGL.

Views, thumbnails, films and files draw the primitives of the stage in their own ways.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, exception_text
from quatviz.base.registry import is_third_party
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.view_state.theme import Theme
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.solid import Solid, make_solid

log = logging.getLogger(__name__)

HexColor = str
"""A color `#rrggbb`."""

MAX_ARROW_LENGTH = 1.4
"""Length in body radii of the largest value of a vector quantity in a run."""


@dataclass(eq=False)
class Mesh:
    """Triangles: float32 rows of position and normal, in the mesh's own frame.

    `material` is `solid`, `painted` (two tones by octant), `glass` (visible at the rim, clear elsewhere), `floor` (a
    grid that fades out) or `pane` (evenly translucent, seen from both sides).
    """

    vertices: np.ndarray
    color: HexColor
    material: str = "solid"
    second_color: HexColor = ""
    alpha: float = 1.0
    shadow: bool = False
    visible_through: bool = False
    """True if the mesh remains faintly visible behind painted meshes. An example is an arrow that begins
    inside the body."""
    depth_bias: float = 0.0
    """Distance [body radii] by which the mesh is drawn nearer to the eye, so that nearby meshes do not hide it. Its
    position in the picture is unchanged."""
    visible: bool = True
    transform: np.ndarray = field(default_factory=lambda: np.eye(4))
    """Matrix (4, 4) from the frame of the mesh to space."""


@dataclass(eq=False)
class Line:
    """A polyline of constant width on the screen. `fade` lets it fade out towards its first point."""

    color: HexColor
    width: float = 2.0
    fade: bool = False
    visible: bool = True
    points: np.ndarray = field(default_factory=lambda: np.empty((0, 3), np.float32))

    def set_points(self, points: np.ndarray) -> None:
        """Replace the points (n, 3) in space."""
        self.points = np.ascontiguousarray(points, dtype=np.float32)


@dataclass(eq=False)
class Label:
    """A text beside a point in space. Labels of lower `priority` are placed first."""

    text: str
    color: HexColor
    priority: int = 10
    visible: bool = True
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Position (3,) in space."""


def transform_matrix(rotation: np.ndarray | None = None, offset: np.ndarray | None = None) -> np.ndarray:
    """Return the matrix (4, 4) of a rotation (3, 3) and a translation (3,)."""
    matrix = _IDENTITY.copy()
    if rotation is not None:
        matrix[:3, :3] = rotation
    if offset is not None:
        matrix[:3, 3] = offset
    return matrix


_IDENTITY = np.eye(4)
Primitive = Mesh | Line | Label
"""Anything that an item draws. Primitives that are not `visible` are left out."""
PrimitiveT = TypeVar("PrimitiveT", Mesh, Line, Label)

MATERIALS = ("solid", "painted", "glass", "floor", "pane")
"""Values of `Mesh.material`."""
_HEX_COLOR = re.compile("#[0-9a-fA-F]{6}")
_VERTEX_COLUMNS = 6
"""Number of values per vertex of a mesh: three for the position, three for the normal."""


def refuse_invalid_primitive(primitive: Primitive) -> None:
    """Refuse a primitive that no renderer can draw, so that the error names the item and not OpenGL.

    Raises
    ------
    ValueError
        If a color, a material, a shape of an array or a type of its elements is wrong. The message names the field.
    """
    name = type(primitive).__name__
    if not isinstance(primitive, (Mesh, Line, Label)):
        raise ValueError(f"{primitive!r} is neither a Mesh nor a Line nor a Label")
    _refuse_invalid_color(f"{name}.color", primitive.color)
    if isinstance(primitive, Mesh):
        if primitive.material not in MATERIALS:
            raise ValueError(f"{name}.material is {primitive.material!r}, not one of {', '.join(MATERIALS)}")
        if primitive.second_color:
            _refuse_invalid_color(f"{name}.second_color", primitive.second_color)
        _refuse_invalid_array(f"{name}.transform", primitive.transform, (4, 4))
        _refuse_invalid_array(f"{name}.vertices", primitive.vertices, (None, _VERTEX_COLUMNS))
        if len(primitive.vertices) == 0 or len(primitive.vertices) % 3:
            raise ValueError(
                f"{name}.vertices has {len(primitive.vertices)} rows, not three for each triangle"
            )
    elif isinstance(primitive, Line):
        _refuse_invalid_array(f"{name}.points", primitive.points, (None, 3))
    else:
        _refuse_invalid_array(f"{name}.position", primitive.position, (3,))
        if not isinstance(primitive.text, str):
            raise ValueError(f"{name}.text is {primitive.text!r}, not a text")


def _refuse_invalid_color(name: str, color: object) -> None:
    if not isinstance(color, str) or not _is_hex_color(color):
        raise ValueError(f"{name} is {color!r}, not a color such as #1f77b4")


def _is_length(actual: int, expected: int | None) -> bool:
    return expected is None or actual == expected


@lru_cache
def _is_hex_color(color: str) -> bool:
    return _HEX_COLOR.fullmatch(color) is not None


def _refuse_invalid_array(name: str, array: object, shape: tuple[int | None, ...]) -> None:
    """Raise an error unless `array` has real numbers and the given `shape`, in which None stands for any
    length."""
    actual = array.shape if isinstance(array, np.ndarray) else None
    if (
        actual is None
        or len(actual) != len(shape)
        or not (actual == shape or all(map(_is_length, actual, shape)))
        or array.dtype.kind not in "fiu"  # type: ignore[attr-defined]
    ):
        result = type(array).__name__ if actual is None else f"{array.dtype} of the shape {actual}"  # type: ignore[attr-defined]
        expected_text = ", ".join("n" if length is None else str(length) for length in shape)
        raise ValueError(f"{name} is {result}, not an array of numbers of the shape ({expected_text})")


class Stage:
    """The primitives of the 3D items, and the state that items may read. An item that raises an exception is removed.

    Parameters
    ----------
    theme
        Colors.
    item_classes
        Classes of the items.
    report
        Receives a message when an item fails.
    sequence
        Returns the Euler sequence chosen by the user.
    """

    def __init__(
        self,
        theme: Theme,
        item_classes: "Iterable[type[SceneItem]]",
        report: Callable[[str], None],
        sequence: Callable[[], str] = lambda: "321",
    ) -> None:
        self.items = {
            item_class.name: item_class
            for item_class in sorted(item_classes, key=lambda item_class: item_class.order)
        }
        """Classes of the working items by name, in drawing order."""
        self._third_party_items = {
            name for name, item_class in self.items.items() if is_third_party(item_class)
        }
        self._drawn: list[Primitive] | None = None
        """Visible primitives in drawing order; None if they must be collected again."""
        self._drawn_by_type: dict[type[Primitive], list[Any]] = {}
        """Visible primitives by type, in drawing order."""
        self._visible_items: tuple[str, ...] | None = None
        """Names of the visible items in drawing order; None if they must be determined again."""
        self._legend_lines: dict[str, tuple[str, str]] | None = None
        """Lines of the legend of the visible items; None if they must be collected again."""
        self.shape: Solid | None = None
        """Shape of the body in body radii; None before a run begins."""
        self.floor = -1.7
        """Height of the ground in body radii."""
        self.magnification = 0
        """Power of ten by which differences between lanes are magnified."""
        self.highlight = ""
        """Name of the quantity whose arrow is highlighted."""
        self.proposed: dict[str, np.ndarray] = {}
        """Vectors (3,) [space, body radii] that the user is setting and that are not applied yet, by the name
        of the item that shows them."""
        self._forced_items: tuple[str, ...] = ()
        self.sequence = sequence
        self._theme, self._report = theme, report
        self._source: ColumnSource | None = None
        self._body: Body | None = None
        """Body from which `shape` was made."""
        self._visibility: dict[str, bool] = {}
        self._created_items: dict[str, SceneItem] = {}
        """Items of this run by name, created when first visible."""
        self._primitives: dict[str, list[Primitive]] = {}
        """Primitives of each item."""
        self._legend: dict[str, tuple[str, str]] = {}
        self._item_radii: dict[str, float] = {}
        self._current_item = ""

    # --- for renderers

    def start(self, source: ColumnSource) -> bool:
        """Start with a run, whose body sets the unit of length. Return True if the reach of the new body, in
        body radii, differs from that of the previous body."""
        before, self._source = self.shape, source
        # The source cannot be compared, because its info changes where the cursor passes a change of the
        # body.
        if self.shape is None or self._body is not source.info.body:
            self._body = source.info.body
            self.shape = make_solid(self._body)
        self.floor = -(self.shape.reach + 0.7)
        self.clear()
        return before is None or before.reach != self.shape.reach

    def release(self) -> None:
        """Release the data of the run until another run starts."""
        self._source = None
        self.clear()

    def draw_frame(self, frame: Frame) -> None:
        """Let the visible items draw this frame."""
        for name in self._visible_names:
            self._draw_item(name, frame)

    def set_theme(self, theme: Theme) -> None:
        """Create all items again in the colors of another theme."""
        self._theme = theme
        self.clear()

    def clear(self) -> None:
        """Release all items. Visible ones are created again with the next frame."""
        for store in (self._created_items, self._primitives, self._item_radii):
            store.clear()
        self._legend = {
            key: line for key, line in self._legend.items() if _item_of_key(key) not in self.items
        }
        self._invalidate_primitives()

    @property
    def drawn(self) -> list[Primitive]:
        """Primitives of the visible items, in drawing order."""
        if self._drawn is None:
            self._drawn = [
                primitive for name in self._visible_names for primitive in self.primitives_of(name)
            ]
        return self._drawn

    @property
    def meshes(self) -> list[Mesh]:
        """Visible meshes."""
        return self._drawn_of_type(Mesh)

    @property
    def lines(self) -> list[Line]:
        return self._drawn_of_type(Line)

    @property
    def labels(self) -> list[Label]:
        return self._drawn_of_type(Label)

    def _drawn_of_type(self, primitive_type: type[PrimitiveT]) -> list[PrimitiveT]:
        """Return the drawn primitives of one type. The result is the same list object until primitives are
        added, removed, shown or hidden."""
        drawn = self.drawn
        if primitive_type not in self._drawn_by_type:
            self._drawn_by_type[primitive_type] = [
                primitive for primitive in drawn if isinstance(primitive, primitive_type)
            ]
        return self._drawn_by_type[primitive_type]

    @property
    def visible_radius(self) -> float:
        """Radius of the visible scene around the origin, in body radii."""
        reaches = (reach for name, reach in self._item_radii.items() if self.is_visible(name))
        return max(self.shape.reach if self.shape else 1.0, MAX_ARROW_LENGTH, *reaches)

    @property
    def legend_lines(self) -> dict[str, tuple[str, str]]:
        """Lines of the corner legend: text and color by key, in the order of the items."""
        if self._legend_lines is None:
            order = {name: index for index, name in enumerate(self.items)}
            lines = [
                entry
                for entry in self._legend.items()
                if _item_of_key(entry[0]) not in order or self.is_visible(_item_of_key(entry[0]))
            ]
            self._legend_lines = dict(
                sorted(lines, key=lambda entry: order.get(_item_of_key(entry[0]), len(order)))
            )
        return self._legend_lines

    # --- which items are seen

    def is_visible(self, name: str) -> bool:
        """Return True if an item is to be drawn: it has not failed, and is forced, chosen by the user or visible by
        default."""
        item_class = self.items.get(name)
        if item_class is None:
            return False
        return name in self.forced_items or self._visibility.get(name, item_class.visible_by_default)

    @property
    def _visible_names(self) -> tuple[str, ...]:
        if self._visible_items is None:
            self._visible_items = tuple(name for name in self.items if self.is_visible(name))
        return self._visible_items

    @property
    def forced_items(self) -> tuple[str, ...]:
        """Items that are temporarily visible regardless of the user's choice."""
        return self._forced_items

    @forced_items.setter
    def forced_items(self, names: tuple[str, ...]) -> None:
        self._forced_items = names
        self._invalidate_primitives()

    def set_item_visible(self, name: str, visible: bool, frame: Frame | None) -> None:
        """Show or hide an item from now on. A shown item draws `frame` at once."""
        self._visibility[name] = visible
        self._invalidate_primitives()
        if name in self.items and visible and frame is not None:
            self._draw_item(name, frame)

    @property
    def item_visibility(self) -> dict[str, bool]:
        """Items that the user has shown (True) or hidden (False)."""
        return dict(self._visibility)

    def apply_visibility(self, visibility: Mapping[str, bool], frame: Frame | None) -> None:
        """Show or hide each item as the user has chosen. Items without a choice are shown or hidden by
        default."""
        for name, item_class in list(self.items.items()):
            visible = visibility.get(name, item_class.visible_by_default)
            if visible != self.is_visible(name):
                self.set_item_visible(name, visible, frame)
        self._visibility = {name: visibility[name] for name in visibility if name in self.items}

    # --- for the items

    def add(self, primitive: PrimitiveT) -> PrimitiveT:
        """Add a primitive of the current item and return it. Primitives that cannot be drawn are refused."""
        refuse_invalid_primitive(primitive)
        self._primitives.setdefault(self._current_item, []).append(primitive)
        self._invalidate_primitives()
        return primitive

    def remove(self, primitive: Primitive) -> None:
        """Remove a primitive."""
        for primitives in self._primitives.values():
            if primitive in primitives:
                primitives.remove(primitive)
        self._invalidate_primitives()

    def primitives_of(self, name: str) -> tuple[Primitive, ...]:
        """Return the primitives of an item, visible or not."""
        return tuple(self._primitives.get(name, ()))

    def set_legend_line(self, key: str, text: str, color: str) -> None:
        """Set a line of the corner legend; an empty `text` removes it. The key begins with the name of the item."""
        line = (text, color) if text else None
        if self._legend.get(key) == line:
            return
        self._legend_lines = None
        if line is not None:
            self._legend[key] = line
        else:
            del self._legend[key]

    def set_item_radius(self, key: str, radius: float) -> None:
        """Set the largest distance from the origin [body radii] that an item reaches. `key` is its name. The view is
        fitted to the distances of all items."""
        self._item_radii[key] = radius

    # --- inside

    def _draw_item(self, name: str, frame: Frame) -> None:
        """Draw an item, and create it if it was not visible before. An item that fails is removed."""
        if self._source is None:
            return
        self._current_item = name
        try:
            if name not in self._created_items:
                self._created_items[name] = self.items[name](self, self._theme, self._source)
            self._created_items[name].show(frame)
            if name in self._third_party_items:  # the changes of our own items are tested
                for primitive in self._primitives.get(name, ()):
                    refuse_invalid_primitive(primitive)
        except PLUGIN_EXCEPTIONS as error:
            item_class = self.items[name]
            log.error("the scene item %s failed", name, exc_info=error)
            self._remove_item(name)
            text = tr(
                "{item} is not drawn: {error_type}: {reason}",
                item=tr(item_class.title),
                error_type=type(error).__name__,
                reason=exception_text(error),
            )
            self._report(text)

    def _remove_item(self, name: str) -> None:
        for key in [key for key in self._legend if _item_of_key(key) == name]:
            del self._legend[key]
        for store in (self.items, self._created_items, self._primitives, self._item_radii):
            store.pop(name, None)
        self._invalidate_primitives()

    def _invalidate_primitives(self) -> None:
        self._drawn = self._visible_items = self._legend_lines = None
        self._drawn_by_type = {}


def _item_of_key(key: str) -> str:
    """Return the name of the item to which a line of the legend belongs."""
    return key.partition(" ")[0]


class SceneItem:
    """One item of the 3D view, such as the body, an arrow or a trail. The contract for authors of items:

    1. One module in `quatviz/display/scene/items/`, or in an outside package behind an entry point of the
       group `quatviz.items`, defines one concrete subclass. `name` is the module's name (free for a plug-in),
       `title` is the text of its check box, `order` the drawing order (opaque before transparent), and
       `visible_by_default` whether it is shown until the user decides: the first picture is simple.
    2. The stage creates an item when it is first visible, on one thread and without a current OpenGL context,
       for one run and one theme; for others it creates a new one. It calls `show` once per frame while the
       item is visible, and when it becomes visible. Hidden items are not drawn; items need not check this.
    3. An item adds primitives to its stage, in `make` or later (`stage.add(Mesh(...))`, a `Line`, a `Label`),
       and keeps them to move, color and hide them. Items do not use Qt or OpenGL, so that they can also be
       drawn without OpenGL or into a film.
    4. Lengths are body radii: the stage scales the world so that the body's largest half-extent is 1. Space
       axes are right-handed with z up; `rotation` of a pose maps body to space.
    5. `show` takes well below a millisecond. It draws the poses of the frame, computes no physics and stores
       no data of a run.
    6. A vector has a label and its scale from `frame.scales`.
    7. An exception in an item is caught by the stage, logged, and reported once in the status row; the item
       is removed.
    """

    contract: ClassVar[int] = 2
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""
    """Description of the item for the table in the help, as Markdown. If it is empty, the docstring of the
    class is used."""
    order: ClassVar[int] = 1000
    visible_by_default: ClassVar[bool] = True

    def __init__(self, stage: Stage, theme: Theme, source: ColumnSource) -> None:
        assert stage.shape is not None
        self.stage, self.theme, self.source, self.shape = stage, theme, source, stage.shape
        self.make()

    def make(self) -> None:
        """Add the primitives that exist for the whole run of `source`."""

    def show(self, frame: Frame) -> None:
        """Draw this frame."""


def is_same_picture(before: Frame, frame: Frame) -> bool:
    """Return True if the items would draw both frames equally, as they do while a run is prepared or paused."""
    if (before.generation, before.time) != (
        frame.generation,
        frame.time,
    ) or before.updates_readouts < frame.updates_readouts:
        return False
    # The length of a trail depends on the fastest rotation in the reduced rows.
    if before.data_revision != frame.data_revision:
        return False
    return _visible_state(before) == _visible_state(frame)


def _visible_state(frame: Frame) -> object:
    lanes = [
        (
            lane.name,
            lane.status,
            lane.color,
            lane.solid,
            lane.visible,
            lane.drawn,
            lane.frozen,
            lane.computed_to,
        )
        for lane in frame.lanes
    ]
    poses = [None if lane.pose is None else lane.pose.p.tobytes() for lane in frame.lanes]
    # Only the body has arrows; the vectors of other lanes are never computed.
    pose = frame.pose
    arrows = [vector.tobytes() for vector in pose.vectors.values()] if pose is not None else []
    return lanes, poses, arrows, frame.scales

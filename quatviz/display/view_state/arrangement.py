"""Where panels stand, as plain names: their order, which share a place, which have a window of their own; and how wide the parts of
the window are while a lesson is presented."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from quatviz.display.view_state.signal import Signal
from quatviz.files.schema import (
    Record,
    fixed_list_reader,
    list_reader,
    mapping_reader,
    read_pixels,
    read_string,
    schema_field,
)

WindowBox = tuple[int, int, int, int]
"""Left, top, width and height of a window [pixels]."""
WidthShares = tuple[float, float, float]
_WIDE_SHARES: tuple[WidthShares, ...] = ((0.34, 0.28, 0.38),)
"""Of the window's width that a lesson's words, the 3D view and the plots have: two plots beside each other keep their titles."""
_NARROW_WIDTH, _NARROW_SHARES = 1500, ((0.34, 0.36, 0.30), (0.43, 0.26, 0.31))
"""Width of a window [pixels] in which words, whose type is not written smaller than that of the plots, need a larger share where
there are many; of a page of few the view has as much."""


@dataclass(frozen=True)
class TabGroup:
    """One place on the board: the panels that share it, as tabs, and the one in front."""

    names: tuple[str, ...]
    front: str


_read_box = fixed_list_reader(read_pixels, (0, 4), "left, top, width and height of a window, or nothing")


@dataclass(frozen=True)
class PanelLayout(Record):
    """Where panels stand, by name; as at a first start where it says nothing."""

    blocks: tuple[tuple[str, ...], ...] = schema_field(list_reader(list_reader(read_string)), ())
    """The places in their order, each with the panels that share it, whether they are seen in this run or not. Panels of
    which it does not know stand behind those that are before them at a first start."""
    fronts: tuple[str, ...] = schema_field(list_reader(read_string), ())
    """Those that are shown of the panels that share a place."""
    floating: Mapping[str, WindowBox | tuple[()]] = schema_field(mapping_reader(_read_box), {})
    """Panels with a window of their own, and where that was last."""


class PanelArrangement:
    """The arrangement of the panels `names`, which are in the order of a first start. `changed` is told when it is another one.

    `blocks` are the places in their order, each with the panels that share it, whether they are seen in this run or
    not; a panel that floats keeps its place for when it comes back.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.changed = Signal()
        self._set_defaults()

    def reset(self) -> None:
        """The arrangement of a first start."""
        self._set_defaults()
        self.changed.emit()

    def _set_defaults(self) -> None:
        self.blocks: list[list[str]] = [[name] for name in self._names]
        self._fronts: set[str] = set()
        self.floating: dict[str, WindowBox | None] = {}
        """Panels with a window of their own, and where that was last."""
        self.maximised: str | None = None
        """The panel that has the whole board."""

    def tab_groups(self, visible_panels: Collection[str]) -> list[TabGroup]:
        """What stands on the board if these panels are wanted: one place while a panel has all of it."""
        groups = []
        for block in self.blocks:
            names = tuple(name for name in block if name in visible_panels and name not in self.floating)
            if names:
                front = next((name for name in names if name in self._fronts), names[0])
                groups.append(TabGroup(names, front))
        maximised_groups = [group for group in groups if self.maximised in group.names]
        return [TabGroup(group.names, str(self.maximised)) for group in maximised_groups] or groups

    def maximise(self, name: str | None) -> None:
        """Give a panel the whole board, or the board back to all."""
        self.maximised = name
        self.changed.emit()

    def panels_sharing_tab_group(self, name: str) -> tuple[str, ...]:
        """The panels of a place."""
        return tuple(self._block(name))

    def stack_onto(self, name: str, onto: str) -> None:
        """Put a panel onto the place of another, in front."""
        if onto in self._block(name):
            return
        self._remove(name)
        self.floating.pop(name, None)
        self._block(onto).append(name)
        self.bring_forward(name)

    def unstack(self, name: str) -> None:
        """Give a panel a place of its own again, behind the one that it shared."""
        self._separate(name)
        self.changed.emit()

    def _separate(self, name: str) -> None:
        block = self._block(name)
        if len(block) > 1:
            after = self.blocks.index(block) + 1
            block.remove(name)
            self._fronts.discard(name)
            self.blocks.insert(after, [name])

    def bring_forward(self, name: str) -> None:
        """Show this one of the panels that share its place."""
        self._fronts -= set(self._block(name))
        self._fronts.add(name)
        if self.maximised in self._block(name):
            self.maximised = name
        self.changed.emit()

    def swap(self, name: str, other: str) -> None:
        """Let two places change places."""
        first, second = self.blocks.index(self._block(name)), self.blocks.index(self._block(other))
        self.blocks[first], self.blocks[second] = self.blocks[second], self.blocks[first]
        self.changed.emit()

    def detach(self, name: str) -> None:
        """Give a panel a window of its own."""
        self._separate(name)
        self.floating[name] = None
        if self.maximised == name:
            self.maximised = None
        self.changed.emit()

    def dock(self, name: str) -> None:
        """Put a panel that floated back to its place."""
        self.floating.pop(name, None)
        self.changed.emit()

    @property
    def layout(self) -> PanelLayout:
        """All of it but for what is maximised."""
        blocks = tuple(tuple(block) for block in self.blocks)
        is_default = blocks == tuple((name,) for name in self._names)
        fronts = tuple(sorted(self._fronts))
        floating = {name: box or () for name, box in self.floating.items()}
        return PanelLayout(() if is_default else blocks, fronts, floating)

    def restore(self, layout: PanelLayout, maximised: str = "") -> None:
        """Stand as `layout` says, one panel on all of the board; panels that there are not are left out."""
        self._set_defaults()
        self.maximised = maximised or None
        if layout.blocks:
            self._set_blocks(layout.blocks)
        self._fronts = set(layout.fronts) & set(self._names)
        self.floating = {name: box or None for name, box in layout.floating.items() if name in self._names}
        self.changed.emit()

    def _set_blocks(self, blocks: Sequence[Sequence[str]]) -> None:
        unplaced = set(self._names)
        self.blocks = []
        for block in blocks:
            new_block = [name for name in dict.fromkeys(block) if name in unplaced]
            unplaced -= set(new_block)
            self.blocks += [new_block] if new_block else []
        for index, name in enumerate(self._names):
            if name in unplaced:
                before = [self._block(other) for other in self._names[:index]]
                position = self.blocks.index(before[-1]) + 1 if before else 0
                self.blocks.insert(position, [name])

    def _block(self, name: str) -> list[str]:
        return next(block for block in self.blocks if name in block)

    def _remove(self, name: str) -> None:
        block = self._block(name)
        block.remove(name)
        self._fronts.discard(name)
        self.blocks = [block for block in self.blocks if block]


def lesson_width_shares(width: int, min_text_share: float, fits: Callable[[int], bool]) -> WidthShares:
    """Those of a lesson in a window so wide [pixels], where words have at least that share: the first whose column of words, so
    many pixels wide, `fits` them, or the last.

    >>> lesson_width_shares(1920, 0.0, lambda width: False), lesson_width_shares(1366, 0.4, lambda width: True)
    ((0.34, 0.28, 0.38), (0.43, 0.26, 0.31))
    """
    candidates = _NARROW_SHARES if width < _NARROW_WIDTH else _WIDE_SHARES
    allowed = tuple(share for share in candidates if share[0] >= min_text_share) or candidates
    return next((share for share in allowed if fits(round(share[0] * width))), allowed[-1])

"""Where panels stand, as plain names: their order, which share a place, which have a window of their own; and how wide the parts of
the window are while a lesson is presented."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from quatviz.display.view_state.signal import Told
from quatviz.files.schema import Plain, each, named, pixels, said, some, text

Box = tuple[int, int, int, int]
"""Left, top, width and height of a window [pixels]."""
Shares = tuple[float, float, float]
_SHARES: tuple[Shares, ...] = ((0.34, 0.28, 0.38),)
"""Of the window's width that a lesson's words, the 3D view and the plots have: two plots beside each other keep their titles."""
_NARROW, _NARROW_SHARES = 1500, ((0.34, 0.36, 0.30), (0.43, 0.26, 0.31))
"""Width of a window [pixels] in which words, whose type is not written smaller than that of the plots, need a larger share where
there are many; of a page of few the view has as much."""


@dataclass(frozen=True)
class Stack:
    """One place on the board: the panels that share it, as tabs, and the one in front."""

    names: tuple[str, ...]
    front: str


_read_box = some(pixels, (0, 4), "left, top, width and height of a window, or nothing")


@dataclass(frozen=True)
class Layout(Plain):
    """Where panels stand, by name; as at a first start where it says nothing."""

    blocks: tuple[tuple[str, ...], ...] = said(each(each(text)), ())
    """The places in their order, each with the panels that share it, whether they are seen in this run or not. Panels of
    which it does not know stand behind those that are before them at a first start."""
    fronts: tuple[str, ...] = said(each(text), ())
    """Those that are shown of the panels that share a place."""
    floating: Mapping[str, Box | tuple[()]] = said(named(_read_box), {})
    """Panels with a window of their own, and where that was last."""


class Arrangement:
    """The arrangement of the panels `names`, which are in the order of a first start. `changed` is told when it is another one.

    `blocks` are the places in their order, each with the panels that share it, whether they are seen in this run or
    not; a panel that floats keeps its place for when it comes back.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.changed = Told()
        self._begin()

    def reset(self) -> None:
        """The arrangement of a first start."""
        self._begin()
        self.changed.emit()

    def _begin(self) -> None:
        self.blocks: list[list[str]] = [[name] for name in self._names]
        self._fronts: set[str] = set()
        self.floating: dict[str, Box | None] = {}
        """Panels with a window of their own, and where that was last."""
        self.maximised: str | None = None
        """The panel that has the whole board."""

    def places(self, wanted: Collection[str]) -> list[Stack]:
        """What stands on the board if these panels are wanted: one place while a panel has all of it."""
        places = []
        for block in self.blocks:
            names = tuple(name for name in block if name in wanted and name not in self.floating)
            if names:
                front = next((name for name in names if name in self._fronts), names[0])
                places.append(Stack(names, front))
        whole = [place for place in places if self.maximised in place.names]
        return [Stack(place.names, str(self.maximised)) for place in whole] or places

    def maximise(self, name: str | None) -> None:
        """Give a panel the whole board, or the board back to all."""
        self.maximised = name
        self.changed.emit()

    def together(self, name: str) -> tuple[str, ...]:
        """The panels of a place."""
        return tuple(self._block(name))

    def stack(self, name: str, onto: str) -> None:
        """Put a panel onto the place of another, in front."""
        if onto in self._block(name):
            return
        self._take_out(name)
        self.floating.pop(name, None)
        self._block(onto).append(name)
        self.bring_forward(name)

    def unstack(self, name: str) -> None:
        """Give a panel a place of its own again, behind the one that it shared."""
        self._part(name)
        self.changed.emit()

    def _part(self, name: str) -> None:
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

    def float(self, name: str) -> None:
        """Give a panel a window of its own."""
        self._part(name)
        self.floating[name] = None
        if self.maximised == name:
            self.maximised = None
        self.changed.emit()

    def dock(self, name: str) -> None:
        """Put a panel that floated back to its place."""
        self.floating.pop(name, None)
        self.changed.emit()

    @property
    def layout(self) -> Layout:
        """All of it but for what is maximised."""
        blocks = tuple(tuple(block) for block in self.blocks)
        plain = blocks == tuple((name,) for name in self._names)
        fronts = tuple(sorted(self._fronts))
        floating = {name: box or () for name, box in self.floating.items()}
        return Layout(() if plain else blocks, fronts, floating)

    def recall(self, layout: Layout, maximised: str = "") -> None:
        """Stand as `layout` says, one panel on all of the board; panels that there are not are left out."""
        self._begin()
        self.maximised = maximised or None
        if layout.blocks:
            self._place(layout.blocks)
        self._fronts = set(layout.fronts) & set(self._names)
        self.floating = {name: box or None for name, box in layout.floating.items() if name in self._names}
        self.changed.emit()

    def _place(self, blocks: Sequence[Sequence[str]]) -> None:
        left = set(self._names)
        self.blocks = []
        for block in blocks:
            known = [name for name in dict.fromkeys(block) if name in left]
            left -= set(known)
            self.blocks += [known] if known else []
        for number, name in enumerate(self._names):
            if name in left:
                before = [self._block(other) for other in self._names[:number]]
                at = self.blocks.index(before[-1]) + 1 if before else 0
                self.blocks.insert(at, [name])

    def _block(self, name: str) -> list[str]:
        return next(block for block in self.blocks if name in block)

    def _take_out(self, name: str) -> None:
        block = self._block(name)
        block.remove(name)
        self._fronts.discard(name)
        self.blocks = [block for block in self.blocks if block]


def shares(width: int, least: float, holds: Callable[[int], bool]) -> Shares:
    """Those of a lesson in a window so wide [pixels], where words have at least that share: the first whose column of words, so
    many pixels wide, `holds` them, or the last.

    >>> shares(1920, 0.0, lambda width: False), shares(1366, 0.4, lambda width: True)
    ((0.34, 0.28, 0.38), (0.43, 0.26, 0.31))
    """
    every = _NARROW_SHARES if width < _NARROW else _SHARES
    known = tuple(one for one in every if one[0] >= least) or every
    return next((one for one in known if holds(round(one[0] * width))), known[-1])

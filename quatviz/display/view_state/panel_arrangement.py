"""Moves panels: the arrangement of a board, which it reads from the view state and writes to it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quatviz.display.view_state.arrangement import PanelLayout, WindowBox
from quatviz.display.view_state.view_state import ALL_OTHERS, OVERVIEW_PANELS, ViewState
from quatviz.display.view_state.view_store import ViewStore


@dataclass(frozen=True)
class TabGroup:
    """One place on the board: the panels that share it, as tabs, and the one in front."""

    names: tuple[str, ...]
    front: str


class PanelArrangement:
    """The positions of the panels `names`, which are in the order of a first start, as the view state of `store` says.

    `blocks` are the positions in their order, each with the panels that share it, whether they are seen in this run or
    not; a panel that floats keeps its position for when it comes back. They follow the view state; each method that changes
    them updates it.
    """

    def __init__(self, names: Sequence[str], store: ViewStore | None = None) -> None:
        self._names = tuple(names)
        self._store = store or ViewStore()
        self._load(self._store.state)
        self._store.changed.connect(self._apply_view_change)

    @property
    def is_overview(self) -> bool:
        """True if the panels stand as in the overview."""
        return self._store.state.overview

    def reset(self) -> None:
        """Restore the arrangement of a first start."""
        self.restore(PanelLayout())

    def restore(self, layout: PanelLayout, maximised: str = "") -> None:
        """Show this layout, with one panel on all of the board; panels that there are not are left out."""
        self._store.update(layout=layout, maximised=maximised)

    def set_window_box(self, name: str, box: WindowBox) -> None:
        """Note where the window of a floating panel is."""
        layout = self._store.state.layout
        if name in layout.floating:
            self._store.update(layout=replace(layout, floating={**layout.floating, name: box}))

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if (old.layout, old.maximised, old.overview) != (new.layout, new.maximised, new.overview):
            self._load(new)

    def _load(self, view_state: ViewState) -> None:
        names = [name for name in OVERVIEW_PANELS if name in self._names and view_state.overview]
        layout = PanelLayout() if view_state.overview else view_state.layout
        self.blocks = [[name] for name in dict.fromkeys((*names, *self._names))]
        self.maximised = view_state.maximised or None
        """The panel that has the whole board."""
        if layout.blocks:
            self._set_blocks(layout.blocks)
        self._fronts = set(layout.fronts) & set(self._names)
        self.floating: dict[str, WindowBox | None] = {
            name: box or None for name, box in layout.floating.items() if name in self._names
        }
        """Panels with a window of their own, and where that was last."""

    def _commit(self) -> None:
        """Write the arrangement to the view state. One that was made from the overview ends it, with the same panels."""
        fields: dict[str, Any] = {}
        if self._store.state.overview:
            fields = {
                "panels": {ALL_OTHERS: False, **dict.fromkeys(OVERVIEW_PANELS, True)},
                "overview": False,
            }
        self._store.update(layout=self.layout, maximised=self.maximised or "", **fields)

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
        self._store.update(maximised=name or "")

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
        self._commit()

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
        self._commit()

    def swap(self, name: str, other: str) -> None:
        """Let two places change places."""
        first, second = self.blocks.index(self._block(name)), self.blocks.index(self._block(other))
        self.blocks[first], self.blocks[second] = self.blocks[second], self.blocks[first]
        self._commit()

    def detach(self, name: str) -> None:
        """Give a panel a window of its own."""
        self._separate(name)
        self.floating[name] = None
        if self.maximised == name:
            self.maximised = None
        self._commit()

    def dock(self, name: str) -> None:
        """Put a panel that floated back to its place."""
        self.floating.pop(name, None)
        self._commit()

    @property
    def layout(self) -> PanelLayout:
        """All of it but for what is maximised."""
        blocks = tuple(tuple(block) for block in self.blocks)
        is_default = blocks == tuple((name,) for name in self._names)
        fronts = tuple(sorted(self._fronts))
        floating = {name: box or () for name, box in self.floating.items()}
        return PanelLayout(() if is_default else blocks, fronts, floating)

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

"""Editing of the panel arrangement of a board, which is stored in the view state."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quatviz.display.view_state.arrangement import PanelLayout, WindowBox
from quatviz.display.view_state.view_state import ALL_OTHERS, OVERVIEW_PANELS, ViewState
from quatviz.display.view_state.view_store import ViewStore


@dataclass(frozen=True)
class TabGroup:
    """One cell of the board: the panels that share it as tabs, and the tab in front."""

    names: tuple[str, ...]
    front: str


class PanelArrangement:
    """Arrangement of the panels of a board, stored in the view state of `store`.

    `blocks` lists the groups of panels that share a position, in order of the positions. It includes panels that this
    run does not show. A floating panel keeps its position, to which it returns when it is docked. `blocks` follows the
    view state, and each editing method updates the view state.

    Parameters
    ----------
    names
        Names of all panels, in their default order.
    store
        View state of the window; a new one if None.
    """

    def __init__(self, names: Sequence[str], store: ViewStore | None = None) -> None:
        self._names = tuple(names)
        self._store = store or ViewStore()
        self._load(self._store.state)
        self._store.changed.connect(self._apply_view_change)

    @property
    def is_overview(self) -> bool:
        """True if the panels are arranged as in the overview."""
        return self._store.state.overview

    def reset(self) -> None:
        """Restore the default arrangement."""
        self.restore(PanelLayout())

    def restore(self, layout: PanelLayout, maximised: str = "") -> None:
        """Apply a layout, with one panel maximized if `maximised` is not empty. Unknown panels are ignored."""
        self._store.update(layout=layout, maximised=maximised)

    def set_window_box(self, name: str, box: WindowBox) -> None:
        """Store the geometry of the window of a floating panel."""
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
        """Name of the maximized panel, or None."""
        if layout.blocks:
            self._set_blocks(layout.blocks)
        self._fronts = set(layout.fronts) & set(self._names)
        self.floating: dict[str, WindowBox | None] = {
            name: box or None for name, box in layout.floating.items() if name in self._names
        }
        """Last window geometry of each floating panel, by panel name; None if it is not known."""

    def _commit(self) -> None:
        """Write the arrangement to the view state. If the overview is shown, an edit ends the overview mode,
        but its panels stay visible."""
        fields: dict[str, Any] = {}
        if self._store.state.overview:
            fields = {
                "panels": {ALL_OTHERS: False, **dict.fromkeys(OVERVIEW_PANELS, True)},
                "overview": False,
            }
        self._store.update(layout=self.layout, maximised=self.maximised or "", **fields)

    def tab_groups(self, visible_panels: Collection[str]) -> list[TabGroup]:
        """Return the cells of the board for these visible panels: only one if a panel is maximized."""
        groups = []
        for block in self.blocks:
            names = tuple(name for name in block if name in visible_panels and name not in self.floating)
            if names:
                front = next((name for name in names if name in self._fronts), names[0])
                groups.append(TabGroup(names, front))
        maximised_groups = [group for group in groups if self.maximised in group.names]
        return [TabGroup(group.names, str(self.maximised)) for group in maximised_groups] or groups

    def maximise(self, name: str | None) -> None:
        """Maximize a panel, or restore all panels if None."""
        self._store.update(maximised=name or "")

    def panels_sharing_tab_group(self, name: str) -> tuple[str, ...]:
        """Return the panels that share the position of a panel."""
        return tuple(self._block(name))

    def stack_onto(self, name: str, onto: str) -> None:
        """Move a panel to the position of another, as the front tab."""
        if onto in self._block(name):
            return
        self._remove(name)
        self.floating.pop(name, None)
        self._block(onto).append(name)
        self.bring_forward(name)

    def unstack(self, name: str) -> None:
        """Give a panel its own position after the one that it shared."""
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
        """Bring a panel to the front of the panels that share its position."""
        self._fronts -= set(self._block(name))
        self._fronts.add(name)
        if self.maximised in self._block(name):
            self.maximised = name
        self._commit()

    def swap(self, name: str, other: str) -> None:
        """Swap the positions of two panels."""
        first, second = self.blocks.index(self._block(name)), self.blocks.index(self._block(other))
        self.blocks[first], self.blocks[second] = self.blocks[second], self.blocks[first]
        self._commit()

    def detach(self, name: str) -> None:
        """Give a panel its own window."""
        self._separate(name)
        self.floating[name] = None
        if self.maximised == name:
            self.maximised = None
        self._commit()

    def dock(self, name: str) -> None:
        """Return a floating panel to its position on the board."""
        self.floating.pop(name, None)
        self._commit()

    @property
    def layout(self) -> PanelLayout:
        """The arrangement as a value, without the maximized panel."""
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

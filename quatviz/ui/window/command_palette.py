"""The command palette: a search over actions, presets, lessons, formulations, quantities, panels, scene items and the help."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.display.document.comparison import new_lanes
from quatviz.display.document.edits import add_computed_lane
from quatviz.display.document.formulation_catalog import search_terms
from quatviz.display.document.user_files import preset_entries
from quatviz.files.preset import Lane, Preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.teaching.help import pages
from quatviz.teaching.help.actions import iterate_actions
from quatviz.teaching.help.entry_search import (
    HELP_PAGE_WEIGHT,
    REFERENCE_PAGE_WEIGHT,
    REFERENCE_PAGES,
    SearchEntry,
)
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.user_lessons import list_lessons
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.labels import open_help_topic
from quatviz.ui.widgets.search_popup import SearchPopup

_WIDTH, _ROWS = 640, 11
"""Width of the palette [pixels] and number of visible entries."""


class CommandPalette(SearchPopup):
    """A popup that searches all actions, entries of the help and other things in a window."""

    def __init__(self, window: QWidget, registry: ActionRegistry[Any]) -> None:
        prompt = tr("Find actions, presets, lessons, formulations, quantities and help")
        super().__init__(window, tr("Find anything"), prompt, _ROWS)
        self._window, self._registry = window, registry

    def find_anything(self) -> None:
        """Search popup for everything listed by `all_entries`, such as actions, presets and help topics."""
        self.open_over(self._window, all_entries(self._registry), _WIDTH)


def preset_and_lesson_entries(window: Any) -> Iterator[SearchEntry]:
    """Yield entries that open presets and lessons. An entry that cannot be opened shows the reason."""
    for preset in preset_entries():
        open_preset, possible = partial(window.file_actions.open, preset.path), preset.path is not None
        known = preset.search_terms
        where = tr("Preset") if possible else preset.summary
        yield SearchEntry(
            preset.title,
            where,
            open_preset,
            description=preset.summary,
            keywords=known,
            is_available=possible,
            text=_preset_text(preset.preset) if preset.preset is not None else "",
        )
    for lesson in list_lessons():
        where = tr("Lesson") if isinstance(lesson, Lesson) else lesson.description
        open_lesson = partial(window.tools.present_lesson, lesson.path)
        text = "\n".join(lesson.all_texts) if isinstance(lesson, Lesson) else ""
        yield SearchEntry(lesson.title, where, open_lesson, description=lesson.description, text=text)


def _preset_text(preset: Preset) -> str:
    """Return the searchable text of a preset: what to watch, its lanes and loads."""
    lanes = [lane_title(lane.name or lane.formulation) for lane in preset.lanes]
    return " ".join((preset.watch, *lanes, *(humanize(load.name) for load in preset.loads)))


def formulation_entries(window: Any) -> Iterator[SearchEntry]:
    """Yield entries that add formulations as lanes."""
    for lane_id in new_lanes():
        title = lane_title(lane_id)
        add = partial(_add_lane, window, lane_id)
        yield SearchEntry(title, tr("Formulation: add as a lane"), add, keywords=search_terms(lane_id))


def _add_lane(window: Any, lane_id: str) -> None:
    text = tr("add lane {lane_id}", lane_id=lane_title(lane_id))
    refusal = window.document.propose(text, lambda state: add_computed_lane(state, Lane(lane_id)))
    if refusal is not None:
        window.messages.explain(refusal)


def quantity_entries(window: Any) -> Iterator[SearchEntry]:
    """Yield an entry for each quantity. It opens the panel with the quantity's name or, if there is none, the help on
    quantities."""
    for name, quantity in QUANTITIES.items():
        panel = name.removesuffix("_space").removesuffix("_theory")
        if panel in window.board.titles:
            show = partial(window.board.show_panel, panel, True)
            where = tr("Quantity: show its plot")
        else:
            show, where = partial(open_help_topic, "scripting#results-of-a-lane"), tr("Quantity of a lane")
        symbols = " ".join(quantity.symbols)
        yield SearchEntry(
            quantity.title, where, show, description=quantity.description, keywords=f"{name} {symbols}"
        )


def all_entries(actions: ActionRegistry[Any]) -> Iterator[SearchEntry]:
    """Yield all entries of the palette for the window whose actions are in this registry."""
    actions.refresh()
    for menus, action_spec in iterate_actions(actions.table):
        qaction = actions[action_spec.name]
        words = actions.menu_text(action_spec.name)
        where = " › ".join(tr(menu.title).replace("&", "") for menu in menus)
        yield SearchEntry(
            words,
            where,
            qaction.trigger,
            actions.shortcut_text(action_spec.name),
            is_available=qaction.isEnabled(),
        )
    window = actions.host
    if window is None:
        return
    board, views = window.board, window.views
    for name, title in board.titles.items():
        show = partial(board.show_panel, name, not board.is_shown(name))
        yield SearchEntry(
            title, tr("Hide this panel") if board.is_shown(name) else tr("Show this panel"), show
        )
    for name, item in views.items.items():
        show = partial(views.set_item_visible, name, not views.is_visible(name))
        where = tr("Hide this item in 3D") if views.is_visible(name) else tr("Show this item in 3D")
        yield SearchEntry(tr(item.title), where, show)
    for section in window.side.sections.values():
        yield SearchEntry(section.title, tr("Side column"), partial(window.side.reveal, section))
    yield from preset_and_lesson_entries(window)
    yield from formulation_entries(window)
    yield from quantity_entries(window)
    for page in pages().values():
        weight = REFERENCE_PAGE_WEIGHT if page.name in REFERENCE_PAGES else HELP_PAGE_WEIGHT
        for part in page.sections:
            where = tr("Help") if part.level == 1 else f"{tr('Help')} › {page.title}"
            show_topic = partial(open_help_topic, part.topic)
            yield SearchEntry(part.title, where, show_topic, text=part.text, weight=weight)

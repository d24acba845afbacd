"""Everything that can be done, shown or read, found by typing: acts, presets, lessons, panels, items and pages of the help."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from quatviz.base.translation import tr
from quatviz.display.document.user_files import preset_entries
from quatviz.teaching.help import pages
from quatviz.teaching.help.actions import placed
from quatviz.teaching.help.entry_search import READ, Entry
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.user_lessons import listed
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import open_topic


def runs_of(window: Any) -> Iterator[Entry]:
    """Presets and lessons, which show themselves, or why they cannot be."""
    for preset in preset_entries():
        take, possible = partial(window.desk.open, preset.path), preset.path is not None
        known = preset.known
        where = tr("Preset") if possible else preset.summary
        yield Entry(preset.title, where, take, about=preset.summary, known=known, possible=possible)
    for lesson in listed():
        where = tr("Lesson") if isinstance(lesson, Lesson) else lesson.about
        present = partial(window.tools.present_lesson, lesson.path)
        yield Entry(lesson.title, where, present, about=lesson.about)


def entries_of(acts: Acts[Any]) -> Iterator[Entry]:
    """Everything that can be found in the window whose acts these are."""
    acts.renew()
    for menus, act in placed(acts.table):
        action = acts[act.name]
        words = acts.words(act.name)
        where = " › ".join(tr(menu.title).replace("&", "") for menu in menus)
        yield Entry(words, where, action.trigger, acts.keys(act.name), possible=action.isEnabled())
    window = acts.host
    if window is None:
        return
    board, views = window.board, window.views
    for name, title in board.titles.items():
        show = partial(board.show_panel, name, not board.shows(name))
        yield Entry(title, tr("Hide this panel") if board.shows(name) else tr("Show this panel"), show)
    for name, item in views.items.items():
        show = partial(views.set_item_visible, name, not views.shows(name))
        where = tr("Hide it in 3D") if views.shows(name) else tr("Show it in 3D")
        yield Entry(tr(item.title), where, show)
    for section in window.side.sections.values():
        yield Entry(section.title, tr("Side column"), partial(window.side.reveal, section))
    yield from runs_of(window)
    for page in pages().values():
        for part in page.sections:
            where = tr("Help") if part.level == 1 else f"{tr('Help')} › {page.title}"
            yield Entry(part.title, where, partial(open_topic, part.topic), counts=READ)

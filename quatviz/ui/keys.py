"""Every key of the window, in one table: it makes the actions, the menus and the list that `?` shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from quatviz.core.events import offers
from quatviz.ui.scene.directions import BODY_KEY, DIRECTIONS
from quatviz.ui.scene.menu import EACH_KEY, EACH_TEXT, LINK_KEY, LINK_TEXT, NUMBER_KEYS, NUMBER_TEXTS
from quatviz.ui.tr import tr
from quatviz.ui.words import keys_text


@dataclass(frozen=True)
class Key:
    """One thing to do: the name of its action, the keys that do it, and what people read."""

    action: str
    keys: tuple[str, ...]
    text: str
    elsewhere: bool = False
    """Whether parts of the window use the same key: it does this only where none of them takes it."""


_OF_OFFERS = {
    "kick": ("K",),
    "flip": ("N",),
    "perturb_length": ("P",),
    "perturb_rate": ("Shift+P",),
    "reverse": ("Shift+R",),
}
"""Keys of what can be done at the cursor; what else is offered stands in the menu without one."""

GROUPS: dict[str, tuple[Key, ...]] = {
    "Playing": (
        Key("toggle", ("Space",), "Play or pause"),
        Key("backward", ("Shift+Space",), "Play backward"),
        Key("back", ("Left",), "One sample back"),
        Key("forward", ("Right",), "One sample forward"),
        Key("far_back", ("Shift+Left",), "Ten samples back"),
        Key("far_forward", ("Shift+Right",), "Ten samples forward"),
        Key("fine_back", ("Alt+Left",), "One step dt back, between samples"),
        Key("fine_forward", ("Alt+Right",), "One step dt forward, between samples"),
        Key("mark_back", ("Ctrl+Left",), "To the mark before"),
        Key("mark_forward", ("Ctrl+Right",), "To the next mark"),
        Key("home", ("Home",), "To the start"),
        Key("end", ("End",), "To the end"),
        Key("restart", ("R",), "Play from the start"),
        Key("loop", ("Ctrl+L",), "Repeat the run, or the selected times"),
    ),
    "Time axis": (
        Key("zoom_in", ("+", "="), "Zoom in about the cursor"),
        Key("zoom_out", ("-",), "Zoom out"),
        Key("earlier", (",",), "Show earlier times"),
        Key("later", (".",), "Show later times"),
        Key("fit_time", ("Shift+F",), "Show the whole run"),
        Key("follow", ("Ctrl+F",), "Follow the cursor, or stay"),
        Key("zoom_range", ("Z",), "Zoom to the selected times"),
        Key("escape", ("Esc",), "All panels again; select no times", elsewhere=True),
    ),
    "Preset": (
        Key("start_page", ("F4",), "Start page"),
        Key("gallery", ("Ctrl+P",), "Choose a preset…"),
        Key("new", ("Ctrl+N",), "New run"),
        Key("open", ("Ctrl+O",), "Open a session or a preset…"),
        Key("save", ("Ctrl+S",), "Save the session"),
        Key("save_as", ("Ctrl+Shift+S",), "Save the session as…"),
        Key("save_preset", (), "Save as a preset…"),
        Key("export_figure", ("Ctrl+E",), "Export a figure…"),
        Key("export_data", ("Ctrl+Shift+E",), "Export data…"),
        Key("export_page", (), "Export page…"),
        Key("export_film", (), "Export a film…"),
        Key("export_documents", (), "Make the documents' figures and tables…"),
        Key("quit", ("Ctrl+Q",), "Close the window"),
    ),
    "Edit": (
        Key("undo", ("Ctrl+Z",), "Undo"),
        Key("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo"),
        Key("copy", ("Ctrl+C",), "Copy the values at the cursor"),
        Key("copy_run", ("Ctrl+Shift+C",), "Copy the run as text"),
        Key("paste_run", ("Ctrl+V",), "Paste a run"),
    ),
    "Experiment": (
        *(
            Key(name, _OF_OFFERS.get(name, ()), f"{offer.text} here{'…' if offer.values else ''}")
            for name, (_, offer) in offers().items()
        ),
        Key("branch", ("Ctrl+B",), "Edits hold from the cursor, or from the start"),
        Key("dismiss", ("X",), "Dismiss the old future"),
        Key("hashes", (), "Hashes of the run…"),
    ),
    "View": (
        Key("fit", ("F",), "Fit the 3D view"),
        *(Key(name, (direction.key,), direction.title) for name, direction in DIRECTIONS.items()),
        Key("from_body", (BODY_KEY,), "See it from the body, or from space"),
        *(Key(f"views_{number}", (NUMBER_KEYS[number],), text) for number, text in NUMBER_TEXTS.items()),
        Key("each", (EACH_KEY,), EACH_TEXT),
        Key("link", (LINK_KEY,), LINK_TEXT),
        Key("next_view", ("V",), "To the next view"),
        Key("difference", ("D",), "Difference of the lanes"),
        Key("equations", ("E",), "Equations of the lanes…"),
        Key("study", ("S",), "Study errors and cost…"),
        Key("magnify", ("M",), "Magnify differences in 3D ten times more"),
        Key("magnify_less", ("Shift+M",), "Magnify differences in 3D ten times less"),
        Key("theme", ("Ctrl+T",), "Dark, light, projector"),
        Key("full_screen", ("F11",), "Full screen"),
    ),
    "Lesson": (
        Key("lesson_open", ("F5",), "Present a lesson…"),
        Key("lesson_next", ("PgDown",), "Next step of the lesson, or the answer"),
        Key("lesson_back", ("PgUp",), "Back in the lesson"),
        Key("lesson_pointer", ("Ctrl+.",), "A large spot in place of the mouse's arrow"),
        Key("lesson_leave", ("Ctrl+W",), "Leave the lesson"),
        Key("export_sheet", (), "Write a student's sheet…"),
    ),
    "Help": (
        Key("help", ("F1",), "Help…"),
        Key("keys", ("?",), "All keys"),
        Key("first_steps", (), "Tour of the window"),
    ),
}


def make_actions(
    owner: QObject, doing: dict[str, Callable[[], object]], before: Callable[[str], object]
) -> dict[str, QAction]:
    """An action for each key of the table; `doing` says what each one does, and must leave none out. `before` is told of
    each by name before it is done."""
    actions = {}
    for group in GROUPS.values():
        for key in group:
            action = QAction(tr(key.text), owner)
            action.setShortcuts([] if key.elsewhere else [QKeySequence(text) for text in key.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.triggered.connect(lambda _=False, name=key.action: (before(name), doing[name]()))
            actions[key.action] = action
    return actions


def key_text(key: Key) -> str:
    """The keys as a person reads them."""
    return tr("  or  ").join(map(keys_text, key.keys))


def bound() -> dict[str, list[Key]]:
    """What has a key, by group; the rest stands in the menus only."""
    return {group: [key for key in keys if key.keys] for group, keys in GROUPS.items()}


BAR = "\\|"
"""A bar within a table of Markdown."""


def keys_markdown() -> str:
    """The table of all keys as the help's page shows it; actions without a key are left out."""
    lines = []
    for group, keys in bound().items():
        lines += [f"**{tr(group)}**", "", "| | |", "|---|---|"] if keys else []
        lines += [f"| {key_text(key)} | {tr(key.text).removesuffix('…').replace('|', BAR)} |" for key in keys]
        lines += [""] if keys else []
    return "\n".join(lines)

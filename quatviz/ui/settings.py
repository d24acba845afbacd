"""What the window remembers between starts. A damaged memory is forgotten, and told, never an error."""

from __future__ import annotations

import logging

from PySide6.QtCore import QByteArray, QSettings, QTimer

from quatviz import resources
from quatviz.ui.main_window import MainWindow
from quatviz.ui.scene.plan import NUMBERS, Plan
from quatviz.ui.settings_check import Check, is_bytes, is_table, is_text, one_of, sound
from quatviz.ui.theme import DARK, THEMES, Theme

log = logging.getLogger(__name__)

_LAYOUT_VERSION = 2

EVERY_MS = 3000
"""Between two looks at what has changed."""

SCALES = (75, 100, 125, 150, 175, 200, 250, 300)
"""Sizes of everything that can be chosen [%]."""

_CHECKS: dict[str, Check] = {
    "look/theme": one_of(*THEMES),
    "look/scale": one_of(*SCALES),
    "look/lane_numbers": one_of("shown", "hidden"),
    "look/sections": is_text,
    "help/tour": one_of("begun"),
    "layout/panels": is_table,
    "layout/version": lambda value: str(value).isdecimal(),
    "layout/geometry": is_bytes,
    "layout/splitter": is_bytes,
    "panels/": one_of("shown", "hidden"),
    "items/": one_of("shown", "hidden"),
    "views/number": one_of(*NUMBERS),
    "views/each": one_of("one each", "all"),
    "views/linked": one_of("linked", "free"),
    "views/frames": is_text,
}


class Settings:
    """A text file in the user's settings folder."""

    def __init__(self) -> None:
        self._path = resources.settings_folder() / "window.ini"
        self._store = QSettings(str(self._path), QSettings.Format.IniFormat)
        self._kept: dict[str, object] = {}
        self._timer: QTimer | None = None

    def mend(self) -> str:
        """Take out what cannot be read: to be done before `restore`. What was wrong in one sentence, if anything was."""
        return sound(self._path, self._store, _CHECKS)

    def theme(self) -> Theme:
        """The theme that was chosen last."""
        return THEMES.get(str(self._store.value("look/theme")), DARK)

    def scale(self) -> int:
        """The size of everything that was chosen last [%]."""
        stored = str(self._store.value("look/scale"))
        return next((scale for scale in SCALES if str(scale) == stored), 100)

    def set_scale(self, scale: int) -> None:
        """Show everything at this size [%] from the next start on: Qt reads it once."""
        self._store.setValue("look/scale", scale)
        self._store.sync()

    def toured(self) -> bool:
        """Whether the tour of the window was begun once: nobody is asked twice."""
        return bool(self._store.value("help/tour") == "begun")

    def remember_tour(self) -> None:
        """The tour has begun."""
        self._store.setValue("help/tour", "begun")
        self._store.sync()

    def reset(self, window: MainWindow) -> None:
        """Forget everything but the tour, and give the window the look and the layout of a first start."""
        toured = self.toured()
        self._store.clear()
        self._kept = {}
        if toured:
            self.remember_tour()
        self._store.sync()
        window.restyle(DARK)
        window.lay_out_anew()

    def restore(self, window: MainWindow) -> None:
        """Give the window the size, the layout and the panels it had, and open the sections that were open. From now on what
        changes is written down now and then: a window that is killed has said nothing at its end."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = QTimer(window)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(lambda: self.keep(window))
        self._timer.start()
        window.board.wish({name: on == "shown" for name, on in self._group("panels")})
        arrangement = self._store.value("layout/panels")
        if isinstance(arrangement, str):
            window.board.arranger.recall(arrangement)
        window.views.wish({name: on == "shown" for name, on in self._group("items")})
        window.views.arrange(Plan.from_texts(dict(self._group("views"))))
        known = self._store.value("look/sections")
        if isinstance(known, str):
            window.side.open_sections(known.split())
        window.side.lane_list.show_numbers(self._store.value("look/lane_numbers") != "hidden")
        if self._store.value("layout/version", 0, int) != _LAYOUT_VERSION:
            return
        for key, restore in (
            ("layout/geometry", window.restoreGeometry),
            ("layout/splitter", window.splitter.restoreState),
        ):
            state = self._store.value(key)
            if not (isinstance(state, QByteArray) and restore(state)):
                log.info("the remembered %s was not usable", key)

    def save(self, window: MainWindow) -> None:
        """Remember the window's look, size, layout, and which panels and items a person wants to see, for the last time."""
        if self._timer is not None:
            self._timer.stop()
        self._write(_state(window))

    def keep(self, window: MainWindow) -> None:
        """Remember what has changed, unless a lesson has the window: what it shows is not a person's wish."""
        if not window.side.isHidden():
            self._write(_state(window))

    def _write(self, state: dict[str, object]) -> None:
        changed = {
            key: value for key, value in state.items() if key not in self._kept or self._kept[key] != value
        }
        for key, value in changed.items():
            self._store.setValue(key, value)
        if changed:
            self._store.sync()
        self._kept = state

    def _group(self, group: str) -> list[tuple[str, object]]:
        self._store.beginGroup(group)
        values = [(key, self._store.value(key)) for key in self._store.childKeys()]
        self._store.endGroup()
        return values


def _state(window: MainWindow) -> dict[str, object]:
    """All that is remembered of a window, by key."""
    shown = {True: "shown", False: "hidden"}
    return {
        **{f"panels/{name}": shown[on] for name, on in window.board.wishes.items()},
        **{f"items/{name}": shown[on] for name, on in window.views.wishes.items()},
        **{f"views/{name}": text for name, text in window.views.plan.to_texts().items()},
        "look/theme": window.theme.name,
        "look/lane_numbers": shown[window.side.lane_list.numbered],
        "look/sections": " ".join(window.side.open_names()),
        "layout/panels": window.board.arranger.text(),
        "layout/version": _LAYOUT_VERSION,
        "layout/geometry": window.saveGeometry(),
        "layout/splitter": window.splitter.saveState(),
    }

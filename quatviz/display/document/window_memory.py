"""Window settings that are kept between starts: view state, geometry, and whether the tour was started.

A damaged file is reset and reported; it never raises an error.

The file is TOML and not the INI file of `QSettings`. It has the same nested tables as a session, and the same
schema reports each invalid value. It can be read without Qt.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from quatviz.base.translation import tr
from quatviz.display.view_state.view_state import SETTINGS_SCOPES, ViewState, toml_tables
from quatviz.files.schema import Record, read_bool, read_string, record_reader, schema_field
from quatviz.files.settings_file import SettingsFile, back_up, merge_changes, read_settings

log = logging.getLogger(__name__)

_FILE_HEADER = "# What quatviz remembers between two starts. It is written while the window is open, and read when it opens.\n"


@dataclass(frozen=True)
class WindowMemory(Record):
    """The settings of the window. `place` is the geometry as `QWidget.saveGeometry` writes it, in base 64."""

    toured: bool = schema_field(read_bool, False)
    place: str = schema_field(read_string, "")
    look: ViewState = schema_field(record_reader(ViewState), ViewState())


class WindowMemoryFile:
    """Window settings as a TOML file in the user's settings folder."""

    def __init__(self) -> None:
        self._file = SettingsFile("window.toml", _format_memory)
        self.path = self._file.path
        table, self._damage = read_settings(self.path)
        self.memory, self._invalid_keys = WindowMemory.from_damaged_table(table)

    def repair(self) -> str:
        """Rewrite a damaged file and keep a copy of the damaged one. Return one sentence about the damage, or ""."""
        damage = self._damage
        if not damage and not self._invalid_keys:
            return ""
        if not damage:
            damage = tr(
                "{names}{others} could not be read",
                names=", ".join(sorted(self._invalid_keys)[:3]),
                others=tr(" and others") if len(self._invalid_keys) > 3 else "",
            )
        try:
            backup_note = tr("the damaged file is kept as {path}", path=back_up(self.path))
        except OSError as error:
            backup_note = tr("the damaged file could not be copied: {reason}", reason=error.strerror)
        self.write(self.memory, force=True)
        log.info("the settings in %s were damaged: %s", self.path, damage)
        return tr(
            "Damaged window settings were reset: {damage}; {backup}",
            damage=damage,
            backup=backup_note,
        )

    @property
    def view_state(self) -> ViewState:
        """View state of the last window, without the fields that belong to its run."""
        return self.memory.look

    def set_scale(self, scale: int) -> None:
        """Store the interface scale [%] for the next start."""
        self.write(replace(self.memory, look=replace(self.memory.look, scale=scale)))

    def has_toured(self) -> bool:
        """Return True if the tour was started once; it is offered only once."""
        return self.memory.toured

    def remember_tour(self) -> None:
        """Record in the settings file that the tour was started."""
        self.write(replace(self.memory, toured=True))

    def write(self, memory: WindowMemory, force: bool = False) -> None:
        """Write the changes of this window since it last read or wrote the file, and keep the changes of
        other windows.

        `force` rewrites the whole file, which repairs a damaged one.
        """
        if memory == self.memory and not force:
            return
        before, after = self.memory.to_table(SETTINGS_SCOPES), memory.to_table(SETTINGS_SCOPES)
        self.memory = memory
        # The frame does not wait until the settings are on disk.
        self._file.update(
            lambda table: after if force else merge_changes(table, before, after), durable=False
        )


def _format_memory(table: Mapping[str, Any]) -> str:
    """Format the settings as TOML: plain values first, then the tables of the view state."""
    view_state = table.get("look", {})
    others = {name: value for name, value in table.items() if name != "look"}
    parts = (toml_tables(part, name) for part, name in ((others, ""), (view_state, "look")))
    return _FILE_HEADER + "\n".join(parts)

"""The files that were opened or saved last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from quatviz import resources

_MANY = 10


class RecentFiles:
    """Kept in the user's settings folder, the newest first."""

    def __init__(self) -> None:
        path = resources.settings_folder() / "recent.ini"
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def paths(self) -> list[Path]:
        """Those that are still there."""
        count = self._store.beginReadArray("files")
        found = []
        for number in range(min(count, _MANY)):
            self._store.setArrayIndex(number)
            found.append(str(self._store.value("path", "")))
        self._store.endArray()
        return [Path(text) for text in found if text and Path(text).is_file()]

    def add(self, path: Path) -> None:
        """This one is the newest."""
        path = path.absolute()
        kept = [path, *(other for other in self.paths if other != path)][:_MANY]
        self._store.remove("files")
        self._store.beginWriteArray("files", len(kept))
        for number, one in enumerate(kept):
            self._store.setArrayIndex(number)
            self._store.setValue("path", str(one))
        self._store.endArray()
        self._store.sync()

    def clear(self) -> None:
        """Forget all of them."""
        self._store.clear()
        self._store.sync()

"""The folders that file dialogs used last, one for each purpose such as "session"."""

import sys
from pathlib import Path

from quatviz.base import resources
from quatviz.files.settings_file import SettingsFile

_ANY_PURPOSE = "any"
"""Key under which the most recently used folder is stored, whatever its purpose."""


class LastFolders:
    """Folders of the last file dialogs, one for each purpose ("session", "recording", ...), kept between starts."""

    def __init__(self) -> None:
        self._file = SettingsFile("folders.toml")

    def folder(self, purpose: str, default: Path) -> Path:
        """Return the folder in which a file dialog starts.

        Parameters
        ----------
        purpose
            Purpose of the file, such as "session".
        default
            Folder for the first start, such as the user's documents.

        Returns
        -------
        Path
            The first of these that exists and is not a folder of the program: the last folder for this purpose, the
            last folder for any purpose, `default`, or the home folder.
        """
        table = self._file.read()
        remembered = (table.get(key) for key in (purpose, _ANY_PURPOSE))
        candidates = [*(Path(name) for name in remembered if isinstance(name, str)), default]
        return next(
            (path for path in candidates if path.is_dir() and not is_program_folder(path)), Path.home()
        )

    def remember(self, purpose: str, folder: Path) -> None:
        """Remember the folder of a file that the user has chosen for a purpose."""
        folder = folder.absolute()
        if not is_program_folder(folder):
            self._file.update(lambda table: {**table, purpose: str(folder), _ANY_PURPOSE: str(folder)})


def is_program_folder(folder: Path) -> bool:
    """Return True if a folder belongs to the program. An update replaces the files in it."""
    program_folders = [resources.PACKAGE, resources.preset_folder()]
    if resources.is_standalone():
        program_folders.append(Path(sys.executable).resolve().parent)
    return any(folder.resolve().is_relative_to(program) for program in program_folders)

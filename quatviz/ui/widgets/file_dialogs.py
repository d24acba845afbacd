"""File and folder dialogs. Each opens the folder that was used last for its purpose. Save dialogs ask before they replace a
file."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from quatviz.base.translation import tr
from quatviz.files.last_folders import LastFolders

EXPORT_PURPOSE = "export"
"""Purpose of all exports: figures, tables, films, web pages and worksheets."""
_UNTITLED = "untitled"
"""File name that replaces a name without a letter or digit. A suffix alone, such as ".toml", would be a hidden file."""
_SUFFIX = re.compile(r"\*(\.\w+)")
"""Pattern of a suffix in a name filter of Qt, such as "Sessions (*.toml)"."""


def ask_open_path(parent: QWidget | None, title: str, purpose: str, name_filter: str) -> Path | None:
    """Ask for a file to open and return its path, or None if the dialog is cancelled."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(_start_folder(purpose)), name_filter)
    return _remembered(purpose, Path(name)) if name else None


def ask_open_paths(parent: QWidget | None, title: str, purpose: str, name_filter: str) -> list[Path]:
    """Ask for files to open and return their paths; the list is empty if the dialog is cancelled."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, str(_start_folder(purpose)), name_filter)
    return [_remembered(purpose, Path(name)) for name in names]


def ask_folder(parent: QWidget | None, title: str, purpose: str) -> Path | None:
    """Ask for an output folder and return its path, or None if the dialog is cancelled."""
    name = QFileDialog.getExistingDirectory(parent, title, str(_start_folder(purpose)))
    if not name:
        return None
    LastFolders().remember(purpose, Path(name))
    return Path(name)


def ask_save_path(
    parent: QWidget | None, title: str, purpose: str, suggestion: str | Path, name_filter: str, suffix: str
) -> Path | None:
    """Ask for a file to write.

    If the name has no suffix of the filter, `suffix` is added, so that the file can be opened again. If a file with the
    new name exists, the user is asked before it is replaced.

    Parameters
    ----------
    parent
        Parent of the dialog.
    title
        Title of the dialog.
    purpose
        Purpose whose last folder is opened.
    suggestion
        Name in the last folder of this purpose, or an absolute path.
    name_filter
        Filter as Qt takes it, such as "Sessions (*.toml)".
    suffix
        Suffix that is added, with its dot.

    Returns
    -------
    Path or None
        The path to write to, or None if the dialog is cancelled.
    """
    start = _start_folder(purpose) / suggestion
    while True:
        name, _ = QFileDialog.getSaveFileName(parent, title, str(start), name_filter)
        if not name:
            return None
        path = with_suffix_of(Path(name), _SUFFIX.findall(name_filter), suffix)
        if path == Path(name) or not path.exists() or confirm_replacement(parent, title, [path]):
            return _remembered(purpose, path)
        start = path


MAX_SUGGESTED_LENGTH = 80
"""Maximum number of characters of a title in a suggested file name. Titles may be longer, but a file name is limited to
255 bytes."""
_UNSAFE_CHARACTERS = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|]')
"""Pattern of characters that file names of Windows, macOS or Linux cannot contain."""


def suggested_name(title: str, subject: str) -> str:
    """Return a file name without a suffix for the export of `subject`, such as "plots", from a run with this title.

    >>> suggested_name("Attitude control: a slew and a stop", "plots")
    'Attitude control a slew and a stop - plots'
    >>> suggested_name("?", "film")
    'film'
    """
    plain = " ".join(_UNSAFE_CHARACTERS.sub(" ", title).split())[:MAX_SUGGESTED_LENGTH].strip(" .-~")
    return f"{plain} - {subject}" if plain else subject


def with_suffix_of(path: Path, allowed: list[str], suffix: str) -> Path:
    """Return `path`, with `suffix` added if its own suffix is not among the `allowed` ones. Blanks around the name are removed.

    >>> with_suffix_of(Path("spin v1.2"), [".toml"], ".toml").name
    'spin v1.2.toml'
    >>> [with_suffix_of(Path(name), [".toml"], ".toml").name for name in ("run.TOML", "run.toml ", ". .")]
    ['run.TOML', 'run.toml', 'untitled.toml']
    """
    name = path.name.strip()
    if not name.strip(" ."):
        name = _UNTITLED
    if Path(name).suffix.lower() not in allowed:
        name = name.rstrip(" .") + suffix
    return path.with_name(name)


MAX_LISTED_FILES = 6
"""Largest number of file names listed in a question."""


def confirm_replacement(parent: QWidget | None, title: str, paths: Sequence[Path]) -> bool:
    """Ask whether the files may be replaced. Return True if confirmed, or if the list is empty."""
    if not paths:
        return True
    if len(paths) == 1:
        question = tr("“{name}” already exists. Do you want to replace it?", name=paths[0].name)
        return confirm(parent, title, question)
    names = [path.name for path in paths[:MAX_LISTED_FILES]] + ["…"] * (len(paths) > MAX_LISTED_FILES)
    question = tr(
        "{count} files already exist in “{folder}”. Do you want to replace them?",
        count=len(paths),
        folder=paths[0].parent.name,
    )
    return confirm(parent, title, "\n".join((question, "", *names)))


def confirm(parent: QWidget | None, title: str, question: str) -> bool:
    """Ask a yes/no question and return True for yes."""
    return QMessageBox.question(parent, title, question) == QMessageBox.StandardButton.Yes


def _start_folder(purpose: str) -> Path:
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return LastFolders().folder(purpose, Path(documents) if documents else Path.home())


def _remembered(purpose: str, path: Path) -> Path:
    """Remember the folder of `path` for the next dialog, and return `path`."""
    LastFolders().remember(purpose, path.parent)
    return path

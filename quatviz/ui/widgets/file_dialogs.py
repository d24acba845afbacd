"""Dialogs that ask for files and folders. Every one starts in the last folder of its purpose, and what is confirmed is written."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from quatviz.base.translation import tr
from quatviz.files.last_folders import LastFolders

EXPORT_PURPOSE = "export"
"""Purpose of everything that is made of a run: figures, tables, films, pages, sheets."""
_SUFFIX = re.compile(r"\*(\.\w+)")
"""A suffix in a filter of Qt's, such as "Sessions (*.toml)"."""


def ask_open_path(parent: QWidget | None, title: str, purpose: str, name_filter: str) -> Path | None:
    """Ask for a file to open; None if nothing is chosen."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(_start_folder(purpose)), name_filter)
    return _remembered(purpose, Path(name)) if name else None


def ask_open_paths(parent: QWidget | None, title: str, purpose: str, name_filter: str) -> list[Path]:
    """Ask for files to open; an empty list if nothing is chosen."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, str(_start_folder(purpose)), name_filter)
    return [_remembered(purpose, Path(name)) for name in names]


def ask_folder(parent: QWidget | None, title: str, purpose: str) -> Path | None:
    """Ask for a folder to write into; None if nothing is chosen."""
    name = QFileDialog.getExistingDirectory(parent, title, str(_start_folder(purpose)))
    if not name:
        return None
    LastFolders().remember(purpose, Path(name))
    return Path(name)


def ask_save_path(
    parent: QWidget | None, title: str, purpose: str, suggestion: str | Path, name_filter: str, suffix: str
) -> Path | None:
    """Ask for a file to write.

    A name with another suffix than those of the filter gets `suffix`, so that the file can be opened again and its content fits
    its name. If that makes another name, and a file of that name exists, the user is asked again before it is replaced.

    Parameters
    ----------
    suggestion
        Name in the last folder of this purpose, or an absolute path.
    name_filter
        Filter as Qt takes it, such as "Sessions (*.toml)".
    suffix
        Suffix that is added, with its dot.

    Returns
    -------
    Path or None
        The path to write to; None if nothing is chosen.
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


def with_suffix_of(path: Path, allowed: list[str], suffix: str) -> Path:
    """Return `path`, with `suffix` added if its own suffix is not among the `allowed` ones.

    >>> with_suffix_of(Path("spin v1.2"), [".toml"], ".toml").name
    'spin v1.2.toml'
    >>> with_suffix_of(Path("run.TOML"), [".toml"], ".toml").name
    'run.TOML'
    """
    return path if path.suffix.lower() in allowed else path.with_name(path.name.rstrip(".") + suffix)


MAX_LISTED_FILES = 6
"""Names of files that a question lists at most."""


def confirm_replacement(parent: QWidget | None, title: str, paths: Sequence[Path]) -> bool:
    """Ask whether these files are replaced, and return True if so, or if there are none."""
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
    """Ask a question that is answered by yes or no, and return True for yes."""
    return QMessageBox.question(parent, title, question) == QMessageBox.StandardButton.Yes


def _start_folder(purpose: str) -> Path:
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return LastFolders().folder(purpose, Path(documents) if documents else Path.home())


def _remembered(purpose: str, path: Path) -> Path:
    """Remember the folder of `path`, and return `path`."""
    LastFolders().remember(purpose, path.parent)
    return path

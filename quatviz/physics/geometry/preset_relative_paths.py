"""Files that a preset names: they stand beside it, or in a folder below it, and nowhere else."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath


def leads_elsewhere(name: str) -> bool:
    """Whether a name in a preset's text leads away from the preset's own folder.

    >>> leads_elsewhere("parts/rotor.stl"), leads_elsewhere("../rotor.stl"), leads_elsewhere("C:rotor.stl")
    (False, True, True)
    """
    parts = PurePosixPath(name).parts + PureWindowsPath(name).parts
    anchored = PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor
    return ".." in parts or bool(anchored) or "\0" in name


def within(folder: Path, name: str) -> Path | None:
    """Where the file is that a text in `folder` names, without links; None where that is elsewhere, be it by a link."""
    path = followed(folder / name)
    return path if not leads_elsewhere(name) and path.is_relative_to(followed(folder)) else None


def followed(path: Path) -> Path:
    """Where a path leads, absolute and without links; but for those that lead round in a circle, at which `Path.resolve` raises."""
    return Path(os.path.realpath(path))

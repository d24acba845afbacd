"""Files that a preset names: they stand beside it, or in a folder below it, and nowhere else."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath


def is_outside_folder(name: str) -> bool:
    """Whether a name in a preset's text leads away from the preset's own folder.

    >>> is_outside_folder("parts/rotor.stl"), is_outside_folder("../rotor.stl"), is_outside_folder("C:rotor.stl")
    (False, True, True)
    """
    parts = PurePosixPath(name).parts + PureWindowsPath(name).parts
    is_anchored = PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor
    return ".." in parts or bool(is_anchored) or "\0" in name


def resolve_inside(folder: Path, name: str) -> Path | None:
    """Where the file is that a text in `folder` names, without links; None where that is elsewhere, be it by a link."""
    path = real_path(folder / name)
    return path if not is_outside_folder(name) and path.is_relative_to(real_path(folder)) else None


def real_path(path: Path) -> Path:
    """Where a path leads, absolute and without links; but for those that lead round in a circle, at which `Path.resolve` raises."""
    return Path(os.path.realpath(path))

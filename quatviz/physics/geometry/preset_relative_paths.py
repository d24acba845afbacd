"""Paths of files that a preset names. They lie beside the preset or in a folder below it, and nowhere else."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath


def is_outside_folder(name: str) -> bool:
    """Return True if a file name in a preset points outside the preset's folder.

    >>> is_outside_folder("parts/rotor.stl"), is_outside_folder("../rotor.stl"), is_outside_folder("C:rotor.stl")
    (False, True, True)
    """
    parts = PurePosixPath(name).parts + PureWindowsPath(name).parts
    is_anchored = PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor
    return ".." in parts or bool(is_anchored) or "\0" in name


def resolve_inside(folder: Path, name: str) -> Path | None:
    """Return the path, with links resolved, of the file `name` in `folder`, or None if it lies outside the folder, for
    example through a link."""
    path = real_path(folder / name)
    return path if not is_outside_folder(name) and path.is_relative_to(real_path(folder)) else None


def real_path(path: Path) -> Path:
    """Return a path that is absolute and has its links resolved.

    Unlike `Path.resolve`, the function does not raise an error for links in a circle. If the current folder has been
    deleted, a relative path is returned unchanged, since it refers to nothing.
    """
    try:
        return Path(os.path.realpath(path))
    except FileNotFoundError:
        return path

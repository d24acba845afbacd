"""Search for presets by name or path, among shipped presets, presets of plug-ins and presets of the user."""

import importlib.util
import os
from importlib.metadata import EntryPoint
from pathlib import Path

from quatviz.base.errors import InputError, phrase, suggest_name
from quatviz.base.registry import PluginPackage, load_plugins, package_of_entry_point, skip_plugin

PRESET_SUFFIXES = (".toml", ".quatviz")
"""File extensions of presets and sessions. The desktop opens .quatviz files in quatviz."""


def preset_paths(
    folder: Path, user_folder: Path | None = None, packages: dict[str, PluginPackage] | None = None
) -> dict[str, Path]:
    """Return the path of every preset by name: shipped presets sorted by name, then presets of plug-ins, then
    presets of the user.

    A plug-in names a package or module in the entry-point group `quatviz.presets`; the TOML files beside its source
    are presets. Neither plug-ins nor users can replace a shipped preset.

    Parameters
    ----------
    folder
        Folder of the shipped presets.
    user_folder
        Folder of the user's presets, or None.
    packages
        Dictionary to which the plug-in package of each preset from a plug-in is added, by name of the preset.
    """
    paths = _toml_files(folder)
    for point, plugin_paths in load_plugins("presets", _plugin_presets):
        for name, path in plugin_paths.items():
            if name in paths:
                skip_plugin(point, f"there is a preset {name!r} already; give {path} another name")
            else:
                paths[name] = path
                if packages is not None:
                    packages[name] = package_of_entry_point(point)
    for name, path in _toml_files(user_folder).items() if user_folder is not None else ():
        paths.setdefault(name, path)
    return paths


def find_preset(name_or_path: str | Path, folder: Path, user_folder: Path | None = None) -> Path:
    """Return the path of a preset given by name or path.

    A text without folder and without an extension of `PRESET_SUFFIXES` is a name, anything else a path.

    Raises
    ------
    InputError
        If there is no such preset or file.

    Examples
    --------
    >>> from quatviz.base.resources import preset_folder
    >>> find_preset("heavy_top", preset_folder()).name
    'heavy_top.toml'
    """
    path = Path(name_or_path)
    is_name = (
        isinstance(name_or_path, str) and path.name == name_or_path and path.suffix not in PRESET_SUFFIXES
    )
    if not is_name and os.path.exists(path):  # `Path.exists` raises for a name that is too long
        return path
    paths = preset_paths(folder, user_folder)
    if is_name and name_or_path in paths:
        return paths[str(name_or_path)]
    raise InputError(
        phrase("preset {name!r}", name=str(name_or_path)),
        expected=phrase("the path of a .toml file, or one of the presets: {names}", names=", ".join(paths)),
        found="no preset of that name" if is_name else "no such file",
        remedy=suggest_name(path.stem, paths, otherwise="list the presets with: quatviz list"),
        topic="errors#names",
    )


def _toml_files(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def _plugin_presets(point: EntryPoint) -> dict[str, Path]:
    """Return the presets of one plug-in. Only its parent packages are imported."""
    spec = importlib.util.find_spec(point.module)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {point.module!r}")
    folders = spec.submodule_search_locations or [str(Path(spec.origin or "").parent)]
    return {name: path for folder in folders for name, path in _toml_files(Path(folder)).items()}

"""A person's own presets: files beside the shipped ones, written from the window."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.core.preset_files import preset_paths
from quatviz.core.preset_text import format_preset, read_preset
from quatviz.export.files import write_text
from quatviz.export.mesh_beside import bring_mesh

_LONGEST = 60


def name_of(title: str) -> str:
    """The name of the preset with this title, as a command line writes it: letters, digits and underscores."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST].strip("_")


def own_path(title: str) -> Path:
    """Where the preset with this title is kept; `Refusal` where it can have no name, or has that of a shipped one."""
    name = name_of(title)
    if not name:
        raise _refusal(
            "a title with a letter or a digit", repr(title), "write a title, such as Tumbling asteroid"
        )
    if name in preset_paths(resources.preset_folder()):
        raise _refusal("a title that no shipped preset has", repr(title), "change a word of the title")
    return resources.own_preset_folder() / f"{name}.toml"


def keep(preset: Preset, title: str, summary: str, watch: str) -> Path:
    """Write a preset of one's own with these words; one of the same name is replaced. Where it is kept."""
    path = own_path(title)
    path.parent.mkdir(parents=True, exist_ok=True)
    bring_mesh(preset.body, path.parent)
    write_text(path, format_preset(replace(preset, title=title.strip(), summary=summary, watch=watch)))
    return path


def rename(path: Path, title: str) -> Path:
    """Give a preset of one's own another title, and the name that goes with it."""
    target = own_path(title)
    if target != path and target.exists():
        raise _refusal(
            "a title that none of your presets has", repr(title), "choose another, or delete that one"
        )
    preset = read_preset(path)
    write_text(target, format_preset(replace(preset, title=title.strip())))
    if target != path:
        path.unlink()
    return target


def delete(path: Path) -> None:
    """Delete a preset of one's own; nothing else."""
    if path.parent != resources.own_preset_folder() or path.suffix != ".toml":
        raise _refusal("one of your presets", str(path), "choose one of yours")
    path.unlink(missing_ok=True)


def _refusal(expected: str, found: str, remedy: str) -> Refusal:
    return Refusal("title", expected=expected, found=found, remedy=remedy, key="title")

"""What `quatviz render` can write, one file each."""

from __future__ import annotations

from pathlib import Path

from quatviz.commands.outputs.base import Output
from quatviz.core.errors import Refusal
from quatviz.core.registry import Registry

OUTPUTS: Registry[Output] = Registry(__name__, Output)


def output_of(path: Path) -> Output:
    """What the ending of `path` names; a `Refusal` that lists the endings where there is none."""
    suffix = path.suffix.lower()
    for kind in OUTPUTS.values():
        if suffix in kind.suffixes:
            return kind()
    raise Refusal(
        f"the file {path}",
        expected="a name ending in "
        + ", ".join(suffix for kind in OUTPUTS.values() for suffix in kind.suffixes),
        found=f"the ending {path.suffix!r}" if suffix else "no ending",
        remedy=f"write for example {path.stem or 'run'}.html",
        topic="errors#files",
    )

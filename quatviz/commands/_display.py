"""Painting where there is no display: on a virtual one, or, where that is missing, as lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from quatviz import bootstrap

_NOTE = "quatviz: no display and no virtual one, so the 3D view is drawn as lines. Solid bodies need: {line}"


def elsewhere(command: str, words: Sequence[str]) -> int | None:
    """Carry out `quatviz COMMAND WORDS` on a virtual display, and give its status; None where it can be carried out in this
    process, which has a display, or paints without one."""
    if os.environ.get("QT_QPA_PLATFORM") or bootstrap.has_display(sys.platform, os.environ):
        return None
    lacking = [need for need in bootstrap.needs("run", sys.platform, {}) if not bootstrap.is_there(need)]
    if not any(need.kind == "program" for need in lacking):
        try:
            return bootstrap.on_virtual_display([sys.executable, "-m", "quatviz", command, *words])
        except bootstrap.SetupError as error:
            print(f"quatviz: {error}", file=sys.stderr)
    print(_NOTE.format(line=bootstrap.apt_line(["xvfb", "libgl1-mesa-dri"], sudo=True)), file=sys.stderr)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return None

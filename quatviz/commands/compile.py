"""`quatviz compile`: what the presets run, so that each starts at once.

quatviz compile                             compile what the presets run, once; set-up does it too
"""

import os
import time
from collections.abc import Iterator, Sequence

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.commands._text import Parser, bar, complain, show_progress
from quatviz.simulation.compilation import compile_presets
from quatviz.text.preset import Preset
from quatviz.text.preset_files import preset_paths
from quatviz.text.preset_text import read_preset

PLACE = 85

_LOOK = 0.1
"""Between two looks at what is compiled [s]."""


def main(words: Sequence[str]) -> int:
    """Compile the kernels that the presets lack, with a bar on a terminal."""
    parser = Parser(
        prog="quatviz compile",
        description="Compile the equations of motion of all presets, as many at once as there are processors. Without it a "
        "preset that this machine has never run compiles its own when it starts.",
    )
    parser.parse_args(words)
    began, total = time.monotonic(), 0
    for done, total in compile_presets(_presets(), os.cpu_count() or 1):
        show_progress(bar("Compiling equations of motion", done, total))
        time.sleep(_LOOK if done < total else 0.0)
    show_progress()
    if total:
        print(f"compiled {total} lanes in {time.monotonic() - began:.0f} s")
    else:
        print("all is compiled")
    return 0


def _presets() -> Iterator[Preset]:
    for path in preset_paths(resources.preset_folder(), resources.own_preset_folder()).values():
        try:
            yield read_preset(path)
        except InputError as refusal:  # one that is bad must not hide the good ones
            complain(refusal)

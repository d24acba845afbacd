"""How far a run is, for whoever waits: a bar in terminals and notebooks, or a function."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from quatviz.base.parameters import Parameter, coerced
from quatviz.simulation.simulation import Progress, unheard

_BAR = 30
_BARS = Parameter(
    name="progress", title="Progress", kind=bool, optional=True, default=False,
    explanation="whether a bar is shown, or a function that hears the share that is done",
)  # fmt: skip


@contextmanager
def heard(progress: bool | Progress) -> Iterator[Progress]:
    """What hears the share that is done: a bar, nobody, or what is given."""
    if callable(progress):
        yield progress
        return
    if not coerced(_BARS, progress):
        yield unheard
        return
    show = _in_cell() or _on_line
    last = ""

    def told(share: float) -> None:
        nonlocal last
        full = round(_BAR * share)
        bar = f"{'█' * full}{'░' * (_BAR - full)} {100 * share:3.0f} %"
        if bar != last:
            show(bar)
            last = bar

    try:
        yield told
    finally:
        if show is _on_line:
            print(file=sys.stderr)


def _on_line(bar: str) -> None:
    """The line of standard error, which is written over."""
    print(f"\r{bar}", end="", file=sys.stderr, flush=True)


def _in_cell() -> Callable[[str], None] | None:
    """In a notebook an output of its cell, which is replaced; None elsewhere. What is read there knows IPython already."""
    python: Any = sys.modules.get("IPython")
    if not hasattr(python and python.get_ipython(), "kernel"):
        return None
    shown: Any = None

    def show(bar: str) -> None:
        nonlocal shown
        data = {"text/plain": bar}
        if shown is None:
            shown = python.display.display(data, raw=True, display_id=True)
        else:
            shown.update(data, raw=True)

    return show

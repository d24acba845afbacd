"""How far a run is, for whoever waits: a bar in terminals and notebooks, or a function."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from quatviz.base.parameters import Parameter, coerce
from quatviz.simulation.simulation import Progress, ignore_progress

_BAR_WIDTH = 30
_PROGRESS_PARAMETER = Parameter(
    name="progress", title="Progress", value_type=bool, optional=True, default=False,
    explanation="whether a bar is shown, or a function that hears the share that is done",
)  # fmt: skip


@contextmanager
def progress_reporter(progress: bool | Progress) -> Iterator[Progress]:
    """What hears the share that is done: a bar, nobody, or what is given."""
    if callable(progress):
        yield progress
        return
    if not coerce(_PROGRESS_PARAMETER, progress):
        yield ignore_progress
        return
    show = _notebook_display() or _show_in_terminal
    last = ""

    def report(share: float) -> None:
        nonlocal last
        full = round(_BAR_WIDTH * share)
        bar = f"{'█' * full}{'░' * (_BAR_WIDTH - full)} {100 * share:3.0f} %"
        if bar != last:
            show(bar)
            last = bar

    try:
        yield report
    finally:
        if show is _show_in_terminal:
            print(file=sys.stderr)


def _show_in_terminal(bar: str) -> None:
    """The line of standard error, which is written over."""
    print(f"\r{bar}", end="", file=sys.stderr, flush=True)


def _notebook_display() -> Callable[[str], None] | None:
    """In a notebook an output of its cell, which is replaced; None elsewhere. What is read there knows IPython already."""
    python: Any = sys.modules.get("IPython")
    if not hasattr(python and python.get_ipython(), "kernel"):
        return None
    handle: Any = None

    def show(bar: str) -> None:
        nonlocal handle
        data = {"text/plain": bar}
        if handle is None:
            handle = python.display.display(data, raw=True, display_id=True)
        else:
            handle.update(data, raw=True)

    return show

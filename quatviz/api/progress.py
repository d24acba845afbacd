"""Progress of a computation, shown as a bar in terminals and notebooks or passed to a function."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from quatviz.base.parameters import Parameter, coerce
from quatviz.simulation.simulation import Progress, ignore_progress

_BAR_WIDTH = 30
"""Number of characters of the progress bar."""
_PROGRESS_PARAMETER = Parameter(
    name="progress", title="Progress", value_type=bool, optional=True, default=False,
    explanation="true to show a progress bar, or a function that is called with the completed fraction",
)  # fmt: skip


@contextmanager
def progress_reporter(progress: bool | Progress) -> Iterator[Progress]:
    """Yield the function that receives the completed fraction (0 to 1).

    The function is `progress` itself if that is callable, a function that shows a bar if `progress` is True, and a
    function that does nothing if it is False.
    """
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
    """Write the text `bar` over the current line of standard error."""
    print(f"\r{bar}", end="", file=sys.stderr, flush=True)


def _notebook_display() -> Callable[[str], None] | None:
    """Return a function that updates an output of the notebook cell, or None outside notebooks. In a notebook
    IPython is already imported."""
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

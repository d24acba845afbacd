"""How far a run is, for whoever waits: a bar in terminals and notebooks, or a function."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from quatviz.simulation.simulation import Progress, unheard

_BAR = 30


@contextmanager
def heard(progress: bool | Progress) -> Iterator[Progress]:
    """What hears the share that is done: a bar on the line of standard error, nobody, or what is given."""
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress:
        yield unheard
        return

    def told(share: float) -> None:
        full = round(_BAR * share)
        print(
            f"\r{'█' * full}{'░' * (_BAR - full)} {100 * share:3.0f} %", end="", file=sys.stderr, flush=True
        )

    try:
        yield told
    finally:
        print(file=sys.stderr)

"""How work that takes long hears that nobody waits for it any more: it asks now and then."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_local = threading.local()


class Cancelled(Exception):
    """The work was given up, as was asked."""


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Let the work of this thread hear of it when `is_cancelled` says so."""
    previous = getattr(_local, "asked", None)
    _local.asked = is_cancelled
    try:
        yield
    finally:
        _local.asked = previous


def raise_if_cancelled() -> None:
    """Raise `Cancelled` where the work of this thread is to end. A process that can be killed need not ask."""
    is_cancelled = getattr(_local, "asked", None)
    if is_cancelled is not None and is_cancelled():
        raise Cancelled

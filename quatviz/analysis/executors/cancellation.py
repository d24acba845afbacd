"""How work that takes long hears that nobody waits for it any more: it asks now and then."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_here = threading.local()


class Stopped(Exception):
    """The work was given up, as was asked."""


@contextmanager
def stoppable(asked: Callable[[], bool]) -> Iterator[None]:
    """Let the work of this thread hear of it when `asked` says so."""
    before = getattr(_here, "asked", None)
    _here.asked = asked
    try:
        yield
    finally:
        _here.asked = before


def refuse_to_go_on() -> None:
    """Raise `Stopped` where the work of this thread is to end. A process that can be killed need not ask."""
    asked = getattr(_here, "asked", None)
    if asked is not None and asked():
        raise Stopped

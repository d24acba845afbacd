"""Cooperative cancellation and progress: long computations call `raise_if_cancelled` and a `progress_reporter` regularly."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_local = threading.local()


class Cancelled(Exception):
    """Exception that ends a computation which was asked to stop."""


@contextmanager
def cancellable(is_cancelled: Callable[[], bool]) -> Iterator[None]:
    """Make `raise_if_cancelled` raise `Cancelled` in this thread, within the context, once `is_cancelled`
    returns True.

    Parameters
    ----------
    is_cancelled
        Function without arguments that `raise_if_cancelled` calls within this context.
    """
    previous = getattr(_local, "is_cancelled", None)
    _local.is_cancelled = is_cancelled
    try:
        yield
    finally:
        _local.is_cancelled = previous


def raise_if_cancelled() -> None:
    """Raise `Cancelled` if the computation of this thread was asked to stop.

    Processes that can be killed need not call this.
    """
    is_cancelled = getattr(_local, "is_cancelled", None)
    if is_cancelled is not None and is_cancelled():
        raise Cancelled


@contextmanager
def reporting_progress(report: Callable[[float], object]) -> Iterator[None]:
    """Pass the progress of the computations of this thread to the function `report`, within the context.

    Parameters
    ----------
    report
        Function that receives the fraction, 0 to 1, of the computation within this context that is completed. Other
        threads may call it too.
    """
    previous = getattr(_local, "report", None)
    _local.report = report
    try:
        yield
    finally:
        _local.report = previous


def progress_reporter() -> Callable[[float], object]:
    """Return the function that `reporting_progress` set for this thread, or a function that does nothing."""
    report: Callable[[float], object] | None = getattr(_local, "report", None)
    return report if report is not None else lambda fraction: None

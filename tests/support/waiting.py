"""Function that waits for a condition instead of a fixed time."""

import time
from collections.abc import Callable

TIMEOUT_SECONDS = 300.0
"""Time limit for another process [s], which may have to compile kernels on a busy machine."""


def wait_for(condition: Callable[[], object], seconds: float = TIMEOUT_SECONDS) -> None:
    """Wait until the condition is true. Events of a window are not handled."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not true within {seconds:g} s"
        time.sleep(0.02)

"""A hash of what a lane has recorded: two runs that agree to the last bit have the same."""

from __future__ import annotations

import hashlib

import numpy as np

from quatviz.simulation.history import History

_AT_ONCE = 2**16
"""Rows that are copied at once."""


class Digest:
    """SHA-256 of a history, which takes in only what was recorded since it was asked last."""

    def __init__(self, form: str, interval: float) -> None:
        self._hashed = hashlib.sha256(f"{form} {interval.hex()} ".encode())
        self._rows = 0

    def of(self, history: History) -> str:
        """The hash in hexadecimal digits: of the form, the sample interval, and the bits of every recorded row."""
        rows, records = history.rows, history.records
        for start in range(self._rows, len(rows), _AT_ONCE):
            stop = min(start + _AT_ONCE, len(rows))
            self._hashed.update(np.hstack([rows[start:stop], records[start:stop]]).astype("<f8").tobytes())
        self._rows = len(rows)
        return self._hashed.hexdigest()

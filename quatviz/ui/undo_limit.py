"""How much memory the way back may take: a step keeps two states, and a body, its mesh or its many events may be large."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain

import numpy as np

BYTES = 64 * 2**20
"""What all steps that can be undone may take; beyond it the oldest are forgotten."""


def weight(state: object, besides: object) -> int:
    """Bytes of what `state` holds and `besides` does not: states that follow each other have most in common."""
    known: set[int] = set()
    _measure(besides, known)
    return _measure(state, known)


def _measure(value: object, known: set[int]) -> int:
    if id(value) in known or isinstance(value, type) or callable(value):
        return 0
    known.add(id(value))
    if isinstance(value, np.ndarray):
        return sys.getsizeof(value) + (value.nbytes if value.base is not None else 0)
    return sys.getsizeof(value, 0) + sum(_measure(part, known) for part in _parts(value))


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return chain(value.keys(), value.values())
    if isinstance(value, tuple | list | set | frozenset):
        return value
    return getattr(value, "__dict__", {}).values()

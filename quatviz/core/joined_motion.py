"""Stretches of one lane between which body or loads changed, read as one `core.observables.Motion`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quatviz.core.observables import Motion


class JoinedMotion:
    """Every attribute of `Motion`, of all `parts` one after another; `order` (n,) says which of their rows come where."""

    def __init__(self, parts: Sequence[Motion], order: np.ndarray | None = None) -> None:
        self._parts, self._order = tuple(parts), order

    def angles(self, sequence: str) -> np.ndarray:
        return self._joined([part.angles(sequence) for part in self._parts])

    def det_S(self, sequence: str) -> np.ndarray:
        return self._joined([part.det_S(sequence) for part in self._parts])

    def extra(self, name: str) -> np.ndarray:
        return self._joined([part.extra(name) for part in self._parts])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self.__dict__[name] = self._joined([getattr(part, name) for part in self._parts])
        return value

    def _joined(self, values: list[Any]) -> Any:
        first = values[0]
        if isinstance(first, dict):
            return {key: self._joined([value[key] for value in values]) for key in first}
        if not isinstance(first, np.ndarray):
            return first
        rows = np.concatenate(values)
        return rows if self._order is None else rows[self._order]

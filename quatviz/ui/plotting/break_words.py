"""How jumps of the coordinates of the orientation are counted for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quatviz.export.figures.breaks import CAUSES, FLIP, SINGULAR, WRAP
from quatviz.ui.tr import tr


def breaks_text(counts: Iterable[Mapping[int, int]]) -> str:
    """Such as "3 wraps, 1 singular", or "2 to 3 wraps" where lanes differ; empty where there is none."""
    lanes = list(counts)
    causes = [cause for cause in range(1, len(CAUSES)) if any(lane[cause] for lane in lanes)]
    return ", ".join(count_text(cause, *sorted(lane[cause] for lane in lanes)) for cause in causes)


def count_text(cause: int, *counts: int) -> str:
    """Such as "1 flip", "14 wraps" or "0 to 3 singular", from the least to the greatest of `counts`."""
    least, most = counts[0], counts[-1]
    number = tr("{least} to {most}", least=least, most=most) if least != most else f"{most}"
    if most == 1 and cause != SINGULAR:
        return {WRAP: tr("{number} wrap", number=number), FLIP: tr("{number} flip", number=number)}[cause]
    return {
        WRAP: tr("{number} wraps", number=number),
        FLIP: tr("{number} flips", number=number),
        SINGULAR: tr("{number} singular", number=number),
    }[cause]

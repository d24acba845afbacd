"""What a bench prints: figures with a unit and, where there is a peer, the ratio to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured value. `ratio` is value / that of the figure named `ratio_to`; `spread` is the half-width of
    the middle half of the samples, in the value's unit."""

    name: str
    value: float
    unit: str
    ratio_to: str = ""
    ratio: float | None = None
    spread: float | None = None


def as_text(figures: Sequence[Figure]) -> str:
    """A table for a terminal."""
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        spread = f" ± {figure.spread:.2g}" if figure.spread is not None else ""
        ratio = f"   {figure.ratio:.2f} x {figure.ratio_to}" if figure.ratio is not None else ""
        lines.append(f"{figure.name:{width}}  {figure.value:10.4g}{spread} {figure.unit}{ratio}".rstrip())
    return "\n".join(lines)

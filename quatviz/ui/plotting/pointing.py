"""Which curves stand out while a person points at a quantity elsewhere, such as in an equation."""

from __future__ import annotations

from collections.abc import Iterable

from quatviz.ui.panels.base import Pointed
from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.strip import Strip

_SPACE = "_space"


def shows(strips: Iterable[Strip], pointed: Pointed | None) -> bool:
    """Whether the strips have the quantity, in whatever frame."""
    if pointed is None:
        return False
    return any(
        part.quantity.removesuffix(_SPACE) == pointed.quantity
        for strip in strips
        for part in (strip, *strip.stack)
    )


def emphasise(traces: list[Trace], pointed: Pointed | None, differs: bool) -> bool:
    """Let the curves of `pointed` stand out and the others fade, or, where it is None, all be equal; whether that changes
    how any of them looks.

    A component is one of the body frame: curves in space components, and differences, which have fewer components,
    stand out together.
    """
    before = [trace.emphasis for trace in traces]
    for trace in traces:
        trace.emphasis = 0 if pointed is None else 1 if _is(trace, pointed, differs) else -1
    return before != [trace.emphasis for trace in traces]


def _is(trace: Trace, pointed: Pointed, differs: bool) -> bool:
    base = trace.quantity.removesuffix(_SPACE)
    theory = trace.theory and base == f"{pointed.quantity}_theory"
    if base != pointed.quantity and not theory:
        return False
    named = not (differs or trace.quantity.endswith(_SPACE) or pointed.component is None)
    return pointed.lane in ("", trace.lane) and (not named or trace.component == pointed.component)

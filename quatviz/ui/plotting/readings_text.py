"""Numbers at the cursor as text that a spreadsheet takes: columns between tabs, one number per line."""

from __future__ import annotations

from collections.abc import Iterable

from quatviz.ui.panels.base import Reading

HEADINGS = ("lane", "quantity", "component", "value", "unit", "frame", "time [s]")


def readings_text(readings: Iterable[Reading], time: float) -> str:
    """Headings, then one line per reading, with every digit that a float has."""
    lines = [HEADINGS]
    for one in readings:
        lines.append(
            (one.lane, one.quantity, one.component, repr(one.value), one.unit, one.frame, repr(time))
        )
    return "\n".join("\t".join(line) for line in lines) + "\n"

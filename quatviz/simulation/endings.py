"""Sentences that say why a lane ended."""

from __future__ import annotations

from quatviz.core.errors import phrase


def ended(lane: str, time: float, reason: str) -> str:
    """That a lane ended at a time [s], and the reason, which says what to try."""
    return phrase("{lane} ended at t = {time:.6g} s: {reason}", lane=lane, time=time, reason=reason)


def overflow(dt: float, title: str = "", measure: float = 0.0) -> str:
    """What to say of numbers beyond all bounds after steps of dt [s], with the singularity measure where there is one."""
    if not title:
        return phrase("its numbers grew beyond what a computer holds; try a smaller dt than {dt:g} s", dt=dt)
    return phrase(
        "its numbers grew beyond what a computer holds ({title} = {measure:.2g} at its last sample); try a smaller dt than "
        "{dt:g} s",
        title=phrase(title),
        measure=measure,
        dt=dt,
    )

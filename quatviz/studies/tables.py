"""A study in words: rows and lines for terminals and documents."""

import math
from collections.abc import Iterator

from quatviz.base.errors import phrase
from quatviz.studies.measurement import Point
from quatviz.studies.measures import DEFAULT_MEASURE
from quatviz.studies.result import Findings

_HEAD = ("lane", "integrator", "dt [s]", "error", "order", "us/step", "s per s", "")
BELOW = "below the reference's own error"


def head_of(result: Findings) -> tuple[str, ...]:
    """Columns of `text_rows`; the error is in the unit of the measure, `s per s` is processor time for a second of motion."""
    return (*_HEAD[:2], "tolerance", *_HEAD[2:]) if result.over_tolerances else _HEAD


def text_rows(result: Findings, measure: str = DEFAULT_MEASURE) -> list[tuple[str, ...]]:
    """A row for each point: curve by curve, coarse to fine."""
    return [
        (
            row.point.case.name,
            row.point.case.integrator,
            *([tolerance_text(row.point)] if result.over_tolerances else []),
            f"{row.point.step:.6g}",
            scientific(row.error) if row.point.status == "ok" else "-",
            f"{row.order:.2f}" if math.isfinite(row.order) and not row.below else "-",
            f"{1e6 * row.point.per_step:.3f}" if row.point.steps else "-",
            scientific(row.point.per_second) if row.point.steps else "-",
            row.point.status if row.point.status != "ok" else BELOW if row.below else "",
        )
        for row in result.rows(measure)
    ]


def tolerance_text(point: Point) -> str:
    """The tolerance of a run; a dash for a method that takes none."""
    return "-" if point.case.tolerance is None else f"{point.case.tolerance:g}"


def fit_lines(result: Findings, measure: str = DEFAULT_MEASURE) -> Iterator[str]:
    """The fitted order of each curve."""
    for curve in result.curves(measure):
        if curve.fit is None:
            continue
        fit = curve.fit
        spread = f" ± {fit.uncertainty:.3f}" if math.isfinite(fit.uncertainty) else ""
        yield (
            f"{curve.name}: order {fit.order:.3f}{spread}, fitted over {fit.count} "
            f"{'steps' if curve.points[0].case.tolerance is None else 'mean steps'} "
            f"from {fit.coarse:.4g} to {fit.fine:.4g} s"
        )


def note_lines(result: Findings, measure: str = DEFAULT_MEASURE) -> Iterator[str]:
    """What a reader has to know: what errors are measured against, how cost is, what is missing and why."""
    plan = result.plan
    yield f"compared at {plan.samples} samples, {plan.interval:.6g} s apart, up to {plan.duration:.6g} s"
    if result.method:
        level = result.level(measure)
        own = f", itself off by about {level:.1e}" if level else ", not needed for this quantity"
        yield f"reference: {result.method}{own}"
    runs = sorted({point.runs for point in result.points if point.runs})
    if runs:
        times = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
        yield f"cost: processor time of the steps, the least of {times} equal runs"
    for refused in result.refused:
        yield f"not combined: {refused.lane} with {refused.integrator}: {refused.reason}"
    yield from failure_lines(result)
    if result.cancelled or result.fault:
        yield result.fault or "cancelled before its end"


def failure_lines(result: Findings) -> Iterator[str]:
    """Why runs did not reach the end: a line for each curve that has such runs, with what the finest one said."""
    for curve in result.curves():
        failed = [point for point in curve.points if point.status != "ok"]
        if failed:
            last = failed[-1]
            case = last.case
            by_step = phrase("with dt = {dt:.6g} s", dt=case.dt)
            finest = (
                by_step
                if case.tolerance is None
                else phrase("with a tolerance of {tolerance:g}", tolerance=case.tolerance)
            )
            yield phrase(
                "{curve}: {count} of {all} runs did not reach the end; {finest}, {message}",
                curve=curve.name, count=len(failed), all=len(curve.points), finest=finest, message=phrase(last.message),
            )  # fmt: skip


def scientific(value: float) -> str:
    """Three digits, an exact zero as 0; a dash for what is not known."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.2e}" if value else "0"

"""A study in words: rows and lines for terminals and documents, and, in the language of the reader, for the window."""

import math
from collections.abc import Iterator

from quatviz.analysis.studies.measurement import Point
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, Measure
from quatviz.analysis.studies.result import Curve, Findings, Row
from quatviz.base import formatting
from quatviz.base.errors import phrase
from quatviz.base.translation import told, tr
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import integrator_title
from quatviz.simulation.lane import titled

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


def failure_lines(result: Findings, by_title: bool = False) -> Iterator[str]:
    """Why runs did not reach the end: a line for each curve that has such runs, with what the finest one said; lanes and
    integrators by their names, or `by_title`."""
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
            message = titled(last.message, case.name) if by_title else last.message
            yield phrase(
                "{curve}: {count} of {all} runs did not reach the end; {finest}, {message}",
                curve=curve.title if by_title else curve.name, count=len(failed), all=len(curve.points), finest=finest,
                message=phrase(message),
            )  # fmt: skip


def scientific(value: float) -> str:
    """Three digits, an exact zero as 0; a dash for what is not known."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.2e}" if value else "0"


def run_words(point: Point) -> str:
    """Lane, integrator, and step or tolerance, of a point's run."""
    case = point.case
    if case.tolerance is not None:
        return tr(
            "{case}, {integrator}, tolerance {tolerance:g}",
            case=lane_title(case.name),
            integrator=integrator_title(case.integrator),
            tolerance=case.tolerance,
        )
    return tr(
        "{case}, {integrator}, dt = {dt:.6g} s",
        case=lane_title(case.name),
        integrator=integrator_title(case.integrator),
        dt=case.dt,
    )


def point_words(curve: Curve, index: int, measure: type[Measure], level: float) -> list[str]:
    """What a point of a curve says of itself, with units; an error below `level` the reference cannot tell."""
    point, error, order = curve.points[index], curve.errors[index], curve.orders[index]
    said = [tr("dt = {dt:.6g} s, {count} steps", dt=point.step, count=point.steps)]
    if point.case.tolerance is not None:
        said.insert(0, tr("tolerance {tolerance:g}", tolerance=point.case.tolerance))
    told_error = tr("error {error} {unit}", error=formatting.scientific(error, 2), unit=measure.unit).rstrip()
    if math.isfinite(order):
        told_error += tr(", order {order:.2f} from the step before", order=order)
    said += [told_error, cost_text(point)]
    return [*said, tr("below what the reference can tell")] if error < level else said


def cost_text(point: Point) -> str:
    """Processor time of a run and of its steps."""
    return tr(
        "{seconds} of processor time, {per_step} per step",
        seconds=time_text(point.seconds),
        per_step=time_text(point.per_step),
    )


def time_text(seconds: float) -> str:
    """A time in the unit that gives it few digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_three(seconds / size)} {unit}"
    return f"{_three(seconds / 1e-9)} ns"


def _three(value: float) -> str:
    """Three digits, of which a zero at the end is one."""
    return f"{value:#.3g}".removesuffix(".")


def cells(row: Row) -> tuple[str, ...]:
    """A point as the window's table shows it: lane, integrator, tolerance, step, error, order, times, and what is to be said."""
    point = row.point
    known = point.steps > 0
    note = (
        told(titled(point.message, point.case.name))
        if point.status != "ok"
        else tr("below what the reference can tell")
        if row.below
        else ""
    )
    return (
        lane_title(point.case.name),
        integrator_title(point.case.integrator),
        formatting.MISSING if point.case.tolerance is None else f"{point.case.tolerance:g}",
        f"{point.step:.6g}",
        formatting.scientific(row.error, 2),
        f"{row.order:.2f}" if math.isfinite(row.order) and not row.below else formatting.MISSING,
        time_text(point.per_step) if known else formatting.MISSING,
        time_text(point.per_second) if known else formatting.MISSING,
        note,
    )


def ended(result: Findings) -> str:
    """How a study ended."""
    runs = tr("{count} of {count_2} runs", count=len(result.points), count_2=len(result.plan.cases))
    return tr("Cancelled after {runs}", runs=runs) if result.cancelled else tr("{runs} complete", runs=runs)


def notes_of(result: Findings, measure: type[Measure], shaded: bool) -> list[str]:
    """What a reader of the plots has to know."""
    notes = [
        tr(
            "Not combined: {lane} with {integrator}: {reason}",
            lane=lane_title(refused.lane),
            integrator=integrator_title(refused.integrator),
            reason=told(refused.reason),
        )
        for refused in result.refused
    ]
    level = result.level(measure.name)
    if result.method and level:
        off = f"{formatting.scientific(level, 0)} {measure.unit}".rstrip()
        notes.insert(
            0,
            tr(
                "Reference: {method}, itself off by about {off}{shaded}.",
                method=told(result.method),
                off=off,
                shaded=tr(" (shaded)") * shaded,
            ),
        )
    elif result.method:
        notes.insert(0, tr("No reference is needed for this error."))
    return [*notes, *map(told, failure_lines(result, by_title=True))]

"""A study as text: table rows and lines for terminals and documents, and translated rows and notes for the window."""

import math
from collections.abc import Iterator

from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, StudyMeasure
from quatviz.analysis.studies.result import Curve, StudyData, StudyRow
from quatviz.base import formatting
from quatviz.base.errors import phrase
from quatviz.base.translation import tr
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import integrator_title
from quatviz.simulation.end_reasons import with_lane_title

_COLUMN_TITLES = (
    "lane",
    "integrator",
    "dt [s]",
    "error",
    "order",
    "µs per step",
    "CPU s per simulated s",
    "note",
)
BELOW_REFERENCE = "below the reference's own error"


def column_titles(result: StudyData) -> tuple[str, ...]:
    """Return the column titles of `table_rows`. The error is in the unit of the measure."""
    return (
        (*_COLUMN_TITLES[:2], "tolerance", *_COLUMN_TITLES[2:])
        if result.is_over_tolerances
        else _COLUMN_TITLES
    )


def table_rows(
    result: StudyData, measure: str = DEFAULT_MEASURE, by_title: bool = False
) -> list[tuple[str, ...]]:
    """Return one row per point, curve by curve, from coarse to fine.

    `by_title` names lanes and integrators by their titles instead of their identifiers.
    """
    return [
        (
            lane_title(row.point.case.name) if by_title else row.point.case.name,
            integrator_title(row.point.case.integrator) if by_title else row.point.case.integrator,
            *([format_tolerance(row.point)] if result.is_over_tolerances else []),
            f"{row.point.mean_step:.6g}",
            scientific(row.error) if row.point.status == "ok" else "-",
            f"{row.order:z.2f}" if math.isfinite(row.order) and not row.is_below_reference else "-",
            f"{1e6 * row.point.seconds_per_step:.3f}" if row.point.steps else "-",
            scientific(row.point.seconds_per_simulated_second) if row.point.steps else "-",
            row.point.status
            if row.point.status != "ok"
            else BELOW_REFERENCE
            if row.is_below_reference
            else "",
        )
        for row in result.rows(measure)
    ]


def format_tolerance(point: StudyPoint) -> str:
    """Return the tolerance of a run as text, or "-" for an integrator without tolerances."""
    return "-" if point.case.tolerance is None else f"{point.case.tolerance:g}"


def fit_lines(result: StudyData, measure: str = DEFAULT_MEASURE, by_title: bool = False) -> Iterator[str]:
    """Yield one line with the fitted order for each curve that has one."""
    for curve in result.curves(measure):
        if curve.fit is None:
            continue
        fit = curve.fit
        spread = f" ± {fit.uncertainty:.3f} (standard error)" if math.isfinite(fit.uncertainty) else ""
        yield (
            f"{curve.title if by_title else curve.name}: order {fit.order:.3f}{spread}, fitted over {fit.count} "
            f"{'steps' if curve.points[0].case.tolerance is None else 'mean steps'} "
            f"from {fit.coarse:.4g} to {fit.fine:.4g} s"
        )


def note_lines(result: StudyData, measure: str = DEFAULT_MEASURE, by_title: bool = False) -> Iterator[str]:
    """Yield lines about the reference, the measurement of cost, refused combinations and failed runs."""
    plan = result.plan
    yield f"compared at {plan.samples} samples, {plan.interval:.6g} s apart, up to {plan.duration:.6g} s"
    if result.method:
        level = result.level(measure)
        uncertainty = f", accurate to about {level:.1e}" if level else ", not needed for this quantity"
        yield f"reference: {result.method}{uncertainty}"
    runs = sorted({point.runs for point in result.points if point.runs})
    if runs:
        times = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
        yield f"cost: processor time of the steps, minimum of {times} equal runs"
    for refused in result.refused:
        lane, integrator = refused.lane, refused.integrator
        if by_title:
            lane, integrator = lane_title(lane), integrator_title(integrator)
        yield f"not combined: {lane} with {integrator}: {refused.reason}"
    yield from failure_lines(result, by_title)
    if result.cancelled or result.fault:
        yield result.fault or "cancelled before its end"


def failure_lines(result: StudyData, by_title: bool = False) -> Iterator[str]:
    """Yield one line for each curve with runs that did not reach the end. The line contains the message of the finest of
    these runs.

    `by_title` names lanes and integrators by their titles instead of their identifiers.
    """
    for curve in result.curves():
        failed = [point for point in curve.points if point.status != "ok"]
        if failed:
            last = failed[-1]
            case = last.case
            step_text = phrase("with dt = {dt:.6g} s", dt=case.dt)
            finest = (
                step_text
                if case.tolerance is None
                else phrase("with a tolerance of {tolerance:g}", tolerance=case.tolerance)
            )
            message = with_lane_title(last.message, case.name) if by_title else last.message
            yield phrase(
                "{curve}: {count} of {all} runs did not reach the end; {finest}, {message}",
                curve=curve.title if by_title else curve.name, count=len(failed), all=len(curve.points), finest=finest,
                message=phrase(message),
            )  # fmt: skip


def scientific(value: float) -> str:
    """Return a number with three digits, an exact zero as "0", and NaN or infinity as "-"."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.2e}" if value else "0"


def describe_run(point: StudyPoint) -> str:
    """Return lane, integrator, and step or tolerance of a point's run as text."""
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


def describe_point(curve: Curve, index: int, measure: type[StudyMeasure], level: float) -> list[str]:
    """Return the lines about one point of a curve, with units. `level` is the error of the reference."""
    point, error, order = curve.points[index], curve.errors[index], curve.orders[index]
    lines = [tr("dt = {dt:.6g} s, {count} steps", dt=point.mean_step, count=point.steps)]
    if point.case.tolerance is not None:
        lines.insert(0, tr("tolerance {tolerance:g}", tolerance=point.case.tolerance))
    error_text = tr(
        "error {error} {unit}", error=formatting.format_scientific(error, 2), unit=measure.unit
    ).rstrip()
    if math.isfinite(order):
        error_text += tr(
            ", order {order} relative to the previous step", order=formatting.use_minus_sign(f"{order:z.2f}")
        )
    lines += [error_text, format_cost(point)]
    return [*lines, tr("below the error of the reference")] if error < level else lines


def format_cost(point: StudyPoint) -> str:
    """Return the processor time of a run, and per step, as text."""
    return tr(
        "{seconds} of processor time, {per_step} per step",
        seconds=format_time(point.seconds),
        per_step=format_time(point.seconds_per_step),
    )


def format_time(seconds: float) -> str:
    """Return a time as text, in a unit that keeps the number short."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds / 1e-9)} ns"


def _three_digits(value: float) -> str:
    """Return three significant digits, including a trailing zero."""
    return f"{value:#.3g}".removesuffix(".")


def window_row(row: StudyRow) -> tuple[str, ...]:
    """Return a row of the window's table: lane, integrator, tolerance, step, error, order, times and note."""
    point = row.point
    has_steps = point.steps > 0
    note = (
        tr(with_lane_title(point.message, point.case.name))
        if point.status != "ok"
        else tr("below the error of the reference")
        if row.is_below_reference
        else ""
    )
    return (
        lane_title(point.case.name),
        integrator_title(point.case.integrator),
        formatting.MISSING_VALUE if point.case.tolerance is None else f"{point.case.tolerance:g}",
        f"{point.mean_step:.6g}",
        formatting.format_scientific(row.error, 2),
        formatting.use_minus_sign(f"{row.order:z.2f}")
        if math.isfinite(row.order) and not row.is_below_reference
        else formatting.MISSING_VALUE,
        format_time(point.seconds_per_step) if has_steps else formatting.MISSING_VALUE,
        format_time(point.seconds_per_simulated_second) if has_steps else formatting.MISSING_VALUE,
        note,
    )


def completion_text(result: StudyData) -> str:
    """Return a text that describes how a study ended."""
    runs = tr("{count} of {total} runs", count=len(result.points), total=len(result.plan.cases))
    return tr("Cancelled after {runs}", runs=runs) if result.cancelled else tr("{runs} complete", runs=runs)


def plot_notes(result: StudyData, measure: type[StudyMeasure], shaded: bool) -> list[str]:
    """Return the notes below the plots: the reference and its error, refused combinations and failed runs."""
    notes = [
        tr(
            "Not combined: {lane} with {integrator}: {reason}",
            lane=lane_title(refused.lane),
            integrator=integrator_title(refused.integrator),
            reason=tr(refused.reason),
        )
        for refused in result.refused
    ]
    level = result.level(measure.name)
    if result.method and level:
        uncertainty = f"{formatting.format_scientific(level, 0)} {measure.unit}".rstrip()
        notes.insert(
            0,
            tr(
                "Reference: {method}, accurate to about {uncertainty}{shaded}.",
                method=tr(result.method),
                uncertainty=uncertainty,
                shaded=tr(" (shaded)") * shaded,
            ),
        )
    elif result.method:
        notes.insert(0, tr("This error needs no reference solution."))
    return [*notes, *map(tr, failure_lines(result, by_title=True))]

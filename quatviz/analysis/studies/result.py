"""What a study has measured: curves, orders, and the table of both."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from quatviz.analysis.studies.measurement import Point
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES, Measure
from quatviz.analysis.studies.orders import Fit, fit, neighbour_orders
from quatviz.analysis.studies.plan import Plan, Refused
from quatviz.base.errors import refuse_unknown_name
from quatviz.files.preset import Lane
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS, integrator_title

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Curve:
    """One lane with one integrator, by one measure: points from coarse to fine, and how fast their errors fall."""

    lane: Lane
    integrator: str
    points: tuple[Point, ...]
    errors: tuple[float, ...]
    orders: tuple[float, ...]
    fit: Fit | None

    @property
    def name(self) -> str:
        """Lane and integrator."""
        return f"{self.lane.name}, {self.integrator}"

    @property
    def title(self) -> str:
        """What a person reads for it."""
        return f"{lane_title(str(self.lane.name))}, {integrator_title(self.integrator)}"


@dataclass(frozen=True)
class Row:
    """One point as tables show it; steps and times in s, the error in the unit of its measure."""

    point: Point
    error: float
    order: float
    below: bool
    """Whether the error is below what the reference can tell."""


@dataclass(frozen=True, eq=False)
class Findings:
    """The points of a study in the order in which they came. `method` says what they are compared with, `levels` how far
    that may be off, by measure; `fault` why the study ended early."""

    plan: Plan
    points: tuple[Point, ...]
    method: str
    levels: dict[str, float]
    cancelled: bool = False
    fault: str = ""

    @property
    def over_tolerances(self) -> bool:
        """Whether it is one over tolerances, and not over steps alone."""
        return bool(self.plan.tolerances)

    @property
    def refused(self) -> tuple[Refused, ...]:
        """What cannot be combined."""
        return self.plan.refused

    @property
    def failed(self) -> tuple[Point, ...]:
        """Points of lanes that did not reach the end."""
        return tuple(point for point in self.points if point.status != "ok")

    def level(self, measure: str) -> float:
        """Below this an error says nothing; 0 where no reference is needed."""
        return self.levels.get(measure, 0.0)

    def curves(self, measure: str = DEFAULT_MEASURE) -> list[Curve]:
        """The curves in the order of the plan, those that have a point that was measured."""
        if measure not in self._curves:
            self._curves[measure] = [
                self._curve(integrator, points, find_measure(measure))
                for (_, integrator), points in self._by_curve.items()
            ]
        return self._curves[measure]

    def _curve(self, integrator: str, points: tuple[Point, ...], kind: type[Measure]) -> Curve:
        errors = tuple(point.errors[kind.name] for point in points)
        # Of a method that chooses its own steps their mean has an order too, where they are several.
        varied = INTEGRATORS[integrator].fixed_step or points[0].case.tolerance is not None
        steps = [point.step for point in points]
        fitted = fit(steps, errors, self.level(kind.name), kind.saturation) if varied else None
        orders = tuple(neighbour_orders(steps, errors))
        return Curve(points[0].case.lane, integrator, points, errors, orders, fitted)

    def rows(self, measure: str = DEFAULT_MEASURE) -> Iterator[Row]:
        """Every point, curve by curve, coarse to fine."""
        level = self.level(measure)
        for curve in self.curves(measure):
            for point, error, order in zip(curve.points, curve.errors, curve.orders, strict=True):
                yield Row(point, error, order, error < level)

    @property
    def records(self) -> list[dict[str, Any]]:
        """Every point by the names of what is known of it, curve by curve."""
        return [_record(point) for points in self._by_curve.values() for point in points]

    @property
    def units(self) -> dict[str, str]:
        """Those of `records`."""
        return {"dt": "s", "seconds": "s", **{kind.name: kind.unit for kind in MEASURES.values()}}

    def to_dataframe(self) -> "pandas.DataFrame":
        """A pandas table of every point: lane, integrator, dt [s], tolerance, status, an error by each measure, seconds of
        processor time, steps. `attrs` holds the reference, its levels, the units and what was refused."""
        import pandas

        frame = pandas.DataFrame(self.records)
        frame.attrs = {
            "reference": self.method,
            "levels": dict(self.levels),
            "units": self.units,
            "refused": [vars(refused) for refused in self.refused],
        }
        return frame

    @cached_property
    def _curves(self) -> dict[str, list[Curve]]:
        return {}

    @cached_property
    def _by_curve(self) -> dict[tuple[str, str], tuple[Point, ...]]:
        order = list(dict.fromkeys(case.curve for case in self.plan.cases))
        found: dict[tuple[str, str], list[Point]] = {curve: [] for curve in order}
        for point in self.points:
            found[point.case.curve].append(point)
        return {
            curve: tuple(sorted(points, key=lambda point: point.case.fineness))
            for curve, points in found.items()
            if points
        }


def find_measure(name: str) -> type[Measure]:
    """The measure of that name; an `InputError` that lists the others where there is none."""
    refuse_unknown_name(name, MEASURES, "the quantity of the study", "quantity")
    return MEASURES[name]


def _record(point: Point) -> dict[str, Any]:
    return {
        "lane": point.case.name,
        "integrator": point.case.integrator,
        "dt": point.step,
        "tolerance": math.nan if point.case.tolerance is None else point.case.tolerance,
        "status": point.status,
        **point.errors,
        "seconds": point.seconds,
        "steps": point.steps,
        "runs": point.runs,
        "simulated": point.simulated,
        "message": point.message,
    }

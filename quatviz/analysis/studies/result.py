"""Result of a study: points, curves and fitted orders."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES, StudyMeasure
from quatviz.analysis.studies.orders import OrderFit, fit_order, neighbour_orders
from quatviz.analysis.studies.plan import RefusedCombination, StudyPlan
from quatviz.base.errors import refuse_unknown_name
from quatviz.files.preset import Lane
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import INTEGRATORS, integrator_title

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Curve:
    """Curve of one lane with one integrator: its points from coarse to fine, their errors by one measure, and
    the fitted order of convergence."""

    lane: Lane
    integrator: str
    points: tuple[StudyPoint, ...]
    errors: tuple[float, ...]
    orders: tuple[float, ...]
    fit: OrderFit | None

    @property
    def name(self) -> str:
        """Names of lane and integrator."""
        return f"{self.lane.name}, {self.integrator}"

    @property
    def title(self) -> str:
        """Titles of lane and integrator, as shown to the user."""
        return f"{lane_title(str(self.lane.name))}, {integrator_title(self.integrator)}"


@dataclass(frozen=True)
class StudyRow:
    """One row of a study's table, for one measured point. Steps and times are in s, the error in the unit
    of its measure."""

    point: StudyPoint
    error: float
    order: float
    is_below_reference: bool
    """True if the error of the point is smaller than that of the reference, and therefore not resolved."""


@dataclass(frozen=True, eq=False)
class StudyData:
    """Points of a study in the order in which they were measured."""

    plan: StudyPlan
    points: tuple[StudyPoint, ...]
    method: str
    """Description of the reference solution: formulation, integrator and step."""
    levels: dict[str, float]
    """Estimated error of the reference solution, by name of the measure."""
    cancelled: bool = False
    fault: str = ""
    """Message that explains why the study ended early, or ""."""

    @property
    def is_over_tolerances(self) -> bool:
        """True if the study varies tolerances."""
        return bool(self.plan.tolerances)

    @property
    def refused(self) -> tuple[RefusedCombination, ...]:
        """Combinations of lane and integrator that were refused."""
        return self.plan.refused

    @property
    def failed(self) -> tuple[StudyPoint, ...]:
        """Points of runs that did not reach the end."""
        return tuple(point for point in self.points if point.status != "ok")

    def level(self, measure: str) -> float:
        """Return the reference's own error by a measure, or 0 if the measure needs no reference."""
        return self.levels.get(measure, 0.0)

    def curves(self, measure: str = DEFAULT_MEASURE) -> list[Curve]:
        """Return the curves that have at least one point, in the order of the plan."""
        if measure not in self._curves:
            self._curves[measure] = [
                self._make_curve(integrator, points, find_measure(measure))
                for (_, integrator), points in self._points_by_curve.items()
            ]
        return self._curves[measure]

    def _make_curve(
        self, integrator: str, points: tuple[StudyPoint, ...], measure: type[StudyMeasure]
    ) -> Curve:
        errors = tuple(point.errors[measure.name] for point in points)
        # The mean step of an adaptive method has an order too, if there are several tolerances.
        has_order = INTEGRATORS[integrator].fixed_step or points[0].case.tolerance is not None
        steps = [point.mean_step for point in points]
        fitted = fit_order(steps, errors, self.level(measure.name), measure.saturation) if has_order else None
        orders = tuple(neighbour_orders(steps, errors))
        return Curve(points[0].case.lane, integrator, points, errors, orders, fitted)

    def rows(self, measure: str = DEFAULT_MEASURE) -> Iterator[StudyRow]:
        """Yield all points, curve by curve, from coarse to fine."""
        level = self.level(measure)
        for curve in self.curves(measure):
            for point, error, order in zip(curve.points, curve.errors, curve.orders, strict=True):
                yield StudyRow(point, error, order, error < level)

    @property
    def records(self) -> list[dict[str, Any]]:
        """All points as dictionaries, curve by curve."""
        return [_point_record(point) for points in self._points_by_curve.values() for point in points]

    @property
    def units(self) -> dict[str, str]:
        """Units of the values in `records`."""
        return {"dt": "s", "seconds": "s", **{measure.name: measure.unit for measure in MEASURES.values()}}

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return all points as a pandas table.

        Returns
        -------
        pandas.DataFrame
            Columns: lane, integrator, dt [s], tolerance, status, one error per measure, processor time [s], and
            steps. `attrs` contains the reference, its levels, the units and the refused combinations.
        """
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
    def _points_by_curve(self) -> dict[tuple[str, str], tuple[StudyPoint, ...]]:
        order = list(dict.fromkeys(case.curve for case in self.plan.cases))
        points_by_curve: dict[tuple[str, str], list[StudyPoint]] = {curve: [] for curve in order}
        for point in self.points:
            points_by_curve[point.case.curve].append(point)
        return {
            curve: tuple(sorted(points, key=lambda point: point.case.sort_key))
            for curve, points in points_by_curve.items()
            if points
        }


def find_measure(name: str) -> type[StudyMeasure]:
    """Return the measure with this name. Raises `InputError`, listing all names, if there is none."""
    refuse_unknown_name(name, MEASURES, "the quantity of the study", "quantity")
    return MEASURES[name]


def _point_record(point: StudyPoint) -> dict[str, Any]:
    return {
        "lane": point.case.name,
        "integrator": point.case.integrator,
        "dt": point.mean_step,
        "tolerance": math.nan if point.case.tolerance is None else point.case.tolerance,
        "status": point.status,
        **point.errors,
        "seconds": point.seconds,
        "steps": point.steps,
        "runs": point.runs,
        "simulated": point.simulated,
        "message": point.message,
    }

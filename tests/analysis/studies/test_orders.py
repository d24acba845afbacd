"""Fits of the order to errors with a known law."""

import math

import pytest

from quatviz.analysis.studies.orders import OrderFit, fit_order, neighbour_orders
from quatviz.analysis.studies.plot_guides import legend_text
from quatviz.analysis.studies.result import Curve
from quatviz.files.preset import Lane

STEPS = [0.1 / 2**n for n in range(10)]


def test_clean_errors_give_order_and_factor() -> None:
    fit = fit_order(STEPS, [3.0 * dt**4 for dt in STEPS], level=0.0, saturation=1.0)
    assert fit is not None
    assert fit.order == pytest.approx(4.0, abs=1e-12)
    assert fit.factor == pytest.approx(3.0)
    assert fit.uncertainty < 1e-9
    assert (fit.coarse, fit.fine, fit.count) == (STEPS[0], STEPS[-1], 10)
    assert fit.error(0.01) == pytest.approx(3e-8)


def test_rounding_errors_are_excluded_from_the_fit() -> None:
    errors = [1e2 * dt**4 + 1e-9 * (1 + 0.3 * (-1) ** n) for n, dt in enumerate(STEPS)]
    fit = fit_order(STEPS, errors, level=0.0, saturation=1.0)
    assert fit is not None
    assert fit.order == pytest.approx(4.0, abs=0.1)
    assert fit.fine > STEPS[-1]


def test_errors_near_the_reference_error_are_excluded() -> None:
    fit = fit_order(STEPS, [dt**2 for dt in STEPS], level=1e-4, saturation=1.0)
    assert fit is not None
    assert fit.fine**2 > 4e-4 >= (fit.fine / 2) ** 2


def test_saturated_and_preasymptotic_errors_are_excluded() -> None:
    errors = [min(40 * dt**2, 3.0) for dt in STEPS]
    errors[:2] = [2.9, 1.5]
    fit = fit_order(STEPS, errors, level=0.0, saturation=2.0)
    assert fit is not None
    assert fit.order == pytest.approx(2.0, abs=1e-6)
    assert fit.coarse == STEPS[2]


def test_two_points_give_an_order_without_uncertainty() -> None:
    fit = fit_order(STEPS[:2], [1e-2, 2.5e-3], 0.0, 1.0)
    assert fit is not None
    assert fit.order == pytest.approx(2.0)
    assert math.isnan(fit.uncertainty)
    assert fit_order(STEPS[:1], [1e-2], 0.0, 1.0) is None
    assert fit_order(STEPS[:3], [math.nan, math.nan, 1e-3], 0.0, 1.0) is None
    assert fit_order(STEPS[:3], [1e-3, 1e-3, 1e-3], 0.0, 1.0) is None, (
        "an error that does not fall has no order"
    )


def test_orders_between_adjacent_points() -> None:
    orders = neighbour_orders([0.4, 0.2, 0.1, 0.05], [1.6, 0.1, math.nan, 0.0])
    assert math.isnan(orders[0])
    assert orders[1] == pytest.approx(4.0)
    assert all(math.isnan(order) for order in orders[2:])


def test_zero_order_has_no_sign() -> None:
    fit = OrderFit(order=-1e-4, uncertainty=0.1, factor=1e-14, coarse=0.1, fine=0.01, count=5)
    curve = Curve(Lane("newton_euler", name="newton_euler"), "rk4", (), (), (), fit)
    assert legend_text(curve).endswith("order 0.00")

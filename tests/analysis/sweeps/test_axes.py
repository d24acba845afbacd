"""Axes of a sweep, the order of its points, and refusals before any work."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.order import CoarseToFine
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.base.errors import InputError
from quatviz.files.addresses import number_addresses, number_at, unit_at, with_number, with_numbers

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler", "udwadia_schutte"])
TOP = qv.load_preset("heavy_top")


def test_every_number_of_a_preset_can_be_swept() -> None:
    for preset in (FREE, TOP, qv.load_preset("attitude_control")):
        addresses = number_addresses(preset)
        assert len(set(addresses)) == len(addresses) > 12
        for address in addresses:
            number = number_at(preset, address)
            if number is None:
                assert address.startswith("lanes[")
            else:
                assert number_at(with_number(preset, address, number), address) == number
                assert with_number(preset, address, number) == preset
    assert number_at(with_number(FREE, "lanes[1].J0", 2.5), "lanes[1].J0") == 2.5
    assert (unit_at(TOP, "loads[0].weight"), unit_at(TOP, "body.inertia[1]")) == ("N", "kg m^2")


def test_rate_component_changes_alone_in_both_forms() -> None:
    turned = with_number(FREE, "initial.angular_velocity[2]", 0.5)
    np.testing.assert_allclose(turned.initial.omega(turned.body), [0.001, 2.0, 0.5], rtol=1e-15)
    again = with_number(turned, "initial.angular_momentum[0]", 3.0)
    np.testing.assert_allclose(
        again.body.inertia @ again.initial.omega(again.body), [3.0, 4.0, 1.5], rtol=1e-15
    )


def test_inertia_change_keeps_symmetry() -> None:
    full = with_number(FREE, "body.inertia[0][1]", 0.1)
    assert full.body.inertia[0, 1] == full.body.inertia[1, 0] == 0.1
    assert "body.inertia[0][1]" in number_addresses(full)
    with pytest.raises(qv.InputError, match="address of a number"):
        with_number(full, "body.inertia[0]", 2.0)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("body.inertai[1]", "body.inertia"),
        ("body.shape", "which is not a number"),
        ("body", "lanes"),
        ("loads[3].weight", "no such address"),
        ("initial.angular_velocity", "which is not a number"),
        ("lanes[0].integrator", "address of a number"),
        ("import os", "address of a number"),
    ],
)
def test_non_numeric_address_is_refused_with_alternatives(address: str, message: str) -> None:
    with pytest.raises(qv.InputError, match=message) as refusal:
        SweepPlan.create(TOP, {address: [1.0]})
    assert refusal.value.key == address
    assert "body.inertia[0], body.inertia[1]" in refusal.value.expected


def test_excessive_number_of_runs_is_refused() -> None:
    axis = qv.Axis.linear(0.1, 1.0, 1_000_000)
    with pytest.raises(qv.InputError, match=r"at most 1e\+08 runs"):
        SweepPlan.create(FREE, {"initial.angular_velocity[0]": axis, "initial.angular_velocity[1]": axis})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("1", "numbers in a list"),
        ([], "a one-dimensional list of numbers"),
        ([[1.0, 2.0]], "a one-dimensional list of numbers"),
        ([1.0, np.nan], "finite numbers"),
        (["a"], "numbers in a list"),
        (1.0, "numbers in a list"),
        (None, "numbers in a list"),
    ],
)
def test_invalid_axis_values_are_refused(values: object, message: str) -> None:
    with pytest.raises(qv.InputError, match=message):
        SweepPlan.create(FREE, {"body.inertia[0]": values})


def test_invalid_ranges_counts_measures_and_presets_are_refused() -> None:
    for bad in (
        lambda: qv.Axis.linear(0, np.inf, 3),
        lambda: qv.Axis.logarithmic(-1, 1, 3),
        lambda: qv.Axis.random(0, 1, 0),
    ):
        with pytest.raises(qv.InputError):
            bad()
    with pytest.raises(qv.InputError, match="one of the sweep measures"):
        SweepPlan.create(FREE, {"body.inertia[0]": [1.5]}, measure="flop")
    with pytest.raises(qv.InputError, match="largest principal moment"):
        SweepPlan.create(FREE, {"body.inertia[0]": [50.0, 60.0]})
    points = {"body.inertia[0]": qv.Axis.random(1, 2, 3), "body.inertia[1]": qv.Axis.random(1, 2, 4)}
    with pytest.raises(qv.InputError, match="the same number of points"):
        SweepPlan.create(FREE, points)
    for over in ({}, [1.0], None, {1: [1.0]}):
        with pytest.raises(qv.InputError, match="addresses"):
            SweepPlan.create(FREE, over)  # type: ignore[arg-type]
    for text in ("a", "a=", "body.inertia[0]=1:2", "x=1:2:3:lag", "=1:2:3", "x=1:2:3.5", "x=a,b"):
        with pytest.raises(qv.InputError, match="PATH=FROM:TO:COUNT"):
            qv.Axis.from_text(text)


@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (8, 8), (1, 9), (2, 3, 4), (5, 1, 2, 3)])
def test_order_visits_every_point_once_coarse_first(shape: tuple[int, ...]) -> None:
    order = CoarseToFine(shape)
    numbers = order.grid_indices(0, order.count)
    assert len(np.unique(numbers, axis=0)) == len(numbers) == order.count
    # No finer point precedes a coarser one.
    level = np.min([np.where(column == 0, 2**30, column & -column) for column in numbers.T], axis=0)
    assert (np.diff(level[1:]) <= 0).all()
    for start, stop in ((0, 1), (2, 5), (order.count // 2, order.count)):
        assert order.grid_indices(start, stop).tolist() == numbers[start:stop].tolist()


def test_random_axes_give_points_and_others_a_grid() -> None:
    over = {
        "initial.angular_velocity[0]": qv.Axis.random(-1.0, 1.0, 5),
        "body.inertia[0]": [1.5, 2.0, 2.5],
        "initial.angular_velocity[2]": qv.Axis.random(1e-3, 1.0, 5, scale="log"),
    }
    plan = SweepPlan.create(FREE, over, seed=3)
    assert (plan.dimensions, plan.shape, plan.point_count, plan.run_count) == (
        ("body.inertia[0]", "point"),
        (3, 5),
        15,
        30,
    )
    numbers = plan.grid_indices(0, 15)
    assert len(np.unique(numbers, axis=0)) == 15
    assert plan.grid_indices(4, 11).tolist() == numbers[4:11].tolist()
    values = plan.values_at(numbers)
    assert set(values[:, 1]) == {1.5, 2.0, 2.5}
    assert ((values[:, 0] > -1) & (values[:, 0] < 1) & (values[:, 2] > 1e-3) & (values[:, 2] < 1)).all()
    assert len(set(values[:, 0])) == 5
    again = pickle.loads(pickle.dumps(plan))
    assert again.values_at(numbers).tolist() == values.tolist()
    assert again.digest == plan.digest
    assert SweepPlan.create(FREE, over, seed=4).digest != plan.digest


@pytest.mark.parametrize("name", [name for name in qv.presets() if qv.load_preset(name).map is not None])
def test_shipped_maps_can_be_planned(name: str) -> None:
    plan = SweepPlan.from_preset_map(qv.load_preset(name))
    assert plan.point_count >= 1000
    assert len(plan.lanes) == 1


def test_preset_without_map_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        SweepPlan.from_preset_map(qv.load_preset("torque_free"))
    assert "defines a map" in str(caught.value.expected)


def test_dependent_numbers_change_together() -> None:
    moments = {"body.inertia[0]": 10.0, "body.inertia[1]": 20.0, "body.inertia[2]": 25.0}
    with pytest.raises(qv.InputError, match="largest principal moment"):
        with_number(FREE, "body.inertia[0]", 10.0)
    assert with_numbers(FREE, moments).body.inertia.diagonal().tolist() == [10.0, 20.0, 25.0]
    plan = SweepPlan.create(FREE, {address: [value] for address, value in moments.items()})
    assert plan.preset_at(np.array([10.0, 20.0, 25.0])).body.inertia.diagonal().tolist() == [10.0, 20.0, 25.0]


def test_expression_is_one_address() -> None:
    preset = replace(qv.load_preset("torque_free"), loads=[qv.Torque(torque=["sin(t)", 2.0, 0.0])])
    addresses = [address for address in number_addresses(preset) if address.startswith("loads")]
    assert addresses == [f"loads[0].torque[{index}]" for index in range(3)]
    assert [number_at(preset, address) for address in addresses] == [None, 2.0, 0.0]
    assert [unit_at(preset, address) for address in addresses] == ["N m"] * 3

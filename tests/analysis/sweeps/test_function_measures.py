"""Sweeps in scripts: functions as measures, short names of axes, a single lane, reused files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import SampleBlock

PRESET = qv.load_preset("torque_free")
OVER = {"angular_velocity[0]": [0.1, 0.2], "inertia[2]": [250.0, 280.0, 300.0]}


def peak_rate(lane: qv.Solution) -> float:
    return float(np.abs(lane.omega[:, 1]).max())


CALLS: list[str] = []


def counted_peak_rate(lane: qv.Solution) -> float:
    CALLS.append(lane.name)
    return peak_rate(lane)


def test_function_measures_the_finished_lane() -> None:
    maps = qv.sweep("torque_free", OVER, lanes="newton_euler", measure=["flips", peak_rate], duration=1.0)
    assert maps.peak_rate.dims == ("lane", "angular_velocity[0]", "inertia[2]")
    for i, rate in enumerate(OVER["angular_velocity[0]"]):
        for j, moment in enumerate(OVER["inertia[2]"]):
            body = qv.Body(inertia=[400, 307.808385, moment])
            momentum = [400.0 * rate, *PRESET.initial.angular_momentum[1:]]
            initial = replace(PRESET.initial, angular_momentum=momentum)
            single = replace(PRESET, body=body, initial=initial)
            run = qv.simulate(single, lanes=["newton_euler"], duration=1.0)
            assert maps.peak_rate.values[0, i, j] == pytest.approx(peak_rate(run.lanes[0]), rel=1e-12)


def test_named_functions_and_user_classes_are_measures() -> None:
    class LastRate(SweepMeasure):
        name, title = "last_rate", "Last rate"

        def update(self, block: SampleBlock) -> None:
            self.values = block.omega[2, -1]

        def result(self) -> np.ndarray:
            return self.values

    over = {"inertia[2]": [250.0, 300.0]}
    settings: dict[str, Any] = {"lanes": "newton_euler", "duration": 0.5, "squeeze": True}
    named = qv.sweep("torque_free", over, measure={"last": lambda lane: lane.omega[-1, 2]}, **settings)
    own = qv.sweep("torque_free", over, measure=LastRate, **settings)
    np.testing.assert_array_equal(named["last"].values, own.last_rate.values)
    assert named["last"].dims == ("inertia[2]",)
    assert named.lane.item() == "newton_euler"


def test_early_ended_run_has_no_value() -> None:
    over = {"run.dt": [1e-3]}
    maps = qv.sweep("torque_free", over, lanes="euler_angles/313", measure=peak_rate, squeeze=True)
    assert np.isnan(maps.peak_rate.values).all()
    assert maps.status.values.tolist() == [1]


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda lane: 1.0, "functions of a lane, defined with def"),
        ({"flips": peak_rate}, "a name of letters, digits and _ that no other measure has"),
        ({"a b": peak_rate}, "a name of letters, digits and _ that no other measure has"),
        ({"rows": lambda lane: lane.omega}, "a function of the lane that returns one number"),
        ({"text": lambda lane: lane.name}, "a function of the lane that returns one number"),
        ({"broken": lambda lane: lane.nothing}, "has no attribute 'nothing'"),
        (3, "names of measures, or functions of a lane"),
        ([3], "names of measures, or functions of a lane"),
    ],
)
def test_invalid_measure_is_refused(measure: Any, message: str) -> None:
    with pytest.raises(qv.InputError, match=message):
        qv.sweep("torque_free", {"inertia[2]": [300.0]}, lanes="newton_euler", measure=measure, duration=0.1)


def test_address_suffix_names_an_axis() -> None:
    weights = [15.0, 20.0]
    whole = qv.sweep("heavy_top", {"loads[0].weight": weights}, lanes="newton_euler", duration=0.2)
    short = qv.sweep("heavy_top", {"weight": weights}, lanes="newton_euler", duration=0.2)
    assert short.flips.dims == ("lane", "weight")
    assert short.weight.attrs["address"] == "loads[0].weight"
    assert short.weight.attrs["units"] == "N"
    assert short.attrs["axes"] == whole.attrs["axes"] == '["loads[0].weight"]'
    np.testing.assert_array_equal(short.flips.values, whole.flips.values)
    assert short.sel(weight=20.0).flips.shape == (1,)
    with pytest.raises(qv.InputError, match=r"run.dt, lanes\[0\].dt"):
        qv.sweep("heavy_top", {"dt": [1e-3]}, lanes="newton_euler")


@pytest.mark.parametrize("ending", [".nc", ".zarr"])
def test_finished_file_is_read_instead_of_computed(ending: str, tmp_path: Path) -> None:
    if ending == ".zarr":
        pytest.importorskip("zarr")
    CALLS.clear()
    settings: dict[str, Any] = {
        "lanes": "newton_euler",
        "measure": {"peak": counted_peak_rate},
        "duration": 0.1,
    }
    path = tmp_path / f"map{ending}"
    first = qv.sweep("torque_free", {"inertia[2]": [250.0, 300.0]}, path=path, **settings)
    again = qv.sweep("torque_free", {"inertia[2]": [250.0, 300.0]}, path=path, **settings)
    assert len(CALLS) == 2, "only the first call computes"
    assert first.identical(again)

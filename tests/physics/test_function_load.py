"""Loads from functions of a script: compiled once, gains as data, swept by name."""

import copy
import pickle

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.addresses import label_at, number_addresses, number_at, unit_at, with_numbers
from quatviz.physics.loads import bind, pack_loads


@qv.load
def control(t, p, omega, K=2.0, D=0.5):
    sign = 1.0 if p[0] > 0.0 else -1.0
    return -K * sign * p[1:] - D * omega


@qv.load(frame="space")
def wind(t, p, omega, F=0.3):
    return np.array([F * np.sin(t), 0.0, 0.1])


BODY = qv.Body(inertia=[3.0, 2.0, 1.5])
START = qv.Initial(rotation_vector=[1.0, 0.4, -0.3], angular_velocity=[0.1, 0.2, 0.3])


def preset(*loads) -> qv.Preset:
    return qv.Preset(
        body=BODY,
        initial=START,
        loads=loads,
        run=qv.RunSettings(0.5, 1e-3, 1e-2),
        lanes=[qv.Lane("newton_euler"), qv.Lane("hamilton")],
    )


def test_function_load_equals_torque_law_and_built_in_load() -> None:
    law = qv.TorqueLaw(law="n = [F*sin(t), 0, 0.1]", gains={"F": 0.3}, frame="space")
    own = qv.simulate(preset(control, wind))
    other = qv.simulate(preset(qv.AttitudeControl(stiffness=2.0, damping=0.5), law))
    for name in own:
        assert own[name].p == pytest.approx(other[name].p, abs=1e-12)
        assert own[name].torque == pytest.approx(other[name].torque, abs=1e-12)


def test_gains_do_not_recompile() -> None:
    stronger = control(K=3.0)
    assert stronger.gains == (("K", 3.0), ("D", 0.5))
    sums = [pack_loads(bind([load], BODY), "torque").variable_sum for load in (control, stronger)]
    assert sums[0].function == sums[1].function
    assert pickle.loads(pickle.dumps(stronger)).gains == stronger.gains
    assert copy.deepcopy(stronger) is stronger
    for gains in ({"Q": 1.0}, {"K": "much"}):
        with pytest.raises(qv.InputError):
            control(**gains)


@pytest.mark.parametrize(
    "load", [control, qv.TorqueLaw(law="n = -K*p[1:] - D*omega", gains={"K": 2.0, "D": 0.5})]
)
def test_gains_can_be_swept(load) -> None:
    swept_preset = preset(load)
    assert {"loads[0].gains.K", "loads[0].gains.D"} <= set(number_addresses(swept_preset))
    assert number_at(swept_preset, "loads[0].gains.K") == 2.0
    assert unit_at(swept_preset, "loads[0].gains.K") == ""
    assert label_at(swept_preset, "loads[0].gains.K").startswith("K")
    changed = with_numbers(swept_preset, {"loads[0].gains.K": 4.0})
    assert dict(changed.loads[0].gains) == {"K": 4.0, "D": 0.5}  # type: ignore[attr-defined]
    with pytest.raises(qv.InputError, match=r"loads\[0\].gains.Q"):
        with_numbers(swept_preset, {"loads[0].gains.Q": 4.0})
    swept = qv.sweep(
        swept_preset, over={"loads[0].gains.D": [0.2, 2.0]}, measure="peak_torque", lanes="newton_euler"
    )
    assert swept["peak_torque"].values.shape[-1] == 2


def test_invalid_load_function_is_refused() -> None:
    with pytest.raises(qv.InputError, match="arguments"):
        qv.load(lambda t, omega: omega)
    with pytest.raises(qv.InputError, match="3 numbers"):
        qv.load(lambda t, p, omega: p)
    with pytest.raises(qv.InputError, match="a function defined with def"):
        qv.load(3)  # type: ignore[call-overload]
    with pytest.raises(qv.InputError, match="gains with default values"):
        qv.load(lambda t, p, omega, K: K * omega)

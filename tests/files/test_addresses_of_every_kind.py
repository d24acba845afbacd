"""Every address of a preset has a unit, a label and a value that can be set, whatever the preset is made of."""

from collections.abc import Callable
from functools import partial

import pytest

import quatviz as qv
from quatviz.files.addresses import label_at, number_addresses, number_at, unit_at, value_at, with_number

BODY = qv.Body(inertia=[3.0, 2.0, 1.5])
START = qv.Initial(rotation_vector=[1.0, 0.4, -0.3], angular_velocity=[0.1, 0.2, 0.3])
LAW = qv.TorqueLaw(law="e = sign(p[0])*p[1:]\nn = -2*e - 3*omega")
LAW_WITH_GAINS = qv.TorqueLaw(law="n = -K*p[1:] - 0.5*loads*omega", gains={"K": 2.0, "loads": 0.4})
ROTOR = qv.Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, speed=3.0)

BASE = qv.Preset(body=BODY, initial=START)


def with_typed_formulation() -> qv.Preset:
    """Return a preset whose lane has typed equations. They are registered, so this must not happen while tests are collected."""
    equations = qv.TypedFormulation(
        "with_constants",
        rates="omega' = solve(J, n - cross(omega, J @ omega) - c*omega)\np' = product(p, [0, omega])/2",
        numbers={"c": 0.25},
    )
    return BASE.with_run(lanes=[equations, "newton_euler"])


PRESETS: dict[str, Callable[[], qv.Preset]] = {
    "law": lambda: qv.Preset(body=BODY, initial=START, loads=[LAW]),
    "law with gains": lambda: qv.Preset(body=BODY, initial=START, loads=[LAW_WITH_GAINS]),
    "law of a lane": lambda: BASE.with_run(
        lanes=["hamilton", qv.Lane("newton_euler", name="own", loads=[LAW_WITH_GAINS])]
    ),
    "typed formulation": with_typed_formulation,
    "rotor": lambda: qv.Preset(
        body=qv.Body(inertia=[3.0, 2.0, 1.5], rotors=[ROTOR]), initial=START, loads=[LAW]
    ).with_run(lanes=["newton_euler"]),
    **{name: partial(qv.load_preset, name) for name in qv.presets()},
}


@pytest.mark.parametrize("name", PRESETS)
def test_every_address_has_unit_label_and_settable_value(name: str) -> None:
    preset = PRESETS[name]()
    addresses = number_addresses(preset)
    assert len(set(addresses)) == len(addresses) > 6
    for address in addresses:
        assert isinstance(unit_at(preset, address), str)
        assert label_at(preset, address)
        number = number_at(preset, address)
        if number is not None:
            assert number_at(with_number(preset, address, number), address) == number


def test_constants_of_a_compiled_law_have_no_address() -> None:
    """Parameter maps offered them, and failed on their unit."""
    preset = PRESETS["law"]()
    assert not [address for address in number_addresses(preset) if address.startswith("loads")]
    with pytest.raises(LookupError):
        value_at(preset, "loads[0].program.constants[0]")
    with pytest.raises(qv.InputError, match="the address of a number"):
        with_number(preset, "loads[0].program.constants[0]", 4.0)


def test_gain_may_be_named_like_an_address_part() -> None:
    preset = PRESETS["law with gains"]()
    assert unit_at(preset, "loads[0].gains.loads") == ""
    assert label_at(preset, "loads[0].gains.loads") == "loads (torque law)"

"""Events: the effect of each on a state, and their form in presets."""

import re

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.base.parameters import from_table
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.events import EVENTS, event_templates, sample_index
from quatviz.physics.events.base import Event, StateLayout
from quatviz.physics.events.kick import Kick
from quatviz.physics.events.perturb import Perturb
from quatviz.physics.events.reverse import Reverse
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices

TEXT = """\
format = 1
title = "Thrown"

[body]
inertia = [1, 2, 3]

[initial]
euler_parameters = [1, 0, 0, 0]
angular_velocity = [0.1, 2, 0]

[[events]]
kind = "perturb"
at = 0.29
length = 1.001

[[events]]
kind = "reverse"
at = 1

[run]
duration = 2
dt = 1e-3
sample_interval = 0.01

[[lanes]]
formulation = "hamilton"
"""
RATES = make_formulation("udwadia_schutte").blocks
VELOCITIES = [variable for variable in StateVariable if variable.is_velocity]
ANGLES = make_formulation("euler_angles").blocks


def layout(blocks: tuple[StateBlock, ...]) -> StateLayout:
    def never(*_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise AssertionError("the kinds of the components say it all")

    return StateLayout(blocks, never, never)  # type: ignore[arg-type]


def refusal(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_preset(text, "thrown.toml")
    return caught.value


def test_length_and_rate_events_change_exactly_their_amount() -> None:
    p, p_rate = np.array([0.5, -0.5, 0.5, 0.5]), np.array([0.3, 0.1, -0.4, 0.2])
    state = np.concatenate((p, p_rate))
    after = Perturb(at=1.0, length=1.01, rate=0.25).apply(state, layout(RATES))
    assert np.allclose(after[:4], 1.01 * p, rtol=1e-15)
    assert after[:4] @ after[4:] == pytest.approx(1.01**2 * (p @ p_rate) + 0.25, rel=1e-14)
    across = after[4:] - after[:4] * (after[:4] @ after[4:]) / (after[:4] @ after[:4])
    assert np.allclose(across, 1.01 * (p_rate - p * (p @ p_rate)), rtol=1e-13)
    assert np.array_equal(state[:4], p), "the recorded row was changed in place"


def test_length_event_scales_canonical_momenta_inversely() -> None:
    blocks = make_formulation("hamilton_canonical").blocks
    after = Perturb(at=0.0, length=2.0, rate=5.0).apply(np.ones(8), layout(blocks))
    assert after.tolist() == [0.5] * 4 + [2.0] * 4


def test_events_on_p_are_reported_without_euler_parameters() -> None:
    state = np.arange(6.0)
    event = Perturb(at=0.0, length=2.0, rate=1.0)
    assert np.array_equal(event.apply(state, layout(ANGLES)), state)
    assert "no constraint" in event.no_effect_reason(ANGLES)
    assert not event.no_effect_reason(RATES)
    first_order = make_formulation("newton_euler").blocks
    assert "no effect on p·p′" in event.no_effect_reason(first_order)
    assert not Perturb(at=0.0, length=2.0).no_effect_reason(first_order)


@pytest.mark.parametrize(
    ("form", "turned"),
    [
        ("udwadia_schutte", 4),
        ("ring_damper", 4),
        ("hamilton", 3),
        ("hamilton_canonical", 4),
        ("lie_group", 3),
    ],
)
def test_reverse_event_negates_velocities_only(form: str, turned: int) -> None:
    blocks, names = make_formulation(form).blocks, make_formulation(form).component_names
    after = Reverse(at=0.0).apply(np.ones(len(names)), layout(blocks))
    assert (after < 0).sum() == turned
    assert all(after[names.index(f"e{i}")] == 1.0 for i in range(4))
    assert np.array_equal(Reverse(at=0.0).apply(after, layout(blocks)), np.ones(len(names)))


@pytest.mark.parametrize("lane", sorted(FORMULATIONS))
def test_velocity_names_match_component_kinds(lane: str) -> None:
    """The displayed names agree with the kinds of components."""
    form = make_formulation(lane)
    velocities = {form.component_names[index] for index in component_indices(form.blocks, *VELOCITIES)}
    assert velocities == {
        name for name in form.component_names if re.fullmatch(r"(omega|h|g)(_m)?\d|\w+_rate", name)
    }
    assert len(form.component_names) == len(set(form.component_names))


def test_reverse_event_uses_omega_of_unknown_coordinates() -> None:
    other = StateLayout(
        (StateBlock(StateVariable.COORDINATES, ("a", "b", "c", "d", "x", "y", "z")),),
        lambda state: (state[:4], state[4:]),
        lambda p, omega: np.concatenate((p, omega)),
    )
    assert Reverse(at=0.0).apply(np.arange(7.0), other).tolist() == [0, 1, 2, 3, -4, -5, -6]


def test_events_round_trip_through_text() -> None:
    preset = parse_preset(TEXT)
    assert preset.events == (Perturb(at=0.29, length=1.001), Reverse(at=1.0))
    assert parse_preset(format_preset(preset)) == preset
    assert parse_preset(TEXT.split("[[events]]")[0] + TEXT[TEXT.index("[run]") :]).events == ()


def test_preset_without_events_writes_no_event_section() -> None:
    assert "events" not in format_preset(
        parse_preset(TEXT.split("[[events]]")[0] + TEXT[TEXT.index("[run]") :])
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("at = 0.29", "at = 0.294", 13, "write at = 0.29,"),
        ("at = 0.29", "at = 0.296", 13, "write at = 0.3,"),
        ("at = 0.29", "at = -0.01", 13, "at least 0"),
        ("length = 1.001", "length = 0", 14, "above 0"),
        ("length = 1.001", "lenght = 1.001", 14, "did you mean 'length'"),
        ('kind = "perturb"', 'kind = "pertrub"', 12, "perturb"),
        ('kind = "perturb"', "", 11, "perturb, place, reverse"),
        ("at = 0.29\n", "", 11, "time of the event"),
    ],
)
def test_invalid_lines_are_refused_with_their_number(old: str, new: str, line: int, message: str) -> None:
    error = refusal(TEXT.replace(old, new))
    assert error.place.startswith(f"thrown.toml, line {line}, events[0]"), error.place
    assert message in str(error)


def test_event_time_matches_a_sample_within_rounding() -> None:
    for number in (1, 3, 29, 57, 123_456):
        assert sample_index(number * 0.01, 0.01) == number
    for at in (0.0050001, 0.019999, 12.3456):
        with pytest.raises(InputError, match="multiple of sample_interval"):
            sample_index(at, 0.01)


def test_changed_sample_interval_must_fit_the_events() -> None:
    preset = parse_preset(TEXT)
    with pytest.raises(InputError, match=r"events\[0\]\.at"):
        preset.with_run(sample_interval=0.02)
    assert preset.with_run(duration=0.5).events == preset.events


@pytest.mark.parametrize("event_class", EVENTS.values())
def test_every_event_kind_has_defaults_and_labels(event_class: type) -> None:
    event: Event = from_table(event_class, {"at": 1.0}, "events")
    assert isinstance(event.summary, str)
    assert len(event.summary) > 3
    assert len((event_class.__doc__ or "").split("\n")[0]) > 10


def test_every_offered_event_can_be_written() -> None:
    assert {"perturb_length", "perturb_rate", "reverse"} <= set(event_templates())
    for event_class, offer in event_templates().values():
        event = from_table(event_class, {"at": 1.0, **offer.values}, "events")
        preset: Preset = parse_preset(TEXT)
        text = format_preset(Preset(body=preset.body, initial=preset.initial, events=[event]))
        assert parse_preset(text).events == (event,)


def test_kick_label_uses_a_minus_sign() -> None:
    assert Kick(at=1.0, impulse=[-2.5, 0.0, 1e-5]).summary == "kick (−2.5, 0, 1×10⁻⁵) N m s in space"

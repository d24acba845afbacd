"""The forms of Udwadia and Schutte: the effect of J0, and the law of leaving the sphere."""

import numpy as np
import pytest
from helpers import derivative, random_preset, reference_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.physics.mechanics.rotations import matrix_L, rate_from_omega

FUNDAMENTAL = "udwadia_schutte_fundamental/torque"
UNCONSTRAINED = "udwadia_schutte_unconstrained"


def lanes(formulation: str, *inertias: float) -> list[qv.Lane]:
    return [qv.Lane(formulation, J0=J0, name=f"J0={J0:g}") for J0 in inertias]


def test_J0_does_not_change_motion_or_multiplier_on_the_sphere() -> None:
    preset = reference_preset("point_force")
    run = qv.simulate(
        preset,
        lanes=["hamilton", *lanes(FUNDAMENTAL, 0.1, 1.0, 50.0)],
        dt=1e-3,
        duration=5.0,
        sample_interval=0.1,
    )
    for lane in run.lanes[1:]:
        assert run.orientation_error(lane.name, "hamilton").max() < 1e-8
        assert lane.lam == pytest.approx(4.0 * run["hamilton"].kinetic, abs=1e-8)


def test_J0_changes_the_acceleration_off_the_sphere() -> None:
    preset = random_preset(3, gravity=False)
    p = 1.05 * preset.initial.p()
    y = np.concatenate((p, rate_from_omega(p, [0.3, 0.5, -0.8]) + np.array([0.1, 0.0, 0.0, 0.2])))
    ends = [derivative(UNCONSTRAINED, preset, y, J0)[0] for J0 in (0.1, 10.0)]
    assert np.abs(ends[0] - ends[1]).max() > 0.1


def test_mass_matrix_determinant_matches_the_documents() -> None:
    """det M_u = 256 J0 det J |u|^8; S4, while 4 L^T J L has rank 3."""
    preset = random_preset(2, gravity=False)
    u, J0 = 1.3 * preset.initial.p(), 0.7
    L = matrix_L(u)
    mass = 4.0 * L.T @ preset.body.inertia @ L
    assert np.linalg.matrix_rank(mass) == 3
    full = mass + 4.0 * J0 * np.outer(u, u)
    assert np.linalg.det(full) == pytest.approx(
        256.0 * J0 * np.linalg.det(preset.body.inertia) * (u @ u) ** 4
    )


def test_unconstrained_form_leaves_the_sphere_as_predicted() -> None:
    """|u|^2 - 1 = T t^2 / J0 + O(t^3), and (|u|^4)'' = 4 T / J0 with T of the kernels' omega = 2 L u'."""
    preset = random_preset(5, gravity=False)
    lane = qv.simulate(
        preset, lanes=lanes(UNCONSTRAINED, 2.0), dt=1e-3, duration=1.0, sample_interval=1e-3
    ).lanes[0]
    assert lane.constraint[10] == pytest.approx(lane.kinetic[0] * 0.01**2 / 2.0, rel=0.02)
    square = lane.constraint + 1.0
    kinetic = lane.kinetic * square**2
    curvature = np.diff(square**2, 2) / 1e-6
    assert curvature == pytest.approx(4.0 * kinetic[1:-1] / 2.0, rel=1e-4)


def test_consistent_equation_conserves_four_parameter_energy() -> None:
    """T + 2 J0 (u.u')^2 and r r'' = 2 T/J0 for r = |u|^2; as printed the energy falls."""
    preset, J0 = random_preset(5, gravity=False), 2.0
    names = (f"{UNCONSTRAINED}_consistent", UNCONSTRAINED)
    run = qv.simulate(
        preset,
        lanes=[qv.Lane(name, J0=J0, name=name) for name in names],
        dt=1e-3,
        duration=3.0,
        sample_interval=1e-3,
    )
    for lane in run.lanes:
        square = lane.constraint + 1.0
        energy = lane.kinetic * square**2 + 2.0 * J0 * lane.constraint_rate**2
        if lane.name == UNCONSTRAINED:
            assert energy[-1] < 0.99 * energy[0]
            continue
        assert energy == pytest.approx(energy[0], rel=1e-10)
        curvature = np.diff(square, 2) / 1e-6
        kinetic = lane.kinetic * square**2
        assert square[1:-1] * curvature == pytest.approx(2.0 * kinetic[1:-1] / J0, rel=1e-4)


@pytest.mark.parametrize(("form", "exponent"), [("_consistent", 0.5), ("", 0.25)])
def test_unconstrained_length_grows_as_a_power_of_time(form: str, exponent: float) -> None:
    preset = random_preset(5, gravity=False)
    lane = qv.simulate(
        preset,
        lanes=[qv.Lane(f"{UNCONSTRAINED}{form}", J0=1.0)],
        dt=1e-2,
        duration=4000.0,
        sample_interval=10.0,
    ).lanes[0]
    length = np.sqrt(lane.constraint + 1.0)
    slope = np.log(length[-1] / length[len(length) // 4]) / np.log(lane.t[-1] / lane.t[len(length) // 4])
    assert slope == pytest.approx(exponent, abs=0.02)


def test_unprojected_load_adds_its_radial_part() -> None:
    preset = reference_preset("point_force")
    names = [f"udwadia_schutte_fundamental/{form}" for form in ("torque", "split", "gradient")]
    run = qv.simulate(preset, lanes=names, dt=1e-3, duration=2.0, sample_interval=0.1)
    for lane in run.lanes:
        assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-9)
    assert np.ptp(run[names[1]].lam - run[names[0]].lam) > 0.5


@pytest.mark.parametrize("formulation", ["udwadia_schutte", "hamilton"])
def test_J0_is_refused_by_forms_without_it(formulation: str) -> None:
    preset = random_preset(0, gravity=False)
    with pytest.raises(InputError, match="no free moment of inertia"):
        qv.simulate(preset, lanes=[qv.Lane(formulation, J0=2.0)], duration=0.1)


def test_J0_is_read_from_text_and_command_line() -> None:
    assert qv.Lane.from_string("udwadia_schutte_fundamental,J0=0.5").J0 == 0.5


def test_default_J0_is_the_mean_moment() -> None:
    preset = qv.load_preset("torque_free")
    mean = float(np.trace(preset.body.inertia)) / 3.0
    silent, reported = (
        qv.simulate(preset, lanes=[lane], duration=1.0)
        for lane in (UNCONSTRAINED, qv.Lane(UNCONSTRAINED, J0=mean, name="said"))
    )
    assert np.array_equal(silent[UNCONSTRAINED].p, reported["said"].p)

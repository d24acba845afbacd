"""A lane gives states between samples, its estimated error, and a reason if it is not accurate."""

from dataclasses import replace

import pytest
from helpers import random_preset

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle

FORMS = ["newton_euler", "lagrange_full/torque", "euler_angles/312", "modified_rodrigues", "lie_group"]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    preset = qv.load_preset("torque_free")
    return qv.simulate(preset, lanes=[*FORMS, "exact"], duration=4.0, dt=1e-2, sample_interval=0.1)


@pytest.mark.parametrize("name", FORMS)
def test_lane_is_as_accurate_between_samples_as_at_them(run: qv.Run, name: str) -> None:
    fine = qv.simulate(run.preset, lanes=["exact"], sample_interval=0.02)["exact"]
    interpolated = run[name].at(fine.t)
    error = relative_angle(interpolated.p, fine.p).max()
    assert error < 1.1 * run.orientation_error(name, "exact").max() + 1e-12
    assert interpolated.omega == pytest.approx(fine.omega, abs=2e-7)
    assert interpolated.energy == pytest.approx(fine.energy, rel=1e-7)
    rows = run[name].at(run[name].t)
    for quantity in ("p", "omega", "h_space", "lam", "singularity"):
        assert getattr(rows, quantity) == pytest.approx(getattr(run[name], quantity), abs=1e-9, nan_ok=True)


def test_times_have_any_shape_and_end_with_the_lane(run: qv.Run) -> None:
    lane = run["newton_euler"]
    assert lane.at(1.23).h.shape == (3,)
    assert lane.at(1.23).energy.shape == ()
    assert lane.at([[0.0, 1.23], [2.0, 4.0]]).angles_321.shape == (2, 2, 3)
    with pytest.raises(qv.InputError, match="from 0 to 4 s"):
        lane.at([1.0, 4.1])
    ring = qv.simulate(qv.load_preset("ring_damper"), lanes=["ring_damper"], duration=0.1).lanes[0]
    assert ring.at(0.05).ring_angle.shape == ()
    assert ring.trusted
    assert 0.0 < ring.estimated_error.max() < 1e-9


def test_flying_body_with_timed_load_between_samples(run: qv.Run) -> None:
    preset = replace(
        run.preset,
        body=qv.Body(inertia=[1.0, 2.0, 2.5], mass=4.0),
        loads=[qv.Torque(torque=["3*sin(5*t)", 0, 1]), qv.PointForce(force=[1, 0, 2], point=[0.1, 0, 0])],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 1, 2], velocity=[1, 0, 0]),
    )
    coarse = qv.simulate(preset, lanes=["hamilton"], sample_interval=0.1, dt=1e-3, duration=2.0)["hamilton"]
    fine = qv.simulate(preset, lanes=["hamilton"], sample_interval=0.02, dt=1e-3, duration=2.0)["hamilton"]
    interpolated = coarse.at(fine.t)
    assert interpolated.omega == pytest.approx(fine.omega, abs=1e-9)
    assert interpolated.torque == pytest.approx(fine.torque, abs=1e-9)
    assert interpolated.centre == pytest.approx(fine.centre, abs=1e-6)
    assert interpolated.centre_velocity == pytest.approx(fine.centre_velocity, abs=1e-4)


def test_event_is_not_interpolated(run: qv.Run) -> None:
    kicked = replace(run.preset, events=[qv.Kick(at=1.0, impulse=[50.0, 0.0, 0.0])])
    lane = qv.simulate(kicked, lanes=["newton_euler"], duration=2.0, dt=1e-3)["newton_euler"]
    plain = qv.simulate(run.preset, lanes=["newton_euler"], duration=2.0, dt=1e-3)["newton_euler"]
    just_before = 1.0 - 1e-6
    assert lane.at(just_before).omega == pytest.approx(plain.at(just_before).omega, abs=1e-12)
    assert lane.at(1.0).omega == pytest.approx(lane.omega[10], abs=1e-12)
    assert lane.trusted
    assert lane.estimated_error.max() < 1e-9


def test_crossings_are_located_between_samples(run: qv.Run) -> None:
    times = run["exact"].crossings(lambda at: at.omega[..., 0] - 0.7)
    assert len(times) > 0
    assert run["exact"].at(times).omega[:, 0] == pytest.approx(0.7, abs=1e-10)
    assert run["exact"].crossings(lambda at: at.kinetic + 1.0).tolist() == []


def test_error_is_estimated_without_a_reference(run: qv.Run) -> None:
    for name in FORMS:
        true = run.orientation_error(name, "exact")
        estimate = run[name].estimated_error
        assert estimate.shape == true.shape
        assert estimate.max() == pytest.approx(true.max(), rel=0.3, abs=2e-11), name
        assert run[name].trusted
        assert run[name].accuracy_warning == ""


@pytest.mark.parametrize(("seed", "sequence"), [(3, "313"), (2, "313")])
def test_lane_near_its_singularity_is_inaccurate(seed: int, sequence: str) -> None:
    names = [f"euler_angles/{sequence},integrator=heun", "newton_euler"]
    run = qv.simulate(random_preset(seed, True), lanes=names, dt=1e-2, duration=6.0, sample_interval=0.05)
    lane, right = run.lanes
    true = run.orientation_error(lane.name, right.name)
    assert lane.success
    assert true.max() > 1e-3
    assert lane.estimated_error.max() > true.max() / 3.0
    assert not lane.trusted
    assert "near the singularity of the coordinates (det S = 0." in lane.accuracy_warning
    assert right.trusted


def test_mistaken_and_coarse_lanes_are_inaccurate(run: qv.Run) -> None:
    lanes = ["udwadia_schutte_unconstrained", "newton_euler,integrator=euler", "euler_angles/313"]
    wrong, coarse, ended = qv.simulate(run.preset, lanes=lanes).lanes
    assert "does not follow the body" in wrong.accuracy_warning
    assert "Try dt = 0.0005 s, or a method of higher order" in coarse.accuracy_warning
    assert coarse.verdict.accurate_until == 0.3
    assert coarse.verdict.max_error > 1e-3
    assert ended.accuracy_warning == ended.message != ""

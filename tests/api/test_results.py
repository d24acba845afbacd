"""Results of a run in scripts: immutable lanes by name, independent of the engine, which pickle and copy."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.observables.quantities import QUANTITIES, Motion

LANES: list[qv.Lane | str] = ["lagrange_full/torque", qv.Lane("hamilton", dt=5e-3, name="fine"), "exact"]


@pytest.fixture(scope="module")
def run() -> qv.Run:
    events = [qv.Kick(at=0.5, impulse=[10.0, 0.0, 0.0])]
    preset = replace(qv.load_preset("torque_free"), events=events)
    return qv.simulate(preset, lanes=LANES, duration=1.0, dt=1e-2, sample_interval=0.1)


def test_run_is_a_mapping_of_lanes_by_name(run: qv.Run) -> None:
    assert list(run) == list(run.keys()) == ["lagrange_full/torque", "fine", "exact"]
    assert [run[name] for name in run] == list(run.values()) == list(run.lanes)
    assert run._ipython_key_completions_() == list(run)
    assert ("fine" in run, "hamilton" in run, len(run)) == (True, False, 3)
    with pytest.raises(KeyError, match="there are lagrange_full/torque, fine, exact"):
        run["hamilton"]


def test_every_quantity_property_documents_its_unit(run: qv.Run) -> None:
    lane = run["fine"]
    assert {*QUANTITIES, "t", "lam_parts", "success"} <= set(dir(lane))
    for name, quantity in QUANTITIES.items():
        docstring = getattr(type(lane), name).__doc__
        assert quantity.title in docstring
        assert f"[{quantity.unit}]" in docstring or not quantity.unit
        values = getattr(lane, name)
        assert len(values) == len(lane) == 11
        assert str(values.ndim == 1) == str("(n,)" in docstring), name


def test_values_are_computed_once_and_cannot_be_changed(run: qv.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lane = qv.simulate(run.preset, lanes=["hamilton"], duration=0.2)["hamilton"]
    asked = []
    angles = Motion.angles

    def counted(self: Motion, sequence: str) -> np.ndarray:
        asked.append(sequence)
        return angles(self, sequence)

    monkeypatch.setattr(Motion, "angles", counted)
    assert lane.angles_321 is lane.angles_321
    assert asked == ["321"]
    for name in ("t", "p", "h_space", "angles_321", "lam"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(lane, name)[0] = 1.0
    assert lane.states is lane.states
    for values in (lane.t, lane.p, lane.h, lane.states, lane.estimated_error, lane.at(0.15).energy):
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            values.setflags(write=True)
    with pytest.raises(FrozenInstanceError):
        lane.status = "ok"  # type: ignore[misc]


def test_lane_does_not_change_when_the_engine_continues(run: qv.Run) -> None:
    lane = qv.simulate(run.preset, lanes=["hamilton"], duration=0.2)["hamilton"]
    before = lane.energy.copy()
    lane.engine.advance(5)
    assert lane.engine.samples == len(lane) + 5
    assert (lane.energy == before).all()
    assert len(lane.h_space) == len(lane)


def test_runs_and_lanes_pickle_and_copy_exactly(run: qv.Run) -> None:
    assert copy.deepcopy(run)["fine"] is run["fine"]
    assert copy.copy(run) == run
    again = pickle.loads(pickle.dumps(run))
    for lane, other in zip(run.lanes, again.lanes, strict=True):
        assert (lane.name, lane.status, lane.digest) == (other.name, other.status, other.digest)
        assert lane.events == other.events
        for name in ("p", "omega", "h_space", "energy_drift", "lam", "condition", "angles_313"):
            assert np.array_equal(getattr(lane, name), getattr(other, name), equal_nan=True), name
    times = np.array([[0.0, 0.123], [0.5, 1.0]])
    between = run["fine"].at(times)
    times[:] = 0.0
    for other in (pickle.loads(pickle.dumps(between)), copy.deepcopy(between)):
        assert np.array_equal(other.h_space, between.h_space)
        assert other.t.tolist() == between.t.tolist() == [[0.0, 0.123], [0.5, 1.0]]
    again.lanes[0].engine.advance(2)
    assert again.plot(["h"]) is not None


def refused(dt: float) -> qv.Run:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton"], dt=dt, duration=0.1)


def test_pool_survives_a_refusal_and_returns_runs() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        wrong, good = pool.submit(refused, 0.003), pool.submit(refused, 0.005)
        refusal = wrong.exception()
        assert good.result()["hamilton"].success
    with pytest.raises(qv.InputError) as here:
        refused(0.003)
    assert isinstance(refusal, qv.InputError)
    assert (str(refusal), refusal.key, refusal.topic) == (str(here.value), here.value.key, here.value.topic)
    assert str(refusal.with_place("there")) == str(here.value.with_place("there"))


def test_events_and_end_of_a_lane(run: qv.Run) -> None:
    assert [(event.t, event.title) for event in run["fine"].events] == [(0.5, "Kick")]
    locked = qv.simulate(qv.load_preset("torque_free"), lanes=["euler_angles/313"], duration=0.1).lanes[0]
    assert (locked.success, locked.status, locked.ended_at) == (False, "singular", 0.0)
    assert locked.message in repr(locked)


def test_run_of_many_lanes_fits_a_screen() -> None:
    preset = qv.load_preset("torque_free")
    lanes = [qv.Lane("hamilton", name=f"{number} <b> {'long ' * 20}") for number in range(40)]
    run = qv.simulate(preset, lanes=lanes, duration=0.02)
    lines = repr(run).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 120
    assert "and 28 more" in lines[-1]
    shown = run._repr_html_()
    assert shown.count("<tr>") == 13
    assert "<b>" not in shown


def test_names_of_quatviz_are_public() -> None:
    names = dir(qv)
    assert "simulate" in names
    assert {"importlib", "TYPE_CHECKING", "Any", "annotations"}.isdisjoint(names)
    assert [name for name in names if name.startswith("_")] == ["__version__"]


def test_invalid_choice_is_refused_and_none_is_accepted(run: qv.Run) -> None:
    assert run.to_dataframe([]).shape == (11, 0)
    assert run.to_dataframe("h", start=-np.inf, stop=np.inf).shape == (11, 9)
    assert run.to_dataframe("h", start=np.inf).shape == run.to_dataframe("h", stop=-np.inf).shape == (0, 9)
    for wrong in (float("nan"), "0.1", None, True):
        with pytest.raises(qv.InputError, match="the times of the table"):
            run.to_dataframe(start=wrong)  # type: ignore[arg-type]
    with pytest.raises(qv.InputError, match="found     3"):
        run.to_dataframe(3)  # type: ignore[arg-type]
    wrong_paths: list[Any] = [None, 3, run]
    for given in wrong_paths:
        for refused in (qv.load_run, qv.load_preset, run.write):
            with pytest.raises(qv.InputError, match="expected  a path"):
                refused(given)


def test_times_are_numbers_and_may_be_empty(run: qv.Run) -> None:
    lane = run["fine"]
    assert lane.at([]).h.shape == (0, 3)
    halves: list[Any] = [Decimal("0.5"), Fraction(1, 2), np.float16(0.5)]
    assert all((lane.at(half).p == lane.at(0.5).p).all() for half in halves)
    assert repr(lane.at(0.5)) == "<quantities at t = 0.5 s>"
    assert repr(lane.at([0.1, 0.3])) == "<quantities at 2 times, 0.1 to 0.3 s>"
    hidden = np.ma.array([0.1, 0.2], mask=[False, True])
    for wrong in ("0.1", None, True, np.timedelta64(5, "ms"), hidden, [[0.1], [0.1, 0.2]], 10**400):
        with pytest.raises(qv.InputError, match="expected  numbers"):
            lane.at(wrong)  # type: ignore[arg-type]


def test_angle_jump_is_not_a_zero() -> None:
    preset = replace(
        qv.load_preset("torque_free"), initial=qv.Initial([1.0, 0, 0, 0], angular_velocity=[0, 0, 2.0])
    )
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=7.0)["newton_euler"]
    turned = np.arange(5) * np.pi / 2.0
    assert lane.crossings(lambda at: at.angles_321[..., 0]) == pytest.approx(turned[[0, 2, 4]])
    conditions: list[Any] = [lambda at: at.omega, lambda at: 3.0, lambda at: at.h[..., 0] > 0, None]
    for wrong in conditions:
        with pytest.raises(qv.InputError, match="the condition"):
            lane.crossings(wrong)


def test_title_with_invalid_xml_characters_is_refused() -> None:
    for letter in ("\x01", "\ud800", "\ufffe", "\uffff"):
        with pytest.raises(qv.InputError, match="leave out characters"):
            replace(qv.load_preset("torque_free"), title=f"a{letter}")

"""Tolerances of adaptive integrators: where they are set and refused, and that no text loses them."""

from dataclasses import replace
from typing import Any

import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.display.document.branching import branch_edit
from quatviz.display.document.state import State
from quatviz.display.view_state.session import (
    Session,
    format_session,
    from_short_text,
    parse_session,
    to_short_text,
)
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Tolerances
from quatviz.simulation.lane_settings import lane_tolerances
from quatviz.simulation.simulation import Simulation

DOP853 = INTEGRATORS["dop853"]


def run_of(*lanes: Lane | str, preset: Preset | None = None, **settings: float | str) -> Simulation:
    times = {"duration": 0.5, "dt": 0.01, "sample_interval": 0.1, "integrator": "dop853"}
    return Simulation((preset or qv.load_preset("heavy_top")).with_run(lanes=lanes, **{**times, **settings}))


@pytest.mark.parametrize(
    ("lane", "run", "expected"),
    [
        ({}, {}, (1e-12, 1e-12)),
        ({"rtol": 1e-9}, {}, (1e-9, 1e-9)),
        ({"atol": 1e-20}, {}, (1e-12, 1e-20)),
        ({}, {"rtol": 1e-7}, (1e-7, 1e-7)),
        ({"atol": 1e-3}, {"rtol": 1e-7}, (1e-7, 1e-3)),
        ({"rtol": 1e-5}, {"rtol": 1e-7, "atol": 1e-8}, (1e-5, 1e-8)),
    ],
)
def test_lane_tolerance_overrides_the_run(
    lane: dict[str, Any], run: dict[str, Any], expected: tuple[float, float]
) -> None:
    settings = RunSettings(1.0, 0.1, 0.1, "dop853", **run)
    assert lane_tolerances(Lane("hamilton", **lane), settings, DOP853) == Tolerances(*expected)
    assert lane_tolerances(Lane("hamilton", **lane), settings, INTEGRATORS["rk4"]) is None


def test_every_way_to_set_tolerances_is_equivalent() -> None:
    """Lane text, lane object, run and preset text give equal bits."""
    ways = [
        run_of("hamilton,rtol=1e-7,atol=1e-9,name=hamilton"),
        run_of(Lane("hamilton", rtol=1e-7, atol=1e-9)),
        run_of("hamilton", rtol=1e-7, atol=1e-9),
        run_of(Lane("hamilton", integrator="dop853", rtol=1e-7), atol=1e-9, integrator="rk4"),
    ]
    ways += [Simulation(parse_preset(format_preset(run.preset))) for run in ways]
    for run in ways:
        run.complete(jobs=1)
    digests = {run["hamilton"].digest for run in ways}
    usual = run_of("hamilton")
    usual.complete(jobs=1)
    assert len(digests) == 1
    assert ways[0]["hamilton"].solver.steps < usual["hamilton"].solver.steps


def test_presets_sessions_and_tables_store_tolerances(tmp_path) -> None:
    preset = qv.load_preset("heavy_top").with_run(
        lanes=[Lane("hamilton", integrator="dop853", rtol=3e-9)], rtol=1e-7, atol=1e-9, duration=0.02
    )
    again = parse_preset(format_preset(preset))
    assert (again.lanes, again.run) == (preset.lanes, preset.run)
    for session in (
        parse_session(format_session(Session(preset))),
        from_short_text(to_short_text(Session(preset))),
    ):
        assert (session.preset.lanes, session.preset.run) == (preset.lanes, preset.run)
    qv.simulate(preset).write(tmp_path / "run.npz")
    table = qv.load_preset(tmp_path / "run.npz")
    assert (table.lanes, table.run) == (preset.lanes, preset.run)
    assert "tol" not in format_preset(qv.load_preset("torque_free")), "older programs read what has none"


@pytest.mark.parametrize(
    ("make", "key", "message"),
    [
        (lambda: run_of("hamilton,integrator=rk4,rtol=1e-9"), "lanes[0].rtol",
         "no rtol for rk4, which has fixed steps dt"),
        (lambda: run_of("hamilton,atol=1e-9", integrator="rattle"), "lanes[0].atol", "dop853"),
        (lambda: run_of("exact,rtol=1e-9"), "lanes[0].rtol", "which is evaluated at each sample"),
        (lambda: run_of("hamilton", integrator="rk4", rtol=1e-9), "run.rtol", "no rtol for rk4"),
        (lambda: run_of("hamilton,rtol=1e-16"), "rtol", "at least 1e-14"),
        (lambda: run_of("hamilton", rtol=0.5), "rtol", "at most 0.1"),
        (lambda: run_of("hamilton", atol=0.0), "atol", "above 0"),
        (lambda: run_of("hamilton,rtol=small"), "rtol", "'small'"),
        (
            lambda: run_of(
                "newton_euler,integrator=rk4,name=fixed",
                preset=replace(qv.load_preset("heavy_top"), events=[qv.LaneChange(at=0.1, lane="fixed", rtol=1e-6)]),
            ),
            "events[0].rtol", "no rtol for rk4",
        ),
    ],
)  # fmt: skip
def test_unused_tolerances_are_reported(make, key: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        make()
    assert refusal.value.key == key
    assert message in str(refusal.value)


def test_tolerance_is_accepted_with_one_adaptive_lane() -> None:
    run = run_of("hamilton", "newton_euler,integrator=dop853,name=adaptive", integrator="rk4", rtol=1e-6)
    assert [lane.solver.segment.integrator.tolerances for lane in run] == [None, Tolerances(1e-6, 1e-6)]


def test_events_and_edits_at_the_cursor_can_tighten_tolerances() -> None:
    """The edit becomes an event; a cleared field stands for its default."""
    loose = Lane("hamilton", integrator="dop853", rtol=1e-4, name="top")
    preset = run_of(loose, "newton_euler").preset

    def edit(state: State) -> State:
        return state.with_preset(lanes=(replace(state.preset.lanes[0], rtol=None), *state.preset.lanes[1:]))

    edited = branch_edit(edit, State.default_for(preset), 2).preset
    assert edited.lanes == preset.lanes
    assert edited.events == (qv.LaneChange(at=0.2, lane="top", rtol=1e-12),)
    plain, changed = Simulation(preset), Simulation(parse_preset(format_preset(edited)))
    for run in (plain, changed):
        run.complete(jobs=1)
    rows, other_rows = (run["top"].history.rows for run in (plain, changed))
    assert (rows[:3] == other_rows[:3]).all()
    assert (rows[3:] != other_rows[3:]).any()
    assert changed["top"].solver.segment.integrator.tolerances == Tolerances(1e-12, 1e-12)
    assert changed["top"].solver.steps > plain["top"].solver.steps
    assert changed["newton_euler"].digest == plain["newton_euler"].digest


@pytest.mark.parametrize("most", [10**9, 7])
def test_lane_that_ends_within_a_sample_counts_its_steps(most: int) -> None:
    """Tested in one call and in several calls whose steps are reverted when the lane ends."""
    locked = qv.load_preset("gimbal_lock")
    (lane,) = run_of(
        "euler_angles/321", preset=locked, integrator="rk4", dt=0.01, sample_interval=2.0, duration=8.0
    )
    lane.prepare()
    while lane.status == "running":
        lane.advance(1, most)
    assert lane.status == "singular"
    assert lane.ended_at is not None
    assert 4.0 < lane.ended_at < 6.0
    assert lane.solver.steps == round(lane.ended_at / 0.01)

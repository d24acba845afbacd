"""Remarks on events, loads and times that have no effect or contradict each other, wherever they are shown."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.commands.run import main as run_command
from quatviz.commands.sweep import main as sweep_command
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, read_preset
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import Load
from quatviz.simulation.simulation import Simulation

TOP = [qv.Gravity(weight=20.0, centre=[0.0, 0.0, 1.0])]
LATE = qv.Kick(at=1.5, impulse=[0.0, 0.0, 1.0])


def preset_of(body: qv.Body, *loads: Load, events: tuple[Event, ...] = (), duration: float = 0.1) -> Preset:
    return replace(
        qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=duration, sample_interval=0.01),
        body=body, loads=loads, events=events,
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.1, 2.0, 0.3]),
    )  # fmt: skip


def remarks_of(preset: Preset) -> str:
    return " ".join(map(str, qv.simulate(preset).lanes[0].warnings))


@pytest.mark.parametrize("body", [
    qv.Body(inertia=[5.0, 5.0, 1.0], mass=2.0),
    qv.Body(inertia=[5.0, 5.0, 1.0]),
    qv.load_preset("ring_damper").body,
])  # fmt: skip
def test_off_center_weight_of_an_unpivoted_body_is_reported(body: qv.Body) -> None:
    """The body would be a top with the wrong inertia that also falls."""
    preset = preset_of(body, *TOP)
    if body.ring is not None:
        preset = preset.with_run(lanes=["ring_damper"])
    remarks = remarks_of(preset)
    assert "centre = [0.0, 0.0, 1.0] m" in remarks, "found"
    assert "turns about its center of mass" in remarks, "expected"
    assert 'about = "pivot"' in remarks, "remedy"
    assert "centre = [0.0, 0.0, 0.0]" in remarks, "the other remedy"


def test_load_added_by_an_event_is_compared_with_the_body() -> None:
    change = qv.ChangeModel(at=0.05, loads=TOP)
    assert 'about = "pivot"' in remarks_of(preset_of(qv.Body(inertia=[5.0, 5.0, 1.0]), events=(change,)))


def test_weight_off_the_center_of_mass_is_reported() -> None:
    body = qv.Body(inertia=[5.0, 5.0, 1.0], about="pivot", mass=2.0, centre_of_mass=[0.0, 0.0, 0.5])
    assert "[0.0, 0.0, 0.5] m from the pivot" in remarks_of(preset_of(body, *TOP))


def test_gravity_gradient_on_a_top_is_reported() -> None:
    body = qv.Body(inertia=[5.0, 5.0, 1.0], about="pivot")
    assert "gravity gradient" in remarks_of(preset_of(body, qv.GravityGradient.samples()[0]))


@pytest.mark.parametrize(("body", "load"), [
    (qv.Body(inertia=[5.0, 5.0, 1.0], about="pivot"), TOP[0]),
    (qv.Body(inertia=[5.0, 5.0, 1.0], about="pivot", mass=2.0, centre_of_mass=[0.0, 0.0, 1.0]), TOP[0]),
    (qv.Body(inertia=[5.0, 5.0, 1.0], mass=2.0), qv.Gravity(weight=20.0, centre=[0.0, 0.0, 0.0])),
    (qv.Body(inertia=[5.0, 5.0, 1.0], mass=2.0), qv.Gravity(weight=0.0, centre=[0.0, 0.0, 1.0])),
    (qv.Body(inertia=[5.0, 5.0, 1.0], mass=2.0), qv.PointForce(force=[0.0, 0.0, 1.0], point=[0.0, 1.0, 0.0])),
    (qv.Body(inertia=[5.0, 5.0, 1.0], about="pivot"), qv.Gravity(weight="5 + t", centre=[0.0, 0.0, 1.0])),
])  # fmt: skip
def test_consistent_loads_have_no_remark(body: qv.Body, load: Load) -> None:
    assert remarks_of(preset_of(body, load)) == ""


@pytest.mark.parametrize("path", sorted(resources.preset_folder().glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_presets_are_consistent(path: Path) -> None:
    remarks = " ".join(map(str, Simulation(read_preset(path)).lanes[0].diagnostics.remarks))
    assert "centre" not in remarks
    assert "no effect: the run ends" not in remarks
    assert "not a multiple" not in remarks


def test_event_after_the_end_is_reported_until_reached() -> None:
    """The event was once ignored without a warning."""
    preset = preset_of(qv.Body(inertia=[1.0, 2.0, 3.0]), events=(LATE,), duration=1.0)
    run = Simulation(preset)
    (remark,) = run.lanes[0].diagnostics.remarks
    assert "Kick at t = 1.5 s" in remark
    assert "the run ends at t = 1 s" in remark
    run.extend(1.2)
    assert "the run ends at t = 1.2 s" in run.lanes[0].diagnostics.remarks[0]
    run.extend(2.0)
    assert run.lanes[0].diagnostics.remarks == ()
    at_the_end = replace(preset, events=(replace(LATE, at=1.0),))
    assert remarks_of(at_the_end) == ""


def test_every_interface_shows_the_remarks_of_a_run(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    late, short = "has no effect: the run ends at t = 1 s", "The run ends at its last sample, t = 1 s"
    preset = preset_of(qv.Body(inertia=[1.0, 2.0, 3.0]), events=(LATE,), duration=1.005)
    path = tmp_path / "short.toml"
    path.write_text(format_preset(preset), encoding="utf-8")
    texts = {"script": remarks_of(preset)}
    run = Simulation(preset)
    frame = FrameBuilder(run, LaneStyles.default_for(1)).frame_at_rest(0.0)
    texts["window"] = " ".join(frame.lanes[0].warnings)
    assert run_command([str(path)]) == 0
    texts["run"] = capsys.readouterr().out
    assert sweep_command([str(path), "--over", "body.inertia[2]=2.9:3.0:2", "--measure", "energy_drift"]) == 0
    texts["sweep"] = capsys.readouterr().out
    sweep = qv.sweep(preset, {"body.inertia[2]": [2.9, 3.0]}, measure="energy_drift")
    texts["script of a sweep"] = " ".join(json.loads(sweep.attrs["warnings"]))
    for route, text in texts.items():
        assert late in text, route
        assert short in text, route

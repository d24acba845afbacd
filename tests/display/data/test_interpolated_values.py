"""Values between two samples: those of a run with more samples, and never a mixture across an event."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.data.derived_sources import Differences, FormSource
from quatviz.display.data.frame_builder import FrameBuilder, poses_and_values
from quatviz.display.data.lane_readouts import value_at
from quatviz.display.data.lazy_columns import before_events, interpolate
from quatviz.display.data.row_cache import RecentRows
from quatviz.display.data.series import BucketRange, Series, angle_series, bucket_range, parameter_series
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.physics.events.flip import FlipSign
from quatviz.physics.events.kick import Kick
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.interpolation import InterpolationNodes
from quatviz.physics.observables.jumps import changed_components
from quatviz.physics.observables.quantities import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation

COARSE, FINE = 0.1, 0.005
PER = round(COARSE / FINE)
KICK = 2.0


def run_of(
    name: str, lane: str, interval: float, events: tuple[Kick, ...] = (), duration: float = 10.0
) -> Simulation:
    preset = qv.load_preset(name).with_run(lanes=[lane], duration=duration, sample_interval=interval, dt=5e-4)
    run = Simulation(replace(preset, events=events))
    run.complete(jobs=1)
    return run


def framer_of(run: Simulation) -> FrameBuilder:
    return FrameBuilder(run, LaneStyles.default_for(len(run.lanes)))


def worst(coarse: Simulation, fine: Simulation, quantity: str) -> float:
    """Return the largest error in the middle between two samples."""
    lane = coarse.lanes[0].name
    column = framer_of(coarse).columns.values(lane, quantity)[1]
    true = QUANTITIES[quantity].column_values(fine.lanes[0].motion())
    rows = range(coarse.lanes[0].samples - 1)
    errors = np.array([np.abs(interpolate(column, row + 0.5) - true[row * PER + PER // 2]) for row in rows])
    if quantity.startswith("angles"):
        errors = np.minimum(errors, 360.0 - errors)
    return float(errors.max())


def test_interpolated_values_equal_those_of_a_finer_run() -> None:
    """Linear interpolation was off by 0.1° and 0.003 rad/s, and arbitrarily for wrapped angles."""
    coarse, fine = (run_of("intermediate_axis", "newton_euler", interval) for interval in (COARSE, FINE))
    assert worst(coarse, fine, "angles_313") < 2e-4
    assert worst(coarse, fine, "omega") < 5e-6
    assert worst(coarse, fine, "h") < 2e-5
    assert worst(coarse, fine, "h_space") < 1e-12
    assert worst(coarse, fine, "energy_drift") < 1e-13
    assert worst(coarse, fine, "constraint") < 1e-13


def test_interpolated_lambda_equals_that_of_a_finer_run() -> None:
    coarse, fine = (
        run_of("heavy_top", "lagrange_full/gradient", interval, duration=4.0) for interval in (0.05, 0.0025)
    )
    assert worst(coarse, fine, "lam") < 1e-4


def test_rotations_above_half_a_turn_between_samples_follow_the_rate() -> None:
    coarse, fine = (
        run_of("heavy_top", "newton_euler", interval, duration=4.0) for interval in (COARSE, FINE)
    )
    assert np.linalg.norm(coarse.lanes[0].omega[0]) * COARSE > np.pi
    framer, true = framer_of(coarse), fine.lanes[0].p
    angles = [
        relative_angle(framer.frame_at_rest((row + 0.5) * COARSE).lanes[0].pose.p, true[row * PER + PER // 2])  # type: ignore[union-attr]
        for row in range(coarse.lanes[0].samples - 1)
    ]
    assert max(angles) < 0.1


@pytest.fixture(scope="module")
def kicked() -> tuple[Simulation, Simulation]:
    events = (Kick(at=KICK, impulse=(1.0, 0.5, 0.2)),)
    first, second = (
        run_of("intermediate_axis", "newton_euler", interval, events, 4.0) for interval in (COARSE, FINE)
    )
    return first, second


@pytest.mark.parametrize("quantity", ["energy", "omega", "h_space", "p", "angles_313"])
def test_interpolation_near_a_kick_uses_one_side_only(
    kicked: tuple[Simulation, Simulation], quantity: str
) -> None:
    """Half a sample before the kick, the mean of the energies before and after was shown."""
    coarse, fine = kicked
    lane, row = coarse.lanes[0].name, round(KICK / COARSE)
    column = framer_of(coarse).columns.values(lane, quantity)[1]
    true = QUANTITIES[quantity].column_values(fine.lanes[0].motion())
    for position in (row - 1.5, row - 0.5, row - 1.0 / PER, row, row + 0.5, row + 1.5):
        assert interpolate(column, position) == pytest.approx(true[round(position * PER)], abs=1e-4)


def test_time_within_round_off_of_a_kick_is_after_it(kicked: tuple[Simulation, Simulation]) -> None:
    coarse, _ = kicked
    lane = coarse.lanes[0]
    column = framer_of(coarse).columns.values(lane.name, "omega")[1]
    assert np.array_equal(
        interpolate(column, np.nextafter(KICK / COARSE, 0.0)), lane.omega[round(KICK / COARSE)]
    )


def test_picture_readouts_and_dots_have_equal_values(kicked: tuple[Simulation, Simulation]) -> None:
    coarse, _ = kicked
    lane, time = coarse.lanes[0].name, KICK - 0.3 * COARSE
    framer = framer_of(coarse)
    shown = framer.frame_at_rest(time).lanes[0]
    assert shown.pose is not None
    for quantity, value in shown.values.items():
        dots = Series(len(value))
        dots.set_data(*framer.columns.values(lane, quantity))
        assert np.array_equal(dots.values_at(time), value)
    assert value_at(framer.columns, lane, "energy", time) == shown.values["energy"][0]
    ((alone, values),) = poses_and_values(coarse.lanes, time)
    assert alone.p == pytest.approx(shown.pose.p, abs=1e-14)
    assert values["h"] == pytest.approx(shown.values["h"], abs=1e-14)
    assert relative_angle(shown.values["p"], shown.pose.p) < 1e-12


@pytest.mark.parametrize("quantity", ["energy", "omega", "h_space"])
def test_curve_ends_at_a_kick_and_starts_again(kicked: tuple[Simulation, Simulation], quantity: str) -> None:
    """The curve was a ramp from the last sample before the kick. Tables contain only recorded rows."""
    coarse, fine = kicked
    true = QUANTITIES[quantity].column_values(fine.lanes[0].motion())
    series, (times, column) = (
        Series(true.shape[1]),
        framer_of(coarse).columns.values("newton_euler", quantity),
    )
    series.set_data(times, column)
    assert len(column) == len(times) == coarse.lanes[0].samples
    at = round(KICK / FINE)
    for component in range(true.shape[1]):
        drawn, values = series.curve(bucket_range(times, 0.0, 4.0, 1000), component)
        led, gap = np.flatnonzero(np.diff(drawn) == 0.0)
        assert drawn[led] == pytest.approx(KICK)
        assert np.isnan(values[gap])
        assert np.flatnonzero(np.isnan(values)).tolist() == [gap] == [led + 1]
        assert values[led] == pytest.approx(
            true[at - 1, component], abs=2e-2
        )  # one sample of the fine run earlier
        assert values[led + 2] == pytest.approx(true[at, component], abs=1e-6)
        assert series.minimum[component] <= values[led] <= series.maximum[component]
    shared = [
        series.curve(bucket_range(times, 0.0, 4.0, 1000), component)[0] for component in range(true.shape[1])
    ]
    assert all(array is shared[0] for array in shared)


@pytest.mark.parametrize("size", [2, 32, 64])
def test_no_line_crosses_a_kick_with_many_rows_per_pixel(
    kicked: tuple[Simulation, Simulation], size: int
) -> None:
    fine, at = kicked[1], round(KICK / FINE)
    series = Series(3)
    series.set_data(*framer_of(fine).columns.values("newton_euler", "h_space"))
    view = BucketRange(0, -(-len(series.times) // size), size, series.times)
    times, values = series.curve(view, 0)
    (gap,) = np.flatnonzero(np.isnan(values))
    rows = fine.lanes[0].motion().h_space[:, 0]
    assert times[gap - 1] == times[gap] == times[gap + 1] == pytest.approx(KICK)
    assert values[gap - 1] == pytest.approx(rows[at - 1], abs=1e-6), "the curve reaches the kick"
    assert values[gap + 1] == pytest.approx(rows[at], abs=1e-6)
    assert (np.diff(times) >= 0.0).all()
    assert abs(np.diff(values[np.isfinite(values)])).max() > 0.5 > abs(np.diff(values[:gap])).max()


def test_curves_that_a_kick_does_not_change_continue(kicked: tuple[Simulation, Simulation]) -> None:
    coarse, _ = kicked
    series = Series(4)
    series.set_data(*framer_of(coarse).columns.values("newton_euler", "p"))
    assert np.isfinite(series.curve(bucket_range(series.times, 0.0, 4.0, 1000), 0)[1]).all()


def test_differences_and_signs_jump_at_events_too() -> None:
    """A sign flip beside a kick: with continuous signs the curve does not change."""
    events = (Kick(at=KICK, impulse=(1.0, 0.5, 0.2)), FlipSign(at=KICK))
    preset = qv.load_preset("intermediate_axis").with_run(
        lanes=["newton_euler", "hamilton"], duration=4.0, sample_interval=COARSE, dt=5e-4
    )
    run = Simulation(replace(preset, events=events))
    run.complete(jobs=1)
    columns, row = framer_of(run).columns, round(KICK / COARSE)
    apart = Differences(columns, "hamilton").values("newton_euler", "omega")[1]
    assert list(apart.event_rows) == [row]
    own, other = (
        before_events(columns.values(lane, "omega")[1], np.array([row]))
        for lane in ("newton_euler", "hamilton")
    )
    assert np.array_equal(apart.before_events(np.array([row])), np.abs(own - other))
    turned = columns.values("hamilton", "p")[1]
    signs = FormSource(columns, "continuous", "hamilton").values("hamilton", "p")[1]
    assert np.allclose(before_events(turned, np.array([row])), -turned[row])
    assert np.allclose(before_events(signs, np.array([row])), signs[row])
    curve = parameter_series()
    curve.set_data(*columns.values("hamilton", "p"))
    drawn, values = curve.curve(bucket_range(curve.times, 0.0, 4.0, 1000), 0)
    last = int(np.searchsorted(drawn, KICK - 1e-9))
    assert np.isnan(values[last + 1])
    behind = values[last + 1 :]
    assert values[last] == pytest.approx(-behind[np.isfinite(behind)][0])


def test_restored_lane_has_values_before_its_events(kicked: tuple[Simulation, Simulation]) -> None:
    lane = kicked[0].lanes[0]
    other = LaneRun.from_record(lane.name, lane.problem.preset, lane.index, lane.to_record())
    time = KICK - 0.5 * COARSE
    assert np.array_equal(
        poses_and_values([other], time)[0][1]["energy"], poses_and_values([lane], time)[0][1]["energy"]
    )


@pytest.mark.parametrize("form", ["", "unwrapped"])
def test_wrapped_angles_between_samples_follow_the_attitude(form: str) -> None:
    """Linear interpolation across a wrap was off by 180°, and the nearest sample was shown instead."""
    coarse, fine = (run_of("intermediate_axis", "newton_euler", interval) for interval in (COARSE, FINE))
    lane, sources = coarse.lanes[0].name, [framer_of(run).columns for run in (coarse, fine)]
    shown = [FormSource(source, form, lane) if form else source for source in sources]
    series = [angle_series("313"), angle_series("313")]
    for curve, source in zip(series, shown, strict=True):
        curve.set_data(*source.values(lane, "angles_313"))
    wraps = series[1].jump_index.rows(2) if not form else np.arange(37, 2000, 37)
    assert len(wraps)
    for row in wraps:
        for time in (FINE * row, FINE * (row - 1)):
            assert series[0].values_at(time) == pytest.approx(series[1].values_at(time), abs=2e-4)


def test_interpolation_does_not_overshoot_a_step() -> None:
    step = np.array([0.0] * 10 + [1.0] * 10)[:, None]
    read = np.array([interpolate(step, position)[0] for position in np.linspace(0.0, 19.0, 400)])
    assert read.min() == 0.0
    assert read.max() == 1.0


def test_nan_neighbor_does_not_affect_a_sample() -> None:
    rows = np.sin(0.3 * np.arange(12.0))[:, None]
    rows[7:] = np.nan
    assert interpolate(rows, 6.0) == rows[6]
    assert interpolate(rows, 5.5) == pytest.approx((rows[5] + rows[6]) / 2)
    assert np.isnan(interpolate(rows, 6.5)).all()


def test_interpolation_nodes_lie_in_one_interval() -> None:
    assert InterpolationNodes.around(4.5, 20) == InterpolationNodes(2, 8, 4.5)
    assert InterpolationNodes.around(0.5, 20) == InterpolationNodes(0, 6, 0.5)
    assert InterpolationNodes.around(18.5, 20) == InterpolationNodes(14, 20, 18.5)
    assert InterpolationNodes.around(4.5, 20, [5]) == InterpolationNodes(0, 6, 4.5, ends_at_event=True)
    assert InterpolationNodes.around(5.5, 20, [5, 7]) == InterpolationNodes(5, 8, 5.5, ends_at_event=True)
    assert InterpolationNodes.around(30.0, 20) == InterpolationNodes(19, 20, 19.0)


def run_abreast(lanes: int) -> Simulation:
    preset = qv.load_preset("heavy_top").with_run(lanes=["newton_euler"], duration=10.0, sample_interval=0.01)
    run = Simulation(replace(preset, lanes=lanes * tuple(preset.lanes)))
    run.complete(jobs=1)
    return run


def request_everything(framer: FrameBuilder, time: float) -> None:
    """Request everything that a window shows of all lanes."""
    for lane in framer.frame_at_rest(time).lanes:
        assert lane.pose is not None
        assert all(np.isfinite(vector).all() for vector in lane.pose.vectors.values())
        for quantity in ("p", "energy", "angles_313", "det_S_313"):
            interpolate(framer.columns.values(lane.name, quantity)[1], time / framer.simulation.interval)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count reads and searches of values."""
    counts = Counter[str]()

    def count(owner: type, name: str) -> None:
        plain = getattr(owner, name)

        def call(*given: object) -> object:
            counts[name] += 1
            return plain(*given)

        monkeypatch.setattr(owner, name, call)

    for owner, name in (
        (InterpolationNodes, "interpolate"),
        (InterpolationNodes, "interpolate_attitude"),
        (RecentRows, "rows"),
        (LaneRun, "motion_from_attitudes"),
    ):
        count(owner, name)
    return counts


@pytest.mark.parametrize("lanes", [1, 8])
def test_playing_frame_reads_all_lanes_and_quantities_together(lanes: int, calls: Counter[str]) -> None:
    """Reading each quantity of each lane separately took a fifth of a frame with eight lanes."""
    framer = framer_of(run_abreast(lanes))
    for number in range(60):
        if number == 28:
            calls.clear()
        request_everything(framer, 0.503 + number / 60)
    # The attitudes of all lanes, and all else; rows for many frames together.
    assert (calls["interpolate"], calls["interpolate_attitude"], calls["motion_from_attitudes"]) == (
        32,
        32,
        32,
    )
    assert calls["rows"] < 32 * lanes


@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_lanes_load_their_rows_in_different_frames(speed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """All eight lanes filled a block of 256 rows in one frame, which took 4 to 18 ms at tenfold speed."""
    run, read, plain = run_abreast(8), Counter[str](), LaneRun.motion_within

    def counted(lane: LaneRun, first: int, stop: int) -> Motion:
        read[lane.name] += 1
        return plain(lane, first, stop)

    monkeypatch.setattr(LaneRun, "motion_within", counted)
    framer = framer_of(run)
    for number in range(55):
        read.clear()
        request_everything(framer, 0.503 + number * speed / 60)
        if number >= 30:  # the cursor has been moving for some frames
            assert read.total() <= 2


@pytest.mark.parametrize(("speed", "reads_between"), [(0.5, True), (-1.0, False)])
def test_fast_cursor_reads_no_rows_between_samples(
    speed: float, reads_between: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cursor that moves by a sample or more per frame does not show the motion between two particular samples."""
    run, read, plain = run_abreast(2), Counter[str](), LaneRun.motion_within

    def counted(lane: LaneRun, first: int, stop: int) -> Motion:
        read[lane.name] += 1
        return plain(lane, first, stop)

    framer, time = framer_of(run), 0.503
    expected = framer.frame_at_rest(time)
    monkeypatch.setattr(LaneRun, "motion_within", counted)
    framer = framer_of(run)
    frame = framer.frame(Snapshot(time=time, duration=10.0, playing=True, speed=speed))
    for lane, lane_at_rest in zip(frame.lanes, expected.lanes, strict=True):
        assert lane.pose is not None
        assert lane_at_rest.pose is not None
        assert np.allclose(lane.pose.p, lane_at_rest.pose.p, atol=1e-5)
        assert np.allclose(lane.values["omega"], lane_at_rest.values["omega"], rtol=1e-4)
        column = framer.columns.values(lane.name, "omega")[1]
        assert np.array_equal(interpolate(column, time / run.interval), lane.values["omega"])
    assert bool(read) is reads_between


@pytest.mark.parametrize("lanes", [1, 8])
def test_runs_of_a_drag_are_read_together_too(lanes: int, calls: Counter[str]) -> None:
    """Quantities requested in the previous run are requested in the next one, too."""
    run, before = run_abreast(lanes), None
    for _ in range(3):
        calls.clear()
        framer = FrameBuilder(run, LaneStyles.default_for(lanes), before=before)
        framer.columns.info = replace(framer.columns.info, is_transient=True)
        request_everything(framer, 0.503)
        before = framer.columns
    # Of the frame, which caches nothing, and of the columns.
    assert (calls["interpolate"], calls["interpolate_attitude"], calls["motion_from_attitudes"]) == (2, 2, 1)


def largest_error(coarse: Simulation, fine: Simulation, quantity: str, per: int, count: int = 60) -> float:
    """Return the largest error at times between samples, in the first `count` intervals."""
    lane = coarse.lanes[0].name
    column = framer_of(coarse).columns.values(lane, quantity)[1]
    true = QUANTITIES[quantity].column_values(fine.lanes[0].motion(0, per * count + 1))
    rows = [row for row in range(per * count) if row % per]
    errors = np.abs([interpolate(column, row / per) - true[row] for row in rows])
    return float((np.minimum(errors, 360.0 - errors) if quantity.startswith("angles") else errors).max())


@pytest.mark.parametrize("quantity", ["omega", "h"])
def test_values_between_rows_are_close_to_the_dense_output(quantity: str) -> None:
    """Values that are no attitudes are drawn as a polynomial through rows of the dense output, to within this bound."""
    interval = 0.01
    run = Simulation(
        qv.load_preset("heavy_top").with_run(
            lanes=["lagrange_full/gradient"], duration=3.0, sample_interval=interval
        )
    )
    run.complete(jobs=1)
    lane = run.lanes[0]
    column = framer_of(run).columns.values(lane.name, quantity)[1]
    positions = np.random.default_rng(1).uniform(10.0, 290.0, 40)
    expected = QUANTITIES[quantity].column_values(lane.motion_at_times(positions * interval))
    shown = np.array([interpolate(column, position) for position in positions])
    assert np.abs(shown - expected).max() < 1e-9 * np.abs(expected).max()


def test_invariants_at_samples_also_hold_between_them() -> None:
    """Its step equals the sample interval. Shorter replayed steps end elsewhere, and distributing their mismatch put dots at
    2e-13, three decades above the curve."""
    run = Simulation(qv.load_preset("drift").with_run(duration=5.0))
    run.complete(jobs=1)
    columns = framer_of(run).columns
    assert [lane.rows_per_sample > 1 for lane in run.lanes] == [False, True, True, True, True]
    for lane in run.lanes:
        for quantity in ("constraint", "constraint_rate"):
            column = columns.values(lane.name, quantity)[1]
            error = max(abs(float(interpolate(column, 200.15 + row)[0])) for row in range(40))
            assert error <= 1.001 * np.abs(column[:]).max(), (lane.name, quantity)


@pytest.mark.parametrize(
    ("name", "lane", "interval", "per"),
    [
        ("steady_precession", "newton_euler", 0.005, 25),
        ("heavy_top", "lagrange_full/gradient", 0.05, 20),
        ("heavy_top", "newton_euler", 0.1, 20),
        ("stiff_top", "newton_euler", 0.002, 20),
        ("t_handle", "modified_rodrigues", 0.1, 20),
        ("intermediate_axis", "exact", 0.1, 20),
    ],
)
def test_replayed_steps_give_the_values_of_a_fast_body(
    name: str, lane: str, interval: float, per: int
) -> None:
    """Polynomial interpolation of tops was off by 0.0064° to more than 20°; displayed digits end at 0.001°."""
    preset = replace(qv.load_preset(name), events=())
    coarse, fine = (
        Simulation(preset.with_run(lanes=[lane], duration=60 * interval, sample_interval=step))
        for step in (interval, interval / per)
    )
    coarse.complete(jobs=1)
    fine.complete(jobs=1)
    assert largest_error(coarse, fine, "angles_313", per) < 2e-4
    assert largest_error(coarse, fine, "omega", per) < 2e-4


@pytest.mark.parametrize("lane", ["newton_euler", "hamilton", "euler_angles/321"])
def test_other_steps_than_those_of_the_lane_do_not_depend_on_the_request(lane: str) -> None:
    """Steps that are shorter than those of the lane continue through several samples; rows agree with those that start from
    each sample, and are the same however they are requested."""
    preset = qv.load_preset("torque_free").with_run(
        lanes=[lane], duration=0.6, sample_interval=0.01, dt=0.01, integrator="rk4"
    )
    run = Simulation(replace(preset, events=(Kick(at=0.3, impulse=(0.1, 0.0, 0.0)),)))
    run.complete(jobs=1)
    replayed, per = run.lanes[0], run.lanes[0].rows_per_sample
    count = per * (replayed.samples - 1) + 1
    together = replayed.motion_within(0, count)
    apart = [replayed.motion_within(row, row + per) for row in range(0, count - 1, per)]
    assert np.array_equal(together.p[:-1], np.concatenate([motion.p for motion in apart]))
    assert np.array_equal(together.p[::per], replayed.p)
    fine = Simulation(
        replace(preset.with_run(sample_interval=0.01 / per, dt=0.0005), events=run.preset.events)
    )
    fine.complete(jobs=1)
    assert np.abs(together.p - fine.lanes[0].p).max() < 1e-7
    assert np.abs(np.diff(together.omega, 4, axis=0)[: 30 * per - 4]).max() < 1e-4


@pytest.mark.parametrize(
    ("lane", "integrator", "event_name"),
    [
        ("newton_euler", "rk4", "exactly"),
        ("lagrange_simplified/torque", "gauss4", "exactly"),
        ("hamilton_canonical", "rattle", "nearly"),
        ("newton_euler", "dop853", "nearly"),
        ("newton_euler", "simo_wong", "nearly"),
    ],
)
def test_replayed_steps_end_at_the_next_sample(lane: str, integrator: str, event_name: str) -> None:
    events = (Kick(at=0.1, impulse=(0.01, 0.0, 0.0)),)
    preset = qv.load_preset("heavy_top").with_run(
        lanes=[lane], duration=0.3, sample_interval=0.02, dt=1e-3, integrator=integrator
    )
    run = Simulation(replace(preset, events=events))
    run.complete(jobs=1)
    replayed = run.lanes[0]
    per = replayed.rows_per_sample
    assert per == 10
    made = replayed.motion_within(0, per * (replayed.samples - 1) + 1)
    assert np.array_equal(made.p[::per], replayed.p)
    assert np.array_equal(made.omega[::per], replayed.omega)
    apart = np.abs(np.diff(made.p, 2, axis=0))
    calm = np.delete(apart, [5 * per - 1, 5 * per], axis=0)  # beside the kick
    assert calm.max() < 1e-2
    if event_name == "exactly":
        fine = Simulation(replace(preset.with_run(sample_interval=0.002), events=events))
        fine.complete(jobs=1)
        assert np.array_equal(made.p, fine.lanes[0].p)
        assert np.array_equal(made.lam, fine.lanes[0].lam, equal_nan=True)


def test_recording_between_samples_equals_the_scripting_interface() -> None:
    """A polynomial through six samples of the run differed from `lane.at`."""
    preset = qv.load_preset("thrown_phone")
    run = Simulation(preset.with_run(sample_interval=0.01, duration=0.3, dt=0.001))
    run.complete(jobs=1)
    (lane,) = (lane for lane in run.lanes if lane.formulation.is_recorded)
    columns = framer_of(run).columns
    times = (np.arange(lane.samples - 1) + 0.37) * run.interval
    true = lane.motion_at_times(times)
    for quantity, expected in (("omega", true.omega), ("p", true.p)):
        column = columns.values(lane.name, quantity)[1]
        values = np.array([interpolate(column, time / run.interval) for time in times])
        assert values == pytest.approx(expected, abs=1e-4)


def test_overflowed_lanes_are_unchanged_after_an_event() -> None:
    """Warnings are errors here: NumPy warned if a lane had overflowed before a kick."""
    nan, inf = math.nan, math.inf
    before, behind = np.array([1.0, nan, inf, nan]), np.array([1.0, nan, inf, 2.0])
    assert changed_components(before, behind).tolist() == [False, False, False, True]
    assert not changed_components(before[1:2], before[1:2]).any()

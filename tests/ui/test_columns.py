"""Columns of a run: computed on request, reduced in the background."""

import threading
import time
import tracemalloc
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shiboken6 import delete
from waiting import wait_for

import quatviz as qv
from quatviz.display.data import lazy_columns as growth
from quatviz.display.data.derived_sources import Differences
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.frame_builder import run_info
from quatviz.display.data.lazy_columns import LaneColumn
from quatviz.display.data.row_cache import (
    CURSOR_BLOCK_ROWS,
    VIEW_BLOCK_ROWS,
    BatchedCursorReader,
    RunColumns,
    sample_cache,
)
from quatviz.display.data.series import BucketRange, Series, bucket_range
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.files.preset import Lane
from quatviz.physics.loads import bind
from quatviz.physics.observables.quantities import QUANTITIES, Motion
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.window.frame_loop import FrameLoop


@pytest.fixture
def run() -> Simulation:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=4.0, dt=0.01).engine


@pytest.fixture(scope="module")
def long_run() -> Simulation:
    """Return a run with enough rows for background reduction and two lanes, the second of which ends early."""
    preset = qv.load_preset("torque_free")
    run = replace(preset.run, duration=60.0, dt=0.001, sample_interval=0.001)
    lanes = (Lane("newton_euler"), Lane("euler_angles/321"))
    simulation = Simulation(replace(preset, run=run, lanes=lanes))
    simulation.complete()
    return simulation


def columns_of(run: Simulation) -> RunColumns:
    return RunColumns(run, run_info(run, LaneStyles.default_for(len(run.lanes))))


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_column_values_equal_state_values(long_run: Simulation, data: st.DataObject) -> None:
    lane = long_run.lanes[0]
    name = data.draw(st.sampled_from(["p", "h_space", "energy_drift", "lam_terms", "angles_313"]))
    truth = QUANTITIES[name].column_values(lane.motion())
    column = columns_of(long_run).values(lane.name, name)[1]
    assert (len(column), column.shape) == (len(truth), truth.shape)
    numbers = st.integers(-len(truth), len(truth) - 1)
    bound = st.none() | st.integers(-len(truth) - 9, len(truth) + 9)
    index = data.draw(
        numbers
        | st.builds(slice, bound, bound, st.none() | st.integers(1, 5000))
        | st.lists(numbers, max_size=9).map(lambda rows: np.array(rows, dtype=np.int64))
    )
    for position in (index, (index, truth.shape[1] - 1)):
        assert column[position].shape == truth[position].shape
        np.testing.assert_allclose(column[position], truth[position], rtol=1e-11, atol=1e-11)


def test_growing_column_reads_new_rows_and_keeps_old_ones(run: Simulation) -> None:
    short = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=1.0, dt=0.01)
    lane = short.lanes[0].engine
    reader = BatchedCursorReader(sample_cache(lane.samples))
    of = QUANTITIES["omega_space"].column_values

    def column() -> LaneColumn:
        return LaneColumn(lane, "omega_space", of, 3, reader)

    before = column()
    first = before[90:]
    copy = first.copy()
    lane.advance(3000)
    assert (len(before), len(column())) == (101, 3101)
    np.testing.assert_allclose(column()[:], of(lane.motion()), atol=1e-12)
    assert np.array_equal(first, copy)


def test_visible_rows_near_cursor_are_not_recomputed(long_run: Simulation) -> None:
    lane, computed = long_run.lanes[0], list[int]()

    def of(motion: Motion) -> np.ndarray:
        computed.append(len(motion.t))
        return motion.h_space

    column = LaneColumn(lane, "h_space", of, 3, BatchedCursorReader(sample_cache(lane.samples)))
    in_sight = column.read(4200, 5900)
    assert np.array_equal(column.read(5000, 5016), in_sight[800:816])
    assert computed == [VIEW_BLOCK_ROWS]
    column.read(9000, 9016)  # elsewhere few rows are read, and few are computed
    assert computed == [VIEW_BLOCK_ROWS, CURSOR_BLOCK_ROWS]


def test_short_run_is_computed_in_one_block() -> None:
    """In pieces, each quantity of each lane took two or three times as long, for every run that a drag makes."""
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=60.0, dt=0.01).engine
    lane, computed = run.lanes[0], list[int]()

    def of(motion: Motion) -> np.ndarray:
        computed.append(len(motion.t))
        return motion.h_space

    LaneColumn(lane, "h_space", of, 3, BatchedCursorReader(sample_cache(run.samples))).read(0, lane.samples)
    assert computed == [6001]


def test_cached_blocks_are_bounded(long_run: Simulation) -> None:
    limit = 2**20
    lane = long_run.lanes[0]
    blocks = sample_cache(lane.samples, 8 * limit)  # an eighth is reserved for small blocks
    columns = [
        LaneColumn(
            lane,
            name,
            QUANTITIES[name].column_values,
            len(QUANTITIES[name].symbols),
            BatchedCursorReader(blocks),
        )
        for name in ("p", "h_space", "angles_321", "energy_drift")
    ]
    own = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    tracemalloc.start()
    for row in range(0, lane.samples - 1, 500):
        for column in columns:
            column.read(row, row + 2)
            assert blocks.nbytes <= limit
    arrays = tracemalloc.take_snapshot().filter_traces([own]).traces
    tracemalloc.stop()
    assert blocks.nbytes > 0.5 * limit
    assert sum(array.size for array in arrays) == pytest.approx(blocks.nbytes, rel=0.05), (
        "the cache counts what it holds"
    )


def test_background_reduction_equals_immediate_reduction(
    long_run: Simulation,
) -> None:
    columns = columns_of(long_run)
    compared = Differences(columns, long_run.lanes[0].name)
    wanted = [
        (source, lane.name, name)
        for source in (columns, compared)
        for lane in long_run
        for name in ("p", "h_space", "angles_321")
    ]
    made = [(*spec, Series(columns_width(spec))) for spec in wanted]
    window_thread = threading.get_ident()
    threads = set()

    class ThreadRecordingSeries(Series):
        def digest(self, rows: np.ndarray) -> object:
            threads.add(threading.get_ident())
            return super().digest(rows)

    watched = ThreadRecordingSeries(4)
    made.append((columns, long_run.lanes[0].name, "p", watched))

    def caught_up() -> bool:
        columns.refresh()
        for source, lane, name, series in made:
            series.set_data(*source.values(lane, name))
        return all(series.count == len(source.values(lane, name)[0]) for source, lane, name, series in made)

    try:
        assert not caught_up()
        taken = columns.data_revision
        wait_for(caught_up, 60.0)
        assert columns.data_revision > taken
        assert threads
        assert window_thread not in threads
    finally:
        columns.close()
    for source, lane, name, series in made:
        times, column = source.values(lane, name)
        once = Series(column.shape[1])
        once.set_data(times, column[:])
        assert np.array_equal(series.times, once.times)
        for view in (
            BucketRange(0, 40, 1024, series.times),
            BucketRange(3, 60, 256, series.times),
            BucketRange(17, 90, 8, series.times),
            BucketRange(0, 9999, 64, series.times),
            BucketRange(5, 700, 1, series.times),
        ):
            for own, other in zip(series.points(view), once.points(view), strict=True):
                np.testing.assert_allclose(own, other, rtol=1e-11, atol=1e-11)
        for own, other in ((series.minimum, once.minimum), (series.maximum, once.maximum)):
            np.testing.assert_allclose(own, other, rtol=1e-11, atol=1e-11)


def columns_width(wanted: tuple[ColumnSource, str, str]) -> int:
    source, lane, name = wanted
    return source.values(lane, name)[1].shape[1]


def test_completed_run_of_two_minutes_is_reduced_at_once() -> None:
    """Curves of 6401 samples were invisible while a number was dragged."""
    run = Simulation(qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=120.0))
    run.complete()
    columns, series = columns_of(run), Series(3)
    series.set_data(*columns.values("newton_euler", "omega"))
    assert series.count == len(series.times) == 12_001
    assert not columns.is_behind


def test_cursor_reads_rows_not_reduced_yet(long_run: Simulation) -> None:
    columns, lane = columns_of(long_run), long_run.lanes[0]
    columns.close()  # background reduction has stopped
    series = Series(4)
    assert not series.set_data(*columns.values(lane.name, "p"))
    assert series.values_at(40.0) == lane.p[40000].tolist()
    assert np.isnan(series.values_at(99.0)).all()
    assert series.last_point(1) == (60.0, lane.p[-1, 1])


def test_unread_panel_is_reduced_up_to_a_bound(long_run: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "MAX_UNABSORBED_ROWS", 12000)
    columns, name = columns_of(long_run), long_run.lanes[0].name
    hidden, seen = Series(4), Series(3)
    hidden.set_data(*columns.values(name, "p"))

    def caught_up() -> bool:
        seen.set_data(*columns.values(name, "omega"))
        return seen.count == long_run.lanes[0].samples

    wait_for(caught_up, 60.0)
    columns.close()
    assert 12000 <= hidden.digested_count <= 12000 + growth.REDUCTION_CHUNK
    assert hidden.count == 0


def test_reduction_thread_ends_with_its_run_and_when_idle(
    long_run: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def threads() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "quatviz-growth"]

    class SlowSeries(Series):
        def digest(self, rows: np.ndarray) -> object:
            time.sleep(0.05)
            return super().digest(rows)

    columns, name = columns_of(long_run), long_run.lanes[0].name
    slow = SlowSeries(4)
    slow.set_data(*columns.values(name, "p"))
    assert len(threads()) == 1
    columns.close()
    assert not threads()
    assert slow.digested_count < long_run.lanes[0].samples
    slow.set_data(*columns.values(name, "p"))
    assert not threads()
    other_columns = columns_of(long_run)
    other_columns.refresh()
    wait_for(lambda: not threads(), 60.0)
    other_columns.refresh()
    assert other_columns.vector_scales()["omega"] == pytest.approx(
        max(np.linalg.norm(lane.omega, axis=1).max() for lane in long_run)
    )


def test_lanes_are_reduced_by_two_threads_with_equal_results(
    long_run: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "MAX_THREADS", 2)
    both_digest = threading.Barrier(2, timeout=60.0)

    class Meeting(Series):
        """Waits in its first chunk for another thread, which digests the other lane."""

        def digest(self, rows: np.ndarray) -> object:
            if self.digested_count == 0:
                both_digest.wait()
            return super().digest(rows)

    columns = columns_of(long_run)
    pairs = [(Meeting(4), lane) for lane in long_run]

    def is_complete() -> bool:
        for series, lane in pairs:
            series.set_data(*columns.values(lane.name, "p"))
        return all(series.count == lane.samples for series, lane in pairs)

    wait_for(is_complete, 60.0)
    columns.close()
    for series, _lane in pairs:
        at_once = Series(4)
        at_once.set_data(series.times, np.asarray(series.values))
        assert np.array_equal(series.minimum, at_once.minimum)
        assert np.array_equal(series.maximum, at_once.maximum)
        view = bucket_range(series.times, 0.0, 60.0, 100.0)
        assert np.array_equal(series.points(view)[1], at_once.points(view)[1], equal_nan=True)


def test_reduction_error_reaches_the_requesting_panel(long_run: Simulation) -> None:
    class FailingSeries(Series):
        def digest(self, rows: np.ndarray) -> object:
            raise ZeroDivisionError("broken")

    columns, name = columns_of(long_run), long_run.lanes[0].name
    broken = FailingSeries(4)
    broken.set_data(*columns.values(name, "p"))
    wait_for(lambda: bool(broken.pending_digests), 60.0)
    with pytest.raises(ZeroDivisionError, match="broken"):
        broken.set_data(*columns.values(name, "p"))
    columns.close()


def test_rows_reduced_by_another_thread_are_not_reduced_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Private: `_digest` and `_claim`, because two threads rarely meet there by themselves."""
    # 384 rows are whole blocks of 32, so that no pending rows hide an empty interval.
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=3.83, dt=0.01)
    columns, name = columns_of(run.engine), run.lanes[0].name
    times, values = columns.values(name, "p")
    assert values.reducer is not None
    series, kept = Series(4), values.reducer

    def claim_late(lane_name: str) -> bool:
        """Let another thread reduce all rows before the lane is claimed."""
        kept._digest(series, values, len(times), None)
        return claim(lane_name)

    claim = kept._claim
    monkeypatch.setattr(kept, "_claim", claim_late)
    assert series.set_data(times, values)
    kept._digest(
        series, values, len(times), None
    )  # as the thread does with the range it saw before it had the lock
    assert not series.set_data(times, values)
    assert series.digested_count == series.count == len(times)
    assert series.maximum == pytest.approx(run.lanes[0].p.max(axis=0))


@dataclass
class _IdleWorker:
    """Worker stub that has computed everything."""

    snapshot: Snapshot = field(default_factory=lambda: Snapshot(time=1.0, duration=4.0))
    error: BaseException | None = None


@dataclass
class _Listener:
    frames: list[Frame] = field(default_factory=list)

    def start(self, source: ColumnSource) -> None:
        """Do nothing."""

    def show_frame(self, frame: Frame) -> None:
        self.frames.append(frame)


def test_frame_contains_cost_per_step(run: Simulation, qapp: object) -> None:
    listener = _Listener()
    bridge = FrameLoop(run, _IdleWorker(), LaneStyles.default_for(len(run.lanes)), [listener])  # type: ignore[arg-type]
    bridge.tick()
    (lane,) = listener.frames[-1].lanes
    assert lane.cost == next(iter(run)).solver.cost
    assert 0.0 < lane.cost < 1e-2
    delete(bridge)  # its timer callbacks would keep the run alive


def test_torque_column_exists_only_with_loads(run: Simulation, qapp: object) -> None:
    preset = qv.load_preset("torque_free")
    loads = [
        qv.Gravity(weight=300.0, centre=[0.0, 0.1, 0.4]),
        qv.Spring(stiffness=900.0, point=[1, 0, 0], anchor=[0, 2, 0]),
    ]
    loaded = qv.simulate(
        qv.Preset(body=preset.body, initial=preset.initial, loads=loads),
        lanes=["newton_euler"],
        duration=4.0,
        dt=0.01,
    ).engine
    frames = {}
    for simulation in (run, loaded):
        listener = _Listener()
        styles = LaneStyles.default_for(len(simulation.lanes))
        bridge = FrameLoop(simulation, _IdleWorker(), styles, [listener])  # type: ignore[arg-type]
        bridge.tick()
        delete(bridge)
        frames[simulation] = listener.frames[-1]
    bound = bind(loads, loaded.preset.body)
    (lane,), (pose,) = loaded.lanes, [lane_frame.pose for lane_frame in frames[loaded].lanes]
    assert pose is not None
    assert pose.vectors["torque"] == pytest.approx(lane.torque_space[100])
    expected = sum(np.asarray(load.torque(lane.t, lane.p, lane.omega)) for load in bound)
    assert lane.torque == pytest.approx(expected)
    longest = np.linalg.norm(lane.torque, axis=1).max()
    assert frames[loaded].scales["torque"] == pytest.approx(longest)
    pull = max(np.linalg.norm(load.force(lane.t, lane.p)[0], axis=1).max() for load in bound)  # type: ignore[index]
    assert frames[loaded].scales["force"] == pytest.approx(pull)
    assert pull > 301.0
    assert set(frames[run].scales) == {"omega", "h"}
    assert [set(lane_frame.pose.vectors) for lane_frame in frames[run].lanes if lane_frame.pose] == [
        {"omega", "h"}
    ]

"""Block extremes for drawing, compared with all rows, for every order of arrival, with and without the kernel."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import wait_for

import quatviz as qv
from quatviz.display.data.frame_builder import run_info
from quatviz.display.data.lazy_columns import REDUCTION_CHUNK
from quatviz.display.data.row_cache import RunColumns
from quatviz.display.data.series import BucketRange, Series, angle_series
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.files.preset import Lane
from quatviz.physics.kernels import extremes, extremes_cache
from quatviz.physics.kernels.extremes import STORED_DTYPE
from quatviz.physics.kernels.pyramid import LEVEL_FACTOR, ExtremaPyramid
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import from_rotation_vector
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

ODD = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-300, -1e300)


@pytest.fixture(params=["kernel", "numpy"])
def reduction_method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "kernel":
        extremes_cache.compile_kernels()
    else:
        monkeypatch.setattr(extremes, "is_ready", lambda: False)
    return str(request.param)


def rows_of(seed: int, count: int, width: int) -> np.ndarray:
    """Return numbers with whole blocks of one sign, and blocks with NaN, infinities and zeros."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(size=(count, width)) + 3.0 * (np.arange(count) // 100 % 3 - 1)[:, None]
    places = chance.integers(0, max(count, 1), count // 50)
    rows[places, chance.integers(0, width, len(places))] = chance.choice(ODD, len(places))
    return rows


@pytest.mark.parametrize("magnitude", [False, True])
def test_block_extremes_equal_row_extremes_for_any_portions(reduction_method: str, magnitude: bool) -> None:
    @settings(deadline=None, max_examples=30)
    @given(st.integers(0, 1000), st.integers(1, 3), st.lists(st.integers(1, 5000), min_size=1, max_size=5))
    def check(seed: int, width: int, portions: list[int]) -> None:
        rows, pyramid = rows_of(seed, sum(portions), width), ExtremaPyramid(width, magnitude)
        ends, start = np.full((3, width), np.nan), 0
        for portion in portions:
            extremes = pyramid.reduce(np.asfortranarray(rows[start : start + portion]))
            pyramid.append(extremes)
            start += portion
            for reduce, old, new in zip((np.fmin, np.fmax, np.fmin), ends, extremes.limits, strict=True):
                reduce(old, new, out=old)
        sizes = np.abs(rows) if magnitude else rows
        full = len(rows) // LEVEL_FACTOR
        with np.errstate(over="ignore"):
            blocks = sizes[: full * LEVEL_FACTOR].reshape(full, LEVEL_FACTOR, width).astype(STORED_DTYPE)
            remaining = sizes[full * LEVEL_FACTOR :]
        low, high = pyramid.extremes(0, full, LEVEL_FACTOR)
        np.testing.assert_array_equal(low, blocks.min(axis=1))
        np.testing.assert_array_equal(high, blocks.max(axis=1))
        if len(remaining):
            low, high = pyramid.tail(full * LEVEL_FACTOR)
            np.testing.assert_array_equal((low[0], high[0]), (remaining.min(axis=0), remaining.max(axis=0)))
        finite = np.where(np.isfinite(sizes), sizes, np.nan)
        np.testing.assert_array_equal(ends[:2], (np.fmin.reduce(finite), np.fmax.reduce(finite)))
        if magnitude:
            np.testing.assert_array_equal(ends[2], np.fmin.reduce(np.where(finite > 0, finite, np.nan)))

    check()


@pytest.mark.parametrize("size", [LEVEL_FACTOR, 64, 2048])
def test_curve_pieces_between_jumps_equal_their_rows(reduction_method: str, size: int) -> None:
    turned = np.arange(40_000)[:, None] * np.array([[0.011, 0.003, 0.007]])
    angles = np.degrees(angles_from_p(from_rotation_vector(turned), "321"))
    series, t = angle_series("321"), np.arange(len(angles)) * 0.01
    for stop in (1, 500, 501, REDUCTION_CHUNK, len(angles)):
        series.set_data(t[:stop], angles[:stop])
    assert len(series.jump_index.rows(2)) > 20
    for component in range(3):
        rows = series.jump_index.rows(component)
        _, values = series.curve(BucketRange(0, -(-len(t) // size), size, t), component)
        cuts = np.unique(np.concatenate([np.arange(0, len(t), size), rows]))
        gaps = np.flatnonzero(np.isnan(values))
        assert len(gaps) == len(rows)
        pairs = np.delete(values, gaps).reshape(-1, 2)
        low = np.minimum.reduceat(angles[:, component], cuts).astype(STORED_DTYPE)
        high = np.maximum.reduceat(angles[:, component], cuts).astype(STORED_DTYPE)
        np.testing.assert_array_equal(pairs.min(axis=1).astype(STORED_DTYPE), low)
        np.testing.assert_array_equal(pairs.max(axis=1).astype(STORED_DTYPE), high)


def reduced(run: Simulation, wanted: list[tuple[LaneRun, str]]) -> list[Series]:
    """Return the reduction of the background thread."""
    columns = RunColumns(run, run_info(run, LaneStyles.default_for(len(run.lanes))))
    made = [Series(len(QUANTITIES[name].symbols)) for _, name in wanted]

    def caught_up() -> bool:
        columns.refresh()
        for (lane, name), series in zip(wanted, made, strict=True):
            series.set_data(*columns.values(lane.name, name))
        return all(series.count == lane.samples for (lane, _), series in zip(wanted, made, strict=True))

    try:
        wait_for(caught_up, 60.0)
    finally:
        columns.close()
    return made


def test_run_with_kick_and_ended_lane_is_reduced_correctly(reduction_method: str) -> None:
    timing = replace(qv.load_preset("torque_free").run, duration=80.0, dt=1e-3, sample_interval=1e-3)
    preset = qv.Preset(
        body=qv.Body(inertia=[1, 2, 3]),
        initial=qv.Initial(angles={"sequence": "321", "degrees": [0, 0, 0]}, angular_velocity=[0, 0.03, 0]),
        run=timing,
        events=(qv.Kick(at=20.0, impulse=(0.0, 0.02, 0.0)), qv.Kick(at=60.0, impulse=(0.3, 0.0, 0.8))),
        lanes=(Lane("newton_euler"), Lane("euler_angles/321")),
    )
    run = Simulation(preset)
    run.complete()
    whole, ended = run.lanes
    assert (whole.samples, ended.status) == (80_001, "singular")
    assert REDUCTION_CHUNK < ended.samples < 60_000
    wanted = [
        (lane, name) for lane in run for name in ("p", "omega", "h_space", "angles_321", "energy_drift")
    ]
    for (lane, name), series in zip(wanted, reduced(run, wanted), strict=True):
        rows = QUANTITIES[name].column_values(lane.motion())
        np.testing.assert_allclose((series.minimum, series.maximum), (rows.min(axis=0), rows.max(axis=0)))
        for size in (LEVEL_FACTOR, 512):
            starts = np.arange(0, len(rows), size)
            values = series.points(BucketRange(0, len(starts), size, series.times))[1].reshape(
                -1, 2, rows.shape[1]
            )
            least, greatest = np.minimum.reduceat(rows, starts), np.maximum.reduceat(rows, starts)
            for drawn, exact in ((values.min(axis=1), least), (values.max(axis=1), greatest)):
                np.testing.assert_allclose(drawn, exact, rtol=1e-6, atol=1e-12)  # seven digits are kept

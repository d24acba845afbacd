"""Adaptive methods and loads that change abruptly: no pulse is skipped, and no step crosses a jump."""

import math
from dataclasses import replace

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.expression import Expression
from quatviz.files.preset import Preset
from quatviz.physics.kernels.load_changes import LONGEST, NO_CHANGES, RESUME, START
from quatviz.physics.loads import STOP, WIDTH, load_changes, short_changes
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

INERTIA = np.array([1.0, 2.0, 2.6])
ADAPTIVE = ("dop853", "lsoda", "radau")
RAMP = 1e9
"""Slope of the sides of a square pulse, per second: 1 ns each."""


def preset_with_torque(text: str, omega: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Preset:
    return replace(
        qv.load_preset("torque_free"),
        body=qv.Body(inertia=INERTIA.tolist()),
        initial=Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=list(omega)),
        loads=[qv.Torque(torque=[0.0, text, 0.0], frame="space")],
    )


def impulse(preset: Preset, integrator: str, duration: float) -> np.ndarray:
    """Change of h in space [kg m^2/s], which is the time integral of a torque in space however the body turns."""
    lane = qv.simulate(
        preset,
        lanes=["newton_euler"],
        integrator=integrator,
        dt=1e-3,
        duration=duration,
        sample_interval=duration / 100.0,
    )["newton_euler"]
    assert lane.status == "ok"
    h: np.ndarray = lane.h_space
    return h[-1] - h[0]


def random_pulse(shape: str, center: float, width: float, end: float) -> tuple[str, float]:
    """A pulse of a height of about 1/width, and its integral from 0 to `end` [s]."""
    x, height = f"(t - {center!r})", 1.0 / width
    gate = f"max(0, min(1, {RAMP!r}*({width / 2!r} - abs{x})))"
    match shape:
        case "square":
            return f"{height!r}*{gate}", 1.0 - height / RAMP
        case "square by a power of zero":
            return f"{height!r}*0**max(0, abs{x} - {width / 2!r})", 1.0
        case "square by two jumps":
            late = f"(t - {center + width!r})"
            return f"{height / 2!r}*(abs{x}/{x} - abs{late}/{late})", 1.0
        case "triangle":
            return f"{height!r}*max(0, 1 - abs{x}/{width!r})", 1.0
        case "Gauss":
            return f"{height!r}*exp(-({x}/{width!r})**2)", math.sqrt(math.pi)
        case "half a sine":
            return f"{height!r}*sin(pi*min(1, max(0, {x}/{width!r})))", 2.0 / math.pi
        case "a sine that is gated":
            return f"{height!r}*cos(pi*{x}/{width!r})*{gate}", 2.0 / math.pi
        case "exponential":
            lost = math.exp(-center / width) + math.exp((center - end) / width)
            return f"{height!r}*exp(-abs{x}/{width!r})", 2.0 - lost
        case "Lorentz":
            return f"{height!r}/(1 + ({x}/{width!r})**2)", math.atan((end - center) / width) + math.atan(
                center / width
            )
        case "difference of two smooth steps":
            fall = center + 4.0 * width
            integral = [
                np.logaddexp(0.0, (end - c) / width) - np.logaddexp(0.0, -c / width) for c in (center, fall)
            ]
            text = f"{height!r}/(1 + exp(-{x}/{width!r})) - {height!r}/(1 + exp(-(t - {fall!r})/{width!r}))"
            return text, float(integral[0] - integral[1])
    raise AssertionError(shape)


SHAPES = (
    "square", "square by a power of zero", "square by two jumps", "triangle", "Gauss", "half a sine", "a sine that is gated",
    "exponential", "Lorentz", "difference of two smooth steps",
)  # fmt: skip


@pytest.mark.parametrize("spin", [0.0, 0.7], ids=["at rest", "spinning"])
@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("shape", SHAPES)
def test_adaptive_methods_integrate_the_impulse_of_pulses(shape: str, integrator: str, spin: float) -> None:
    """100 pulses of 1 ms to 1 s per method, in runs of 10 to 1000 s. Radau needs about 25 steps per radian after the
    pulse and gets 10 to 20 s."""
    random = np.random.default_rng(SHAPES.index(shape))
    for _ in range(5):
        width = float(10.0 ** random.uniform(-3.0, 0.0))
        duration = float(
            random.choice([10.0, 20.0] if spin or integrator == "radau" else [10.0, 100.0, 1000.0])
        )
        center = float(random.uniform(0.3, 0.7)) * duration
        text, expected = random_pulse(shape, center, width, duration)
        result = impulse(preset_with_torque(text, (spin, 0.3 * spin, -0.4 * spin)), integrator, duration)
        # Times near 1000 s are known to 1e-13 s, the edges of a pulse of 1 ms to 1e-10 of its width.
        assert np.abs(result - [0.0, expected, 0.0]).max() < 1e-8, (text, duration)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_short_thruster_pulse_turns_a_resting_body(integrator: str) -> None:
    """100 N m for 10 ms with sides of 1 us; analytic, as in SDXorg/pysd#7 and scipy/scipy#18039."""
    preset = replace(
        preset_with_torque("0"),
        loads=[qv.Torque(torque=["100*max(0,min(1,1e6*(0.005-abs(t-5.005))))", 0.0, 0.0], frame="body")],
    )
    lane = qv.simulate(
        preset, lanes=["newton_euler"], integrator=integrator, dt=1e-3, duration=10.0, sample_interval=0.01
    )["newton_euler"]
    assert lane.omega[-1] * INERTIA == pytest.approx([0.9999, 0.0, 0.0], abs=1e-9)
    angle = 2.0 * np.unwrap(np.arctan2(lane.p[:, 1], lane.p[:, 0]))
    assert angle[-1] == pytest.approx(4.9945005, abs=1e-7)


def test_pulse_on_a_linear_trend_is_not_skipped() -> None:
    """The sum increases throughout, so no extremum reveals the pulse."""
    expected = 100.0 * 50.0 + 0.02 * math.sqrt(math.pi)
    result = impulse(preset_with_torque("100*t + exp(-((t - 5)/0.02)**2)"), "dop853", 10.0)
    assert result[1] == pytest.approx(expected, abs=1e-6)


def test_short_gate_on_a_fast_oscillation_is_not_skipped() -> None:
    """The oscillation itself is never constant, but its factor is."""
    text = "100*(1 + cos(400*(t - 50)))*exp(-((t - 50)/0.03)**2)"
    expected = 100.0 * 0.03 * math.sqrt(math.pi) * (1.0 + math.exp(-((400.0 * 0.03 / 2.0) ** 2)))
    assert impulse(preset_with_torque(text), "dop853", 100.0)[1] == pytest.approx(expected, abs=1e-8)


def test_extended_run_does_not_skip_later_pulses() -> None:
    preset = preset_with_torque("exp(-((t - 15)/0.02)**2)").with_run(
        lanes=["newton_euler"], integrator="dop853", dt=1e-3, duration=10.0, sample_interval=0.1
    )
    run = Simulation(preset)
    run.complete(jobs=1)
    run.extend(20.0)
    run.complete(jobs=1)
    (lane,) = run.lanes
    assert lane.h_space[-1][1] == pytest.approx(0.02 * math.sqrt(math.pi), abs=1e-10)


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize(
    ("text", "impulse_per_pulse"),
    [
        ("exp(-(sin(pi*t)/(pi*0.01))**2)", 0.01 * math.sqrt(math.pi) * (1.0 + 0.0001 * math.pi**2 / 4.0)),
        ("0**max(0, abs(sin(pi*t)) - 0.03)", 2.0 * math.asin(0.03) / math.pi),
    ],
    ids=["Gauss", "square"],
)
def test_extended_run_does_not_skip_pulses_of_a_train(
    text: str, impulse_per_pulse: float, integrator: str
) -> None:
    """The method once failed after the original end, because bounds over long times gave too short a step."""
    preset = preset_with_torque(text).with_run(
        lanes=["newton_euler"], integrator=integrator, dt=1e-3, duration=10.5, sample_interval=0.1
    )
    run = Simulation(preset)
    run.complete(jobs=1)
    accuracy_verdict(run.lanes[0])
    run.extend(30.5)
    run.complete(jobs=1)
    (lane,) = run.lanes
    assert lane.status == "ok", lane.message
    assert lane.h_space[-1][1] == pytest.approx(30.5 * impulse_per_pulse, rel=1e-6)
    assert accuracy_verdict(lane).is_accurate
    restored = LaneRun.from_record(lane.name, preset, 0, lane.to_record())
    restored.resume(40.5)
    restored.advance(100)
    assert restored.h_space[-1][1] == pytest.approx(40.5 * impulse_per_pulse, rel=1e-6)


def changes(text: str, duration: float = 10.0) -> np.ndarray:
    return load_changes([qv.Torque(torque=[text, 0.0, 0.0])], duration)


@pytest.mark.parametrize(
    "text",
    ["3", "0.3*t", "0.1*t**2 - t", "t**5", "sin(3*t)", "2*sin(3*t) + 0.5*cos(40*t)", "exp(0.3*t)", "sin(3*t)*sin(0.2*t)",
     "100*cos(200*pi*t)", "max(1, 2)*t"],
)  # fmt: skip
def test_smooth_loads_do_not_limit_the_step(text: str) -> None:
    table = changes(text)
    assert (table[table[:, START] < 10.0] == NO_CHANGES).all() or np.isinf(table[0, LONGEST])
    assert len(table[table[:, START] < 10.0]) == 1


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("abs(sin(3*t))", [k * math.pi / 3.0 for k in range(1, 10)]),
        ("max(0, t - 2.5)", [2.5]),
        ("min(t, 4) + abs(t - 7)", [4.0, 7.0]),
        ("sqrt(abs(t - 3))", [3.0]),
        ("abs(t - 5)/(t - 5)", [5.0]),
        ("max(0, max(0, t - 6))", [6.0]),
        ("max(0, abs(t - 6.000001) - 1e-6)", [6.0, 6.000001, 6.000002]),
    ],
)
def test_steps_end_at_jumps_and_kinks(text: str, times: list[float]) -> None:
    table = changes(text)
    rows = table[np.isfinite(table[:, RESUME]) & (table[:, START] > 1e-9) & (table[:, START] < 10.0)]
    assert rows[:, START] == pytest.approx(times, abs=1e-12)
    assert (rows[:, START] < rows[:, RESUME]).all()
    assert (rows[:, RESUME] - rows[:, START] < 1e-14 * 10.0).all()


@pytest.mark.parametrize(
    ("text", "has_pulse"),
    [
        ("sqrt(abs(sin(t)))", False),
        ("sqrt(abs(t - 5))", False),
        ("sin(t) + 2*abs(t - 3)**0.3", False),
        ("abs(t - 5)**0.05", True),
        ("max(0, 1 - abs(t - 5)/0.002)", True),
        ("sqrt(abs(sin(t)))*exp(-((t - 5)/0.002)**2)", True),
    ],
)
def test_cusp_is_a_switch_without_a_pulse(text: str, has_pulse: bool) -> None:
    table = short_changes([qv.Torque(torque=[text, 0.0, 0.0])], 10.0, 0.01)
    table = table[table[:, START] < 10.0]
    assert len(table)
    assert np.isfinite(table[:, WIDTH]).any() == has_pulse


def test_cusp_concerns_adjacent_steps_and_kink_does_not() -> None:
    for text, reach in (("sqrt(abs(t - 5))", 0.0025), ("abs(t - 5)", 0.0)):
        table = short_changes([qv.Torque(torque=[text, 0.0, 0.0])], 10.0, 0.01)
        table = table[table[:, START] < 10.0]
        assert [table[:, START].min(), table[:, STOP].max()] == pytest.approx(
            [5.0 - reach, 5.0 + reach], abs=1e-12
        )


@pytest.mark.parametrize("width", [1e-3, 1e-2, 1e-1])
@pytest.mark.parametrize("duration", [10.0, 1000.0])
def test_step_limit_is_short_only_near_a_peak(width: float, duration: float) -> None:
    table = changes(f"exp(-((t - 5)/{width!r})**2)", duration)
    first, stop = np.searchsorted(table[:, START], [5.0 - width, 5.0 + width], "right") - [1, 0]
    near = table[first:stop, LONGEST]
    full_width_at_half_maximum = 2.0 * math.sqrt(math.log(2.0)) * width
    assert 0.2 * full_width_at_half_maximum < near.min() < full_width_at_half_maximum
    limited = table[np.isfinite(table[:, LONGEST]), START]
    assert limited.min() > 5.0 - 30.0 * width - 0.1 * duration / 16.0


def test_bounds_enclose_every_value_and_rate() -> None:
    """Of random expressions, in random intervals, against samples and differences."""
    from quatviz.base.expression_intervals import enclose_program

    random = np.random.default_rng(1)
    texts = [
        "sin(3*t)*exp(-t/4)", "cos(t)**3", "abs(sin(t))**0.5", "1/(1 + t**2)", "sqrt(1 + sin(t))", "(2 + cos(t))**(-2)",
        "max(sin(t), cos(2*t))*t", "min(t, 3, 4 - t)", "(1 + t)**sin(t)", "exp(-((t - 3)/0.1)**2)", "-t/(4 + sin(9*t))",
    ]  # fmt: skip
    for text in texts:
        expression = Expression(text)
        start = random.uniform(0.0, 8.0, 200)
        stop = start + 10.0 ** random.uniform(-3.0, 0.5, 200)
        bounds = enclose_program(expression.program, start, stop)[-1].result
        t = start + (stop - start) * np.linspace(0.0, 1.0, 201)[:, None]
        values = expression.evaluate(t.ravel()).reshape(t.shape)
        margin = 1e-12 * (1.0 + np.abs(values))
        assert (values >= bounds.lower - margin).all(), text
        assert (values <= bounds.upper + margin).all(), text
        slopes = np.diff(values, axis=0) / np.diff(t, axis=0)
        assert (slopes >= bounds.rate_lower - 1e-6).all(), text
        assert (slopes <= bounds.rate_upper + 1e-6).all(), text

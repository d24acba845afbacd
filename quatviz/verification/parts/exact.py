"""The closed forms: against reference states and tables, lanes against them, and against the equations themselves."""

from collections.abc import Iterator

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.exact.base import Solution
from quatviz.physics.loads import bind, potential
from quatviz.physics.mechanics.rotations import rate_from_omega, relative_angle, rotate
from quatviz.physics.observables.published_values import SOURCES
from quatviz.verification.check import Check, compared, vanishing
from quatviz.verification.lanes import attitude, endings, run
from quatviz.verification.load_torque import total_moment
from quatviz.verification.motions import preset_of, states
from quatviz.verification.parts.base import Part
from quatviz.verification.regimes import regimes

TOLERANCE = 1e-12
LANE_TOLERANCE = 1e-8
LANES = ("newton_euler", "hamilton")
SPAN = 5.0
"""How far [s] lanes are compared: from turn to turn beside an unstable motion rounding grows by thousands."""
LATE = 1e3
"""Up to when [s] the equations are tried."""
TIMES = 24
_SPACING = 0.02
_WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Of a central difference of order eight."""


class Exact(Part):
    """Nothing in these checks comes from an integrator that the exact solution shares anything with."""

    name = "exact"
    title = "Exact solutions"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from _reference_states()
        yield from _tables()
        for name, preset in regimes().items():
            solution = _solution(preset)
            yield from equations(name, preset, solution, 10 * TIMES if full else TIMES)
            yield from _lanes(name, preset, solution, full)


def at_random_times() -> Iterator[Check]:
    """The equations alone, in every regime: the quickest check of the closed forms."""
    for name, preset in regimes().items():
        yield from equations(name, preset, _solution(preset))


def _solution(preset: Preset) -> Solution:
    return solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))


def _reference_states() -> Iterator[Check]:
    for case, given in states().items():
        preset = preset_of(case)
        try:
            solution = _solution(preset)
        except NoClosedForm:
            continue
        times, e, h = (np.array(given[key]) for key in ("times", "e", "h_body"))
        p, omega = solution.at(times)
        angle = relative_angle(p, e)
        off = np.linalg.norm(omega @ preset.body.inertia - h, axis=1) / np.linalg.norm(h, axis=1)
        told = f"{case}, exact: {solution.title}"
        yield vanishing(f"{case}: exact attitude [rad]", angle, TOLERANCE, told, "reference attitude [rad]")
        yield vanishing(f"{case}: exact h, relative", off, TOLERANCE, told, "reference h, relative")


def _tables() -> Iterator[Check]:
    """The published numbers, from samples of the exact motion."""
    for source in SOURCES:
        preset = preset_of(source.case)
        lane = simulate(
            preset, lanes=["exact"], duration=source.duration, sample_interval=source.sample_interval, dt=source.sample_interval
        ).lanes[0]  # fmt: skip
        for value in source.values:
            told = f"{source.case}, exact"
            yield compared(value.name, value.measure(lane.motion()), value.reference, value.tolerance, told)


def equations(name: str, preset: Preset, solution: Solution, count: int = TIMES) -> Iterator[Check]:
    """p' = 1/2 L^T omega and J omega' = n - omega x J omega at random times, the start, and what stays constant."""
    body = preset.body
    t = np.random.default_rng(len(name)).uniform(0.0, LATE, count)
    p, omega = solution.at(t)
    begun = preset.initial.omega(body)
    scale = max(float(np.abs(omega).max()), 1.0)
    p_rate, omega_rate = _rates(solution, t, _SPACING / scale)
    moment = np.array(
        [total_moment(preset.loads, *state, body.inertia) for state in zip(t.tolist(), p, omega, strict=True)]
    )
    euler = omega_rate @ body.inertia - moment + np.cross(omega, omega @ body.inertia)
    size = float(np.abs(body.inertia).max()) * scale**2
    first, first_rate = solution.at(np.zeros(1))
    kinetic, potential_ = (
        0.5 * np.einsum("ni,ij,nj->n", omega, body.inertia, omega),
        potential(bind(preset.loads, body), t, p),
    )
    began = potential(bind(preset.loads, body), np.zeros(1), preset.initial.p()[None])[0]
    begun_with = 0.5 * begun @ body.inertia @ begun + began
    energy = (kinetic + potential_ - begun_with) / max(size, abs(begun_with))
    told = f"{name}, {count} random times to {LATE:g} s"
    errors = {
        "p at the start": (first - preset.initial.p(), TOLERANCE),
        "omega at the start": ((first_rate - begun) / scale, TOLERANCE),
        "|p|^2 - 1": (np.einsum("ni,ni->n", p, p) - 1.0, TOLERANCE),
        "p' = 1/2 L^T omega": ((p_rate - rate_from_omega(p, omega)) / scale, 1e-10),
        "J omega' = n - omega x J omega": (euler / size, 1e-10),
        "energy": (energy, 1e-12),
    }
    if not preset.loads:
        h = rotate(p, omega @ body.inertia) - rotate(preset.initial.p(), body.inertia @ begun)
        errors["h in space"] = h / size, 1e-12
    for what, (error, tolerance) in errors.items():
        yield vanishing(f"{name}: {what}", error, tolerance, told, f"regimes: {what}")


def _rates(solution: Solution, t: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """p' and omega' by differences."""
    p_rate, omega_rate = np.zeros((len(t), 4)), np.zeros((len(t), 3))
    for step, weight in enumerate(_WEIGHTS, 1):
        after, before = solution.at(t + step * spacing), solution.at(t - step * spacing)
        p_rate += weight / spacing * (after[0] - before[0])
        omega_rate += weight / spacing * (after[1] - before[1])
    return p_rate, omega_rate


def _lanes(name: str, preset: Preset, solution: Solution, full: bool) -> Iterator[Check]:
    tries = run(preset, None if full else LANES, dt=1e-3, duration=SPAN, sample_interval=0.05)
    yield from endings(tries)
    for tried in tries:
        if len(tried.motion.t) == 0:
            continue  # singular where it would begin: its ending has been checked
        p, _ = solution.at(tried.motion.t)
        angle = relative_angle(tried.motion.unit_p, p)
        allowed = tried.allowed(LANE_TOLERANCE, attitude)
        yield vanishing(
            f"{name}: a lane from the exact attitude [rad]", angle, allowed, tried.described, "lanes from exact attitudes"
        )  # fmt: skip

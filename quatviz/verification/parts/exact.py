"""Checks of closed-form solutions against reference states, tables, lanes, and the equations of motion."""

from collections.abc import Iterator

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.exact.base import ExactSolution
from quatviz.physics.loads import bind, total_potential
from quatviz.physics.mechanics.rotations import rate_from_omega, relative_angle, rotate
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.observables.published_values import PUBLISHED_TABLES
from quatviz.verification.check import Check, check_close, check_zero
from quatviz.verification.lanes import attitude, check_endings, run_lanes
from quatviz.verification.load_torque import total_torque
from quatviz.verification.motions import reference_cases, reference_preset
from quatviz.verification.parts.base import VerificationPart
from quatviz.verification.regimes import closed_form_presets

TOLERANCE = 1e-12
"""Largest accepted error of exact solutions."""
LANE_TOLERANCE = 1e-8
"""Largest accepted angle [rad] between lanes and exact solutions."""
LANES = ("newton_euler", "hamilton")
"""Lanes that are compared with exact solutions."""
LANE_DURATION = 5.0
"""Duration [s] over which lanes are compared. Longer comparisons are not possible: near unstable motions,
rounding errors grow by a factor of thousands per flip."""
MAX_TIME = 1e3
"""Largest time [s] at which exact solutions are inserted into the equations of motion."""
TIME_COUNT = 24
"""Number of random times at which exact solutions are inserted into the equations of motion."""
_DIFFERENCE_STEP = 0.02
"""Time step of central differences, given as the rotation [rad] at the largest rate."""
_DIFFERENCE_WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Weights of central differences of order eight."""


class ExactSolutions(VerificationPart):
    """Checks of exact solutions against results that share no code with them."""

    name = "exact"
    title = "Exact solutions"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from _check_reference_states()
        yield from _check_published_tables()
        yield from check_one_angle()
        for name, preset in closed_form_presets().items():
            solution = _solution(preset)
            yield from check_equations(name, preset, solution, 10 * TIME_COUNT if full else TIME_COUNT)
            yield from _check_lanes(name, preset, solution, full)


def check_regimes() -> Iterator[Check]:
    """Check the equations of motion in every regime (type of motion with its own closed form). Closed forms have no
    faster check."""
    for name, preset in closed_form_presets().items():
        yield from check_equations(name, preset, _solution(preset))


def check_one_angle() -> Iterator[Check]:
    """Check the equation for the single angle of the disk, eq. S3(46), against its solution by elliptic
    functions."""
    run = simulate(reference_preset("spring_disk"), lanes=["one_angle", "exact"], duration=LANE_DURATION)
    one_angle, exact = run.lanes
    description = "spring_disk, one_angle and exact"
    angle = relative_angle(one_angle.p, exact.p)
    yield check_zero("one angle: attitude [rad]", angle, TOLERANCE, description)
    yield check_zero("one angle: omega [rad/s]", one_angle.omega - exact.omega, TOLERANCE * 10.0, description)


def _solution(preset: Preset) -> ExactSolution:
    return solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))


def _check_reference_states() -> Iterator[Check]:
    for case, case_data in reference_cases().items():
        preset = reference_preset(case)
        try:
            solution = _solution(preset)
        except NoClosedForm:
            continue
        times, e, h = (np.array(case_data[key]) for key in ("times", "e", "h_body"))
        p, omega = solution.evaluate(times)
        angle = relative_angle(p, e)
        relative_error = np.linalg.norm(omega @ preset.body.inertia - h, axis=1) / np.linalg.norm(h, axis=1)
        run_description = f"{case}, exact: {solution.title}"
        yield check_zero(
            f"{case}: exact attitude [rad]", angle, TOLERANCE, run_description, "reference attitude [rad]"
        )
        yield check_zero(
            f"{case}: exact h, relative", relative_error, TOLERANCE, run_description, "reference h, relative"
        )


def _check_published_tables() -> Iterator[Check]:
    """Check published values against samples of the exact motion."""
    for source in PUBLISHED_TABLES:
        preset = reference_preset(source.case)
        lane = simulate(
            preset, lanes=["exact"], duration=source.duration, sample_interval=source.sample_interval, dt=source.sample_interval
        ).lanes[0]  # fmt: skip
        for value in source.values:
            run_description = f"{source.case}, exact"
            yield check_close(
                value.name, value.measure(lane.motion()), value.reference, value.tolerance, run_description
            )


def check_equations(
    name: str, preset: Preset, solution: ExactSolution, count: int = TIME_COUNT
) -> Iterator[Check]:
    """Check an exact solution: its equations of motion at `count` random times, its initial state, and its conserved
    quantities."""
    body = preset.body
    # RotorSystem covers rotors without a state of their own; without rotors it gives J and zero.
    system = RotorSystem(body)
    inertia, stored = system.effective_inertia, system.stored_momentum
    t = np.random.default_rng(len(name)).uniform(0.0, MAX_TIME, count)
    p, omega = solution.evaluate(t)
    omega0 = preset.initial.omega(body)
    # Rotors turn the angular velocity in the body as fast as s/J.
    scale = max(float(np.abs(omega).max()), float(np.abs(np.linalg.solve(inertia, stored)).max()), 1.0)
    p_rate, omega_rate = _numerical_rates(solution, t, _DIFFERENCE_STEP / scale)
    moment = np.array(
        [total_torque(preset.loads, *state, body.inertia) for state in zip(t.tolist(), p, omega, strict=True)]
    )
    euler = omega_rate @ inertia - moment + np.cross(omega, omega @ inertia + stored)
    size = float(np.abs(body.inertia).max()) * scale**2
    first, first_rate = solution.evaluate(np.zeros(1))
    kinetic, potential_ = (
        0.5 * np.einsum("ni,ij,nj->n", omega, inertia, omega),
        total_potential(bind(preset.loads, body), t, p),
    )
    potential0 = total_potential(bind(preset.loads, body), np.zeros(1), preset.initial.p()[None])[0]
    energy0 = 0.5 * omega0 @ inertia @ omega0 + potential0
    energy = (kinetic + potential_ - energy0) / max(size, abs(energy0))
    run_description = f"{name}, {count} random times to {MAX_TIME:g} s"
    errors = {
        "p at the start": (first - preset.initial.p(), TOLERANCE),
        "omega at the start": ((first_rate - omega0) / scale, TOLERANCE),
        "|p|^2 - 1": (np.einsum("ni,ni->n", p, p) - 1.0, TOLERANCE),
        "p' = 1/2 L^T omega": ((p_rate - rate_from_omega(p, omega)) / scale, 1e-10),
        "J omega' = n - omega x J omega": (euler / size, 1e-10),
        "energy": (energy, 1e-12),
    }
    if not preset.loads:
        h = rotate(p, omega @ inertia + stored) - rotate(preset.initial.p(), inertia @ omega0 + stored)
        errors["h in space"] = h / size, 1e-12
    for name_of_check, (error, tolerance) in errors.items():
        yield check_zero(
            f"{name}: {name_of_check}", error, tolerance, run_description, f"regimes: {name_of_check}"
        )


def _numerical_rates(solution: ExactSolution, t: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Return p' (n, 4) and omega' (n, 3) of a solution at times (n,) [s], by central differences."""
    p_rate, omega_rate = np.zeros((len(t), 4)), np.zeros((len(t), 3))
    for step, weight in enumerate(_DIFFERENCE_WEIGHTS, 1):
        after, before = solution.evaluate(t + step * spacing), solution.evaluate(t - step * spacing)
        p_rate += weight / spacing * (after[0] - before[0])
        omega_rate += weight / spacing * (after[1] - before[1])
    return p_rate, omega_rate


def _check_lanes(name: str, preset: Preset, solution: ExactSolution, full: bool) -> Iterator[Check]:
    pairs = run_lanes(preset, None if full else LANES, dt=1e-3, duration=LANE_DURATION, sample_interval=0.05)
    yield from check_endings(pairs)
    for pair in pairs:
        if len(pair.motion.t) == 0:
            continue  # singular at the start; its ending has been checked
        p, _ = solution.evaluate(pair.motion.t)
        angle = relative_angle(pair.motion.unit_p, p)
        allowed = pair.allowed_error(LANE_TOLERANCE, attitude)
        yield check_zero(
            f"{name}: a lane from the exact attitude [rad]", angle, allowed, pair.description, "lanes from exact attitudes"
        )  # fmt: skip

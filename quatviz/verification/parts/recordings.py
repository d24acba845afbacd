"""Checks of recordings: they are read in every convention, compared with lanes, and interpolated between
samples."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Lane, Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.mechanics.rotations import relative_angle, rotate
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.columns import FileColumns
from quatviz.recordings.loading import build_recording
from quatviz.recordings.resampling import Track
from quatviz.verification.check import Check, check_close, check_zero
from quatviz.verification.motions import read_reference, reference_cases, reference_preset, ring_preset
from quatviz.verification.parts.base import VerificationPart

SAMPLE_INTERVAL = 0.05
"""Sample interval [s], in which the torque-free body turns by a tenth of a radian."""


class Recordings(VerificationPart):
    """Checks that reference states, read as recordings, agree with lanes, that all conventions are read correctly,
    and that the interpolation is accurate."""

    name = "recordings"
    title = "Recordings"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from check_beside_lanes()
        yield from check_conventions()
        yield from check_between_samples()


def check_beside_lanes() -> Iterator[Check]:
    """Check every published motion as a recording that runs beside an equally accurate lane, at the published
    times.

    The lane is the exact solution, if one is known. Otherwise it is RK4 with steps so small that its error is
    similar to the error of the published data.
    """
    for case, case_data in reference_cases().items():
        preset = reference_preset(case)
        times, e, h = (np.array(case_data[key]) for key in ("times", "e", "h_body"))
        recording = Recording(times, p=e, omega=h @ preset.body.inverse_inertia)
        try:
            solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
        except NoClosedForm:
            yield from _compare_with_lane(case, preset, recording, Lane("newton_euler"), 2.5e-4, 0.01, 1e-12)
        else:
            yield from _compare_with_lane(case, preset, recording, Lane("exact"), 0.01, 0.01, 1e-13)
    for case in ("conservative", "damped"):
        case_data = read_reference("ring_damper")[case]
        recording = Recording(case_data["times"], p=case_data["e"], omega=case_data["omega"])
        preset = ring_preset(case_data["C_d"], case_data["g"])
        yield from _compare_with_lane(
            f"ring damper {case}", preset, recording, Lane("ring_damper"), 1e-5, 1e-3, 2e-11
        )


def _compare_with_lane(
    case: str, preset: Preset, recording: Recording, lane: Lane, dt: float, interval: float, tolerance: float
) -> Iterator[Check]:
    """Compare a recording with a lane at the recorded times. Errors of rates are relative to the largest
    rate."""
    run = simulate(
        preset, lanes=[lane, Lane("recording", recording=recording)], integrator="rk4", dt=dt,
        duration=float(recording.t[-1]), sample_interval=interval,
    )  # fmt: skip
    rows = np.rint(recording.t / interval).astype(int)
    description = f"{case}, recording beside {lane.formulation}"
    angle = run.orientation_error("recording", lane.formulation)[rows]
    yield check_zero(
        f"{case}: recorded attitude [rad]", angle, tolerance, description, "recorded reference attitude [rad]"
    )
    recorded_omega, lane_omega = run["recording"].omega[rows], run[lane.formulation].omega[rows]
    relative_error = (
        np.linalg.norm(recorded_omega - lane_omega, axis=1) / np.linalg.norm(lane_omega, axis=1).max()
    )
    yield check_zero(
        f"{case}: recorded omega, relative",
        relative_error,
        tolerance,
        description,
        "recorded reference omega, relative",
    )


def check_conventions() -> Iterator[Check]:
    """Check the torque-free body written as quaternions and rates in every convention and read again."""
    t, p, omega = _torque_free_motion(np.arange(100) * SAMPLE_INTERVAL)
    for order, direction, product_convention, axes, unit in product(
        ("scalar_first", "scalar_last"), ("body_to_space", "space_to_body"), ("hamilton", "jpl"),
        ("body", "space"), ("rad/s", "deg/s"),
    ):  # fmt: skip
        # A reversed direction or product changes the sign of the vector part.
        signs = (
            np.ones(4)
            if (direction == "body_to_space") == (product_convention == "hamilton")
            else np.array([1.0, -1.0, -1.0, -1.0])
        )
        quaternions = np.roll(signs * p, -1 if order == "scalar_last" else 0, axis=1)
        rates = rotate(p, omega) if axes == "space" else omega
        rates = rates * 180.0 / np.pi if unit == "deg/s" else rates
        names = "t", "a", "b", "c", "d", "x", "y", "z"
        table_columns = FileColumns(dict(zip(names, np.column_stack([t, quaternions, rates]).T, strict=True)))
        reading = ReadOptions(
            file="here", time="t", time_unit="s", attitude="quaternion", attitude_columns=names[1:5], order=order,
            direction=direction, product=product_convention, rate_columns=names[5:], rate_axes=axes, rate_unit=unit,
        )  # fmt: skip
        recording = build_recording(table_columns, reading)
        description = f"torque_free, {order}, {direction}, {product_convention}, {axes}, {unit}"
        error = max(relative_angle(recording.p, p).max(), np.abs(recording.omega - omega).max())
        yield check_zero(
            f"read again [rad, rad/s]: {description}",
            error,
            1e-13,
            description,
            "read again in every convention",
        )


def check_between_samples() -> Iterator[Check]:
    """Check the interpolation of a recording between samples, and the order of the interpolation error in the
    sample interval."""
    errors = []
    for interval in (SAMPLE_INTERVAL, 0.5 * SAMPLE_INTERVAL):
        t, p, omega = _torque_free_motion(np.arange(round(10.0 / interval) + 1) * interval)
        track = Track.from_recording(Recording(t, p=p, omega=omega))
        _, exact, rates = _torque_free_motion(np.linspace(0.0, 10.0, 1001))
        attitudes, interpolated_rates = track.at(np.linspace(0.0, 10.0, 1001))
        errors.append((relative_angle(attitudes, exact).max(), np.abs(interpolated_rates - rates).max()))
    description = f"torque_free, samples each {SAMPLE_INTERVAL:g} s and half of it"
    yield check_zero("attitude between samples [rad]", errors[0][0], 1e-8, description)
    yield check_zero("rate between samples [rad/s]", errors[0][1], 1e-7, description)
    for name, large, small in zip(("attitude", "rate"), *errors, strict=True):
        yield check_close(
            f"order of the {name} between samples", np.log2(large / small), 4.0, 0.3, description
        )
    t, p, omega = _torque_free_motion(np.arange(201) * SAMPLE_INTERVAL)
    differentiated = Track.from_recording(Recording(t, p=p))
    yield check_zero("rates of attitudes alone [rad/s]", differentiated.omega - omega, 1e-6, description)
    integrated = Track.from_recording(Recording(t, omega=omega), start=p[0])
    yield check_zero("attitudes of rates alone [rad]", relative_angle(integrated.p, p), 1e-5, description)


def _torque_free_motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times (n,) [s], attitudes p (n, 4) and rates (n, 3) [rad/s, body] of the closed form."""
    preset = reference_preset("torque_free")
    motion = solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
    return t, *motion.evaluate(t)

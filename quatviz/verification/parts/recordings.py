"""Motions from outside: read in every convention, laid beside the lanes, smooth between their samples."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from quatviz.api.calls import simulate
from quatviz.files.preset import Lane, Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.mechanics.rotations import relative_angle, rotate
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.columns import Found
from quatviz.recordings.loading import recording_of
from quatviz.recordings.resampling import Track
from quatviz.verification.check import Check, compared, vanishing
from quatviz.verification.motions import preset_of, reference, ring_preset, states
from quatviz.verification.parts.base import Part

INTERVAL = 0.05
"""Of samples [s], between which the torque-free body turns a tenth of a radian."""


class Recordings(Part):
    """The reference states as recordings beside exact lanes, the closed form as a recording in every convention, and between its
    samples."""

    name = "recordings"
    title = "Recordings"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from beside_lanes()
        yield from conventions()
        yield from between_samples()


def beside_lanes() -> Iterator[Check]:
    """Every published motion as a recording beside a lane that has as many digits, at the times that were published: the exact one,
    or else RK4 in steps so short that its error is near that of what was published."""
    for case, given in states().items():
        preset = preset_of(case)
        times, e, h = (np.array(given[key]) for key in ("times", "e", "h_body"))
        recording = Recording(times, p=e, omega=h @ preset.body.inverse_inertia)
        try:
            solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
        except NoClosedForm:
            yield from _beside(case, preset, recording, Lane("newton_euler"), 2.5e-4, 0.01, 1e-12)
        else:
            yield from _beside(case, preset, recording, Lane("exact"), 0.01, 0.01, 1e-13)
    for case in ("conservative", "damped"):
        given = reference("ring_damper")[case]
        recording = Recording(given["times"], p=given["e"], omega=given["omega"])
        preset = ring_preset(given["C_d"], given["g"])
        yield from _beside(f"ring damper {case}", preset, recording, Lane("ring_damper"), 1e-5, 1e-3, 2e-11)


def _beside(
    case: str, preset: Preset, recording: Recording, lane: Lane, dt: float, interval: float, tolerance: float
) -> Iterator[Check]:
    """What a recording says at its own times, and a lane there; rates relative to the largest."""
    run = simulate(
        preset, lanes=[lane, Lane("recording", recording=recording)], integrator="rk4", dt=dt,
        duration=float(recording.t[-1]), sample_interval=interval,
    )  # fmt: skip
    rows = np.rint(recording.t / interval).astype(int)
    told = f"{case}, recording beside {lane.formulation}"
    angle = run.orientation_error("recording", lane.formulation)[rows]
    yield vanishing(
        f"{case}: recorded attitude [rad]", angle, tolerance, told, "recorded reference attitude [rad]"
    )
    theirs, ours = run["recording"].omega[rows], run[lane.formulation].omega[rows]
    off = np.linalg.norm(theirs - ours, axis=1) / np.linalg.norm(ours, axis=1).max()
    yield vanishing(
        f"{case}: recorded omega, relative", off, tolerance, told, "recorded reference omega, relative"
    )


def conventions() -> Iterator[Check]:
    """The torque-free body as quaternions and rates in every convention, read again."""
    t, p, omega = _torque_free(np.arange(100) * INTERVAL)
    for order, direction, kind, axes, unit in product(
        ("scalar_first", "scalar_last"), ("body_to_space", "space_to_body"), ("hamilton", "jpl"),
        ("body", "space"), ("rad/s", "deg/s"),
    ):  # fmt: skip
        # Each reversal is a quaternion whose vector part has the other sign.
        signs = (
            np.ones(4)
            if (direction == "body_to_space") == (kind == "hamilton")
            else np.array([1.0, -1.0, -1.0, -1.0])
        )
        written = np.roll(signs * p, -1 if order == "scalar_last" else 0, axis=1)
        rates = rotate(p, omega) if axes == "space" else omega
        rates = rates * 180.0 / np.pi if unit == "deg/s" else rates
        names = "t", "a", "b", "c", "d", "x", "y", "z"
        found = Found(dict(zip(names, np.column_stack([t, written, rates]).T, strict=True)))
        reading = Reading(
            file="here", time="t", time_unit="s", attitude="quaternion", attitude_columns=names[1:5], order=order,
            direction=direction, product=kind, rate_columns=names[5:], rate_axes=axes, rate_unit=unit,
        )  # fmt: skip
        recording = recording_of(found, reading)
        told = f"torque_free, {order}, {direction}, {kind}, {axes}, {unit}"
        error = max(relative_angle(recording.p, p).max(), np.abs(recording.omega - omega).max())
        yield vanishing(
            f"read again [rad, rad/s]: {told}", error, 1e-13, told, "read again in every convention"
        )


def between_samples() -> Iterator[Check]:
    """The way between two samples, and its order in their distance."""
    errors = []
    for interval in (INTERVAL, 0.5 * INTERVAL):
        t, p, omega = _torque_free(np.arange(round(10.0 / interval) + 1) * interval)
        track = Track.of(Recording(t, p=p, omega=omega))
        _, exact, rates = _torque_free(np.linspace(0.0, 10.0, 1001))
        found, turned = track.at(np.linspace(0.0, 10.0, 1001))
        errors.append((relative_angle(found, exact).max(), np.abs(turned - rates).max()))
    told = f"torque_free, samples each {INTERVAL:g} s and half of it"
    yield vanishing("attitude between samples [rad]", errors[0][0], 1e-8, told)
    yield vanishing("rate between samples [rad/s]", errors[0][1], 1e-7, told)
    for name, large, small in zip(("attitude", "rate"), *errors, strict=True):
        yield compared(f"order of the {name} between samples", np.log2(large / small), 4.0, 0.3, told)
    t, p, omega = _torque_free(np.arange(201) * INTERVAL)
    differentiated = Track.of(Recording(t, p=p))
    yield vanishing("rates of attitudes alone [rad/s]", differentiated.omega - omega, 1e-6, told)
    integrated = Track.of(Recording(t, omega=omega), start=p[0])
    yield vanishing("attitudes of rates alone [rad]", relative_angle(integrated.p, p), 1e-5, told)


def _torque_free(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, attitudes and rates of the closed form."""
    preset = preset_of("torque_free")
    motion = solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
    return t, *motion.at(t)

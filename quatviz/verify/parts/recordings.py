"""Motions from outside: read in every convention, laid beside the lanes, smooth between their samples."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from quatviz.exact import NoClosedForm, solve
from quatviz.mechanics.rotations import relative_angle, rotate
from quatviz.motion.reading import Reading
from quatviz.motion.recording import Recording
from quatviz.recordings.columns import Found
from quatviz.recordings.loading import recording_of
from quatviz.recordings.resampling import Track
from quatviz.scripting.calls import simulate
from quatviz.text.preset import Lane
from quatviz.verify.check import Check, compared, vanishing
from quatviz.verify.motions import preset_of, states
from quatviz.verify.parts.base import Part

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
    """Reference states shown as a lane, at their own times, and the exact lane there."""
    for case, given in states().items():
        preset = preset_of(case)
        times, e, h = (np.array(given[key]) for key in ("times", "e", "h_body"))
        try:
            solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
        except NoClosedForm:
            continue
        recording = Recording(times, p=e, omega=h @ preset.body.inverse_inertia)
        lane = Lane("recording", recording=recording)
        run = simulate(
            preset, lanes=["exact", lane], duration=float(times[-1]), sample_interval=0.01, dt=0.01
        )
        rows = np.round(times / 0.01).astype(int)
        angle = run.orientation_error("recording", "exact")[rows]
        told = f"{case}, recording beside exact"
        yield vanishing(
            f"{case}: recorded attitude [rad]", angle, 1e-11, told, "recorded reference attitude [rad]"
        )
        off = np.linalg.norm(run["recording"].h[rows] - h, axis=1) / np.linalg.norm(h, axis=1)
        yield vanishing(f"{case}: recorded h, relative", off, 1e-12, told, "recorded reference h, relative")


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

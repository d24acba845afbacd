"""Detection of the free flight in a recording of an unknown body: the interval in which some body conserves h."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.data import clean_data, make_fit_data
from quatviz.analysis.fitting.initial_guess import estimate_inertia, turn_windows
from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import Phrase, phrase
from quatviz.files.preset import Lane, Preset
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import norm, rotate
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.alignment import DetectedFreeFlight
from quatviz.recordings.importing import file_time_shift, free_flight
from quatviz.recordings.kinematics import differentiate_attitudes, integrate_rates
from quatviz.recordings.loading import LoadedRecording, load

_MAX_ROWS = 20_000
"""Approximate largest number of rows that are examined."""
_MAX_TURN_PER_ROW = 0.3
"""Largest rotation [rad] between examined rows."""
_SEED_TURN, _WINDOW_TURN = 4.0, 1.0
"""Rotation angle [rad] of a seed, the short interval in which the search begins, and rotation angle between the starts
of consecutive seeds.

Shorter seeds would be useless, because almost any short motion conserves h for some inertia.
"""
_MIN_RELATIVE_SPEED = 0.5
"""Smallest speed of a seed, relative to the fastest seed. Slower seeds are excluded, because a body that is held still
also conserves h."""
_MAX_MOMENTUM_CHANGE = 0.03
"""Largest relative change of |h| within a flight, in excess of noise."""
_NOISE_FACTOR = 4.0
"""Number of standard deviations of the noise that are added to the limit `_MAX_MOMENTUM_CHANGE`."""
_GROWTH_ROUNDS = 3
"""Number of times that the interval is extended, each time with a new estimate of the inertia from the current
interval."""
_TRIMMED_ROWS = 2
"""Number of rows that are removed at each end of a flight where a hand acts, because the first effect of
the hand is smaller than the noise."""
_MAX_MOMENTUM_SCATTER = 0.05
"""Largest relative scatter of the vector h in space within a free flight, in excess of noise."""
_MAX_SENSOR_SCATTER = 0.025
"""Relative scatter of h that errors of scale, misalignment and bias of a sensor can explain. For example, a
bias of 1 % of the rate causes a scatter of 2 %."""
_MAX_NOISE_RATIO = 2.0
"""Ratio of the scatter of h to its noise below which h counts as conserved."""
_MAX_RELATIVE_NOISE = 0.3
"""Noise of h, relative to |h|, above which conservation cannot be assessed."""
_CONSERVED_PHRASE = phrase("longest interval with constant h")


class FreeFlightInterval(NamedTuple):
    """Interval [s] in which a recorded body flies freely, and a sentence that explains how the interval was
    found.

    `is_entire` is True if the interval is the whole recording.
    """

    start: float
    stop: float
    is_entire: bool
    sentence: Phrase


def find_free_flight(recording: Recording, loaded: LoadedRecording | None = None) -> FreeFlightInterval:
    """Return the free flight in a recording.

    Parameters
    ----------
    recording
        The recording.
    loaded
        The file from which it was loaded, whose accelerometer is used if there is one.

    Returns
    -------
    FreeFlightInterval
        The interval that the accelerometer shows, if there is one. Otherwise, the whole recording if one body
        conserves h throughout, or the longest interval around the best seed in which one body does. If there
        is no such interval, the whole recording, with a sentence that says so.
    """
    t = recording.t
    accelerometer_flight = (
        free_flight(loaded) if loaded is not None and loaded.options.gravity_columns else None
    )
    if accelerometer_flight is not None and loaded is not None:
        time_offset = file_time_shift(loaded)
        start, stop = (
            max(accelerometer_flight.start - time_offset, float(t[0])),
            min(accelerometer_flight.stop - time_offset, float(t[-1])),
        )
        if start < stop:
            why = phrase("the accelerometer measures less than half of the acceleration of gravity")
            return FreeFlightInterval(start, stop, False, _interval_sentence(start, stop, why))
    stride = _row_stride(recording)
    p, omega = (None if values is None else values[::stride] for values in (recording.p, recording.omega))
    data = make_fit_data(t[::stride], p, omega, "huber")
    raise_if_cancelled()
    cleaned = clean_data(data)
    raise_if_cancelled()
    flight = _MomentumCheck(data.t, cleaned.p, cleaned.omega)
    first, last = float(t[0]), float(t[-1])
    entire = flight.momentum_scatter(slice(0, len(data.t)))
    if entire.is_conserved:
        return FreeFlightInterval(first, last, True, _entire_sentence(entire))
    rows = flight.longest_conserved()
    if rows is None:
        return FreeFlightInterval(
            first,
            last,
            True,
            phrase("No free-flight segment of at least one turn found: choose an interval by hand"),
        )
    start, stop = (data.first_time + float(data.t[row]) for row in (rows.start, rows.stop - 1))
    scatter = flight.momentum_scatter(rows)
    why = _CONSERVED_PHRASE if scatter.is_noise else _excess_phrase(scatter)
    return FreeFlightInterval(start, stop, False, _interval_sentence(start, stop, why, scatter.is_noise))


def _entire_sentence(scatter: "_MomentumScatter") -> Phrase:
    """Return a sentence that says how well free flight explains the whole recording, given the scatter of h."""
    if scatter.is_noise:
        return phrase("The whole recording is free flight: h is constant")
    return phrase("The whole recording may be free flight: {why}", why=_excess_phrase(scatter))


def _excess_phrase(scatter: "_MomentumScatter") -> Phrase:
    return phrase(
        "|h| of the best-fitting body varies by {scatter:.2g} %, but noise explains only {noise:.2g} %: check the units of "
        "rates and times, "
        "or choose another interval",
        scatter=100.0 * scatter.scatter, noise=100.0 * scatter.noise,
    )  # fmt: skip


def free_flight_in_file(
    loaded: LoadedRecording, inertia: np.ndarray | None = None
) -> DetectedFreeFlight | None:
    """Return the free flight in a file, with the times of the file [s].

    The accelerometer is used if there is one, else conservation of h for the given inertia (3, 3) or, without one, for
    the inertia that conserves h best. Return None if there is no free flight, or if the whole file is free flight.
    """
    if inertia is not None or loaded.options.gravity_columns:
        return free_flight(loaded, inertia)
    full_recording = load(loaded.options.full_range)
    interval, time_offset = find_free_flight(full_recording.recording), file_time_shift(full_recording)
    if interval.is_entire:
        return None
    start, stop = interval.start + time_offset, interval.stop + time_offset
    rows = np.searchsorted(full_recording.recording.t, (interval.start, interval.stop)).tolist()
    return DetectedFreeFlight(
        slice(rows[0], rows[1] + 1), start, stop, _interval_sentence(start, stop, _CONSERVED_PHRASE)
    )


class FitSource(NamedTuple):
    """Data of a lane that can be fitted: the recording, its rates and its free flight."""

    recording: Recording
    loaded: LoadedRecording | None
    """The file and how it was read; None for a recording made by a script."""
    omega: np.ndarray
    """Angular velocity (n, 3) [rad/s, body], computed from the attitudes if it was not recorded."""
    free_flight: FreeFlightInterval

    def fit_arguments(self, start: float, stop: float) -> dict[str, np.ndarray | None]:
        """Return the arguments of `fit_body` (arrays t, p and omega by name) for the data between two times
        of the run [s]."""
        t = self.recording.t
        tolerance = 1e-6 * (1.0 + abs(stop))
        rows = slice(*np.searchsorted(t, (start - tolerance, stop + tolerance)).tolist())
        p, omega = (
            None if values is None else values[rows] for values in (self.recording.p, self.recording.omega)
        )
        return {"t": t[rows], "p": p, "omega": omega}

    def magnitudes(self, fit: BodyFit | None = None) -> np.ndarray:
        """Return |omega| (n,) [rad/s]. With a `fit`, return |h| (n,) of the fitted body, whose largest moment
        is 1."""
        if fit is None:
            return norm(self.omega)
        return norm((self.omega - fit.guess.bias) / fit.guess.scale @ fit.inertia)

    def make_preset(self, fit: BodyFit, formulation: str, name: str | None, known_body: Body) -> Preset:
        """Return a preset with two lanes: the fitted body in `formulation`, and the recording under `name`.

        `known_body` gives mass, shape and scale of the inertia; see `BodyFit.body_in_place_of`.
        """
        if self.loaded is not None:
            preset = fit.preset_beside_recording(
                self.loaded.options, file_time_shift(self.loaded), formulation, known_body
            )
        else:
            preset = fit.preset_with_body(known_body)
            preset = replace(preset, lanes=[Lane(formulation), preset.lanes[1]])
        return replace(preset, lanes=[preset.lanes[0], replace(preset.lanes[1], name=name)])


def open_fit_source(source: ReadOptions | Recording) -> FitSource:
    """Return the recording of a lane with its free flight. Raises `InputError` if it cannot be read."""
    loaded = load(source) if isinstance(source, ReadOptions) else None
    recording = source if isinstance(source, Recording) else load(source).recording
    omega = (
        recording.omega
        if recording.omega is not None
        else differentiate_attitudes(recording.t, recording.p).omega
    )
    return FitSource(recording, loaded, omega, find_free_flight(recording, loaded))


def _row_stride(recording: Recording) -> int:
    """Return the stride between examined rows, limited so that the body turns little between two of them."""
    if recording.omega is None:
        return max(1, len(recording) // _MAX_ROWS)
    speed = float(np.nanmedian(norm(recording.omega)))
    turning = _MAX_TURN_PER_ROW / max(speed * recording.interval, 1e-12)
    return max(1, int(min(len(recording) / _MAX_ROWS, turning)))


def _interval_sentence(start: float, stop: float, reason: Phrase, is_free: bool = True) -> Phrase:
    if is_free:
        return phrase(
            "Free flight from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=reason
        )
    return phrase(
        "Possibly free flight from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=reason
    )


class _MomentumScatter(NamedTuple):
    """Relative scatter of h in space for the inertia that conserves h best, and the part of this scatter
    that noise explains."""

    scatter: float
    noise: float

    @property
    def is_conserved(self) -> bool:
        """True if one body conserves h up to noise or a small error."""
        is_small = self.scatter < max(_MAX_MOMENTUM_SCATTER, _MAX_NOISE_RATIO * self.noise)
        return self.noise < _MAX_RELATIVE_NOISE and is_small

    @property
    def is_noise(self) -> bool:
        """True if noise and small sensor errors explain the scatter."""
        return self.scatter < max(_MAX_SENSOR_SCATTER, _MAX_NOISE_RATIO * self.noise)


class _MomentumCheck:
    """Test of momentum conservation in parts of a motion, given by times t (n,), attitudes p (n, 4) or None,
    and rates omega (n, 3)."""

    def __init__(self, t: np.ndarray, p: np.ndarray | None, omega: np.ndarray) -> None:
        self._t, self._p, self._omega = t, p, omega

    def longest_conserved(self) -> slice | None:
        """Return the longest interval around the best seed in which h is conserved, or None.

        A seed is a short interval. The best seed is extended while the inertia estimated from it conserves |h|. The
        extension is repeated with the inertia estimated from the extended interval.
        """
        window_list = turn_windows(self._t, self._omega, _WINDOW_TURN)
        windows_per_seed = round(_SEED_TURN / _WINDOW_TURN)
        seeds = [
            slice(first_window.start, last_window.stop)
            for first_window, last_window in zip(
                window_list, window_list[windows_per_seed - 1 :], strict=False
            )
        ]
        if not seeds:
            return None
        speeds = np.array([self._speed(rows) for rows in seeds])
        fast_seeds = [
            rows
            for rows, speed in zip(seeds, speeds, strict=True)
            if speed > _MIN_RELATIVE_SPEED * speeds.max()
        ]
        if not fast_seeds:
            return None
        best = min(fast_seeds, key=lambda rows: self.momentum_scatter(rows).scatter)
        if not self.momentum_scatter(best).is_conserved:
            return None
        for _ in range(_GROWTH_ROUNDS):
            best = self._grow(best)
        start = best.start + (_TRIMMED_ROWS if best.start else 0)
        return slice(start, best.stop - (_TRIMMED_ROWS if best.stop < len(self._t) else 0))

    def _grow(self, seed: slice) -> slice:
        """Return the seed, extended in both directions while the inertia estimated from it conserves |h|. Single
        outliers are ignored."""
        raise_if_cancelled()
        sizes = norm(self._omega @ self._inertia(seed))
        middle = float(np.nanmedian(sizes[seed]))
        noise = float(np.sqrt(np.nanmean(np.diff(sizes[seed], 2) ** 2) / 6.0))
        is_off = ~(np.abs(sizes - middle) < _MAX_MOMENTUM_CHANGE * middle + _NOISE_FACTOR * noise)
        departures = np.flatnonzero(is_off[:-2] & is_off[1:-1] & is_off[2:])
        before, after = departures[departures + 2 < seed.start], departures[departures >= seed.stop]
        return slice(int(before[-1]) + 3 if len(before) else 0, int(after[0]) if len(after) else len(sizes))

    def _speed(self, rows: slice) -> float:
        return float(np.sqrt(np.nanmean(np.sum(self._omega[rows] ** 2, axis=1))))

    def _inertia(self, rows: slice) -> np.ndarray:
        p = None if self._p is None else self._p[rows]
        return estimate_inertia(self._t[rows], p, self._omega[rows], True)

    def momentum_scatter(self, rows: slice) -> _MomentumScatter:
        """Return the relative scatter of h in space over `rows`, for the inertia that conserves h best there.

        If there are no attitudes, they are integrated from the rates. This is done separately in each of several
        windows, because integrated attitudes drift.
        """
        raise_if_cancelled()
        t, omega, inertia = self._t[rows], self._omega[rows], self._inertia(rows)
        scatters, noises = [], []
        parts = turn_windows(t, omega, np.inf if self._p is not None else _SEED_TURN)
        for window in parts:
            h = omega[window] @ inertia
            p = (
                self._p[rows][window]
                if self._p is not None
                else integrate_rates(t[window], omega[window], np.array([1.0, 0, 0, 0])).p
            )
            in_space = rotate(p, h)
            is_known = np.isfinite(in_space).all(axis=1)
            size = float(np.mean(norm(h[is_known]))) if is_known.any() else 0.0
            if is_known.sum() < 5 or not size:
                continue
            deviations = in_space[is_known] - in_space[is_known].mean(axis=0)
            scatters.append(float(np.sqrt(np.mean(np.sum(deviations**2, axis=1)))) / size)
            noises.append(
                float(np.sqrt(np.mean(np.sum(np.diff(deviations, 2, axis=0) ** 2, axis=1)) / 6.0)) / size
            )
        magnitudes = norm(omega @ inertia)
        means = [float(np.nanmean(magnitudes[window])) for window in parts]
        scatters.append(
            float(np.std(means) / np.mean(means)) if len(means) > 1 and np.mean(means) > 0.0 else 0.0
        )
        return (
            _MomentumScatter(max(scatters), float(np.median(noises)))
            if noises
            else _MomentumScatter(np.inf, 0.0)
        )

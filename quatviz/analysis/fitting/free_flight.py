"""The free flight in a recording of a body that nobody knows: where some body could keep h."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.data import clean_data, make_fit_data
from quatviz.analysis.fitting.initial_guess import estimate_inertia, turn_windows
from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import Phrase, phrase
from quatviz.files.preset import Lane, Preset
from quatviz.physics.mechanics.rotations import norm, rotate
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.alignment import DetectedFreeFlight
from quatviz.recordings.importing import file_time_shift, free_flight
from quatviz.recordings.kinematics import differentiate_attitudes, integrate_rates
from quatviz.recordings.loading import LoadedRecording, load

_MAX_ROWS = 20_000
"""Rows that are looked at."""
_MAX_TURN_PER_ROW = 0.3
"""Turn [rad] from one of those rows to the next at most."""
_SEED_TURN, _WINDOW_TURN = 4.0, 1.0
"""Turn [rad] of the windows of which one is the seed, enough that not every motion has a body that keeps its h, and from one of
them to the next."""
_MIN_RELATIVE_SPEED = 0.5
"""Of the fastest window's speed: a hand that holds it still keeps h too."""
_MAX_MOMENTUM_CHANGE = 0.03
"""By which |h| may change, beside its noise."""
_NOISE_FACTOR = 4.0
"""Standard deviations."""
_GROWTH_ROUNDS = 3
_TRIMMED_ROWS = 2
"""Rows at an end at which a hand begins: what it did first is smaller than noise."""
_MAX_MOMENTUM_SCATTER = 0.05
"""By which h, as a vector in space, may scatter in a flight that is free, beside its noise."""
_MAX_SENSOR_SCATTER = 0.025
"""Scatter of h that errors of scale, axes and bias of a sensor explain, as a share of its size: a bias of a hundredth of the rate
makes 2 %."""
_MAX_NOISE_RATIO = 2.0
_MAX_RELATIVE_NOISE = 0.3
"""Noise, of the size of h, from which on nobody sees whether anything is kept."""
_CONSERVED_PHRASE = phrase("one body keeps h there, and nowhere longer")


class FreeFlightInterval(NamedTuple):
    """Times of the run [s] between which a recording is free, `is_entire` where that is all of it, and by what that was found."""

    start: float
    stop: float
    is_entire: bool
    sentence: Phrase


def find_free_flight(recording: Recording, loaded: LoadedRecording | None = None) -> FreeFlightInterval:
    """The free flight in a recording: by its accelerometer, where the file that was `loaded` has one; all of it, where one body
    keeps h through all; else the longest stretch around the windows of a turn in which some body keeps it best. Where nothing is
    to be found it is all of it, and the sentence says so."""
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
            why = phrase("the accelerometer shows less than half of gravity")
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
            first, last, True, phrase("No stretch of it is free for a turn or more: choose one by hand")
        )
    start, stop = (data.first_time + float(data.t[row]) for row in (rows.start, rows.stop - 1))
    scatter = flight.momentum_scatter(rows)
    why = _CONSERVED_PHRASE if scatter.is_noise else _excess_phrase(scatter)
    return FreeFlightInterval(start, stop, False, _interval_sentence(start, stop, why, scatter.is_noise))


def _entire_sentence(scatter: "_MomentumScatter") -> Phrase:
    """Say how free all of a recording is."""
    if scatter.is_noise:
        return phrase("All of it is free: one body keeps h from its beginning to its end")
    return phrase("All of it may be free: {why}", why=_excess_phrase(scatter))


def _excess_phrase(scatter: "_MomentumScatter") -> Phrase:
    return phrase(
        "the best body keeps h within {scatter:.2g} %, where noise explains {noise:.2g} %: check the units of rates and times, or "
        "choose another stretch",
        scatter=100.0 * scatter.scatter, noise=100.0 * scatter.noise,
    )  # fmt: skip


def free_flight_in_file(
    loaded: LoadedRecording, inertia: np.ndarray | None = None
) -> DetectedFreeFlight | None:
    """The free flight in a file, its times those of the file [s]: by its accelerometer; else by an `inertia` (3, 3); else, where
    there is neither, by whatever body keeps h best. None where there is none, or where all of it is free."""
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
    """What a lane gives to a fit: its recording, how fast it turns, and where it is free."""

    recording: Recording
    loaded: LoadedRecording | None
    """From which file, and how it was read; None of one that a script made."""
    omega: np.ndarray
    """(n, 3) [rad/s, body], those that follow from attitudes where no others are there."""
    free_flight: FreeFlightInterval

    def fit_arguments(self, start: float, stop: float) -> dict[str, np.ndarray | None]:
        """What it measured between these times of the run [s], as a fit is told."""
        t = self.recording.t
        tolerance = 1e-6 * (1.0 + abs(stop))
        rows = slice(*np.searchsorted(t, (start - tolerance, stop + tolerance)).tolist())
        p, omega = (
            None if values is None else values[rows] for values in (self.recording.p, self.recording.omega)
        )
        return {"t": t[rows], "p": p, "omega": omega}

    def magnitudes(self, fit: BodyFit | None = None) -> np.ndarray:
        """How fast it turns (n,) [rad/s]; of the body of a `fit` how large h is, the largest of its moments being 1."""
        if fit is None:
            return norm(self.omega)
        return norm((self.omega - fit.guess.bias) / fit.guess.scale @ fit.inertia)

    def make_preset(self, fit: BodyFit, formulation: str, name: str | None) -> Preset:
        """The body that a fit found of it, in a `formulation` of the equations, beside the recording, whose lane has this name."""
        if self.loaded is not None:
            preset = fit.preset_beside_recording(
                self.loaded.options, file_time_shift(self.loaded), formulation
            )
        else:
            preset = replace(fit.preset, lanes=[Lane(formulation), fit.preset.lanes[1]])
        return replace(preset, lanes=[preset.lanes[0], replace(preset.lanes[1], name=name)])


def open_fit_source(source: ReadOptions | Recording) -> FitSource:
    """The recording of a lane, with its free flight; `InputError` where it cannot be read."""
    loaded = load(source) if isinstance(source, ReadOptions) else None
    recording = source if isinstance(source, Recording) else load(source).recording
    omega = (
        recording.omega
        if recording.omega is not None
        else differentiate_attitudes(recording.t, recording.p).omega
    )
    return FitSource(recording, loaded, omega, find_free_flight(recording, loaded))


def _row_stride(recording: Recording) -> int:
    """Of how many rows one is looked at: of many not all, but a step turns little."""
    if recording.omega is None:
        return max(1, len(recording) // _MAX_ROWS)
    speed = float(np.nanmedian(norm(recording.omega)))
    turning = _MAX_TURN_PER_ROW / max(speed * recording.interval, 1e-12)
    return max(1, int(min(len(recording) / _MAX_ROWS, turning)))


def _interval_sentence(start: float, stop: float, reason: Phrase, is_free: bool = True) -> Phrase:
    if is_free:
        return phrase("Free from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=reason)
    return phrase(
        "Perhaps free from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=reason
    )


class _MomentumScatter(NamedTuple):
    """By how much the h of the best body scatters, and how much of that is noise, as shares of its size."""

    scatter: float
    noise: float

    @property
    def is_conserved(self) -> bool:
        """Return True if one body keeps h by no more than noise, or by little."""
        is_small = self.scatter < max(_MAX_MOMENTUM_SCATTER, _MAX_NOISE_RATIO * self.noise)
        return self.noise < _MAX_RELATIVE_NOISE and is_small

    @property
    def is_noise(self) -> bool:
        """Return True if the scatter is no more than noise and small errors of a sensor."""
        return self.scatter < max(_MAX_SENSOR_SCATTER, _MAX_NOISE_RATIO * self.noise)


class _MomentumCheck:
    """A motion t (n,), p (n, 4) or None, omega (n, 3), of which rows are tried."""

    def __init__(self, t: np.ndarray, p: np.ndarray | None, omega: np.ndarray) -> None:
        self._t, self._p, self._omega = t, p, omega

    def longest_conserved(self) -> slice | None:
        """Around the window that keeps h best: with the body of that window, then with the one of what was found."""
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
        """To both sides as far as the body of the seed keeps the size of h; one sample alone that does not ends nothing."""
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
        """By how much the h of the best body scatters there, of its size, and how much of that is noise. Of rates alone it is
        looked at in windows, for what is integrated from them drifts."""
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

"""The free flight in a recording of a body that nobody knows: where some body could keep h."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from quatviz.analysis.fitting.data import calm, data_of
from quatviz.analysis.fitting.initial_guess import inertia_of, windows
from quatviz.analysis.fitting.result import BodyFit
from quatviz.base.errors import Phrase, phrase
from quatviz.files.preset import Lane, Preset
from quatviz.physics.mechanics.rotations import norm, rotate
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.alignment import Stretch
from quatviz.recordings.importing import free_flight, time_in_file
from quatviz.recordings.kinematics import attitudes_of, rates_of
from quatviz.recordings.loading import Loaded, load

_MOST = 20_000
"""Rows that are looked at."""
_STEP = 0.3
"""Turn [rad] from one of those rows to the next at most."""
_SEED, _PART = 4.0, 1.0
"""Turn [rad] of the windows of which one is the seed, enough that not every motion has a body that keeps its h, and from one of
them to the next."""
_BRISK = 0.5
"""Of the fastest window's speed: a hand that holds it still keeps h too."""
_WITHIN = 0.03
"""By which |h| may change, beside its noise."""
_FAR = 4.0
"""Standard deviations."""
_ROUNDS = 3
_TRIMMED = 2
"""Rows at an end at which a hand begins: what it did first is smaller than noise."""
_FREE = 0.05
"""By which h, as a vector in space, may scatter in a flight that is free, beside its noise."""
_EXCESS = 2.0
_LOUD = 0.3
"""Noise, of the size of h, from which on nobody sees whether anything is kept."""
_KEEPS = phrase("one body keeps h there, and nowhere longer")


class FreeFlight(NamedTuple):
    """Times of the run [s] between which a recording is free, `whole` where that is all of it, and by what that was found."""

    start: float
    stop: float
    whole: bool
    sentence: Phrase


def free_stretch(recording: Recording, loaded: Loaded | None = None) -> FreeFlight:
    """The free flight in a recording: by its accelerometer, where the file that was `loaded` has one; all of it, where one body
    keeps h through all; else the longest stretch around the windows of a turn in which some body keeps it best. Where nothing is
    to be found it is all of it, and the sentence says so."""
    t = recording.t
    felt = free_flight(loaded) if loaded is not None and loaded.reading.gravity_columns else None
    if felt is not None and loaded is not None:
        ahead = time_in_file(loaded)
        start, stop = max(felt.start - ahead, float(t[0])), min(felt.stop - ahead, float(t[-1]))
        if start < stop:
            why = phrase("the accelerometer shows less than half of gravity")
            return FreeFlight(start, stop, False, _between(start, stop, why))
    every = _every(recording)
    p, omega = (None if values is None else values[::every] for values in (recording.p, recording.omega))
    data = data_of(t[::every], p, omega, "huber")
    calmed = calm(data)
    flight = _Flight(data.t, calmed.p, calmed.omega)
    first, last = float(t[0]), float(t[-1])
    if flight.keeps(slice(0, len(data.t))):
        return FreeFlight(
            first, last, True, phrase("All of it is free: one body keeps h from its beginning to its end")
        )
    found = flight.longest()
    if found is None:
        return FreeFlight(
            first, last, True, phrase("No stretch of it is free for a turn or more: choose one by hand")
        )
    start, stop = (data.first + float(data.t[row]) for row in (found.start, found.stop - 1))
    return FreeFlight(start, stop, False, _between(start, stop, _KEEPS))


def flight_in(loaded: Loaded, inertia: np.ndarray | None = None) -> Stretch | None:
    """The free flight in a file, its times those of the file [s]: by its accelerometer; else by an `inertia` (3, 3); else, where
    there is neither, by whatever body keeps h best. None where there is none, or where all of it is free."""
    if inertia is not None or loaded.reading.gravity_columns:
        return free_flight(loaded, inertia)
    whole = load(loaded.reading.whole)
    found, ahead = free_stretch(whole.recording), time_in_file(whole)
    if found.whole:
        return None
    start, stop = found.start + ahead, found.stop + ahead
    rows = np.searchsorted(whole.recording.t, (found.start, found.stop)).tolist()
    return Stretch(slice(rows[0], rows[1] + 1), start, stop, _between(start, stop, _KEEPS))


class Looked(NamedTuple):
    """What a lane gives to a fit: its recording, how fast it turns, and where it is free."""

    recording: Recording
    loaded: Loaded | None
    """From which file, and how it was read; None of one that a script made."""
    omega: np.ndarray
    """(n, 3) [rad/s, body], those that follow from attitudes where no others are there."""
    flight: FreeFlight

    def given(self, start: float, stop: float) -> dict[str, np.ndarray | None]:
        """What it measured between these times of the run [s], as a fit is told."""
        t = self.recording.t
        slack = 1e-6 * (1.0 + abs(stop))
        rows = slice(*np.searchsorted(t, (start - slack, stop + slack)).tolist())
        p, omega = (
            None if values is None else values[rows] for values in (self.recording.p, self.recording.omega)
        )
        return {"t": t[rows], "p": p, "omega": omega}

    def sizes(self, fit: BodyFit | None = None) -> np.ndarray:
        """How fast it turns (n,) [rad/s]; of the body of a `fit` how large h is, the largest of its moments being 1."""
        if fit is None:
            return norm(self.omega)
        return norm((self.omega - fit.guess.bias) / fit.guess.scale @ fit.inertia)

    def preset_of(self, fit: BodyFit, form: str, name: str | None) -> Preset:
        """The body that a fit found of it, in a `form` of the equations, beside the recording, whose lane has this name."""
        if self.loaded is not None:
            made = fit.beside(self.loaded.reading, time_in_file(self.loaded), form)
        else:
            made = replace(fit.preset, lanes=[Lane(form), fit.preset.lanes[1]])
        return replace(made, lanes=[made.lanes[0], replace(made.lanes[1], name=name)])


def look_at(given: Reading | Recording) -> Looked:
    """The recording of a lane, with its free flight; `InputError` where it cannot be read."""
    loaded = load(given) if isinstance(given, Reading) else None
    recording = given if isinstance(given, Recording) else load(given).recording
    omega = recording.omega if recording.omega is not None else rates_of(recording.t, recording.p).omega
    return Looked(recording, loaded, omega, free_stretch(recording, loaded))


def _every(recording: Recording) -> int:
    """Of how many rows one is looked at: of many not all, but a step turns little."""
    if recording.omega is None:
        return max(1, len(recording) // _MOST)
    speed = float(np.nanmedian(norm(recording.omega)))
    turning = _STEP / max(speed * recording.interval, 1e-12)
    return max(1, int(min(len(recording) / _MOST, turning)))


def _between(start: float, stop: float, why: Phrase) -> Phrase:
    return phrase("Free from {start:.4g} s to {stop:.4g} s: {why}", start=start, stop=stop, why=why)


class _Flight:
    """A motion t (n,), p (n, 4) or None, omega (n, 3), of which rows are tried."""

    def __init__(self, t: np.ndarray, p: np.ndarray | None, omega: np.ndarray) -> None:
        self._t, self._p, self._omega = t, p, omega

    def keeps(self, rows: slice) -> bool:
        """Whether one body keeps h there by no more than noise, or by little."""
        scatter, noise = self._unkept(rows)
        return noise < _LOUD and scatter < max(_FREE, _EXCESS * noise)

    def longest(self) -> slice | None:
        """Around the window that keeps h best: with the body of that window, then with the one of what was found."""
        parts = windows(self._t, self._omega, _PART)
        joined = round(_SEED / _PART)
        seeds = [slice(one.start, other.stop) for one, other in zip(parts, parts[joined - 1 :], strict=False)]
        if not seeds:
            return None
        speeds = np.array([self._speed(rows) for rows in seeds])
        brisk = [rows for rows, speed in zip(seeds, speeds, strict=True) if speed > _BRISK * speeds.max()]
        if not brisk:
            return None
        best = min(brisk, key=lambda rows: self._unkept(rows)[0])
        if not self.keeps(best):
            return None
        for _ in range(_ROUNDS):
            best = self._grown(best)
        first = best.start + (_TRIMMED if best.start else 0)
        return slice(first, best.stop - (_TRIMMED if best.stop < len(self._t) else 0))

    def _grown(self, seed: slice) -> slice:
        """To both sides as far as the body of the seed keeps the size of h; one sample alone that does not ends nothing."""
        sizes = norm(self._omega @ self._inertia(seed))
        middle = float(np.nanmedian(sizes[seed]))
        noise = float(np.sqrt(np.nanmean(np.diff(sizes[seed], 2) ** 2) / 6.0))
        off = ~(np.abs(sizes - middle) < _WITHIN * middle + _FAR * noise)
        gone = np.flatnonzero(off[:-2] & off[1:-1] & off[2:])
        before, after = gone[gone + 2 < seed.start], gone[gone >= seed.stop]
        return slice(int(before[-1]) + 3 if len(before) else 0, int(after[0]) if len(after) else len(sizes))

    def _speed(self, rows: slice) -> float:
        return float(np.sqrt(np.nanmean(np.sum(self._omega[rows] ** 2, axis=1))))

    def _inertia(self, rows: slice) -> np.ndarray:
        p = None if self._p is None else self._p[rows]
        return inertia_of(self._t[rows], p, self._omega[rows], True)

    def _unkept(self, rows: slice) -> tuple[float, float]:
        """By how much the h of the best body scatters there, of its size, and how much of that is noise. Of rates alone it is
        looked at in windows, for what is integrated from them drifts."""
        t, omega, inertia = self._t[rows], self._omega[rows], self._inertia(rows)
        scatters, noises = [], []
        parts = windows(t, omega, np.inf if self._p is not None else _SEED)
        for part in parts:
            h = omega[part] @ inertia
            p = (
                self._p[rows][part]
                if self._p is not None
                else attitudes_of(t[part], omega[part], np.array([1.0, 0, 0, 0])).p
            )
            in_space = rotate(p, h)
            good = np.isfinite(in_space).all(axis=1)
            size = float(np.mean(norm(h[good]))) if good.any() else 0.0
            if good.sum() < 5 or not size:
                continue
            off = in_space[good] - in_space[good].mean(axis=0)
            scatters.append(float(np.sqrt(np.mean(np.sum(off**2, axis=1)))) / size)
            noises.append(float(np.sqrt(np.mean(np.sum(np.diff(off, 2, axis=0) ** 2, axis=1)) / 6.0)) / size)
        every = norm(omega @ inertia)
        means = [float(np.nanmean(every[part])) for part in parts]
        scatters.append(
            float(np.std(means) / np.mean(means)) if len(means) > 1 and np.mean(means) > 0.0 else 0.0
        )
        return (max(scatters), float(np.median(noises))) if noises else (np.inf, 0.0)

"""A motion from outside, from a file or a script: shown, not computed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Measured, Mutation
from quatviz.base.errors import InputError, phrase
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations.base import Formulation, Solution
from quatviz.physics.geometry.preset_relative_paths import leads_elsewhere, within
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording as Recorded
from quatviz.recordings.loading import load, told
from quatviz.recordings.resampling import Track


class NoRecording(NoClosedForm):
    """The recording of a lane is not there, or cannot be read; the sentence says why."""

    status = "no_recording"


class RecordingParameters(NamedTuple):
    """No kernel reads anything."""


class Recording(Formulation):
    """What somebody measured or computed elsewhere, at the run's samples: as it is at its own, smooth between two that are near,
    nothing in gaps. It takes no part in the equations: body and loads decide what its energy and momentum would be, and events pass
    it by. State (omega, p), 7; no singularity, no steps."""

    name = "recording"
    title = "Recording"
    told = "a motion from outside, from a file or a script: shown, not integrated"
    source = "a file beside the preset; between its samples cubics in the exponential map"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    place = 160
    measured = (Measured("not stepped", "not stepped"),)
    mutations = (
        Mutation(
            "(1.0 - u) * start - u * end",
            "(1.0 - u) * start + u * end",
            file="recordings/resampling.py",
            seen_by="recordings.between_samples",
        ),
        Mutation(
            "omega + 0.5 * across",
            "omega - 0.5 * across",
            file="recordings/resampling.py",
            seen_by="recordings.between_samples",
        ),
        Mutation(
            "lengths[:, None] * convention_of(reading).attitude_of(values)",
            "lengths[:, None] * convention_of(reading).attitude_of(values)[:, [0, 2, 1, 3]]",
            file="recordings/loading.py",
            seen_by="recordings.conventions",
        ),
        Mutation(
            "return rotate_back(p, omega)",
            "return rotate(p, omega)",
            file="recordings/conventions.py",
            seen_by="recordings.conventions",
        ),
    )
    closed_form = True
    recorded = True
    _track: Track | None = None
    _remarks: tuple[str, ...] = ()

    def parameters(self, body: Body, loads: Sequence[Load]) -> RecordingParameters:
        return RecordingParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: RecordingParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: RecordingParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system(self, states: np.ndarray, parameters: RecordingParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # nothing is solved

    def ends(self) -> float:
        return np.inf if self._track is None else self._track.ends

    def remarks(self) -> tuple[str, ...]:
        return self._remarks

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> Solution:
        track = self._track = self._read()
        known = np.flatnonzero(np.isfinite(track.p).all(axis=1))
        # Of the two signs that its attitudes may have the one that is nearer to the lanes beside it.
        sign = -1.0 if len(known) and track.p[known[0]] @ p < 0.0 else 1.0

        def states(t: np.ndarray) -> np.ndarray:
            attitude, rate = track.at(t)
            return np.concatenate((rate, sign * attitude), axis=1)

        return states

    def _read(self) -> Track:
        """What there is to show; `NoRecording` where there is nothing."""
        given = self.settings.recording
        if isinstance(given, Recorded):
            track = Track.of(given)
            self._remarks = (*given.remarks, *track.remarks)
            return track
        assert isinstance(given, Reading)
        if given.folder is None:
            raise NoRecording(
                phrase("a preset that is in no file has no recording {file} beside it", file=given.file)
            )
        if not leads_elsewhere(given.file) and within(given.folder, given.file) is None:
            raise NoRecording(
                phrase("{file} is a link that leads elsewhere: copy the file itself", file=given.file)
            )
        try:
            loaded = load(given)
        except InputError as refusal:
            place = phrase("{place}: {sentence}", place=phrase(refusal.place), sentence=refusal.sentence)
            raise NoRecording(place) from None
        self._remarks = tuple(told(loaded))
        return loaded.track

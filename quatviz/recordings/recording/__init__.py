"""The formulation of lanes that show a recording from a file or script instead of computing a motion."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import InputError, phrase
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.geometry.preset_relative_paths import is_outside_folder, resolve_inside
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording as Recorded
from quatviz.recordings.loading import load, loading_remarks
from quatviz.recordings.resampling import Track


class NoRecording(NoClosedForm):
    """Raised if the recording of a lane is missing or cannot be read. The message gives the reason."""

    status = "no_recording"


class RecordingParameters(NamedTuple):
    """Parameters for kernels. There are none, because a recording is not computed by a kernel."""


class RecordedFormulation(Formulation):
    """A motion measured or computed elsewhere, shown at the samples of the run.

    The motion is exact at the samples of the recording, interpolated smoothly between neighboring samples, and
    undefined in gaps. Body and loads only determine its energy and momentum; events do not affect it. State
    (omega, p), 7; no singularity, no steps.
    """

    name = "recording"
    title = "Recording"
    summary = "a recorded motion from a file or a script, displayed and not integrated"
    source = "a file beside the preset; between its samples cubics in the exponential map"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 160
    measured = (Performance("no steps", "no steps"),)
    has_closed_form = True
    is_recorded = True
    _track: Track | None = None
    _remarks: tuple[str, ...] = ()

    def parameters(self, body: Body, loads: Sequence[Load]) -> RecordingParameters:
        return RecordingParameters()

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: RecordingParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: RecordingParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]

    def system_matrix(self, states: np.ndarray, parameters: RecordingParameters) -> np.ndarray:
        return np.full((3, 3), np.nan)  # nothing is solved

    def end_time(self) -> float:
        return np.inf if self._track is None else self._track.last_known_time

    def recorded_samples(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        track = self._track
        return None if track is None else (track.t, track.p, track.omega)

    def remarks(self) -> tuple[str, ...]:
        return self._remarks

    def solution(self, body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> StateFunction:
        track = self._track = self._read()
        first = track.first_known_row
        # Choose the sign of p that is nearer to the initial state of the other lanes.
        sign = -1.0 if first is not None and track.p[first] @ p < 0.0 else 1.0

        def states(t: np.ndarray) -> np.ndarray:
            attitude, rate = track.at(t)
            return np.concatenate((rate, sign * attitude), axis=1)

        return states

    def _read(self) -> Track:
        """Return the recorded motion, or raise `NoRecording`."""
        source = self.options.recording
        if isinstance(source, Recorded):
            track = Track.from_recording(source)
            self._remarks = (*source.remarks, *track.remarks)
            return track
        assert isinstance(source, ReadOptions)
        if source.folder is None:
            raise NoRecording(
                phrase(
                    "the preset was not saved to a file, so there is no {file} beside it", file=source.file
                )
            )
        if not is_outside_folder(source.file) and resolve_inside(source.folder, source.file) is None:
            raise NoRecording(
                phrase(
                    "{file} is a link to a file outside this folder: copy the file itself", file=source.file
                )
            )
        try:
            loaded = load(source)
        except InputError as refusal:
            message = phrase("{place}: {sentence}", place=phrase(refusal.place), sentence=refusal.sentence)
            raise NoRecording(message) from None
        self._remarks = tuple(loading_remarks(loaded))
        return loaded.track

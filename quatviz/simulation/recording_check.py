"""Check that the angular velocity of a recording agrees with its attitude."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    normalize,
    relative_angle,
    to_rotation_vector,
)

DEGREE_FACTOR_TOLERANCE = 0.1
"""Largest relative deviation from 180/pi of the ratio between recorded and actual rates. Within it, the
recorded rates are assumed to be in degrees per second."""
MAX_RATE_MISMATCH = 0.2
"""Largest accepted relative deviation between the recorded angular velocity and the rate of the recorded
attitude."""
MIN_RECORDED_TURN = 0.5
"""Total rotation [rad] required for a comparison of rates and attitudes; a smaller one may be noise."""
MIN_CORRELATION = 0.7
"""Correlation between recorded rates and rotations from sample to sample below which they are regarded as
unrelated."""
MAX_FOLLOWED_TURN = 2.5
"""Largest rotation [rad] between two samples that is compared. Above pi, only the shorter rotation is visible; this
limit leaves a margin for noise."""
MAX_ALIASED_ERROR = 0.5
"""Largest median angle [rad] between observed rotations and those predicted from the recorded rates, modulo full turns,
with which the rates are accepted. It concerns intervals in which the body rotates by more than `MAX_FOLLOWED_TURN`."""
MIN_INTERVALS = 3
"""Smallest number of sample intervals required for a comparison of rates and attitudes."""


class RecordingCheck(NamedTuple):
    """Result of the check. `mismatch` is a phrase that describes a contradiction between rates and attitudes, `remark`
    one about data that could not be compared; each is "" if there is nothing to report."""

    mismatch: str = ""
    remark: str = ""


def check_recording(formulation: Formulation, stop: float) -> RecordingCheck:
    """Compare the angular velocity of a recorded formulation with its attitude, up to the time `stop` [s].

    The rotation between consecutive recorded samples is compared with the mean angular velocity times the
    interval; a regression gives the factor between the two. If the body rotates by more than half a turn in
    an interval, only the remainder modulo a full turn is visible. These intervals are excluded if the rates
    explain the remainder.
    """
    samples = formulation.recorded_samples()
    if samples is None:
        return RecordingCheck()
    t, p, omega = samples
    count = int(np.searchsorted(t, stop * (1.0 + 1e-9), "right"))
    t, p, omega = t[:count], normalize(p[:count]), omega[:count]
    turns = to_rotation_vector(multiply(conjugate(p[:-1]), p[1:]))
    predicted = 0.5 * (omega[:-1] + omega[1:]) * np.diff(t)[:, None]
    is_known = np.isfinite(turns).all(axis=1) & np.isfinite(predicted).all(axis=1)
    turns, predicted = turns[is_known], predicted[is_known]
    is_fast = np.linalg.norm(predicted, axis=1) > MAX_FOLLOWED_TURN
    unseen = relative_angle(from_rotation_vector(predicted[is_fast]), from_rotation_vector(turns[is_fast]))
    mismatch = _describe_mismatch(turns[~is_fast], predicted[~is_fast])
    if not is_fast.any():
        return RecordingCheck(mismatch)
    is_explained = float(np.median(unseen)) < MAX_ALIASED_ERROR
    if not is_explained:  # the rates may be too large rather than the samples too few
        mismatch = mismatch or _describe_scale(turns, predicted)
    if mismatch:
        return RecordingCheck(mismatch)
    return RecordingCheck(
        remark=phrase(
            "in {count} of {total} sample intervals the recorded body rotates by more than {turn:g} rad: there the "
            "angular velocity was not compared with the attitude",
            count=int(is_fast.sum()), total=len(is_fast), turn=MAX_FOLLOWED_TURN,
        )
    )  # fmt: skip


def _regression(turns: np.ndarray, predicted: np.ndarray) -> tuple[float, float]:
    """Return the factor by which predicted rotations (n, 3) [rad] exceed observed rotations (n, 3) [rad], by
    linear regression, and the correlation of the two."""
    scale = float((predicted * turns).sum() / (turns * turns).sum())
    correlation = scale * math.sqrt(float((turns * turns).sum() / max((predicted * predicted).sum(), 1e-300)))
    return scale, correlation


def _describe_mismatch(turns: np.ndarray, predicted: np.ndarray) -> str:
    """Describe how predicted rotations (n, 3) [rad] contradict observed rotations (n, 3) [rad] of less than half a
    turn. Return "" if they agree."""
    if len(turns) < MIN_INTERVALS or np.linalg.norm(turns, axis=1).sum() < MIN_RECORDED_TURN:
        return ""
    if mismatch := _describe_scale(turns, predicted):
        return mismatch
    scale, correlation = _regression(turns, predicted)
    if correlation > MIN_CORRELATION and abs(scale - 1.0) > MAX_RATE_MISMATCH:
        return phrase(
            "the recorded angular velocity is {scale:.3g} times the rate of the recorded attitude",
            scale=scale,
        )
    if correlation < MIN_CORRELATION:
        return phrase("the recorded angular velocity does not agree with the recorded attitude")
    return ""


def _describe_scale(turns: np.ndarray, predicted: np.ndarray) -> str:
    """Return a message if predicted and observed rotations (n, 3) [rad] show that rates are in degrees or were
    converted twice, otherwise ""."""
    if len(turns) < MIN_INTERVALS or np.linalg.norm(turns, axis=1).sum() < MIN_RECORDED_TURN:
        return ""
    scale, _ = _regression(turns, predicted)
    degrees = 180.0 / math.pi
    if abs(scale / degrees - 1.0) < DEGREE_FACTOR_TOLERANCE:
        return phrase(
            "the recorded angular velocity is {scale:.3g} times too large for the attitude: its unit is degrees per second",
            scale=scale,
        )
    if abs(scale * degrees - 1.0) < DEGREE_FACTOR_TOLERANCE:
        return phrase(
            "the recorded angular velocity is {scale:.3g} times too small for the attitude: it was converted to rad/s twice",
            scale=1.0 / scale,
        )
    return ""

"""Numbers of the lanes at the cursor: those that tell apart lanes of one motion, in words, and those of the equations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.base.formatting import MINUS_SIGN, MISSING_VALUE, format_brief, format_fixed, use_minus_sign
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, LaneFrame, RunInfo
from quatviz.display.data.lazy_columns import interpolate
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import lane_title, make_formulation
from quatviz.physics.formulations._translation import is_coupled
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.quantities import MAX_SHOWN_ROTORS, ROUNDING_LEVEL

_RING_QUANTITIES = ("ring_angle", "ring_rate")


@dataclass(frozen=True)
class ReadoutColumn:
    """A number of each lane: its head, name above unit; the widest text it has room for; and what people are told."""

    heading: str
    widest_text: str
    description: str


READOUT_COLUMNS = (
    ReadoutColumn("λ\nJ", f"{MINUS_SIGN}000.0", "λ: Lagrange multiplier"),
    ReadoutColumn("|p|² − 1", f"{MINUS_SIGN}0e{MINUS_SIGN}00", "|p|² − 1: drift off the unit sphere"),
    ReadoutColumn(
        "ΔE/E₀", f"{MINUS_SIGN}0e{MINUS_SIGN}00", "ΔE/E₀: drift of the energy, where it is constant"
    ),
    ReadoutColumn("error\nrad", f"0e{MINUS_SIGN}00", "error: angle of the rotation from the reference lane"),
    ReadoutColumn("step\nµs", "0.00", "step: processor time for one step, so far"),
)
_ERROR_INDEX = 3
_SEPARATION_COLUMN = ReadoutColumn(
    "apart\nrad",
    READOUT_COLUMNS[_ERROR_INDEX].widest_text,
    "apart: angle of the rotation from the reference lane",
)
"""In the place of the error where the reference lane is another approximation, and may be the one that errs."""


def value_at(source: ColumnSource, lane: str, quantity: str, time: float) -> float:
    """Return a scalar quantity of a lane at `time` [s], which need not be that of a sample; NaN where there is none yet."""
    values = source.values(lane, quantity)[1]
    return float(interpolate(values, time / source.info.sample_interval)[0]) if len(values) else math.nan


def _rotor_momenta_at(source: ColumnSource, lane: str, time: float) -> np.ndarray | None:
    """Momenta (m,) [kg m^2/s] of the rotors at `time` [s]; None where there are none, or more than there are columns for."""
    count = len(source.info.body.rotors)
    if not 0 < count <= MAX_SHOWN_ROTORS:
        return None
    values = source.values(lane, "rotor_momentum")[1]
    return np.asarray(interpolate(values, time / source.info.sample_interval))[:count]


def center_at(source: ColumnSource, lane: str, time: float) -> np.ndarray | None:
    """Center of mass (3,) [m, space] of a lane at `time` [s], on which its loads depend; None where they do not."""
    if not is_coupled(source.info.body, source.info.loads):
        return None
    values = source.values(lane, "centre")[1]
    return np.asarray(interpolate(values, time / source.info.sample_interval)) if len(values) else None


def card_point_at(source: ColumnSource, frame: Frame, index: int) -> EvaluationPoint | None:
    """Return what the equations of a lane have at the cursor, as all other numbers of the window.

    Parameters
    ----------
    source
        Columns of the run.
    frame
        The frame that is shown.
    index
        Number of the lane.

    Returns
    -------
    EvaluationPoint or None
        None until the first sample of the lane is there. A lane that has ended stands where it ended.
    """
    info = source.info
    if index >= len(frame.lanes):
        return None
    lane = frame.lanes[index]
    if lane.pose is None or "p" not in lane.values:
        return None
    if not len(source.values(lane.name, "p")[1]):
        return None  # its kernels are still to come
    time, p, omega = min(frame.time, lane.computed_to), lane.values["p"], lane.values["omega"]
    constrained = not make_formulation(info.formulations[index]).yields_motion
    return EvaluationPoint(
        info.body,
        info.loads,
        time,
        p,
        omega,
        lam=value_at(source, lane.name, "lam", time) if lane.name in info.multipliers else math.nan,
        constraint_rate=value_at(source, lane.name, "constraint_rate", time) if constrained else 0.0,
        J0=info.J0[index] if info.J0 else None,
        rotor_momenta=_rotor_momenta_at(source, lane.name, time),
        center=center_at(source, lane.name, time),
        extras={
            name: value_at(source, lane.name, name, time)
            for name in _RING_QUANTITIES
            if info.body.ring is not None
        },
    )


AGREEMENT_ANGLE = 1e-3
"""Angle [rad] up to which lanes are said to agree."""
_MIN_EXPONENT = -15
"""The least power of ten that is said: below it all is rounding."""


def agreement(lanes: Sequence[LaneFrame]) -> tuple[int, int] | None:
    """How many of the lanes go on, and the power of ten [rad] that no angle between two of them exceeds at the cursor; None
    where there are not two that agree. A lane that has its start alone agrees with nobody yet."""
    active_lanes = [lane for lane in lanes if lane.visible and not lane.frozen and lane.computed_to > 0.0]
    p = [lane.pose.p for lane in active_lanes if lane.pose is not None]
    angles = relative_angle(np.array(p)[:, None], np.array(p)) if len(p) > 1 else np.array([math.inf])
    widest = float(angles.max())
    if not widest < AGREEMENT_ANGLE:
        return None
    return len(p), max(math.ceil(math.log10(widest)), _MIN_EXPONENT) if widest > 0 else _MIN_EXPONENT


ROUNDOFF_LIMIT = 2.0**-53
"""What arithmetic knows of |p|² − 1 and of the part of an energy that is lost: less comes from between two samples, and is 0."""


def group_equal_texts(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The numbers of all lanes whose value each text stands for: lanes whose digits agree have it where the first of them stands,
    and the others nothing. What has no value has no text beside those that have one, for a dash before a number would be its sign.

    >>> group_equal_texts(["–", "+1.0", "+2.0", "+1.0"]), group_equal_texts(["–", "–"])
    ([(), (1, 3), (2,), ()], [(0,), (1,)])
    """
    indices_by_text: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        indices_by_text.setdefault(text, []).append(number)
    if indices_by_text.keys() == {MISSING_VALUE}:
        return [(number,) for number in range(len(texts))]
    first = {same[0]: tuple(same) for text, same in indices_by_text.items() if text != MISSING_VALUE}
    return [first.get(number, ()) for number in range(len(texts))]


class LaneReadouts:
    """What the lines say, made anew where a frame reads other numbers."""

    def __init__(self) -> None:
        self._source: ColumnSource | None = None
        self._key: object = None
        self._largest_multiplier = 0.0
        """The greatest |λ| so far, which decides on its decimals: lanes line up, and digits keep their places."""

    def start(self, source: ColumnSource) -> None:
        """A run begins."""
        self._source, self._largest_multiplier = source, 0.0
        self.invalidate()

    def invalidate(self) -> None:
        """Say everything once more."""
        self._key = None

    def columns(self, reference: str) -> tuple[ReadoutColumn, ...]:
        """What the numbers are, with this lane as the reference."""
        if self._source is None or reference in self._source.info.exact:
            return READOUT_COLUMNS
        return (*READOUT_COLUMNS[:_ERROR_INDEX], _SEPARATION_COLUMN, *READOUT_COLUMNS[_ERROR_INDEX + 1 :])

    def texts(self, frame: Frame, reference: str) -> list[tuple[str, ...]] | None:
        """The texts of every lane by column; None while those of the last time still stand."""
        key = (
            frame.time, reference, tuple((lane.status, lane.computed_to, lane.cost) for lane in frame.lanes),
        )  # fmt: skip
        if self._source is None or key == self._key or (self._key is not None and not frame.updates_readouts):
            return None
        self._key = key
        multipliers = [self._multiplier(lane, frame.time) for lane in frame.lanes]
        magnitudes = [abs(value) for value in multipliers if math.isfinite(value)]
        self._largest_multiplier = max([self._largest_multiplier, *magnitudes])
        other = next((lane for lane in frame.lanes if lane.name == reference), None)
        shows_separation = _SEPARATION_COLUMN in self.columns(reference) and len(frame.lanes) > 1
        return [
            (
                multiplier_text(value, self._largest_multiplier),
                *self._drifts(lane),
                tr("ref.") if lane is other and shows_separation else self._error_text(lane, other),
                _cost_text(lane.cost),
            )
            for lane, value in zip(frame.lanes, multipliers, strict=True)
        ]

    def _error_text(self, lane: LaneFrame, other: LaneFrame | None) -> str:
        """Lanes under other loads make other motions, which have no error."""
        assert self._source is not None
        if other is not None and not self._source.info.has_same_loads(lane.name, other.name):
            return MISSING_VALUE
        return _error_text(lane, other)

    def _multiplier(self, lane: LaneFrame, time: float) -> float:
        """Return λ [J] at the cursor; NaN where there is none, and 0 where it is that but for rounding."""
        assert self._source is not None
        info = self._source.info
        if lane.name not in info.multipliers or lane.pose is None:
            return math.nan
        value = value_at(self._source, lane.name, "lam", time)
        return 0.0 if abs(value) < ROUNDING_LEVEL * info.sizes.get("J", 0.0) else value

    def _drifts(self, lane: LaneFrame) -> tuple[str, str]:
        assert self._source is not None
        constants = self._source.info.constants
        constraint, energy_drift = (
            float(lane.values[name][0]) if name in lane.values and name in constants else math.nan
            for name in ("constraint", "energy_drift")
        )
        return format_brief(_zero_below_roundoff(constraint)), format_brief(
            _zero_below_roundoff(energy_drift)
        )


def _zero_below_roundoff(value: float) -> float:
    return 0.0 if abs(value) < ROUNDOFF_LIMIT else value


def multiplier_text(value: float, largest: float) -> str:
    """λ with four digits where it is `largest`; as a power of ten where that is very large or small."""
    if not math.isfinite(value):
        return MISSING_VALUE
    if not 1e-2 <= largest < 1e5:
        return format_brief(value, 1)
    return format_fixed(value, min(max(3 - math.floor(math.log10(max(largest, 1.0))), 0), 3))


def _error_text(lane: LaneFrame, other: LaneFrame | None) -> str:
    """A lane that stands still where it ended has no error any more, and the reference lane none at all."""
    poses = lane.pose, other.pose if other is not None else None
    if other is None or lane.name == other.name or lane.frozen or other.frozen or None in poses:
        return MISSING_VALUE
    assert lane.pose is not None
    assert other.pose is not None
    return format_brief(float(relative_angle(lane.pose.p, other.pose.p)))


def _cost_text(seconds: float) -> str:
    return (
        MISSING_VALUE
        if math.isnan(seconds)
        else format_fixed(seconds * 1e6, 2 if seconds < 1e-5 else 1 if seconds < 1e-4 else 0)
    )


def lane_heading(info: RunInfo, lane: LaneFrame, lane_id: str, time: float) -> str:
    """What stands over the numbers of a lane at `time` [s]: its name, with its formulation where that is another, and the time
    of its last sample where they are of that."""
    name, form = lane_title(lane.name), lane_title(lane_id)
    title = name if name == form else f"{name} ({form})"
    return (
        tr("{lane}, at its last sample, {time} s", lane=title, time=info.time_text(time))
        if lane.frozen
        else title
    )


EXPONENT_FORMAT_LIMIT = 1e6
"""Numbers from here on are written as powers of ten: those of a lane that is about to end."""


@dataclass(frozen=True)
class ReadoutGroup:
    """Components of one quantity under one heading."""

    quantity: str
    decimals: int
    """Of its numbers, where there is room."""
    form: str = "f"
    """`f` for fixed decimals, `e` for the power of ten of what is exactly 0 and drifts from it."""

    def text(self, value: float, fewer: int = 0) -> str:
        """A value with its sign, with `fewer` decimals than there could be; nothing but 0 where no digit would say more."""
        if self.form == "e" and abs(value) < ROUNDOFF_LIMIT:
            return "0"
        form = "e" if abs(value) >= EXPONENT_FORMAT_LIMIT else self.form
        return use_minus_sign(f"{value:+.{max(self.decimals - fewer, 0)}{form}}")


READOUT_GROUPS = (
    ReadoutGroup("p", 6),
    ReadoutGroup("omega", 6),
    ReadoutGroup("h", 4),
    ReadoutGroup("energy", 5),
    ReadoutGroup("constraint", 1, "e"),
    ReadoutGroup("energy_drift", 1, "e"),
)

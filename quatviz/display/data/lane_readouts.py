"""Values of the lanes at the cursor, for two uses: readouts that compare lanes of the same motion, and the displayed
equations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting import (
    MINUS_SIGN,
    MISSING_VALUE,
    format_brief,
    format_fixed,
    format_power_of_ten,
    use_minus_sign,
)
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
    """A column of numbers: its title (name above unit), the widest text that must fit, and its description."""

    title: str
    widest_text: str
    description: str


READOUT_COLUMNS = (
    ReadoutColumn(
        "λ\nJ",
        f"{MINUS_SIGN}000.0",
        "λ: Lagrange multiplier of the constraint p·p = 1 [J]; it depends on how the equations are written; "
        "press E for the equations",
    ),
    ReadoutColumn("|p|² − 1", f"{MINUS_SIGN}0e{MINUS_SIGN}00", "|p|² − 1: error of the constraint |p| = 1"),
    ReadoutColumn(
        "ΔE/E₀",
        f"{MINUS_SIGN}0e{MINUS_SIGN}00",
        "ΔE/E₀: relative drift of the energy, where it should be constant",
    ),
    ReadoutColumn("error\nrad", f"0e{MINUS_SIGN}00", "error: angle of the rotation from the reference lane"),
    ReadoutColumn("step\nµs", "0.00", "step: CPU time per step, averaged over the run so far"),
)
_ERROR_INDEX = 3
_SEPARATION_COLUMN = ReadoutColumn(
    "diff.\nrad",
    READOUT_COLUMNS[_ERROR_INDEX].widest_text,
    "diff.: angle of the rotation from the reference lane",
)
"""Column with the angle between a lane and the reference lane. It replaces the error column if the reference lane is
not an exact solution, because the angle is then a difference and not the error of the lane."""


def value_at(source: ColumnSource, lane: str, quantity: str, time: float) -> float:
    """Return a scalar quantity of a lane interpolated at `time` [s]; NaN if it is not computed yet."""
    values = source.values(lane, quantity)[1]
    return float(interpolate(values, time / source.info.sample_interval)[0]) if len(values) else math.nan


def _rotor_momenta_at(source: ColumnSource, lane: str, time: float) -> np.ndarray | None:
    """Return the rotor momenta (m,) [kg m^2/s] at `time` [s]; None without rotors or with
    more than `MAX_SHOWN_ROTORS`."""
    count = len(source.info.body.rotors)
    if not 0 < count <= MAX_SHOWN_ROTORS:
        return None
    values = source.values(lane, "rotor_momentum")[1]
    return np.asarray(interpolate(values, time / source.info.sample_interval))[:count]


def is_lane_coupled(info: RunInfo, index: int) -> bool:
    """Return True if rotation and translation of the lane with this index depend on each other."""
    return is_coupled(info.body, info.loads_of(index))


def center_at(source: ColumnSource, lane: str, time: float) -> np.ndarray | None:
    """Return the position (3,) [m, space] of a lane's center of mass at `time` [s]. None if the lane's
    rotation does not depend on the translation, or if no row is computed yet."""
    if not is_lane_coupled(source.info, source.info.lanes.index(lane)):
        return None
    values = source.values(lane, "centre")[1]
    return np.asarray(interpolate(values, time / source.info.sample_interval)) if len(values) else None


def card_point_at(source: ColumnSource, frame: Frame, index: int) -> EvaluationPoint | None:
    """Return the values that the equations of a lane need, at the cursor.

    Parameters
    ----------
    source
        Columns of the run.
    frame
        The frame that is shown.
    index
        Index of the lane.

    Returns
    -------
    EvaluationPoint or None
        None until the first sample of the lane is computed. For a lane that has ended, its last sample.
    """
    info = source.info
    if index >= len(frame.lanes):
        return None
    lane = frame.lanes[index]
    if lane.pose is None or "p" not in lane.values:
        return None
    if not len(source.values(lane.name, "p")[1]):
        return None  # The kernels are not ready yet.
    time, p, omega = min(frame.time, lane.computed_to), lane.values["p"], lane.values["omega"]
    constrained = not make_formulation(info.formulations[index]).yields_motion
    return EvaluationPoint(
        info.body,
        info.loads_of(index),
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
"""Largest angle [rad] between two attitudes at which lanes are reported to agree."""
_MIN_EXPONENT = -15
"""Smallest exponent of ten that `agreement` reports for an angle [rad]. Smaller angles are round-off."""


class LaneAgreement(NamedTuple):
    """How closely the active lanes agree at the cursor."""

    lane_count: int
    """Number of active lanes."""
    angle_text: str
    """Bound on all angles between the lanes [rad]: a power of ten if they agree, else the largest angle
    with one digit."""
    agrees: bool
    """True if all angles are below `AGREEMENT_ANGLE`."""


def agreement(lanes: Sequence[LaneFrame]) -> LaneAgreement | None:
    """Return how closely the active lanes agree at the cursor, or None if fewer than two lanes are active. A lane
    with only its first sample does not count."""
    active_lanes = [lane for lane in lanes if lane.visible and not lane.frozen and lane.computed_to > 0.0]
    p = [lane.pose.p for lane in active_lanes if lane.pose is not None]
    if len(p) < 2:
        return None
    widest = float(relative_angle(np.array(p)[:, None], np.array(p)).max())
    if not math.isfinite(widest):
        return None
    if widest >= AGREEMENT_ANGLE:
        return LaneAgreement(len(p), f"{widest:.1g}", False)
    exponent = max(math.ceil(math.log10(widest)), _MIN_EXPONENT) if widest > 0 else _MIN_EXPONENT
    return LaneAgreement(len(p), format_power_of_ten(exponent), True)


ROUNDOFF_LIMIT = 2.0**-53
"""Values of |p|² − 1 and of the relative energy change whose magnitude is below this limit are due to round-off or
interpolation, and are shown as 0."""


def group_equal_texts(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Group lanes with equal texts. The text of a group is displayed once, at its first lane.

    If at least one lane has a value, lanes without a value get no text, because a dash before a number would
    look like a minus sign.

    Returns
    -------
    list
        For each lane, the indices of the lanes that share the text shown there; () if no text is shown there.

    Examples
    --------
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
    """The readout texts of the lanes. They change only if a frame shows other numbers."""

    def __init__(self) -> None:
        self._source: ColumnSource | None = None
        self._key: object = None
        self._largest_multiplier = 0.0
        """Largest |λ| so far. It determines the number of decimals for all lanes, so that digits stay aligned."""

    def start(self, source: ColumnSource) -> None:
        """Take the values from a new run, and reset the decimals."""
        self._source, self._largest_multiplier = source, 0.0
        self.invalidate()

    def invalidate(self) -> None:
        """Mark all texts as outdated, so that the next call of `texts` returns them."""
        self._key = None

    def columns(self, reference: str) -> tuple[ReadoutColumn, ...]:
        """Return the readout columns if `reference` is the reference lane."""
        if self._source is None or reference in self._source.info.exact:
            return READOUT_COLUMNS
        return (*READOUT_COLUMNS[:_ERROR_INDEX], _SEPARATION_COLUMN, *READOUT_COLUMNS[_ERROR_INDEX + 1 :])

    def texts(self, frame: Frame, reference: str) -> list[tuple[str, ...]] | None:
        """Return the texts of every lane by column; None if they have not changed."""
        if self._source is None or (self._key is not None and not frame.updates_readouts):
            return None
        key = (
            frame.time, reference, tuple((lane.status, lane.computed_to, lane.cost) for lane in frame.lanes),
        )  # fmt: skip
        if key == self._key:
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
        """Return the angle [rad] between a lane and the reference lane `other` as text; a dash if the two
        lanes have different loads."""
        assert self._source is not None
        if other is not None and not self._source.info.has_same_loads(lane.name, other.name):
            return MISSING_VALUE
        return _error_text(lane, other)

    def _multiplier(self, lane: LaneFrame, time: float) -> float:
        """Return λ [J] at the cursor; NaN if there is none, and 0 if it is round-off."""
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
    """Format λ with four digits at the size of `largest`; as a power of ten if that is very large or small."""
    if not math.isfinite(value):
        return MISSING_VALUE
    if not 1e-2 <= largest < 1e5:
        return format_brief(value, 1)
    return format_fixed(value, min(max(3 - math.floor(math.log10(max(largest, 1.0))), 0), 3))


def _error_text(lane: LaneFrame, other: LaneFrame | None) -> str:
    """Return the angle [rad] between a lane and the reference lane `other` as text; a dash for the
    reference lane itself and for lanes that have ended."""
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
    """Return the heading of a lane's numbers: its name, and its formulation if the user has given it another name. For
    a lane that has ended before the cursor, `time` [s] is added as the time of its last sample."""
    name, form = lane_title(lane.name), lane_title(lane_id)
    title = name if name == form else f"{name} ({form})"
    return (
        tr("{lane}, at its last sample, {time} s", lane=title, time=info.time_text(time))
        if lane.frozen
        else title
    )


EXPONENT_FORMAT_LIMIT = 1e6
"""Absolute value from which on numbers are written as powers of ten. Only diverging lanes have such
numbers."""


@dataclass(frozen=True)
class ReadoutGroup:
    """The components of one quantity that the readouts show under one heading, and their number format."""

    quantity: str
    decimals: int
    """Usual number of decimals. In a narrow display, `text` drops some decimals."""
    form: str = "f"
    """Number format: `f` for fixed decimals, `e` for powers of ten, used for drifts from zero."""

    def text(self, value: float, fewer: int = 0) -> str:
        """Format a value with its sign and `fewer` decimals than usual. A drift below round-off becomes 0, and NaN
        becomes a dash."""
        if math.isnan(value):
            return MISSING_VALUE
        if self.form == "e" and abs(value) < ROUNDOFF_LIMIT:
            return "0"
        decimals = max(self.decimals - fewer, 0)
        if self.form == "f" and abs(value) < EXPONENT_FORMAT_LIMIT:
            return format_fixed(
                round(value, decimals) + 0.0, decimals, signed=True
            )  # + 0.0 drops the sign of −0
        return use_minus_sign(f"{value:+.{decimals}e}")


READOUT_GROUPS = (
    ReadoutGroup("p", 6),
    ReadoutGroup("omega", 6),
    ReadoutGroup("h", 4),
    ReadoutGroup("energy", 5),
    ReadoutGroup("constraint", 1, "e"),
    ReadoutGroup("energy_drift", 1, "e"),
)
MULTIPLIER_GROUP = ReadoutGroup("lam", 5)
"""The λ of a lane, for lanes whose formulation has a multiplier. Lanes of the same motion differ in λ, because it
depends on how the equations are written."""

"""All orientations in a ball, or all Euler parameters in two: what p and -p have to do with each other."""

from __future__ import annotations

import math

import numpy as np

from quatviz.core.rotations import normalise
from quatviz.core.stereographic import ball_path, orientation_point, sheet_of, stereographic
from quatviz.ui.frame import Frame
from quatviz.ui.panels.base import Reading
from quatviz.ui.plotting.choices import Choice
from quatviz.ui.plotting.globe import Label, Path, Picture, axis_labels
from quatviz.ui.plotting.globe_item import Spot
from quatviz.ui.plotting.globe_panel import GlobePanel
from quatviz.ui.plotting.numbers import MISSING, fixed

MOST_MARKS = 40
"""Crossings that are marked, at most: more would hide the ball."""
_QUARTER = math.tan(math.pi / 8)
"""Distance from the centre at which a rotation is a quarter turn."""
RINGS = (((_QUARTER, "90°"), (1.0, "180°")), ((_QUARTER, "270°"), (1.0, "180°")))
"""The angles of the rotations in either ball, at these distances from its centre."""
_NO_AXIS = 1e-6
"""Rotations of less than four times this angle [rad] are said to have no axis."""


class OrientationBall(GlobePanel):
    """Stereographic projection of the Euler parameters: r = tan(angle/4) times the axis of the rotation."""

    name = "orientation_ball"
    title = "Orientation ball"
    order = 12
    choice = Choice("sheets", "p and −p", ("one", "both"), ("p and −p as one", "both sheets"), opens=True)

    def __init__(self) -> None:
        super().__init__()
        self._now: list[tuple[str, np.ndarray, float, np.ndarray]] = []

    def words(self, option: str) -> str:
        if option == "one":
            return (
                "Each point is an orientation: its direction is the axis of the rotation, its distance from the centre "
                "tells the angle. The surface is half a turn, where opposite points are the same orientation: a path "
                "that leaves there comes back on the other side."
            )
        return (
            "Every orientation is here twice, as p and as −p, at opposite points of the two balls. Their surfaces are "
            "one: a path leaves one ball and goes on in the other at the same point. One full turn leads from centre to "
            "centre; only two turns close the path."
        )

    def picture(self, frame: Frame) -> Picture:
        lanes, one = self.lanes(frame), self.option == "one"
        paths: list[Path] = []
        marks: list[Label] = []
        for lane in lanes:
            rows = self.rows(lane.name, "p", frame)
            found = ball_path(rows.values, one)
            times = np.interp(found.rows, np.arange(len(rows.times)), rows.times)
            paths.append(Path(lane.name, lane.colour, found.points, times, _globe(found.sheets)))
            if not marks and len(found.leaves) <= MOST_MARKS:
                for number, (left, came) in enumerate(zip(found.leaves, found.returns, strict=True)):
                    text = "" if number else "the same orientation" if one else "the same p"
                    marks += [Label(left, text), Label(came, text, globe=0 if one else 1)]
        return Picture(
            solid=True,
            circles=False,
            rings=RINGS if not one else RINGS[:1],
            paths=tuple(paths),
            labels=self._labels(1 if one else 2),
            captions=("",) if one else ("e₀ ≥ 0: 0° to 180°", "e₀ < 0: 180° to 360°"),
            marks=tuple(marks),
        )

    def spots(self, frame: Frame) -> list[Spot]:
        made, one = [], self.option == "one"
        self._now = []
        for lane in self.lanes(frame):
            p = self._p(lane.name, frame.time)
            r = orientation_point(p) if one else stereographic(p)
            globe = 0 if one else int(_globe(sheet_of(p)))
            angle, axis = _turn(r, globe)
            self._now.append((lane.name, r, angle, axis))
            numbers = ", ".join(fixed(value, 3) for value in axis) if np.isfinite(axis).all() else MISSING
            made.append(Spot(lane.colour, r, f"{fixed(angle, 1)}° about ({numbers})", globe, lane.frozen))
        return made

    def readings(self) -> list[Reading]:
        made = []
        for lane, r, angle, axis in self._now:
            for number in range(3):
                made.append(Reading(lane, "stereographic", f"r{number + 1}", float(r[number]), "", ""))
            made.append(Reading(lane, "stereographic", "|r|", float(np.linalg.norm(r)), "", ""))
            made.append(Reading(lane, "rotation", "angle", angle, "deg", ""))
            for number in range(3):
                made.append(
                    Reading(lane, "rotation", f"axis {number + 1}", float(axis[number]), "", "body and space")
                )
        return made

    def _labels(self, globes: int) -> tuple[Label, ...]:
        return axis_labels(np.ones(3), both=True, globes=globes)

    def _p(self, lane: str, time: float) -> np.ndarray:
        """Between rows, but for a sign that jumps there."""
        rows, share = self.pair(lane, "p", time)
        first, last = normalise(rows)[[0, -1]]
        return first if first @ last < 0 else normalise(first + share * (last - first))


def _globe(sheets: np.ndarray) -> np.ndarray:
    """0 for e0 >= 0, 1 for the other sheet."""
    return np.where(sheets < 0, 1, 0)


def _turn(r: np.ndarray, globe: int) -> tuple[float, np.ndarray]:
    """The angle [deg] of the rotation from 0 to 180, on the other sheet from 180 to 360, and its axis (3,)."""
    size = float(np.linalg.norm(r))
    angle = math.degrees(4.0 * math.atan(size))
    return (360.0 - angle if globe else angle), r / size if size > _NO_AXIS else np.full(3, np.nan)

"""All orientations in a ball, or all Euler parameters in two: what p and -p have to do with each other."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.base.formatting import fixed
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import Reading
from quatviz.display.panels.base.globe import GlobePanel, GlobePicture, Label, Path, Sight, Spot, axis_labels
from quatviz.display.view_state.choices import Choice
from quatviz.physics.mechanics.stereographic import (
    BallPath,
    ball_path,
    orientation_point,
    sheet_of,
    stereographic,
)

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
    told = "all orientations, and the motion as a path among them: see [phase space](experiments.md#pictures-of-phase-space)"
    order = 12
    quantity = "p"
    choice = Choice("sheets", "p and −p", ("one", "both"), ("p and −p as one", "both sheets"), opens=True)

    def words(self, option: str, info: RunInfo) -> str:
        if option == "one":
            return tr(
                "Each point is an orientation: its direction is the axis of the rotation, its distance from the centre "
                "tells the angle. The surface is half a turn, where opposite points are the same orientation: a path "
                "that leaves there comes back on the other side."
            )
        return tr(
            "Every orientation is here twice, as p and as −p, at opposite points of the two balls. Their surfaces are "
            "one: a path leaves one ball and goes on in the other at the same point. One full turn leads from centre to "
            "centre; only two turns close the path."
        )

    def picture(self, sight: Sight) -> GlobePicture:
        lanes, one = sight.lanes, sight.option == "one"
        paths: list[Path] = []
        marks: list[Label] = []
        for lane in lanes:
            rows = sight.rows(lane.name)
            found = ball_path(rows.values, one)
            times = np.interp(found.rows, np.arange(len(rows.times)), rows.times)
            paths.append(Path(lane.name, lane.colour, found.points, times, _globe(found.sheets)))
            if not marks and len(found.leaves) <= MOST_MARKS:
                marks = _marks(found, one)
        return GlobePicture(
            solid=True,
            circles=False,
            rings=RINGS if not one else RINGS[:1],
            paths=tuple(paths),
            labels=axis_labels(np.ones(3), both=True, globes=1 if one else 2),
            captions=("",) if one else (tr("e₀ ≥ 0: 0° to 180°"), tr("e₀ < 0: 180° to 360°")),
            marks=tuple(marks),
        )

    def spots(self, sight: Sight, picture: GlobePicture) -> list[Spot]:
        lanes, one = sight.lanes, sight.option == "one"
        p = np.array([sight.at_cursor(lane.name) for lane in lanes]).reshape(-1, 4)
        points = orientation_point(p) if one else stereographic(p)
        globes = np.zeros(len(p), dtype=int) if one else _globe(sheet_of(p))
        angles, axes = _turns(points, globes)
        return [
            Spot(
                lane.colour,
                point,
                _text(angle, axis),
                globe,
                lane.frozen,
                tuple(_readings(lane.name, point, angle, axis)),
            )
            for lane, point, angle, axis, globe in zip(
                lanes, points, angles.tolist(), axes.tolist(), globes.tolist(), strict=True
            )
        ]


def _readings(lane: str, r: np.ndarray, angle: float, axis: list[float]) -> Iterator[Reading]:
    for number in range(3):
        yield Reading(lane, "stereographic", f"r{number + 1}", float(r[number]), "", "")
    yield Reading(lane, "stereographic", "|r|", float(np.linalg.norm(r)), "", "")
    yield Reading(lane, "rotation", "angle", angle, "deg", "")
    for number in range(3):
        yield Reading(lane, "rotation", f"axis {number + 1}", axis[number], "", "body and space")


def _marks(found: BallPath, one: bool) -> list[Label]:
    """Both points at which a path goes through the surface; the first ones are named."""
    marks = []
    for number, left in enumerate(_globe(found.left).tolist()):
        text = "" if number else tr("the same orientation") if one else tr("the same p")
        marks.append(Label(found.leaves[number], text, globe=left))
        marks.append(Label(found.returns[number], text, globe=left if one else 1 - left))
    return marks


def _globe(sheets: np.ndarray) -> np.ndarray:
    """0 for e0 >= 0, 1 for the other sheet."""
    return np.where(sheets < 0, 1, 0)


def _turns(points: np.ndarray, globes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The angles (n,) [deg] of rotations from 0 to 180, on the other sheet from 180 to 360, and their axes (n, 3), NaN
    where there is none."""
    sizes = np.linalg.norm(points, axis=1)
    angles = np.degrees(4.0 * np.arctan(sizes))
    axes = points / np.where(sizes > _NO_AXIS, sizes, np.nan)[:, None]
    return np.where(globes == 1, 360.0 - angles, angles), axes


def _text(angle: float, axis: list[float]) -> str:
    numbers = ", ".join(fixed(value, 3) for value in axis)
    return tr("{angle}° about ({numbers})", angle=fixed(angle, 1), numbers=numbers)

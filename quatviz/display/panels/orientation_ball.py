"""Panel of the attitude as a path in a ball of all attitudes, or in two balls of all Euler parameters, which
shows how p and -p are related."""

import math
from collections.abc import Iterator

import numpy as np

from quatviz.base.formatting import format_fixed
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import ValueReading
from quatviz.display.panels.base.globe import (
    CursorPoint,
    GlobeContext,
    GlobeLabel,
    GlobePanel,
    GlobePath,
    GlobePicture,
    axis_labels,
)
from quatviz.display.view_state.choices import Choice
from quatviz.physics.mechanics.stereographic import (
    BallPath,
    ball_path,
    orientation_point,
    sheet_of,
    stereographic,
)

MAX_MARKED_CROSSINGS = 40
"""Largest number of marked surface crossings. More would hide the ball."""
_QUARTER_TURN_RADIUS = math.tan(math.pi / 8)
"""Distance from the center at which the rotation angle is 90 degrees."""
ROTATION_ANGLE_RINGS = (
    ((_QUARTER_TURN_RADIUS, "90°"), (1.0, "180°")),
    ((_QUARTER_TURN_RADIUS, "270°"), (1.0, "180°")),
)
"""Rings drawn in each ball: distance from the center, and rotation angle at that distance as text."""
_MIN_AXIS_RADIUS = 1e-6
"""Radius below which the rotation axis is undefined. At small radii, the rotation angle [rad] is four times the radius."""


class OrientationBall(GlobePanel):
    """Stereographic projection of the Euler parameters: a point is the rotation axis times r = tan(angle/4)."""

    name = "orientation_ball"
    title = "Orientation ball"
    summary = "all attitudes and the path of the motion in a ball: see [phase space](experiments.md#pictures-of-phase-space)"
    order = 12
    quantity = "p"
    choice = Choice(
        "sheets",
        "p and −p",
        ("one", "both"),
        ("one ball for p and −p", "two balls for p and −p"),
        in_menu=True,
    )

    def explanation(self, option: str, info: RunInfo) -> str:
        if option == "one":
            return tr(
                "Each point is an orientation: its direction is the rotation axis, its distance from the center gives the "
                "angle. The surface is half a turn, where opposite points are the same orientation: a path "
                "that leaves the ball returns on the other side."
            )
        return tr(
            "Every orientation appears twice, as p and as −p, at opposite points of the two balls. Their surfaces are "
            "the same: a path that leaves one ball continues in the other at this point. One full turn leads from center to "
            "center; only two turns close the path."
        )

    def picture(self, context: GlobeContext) -> GlobePicture:
        lanes, single_sheet = context.lanes, context.option == "one"
        paths: list[GlobePath] = []
        marks: list[GlobeLabel] = []
        for lane in lanes:
            rows = context.drawn_rows(lane.name)
            path = ball_path(rows.values, single_sheet)
            times = np.interp(path.rows, np.arange(len(rows.times)), rows.times)
            paths.append(GlobePath(lane.name, lane.color, path.points, times, _globe_index(path.sheets)))
            if not marks and len(path.exit_points) <= MAX_MARKED_CROSSINGS:
                marks = _crossing_labels(path, single_sheet)
        return GlobePicture(
            has_inner_paths=True,
            shows_circles=False,
            rings=ROTATION_ANGLE_RINGS if not single_sheet else ROTATION_ANGLE_RINGS[:1],
            paths=tuple(paths),
            labels=axis_labels(np.ones(3), both=True, globes=1 if single_sheet else 2),
            captions=("",) if single_sheet else (tr("e₀ ≥ 0: 0° to 180°"), tr("e₀ < 0: 180° to 360°")),
            marks=tuple(marks),
        )

    def cursor_points(self, context: GlobeContext, picture: GlobePicture) -> list[CursorPoint]:
        lanes, single_sheet = context.lanes, context.option == "one"
        p = np.array([context.value_at_cursor(lane.name) for lane in lanes]).reshape(-1, 4)
        points = orientation_point(p) if single_sheet else stereographic(p)
        globes = np.zeros(len(p), dtype=int) if single_sheet else _globe_index(sheet_of(p))
        angles, axes = _angles_and_axes(points, globes)
        return [
            CursorPoint(
                lane.color,
                point,
                _rotation_text(angle, axis),
                globe,
                lane.frozen,
                tuple(_readings(lane.name, point, angle, axis)),
            )
            for lane, point, angle, axis, globe in zip(
                lanes, points, angles.tolist(), axes.tolist(), globes.tolist(), strict=True
            )
        ]


def _readings(lane: str, r: np.ndarray, angle: float, axis: list[float]) -> Iterator[ValueReading]:
    for number in range(3):
        yield ValueReading(lane, "stereographic", f"r{number + 1}", float(r[number]), "", "")
    yield ValueReading(lane, "stereographic", "|r|", float(np.linalg.norm(r)), "", "")
    yield ValueReading(lane, "rotation", "angle", angle, "deg", "")
    for number in range(3):
        yield ValueReading(lane, "rotation", f"axis {number + 1}", axis[number], "", "body and space")


def _crossing_labels(path: BallPath, single_sheet: bool) -> list[GlobeLabel]:
    """Return the labels of surface crossings. Each crossing has two: at the point where the path leaves a ball and at
    the point where it enters again. Only the first crossing has texts."""
    labels = []
    for number, globe in enumerate(_globe_index(path.left_sheets).tolist()):
        text = (
            ""
            if number
            else tr("same orientation as the opposite point")
            if single_sheet
            else tr("same p as on the other ball")
        )
        labels.append(GlobeLabel(path.exit_points[number], text, globe=globe))
        labels.append(GlobeLabel(path.entry_points[number], text, globe=globe if single_sheet else 1 - globe))
    return labels


def _globe_index(sheets: np.ndarray) -> np.ndarray:
    """Return the index (n,) of the ball that contains each point: 0 for e0 >= 0, and 1 for e0 < 0. `sheets`
    (n,) has the sign of e0."""
    return np.where(sheets < 0, 1, 0)


def _angles_and_axes(points: np.ndarray, globes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotation angles (n,) [deg] and axes (n, 3) of points in the balls. Angles are 180 to 360 on
    the second sheet (e0 < 0). Axes are NaN if undefined."""
    sizes = np.linalg.norm(points, axis=1)
    angles = np.degrees(4.0 * np.arctan(sizes))
    axes = points / np.where(sizes > _MIN_AXIS_RADIUS, sizes, np.nan)[:, None]
    return np.where(globes == 1, 360.0 - angles, angles), axes


def _rotation_text(angle: float, axis: list[float]) -> str:
    numbers = ", ".join(format_fixed(value, 3) for value in axis)
    return tr("{angle}° about ({numbers})", angle=format_fixed(angle, 1), numbers=numbers)

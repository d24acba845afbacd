"""Renderer that draws a body with QPainter in the style of the 3D view. It is fast enough for tiles and needs no OpenGL."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPen, QPolygonF, QRadialGradient

from quatviz.display.view_state.camera import Camera
from quatviz.display.view_state.theme import Theme
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.solid import make_facets

_OVERSAMPLING = 2
"""Ratio of rendered to shown pixels in each direction. Scaling down smooths edges at a lower cost than antialiased polygons."""
_LIGHT_DIRECTION = np.array((0.35, 0.45, 0.82)) / np.linalg.norm((0.35, 0.45, 0.82))
"""Unit vector from the body to the light in camera axes: right, up and towards the viewer."""
_MIN_BRIGHTNESS = 0.5
_SHADES = 64
"""Number of shades of each body color. A facet of nearly constant brightness is filled with one shade, any other facet with a
gradient."""
_MARGIN = 1.06


class BodyRenderer:
    """Renderer of one body. The surface is divided into flat facets when the renderer is created."""

    def __init__(self, body: Body) -> None:
        self._facets = make_facets(body)

    def render(
        self, rotation: np.ndarray, reference_rotation: np.ndarray, size: QSize, theme: Theme
    ) -> QImage:
        """Return an image of the rotated body.

        Parameters
        ----------
        rotation
            Rotation matrix (3, 3) from the body frame to the space frame.
        reference_rotation
            Rotation matrix (3, 3) for which the camera shows the whole body.
        size
            Size of the image [device pixels].
        theme
            Theme with the colors.
        """
        area = QRectF(0.0, 0.0, size.width() * _OVERSAMPLING, size.height() * _OVERSAMPLING)
        camera, target = Camera(), reference_rotation @ self._facets.middle
        camera.fit(target, _MARGIN * self._facets.reach, area.width() / max(area.height(), 1.0))
        image = _draw_background(area, self._to_pixels(camera, area, self._shadow_points(target))[0], theme)
        with QPainter(image) as painter:
            self._draw_pivot_line(painter, camera, area, rotation, theme)
            self._draw_body(painter, camera, area, rotation, theme)
        return image.scaled(
            size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )

    def _shadow_points(self, target: np.ndarray) -> np.ndarray:
        """Return the center, the right end and the near end of the elliptical shadow on the ground (3, 3), space frame."""
        reach = self._facets.reach
        ground = target - np.array((0.0, 0.0, reach))
        return ground + reach * np.array(((0.0, 0.0, 0.0), (0.6, 0.9, 0.0), (0.9, -0.6, 0.0)))

    def _to_pixels(self, camera: Camera, area: QRectF, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return pixel positions (n, 2) and distances from the camera (n,) of `points` (n, 3) in the space frame."""
        view = camera.view_matrix()
        seen = points @ view[:3, :3].T + view[:3, 3]
        scale = 0.5 * area.height() * camera.projection_matrix(1.0)[1, 1]
        flat = scale * seen[:, :2] / -seen[:, 2:]
        return np.array((area.width(), area.height())) / 2 + flat * (1.0, -1.0), -seen[:, 2]

    def _draw_pivot_line(
        self, painter: QPainter, camera: Camera, area: QRectF, rotation: np.ndarray, theme: Theme
    ) -> None:
        """Draw the line from the pivot of the body to its center of mass."""
        if not self._facets.centre.any():
            return
        foot, head = self._to_pixels(camera, area, np.array((np.zeros(3), rotation @ self._facets.centre)))[
            0
        ].tolist()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.muted), 2.0 * _OVERSAMPLING))
        painter.drawLine(QPointF(*foot), QPointF(*head))
        painter.setBrush(QColor(theme.muted))
        painter.drawEllipse(QPointF(*foot), 2.0 * _OVERSAMPLING, 2.0 * _OVERSAMPLING)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _draw_body(
        self, painter: QPainter, camera: Camera, area: QRectF, rotation: np.ndarray, theme: Theme
    ) -> None:
        facets = self._facets
        corners = facets.corners @ rotation.T
        facing = np.einsum("ni,ni->n", facets.normals @ rotation.T, camera.eye - corners[:, 0]) > 0.0
        pixels, far = self._to_pixels(camera, area, corners[facing].reshape(-1, 3))
        order = np.argsort(-far.reshape(-1, 3).mean(axis=1))
        light = rotation.T @ camera.view_matrix()[:3, :3].T @ _LIGHT_DIRECTION
        brightness, points = (facets.corner_normals[facing] @ light)[order], pixels.reshape(-1, 3, 2)[order]
        is_first_tone = facets.is_first_tone[facing][order]
        flat_shades = np.clip(np.rint(brightness.mean(axis=1) * (_SHADES - 1)), 0, _SHADES - 1).astype(int)
        flat_shades[np.ptp(brightness, axis=1) > 1.0 / _SHADES] = -1
        colors = {tone: _shade_colors(theme.body[not tone]) for tone in (True, False)}
        gradients = {tone: _make_gradient(shades) for tone, shades in colors.items()}
        painter.setPen(Qt.PenStyle.NoPen)
        rows = np.hstack((points.reshape(-1, 6), *_gradient_lines(points, brightness))).tolist()
        for row, tone, shade in zip(rows, is_first_tone.tolist(), flat_shades.tolist(), strict=True):
            if shade >= 0:
                painter.setBrush(colors[tone][shade])
            else:
                gradient = gradients[tone]
                gradient.setStart(row[6], row[7])
                gradient.setFinalStop(row[8], row[9])
                painter.setBrush(gradient)
            painter.drawConvexPolygon(
                QPolygonF([QPointF(row[0], row[1]), QPointF(row[2], row[3]), QPointF(row[4], row[5])])
            )


def _gradient_lines(points: np.ndarray, brightness: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the start and end points of the color gradients with which triangles are filled.

    The brightness varies linearly over a triangle. It is 0 at the start point and 1 at the end point. Both points are on a line
    along the gradient of the brightness.

    Parameters
    ----------
    points
        Corners of the triangles (n, 3, 2) [pixels].
    brightness
        Brightness at the corners (n, 3).

    Returns
    -------
    tuple
        Start points (n, 2) and end points (n, 2) [pixels]. They are not meaningful for triangles
        of constant brightness or without area.
    """
    (ax, ay), (bx, by) = (points[:, 1] - points[:, 0]).T, (points[:, 2] - points[:, 0]).T
    a, b = brightness[:, 1] - brightness[:, 0], brightness[:, 2] - brightness[:, 0]
    area = ax * by - ay * bx
    gradient = (
        np.stack((a * by - b * ay, b * ax - a * bx), axis=1) / np.where(area == 0.0, 1.0, area)[:, None]
    )
    along = gradient / np.maximum(np.sum(gradient**2, axis=1), 1e-12)[:, None]
    dark = points[:, 0] - brightness[:, :1] * along
    return dark, dark + along


def _make_gradient(shades: Sequence[QColor]) -> QLinearGradient:
    """Return a gradient from the darkest to the lightest shade, whose start and end points are not set yet."""
    gradient = QLinearGradient()
    gradient.setStops(((0.0, shades[0]), (1.0, shades[-1])))
    return gradient


@cache
def _shade_colors(color: str) -> tuple[QColor, ...]:
    """Return the shades of a color from dark to light. Do not modify them, because they are shared."""
    base = QColor(color)
    factors = [_MIN_BRIGHTNESS + (1.0 - _MIN_BRIGHTNESS) * shade / (_SHADES - 1) for shade in range(_SHADES)]
    return tuple(
        QColor.fromRgbF(base.redF() * factor, base.greenF() * factor, base.blueF() * factor)
        for factor in factors
    )


def _draw_background(area: QRectF, marks: np.ndarray, theme: Theme) -> QImage:
    """Return the background with a soft shadow on the ground.

    `marks` (3, 2) are the center, the right end and the near end of the shadow [pixels].
    """
    image = QImage(area.size().toSize(), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        sky = QLinearGradient(area.topLeft(), area.bottomLeft())
        sky.setColorAt(0.0, QColor(theme.sky_top))
        sky.setColorAt(1.0, QColor(theme.sky_bottom))
        painter.fillRect(area, sky)
        center, right, near = marks
        color = QColor(theme.shadow)
        glow = QRadialGradient(QPointF(0.0, 0.0), 1.0)
        for offset, alpha in ((0.0, 0.3), (0.5, 0.18), (1.0, 0.0)):
            color.setAlphaF(alpha)
            glow.setColorAt(offset, color)
        painter.translate(QPointF(*center.tolist()))
        painter.scale(float(np.linalg.norm(right - center)), max(abs(float(near[1] - center[1])), 1.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(glow)
        painter.drawEllipse(QPointF(0.0, 0.0), 1.0, 1.0)
    return image

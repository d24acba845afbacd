"""The 3D view as a picture of any size, in the light theme, without touching the one on the screen."""

from __future__ import annotations

import copy

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import LIGHT

LARGEST = 8192
"""Pixels to a side that OpenGL can be trusted with."""


def view_image(scene: SceneView, source: Source, frame: Frame, pixels: int) -> QImage:
    """What `scene` shows of a frame, `pixels` wide and in its proportions."""
    made = SceneView(LIGHT)
    try:
        made.resize(scene.size())
        wide = min(pixels, LARGEST)
        made.ratio = ratio = wide / scene.width()
        made.sequence = scene.sequence
        made.wish(scene.wishes)
        made.start(source)
        made.from_body = scene.from_body
        made.set_magnification(scene.magnification)
        made.camera = copy.copy(scene.camera)
        made.show_frame(frame)
        image = QImage(wide, round(scene.height() * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        try:
            made.render(painter, QPoint())
        finally:
            painter.end()
        image.setDevicePixelRatio(1.0)
        return image
    finally:
        made.shutdown()
        made.deleteLater()

"""Pictures of one time after the other, of a chosen size."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from quatviz.core.errors import Refusal
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.commands import Pause, Play
from quatviz.ui.bridge import Bridge
from quatviz.ui.film.area import FilmedViews
from quatviz.ui.framer import Framer
from quatviz.ui.main_window import MainWindow
from quatviz.ui.scene.views import Views
from quatviz.ui.theme import Theme

_DESIGNED_FOR = 720
"""Pixels of the shorter side at which words have their own size; in larger pictures they grow."""
_LEAST = 0.75
"""Of their size, below which nobody reads words."""
_WHOLE = 0.86
"""What fits into a wide view is as high as it is; the words at its ends need room too."""
_DIGITS = range(2, 6)


class Take(Protocol):
    """Where the pictures of a film come from. To be used, and closed, in the window's thread."""

    def picture(self, time: float) -> QImage:
        """What there is to see at `time` [s], in the size of the film."""
        ...

    def close(self) -> None:
        """Leave everything as it was."""
        ...


class ViewTake:
    """The 3D views of a run, painted off the screen; `seen`, where given, is what they are to look like."""

    def __init__(self, framer: Framer, theme: Theme, plan: FilmPlan, seen: Views | None = None) -> None:
        self._framer = framer
        self._size = plan.width, plan.height
        ratio = max(min(self._size) / _DESIGNED_FOR, _LEAST)
        self.views = FilmedViews(theme, ratio, digits_of(plan.speed / plan.rate))
        self._ratio = ratio
        try:
            self.views.resize(math.ceil(plan.width / ratio), math.ceil(plan.height / ratio))
            self.views.start(framer.columns)
            self.views.show_frame(framer.frame_at(plan.low))
            if seen is not None:
                self.views.see_as(seen)
            else:
                self.views.fit()
                self.views.first.move_camera(lambda camera: camera.zoom(_WHOLE))
        except BaseException:
            self.close()
            raise

    def picture(self, time: float) -> QImage:
        self.views.show_frame(self._framer.frame_at(time))
        image = QImage(*self._size, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        painter = QPainter(image)
        try:
            self.views.render(painter, QPoint())
        finally:
            painter.end()
        image.setDevicePixelRatio(1.0)
        return image

    def close(self) -> None:
        self.views.shutdown()
        self.views.deleteLater()


class WindowTake:
    """The whole window, which shows one time after the other until `close`; scaled into the size of the film where it has
    another, with bars where its proportions differ."""

    def __init__(self, window: MainWindow, bridge: Bridge, plan: FilmPlan) -> None:
        self._window, self._bridge, self._framer = window, bridge, bridge.framer
        self._size = plan.width, plan.height
        self._played = bridge.snapshot.playing
        window.board.axis.patient = True
        bridge.send(Pause())
        self._pane = QWidget(window)
        """Over all of it, so that nothing answers to the mouse meanwhile. It paints nothing."""
        self._pane.setGeometry(window.rect())
        self._pane.show()

    def picture(self, time: float) -> QImage:
        if self._bridge.framer is not self._framer:
            raise Refusal(
                "the film", expected="the run with which it began", found="another one: it was edited",
                remedy="film it again, and leave the window alone meanwhile",
                topic="errors#exports",
            )  # fmt: skip
        self._bridge.hold(time)
        self._bridge.tick()
        return fitted(self._window.grab().toImage(), *self._size, self._window.theme.window)

    def close(self) -> None:
        self._pane.hide()
        self._pane.deleteLater()
        self._window.board.axis.patient = False
        if self._bridge.framer is self._framer:
            self._bridge.hold(None)
            if self._played:
                self._bridge.send(Play())


def digits_of(step: float) -> int:
    """Decimals that tell times apart which are `step` [s] from each other."""
    wanted = math.ceil(-math.log10(step) - 1e-9)
    return min(max(wanted, _DIGITS[0]), _DIGITS[-1])


def fitted(image: QImage, width: int, height: int, ground: str) -> QImage:
    """A picture whole in the middle of another of this size, as large as can be. One pixel too many is cut off."""
    image.setDevicePixelRatio(1.0)
    if (image.width() - width, image.height() - height) in ((0, 0), (0, 1), (1, 0), (1, 1)):
        return image.copy(QRect(0, 0, width, height)).convertToFormat(QImage.Format.Format_RGB32)
    how = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    scaled = image.scaled(width, height, *how)
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor(ground))
    painter = QPainter(made)
    painter.drawImage((width - scaled.width()) // 2, (height - scaled.height()) // 2, scaled)
    painter.end()
    return made


def bytes_of(image: QImage) -> np.ndarray:
    """Bytes (height, width, 4): blue, green, red, 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()

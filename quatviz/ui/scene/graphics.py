"""What the views of a window share of OpenGL: one context, the programs, and the meshes in its memory."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from shiboken6 import isValid

from quatviz.core.errors import Refusal
from quatviz.ui.scene.gl_support import GLInfo, surface_format
from quatviz.ui.scene.programs import Programs
from quatviz.ui.scene.shared import ContextLost
from quatviz.ui.scene.vertex_buffers import VertexBuffers


class Graphics:
    """One context, which needs no screen. A second one would compile every program and hold every mesh again."""

    def __init__(self, info: GLInfo) -> None:
        self.info = info
        self._surface = QOffscreenSurface()
        self._surface.setFormat(surface_format(0))
        self._surface.create()
        self._context = QOpenGLContext()
        told = surface_format(0)
        told.setOption(
            QSurfaceFormat.FormatOption.ResetNotification
        )  # where drivers can, they say that it is lost
        self._context.setFormat(told)
        if not self._context.create():
            raise Refusal(
                "the 3D view",
                expected="an OpenGL context",
                found="none",
                remedy="see: quatviz doctor",
                topic="errors#display",
            )
        self.programs = Programs()
        self.vertices = VertexBuffers()

    def make_current(self, checked: bool = False) -> None:
        """Calls of OpenGL from here on are for this context. `ContextLost` where it is none any more; where it is current
        already, the driver is asked only if that is to be `checked`."""
        there = isValid(self._context)
        if there and not checked and QOpenGLContext.currentContext() is self._context:
            return
        if not there or not self._context.makeCurrent(self._surface):
            raise ContextLost("the driver has taken the OpenGL context away")

    def release(self) -> None:
        """Delete what views share; they have deleted what is theirs before."""
        with suppress(ContextLost):
            self.make_current(checked=True)
            self.programs.release()
            self._context.doneCurrent()

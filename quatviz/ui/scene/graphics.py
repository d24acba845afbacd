"""What the views of a window share of OpenGL: one context, the programs, and the meshes in its memory."""

from __future__ import annotations

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

from quatviz.core.errors import Refusal
from quatviz.ui.scene.gl_support import GLInfo, surface_format
from quatviz.ui.scene.programs import Programs
from quatviz.ui.scene.vertex_buffers import VertexBuffers


class Graphics:
    """One context, which needs no screen. A second one would compile every program and hold every mesh again."""

    def __init__(self, info: GLInfo) -> None:
        self.info = info
        self._surface = QOffscreenSurface()
        self._surface.setFormat(surface_format(0))
        self._surface.create()
        self._context = QOpenGLContext()
        self._context.setFormat(surface_format(0))
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

    def make_current(self) -> None:
        """Calls of OpenGL from here on are for this context."""
        if QOpenGLContext.currentContext() is not self._context:
            self._context.makeCurrent(self._surface)

    def release(self) -> None:
        """Delete what views share; they have deleted what is theirs before."""
        self.make_current()
        self.programs.release()
        self._context.doneCurrent()

"""Where OpenGL draws: a buffer off the screen, whose picture a widget then paints like any other.

A view that owns a piece of the screen makes Qt compose the whole window by OpenGL for every frame. Under software
OpenGL that was 13 of the 33 ms of a frame; reading the picture back is 1 ms.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from OpenGL import GL
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

from quatviz.ui.scene.graphics import Graphics

_BYTES = 4


class Canvas:
    """The buffers of one view. `draw` starts a picture, `take` waits for it: what a caller does between the
    two costs no time under software OpenGL, whose threads draw meanwhile."""

    def __init__(self, graphics: Graphics) -> None:
        self.graphics = graphics
        self._buffer: QOpenGLFramebufferObject | None = None
        self._flat: QOpenGLFramebufferObject | None = None
        """The picture with one sample per pixel, where the buffer has several."""
        self._raw = self._upright = np.empty((0, 0, _BYTES), np.uint8)

    def draw(self, size: tuple[int, int], paint: Callable[[], None]) -> None:
        """Let `paint` draw a picture of `size` (width, height) [device pixels]. `ContextLost` where there is nothing left to
        draw with."""
        self.graphics.make_current(checked=True)
        buffer = self._sized(size)
        buffer.bind()
        paint()
        GL.glFlush()

    def take(self) -> QImage:
        """The picture that was started last. It is overwritten by the next one that is taken."""
        self.graphics.make_current()
        assert self._buffer is not None
        source = self._buffer
        if self._flat is not None:
            QOpenGLFramebufferObject.blitFramebuffer(self._flat, source)
            source = self._flat
        source.bind()
        height, width, _ = self._raw.shape
        GL.glReadPixels(0, 0, width, height, GL.GL_BGRA, GL.GL_UNSIGNED_BYTE, self._raw)
        np.copyto(self._upright, self._raw[::-1])  # OpenGL's first row is the lowest
        return QImage(self._upright.data, width, height, _BYTES * width, QImage.Format.Format_RGB32)

    def release(self, last: Callable[[], None]) -> None:
        """Delete the buffers, after what `last` deletes in the same context."""
        self.graphics.make_current()
        last()
        self._buffer = self._flat = None

    def _sized(self, size: tuple[int, int]) -> QOpenGLFramebufferObject:
        buffer = self._buffer
        if buffer is None or (buffer.width(), buffer.height()) != size:
            form = QOpenGLFramebufferObjectFormat()
            form.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
            form.setSamples(self.graphics.info.samples)
            buffer = self._buffer = QOpenGLFramebufferObject(*size, form)
            self._flat = QOpenGLFramebufferObject(*size) if self.graphics.info.samples else None
            self._raw = np.empty((size[1], size[0], _BYTES), np.uint8)
            self._upright = np.empty_like(self._raw)
        return buffer

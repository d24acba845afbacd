"""What stands behind everything and rests while the camera does: drawn once, then copied into every picture."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from OpenGL import GL
from PySide6.QtOpenGL import QOpenGLFramebufferObject


class Backdrop:
    """Under software OpenGL, sky and ground are a quarter of what a picture costs, and a copy of them is a millisecond."""

    def __init__(self) -> None:
        self._buffer: QOpenGLFramebufferObject | None = None
        self._last: Hashable = None
        """What the last picture asked for."""
        self._held: Hashable = None
        """What the buffer shows."""

    def lay(self, size: tuple[int, int], key: Hashable, paint: Callable[[], None]) -> bool:
        """Fill the picture, of `size` [device pixels], with what `paint` draws and `key` names; whether that was done.
        Something that changes from picture to picture is not worth it."""
        rests, self._last = key == self._last, key
        if not rests:
            return False
        picture = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
        if self._buffer is None or (self._buffer.width(), self._buffer.height()) != size:
            self._buffer, self._held = QOpenGLFramebufferObject(*size), None
        if self._held != key:
            self._buffer.bind()
            paint()
            self._held = key
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._buffer.handle())
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, picture)
        whole = (0, 0, *size)
        GL.glBlitFramebuffer(*whole, *whole, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, picture)
        return True

    def release(self) -> None:
        """Delete the buffer."""
        self._buffer = self._held = self._last = None

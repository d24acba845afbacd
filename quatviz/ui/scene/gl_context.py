"""Checks of this machine's OpenGL before the first window.

PyOpenGL is not imported at the top of this module, because it reads its platform on import, and `check_gl` must set the
platform before.
"""

import os
import sys
from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.bootstrap import has_display, virtual_display_command

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software")
_GL_RENDERER, _GL_VERSION = 0x1F01, 0x1F02


@dataclass(frozen=True)
class GLInfo:
    """Renderer and version that the OpenGL driver reports."""

    renderer: str
    version: str

    @property
    def is_software(self) -> bool:
        """True for software rendering, in which multisampling takes two to four times as long as drawing without it."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)


def prepare_gl() -> None:
    """Set options that Qt reads once, before `QApplication` is created.

    Raises
    ------
    InputError
        If there is no display.
    """
    platform = os.environ.get("QT_QPA_PLATFORM") or "xcb"
    if platform.startswith(("xcb", "wayland")) and not has_display(sys.platform, os.environ):
        # Qt itself would abort the process with a long message.
        raise InputError(
            "this machine's display",
            expected="a display, named in DISPLAY or WAYLAND_DISPLAY",
            found="none",
            remedy=phrase(
                "show the window on a virtual display with: {line}", line=virtual_display_command()
            ),
            topic="errors#display",
        )
    resources.disable_full_shader_cache()


def surface_format(samples: int) -> QSurfaceFormat:
    """Return a surface format with 24 bits of depth and 8 bits of stencil, used for shadows."""
    format_ = QSurfaceFormat()
    format_.setDepthBufferSize(24)
    format_.setStencilBufferSize(8)
    format_.setSamples(samples)
    return format_


@cache
def check_gl() -> GLInfo:
    """Return what the OpenGL driver reports. A `QApplication` must exist.

    Raises
    ------
    InputError
        If no OpenGL context can be created.
    """
    platform = QGuiApplication.platformName()
    if sys.platform.startswith("linux"):
        # PyOpenGL guesses the platform from the session, wrongly under XWayland.
        os.environ.setdefault("PYOPENGL_PLATFORM", "glx" if platform == "xcb" else "egl")
    context = QOpenGLContext()
    context.setFormat(surface_format(0))
    surface = QOffscreenSurface()
    surface.setFormat(surface_format(0))
    surface.create()
    # The offscreen platform can create contexts on some machines, but its widgets cannot show them.
    if platform in ("offscreen", "minimal") or not context.create() or not context.makeCurrent(surface):
        raise InputError(
            "this machine's OpenGL",
            expected="a display with OpenGL 2.1 or newer",
            found=phrase("no OpenGL context on Qt's platform {platform!r}", platform=platform),
            remedy=phrase(
                "install a driver, on Debian with: sudo apt install libgl1 libgl1-mesa-dri; without a screen start with: {line}",
                line=virtual_display_command(),
            ),
            topic="errors#display",
        )
    import OpenGL

    OpenGL.ERROR_CHECKING = False  # checking after each call doubles its cost
    info = GLInfo(*map(context.functions().glGetString, (_GL_RENDERER, _GL_VERSION)))
    context.doneCurrent()
    return info


class ContextLost(RuntimeError):
    """Raised if the driver has destroyed the context with all its resources, for example after a reset of the
    graphics card."""

"""What this machine's OpenGL can do, asked before the first window. OpenGL itself is not imported here: PyOpenGL reads its platform
when it first is, which the check sets."""

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
    """Names that the driver gives itself."""

    renderer: str
    version: str

    @property
    def is_software(self) -> bool:
        """Whether the processor draws: then four samples per pixel cost more than a frame has."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)

    @property
    def samples(self) -> int:
        """Samples per pixel that a view can afford."""
        return 0 if self.is_software else 4


def prepare_gl() -> None:
    """Settings that Qt reads once; to be called before `QApplication` is made. `InputError` without a display."""
    platform = os.environ.get("QT_QPA_PLATFORM") or "xcb"
    if platform.startswith(("xcb", "wayland")) and not has_display(sys.platform, os.environ):
        # Qt would end the process with a page of its own.
        raise InputError(
            "this machine's display",
            expected="a display, named in DISPLAY or WAYLAND_DISPLAY",
            found="none",
            remedy=phrase("play it on a virtual display with: {line}", line=virtual_display_command()),
            topic="errors#display",
        )
    resources.disable_full_shader_cache()


def surface_format(samples: int) -> QSurfaceFormat:
    """24 bits of depth, 8 of stencil for the shadow."""
    format_ = QSurfaceFormat()
    format_.setDepthBufferSize(24)
    format_.setStencilBufferSize(8)
    format_.setSamples(samples)
    return format_


@cache
def check_gl() -> GLInfo:
    """What draws here; an `InputError` where no OpenGL context can be made. Needs the `QApplication`."""
    platform = QGuiApplication.platformName()
    if sys.platform.startswith("linux"):
        # PyOpenGL guesses from the session, and guesses wrong under XWayland.
        os.environ.setdefault("PYOPENGL_PLATFORM", "glx" if platform == "xcb" else "egl")
    context = QOpenGLContext()
    context.setFormat(surface_format(0))
    surface = QOffscreenSurface()
    surface.setFormat(surface_format(0))
    surface.create()
    # The platform without a screen makes contexts on some machines, but its widgets cannot show them.
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

    OpenGL.ERROR_CHECKING = False  # a check after each call is half of what a call costs
    info = GLInfo(*map(context.functions().glGetString, (_GL_RENDERER, _GL_VERSION)))
    context.doneCurrent()
    return info


class ContextLost(RuntimeError):
    """The driver has taken the context away, as after a reset of the graphics card: all that lived in it is gone."""

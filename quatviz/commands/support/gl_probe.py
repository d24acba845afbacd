"""Program that prints the properties of OpenGL as JSON. It runs in a separate process, because a faulty driver may
crash it."""

import json
import sys

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

from quatviz.base.errors import InputError
from quatviz.ui.scene.gl_context import check_gl, prepare_gl, surface_format

_GL_VENDOR = 0x1F00


def main() -> int:
    """Print `{"vendor", "renderer", "version", "software", "platform"}`, or `{"refused", "remedy"}`."""
    try:
        prepare_gl()
        app = QGuiApplication([])
        info = check_gl()
    except InputError as refusal:
        print(json.dumps({"refused": refusal.found, "remedy": refusal.remedy}))
        return 0
    properties = {
        "vendor": _vendor(),
        "renderer": info.renderer,
        "version": info.version,
        "software": info.is_software,
        "platform": app.platformName(),
    }
    print(json.dumps(properties))
    return 0


def _vendor() -> str:
    context, surface = QOpenGLContext(), QOffscreenSurface()
    context.setFormat(surface_format(0))
    surface.setFormat(surface_format(0))
    surface.create()
    context.create()
    context.makeCurrent(surface)
    name: str = context.functions().glGetString(_GL_VENDOR)
    context.doneCurrent()
    return name


if __name__ == "__main__":
    sys.exit(main())

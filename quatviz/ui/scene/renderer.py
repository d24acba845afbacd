"""What OpenGL draws, and where: a buffer off the screen, whose picture a widget then paints like any other.

A view that owns a piece of the screen makes Qt compose the whole window by OpenGL for every frame. Under software
OpenGL that was 13 of the 33 ms of a frame; reading the picture back is 1 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from OpenGL import GL
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

from quatviz.look.theme import Theme
from quatviz.scene.primitives import Line, Mesh
from quatviz.ui.scene import shaders
from quatviz.ui.scene.graphics import (
    Backdrop,
    Graphics,
    Program,
    Programs,
    Triangles,
    VertexBuffers,
    draw_triangles,
    new_buffer,
)

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


_LAYOUT = (("a_position", 3, 0), ("a_normal", 3, 12))

LIGHT = np.array([0.35, -0.3, 1.0])
"""Direction towards the light that throws shadows, in space."""

_LOOKS = {
    "solid": shaders.SOLID_FRAGMENT,
    "painted": shaders.PAINTED_FRAGMENT,
    "glass": shaders.GLASS_FRAGMENT,
    "floor": shaders.FLOOR_FRAGMENT,
    "pane": shaders.FLAT_FRAGMENT,
}
_PENUMBRA = ((0.0, 0.05), (0.045, -0.03), (-0.045, -0.02))
"""Small turns of the light, whose overlapping shadows have a soft edge."""


class Renderer:
    """Draws one view's primitives, with the programs and the meshes that views of one context share. Every call needs
    that context to be current."""

    def __init__(self, soft_shadows: bool, programs: Programs, vertices: VertexBuffers) -> None:
        self._lights = _PENUMBRA if soft_shadows else ((0.0, 0.0),)
        self._backdrop = None if soft_shadows else Backdrop()
        self._programs, self._vertices = programs, vertices
        self._meshes: dict[Mesh, Triangles] = {}
        self._lines: dict[Line, tuple[int, int, int]] = {}
        self._sky: int | None = None
        self._view = self._projection = np.eye(4)

    def draw(
        self,
        meshes: Sequence[Mesh],
        lines: Sequence[Line],
        view: np.ndarray,
        projection: np.ndarray,
        size: tuple[int, int],
        pixel_ratio: float,
        theme: Theme,
        floor: float,
    ) -> None:
        """One picture: sky, floor, shadows, solids, lines, glass. `size` in device pixels, `floor` its height."""
        self._programs.begin_picture()
        self._view, self._projection = view, projection
        self._begin(size)
        self._forget(meshes, lines)
        shown = [mesh for mesh in meshes if mesh.visible]
        floors = [mesh for mesh in shown if mesh.look == "floor"]
        laid = self._lay_backdrop(floors, theme, size)
        self._opaque()
        self._draw_meshes([mesh for mesh in shown if mesh.look == "solid"])
        GL.glEnable(GL.GL_CULL_FACE)  # bodies are closed; the shafts of arrows are not
        self._draw_meshes([mesh for mesh in shown if mesh.look == "painted"])
        GL.glDisable(GL.GL_CULL_FACE)
        # Behind the solids: a software renderer pays for every pixel that it draws twice.
        if not laid:
            self._draw_sky(theme)
        self._blend(write_depth=False)
        if not laid:
            self._draw_meshes(floors)
        self._draw_meshes([mesh for mesh in shown if mesh.look == "pane"])
        self._draw_shadows([mesh for mesh in shown if mesh.shadow], theme, floor)
        self._draw_lines([line for line in lines if line.visible and len(line.points) > 1], size, pixel_ratio)
        GL.glEnable(GL.GL_CULL_FACE)
        self._draw_meshes([mesh for mesh in shown if mesh.look == "glass"])
        GL.glDisable(GL.GL_CULL_FACE)
        self._end()

    def release(self) -> None:
        """Delete what lives in the context."""
        self._forget((), ())
        if self._sky is not None:
            GL.glDeleteBuffers(1, [self._sky])
        self._sky = None
        if self._backdrop is not None:
            self._backdrop.release()

    @property
    def buffers(self) -> int:
        """How many buffers it draws from."""
        return len(self._meshes) + len(self._lines) + (self._sky is not None)

    def _forget(self, meshes: Sequence[Mesh], lines: Sequence[Line]) -> None:
        """Delete the buffers of what is no longer drawn: a window may show any number of runs."""
        for mesh in self._meshes.keys() - set(meshes):
            self._vertices.let_go(self._meshes.pop(mesh))
        for line in self._lines.keys() - set(lines):
            GL.glDeleteBuffers(1, [self._lines.pop(line)[0]])

    def _begin(self, size: tuple[int, int]) -> None:
        GL.glViewport(0, 0, *size)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)

    def _end(self) -> None:
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, 0)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, 0)
        GL.glUseProgram(0)

    def _opaque(self) -> None:
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_BLEND)

    def _blend(self, write_depth: bool) -> None:
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDepthMask(write_depth)
        GL.glEnable(GL.GL_BLEND)
        # The view is composed into the window by its alpha, which the sky has set: glass must leave it at one.
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)

    def _lay_backdrop(self, floors: Sequence[Mesh], theme: Theme, size: tuple[int, int]) -> bool:
        if self._backdrop is None:
            return False
        grounds = tuple((mesh, mesh.colour, mesh.transform.tobytes()) for mesh in floors)
        key = (size, theme.name, self._view.tobytes(), self._projection.tobytes(), grounds)

        def paint() -> None:
            GL.glViewport(0, 0, *size)
            GL.glDisable(GL.GL_DEPTH_TEST)
            self._draw_sky(theme)
            self._blend(write_depth=False)
            GL.glDisable(GL.GL_DEPTH_TEST)
            self._draw_meshes(floors)

        return self._backdrop.lay(size, key, paint)

    def _draw_sky(self, theme: Theme) -> None:
        if self._sky is None:
            corners = np.array([(-1, -1, 0), (3, -1, 0), (-1, 3, 0)], np.float32)
            self._sky = new_buffer(corners)
        GL.glDisable(GL.GL_BLEND)
        program = self._use(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        program.vector("u_top", rgb(theme.sky_top))
        program.vector("u_bottom", rgb(theme.sky_bottom))
        program.attributes(self._sky, 12, (("a_position", 3, 0),))
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        program.rest()

    def _draw_meshes(self, meshes: Sequence[Mesh]) -> None:
        """Meshes of one look."""
        if not meshes:
            return
        program = self._use(shaders.MESH_VERTEX, _LOOKS[meshes[0].look])
        shade = _linear if meshes[0].look in ("solid", "painted") else rgb
        # All matrices at once: forty small arrays a picture would take longer than the pixels.
        models = np.array([mesh.transform for mesh in meshes], np.float32)
        normals = _cofactors(self._view[:3, :3].astype(np.float32) @ models[:, :3, :3])
        model, normal = models.ctypes.data, normals.ctypes.data
        turned = program.knows("u_normal")
        for number, mesh in enumerate(meshes):
            program.vector("u_colour", shade(mesh.colour))
            program.vector("u_second", shade(mesh.second or mesh.colour))
            program.number("u_alpha", mesh.alpha)
            program.matrix_at("u_model", 4, model + number * models.strides[0])
            if turned:
                program.matrix_at("u_normal", 3, normal + number * normals.strides[0])
            self._draw_triangles(program, mesh)
        program.rest()

    def _draw_shadows(self, meshes: Sequence[Mesh], theme: Theme, floor: float) -> None:
        program = self._use(shaders.MESH_VERTEX, shaders.FLAT_FRAGMENT)
        program.vector("u_colour", rgb(theme.shadow))
        program.number("u_alpha", 0.5 / len(self._lights))
        GL.glDepthFunc(GL.GL_LEQUAL)  # a shadow lies in the floor's plane
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_INCR)
        for number, (dx, dy) in enumerate(self._lights):
            # The stencil lets each light darken a pixel once, however many triangles cover it.
            if number:
                GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
            flat = _flattened(LIGHT + np.array([dx, dy, 0.0]), floor)
            for mesh in meshes:
                program.matrix("u_model", flat @ mesh.transform)
                self._draw_triangles(program, mesh)
        program.rest()
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthFunc(GL.GL_LESS)

    def _draw_triangles(self, program: Program, mesh: Mesh) -> None:
        held = self._meshes.get(mesh)
        if held is None:
            held = self._meshes[mesh] = self._vertices.of(mesh.vertices)
        program.attributes(held.vertices, 24, _LAYOUT)
        draw_triangles(held.elements, held.count, held.kind)

    def _draw_lines(self, lines: Sequence[Line], size: tuple[int, int], pixel_ratio: float) -> None:
        for line in lines:
            program = self._use(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
            program.pair("u_size", size)
            program.number("u_width", line.width * pixel_ratio)
            program.number("u_fade", 1.0 if line.fade else 0.0)
            program.vector("u_colour", rgb(line.colour))
            buffer, _, count = self._uploaded(line)
            program.attributes(
                buffer, 44, (("a_position", 3, 0), ("a_before", 3, 12), ("a_after", 3, 24), ("a_side", 2, 36))
            )
            GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, count)
            program.rest()

    def _uploaded(self, line: Line) -> tuple[int, int, int]:
        known = self._lines.get(line)
        if known is not None and known[1] == line.version:
            return known
        strip = _strip(line.points)
        buffer = known[0] if known else new_buffer(strip)
        if known:
            GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
            GL.glBufferData(GL.GL_ARRAY_BUFFER, strip.nbytes, strip, GL.GL_STREAM_DRAW)
        self._lines[line] = (buffer, line.version, len(strip))
        return self._lines[line]

    def _use(self, vertex: str, fragment: str) -> Program:
        return self._programs.use(vertex, fragment, self._view, self._projection)


@cache
def rgb(colour: str) -> tuple[float, float, float]:
    """`#rrggbb` as three numbers from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@cache
def _linear(colour: str) -> tuple[float, float, float]:
    """A colour as the lighting adds it: squared, for a gamma of two."""
    red, green, blue = rgb(colour)
    return red * red, green * green, blue * blue


def _cofactors(turns: np.ndarray) -> np.ndarray:
    """The matrices (n, 3, 3) that turn normals where `turns` turn points; no division, so that a flat shape is fine."""
    rows = np.concatenate((turns, turns[:, :2]), axis=1)
    wide = np.concatenate((rows, rows[:, :, :2]), axis=2)
    return np.ascontiguousarray(wide[:, 1:4, 1:4] * wide[:, 2:5, 2:5] - wide[:, 1:4, 2:5] * wide[:, 2:5, 1:4])


def _flattened(light: np.ndarray, floor: float) -> np.ndarray:
    """4x4 that throws space onto the plane z = floor, away from `light`."""
    matrix = np.eye(4)
    matrix[:2, 2] = -light[:2] / light[2]
    matrix[:2, 3] = light[:2] / light[2] * floor
    matrix[2] = (0.0, 0.0, 0.0, floor)
    return matrix


def _strip(points: np.ndarray) -> np.ndarray:
    count = len(points)
    rows = np.empty((count, 2, 11), np.float32)
    rows[:, :, :3] = points[:, None]
    rows[:, :, 3:6] = points[np.r_[0, 0 : count - 1]][:, None]
    rows[:, :, 6:9] = points[np.r_[1:count, count - 1]][:, None]
    rows[:, 0, 9], rows[:, 1, 9] = -1.0, 1.0
    rows[:, :, 10] = np.linspace(0.0, 1.0, count, dtype=np.float32)[:, None]
    return rows.reshape(-1, 11)

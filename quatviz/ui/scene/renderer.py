"""What OpenGL draws, and where: a buffer off the screen, whose picture a widget then paints like any other.

A view that owns a piece of the screen makes Qt compose the whole window by OpenGL for every frame. Under software
OpenGL that was 13 of the 33 ms of a frame; reading the picture back is 1 ms.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from OpenGL import GL
from OpenGL.raw.GL.VERSION import GL_1_1 as RAW11
from OpenGL.raw.GL.VERSION import GL_1_4 as RAW14
from OpenGL.raw.GL.VERSION import GL_1_5 as RAW15
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

from quatviz.look.theme import Theme
from quatviz.scene.primitives import Line, Mesh
from quatviz.ui.scene import shaders
from quatviz.ui.scene.graphics import Backdrop, Graphics, Programs, VertexBuffers

_BYTES = 4


class Canvas:
    """The buffers of one view. `draw` starts a picture, `take` waits for it: what a caller does between the
    two costs no time under software OpenGL, whose threads draw meanwhile."""

    def __init__(self, graphics: Graphics) -> None:
        self.graphics = graphics
        self._buffer: QOpenGLFramebufferObject | None = None
        self._flat: QOpenGLFramebufferObject | None = None
        """The picture with one sample per pixel, where the buffer has several."""
        self._raw = np.empty((0, 0, _BYTES), np.uint8)

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
        # In the order in which the buffer has it: turning every pixel round took ten times as long.
        pixels = ctypes.c_void_p(self._raw.ctypes.data)
        RAW11.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, pixels)
        return QImage(self._raw.data, width, height, _BYTES * width, QImage.Format.Format_RGBX8888)

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
        return buffer


_UPSIDE_DOWN = np.diag([1.0, -1.0, 1.0, 1.0])
"""OpenGL's first row is the lowest, Qt's the highest: what is drawn upside down is read as it is painted."""

_MESH_LAYOUT = (("a_position", 3, 0), ("a_normal", 3, 12))
_LINE_LAYOUT = (
    *(("a_position", 3, 0), ("a_before", 3, 12), ("a_after", 3, 24)),
    *(("a_side", 2, 36), ("a_ink", 4, 44)),
)

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


_Rows = list[tuple[Mesh, np.ndarray]]
"""Meshes with their `u_mesh`."""


class Renderer:
    """Draws one view's primitives, with the programs and the meshes that views of one context share. Every call needs
    that context to be current."""

    def __init__(self, soft_shadows: bool, programs: Programs, vertices: VertexBuffers) -> None:
        self._lights = _PENUMBRA if soft_shadows else ((0.0, 0.0),)
        self._backdrop = None if soft_shadows else Backdrop()
        self._programs, self._vertices = programs, vertices
        self._meshes: dict[Mesh, bytes] = {}
        self._strips: int | None = None
        """The buffer of what is made anew for every picture."""

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
        self._programs.begin_picture(view, _UPSIDE_DOWN @ projection)
        self._begin(size)
        self._keep(meshes)
        shown = [mesh for mesh in meshes if mesh.visible]
        # All rows at once: forty small arrays a picture would take longer than the pixels.
        rows = _rows(shown, view)
        looks: dict[str, _Rows] = {look: [] for look in _LOOKS}
        for mesh, row in zip(shown, rows, strict=True):
            looks[mesh.look].append((mesh, row))
        laid = self._lay_backdrop(looks["floor"], theme, size, (view.tobytes(), projection.tobytes()))
        self._opaque()
        self._draw_meshes("solid", looks["solid"])
        GL.glEnable(GL.GL_CULL_FACE)  # bodies are closed; the shafts of arrows are not
        self._draw_meshes("painted", looks["painted"])
        GL.glDisable(GL.GL_CULL_FACE)
        # Behind the solids: a software renderer pays for every pixel that it draws twice.
        if not laid:
            self._draw_sky(theme)
        self._blend(write_depth=False)
        if not laid:
            self._draw_meshes("floor", looks["floor"])
        self._draw_meshes("pane", looks["pane"])
        self._draw_shadows([one for look in looks.values() for one in look if one[0].shadow], theme, floor)
        self._draw_lines([line for line in lines if line.visible and len(line.points) > 1], size, pixel_ratio)
        GL.glEnable(GL.GL_CULL_FACE)
        self._draw_meshes("glass", looks["glass"])
        GL.glDisable(GL.GL_CULL_FACE)
        self._end()

    def release(self) -> None:
        """Delete what lives in the context."""
        self._keep(())
        if self._strips is not None:
            GL.glDeleteBuffers(1, [self._strips])
        self._strips = None
        if self._backdrop is not None:
            self._backdrop.release()

    def _keep(self, meshes: Sequence[Mesh]) -> None:
        """Let go of what is no longer drawn: a window may show any number of runs."""
        for mesh in self._meshes.keys() - set(meshes):
            self._vertices.let_go(self._meshes.pop(mesh))

    def _begin(self, size: tuple[int, int]) -> None:
        GL.glViewport(0, 0, *size)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glFrontFace(GL.GL_CW)
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

    def _lay_backdrop(
        self, floors: _Rows, theme: Theme, size: tuple[int, int], camera: tuple[bytes, bytes]
    ) -> bool:
        if self._backdrop is None:
            return False
        grounds = tuple((mesh, row.tobytes()) for mesh, row in floors)

        def paint() -> None:
            GL.glViewport(0, 0, *size)
            GL.glDisable(GL.GL_DEPTH_TEST)
            self._draw_sky(theme)
            self._blend(write_depth=False)
            GL.glDisable(GL.GL_DEPTH_TEST)
            self._draw_meshes("floor", floors)

        return self._backdrop.lay(size, (size, theme.name, camera, grounds), paint)

    def _draw_sky(self, theme: Theme) -> None:
        GL.glDisable(GL.GL_BLEND)
        program = self._programs.use(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        program.vector("u_top", rgb(theme.sky_top))
        program.vector("u_bottom", rgb(theme.sky_bottom))
        self._upload(np.array([(-1, -1, 0), (3, -1, 0), (-1, 3, 0)], np.float32))
        program.attributes(12, (("a_position", 3, 0),))
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        program.rest()

    def _draw_meshes(self, look: str, meshes: _Rows) -> None:
        if meshes:
            self._draw_triangles(_LOOKS[look], meshes)

    def _draw_shadows(self, meshes: _Rows, theme: Theme, floor: float) -> None:
        if not meshes:
            return
        GL.glEnable(GL.GL_CULL_FACE)  # either side of a closed body casts all of its shadow
        GL.glDepthFunc(GL.GL_LEQUAL)  # a shadow lies in the floor's plane
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_INCR)
        for number, (dx, dy) in enumerate(self._lights):
            # The stencil lets each light darken a pixel once, however many triangles cover it.
            if number:
                GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
            GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
            flat = _flattened(LIGHT + np.array([dx, dy, 0.0]), floor)
            rows = np.array([row for _, row in meshes])
            rows[:, :3] = flat[:3, :3] @ rows[:, :3]
            rows[:, :3, 3] += flat[:3, 3]
            rows[:, 6] = (*rgb(theme.shadow), 0.5 / len(self._lights))
            shadows = [(mesh, row) for (mesh, _), row in zip(meshes, rows, strict=True)]
            self._draw_triangles(shaders.FLAT_FRAGMENT, shadows)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glDisable(GL.GL_CULL_FACE)

    def _draw_triangles(self, fragment: str, meshes: _Rows) -> None:
        for mesh, _ in meshes:
            if mesh not in self._meshes:
                self._meshes[mesh] = self._vertices.hold(mesh.vertices)
        program = self._programs.use(shaders.MESH_VERTEX, fragment)
        self._vertices.bind()
        program.attributes(24, _MESH_LAYOUT)
        for mesh, row in meshes:
            program.rows("u_mesh", row)
            self._vertices.draw(self._meshes[mesh])
        program.rest()

    def _draw_lines(self, lines: Sequence[Line], size: tuple[int, int], pixel_ratio: float) -> None:
        if not lines:
            return
        program = self._programs.use(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        program.pair("u_size", size)
        rows, starts, counts = _strips(lines, pixel_ratio)
        self._upload(rows)
        program.attributes(rows.itemsize * rows.shape[1], _LINE_LAYOUT)
        first, many = (ctypes.c_void_p(numbers.ctypes.data) for numbers in (starts, counts))
        RAW14.glMultiDrawArrays(GL.GL_TRIANGLE_STRIP, first, many, len(lines))
        program.rest()

    def _upload(self, rows: np.ndarray) -> None:
        """Let attributes read from these rows, until others come."""
        if self._strips is None:
            self._strips = int(GL.glGenBuffers(1))
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self._strips)
        RAW15.glBufferData(
            GL.GL_ARRAY_BUFFER, rows.nbytes, ctypes.c_void_p(rows.ctypes.data), GL.GL_STREAM_DRAW
        )


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


def _rows(meshes: Sequence[Mesh], view: np.ndarray) -> np.ndarray:
    """`u_mesh` of each mesh (n, 8, 4), for a camera whose `view` is 4x4."""
    rows = np.zeros((len(meshes), 8, 4), np.float32)
    if meshes:
        rows[:, :3] = np.array([mesh.transform for mesh in meshes])[:, :3]
        rows[:, 3:6, :3] = _cofactors(view[:3, :3].astype(np.float32) @ rows[:, :3, :3])
        rows[:, 6:] = [_inks(mesh) for mesh in meshes]
    return rows


def _inks(mesh: Mesh) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Both colours of a mesh, with its opacity."""
    shade = _linear if mesh.look in ("solid", "painted") else rgb
    return (*shade(mesh.colour), mesh.alpha), (*shade(mesh.second or mesh.colour), 1.0)


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


def _strips(lines: Sequence[Line], pixel_ratio: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of all lines for `_LINE_LAYOUT`, two for each point, and where each line's rows begin and how many they are."""
    points = np.concatenate([line.points for line in lines])
    counts = np.array([len(line.points) for line in lines], np.int32)
    stops = np.cumsum(counts, dtype=np.int32)
    starts, ends = stops - counts, stops - 1
    rows = np.empty((len(points), 2, 15), np.float32)
    rows[:, :, :3] = points[:, None]
    rows[1:, :, 3:6], rows[:-1, :, 6:9] = points[:-1, None], points[1:, None]
    rows[starts, :, 3:6], rows[ends, :, 6:9] = points[starts, None], points[ends, None]
    rows[:, :, 9] = -1.0, 1.0
    rows[:, :, 10] = 1.0
    for line, start, stop in zip(lines, starts.tolist(), stops.tolist(), strict=True):
        if line.fade:
            rows[start:stop, :, 10] = np.linspace(0.0, 1.0, stop - start, dtype=np.float32)[:, None]
        rows[start:stop, :, 11:] = (*rgb(line.colour), line.width * pixel_ratio)
    return rows.reshape(-1, 15), 2 * starts, 2 * counts

"""What OpenGL draws, and where: a buffer off the screen, whose picture a widget then paints like any other.

A view that owns a piece of the screen makes Qt compose the whole window by OpenGL for every frame. Under software
OpenGL that was 13 of the 33 ms of a frame; reading the picture back is 1 ms.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject

from quatviz.display.scene.base import Mesh
from quatviz.display.scene.vertex_data import Strips, flattened, inks, rgb, to_eye
from quatviz.display.scene.view_snapshot import Shot
from quatviz.display.view_state.theme import Theme
from quatviz.physics.geometry.triangles import cofactors
from quatviz.ui.scene import gl, shaders
from quatviz.ui.scene.gl_resources import Backdrop, Graphics, Held, address, frame_buffer

_BYTES = 4


class Canvas:
    """The buffers of one view. `draw` starts a picture, `take` waits for it: what a caller does between the
    two costs no time under software OpenGL, whose threads draw meanwhile."""

    def __init__(self, graphics: Graphics) -> None:
        self.graphics, self._renderer = graphics, Renderer(graphics)
        self._buffer: QOpenGLFramebufferObject | None = None
        self._flat: QOpenGLFramebufferObject | None = None
        """The picture with one sample per pixel, where the buffer has several."""
        self._raw = np.empty((0, 0, _BYTES), np.uint8)
        self._fresh = QRect()
        """What of the picture is not read yet."""

    def draw(self, shot: Shot) -> None:
        """Start the picture of a shot. `ContextLost` where there is nothing left to draw with."""
        self.graphics.make_current(checked=True)
        buffer = self._sized(shot.size)
        buffer.bind()
        self._fresh = self._fresh.united(self._renderer.draw(buffer.handle(), shot))
        gl.glFlush()

    def take(self) -> tuple[QImage, QRect]:
        """The picture that was started last, and what of it has changed since the last one was taken, over which it is
        written."""
        self.graphics.make_current()
        assert self._buffer is not None
        source = self._buffer
        if self._flat is not None:
            QOpenGLFramebufferObject.blitFramebuffer(self._flat, source)
            source = self._flat
        source.bind()
        height, width, _ = self._raw.shape
        fresh, self._fresh = self._fresh, QRect()
        x, y, wide, high = fresh.x(), fresh.y(), fresh.width(), fresh.height()
        start = address(self._raw) + _BYTES * (y * width + x)
        gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, width)
        # In the order in which the buffer has it: turning every pixel round took ten times as long.
        self.graphics.driver.read_pixels(x, y, wide, high, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, start)
        gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, 0)
        return QImage(self._raw.data, width, height, _BYTES * width, QImage.Format.Format_RGB32), fresh

    def release(self) -> None:
        """Delete what lives in the context."""
        self.graphics.make_current()
        self._renderer.release()
        self._buffer = self._flat = None

    def _sized(self, size: tuple[int, int]) -> QOpenGLFramebufferObject:
        buffer = self._buffer
        if buffer is None or (buffer.width(), buffer.height()) != size:
            buffer = self._buffer = frame_buffer(size, self.graphics.info.samples)
            self._flat = QOpenGLFramebufferObject(*size) if self.graphics.info.samples else None
            self._raw = np.empty((size[1], size[0], _BYTES), np.uint8)
            self._fresh = QRect()
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
_THROUGH = 0.45
"""Opacity of what is seen through a body."""
_PENUMBRA = ((0.0, 0.05), (0.045, -0.03), (-0.045, -0.02))
"""Small turns of the light, whose overlapping shadows have a soft edge."""


class Batch(NamedTuple):
    """Meshes that one program draws, one after another."""

    fragment: str
    held: list[Held]
    rows: np.ndarray
    """Their `u_mesh` (n, 8, 4), float32."""


_ROW = 8 * 4 * 4
"""Bytes of the `u_mesh` of one mesh."""


class Renderer:
    """Draws one view's primitives, with what views of one context share. Every call needs that context to be current."""

    def __init__(self, graphics: Graphics) -> None:
        software = graphics.info.software
        self._lights = ((0.0, 0.0),) if software else _PENUMBRA
        self._backdrop = Backdrop() if software else None
        self._graphics = graphics
        self._meshes: dict[Mesh, Held] = {}
        self._listed: Sequence[Mesh] = ()
        """What there was to draw last, seen or not."""
        self._clip = np.eye(4, dtype=np.float32)
        """From the eye."""
        self._ground: Hashable = None
        """What names the sky and the ground of the last picture, and its buffer."""
        self._box = QRect()
        """Where in it something stands before these."""
        self._strips = np.zeros(1, np.uint32)
        """The buffer of what is made anew for every picture; zero before there is one."""

    def draw(self, picture: int, shot: Shot) -> QRect:
        """A shot, in the frame buffer of this number: sky, floor, shadows, solids, lines, glass. Returns where it may differ from
        the last one, in its own pixels."""
        view, size = shot.view, shot.size
        self._clip = (_UPSIDE_DOWN @ shot.projection).astype(np.float32)
        self._begin(size)
        shown = self._keep(shot.meshes)
        batches = self._batches(shown, view)
        floor = batches["floor"]
        shadows = self._shadows([mesh for mesh in shown if mesh.shadow], shot)
        lines = [line for line in shot.lines if line.visible and len(line.points) > 1]
        strips = Strips.of(lines, shot.pixel_ratio)
        solids = [*(batch for look, batch in batches.items() if look != "floor"), *shadows]
        seen_from = view.tobytes(), shot.projection.tobytes()
        changed = self._changed(
            self._bounds(solids, strips, view, size),
            (picture, size, shot.theme.name, *seen_from, floor.rows.tobytes()),
            QRect(0, 0, *size),
        )
        laid = self._lay_backdrop(picture, changed, floor, shot.theme, size)
        self._opaque()
        self._draw_batch(batches["solid"])
        gl.glEnable(gl.GL_CULL_FACE)  # bodies are closed; the shafts of arrows are not
        self._draw_batch(batches["painted"])
        if batches["painted"].held:
            self._draw_through([mesh for mesh in shown if mesh.through], view)
        gl.glDisable(gl.GL_CULL_FACE)
        # Behind the solids: a software renderer pays for every pixel that it draws twice.
        if not laid:
            self._draw_sky(shot.theme)
        self._blend()
        if not laid:
            self._draw_batch(floor)
        self._draw_batch(batches["pane"])
        self._draw_shadows(shadows)
        self._draw_lines(strips, view, size)
        gl.glEnable(gl.GL_CULL_FACE)
        self._draw_batch(batches["glass"])
        gl.glDisable(gl.GL_CULL_FACE)
        self._end()
        return changed

    def release(self) -> None:
        """Delete what lives in the context."""
        self._keep(())
        self._graphics.driver.delete_buffers(1, address(self._strips))  # which passes over zero
        self._strips[:] = 0
        if self._backdrop is not None:
            self._backdrop.release()

    # --- what is drawn, and where

    def _keep(self, meshes: Sequence[Mesh]) -> list[Mesh]:
        """Hold those that are seen, which it returns, and let go of what is no longer drawn: a window may show any number of
        runs."""
        known, vertices = self._meshes, self._graphics.vertices
        shown = [mesh for mesh in meshes if mesh.visible]
        for mesh in shown:
            if mesh not in known:
                known[mesh] = vertices.hold(mesh.vertices)
        if meshes is not self._listed:
            self._listed = meshes
            for mesh in known.keys() - set(meshes):  # now: of another run most look as those of the last one
                vertices.let_go(known.pop(mesh))
        return shown

    def _batches(self, shown: Sequence[Mesh], view: np.ndarray) -> dict[str, Batch]:
        """Those that are seen by their looks, for a camera whose `view` is 4x4. All rows are made at once: forty small arrays
        a picture would take longer than the pixels."""
        looks: dict[str, list[Mesh]] = {look: [] for look in _LOOKS}
        for mesh in shown:
            looks[mesh.look].append(mesh)
        ordered = [mesh for batch in looks.values() for mesh in batch]
        rows = np.zeros((len(ordered), 8, 4), np.float32)
        if ordered:
            rows[:, :3] = to_eye(ordered, view)
            rows[:, 3:6, :3] = cofactors(rows[:, :3, :3])
            rows[:, 6:] = [inks(mesh.look, mesh.colour, mesh.second, mesh.alpha) for mesh in ordered]
        found, start = {}, 0
        for look, batch in looks.items():
            stop = start + len(batch)
            found[look] = Batch(_LOOKS[look], [self._meshes[mesh] for mesh in batch], rows[start:stop])
            start = stop
        return found

    def _shadows(self, casters: Sequence[Mesh], shot: Shot) -> list[Batch]:
        """What each light leaves on the floor."""
        found, held = [], [self._meshes[mesh] for mesh in casters]
        for dx, dy in self._lights if casters else ():
            rows = np.zeros((len(casters), 8, 4), np.float32)
            rows[:, :3] = to_eye(casters, shot.view @ flattened(LIGHT + np.array([dx, dy, 0.0]), shot.floor))
            rows[:, 6] = (*rgb(shot.theme.shadow), 0.5 / len(self._lights))
            found.append(Batch(shaders.FLAT_FRAGMENT, held, rows))
        return found

    def _bounds(
        self, batches: Sequence[Batch], strips: "Strips", view: np.ndarray, size: tuple[int, int]
    ) -> QRect:
        """What of a picture these meshes and lines may cover."""
        rows = np.concatenate([batch.rows[:, :3] for batch in batches])
        corners = np.array([held.corners for batch in batches for held in batch.held]).reshape(-1, 8, 4)
        eye = (corners @ rows.transpose(0, 2, 1)).reshape(-1, 3)
        eye = np.concatenate((eye, strips.points @ view[:3, :3].T + view[:3, 3]))
        clip = eye @ self._clip[:, :3].T + self._clip[:, 3]
        whole = QRect(0, 0, *size)
        if not len(clip):
            return QRect()
        if not clip[:, 3].min() > 1e-6:  # a part is behind the eye
            return whole
        places = (clip[:, :2] / clip[:, 3:] * 0.5 + 0.5) * size
        left, top = np.clip(places.min(axis=0) - strips.reach, 0, size).astype(int).tolist()
        right, bottom = np.clip(places.max(axis=0) + strips.reach + 1, 0, size).astype(int).tolist()
        return QRect(left, top, right - left, bottom - top)

    def _changed(self, box: QRect, ground: Hashable, whole: QRect) -> QRect:
        """Where a picture differs from the last one that has something in this `box`, over this `ground`."""
        before, self._box = self._box, box
        same, self._ground = self._ground == ground, ground
        return box.united(before) if same else whole

    # --- drawing it

    def _begin(self, size: tuple[int, int]) -> None:
        gl.glViewport(0, 0, *size)
        gl.glDepthMask(True)
        gl.glColorMask(True, True, True, True)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glFrontFace(gl.GL_CW)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT)

    def _end(self) -> None:
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, 0)
        gl.glUseProgram(0)

    def _opaque(self) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_BLEND)

    def _blend(self) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(False)
        gl.glEnable(gl.GL_BLEND)
        # The view is composed into the window by its alpha, which the sky has set: glass must leave it at one.
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ZERO, gl.GL_ONE)

    def _lay_backdrop(
        self, picture: int, part: QRect, ground: Batch, theme: Theme, size: tuple[int, int]
    ) -> bool:
        if self._backdrop is None:
            return False

        def paint() -> None:
            # As where they are drawn into the picture itself: in another state, or into a buffer without depth, a software
            # renderer compiles the same shaders once more, which held the second picture up for fifty milliseconds.
            self._begin(size)
            self._opaque()
            self._draw_sky(theme)
            self._blend()
            self._draw_batch(ground)

        return self._backdrop.lay(picture, part, size, self._ground, paint)

    def _draw_sky(self, theme: Theme) -> None:
        gl.glDisable(gl.GL_BLEND)
        program = self._graphics.use(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        gl.glUniform3f(program.uniform("u_top"), *rgb(theme.sky_top))
        gl.glUniform3f(program.uniform("u_bottom"), *rgb(theme.sky_bottom))
        self._upload(np.array([(-1, -1, 0), (3, -1, 0), (-1, 3, 0)], np.float32))
        program.attributes(12, (("a_position", 3, 0),))
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        program.rest()

    def _draw_through(self, meshes: Sequence[Mesh], view: np.ndarray) -> None:
        """What of these stands behind something solid, faintly; of each its front alone, which never lies behind itself."""
        if not meshes:
            return
        rows = np.zeros((len(meshes), 8, 4), np.float32)
        rows[:, :3] = to_eye(meshes, view)
        rows[:, 6] = [(*rgb(mesh.colour), _THROUGH) for mesh in meshes]
        self._blend()
        gl.glDepthFunc(gl.GL_GREATER)
        self._draw_batch(Batch(shaders.FLAT_FRAGMENT, [self._meshes[mesh] for mesh in meshes], rows))
        gl.glDepthFunc(gl.GL_LESS)
        self._opaque()

    def _draw_shadows(self, shadows: Sequence[Batch]) -> None:
        if not shadows:
            return
        gl.glEnable(gl.GL_CULL_FACE)  # either side of a closed body casts all of its shadow
        gl.glDepthFunc(gl.GL_LEQUAL)  # a shadow lies in the floor's plane
        gl.glEnable(gl.GL_STENCIL_TEST)
        gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_INCR)
        for number, batch in enumerate(shadows):
            # The stencil lets each light darken a pixel once, however many triangles cover it.
            if number:
                gl.glClear(gl.GL_STENCIL_BUFFER_BIT)
            gl.glStencilFunc(gl.GL_EQUAL, 0, 0xFF)
            self._draw_batch(batch)
        gl.glDisable(gl.GL_STENCIL_TEST)
        gl.glDepthFunc(gl.GL_LESS)
        gl.glDisable(gl.GL_CULL_FACE)

    def _draw_batch(self, batch: Batch) -> None:
        if not batch.held:
            return
        driver = self._graphics.driver
        program = self._graphics.use(shaders.MESH_VERTEX, batch.fragment)
        program.matrix("u_clip", self._clip)
        self._graphics.vertices.bind()
        program.attributes(24, _MESH_LAYOUT)
        place, row = program.uniform("u_mesh"), address(batch.rows)
        for held in batch.held:
            driver.set_rows(place, 8, row)
            driver.draw_elements(gl.GL_TRIANGLES, held.count, gl.GL_UNSIGNED_INT, held.start)
            row += _ROW
        program.rest()

    def _draw_lines(self, strips: "Strips", view: np.ndarray, size: tuple[int, int]) -> None:
        if not len(strips.counts):
            return
        program = self._graphics.use(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        program.matrix("u_clip", (self._clip @ view).astype(np.float32))
        gl.glUniform2f(program.uniform("u_size"), *size)
        self._upload(strips.rows)
        program.attributes(strips.rows.itemsize * strips.rows.shape[1], _LINE_LAYOUT)
        starts, counts = address(strips.starts), address(strips.counts)
        self._graphics.driver.draw_strips(gl.GL_TRIANGLE_STRIP, starts, counts, len(strips.counts))
        program.rest()

    def _upload(self, rows: np.ndarray) -> None:
        """Let attributes read from these rows, until others come."""
        driver = self._graphics.driver
        if not self._strips.any():
            driver.make_buffers(1, address(self._strips))
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, int(self._strips[0]))
        driver.fill_buffer(gl.GL_ARRAY_BUFFER, rows.nbytes, address(rows), gl.GL_STREAM_DRAW)

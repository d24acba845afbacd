"""OpenGL rendering of a view into an offscreen buffer. A widget then paints the image of the buffer.

A QOpenGLWidget is not used, because Qt would then compose the whole window with OpenGL in every frame. In software rendering
this took 13 of 33 ms per frame, while reading the image back takes 1 ms.
"""

import math
from collections.abc import Hashable, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject

from quatviz.display.scene.base import Mesh
from quatviz.display.scene.vertex_data import LineStrips, mesh_colors, model_view_rows, rgb, shadow_matrix
from quatviz.display.scene.view_snapshot import ViewSnapshot
from quatviz.display.view_state.theme import Theme
from quatviz.physics.geometry.triangles import cofactors
from quatviz.ui.scene import gl, shaders
from quatviz.ui.scene.gl_resources import (
    BackgroundCache,
    GraphicsContext,
    IndexedVertices,
    address,
    make_frame_buffer,
)

_BYTES_PER_PIXEL = 4
SAMPLES = 4
"""Samples per pixel of an antialiased picture."""
MAX_ANTIALIASED_SECONDS = 0.005
"""Longest drawing time [s] of an antialiased picture in software rendering at which moving pictures are antialiased, too.

It is a third of a frame at 60 Hz, which leaves enough time for curves and other views.
"""


class FrameBuffers(NamedTuple):
    """The frame buffer into which a picture is drawn. A multisampled buffer has a second one with one sample per pixel,
    from which the picture is read."""

    drawn: QOpenGLFramebufferObject
    resolved: QOpenGLFramebufferObject | None


class OffscreenCanvas:
    """The buffers into which one view is drawn. `draw` starts a picture and `read_image` waits for it.

    In software rendering, work between these two calls overlaps with the threads that draw. With graphics hardware,
    every picture is antialiased. In software rendering, a picture is antialiased if its snapshot requests this, or if
    the last antialiased picture was drawn fast enough.
    """

    def __init__(self, graphics: GraphicsContext) -> None:
        self.graphics, self._renderer = graphics, Renderer(graphics)
        self._buffers: dict[int, FrameBuffers] = {}
        """Buffers of the present size, by number of samples. They are kept, because moving and resting pictures alternate
        and creating a multisampled buffer takes several milliseconds."""
        self._drawn_buffers: FrameBuffers | None = None
        """Buffers into which the last picture was drawn, or None."""
        self._pixels = np.empty((0, 0, _BYTES_PER_PIXEL), np.uint8)
        self._unread_rect = QRect()
        """Rectangle of the picture that was drawn but not read from the buffer yet."""
        self._started_at = 0.0
        """Time at which the last picture was started [s]."""
        self._antialiased_seconds = math.inf
        """Time to draw the last picture that requested antialiasing [s]."""
        self._is_measuring = False
        """True while a picture that requested antialiasing is drawn."""

    def draw(self, snapshot: ViewSnapshot) -> None:
        """Start drawing a snapshot.

        Raises
        ------
        ContextLost
            If the OpenGL context no longer exists.
        """
        self.graphics.make_current(checked=True)
        samples = SAMPLES if self._antialiases(snapshot) else 0
        self._is_measuring, self._started_at = snapshot.antialiased, perf_counter()
        self._drawn_buffers = self._buffers_for(snapshot.size, samples)
        buffer = self._drawn_buffers.drawn
        buffer.bind()
        self._unread_rect = self._unread_rect.united(self._renderer.draw(buffer.handle(), snapshot, samples))
        gl.glFlush()

    def read_image(self) -> tuple[QImage, QRect]:
        """Return the last picture, and the rectangle that has changed since the previous call. The next call overwrites
        the memory of the picture."""
        self.graphics.make_current()
        assert self._drawn_buffers is not None
        source, resolved = self._drawn_buffers
        if resolved is not None:
            QOpenGLFramebufferObject.blitFramebuffer(resolved, source)
            source = resolved
        source.bind()
        height, width, _ = self._pixels.shape
        unread_rect, self._unread_rect = self._unread_rect, QRect()
        x, y, unread_width, unread_height = (
            unread_rect.x(),
            unread_rect.y(),
            unread_rect.width(),
            unread_rect.height(),
        )
        start = address(self._pixels) + _BYTES_PER_PIXEL * (y * width + x)
        gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, width)
        # Rows are read in buffer order; reversing the pixels takes ten times as long.
        self.graphics.driver.read_pixels(
            x, y, unread_width, unread_height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, start
        )
        gl.glPixelStorei(gl.GL_PACK_ROW_LENGTH, 0)
        if self._is_measuring:
            self._antialiased_seconds, self._is_measuring = perf_counter() - self._started_at, False
        return QImage(
            self._pixels.data, width, height, _BYTES_PER_PIXEL * width, QImage.Format.Format_RGB32
        ), unread_rect

    def release(self) -> None:
        """Delete the OpenGL resources."""
        self.graphics.make_current()
        self._renderer.release()
        self._buffers, self._drawn_buffers = {}, None

    def _antialiases(self, snapshot: ViewSnapshot) -> bool:
        return (
            snapshot.antialiased
            or not self.graphics.info.is_software
            or self._antialiased_seconds <= MAX_ANTIALIASED_SECONDS
        )

    def _buffers_for(self, size: tuple[int, int], samples: int) -> FrameBuffers:
        """Return the buffers for a size and a number of samples. If the size has changed, delete all previous buffers."""
        height, width, _ = self._pixels.shape
        if (width, height) != size:
            self._buffers, self._unread_rect = {}, QRect()
            self._pixels = np.empty((size[1], size[0], _BYTES_PER_PIXEL), np.uint8)
        if samples not in self._buffers:
            self._buffers[samples] = FrameBuffers(
                make_frame_buffer(size, samples), QOpenGLFramebufferObject(*size) if samples else None
            )
        return self._buffers[samples]


_UPSIDE_DOWN = np.diag([1.0, -1.0, 1.0, 1.0])
"""Matrix that flips pictures vertically, because the first row of a picture is the lowest in OpenGL and the highest in
Qt."""

_MESH_LAYOUT = (("a_position", 3, 0), ("a_normal", 3, 12))
_LINE_LAYOUT = (
    *(("a_position", 3, 0), ("a_before", 3, 12), ("a_after", 3, 24)),
    *(("a_side", 2, 36), ("a_ink", 4, 44)),
)

LIGHT = np.array([0.35, -0.3, 1.0])
"""Direction towards the light that casts shadows, in the space frame."""

_FRAGMENT_SHADERS = {
    "solid": shaders.SOLID_FRAGMENT,
    "painted": shaders.PAINTED_FRAGMENT,
    "glass": shaders.GLASS_FRAGMENT,
    "floor": shaders.FLOOR_FRAGMENT,
    "pane": shaders.FLAT_FRAGMENT,
}
_SEE_THROUGH_OPACITY = 0.45
"""Opacity of parts that are hidden behind a body and shine through it."""
_LIGHT_OFFSETS = ((0.0, 0.05), (0.045, -0.03), (-0.045, -0.02))
"""Offsets of the light direction for three shadows. They overlap, so that their edges look soft."""


class MeshBatch(NamedTuple):
    """Meshes that are drawn together, because they use the same shader program."""

    fragment: str
    vertex_data: list[IndexedVertices]
    rows: np.ndarray
    """Values of the uniform array `u_mesh` (matrices and colors) of n meshes, shape (n, 8, 4), float32."""


_ROW_BYTES = 8 * 4 * 4
"""Size of the uniform array `u_mesh` of one mesh [bytes]."""


class Renderer:
    """The renderer of one view. Views share resources in one OpenGL context, which must be current in every
    call."""

    def __init__(self, graphics: GraphicsContext) -> None:
        software = graphics.info.is_software
        self._light_offsets = ((0.0, 0.0),) if software else _LIGHT_OFFSETS
        self._background_cache = BackgroundCache() if software else None
        self._graphics = graphics
        self._meshes: dict[Mesh, IndexedVertices] = {}
        self._last_meshes: Sequence[Mesh] = ()
        """All meshes of the last picture, including invisible ones."""
        self._eye_to_clip = np.eye(4, dtype=np.float32)
        """Projection matrix from eye to clip space."""
        self._background_key: Hashable = None
        """Key that identifies the background, the camera and the buffer of the last picture."""
        self._content_rect = QRect()
        """Rectangle that contains everything in front of the background in the last picture."""
        self._stream_buffer = np.zeros(1, np.uint32)
        """OpenGL name of the buffer for vertices that change with every picture, zero before its creation."""

    def draw(self, frame_buffer_id: int, snapshot: ViewSnapshot, samples: int) -> QRect:
        """Draw a snapshot into a frame buffer: sky, floor, shadows, solids, lines, glass.

        Parameters
        ----------
        frame_buffer_id
            Name of the frame buffer.
        snapshot
            The snapshot.
        samples
            Samples per pixel of the frame buffer; 0 if it is not multisampled.

        Returns
        -------
        QRect
            The rectangle that may differ from the last picture [device pixels].
        """
        view, size = snapshot.view_matrix, snapshot.size
        self._eye_to_clip = (_UPSIDE_DOWN @ snapshot.projection_matrix).astype(np.float32)
        self._reset_state(size)
        visible_meshes = self._update_meshes(snapshot.meshes)
        batches = self._batches(visible_meshes, view)
        floor = batches["floor"]
        shadows = self._shadows([mesh for mesh in visible_meshes if mesh.shadow], snapshot)
        lines = [line for line in snapshot.lines if line.visible and len(line.points) > 1]
        strips = LineStrips.from_lines(lines, snapshot.pixel_ratio)
        solids = [*(batch for material, batch in batches.items() if material != "floor"), *shadows]
        camera_key = view.tobytes(), snapshot.projection_matrix.tobytes()
        changed = self._changed_rect(
            self._bounds(solids, strips, view, size),
            (frame_buffer_id, size, samples, snapshot.theme.name, *camera_key, floor.rows.tobytes()),
            QRect(0, 0, *size),
        )
        # The cached background has one sample per pixel, and antialiased pictures are rare in software.
        background_drawn = not samples and self._draw_cached_background(
            frame_buffer_id, changed, floor, snapshot.theme, size
        )
        self._set_opaque_state()
        self._draw_batch(batches["solid"])
        gl.glEnable(gl.GL_CULL_FACE)  # bodies are closed; the shafts of arrows are not
        self._draw_batch(batches["painted"])
        if batches["painted"].vertex_data:
            self._draw_see_through([mesh for mesh in visible_meshes if mesh.visible_through], view)
        gl.glDisable(gl.GL_CULL_FACE)
        # The sky comes after the solids, because software rendering pays for every overdrawn pixel.
        if not background_drawn:
            self._draw_sky(snapshot.theme)
        self._set_blend_state()
        if not background_drawn:
            self._draw_batch(floor)
        self._draw_batch(batches["pane"])
        self._draw_shadows(shadows)
        self._draw_lines(strips, view, size)
        gl.glEnable(gl.GL_CULL_FACE)
        self._draw_batch(batches["glass"])
        gl.glDisable(gl.GL_CULL_FACE)
        self._restore_state()
        return changed

    def release(self) -> None:
        """Delete the OpenGL resources."""
        self._update_meshes(())
        self._graphics.driver.delete_buffers(1, address(self._stream_buffer))  # OpenGL ignores zero
        self._stream_buffer[:] = 0
        if self._background_cache is not None:
            self._background_cache.release()

    # --- preparing a picture

    def _update_meshes(self, meshes: Sequence[Mesh]) -> list[Mesh]:
        """Acquire the vertices of visible meshes, and release those of meshes that are no longer drawn. Return the
        visible meshes."""
        known, vertices = self._meshes, self._graphics.vertices
        visible_meshes = [mesh for mesh in meshes if mesh.visible]
        for mesh in visible_meshes:
            if mesh not in known:
                known[mesh] = vertices.acquire(mesh.vertices)
        if meshes is not self._last_meshes:
            self._last_meshes = meshes
            # Released now, because most meshes of another run equal those of the last one.
            for mesh in known.keys() - set(meshes):
                vertices.release_vertices(known.pop(mesh))
        return visible_meshes

    def _batches(self, visible_meshes: Sequence[Mesh], view: np.ndarray) -> dict[str, MeshBatch]:
        """Return the visible meshes for a view matrix (4, 4), grouped by material.

        The `u_mesh` values of all meshes are computed in one array, because computing forty small arrays would take longer
        than the drawing.
        """
        meshes_by_material: dict[str, list[Mesh]] = {material: [] for material in _FRAGMENT_SHADERS}
        for mesh in visible_meshes:
            meshes_by_material[mesh.material].append(mesh)
        ordered = [mesh for meshes in meshes_by_material.values() for mesh in meshes]
        rows = np.zeros((len(ordered), 8, 4), np.float32)
        if ordered:
            rows[:, :3] = model_view_rows(ordered, view)
            rows[:, 3:6, :3] = cofactors(rows[:, :3, :3])
            rows[:, 6:] = [
                mesh_colors(mesh.material, mesh.color, mesh.second_color, mesh.alpha) for mesh in ordered
            ]
        batches, start = {}, 0
        for material, meshes in meshes_by_material.items():
            stop = start + len(meshes)
            batches[material] = MeshBatch(
                _FRAGMENT_SHADERS[material], [self._meshes[mesh] for mesh in meshes], rows[start:stop]
            )
            start = stop
        return batches

    def _shadows(self, casters: Sequence[Mesh], snapshot: ViewSnapshot) -> list[MeshBatch]:
        """Return the shadows of the meshes on the floor, one batch for each light direction."""
        batches, vertex_data = [], [self._meshes[mesh] for mesh in casters]
        for dx, dy in self._light_offsets if casters else ():
            rows = np.zeros((len(casters), 8, 4), np.float32)
            rows[:, :3] = model_view_rows(
                casters, snapshot.view_matrix @ shadow_matrix(LIGHT + np.array([dx, dy, 0.0]), snapshot.floor)
            )
            rows[:, 6] = (*rgb(snapshot.theme.shadow), 0.5 / len(self._light_offsets))
            batches.append(MeshBatch(shaders.FLAT_FRAGMENT, vertex_data, rows))
        return batches

    def _bounds(
        self, batches: Sequence[MeshBatch], strips: "LineStrips", view: np.ndarray, size: tuple[int, int]
    ) -> QRect:
        """Return the rectangle that the meshes and lines may cover [device pixels]."""
        rows = np.concatenate([batch.rows[:, :3] for batch in batches])
        corners = np.array([vertices.corners for batch in batches for vertices in batch.vertex_data]).reshape(
            -1, 8, 4
        )
        eye = (corners @ rows.transpose(0, 2, 1)).reshape(-1, 3)
        eye = np.concatenate((eye, strips.points @ view[:3, :3].T + view[:3, 3]))
        clip = eye @ self._eye_to_clip[:, :3].T + self._eye_to_clip[:, 3]
        full_rect = QRect(0, 0, *size)
        if not len(clip):
            return QRect()
        if not clip[:, 3].min() > 1e-6:  # a part is behind the eye
            return full_rect
        pixels = (clip[:, :2] / clip[:, 3:] * 0.5 + 0.5) * size
        left, top = np.clip(pixels.min(axis=0) - strips.margin, 0, size).astype(int).tolist()
        right, bottom = np.clip(pixels.max(axis=0) + strips.margin + 1, 0, size).astype(int).tolist()
        return QRect(left, top, right - left, bottom - top)

    def _changed_rect(self, box: QRect, background_key: Hashable, full_rect: QRect) -> QRect:
        """Return the rectangle in which the new picture may differ from the last one [device pixels].

        `box` contains everything in front of the background in the new picture. `background_key` identifies this
        background. If it has changed, the whole picture may differ.
        """
        previous_box, self._content_rect = self._content_rect, box
        is_same, self._background_key = self._background_key == background_key, background_key
        return box.united(previous_box) if is_same else full_rect

    # --- drawing

    def _reset_state(self, size: tuple[int, int]) -> None:
        gl.glViewport(0, 0, *size)
        gl.glDepthMask(True)
        gl.glColorMask(True, True, True, True)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glFrontFace(gl.GL_CW)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT | gl.GL_STENCIL_BUFFER_BIT)

    def _restore_state(self) -> None:
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, 0)
        gl.glUseProgram(0)

    def _set_opaque_state(self) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_BLEND)

    def _set_blend_state(self) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(False)
        gl.glEnable(gl.GL_BLEND)
        # The view is composed into the window by its alpha value, which the sky sets to 1 and glass must not change.
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ZERO, gl.GL_ONE)

    def _draw_cached_background(
        self, frame_buffer_id: int, rect: QRect, floor: MeshBatch, theme: Theme, size: tuple[int, int]
    ) -> bool:
        if self._background_cache is None:
            return False

        def paint() -> None:
            # The state must equal that of direct drawing. For another state, or a buffer without depth, a software renderer
            # compiles the same shaders again, which delayed the second picture by 50 ms.
            self._reset_state(size)
            self._set_opaque_state()
            self._draw_sky(theme)
            self._set_blend_state()
            self._draw_batch(floor)

        return self._background_cache.blit(frame_buffer_id, rect, size, self._background_key, paint)

    def _draw_sky(self, theme: Theme) -> None:
        gl.glDisable(gl.GL_BLEND)
        program = self._graphics.use_program(shaders.SKY_VERTEX, shaders.SKY_FRAGMENT)
        gl.glUniform3f(program.uniform_location("u_top"), *rgb(theme.sky_top))
        gl.glUniform3f(program.uniform_location("u_bottom"), *rgb(theme.sky_bottom))
        self._upload(np.array([(-1, -1, 0), (3, -1, 0), (-1, 3, 0)], np.float32))
        program.set_attributes(12, (("a_position", 3, 0),))
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
        program.disable_attributes()

    def _draw_see_through(self, meshes: Sequence[Mesh], view: np.ndarray) -> None:
        """Draw the parts of `meshes` that are hidden behind a body translucently. Only front faces are drawn."""
        if not meshes:
            return
        rows = np.zeros((len(meshes), 8, 4), np.float32)
        rows[:, :3] = model_view_rows(meshes, view)
        rows[:, 6] = [(*rgb(mesh.color), _SEE_THROUGH_OPACITY) for mesh in meshes]
        self._set_blend_state()
        gl.glDepthFunc(gl.GL_GREATER)
        self._draw_batch(MeshBatch(shaders.FLAT_FRAGMENT, [self._meshes[mesh] for mesh in meshes], rows))
        gl.glDepthFunc(gl.GL_LESS)
        self._set_opaque_state()

    def _draw_shadows(self, shadows: Sequence[MeshBatch]) -> None:
        if not shadows:
            return
        gl.glEnable(gl.GL_CULL_FACE)  # either side of a closed body casts its whole shadow
        gl.glDepthFunc(gl.GL_LEQUAL)  # shadows lie in the plane of the floor
        gl.glEnable(gl.GL_STENCIL_TEST)
        gl.glStencilOp(gl.GL_KEEP, gl.GL_KEEP, gl.GL_INCR)
        for index, batch in enumerate(shadows):
            # The stencil lets each light darken a pixel once, however many triangles cover it.
            if index:
                gl.glClear(gl.GL_STENCIL_BUFFER_BIT)
            gl.glStencilFunc(gl.GL_EQUAL, 0, 0xFF)
            self._draw_batch(batch)
        gl.glDisable(gl.GL_STENCIL_TEST)
        gl.glDepthFunc(gl.GL_LESS)
        gl.glDisable(gl.GL_CULL_FACE)

    def _draw_batch(self, batch: MeshBatch) -> None:
        if not batch.vertex_data:
            return
        driver = self._graphics.driver
        program = self._graphics.use_program(shaders.MESH_VERTEX, batch.fragment)
        program.set_matrix("u_clip", self._eye_to_clip)
        self._graphics.vertices.bind()
        program.set_attributes(24, _MESH_LAYOUT)
        location, row = program.uniform_location("u_mesh"), address(batch.rows)
        for vertices in batch.vertex_data:
            driver.set_rows(location, 8, row)
            driver.draw_elements(gl.GL_TRIANGLES, vertices.count, gl.GL_UNSIGNED_INT, vertices.byte_offset)
            row += _ROW_BYTES
        program.disable_attributes()

    def _draw_lines(self, strips: "LineStrips", view: np.ndarray, size: tuple[int, int]) -> None:
        if not len(strips.counts):
            return
        program = self._graphics.use_program(shaders.LINE_VERTEX, shaders.LINE_FRAGMENT)
        program.set_matrix("u_clip", (self._eye_to_clip @ view).astype(np.float32))
        gl.glUniform2f(program.uniform_location("u_size"), *size)
        self._upload(strips.rows)
        program.set_attributes(strips.rows.itemsize * strips.rows.shape[1], _LINE_LAYOUT)
        starts, counts = address(strips.starts), address(strips.counts)
        self._graphics.driver.draw_strips(gl.GL_TRIANGLE_STRIP, starts, counts, len(strips.counts))
        program.disable_attributes()

    def _upload(self, rows: np.ndarray) -> None:
        """Copy these rows of vertices to the stream buffer, which is bound afterwards."""
        driver = self._graphics.driver
        if not self._stream_buffer.any():
            driver.make_buffers(1, address(self._stream_buffer))
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, int(self._stream_buffer[0]))
        driver.fill_buffer(gl.GL_ARRAY_BUFFER, rows.nbytes, address(rows), gl.GL_STREAM_DRAW)

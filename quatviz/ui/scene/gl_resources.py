"""OpenGL resources shared by the views of a window: one context, shader programs, vertex buffers and a cached background."""

import ctypes
import hashlib
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PySide6.QtOpenGL import (
    QOpenGLFramebufferObject,
    QOpenGLFramebufferObjectFormat,
    QOpenGLShader,
    QOpenGLShaderProgram,
)
from shiboken6 import isValid

from quatviz.base.errors import InputError
from quatviz.ui.scene import gl
from quatviz.ui.scene.gl_context import ContextLost, GLInfo, surface_format


class GLDriver:
    """OpenGL functions that take arrays. They are called through their addresses in the driver, and need a current
    context.

    PyOpenGL would inspect each array, which takes twenty times as long as the call itself.
    """

    def __init__(self, context: QOpenGLContext) -> None:
        def function(name: str, *argument_types: type) -> Callable[..., None]:
            return ctypes.CFUNCTYPE(None, *argument_types)(context.getProcAddress(name.encode()))

        number, address = ctypes.c_int, ctypes.c_void_p
        self.set_rows = function("glUniform4fv", number, number, address)
        self.set_matrix = function("glUniformMatrix4fv", number, number, ctypes.c_ubyte, address)
        self.read_attribute = function(
            "glVertexAttribPointer", number, number, number, ctypes.c_ubyte, number, address
        )
        self.draw_elements = function("glDrawElements", number, number, number, address)
        self.draw_strips = function("glMultiDrawArrays", number, address, address, number)
        self.fill_buffer = function("glBufferData", number, ctypes.c_ssize_t, address, number)
        self.read_pixels = function("glReadPixels", *6 * (number,), address)
        self.make_buffers = function("glGenBuffers", number, address)
        self.delete_buffers = function("glDeleteBuffers", number, address)


def address(array: np.ndarray) -> int:
    """Return the memory address of an array."""
    return int(array.__array_interface__["data"][0])


@dataclass(eq=False)
class IndexedVertices:
    """Distinct vertices of a mesh, and the indices of the vertices of each triangle.

    A vertex that six triangles share is processed once. This processing is the main cost in software rendering.
    """

    digest: bytes
    vertices: np.ndarray
    indices: np.ndarray
    user_count: int = 0
    byte_offset: int = 0
    """Position in the index buffer at which the indices of these vertices begin [bytes]."""

    def __post_init__(self) -> None:
        self.count = len(self.indices)
        points = self.vertices[:, :3]
        ends = np.stack((points.min(axis=0), points.max(axis=0)))
        self.corners = np.array(
            [(ends[i, 0], ends[j, 1], ends[k, 2], 1.0) for i, j, k in np.ndindex(2, 2, 2)]
        )
        """Corners of the bounding box of the vertices in homogeneous coordinates, shape (8, 4)."""


class VertexBuffers:
    """Vertex data of all meshes in one vertex buffer and one index buffer, so that no other buffer is bound between meshes.

    Equal data of several meshes are stored once.
    """

    def __init__(self, driver: GLDriver) -> None:
        self._driver = driver
        self._vertex_data: dict[bytes, IndexedVertices] = {}
        """Vertex data of all meshes that are in use, by the BLAKE2b hash of the vertices."""
        self._buffers = np.zeros(2, np.uint32)
        """OpenGL names of the vertex buffer and the index buffer, zero before their creation."""
        self._is_stale = True

    def __len__(self) -> int:
        return len(self._vertex_data)

    def acquire(self, vertices: np.ndarray) -> IndexedVertices:
        """Return the shared data of `vertices` (3 rows per triangle), and count one more user of the data."""
        data = np.ascontiguousarray(vertices)
        digest = hashlib.blake2b(data.data, digest_size=16).digest()
        if digest not in self._vertex_data:
            self._vertex_data[digest] = IndexedVertices(digest, *index_rows(data))
            self._is_stale = True
        self._vertex_data[digest].user_count += 1
        return self._vertex_data[digest]

    def release_vertices(self, data: IndexedVertices) -> None:
        """Count one user less of `data`. Data that have no users left are freed at the next upload."""
        data.user_count -= 1
        if not data.user_count:
            del self._vertex_data[data.digest]

    def bind(self) -> None:
        """Bind both buffers, and upload the vertex data if they have changed."""
        if not self._buffers.any():
            self._driver.make_buffers(2, address(self._buffers))
        vertices, indices = self._buffers.tolist()
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, vertices)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, indices)
        if self._is_stale:
            self._is_stale = False
            self._upload()

    def release(self) -> None:
        """Delete the buffers."""
        self._driver.delete_buffers(2, address(self._buffers))  # OpenGL ignores zeros
        self._buffers[:], self._is_stale = 0, True

    def _upload(self) -> None:
        vertices, indices, vertex_count, byte_count = [], [], 0, 0
        for data in self._vertex_data.values():
            data.byte_offset = byte_count
            vertices.append(data.vertices)
            indices.append(data.indices + np.uint32(vertex_count))
            vertex_count, byte_count = vertex_count + len(data.vertices), byte_count + indices[-1].nbytes
        for target, parts in ((gl.GL_ARRAY_BUFFER, vertices), (gl.GL_ELEMENT_ARRAY_BUFFER, indices)):
            merged = np.concatenate(parts)
            self._driver.fill_buffer(target, merged.nbytes, address(merged), gl.GL_STATIC_DRAW)


def index_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows (m, k) among `rows` (n, k), in order of first appearance, and for each of the n rows its
    index among the distinct ones."""
    row_keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, indices = np.unique(row_keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order))
    return rows[first[order]], rank[indices]


class ShaderProgram:
    """A compiled shader program with its input locations.

    Use it only in the context in which it was created. A RuntimeError is raised if the driver cannot compile the shaders.
    """

    def __init__(self, vertex: str, fragment: str, driver: GLDriver) -> None:
        self._qt_program = QOpenGLShaderProgram()
        shader_types = QOpenGLShader.ShaderTypeBit
        for shader_type, text in ((shader_types.Vertex, vertex), (shader_types.Fragment, fragment)):
            if not self._qt_program.addShaderFromSourceCode(shader_type, text):
                raise RuntimeError(self._qt_program.log())
        if not self._qt_program.link():
            raise RuntimeError(self._qt_program.log())
        self.handle = self._qt_program.programId()
        self._driver = driver
        self._locations: dict[str, int] = {}
        self._enabled: list[int] = []

    def set_matrix(self, name: str, value: np.ndarray) -> None:
        """Set a uniform variable of the shaders to a matrix of shape (4, 4) and dtype float32."""
        self._driver.set_matrix(self.uniform_location(name), 1, True, address(value))

    def set_attributes(self, stride: int, layout: Sequence[tuple[str, int, int]]) -> None:
        """Set which vertex attributes are read from the bound buffer. An entry of `layout` gives the name of an attribute,
        its number of floats and its offset [bytes].

        `stride` is the size of one vertex [bytes].
        """
        for name, width, offset in layout:
            if name not in self._locations:
                self._locations[name] = self._qt_program.attributeLocation(name)
            location = self._locations[name]
            if location >= 0:
                gl.glEnableVertexAttribArray(location)
                self._enabled.append(location)
                self._driver.read_attribute(location, width, gl.GL_FLOAT, False, stride, offset)

    def disable_attributes(self) -> None:
        """Disable all vertex attributes, because the next shader program may use the same locations for other
        attributes."""
        for location in self._enabled:
            gl.glDisableVertexAttribArray(location)
        self._enabled.clear()

    def uniform_location(self, name: str) -> int:
        """Return the location of a uniform variable of the shaders."""
        if name not in self._locations:
            self._locations[name] = self._qt_program.uniformLocation(name)
        return self._locations[name]


def make_frame_buffer(size: tuple[int, int], samples: int = 0) -> QOpenGLFramebufferObject:
    """Return a frame buffer of `size` [device pixels] with a depth buffer and a stencil buffer."""
    options = QOpenGLFramebufferObjectFormat()
    options.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    options.setSamples(samples)
    return QOpenGLFramebufferObject(*size, options)


class BackgroundCache:
    """A cached image of sky and ground. In software rendering, drawing them takes a quarter of the time of a frame,
    whereas copying the image takes a millisecond."""

    def __init__(self) -> None:
        self._buffer: QOpenGLFramebufferObject | None = None
        self._last_key: Hashable = None
        """Key of the background requested by the last call of `blit`."""
        self._cached_key: Hashable = None
        """Key of the background in the cached image."""

    def blit(
        self,
        frame_buffer_id: int,
        rect: QRect,
        size: tuple[int, int],
        key: Hashable,
        paint: Callable[[], None],
    ) -> bool:
        """Copy the background into `rect` of a frame buffer of `size` [device pixels]. Return True if it was copied.

        `key` identifies what `paint` draws. Nothing is copied unless `key` equals that of the last request: a
        background that changes with every frame is not worth caching.
        """
        is_static, self._last_key = key == self._last_key, key
        if not is_static:
            return False
        if self._buffer is None or (self._buffer.width(), self._buffer.height()) != size:
            self._buffer, self._cached_key = make_frame_buffer(size), None
        if self._cached_key != key:
            self._buffer.bind()
            paint()
            self._cached_key = key
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._buffer.handle())
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, frame_buffer_id)
        edges = rect.x(), rect.y(), rect.x() + rect.width(), rect.y() + rect.height()
        gl.glBlitFramebuffer(*edges, *edges, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, frame_buffer_id)
        return True

    def release(self) -> None:
        """Delete the buffer."""
        self._buffer = self._cached_key = self._last_key = None


class GraphicsContext:
    """The OpenGL context shared by all views, without a window. Separate contexts would compile the same programs and
    store the same meshes again."""

    def __init__(self, info: GLInfo) -> None:
        self.info = info
        self._surface = QOffscreenSurface()
        self._surface.setFormat(surface_format(0))
        self._surface.create()
        self._context = QOpenGLContext()
        gl_format = surface_format(0)
        gl_format.setOption(
            QSurfaceFormat.FormatOption.ResetNotification
        )  # drivers that can report the loss of the context do so
        self._context.setFormat(gl_format)
        if not self._context.create():
            raise InputError(
                "the 3D view",
                expected="an OpenGL context",
                found="none",
                remedy="see: quatviz doctor",
                topic="errors#display",
            )
        self.make_current()
        self.driver = GLDriver(self._context)
        self._programs: dict[tuple[str, str], ShaderProgram] = {}
        """Programs by their shaders, cached because compiling takes longer than a frame."""
        self.vertices = VertexBuffers(self.driver)

    def make_current(self, checked: bool = False) -> None:
        """Make the context current.

        If `checked` is True, the driver is asked whether the context still exists, even if it is already current.

        Raises
        ------
        ContextLost
            If the context no longer exists.
        """
        is_alive = isValid(self._context)
        if is_alive and not checked and QOpenGLContext.currentContext() is self._context:
            return
        if not is_alive or not self._context.makeCurrent(self._surface):
            raise ContextLost("the driver has destroyed the OpenGL context")

    def use_program(self, vertex: str, fragment: str) -> ShaderProgram:
        """Activate and return the program made from the shaders `vertex` and `fragment`."""
        key = (vertex, fragment)
        if key not in self._programs:
            self._programs[key] = ShaderProgram(vertex, fragment, self.driver)
        program = self._programs[key]
        gl.glUseProgram(program.handle)
        return program

    def release(self) -> None:
        """Delete the shared resources. The views must have deleted theirs before."""
        with suppress(ContextLost):
            self.make_current(checked=True)
            self._programs.clear()
            self.vertices.release()
            self._context.doneCurrent()

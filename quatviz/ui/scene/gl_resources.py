"""What the views of a window share of OpenGL: one context, its programs, the meshes in its memory, backgrounds."""

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


class Driver:
    """Those of its functions that take arrays, by addresses: PyOpenGL looks into every array, which takes twenty times as
    long as the call. The context must be current."""

    def __init__(self, context: QOpenGLContext) -> None:
        def function(name: str, *kinds: type) -> Callable[..., None]:
            return ctypes.CFUNCTYPE(None, *kinds)(context.getProcAddress(name.encode()))

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
    """Where an array lies in memory, for the driver."""
    return int(array.__array_interface__["data"][0])


@dataclass(eq=False)
class Held:
    """Different vertices, and the numbers of three for each triangle: a vertex that six triangles share is computed once,
    which under software OpenGL is most of what a mesh costs."""

    digest: bytes
    vertices: np.ndarray
    numbers: np.ndarray
    users: int = 0
    start: int = 0
    """Where its numbers begin in the buffer [bytes]."""

    def __post_init__(self) -> None:
        self.count = len(self.numbers)
        points = self.vertices[:, :3]
        ends = np.stack((points.min(axis=0), points.max(axis=0)))
        self.corners = np.array(
            [(ends[i, 0], ends[j, 1], ends[k, 2], 1.0) for i, j, k in np.ndindex(2, 2, 2)]
        )
        """Of the box that holds it (8, 4), homogeneous."""


class VertexBuffers:
    """Triangles by what they hold, each kept for as long as somebody draws from them. All are in one pair of buffers, so that
    nothing is bound between two meshes."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._held: dict[bytes, Held] = {}
        """By the digest of the vertices."""
        self._buffers = np.zeros(2, np.uint32)
        """Vertices and numbers; zeros before there are any."""
        self._stale = True

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, vertices: np.ndarray) -> Held:
        """Keep `vertices`, three rows a triangle, until they are let go."""
        data = np.ascontiguousarray(vertices)
        digest = hashlib.blake2b(data.data, digest_size=16).digest()
        if digest not in self._held:
            self._held[digest] = Held(digest, *indexed(data))
            self._stale = True
        self._held[digest].users += 1
        return self._held[digest]

    def let_go(self, held: Held) -> None:
        """One draws them no more. Their room is free when something new comes."""
        held.users -= 1
        if not held.users:
            del self._held[held.digest]

    def bind(self) -> None:
        """Let attributes and elements be read from here."""
        if not self._buffers.any():
            self._driver.make_buffers(2, address(self._buffers))
        vertices, numbers = self._buffers.tolist()
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, vertices)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, numbers)
        if self._stale:
            self._stale = False
            self._upload()

    def release(self) -> None:
        """Delete the buffers."""
        self._driver.delete_buffers(2, address(self._buffers))  # which passes over zeros
        self._buffers[:], self._stale = 0, True

    def _upload(self) -> None:
        vertices, numbers, rows, size = [], [], 0, 0
        for held in self._held.values():
            held.start = size
            vertices.append(held.vertices)
            numbers.append(held.numbers + np.uint32(rows))
            rows, size = rows + len(held.vertices), size + numbers[-1].nbytes
        for target, parts in ((gl.GL_ARRAY_BUFFER, vertices), (gl.GL_ELEMENT_ARRAY_BUFFER, numbers)):
            data = np.concatenate(parts)
            self._driver.fill_buffer(target, data.nbytes, address(data), gl.GL_STATIC_DRAW)


def indexed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows (m, k) in the order of their first appearance, and for each row its number among them (n,)."""
    whole = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, numbers = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order))
    return rows[first[order]], place[numbers]


class Program:
    """A compiled pair of shaders with the places of its inputs. The current context must be the one it was made in; RuntimeError
    where the driver cannot compile them."""

    def __init__(self, vertex: str, fragment: str, driver: Driver) -> None:
        self._linked = QOpenGLShaderProgram()
        kinds = QOpenGLShader.ShaderTypeBit
        for kind, text in ((kinds.Vertex, vertex), (kinds.Fragment, fragment)):
            if not self._linked.addShaderFromSourceCode(kind, text):
                raise RuntimeError(self._linked.log())
        if not self._linked.link():
            raise RuntimeError(self._linked.log())
        self.handle = self._linked.programId()
        self._driver = driver
        self._places: dict[str, int] = {}
        self._enabled: list[int] = []

    def matrix(self, name: str, value: np.ndarray) -> None:
        """Set a uniform matrix (4, 4), float32."""
        self._driver.set_matrix(self.uniform(name), 1, True, address(value))

    def attributes(self, stride: int, layout: Sequence[tuple[str, int, int]]) -> None:
        """Read the inputs (name, floats, offset in bytes) from the rows of the buffer that is bound."""
        for name, width, offset in layout:
            if name not in self._places:
                self._places[name] = self._linked.attributeLocation(name)
            place = self._places[name]
            if place >= 0:
                gl.glEnableVertexAttribArray(place)
                self._enabled.append(place)
                self._driver.read_attribute(place, width, gl.GL_FLOAT, False, stride, offset)

    def rest(self) -> None:
        """Leave no attribute enabled: another program has others in their places."""
        for place in self._enabled:
            gl.glDisableVertexAttribArray(place)
        self._enabled.clear()

    def uniform(self, name: str) -> int:
        """The place of a uniform."""
        if name not in self._places:
            self._places[name] = self._linked.uniformLocation(name)
        return self._places[name]


def frame_buffer(size: tuple[int, int], samples: int = 0) -> QOpenGLFramebufferObject:
    """A picture of `size` [device pixels] that has depth and stencil."""
    form = QOpenGLFramebufferObjectFormat()
    form.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    form.setSamples(samples)
    return QOpenGLFramebufferObject(*size, form)


class Backdrop:
    """Under software OpenGL, sky and ground are a quarter of what a picture costs, and a copy of them is a millisecond."""

    def __init__(self) -> None:
        self._buffer: QOpenGLFramebufferObject | None = None
        self._last: Hashable = None
        """What the last picture asked for."""
        self._held: Hashable = None
        """What the buffer shows."""

    def lay(
        self, picture: int, part: QRect, size: tuple[int, int], key: Hashable, paint: Callable[[], None]
    ) -> bool:
        """Fill `part` of the frame buffer `picture`, of `size` [device pixels], with what `paint` draws and `key` names; whether
        that was done. Something that changes from picture to picture is not worth it."""
        rests, self._last = key == self._last, key
        if not rests:
            return False
        if self._buffer is None or (self._buffer.width(), self._buffer.height()) != size:
            self._buffer, self._held = frame_buffer(size), None
        if self._held != key:
            self._buffer.bind()
            paint()
            self._held = key
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._buffer.handle())
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, picture)
        edges = part.x(), part.y(), part.x() + part.width(), part.y() + part.height()
        gl.glBlitFramebuffer(*edges, *edges, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, picture)
        return True

    def release(self) -> None:
        """Delete the buffer."""
        self._buffer = self._held = self._last = None


class Graphics:
    """One context, which needs no screen. A second one would compile every program and hold every mesh again."""

    def __init__(self, info: GLInfo) -> None:
        self.info = info
        self._surface = QOffscreenSurface()
        self._surface.setFormat(surface_format(0))
        self._surface.create()
        self._context = QOpenGLContext()
        told = surface_format(0)
        told.setOption(
            QSurfaceFormat.FormatOption.ResetNotification
        )  # where drivers can, they say that it is lost
        self._context.setFormat(told)
        if not self._context.create():
            raise InputError(
                "the 3D view",
                expected="an OpenGL context",
                found="none",
                remedy="see: quatviz doctor",
                topic="errors#display",
            )
        self.make_current()
        self.driver = Driver(self._context)
        self._programs: dict[tuple[str, str], Program] = {}
        """By their shaders: compiling takes longer than a frame."""
        self.vertices = VertexBuffers(self.driver)

    def make_current(self, checked: bool = False) -> None:
        """Calls of OpenGL from here on are for this context. `ContextLost` where it is none any more; where it is current
        already, the driver is asked only if that is to be `checked`."""
        there = isValid(self._context)
        if there and not checked and QOpenGLContext.currentContext() is self._context:
            return
        if not there or not self._context.makeCurrent(self._surface):
            raise ContextLost("the driver has taken the OpenGL context away")

    def use(self, vertex: str, fragment: str) -> Program:
        """The program of these shaders, in use."""
        key = (vertex, fragment)
        if key not in self._programs:
            self._programs[key] = Program(vertex, fragment, self.driver)
        program = self._programs[key]
        gl.glUseProgram(program.handle)
        return program

    def release(self) -> None:
        """Delete what views share; they have deleted what is theirs before."""
        with suppress(ContextLost):
            self.make_current(checked=True)
            self._programs.clear()
            self.vertices.release()
            self._context.doneCurrent()

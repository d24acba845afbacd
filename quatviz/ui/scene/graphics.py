"""What the views of a window share of OpenGL: one context, its programs, the meshes in its memory, backgrounds."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from OpenGL import GL
from OpenGL.GL import shaders as compiler
from OpenGL.raw.GL.VERSION import GL_1_1 as RAW11
from OpenGL.raw.GL.VERSION import GL_2_0 as RAW
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat
from PySide6.QtOpenGL import QOpenGLFramebufferObject
from shiboken6 import isValid

from quatviz.base.errors import InputError
from quatviz.ui.scene.context import ContextLost, GLInfo, surface_format


@dataclass(frozen=True)
class Triangles:
    """A buffer of different vertices, and one of the numbers (uint16 or uint32) of three for each triangle: a vertex that
    six triangles share is computed once, which under software OpenGL is most of what a mesh costs."""

    vertices: int
    elements: int
    count: int
    kind: int


class VertexBuffers:
    """Triangles by what they hold, each kept for as long as somebody draws from them."""

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[Triangles, int]] = {}
        """Digest of the vertices -> the buffers, and how many draw from them."""
        self._digests: dict[Triangles, bytes] = {}

    def __len__(self) -> int:
        return len(self._held)

    def of(self, vertices: np.ndarray) -> Triangles:
        """The buffers that hold `vertices`, three rows a triangle, until they are let go."""
        data = np.ascontiguousarray(vertices)
        digest = hashlib.blake2b(data.data, digest_size=16).digest()
        held, users = self._held.get(digest) or (_uploaded(data), 0)
        self._held[digest] = (held, users + 1)
        self._digests[held] = digest
        return held

    def let_go(self, held: Triangles) -> None:
        """One draws from them no more."""
        digest = self._digests[held]
        users = self._held[digest][1] - 1
        if users:
            self._held[digest] = (held, users)
        else:
            del self._held[digest], self._digests[held]
            GL.glDeleteBuffers(2, [held.vertices, held.elements])


def new_buffer(data: np.ndarray, target: int = GL.GL_ARRAY_BUFFER) -> int:
    """A buffer of its own that holds `data`."""
    buffer = int(GL.glGenBuffers(1))
    GL.glBindBuffer(target, buffer)
    GL.glBufferData(target, data.nbytes, data, GL.GL_STATIC_DRAW)
    return buffer


def indexed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows (m, k) in the order of their first appearance, and for each row its number among them (n,)."""
    whole = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, numbers = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order))
    return rows[first[order]], place[numbers].astype(np.uint16 if len(order) < 2**16 else np.uint32)


def _uploaded(data: np.ndarray) -> Triangles:
    vertices, numbers = indexed(data)
    kind = GL.GL_UNSIGNED_SHORT if numbers.dtype == np.uint16 else GL.GL_UNSIGNED_INT
    return Triangles(
        new_buffer(vertices), new_buffer(numbers, GL.GL_ELEMENT_ARRAY_BUFFER), len(numbers), int(kind)
    )


# PyOpenGL's own wrappers of these look at every argument, which took a third of the time of a view.

_START = ctypes.c_void_p(0)


def draw_triangles(elements: int, count: int, kind: int) -> None:
    """Draw what the attributes hold in the order of `count` numbers of the buffer `elements`."""
    GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, elements)
    RAW11.glDrawElements(GL.GL_TRIANGLES, count, kind, _START)


class Programs:
    """All programs by their shaders. Views share them: compiling takes longer than a frame."""

    def __init__(self) -> None:
        self._programs: dict[tuple[str, str], Program] = {}
        self._picture = 0

    def begin_picture(self) -> None:
        """Another camera comes: every program takes it when it is used next."""
        self._picture += 1

    def use(self, vertex: str, fragment: str, view: np.ndarray, projection: np.ndarray) -> Program:
        """The program of these shaders, in use, with the picture's camera: 4x4 to eye and 4x4 to clip."""
        key = (vertex, fragment)
        if key not in self._programs:
            self._programs[key] = Program(vertex, fragment)
        program = self._programs[key]
        GL.glUseProgram(program.handle)
        if program.picture != self._picture and program.knows("u_view"):
            program.picture = self._picture
            program.matrix("u_view", view)
            program.matrix("u_projection", projection)
        return program

    def release(self) -> None:
        """Delete them."""
        for program in self._programs.values():
            GL.glDeleteProgram(program.handle)
        self._programs.clear()


class Program:
    """A compiled pair of shaders with the places of its inputs. The current context must be the one it was made in."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self.handle = compiler.compileProgram(
            compiler.compileShader(vertex, GL.GL_VERTEX_SHADER),
            compiler.compileShader(fragment, GL.GL_FRAGMENT_SHADER),
            validate=False,
        )
        self._uniforms: dict[str, int] = {}
        self._values: dict[str, object] = {}
        """What the uniforms hold: an unchanged one is not sent again."""
        self._attributes: dict[str, int] = {}
        self._enabled: list[int] = []
        self.picture = 0
        """Number of the picture whose camera it has."""

    def knows(self, name: str) -> bool:
        """Whether the shaders use this uniform."""
        return self._uniform(name) >= 0

    def vector(self, name: str, value: tuple[float, ...]) -> None:
        """Set a uniform of three numbers."""
        if self._values.get(name) != value and self.knows(name):
            self._values[name] = value
            GL.glUniform3f(self._uniform(name), *value)

    def pair(self, name: str, value: Sequence[float]) -> None:
        """Set a uniform of two numbers."""
        GL.glUniform2f(self._uniform(name), *value)

    def number(self, name: str, value: float) -> None:
        """Set a uniform number."""
        if self._values.get(name) != value:
            self._values[name] = value
            GL.glUniform1f(self._uniform(name), value)

    def matrix(self, name: str, value: np.ndarray) -> None:
        """Set a uniform matrix, (4, 4) or (3, 3)."""
        value = np.ascontiguousarray(value, dtype=np.float32)
        self.matrix_at(name, len(value), value.ctypes.data)

    def matrix_at(self, name: str, size: int, address: int) -> None:
        """Set a uniform matrix, 4x4 or 3x3, from the float32 numbers that stand there row by row."""
        upload = RAW.glUniformMatrix4fv if size == 4 else RAW.glUniformMatrix3fv
        upload(self._uniform(name), 1, True, ctypes.c_void_p(address))

    def attributes(self, buffer: int, stride: int, layout: Sequence[tuple[str, int, int]]) -> None:
        """Read the inputs (name, floats, offset in bytes) from the rows of `buffer`."""
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer)
        for name, width, offset in layout:
            place = self._attributes.get(name)
            if place is None:
                place = self._attributes[name] = GL.glGetAttribLocation(self.handle, name)
            if place >= 0:
                if place not in self._enabled:
                    GL.glEnableVertexAttribArray(place)
                    self._enabled.append(place)
                RAW.glVertexAttribPointer(place, width, GL.GL_FLOAT, False, stride, ctypes.c_void_p(offset))

    def rest(self) -> None:
        """Leave no attribute enabled: another program has others in their places."""
        for place in self._enabled:
            GL.glDisableVertexAttribArray(place)
        self._enabled.clear()

    def _uniform(self, name: str) -> int:
        if name not in self._uniforms:
            self._uniforms[name] = GL.glGetUniformLocation(self.handle, name)
        return self._uniforms[name]


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
        self.programs = Programs()
        self.vertices = VertexBuffers()

    def make_current(self, checked: bool = False) -> None:
        """Calls of OpenGL from here on are for this context. `ContextLost` where it is none any more; where it is current
        already, the driver is asked only if that is to be `checked`."""
        there = isValid(self._context)
        if there and not checked and QOpenGLContext.currentContext() is self._context:
            return
        if not there or not self._context.makeCurrent(self._surface):
            raise ContextLost("the driver has taken the OpenGL context away")

    def release(self) -> None:
        """Delete what views share; they have deleted what is theirs before."""
        with suppress(ContextLost):
            self.make_current(checked=True)
            self.programs.release()
            self._context.doneCurrent()

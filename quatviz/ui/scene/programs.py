"""The shader programs of one OpenGL context, compiled when first used."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from OpenGL import GL
from OpenGL.GL import shaders as compiler
from OpenGL.raw.GL.VERSION import GL_1_1 as RAW11
from OpenGL.raw.GL.VERSION import GL_2_0 as RAW

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

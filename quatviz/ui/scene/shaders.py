"""Shaders in GLSL 1.20, supported by every desktop OpenGL since 2.1, read from `assets/shaders`.

Pictures are drawn upside down with red and blue swapped, which matches Qt's memory layout.
"""

from quatviz.base import resources


def _read(name: str) -> str:
    return resources.asset_path(f"shaders/{name}").read_text("utf-8")


def _mesh_shader(name: str, *defined: str) -> str:
    """Return the source of the mesh shader `name`, preceded by the common declarations and by definitions of
    the given macros."""
    return "".join((_read("mesh.glsl"), *(f"#define {word}\n" for word in defined), _read(name)))


SKY_VERTEX, SKY_FRAGMENT = _read("sky.vert"), _read("sky.frag")
MESH_VERTEX = _mesh_shader("mesh.vert")
SOLID_FRAGMENT = _mesh_shader("lit.frag")
PAINTED_FRAGMENT = _mesh_shader("lit.frag", "PAINTED")
GLASS_FRAGMENT = _mesh_shader("glass.frag")
FLOOR_FRAGMENT = _mesh_shader("floor.frag")
FLAT_FRAGMENT = _mesh_shader("flat.frag")
LINE_VERTEX, LINE_FRAGMENT = _read("line.vert"), _read("line.frag")

"""The shaders of `assets/shaders`: GLSL 1.20, which every desktop OpenGL since 2.1 takes. Pictures are drawn upside down, and
blue where OpenGL has red: so they lie in memory as Qt has its own."""

from quatviz.base import resources


def _read(name: str) -> str:
    return resources.asset(f"shaders/{name}").read_text("utf-8")


def _of_meshes(name: str, *defined: str) -> str:
    """A shader behind what all shaders of meshes declare, and with these words defined."""
    return "".join((_read("mesh.glsl"), *(f"#define {word}\n" for word in defined), _read(name)))


SKY_VERTEX, SKY_FRAGMENT = _read("sky.vert"), _read("sky.frag")
MESH_VERTEX = _of_meshes("mesh.vert")
SOLID_FRAGMENT = _of_meshes("lit.frag")
PAINTED_FRAGMENT = _of_meshes("lit.frag", "PAINTED")
GLASS_FRAGMENT = _of_meshes("glass.frag")
FLOOR_FRAGMENT = _of_meshes("floor.frag")
FLAT_FRAGMENT = _of_meshes("flat.frag")
LINE_VERTEX, LINE_FRAGMENT = _read("line.vert"), _read("line.frag")

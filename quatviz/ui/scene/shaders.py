"""The shaders of `assets/shaders`: GLSL 1.20, which every desktop OpenGL since 2.1 takes. Pictures are drawn upside down, and
blue where OpenGL has red: so they lie in memory as Qt has its own."""

from quatviz.base import resources


def _read(name: str) -> str:
    return resources.asset_path(f"shaders/{name}").read_text("utf-8")


def _mesh_shader(name: str, *defined: str) -> str:
    """A shader behind what all shaders of meshes declare, and with these words defined."""
    return "".join((_read("mesh.glsl"), *(f"#define {word}\n" for word in defined), _read(name)))


SKY_VERTEX, SKY_FRAGMENT = _read("sky.vert"), _read("sky.frag")
MESH_VERTEX = _mesh_shader("mesh.vert")
SOLID_FRAGMENT = _mesh_shader("lit.frag")
PAINTED_FRAGMENT = _mesh_shader("lit.frag", "PAINTED")
GLASS_FRAGMENT = _mesh_shader("glass.frag")
FLOOR_FRAGMENT = _mesh_shader("floor.frag")
FLAT_FRAGMENT = _mesh_shader("flat.frag")
LINE_VERTEX, LINE_FRAGMENT = _read("line.vert"), _read("line.frag")

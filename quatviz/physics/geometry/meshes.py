"""Mesh files: the surface of a body, and its mass properties if the surface is closed."""

import io
import json
import logging
import math
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.physics.geometry.polyhedron import Polyhedron
from quatviz.physics.geometry.preset_relative_paths import is_outside_folder, resolve_inside

log = logging.getLogger(__name__)

MESH_SUFFIXES = (".stl", ".obj", ".glb")
MAX_MESH_BYTES = 32_000_000
"""Largest accepted size of a mesh file [bytes]."""
MAX_FACES = 100_000
_MAX_NODES = 1000
"""Largest number of nodes in a GLB file, and of meshes that the nodes refer to.

Loading each node or mesh takes a millisecond or more.
"""


def is_mesh(shape: str) -> bool:
    """Return True if a body's `shape` names a mesh file.

    >>> is_mesh("parts/rotor.STL"), is_mesh("ellipsoid")
    (True, False)
    """
    return shape.lower().endswith(MESH_SUFFIXES)


def refuse_outside_folder(name: str) -> None:
    """Refuse a file name that points outside the preset's folder: a preset may not read other files."""
    if is_outside_folder(name):
        raise InputError(
            "Body.shape",
            expected="a mesh file beside the preset, or in a folder below it",
            found=repr(name),
            remedy="copy the file into the preset's folder and write only its name",
            key="shape",
        )


def read_preset_mesh(folder: Path, name: str) -> Polyhedron:
    """Read the mesh [m] that a preset in `folder` names. Raise `InputError` if it cannot be read or lies outside the
    folder."""
    return read_mesh(find_mesh_file(folder, name))


def find_mesh_file(folder: Path, name: str) -> Path:
    """Return the path, with links resolved, of the mesh that a preset in `folder` names.

    Raise `InputError` if the path is outside `folder`.
    """
    refuse_outside_folder(name)
    path = resolve_inside(folder, name)
    if path is None:
        raise _mesh_error(
            name,
            "a mesh file beside the preset",
            "a link to a file outside the folder",
            "copy the file itself",
        )
    return path


def read_mesh(path: Path) -> Polyhedron:
    """Read the triangles of an STL, OBJ or GLB file, with lengths in meters.

    Materials, textures and other files that the file names are ignored. Raise `InputError` if it cannot be read.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError("a folder, a pipe or a device")
    except OSError as error:
        raise _mesh_error(
            path.name, "a mesh file that can be read", error.strerror or str(error), "check the name"
        ) from None
    return _read_cached(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read_cached(path: Path, changed: int, size: int) -> Polyhedron:
    suffix = path.suffix.lower()
    if suffix not in MESH_SUFFIXES:
        raise _mesh_error(
            path.name,
            phrase("a file ending in {endings}", endings=", ".join(MESH_SUFFIXES)),
            repr(path.suffix),
            "convert it",
        )
    if size > MAX_MESH_BYTES:
        found = f"{size / 1e6:.0f} MB"
        raise _mesh_error(
            path.name,
            phrase("at most {largest:.0f} MB", largest=MAX_MESH_BYTES / 1e6),
            found,
            "reduce it in a mesh program",
        )
    import trimesh

    try:
        data = path.read_bytes()
        if suffix == ".obj":
            data = _strip_obj(data)
        elif suffix == ".glb":
            _refuse_oversized_glb(data)
        with np.errstate(all="ignore"):  # numbers that overflow are refused below with a message
            loaded: Any = trimesh.load(io.BytesIO(data), file_type=suffix[1:], skip_materials=True)
            mesh = loaded.to_mesh() if isinstance(loaded, trimesh.Scene) else loaded
            mesh.merge_vertices(merge_norm=True, merge_tex=True)
        vertices = np.array(mesh.vertices, dtype=np.float64)
        faces = np.array(mesh.faces, dtype=np.int64)
    except Exception as error:
        log.info("the mesh %s cannot be read", path, exc_info=True)
        raise _mesh_error(
            path.name,
            "triangles that can be read",
            str(error)[:120] if isinstance(error, ValueError) and str(error) else "something else",
            "save it again as STL",
        ) from None
    is_valid = (
        vertices.shape[1:] == faces.shape[1:] == (3,)
    )  # trimesh also reads corners with two coordinates
    is_valid = is_valid and len(faces) > 0 and faces.min() >= 0 and faces.max() < len(vertices)
    if not is_valid or not np.isfinite(vertices).all() or not np.ptp(vertices, axis=0).any():
        raise _mesh_error(
            path.name,
            "triangles with finite corners",
            phrase("{count} triangles", count=len(faces)),
            "check the file",
        )
    if len(faces) > MAX_FACES:
        raise _mesh_error(
            path.name,
            phrase("at most {most} triangles", most=MAX_FACES),
            f"{len(faces)}",
            "reduce it in a mesh program",
        )
    return Polyhedron(vertices, faces)


def _strip_obj(data: bytes) -> bytes:
    """Return only the lines of an OBJ file that define corners and faces.

    At other lines, such as a change of group or material, the reader would start a separate mesh.
    """
    lines = data.replace(b"\\\n", b" ").splitlines()
    return b"\n".join(line for line in lines if line[:2] in (b"v ", b"vt", b"vn", b"f "))


def _refuse_oversized_glb(data: bytes) -> None:
    """Refuse a GLB file that declares too many numbers or nodes, before any memory is allocated for them."""
    length = int.from_bytes(data[12:16], "little")
    scene = json.loads(data[20 : 20 + length])
    counts = [int(accessor["count"]) for accessor in scene.get("accessors", ())]
    nodes = scene.get("nodes", ())
    placed_meshes = [scene["meshes"][node["mesh"]] for node in nodes[:_MAX_NODES] if "mesh" in node]
    pieces = [piece for mesh in placed_meshes for piece in mesh["primitives"]]
    corners = sum(counts[piece["attributes"]["POSITION"]] for piece in pieces)
    faces = sum(counts[piece["indices"]] for piece in pieces if "indices" in piece)
    if max(len(nodes), len(pieces)) > _MAX_NODES or max(sum(counts), corners + faces) > 8 * 3 * MAX_FACES:
        raise ValueError(f"it declares {max(sum(counts), corners + faces)} numbers in {len(nodes)} nodes")


def refuse_open_surface(mesh: Polyhedron, name: str) -> None:
    """Refuse a surface that is open, inconsistently oriented or inside out, and therefore encloses no volume."""
    directed = np.concatenate([mesh.faces[:, [i, (i + 1) % 3]] for i in range(3)])
    _, first, counts = np.unique(np.sort(directed, axis=1), axis=0, return_inverse=True, return_counts=True)
    expected, remedy = (
        "a closed surface, whose inertia is known",
        "close it in a mesh program, or give the inertia",
    )
    if (counts % 2).any():
        border = int((counts % 2).sum())
        found = phrase(
            "an open surface: {border} of its {count} edges belong to only one triangle",
            border=border,
            count=len(counts),
        )
        raise _mesh_error(name, expected, found, remedy)
    directions = np.where(directed[:, 0] < directed[:, 1], 1, -1)
    if np.bincount(first.ravel(), weights=directions).any():
        raise _mesh_error(
            name,
            expected,
            "inconsistently oriented faces",
            "make its normals consistent in a mesh program",
        )
    volume = mesh.mass_properties()[0]
    if not volume > 1e-12 * math.prod(mesh.extents):
        found = phrase("a surface that is inside out: its volume is {volume:.4g} m^3", volume=volume)
        raise _mesh_error(name, expected, found, "reverse its normals in a mesh program")


def _mesh_error(name: str, expected: str, found: str, remedy: str) -> InputError:
    return InputError(
        phrase("the mesh {name}", name=name), expected=expected, found=found, remedy=remedy, key="shape"
    )

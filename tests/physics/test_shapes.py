"""Shapes and meshes: closed surfaces, inertia of solids, and refusals."""

import json
import re
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.files.files import copy_mesh
from quatviz.files.preset_reading import format_preset, parse_preset, read_preset
from quatviz.physics.geometry.meshes import read_mesh, read_preset_mesh, refuse_open_surface
from quatviz.physics.geometry.polyhedron import Polyhedron, lathe, make_box, merge_polyhedra
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.solid import make_solid
from quatviz.physics.shapes import SHAPES

SIZE = np.array([0.8, 0.5, 0.3])
TEXT = """format = 1
title = "A mesh"
[body]
shape = "{shape}"
density = 1000
[initial]
euler_parameters = [1, 0, 0, 0]
angular_velocity = [0, 0, 1]
[run]
duration = 1
dt = 0.01
sample_interval = 0.01
"""


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_shape_is_closed_and_centered(name: str) -> None:
    import trimesh

    for solid in (SHAPES[name].sized(None), SHAPES[name].sized(SIZE)):
        refuse_open_surface(solid, name)
        other = trimesh.Trimesh(solid.vertices, solid.faces, process=False)
        volume, centre, inertia = solid.mass_properties()
        assert volume == pytest.approx(other.volume, rel=1e-9)
        assert np.abs(centre).max() < 1e-12
        assert inertia == pytest.approx(other.moment_inertia, rel=1e-9, abs=1e-9 * inertia.max())
    assert SHAPES[name].sized(SIZE).extents == pytest.approx(SIZE)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_inertia_formula_matches_its_surface(name: str) -> None:
    """Faceted surfaces have up to 2 % less volume than round ones."""
    volume, centre, inertia = SHAPES[name].sized(SIZE).mass_properties()
    exact = SHAPES[name].volume_properties(SIZE)
    assert 1.0 - 1e-12 <= exact.volume / volume < 1.02
    assert exact.inertia == pytest.approx(inertia, rel=0.03, abs=1e-12)
    assert exact.centre == pytest.approx(centre, abs=1e-12)


def test_textbook_moments() -> None:
    a, b, c = SIZE
    brick = Body(shape="box", size=[0.24, 0.115, 0.071], density=1800)
    assert brick.mass == 3.52728, "and not 3.527279999999999, whose last digits are rounding"
    box = Body(shape="box", size=SIZE, density=2.0)
    assert box.mass is not None
    assert box.mass == pytest.approx(2.0 * a * b * c)
    assert np.diagonal(box.inertia) == pytest.approx(
        box.mass / 12 * np.array([b**2 + c**2, a**2 + c**2, a**2 + b**2])
    )
    ball = Body(shape="ellipsoid", size=[0.4] * 3, mass=5.0)
    assert np.diagonal(ball.inertia) == pytest.approx([0.4 * 5.0 * 0.2**2] * 3)
    disk = Body(shape="disk", size=[0.6, 0.6, 0.01], mass=2.0)
    assert disk.inertia[2, 2] == pytest.approx(0.5 * 2.0 * 0.3**2)
    assert disk.is_principal
    cone = Body(shape="cone", size=[0.4, 0.4, 0.3], density=5.0)
    assert cone.mass is not None
    assert cone.mass == pytest.approx(5.0 * np.pi * 0.2**2 * 0.3 / 3)
    across = 3 / 80 * cone.mass * (4 * 0.2**2 + 0.3**2)
    assert np.diagonal(cone.inertia) == pytest.approx([across, across, 0.3 * cone.mass * 0.2**2])


def test_finer_cones_converge_to_the_formula() -> None:
    """The error falls to a quarter for each doubling of the segments, also for an elliptic cone."""
    exact = SHAPES["cone"].volume_properties(SIZE)
    missing = []
    for segments in (44, 88, 176):
        fine = lathe([(0.0, 0.0), (0.5, 1.0)], segments).scaled(SIZE)
        volume, centre, inertia = fine.mass_properties()
        assert centre == pytest.approx([0.0, 0.0, 0.75 * SIZE[2]], abs=1e-12)
        missing.append([1.0 - volume / exact.volume, *np.diagonal(1.0 - inertia / exact.inertia.clip(1e-9))])
    assert (np.array(missing) > 0.0).all()
    assert np.array(missing[:2]) / missing[1:] == pytest.approx(np.full((2, 4), 4.0), abs=0.02)


def test_cone_has_its_apex_at_the_pivot() -> None:
    """The drawn cone has its apex at the fixed point and the mass of the preset."""
    body = qv.load_preset("steady_precession").body
    assert body.size is not None
    own = Body(shape="cone", size=body.size, density=2700, about="pivot", centre_of_mass=body.centre_of_mass)
    assert own.mass == pytest.approx(body.mass, rel=1e-11)
    assert own.inertia == pytest.approx(body.inertia, rel=1e-11)
    solid = make_solid(body)
    assert solid.mesh is not None
    drawn = solid.radius * (solid.mesh.vertices + solid.centre)
    apex = drawn[np.argmin(drawn[:, 2])]
    assert apex == pytest.approx(np.zeros(3), abs=1e-15)
    assert np.sort(drawn[:, 2])[1:] == pytest.approx(np.full(len(drawn) - 1, 0.1))


LOOKS = {
    "satellite": {"satellite", "cylinder"},
    "top": {"top", "cone", "ellipsoid"},
    "handle": {"t_handle"},
    "brick": {"box"},
    "phone": {"box"},
    "cone": {"cone"},
}
"""Shapes of a body that its title or summary calls so. The first American satellite was a pencil; a top of the literature is a
disk at the end of an arm, whose stem and pivot the window draws."""


@pytest.mark.parametrize("path", sorted(resources.preset_folder().glob("*.toml")), ids=lambda path: path.stem)
def test_drawn_shape_matches_the_preset(path: Path) -> None:
    preset = read_preset(path)
    words = set(re.findall(r"[a-z]+", f"{preset.title} {preset.summary}".lower()))
    for name in LOOKS.keys() & words:
        assert preset.body.shape in LOOKS[name], name
    if "top" in words:
        assert preset.body.about == "pivot"
        assert np.linalg.norm(preset.body.centre_of_mass) > 0.0, "so that a stem leads to it"


def test_stem_of_the_t_handle_is_its_intermediate_axis() -> None:
    moments = np.diagonal(Body(shape="t_handle", size=[0.062, 0.1, 0.024], density=7850).inertia)
    assert moments[1] < moments[0] < moments[2]


def test_inertia_is_moved_to_a_pivot() -> None:
    body = Body(shape="box", size=[1, 1, 1], mass=6.0, about="pivot", centre_of_mass=[0, 0, 2.0])
    assert np.diagonal(body.inertia) == pytest.approx([1.0 + 24.0, 1.0 + 24.0, 1.0])
    with pytest.raises(InputError, match="move the inertia of the shape to the pivot"):
        Body(shape="box", size=[1, 1, 1], mass=6.0, about="pivot")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "the key 'inertia'"),
        ({"mass": 1.0}, "the key 'inertia'"),
        ({"density": 1.0}, "the key 'inertia'"),
        ({"inertia": [1, 1, 1], "shape": "elipsoid"}, "did you mean 'ellipsoid'"),
        ({"inertia": [1, 1, 1], "shape": "/etc/passwd.stl"}, "beside the preset"),
        ({"inertia": [1, 1, 1], "shape": "../up.stl"}, "beside the preset"),
        ({"inertia": [1, 1, 1], "shape": "C:\\\\up.stl"}, "beside the preset"),
        ({"inertia": [1, 1, 1], "shape": "a/../../up.obj"}, "beside the preset"),
        ({"inertia": [1, 1, 1], "shape": "thing.step"}, "a file ending in .stl, .obj, .glb"),
        ({"inertia": [1, 1, 1], "size": [1, 0, 1]}, "above 0"),
        ({"shape": "thing.stl", "density": 1.0}, "the mesh file thing.stl beside the preset file"),
    ],
)
def test_invalid_solids_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        Body(**fields)  # type: ignore[arg-type]
    assert message in str(refusal.value)


def tool() -> Polyhedron:
    """Return an asymmetric solid away from the origin."""
    return merge_polyhedra(make_box([1, 0, 0], [3, 0.5, 0.4]), make_box([1, 0.5, 0], [1.4, 2, 0.4]))


def written(folder: Path, name: str, solid: Polyhedron) -> Path:
    import trimesh

    path = folder / name
    trimesh.Trimesh(solid.vertices, solid.faces, process=False).export(path)
    return path


@pytest.mark.parametrize("ending", ["stl", "obj", "glb"])
def test_mesh_file_gives_the_inertia(tmp_path: Path, ending: str) -> None:
    written(tmp_path, f"tool.{ending}", tool())
    (tmp_path / "own.toml").write_text(TEXT.format(shape=f"tool.{ending}"))
    preset = read_preset(tmp_path / "own.toml")
    volume, _, inertia = tool().mass_properties()
    assert preset.body.mass == pytest.approx(1000 * volume, rel=1e-6)
    assert preset.body.inertia == pytest.approx(1000 * inertia, rel=1e-5, abs=1e-3)
    solid = make_solid(preset.body)
    assert solid.mesh is not None
    assert solid.mesh.scaled(solid.radius).extents == pytest.approx(tool().extents, rel=1e-6)
    assert np.abs(solid.mesh.mass_properties()[1]).max() < 1e-6
    assert not solid.centre.any()
    # The written text contains the inertia, so the mesh file is not needed again.
    again = parse_preset(format_preset(preset))
    assert again == preset
    assert make_solid(again.body).mesh is None


def test_open_or_inverted_mesh_is_drawn_without_inertia(tmp_path: Path) -> None:
    whole = tool()
    cases = {
        "open.stl": (Polyhedron(whole.vertices, whole.faces[1:]), "an open surface: 3 of"),
        "inverted.stl": (Polyhedron(whole.vertices, whole.faces[:, ::-1]), "inside out: its volume is -"),
        "mixed.stl": (
            Polyhedron(whole.vertices, np.concatenate((whole.faces[:1, ::-1], whole.faces[1:]))),
            "inconsistently oriented",
        ),
    }
    for name, (solid, message) in cases.items():
        written(tmp_path, name, solid)
        (tmp_path / "own.toml").write_text(TEXT.format(shape=name))
        with pytest.raises(InputError) as refusal:
            read_preset(tmp_path / "own.toml")
        assert message in refusal.value.found
        assert "line 4, body.shape" in refusal.value.place
        (tmp_path / "own.toml").write_text(
            TEXT.format(shape=name).replace("density = 1000", "inertia = [1, 2, 2.5]")
        )
        assert make_solid(read_preset(tmp_path / "own.toml").body).mesh is not None


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("noise.stl", b"\x00" * 3000, "triangles"),
        ("noise.glb", b"glTF" + b"\xff" * 400, "triangles"),
        ("empty.obj", b"", "triangles"),
        ("text.stl", b"hello", "triangles"),
        ("huge.stl", b"\x00" * 80 + b"\xff\xff\xff\x7f" + b"\x00" * 100, "triangles"),
        ("plane.obj", b"v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n", "triangles"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "triangles"),
    ],
)
def test_invalid_mesh_file_is_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as refusal:
        read_mesh(tmp_path / name)
    assert message in refusal.value.expected
    with pytest.raises(InputError, match="a mesh file that can be read"):
        read_mesh(tmp_path / "missing.stl")


@pytest.mark.parametrize(("places", "corners"), [(1001, 3), (900, 300_000)])
def test_instances_in_a_mesh_file_are_counted_before_reading(
    tmp_path: Path, places: int, corners: int
) -> None:
    scene = {
        "nodes": [{"mesh": 0}] * places,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"count": 3}, {"count": corners}],
    }
    encoded = json.dumps(scene).encode()
    head = struct.pack("<4s4I", b"glTF", 2, 20 + len(encoded), len(encoded), 0x4E4F534A)
    (tmp_path / "many.glb").write_bytes(head + encoded)
    with pytest.raises(InputError, match=f"numbers in {places} nodes"):
        read_mesh(tmp_path / "many.glb")


def test_huge_mesh_matrix_is_read_without_a_warning(tmp_path: Path) -> None:
    corners = np.eye(3, dtype="<f4").tobytes() + np.arange(3, dtype="<u4").tobytes()
    views = [{"buffer": 0, "byteOffset": at, "byteLength": size} for at, size in ((0, 36), (36, 12))]
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "matrix": [1e308] * 16}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(corners)}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"},
        ],
    }
    encoded = json.dumps(scene).encode()
    encoded += b" " * (-len(encoded) % 4)
    head = struct.pack("<4s4I", b"glTF", 2, 28 + len(encoded) + len(corners), len(encoded), 0x4E4F534A)
    binary = struct.pack("<2I", len(corners), 0x004E4942) + corners
    (tmp_path / "far.glb").write_bytes(head + encoded + binary)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corners_read = read_mesh(tmp_path / "far.glb").vertices
    assert caught == []
    assert np.isfinite(corners_read).all()


def test_mesh_link_outside_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    written(tmp_path, "tool.stl", tool())
    (tmp_path / "in" / "tool.stl").symlink_to(tmp_path / "tool.stl")
    with pytest.raises(InputError, match="a link to a file outside the folder"):
        read_preset_mesh(tmp_path / "in", "tool.stl")
    (tmp_path / "copy").mkdir()
    copy_mesh(Body(inertia=[1, 2, 2.5], shape="tool.stl").with_folder(tmp_path / "in"), tmp_path / "copy")
    assert not list((tmp_path / "copy").iterdir()), "nor is what it leads to copied"
    copy_mesh(Body(inertia=[1, 2, 2.5], shape="tool.stl").with_folder(tmp_path), tmp_path / "copy")
    assert (tmp_path / "copy" / "tool.stl").read_bytes() == (tmp_path / "tool.stl").read_bytes()


def test_missing_mesh_is_drawn_as_an_ellipsoid(tmp_path: Path) -> None:
    body = Body(inertia=[1, 2, 2.5], shape="gone.stl").with_folder(tmp_path)
    assert make_solid(body).mesh is None
    assert make_solid(body).extents == pytest.approx(make_solid(Body(inertia=[1, 2, 2.5])).extents)


def test_mass_change_does_not_recompute_normals(tmp_path: Path) -> None:
    """Dragging the mass changes it thirty times per second."""
    written(tmp_path, "tool.stl", tool())
    for shape in ("top", "tool.stl"):
        light, heavy = (
            Body(inertia=[2, 2, 1], mass=mass, shape=shape, size=[1, 1, 2]).with_folder(tmp_path)
            for mass in (1.0, 2.0)
        )
        mesh = make_solid(light).mesh
        assert mesh is not None
        assert mesh is make_solid(heavy).mesh
        assert mesh.shaded_rows is mesh.shaded_rows


def test_normals_point_outward_and_are_smooth() -> None:
    for name in SHAPES:
        rows = SHAPES[name].sized(None).shaded_rows
        corners, normals = rows[:, :3].reshape(-1, 3, 3), rows[:, 3:].reshape(-1, 3, 3)
        along, across = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        faces = np.cross(along, across)
        assert np.linalg.norm(normals, axis=2) == pytest.approx(1.0)
        assert (np.einsum("ni,nci->nc", faces, normals) > 0).all(), name
    ball = SHAPES["ellipsoid"].sized(None).shaded_rows
    assert ball[:, 3:] == pytest.approx(ball[:, :3] / 0.5, abs=0.05)
    cube = SHAPES["box"].sized(None).shaded_rows
    assert set(np.abs(cube[:, 3:]).ravel().round(12)) == {0.0, 1.0}
    assert len(SHAPES["box"].sized(None).edges()) == 12

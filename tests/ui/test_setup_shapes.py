"""Shapes in the window: chosen by name, inertia computed, loaded from a file, and drawn."""

from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.solid import make_solid
from quatviz.physics.shapes import SHAPES
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.widgets.form import ChoiceField


def body_of(document: Document) -> Body:
    return document.state.preset.body


def test_chosen_shape_can_set_the_inertia(panel: SetupPanel, document: Document) -> None:
    before = body_of(document).inertia
    box = panel.body.rows["shape"].field.box  # type: ignore[attr-defined]
    assert {box.itemText(n) for n in range(box.count())} >= {shape.title for shape in SHAPES.values()}
    box.chosen.emit(box.show_value("t_handle"))
    assert body_of(document).shape == "t_handle"
    assert np.array_equal(body_of(document).inertia, before), "a shape alone changes only the picture"
    panel.shape.inertia_button.click()
    assert panel.shape.problem.isVisible()
    assert "size and density" in panel.shape.problem.text()
    for entry, text in zip(panel.body.rows["size"].field.entries, ("0.06", "0.1", "0.02"), strict=True):
        entry.setText(text)
        entry.setModified(True)
    panel.body.rows["size"].field.entries[0].committed.emit()
    panel.body.rows["density"].field.entries[0].setText("7850")
    panel.body.rows["density"].field.entries[0].committed.emit()
    panel.shape.inertia_button.click()
    assert not panel.shape.problem.isVisible()
    expected = Body(shape="t_handle", size=[0.06, 0.1, 0.02], density=7850)
    assert body_of(document).inertia == pytest.approx(expected.inertia)
    assert body_of(document).mass == pytest.approx(expected.mass)
    document.undo()
    assert np.array_equal(body_of(document).inertia, before)


def test_mesh_file_is_shown_and_its_inertia_computed(
    panel: SetupPanel, document: Document, tmp_path: Path
) -> None:
    import trimesh

    block = trimesh.creation.box(extents=[2.0, 1.0, 0.5])
    block.export(tmp_path / "block.stl")
    panel.shape.load_mesh(tmp_path / "block.stl")
    assert body_of(document).shape == "block.stl"
    assert body_of(document).folder == tmp_path
    assert make_solid(body_of(document)).mesh is not None
    entry = panel.body.rows["density"].field.entries[0]
    entry.setText("1000")
    entry.committed.emit()
    assert body_of(document).folder == tmp_path, "an edit keeps the path of the file"
    panel.shape.inertia_button.click()
    assert body_of(document).mass == pytest.approx(1000.0)
    assert np.diagonal(body_of(document).inertia) == pytest.approx(1000 / 12 * np.array([1.25, 4.25, 5.0]))


def test_mesh_of_another_body_is_not_offered(panel: SetupPanel, document: Document, tmp_path: Path) -> None:
    """It stayed in the list of shapes. Chosen for a body without that file, it drew nothing without a message."""
    import trimesh

    shape = panel.body.rows["shape"].field
    assert isinstance(shape, ChoiceField)
    offered = shape.box.count()
    trimesh.creation.box(extents=[2.0, 1.0, 0.5]).export(tmp_path / "block.stl")
    panel.shape.load_mesh(tmp_path / "block.stl")
    assert (shape.box.currentText(), shape.box.count()) == ("block.stl", offered + 1)
    document.undo()
    panel.show_document()
    assert (shape.box.findText("block.stl"), shape.box.count()) == (-1, offered)


def test_open_mesh_is_drawn_without_inertia(panel: SetupPanel, document: Document, tmp_path: Path) -> None:
    import trimesh

    block = trimesh.creation.box(extents=[2.0, 1.0, 0.5])
    trimesh.Trimesh(block.vertices, block.faces[1:], process=False).export(tmp_path / "open.stl")
    panel.shape.load_mesh(tmp_path / "open.stl")
    assert make_solid(body_of(document)).mesh is not None
    entry = panel.body.rows["density"].field.entries[0]
    entry.setText("1000")
    entry.committed.emit()
    panel.shape.inertia_button.click()
    assert panel.shape.problem.isVisible()
    assert "an open surface" in panel.shape.problem.text()
    (tmp_path / "noise.stl").write_bytes(b"no mesh at all")
    panel.shape.load_mesh(tmp_path / "noise.stl")
    assert "triangles" in panel.shape.problem.text()
    assert body_of(document).shape == "open.stl"


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_every_shape_is_drawn_in_its_size(name: str) -> None:
    body = Body(shape=name, size=[0.8, 0.5, 0.3], density=1000.0)
    shape = make_solid(body)
    rows = shape.vertices()
    assert rows.dtype == np.float32
    assert rows.shape[1] == 6
    assert rows.flags.c_contiguous
    assert np.ptp(rows[:, :3], axis=0) * shape.radius == pytest.approx([0.8, 0.5, 0.3], rel=1e-3)
    assert np.abs(rows[:, :3]).max() == pytest.approx(1.0, abs=1e-6)
    assert all(line.shape[1] == 3 for line in shape.wireframe())
    assert 0 < len(shape.wireframe()) <= 64
    larger = np.column_stack((rows[:, :3], np.ones(len(rows)))) @ shape.inflation_matrix(1.1).T
    assert larger[:, :3] - shape.centre == pytest.approx(1.1 * (rows[:, :3] - shape.centre), abs=1e-5)


def test_shape_without_size_is_scaled_by_its_inertia() -> None:
    given = Body(shape="t_handle", size=[0.062, 0.1, 0.024], density=7850)
    free = Body(shape="t_handle", inertia=given.inertia, mass=given.mass)
    assert make_solid(free).radius == pytest.approx(make_solid(given).radius)


def test_free_body_has_translation_fields(panel: SetupPanel, document: Document) -> None:
    panel.sections["Initial state"].set_open(True)
    assert not panel.initial.translation_form.isVisible(), "a body without a mass has no translation"
    document.propose("mass", lambda state: State.default_for(qv.load_preset("tumbling_brick")))
    assert panel.initial.translation_form.isVisible()
    entries = panel.initial.translation_form.rows["velocity"].field.entries
    assert [entry.text() for entry in entries] == ["1.5", "0", "12"]
    entries[2].setText("7")
    entries[2].committed.emit()
    initial = document.state.preset.initial
    assert initial.velocity.tolist() == [1.5, 0.0, 7.0]
    assert initial.angular_velocity.tolist() == [0.05, 20.0, 0.0]


def test_missing_shape_size_is_requested_in_window_terms(panel: SetupPanel, document: Document) -> None:
    before = document.state
    panel.shape.inertia_button.click()
    assert "size and density, or size and mass" in panel.shape.problem.text()
    assert "inertia =" not in panel.shape.problem.text()
    assert document.state is before

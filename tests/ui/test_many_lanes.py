"""A run with many lanes takes work proportional to their number."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from fake_run import FakeRun
from scene_maker import Maker, make  # noqa: F401 (make is a fixture)

from quatviz.display.data.frame import Pose
from quatviz.display.panels.base.curves import PanelCurves, Plot
from quatviz.display.panels.omega import Omega
from quatviz.display.scene.items.ghosts import Ghosts
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.rotations import from_rotation_vector, orientation_matrix


def run_with_lanes(count: int) -> FakeRun:
    return FakeRun(tuple(f"lane {number}" for number in range(count)), rows=3)


def test_the_traces_of_a_plot_are_searched_once_for_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Plot] = []
    monkeypatch.setattr(Plot, "is_stacked", property(searched.append))
    run = run_with_lanes(30)
    curves = PanelCurves(Omega(), run, run.info.lanes, Choices(), DARK)
    assert searched == curves.plots


def test_all_ghosts_share_their_vertices(make: Maker) -> None:
    view, run = make([Ghosts]), run_with_lanes(30)
    view.start(run)
    view.show_frame(run.frame(0.0))
    ghosts = [mesh for mesh in view.stage.meshes if mesh.material == "glass"]
    assert len(ghosts) == 30
    assert len({id(mesh.vertices) for mesh in ghosts}) == 1


def test_each_ghost_is_larger_than_the_one_before(make: Maker) -> None:
    view, run = make([Ghosts]), run_with_lanes(4)
    view.start(run)
    frame = run.frame(0.0)
    poses = [
        Pose(p, orientation_matrix(p), {})
        for p in (from_rotation_vector([0.0, 0.0, 0.3 * k]) for k in range(4))
    ]
    lanes = tuple(replace(lane, pose=pose) for lane, pose in zip(frame.lanes, poses, strict=True))
    view.show_frame(replace(frame, lanes=lanes))
    ghosts = [mesh for mesh in view.stage.meshes if mesh.material == "glass"]
    sizes = [np.linalg.det(mesh.transform[:3, :3]) ** (1.0 / 3.0) for mesh in ghosts[1:]]
    assert sizes[0] > 1.03
    assert [after - before for before, after in pairwise(sizes)] == pytest.approx([0.012, 0.012])

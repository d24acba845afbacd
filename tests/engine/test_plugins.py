"""An outside package adds a formulation and a panel through entry points, one file each."""

from __future__ import annotations

from pathlib import Path

from helpers import run_python

FORMULATION = '''
"""Newton and Euler's equations with Poisson's matrix in mind: h in space is constant, so this one integrates p only."""
from typing import NamedTuple
import numpy as np
from quatviz.core.kernel import equations, half_LT_times, times, to_body
from quatviz.formulations.base import Formulation

class FrozenMomentum(NamedTuple):
    inverse_inertia: tuple
    h_space: tuple

@equations(FrozenMomentum)
def frozen(par, t, y):
    return half_LT_times(y, times(par.inverse_inertia, to_body(y, par.h_space)))

class Frozen(Formulation):
    name = "frozen_momentum"
    title = "Frozen momentum"
    source = "h is constant in space"
    state = ("e0", "e1", "e2", "e3")

    def parameters(self, body, loads):
        h = (346.4101616, 0.0, -200.0)
        return FrozenMomentum(tuple(map(float, body.inverse_inertia.ravel())), h)

    def start(self, p, omega, parameters):
        return np.array(p)

    def observe(self, states, parameters):
        from quatviz.core.rotations import rotate_back
        h = rotate_back(states, np.broadcast_to(parameters.h_space, (len(states), 3)))
        return states, h @ np.reshape(parameters.inverse_inertia, (3, 3)).T
'''

PANEL = """
from quatviz.ui.plotting.time_panel import Strip, TimePanel

class Energy(TimePanel):
    name = "outside_energy"
    title = "Energy from outside"
    order = 5
    strips = (Strip("energy"),)
"""

ENTRY_POINTS = """[quatviz.formulations]
frozen_momentum = outside_formulation
[quatviz.panels]
outside_energy = outside_panel
"""

RUN = """
import quatviz as qv
run = qv.simulate(qv.load_preset("torque_free"), lanes=["frozen_momentum", "exact"], duration=5.0)
print(float(run.orientation_error("frozen_momentum", "exact").max()))
"""

WINDOW = """
import os, sys
os.environ["QUATVIZ_SETTINGS_DIR"] = os.getcwd()
import quatviz as qv
from quatviz.app import Session, make_application
from PySide6.QtCore import QEventLoop, QTimer
make_application()
session = Session(qv.load_preset("torque_free"))
session.open()
loop = QEventLoop()
QTimer.singleShot(1500, loop.quit)
loop.exec()
print([panel.name for panel in session.window.board.panels])
session.window.close()
"""


def install(folder: Path) -> None:
    (folder / "outside_formulation.py").write_text(FORMULATION)
    (folder / "outside_panel.py").write_text(PANEL)
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)


def test_a_formulation_from_outside_runs_and_is_never_served_stale(tmp_path: Path) -> None:
    install(tmp_path)
    assert float(run_python(RUN, tmp_path, tmp_path)) < 1e-9
    path = tmp_path / "outside_formulation.py"
    path.write_text(path.read_text().replace("par.h_space)))", "(300.0, 0.0, -200.0))))"))
    assert float(run_python(RUN, tmp_path, tmp_path)) > 1e-3


def test_a_panel_from_outside_is_in_the_window(tmp_path: Path) -> None:
    install(tmp_path)
    assert "outside_energy" in run_python(WINDOW, tmp_path, tmp_path)


def test_a_broken_plugin_is_left_out(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "outside_formulation.py").write_text("raise RuntimeError('broken')")
    code = "import quatviz.formulations as f; print('frozen_momentum' in f.FORMULATIONS, 'hamilton' in f.FORMULATIONS)"
    assert run_python(code, tmp_path, tmp_path).split() == ["False", "True"]

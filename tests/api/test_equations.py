"""Lists of what can be run, and the equations of a lane as functions."""

import ast
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import quatviz as qv
from quatviz.base import resources
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS


def test_all_listed_names_are_attributes() -> None:
    lanes = qv.formulations()
    assert {"hamilton", "euler_angles/312", "exact"} <= set(lanes)
    run = qv.simulate(qv.load_preset(next(iter(qv.presets()))), lanes=["newton_euler"], duration=0.02)
    assert all(hasattr(type(run["newton_euler"]), name) for name in qv.quantities())
    assert "dop853" in qv.integrators()
    assert "[N m]" in qv.loads()["torque"]


def test_package_is_callable_after_every_import_style() -> None:
    code = (
        "import pickle, quatviz.physics.{0}; import quatviz as qv; from quatviz import {0} as named; import quatviz.api.calls;"
        "assert list(named()) == list(qv.{0}()) == list(qv.{0}.listed());"
        "assert pickle.loads(pickle.dumps(qv.{0})) is named; assert '{0}' in dir(qv)"
    )
    for name in ("formulations", "integrators", "loads"):
        subprocess.run([sys.executable, "-W", "error", "-c", code.format(name)], check=True)


def test_derivative_of_a_state_equals_that_of_the_lane() -> None:
    preset = qv.load_preset("heavy_top").with_run(duration=0.2)
    lane = qv.simulate(preset, lanes=["lagrange_simplified/split"]).lanes[0]
    y, step = lane.states, float(lane.t[1])
    slope = (y[11] - y[9]) / (2.0 * step)
    assert qv.rhs(lane, lane.t[10], y[10]) == pytest.approx(slope, rel=2e-2, abs=1.0)
    assert qv.multiplier(lane, lane.t[10], y[10]) == lane.lam[10]
    assert len(lane.state_names) == y.shape[1]
    for part in lane.lam_parts.values():
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 1.0
    for again in (pickle.loads(pickle.dumps(lane.lam_parts)), copy.deepcopy(lane.lam_parts)):
        assert list(again) == list(lane.lam_parts) != []
        assert all((again[name] == values).all() for name, values in lane.lam_parts.items())
    with pytest.raises(qv.InputError, match="the times"):
        lane.at("soon")
    with pytest.raises(qv.InputError, match="take a row"):
        qv.rhs(lane, 0.0, y[0, :3])
    for t, state in (("now", y[0]), (0.0, "nothing")):
        with pytest.raises(qv.InputError, match="expected  numbers"):
            qv.rhs(lane, t, state)  # type: ignore[arg-type]
    exact = qv.simulate(preset, lanes=["exact"]).lanes[0]
    with pytest.raises(qv.InputError, match="closed form"):
        qv.rhs(exact, 0.0, exact.states[0])


def test_rotations_are_public_and_typed() -> None:
    assert qv.rotations.rotate([1, 0, 0, 0], [1.0, 2.0, 3.0]).tolist() == [1.0, 2.0, 3.0]
    assert "312" in qv.euler_sequences.SEQUENCES
    assert {"rotations", "euler_sequences"} <= set(dir(qv))
    assert (resources.PACKAGE / "py.typed").is_file()
    assert np.ndim(qv.lagrangian(qv.load_preset("torque_free"), 0.0, [1, 0, 0, 0], [0, 0, 1.0])) == 0


def test_energies_require_complete_rows() -> None:
    """A row of three components was once accepted, because einsum and the potential of a free body take any length."""
    preset = qv.load_preset("torque_free")
    whole = [1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0]
    assert qv.lagrangian(preset, 0.0, *whole) > 0.0
    for p, omega in ((whole[0][1:], whole[1]), (whole[0], whole[0])):
        with pytest.raises(qv.InputError, match="numbers, or rows of"):
            qv.lagrangian(preset, 0.0, p, omega)
    with pytest.raises(qv.InputError, match="load_preset"):
        qv.lagrangian(None, 0.0, *whole)  # type: ignore[arg-type]


def test_invalid_lane_or_time_is_refused() -> None:
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    lane = run.lanes[0]
    for call in (qv.rhs, qv.multiplier):
        for wrong in (None, "newton_euler", run):
            with pytest.raises(qv.InputError, match="a lane of a run"):
                call(wrong, 0.0, lane.states[0])  # type: ignore[arg-type]
        for time in (np.nan, np.inf, None, [0.0, 1.0], "now"):
            with pytest.raises(qv.InputError, match="the time"):
                call(lane, time, lane.states[0])  # type: ignore[arg-type]


def test_type_checker_finds_every_name() -> None:
    """Type checkers treat a name imported from another module as private unless it is imported as itself."""
    tree = ast.parse((resources.PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    known = next(part for part in tree.body if isinstance(part, ast.If) and isinstance(part.test, ast.Name))
    names = {alias.asname for part in known.body if isinstance(part, ast.ImportFrom) for alias in part.names}
    names |= {part.target.id for part in known.body if isinstance(part, ast.AnnAssign)}  # type: ignore[union-attr]
    kinds = {cls.__name__ for registry in (LOADS, EVENTS) for cls in registry.values()}
    assert names - {None} == set(dir(qv)) - (kinds - {"Potential"}) - {"__version__"}

"""Public names of the previous release still work with a warning; names that users try first are accepted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.base import class_metadata


@pytest.fixture(scope="module")
def run() -> qv.Run:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler", "lagrange_full"], duration=0.1)


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("Flip", "FlipSign"),
        ("Place", "SetState"),
        ("Change", "ChangeModel"),
        ("Look", "ViewState"),
        ("Reading", "ReadOptions"),
    ],
)
def test_former_class_name_warns(former: str, present: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"quatviz.{former} was renamed to quatviz.{present}"):
        assert getattr(qv, former) is getattr(qv, present)
    assert former not in dir(qv)


def test_former_attribute_names_warn(run: qv.Run) -> None:
    lane = run["newton_euler"]
    with pytest.warns(
        DeprecationWarning, match=r"Solution\.doubts was renamed to Solution\.accuracy_warning"
    ):
        assert lane.doubts == lane.accuracy_warning
    with pytest.warns(DeprecationWarning, match="was renamed to"):
        assert lane.remarks is lane.warnings
    with pytest.warns(DeprecationWarning, match="was renamed to"):
        assert lane.when(lambda motion: motion.omega[:, 0]).size == 0
    with pytest.warns(DeprecationWarning, match="was renamed to"):
        assert run.lacks == run.missing
    with pytest.warns(DeprecationWarning, match=r"Axis\.of was renamed to Axis\.from_values"):
        assert qv.Axis.of([1.0, 2.0]).values.tolist() == [1.0, 2.0]
    with pytest.warns(DeprecationWarning, match="was renamed to"):
        assert qv.rotations.normalise is qv.rotations.normalize
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        qv.rotations.nothing  # noqa: B018


def test_former_argument_names_warn(tmp_path: Path) -> None:
    titles: list[str] = []
    options: dict[str, Any] = {"report": lambda title, *_: titles.append(title)}
    with pytest.warns(DeprecationWarning, match="the argument report of figures was renamed to progress"):
        qv.figures(tmp_path, formats=["svg"], only=["table_3"], **options)
    assert titles


def test_quaternion_and_multiplier_are_p_and_lam(run: qv.Run) -> None:
    lane = run["lagrange_full/torque"] if "lagrange_full/torque" in run else run["lagrange_full"]
    assert np.array_equal(lane.quaternion, lane.p)
    assert np.array_equal(lane.multiplier, lane.lam)
    assert np.array_equal(lane.at(0.05).quaternion, lane.at(0.05).p)


def test_sequence_may_be_written_in_letters() -> None:
    angles = [0.3, 0.4, 0.5]
    sequences = qv.euler_sequences
    assert np.array_equal(sequences.p_from_angles(angles, "zxz"), sequences.p_from_angles(angles, "313"))
    assert qv.Lane("euler_angles/ZYX").formulation == "euler_angles/321"
    assert sequences.angle_symbols("zxz") == sequences.angle_symbols("313")
    initial = {"angles": {"sequence": "zxz", "degrees": [1.0, 2.0, 3.0]}, "angular_velocity": [0.0, 0.0, 1.0]}
    assert qv.Initial(**initial).angles.sequence == "313"
    with pytest.raises(qv.InputError):
        sequences.p_from_angles(angles, "zzx")


def test_mutations_of_a_package_are_ignored_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="mutations are no longer used"):
        from quatviz.base.class_metadata import Mutation

    assert Mutation("old", "new", detected_by="a.b") is None
    with pytest.raises(AttributeError):
        _ = class_metadata.Mutations

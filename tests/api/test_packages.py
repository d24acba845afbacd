"""Errors in extensions of packages: refused with a message at the first use, and found by `quatviz verify`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.parameters import Numbers, parameter
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.newton_euler import NewtonEuler
from quatviz.physics.kernels.algebra import cross, to_body
from quatviz.physics.kernels.binder import inline
from quatviz.physics.kernels.forces import half_generalized_force, scaled4, torque_of_gradient
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Quantity
from quatviz.verification.motions import potential_errors, sample_loads

FREE = qv.load_preset("torque_free")


@inline
def slope(row, t, p):
    """Return dV/dp of V = -m . A^T B, with B along space z."""
    return scaled4(-2.0, half_generalized_force(p, (row[0], row[1], row[2]), (0.0, 0.0, 1.0)))


@inline
def opposite(row, t, p):
    return scaled4(-1.0, slope(row, t, p))


@inline
def torque(row, t, p, omega):
    return torque_of_gradient(p, slope(row, t, p))


@inline
def opposite_torque(row, t, p, omega):
    return torque_of_gradient(p, opposite(row, t, p))


@inline
def by_definition(row, t, p, omega):
    return cross((row[0], row[1], row[2]), to_body(p, (0.0, 0.0, 1.0)))


@dataclass(frozen=True, eq=False)
class Needle(Load):
    """A magnet in a field along space z."""

    name: ClassVar[str] = "needle"
    torque_kernel = torque
    gradient_kernel = slope
    moment: Numbers = parameter(unit="J", shape=(3,), explanation="m B, in body components")

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(moment=[0.3, -0.1, 0.2]),)

    def row(self, body: Body) -> tuple[float, ...]:
        return tuple(map(float, self.moment))

    def potential_on(self, body: Body, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        return -(rotation_matrix(p) @ np.asarray(self.moment))[..., 2]


class WrongSign(Needle):
    """Torque and gradient are consistent, but both have the wrong sign."""

    gradient_kernel = opposite
    torque_kernel = opposite_torque


class WrongTorque(Needle):
    torque_kernel = opposite_torque


class Defined(Needle):
    """The torque m x A^T B equals that of the gradient."""

    torque_kernel = by_definition


@pytest.mark.parametrize(
    ("load_class", "message"),
    [
        (WrongSign, "the derivative of potential_on"),
        (WrongTorque, "torque_kernel"),
        (Needle, ""),
        (Defined, ""),
    ],
)
def test_inconsistent_load_gradient_is_detected(
    load_class: type[Needle], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LOADS.entries(), "needle", load_class)
    (load,) = load_class.samples()
    assert any(isinstance(sample, load_class) for sample in sample_loads(only_consistent=False))
    assert any(isinstance(sample, load_class) for sample in sample_loads()) is not bool(message)
    assert [what for what, error in potential_errors(load).items() if error > 1e-6 and message in what] == [
        what for what in potential_errors(load) if message and message in what
    ]
    preset = replace(FREE, loads=[qv.Torque(torque=[1.0, 0.0, 0.0]), load])
    if not message:
        assert potential_errors(load)
        assert max(potential_errors(load).values()) < 1e-8
        return
    with pytest.raises(qv.InputError, match=message) as refusal:
        qv.simulate(preset, lanes=["newton_euler"], duration=0.1)
    assert refusal.value.key == "loads[1]"
    assert "needle" in refusal.value.place


class Scaled(NewtonEuler):
    """Newton and Euler with an inertia from a file."""

    name = "scaled"
    reads_file = True

    def parameters(self, body: Body, loads: Any) -> Any:
        assert self.options.file is not None
        return super().parameters(replace(body, inertia=np.loadtxt(self.options.file)), loads)


def test_lane_parameters_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMULATIONS.entries(), "scaled", Scaled)
    np.savetxt(tmp_path / "inertia.txt", FREE.body.inertia)
    lanes: list[qv.Lane | str] = [qv.Lane("scaled", file="inertia.txt"), "newton_euler"]
    preset = FREE.with_run(lanes=lanes, duration=0.1)
    (tmp_path / "mine.toml").write_text(format_preset(preset))
    read = qv.load_preset(tmp_path / "mine.toml")
    assert parse_preset(format_preset(read), folder=tmp_path / "elsewhere").lanes == read.lanes
    run = qv.simulate(read)
    assert (run["scaled"].omega == run["newton_euler"].omega).all()
    for lane, message in (
        (qv.Lane("scaled"), "the key file, with the path of the file that scaled reads"),
        (qv.Lane("scaled", file="nowhere.txt"), "no file nowhere.txt"),
        (qv.Lane("hamilton", file="inertia.txt"), "no file for hamilton"),
    ):
        with pytest.raises(qv.InputError, match=message) as refusal:
            qv.simulate(FREE, lanes=[lane], duration=0.1)
        assert refusal.value.key == "lanes[0].file"


def divided(motion: Motion) -> np.ndarray:
    return np.array([1 / 0])


def left(motion: Motion) -> np.ndarray:
    raise SystemExit(4)


@pytest.mark.parametrize(
    ("of_motion", "message"),
    [(divided, "ZeroDivisionError"), (left, "SystemExit: 4"), (lambda motion: [1.0], "shape")],
)
def test_failing_quantity_is_refused_and_others_work(
    of_motion: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Quantity("halved", "Halved", ("x",), of_motion=of_motion)
    monkeypatch.setitem(QUANTITIES.entries(), "halved", made)
    run = qv.simulate(FREE, lanes=["newton_euler"], duration=0.1)
    with pytest.raises(qv.InputError, match=message):
        run.to_dataframe(["halved"])
    assert run.to_dataframe(["h"]).shape == (11, 3)

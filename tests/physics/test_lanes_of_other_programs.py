"""Lanes of other programs: the same motion where the package is installed, otherwise refused with the package's name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._other_programs import (
    PROGRAMS,
    UnsupportedByProgramError,
    supported_loads,
)

SCRIPT = """
import sys
sys.path.append(sys.argv[1])  # stand-ins for programs that are not installed

import numpy as np
import quatviz as qv
from quatviz.physics.formulations._other_programs import PROGRAMS, supported_loads

program = next(program for program in PROGRAMS if program.name == sys.argv[2])
body = qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot")
initial = qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6])
loads = [
    qv.Gravity(weight=3.0, centre=[0.1, -0.05, 0.3]),
    qv.Torque(torque=[0.1, 0.2, -0.3], frame="body"),
    qv.Torque(torque=[0.3, -0.2, 0.1], frame="space"),
]
preset = qv.Preset(body=body, initial=initial, loads=loads)
run = qv.simulate(preset, lanes=[program.name, "newton_euler"], duration=1.0, dt=1e-3, sample_interval=0.01)
lane, reference = run[program.name], run["newton_euler"]
print(lane.status, "rotation error", run.orientation_error(program.name, "newton_euler").max())
print("rate error", np.abs(lane.omega - reference.omega).max())
print("sign of p", (lane.p * reference.p).sum(axis=1).min())

motion = program().open_motion(body, supported_loads(loads, "it"), initial.p(), initial.omega(body))
errors = []
for count in (10, 20, 40):
    motion.reset()
    motion.advance(1.0 / count, count)
    errors.append(np.linalg.norm(motion.state()[:3] - reference.omega[100]))
print("orders", *np.log2(np.divide(errors[:-1], errors[1:])))

run = qv.simulate("spring_disk", lanes=[program.name, "newton_euler"], duration=0.1)
print(run[program.name].status, run["newton_euler"].status)
"""


@pytest.mark.parametrize("program", [program.name for program in PROGRAMS])
def test_installed_program_computes_the_same_motion(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(Path(ROOT) / "tests/support/fake_programs"), program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rotation, rate, sign, orders, statuses = (line.split() for line in done.stdout.splitlines())
    assert rotation[0] == "ok"
    assert float(rotation[-1]) < 1e-10
    assert float(rate[-1]) < 1e-10
    assert float(sign[-1]) > 0.0, "p keeps its sign"
    assert min(map(float, orders[1:])) > 3.7
    assert statuses == ["not_supported", "ok"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_missing_program_is_refused_with_its_package(program: type) -> None:
    if program.name in FORMULATIONS:  # type: ignore[attr-defined]
        return
    with pytest.raises(InputError) as refusal:
        qv.simulate("torque_free", lanes=[program.name], duration=0.1)  # type: ignore[attr-defined]
    assert f"pip install {program.package}" in str(refusal.value)  # type: ignore[attr-defined]


def test_loads_that_no_other_program_has_are_refused() -> None:
    for loads in (
        [qv.Damping(coefficient=0.1)],
        [qv.Torque(torque=["sin(t)", 0, 0])],
        [qv.TorqueLaw(law="n = -omega")],
        [qv.Gravity(weight=1.0, centre=[0, 0, 1.0]), qv.PointForce(force=[1.0, 0, 0], point=[0, 1.0, 0])],
    ):
        with pytest.raises(UnsupportedByProgramError):
            supported_loads(loads, "MuJoCo")
    summed = supported_loads([qv.Torque(torque=[1.0, 2.0, 3.0], frame="body")] * 2, "MuJoCo")
    assert summed.body_torque.tolist() == [2.0, 4.0, 6.0]

"""`quatviz sweep`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import TIMEOUT_SECONDS, wait_for

from quatviz.analysis.sweeps.files import read_sweep
from quatviz.cli import main

SPIN, MOMENT = "initial.angular_velocity[0]", "body.inertia[0]"


def test_sweep_command_prints_and_writes_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.nc"
    arguments = [
        "sweep",
        "intermediate_axis",
        "--over",
        f"{SPIN}=-1:1:5",
        "--over",
        f"{MOMENT}=1,7",
        "--lane",
        "newton_euler",
    ]
    arguments += [
        "--measure",
        "flips",
        "--measure",
        "first_flip",
        "--dt",
        "1e-2",
        "--duration",
        "8",
        "-o",
        str(path),
    ]
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert "5 x 2 points, 10 runs" in output
    assert "first_flip [s]" in output
    assert "incomplete runs: 5 refused" in output
    assert "largest principal moment" in output
    data = read_sweep(path)
    assert data.sizes[SPIN] == 5
    assert data["status"].attrs["flag_values"].dtype == data["status"].dtype  # demanded by the CF conventions
    assert main(arguments) == 0
    assert "10 of 10 points are already computed" in capsys.readouterr().out


def test_second_output_is_refused_instead_of_replacing_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = [str(tmp_path / "map.nc"), str(tmp_path / "map.html")]
    with pytest.raises(SystemExit, match="2"):
        main(["sweep", "flip_map", "-o", outputs[0], "--output", outputs[1]])
    assert "argument -o/--output: it may be given only once" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--over", f"{SPIN}=-1:1"],
        ["--over", "body.shape=1,2"],
        ["--over", f"{SPIN}=-1:1:1000000", "--over", f"{MOMENT}=1:2:1000000"],
        ["--over", f"{SPIN}=0,1", "--measure", "settling_time"],
        ["--over", f"{SPIN}=0,1", "-o", "map.xls"],
        ["--over", f"{SPIN}=0,1", "--jobs", "0"],
        [],
    ],
)
def test_invalid_sweeps_are_refused_before_work(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", "intermediate_axis", *arguments]) == 2
    assert "expected" in capsys.readouterr().err


def test_ctrl_c_keeps_partial_results(tmp_path: Path) -> None:
    arguments = [
        "sweep",
        "intermediate_axis",
        "--over",
        f"{SPIN}=-1:1:400000",
        "--lane",
        "newton_euler",
        "-o",
        "map.nc",
        "--jobs",
        "1",
    ]
    child = subprocess.Popen(
        [sys.executable, "-m", "quatviz", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    part = tmp_path / "map.nc.part"
    wait_for(lambda: list(part.glob("[0-9]*.npz")))
    os.kill(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=TIMEOUT_SECONDS)
    assert child.returncode == 130, err
    assert "the same command resumes it" in err
    assert "flips" in out
    result = read_sweep(tmp_path / "map.nc")
    assert 0 < (result["status"].values >= 0).sum() < 400_000
    assert result.attrs["complete"] == 0

"""`quatviz study`: output, files and exit status."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quatviz import cli

ROOT = Path(__file__).resolve().parents[3]
TINY = ["study", "torque_free", "--dt", "0.1,0.05", "--duration", "2", "--jobs", "1"]


def test_study_command_prints_orders_and_writes_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "study.json", tmp_path / "study.svg"]
    arguments = [*TINY, "--lane", "hamilton", "--quantity", "momentum"]
    assert cli.main([*arguments, *(word for path in files for word in ("-o", str(path)))]) == 0
    captured = capsys.readouterr()
    assert captured.err == "", "progress is for a terminal"
    assert "Torque-free body: Largest error of h" in captured.out
    rows = [line.split() for line in captured.out.splitlines() if line.startswith("hamilton ")]
    assert [row[:3] for row in rows] == [["hamilton", "rk4", "0.1"], ["hamilton", "rk4", "0.05"]]
    assert "hamilton, rk4: order 4." in captured.out or "hamilton, rk4: order 3.9" in captured.out
    assert all(path.is_file() for path in files)
    assert len(json.loads(files[0].read_text("utf-8"))["points"]) == 2


def test_study_without_finished_cases_exits_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*TINY, "--lane", "euler_angles/313"]) == 3
    assert "euler_angles/313, rk4: 2 of 2 runs did not reach the end" in capsys.readouterr().out
    assert cli.main([*TINY, "--lane", "ring_damper"]) == 3
    assert "not combined: ring_damper with rk4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "location"),
    [
        (["--dt", "0.1,x"], "--dt"),
        (["--dt", "0.1,0.0314159"], "--dt"),
        (["--lane", "hamiltom"], "--lane"),
        (["--integrator", "rk5"], "--integrator"),
        (["--quantity", "warmth"], "the quantity"),
        (["--jobs", "0"], "--jobs"),
        (["--jobs", "2", "--scheduler", "tcp://127.0.0.1:9"], "--jobs"),
        (["--scheduler", "host"], "--scheduler"),
        (["--scheduler", "127.0.0.1:9"], "the scheduler 127.0.0.1:9"),
        (["-o", "study.xls"], "study.xls"),
        (["-o", "no/such/folder/study.svg"], "no/such/folder"),
    ],
)
def test_wrong_option_is_reported_by_name(
    arguments: list[str], location: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["study", "torque_free", "--duration", "2", *arguments]) == 2
    first, *rest = capsys.readouterr().err.splitlines()
    assert location in first
    assert [line.split()[0] for line in rest] == ["expected", "found", "try", "help"]


def test_ctrl_c_prints_and_writes_partial_results(tmp_path: Path) -> None:
    leader, follower = pytest.importorskip("pty").openpty()
    path = tmp_path / "study.csv"
    arguments = ["study", "torque_free", "--lane", "hamilton", "--dt", "0.1,0.05,1e-8", "--duration", "100"]
    process = subprocess.Popen(
        [sys.executable, "-m", "quatviz", *arguments, "--jobs", "2", "-o", str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=follower,
        # Background processes of a shell ignore the signal, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        text=True,
        start_new_session=True,
    )
    os.close(follower)
    shown = ""
    deadline = time.monotonic() + 300
    while "Computing the reference" not in shown and time.monotonic() < deadline:
        shown += os.read(leader, 1000).decode()
    os.killpg(process.pid, signal.SIGINT)  # like a terminal, which signals the whole process group
    printed, _ = process.communicate(timeout=300)
    os.close(leader)
    assert process.returncode == 130
    assert "cancelled before its end" in printed
    assert f"written to {path}" in printed
    assert "Traceback" not in shown
    assert [file.name for file in tmp_path.iterdir()] == ["study.csv"]

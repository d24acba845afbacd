"""`quatviz doctor`: its checks, and that every problem has a message with a remedy."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quatviz import bootstrap, cli
from quatviz.commands.support import diagnostics, self_test
from quatviz.commands.support.diagnostics import satisfies

ROOT = Path(__file__).resolve().parents[2]


def opengl(program: str) -> diagnostics.SystemCheck:
    return next(iter(diagnostics.check_opengl((sys.executable, "-c", program))))


def test_doctor_passes_on_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "--json"]) == 0
    findings = {finding["name"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert findings["numba"]["ok"]
    assert "OpenGL renderer" in findings
    assert findings["kernel cache"]["value"].startswith(os.environ["QUATVIZ_CACHE_DIR"])
    assert all(finding["remedy"] == "" for finding in findings.values() if finding["ok"])
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.endswith("The window can run here.\n")


def test_doctor_reports_a_missing_display() -> None:
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
        "QT_QPA_PLATFORM": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", "quatviz", "doctor"], env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    assert "FAIL  display" in done.stdout
    assert "bootstrap.py run" in done.stdout


def test_film_check_requires_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setattr(self_test, "TRIALS", {name: self_test.TRIALS[name] for name in ("a film, MP4",)})
    (finding,) = self_test.run_trials()
    assert (finding.ok, finding.needed) == (False, False)
    assert finding.value == "skipped: PyAV, which film export needs: it is not installed"


def test_doctor_runs_without_libraries() -> None:
    """The option -S disables site-packages."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "quatviz", "doctor"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    assert "FAIL  numba" in done.stdout
    assert '-m pip install "numba>=' in done.stdout


def test_missing_display_is_not_a_driver_problem() -> None:
    message = "This application failed to start because no Qt platform plugin could be initialized."
    finding = opengl(f"import os, sys; sys.stderr.write({message!r}); sys.stderr.flush(); os.abort()")
    assert not finding.ok
    assert finding.value == "not asked: Qt found no display"
    assert finding.remedy == "see display"


def test_crashing_driver_gives_a_message() -> None:
    finding = opengl("import os; os.abort()")
    assert not finding.ok
    assert finding.needed
    assert finding.value == "the driver crashed: asking it ended with SIGABRT"
    assert "libgl1-mesa-dri" in finding.remedy


def test_hanging_driver_gives_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "PROBE_TIMEOUT", 0.2)
    assert "did not answer" in opengl("import time; time.sleep(20)").value


def test_failed_driver_probe_gives_a_message() -> None:
    assert opengl("import no_such_module").value.endswith("No module named 'no_such_module'")


@pytest.mark.parametrize(
    ("version", "limits", "fits"),
    [
        ("2.0", ">=2.0,<2.5", True),
        ("2.4.6", ">=2.0,<2.5", True),
        ("2.5.0", ">=2.0,<2.5", False),
        ("1.26.4", ">=2.0,<2.5", False),
        ("0.68.1", ">=0.61,<0.69", True),
        ("6.10.3rc1", ">=6.10.3,<6.11", True),
        ("5", "", True),
    ],
)
def test_version_limits(version: str, limits: str, fits: bool) -> None:
    assert satisfies(version, limits) is fits


def test_every_project_requirement_is_checked() -> None:
    lines = diagnostics.library_requirements()
    assert any(line.startswith("numba>=") for line in lines)
    assert all(diagnostics.check_library(line).ok for line in lines)
    assert diagnostics.check_library("no-such-library>=1,<2").remedy.endswith(
        'pip install "no-such-library>=1,<2"'
    )
    assert "is needed" in diagnostics.check_library("numpy>=99").value


def test_missing_system_libraries_have_an_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "is_installed", lambda need: need.package != "libxcb-cursor0")
    (finding,) = diagnostics.check_system_libraries()
    assert finding.value == "missing: libxcb-cursor.so.0"
    assert finding.remedy.endswith("apt-get install -y --no-install-recommends libxcb-cursor0")


def test_unwritable_cache_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path / "file" / "cache"))
    finding = diagnostics.check_kernel_cache()
    assert (finding.ok, finding.needed) == (False, False)
    assert "QUATVIZ_CACHE_DIR" in finding.remedy


def test_damaged_kernels_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    assert diagnostics.check_kernel_cache().value.endswith("0 kernels")
    for name in ("", "no checksum"):
        (tmp_path / "kernels" / f"{name}.kernel").write_bytes(name.encode())
    finding = diagnostics.check_kernel_cache()
    assert (finding.ok, finding.needed) == (False, False)
    assert "2 of 2 kernels are damaged" in finding.value


def test_without_fonts_and_compiler_the_window_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "is_installed", lambda need: False)
    monkeypatch.setattr(diagnostics.shutil, "which", lambda name: None)
    for finding, package in (
        (diagnostics.check_fonts(), "fonts-dejavu-core"),
        (diagnostics.check_compiler(), "gcc"),
    ):
        assert not finding.ok
        assert not finding.needed
        assert package in finding.remedy

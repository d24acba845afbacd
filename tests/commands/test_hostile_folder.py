"""No command runs Python files of the current folder that are named like modules."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import wait_for

from quatviz.base import child_processes
from quatviz.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = [
    "numpy",
    "scipy",
    "numba",
    "h5py",
    "pyarrow",
    "PySide6",
    "pyqtgraph",
    "OpenGL",
    "sitecustomize",
    "usercustomize",
]
SHORT_RUN = ["torque_free", "--lane", "newton_euler", "--duration", "0.1"]
QUICK_COMMANDS: dict[str, list[list[str]]] = {
    "bench": [["no_such_benchmark"]],
    "compile": [["--help"]],
    "doctor": [[]],
    "explain": [["torque_free", "hamilton"]],
    "figures": [["-o", "drawn", "--only", "no_such_figure"]],
    "fit": [["flight.csv", "-n"]],
    "help": [["errors"]],
    "import": [["flight.csv", "-n"], ["run.h5", "-n"]],
    "lessons": [[]],
    "list": [[]],
    "new": [["formulation", "mine", "-o", "mine"]],
    "render": [[*SHORT_RUN, "-o", "picture.png"]],
    "run": [["run.h5", "-o", "again.csv"], [*SHORT_RUN, "-o", "run.csv"]],
    "study": [[*SHORT_RUN, "--steps", "2", "--jobs", "2", "-o", "study.csv"]],
    "sweep": [
        [
            *SHORT_RUN,
            "--over",
            "initial.angular_velocity[0]=1:2:2",
            "--processes",
            "--jobs",
            "2",
            "-o",
            "map.csv",
        ]
    ],
    "verify": [["identities"]],
    "window": [["--version"], ["no_such_file.toml"]],
}
"""Arguments that let each command import what it needs and start the children that it has."""


@pytest.fixture(scope="module")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recording, a run, and for every module name a file that records that it ran."""
    folder = tmp_path_factory.mktemp("hostile")
    run = subprocess.run(
        [sys.executable, "-P", "-m", "quatviz", "run", *SHORT_RUN, "-o", str(folder / "run.h5")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    shutil.copy(ROOT / "presets" / "thrown_phone.csv", folder / "flight.csv")
    for name in [*sys.stdlib_module_names, *LIBRARIES]:
        code = (
            f"open({str(folder / 'ran.log')!r}, 'a').write({name!r} + '\\n')\nraise ImportError({name!r})\n"
        )
        (folder / f"{name}.py").write_text(code)
    return folder


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script `quatviz` that pip installs."""
    path = tmp_path_factory.mktemp("bin") / "quatviz"
    path.write_text("import sys\nfrom quatviz.cli import main\nsys.exit(main())\n")
    return path


def start(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder, as in a terminal."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def modules_that_ran(folder: Path) -> list[str]:
    log = folder / "ran.log"
    names = log.read_text().split() if log.exists() else []
    log.unlink(missing_ok=True)
    return names


def test_every_command_is_tested() -> None:
    assert set(QUICK_COMMANDS) == set(COMMANDS)


@pytest.mark.parametrize("command", QUICK_COMMANDS)
def test_commands_run_no_file_of_the_current_folder(
    command: str, hostile_folder: Path, program: Path
) -> None:
    for arguments in QUICK_COMMANDS[command]:
        done = start(hostile_folder, str(program), *([] if command == "window" else [command]), *arguments)
        assert modules_that_ran(hostile_folder) == [], (arguments, done.stderr)
        assert "Traceback" not in done.stderr, (arguments, done.stderr)


def test_window_and_compiler_run_no_file_of_the_current_folder(
    hostile_folder: Path, program: Path, tmp_path: Path
) -> None:
    """The cache is empty, so that a child process compiles the window's kernels."""
    window = subprocess.Popen(
        [sys.executable, str(program), "torque_free", "--no-tour"],
        cwd=hostile_folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "QUATVIZ_CACHE_DIR": str(tmp_path / "cache"),
            "QUATVIZ_SETTINGS_DIR": str(tmp_path / "settings"),
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(lambda: window.poll() is not None or any((tmp_path / "cache").rglob("*.ready")))
        assert window.poll() is None
    finally:
        window.kill()
        _, stderr = window.communicate()
    assert modules_that_ran(hostile_folder) == [], stderr


@pytest.mark.parametrize(
    "code",
    [
        "from quatviz.physics.kernels.compiler_pool import start_compiler\n"
        "child = start_compiler(); child.stdin.close(); child.wait()",
        "from quatviz.analysis.executors.processes import ProcessWorkers\n"
        "workers = ProcessWorkers(1); print(workers.submit(abs, -1).result()); workers.close()",
    ],
    ids=["compiler", "workers"],
)
def test_children_of_a_script_run_no_file_of_the_current_folder(code: str, hostile_folder: Path) -> None:
    done = start(hostile_folder, "-P", "-c", code)
    assert done.returncode == 0, done.stderr
    assert modules_that_ran(hostile_folder) == []


COMPILING = """
import quatviz as qv
run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.01)
import numba
from numba.core import config
@numba.njit
def double(x):
    return 2 * x
double(1)  # settings are read again before numba compiles
print(config.DISABLE_JIT, config.CACHE_DIR, config.ENABLE_PROFILING, len(double.signatures))
"""


def test_numba_settings_of_the_current_folder_are_ignored(tmp_path: Path) -> None:
    settings = f"disable_jit: 1\ncache_dir: {tmp_path / 'hostile'}\nenable_profiling: 1\n"
    (tmp_path / ".numba_config.yaml").write_text(settings)
    done = start(tmp_path, "-P", "-c", COMPILING)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "0", "1"], "no folder for the cache, and compiled"
    assert not done.stderr
    assert not (tmp_path / "hostile").exists()


@pytest.mark.parametrize("arguments", [["list"], ["run", "run.h5", "-o", "by_module.csv"]])
def test_module_start_runs_no_file_of_the_current_folder(
    arguments: list[str], hostile_folder: Path, tmp_path: Path
) -> None:
    """Modules that Python imports before the package cannot be protected."""
    shutil.copytree(hostile_folder, tmp_path, dirs_exist_ok=True)
    code = "import importlib.util, pkgutil, runpy, sys; print(*sys.modules)"
    for name in start(tmp_path, "-I", "-c", code).stdout.split():
        (tmp_path / f"{name}.py").unlink(missing_ok=True)
    done = start(tmp_path, "-m", "quatviz", *arguments)
    assert modules_that_ran(hostile_folder) == []
    assert done.returncode == 0, done.stderr


def test_importing_module_keeps_its_folder(tmp_path: Path) -> None:
    """Only `python -m quatviz` removes the current folder, since a user's own package may need it."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "__init__.py").write_text("import quatviz")
    (tmp_path / "own" / "__main__.py").write_text("import beside")
    (tmp_path / "beside.py").write_text("print('kept')")
    done = start(tmp_path, "-m", "own")
    assert done.stdout == "kept\n", done.stderr


def test_children_find_an_uninstalled_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert child_processes.module_command("quatviz", "list") == [
        sys.executable,
        "-P",
        "-m",
        "quatviz",
        "list",
    ]
    assert os.environ["PYTHONPATH"].split(os.pathsep) == ["/elsewhere", str(ROOT)]


def test_stand_alone_program_gets_no_interpreter_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_processes.module_command("quatviz") == [sys.executable, "-m", "quatviz"]


def test_only_one_module_writes_command_lines_of_python() -> None:
    for path in (ROOT / "quatviz").rglob("*.py"):
        if path.name != "child_processes.py":
            assert "[sys.executable" not in path.read_text(encoding="utf-8"), path
            assert '(sys.executable, "-' not in path.read_text(encoding="utf-8"), path

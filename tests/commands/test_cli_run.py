"""`quatviz run` and `quatviz list`: output, files and exit status."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz import cli, commands
from quatviz.base.registry import FAMILIES
from quatviz.display.data.frame import LaneFrame
from quatviz.display.scene.description import end_text
from quatviz.files.preset import Lane
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS

ROOT = Path(__file__).resolve().parents[2]
SHORT = ["torque_free", "--duration", "0.2", "--sample-interval", "0.1", "--dt", "1e-2"]


def quatviz(*arguments: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(  # type: ignore[call-overload]
        [sys.executable, "-m", "quatviz", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        **{"stderr": subprocess.PIPE, **options},
    )


def test_commands_equal_the_modules_on_disk() -> None:
    on_disk = {path.stem for path in (ROOT / "quatviz" / "commands").glob("[!_]*.py")}
    assert {*commands.COMMANDS, "window"} == on_disk


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert all(f"quatviz {name} " in printed for name in set(commands.COMMANDS) - {"window"})


def test_commands_use_one_blas_thread() -> None:
    """NumPy reads the setting at its import. More threads only spin, since our matrices are small."""
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    code = "import os, sys; from quatviz.cli import main; early = 'numpy' in sys.modules; main(['list']); import numpy; "
    process = subprocess.run(
        [sys.executable, "-c", code + "print(early, os.environ['OPENBLAS_NUM_THREADS'])"],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert process.splitlines()[-1] == "False 1"


def test_window_imports_packages_lazily() -> None:
    """SciPy's signal processing alone takes 70 MB and a third of the start-up time."""
    late = (
        *(
            "scipy.signal",
            "scipy.optimize",
            "scipy.stats",
            "scipy.integrate",
            "scipy.interpolate",
            "scipy.linalg",
        ),
        *("pandas", "pyarrow", "sympy", "xarray", "matplotlib", "pyqtgraph", "trimesh", "av", "distributed"),
    )
    code = f"import sys, quatviz.app; print(*[name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.split()


def test_figures_do_not_use_a_matplotlib_window(tmp_path: Path) -> None:
    """An environment variable with an unknown matplotlib backend ended every figure in a traceback."""
    path = tmp_path / "run.pdf"
    arguments = ["render", *SHORT, "-o", str(path)]
    environment = {**os.environ, "MPLBACKEND": "nonsense", "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-m", "quatviz", *arguments], env=environment, capture_output=True, check=True
    )
    assert path.read_bytes().startswith(b"%PDF")


def test_end_time_of_a_lane_is_stated_consistently(capsys: pytest.CaptureFixture[str]) -> None:
    """One place gave the last sample, 4.99 s, and another the step that ended the lane."""
    arguments = ["gimbal_lock", "--lane", "euler_angles/321", "--duration", "6"]
    assert cli.main(["run", *arguments]) == 3
    printed = capsys.readouterr().out
    assert printed.splitlines()[1].split()[:3] == ["euler_angles/321", "singular", "4.998"]
    assert "ended at t = 4.998 s" in printed
    run = qv.simulate(qv.load_preset("gimbal_lock"), lanes=["euler_angles/321"], duration=6.0)
    assert run["euler_angles/321"].ended_at == pytest.approx(4.998)
    lane = LaneFrame("euler_angles/321", 0, False, None, "singular", "", computed_to=4.99, ended_at=4.998)
    assert end_text(lane).endswith(" at 4.998 s"), "as a description of what is seen says it"


def test_run_prints_lanes_and_writes_a_reproducible_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.parquet"
    arguments = [*SHORT, "--lane", "hamilton", "--lane", "hamilton,dt=5e-3,name=fine"]
    assert cli.main(["run", *arguments, "-o", str(path)]) == 0
    captured = capsys.readouterr()
    assert "energy drift" in captured.out
    assert [line.split()[:5] for line in captured.out.splitlines()[1:3]] == [
        ["hamilton", "ok", "0.2", "0.2", "20"],
        ["fine", "ok", "0.2", "0.2", "40"],
    ]
    assert captured.err == "", "progress is for a terminal"
    preset = qv.load_preset(path)
    assert preset.lanes == (Lane("hamilton"), Lane("hamilton", dt=5e-3, name="fine"))
    assert (preset.run.dt, preset.run.duration, preset.run.sample_interval) == (1e-2, 0.2, 0.1)
    again = tmp_path / "again.npz"
    assert cli.main(["run", str(path), "--quiet", "-o", str(again)]) == 0
    assert capsys.readouterr().out == ""
    assert qv.load_preset(again) == preset


def test_table_has_requested_columns_and_drift_of_conserved_energy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.npz"
    arguments = [
        "--lane",
        "newton_euler",
        "--quantity",
        "angles_321",
        "--every",
        "2",
        "--stop",
        "0.2",
        "-o",
        str(path),
    ]
    assert (
        cli.main(
            ["run", "gimbal_lock", "--duration", "1", "--sample-interval", "0.1", "--dt", "1e-2", *arguments]
        )
        == 0
    )
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[5] == "-", "its torque does work"
    lane = qv.load_run(path)["newton_euler"]
    assert lane.t.tolist() == pytest.approx([0.0, 0.2])
    assert lane.angles_321.shape == (2, 3)


def test_block_size_does_not_change_the_output(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    arguments = ["--dt", "1e-5", "--duration", "1", "--sample-interval", "0.01", "--quiet", "-o", str(path)]
    assert cli.main(["run", "torque_free", *arguments]) == 0
    run = qv.simulate(qv.load_preset(path))
    with np.load(path) as arrays:
        assert (arrays["hamilton:p"] == run["hamilton"].p).all()


def test_run_without_finished_lanes_exits_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "presets" / "torque_free.toml").read_text("utf-8")
    wild = tmp_path / "wild.toml"
    wild.write_text(text.replace("[346.4101616, 0, -200]", "[3e6, 4e6, -2e6]"), "utf-8")
    arguments = ["run", str(wild), "--dt", "0.1", "--sample-interval", "0.1", "--lane", "newton_euler"]
    assert cli.main(arguments) == 3
    assert "newton_euler ended at t = " in capsys.readouterr().out
    assert cli.main([*arguments, "--lane", "newton_euler,dt=1e-6", "--duration", "0.1"]) == 0


@pytest.mark.parametrize(
    ("arguments", "location"),
    [
        (["--dt", "0.03"], "--dt"),
        (["--dt", "-1"], "--dt"),
        (["--duration", "1e-3"], "--duration"),
        (["--integrator", "rk5"], "--integrator"),
        (["--lane", "hamilton", "--lane", "hamiltom"], "--lane 'hamiltom', formulation"),
        (["--lane", "hamilton,dt=0.3"], "--lane 'hamilton,dt=0.3', dt"),
        (["--lane", "hamilton,dt"], "lane 'hamilton,dt'"),
        (["-o", "run.xls"], "run.xls"),
        (["-o", "no/such/folder/run.csv"], "no/such/folder/run.csv"),
    ],
)
def test_wrong_option_is_reported_by_name(
    arguments: list[str], location: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "torque_free", *arguments]) == 2
    first, *rest = capsys.readouterr().err.splitlines()
    assert location in first
    assert [line.split()[0] for line in rest] == ["expected", "found", "try", "help"]


@pytest.mark.parametrize(
    "long",
    [("--duration", "1e6", "--sample-interval", "1"), ("--dt", "1e-12")],
    ids=["samples", "steps of one sample"],
)
def test_ctrl_c_leaves_no_partial_file(long: tuple[str, ...], tmp_path: Path) -> None:
    leader, follower = pytest.importorskip("pty").openpty()
    path = tmp_path / "run.csv"
    arguments = ["run", "torque_free", *long, "-o", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "quatviz", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=follower,
        # What a shell starts in the background ignores the signal, and so would whatever the tests start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    os.close(follower)
    shown = ""
    deadline = time.monotonic() + 300
    while "%" not in shown and time.monotonic() < deadline:
        shown += os.read(leader, 1000).decode()
    process.send_signal(signal.SIGINT)
    assert process.wait(300) == 130
    assert "newton_euler" in shown
    while "cancelled" not in shown:
        shown += os.read(leader, 1000).decode()
    assert "Traceback" not in shown
    os.close(leader)
    assert list(tmp_path.iterdir()) == []


STUCK = """
import threading
import quatviz as qv
from quatviz.simulation.simulation import Simulation
from quatviz.files.preset import Lane
lane = Lane("newton_euler", dt=1e-12)
simulation = Simulation(qv.load_preset("torque_free").with_run(lanes=[lane]))
simulation.lanes[0].prepare()
threading.Timer(0.5, lambda: print("computes", flush=True)).start()
simulation.complete()
"""


def test_ctrl_c_interrupts_a_long_sample() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"computes\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(100.0) == -signal.SIGINT
        finally:
            process.kill()


def test_list_contains_every_registered_extension(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    ids = {what: [row["id"] for row in rows] for what, rows in listed.items()}
    presets = sorted(path.stem for path in (ROOT / "presets").glob("*.toml"))
    assert ids["presets"][: len(presets)] == presets
    assert ids["formulations"] == list(FORMULATIONS)
    assert ids["integrators"] == list(INTEGRATORS)
    assert ids["loads"] == list(LOADS)
    for rows in listed.values():
        assert all(row["title"] and row["summary"] for row in rows)
    hamilton = listed["formulations"][ids["formulations"].index("hamilton")]
    assert (hamilton["state_size"], hamilton["multiplier"], hamilton["variants"]) == (7, False, [])
    assert cli.main(["list"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for names in ids.values() for name in names)
    assert cli.main(["list", "loads", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == listed["loads"]


@pytest.mark.parametrize("group", [group for group in FAMILIES if group != "commands"])
def test_every_extension_family_can_be_listed(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list", group, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert all(row["id"] and row["title"] for row in rows)


def test_closed_output_pipe_ends_the_command_quietly() -> None:
    process = quatviz("list", stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, error_output = process.communicate(timeout=300)
    assert process.returncode == 141
    assert error_output == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
@pytest.mark.parametrize("arguments", [("list",), ("run", *SHORT)])
def test_full_disk_at_the_output_is_reported(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        _, error_output = (process := quatviz(*arguments, stdout=full)).communicate(timeout=300)
    assert process.returncode == 2
    assert [line.split()[0] for line in error_output.splitlines()] == [
        "quatviz:",
        "expected",
        "found",
        "try",
        "help",
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
def test_refusal_without_stderr_sets_the_exit_status() -> None:
    with open("/dev/full", "w") as full:
        (process := quatviz("run", "no_such_preset", stderr=full)).communicate(timeout=300)
    assert process.returncode == 2


def listed_without(package: str) -> subprocess.CompletedProcess[str]:
    code = (
        f"import sys; sys.modules['{package}'] = None; from quatviz import cli; sys.exit(cli.main(['list']))"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_missing_library_is_reported_by_name() -> None:
    done = listed_without("numpy")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[:2] == [
        f"quatviz: {sys.executable}",
        "  expected  the package numpy, which quatviz needs",
    ]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("this NumPy is too new", "the package numba, which quatviz needs"),
        (
            "libGL.so.1: cannot open shared object file: No such file or directory",
            "the library libGL.so.1, which quatviz needs",
        ),
    ],
)
def test_incompatible_and_missing_libraries_are_named(fault: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text(f"raise ImportError({fault!r})")
    done = subprocess.run(
        [sys.executable, "-m", "quatviz", "compile", "torque_free"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert ("pip" in done.stderr) is ("package" in message)
    assert "Traceback" not in done.stderr


def test_list_does_not_import_the_compiler() -> None:
    """Importing the compiler takes longer than everything that the list needs."""
    assert listed_without("numba").returncode == 0


def test_too_little_memory_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hungry(arguments: list[str]) -> int:
        return len(np.empty((1 << 45, 1 << 10)))

    monkeypatch.setattr("quatviz.commands.list.main", hungry)
    assert cli.main(["list"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "quatviz: memory"
    assert "Unable to allocate" in lines[2]


def test_report_does_not_depend_on_block_size(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Except for the cost of a step."""
    reports = []
    for rows in (100_000, 2):
        monkeypatch.setattr("quatviz.commands.run.CHUNK_ROWS", rows)
        assert cli.main(["run", *SHORT]) == 0
        reports.append([line.split()[:-1] for line in capsys.readouterr().out.splitlines()])
    assert reports[0] == reports[1]


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes the output")
def test_closed_stdout_is_accepted() -> None:
    command = f'"{sys.executable}" -m quatviz list presets >&-'
    done = subprocess.run(
        command,
        shell=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes the output")
def test_closed_stderr_is_accepted() -> None:
    """No written file gets the file descriptor of stderr, into which a library might write."""
    look = "import os; print(os.readlink('/proc/self/fd/2') if os.path.exists('/proc/self/fd/2') else '/dev/null')"
    code = f"from quatviz import cli; assert cli.main(['run', 'none']) == 2; {look}"
    done = subprocess.run(
        f'"{sys.executable}" -c "{code}" 2>&-',
        shell=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "/dev/null\n")


@pytest.mark.parametrize(
    "arguments", [("list", "formulations"), ("list", "formulations", "--json"), ("help", "time")]
)
def test_unencodable_characters_are_escaped(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quatviz", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if "--json" in arguments:
        assert any("\u2013" in row["title"] for row in json.loads(done.stdout))


def test_output_contains_no_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "presets" / "torque_free.toml").read_text("utf-8")
    path = tmp_path / "a\x1b[31mb.toml"
    path.write_text(text.replace('title = "', 'title = "\\u001b]0;', 1), "utf-8")
    assert cli.main(["run", str(path)]) == 2
    assert cli.main(["run", *SHORT, "--lane", "hamilton,name=\x1b[31mx"]) == 2
    output = capsys.readouterr().err
    assert "\x1b" not in output
    assert "a\\x1b[31mb.toml, line 2, title" in output
    assert "control a terminal" in output


NEEDED = {
    "run": ["a"],
    "render": ["a", "-o", "a.png"],
    "study": ["a"],
    "explain": ["a", "b"],
    "new": ["lesson", "a"],
    "fit": ["a.csv"],
    "import": ["a.csv"],
    "sweep": ["a"],
    "figures": ["-o", "a"],
}
"""Words without which a command says first that they are missing."""


@pytest.mark.parametrize("command", commands.COMMANDS)
def test_unknown_option_output_contains_no_control_characters(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command, *NEEDED.get(command, []), "--\x1b[31mx\x9b"])
    assert end.value.code == cli.BAD_INPUT
    output = capsys.readouterr().err
    assert "--\\x1b[31mx\\x9b" in output
    assert not {"\x1b", "\x9b"} & set(output)


def test_search_output_contains_no_control_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "a\x1b[31mb.toml").touch()
    assert cli.main(["help", "--search", "\x1b[31mnowhere"]) == 1
    assert cli.main(["list", "presets"]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "\\x1b[31mnowhere" in captured.err
    assert "a\\x1b[31mb.toml" in captured.err


@pytest.mark.parametrize("arguments", [["Ctrl", "L"], ["ctrl+l"], ["--search", "Ctrl", "L"]])
def test_unknown_help_page_is_searched(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", *arguments]) == 0
    first, about, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("window#keyboard-shortcuts")
    assert "Ctrl L – Repeat the run" in about


def test_unmatched_help_search_lists_the_pages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["help", "xyzzy"]) == 2
    assert "first_steps" in capsys.readouterr().err
    assert cli.main(["help", "xyzzy", "too"]) == 1
    assert "no section of the help" in capsys.readouterr().err


def test_table_contains_no_spreadsheet_formula(tmp_path: Path) -> None:
    text = (ROOT / "presets" / "torque_free.toml").read_text("utf-8")
    path, table = tmp_path / "a.toml", tmp_path / "a.csv"
    path.write_text(text.replace('title = "', 'title = "x,=1+1,@a,-1,', 1), "utf-8")
    arguments = [str(path), *SHORT[1:], "--lane", "hamilton,name==1+1", "--lane", "exact"]
    assert cli.main(["run", *arguments, "--quiet", "-o", str(table)]) == 0
    cells = [cell for line in table.read_text("utf-8").splitlines() for cell in line.split(",")]
    assert "'=1+1:p_0" in cells
    assert not [cell for cell in cells if cell[:1] in ("=", "@", "+")]
    assert qv.load_preset(table).title == qv.load_preset(path).title
    assert list(qv.load_run(table)) == ["=1+1", "exact"]


def test_run_reports_settings_without_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "presets" / "torque_free.toml").read_text(encoding="utf-8")
    event = '[[events]]\nkind = "perturb"\nat = 0.1\nlength = 1.001\n\n[run]'
    path = tmp_path / "pushed.toml"
    path.write_text(text.replace("[run]", event, 1), encoding="utf-8")
    assert cli.main(["run", str(path), *SHORT[1:], "--lane", "hamilton", "--lane", "euler_angles/321"]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("euler_angles/321: Perturbation at t = 0.1 s: no effect")


def test_wrong_step_count_names_its_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["study", "torque_free", "--steps", "0"]) == 2
    assert capsys.readouterr().err.startswith("quatviz: --steps\n")

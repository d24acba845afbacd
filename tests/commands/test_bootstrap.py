"""The decisions of the set-up script, without changing the machine."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quatviz import bootstrap
from quatviz.bootstrap import SetupError, Stamp, SystemRequirement

SOURCE = Path(bootstrap.__file__)
HEADLESS: dict[str, str] = {}
DESKTOP = {"DISPLAY": ":0"}


def packages(task: str, platform: str, environ: dict[str, str]) -> list[str]:
    return [need.package for need in bootstrap.system_requirements(task, platform, environ)]


def refusal(function, *arguments) -> str:
    with pytest.raises(SetupError) as caught:
        function(*arguments)
    return str(caught.value)


class TestSource:
    def test_imports_only_the_standard_library(self):
        tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
        plain = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
        froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert all(node.level == 0 for node in froms)
        names = {name.split(".")[0] for name in [*plain, *(str(node.module) for node in froms)]}
        assert names <= sys.stdlib_module_names

    def test_old_pythons_can_parse_it(self):
        ast.parse(SOURCE.read_text(encoding="utf-8"), feature_version=(3, 8))

    def test_bootstrap_folder_does_not_shadow_the_standard_library(self):
        # Python puts the folder of a script first on its path.
        assert not {path.stem for path in SOURCE.parent.iterdir()} & (sys.stdlib_module_names - {"__main__"})


class TestNeeds:
    def test_desktop_needs_no_virtual_display(self):
        assert "xvfb" not in packages("run", "linux", DESKTOP)

    @pytest.mark.parametrize("task", ["run", "test"])
    def test_headless_machine_needs_a_virtual_display(self, task):
        assert {"xvfb", "libxcb-cursor0", "libgl1-mesa-dri", "fonts-dejavu-core"} <= set(
            packages(task, "linux", HEADLESS)
        )

    def test_tests_need_a_compiler_a_browser_and_a_display_of_their_own(self):
        extra = set(packages("test", "linux", DESKTOP)) - set(packages("run", "linux", DESKTOP))
        assert extra == {"xvfb", "gcc", "libc6-dev", "chromium"}

    def test_bundle_needs_library_readers(self):
        assert {"xvfb", "binutils"} <= set(packages("bundle", "linux", DESKTOP))

    @pytest.mark.parametrize("platform", ["darwin", "win32"])
    def test_other_systems_can_lack_only_python_parts(self, platform):
        assert [need.category for need in bootstrap.system_requirements("test", platform, HEADLESS)] == [
            "module"
        ]

    def test_missing_requirements_are_detected_by_kind(self, tmp_path):
        (tmp_path / "deep" / "er").mkdir(parents=True)
        (tmp_path / "deep" / "er" / "some.ttf").touch()
        assert bootstrap.is_installed(
            SystemRequirement("-", "file", ("/nowhere/*", f"{tmp_path}/**/*.[ot]t[fc]"))
        )
        assert bootstrap.is_installed(SystemRequirement("-", "module", ("json",)))
        for detector in bootstrap.DETECTORS:
            assert not bootstrap.is_installed(SystemRequirement("-", detector, ("no_such_thing_at_all",)))


class TestSystemPackages:
    @pytest.fixture
    def machine(self, monkeypatch):
        """A Debian machine without display and root rights; return the commands that were run."""
        ran: list[list[str]] = []
        installed: set[str] = set()

        def follow(command, show=None):
            ran.append(command)
            installed.update(command if "install" in command else ())
            return True

        monkeypatch.setattr(bootstrap.sys, "platform", "linux")
        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000, raising=False)
        monkeypatch.setattr(bootstrap.shutil, "which", {"apt-get": "/usr/bin/apt-get"}.get)
        monkeypatch.setattr(bootstrap, "is_installed", lambda need: need.package in installed)
        monkeypatch.setattr(bootstrap, "run_and_report", follow)
        return ran

    def test_without_root_or_sudo_it_prints_the_line_and_exits_3(self, machine, capsys):
        assert bootstrap.main(["run"]) == 3
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.startswith("apt-get update && apt-get install -y --no-install-recommends python3.")
        assert "libxcb-cursor0" in last
        assert machine == []

    def test_sudo_with_password_is_not_used(self, machine, monkeypatch):
        monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
        monkeypatch.setattr(bootstrap, "succeeds", lambda command: False)
        line = refusal(bootstrap.prepare_system, "test").splitlines()[-1]
        assert line.startswith("sudo apt-get update && sudo apt-get install -y")
        assert machine == []

    def test_sudo_without_password_is_used(self, machine, monkeypatch):
        monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
        monkeypatch.setattr(bootstrap, "succeeds", lambda command: command == ["sudo", "-n", "true"])
        bootstrap.prepare_system("test")
        assert [command[:4] for command in machine] == [
            ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive"]
        ] * 2

    def test_root_installs_only_what_is_missing(self, machine, monkeypatch):
        monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0, raising=False)
        is_installed = bootstrap.is_installed
        monkeypatch.setattr(
            bootstrap, "is_installed", lambda need: need.package != "libegl1" or is_installed(need)
        )
        bootstrap.prepare_system("test")
        update, install = machine
        assert update[-1] == "update"
        assert install[install.index("install") :] == ["install", "-y", "--no-install-recommends", "libegl1"]

    def test_ineffective_package_is_reported(self, machine, monkeypatch):
        monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0, raising=False)
        monkeypatch.setattr(bootstrap, "is_installed", lambda need: need.package != "libgl1")
        assert "libGL.so.1" in refusal(bootstrap.prepare_system, "run")

    def test_missing_requirements_are_described_without_apt(self, machine, monkeypatch):
        monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
        text = refusal(bootstrap.prepare_system, "run")
        assert "libxcb-cursor.so.0" in text
        assert "Xvfb" in text
        assert "swrast" not in text  # a path that only Debian has


class TestEnvironment:
    WANTED = Stamp("cpython-311 of /usr for /quatviz", "abc", "test")

    @pytest.mark.parametrize(
        ("found", "step"),
        [
            (WANTED, "nothing"),
            (None, "make"),
            (Stamp("cpython-312 of /usr for /quatviz", "abc", "test"), "make"),
            (Stamp(WANTED.python, "another", "test"), "install"),
            (Stamp(WANTED.python, "abc", "run"), "install"),
        ],
    )
    def test_next_step(self, found, step):
        assert bootstrap.next_step(found, self.WANTED) == step

    def test_requirements_of_the_tests_include_those_of_run(self):
        assert bootstrap.next_step(self.WANTED, Stamp(self.WANTED.python, "abc", "run")) == "nothing"

    def test_bundle_needs_more_than_the_tests(self):
        assert bootstrap.next_step(self.WANTED, Stamp(self.WANTED.python, "abc", "bundle")) == "install"

    def test_stamp_follows_the_project_file(self, tmp_path):
        (tmp_path / "pyproject.toml").write_text("one")
        first = bootstrap.stamp_of(tmp_path, "run")
        assert bootstrap.stamp_of(tmp_path, "run") == first
        (tmp_path / "pyproject.toml").write_text("two")
        assert bootstrap.stamp_of(tmp_path, "run").project != first.project

    def test_unfinished_and_orphaned_environments_have_no_stamp(self, tmp_path):
        stamp, python = tmp_path / bootstrap.STAMP, tmp_path / "python"
        assert bootstrap.read_stamp(tmp_path, python) is None
        stamp.write_text("unfinished")
        python.touch()
        assert bootstrap.read_stamp(tmp_path, python) is None
        stamp.write_text("\n".join(self.WANTED))
        assert bootstrap.read_stamp(tmp_path, python) == self.WANTED
        python.unlink()
        assert bootstrap.read_stamp(tmp_path, python) is None

    def test_incomplete_environment_is_replaced(self, tmp_path, monkeypatch):
        monkeypatch.setattr(bootstrap, "run_and_report", lambda command: True)
        (tmp_path / "pyvenv.cfg").touch()
        (tmp_path / "lib" / "python3.11").mkdir(parents=True)
        bootstrap.make_environment(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == [bootstrap.STAMP]

    def test_unrelated_folder_is_not_changed(self, tmp_path):
        (tmp_path / "thesis.tex").touch()
        assert str(tmp_path) in refusal(bootstrap.make_environment, tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]

    def test_interrupted_install_leaves_no_stamp(self, tmp_path, monkeypatch):
        def interrupted(python, task):
            raise KeyboardInterrupt

        monkeypatch.setenv("QUATVIZ_VENV", str(tmp_path / "venv"))
        monkeypatch.setattr(bootstrap, "run_and_report", lambda command: True)
        monkeypatch.setattr(bootstrap, "install_quatviz", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.prepare_environment("run")
        assert (tmp_path / "venv" / bootstrap.STAMP).read_text() == "unfinished"

    @pytest.mark.parametrize(
        ("task", "what"), [("run", ".[film]"), ("test", ".[test]"), ("bundle", ".[bundle]")]
    )
    def test_pip_installs_the_checkout_editable(self, task, what, monkeypatch):
        ran: list[list[str]] = []

        def follow(command, show):
            ran.append(command)
            return True

        monkeypatch.setattr(bootstrap, "run_and_report", follow)
        bootstrap.install_quatviz(Path("/venv/bin/python"), task)
        assert ran[0][:4] == [str(Path("/venv/bin/python")), "-m", "pip", "install"]
        assert ran[0][-2:] == ["--editable", what]
        assert ("--no-compile" in ran[0]) == (task == "test"), "of most of it the tests import nothing"

    @pytest.mark.parametrize(("task", "compiled"), [("run", 1), ("test", 0)])
    def test_kernels_of_presets_are_compiled_only_after_an_install(
        self, task, compiled, tmp_path, monkeypatch
    ):
        called: list[list[str]] = []

        def call(command, **more):
            called.append(command)
            return 1

        def make(folder):
            (folder / "bin").mkdir(parents=True)
            (folder / "bin" / "python").touch()

        monkeypatch.setenv("QUATVIZ_VENV", str(tmp_path / "venv"))
        monkeypatch.setattr(bootstrap.os, "name", "posix")
        monkeypatch.setattr(bootstrap, "make_environment", make)
        monkeypatch.setattr(bootstrap, "install_quatviz", lambda python, task: None)
        monkeypatch.setattr(bootstrap.subprocess, "call", call)
        for _ in range(2):
            python = bootstrap.prepare_environment(task)
        assert called == compiled * [[python, "-m", "quatviz", "compile"]]

    def test_failed_install_exits_with_3_and_a_message(self, tmp_path, monkeypatch, capsys):
        monkeypatch.setenv("QUATVIZ_VENV", str(tmp_path / "venv"))
        monkeypatch.setattr(bootstrap, "prepare_system", lambda task: None)
        monkeypatch.setattr(bootstrap, "run_and_report", lambda command, *show: "pip" not in command)
        assert bootstrap.main(["test"]) == 3
        assert "network" in capsys.readouterr().out.splitlines()[-1]

    def test_progress_shows_the_large_downloads_only(self):
        large = "  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.8 MB)\n"
        assert bootstrap.pip_progress(large) == "numpy 2.4.6 (16.8 MB)"
        assert bootstrap.pip_progress("  Downloading iniconfig-2.3.1-py3-none-any.whl (6.0 kB)\n") == ""


class TestCommands:
    @pytest.fixture
    def ready(self, monkeypatch):
        """A machine with complete set-up; return the command to which control is passed."""
        handed: list[tuple[list[str], dict[str, str]]] = []

        def hand_over(command, environ):
            handed.append((command, environ))
            return 7

        monkeypatch.setattr(bootstrap.sys, "platform", "linux")
        monkeypatch.setattr(bootstrap, "prepare_system", lambda task: None)
        monkeypatch.setattr(bootstrap, "prepare_environment", lambda task: "/venv/bin/python")
        monkeypatch.setattr(bootstrap, "replace_process", hand_over)
        monkeypatch.setattr(bootstrap, "present_window", lambda command, arguments: 8)
        monkeypatch.setattr(bootstrap.os, "chdir", lambda folder: None)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        return handed

    def test_run_opens_the_window_with_a_display(self, ready, monkeypatch):
        monkeypatch.setenv("DISPLAY", ":0")
        assert bootstrap.run(["--theme", "light"]) == 7
        assert ready[0][0] == ["/venv/bin/python", "-P", "-m", "quatviz", "--theme", "light"]

    def test_run_uses_a_virtual_display_without_one(self, ready, monkeypatch):
        monkeypatch.delenv("DISPLAY", raising=False)
        assert bootstrap.run([]) == 8
        assert ready == []

    @pytest.mark.parametrize("words", [["verify"], ["run", "torque_free", "-o", "run.csv"], ["doctor"]])
    def test_commands_without_a_window_need_no_display(self, words, ready, monkeypatch):
        monkeypatch.delenv("DISPLAY", raising=False)
        assert bootstrap.run(words) == 7
        assert ready[0][0] == ["/venv/bin/python", "-P", "-m", "quatviz", *words]

    def test_test_hands_over_to_pytest_on_x11(self, ready, monkeypatch):
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        assert bootstrap.test(["-k", "rk4"]) == 7
        command, environ = ready[0]
        assert command == ["/venv/bin/python", "-m", "pytest", "-n3", "--dist=worksteal", "-k", "rk4"]
        assert environ["QT_QPA_PLATFORM"] == "xcb"
        assert "WAYLAND_DISPLAY" not in environ

    def test_results_get_a_new_folder_each_time(self, tmp_path):
        names = [bootstrap.new_output_folder(tmp_path).name for _ in range(3)]
        assert names == ["quatviz-output", "quatviz-output-2", "quatviz-output-3"]

    @pytest.mark.parametrize(("arguments", "status"), [([], 0), (["--help"], 0), (["fly"], 2)])
    def test_usage(self, arguments, status, capsys):
        assert bootstrap.main(arguments) == status
        assert "bootstrap.py run" in capsys.readouterr().out

    def test_old_python_is_reported(self, monkeypatch, capsys):
        monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
        assert bootstrap.main(["run"]) == 3
        assert "3.11 or newer" in capsys.readouterr().out


class TestVirtualDisplay:
    WINDOW = """
import os, pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--present") + 1])
(folder / "display.txt").write_text(os.environ["DISPLAY"])
sys.exit(5)
"""

    def present(self, tmp_path, monkeypatch, program: str) -> int:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(bootstrap.signal, "signal", lambda number, handler: None)
        return bootstrap.present_window([sys.executable, "-c", program], [])

    def test_virtual_display_ends_with_the_window(self, tmp_path, monkeypatch, capsys):
        assert self.present(tmp_path, monkeypatch, self.WINDOW) == 5
        display = (tmp_path / "quatviz-output" / "display.txt").read_text()
        assert display != os.environ.get("DISPLAY")
        assert not Path(f"/tmp/.X11-unix/X{display[1:]}").exists()
        assert str(tmp_path / "quatviz-output") in capsys.readouterr().out

    def test_window_without_output_leaves_no_folder(self, tmp_path, monkeypatch):
        assert self.present(tmp_path, monkeypatch, "raise SystemExit(2)") == 2
        assert list(tmp_path.iterdir()) == []

    def test_virtual_display_ends_with_an_interrupted_script(self, tmp_path):
        program = (
            "import sys; from quatviz import bootstrap;"
            "sys.exit(bootstrap.present_window([sys.executable, '-c',"
            " 'import os; print(os.environ[\"DISPLAY\"], flush=True); import time; time.sleep(600)'], []))"
        )
        environ = {**os.environ, "PYTHONPATH": str(SOURCE.parent.parent)}
        with subprocess.Popen(
            [sys.executable, "-c", program], cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True
        ) as script:
            assert script.stdout is not None
            display = next(line for line in script.stdout if line.startswith(":")).strip()
            assert Path(f"/tmp/.X11-unix/X{display[1:]}").exists()
            script.terminate()
            assert script.wait(timeout=300) == 128 + 15
        assert not Path(f"/tmp/.X11-unix/X{display[1:]}").exists()

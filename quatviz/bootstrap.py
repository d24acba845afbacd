"""Set up quatviz on a new machine and run its window, its tests or the bundler with one command:

    python3 quatviz/bootstrap.py run [arguments of quatviz]
    python3 quatviz/bootstrap.py test [arguments of pytest]
    python3 quatviz/bootstrap.py bundle [FOLDER]

`bundle` makes a folder that runs on machines without Python, an archive of it and, on Debian, a package.

Setup takes a few minutes once; later starts skip it. It installs missing system packages (Debian and
Ubuntu, as root or with sudo) and installs quatviz into a virtual environment: the folder .venv of the
checkout, or the folder named by the environment variable QUATVIZ_VENV. Without a display, `run` plays the
window on a virtual one and leaves a picture and a table in the folder quatviz-output.

Exit status 3: the machine lacks something that cannot be installed from here; the last line says what to do.
Any other status is that of quatviz or pytest.
"""

# Only the standard library is available here. Older Pythons must be able to parse this file to report that they are too old.

import contextlib
import ctypes
import glob
import hashlib
import importlib.util
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
STAMP = "quatviz-setup.txt"  # file in the virtual environment that names its origin
EXTRAS = {"run": ".[film]", "test": ".[test]", "bundle": ".[bundle]"}  # what pip installs for each task


class SetupError(Exception):
    """Error that prevents the setup from continuing. Its text states the reason and the remedy."""


def print_line(text: str) -> None:
    print(text, flush=True)  # flushed, to stay in order with what child processes print


class SystemRequirement(NamedTuple):
    """A system requirement: its Debian package, and the libraries or files (`markers`) that show that it is installed.
    One of them suffices."""

    package: str
    category: str  # a key of DETECTORS
    markers: tuple[str, ...]  # one of them suffices


# Libraries loaded by Qt's xcb platform plugin that are not installed as dependencies of one another.
LIBRARIES = {
    "libgl1": "libGL.so.1",
    "libegl1": "libEGL.so.1",
    "libglib2.0-0": "libgthread-2.0.so.0",
    "libfontconfig1": "libfontconfig.so.1",
    "libdbus-1-3": "libdbus-1.so.3",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxcb-shape0": "libxcb-shape.so.0",
}
DRIVERS = ("/usr/lib/*/dri/swrast_dri.so", "/usr/lib/*/libGLX_nvidia.so.0")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONTS = tuple(folder + "/**/*.[ot]t[fc]" for folder in FONT_FOLDERS)


def system_requirements(task: str, platform: str, environ: Mapping[str, str]) -> list[SystemRequirement]:
    """Return the system requirements of `task` (a key of `EXTRAS`) in display order."""
    # Debian splits ensurepip from the standard library; without it a virtual environment has no pip.
    requirements = [SystemRequirement(f"python3.{sys.version_info[1]}-venv", "module", ("ensurepip",))]
    if not platform.startswith("linux"):
        return requirements
    requirements += [
        SystemRequirement(package, "library", (soname,)) for package, soname in LIBRARIES.items()
    ]
    requirements += [
        SystemRequirement("libgl1-mesa-dri", "file", DRIVERS),
        SystemRequirement("fonts-dejavu-core", "file", FONTS),
    ]
    if task != "run" or not has_display(platform, environ):
        requirements.append(SystemRequirement("xvfb", "program", ("Xvfb",)))
    if task == "bundle":  # PyInstaller reads and strips libraries with it
        requirements.append(SystemRequirement("binutils", "program", ("objdump",)))
    if task == "test":  # the speed tests compare with the same formulas in C; the page is tried in a browser
        requirements += [
            SystemRequirement("gcc", "program", ("gcc",)),
            SystemRequirement("libc6-dev", "file", ("/usr/include/stdio.h",)),
        ]
        requirements.append(SystemRequirement("chromium", "program", ("chromium", "google-chrome")))
    return requirements


def has_display(platform: str, environ: Mapping[str, str]) -> bool:
    """Return True if a window can open here; macOS and Windows always have a display."""
    return not platform.startswith("linux") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def is_installed(requirement: SystemRequirement) -> bool:
    """Return True if a requirement is met."""
    return any(DETECTORS[requirement.category](marker) for marker in requirement.markers)


def _is_loadable(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


DETECTORS: dict[str, Callable[[str], bool]] = {
    "module": lambda name: importlib.util.find_spec(name) is not None,
    "library": _is_loadable,
    "program": lambda name: shutil.which(name) is not None,
    "file": lambda pattern: any(glob.iglob(os.path.expanduser(pattern), recursive=True)),
}


def prepare_system(task: str) -> None:
    """Install the missing system packages of `task`, or raise `SetupError` with the command to type."""
    apt = shutil.which("apt-get") is not None
    requirements = system_requirements(task, sys.platform, os.environ)
    # File markers are Debian paths and mean nothing on other systems.
    missing = [
        requirement
        for requirement in requirements
        if not is_installed(requirement) and (apt or requirement.category != "file")
    ]
    if missing and not apt:
        names = ", ".join(requirement.markers[0] for requirement in missing)
        raise SetupError(f"This system lacks {names}: install these with its package manager.")
    if missing:
        install_packages([requirement.package for requirement in missing])
        importlib.invalidate_caches()
    for requirement in missing:
        if not is_installed(requirement):
            raise SetupError(
                f"{requirement.package} is installed, but {sys.executable} lacks {requirement.markers[0]}."
            )


def install_packages(packages: Sequence[str]) -> None:
    """Install packages with apt-get if the user is root or has sudo without a password."""
    count = f"{len(packages)} system package{'s' * (len(packages) > 1)}"
    root_prefix = root_command()
    if root_prefix is None:
        line = apt_command(packages, sudo=shutil.which("sudo") is not None)
        raise SetupError(f"Only root may install {count}. Type this line, then start again:\n{line}")
    print_line(f"Installing {count} with apt-get (a minute or two): {' '.join(packages)}")
    # `env` passes the variable through sudo. A new machine may be updating itself, so apt waits for the lock.
    apt = [*root_prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]
    # A failed update is ignored: existing package lists may suffice, and otherwise the next command fails.
    run_and_report([*apt, "update"])
    if not run_and_report([*apt, "install", "-y", "--no-install-recommends", *packages]):
        raise SetupError(
            f"apt-get failed (see above). As root, by hand:\n{apt_command(packages, sudo=False)}"
        )


def root_command() -> list[str] | None:
    """Return the prefix that runs a command as root: empty for root, sudo if it needs no password, otherwise
    None.
    """
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]  # -n: fail rather than ask for a password
    return sudo if shutil.which("sudo") and succeeds([*sudo, "true"]) else None


def apt_command(packages: Sequence[str], sudo: bool) -> str:
    """Return the command that a user types to install packages."""
    prefix = "sudo " * sudo
    install = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    return f"{prefix}apt-get update && {prefix}{install}"


def succeeds(command: Sequence[str]) -> bool:
    """Run a command without showing its output and return True if its exit status is 0."""
    return subprocess.run(command, stdin=DEVNULL, capture_output=True, check=False).returncode == 0


def run_and_report(command: Sequence[str], show: Callable[[str], str] = lambda line: "") -> bool:
    """Run a command in the checkout and return True for success.

    Lines are printed as converted by `show`; after a failure the last lines are printed in full.
    """
    last_lines: list[str] = []
    with subprocess.Popen(
        command, cwd=CHECKOUT, text=True, errors="replace", stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    ) as process:
        for line in process.stdout or ():
            last_lines = [*last_lines[-19:], "  | " + line.rstrip()]
            if show(line):
                print_line("    " + show(line))
    if process.returncode != 0:
        print_line("\n".join(last_lines))
    return process.returncode == 0


class Stamp(NamedTuple):
    """Origin of a virtual environment.

    The stamp is written into the environment as the last step of its installation, so that an environment
    with a stamp is complete.
    """

    python: str  # which interpreter, for which checkout
    project: str  # the hash of pyproject.toml
    task: str  # a key of EXTRAS; all have what "run" needs


def prepare_environment(task: str) -> str:
    """Create or update the virtual environment with quatviz and return the path of its Python."""
    folder = Path(os.environ.get("QUATVIZ_VENV") or CHECKOUT / ".venv").absolute()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (CHECKOUT / "pyproject.toml").is_file():
        raise SetupError(f"{CHECKOUT} is no checkout of quatviz: an installed quatviz starts with `quatviz`.")
    expected_stamp = stamp_of(CHECKOUT, task)
    step = next_step(read_stamp(folder, python), expected_stamp)
    try:
        if step == "make" and not is_user_environment(folder, python):
            make_environment(folder)
        if step != "nothing":
            (folder / STAMP).write_text("unfinished", encoding="utf-8")
            install_quatviz(python, task)
            (folder / STAMP).write_text("\n".join(expected_stamp), encoding="utf-8")
            if task == "run":
                compile_presets(python)
    except OSError as error:
        raise SetupError(f"Setup stopped: {error}. QUATVIZ_VENV may name another folder.") from error
    return str(python)


def stamp_of(checkout: Path, task: str) -> Stamp:
    """Return the stamp of an environment created now by this interpreter."""
    python = f"{sys.implementation.cache_tag} of {sys.base_prefix} for {checkout}"
    return Stamp(python, hashlib.sha256((checkout / "pyproject.toml").read_bytes()).hexdigest(), task)


def read_stamp(folder: Path, python: Path) -> Stamp | None:
    """Return the stamp of the environment in a folder, or None if it is missing, unfinished or without its Python."""
    try:
        lines = (folder / STAMP).read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError):
        return None
    return Stamp(*lines) if len(lines) == len(Stamp._fields) and python.exists() else None


def next_step(stamp: Stamp | None, expected_stamp: Stamp) -> str:
    """Return what an environment with `stamp` needs to match `expected_stamp`: "make", "install" or "nothing"."""
    if stamp is None or stamp.python != expected_stamp.python:
        return "make"
    if stamp.project != expected_stamp.project or expected_stamp.task not in ("run", stamp.task):
        return "install"
    return "nothing"


def is_user_environment(folder: Path, python: Path) -> bool:
    """Return True for a working environment created by the user, which is extended but never cleared."""
    try_pip = [str(python), "-I", "-m", "pip", "--version"]
    return python.exists() and not (folder / STAMP).exists() and succeeds(try_pip)


def make_environment(folder: Path) -> None:
    """Create a virtual environment in `folder`, replacing an unfinished or outdated one."""
    print_line(f"Creating a virtual environment in {folder}")
    if folder.is_dir() and any(folder.iterdir()):
        if not any((folder / marker).exists() for marker in (STAMP, "pyvenv.cfg")):
            raise SetupError(f"{folder} contains other files. QUATVIZ_VENV may name another folder.")
        print_line("    (replacing one that was unfinished or belonged to another Python)")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STAMP).write_text(
        "unfinished", encoding="utf-8"
    )  # first, so that an interrupted setup is recognized
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name != STAMP:
            entry.unlink()
    # sys.executable may be the Python of the environment that was just cleared.
    if not run_and_report([getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(folder)]):
        raise SetupError("The virtual environment could not be created (see above).")


def install_quatviz(python: Path, task: str) -> None:
    """Install the checkout in editable mode with the extras of `task`."""
    print_line("Installing quatviz and the Python packages it uses (200 MB to download, a few minutes):")
    # --no-user is needed because user settings may contain --user, which virtual environments reject.
    options = ["--disable-pip-version-check", "--no-input", "--no-user", "--prefer-binary"]
    if task == "test":
        # The tests import a tenth of the modules in three processes; pip would compile all modules one by one.
        options.append("--no-compile")
    if not run_and_report(
        [str(python), "-m", "pip", "install", *options, "--editable", EXTRAS[task]], pip_progress
    ):
        raise SetupError("pip could not install quatviz (see above). Is there a network? Then start again.")


def compile_presets(python: Path) -> None:
    """Compile the kernels of the presets. If this fails, each preset compiles its own at its start."""
    print_line("Compiling the equations of motion that the presets run (a minute or two):")
    if subprocess.call([str(python), "-m", "quatviz", "compile"], cwd=CHECKOUT, stdin=DEVNULL) != 0:
        print_line("    (that did not work; each preset compiles its own when it starts)")


def pip_progress(line: str) -> str:
    """Return what to show of a line of pip's output: a large download or the start of unpacking, otherwise ""."""
    if line.startswith("Installing collected packages"):
        return "unpacking"
    match = re.match(r" *(?:Downloading|Using cached) (?:\S*/)?(\w+)-([\d.]+)\S* (\([\d.]+ MB\))", line)
    return " ".join(match.groups()) if match else ""


def new_output_folder(parent: Path) -> Path:
    """Create and return a new folder: quatviz-output, or quatviz-output-2, -3 and so on."""
    folder, number = parent / "quatviz-output", 1
    while folder.exists():
        number += 1
        folder = parent / f"quatviz-output-{number}"
    try:
        folder.mkdir()
    except OSError as error:
        raise SetupError(f"The results cannot be written here ({error}): start in another folder.") from error
    return folder


def x11_environment(environ: Mapping[str, str], **variables: str) -> dict[str, str]:
    """Return a copy of the environment in which Qt and PyOpenGL use X11, whatever the session is."""
    inherited = {name: value for name, value in environ.items() if name != "WAYLAND_DISPLAY"}
    return {**inherited, "QT_QPA_PLATFORM": "xcb", "PYOPENGL_PLATFORM": "glx", **variables}


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """Run Xvfb on a free display number and yield the name of the display."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1920x1080x24", "+extension", "GLX"]
    with tempfile.TemporaryFile() as log:
        # A session of its own, so that Ctrl-C ends the window first and the display after it.
        server = subprocess.Popen(command, pass_fds=[writer], stdout=log, stderr=log, start_new_session=True)
        try:
            os.close(writer)
            number = os.read(reader, 16).decode().strip() if select.select([reader], [], [], 60)[0] else ""
            if not number:
                log.seek(0)
                raise SetupError(f"Xvfb did not start:\n{log.read().decode(errors='replace').strip()}")
            yield ":" + number
        finally:
            os.close(reader)
            stop_process(server)


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Terminate a process, and kill it if it does not end."""
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def virtual_display_command() -> str:
    """Return the command that runs the window on a virtual display: the script of the checkout, or xvfb-run outside a
    checkout.
    """
    if (CHECKOUT / "pyproject.toml").is_file():
        return "python3 quatviz/bootstrap.py run"
    return 'xvfb-run -a -s "-screen 0 1920x1080x24 +extension GLX" quatviz --present FOLDER'


def run_on_virtual_display(command: Sequence[str]) -> int:
    """Run a command on a virtual display and return its exit status. The display ends with the command."""
    # By default these signals would leave the virtual display running.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda number, frame: sys.exit(128 + number))
    with virtual_display() as display:
        child = subprocess.Popen(command, env=x11_environment(os.environ, DISPLAY=display))
        try:
            status = child.wait()
        except KeyboardInterrupt:
            child.wait()  # it received the interrupt too and cleans up
            raise
        finally:
            stop_process(child)
    return status if status >= 0 else 128 - status  # shell convention for signals


def present_window(command: Sequence[str], arguments: Sequence[str]) -> int:
    """Run the window on a virtual display, save a picture and a table in a new folder, and return the exit status."""
    folder = new_output_folder(Path.cwd())
    print_line("There is no display here, so the window plays on a virtual one (about half a minute).")
    try:
        status = run_on_virtual_display([*command, "--present", str(folder), *arguments])
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()  # remove the folder if it is empty
    if folder.exists():
        print_line(f"The results are in {folder}")
        for file in sorted(folder.iterdir()):
            print_line(f"    {file.name} ({file.stat().st_size / 1000:.0f} kB)")
    return status


def replace_process(command: list[str], environ: Mapping[str, str]) -> int:
    """Replace this process by a command; on Windows run it as a child."""
    if os.name == "posix":
        os.execve(command[0], command, environ)
    return subprocess.call(command, env=environ)


def run(arguments: Sequence[str]) -> int:
    """Run quatviz with these arguments, which name a command or open the window."""
    prepare_system("run")
    command = [prepare_environment("run"), "-P", "-m", "quatviz"]
    windowless = bool(arguments) and (CHECKOUT / "quatviz" / "commands" / f"{arguments[0]}.py").is_file()
    if windowless or has_display(sys.platform, os.environ):
        return replace_process([*command, *arguments], os.environ)
    return present_window(command, arguments)


def test(arguments: Sequence[str]) -> int:
    """Run the tests with pytest's arguments, in three processes because many tests wait for a window.

    An idle process takes over waiting tests of another process, because a few tests take as long as hundreds of others.
    """
    prepare_system("test")
    command = [prepare_environment("test"), "-m", "pytest", "-n3", "--dist=worksteal", *arguments]
    os.chdir(CHECKOUT)
    return replace_process(
        command, x11_environment(os.environ) if sys.platform.startswith("linux") else os.environ
    )


def bundle(arguments: Sequence[str]) -> int:
    """Create the stand-alone folder, its archive and its package. The first argument is the output folder, by default
    `quatviz-bundle`."""
    prepare_system("bundle")
    command = [prepare_environment("bundle"), "-P", "-m", "quatviz.commands.support.bundling", *arguments]
    return replace_process(
        command, x11_environment(os.environ) if sys.platform.startswith("linux") else os.environ
    )


def main(arguments: Sequence[str]) -> int:
    """Run the command given by `arguments` (run, test or bundle), and return its exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036  this file is for those, too
        print_line(f"quatviz needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        return 3
    commands = {"run": run, "test": test, "bundle": bundle}
    if not arguments or arguments[0] not in commands:
        print_line(str(__doc__).strip())
        return 0 if arguments in ([], ["-h"], ["--help"]) else 2
    try:
        return commands[arguments[0]](arguments[1:])
    except SetupError as error:
        print_line(str(error))
        return 3
    except KeyboardInterrupt:
        print_line("\nStopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

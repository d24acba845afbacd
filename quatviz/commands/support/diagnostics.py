"""Checks of `quatviz doctor`. Only the standard library is imported before other packages are known to be installed."""

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires, version

from quatviz import bootstrap
from quatviz.base import resources
from quatviz.base.child_processes import module_command
from quatviz.base.errors import InputError
from quatviz.base.registry import (
    FAMILIES,
    load_registry,
    package_of_entry_point,
    plugin_entry_points,
    skip_reason,
)
from quatviz.export.film.library import REQUIREMENT

PROBE_TIMEOUT = 60.0
"""Time within which an OpenGL driver must answer [s]. Some drivers never do."""


@dataclass(frozen=True)
class SystemCheck:
    """Result of one check of this machine."""

    name: str
    """Subject of the check."""
    value: str
    """Result."""
    ok: bool = True
    """True if the result is good."""
    needed: bool = True
    """True if the window cannot run unless this check succeeds."""
    remedy: str = ""
    """Remedy if the result is not good, otherwise ""."""


def system_checks() -> list[SystemCheck]:
    """Return the results of all checks. A check comes after the checks on which it depends."""
    return [
        SystemCheck("system", f"{platform.platform()}, {os.cpu_count()} processors"),
        _check_python(),
        *(check_library(line) for line in library_requirements()),
        replace(check_library(REQUIREMENT), name="av, for films", needed=False),  # an optional dependency
        *check_system_libraries(),
        check_display(os.environ),
        *check_opengl(),
        check_kernel_cache(),
        check_fonts(),
        check_compiler(),
        *check_plugins(),
    ]


def _check_python() -> SystemCheck:
    python_version = platform.python_version()
    ok = satisfies(python_version, ">=3.11")
    return SystemCheck(
        "Python",
        f"{python_version}, {sys.executable}",
        ok,
        remedy="" if ok else "install Python 3.11 or newer",
    )


def library_requirements() -> list[str]:
    """Return the requirements of quatviz, such as `numpy>=2.0,<2.5`, from the checkout or from the installed package."""
    project = bootstrap.CHECKOUT / "pyproject.toml"
    if project.is_file():
        dependencies: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
        return dependencies
    return [line for line in requires("quatviz") or [] if ";" not in line]


def check_library(line: str) -> SystemCheck:
    name, limits = re.fullmatch(r"([A-Za-z0-9_.-]+)\s*(.*)", line).groups()  # type: ignore[union-attr]
    install = f'{sys.executable} -m pip install "{line}"'
    try:
        installed = version(name)
    except PackageNotFoundError:
        if resources.is_standalone():
            return SystemCheck(name, "stays out of the stand-alone program", ok=False, needed=False)
        return SystemCheck(name, "not installed", ok=False, remedy=install)
    ok = satisfies(installed, limits)
    return SystemCheck(
        name, installed if ok else f"{installed}, but {limits} is needed", ok, remedy="" if ok else install
    )


def satisfies(version_text: str, limits: str) -> bool:
    """Return True if a version such as `2.4.6` satisfies limits of the form `>=2.0,<2.5`, the only form used in
    pyproject.toml."""
    numbers = _version_numbers(version_text)
    for limit in limits.replace(" ", "").split(","):
        bound = _version_numbers(limit)
        if (limit.startswith(">=") and numbers < bound) or (limit.startswith("<") and numbers >= bound):
            return False
    return True


def _version_numbers(text: str) -> tuple[int, ...]:
    release = re.search(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in release[0].split(".")) if release else ()


def check_system_libraries() -> Iterator[SystemCheck]:
    """Check the system libraries that Qt loads. Only Linux systems may lack some."""
    needed = bootstrap.system_requirements("run", sys.platform, os.environ)
    libraries = [need for need in needed if need.category == "library"]
    if not libraries:
        return
    missing = [need for need in libraries if not bootstrap.is_installed(need)]
    names = ", ".join(need.markers[0] for need in missing)
    yield SystemCheck(
        "system libraries",
        f"missing: {names}" if missing else f"all {len(libraries)} that Qt needs",
        not missing,
        remedy=_install_command([need.package for need in missing]),
    )


def _install_command(packages: list[str]) -> str:
    return bootstrap.apt_command(packages, sudo=shutil.which("sudo") is not None) if packages else ""


def check_display(environ: Mapping[str, str]) -> SystemCheck:
    if bootstrap.has_display(sys.platform, environ):
        variables = [
            f"{name}={environ[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY") if environ.get(name)
        ]
        return SystemCheck("display", ", ".join(variables) or "the desktop's own")
    remedy = (
        f"start quatviz on a desktop, or on a virtual display with: {bootstrap.virtual_display_command()}"
    )
    if shutil.which("Xvfb") is None:
        remedy += f"; that needs: {_install_command(['xvfb'])}"
    return SystemCheck("display", "none: neither DISPLAY nor WAYLAND_DISPLAY is set", ok=False, remedy=remedy)


_NO_PLATFORM = "no Qt platform plugin could be initialized"
"""Message that Qt prints before it ends a process without a display."""


def check_opengl(command: Sequence[str] | None = None) -> Iterator[SystemCheck]:
    driver_remedy = f"install a graphics driver, on Debian and Ubuntu with: {_install_command(['libgl1', 'libgl1-mesa-dri'])}"
    try:
        process = subprocess.run(
            command or module_command("quatviz.commands.support.gl_probe"),
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"the driver did not answer within {PROBE_TIMEOUT:g} s"
        yield SystemCheck("OpenGL", message, ok=False, remedy=driver_remedy)
        return
    if process.returncode != 0 and _NO_PLATFORM in process.stderr:
        yield SystemCheck("OpenGL", "not asked: Qt found no display", ok=False, remedy="see display")
        return
    if process.returncode != 0:
        yield SystemCheck("OpenGL", _exit_reason(process), ok=False, remedy=driver_remedy)
        return
    answer = json.loads(process.stdout.splitlines()[-1])
    if "refused" in answer:
        message = f"{answer['refused']}: the 3D view is drawn as lines"
        yield SystemCheck("OpenGL", message, ok=False, needed=False, remedy=answer["remedy"])
        return
    backend = (
        "software rendering on the CPU (slower)" if answer["software"] else "rendered by the graphics card"
    )
    yield SystemCheck("OpenGL", f"{answer['version']} on Qt's platform {answer['platform']}, {backend}")
    yield SystemCheck("OpenGL renderer", f"{answer['renderer']} of {answer['vendor']}")


def _exit_reason(process: subprocess.CompletedProcess[str]) -> str:
    """Describe why the OpenGL probe failed."""
    if process.returncode < 0:
        return f"the driver crashed: asking it ended with {signal.Signals(-process.returncode).name}"
    last = (process.stderr.strip().splitlines() or ["no message"])[-1]
    return f"asking it failed: {last}"


def check_kernel_cache() -> SystemCheck:
    shipped = None
    try:
        from quatviz.physics.kernels import cache as kernel_cache

        shipped = resources.shipped_kernel_folder()
        folder = kernel_cache.prepare_folder()
        count, damaged = kernel_cache.cached_kernels()
    except InputError as refusal:
        consequence = "recompiles" if shipped is None else "recompiles what was not shipped with the program"
        message = f"{refusal.place}: {refusal.found}; each start {consequence}"
        return SystemCheck("kernel cache", message, ok=False, needed=False, remedy=refusal.remedy)
    except ImportError as error:
        return SystemCheck("kernel cache", f"not checked: {error}", ok=False)
    if damaged:
        damaged_folder = damaged[0].parent
        message = f"{damaged_folder}: {len(damaged)} of {count} kernels are damaged, and will be recompiled when needed"
        remedy = "if it happens again, check the disk, or set QUATVIZ_CACHE_DIR to another folder"
        if damaged_folder == shipped:
            remedy = "unpack the program again, which includes these kernels"
        return SystemCheck("kernel cache", message, ok=False, needed=False, remedy=remedy)
    suffix = "" if shipped is None else " with those that came with the program"
    return SystemCheck("kernel cache", f"{folder}, {count} kernels{suffix}")


def check_plugins() -> Iterator[SystemCheck]:
    """Check what each installed package adds, and report what cannot be used and why."""
    points = [point for group in (*FAMILIES, "presets") for point in plugin_entry_points(group)]
    try:
        from quatviz.commands import COMMANDS
        from quatviz.files.preset_files import preset_paths

        for group in {point.group.removeprefix("quatviz.") for point in points}:
            if group == "presets":
                preset_paths(resources.preset_folder())
            else:
                len(COMMANDS if group == "commands" else load_registry(group))
    except ImportError as error:
        yield SystemCheck("plug-in packages", f"not checked: {error}", ok=False, needed=False)
        return
    for package in sorted({package_of_entry_point(point) for point in points}):
        package_points = [point for point in points if package_of_entry_point(point) == package]
        reasons = [reason for point in package_points if (reason := skip_reason(point))]
        groups = {
            point.group: [other.name for other in package_points if other.group == point.group]
            for point in package_points
        }
        description = "; ".join(
            f"{group.removeprefix('quatviz.')}: {', '.join(names)}" for group, names in groups.items()
        )
        yield SystemCheck(
            f"package {package}", description, not reasons, needed=False, remedy="; ".join(reasons)
        )


def check_fonts() -> SystemCheck:
    try:
        bundled_font = resources.asset_path("fonts/Inter-Regular.otf").name
    except FileNotFoundError as error:
        return SystemCheck("fonts", str(error), ok=False, remedy="reinstall quatviz")
    need = next(
        (
            n
            for n in bootstrap.system_requirements("run", sys.platform, os.environ)
            if n.package.startswith("fonts")
        ),
        None,
    )
    if need is None or bootstrap.is_installed(need):
        return SystemCheck("fonts", f"{bundled_font}, and the fonts of the system")
    message = f"{bundled_font}; the system has no font for characters that it lacks"
    return SystemCheck("fonts", message, ok=False, needed=False, remedy=_install_command([need.package]))


def check_compiler() -> SystemCheck:
    path = shutil.which("gcc") or shutil.which("cc")
    if path:
        return SystemCheck("C compiler", path, needed=False)
    remedy = f"only `quatviz bench` needs one: {_install_command(['gcc', 'libc6-dev'])}"
    return SystemCheck("C compiler", "none", ok=False, needed=False, remedy=remedy)

"""What `quatviz doctor` looks at. Nothing outside the standard library is imported before it is known to be there."""

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from quatviz import bootstrap
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.registry import FAMILIES, left_out, package_of, plugin_points, registry_of
from quatviz.export.film.library import REQUIREMENT

PROBE_PATIENCE = 60.0
"""Seconds for a driver to answer; some never do."""


@dataclass(frozen=True)
class Finding:
    """One fact about this machine. `needed` says that the window cannot run unless it is `ok`; `remedy` is what to do."""

    name: str
    value: str
    ok: bool = True
    needed: bool = True
    remedy: str = ""


def findings() -> list[Finding]:
    """Everything, in the order in which one thing needs another."""
    return [
        Finding("system", f"{platform.platform()}, {os.cpu_count()} processors"),
        _python(),
        *(library(line) for line in requirements()),
        replace(library(REQUIREMENT), name="av, for films", needed=False),  # an extra
        *packages(),
        display(os.environ),
        *opengl(),
        cache(),
        fonts(),
        compiler(),
        *added(),
    ]


def _python() -> Finding:
    found = platform.python_version()
    ok = within(found, ">=3.11")
    return Finding(
        "Python", f"{found}, {sys.executable}", ok, remedy="" if ok else "install Python 3.11 or newer"
    )


def requirements() -> list[str]:
    """Lines such as `numpy>=2.0,<2.5`: of the checkout, or of what is installed."""
    project = bootstrap.CHECKOUT / "pyproject.toml"
    if project.is_file():
        dependencies: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
        return dependencies
    return [line for line in requires("quatviz") or [] if ";" not in line]


def library(line: str) -> Finding:
    name, limits = re.fullmatch(r"([A-Za-z0-9_.-]+)\s*(.*)", line).groups()  # type: ignore[union-attr]
    install = f'{sys.executable} -m pip install "{line}"'
    try:
        found = version(name)
    except PackageNotFoundError:
        if resources.standalone():
            return Finding(name, "stays out of the stand-alone program", ok=False, needed=False)
        return Finding(name, "not installed", ok=False, remedy=install)
    ok = within(found, limits)
    return Finding(
        name, found if ok else f"{found}, but {limits} is needed", ok, remedy="" if ok else install
    )


def within(found: str, limits: str) -> bool:
    """Whether a version such as `2.4.6` keeps limits such as `>=2.0,<2.5`, the only kinds that pyproject.toml has."""
    numbers = _numbers(found)
    for limit in limits.replace(" ", "").split(","):
        bound = _numbers(limit)
        if (limit.startswith(">=") and numbers < bound) or (limit.startswith("<") and numbers >= bound):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    release = re.search(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in release[0].split(".")) if release else ()


def packages() -> Iterator[Finding]:
    """System libraries that Qt loads; only Linux lacks any."""
    wanted = bootstrap.needs("run", sys.platform, os.environ)
    libraries = [need for need in wanted if need.kind == "library"]
    if not libraries:
        return
    lacking = [need for need in libraries if not bootstrap.is_there(need)]
    names = ", ".join(need.signs[0] for need in lacking)
    yield Finding(
        "system libraries",
        f"missing: {names}" if lacking else f"all {len(libraries)} that Qt needs",
        not lacking,
        remedy=_install([need.package for need in lacking]),
    )


def _install(packages: list[str]) -> str:
    return bootstrap.apt_line(packages, sudo=shutil.which("sudo") is not None) if packages else ""


def display(environ: Mapping[str, str]) -> Finding:
    if bootstrap.has_display(sys.platform, environ):
        named = [f"{name}={environ[name]}" for name in ("WAYLAND_DISPLAY", "DISPLAY") if environ.get(name)]
        return Finding("display", ", ".join(named) or "the desktop's own")
    remedy = f"start quatviz on a desktop, or on a virtual display with: {bootstrap.virtual_line()}"
    if shutil.which("Xvfb") is None:
        remedy += f"; that needs: {_install(['xvfb'])}"
    return Finding("display", "none: neither DISPLAY nor WAYLAND_DISPLAY is set", ok=False, remedy=remedy)


_NO_PLATFORM = "no Qt platform plugin could be initialized"
"""What Qt says before it ends the process that has asked it for a display where none is."""


def opengl(
    command: tuple[str, ...] = (sys.executable, "-m", "quatviz.commands.support.gl_probe"),
) -> Iterator[Finding]:
    drivers = (
        f"install a graphics driver, on Debian and Ubuntu with: {_install(['libgl1', 'libgl1-mesa-dri'])}"
    )
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PROBE_PATIENCE,
            check=False,
            env=_import_from_here(),
        )
    except subprocess.TimeoutExpired:
        told = f"the driver did not answer within {PROBE_PATIENCE:g} s"
        yield Finding("OpenGL", told, ok=False, remedy=drivers)
        return
    if done.returncode != 0 and _NO_PLATFORM in done.stderr:
        yield Finding("OpenGL", "not asked: Qt found no display", ok=False, remedy="see display")
        return
    if done.returncode != 0:
        yield Finding("OpenGL", _ending(done), ok=False, remedy=drivers)
        return
    answer = json.loads(done.stdout.splitlines()[-1])
    if "refused" in answer:
        told = f"{answer['refused']}: the 3D view is drawn as lines"
        yield Finding("OpenGL", told, ok=False, needed=False, remedy=answer["remedy"])
        return
    by = "the processor draws" if answer["software"] else "the graphics card draws"
    yield Finding("OpenGL", f"{answer['version']} on Qt's platform {answer['platform']}, {by}")
    yield Finding("OpenGL renderer", f"{answer['renderer']} of {answer['vendor']}")


def _import_from_here() -> dict[str, str]:
    """The environment of a child that imports this very copy of quatviz."""
    here = str(Path(__file__).resolve().parents[2])
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])]),
    }


def _ending(done: subprocess.CompletedProcess[str]) -> str:
    """Why the probe ended, in words."""
    if done.returncode < 0:
        return f"the driver crashed: asking it ended with {signal.Signals(-done.returncode).name}"
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return f"asking it failed: {last}"


def cache() -> Finding:
    shipped = None
    try:
        from quatviz.physics.kernels import cache as kernel_cache

        shipped = resources.shipped_kernel_folder()
        place = kernel_cache.prepare()
        count, damaged = kernel_cache.kept()
    except InputError as refusal:
        what = "compiles anew" if shipped is None else "compiles anew what did not come with the program"
        told = f"{refusal.place}: {refusal.found}; each start {what}"
        return Finding("kernel cache", told, ok=False, needed=False, remedy=refusal.remedy)
    except ImportError as error:
        return Finding("kernel cache", f"not looked at: {error}", ok=False)
    if damaged:
        where = damaged[0].parent
        told = (
            f"{where}: {len(damaged)} of {count} kernels are damaged, and compiled anew when they are needed"
        )
        remedy = "if it happens again, look after the disk; QUATVIZ_CACHE_DIR names another folder"
        if where == shipped:
            remedy = "unpack the program again: these came with it"
        return Finding("kernel cache", told, ok=False, needed=False, remedy=remedy)
    behind = "" if shipped is None else " with those that came with the program"
    return Finding("kernel cache", f"{place}, {count} kernels{behind}")


def added() -> Iterator[Finding]:
    """What each installed package adds, and what of it is left out, and why."""
    points = [point for group in (*FAMILIES, "presets") for point in plugin_points(group)]
    try:
        from quatviz.commands import COMMANDS
        from quatviz.files.preset_files import preset_paths

        for group in {point.group.removeprefix("quatviz.") for point in points}:
            if group == "presets":
                preset_paths(resources.preset_folder())
            else:
                len(COMMANDS if group == "commands" else registry_of(group))
    except ImportError as error:
        yield Finding("packages that add", f"not looked at: {error}", ok=False, needed=False)
        return
    for package in sorted({package_of(point) for point in points}):
        its = [point for point in points if package_of(point) == package]
        reasons = [reason for point in its if (reason := left_out(point))]
        groups = {point.group: [other.name for other in its if other.group == point.group] for point in its}
        told = "; ".join(
            f"{group.removeprefix('quatviz.')}: {', '.join(names)}" for group, names in groups.items()
        )
        yield Finding(f"package {package}", told, not reasons, needed=False, remedy="; ".join(reasons))


def fonts() -> Finding:
    try:
        own = resources.asset("fonts/Inter-Regular.otf").name
    except FileNotFoundError as error:
        return Finding("fonts", str(error), ok=False, remedy="install quatviz anew")
    need = next(
        (n for n in bootstrap.needs("run", sys.platform, os.environ) if n.package.startswith("fonts")), None
    )
    if need is None or bootstrap.is_there(need):
        return Finding("fonts", f"{own}, and the system's")
    told = f"{own}; the system has none for signs that it lacks"
    return Finding("fonts", told, ok=False, needed=False, remedy=_install([need.package]))


def compiler() -> Finding:
    found = shutil.which("gcc") or shutil.which("cc")
    if found:
        return Finding("C compiler", found, needed=False)
    remedy = f"only `quatviz bench` needs one: {_install(['gcc', 'libc6-dev'])}"
    return Finding("C compiler", "none", ok=False, needed=False, remedy=remedy)

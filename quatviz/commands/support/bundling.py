"""The stand-alone folder, an archive of it, and on Debian a package: what `python3 quatviz/bootstrap.py bundle` makes.

PyInstaller gathers Python, libraries and quatviz (`assets/bundle/quatviz.spec` says which). Compiled equations are added,
the program tries itself (`quatviz doctor --self-test`), and only then is it packed.
"""

import argparse
import filecmp
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from quatviz.base import resources
from quatviz.base.version import __version__

NAME = "quatviz"
FOLDER = "quatviz-bundle"
CONTROL = """Package: quatviz
Version: {version}
Architecture: {architecture}
Maintainer: the authors of quatviz
Installed-Size: {size}
Depends: libc6 (>= {libc}), libegl1, libgl1, libgl1-mesa-dri, fontconfig-config, fonts-dejavu-core
Suggests: xvfb, gcc
Section: education
Priority: optional
Description: rigid-body rotation, by every way of writing its equations of motion
 A rotating body in 3D beside live plots of Euler parameters, Euler angles,
 angular velocity, angular momentum and the Lagrange multiplier, for many
 formulations of the equations of motion at once.
"""


def main(words: Sequence[str]) -> int:
    """Make all of it in the folder that is named, `quatviz-bundle` where none is; 1 where the program fails its own test."""
    parser = argparse.ArgumentParser(
        prog="python3 quatviz/bootstrap.py bundle",
        description="Make a stand-alone folder, an archive of it and, on Debian, a package: five to ten minutes.",
    )
    parser.add_argument("folder", nargs="?", default=FOLDER, help="where to (default: %(default)s)")
    place = Path(parser.parse_args(words).folder).absolute()
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="quatviz-") as scratch:
        _say("Gathering Python, libraries and quatviz (two to five minutes)")
        program = _gathered(place, Path(scratch))
        hollow(program / "_internal", HOLLOW, Path(scratch))
        share(program / "_internal")
        _say("Compiling the equations of motion that the presets run (a minute or two)")
        _add_kernels(program, Path(scratch))
        _say("Trying it")
        if subprocess.call([program / NAME, "doctor", "--self-test"], env=_elsewhere(Path(scratch))) != 0:
            return 1
        _say("Packing it")
        made = [_archive(program), *package(program, Path(scratch))]
    print(f"{_megabytes(program):6.0f} MB  {program}, which starts with {program / NAME}")
    for path in made:
        print(f"{_megabytes(path):6.0f} MB  {path}")
    return 0


def _gathered(place: Path, scratch: Path) -> Path:
    """The folder with the program in it."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"),
            *("--distpath", str(place), "--workpath", str(scratch / "work")),
            str(resources.asset("bundle/quatviz.spec")),
        ],
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit("PyInstaller failed (see above).")
    return place / NAME


HOLLOW = re.compile(
    "lib(icu(data|i18n|uc)|systemd|Xau-|xcb-(shape-|shm-|xfixes-)?[0-9a-f]{8}|SvtAv1Enc|asound|avfilter|dav1d|drm|gmp|gnutls|hogweed"
    "|mp3lame|nettle|opencore|opus|sharpyuv|unistring|vpl|vpx|webp|x265)"
)
"""Libraries that others name and the program never calls: words of all languages, which Qt does without, what FFmpeg has
for other films than H.264, and pictures of the screen. Together they are 85 MB."""
_NOTHING = {"x86_64": "xorl %eax, %eax\n ret", "aarch64": "mov x0, #0\n ret"}
"""To return zero, on each processor."""
_SOMETHING = {"x86_64": "lea {0}(%rip), %rax\n ret", "aarch64": "adrp x0, {0}\n add x0, x0, :lo12:{0}\n ret"}
"""To return an address."""
_TEXTS = re.compile("_(configuration|license)$")
"""Functions that have to return a text, for which an empty one will do."""


def hollow(folder: Path, names: re.Pattern[str], scratch: Path) -> None:
    """Put libraries of the same names and functions, which all return zero, in the place of those whose names match; where the
    tools are there, and the processor is known."""
    if platform.machine() not in _NOTHING or not all(map(shutil.which, ("as", "ld", "nm", "readelf"))):
        return
    found = [path for path in folder.rglob("lib*.so*") if path.is_file() and not path.is_symlink()]
    full = [path for path in found if names.match(path.name)]
    wanted = {name for path in folder.rglob("*.so*") for _, name, _ in _symbols(path, "undefined")}
    for path in full:
        _write_hollow(path, wanted, scratch)


def _write_hollow(path: Path, wanted: Collection[str], scratch: Path) -> None:
    code: list[str] = []
    versions: dict[str, list[str]] = defaultdict(list)
    for kind, name, version in _symbols(path, "defined"):
        if name not in wanted or name in versions[version]:
            continue
        versions[version].append(name)
        data = kind in "BDRV"
        code.append(
            f".globl {name}\n.type {name}, @{'object' if data else 'function'}\n.size {name}, {64 if data else 4}\n"
        )
        if data:
            code.append(f".bss\n.balign 64\n{name}: .zero 64\n")
        else:
            does = _SOMETHING if _TEXTS.search(name) else _NOTHING
            code.append(f".text\n{name}: {does[platform.machine()].format('.Lempty')}\n")
    code.append('.bss\n.Lempty: .zero 64\n.section .note.GNU-stack,"",@progbits\n')
    source, thing, script = (scratch / f"hollow.{suffix}" for suffix in ("s", "o", "versions"))
    source.write_text("".join(code), encoding="utf-8")
    subprocess.run(["as", "-o", thing, source], check=True)
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    called = re.search(r"soname: \[(.*)\]", dynamic, re.IGNORECASE)
    words: list[str | Path] = [
        "ld",
        "-shared",
        "-soname",
        called[1] if called else path.name,
        "-o",
        path,
        thing,
    ]
    if any(versions):
        lines = (
            f"{version or 'base'} {{ global: {'; '.join(names)}; }};"
            for version, names in versions.items()
            if names
        )
        script.write_text("\n".join(lines), encoding="utf-8")
        words += ["--version-script", script]
    subprocess.run(words, check=True)


def _symbols(path: Path, which: str) -> Iterator[tuple[str, str, str]]:
    """Kind, name and version of those that a library has `defined`, or left `undefined`; not those of versions that are history."""
    words: list[str | Path] = ["nm", "-D", f"--{which}-only", "--with-symbol-versions", path]
    for line in subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines():
        *_, kind, named = line.split()
        name, _, version = named.partition("@")
        if which == "undefined" or not version or version.startswith("@"):
            yield kind, name, version.lstrip("@")


def share(folder: Path) -> None:
    """Have libraries that came twice once, and a link to them."""
    first: dict[str, Path] = {}
    for path in sorted(folder.rglob("lib*.so*")):
        if path.is_symlink():
            continue
        other = first.setdefault(path.name, path)
        if other is not path and filecmp.cmp(path, other, shallow=False):
            path.unlink()
            path.symlink_to(os.path.relpath(other, path.parent))


def _add_kernels(program: Path, scratch: Path) -> None:
    """Let the program itself compile what the presets run, and travel with it: its kernels are not this Python's."""
    env = _elsewhere(scratch)
    subprocess.run([program / NAME, "compile"], env=env, check=True)
    inside = program / "_internal" / resources.COMPILED.relative_to(resources.PACKAGE.parent)
    shutil.copytree(Path(env[resources.CACHE]) / "kernels", inside, dirs_exist_ok=True)
    (inside / resources.PROCESSOR).write_text(json.dumps(resources.processor()), encoding="utf-8")


def _elsewhere(scratch: Path) -> dict[str, str]:
    """An environment in which nothing of this person's is read or written."""
    return {
        **os.environ,
        resources.CACHE: str(scratch / "cache"),
        "QUATVIZ_SETTINGS_DIR": str(scratch / "settings"),
    }


def _archive(program: Path) -> Path:
    path = program.with_name(f"{NAME}-{__version__}-{platform.system().lower()}-{platform.machine()}.tar.xz")
    with tarfile.open(path, "w:xz", preset=3) as archive:
        archive.add(program, arcname=NAME)
    return path


def package(program: Path, scratch: Path) -> list[Path]:
    """A Debian package of the program, with what a desktop wants to know of it; where the tool for that is."""
    tool = shutil.which("dpkg-deb")
    if tool is None:
        return []
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    root = scratch / "package"
    shutil.copytree(program, root / "opt" / NAME, symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / NAME).symlink_to(f"/opt/{NAME}/{NAME}")
    for asset, folder in _SHARED.items():
        (root / "usr" / "share" / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(
            resources.asset(asset), root / "usr" / "share" / folder / Path(asset).name.replace("icon", NAME)
        )
    document = root / "usr" / "share" / "doc" / NAME
    document.mkdir(parents=True)
    shutil.copy(resources.PACKAGE / "LICENSE", document / "copyright")
    (root / "DEBIAN").mkdir()
    control = CONTROL.format(
        version=__version__,
        architecture=architecture,
        size=round(_megabytes(program) * 1e3),
        libc=platform.libc_ver()[1],
    )
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    path = program.with_name(f"{NAME}_{__version__}_{architecture}.deb")
    subprocess.run(
        [tool, "--root-owner-group", "-Zxz", "-z3", "--build", root, path],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return [path]


_SHARED = {
    "bundle/org.quatviz.quatviz.desktop": "applications",
    "bundle/org.quatviz.quatviz.metainfo.xml": "metainfo",
    "bundle/quatviz-types.xml": "mime/packages",
    "icon.svg": "icons/hicolor/scalable/apps",
}
"""Where a desktop looks for what, below /usr/share."""


def _megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [each for each in path.rglob("*") if not each.is_symlink()]
    return sum(each.stat().st_size for each in files if each.is_file()) / 1e6


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

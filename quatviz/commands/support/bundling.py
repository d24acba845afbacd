"""The stand-alone program as a folder, an archive and a Debian package: `python3 quatviz/bootstrap.py bundle`.

PyInstaller collects Python, libraries and quatviz (see `assets/bundle/quatviz.spec`). Compiled kernels are added, the
program tests itself (`quatviz doctor --self-test`), and then it is packed.
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
from quatviz.base.child_processes import module_command
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
Description: rigid-body rotation with many formulations of the equations of motion
 A rotating body in 3D beside live plots of Euler parameters, Euler angles,
 angular velocity, angular momentum and the Lagrange multiplier, for many
 formulations of the equations of motion at once.
"""


def main(words: Sequence[str]) -> int:
    """Create the bundle in the given folder, by default `quatviz-bundle`. Return 1 if the program fails its self-test."""
    parser = argparse.ArgumentParser(
        prog="python3 quatviz/bootstrap.py bundle",
        description="Make a stand-alone folder, an archive and, on Debian, a package (five to ten minutes).",
    )
    parser.add_argument("folder", nargs="?", default=FOLDER, help="folder to write to (default: %(default)s)")
    target_folder = Path(parser.parse_args(words).folder).absolute()
    target_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="quatviz-") as scratch:
        _log("Collecting Python, libraries and quatviz (two to five minutes)")
        program = _run_pyinstaller(target_folder, Path(scratch))
        stub_libraries(program / "_internal", STUBBED_LIBRARIES, Path(scratch))
        link_duplicates(program / "_internal")
        _log("Compiling the equations of motion that the presets run (a minute or two)")
        _add_kernels(program, Path(scratch))
        _log("Testing the program")
        if (
            subprocess.call(
                [program / NAME, "doctor", "--self-test"], env=_isolated_environment(Path(scratch))
            )
            != 0
        ):
            return 1
        _log("Packing the program")
        packages = [_write_archive(program), *write_debian_package(program, Path(scratch))]
    print(f"{_megabytes(program):6.0f} MB  {program}, start it with {program / NAME}")
    for path in packages:
        print(f"{_megabytes(path):6.0f} MB  {path}")
    return 0


def _run_pyinstaller(target_folder: Path, scratch: Path) -> Path:
    """Run PyInstaller and return the folder of the program."""
    process = subprocess.run(
        [
            *module_command("PyInstaller", "--noconfirm", "--log-level=WARN"),
            *("--distpath", str(target_folder), "--workpath", str(scratch / "work")),
            str(resources.asset_path("bundle/quatviz.spec")),
        ],
        check=False,
    )
    if process.returncode != 0:
        raise SystemExit("PyInstaller failed (see above).")
    return target_folder / NAME


STUBBED_LIBRARIES = re.compile(
    "lib(icu(data|i18n|uc)|systemd|Xau-|xcb-(shape-|shm-|xfixes-)?[0-9a-f]{8}|SvtAv1Enc|asound|avfilter|dav1d|drm|gmp|gnutls|hogweed"
    "|mp3lame|nettle|opencore|opus|sharpyuv|unistring|vpl|vpx|webp|x265)"
)
"""Pattern of the names of libraries that other libraries need but that the program never calls.

These are ICU, the codecs of FFmpeg other than H.264, and screen capture. Together they take 85 MB.
"""
_RETURN_ZERO = {"x86_64": "xorl %eax, %eax\n ret", "aarch64": "mov x0, #0\n ret"}
"""Assembly code of the body of a function that returns zero, by type of processor."""
_RETURN_ADDRESS = {
    "x86_64": "lea {0}(%rip), %rax\n ret",
    "aarch64": "adrp x0, {0}\n add x0, x0, :lo12:{0}\n ret",
}
"""Assembly code of the body of a function that returns the address `{0}`, by type of processor."""
_TEXT_FUNCTIONS = re.compile("_(configuration|license)$")
"""Pattern of the names of functions that must return a text. An empty text is sufficient."""


def stub_libraries(folder: Path, names: re.Pattern[str], scratch: Path) -> None:
    """Replace the libraries with matching names by stubs whose functions return zero.

    Does nothing if the required tools are missing or the processor is unknown.
    """
    if platform.machine() not in _RETURN_ZERO or not all(map(shutil.which, ("as", "ld", "nm", "readelf"))):
        return
    libraries = [path for path in folder.rglob("lib*.so*") if path.is_file() and not path.is_symlink()]
    stubbed = [path for path in libraries if names.match(path.name)]
    called_names = {name for path in folder.rglob("*.so*") for _, name, _ in _symbols(path, "undefined")}
    for path in stubbed:
        _write_stub(path, called_names, scratch)


def _write_stub(path: Path, called_names: Collection[str], scratch: Path) -> None:
    code: list[str] = []
    versions: dict[str, list[str]] = defaultdict(list)
    for symbol_type, name, version in _symbols(path, "defined"):
        if name not in called_names or name in versions[version]:
            continue
        versions[version].append(name)
        is_data = symbol_type in "BDRV"
        code.append(
            f".globl {name}\n.type {name}, @{'object' if is_data else 'function'}\n.size {name}, {64 if is_data else 4}\n"
        )
        if is_data:
            code.append(f".bss\n.balign 64\n{name}: .zero 64\n")
        else:
            return_code = _RETURN_ADDRESS if _TEXT_FUNCTIONS.search(name) else _RETURN_ZERO
            code.append(f".text\n{name}: {return_code[platform.machine()].format('.Lempty')}\n")
    code.append('.bss\n.Lempty: .zero 64\n.section .note.GNU-stack,"",@progbits\n')
    source, object_file, script = (scratch / f"hollow.{suffix}" for suffix in ("s", "o", "versions"))
    source.write_text("".join(code), encoding="utf-8")
    subprocess.run(["as", "-o", object_file, source], check=True)
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"soname: \[(.*)\]", dynamic, re.IGNORECASE)
    command: list[str | Path] = [
        "ld",
        "-shared",
        "-soname",
        soname[1] if soname else path.name,
        "-o",
        path,
        object_file,
    ]
    if any(versions):
        lines = (
            f"{version or 'base'} {{ global: {'; '.join(names)}; }};"
            for version, names in versions.items()
            if names
        )
        script.write_text("\n".join(lines), encoding="utf-8")
        command += ["--version-script", script]
    subprocess.run(command, check=True)


def _symbols(path: Path, definition: str) -> Iterator[tuple[str, str, str]]:
    """Yield type, name and version of the symbols that a library defines or needs. Outdated versions are left out."""
    command: list[str | Path] = ["nm", "-D", f"--{definition}-only", "--with-symbol-versions", path]
    for line in subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines():
        *_, symbol_type, versioned_name = line.split()
        name, _, version = versioned_name.partition("@")
        if definition == "undefined" or not version or version.startswith("@"):
            yield symbol_type, name, version.lstrip("@")


def link_duplicates(folder: Path) -> None:
    """Replace libraries that occur twice in the bundle by links to their first copy."""
    originals: dict[str, Path] = {}
    for path in sorted(folder.rglob("lib*.so*")):
        if path.is_symlink():
            continue
        original = originals.setdefault(path.name, path)
        if original is not path and filecmp.cmp(path, original, shallow=False):
            path.unlink()
            path.symlink_to(os.path.relpath(original, path.parent))


def _add_kernels(program: Path, scratch: Path) -> None:
    """Let the bundled program compile the kernels of the presets, and add these kernels to the bundle.

    The bundled program cannot load kernels compiled by the Python installation that runs this script.
    """
    env = _isolated_environment(scratch)
    subprocess.run([program / NAME, "compile"], env=env, check=True)
    kernel_folder = (
        program / "_internal" / resources.SHIPPED_KERNEL_FOLDER.relative_to(resources.PACKAGE.parent)
    )
    shutil.copytree(Path(env[resources.CACHE_FOLDER_VARIABLE]) / "kernels", kernel_folder, dirs_exist_ok=True)
    (kernel_folder / resources.PROCESSOR_FILE).write_text(
        json.dumps(resources.host_processor()), encoding="utf-8"
    )


def _isolated_environment(scratch: Path) -> dict[str, str]:
    """Return environment variables with which the program neither reads nor writes the user's own files."""
    return {
        **os.environ,
        resources.CACHE_FOLDER_VARIABLE: str(scratch / "cache"),
        "QUATVIZ_SETTINGS_DIR": str(scratch / "settings"),
    }


def _write_archive(program: Path) -> Path:
    path = program.with_name(f"{NAME}-{__version__}-{platform.system().lower()}-{platform.machine()}.tar.xz")
    with tarfile.open(path, "w:xz", preset=3) as archive:
        archive.add(program, arcname=NAME)
    return path


def write_debian_package(program: Path, scratch: Path) -> list[Path]:
    """Return the path of a Debian package of the program with its desktop files, or an empty list without `dpkg-deb`."""
    tool = shutil.which("dpkg-deb")
    if tool is None:
        return []
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    root = scratch / "package"
    shutil.copytree(program, root / "opt" / NAME, symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / NAME).symlink_to(f"/opt/{NAME}/{NAME}")
    for asset, folder in _DESKTOP_FILES.items():
        (root / "usr" / "share" / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(
            resources.asset_path(asset),
            root / "usr" / "share" / folder / Path(asset).name.replace("icon", NAME),
        )
    doc_folder = root / "usr" / "share" / "doc" / NAME
    doc_folder.mkdir(parents=True)
    shutil.copy(resources.PACKAGE / "LICENSE", doc_folder / "copyright")
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


_DESKTOP_FILES = {
    "bundle/org.quatviz.quatviz.desktop": "applications",
    "bundle/org.quatviz.quatviz.metainfo.xml": "metainfo",
    "bundle/quatviz-types.xml": "mime/packages",
    "icon.svg": "icons/hicolor/scalable/apps",
}
"""Folder below /usr/share for each desktop file of the program."""


def _megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if not file.is_symlink()]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def _log(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

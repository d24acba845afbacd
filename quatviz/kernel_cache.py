"""Where compiled kernels are kept, so that a changed source is never served stale.

numba's own cache key sees only the file that a kernel stands in: a kernel that inlines a function of another
module would be served with that module's *old* code. So the cache folder is named by the hash of every
source that can end up in a kernel, those of plug-ins included, and of what compiles them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from quatviz import resources
from quatviz.core.errors import Refusal, phrase
from quatviz.core.registry import plugin_points

KERNEL_FAMILIES = ("formulations", "integrators", "loads")
"""Families whose plug-ins bring kernels."""

_KERNEL_FOLDERS = ("core", "formulations", "integrators")
_KEEP_DAYS = 30


def source_files() -> list[Path]:
    """Every file whose text can change a kernel, in a stable order."""
    package = Path(__file__).parent
    own = [path for folder in _KERNEL_FOLDERS for path in (package / folder).rglob("*.py")]
    return sorted(own) + [path for family in KERNEL_FAMILIES for path in _plugin_files(family)]


def fingerprint(files: Iterable[Path]) -> str:
    """A short hash of the texts of `files` and of the compiler, its libraries and this processor."""
    digest = hashlib.sha256()
    for name in ("numba", "llvmlite", "numpy"):
        digest.update(f"{name} {version(name)}\n".encode())
    digest.update(f"{sys.version}\n{_processor()}\n".encode())
    for path in files:
        digest.update(f"{path}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def prepare() -> Path:
    """Make this run's cache folder, point numba at it, and return it.

    Must run before the first kernel is decorated. Raises `Refusal` where no folder can be written:
    compiling everything anew at each start would be a slow program with no word of why.
    """
    from numba import config

    from quatviz import kernel_index

    base = resources.cache_folder() / "kernels"
    folder = base / fingerprint(source_files())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise Refusal(
            phrase("the kernel cache {folder}", folder=folder),
            expected="a folder that can be written, for compiled kernels",
            found=error.strerror or str(error),
            remedy="make it writable, or name another folder in the environment variable QUATVIZ_CACHE_DIR",
            topic="errors#kernel-cache",
        ) from error
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    kernel_index.install()
    os.utime(folder)
    _forget_old(base, folder)
    return folder


def _plugin_files(family: str) -> list[Path]:
    files = []
    for point in plugin_points(family):
        try:
            spec = importlib.util.find_spec(point.module)
        except (ImportError, ValueError):
            continue
        if spec is not None and spec.origin and Path(spec.origin).is_file():
            files.append(Path(spec.origin))
    return files


def _processor() -> str:
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def _forget_old(base: Path, current: Path) -> None:
    limit = time.time() - _KEEP_DAYS * 86400
    for folder in base.iterdir():
        if folder != current and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)

"""The program of the stand-alone folder, which `quatviz.bundling` makes: quatviz's command line, and the Python of its own
children."""

import json
import multiprocessing
import os
import runpy
import shutil
import sys
import traceback
from contextlib import suppress

from quatviz.base import resources

KERNELS = resources.PACKAGE / "compiled"
"""Compiled equations that travel in the folder."""
PROCESSOR = "processor.json"
"""Beside them: what they were compiled for."""


def main() -> int:
    """Carry out a command line; after `-m`, run a module as Python would."""
    multiprocessing.freeze_support()
    _leave_libraries()
    try:
        return _carried_out()
    except Exception:  # PyInstaller's own words would be the last, where a parent looks for the reason
        traceback.print_exc()
        return 1


def _carried_out() -> int:
    if sys.argv[1:2] == ["-m"]:
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    with suppress(OSError):  # no room or no right to write: the command that needs them says so
        _bring_kernels()
    from quatviz.cli import main as quatviz

    return quatviz()


def _leave_libraries() -> None:
    """Let what is started from here, Xvfb or a browser, find the system's libraries and not those of this folder, which are
    loaded already. A child that is this program again sets them anew."""
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


def _bring_kernels() -> None:
    """Put the equations that travel with the program where a person's own are kept, if this processor can run them."""
    place = resources.kernel_folder()
    lacking = [path for path in KERNELS.glob("*.*") if not (place / path.name).exists()]
    if not lacking or json.loads((KERNELS / PROCESSOR).read_text("utf-8")) != processor():
        return
    place.mkdir(parents=True, exist_ok=True)
    for path in sorted(
        lacking, key=lambda path: path.suffix != ".kernel"
    ):  # a mark says that its kernels are there
        half = place / f".{path.name}-{os.getpid()}"
        shutil.copyfile(path, half)
        half.replace(place / path.name)


def processor() -> list[str]:
    """What a compiled kernel is compiled for."""
    from llvmlite import binding

    return [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]


if __name__ == "__main__":
    sys.exit(main())

"""The program of the stand-alone folder, which `quatviz.commands.support.bundling` makes: quatviz's command
line, and the Python of its child processes."""

import multiprocessing
import os
import runpy
import sys
import traceback


def main() -> int:
    """Carry out a command line; after `-m`, run a module as Python would."""
    multiprocessing.freeze_support()
    _reset_library_path()
    try:
        return _run_command()
    except Exception:  # PyInstaller's own words would be the last, where a parent looks for the reason
        traceback.print_exc()
        return 1


def _run_command() -> int:
    if sys.argv[1:2] == ["-m"]:
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    from quatviz.cli import main as quatviz

    return quatviz()


def _reset_library_path() -> None:
    """Let what is started from here, Xvfb or a browser, find the system's libraries and not those of this folder, which are
    loaded already. A child that is this program again sets them anew."""
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    sys.exit(main())

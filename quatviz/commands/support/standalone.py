"""Main program of the stand-alone folder made by `quatviz.commands.support.bundling`: the command line of quatviz,
and the Python interpreter of its child processes.
"""

import multiprocessing
import os
import runpy
import sys
import traceback


def main() -> int:
    """Run quatviz with the command-line arguments. If the first argument is `-m`, run a module as the Python
    interpreter does."""
    multiprocessing.freeze_support()
    _reset_library_path()
    try:
        return _run_command()
    except Exception:
        # PyInstaller would print its own message last, where the parent process looks for the reason.
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
    """Make child processes, such as Xvfb or a browser, load the libraries of the system instead of the bundled
    ones.

    If the child is this program, it sets the library path again.
    """
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    sys.exit(main())

"""Command lines of child processes that run Python.

`python -m module` and `python -c code` put the current folder at the head of the module search path. A file `json.py`
beside a recording would then run instead of Python's own module. Child processes are always started without
that folder.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quatviz.base import resources

_SAFE_PATH_VARIABLE = "PYTHONSAFEPATH"
"""Environment variable that keeps the current folder out of the module search path of Python processes."""
_PACKAGE_PARENT = Path(__file__).resolve().parents[2]
"""Folder that contains the package `quatviz`."""


def python_command(*arguments: str) -> list[str]:
    """Return the command line that runs this Python with `arguments` and does not import modules from the current folder.

    Parameters
    ----------
    arguments
        Arguments of the interpreter, such as ``"-m", "quatviz.commands.support.gl_probe"`` or ``"-c", code``.

    Returns
    -------
    list of str
        Command line for `subprocess`. The stand-alone program takes no interpreter options and never searches
        the current folder, so its command line has `arguments` only.
    """
    if resources.is_standalone():
        return [sys.executable, *arguments]
    _share_package_path()
    return [sys.executable, "-P", *arguments]


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command line that runs `python -m module` with `arguments`, for a module of an installed package."""
    return python_command("-m", module, *arguments)


@contextmanager
def safe_module_path() -> Iterator[None]:
    """Keep Python processes that other libraries start in this context from searching the current folder for modules.

    The environment variable is reset at the end because programs that the window opens, such as a file manager,
    would inherit it.
    """
    previous = os.environ.get(_SAFE_PATH_VARIABLE)
    os.environ[_SAFE_PATH_VARIABLE] = "1"
    try:
        yield
    finally:
        if previous is None:
            os.environ.pop(_SAFE_PATH_VARIABLE, None)
        else:
            os.environ[_SAFE_PATH_VARIABLE] = previous


def _share_package_path() -> None:
    """Add the folder of the package to PYTHONPATH if Python found the package through the current folder."""
    parent = str(_PACKAGE_PARENT)
    if sys.path[:1] == [parent] or (sys.path[:1] == [""] and Path.cwd() == _PACKAGE_PARENT):
        inherited = os.environ.get("PYTHONPATH", "")
        if parent not in inherited.split(os.pathsep):
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (inherited, parent)))

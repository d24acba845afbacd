"""Import hook of PySide, which is replaced because it reads the source of each imported module."""

import sys

import PySide6.QtCore  # noqa: F401  creates the hook

_FEATURE_MODULE, _SCAN = "shibokensupport.feature", "_mod_uses_pyside"
"""Private module of PySide, and its function that searches the source of a module for the name of PySide."""


def disable_source_scan() -> None:
    """Keep PySide from reading the source of each imported module.

    PySide does so to find modules that may use its optional spellings (`from __feature__ import snake_case`). quatviz does
    not use them. The scan takes a tenth of the startup time, and Python keeps the lines that were read, 12 MB. A PySide
    without this function is left as it is.
    """
    feature = sys.modules.get(_FEATURE_MODULE)
    if hasattr(feature, _SCAN):
        setattr(feature, _SCAN, _uses_default_spelling)


def _uses_default_spelling(module: object) -> bool:
    """Return True: any module is treated as one that uses PySide without optional spellings."""
    return True

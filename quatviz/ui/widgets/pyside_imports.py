"""Removal of a slow step from PySide's import hook, which reads the source of each imported module."""

import sys

import PySide6.QtCore  # noqa: F401  creates the hook

_FEATURE_MODULE, _SCAN = "shibokensupport.feature", "_mod_uses_pyside"
"""Private module of PySide, and its function that searches the source of a module for the name of PySide."""


def disable_source_scan() -> None:
    """Keep PySide from reading the source of each imported module.

    PySide searches the source for uses of its optional spellings (`from __feature__ import snake_case`), which quatviz
    does not use. The scan takes a tenth of the startup time, and Python keeps 12 MB of source lines in memory. Nothing
    is changed in a version of PySide that lacks the function for this.
    """
    feature = sys.modules.get(_FEATURE_MODULE)
    if hasattr(feature, _SCAN):
        setattr(feature, _SCAN, _uses_default_spelling)


def _uses_default_spelling(module: object) -> bool:
    """Return True, which declares any module as one that uses PySide without optional spellings."""
    return True
